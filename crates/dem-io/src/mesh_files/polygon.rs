//! Polygons in space, cut into triangles.

use earcut::Earcut;
use glam::DVec3;

use super::error::{FileFault, MOST_TRIANGLES};
use crate::stl::Triangle;

/// Cuts polygons; holds its room from one to the next.
#[derive(Default)]
pub(super) struct Cutter {
    earcut: Earcut<f64>,
    corners: Vec<DVec3>,
    numbers: Vec<u32>,
}

impl Cutter {
    /// Adds the triangles of a polygon of three corners at least, which lies in a plane but for roundings and does not cross itself.
    ///
    /// # Errors
    /// More triangles than a file may have.
    pub fn cut(
        &mut self,
        corners: impl ExactSizeIterator<Item = DVec3>,
        triangles: &mut Vec<Triangle>,
    ) -> Result<(), FileFault> {
        // a polygon of n corners has n - 2
        if triangles.len() + corners.len() > MOST_TRIANGLES {
            return Err(FileFault::TooMany);
        }
        self.add(corners, triangles);
        Ok(())
    }

    fn add(&mut self, corners: impl Iterator<Item = DVec3>, triangles: &mut Vec<Triangle>) {
        self.corners.clear();
        self.corners.extend(corners);
        match self.corners[..] {
            [a, b, c] => return triangles.push([a, b, c]),
            [a, b, c, d] if is_convex([a, b, c, d]) => return triangles.extend([[a, b, c], [a, c, d]]),
            _ => {}
        }
        // seen along the axis that its normal is nearest to
        let spanned = normal(&self.corners).abs();
        let across = if spanned.x >= spanned.y.max(spanned.z) { 0 } else { 1 + usize::from(spanned.z > spanned.y) };
        let (u, v) = ((across + 1) % 3, (across + 2) % 3);
        let seen = self.corners.iter().map(|corner| [corner[u], corner[v]]);
        self.earcut.earcut(seen, &[], &mut self.numbers);
        let at = |number: u32| self.corners.get(number as usize).copied();
        let (cut, _) = self.numbers.as_chunks::<3>();
        let before = triangles.len();
        triangles.extend(cut.iter().filter_map(|&[a, b, c]| Some([at(a)?, at(b)?, at(c)?])));
        // one without area is counted as such
        if triangles.len() == before
            && let [a, b, c, ..] = self.corners[..]
        {
            triangles.push([a, b, c]);
        }
    }
}

/// Twice the area of a polygon along its normal.
fn normal(corners: &[DVec3]) -> DVec3 {
    let Some((first, rest)) = corners.split_first() else { return DVec3::ZERO };
    rest.windows(2).map(|pair| (pair[0] - first).cross(pair[1] - first)).sum()
}

/// Whether both triangles on either side of the first diagonal, and of the second, look the same way.
fn is_convex([a, b, c, d]: [DVec3; 4]) -> bool {
    let turn = |a: DVec3, b: DVec3, c: DVec3| (b - a).cross(c - b);
    let turns = [turn(a, b, c), turn(b, c, d), turn(c, d, a), turn(d, a, b)];
    turns.iter().all(|other| turns[0].dot(*other) > 0.0)
}
