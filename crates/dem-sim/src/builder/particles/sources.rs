//! Sources of particles: those that fill at the start are placed here, those that pour are made ready.

use std::ops::Range;
use std::sync::Arc;

use dem_core::DVec3;
use dem_io::document::SceneError;
use rand_pcg::Pcg64Mcg;

use super::clumps::Clumps;
use super::site::Site;
use super::table_source::table_unit;
use crate::builder::loaded_scene::LoadedScene;
use crate::builder::values::entry_path;
use crate::insertion::periodic_lengths::PeriodicLengths;
use crate::insertion::pouring_source::PouringSource;
use crate::insertion::random_stream::stream;
use crate::scene::source::FillScene;
use crate::state::contact_parameters::ContactDefinition;
use crate::state::insertion::insert_grain;
use crate::state::wall_overlaps::ROUNDING_OVERLAP;
use crate::state::world::World;

/// Fills the world from the sources that act at the start; returns those that pour, and the ids of the particles of every source.
pub(crate) fn build(
    loaded: &LoadedScene,
    contact: &ContactDefinition,
    clumps: &Clumps,
    world: &mut World,
    with_particles: bool,
) -> Result<(Vec<PouringSource>, Vec<Range<u64>>), SceneError> {
    let scene = &loaded.scene;
    let document = &loaded.document;
    let (mut pouring, mut ids) = (Vec::new(), Vec::new());
    world.particles.bodies.templates = Arc::new(clumps.templates());
    let site = Site { loaded, contact, clumps, periodic: PeriodicLengths::of(&world.cell) };
    for (index, source) in scene.particles.iter().enumerate() {
        if source.name.is_empty() || scene.particles[..index].iter().any(|other| other.name == source.name) {
            return Err(document
                .error_at(entry_path("particles", index, &["name"]), "expected a name that no other source has"));
        }
        let kind = site.kind(index, source)?;
        let first = world.particles.next_id;
        world.provenance.note(first, &source.name);
        // each source has its own stream, so that adding one does not change the others
        let rng = Pcg64Mcg::new(stream(scene.seed, &source.name));
        match &source.fill {
            FillScene::Pour { .. } => pouring.push(site.pouring(index, source, kind, world, rng)?),
            FillScene::File { path, unit, max_overlap } => {
                let others = [
                    ("sizes", source.sizes.is_some()),
                    ("scale", source.scale.is_some()),
                    ("region", source.region.is_some()),
                ];
                for (key, given) in others {
                    if given {
                        let path = entry_path("particles", index, &[key]);
                        return Err(document.error_at(path, "expected none together with a file, which gives it"));
                    }
                }
                let limit = max_overlap.map_or(ROUNDING_OVERLAP, |x| x.si());
                let unit = table_unit(document, index, *unit)?;
                if with_particles {
                    site.read(index, &loaded.folder.join(path), unit, kind, limit, world)?;
                }
            }
            FillScene::Lattice { .. } | FillScene::Random { .. } => {
                if with_particles {
                    for grain in site.place(index, source, &kind, world, rng)? {
                        insert_grain(world, &kind, grain, DVec3::ZERO);
                    }
                } else {
                    site.sizes(index, source, &kind)?;
                    site.region(index, source)?;
                }
            }
        }
        ids.push(first..world.particles.next_id);
    }
    Ok((pouring, ids))
}
