//! What a run writes on its way and at its end.

use dem_io::atomic;
use dem_io::series::{Series, SeriesWriter};

use super::{Ended, Run, RunBounds, RunError, Summary, pictures};
use crate::measure;
use crate::saved_state::{self, SavedStateError};

impl Run {
    /// When forces of contacts are asked for next: by a row, a frame or a bound \[s\].
    pub(super) fn next_look(&self, bounds: &RunBounds) -> f64 {
        let next = |kind: usize| self.simulation.state.outputs[kind] as f64 * self.intervals[kind];
        next(0).min(next(1)).min(bounds.time.unwrap_or(f64::INFINITY))
    }

    /// Writes the rows whose time has come and hands over the frames and checkpoints.
    pub(super) fn write_due(&mut self) -> Result<(), RunError> {
        let world = &self.simulation.world;
        let now = world.time + 0.5 * world.time_step;
        let mut due = [false; 3];
        for kind in 0..3 {
            let next = &mut self.simulation.state.outputs[kind];
            if now >= *next as f64 * self.intervals[kind] {
                *next = next_output(now, self.intervals[kind]);
                due[kind] = true;
            }
        }
        if due[0] {
            let row = measure::series_row(&self.simulation);
            self.series.append(&row)?;
            let world = &self.simulation.world;
            self.simulation.state.last_row = (world.time, world.removed_mass);
        }
        if self.simulation.probes.take_due(now, next_output) {
            self.append_profiles()?;
            self.simulation.probes.restart();
        }
        if due[1] {
            self.writer.write_frame(&self.simulation.world, self.contacts)?;
        }
        // nothing has happened yet at step 0 that a checkpoint could save
        if due[2] && self.simulation.world.step > 0 {
            self.write_checkpoint()?;
        }
        Ok(())
    }

    /// Writes the averages of the wall probes so far.
    fn append_profiles(&mut self) -> Result<(), RunError> {
        if let Some(profiles) = &mut self.profiles {
            for row in self.simulation.probes.rows(&self.simulation.world) {
                profiles.append(&row.values())?;
            }
        }
        Ok(())
    }

    /// Hands a checkpoint over, unless there is one of this step.
    fn write_checkpoint(&mut self) -> Result<(), RunError> {
        let step = self.simulation.world.step;
        if self.last_checkpoint == Some(step) {
            return Ok(());
        }
        let bytes = saved_state::save(&self.simulation, &self.fingerprint).map_err(|error| match error {
            SavedStateError::Simulation(error) => error.into(),
            error => RunError::SavedState { path: self.directory.clone(), error },
        })?;
        // what the checkpoint continues from must be on disk before it
        self.sync_tables()?;
        self.writer.write_checkpoint(step, bytes)?;
        self.last_checkpoint = Some(step);
        Ok(())
    }

    /// Waits until all rows are on the disk.
    fn sync_tables(&mut self) -> Result<(), RunError> {
        self.series.sync()?;
        if let Some(profiles) = &mut self.profiles {
            profiles.sync()?;
        }
        Ok(())
    }

    /// Writes the present state in full and waits until it is on the disk; changes nothing of it. A state with numbers beyond all use is no
    /// checkpoint.
    pub(super) fn write_last(&mut self) -> Result<(), RunError> {
        let p = &self.simulation.world.particles;
        let finite = [&p.position, &p.velocity, &p.angular_velocity].iter().all(|v| v.iter().all(|x| x.is_finite()));
        let step = self.simulation.world.step;
        if self.series.last_step().is_none_or(|last| last < step as f64) {
            let row = measure::series_row(&self.simulation);
            self.series.append(&row)?;
        }
        let is_written = |table: &SeriesWriter| table.last_step().is_some_and(|last| last >= step as f64);
        if self.simulation.probes.duration() > 0.0 && !self.profiles.as_ref().is_some_and(is_written) {
            self.append_profiles()?;
        }
        if finite && self.writer.last_frame().is_none_or(|last| last < step) {
            self.writer.write_frame(&self.simulation.world, self.contacts)?;
        }
        if finite && saved_state::check(&self.simulation).is_ok() {
            self.write_checkpoint()?;
        }
        self.sync_tables()?;
        self.writer.flush()
    }

    /// Writes summary, picture and plots of the present state and returns the summary.
    ///
    /// # Errors
    /// A file that cannot be written.
    pub fn finish(&mut self, ended: Ended) -> Result<Summary, RunError> {
        self.series.sync()?;
        let series = Series::read(self.directory.join("series.csv"))?;
        let mut summary = Summary::of(
            &self.simulation,
            &self.title,
            self.seed,
            ended,
            self.started.elapsed(),
            self.waited,
            self.particle_steps,
            &self.fingerprint,
            &series,
        );
        if let Some(failure) = &self.failure {
            summary.stop_reason = format!("failed: {failure}");
        }
        let text = summary.to_json();
        atomic::write_atomically(&self.directory.join("summary.json"), text.as_bytes())?;
        match pictures::render_world(&self.simulation, &self.title, &self.picture) {
            Ok(image) => atomic::write_atomically(&self.directory.join("picture.png"), &image)?,
            // an empty or a diverged world; the results are written all the same
            Err(error) => tracing::warn!("no picture: {error}"),
        }
        match pictures::plot_series(&self.directory) {
            Err(RunError::View(error)) => tracing::warn!("no plots: {error}"),
            drawn => drop(drawn?),
        }
        Ok(summary)
    }
}

/// Number of the first output after `now`; they lie at whole multiples of `interval`.
pub(crate) fn next_output(now: f64, interval: f64) -> u64 {
    ((now / interval).floor() as u64).saturating_add(1)
}
