//! Tangential contact of elastic spheres with friction: closed forms at constant normal force, and a fine foundation for everything else.

use dem_core::material::PairMaterial;

/// Mindlin and Deresiewicz at constant normal force.
#[derive(Clone, Copy, Debug)]
pub struct ConstantLoad {
    /// Friction limit μN \[N\].
    pub limit: f64,
    /// Stiffness of full stick 8 G*a \[N/m\].
    pub stiffness: f64,
}

/// `x^(2/3)`
fn two_thirds(x: f64) -> f64 {
    libm::pow(x, 2.0 / 3.0)
}

impl ConstantLoad {
    /// Friction limit and stiffness of a pair at an overlap.
    pub fn new(pair: &PairMaterial, friction: f64, effective_radius: f64, overlap: f64) -> Self {
        let contact_radius = (effective_radius * overlap).sqrt();
        Self {
            limit: friction * 4.0 / 3.0 * pair.effective_young_modulus * contact_radius * overlap,
            stiffness: 8.0 * pair.effective_shear_modulus * contact_radius,
        }
    }

    /// Slip at which a fresh contact slides, `3 μN/(2 k_t)` \[m\].
    pub fn sliding_slip(&self) -> f64 {
        1.5 * self.limit / self.stiffness
    }

    /// Slip of first loading up to a force.
    pub fn first_slip(&self, force: f64) -> f64 {
        self.sliding_slip() * (1.0 - two_thirds(1.0 - force / self.limit))
    }

    /// Slip back from a turning point to a lower force.
    pub fn slip_back(&self, turning_point: f64, force: f64) -> f64 {
        2.0 * self.sliding_slip() * (1.0 - two_thirds(1.0 - (turning_point - force) / (2.0 * self.limit)))
    }

    /// Energy dissipated in one cycle between `±amplitude`.
    pub fn loop_area(&self, amplitude: f64) -> f64 {
        let share = amplitude / self.limit;
        let rest = 1.0 - share;
        36.0 / 5.0 * self.limit * self.limit / self.stiffness
            * (1.0 - libm::pow(rest, 5.0 / 3.0) - 5.0 / 6.0 * share * (1.0 + two_thirds(rest)))
    }
}

/// A row of springs fine enough to count as the solution, for one tangential direction (method of dimensionality reduction).
#[derive(Clone, Debug)]
pub struct FineFoundation {
    pair: PairMaterial,
    friction: f64,
    effective_radius: f64,
    spacing: f64,
    overlap: f64,
    elongation: Vec<f64>,
}

impl FineFoundation {
    /// A row of `springs` for overlaps up to `largest_overlap`.
    pub fn new(pair: &PairMaterial, friction: f64, radius: f64, largest_overlap: f64, springs: usize) -> Self {
        let spacing = (radius * largest_overlap).sqrt() / springs as f64;
        let elongation = vec![0.0; springs];
        Self { pair: *pair, friction, effective_radius: radius, spacing, overlap: 0.0, elongation }
    }

    /// Goes to an overlap while slipping; returns the force that opposes positive slip \[N\]. The step may be of any size if
    /// overlap and slip are proportional in it.
    pub fn step(&mut self, overlap: f64, slip: f64) -> f64 {
        let slope = self.friction * self.pair.effective_young_modulus / (4.0 * self.pair.effective_shear_modulus);
        let mut sum = 0.0;
        for (k, u) in self.elongation.iter_mut().enumerate() {
            let x = (k as f64 + 0.5) * self.spacing;
            let (before, now) = (self.overlap - x * x / self.effective_radius, overlap - x * x / self.effective_radius);
            if now <= 0.0 {
                *u = 0.0;
                continue;
            }
            *u += if before < 0.0 { slip * now / (now - before) } else { slip };
            *u = u.clamp(-slope * now, slope * now);
            sum += *u;
        }
        self.overlap = overlap;
        8.0 * self.pair.effective_shear_modulus * self.spacing * sum
    }
}
