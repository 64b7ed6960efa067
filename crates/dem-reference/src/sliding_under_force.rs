//! A rigid sphere that a force drives over an equal fixed one: load `Q` down, drive `T₀` sideways, no rotation.
//!
//! The centre runs on a circle of radius 2R; at the angle `a` from the top, with `σ` the sign of the drive (here +1),
//!
//! ```text
//! m 2R a'' = Q sin a + T₀ cos a − μ N,    N = Q cos a − T₀ sin a − m v²/2R
//! v² = 4R/(m(1 + 4μ²)) [F(a₀) e^{2μ(a − a₀)} − F(a)],   F = 3μ(Q sin a + T₀ cos a) + (1 − 2μ²)(Q cos a − T₀ sin a)
//! ```
//!
//! from rest at `a₀ = −arccos(y₀/R)`; the spheres part where `N = 0`, at an angle that does not depend on the mass. The drive must
//! exceed `T_μ = Q tan(arctan μ + arccos(y₀/R))`.
//!
//! Without the centrifugal load `m v²/2R` the velocity is that of the work, and the time a difference of elliptic integrals of the first
//! kind: with `c = √((1+μ²)(T₀²+Q²))`, `b₀ = atan2(Q + μT₀, T₀ − μQ)`, `φ = a + π/2 − b₀`, `k' = cos(φ₀/2)`,
//!
//! ```text
//! t = √(2mR/c) [K(k') − F(u, k')],   sin u = cos(φ/2)/k'
//! ```
//!
//! which, taken to the angle of parting *with* that load, is the source's approximation of the contact time.
//!
//! Source: R. Balevičius, Z. Mróz, A finite sliding model of two identical spheres under displacement and force control, part II: dynamic
//! analysis, Acta Mech. (2013, published online on 17 November), equations 38 to 47, with
//! `2 W₀/m` inside the root of (46) and the angle `b₀` in its quadrant.

use crate::error::{ReferenceError, positive};
use crate::quadrature::gauss_to;

/// A driven sphere.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SlidingUnderForce {
    radius: f64,
    mass: f64,
    friction: f64,
    load: f64,
    drive: f64,
    start: f64,
}

/// Whether the centrifugal load unloads the contact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Centrifugal {
    /// It does.
    Included,
    /// It is left out, for comparison.
    LeftOut,
}

impl SlidingUnderForce {
    /// A sphere of a radius \[m\] and a mass \[kg\] under a load \[N\] and a drive \[N\], from the height `y₀` of the contact over the centre
    /// of the fixed sphere, in radii.
    ///
    /// # Errors
    /// A constant that is not positive, a height of 1 or more, a start on which the drive meets no limit, or a drive that does not exceed
    /// friction.
    pub fn new(
        radius: f64,
        mass: f64,
        friction: f64,
        load: f64,
        drive: f64,
        height: f64,
    ) -> Result<Self, ReferenceError> {
        let constants =
            [("radius", radius), ("mass", mass), ("friction", friction), ("load", load), ("height", height)];
        for (name, value) in constants {
            positive(name, value)?;
        }
        let slope = height.acos();
        let limit = limiting_drive(friction, load, height);
        let possible = slope > 0.0 && limit > 0.0;
        if !possible {
            let allowed = "a height below 1 from which a drive can move the sphere".into();
            return Err(ReferenceError::Argument { argument: "height", value: height.to_string(), allowed });
        }
        if drive.is_nan() || drive <= limit {
            let allowed = format!("a drive above that which friction holds, {limit}");
            return Err(ReferenceError::Argument { argument: "drive", value: drive.to_string(), allowed });
        }
        Ok(Self { radius, mass, friction, load, drive, start: -slope })
    }

    /// Angle at the start \[rad\].
    pub fn start(&self) -> f64 {
        self.start
    }

    /// Load without the centrifugal part \[N\].
    fn static_load(&self, angle: f64) -> f64 {
        self.load * angle.cos() - self.drive * angle.sin()
    }

    fn thrust(&self, angle: f64) -> f64 {
        self.load * angle.sin() + self.drive * angle.cos()
    }

