//! A rigid sphere with Coulomb friction: how sliding turns into rolling, on a plane and in an impact.
//!
//! Friction `μN` takes velocity from the centre and gives it, over `Rg² = I/(m r²)`, to the surface, until the contact point rests.
//! The impulse that this needs is `m v_c/(1 + 1/Rg²)` whatever the load does meanwhile: a solid sphere keeps 5/7 of its speed.
//!
//! Source: W. Goldsmith, Impact, section 2.3; for the sphere on a plane E. M. B. Campello, Comput. Part. Mech. 2 (2015), section 5.1.

/// A sphere after it has slid.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Slid {
    /// Velocity of the centre \[m/s\].
    pub velocity: f64,
    /// Surface speed of the spin, `r ω` \[m/s\], positive if it adds to the slip.
    pub surface_speed: f64,
    /// Whether the contact point came to rest.
    pub rolls: bool,
}

/// A sphere of `I/(m r²) = gyration` after an impulse of friction over mass of at most `largest` \[m/s\].
pub fn slide(velocity: f64, surface_speed: f64, gyration: f64, largest: f64) -> Slid {
    let contact_velocity = velocity + surface_speed;
    let to_roll = contact_velocity.abs() / (1.0 + 1.0 / gyration);
    let impulse = to_roll.min(largest).copysign(contact_velocity);
    Slid { velocity: velocity - impulse, surface_speed: surface_speed - impulse / gyration, rolls: to_roll <= largest }
}

/// Time \[s\] until a sphere on a plane under an acceleration `gravity` \[m/s²\] rolls.
pub fn time_to_roll(velocity: f64, surface_speed: f64, gyration: f64, friction: f64, gravity: f64) -> f64 {
    (velocity + surface_speed).abs() / (friction * gravity * (1.0 + 1.0 / gyration))
}

/// A rigid sphere that meets a wall at `normal_speed` \[m/s\] and leaves it with a restitution: the impulse is `(1 + e) μ v_n`.
pub fn impact(
    velocity: f64,
    surface_speed: f64,
    gyration: f64,
    friction: f64,
    normal_speed: f64,
    restitution: f64,
) -> Slid {
    slide(velocity, surface_speed, gyration, (1.0 + restitution) * friction * normal_speed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kharaz::kharaz;

    #[test]
    fn a_solid_sphere_keeps_five_sevenths() {
        let end = slide(7.0, 0.0, 0.4, f64::INFINITY);
        assert!((end.velocity - 5.0).abs() < 1e-14 && (end.velocity + end.surface_speed).abs() < 1e-14 && end.rolls);
        assert!((time_to_roll(7.0, 0.0, 0.4, 0.2, 10.0) - 1.0).abs() < 1e-14);
    }

    #[test]
    fn the_impulse_of_friction_is_bounded_by_the_load() {
        let oblique = kharaz(60.0_f64.to_radians()).unwrap();
        let (v, mu, n) = (oblique.tangential_velocity, oblique.pair.friction, oblique.normal_speed);
        let end = impact(v, 0.0, 0.4, mu, n, 1.0);
        assert!(!end.rolls);
        assert!((end.velocity - oblique.gross_sliding().tangential_velocity).abs() < 1e-14);
        assert!(impact(0.1, 0.0, 0.4, mu, n, 1.0).rolls);
    }
}
