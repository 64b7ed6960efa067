//! Two adhesive elastic spheres along their normal, after Johnson, Kendall and Roberts: the curve along which they are pulled apart, and what sticks.
//!
//! With the contact radius a, `δ = a²/r − 2√(πγa/E)` and `N = 4E a³/3r − 4√(πγE) a^(3/2)`; γ is the energy of one face. The curve ends at the fold,
//! where dδ/da vanishes: `a_f = (πγr²/4E)^(1/3)`, `δ = −3a_f²/r`. In units of `πγa_f²` touching releases `(24/5) 4^(1/3)` and the fold 4/5.
//!
//! Sources: K. L. Johnson, K. Kendall, A. D. Roberts, Proc. R. Soc. Lond. A 324 (1971) 301; C. Thornton, Z. Ning, Powder Technol. 99 (1998) 154;
//! B. V. Derjaguin, V. M. Muller, Y. P. Toporov, J. Colloid Interface Sci. 53 (1975) 314.

use std::f64::consts::PI;

/// Where a contact ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Separation {
    /// Where no equilibrium is left.
    Fold,
    /// At the largest pull, where a dead weight would part the bodies.
    Peak,
}

/// A contact of two adhesive spheres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AdhesiveContact {
    /// Effective radius \[m\].
    pub radius: f64,
    /// Effective Young's modulus E \[Pa\].
    pub modulus: f64,
    /// Energy of one face γ \[J/m²\].
    pub surface_energy: f64,
}

impl AdhesiveContact {
    /// Contact radius at the fold \[m\].
    pub fn fold_radius(&self) -> f64 {
        (PI * self.surface_energy * self.radius * self.radius / (4.0 * self.modulus)).cbrt()
    }

    /// Unit of overlaps, `a_f²/r` \[m\].
    pub fn overlap_unit(&self) -> f64 {
        self.fold_radius().powi(2) / self.radius
    }

    /// Overlap of a contact radius \[m\].
    pub fn overlap(&self, contact_radius: f64) -> f64 {
        contact_radius * contact_radius / self.radius
            - 2.0 * (PI * self.surface_energy * contact_radius / self.modulus).sqrt()
    }

    /// Normal force of a contact radius \[N\].
    pub fn force(&self, contact_radius: f64) -> f64 {
        4.0 / 3.0 * self.modulus * contact_radius.powi(3) / self.radius
            - 4.0 * (PI * self.surface_energy * self.modulus).sqrt() * contact_radius.powf(1.5)
    }

    /// Contact radius at an overlap, from the fold on \[m\].
    pub fn contact_radius(&self, overlap: f64) -> f64 {
        let low = self.fold_radius();
        let (mut low, mut high) = (low, 2.0 * low + (2.0 * self.radius * overlap.max(0.0)).sqrt());
        while self.overlap(high) < overlap {
            high *= 2.0;
        }
        for _ in 0..200 {
            let middle = 0.5 * (low + high);
            if self.overlap(middle) < overlap { low = middle } else { high = middle }
        }
        0.5 * (low + high)
    }

    /// Force that pulls the spheres apart \[N\].
    pub fn pull_off(&self) -> f64 {
        3.0 * PI * self.surface_energy * self.radius
    }

    /// The same of stiff spheres with weak adhesion, after Derjaguin, Muller and Toporov \[N\].
    pub fn pull_off_of_stiff_spheres(&self) -> f64 {
        4.0 * PI * self.surface_energy * self.radius
    }

    /// Distance of the surfaces where the contact ends \[m\].
    pub fn reach(&self, separation: Separation) -> f64 {
        let factor = match separation {
            Separation::Fold => 3.0,
            Separation::Peak => 3.0f64.cbrt(),
        };
        factor * self.overlap_unit()
    }

    /// Energy lost by touching and parting once \[J\].
    pub fn loss(&self, separation: Separation) -> f64 {
        let parting = match separation {
            Separation::Fold => 0.8,
            // what is still bound at the peak comes out of nothing
            Separation::Peak => -2.4 * 3.0f64.cbrt(),
        };
        (4.8 * 4.0f64.cbrt() + parting) * PI * self.surface_energy * self.fold_radius().powi(2)
    }

    /// Speed of an effective mass \[kg\] below which it sticks \[m/s\].
    pub fn sticking_speed(&self, mass: f64, separation: Separation) -> f64 {
        (2.0 * self.loss(separation) / mass).sqrt()
    }
}

/// Restitution of an impact that loses the energy which a sticking speed stands for, whatever its own speed.
pub fn restitution(speed: f64, sticking_speed: f64) -> f64 {
    (1.0 - (sticking_speed / speed).powi(2)).max(0.0).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::quadrature::gauss;

    /// A sphere of 0.5 mm on a rigid wall.
    const SPHERE: AdhesiveContact = AdhesiveContact { radius: 0.5e-3, modulus: 2e9, surface_energy: 0.05 };

    #[test]
    fn the_loss_is_the_area_between_touch_and_fold() {
        for separation in [Separation::Fold, Separation::Peak] {
            let end = SPHERE.contact_radius(-SPHERE.reach(separation));
            let touch = SPHERE.contact_radius(0.0);
            let slope = |a: f64| 2.0 * a / SPHERE.radius - (PI * SPHERE.surface_energy / (SPHERE.modulus * a)).sqrt();
            // from touch the force is that of the curve; on the way back it goes on to the end
            let lost = -gauss(|a| SPHERE.force(a) * slope(a), end, touch, 8);
            assert!((lost / SPHERE.loss(separation) - 1.0).abs() < 1e-9, "{separation:?} {lost}");
        }
        let w: f64 = 2.0 * SPHERE.surface_energy;
        let unit = (w.powi(5) * SPHERE.radius.powi(4) / SPHERE.modulus.powi(2)).cbrt();
        assert!((SPHERE.loss(Separation::Fold) / unit - 7.0922).abs() < 5e-5);
    }

    #[test]
    fn a_sphere_of_half_a_millimetre_on_a_rigid_wall() {
        let mass = 2500.0 * 4.0 / 3.0 * PI * SPHERE.radius.powi(3);
        let close = |found: f64, expected: f64| assert!((found / expected - 1.0).abs() < 1e-6, "{found} {expected}");
        close(SPHERE.fold_radius(), 1.699_508e-6);
        close(SPHERE.reach(Separation::Fold), 17.329_97e-9);
        close(SPHERE.pull_off(), 2.356_194e-4);
        close(SPHERE.sticking_speed(mass, Separation::Fold), 2.415_865e-3);
        let ratio = SPHERE.sticking_speed(mass, Separation::Peak) / SPHERE.sticking_speed(mass, Separation::Fold);
        assert!((ratio - 0.7028).abs() < 5e-5, "{ratio}");
        assert!((restitution(1.2, 1.0) - 0.553).abs() < 5e-4);
    }

    #[test]
    fn the_peak_is_where_the_force_is_least() {
        let peak = SPHERE.contact_radius(-SPHERE.reach(Separation::Peak));
        assert!((SPHERE.force(peak) / SPHERE.pull_off() + 1.0).abs() < 1e-12);
        assert!(SPHERE.force(1.01 * peak) > SPHERE.force(peak) && SPHERE.force(0.99 * peak) > SPHERE.force(peak));
    }
}
