//! Laws in lanes behind a pointer, evaluated for a group of contacts at a time.
//!
//! The loop over pairs is compiled for every law that is written in lanes. Contacts with walls are few, and most of
//! what is done for one is the geometry: one loop serves all laws, and only the response is compiled for each law. The
//! numbers of a group pass through memory, which costs less than a tenth of a response.

use std::any::Any;
use std::marker::PhantomData;

use dem_core::lanes::{LaneTask, Lanes, SourceRows, Vector, Width};

use crate::force_loop::kernel::evaluator::{EndRecords, Evaluator};
use crate::law::{ContactLaw, Kinematics, Response};

/// A law in lanes behind a pointer, a group of contacts at a time. The numbers of a group have the type of the width, of which the interface
/// knows nothing.
pub(crate) trait GroupLaw {
    /// [`Evaluator::respond`] of a `Kinematics<R>` into a `Response<R>`, for the `R` of the width.
    fn respond(
        &self,
        kinematics: &dyn Any,
        start: &SourceRows,
        end: &mut EndRecords,
        lanes: usize,
        response: &mut dyn Any,
    );

    /// [`Evaluator::range`] of an `R`, into another one.
    fn range(&self, effective_radius: &dyn Any, range: &mut dyn Any);
}

/// A law in lanes as a [`GroupLaw`].
pub(crate) struct Grouped<'a, L, E> {
    pub law: &'a L,
    /// That of the loop, whose type of numbers the groups have.
    pub width: Width,
    pub evaluator: PhantomData<E>,
}

impl<L: ContactLaw, E: Evaluator<L>> GroupLaw for Grouped<'_, L, E> {
    fn respond(
        &self,
        kinematics: &dyn Any,
        start: &SourceRows,
        end: &mut EndRecords,
        lanes: usize,
        response: &mut dyn Any,
    ) {
        let task = RespondGroup { law: self, kinematics, start, end, lanes, response };
        // a loop over groups is run in lanes
        let _ = self.width.run_in_lanes_beside::<L::Home, _>(task);
    }

    fn range(&self, effective_radius: &dyn Any, range: &mut dyn Any) {
        let _ = self.width.run_in_lanes_beside::<L::Home, _>(RangeOfGroup { law: self, effective_radius, range });
    }
}

struct RespondGroup<'a, 'g, 'e, 's, L, E> {
    law: &'a Grouped<'g, L, E>,
    kinematics: &'a dyn Any,
    start: &'a SourceRows<'s>,
    end: &'a mut EndRecords<'e>,
    lanes: usize,
    response: &'a mut dyn Any,
}

impl<L, E: Evaluator<L>> LaneTask for RespondGroup<'_, '_, '_, '_, L, E> {
    type Output = ();

    #[inline(always)]
    fn run<R: Lanes>(self) {
        let Self { law, kinematics, start, end, lanes, response } = self;
        let (kinematics, response) = (kinematics.downcast_ref(), response.downcast_mut());
        debug_assert!(kinematics.is_some() && response.is_some(), "numbers of another width");
        if let (Some(kinematics), Some(response)) = (kinematics, response) {
            *response = E::respond::<R>(law.law, kinematics, start, end, lanes);
        }
    }
}

struct RangeOfGroup<'a, 'g, L, E> {
    law: &'a Grouped<'g, L, E>,
    effective_radius: &'a dyn Any,
    range: &'a mut dyn Any,
}

impl<L, E: Evaluator<L>> LaneTask for RangeOfGroup<'_, '_, L, E> {
    type Output = ();

    #[inline(always)]
    fn run<R: Lanes>(self) {
        let Self { law, effective_radius, range } = self;
        let (effective_radius, range) = (effective_radius.downcast_ref::<R>(), range.downcast_mut());
        debug_assert!(effective_radius.is_some() && range.is_some(), "numbers of another width");
        if let (Some(&effective_radius), Some(range)) = (effective_radius, range) {
            *range = E::range::<R>(law.law, effective_radius);
        }
    }
}

/// Groups of contacts for laws behind pointers: where a loop of their own would not pay for its compilation.
pub(crate) struct InGroups;

impl<'a> Evaluator<dyn GroupLaw + 'a> for InGroups {
    const WIDTH: Option<usize> = None;

    #[inline(always)]
    fn respond<R: Lanes>(
        law: &(dyn GroupLaw + 'a),
        kinematics: &Kinematics<R>,
        start: &SourceRows,
        end: &mut EndRecords,
        lanes: usize,
    ) -> Response<R> {
        let no = R::zero().less(R::zero());
        let mut response = Response {
            normal_force: R::zero(),
            limiting_force: R::zero(),
            tangential_force: Vector::zero(),
            couple: Vector::zero(),
            loaded: no,
            slides: no,
        };
        law.respond(kinematics, start, end, lanes, &mut response);
        response
    }

    #[inline(always)]
    fn range<R: Lanes>(law: &(dyn GroupLaw + 'a), effective_radius: R) -> R {
        let mut range = R::zero();
        law.range(&effective_radius, &mut range);
        range
    }
}