    /// `m v²` after a travel from the start \[J\], without differences of nearly equal numbers at small travels.
    fn twice_kinetic_energy(&self, travel: f64, centrifugal: Centrifugal) -> f64 {
        let (mu, half) = (self.friction, 0.5 * travel);
        // x cos a + y sin a at the start less that after the travel
        let loss = |x: f64, y: f64| 2.0 * half.sin() * (x * (self.start + half).sin() - y * (self.start + half).cos());
        match centrifugal {
            Centrifugal::Included => {
                let second = 1.0 - 2.0 * mu * mu;
                let at_start = 3.0 * mu * self.thrust(self.start) + second * self.static_load(self.start);
                let lost = loss(3.0 * mu * self.drive + second * self.load, 3.0 * mu * self.load - second * self.drive);
                4.0 * self.radius / (1.0 + 4.0 * mu * mu) * (at_start * (2.0 * mu * travel).exp_m1() + lost)
            }
            Centrifugal::LeftOut => 4.0 * self.radius * loss(self.load + mu * self.drive, mu * self.load - self.drive),
        }
    }

    /// Velocity \[m/s\] at an angle.
    pub fn velocity(&self, angle: f64, centrifugal: Centrifugal) -> f64 {
        self.velocity_after(angle - self.start, centrifugal)
    }

    fn velocity_after(&self, travel: f64, centrifugal: Centrifugal) -> f64 {
        (self.twice_kinetic_energy(travel, centrifugal) / self.mass).max(0.0).sqrt()
    }

    /// Load of the contact \[N\] at an angle.
    pub fn normal_force(&self, angle: f64, centrifugal: Centrifugal) -> f64 {
        let inertial = match centrifugal {
            Centrifugal::Included => self.twice_kinetic_energy(angle - self.start, centrifugal) / (2.0 * self.radius),
            Centrifugal::LeftOut => 0.0,
        };
        self.static_load(angle) - inertial
    }

    /// Angle at which the spheres part \[rad\], to round-off.
    pub fn parting(&self, centrifugal: Centrifugal) -> f64 {
        // the static load vanishes at this angle
        let (mut before, mut after) = (self.start, self.load.atan2(self.drive));
        while after - before > 4.0 * f64::EPSILON {
            let middle = 0.5 * (before + after);
            if middle == before || middle == after {
                break;
            }
            if self.normal_force(middle, centrifugal) > 0.0 { before = middle } else { after = middle }
        }
        0.5 * (before + after)
    }

    /// Time of contact \[s\] to 1e-10 of it, by quadrature of `ds/v` in the root of the angle, in which the start is no singularity.
    ///
    /// # Errors
    /// No convergence, as with a drive that hardly exceeds friction.
    pub fn contact_time(&self, centrifugal: Centrifugal) -> Result<f64, ReferenceError> {
        self.time_to(self.parting(centrifugal), centrifugal)
    }

    fn time_to(&self, angle: f64, centrifugal: Centrifugal) -> Result<f64, ReferenceError> {
        let rate = |root: f64| 4.0 * self.radius * root / self.velocity_after(root * root, centrifugal);
        gauss_to(rate, 0.0, (angle - self.start).sqrt(), 1e-10)
    }

    /// The source's approximation of the contact time \[s\]: time without the centrifugal load to the parting with it, by elliptic
    /// integrals (equation 47).
    ///
    /// # Errors
    /// An argument that the elliptic integrals do not take.
    pub fn contact_time_elliptic(&self) -> Result<f64, ReferenceError> {
        let failed = |message: &'static str| ReferenceError::Convergence {
            method: "elliptic integrals of sliding under force",
            detail: message.to_owned(),
        };
        let (mu, q, t) = (self.friction, self.load, self.drive);
        let c = ((1.0 + mu * mu) * (t * t + q * q)).sqrt();
        let shift = std::f64::consts::FRAC_PI_2 - (q + mu * t).atan2(t - mu * q);
        let half_cosine = |angle: f64| (0.5 * (angle + shift)).cos();
        let modulus = half_cosine(self.start);
        let amplitude = (half_cosine(self.parting(Centrifugal::Included)) / modulus).clamp(-1.0, 1.0).asin();
        let parameter = modulus * modulus;
        let whole = ellip::ellipk(parameter).map_err(failed)?;
        let part = ellip::ellipf(amplitude, parameter).map_err(failed)?;
        Ok((2.0 * self.mass * self.radius / c).sqrt() * (whole - part))
    }
}

