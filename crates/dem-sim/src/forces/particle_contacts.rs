//! The contacts of one particle at the newest state of everybody, for sweeps that go from particle to particle.

use dem_contact::geometry::StepContext;
use dem_contact::kernel::ForceKernel;
use dem_core::DVec3;
use dem_core::contact_list::ContactList;

/// Sums the contacts of particles, one particle at a time.
#[derive(Clone, Debug, Default)]
pub struct RowForces {
    /// Scratch for the history that a law writes.
    history: Vec<f64>,
}

impl RowForces {
    /// Force and torque of the contacts of the particle in a slot, from the committed histories, in canonical order.
    pub fn on(
        &mut self,
        kernels: &[Box<dyn ForceKernel>],
        list: &ContactList,
        context: &StepContext,
        slot: usize,
    ) -> (DVec3, DVec3) {
        let (mut force, mut torque) = (DVec3::ZERO, DVec3::ZERO);
        for &entry in &list.incidence[list.incidence_row[slot] as usize..list.incidence_row[slot + 1] as usize] {
            let (candidate, side) = ((entry >> 1) as usize, (entry & 1) as usize);
            let Some(segment) = list.segment_of(candidate) else { continue };
            let kernel = &kernels[segment.law];
            let Some(load) = kernel.respond_alone(list, segment, candidate, context, &mut self.history) else {
                continue;
            };
            let (force_on_it, torque_on_it) = load.on(side);
            force += force_on_it;
            torque += torque_on_it;
        }
        (force, torque)
    }
}
