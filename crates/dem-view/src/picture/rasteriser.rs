//! Which sphere or wall each sample of the picture shows.

use std::ops::Range;

use glam::DVec3;
use rayon::prelude::*;

use crate::picture::lens::{Ball, HalfSpace, Lens, Ray, samples};

/// Owner of samples that show nothing.
pub(crate) const NOTHING: u32 = u32::MAX;
/// Owners from here on are facets of opaque walls.
pub(crate) const FIRST_SOLID: u32 = 1 << 30;
/// Owners from here on are facets of translucent walls, which hide nothing.
pub(crate) const FIRST_VEIL: u32 = 1 << 31;
/// Rows of samples that one task fills.
const BAND: usize = 32;

/// A triangle of a wall in camera axes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Facet {
    pub corners: [DVec3; 3],
    /// Unit normal, towards the eye.
    pub normal: DVec3,
    /// Whether the cut plane takes its part away.
    pub is_cut: bool,
}

/// Everything to be drawn, in camera axes.
#[derive(Debug, Default)]
pub(crate) struct Stage {
    /// From near to far; at equal depth in the order of the caller's columns.
    pub balls: Vec<Ball>,
    pub kept: Option<HalfSpace>,
    /// Facets of opaque walls.
    pub solids: Vec<Facet>,
    /// Facets of translucent walls.
    pub veils: Vec<Facet>,
    pub segments: Vec<[DVec3; 2]>,
}

/// Depth and owner of each sample of some rows of the picture.
#[derive(Debug)]
pub(crate) struct DepthBuffer {
    pub width: usize,
    pub rows: Range<usize>,
    /// Distance along the optical axis [camera unit]; infinite where nothing is.
    depth: Vec<f64>,
    /// Ordinal of the ball, or of the facet plus [`FIRST_SOLID`] or [`FIRST_VEIL`], or [`NOTHING`].
    owner: Vec<u32>,
}

impl DepthBuffer {
    /// Depth of a sample; the caller stays inside the buffer.
    pub fn depth(&self, column: usize, row: usize) -> f64 {
        self.depth[(row - self.rows.start) * self.width + column]
    }

    /// Owner of a sample; the caller stays inside the buffer.
    pub fn owner(&self, column: usize, row: usize) -> u32 {
        self.owner[(row - self.rows.start) * self.width + column]
    }

    /// Depth and owner of a sample; the caller stays inside the buffer.
    pub fn get(&self, column: usize, row: usize) -> (f64, u32) {
        let place = (row - self.rows.start) * self.width + column;
        (self.depth[place], self.owner[place])
    }
}

/// Finds the nearest sphere or opaque wall of each sample in the given rows, and the farthest translucent wall where there is neither.
///
/// The farthest wall is the one behind the content, whichever way its triangles turn; nearer ones would stand between
/// the eye and the spheres. Each band of rows is filled by one task from lists in a fixed order, so the result does not
/// depend on the number of threads.
pub(crate) fn rasterise(stage: &Stage, lens: &Lens, width: usize, rows: Range<usize>) -> DepthBuffer {
    let count = width * rows.len();
    let mut depth = vec![f64::INFINITY; count];
    let mut owner = vec![NOTHING; count];
    let balls = sort_into_bands(stage.balls.iter().map(|ball| lens.rows(ball)), &rows);
    let project = |facets: &[Facet]| -> Vec<Vec<[f64; 2]>> { facets.iter().map(|f| project_facet(f, lens)).collect() };
    let outlines = [project(&stage.solids), project(&stage.veils)];
    let [solids, veils] = [&outlines[0], &outlines[1]]
        .map(|outlines| sort_into_bands(outlines.iter().map(|outline| span(outline, 1)), &rows));
    let band_depths = depth.par_chunks_mut(width * BAND).zip(owner.par_chunks_mut(width * BAND));
    band_depths.enumerate().for_each(|(band, (depth, owner))| {
        let first = rows.start + band * BAND;
        let mut target = Band { width, rows: first..first + depth.len() / width, depth, owner };
        for &ordinal in &balls[band] {
            target.draw_ball(ordinal, stage, lens);
        }
        for &ordinal in &solids[band] {
            target.draw_solid(ordinal, stage, &outlines[0][ordinal as usize], lens);
        }
        for &ordinal in &veils[band] {
            target.draw_veil(ordinal, &stage.veils[ordinal as usize], &outlines[1][ordinal as usize], lens);
        }
    });
    DepthBuffer { width, rows, depth, owner }
}

