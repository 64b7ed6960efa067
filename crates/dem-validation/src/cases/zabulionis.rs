//! The impact of Zabulionis and others (2012), shared by the cases about it.

use dem_reference::event_driven_impact::{Impact, Lever, NormalSpring, SpringSlider};
use dem_studies::error::StudyError;
use dem_studies::impact::Collision;
use dem_studies::material::SOFT;
use dem_studies::named_choice::NamedChoice;
use dem_studies::sphere_and_partner::{Approach, Partner, SphereAndPartner};

use crate::case::Effort;

/// The published velocities, with the spin that adds to the slip: the contact point moves at 0.20 m/s.
pub const PUBLISHED: Approach = Approach { normal_speed: 0.2, tangential_velocity: 0.02, spin: 3.6 };

/// The spin read the other way: -0.16 m/s.
pub const OTHER_SPIN: Approach = Approach { spin: -3.6, ..PUBLISHED };

/// The contact point's velocity passes zero while it slides.
pub const FAST: Approach = Approach { normal_speed: 0.2, tangential_velocity: 0.3, spin: 0.0 };

/// Time steps per duration of the impact.
pub fn steps(effort: Effort) -> f64 {
    effort.pick(10_000.0, 40_000.0)
}

/// The sphere on the wall with a law of mindlin's options.
pub fn bodies(options: &str) -> Result<SphereAndPartner, StudyError> {
    Ok(SphereAndPartner {
        sphere: SOFT,
        partner_material: SOFT,
        partner: Partner::Wall,
        radius: 0.05,
        friction: 0.3,
        restitution: 1.0,
        law: NamedChoice::law(&format!("mindlin:stiffness_rule=kohring,unloading=none,{options}"))?,
        integrator: NamedChoice::integrator("newmark")?,
        lever: "half".to_owned(),
        gravity: 9.81,
    })
}

/// Runs the engine.
pub fn engine(options: &str, approach: Approach, effort: Effort) -> Result<Collision, StudyError> {
    Collision::run(&bodies(options)?, approach, steps(effort))
}

/// Solves the same from event to event.
pub fn events(approach: Approach) -> Result<Impact, StudyError> {
    let bodies = bodies("")?;
    let (radius, pair) = (bodies.radius, bodies.pair()?);
    let contact = SpringSlider {
        normal: NormalSpring::Hertz(4.0 / 3.0 * pair.modulus * radius.sqrt()),
        // the source takes two thirds of Mindlin's stiffness
        stiffness_ratio: 2.0 / 3.0 * pair.stiffness_ratio(),
        friction: bodies.friction,
        mass: pair.mass,
        inertia: 0.4 * pair.mass * radius * radius,
        radius,
        lever: Lever::MiddleOfOverlap,
        gravity: bodies.gravity,
    };
    Ok(contact.impact(approach.normal_speed, approach.tangential_velocity, approach.spin)?)
}

/// The approach of the second contact: the sphere falls back as it left.
pub fn next_contact(first: &Collision) -> Approach {
    let rebound = first.end();
    Approach {
        normal_speed: -rebound.normal_velocity,
        tangential_velocity: rebound.tangential_velocity,
        spin: rebound.spin,
    }
}
