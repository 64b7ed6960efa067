//! Head-on impacts of spheres that yield or creep: the restitution.
//!
//! Sources: C. Thornton, J. Appl. Mech. 64 (1997) 383; O. R. Walton, R. L. Braun, J. Rheol. 30 (1986) 949; S. Luding, Granular Matter 10 (2008) 235;
//! S. C. Thakur et al., Granular Matter 16 (2014) 383; N. V. Brilliantov, F. Spahn, J.-M. Hertzsch, T. Pöschel, Phys. Rev. E 53 (1996) 5382.

use crate::runge_kutta::advance;

/// Speed above which spheres yield: radius \[m\], mass \[kg\] and modulus \[Pa\] are effective ones, the yield pressure is that in the middle of the contact \[Pa\].
pub fn yield_speed(radius: f64, mass: f64, modulus: f64, yield_pressure: f64) -> f64 {
    (std::f64::consts::PI.powi(5) * radius.powi(3) * yield_pressure.powi(5) / (30.0 * mass * modulus.powi(4))).sqrt()
}

/// Spheres with a largest pressure, at a speed over the yield speed (Thornton's Eqs. 28 and 30).
pub fn thornton(speed_ratio: f64) -> f64 {
    let x = (1.0 / speed_ratio).min(1.0);
    let shape = (x / (x + 2.0 * (1.2 - 0.2 * x * x).sqrt())).sqrt().sqrt();
    (1.2 * 3.0f64.sqrt() * (1.0 - x * x / 6.0)).sqrt() * shape
}

/// A spring that unloads k₂/k₁ times as stiffly as it loads.
pub fn two_springs(unloading_over_loading: f64) -> f64 {
    unloading_over_loading.sqrt().recip()
}

/// A spring k₁ \[N/m\] that unloads by k₁ (1 + S δ_max) with S \[1/m\]; speed \[m/s\], effective mass \[kg\].
pub fn stiffening_spring(loading: f64, stiffening: f64, mass: f64, speed: f64) -> f64 {
    (1.0 + stiffening * speed * (mass / loading).sqrt()).sqrt().recip()
}

/// Stiffnesses of the plastic spring that pulls on the way out \[N/m\].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlasticSpring {
    /// k₁ of loading.
    pub loading: f64,
    /// k_p of unloading from the limit overlap on.
    pub unloading_limit: f64,
    /// k_c of the pull.
    pub cohesive: f64,
    /// Overlap at which k_p is reached \[m\].
    pub limit_overlap: f64,
}

impl PlasticSpring {
    /// k₂ after a largest overlap \[N/m\].
    pub fn unloading(&self, largest: f64) -> f64 {
        self.loading + (self.unloading_limit - self.loading) * (largest / self.limit_overlap).min(1.0)
    }

    /// Largest pull after a largest overlap \[N\].
    pub fn pull_off(&self, largest: f64) -> f64 {
        let unloading = self.unloading(largest);
        self.cohesive * (unloading - self.loading) * largest / (unloading + self.cohesive)
    }

    /// Energy lost by loading to a largest overlap and parting, up to the limit overlap \[J\].
    pub fn loss(&self, largest: f64) -> f64 {
        0.5 * self.loading * largest * largest * (1.0 - self.squared_restitution(largest))
    }

    /// Restitution of an impact of an effective mass \[kg\] at a speed \[m/s\], zero if it sticks.
    pub fn restitution(&self, mass: f64, speed: f64) -> f64 {
        let largest = speed * (mass / self.loading).sqrt();
        if largest <= self.limit_overlap {
            return self.squared_restitution(largest).max(0.0).sqrt();
        }
        // beyond the limit loading is elastic on k_p
        let lost = self.loss(self.limit_overlap);
        (1.0 - 2.0 * lost / (mass * speed * speed)).max(0.0).sqrt()
    }

    fn squared_restitution(&self, largest: f64) -> f64 {
        let unloading = self.unloading(largest);
        let ratio = self.loading / unloading;
        let pull = self.cohesive / self.loading * unloading / (unloading + self.cohesive) * (1.0 - ratio).powi(2);
        ratio - pull
    }
}

/// Hertz's spring with an unloading stiffness of 1/(1 − λ) times that of loading, without pull: the same at all speeds.
pub fn edinburgh(plasticity: f64) -> f64 {
    let lost = 2.5 * plasticity * (1.0 - plasticity.powf(2.0 / 3.0));
    ((1.0 - plasticity.powf(5.0 / 3.0) - lost) / (1.0 - plasticity)).sqrt()
}