/// Lists, for each band of rows, the things whose spans of rows touch it.
pub(crate) fn sort_into_bands(spans: impl Iterator<Item = [f64; 2]>, rows: &Range<usize>) -> Vec<Vec<u32>> {
    let mut bands = vec![Vec::new(); rows.len().div_ceil(BAND)];
    for (ordinal, span) in spans.enumerate() {
        let touched = samples(span, rows);
        if !touched.is_empty() {
            let (first, last) = ((touched.start - rows.start) / BAND, (touched.end - 1 - rows.start) / BAND);
            for band in &mut bands[first..=last] {
                band.push(ordinal as u32);
            }
        }
    }
    bands
}

/// Place in the lists of [`sort_into_bands`].
pub(crate) fn band_of(row: usize, rows: &Range<usize>) -> usize {
    (row - rows.start) / BAND
}

/// The rows of one task.
struct Band<'a> {
    width: usize,
    rows: Range<usize>,
    depth: &'a mut [f64],
    owner: &'a mut [u32],
}

impl Band<'_> {
    fn draw_ball(&mut self, ordinal: u32, stage: &Stage, lens: &Lens) {
        let ball = &stage.balls[ordinal as usize];
        let columns = samples(lens.columns(ball), &(0..self.width));
        let closest = ball.centre.z - ball.radius;
        let limit = lens.nearest_depth();
        for row in samples(lens.rows(ball), &self.rows) {
            let start = (row - self.rows.start) * self.width;
            for column in columns.clone() {
                let place = start + column;
                // Balls come from near to far: most samples of hidden ones end here.
                if self.depth[place] <= closest {
                    continue;
                }
                if let Some(hit) = ball.hit(&lens.ray(column, row), stage.kept.as_ref(), limit)
                    && hit.depth < self.depth[place]
                {
                    self.depth[place] = hit.depth;
                    self.owner[place] = ordinal;
                }
            }
        }
    }

    fn draw_solid(&mut self, ordinal: u32, stage: &Stage, outline: &[[f64; 2]], lens: &Lens) {
        let facet = &stage.solids[ordinal as usize];
        let removed = stage.kept.filter(|_| facet.is_cut);
        let [nearest, _] = facet.depths();
        let limit = lens.nearest_depth();
        for (column, row) in self.samples_of(outline) {
            let place = (row - self.rows.start) * self.width + column;
            if self.depth[place] <= nearest || !contains(outline, [column as f64 + 0.5, row as f64 + 0.5]) {
                continue;
            }
            let ray = lens.ray(column, row);
            let depth = facet.depth_along(&ray);
            let is_removed = removed.is_some_and(|kept| kept.normal.dot(ray.at(depth)) > kept.offset);
            if depth < self.depth[place] && depth > limit && !is_removed {
                self.depth[place] = depth;
                self.owner[place] = FIRST_SOLID + ordinal;
            }
        }
    }

    fn draw_veil(&mut self, ordinal: u32, facet: &Facet, outline: &[[f64; 2]], lens: &Lens) {
        for (column, row) in self.samples_of(outline) {
            let place = (row - self.rows.start) * self.width + column;
            if self.owner[place] < FIRST_VEIL || !contains(outline, [column as f64 + 0.5, row as f64 + 0.5]) {
                continue;
            }
            let depth = facet.depth_along(&lens.ray(column, row));
            if self.owner[place] == NOTHING || depth > self.depth[place] {
                self.depth[place] = depth;
                self.owner[place] = FIRST_VEIL + ordinal;
            }
        }
    }

    /// Samples of this band in the box around an outline.
    fn samples_of(&self, outline: &[[f64; 2]]) -> impl Iterator<Item = (usize, usize)> + use<> {
        let columns = samples(span(outline, 0), &(0..self.width));
        samples(span(outline, 1), &self.rows).flat_map(move |row| columns.clone().map(move |column| (column, row)))
    }
}