/// Largest drive \[N\] that friction holds at a height of the contact in radii, `T_μ`; negative if it holds any.
pub fn limiting_drive(friction: f64, load: f64, height: f64) -> f64 {
    load * (friction.atan() + height.acos()).tan()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::runge_kutta::advance;

    fn published(over_limit: f64) -> SlidingUnderForce {
        let drive = over_limit * limiting_drive(0.6, 1.0, 0.86);
        SlidingUnderForce::new(1.0, 1.0, 0.6, 1.0, drive, 0.86).unwrap()
    }

    #[test]
    fn friction_holds_the_drive_of_the_source() {
        assert!((limiting_drive(0.6, 1.0, 0.86) - 1.85311).abs() < 1e-5);
    }

    #[test]
    fn velocity_and_time_solve_the_equation_of_motion() {
        for centrifugal in [Centrifugal::Included, Centrifugal::LeftOut] {
            let sphere = published(1.5);
            let inertial = if centrifugal == Centrifugal::Included { 1.0 } else { 0.0 };
            let rate = |y: &[f64; 2]| {
                let load = sphere.static_load(y[0]) - inertial * 2.0 * y[1] * y[1];
                [y[1], 0.5 * (sphere.thrust(y[0]) - 0.6 * load)]
            };
            let exact = sphere.contact_time(centrifugal).unwrap();
            let mut state = [sphere.start(), 0.0];
            for _ in 0..20_000 {
                state = advance(rate, &state, exact / 20_000.0);
            }
            assert!((state[0] - sphere.parting(centrifugal)).abs() < 1e-9, "{centrifugal:?}: {state:?}");
            assert!((2.0 * state[1] - sphere.velocity(state[0], centrifugal)).abs() < 1e-9);
            assert!(sphere.normal_force(state[0], centrifugal).abs() < 1e-8);
        }
    }

    #[test]
    fn elliptic_integrals_give_the_time_without_centrifugal_load() {
        for over_limit in [1.01, 1.1, 1.5, 3.0] {
            let sphere = published(over_limit);
            let numbers = sphere.time_to(sphere.parting(Centrifugal::Included), Centrifugal::LeftOut).unwrap();
            let closed = sphere.contact_time_elliptic().unwrap();
            assert!((closed / numbers - 1.0).abs() < 1e-9, "{over_limit}: {closed} {numbers}");
        }
    }

    #[test]
    fn the_approximate_contact_time_is_off_by_up_to_three_and_a_half_per_cent() {
        for (over_limit, known) in [(1.01, 0.020), (1.5, 0.034)] {
            let sphere = published(over_limit);
            let exact = sphere.contact_time(Centrifugal::Included).unwrap();
            let off = (sphere.contact_time_elliptic().unwrap() / exact - 1.0).abs();
            assert!((off - known).abs() < 1e-3, "{over_limit}: {off}");
        }
    }

    #[test]
    fn the_angle_of_parting_does_not_depend_on_the_mass() {
        let light = published(1.2);
        let heavy = SlidingUnderForce { mass: 50.0, ..light };
        assert_eq!(light.parting(Centrifugal::Included), heavy.parting(Centrifugal::Included));
    }

    #[test]
    fn a_drive_that_friction_holds_is_refused() {
        assert!(SlidingUnderForce::new(1.0, 1.0, 0.6, 1.0, 1.85, 0.86).is_err());
        assert!(SlidingUnderForce::new(1.0, 1.0, 0.6, 1.0, 9.0, 1.2).is_err());
        assert!(SlidingUnderForce::new(1.0, 1.0, 2.0, 1.0, 9.0, 0.2).is_err());
    }
}
