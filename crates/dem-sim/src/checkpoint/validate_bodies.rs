//! What rigid bodies of a saved state must keep to, as [`validate`](super::validate) says of the rest.

use dem_core::DVec3;
use dem_core::bodies::body::Body;
use dem_core::bodies::template::Template;
use dem_core::particles::{NO_BODY, Particles, frozen};

use super::format::{SavedStateError, contents};
use super::validate::{MOST_CROSSINGS, UNIT, unit, vector};
use crate::limits::within;

/// Bits of [`dem_core::frozen`].
const ALL_FROZEN: u32 = 0x3f | frozen::GIVEN_TRANSLATION | frozen::GIVEN_ROTATION;

/// Most bodies that there may have been: tables by their ids take four bytes for each.
const MOST_BODIES: u32 = 1 << 28;

/// Checks templates, bodies, and what members take from their bodies.
pub(crate) fn check_bodies(particles: &Particles, materials: usize) -> Result<(), SavedStateError> {
    let bodies = &particles.bodies;
    for (at, template) in bodies.templates.iter().enumerate() {
        let name = &template.name;
        if bodies.templates[..at].iter().any(|other| other.name == *name) {
            return Err(contents(format!("there are two templates {name}")));
        }
        if !is_template(template, materials) {
            return Err(contents(format!("its template {name} has impossible values")));
        }
    }
    if u64::from(bodies.next_id) > particles.next_id || bodies.next_id > MOST_BODIES {
        let count = bodies.next_id;
        return Err(contents(format!(
            "it has given {count} ids to bodies, expected at most {MOST_BODIES} and no more than to particles"
        )));
    }
    for body in &bodies.all {
        if !is_body(body) {
            return Err(contents(format!("body {} has impossible values", body.id)));
        }
        let members = body.first as usize..(body.first + body.count) as usize;
        let seen = body.inverse_mass();
        let follow = members.clone().all(|slot| {
            particles.body[slot] == body.id
                // but for the rounding of masses that have grown
                && (particles.inverse_mass[slot] - seen).abs() <= UNIT * seen
                && particles.frozen[slot] == body.frozen as u8
        });
        if !follow {
            return Err(contents(format!("the members of body {} are not those of a body like it", body.id)));
        }
    }
    let members = particles.body[..particles.owned()].iter().filter(|&&body| body != NO_BODY).count();
    if members == bodies.members() {
        Ok(())
    } else {
        Err(contents(format!("{members} particles belong to bodies, which have {} members", bodies.members())))
    }
}

fn above_zero(x: f64) -> bool {
    x > 0.0 && within(x)
}

/// Principal moments in their order.
fn moments(m: DVec3) -> bool {
    m.x > 0.0 && m.x <= m.y && m.y <= m.z && within(m.z)
}

fn is_template(template: &Template, materials: usize) -> bool {
    let members = &template.members;
    !template.name.is_empty()
        && !members.is_empty()
        && members.iter().all(|member| {
            vector(member.position)
                && above_zero(member.radius)
                && (0.0..=1.0).contains(&member.share)
                && (member.material as usize) < materials
        })
        && above_zero(template.volume)
        && moments(template.moments)
        && unit(template.principal)
        && vector(template.centre)
        && above_zero(template.bounding_radius)
}

fn is_body(body: &Body) -> bool {
    let vectors = [body.position, body.velocity, body.angular_momentum, body.force, body.torque];
    vectors.into_iter().all(vector)
        && (body.orientation().length_squared() - 1.0).abs() < UNIT
        && body.image.iter().all(|count| count.unsigned_abs() <= MOST_CROSSINGS)
        && moments(body.moments)
        && [body.mass, body.scale, body.equivalent_radius].into_iter().all(above_zero)
        && within(body.field_dissipation)
        && body.frozen & !ALL_FROZEN == 0
}
