//! How many of the particles a wall hides from the eye.

use glam::DVec3;

/// Particles that are asked, of a frame.
const MOST_ASKED: usize = 256;
const LEAST_ASKED: usize = 16;
/// Tests of a line of sight against a triangle that a wall may take in a frame.
const MOST_TESTS: usize = 2_000_000;

/// Particles that were asked, and those of them that are hidden.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Hidden {
    asked: u64,
    hidden: u64,
}

impl Hidden {
    /// Asks particles of a frame, evenly spread, whether triangles stand between them and the eye, which is far away in a direction.
    pub fn add(&mut self, positions: &[DVec3], triangles: &[[DVec3; 3]], towards_eye: DVec3) {
        let most = (MOST_TESTS / triangles.len().max(1)).clamp(LEAST_ASKED, MOST_ASKED);
        let step = positions.len().div_ceil(most).max(1);
        for &position in positions.iter().step_by(step) {
            self.asked += 1;
            self.hidden += u64::from(triangles.iter().any(|corners| crosses(position, towards_eye, corners)));
        }
    }

    /// The part that is hidden.
    pub fn share(self) -> f64 {
        if self.asked == 0 { 0.0 } else { self.hidden as f64 / self.asked as f64 }
    }
}

/// Whether a ray meets a triangle (T. Moeller, B. Trumbore, "Fast, minimum storage ray-triangle intersection", 1997).
fn crosses(origin: DVec3, direction: DVec3, &[a, b, c]: &[DVec3; 3]) -> bool {
    let (u, v) = (b - a, c - a);
    let p = direction.cross(v);
    let determinant = u.dot(p);
    if determinant == 0.0 {
        return false;
    }
    let from = origin - a;
    let x = from.dot(p) / determinant;
    let q = from.cross(u);
    let y = direction.dot(q) / determinant;
    x >= 0.0 && y >= 0.0 && x + y <= 1.0 && v.dot(q) / determinant > 0.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wall_hides_what_is_behind_it_and_nothing_else() {
        let [a, b, c, d] = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]].map(|[y, z]| DVec3::new(0.0, y, z));
        let square = [[a, b, c], [c, d, a]];
        let share = |positions: &[DVec3]| {
            let mut hidden = Hidden::default();
            hidden.add(positions, &square, DVec3::X);
            hidden.share()
        };
        let (behind, before, beside) =
            (DVec3::new(-3.0, 0.5, 0.2), DVec3::new(2.0, 0.5, 0.2), DVec3::new(-3.0, 1.5, 0.2));
        assert_eq!(share(&[behind]), 1.0);
        assert_eq!(share(&[before]), 0.0);
        assert_eq!(share(&[beside]), 0.0);
        assert_eq!(share(&[behind, before, beside, behind]), 0.5);
        assert_eq!(share(&[]), 0.0);
    }
}
