//! How much of the sky a surface point sees past its neighbours.

use glam::DVec3;

use crate::picture::lens::Lens;
use crate::picture::rasteriser::{DepthBuffer, NOTHING};

/// Farthest sample that can darken another one [sample].
pub(crate) const REACH: usize = 512;
/// Shortest reach: below it, neighbours hardly show [sample].
const SHORTEST_REACH: f64 = 6.0;
/// Neighbours sampled for each sample.
const TAPS: usize = 16;
/// Side of the square of samples that look in different directions.
const TILE: usize = 8;
/// Share of the squared distance along the line of sight that counts for fading: what is seen through a gap several
/// spheres deep must be dark.
const DEPTH_FADE: f64 = 0.08;
/// Contrast of the darkening.
const STRENGTH: f64 = 2.3;

/// Offsets to sample, in units of the reach.
///
/// A golden-angle spiral that is dense at the centre; each sample of an 8 x 8 tile turns it by another angle, and the
/// average over neighbouring samples hides the tile.
#[derive(Debug)]
pub(crate) struct Occlusion {
    offsets: Vec<[[f64; 2]; TAPS]>,
    /// Radius of the darkening [camera unit].
    radius: f64,
}

impl Occlusion {
    pub fn new(radius: f64) -> Self {
        let golden_angle = std::f64::consts::PI * (3.0 - 5f64.sqrt());
        let offsets = (0..TILE * TILE)
            .map(|k| {
                // Bits of the column and row, interleaved from the lowest on, give neighbours unlike angles.
                let (column, row) = (k % TILE, k / TILE);
                let mixed = (0..3).fold(0, |mixed, bit| {
                    mixed << 2 | ((column >> bit & 1) ^ (row >> bit & 1)) << 1 | (row >> bit & 1)
                });
                let turn = mixed as f64 / (TILE * TILE) as f64 * std::f64::consts::TAU;
                std::array::from_fn(|tap| {
                    let reach = (tap as f64 + 0.5 + 0.5 * (mixed % 4) as f64 / 4.0) / TAPS as f64;
                    let (sine, cosine) = (turn + golden_angle * tap as f64).sin_cos();
                    [reach * cosine, reach * sine]
                })
            })
            .collect();
        Self { offsets, radius }
    }

    /// Brightness left at a surface point, 0 to 1.
    ///
    /// Averages, over samples around, the cosine of the angle at which they stand above the tangent plane, faded out
    /// with their distance (after M. McGuire, B. Osman, M. Bukowski, P. Hennessy, "The Alchemy screen-space ambient
    /// obscurance algorithm", 2011). What stands on the same body, the `owner` of the sample, is skipped: balls, cut or whole, and facets are
    /// convex, and nothing of them stands above their tangent planes.
    pub fn brightness(
        &self,
        column: usize,
        row: usize,
        owner: u32,
        point: DVec3,
        normal: DVec3,
        lens: &Lens,
        buffer: &DepthBuffer,
    ) -> f32 {
        let magnification = lens.magnification(point.z);
        let reach = (self.radius * magnification).clamp(SHORTEST_REACH, REACH as f64);
        let inverse_radius_squared = (magnification / reach).powi(2);
        let columns = 0.0..buffer.width as f64;
        let rows = buffer.rows.start as f64..buffer.rows.end as f64;
        let mut darkness = 0.0;
        for [x, y] in self.offsets[row % TILE * TILE + column % TILE] {
            // Half a sample more: the conversions below cut off the fraction.
            let (x, y) = (column as f64 + 0.5 + x * reach, row as f64 + 0.5 + y * reach);
            if !(columns.contains(&x) && rows.contains(&y)) {
                continue;
            }
            let (x, y) = (x as usize, y as usize);
            let other = buffer.owner(x, y);
            if other == owner || other == NOTHING {
                continue;
            }
            let depth = buffer.depth(x, y);
            let away = lens.ray(x, y).at(depth) - point;
            let distance_squared = away.length_squared();
            let faded_squared = distance_squared - (1.0 - DEPTH_FADE) * away.z * away.z;
            let fade = 1.0 - faded_squared * inverse_radius_squared;
            if fade > 0.0 && distance_squared > 0.0 {
                darkness += (away.dot(normal) / distance_squared.sqrt() - 0.05).max(0.0) * fade;
            }
        }
        (1.0 - STRENGTH * darkness / TAPS as f64).clamp(0.0, 1.0) as f32
    }
}