impl Facet {
    /// Least and greatest depth of the corners.
    fn depths(&self) -> [f64; 2] {
        self.corners.iter().fold([f64::INFINITY, f64::NEG_INFINITY], |s, c| [s[0].min(c.z), s[1].max(c.z)])
    }

    /// Depth at which a ray through the facet meets it.
    fn depth_along(&self, ray: &Ray) -> f64 {
        let [nearest, farthest] = self.depths();
        let depth = self.normal.dot(self.corners[0] - ray.origin) / self.normal.dot(ray.direction);
        // Grazing rays lose all digits; the corners bound what is left. Also catches 0 / 0.
        if depth.is_nan() { farthest } else { depth.clamp(nearest, farthest) }
    }
}

/// Extent of an outline along an axis of the picture.
fn span(outline: &[[f64; 2]], axis: usize) -> [f64; 2] {
    outline.iter().fold([f64::INFINITY, f64::NEG_INFINITY], |s, p| [s[0].min(p[axis]), s[1].max(p[axis])])
}

/// Corners in the picture of the part of a facet in front of the eye: none, three or four.
fn project_facet(facet: &Facet, lens: &Lens) -> Vec<[f64; 2]> {
    let limit = lens.nearest_depth();
    let mut outline = Vec::with_capacity(4);
    for k in 0..3 {
        let (a, b) = (facet.corners[k], facet.corners[(k + 1) % 3]);
        if a.z >= limit {
            outline.push(lens.project(a));
        }
        if (a.z >= limit) != (b.z >= limit) {
            outline.push(lens.project(a + (b - a) * ((limit - a.z) / (b.z - a.z))));
        }
    }
    outline
}

