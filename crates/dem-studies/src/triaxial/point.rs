//! What a course finds: points on it, and states saved on the way.

use serde::{Deserialize, Serialize};

/// One point of a course; stresses and strains positive in compression, strains since the test began.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Point {
    /// Along the axis \[-\].
    pub strain: f64,
    /// Of the volume \[-\].
    pub volumetric_strain: f64,
    /// Deviator over mean stress \[-\].
    pub q_over_p: f64,
    /// Mean stress \[Pa\].
    pub mean_stress: f64,
    /// Sine of the mobilised angle of friction \[-\].
    pub sin_phi: f64,
    /// Fabric along the axis \[-\].
    pub fabric: f64,
    /// Deviator of the fabric \[-\].
    pub fabric_deviator: f64,
    /// Contacts of a sphere \[-\].
    pub coordination: f64,
    /// Share of contacts that slide.
    pub sliding_share: f64,
    /// Inertial number \[-\].
    pub inertial_number: f64,
    /// Mean net force over mean contact force \[-\].
    pub unbalanced_force: f64,
    /// Distance of stresses from what is asked \[-\].
    pub stress_error: f64,
    /// Share that no sphere fills \[-\].
    pub porosity: f64,
}

/// A test from its beginning to its end.
#[derive(Clone, Debug, PartialEq)]
pub struct Course {
    /// What is special about it.
    pub name: String,
    /// Points at even strains.
    pub points: Vec<Point>,
    /// Steps.
    pub steps: u64,
}

impl Course {
    /// The point of the largest q/p.
    pub fn peak(&self) -> Option<&Point> {
        self.points.iter().max_by(|a, b| a.q_over_p.total_cmp(&b.q_over_p))
    }

    /// q/p at a strain, between points; none beyond them.
    pub fn q_over_p_at(&self, strain: f64) -> Option<f64> {
        // between points rounding would tell the point itself a little off
        if let Some(point) = self.points.iter().find(|point| point.strain == strain) {
            return Some(point.q_over_p);
        }
        let pair = self.points.windows(2).find(|pair| {
            let (a, b) = (pair[0].strain.min(pair[1].strain), pair[0].strain.max(pair[1].strain));
            (a..=b).contains(&strain)
        })?;
        let share = (strain - pair[0].strain) / (pair[1].strain - pair[0].strain);
        Some(pair[0].q_over_p + share * (pair[1].q_over_p - pair[0].q_over_p))
    }
}

/// A state at a fraction of the peak, at rest.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SavedPoint {
    /// Fraction of the peak of q/p.
    pub fraction: f64,
    /// When it was reached.
    pub reached: Point,
    /// At rest.
    pub at_rest: Point,
    /// Share of contacts at or within 0.001 % of the friction limit when it was reached, and at rest.
    pub mobilised: [f64; 2],
    /// The checkpoint.
    pub bytes: Vec<u8>,
}

impl SavedPoint {
    /// Name of its file.
    pub fn file(&self) -> String {
        format!("peak_{}.ckpt", self.fraction)
    }
}

/// What the sample was before the test.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct PreparedSample {
    /// Spheres, those of clumps included.
    pub particles: usize,
    /// Porosity \[-\].
    pub porosity: f64,
    /// Mean number of contacts of a sphere.
    pub coordination: f64,
    /// Mean stress, positive in compression \[Pa\].
    pub mean_stress: f64,
    /// Stiffness of contacts over mean stress and diameter \[-\].
    pub stiffness_number: f64,
    /// Length of a step \[s\].
    pub time_step: f64,
    /// Where its courses begin, at a strain of zero.
    pub origin: Point,
    /// Diagonal of its fabric \[-\].
    pub fabric: [f64; 3],
}
