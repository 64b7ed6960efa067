//! Rigid bodies of a run.

use serde::Serialize;

use crate::measure::{self, Coordination};
use crate::state::world::World;

/// Rigid bodies of a run, whose spheres count among its particles.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BodySummary {
    /// Bodies present.
    pub count: usize,
    /// Spheres that belong to none.
    pub single_spheres: usize,
    /// Mean number of bodies and single spheres that one of them touches; `coordination` counts every contact.
    pub neighbours: f64,
    /// Bodies and single spheres that bear nothing.
    pub rattlers: usize,
    /// Number of contacts below which one of them is a rattler.
    pub contacts_of_no_rattler: u32,
    /// Names of the templates.
    pub templates: Vec<String>,
}

impl BodySummary {
    /// Of a world that may have bodies.
    pub(super) fn of(world: &World, coordination: &Coordination) -> Option<Self> {
        let p = &world.particles;
        measure::has_bodies(world).then(|| Self {
            count: world.whole.count(p.bodies.len()),
            single_spheres: world.whole.count(p.independent()),
            neighbours: measure::neighbours(world),
            rattlers: coordination.rattlers,
            contacts_of_no_rattler: coordination.threshold,
            templates: p.bodies.templates.iter().map(|template| template.name.clone()).collect(),
        })
    }
}
