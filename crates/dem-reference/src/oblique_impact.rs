//! An oblique impact of elastic spheres: its constants, its dimensionless groups, and the rebound that follows from the
//! tangential velocity of the contact.
//!
//! Sphere on wall and sphere on sphere are one problem in effective constants. The contact velocity is that of the two surfaces,
//! `v_c = v_t + u`, with `v_t` the tangential velocity of the centres against each other and `u = Σ rᵢωᵢ` the sum of the surface
//! speeds of the spins. A tangential impulse `P` against the slip changes `v_t` by `−P/m*` and `u` by `−P/(m* Rg²)`, where
//! `Rg² = I/(m r²)` (2/5 for solid spheres).
//!
//! | symbol | meaning |
//! |---|---|
//! | κ | tangential over normal stiffness of a contact without slip, `4 G*/E*` |
//! | χ | `κ (1 + 1/Rg²)/2` |
//! | ψ | `κ v_c/(μ v_n0)`, the dimensionless contact velocity |
//!
//! Sources: N. Maw, J. R. Barber, J. N. Fawcett, Wear 38 (1976) 101; A. Di Renzo, F. P. Di Maio, Chem. Eng. Sci. 59 (2004) 525,
//! equations 33, 34 and appendix, where `1/G*` must have `2 − ν` in place of the printed `1 − ν`: with the printed form the
//! stiffness ratio of Table 1 would be 2.0 instead of 0.859.

use crate::error::{ReferenceError, positive};

/// A linear elastic isotropic solid.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Solid {
    /// Young's modulus \[Pa\].
    pub young: f64,
    /// Shear modulus \[Pa\].
    pub shear: f64,
    /// Poisson's ratio.
    pub poisson: f64,
}

impl Solid {
    /// A solid with the shear modulus that belongs to Young's modulus \[Pa\] and Poisson's ratio.
    pub fn isotropic(young: f64, poisson: f64) -> Self {
        Self { young, shear: young / (2.0 * (1.0 + poisson)), poisson }
    }
}

/// Effective constants of two spheres, or of a sphere and a wall.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ElasticPair {
    /// Effective radius \[m\].
    pub radius: f64,
    /// Effective mass \[kg\].
    pub mass: f64,
    /// Effective modulus E* \[Pa\].
    pub modulus: f64,
    /// Effective shear modulus G* \[Pa\].
    pub shear_modulus: f64,
    /// Coefficient of friction.
    pub friction: f64,
    /// `I/(m r²)` of both spheres.
    pub gyration: f64,
}

impl ElasticPair {
    /// A solid sphere on a flat wall that does not move: radius \[m\], density \[kg/m³\].
    ///
    /// # Errors
    /// A number that is not positive and finite.
    pub fn sphere_on_wall(
        radius: f64,
        density: f64,
        sphere: Solid,
        wall: Solid,
        friction: f64,
    ) -> Result<Self, ReferenceError> {
        let mass = 4.0 / 3.0 * std::f64::consts::PI * radius.powi(3) * density;
        Self::new(radius, mass, sphere, wall, friction)
    }

    /// Two solid spheres: radii \[m\], density of both \[kg/m³\].
    ///
    /// # Errors
    /// A number that is not positive and finite.
    pub fn spheres(radii: [f64; 2], density: f64, solids: [Solid; 2], friction: f64) -> Result<Self, ReferenceError> {
        let volume = |r: f64| 4.0 / 3.0 * std::f64::consts::PI * r.powi(3);
        let reduced = |a: f64, b: f64| a * b / (a + b);
        let mass = density * reduced(volume(radii[0]), volume(radii[1]));
        Self::new(reduced(radii[0], radii[1]), mass, solids[0], solids[1], friction)
    }

    fn new(radius: f64, mass: f64, one: Solid, other: Solid, friction: f64) -> Result<Self, ReferenceError> {
        let soft = |s: Solid| (1.0 - s.poisson * s.poisson) / s.young;
        let shear = |s: Solid| (2.0 - s.poisson) / s.shear;
        let modulus = 1.0 / (soft(one) + soft(other));
        let shear_modulus = 1.0 / (shear(one) + shear(other));
        positive("radius", radius)?;
        positive("mass", mass)?;
        positive("modulus", modulus)?;
        positive("shear_modulus", shear_modulus)?;
        positive("friction", friction)?;
        Ok(Self { radius, mass, modulus, shear_modulus, friction, gyration: 0.4 })
    }

