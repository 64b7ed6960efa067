//! What a check finds out about a scene, for every form of report.

use dem_sim::builder::{self, LoadedScene, Seam};
use dem_sim::insertion::PouringLimit;
use dem_sim::scene_check;
use dem_sim::scene_check::doubts;
use dem_sim::scene_check::{ClumpFacts, HeldImpact, LoadOverlap, clump_facts, deepest_held_impact, deepest_under_load};
use dem_sim::simulation::{PouringSource, Simulation};

/// A scene that was built, and what follows from it.
pub struct Checked<'a> {
    pub scene: &'a str,
    pub simulation: &'a Simulation,
    pub doubts: Vec<String>,
    pub load: Option<LoadOverlap>,
    pub held: Option<HeldImpact>,
    pub stage_bounds: Vec<(String, dem_contact::time_step::Bound)>,
    /// Spheres at the start and those that will be poured.
    pub particles: f64,
    pub clumps: Vec<ClumpFacts>,
}

impl<'a> Checked<'a> {
    /// Finds what follows.
    pub fn new(scene: &'a str, loaded: &LoadedScene, simulation: &'a Simulation) -> Self {
        let spheres_of = |source: &PouringSource| Some(count_of(source)? * spheres_in(source));
        let poured = simulation.sources.iter().filter_map(spheres_of);
        let particles = poured.fold(simulation.world.particles.len() as f64, |all, count| all + count);
        Self {
            scene,
            simulation,
            doubts: doubts(loaded, simulation).into_iter().chain(seams(simulation)).collect(),
            load: deepest_under_load(simulation),
            held: deepest_held_impact(simulation),
            stage_bounds: scene_check::bounds_of_stages(simulation),
            particles,
            // of a scene that could be built there is no error
            clumps: clump_facts(loaded, simulation).unwrap_or_default(),
        }
    }
}

/// Spheres in a particle of a source.
fn spheres_in(source: &PouringSource) -> f64 {
    source.kind.bodies.as_ref().map_or(1.0, |bodies| bodies.template.members.len() as f64)
}

/// Particles that a source will pour, spheres or bodies, if it has a limit.
pub fn count_of(source: &PouringSource) -> Option<f64> {
    let settings = source.pouring.settings();
    settings.limit.map(|limit| match limit {
        PouringLimit::Count(count) => count as f64,
        PouringLimit::Mass(mass) => mass / (settings.density * settings.sizes.mean_volume()),
    })
}

/// Walls that continue in one plane and are pushed against twice where they meet.
fn seams(simulation: &Simulation) -> impl Iterator<Item = String> {
    let walls = &simulation.world.walls;
    builder::seams(walls).into_iter().map(|Seam { walls: [first, second], lines, ends: [start, end] }| {
        let lines = if lines == 1 { "a line".to_owned() } else { format!("{lines} lines, the first") };
        format!(
            "walls \"{}\" and \"{}\" are coplanar and adjoin along {lines}, from {start} to {end} m: a sphere there has a contact with each and is pushed twice; use one wall for both",
            walls[first].name, walls[second].name
        )
    })
}
