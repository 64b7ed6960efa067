//! What a run writes while it proceeds and at its end.

use std::path::{Path, PathBuf};
use std::time::Instant;

use dem_io::checkpoint::CheckpointReader;
use dem_io::series::{Series, SeriesWriter};
use dem_io::snapshot::{Frame, SnapshotReader};
use dem_io::{atomic, checkpoint_folder};

use super::bounds::{Ended, RunBounds};
use super::components::Run;
use super::due::{self, Due};
use super::error::RunError;
use super::own_files::{CHECKPOINTS, PICTURE, SERIES, SNAPSHOTS, SUMMARY};
use super::summary::Summary;
use super::time_by_phase::Measured;
use super::{gaps, series_plots};
use crate::checkpoint::format::SavedStateError;
use crate::checkpoint::{self, read};
use crate::measure;
use crate::pictures::render;
use crate::pictures::request::PictureRequest;
use crate::pictures::scenery::Scenery;
use crate::simulation::components::Simulation;
use crate::state::clock::TOLERANCE;

impl Run {
    /// When forces of contacts are read next: by a row, a frame or a bound \[s\].
    pub(super) fn next_look(&self, bounds: &RunBounds) -> f64 {
        due::next_output(&self.simulation).min(bounds.time.unwrap_or(f64::INFINITY))
    }

    /// Writes the rows that are due and queues the frames and, if requested, checkpoints for the writer.
    pub(super) fn write_due(&mut self, with_checkpoint: bool) -> Result<(), RunError> {
        let due = due::take_due(&mut self.simulation);
        if due == Due::default() {
            return Ok(());
        }
        self.with_all(|run| run.write_what_is(due, with_checkpoint))
    }

    fn write_what_is(&mut self, due: Due, with_checkpoint: bool) -> Result<(), RunError> {
        if due.row {
            self.append_row()?;
            due::note_row(&mut self.simulation);
        }
        if due.profiles {
            self.append_profiles()?;
            self.simulation.probes.restart();
        }
        if due.frame {
            self.write_frame()?;
            self.simulation.world.facets.begin_window();
        }
        // nothing has happened yet at step 0 that a checkpoint could save
        if due.checkpoint && with_checkpoint && self.simulation.world.step > 0 {
            self.write_checkpoint()?;
        }
        Ok(())
    }

    fn append_row(&mut self) -> Result<(), RunError> {
        self.lock.check()?;
        let row = measure::series_row(&self.simulation);
        if let Some(outputs) = &mut self.outputs {
            outputs.series.append(&row)?;
            if let Some(contacts) = &mut outputs.contacts {
                let Simulation { world, chosen_contacts, .. } = &self.simulation;
                for row in measure::chosen_contact_rows(world, chosen_contacts) {
                    contacts.append(&row)?;
                }
            }
        }
        Ok(())
    }

    /// Writes the averages of the wall probes so far.
    fn append_profiles(&mut self) -> Result<(), RunError> {
        self.lock.check()?;
        if let Some(profiles) = self.outputs.as_mut().and_then(|outputs| outputs.profiles.as_mut()) {
            for row in self.simulation.probes.rows(&self.simulation.world) {
                profiles.append(&row.values())?;
            }
        }
        Ok(())
    }

    fn write_frame(&mut self) -> Result<(), RunError> {
        let Some(outputs) = &mut self.outputs else { return Ok(()) };
        outputs.writer.write_frame(&self.simulation.world, self.contacts)
    }

    /// Hands a checkpoint over, unless there is one of this step.
    fn write_checkpoint(&mut self) -> Result<(), RunError> {
        let (step, time) = (self.simulation.world.step, self.simulation.world.time);
        if self.checkpoints.last().is_some_and(|&(last, _)| last == step) {
            return Ok(());
        }
        let far = self.an_interval_back(&self.checkpoints);
        let Some(outputs) = &mut self.outputs else { return Ok(()) };
        self.lock.check()?;
        let mut file = outputs.writer.begin_checkpoint()?;
        checkpoint::save_to(&self.simulation, &self.fingerprint, &mut file).map_err(|error| match error {
            SavedStateError::Simulation(error) => error.into(),
            SavedStateError::Container(error) => error.into(),
            error => RunError::SavedState { path: self.directory.clone(), error },
        })?;
        // what the checkpoint continues from must be on disk before it
        outputs.sync_tables()?;
        outputs.writer.finish_checkpoint(step, time, file, far)?;
        self.checkpoints.retain(|&(earlier, _)| earlier >= far);
        self.checkpoints.push((step, time));
        Ok(())
    }

