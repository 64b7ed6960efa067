//! Slip under a constant load: loading, unloading and reloading of two spheres, and the work lost in a cycle.
//!
//! Under a load `N` a ring of slip grows inwards from the edge of the contact while a tangential force `T` grows; unloading starts
//! a ring of opposite slip, which follows the same curve at twice the size (Masing). With `K = 8 G* a`:
//!
//! | branch | `s(T)` |
//! |---|---|
//! | loading | `(3μN/2K) [1 − (1 − T/μN)^(2/3)]` |
//! | from a turning point `(s₁, T₁)`, direction `b = ±1` | `s₁ + b (3μN/K) [1 − (1 − b (T − T₁)/(2μN))^(2/3)]` |
//!
//! and a full cycle between `±T` takes `(36/5) (μN)²/K {1 − (1 − φ)^(5/3) − (5φ/6) [1 + (1 − φ)^(2/3)]}`, `φ = T/μN`.
//!
//! Sources: R. D. Mindlin, J. Appl. Mech. 16 (1949) 259; R. D. Mindlin, H. Deresiewicz, J. Appl. Mech. 20 (1953) 327; A. Di Renzo,
//! F. P. Di Maio, Chem. Eng. Sci. 59 (2004) 525, equations 9, 11, 14, 15; K. L. Johnson, Contact Mechanics, section 7.4.

use crate::oblique_impact::ElasticPair;

/// A contact under a constant load.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ConstantLoad {
    /// Friction limit μN \[N\].
    pub limit: f64,
    /// Stiffness without slip, `8 G* a` \[N/m\].
    pub stiffness: f64,
}

impl ConstantLoad {
    /// The contact of a pair at an overlap \[m\].
    pub fn at_overlap(pair: &ElasticPair, overlap: f64) -> Self {
        let radius = (pair.radius * overlap).sqrt();
        let load = 4.0 / 3.0 * pair.modulus * radius * overlap;
        Self { limit: pair.friction * load, stiffness: 8.0 * pair.shear_modulus * radius }
    }

    /// Slip at which the whole contact slides for the first time, `3μN/(2K)` \[m\].
    pub fn full_slip(&self) -> f64 {
        1.5 * self.limit / self.stiffness
    }

    /// Force \[N\] after a first slip \[m\]; `μN` beyond [`full_slip`](Self::full_slip).
    pub fn loading(&self, slip: f64) -> f64 {
        let left = (1.0 - slip.abs() / self.full_slip()).max(0.0);
        (self.limit * (1.0 - left.powf(1.5))).copysign(slip)
    }

    /// Force \[N\] after a slip back or forth, `slip` \[m\] from a turning point at the force `turning` \[N\]. Valid until the loop closes
    /// on an earlier turning point.
    pub fn from_turning_point(&self, turning: f64, slip: f64) -> f64 {
        let left = (1.0 - 0.5 * slip.abs() / self.full_slip()).max(0.0);
        let force = turning + (2.0 * self.limit * (1.0 - left.powf(1.5))).copysign(slip);
        force.clamp(-self.limit, self.limit)
    }

    /// Slip \[m\] that brings a first loading to a force \[N\] below the limit.
    pub fn slip_at(&self, force: f64) -> f64 {
        let left = (1.0 - force.abs() / self.limit).max(0.0);
        (self.full_slip() * (1.0 - left.powf(2.0 / 3.0))).copysign(force)
    }

    /// Work \[J\] lost in a cycle of the force between `±amplitude` \[N\], at most the limit.
    pub fn loss_per_cycle(&self, amplitude: f64) -> f64 {
        let share = amplitude.abs() / self.limit;
        let rest = 1.0 - share;
        let bracket = 1.0 - rest.powf(5.0 / 3.0) - 5.0 / 6.0 * share * (1.0 + rest.powf(2.0 / 3.0));
        7.2 * self.limit * self.limit / self.stiffness * bracket
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kharaz::kharaz;
    use crate::many_spring_foundation::ManySpringFoundation;
    use crate::quadrature::gauss;

    fn contact() -> (ElasticPair, ConstantLoad) {
        let pair = kharaz(0.1).unwrap().pair;
        (pair, ConstantLoad::at_overlap(&pair, 1.5e-5))
    }

    #[test]
    fn stiffness_at_the_start_is_that_without_slip_and_falls_to_nothing() {
        let (_, load) = contact();
        let small = 1e-6 * load.full_slip();
        assert!((load.loading(small) / small / load.stiffness - 1.0).abs() < 1e-6);
        assert_eq!(load.loading(2.0 * load.full_slip()), load.limit);
        assert!((load.loading(load.slip_at(0.7 * load.limit)) - 0.7 * load.limit).abs() < 1e-12 * load.limit);
    }

    #[test]
    fn loss_is_the_area_of_the_loop() {
        let (_, load) = contact();
        let amplitude = 0.8 * load.limit;
        let width = 2.0 * load.slip_at(amplitude);
        // both branches over the way between the turning points; the curve has a finite slope at both ends
        let back = gauss(|x| load.from_turning_point(amplitude, -x), 0.0, width, 8);
        let forth = gauss(|x| load.from_turning_point(-amplitude, x), 0.0, width, 8);
        let area = forth - back;
        assert!((area / load.loss_per_cycle(amplitude) - 1.0).abs() < 1e-9, "{area}");
        let small = load.loss_per_cycle(1e-3 * load.limit);
        // for small amplitudes T³/(18 … ): the loss falls with the third power
        assert!((load.loss_per_cycle(2e-3 * load.limit) / small - 8.0).abs() < 0.02);
    }

    #[test]
    fn a_foundation_of_many_springs_runs_through_the_same_loop() {
        let (pair, load) = contact();
        let overlap = 1.5e-5;
        let mut springs = ManySpringFoundation::new(&pair, 4000, overlap).unwrap();
        springs.advance(overlap, [0.0; 2]);
        let slip = 0.7 * load.full_slip();
        let along = |springs: &mut ManySpringFoundation, by: f64| {
            let mut force = 0.0;
            for _ in 0..10 {
                force = springs.advance(overlap, [0.1 * by, 0.0])[0];
            }
            force
        };
        let close = |force: f64, exact: f64| (force - exact).abs() < 1e-5 * load.limit;
        let loaded = along(&mut springs, slip);
        assert!(close(loaded, load.loading(slip)), "{loaded}");
        let unloaded = along(&mut springs, -1.2 * slip);
        assert!(close(unloaded, load.from_turning_point(loaded, -1.2 * slip)), "{unloaded}");
        let reloaded = along(&mut springs, 0.8 * slip);
        assert!(close(reloaded, load.from_turning_point(unloaded, 0.8 * slip)), "{reloaded}");
        let closed = along(&mut springs, 0.4 * slip);
        assert!(close(closed, loaded), "the loop closes: {closed} {loaded}");
        let sliding = along(&mut springs, 2.0 * slip);
        assert!(close(sliding, load.limit), "{sliding}");
    }
}
