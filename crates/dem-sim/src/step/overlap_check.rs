//! Overlaps too large for laws and time step to be trusted: they stop a run.

use dem_contact::contact_forces::ContactView;
use dem_core::contact_list::PartnerKind;

use super::overlap_diagnosis;
use crate::error::StepError;
use crate::overlap_cause::OverlapCause;
use crate::state::whole::Candidate;
use crate::state::world::World;

/// Names the two bodies whose overlap, `ratio` times the smaller radius, is beyond a limit.
///
/// # Errors
/// There are some here.
pub(super) fn check(world: &World, ratio: f64, limit: f64) -> Result<(), StepError> {
    if ratio <= limit {
        return Ok(());
    }
    let own = world.forces.largest_overlap_ratio;
    let p = &world.particles;
    let mut worst = None;
    let context = world.context();
    for kernel in &world.kernels {
        kernel.visit(&world.list, &context, &mut |c| {
            let radius = match c.key.kind {
                PartnerKind::Particle => p.radius[c.first].min(p.radius[c.second]),
                PartnerKind::Wall => p.radius[c.first],
            };
            let ratio = c.overlap / radius;
            let worse = |&(r, than): &(f64, ContactView)| ratio > r || ratio == r && c.key < than.key;
            if worst.as_ref().is_none_or(worse) {
                worst = Some((ratio, *c));
            }
        });
    }
    if !world.whole.is_alone() {
        // the part with the worst one tells the others
        let candidate = worst.as_ref().map_or(Candidate::NONE, |&(ratio, ContactView { key, .. })| Candidate {
            number: -ratio,
            who: [key.first, u64::from(key.kind == PartnerKind::Wall), key.second, u64::from(key.feature)],
        });
        let first = world.whole.first_of(candidate);
        let is_told = world.whole.failure().is_some();
        if is_told || candidate != first || first == Candidate::NONE && own < ratio {
            return Ok(());
        }
    }
    let step = world.step;
    let Some((_, worst)) = worst else {
        let (first, second) = ("a particle".to_owned(), "a particle or wall that is no longer near it".to_owned());
        // what has come apart again within the step was not resolved
        let cause = Box::new(OverlapCause::LongStep { per_step: ratio });
        return Err(StepError::Overlap { step, first, second, wall: None, ratio, limit, cause });
    };
    let (second, wall) = match worst.key.kind {
        PartnerKind::Particle => (format!("particle {}", worst.key.second), None),
        PartnerKind::Wall => (format!("wall \"{}\"", world.walls[worst.second].name), Some(worst.second)),
    };
    let (first, cause) = (format!("particle {}", worst.key.first), Box::new(overlap_diagnosis::of(world, &worst)));
    Err(StepError::Overlap { step, first, second, wall, ratio, limit, cause })
}
