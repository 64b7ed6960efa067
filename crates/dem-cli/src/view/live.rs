//! What a browser is told of a snapshot file, also while a run appends to it.
//!
//! A run never changes earlier frames, and makes a new one exist last (`dem_io::snapshot`); a reader that opens the file during the milliseconds of an
//! append can see a mixture all the same. So the file is opened anew whenever its length or its time has changed, and what was read counts if
//! neither changed meanwhile. If a run appends without end, the browser asks again a little later.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use dem_analysis::AnalysisError;
use dem_analysis::interactive::Recording;
use dem_page::{frame_message, list_message, scene_message, served_page};

use super::loopback::Answer;
use crate::failure::Failure;

/// Attempts to read a file that is being written, and the time between two.
const ATTEMPTS: usize = 10;
const PAUSE: Duration = Duration::from_millis(20);
/// Messages of frames that are kept.
const KEPT: usize = 4;

/// Length, time of the last change and, where the system knows it, of the creation of a file.
type Stamp = (u64, SystemTime, Option<SystemTime>);

/// A snapshot file that may grow.
pub struct Live {
    path: PathBuf,
    first_field: String,
    state: Mutex<State>,
}

struct State {
    recording: Recording,
    stamp: Option<Stamp>,
    /// Changes when earlier frames become others, as after a restart from an earlier state.
    origin: u64,
    messages: Vec<(usize, Arc<Vec<u8>>)>,
}

impl Live {
    /// Opens a file.
    ///
    /// # Errors
    /// A file that cannot be read, a field that its frames do not have.
    pub fn open(path: &Path, first_field: &str) -> Result<Self, Failure> {
        let stamp = stamp_of(path);
        let recording = opened(path)?;
        if !recording.frames().is_empty() {
            recording.scene(first_field, [])?;
        }
        let state = State { recording, stamp, origin: 0, messages: Vec::new() };
        Ok(Self { path: path.to_path_buf(), first_field: first_field.to_owned(), state: Mutex::new(state) })
    }

    /// Whether walls can be shown.
    pub fn knows_walls(&self) -> bool {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).recording.knows_walls()
    }

    /// What is sent for a path.
    pub fn answer(&self, path: &str) -> Answer {
        // a state that a thread left in the middle of a change is a complete one: fields are replaced one at a time
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let number = |text: &str| text.parse::<usize>().ok();
        let unknown = || Answer::words(404, "there is nothing of this name");
        match path.split_once('/') {
            None if path.is_empty() => Answer::html(served_page(state.recording.title())),
            None if path == "scene" => self.scene(&state),
            Some(("frames", first)) => number(first).map_or_else(unknown, |first| self.list(&mut state, first)),
            Some(("frame", index)) => number(index).map_or_else(unknown, |index| self.frame(&mut state, index)),
            _ => unknown(),
        }
    }

    fn scene(&self, state: &State) -> Answer {
        let frames = state.recording.frames().len();
        let described = || {
            // what has no end is drawn as far as the spheres of the last frame reach
            let last = frames.checked_sub(1).map(|last| state.recording.arrays(last)).transpose()?;
            state.recording.scene(&self.first_field, &last)
        };
        described().map_or_else(|error| failed(&error), |scene| Answer::json(&scene_message(&scene)))
    }

    fn list(&self, state: &mut State, first: usize) -> Answer {
        self.refresh(state);
        let frames = state.recording.frames();
        let first = first.min(frames.len());
        let frames: Vec<(u64, f64)> = frames[first..].iter().map(|frame| (frame.step, frame.time)).collect();
        Answer::json(&list_message(first, &frames, state.origin))
    }

    fn frame(&self, state: &mut State, index: usize) -> Answer {
        if let Some((_, message)) = state.messages.iter().find(|(kept, _)| *kept == index) {
            return Answer::bytes(Arc::clone(message));
        }
        if index >= state.recording.frames().len() {
            return Answer::words(404, format_args!("there is no frame {index}"));
        }
        let read = settled(&self.path, || {
            let arrays = state.recording.arrays(index)?;
            frame_message(&arrays).map_err(|error| AnalysisError::Snapshots(error.to_string()))
        });
        match read {
            Ok(message) => {
                let message = Arc::new(message);
                if state.messages.len() >= KEPT {
                    state.messages.remove(0);
                }
                state.messages.push((index, Arc::clone(&message)));
                Answer::bytes(message)
            }
            Err(error) => failed(&error),
        }
    }

    /// Reads the list of frames anew if the file has changed. One that cannot be read now is asked for again later.
    fn refresh(&self, state: &mut State) {
        let stamp = stamp_of(&self.path);
        if stamp.is_none() || stamp == state.stamp {
            return;
        }
        let Ok(recording) = opened(&self.path) else { return };
        if !state.recording.goes_on_in(&recording) {
            state.origin += 1;
            state.messages.clear();
        }
        state.recording = recording;
        state.stamp = stamp;
    }
}

fn failed(error: &AnalysisError) -> Answer {
    Answer::words(503, error)
}

fn stamp_of(path: &Path) -> Option<Stamp> {
    let metadata = dem_io::regular_file::metadata(path).ok()?;
    Some((metadata.len(), metadata.modified().ok()?, metadata.created().ok()))
}

fn opened(path: &Path) -> Result<Recording, AnalysisError> {
    settled(path, || Recording::open(path))
}

/// What `read` finds in a file that did not change meanwhile; what it found last if the file never rests.
fn settled<T>(path: &Path, mut read: impl FnMut() -> Result<T, AnalysisError>) -> Result<T, AnalysisError> {
    let mut attempt = 0;
    loop {
        let before = stamp_of(path);
        let found = read();
        attempt += 1;
        let is_settled = before == stamp_of(path);
        // a file at rest that cannot be read will not be readable later
        if is_settled || attempt >= ATTEMPTS {
            return found;
        }
        std::thread::sleep(PAUSE);
    }
}