    /// Step from which on back a checkpoint lies an interval before the present state, as far as is known: a run is to have a state from before
    /// what went wrong in its last steps.
    fn an_interval_back(&self, checkpoints: &[(u64, f64)]) -> u64 {
        let [.., interval] = self.simulation.state.output_intervals;
        // instants fall on the steps nearest to them
        let step = self.simulation.state.steps_taken[1];
        let since = self.simulation.world.time - interval + (1.0 + TOLERANCE) * step;
        let oldest = checkpoints.first().map_or(u64::MAX, |&(step, _)| step.saturating_sub(1));
        checkpoints.iter().rfind(|&&(_, time)| time <= since).map_or(oldest, |&(step, _)| step)
    }

    /// Removes the checkpoint that a call has left which was killed between its last checkpoint and that.
    fn remove_superfluous_checkpoint(&self) -> Result<(), RunError> {
        let folder = self.directory.join(CHECKPOINTS);
        let mut found = checkpoint_folder::list(&folder)?;
        let step = self.simulation.world.step;
        found.retain(|&(other, _)| other < step);
        if found.len() < 2 {
            return Ok(());
        }
        let time = |(step, path): &(u64, PathBuf)| {
            let reader = CheckpointReader::open(path).ok()?;
            Some((*step, read::time_of(&reader).ok()?))
        };
        // what cannot be read is left to the user
        let Some(earlier) = found.iter().map(time).collect::<Option<Vec<_>>>() else { return Ok(()) };
        self.lock.check()?;
        Ok(checkpoint_folder::prune(&folder, step, self.an_interval_back(&earlier))?)
    }

    /// Waits until everything that was queued is on the disk.
    pub(super) fn flush(&mut self) -> Result<(), RunError> {
        let Some(outputs) = &mut self.outputs else { return Ok(()) };
        outputs.sync_tables()?;
        outputs.writer.flush()
    }

    /// Writes the present state in full and waits until it is on the disk; changes nothing of it. A state with numbers beyond all use is no
    /// checkpoint.
    pub(super) fn write_last(&mut self, ended: Ended) -> Result<(), RunError> {
        let begun = Instant::now();
        let p = &self.simulation.world.particles;
        let finite = [&p.position, &p.velocity, &p.angular_velocity].iter().all(|v| v.iter().all(|x| x.is_finite()));
        let step = self.simulation.world.step;
        let Some(outputs) = &self.outputs else { return Ok(()) };
        let is_written = |table: &SeriesWriter| table.last_step().is_some_and(|last| last >= step as f64);
        let (has_row, has_profiles) = (is_written(&outputs.series), outputs.profiles.as_ref().is_some_and(is_written));
        let has_frame = outputs.writer.last_frame().is_some_and(|last| last >= step);
        if !has_row {
            self.append_row()?;
        }
        if self.simulation.probes.duration() > 0.0 && !has_profiles {
            self.append_profiles()?;
        }
        if finite && !has_frame {
            self.write_frame()?;
        }
        self.flush()?;
        self.waited += begun.elapsed();
        // before the checkpoint, which does not hold forces: after a kill between them the last steps are done again
        self.summary = Some(self.write_summary(ended)?);
        if finite && checkpoint::check(&self.simulation).is_ok() {
            self.write_checkpoint()?;
        }
        self.flush()
    }

    /// Writes summary, picture and plots of the present state, as far as [`Self::execute`] has not, and returns the summary. Of a restart that has
    /// taken no step only what is missing is written, which a call left out that was killed.
    ///
    /// # Errors
    /// A file that cannot be written.
    pub fn finish(&mut self, ended: Ended) -> Result<Summary, RunError> {
        let log = self.log.clone();
        log.listen(|| self.with_all(|run| run.write_rest(ended)))
    }

