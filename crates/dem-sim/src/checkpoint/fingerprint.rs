//! Fingerprints of scenes and of the state of particles.

use std::convert::Infallible;

use dem_core::particles::Particles;
use xxhash_rust::xxh3::{Xxh3, xxh3_128};

/// Fingerprint of what a scene simulates: everything but title, output, limits, when stages and time end, and how pairs are searched.
///
/// A checkpoint continues only under the scene it was written by.
pub fn scene_fingerprint(resolved: &toml::Table) -> String {
    let mut physics = resolved.clone();
    for key in ["title", "output", "limits", "contact_search"] {
        physics.remove(key);
    }
    if let Some(toml::Value::Table(time)) = physics.get_mut("time") {
        time.remove("end");
        if time.is_empty() {
            physics.remove("time");
        }
    }
    if let Some(toml::Value::Array(stages)) = physics.get_mut("stages") {
        stages.iter_mut().filter_map(toml::Value::as_table_mut).for_each(|stage| _ = stage.remove("until"));
    }
    // keys of a table are sorted by the toml crate, so that their order in the file does not matter
    format!("{:032x}", xxh3_128(physics.to_string().as_bytes()))
}

/// Fingerprint of where particles are, how they move and what they are; forces and what steps leave behind are no part of it.
pub fn particle_fingerprint(particles: &Particles) -> String {
    let left_out = ["previous_position", "rotation_increment", "force", "torque", "field_dissipation"];
    let (order, mut hasher) = (particles.slots_by_id(), Xxh3::new());
    for name in Particles::COLUMN_NAMES.iter().filter(|name| !left_out.contains(*name)) {
        hasher.update(name.as_bytes());
        let Ok(()) = particles.visit_column(name, &order, |bytes| {
            hasher.update(bytes);
            Ok::<(), Infallible>(())
        });
    }
    for body in particles.bodies.by_id() {
        hasher.update(&body.id.to_le_bytes());
        let state = [body.position, body.velocity, body.angular_momentum, body.moments].map(|v| v.to_array());
        let numbers = state.as_flattened().iter().chain(&body.orientation).chain([&body.mass]);
        numbers.for_each(|x| hasher.update(&x.to_le_bytes()));
    }
    format!("{:032x}", hasher.digest128())
}
