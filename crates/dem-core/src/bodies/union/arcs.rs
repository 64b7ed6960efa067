//! The discs in which a plane cuts spheres, and the arcs of their edges that a number of other discs covers.
//!
//! Disc `j` covers of the edge of disc `i` what lies within the angle α of the direction from i to j, `cos α = (d² + rᵢ² − rⱼ²) / (2 d rᵢ)`. The edge of the
//! union are the arcs that no disc covers; that of the region of points in three discs or more, the arcs that two others cover. Arcs come from sorted angles
//! alone, so that discs that touch, coincide or meet in one point need no rule of their own: an angle that is wrong by rounding moves an end of an arc by as
//! much.

use std::f64::consts::PI;

use super::cluster::{Cluster, Neighbour};
use crate::lanes::functions::alone::acos;

/// An end of an arc.
#[derive(Clone, Copy, Debug)]
pub struct End {
    /// From the x axis, from −π to π \[rad\].
    pub angle: f64,
    /// Of the angle.
    pub cosine: f64,
    /// Of the angle.
    pub sine: f64,
}

/// Where an edge is cut open, so that arcs do not wrap around.
const FIRST: End = End { angle: -PI, cosine: -1.0, sine: 0.0 };
const LAST: End = End { angle: PI, cosine: -1.0, sine: 0.0 };

/// The plane of a section. It is made once and moved, so that its memory is used again.
#[derive(Debug, Default)]
pub struct Plane {
    /// Square of the radius of the disc of each sphere, not positive where the plane misses the sphere.
    squares: Vec<f64>,
    /// Where the number of discs that cover an edge changes, and by how much.
    changes: Vec<(End, isize)>,
}

impl Plane {
    /// Cuts the spheres at a height.
    pub fn cut(&mut self, cluster: &Cluster, z: f64) {
        self.squares.clear();
        self.squares.extend(cluster.spheres.iter().map(|sphere| {
            let height = z - sphere.position.z;
            (sphere.radius - height) * (sphere.radius + height)
        }));
    }

    /// Radius of a disc; none where the plane misses the sphere.
    pub fn radius(&self, disc: usize) -> Option<f64> {
        let square = self.squares[disc];
        (square > 0.0).then(|| square.sqrt())
    }

    /// Cosine of the angle α up to which a neighbour covers the edge of a disc: at least 1 if it covers nothing, at most −1 if it covers all. Of equal discs
    /// the first one counts as larger.
    pub fn covered(&self, disc: usize, radius: f64, by: &Neighbour) -> f64 {
        let difference = self.squares[disc] - self.squares[by.place];
        if self.squares[by.place] <= 0.0 {
            return 1.0;
        }
        if by.distance > 0.0 {
            return (by.distance * by.distance + difference) / (2.0 * by.distance * radius);
        }
        if difference < 0.0 || difference == 0.0 && by.place < disc { -1.0 } else { 1.0 }
    }

    /// Visits the arcs of the edge of a disc of the given radius that at most so many other discs cover, with the number of these.
    pub fn arcs(
        &mut self,
        cluster: &Cluster,
        disc: usize,
        radius: f64,
        most: isize,
        mut visit: impl FnMut(isize, [End; 2]),
    ) {
        let (mut whole, mut across) = (0, 0);
        let mut changes = std::mem::take(&mut self.changes);
        changes.clear();
        for by in &cluster.neighbours[disc] {
            let cosine = self.covered(disc, radius, by);
            if cosine <= -1.0 {
                whole += 1;
                if whole > most {
                    self.changes = changes;
                    return;
                }
            } else if cosine < 1.0 {
                let [from, to] = ends(by, cosine);
                across += isize::from(from.angle > to.angle);
                changes.extend([(from, 1), (to, -1)]);
            }
        }
        changes.sort_unstable_by(|(a, by_a), (b, by_b)| a.angle.total_cmp(&b.angle).then(by_a.cmp(by_b)));
        let (mut start, mut covering) = (FIRST, whole + across);
        for &(end, change) in &changes {
            if covering <= most {
                visit(covering, [start, end]);
            }
            covering += change;
            start = end;
        }
        if covering <= most {
            visit(covering, [start, LAST]);
        }
        self.changes = changes;
    }
}

/// Ends of what a neighbour covers, counter-clockwise.
fn ends(by: &Neighbour, cosine: f64) -> [End; 2] {
    let half = acos(cosine);
    let sine = ((1.0 - cosine) * (1.0 + cosine)).sqrt();
    let [x, y] = by.direction;
    let (from, to) = (by.angle - half, by.angle + half);
    [
        End {
            angle: if from < -PI { from + 2.0 * PI } else { from },
            cosine: x * cosine + y * sine,
            sine: y * cosine - x * sine,
        },
        End {
            angle: if to > PI { to - 2.0 * PI } else { to },
            cosine: x * cosine - y * sine,
            sine: y * cosine + x * sine,
        },
    ]
}