    fn write_rest(&mut self, ended: Ended) -> Result<Summary, RunError> {
        let is_untouched = self.continuation.is_some();
        let is_there = is_untouched && summarised_step(&self.directory) == Some(self.simulation.world.step);
        let summary = match self.summary.take() {
            Some(summary) => summary,
            None if is_there => self.summarise(ended)?,
            None => self.write_summary(ended)?,
        };
        self.draw(is_untouched)?;
        if is_untouched {
            self.remove_superfluous_checkpoint()?;
        }
        Ok(summary)
    }

    /// What the run came to.
    fn summarise(&mut self, ended: Ended) -> Result<Summary, RunError> {
        let series = Series::read(self.directory.join(SERIES))?;
        let all = self.started.elapsed();
        let (stepping, output, particle_steps) = (self.stepping, self.waited, self.particle_steps);
        let measured = Measured { all, stepping, output, particle_steps };
        let mut summary = Summary::of(
            &self.simulation,
            &self.title,
            self.seed,
            ended,
            measured,
            &self.fingerprint,
            &series,
            self.continuation.is_none(),
        );
        summary.gaps = gaps::read(&self.directory)?;
        if let Some(failure) = &self.failure {
            summary.stop_reason = format!("failed: {failure}");
        }
        Ok(summary)
    }

    fn write_summary(&mut self, ended: Ended) -> Result<Summary, RunError> {
        self.lock.check()?;
        let summary = self.summarise(ended)?;
        atomic::write_atomically(&self.directory.join(SUMMARY), summary.to_json().as_bytes())?;
        Ok(summary)
    }

    /// Draws picture and plots, or those that are missing, if any are requested.
    fn draw(&mut self, only_missing: bool) -> Result<(), RunError> {
        self.lock.check()?;
        let Some(request) = &self.picture else { return Ok(()) };
        let path = self.directory.join(PICTURE);
        if !(only_missing && path.exists()) {
            match self.picture(request)? {
                Ok(image) => atomic::write_atomically(&path, &image)?,
                // an empty or a diverged world; the results are written all the same
                Err(error) => tracing::warn!("no picture: {error}"),
            }
        }
        match series_plots::plot_series_of(&self.directory, only_missing) {
            Err(RunError::View(error)) => tracing::warn!("no plots: {error}"),
            drawn => drop(drawn?),
        }
        Ok(())
    }

    /// The picture of the present state.
    fn picture(&self, request: &PictureRequest) -> Result<Result<Vec<u8>, dem_view::ViewError>, RunError> {
        let frame = match self.last_frame()? {
            Some(frame) => frame,
            None => crate::frames::frame::frame(&self.simulation.world, false),
        };
        let world = &self.simulation.world;
        let scenery = Scenery::of_world(world, self.moving_walls.clone(), &self.title);
        Ok(render::render_frame(&frame, &scenery, request))
    }

    /// The frame of the state that a restart begins from, which unlike the state holds forces.
    fn last_frame(&self) -> Result<Option<Frame>, RunError> {
        let path = self.directory.join(SNAPSHOTS);
        if self.continuation.is_none() || !path.exists() {
            return Ok(None);
        }
        let reader = SnapshotReader::open(&path)?;
        let found = reader.frames().iter().position(|frame| frame.step == self.simulation.world.step);
        Ok(found.map(|index| reader.read(index)).transpose()?)
    }
}

/// Whether a directory has the picture and the plots of a run.
pub fn is_drawn(directory: &Path) -> bool {
    let has = |name: &str| directory.join(name).exists();
    let plots = || series_plots::series_figures(directory).unwrap_or_default();
    has(PICTURE) && plots().iter().all(|(name, _)| has(&format!("{name}.png")))
}

/// Step of the state that the summary in a directory describes.
fn summarised_step(directory: &Path) -> Option<u64> {
    let text = std::fs::read(directory.join(SUMMARY)).ok()?;
    serde_json::from_slice::<serde_json::Value>(&text).ok()?.get("steps")?.as_u64()
}