/// Viscoelastic spheres, `N = k (δ^(3/2) + (3/2) A √δ δ')`, at `β = (3/2) A (k/m)^(2/5) v^(1/5)`: the equation of motion
/// `x'' = −x^(3/2) − β √x x'` in its own units, until the spheres part or, where they may not pull, until the force ends.
pub fn viscoelastic(beta: f64, may_pull: bool) -> f64 {
    // in the root of the time the start, where the force goes with the root of the overlap, is smooth
    let force = |x: f64, v: f64| x.max(0.0).sqrt() * (x + beta * v);
    let rate = |y: &[f64; 3]| [1.0, 2.0 * y[0] * y[2], -2.0 * y[0] * force(y[1], y[2])];
    let ends = |y: &[f64; 3]| y[2] < 0.0 && (y[1] <= 0.0 || !may_pull && force(y[1], y[2]) <= 0.0);
    let (mut state, mut step) = ([0.0, 0.0, 1.0], 1e-3);
    while step > 1e-12 && state[0] < 100.0 {
        let next = advance(rate, &state, step);
        if ends(&next) { step *= 0.5 } else { state = next }
    }
    -state[2]
}

/// Viscoelastic spheres that may not pull, of an effective radius \[m\], mass \[kg\] and modulus \[Pa\] with a dissipation time \[s\], at a speed \[m/s\].
pub fn viscoelastic_spheres(radius: f64, mass: f64, modulus: f64, dissipation_time: f64, speed: f64) -> f64 {
    let stiffness = 4.0 / 3.0 * modulus * radius.sqrt() / mass;
    viscoelastic(1.5 * dissipation_time * stiffness.powf(0.4) * speed.powf(0.2), false)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spheres_that_yield() {
        for (ratio, expected) in [(1.0, 1.0), (2.0, 0.930_626), (5.0, 0.773_337), (20.0, 0.557_109), (100.0, 0.374_299)]
        {
            assert!((thornton(ratio) - expected).abs() < 1e-6, "{ratio} {}", thornton(ratio));
        }
        assert!((thornton(1e6) / (1.185 * 1e6_f64.powf(-0.25)) - 1.0).abs() < 1e-3);
        assert_eq!(thornton(0.5), thornton(1.0));
    }

    #[test]
    fn springs_that_unload_stiffly() {
        let spring =
            |cohesive: f64| PlasticSpring { loading: 1e4, unloading_limit: 5e4, cohesive, limit_overlap: 62.5e-6 };
        let speed = 40e-6 * 1e4_f64.sqrt();
        for (cohesive, expected) in [(0.0, (1e4f64 / 35_600.0).sqrt()), (1e3, 0.480_209), (3e3, 0.371_246)] {
            let found = spring(cohesive).restitution(1.0, speed);
            assert!((found - expected).abs() < 1e-6, "{cohesive} {found}");
        }
        assert!((spring(2e4).pull_off(40e-6) - 0.368_345_3).abs() < 1e-7);
        assert_eq!(spring(2e4).restitution(1.0, speed), 0.0);
        // the branches of the limit overlap meet
        let at_limit = 62.5e-6 * 1e4_f64.sqrt();
        let [below, above] = [0.999_999, 1.000_001].map(|x| spring(1e3).restitution(1.0, x * at_limit));
        assert!((below - above).abs() < 1e-5, "{below} {above}");
        assert_eq!(two_springs(4.0), 0.5);
        assert!((edinburgh(0.7) - 0.509_222).abs() < 1e-6);
    }

    #[test]
    fn viscoelastic_spheres_have_the_published_restitution() {
        for (beta, pulling, clipped) in [
            (0.01, 0.988_545, 0.988_547),
            (0.05, 0.944_260, 0.944_397),
            (0.2, 0.797_550, 0.800_965),
            (0.5, 0.573_825, 0.595_251),
        ] {
            assert!((viscoelastic(beta, true) - pulling).abs() < 1e-6, "{beta} {}", viscoelastic(beta, true));
            assert!((viscoelastic(beta, false) - clipped).abs() < 1e-6, "{beta} {}", viscoelastic(beta, false));
        }
    }
}
