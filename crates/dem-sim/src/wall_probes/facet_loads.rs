//! The contacts of particles with the facets of meshes.

use dem_contact::Mode;
use dem_contact::geometry::StepContext;
use dem_contact::wall_geometry;
use dem_contact::wrench::Wrench;
use dem_core::contact_list::PartnerKind;
use dem_core::particles::NO_BODY;
use dem_core::{DQuat, DVec3};
use rayon::prelude::*;

use crate::state::world::World;
use crate::wall_facets::records::FacetContact;
use crate::wall_facets::wear::Impact;

/// Candidates that one thread looks at.
const FEW: usize = 512;
/// A sphere that comes nearer in the step by less than this, in proportion to what its speed at the end makes of the step, has been looked at over
/// a part of the step only.
const WHOLE: f64 = 0.75;

/// A contact with a facet, and its forces in space.
pub(crate) struct FacetLoad {
    pub contact: FacetContact,
    /// Force on the wall \[N\].
    pub force: DVec3,
    /// Tangential force on the wall \[N\].
    pub tangential: DVec3,
}

/// Adds the contacts of the present state, which lasted for `length` \[s\].
pub(crate) fn add(world: &mut World, length: f64) {
    if world.facets.is_idle() {
        return;
    }
    let contacts = contacts(world, length).into_iter().map(|load| load.contact);
    if world.whole.is_alone() {
        world.facets.add(contacts, length);
        return;
    }
    // sums go on from step to step and are rounded every time: they are those of one process only if all is added in its order
    let told = world.whole.gather_at_first(contacts.flat_map(FacetContact::to_words).collect());
    let mut all: Vec<FacetContact> = FacetContact::all_of(&told).collect();
    all.par_sort_unstable_by_key(FacetContact::order);
    world.facets.add(all, length);
}

/// The present contacts with facets that are known, in their order. The step took `length` \[s\].
pub(crate) fn contacts(world: &World, length: f64) -> Vec<FacetLoad> {
    let mut surface_of = vec![None; world.walls.len()];
    for (surface, records) in world.facets.walls().iter().enumerate() {
        surface_of[records.wall] = Some(surface as u32);
    }
    let (context, range) = (world.context(), world.range());
    let mut found: Vec<FacetLoad> = Vec::new();
    for segment in world.list.segments.iter().filter(|segment| segment.partner == PartnerKind::Wall) {
        let candidates = (segment.start as usize..segment.end as usize).into_par_iter().with_min_len(FEW);
        found.par_extend(candidates.filter_map(|candidate| {
            let surface = surface_of[world.list.second[candidate] as usize]?;
            let wrench = world.forces.get(candidate)?;
            let is_own = (world.list.first[candidate] as usize) < world.particles.owned();
            is_own.then(|| contact(world, &context, range, surface, candidate, wrench, length))
        }));
    }
    found.par_sort_unstable_by_key(|load| load.contact.order());
    found
}

fn contact(
    world: &World,
    context: &StepContext,
    range: f64,
    surface: u32,
    candidate: usize,
    wrench: &Wrench,
    length: f64,
) -> FacetLoad {
    let (slot, number) = (world.list.first[candidate] as usize, world.list.second[candidate] as usize);
    let (wall, feature) = (&world.walls[number], world.list.wall_feature(candidate));
    let (kinematics, _) = wall_geometry::wall(context, slot, number, feature, range);
    // towards the wall
    let direction = DVec3::from(kinematics.normal1);
    let force = -wrench.force_on_first();
    let normal = force.dot(direction);
    let tangential = force - direction * normal;
    let orientation = wall.pose.orientation;
    let is_turned = orientation != DQuat::IDENTITY;
    let touches = world.forces.touches(candidate);
    // a law without tangential forces says that all contacts stick
    let is_held = world.forces.mode(candidate) == Some(Mode::Stick) && wrench.moment != [0.0; 3];
    let slides = touches && !is_held;
    let speed = DVec3::from(kinematics.tangential_velocity).length();
    let begins = touches && kinematics.overlap0 <= 0.0 && kinematics.overlap1 > 0.0;
    let contact = FacetContact {
        surface,
        facet: wall.facet_at(feature, world.particles.position[slot]).unwrap_or(0),
        key: (world.particles.id[slot], feature),
        normal,
        tangential_in_body: if is_turned { orientation.conjugate() * tangential } else { tangential },
        // what pulls does not wear
        sliding: if slides { normal.max(0.0) * speed } else { 0.0 },
        cutting: begins.then(|| {
            let mass = kinematics.effective_mass.min(mass_of(world, slot));
            // over the step: forces have changed the velocity at its end
            let approach = (kinematics.overlap1 - kinematics.overlap0) / length;
            let impact = if approach >= WHOLE * kinematics.overlap_rate {
                Impact { mass, normal: approach, tangential: DVec3::from(kinematics.slip).length() / length }
            } else {
                Impact { mass, normal: kinematics.overlap_rate, tangential: speed }
            };
            impact.cutting_energy()
        }),
    };
    FacetLoad { contact, force, tangential }
}

/// Mass of a sphere, or of the rigid body that it belongs to \[kg\].
fn mass_of(world: &World, slot: usize) -> f64 {
    let p = &world.particles;
    if p.body[slot] == NO_BODY { p.mass[slot] } else { p.body_of(slot).map_or(p.mass[slot], |body| body.mass) }
}
