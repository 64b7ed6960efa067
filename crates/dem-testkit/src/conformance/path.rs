//! Paths of two spheres in contact.

use dem_core::{DQuat, DVec3};

use crate::worlds::Scatter;

/// Radii of the two spheres \[m\]; powers of two, so that just touching is exact.
pub const RADII: [f64; 2] = [1.0 / 128.0, 1.0 / 256.0];

/// Overlap about which paths vary \[m\].
pub const OVERLAP: f64 = 1e-3 * RADII[1];

/// Length of a step \[s\].
pub const TIME_STEP: f64 = 1e-6;

/// End of a step.
#[derive(Clone, Copy, Debug)]
pub struct Pose {
    /// Centres \[m\].
    pub position: [DVec3; 2],
    /// Rotations over the step as rescaled Rodrigues vectors \[rad\].
    pub rotation: [DVec3; 2],
}

impl Pose {
    /// Two spheres with an overlap along a normal, which do not turn.
    pub fn still(overlap: f64, normal: DVec3) -> Self {
        Self { position: [DVec3::ZERO, normal * (RADII[0] + RADII[1] - overlap)], rotation: [DVec3::ZERO; 2] }
    }

    /// The same pose in a frame that is turned.
    pub fn turned(&self, q: DQuat) -> Self {
        Self { position: self.position.map(|x| q * x), rotation: self.rotation.map(|a| q * a) }
    }

    /// Unit normal from the first sphere to the second.
    pub fn normal(&self) -> DVec3 {
        (self.position[1] - self.position[0]).normalize()
    }
}

/// A path that starts apart, then loads, unloads, turns, slips, sticks and slides at random.
pub fn random(seed: u64, steps: usize) -> Vec<Pose> {
    let mut scatter = Scatter(seed);
    let mut normal = scatter.next_vector().normalize();
    let mut centre = scatter.next_vector() * RADII[0];
    let mut overlap = 0.5 * OVERLAP;
    let mut poses = vec![Pose { rotation: [DVec3::ZERO; 2], ..at(centre, normal, -0.1 * OVERLAP) }];
    // slip comes in bouts along one direction, so that the contact slides now and then
    let mut drift = DVec3::ZERO;
    for step in 0..steps {
        if step % 20 == 0 {
            drift = scatter.next_vector() * 0.1 * OVERLAP / RADII[1];
        }
        normal = (normal + 0.02 * OVERLAP / RADII[1] * scatter.next_vector()).normalize();
        centre += scatter.next_vector() * OVERLAP;
        overlap = (overlap + 0.05 * OVERLAP * (2.0 * scatter.next_unit() - 1.0)).clamp(0.2 * OVERLAP, 2.0 * OVERLAP);
        let rotation = [0, 1].map(|_| drift + 0.03 * OVERLAP / RADII[1] * scatter.next_vector());
        poses.push(Pose { rotation, ..at(centre, normal, overlap) });
    }
    poses
}

/// A smooth path from touch to touch: two humps of overlap, while the contact slips to and fro and in a curve, and the normal turns.
pub fn smooth(steps: usize) -> Vec<Pose> {
    use std::f64::consts::TAU;
    // slips of a few Mindlin displacements
    let [along, across] = [3.0, 1.5].map(|size| size * OVERLAP / RADII[1]);
    // rotation of each sphere since the start, about fixed axes that are next to perpendicular to the normal
    let turned = |t: f64| {
        let (s, c) = (libm::sin(TAU * 1.5 * t), 1.0 - libm::cos(TAU * t));
        [DVec3::new(0.0, along * s, across * c), DVec3::new(0.0, 0.3 * across * c, 0.5 * along * s)]
    };
    let pose = |step: usize| {
        let t = step as f64 / steps as f64;
        let hump = libm::sin(0.5 * TAU * t);
        let overlap = OVERLAP * hump * hump * (1.0 + 0.5 * libm::sin(1.5 * TAU * t));
        let angle = OVERLAP / RADII[1] * libm::sin(TAU * t);
        let normal = DVec3::new(1.0, angle, -0.5 * angle).normalize();
        let (now, before) = (turned(t), turned((step.max(1) - 1) as f64 / steps as f64));
        Pose {
            rotation: if step == 0 { [DVec3::ZERO; 2] } else { [0, 1].map(|k| now[k] - before[k]) },
            ..Pose::still(overlap, normal)
        }
    };
    (0..=steps).map(pose).collect()
}

fn at(centre: DVec3, normal: DVec3, overlap: f64) -> Pose {
    let pose = Pose::still(overlap, normal);
    Pose { position: pose.position.map(|x| x + centre), ..pose }
}
