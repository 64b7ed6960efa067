//! Particles that leave the world, with their contacts.

use std::collections::BTreeSet;

use dem_core::exact_sum::ExactSum;
use dem_core::history::FieldRole;

use super::bridge_exchange;
use super::pipeline::Pipeline;
use crate::state::movers::Mover;
use crate::state::world::World;

impl Pipeline {
    /// Removes what has left the domain.
    pub fn remove(&mut self, world: &mut World, leaving: &[Mover]) {
        let [mass] = world.sums_over(leaving.len(), |at| [world.mass_of(leaving[at])]);
        world.removed_mass += mass;
        world.removed += world.whole.count(leaving.len()) as u64;
        for at in 0..world.material_flows.len() {
            let material = world.material_flows[at].material;
            let own: Vec<Mover> =
                leaving.iter().copied().filter(|&mover| world.material_of(mover) == material).collect();
            let [mass] = world.sums_over(own.len(), |k| [world.mass_of(own[k])]);
            world.material_flows[at].mass += mass;
            world.material_flows[at].particles += world.whole.count(own.len()) as u64;
        }
        self.take_out(world, leaving);
    }

    /// Takes spheres and bodies out of the world, books their energy as taken out, and keeps everybody else's contacts.
    pub(crate) fn take_out(&mut self, world: &mut World, leaving: &[Mover]) {
        let [mechanical, of_fields] = world.sums_over(leaving.len(), |at| {
            [world.mechanical_energy_of(leaving[at]), world.field_dissipation_of(leaving[at])]
        });
        world.accumulated.exchanged -= mechanical;
        world.accumulated.fields_of_removed += of_fields;
        let mut leaving: Vec<u32> = leaving.iter().flat_map(|&mover| world.slots_of(mover)).collect();
        // ghosts leave, too, and with them contacts that count here
        if !world.whole.is_alone() {
            // integrators may have moved them since they were last told of
            world.whole.share(&mut world.particles, &world.cell);
            let p = &world.particles;
            let ids: BTreeSet<u64> =
                world.whole.gather(leaving.iter().map(|&slot| p.id[slot as usize]).collect()).into_iter().collect();
            self.forces.forget_ghosts(&ids);
            world.guides.forget(&ids);
            leaving = (0..p.len() as u32).filter(|&slot| ids.contains(&p.id[slot as usize])).collect();
        }
        // not computed from forces, which are not known after a restart
        let [elastic] = world.whole.sums([elastic_energy_of(world, &leaving)]);
        world.accumulated.exchanged -= elastic;
        leaving.sort_unstable();
        bridge_exchange::take_along(world, &leaving);
        let kept: Vec<u32> =
            (0..world.particles.len() as u32).filter(|slot| leaving.binary_search(slot).is_err()).collect();
        self.forces.remove_particles(world, &kept);
    }
}

/// Elastic energy of the contacts of some particles that no work field keeps \[J\].
fn elastic_energy_of(world: &World, slots: &[u32]) -> ExactSum {
    let (list, context) = (&world.list, world.context());
    let rows = slots.iter().filter_map(|&slot| list.incidence_row.get(slot as usize..slot as usize + 2));
    let entries = rows.flat_map(|bounds| &list.incidence[bounds[0] as usize..bounds[1] as usize]);
    let mut candidates: Vec<u32> = entries.map(|entry| entry >> 1).collect();
    // both bodies of a contact may leave
    candidates.sort_unstable();
    candidates.dedup();
    let (mut sum, mut record) = (ExactSum::ZERO, Vec::new());
    for candidate in candidates {
        let Some(segment) = list.segment_of(candidate as usize) else { continue };
        if list.first[candidate as usize] as usize >= world.particles.owned() {
            continue;
        }
        let kernel = &world.kernels[segment.law];
        let Some(c) = kernel.view(list, segment, candidate as usize, &context, &mut record) else { continue };
        let keeps = |role| kernel.fields().iter().any(|field| field.role == role);
        let tangential = if keeps(FieldRole::ElasticTangentialWork) { 0.0 } else { c.energy.tangential };
        let rolling = if keeps(FieldRole::ElasticRollingWork) { 0.0 } else { c.energy.rolling };
        sum.add(c.energy.normal + c.energy.near_field + tangential + rolling);
    }
    sum
}
