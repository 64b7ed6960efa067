//! New branches from saved states.

use std::sync::Arc;

use dem_core::energy::AccumulatedEnergy;
use dem_core::material::Material;
use dem_core::particles::Particles;
use dem_core::wall::Wall;
use dem_io::checkpoint::CheckpointReader;
use serde::{Deserialize, Serialize};

use super::bodies;
use super::format::{Header, MATERIALS, SavedStateError, contents};
use super::histories::{self, FittedFields, HistoryCount, Renamed, WallHistories};
use super::read::{saved_guides, saved_particles, saved_provenance};
use super::restore::{fill, restore_cell};
use super::validate;
use crate::builder::loaded_scene::LoadedScene;
use crate::builder::simulation;
use crate::guides::guide::Guide;
use crate::simulation::components::Simulation;
use crate::state::wall_overlaps::{ROUNDING_OVERLAP, deepest, overlap_ratio, spheres};
use crate::state::world::World;

/// The state that [`branch`] began from, and what it did with the contact histories.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Branched {
    /// Fingerprint of the scene of the state.
    pub scene_fingerprint: String,
    /// Its step.
    pub step: u64,
    /// Its time \[s\].
    pub time: f64,
    /// Histories kept.
    pub kept: usize,
    /// Histories dropped because their pair is governed by another law now or does not touch any more, or because the scene has no such wall.
    pub dropped: usize,
    /// Those of contacts between particles.
    #[serde(default)]
    pub pairs: HistoryCount,
    /// Those of the walls of the state that had any.
    #[serde(default)]
    pub walls: Vec<WallHistories>,
    /// What became of the records of laws whose options remember other things now.
    #[serde(default)]
    pub fields: Vec<FittedFields>,
}

/// Starts a new branch from a saved state: its particles and, where the law is the same, its contact histories go into
/// a simulation built without particles; time, stages, walls, sources and work terms start anew. Contacts with a wall
/// keep their history if the scene has a wall of the same name and type of shape.
///
/// # Errors
/// A damaged checkpoint, or particles whose material the scene does not have.
pub fn branch(
    simulation: &mut Simulation,
    loaded: &LoadedScene,
    reader: &CheckpointReader,
) -> Result<Branched, SavedStateError> {
    let header: Header = reader.structure("header")?;
    validate::check_header(&header)?;
    // strains start anew, and the stress is that of the first evaluation
    restore_cell(simulation, reader)?;
    let mut particles = saved_particles(reader, &header)?;
    name_materials(&mut particles, reader, &simulation.world.materials)?;
    bodies::join_templates(&simulation.world.particles.bodies.templates, &mut particles.bodies);
    let walls: Vec<Wall> = reader.structure("walls")?;
    let mut renamed = Renamed::new(reader.structure("histories")?, &walls, &simulation.world.walls)?;
    let fields = renamed.fit(&simulation.world.kernels);
    simulation.world.provenance.adopt(saved_provenance(reader)?);
    let lost = fill(simulation, particles, &renamed.histories)?;
    refuse_cuts(simulation, walls)?;
    let saved = saved_guides(reader)?;
    attach_again(&mut simulation.world, &saved)?;
    // the integrator may be another, and starts anew
    simulation.world.particles.higher_derivatives = Vec::new();
    simulation::renew_time_step(loaded, simulation)?;
    simulation.world.inserted = simulation.world.movers().count() as u64;
    let liquid = simulation.world.liquid();
    simulation.world.liquid_books.brought = liquid.films + liquid.bridges;
    simulation.initialise()?;
    histories::forget_works(&mut simulation.world, &renamed.histories);
    let (pairs, walls) = renamed.count(&simulation.world.walls, &lost, &histories::acting(&simulation.world));
    simulation.pipeline.forces.invalidate();
    // what the particles bring along is the new zero of the ledger
    simulation.world.accumulated = AccumulatedEnergy::default();
    simulation.world.particles.field_dissipation.fill(0.0);
    simulation.world.particles.bodies.all.iter_mut().for_each(|body| body.field_dissipation = 0.0);
    for wall in &mut simulation.world.walls {
        wall.work = 0.0;
    }
    simulation.world.accumulated.exchanged = simulation.world.energy().balance();
    let all = || walls.iter().map(|wall| &wall.histories).chain([&pairs]);
    let (kept, dropped) = (all().map(|count| count.kept).sum(), all().map(|count| count.dropped).sum());
    let Header { scene, step, time, .. } = header;
    Ok(Branched { scene_fingerprint: scene, step, time, kept, dropped, pairs, walls, fields })
}

