//! Who sets the time step, and how it follows the state of a run.
//!
//! An automatic step is checked every 1,000 steps: it becomes shorter at once where the state requires it, and longer
//! again, up to twice from one check to the next, towards the step that a run from the present state would begin with.
//! A given one causes warnings. An adaptive step is checked every 32 steps and when a stage begins, looks ahead as far
//! as the next check, and becomes longer again. What is decided follows from the saved state alone, so that a restart
//! continues bit for bit.

use dem_contact::time_step::Bound;

use super::components::Simulation;
use crate::error::StepError;
use crate::measure::kinematics;
use crate::time_step::a_priori::{bounds as bounds_beforehand, expected_speed};
use crate::time_step::choice::{StepControl, TimeStepChoice};
use crate::time_step::driving;
use crate::time_step::state_bounds::{self, Look};

/// Steps between two checks of an automatic or given time step.
const MONITOR_EVERY: u64 = 1000;
/// Steps between two checks of an adaptive one: an impact lasts 25 of its own.
const ADAPT_EVERY: u64 = 32;
/// Largest growth of an adaptive step from one check to the next.
const GROWTH: f64 = 2.0;
/// Fraction of a bound that is used, so that not every check finds a change.
const MARGIN: f64 = 0.9;
/// Growth that is worth a change of an adaptive step.
const WORTHWHILE: f64 = 1.25;
/// Growth that is worth a change of an automatic one, which changes rarely.
const WORTHWHILE_FOR_LONG: f64 = 1.1;

impl Simulation {
    /// The tightest bound of every criterion that the present contacts, speeds and spins meet, with the bodies that set it; the tightest
    /// first.
    pub fn present_bounds(&self) -> Vec<Bound> {
        state_bounds::bounds(&self.world, Look::Now, &self.pipeline.integrator.fractions())
    }

    /// Takes over a choice of the time step.
    pub(crate) fn set_time_step(&mut self, choice: TimeStepChoice) {
        self.world.time_step = choice.time_step;
        self.state.time_step_criterion = choice.criterion().to_owned();
        self.state.step_range = choice.range;
        self.state.expected_speed = choice.expected_speed;
        self.time_step = choice;
    }

    /// Notes the length of the step that is about to be taken.
    pub(crate) fn note_step(&mut self) {
        let step = self.world.time_step;
        let [shortest, longest] = &mut self.state.steps_taken;
        *shortest = if *shortest == 0.0 { step } else { shortest.min(step) };
        *longest = longest.max(step);
    }

    /// Adds the bounds of the initial contacts and motion to those that were known beforehand.
    pub(crate) fn admit_initial_state(&mut self) {
        let present = self.present_bounds();
        if let Some(tightest) = present.first().filter(|bound| bound.time_step < self.world.time_step) {
            match self.time_step.control {
                StepControl::Given => self.warn_of(&present),
                StepControl::Automatic => {
                    self.world.time_step = tightest.time_step;
                    self.state.time_step_criterion = tightest.criterion.to_owned();
                }
                StepControl::Adaptive => {}
            }
        }
        self.time_step.bounds.extend(present);
        self.time_step.bounds.sort_by(|a, b| a.time_step.total_cmp(&b.time_step));
        self.time_step.time_step = self.world.time_step;
    }

    /// Compares the time step with bounds that a change of contact parameters has changed.
    pub(crate) fn admit_contact_change(&mut self) {
        let (speed, fractions) = (self.state.expected_speed, self.pipeline.integrator.fractions());
        let (bounds, deepest) = bounds_beforehand(&self.contact, &self.world, &self.sources, speed, &fractions);
        if let Some(tightest) = bounds.first() {
            if let Some(range) = &mut self.state.step_range {
                range.while_pouring = tightest.time_step;
            }
            if tightest.time_step < self.world.time_step {
                match self.time_step.control {
                    StepControl::Given => self.warn_of(&bounds),
                    StepControl::Automatic => self.reduce(tightest, tightest.time_step),
                    // a stage begins, and with it the state is checked
                    StepControl::Adaptive => {}
                }
            }
        }
        self.time_step.bounds = bounds;
        self.time_step.deepest = deepest;
    }

    /// Compares the time step with what drives the run from the stage on that begins.
    pub(crate) fn admit_driving(&mut self) {
        let mut bounds = driving::bounds(&self.world);
        bounds.sort_by(|a, b| a.time_step.total_cmp(&b.time_step));
        let Some(tightest) = bounds.first().filter(|bound| bound.time_step < self.world.time_step) else { return };
        match self.time_step.control {
            StepControl::Given => self.warn_of(&bounds),
            StepControl::Automatic => self.reduce(tightest, tightest.time_step),
            // the state is checked when a stage begins
            StepControl::Adaptive => {}
        }
    }

    /// Steps between two checks of the time step.
    pub(crate) fn monitor_interval(&self) -> u64 {
        if self.time_step.control == StepControl::Adaptive { ADAPT_EVERY } else { MONITOR_EVERY }
    }

    /// Compares the time step with the state, if that is due.
    ///
    /// # Errors
    /// Another rank that cannot go on; more pairs than there is memory for.
    pub(crate) fn watch_time_step(&mut self) -> Result<(), StepError> {
        if !self.world.step.is_multiple_of(self.monitor_interval()) {
            return Ok(());
        }
        if self.time_step.control == StepControl::Adaptive {
            return self.adapt();
        }
        let bounds = self.present_bounds();
        let tightest = bounds.first().filter(|bound| bound.time_step < self.world.time_step);
        match (self.time_step.control, tightest) {
            (StepControl::Automatic, Some(tightest)) => self.reduce(tightest, MARGIN * tightest.time_step),
            (StepControl::Automatic, None) => self.lengthen()?,
            (_, Some(_)) => self.warn_of(&bounds),
            (_, None) => {}
        }
        Ok(())
    }