    /// κ, tangential over normal stiffness.
    pub fn stiffness_ratio(&self) -> f64 {
        4.0 * self.shear_modulus / self.modulus
    }

    /// `1 + 1/Rg²`: change of the contact velocity per impulse over effective mass, 7/2 for solid spheres.
    pub fn inertia_factor(&self) -> f64 {
        1.0 + 1.0 / self.gyration
    }

    /// χ.
    pub fn chi(&self) -> f64 {
        0.5 * self.stiffness_ratio() * self.inertia_factor()
    }

    /// Angle of incidence of a sphere without spin beyond which the contact slides all the way \[rad\]: `ψ₀ = 4χ − 1`, or
    /// `tan α = μ (2 (1 + 1/Rg²) − 1/κ)`. The last point to slide is the end of the rebound, where the slip `ψ₀ − 4χ` of the
    /// rigid sphere must exceed the elastic recovery of the contact, `−1`.
    pub fn critical_angle(&self) -> f64 {
        ((4.0 * self.chi() - 1.0) * self.friction / self.stiffness_ratio()).atan()
    }
}

/// What the spheres come with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ObliqueImpact {
    /// Constants of the contact.
    pub pair: ElasticPair,
    /// Speed of approach \[m/s\].
    pub normal_speed: f64,
    /// Tangential velocity of the centres against each other \[m/s\].
    pub tangential_velocity: f64,
    /// Sum of the surface speeds of the spins, `Σ rᵢωᵢ` \[m/s\], positive if they add to the slip.
    pub surface_speed: f64,
}

impl ObliqueImpact {
    /// A sphere without spin at a speed \[m/s\] and an angle from the normal \[rad\].
    ///
    /// # Errors
    /// A speed that is not positive, or an angle outside (0, π/2).
    pub fn at_angle(pair: ElasticPair, speed: f64, angle: f64) -> Result<Self, ReferenceError> {
        positive("speed", speed)?;
        if !(angle > 0.0 && angle < std::f64::consts::FRAC_PI_2) {
            let value = angle.to_degrees().to_string();
            return Err(ReferenceError::Argument {
                argument: "angle",
                value,
                allowed: "an angle in (0, 90) degrees".into(),
            });
        }
        let (tangential_velocity, normal_speed) = (speed * angle.sin(), speed * angle.cos());
        Ok(Self { pair, normal_speed, tangential_velocity, surface_speed: 0.0 })
    }

    /// Tangential velocity of the contact at touch \[m/s\].
    pub fn contact_velocity(&self) -> f64 {
        self.tangential_velocity + self.surface_speed
    }

    /// Velocity of the contact with ψ = 1, `μ v_n0/κ` \[m/s\].
    pub fn velocity_scale(&self) -> f64 {
        self.pair.friction * self.normal_speed / self.pair.stiffness_ratio()
    }

    /// ψ₀, the dimensionless contact velocity at touch.
    pub fn psi(&self) -> f64 {
        self.contact_velocity() / self.velocity_scale()
    }

    /// The elastic rebound that leaves the contact with a velocity \[m/s\].
    pub fn rebound(&self, contact_velocity: f64) -> Rebound {
        let impulse_over_mass = (self.contact_velocity() - contact_velocity) / self.pair.inertia_factor();
        Rebound {
            normal_speed: self.normal_speed,
            tangential_velocity: self.tangential_velocity - impulse_over_mass,
            surface_speed: self.surface_speed - impulse_over_mass / self.pair.gyration,
            tangential_restitution: 1.0 - impulse_over_mass / self.tangential_velocity,
        }
    }

    /// The rebound of an impact that slides all the way: impulse `2 μ m* v_n`, `e_t = 1 − 2μ/tan α`.
    pub fn gross_sliding(&self) -> Rebound {
        self.sliding_all_the_way(1.0)
    }

