//! A pull laid over the response of a law to a group of contacts: one function for all laws in lanes.

use std::any::Any;

use dem_core::lanes::{LaneTask, Lanes, SourceRows, Width};

use crate::force_loop::kernel::evaluator::EndRecords;
use crate::force_loop::kernel::group_law::GroupLaw;
use crate::law::{Kinematics, Response};
use crate::pull::Overlay;

/// A law with a pull, whose number stands behind the record of the law.
pub(crate) struct PulledGroup<'a> {
    pub law: &'a dyn GroupLaw,
    pub overlay: Overlay,
    /// Numbers in the record of the law.
    pub column: usize,
    /// That of the loop, whose type of numbers the groups have.
    pub width: Width,
}

impl GroupLaw for PulledGroup<'_> {
    fn respond(
        &self,
        kinematics: &dyn Any,
        start: &SourceRows,
        end: &mut EndRecords,
        lanes: usize,
        response: &mut dyn Any,
    ) {
        self.law.respond(kinematics, start, end, lanes, response);
        let task = LayOver { overlay: self.overlay, column: self.column, kinematics, end, response };
        // a loop over groups is run in lanes
        let _ = self.width.run_in_lanes_beside::<Overlay, _>(task);
    }

    fn range(&self, effective_radius: &dyn Any, range: &mut dyn Any) {
        self.law.range(effective_radius, range);
    }
}

struct LayOver<'a, 'e> {
    overlay: Overlay,
    column: usize,
    kinematics: &'a dyn Any,
    end: &'a mut EndRecords<'e>,
    response: &'a mut dyn Any,
}

impl LaneTask for LayOver<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<R: Lanes>(self) {
        let kinematics = self.kinematics.downcast_ref::<Kinematics<R>>();
        let response = self.response.downcast_mut::<Response<R>>();
        debug_assert!(kinematics.is_some() && response.is_some(), "numbers of another width");
        if let (Some(kinematics), Some(response)) = (kinematics, response) {
            let number = [self.overlay.lay(kinematics, response)];
            self.end.store::<R, _>(&number, self.column);
        }
    }
}