/// Refuses walls that cut the particles deeper than in the state, by more than they may. `saved` are the walls of the state.
fn refuse_cuts(simulation: &Simulation, mut saved: Vec<Wall>) -> Result<(), SavedStateError> {
    let world = &simulation.world;
    for (wall, &limit) in world.walls.iter().zip(&simulation.cuts_allowed).filter(|(wall, _)| wall.active) {
        let before = saved.iter_mut().find(|before| before.active && before.name == wall.name);
        let before = before.map(|before| {
            // the facets of a mesh are those of the scene
            before.shape.adopt(&wall.shape);
            &*before
        });
        let natural = |centre, radius| before.map_or(0.0, |before| overlap_ratio(before, centre, radius));
        if let Some(cut) = deepest(wall, spheres(world), natural, limit) {
            let (particle, what) = (cut.particle, cut.describe(&wall.name, limit));
            return Err(contents(format!(
                "its particle {particle} {what} beyond that in the state: max_overlap of the wall allows it, and the energy is booked as exchanged"
            )));
        }
        if limit > ROUNDING_OVERLAP
            && let Some(cut) = deepest(wall, spheres(world), natural, ROUNDING_OVERLAP)
        {
            tracing::warn!(
                "the wall \"{}\" is put through {} spheres of the saved state, deepest through particle {} by {:.3e} of its radius: the energy is booked as exchanged",
                wall.name,
                cut.count,
                cut.particle,
                cut.ratio
            );
        }
    }
    Ok(())
}

/// Gives particles of a checkpoint the materials of a scene that have the names of their own.
fn name_materials(
    particles: &mut Particles,
    reader: &CheckpointReader,
    own: &[Material],
) -> Result<(), SavedStateError> {
    let saved: Vec<String> = reader.structure(MATERIALS)?;
    let number: Vec<Option<usize>> =
        saved.iter().map(|name| own.iter().position(|material| material.name == *name)).collect();
    let rename = |material: &mut u16, what: &dyn Fn() -> String| {
        let Some(name) = saved.get(*material as usize) else {
            let (what, count) = (what(), saved.len());
            return Err(contents(format!("its {what} is of material number {material} of {count}")));
        };
        *material = number[*material as usize].ok_or_else(|| {
            let known: Vec<&str> = own.iter().map(|material| material.name.as_str()).collect();
            contents(format!("its {} is of material {name}, the scene has {}", what(), known.join(", ")))
        })? as u16;
        Ok(())
    };
    for (material, id) in particles.material.iter_mut().zip(&particles.id) {
        rename(material, &|| format!("particle {id}"))?;
    }
    for template in Arc::make_mut(&mut particles.bodies.templates) {
        for member in &mut template.members {
            rename(&mut member.material, &|| format!("template {}", template.name))?;
        }
    }
    Ok(())
}

/// Lets the guides of the scene of a new branch take the particles of the saved guides of the same names.
fn attach_again(world: &mut World, saved: &[Guide]) -> Result<(), SavedStateError> {
    // what led them in the saved run does so no longer
    for at in 0..world.particles.bodies.len() {
        world.particles.give_motion(at, false, false);
        world.particles.place_members(at, &world.cell);
    }
    let mut guides = world.guides.list().to_vec();
    for guide in &mut guides {
        let Some(old) = saved.iter().find(|old| old.name == guide.name) else {
            return Err(contents(format!("guide \"{}\" of the scene is not in it", guide.name)));
        };
        for follower in old.followers.iter().filter(|follower| !follower.released) {
            let p = &mut world.particles;
            let Some(slot) = p.id.iter().position(|&id| id == follower.particle) else { continue };
            let (centre, radius) = p
                .body_of(slot)
                .map_or((p.position[slot], p.radius[slot]), |body| (body.position, body.equivalent_radius));
            let off = (guide.path.nearest(centre).point - centre).length();
            if off.is_nan() || off > 1e-6 * radius {
                let particle = follower.particle;
                return Err(contents(format!(
                    "its particle {particle} is {off:e} m off the path of guide \"{}\"",
                    guide.name
                )));
            }
            guide.attach(p, slot, follower.velocity, 0.0);
        }
    }
    world.guides.replace(guides);
    Ok(())
}