/// Whether a point is in a convex polygon, whichever way that turns.
fn contains(outline: &[[f64; 2]], point: [f64; 2]) -> bool {
    let mut sides = (false, false);
    for (k, a) in outline.iter().enumerate() {
        let b = outline[(k + 1) % outline.len()];
        let side = (b[0] - a[0]) * (point[1] - a[1]) - (b[1] - a[1]) * (point[0] - a[0]);
        sides = (sides.0 || side < 0.0, sides.1 || side > 0.0);
    }
    sides.0 != sides.1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picture::camera::Camera;
    use crate::picture::view::{Projection, View};

    fn lens() -> Lens {
        let view = View {
            azimuth_degrees: 0.0,
            elevation_degrees: 0.0,
            projection: Projection::Orthographic,
            ..View::default()
        };
        let camera = Camera::fit(&[(DVec3::ZERO, 0.94)], &view, 1.0).unwrap();
        Lens::new(&camera, [0.0; 2], [100.0; 2])
    }

    fn ball(depth: f64, radius: f64, index: usize) -> Ball {
        Ball { centre: DVec3::new(0.0, 0.0, depth), radius, index }
    }

    /// A facet across the line of sight, larger than the picture.
    fn screen(depth: f64) -> Facet {
        let corners = [[-9.0, -9.0], [9.0, -9.0], [0.0, 9.0]].map(|[x, y]| DVec3::new(x, y, depth));
        Facet { corners, normal: -DVec3::Z, is_cut: false }
    }

    #[test]
    fn nearest_sphere_owns_the_sample_whatever_the_order() {
        for balls in [[ball(2.0, 0.3, 0), ball(5.0, 0.6, 1)], [ball(5.0, 0.6, 1), ball(2.0, 0.3, 0)]] {
            let near = balls.iter().position(|ball| ball.index == 0).unwrap() as u32;
            let stage = Stage { balls: balls.to_vec(), ..Stage::default() };
            let buffer = rasterise(&stage, &lens(), 100, 0..100);
            let (depth, owner) = buffer.get(50, 50);
            assert_eq!(owner, near);
            assert!((depth - 1.7).abs() < 1e-3);
            assert_eq!(buffer.get(73, 50).1, 1 - near, "the larger one shows around the nearer one");
            assert_eq!(buffer.get(2, 2), (f64::INFINITY, NOTHING));
        }
    }

    #[test]
    fn owner_of_each_sample_is_the_first_hit_among_interpenetrating_spheres() {
        let mut balls: Vec<Ball> = (0..30)
            .map(|k| {
                let t = f64::from(k);
                let centre = DVec3::new((t * 0.9).sin(), (t * 1.7).cos(), 3.0 + 0.05 * t);
                Ball { centre, radius: 0.3 + 0.01 * t, index: k as usize }
            })
            .collect();
        balls.sort_by(|a, b| (a.centre.z - a.radius).total_cmp(&(b.centre.z - b.radius)));
        let stage = Stage { balls, ..Stage::default() };
        let lens = lens();
        let buffer = rasterise(&stage, &lens, 100, 0..100);
        for (column, row) in (0..10_000).map(|k| (k % 100, k / 100)) {
            let ray = lens.ray(column, row);
            let hits = stage.balls.iter().filter_map(|ball| ball.hit(&ray, None, lens.nearest_depth()));
            let nearest = hits.map(|hit| hit.depth).fold(f64::INFINITY, f64::min);
            assert_eq!(buffer.get(column, row).0, nearest, "{column} {row}");
        }
    }

    #[test]
    fn translucent_walls_never_own_a_sample_of_a_sphere() {
        let stage = Stage {
            balls: vec![ball(3.0, 0.3, 0)],
            veils: vec![screen(1.0), screen(8.0), screen(4.0)],
            ..Stage::default()
        };
        let buffer = rasterise(&stage, &lens(), 100, 0..100);
        assert_eq!(buffer.get(50, 50).1, 0);
        assert_eq!(buffer.get(90, 90), (8.0, FIRST_VEIL + 1), "of the walls the farthest is shown");
    }

    #[test]
    fn nearest_opaque_wall_owns_the_samples_of_what_is_behind_it() {
        let stage = Stage {
            balls: vec![ball(3.0, 0.3, 0)],
            solids: vec![screen(8.0), screen(4.0)],
            veils: vec![screen(1.0), screen(9.0)],
            ..Stage::default()
        };
        let buffer = rasterise(&stage, &lens(), 100, 0..100);
        assert_eq!(buffer.get(50, 50).1, 0, "a sphere before the wall");
        assert_eq!(buffer.get(90, 90), (4.0, FIRST_SOLID + 1), "of the walls the nearest is shown");
        let before = Stage { solids: vec![screen(1.0)], ..stage };
        let buffer = rasterise(&before, &lens(), 100, 0..100);
        assert_eq!(buffer.get(50, 50), (1.0, FIRST_SOLID), "a sphere behind it");
    }

    #[test]
    fn cut_plane_opens_the_walls_that_are_cut() {
        let kept = Some(HalfSpace { normal: DVec3::X, offset: 0.0 });
        for (is_cut, owner) in [(false, FIRST_SOLID), (true, NOTHING)] {
            let solids = vec![Facet { is_cut, ..screen(4.0) }];
            let buffer = rasterise(&Stage { kept, solids, ..Stage::default() }, &lens(), 100, 0..100);
            assert_eq!([buffer.get(60, 50).1, buffer.get(40, 50).1], [owner, FIRST_SOLID]);
        }
    }

    #[test]
    fn rows_drawn_alone_equal_rows_of_the_whole() {
        let balls = (0..40).map(|k| {
            let t = f64::from(k);
            Ball { centre: DVec3::new((t * 0.9).sin(), (t * 0.4).cos(), 3.0 + 0.1 * t), radius: 0.3, index: k as usize }
        });
        let stage = Stage { balls: balls.collect(), ..Stage::default() };
        let whole = rasterise(&stage, &lens(), 100, 0..100);
        let part = rasterise(&stage, &lens(), 100, 37..81);
        assert!((37..81).all(|row| (0..100).all(|column| whole.get(column, row) == part.get(column, row))));
    }
}
