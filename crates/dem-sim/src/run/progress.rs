//! How far a run has come.

use std::time::Instant;

use super::bounds::RunBounds;
use super::components::Run;
use super::status::Status;

impl Run {
    /// Fraction of the run that is done, if the end is known.
    pub(super) fn progress(&self, bounds: &RunBounds) -> Option<f64> {
        let world = &self.simulation.world;
        let by_time = [bounds.time, self.simulation.end].into_iter().flatten().fold(f64::INFINITY, f64::min);
        let by_step = bounds.step.map_or(0.0, |step| world.step as f64 / step.max(1) as f64);
        let done = (world.time / by_time).max(by_step);
        (done > 0.0 || by_time.is_finite() || bounds.step.is_some()).then_some(done.min(1.0))
    }

    pub(super) fn status(&self, bounds: &RunBounds, begin: &(Instant, Option<f64>), last: &(Instant, f64)) -> Status {
        let done = self.progress(bounds);
        let remaining = done.zip(begin.1).and_then(|(done, start)| {
            let gained = done - start;
            (gained > 1e-6).then(|| begin.0.elapsed().mul_f64(((1.0 - done) / gained).clamp(0.0, 1e9)))
        });
        let rate = (self.particle_steps - last.1) / last.0.elapsed().as_secs_f64().max(1e-9);
        Status::of(&self.simulation, rate, done, remaining)
    }
}