    /// The rebound of an impact with a restitution along the normal that slides all the way: impulse `(1 + e) μ m* v_n`. It is the truth
    /// only above the angle at which sliding never ends.
    pub fn sliding_all_the_way(&self, restitution: f64) -> Rebound {
        let impulse = (1.0 + restitution) * self.pair.friction * self.normal_speed;
        let change = impulse * self.pair.inertia_factor();
        let rebound = self.rebound(self.contact_velocity() - change.copysign(self.contact_velocity()));
        Rebound { normal_speed: restitution * self.normal_speed, ..rebound }
    }
}

/// What the spheres leave with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rebound {
    /// Speed of separation \[m/s\].
    pub normal_speed: f64,
    /// Tangential velocity of the centres against each other \[m/s\].
    pub tangential_velocity: f64,
    /// Sum of the surface speeds of the spins \[m/s\]; over the radius it is the spin of a sphere that met a wall.
    pub surface_speed: f64,
    /// Tangential velocity of the centres over that before. Not finite if there was none.
    pub tangential_restitution: f64,
}

impl Rebound {
    /// Angle of the contact velocity from the normal \[rad\].
    pub fn contact_angle(&self) -> f64 {
        ((self.tangential_velocity + self.surface_speed) / self.normal_speed).atan()
    }

    /// Angle of the velocity of the centres from the normal \[rad\].
    pub fn centre_angle(&self) -> f64 {
        (self.tangential_velocity / self.normal_speed).atan()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kharaz::kharaz;

    #[test]
    fn groups_of_the_kharaz_impact() {
        let pair = kharaz(0.1).unwrap().pair;
        assert!((pair.shear_modulus / 13.515e9 - 1.0).abs() < 1e-3);
        assert!((pair.mass - 2.618e-4).abs() < 1e-7);
        assert!((pair.stiffness_ratio() - 0.85915).abs() < 1e-5, "{}", pair.stiffness_ratio());
        assert!((pair.chi() - 1.5035).abs() < 1e-4, "{}", pair.chi());
        assert!((pair.critical_angle().to_degrees() - 28.23).abs() < 0.01, "{}", pair.critical_angle().to_degrees());
        let psi_is_one = (pair.friction / pair.stiffness_ratio()).atan().to_degrees();
        assert!((psi_is_one - 6.11).abs() < 0.01, "{psi_is_one}");
    }

    #[test]
    fn gross_sliding_follows_from_the_impulse_of_friction() {
        let impact = kharaz(50.0_f64.to_radians()).unwrap();
        let rebound = impact.gross_sliding();
        let expected = 1.0 - 2.0 * 0.092 / 50.0_f64.to_radians().tan();
        assert!((rebound.tangential_restitution - expected).abs() < 1e-14);
        // angular momentum about the contact point: m r v + I ω is kept
        let (v, v0) = (rebound.tangential_velocity, impact.tangential_velocity);
        assert!((v - v0 - 0.4 * rebound.surface_speed).abs() < 1e-14);
    }

    #[test]
    fn two_equal_spheres_are_one_sphere_of_half_radius_and_mass() {
        let solid = Solid::isotropic(1e9, 0.3);
        let pair = ElasticPair::spheres([0.02, 0.02], 1000.0, [solid, solid], 0.3).unwrap();
        let wall = ElasticPair::sphere_on_wall(0.02, 1000.0, solid, solid, 0.3).unwrap();
        assert!((pair.radius / wall.radius - 0.5).abs() < 1e-14 && (pair.mass / wall.mass - 0.5).abs() < 1e-14);
        assert_eq!(pair.modulus, wall.modulus);
    }

    #[test]
    fn what_is_not_positive_is_refused() {
        let solid = Solid::isotropic(1e9, 0.3);
        assert!(ElasticPair::sphere_on_wall(0.02, -1.0, solid, solid, 0.3).is_err());
        assert!(ElasticPair::sphere_on_wall(0.02, 1.0, solid, solid, f64::NAN).is_err());
        assert!(kharaz(0.0).is_err() && kharaz(2.0).is_err());
    }
}