    /// The tightest bounds until the next check, of steps that are no longer than `time_step` \[s\].
    fn bounds_ahead(&mut self, time_step: f64) -> Result<Vec<Bound>, StepError> {
        let Self { world, pipeline, .. } = self;
        if !world.whole.is_alone() {
            // who may meet must be here, with the present forces
            let reach = state_bounds::reach_of_encounters(world, ADAPT_EVERY, time_step);
            pipeline.forces.widen_halo(world, reach).inspect_err(|error| world.whole.fail(error))?;
        }
        let look = Look::Ahead { steps: ADAPT_EVERY, time_step };
        Ok(state_bounds::bounds(world, look, &pipeline.integrator.fractions()))
    }

    /// Lets an automatic step grow that is shorter than a run from the present state would begin with: the cause is gone.
    fn lengthen(&mut self) -> Result<(), StepError> {
        let now = self.world.time_step;
        let fractions = self.pipeline.integrator.fractions();
        let speed = self.present_speed();
        let (beforehand, _) = bounds_beforehand(&self.contact, &self.world, &self.sources, speed, &fractions);
        let Some(expected) = beforehand.first().filter(|bound| bound.time_step > WORTHWHILE_FOR_LONG * now) else {
            return Ok(());
        };
        let next = GROWTH * now;
        // impacts count to their end, and those that are about to begin
        let present = self.bounds_ahead(next)?;
        // what a run would begin with needs no margin
        let tighter = present.first().filter(|bound| bound.time_step < expected.time_step);
        let admitted = tighter.map_or(f64::INFINITY, |bound| MARGIN * bound.time_step);
        let wanted = next.min(expected.time_step).min(admitted);
        if wanted <= WORTHWHILE_FOR_LONG * now {
            return Ok(());
        }
        let tightest = tighter.unwrap_or(expected);
        tracing::info!(
            "step {}: time step lengthened from {now:.3e} s to {wanted:.3e} s, the bound is now by the {} ({})",
            self.world.step,
            tightest.criterion,
            tightest.detail
        );
        self.world.time_step = wanted;
        self.state.time_step_criterion = tightest.criterion.to_owned();
        Ok(())
    }

    /// Speed of the fastest impact to expect from the present state on \[m/s\], at least the one that was given.
    fn present_speed(&self) -> f64 {
        if self.time_step.is_speed_given {
            let fastest = kinematics::largest_speed(&self.world);
            return self.state.expected_speed.max(fastest);
        }
        expected_speed(&self.world, &self.sources)
    }

    /// Reckons from now on with the impacts to expect in the present state.
    pub(crate) fn expect_present_speed(&mut self) {
        self.state.expected_speed = self.present_speed();
    }

    /// Walls, contact parameters and sources may have changed with the stage: an adaptive step is checked.
    ///
    /// # Errors
    /// As [`Self::watch_time_step`].
    pub(crate) fn adapt_to_stage(&mut self) -> Result<(), StepError> {
        if self.time_step.control == StepControl::Adaptive { self.adapt() } else { Ok(()) }
    }

    /// Fits an adaptive step to what the state admits until the next check.
    fn adapt(&mut self) -> Result<(), StepError> {
        let Some(range) = self.state.step_range else { return Ok(()) };
        let now = self.world.time_step;
        let pours = self.sources.iter().any(|source| source.active && !source.pouring.is_finished());
        let (ceiling, at_ceiling) = if pours && range.while_pouring < range.largest {
            (range.while_pouring.max(range.smallest), "automatic step while a source pours")
        } else {
            (range.largest, "largest step")
        };
        let next = (GROWTH * now).min(ceiling);
        let bounds = self.bounds_ahead(next)?;
        let tightest = bounds.first();
        let admitted = tightest.map_or(f64::INFINITY, |bound| bound.time_step);
        let wanted = (MARGIN * admitted).min(next);
        let too_long = admitted < now || ceiling < now;
        let too_short = wanted > WORTHWHILE * now || wanted > now && wanted == ceiling;
        if !too_long && !too_short {
            return Ok(());
        }
        let criterion = match tightest {
            Some(bound) if wanted < range.smallest => {
                self.warn_once(bound, range.smallest);
                "smallest step"
            }
            Some(bound) if wanted < ceiling => bound.criterion,
            _ => at_ceiling,
        };
        self.world.time_step = wanted.max(range.smallest);
        tracing::debug!(
            "step {}: time step {now:.3e} s becomes {:.3e} s: {criterion}",
            self.world.step,
            self.world.time_step
        );
        self.state.time_step_criterion = criterion.to_owned();
        Ok(())
    }

    fn reduce(&mut self, bound: &Bound, reduced: f64) {
        tracing::info!(
            "step {}: time step reduced from {:.3e} s to {reduced:.3e} s by the {} ({})",
            self.world.step,
            self.world.time_step,
            bound.criterion,
            bound.detail
        );
        self.world.time_step = reduced;
        self.state.time_step_criterion = bound.criterion.to_owned();
    }

    fn warn_of(&mut self, bounds: &[Bound]) {
        let step = self.world.time_step;
        for bound in bounds.iter().filter(|bound| bound.time_step < step) {
            self.warn_once(bound, step);
        }
    }

    /// One warning for every criterion.
    fn warn_once(&mut self, bound: &Bound, step: f64) {
        if !self.warned.contains(&bound.criterion) {
            tracing::warn!(
                "step {}: the time step {step:.3e} s is above {:.3e} s, the bound by the {} ({})",
                self.world.step,
                bound.time_step,
                bound.criterion,
                bound.detail
            );
            self.warned.push(bound.criterion);
        }
    }
}
