//! The thread that writes frames, and syncs checkpoints, while steps continue.
//!
//! It processes its tasks in the order in which they were queued: a checkpoint reaches the disk after the frames that
//! were queued before it, and not at all if one of them could not be written. To open, complete and sync the file of
//! frames costs several milliseconds however small they are, so that frames that come in faster are written together,
//! all that have piled up meanwhile. As many may be queued as fit into some memory, but at least one: then the next
//! waits until that is on the disk.

use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};

use dem_io::atomic::Unfinished;
use dem_io::checkpoint_folder;
use dem_io::directory_lock::DirectoryLock;
use dem_io::snapshot::{Frame, SnapshotWriter};

use super::error::RunError;
use super::log_lines::Lines;
use crate::frames::frame::Recording;
use crate::state::world::World;

/// Most frames queued for the disk.
const MOST_FRAMES: usize = 256;
/// Memory that they may take together, if they are more than one \[byte\].
const FRAME_MEMORY: usize = 16 << 20;
/// Capacity of the queue, in addition to what is being written: all frames, a checkpoint, and a request for an answer.
const QUEUE: usize = MOST_FRAMES + 2;

/// A task of the thread.
enum Task {
    Frame(Box<Recording>),
    Checkpoint {
        step: u64,
        /// \[s\]
        time: f64,
        file: Unfinished,
        /// Latest step that the second checkpoint, which is kept as well, may have.
        far: u64,
    },
    /// To say that everything before it is done.
    Answer(SyncSender<()>),
}

/// The running thread.
struct Worker {
    tasks: SyncSender<Task>,
    /// Recordings, when their frames are on the disk. No thread waits for the lock: it lets a run be shared between
    /// threads.
    returned: Mutex<Receiver<Box<Recording>>>,
    thread: JoinHandle<Result<(), RunError>>,
}

/// Writes frames and checkpoints in the background.
///
/// Any error is returned by the next call that finds the thread ended, at the latest by [`Self::flush`]; what was
/// queued after it is not written. A later call begins anew.
pub(super) struct Writer {
    snapshots: Arc<Mutex<SnapshotWriter>>,
    checkpoints: PathBuf,
    /// The claim on the directory.
    owner: Arc<DirectoryLock>,
    /// The log, which has a line for everything that is on the disk.
    lines: Arc<Lines>,
    /// Step of the last frame, written or queued.
    last_frame: Option<u64>,
    /// Recordings that are not in use.
    #[expect(clippy::vec_box, reason = "they go through the channels in their boxes")]
    free: Vec<Box<Recording>>,
    /// How many the thread has.
    away: usize,
    /// Memory of the one that came back last \[byte\].
    size: usize,
    worker: Option<Worker>,
}

impl Writer {
    /// Appends frames with `snapshots` and puts checkpoints into a folder, in a directory that has an owner.
    pub(super) fn new(
        snapshots: SnapshotWriter,
        checkpoints: PathBuf,
        owner: Arc<DirectoryLock>,
        lines: Arc<Lines>,
    ) -> Self {
        let last_frame = snapshots.last_step();
        Self {
            snapshots: Arc::new(Mutex::new(snapshots.owned_by(Arc::clone(&owner)))),
            checkpoints,
            owner,
            lines,
            last_frame,
            free: Vec::new(),
            away: 0,
            size: 0,
            worker: None,
        }
    }

    /// Follows the files, which were moved, once everything that was queued is written.
    pub(super) fn move_to(&mut self, snapshots: PathBuf, checkpoints: PathBuf) -> Result<(), RunError> {
        self.end()?;
        self.snapshots.lock().unwrap_or_else(PoisonError::into_inner).rename_to(snapshots);
        self.checkpoints = checkpoints;
        Ok(())
    }

    /// Step of the last frame.
    pub(super) fn last_frame(&self) -> Option<u64> {
        self.last_frame
    }

    /// Records the present state as the next frame; `contacts` adds the table of contacts.
    pub(super) fn write_frame(&mut self, world: &World, contacts: bool) -> Result<(), RunError> {
        let mut recording = self.take_recording()?;
        recording.record(world, contacts);
        self.last_frame = Some(world.step);
        self.away += 1;
        self.hand_over(Task::Frame(recording))
    }

    /// A recording, once no more frames are queued than may be.
    fn take_recording(&mut self) -> Result<Box<Recording>, RunError> {
        while let Some(recording) = self.worker.as_mut().and_then(|worker| worker.returned().try_recv().ok()) {
            self.away -= 1;
            self.size = recording.size();
            self.free.push(recording);
        }
        // the size of the first one is not known until it has come back
        let most = FRAME_MEMORY.checked_div(self.size).map_or(1, |most| most.clamp(1, MOST_FRAMES));
        if self.away < most {
            return Ok(self.free.pop().unwrap_or_default());
        }
        if let Some(worker) = &mut self.worker
            && let Ok(recording) = worker.returned().recv()
        {
            self.away -= 1;
            self.size = recording.size();
            return Ok(recording);
        }
        self.end()?;
        Ok(self.free.pop().unwrap_or_default())
    }

    /// An empty file for a checkpoint, which is written by the caller that has the state: it may be larger than what
    /// there is room for in memory.
    pub(super) fn begin_checkpoint(&self) -> Result<Unfinished, RunError> {
        Ok(checkpoint_folder::begin(&self.checkpoints)?)
    }

    /// Makes a file that was written the checkpoint of a step and removes all others but the newest up to the step `far`.
    pub(super) fn finish_checkpoint(
        &mut self,
        step: u64,
        time: f64,
        file: Unfinished,
        far: u64,
    ) -> Result<(), RunError> {
        self.hand_over(Task::Checkpoint { step, time, file, far })
    }

    /// Waits until everything that was queued is on the disk.
    pub(super) fn flush(&mut self) -> Result<(), RunError> {
        if self.worker.is_none() {
            return Ok(());
        }
        let (sender, answer) = sync_channel(1);
        self.hand_over(Task::Answer(sender))?;
        match answer.recv() {
            Ok(()) => Ok(()),
            Err(_) => self.end(),
        }
    }

    fn hand_over(&mut self, task: Task) -> Result<(), RunError> {
        let mut task = task;
        loop {
            let worker = match &self.worker {
                Some(worker) => worker,
                None => self.worker.insert(Worker::start(self)?),
            };
            match worker.tasks.send(task) {
                Ok(()) => return Ok(()),
                Err(unsent) => task = unsent.0,
            }
            // it has ended by an error, which goes to the caller
            self.end()?;
        }
    }

    /// Waits for the thread to end; returns what went wrong in it.
    fn end(&mut self) -> Result<(), RunError> {
        let Some(Worker { tasks, returned, thread }) = self.worker.take() else { return Ok(()) };
        drop(tasks);
        let done = thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        // the thread may have ended with some
        self.free.extend(returned.into_inner().unwrap_or_else(PoisonError::into_inner).try_iter());
        self.away = 0;
        self.last_frame = self.snapshots.lock().unwrap_or_else(PoisonError::into_inner).last_step();
        done
    }
}

impl Drop for Writer {
    /// What was queued reaches the disk also if the run is dropped.
    fn drop(&mut self) {
        if let Some(Worker { tasks, thread, .. }) = self.worker.take() {
            drop(tasks);
            // that the directory is lost ends the run, which says so
            if let Ok(Err(error)) = thread.join()
                && !error.is_directory_lost()
            {
                tracing::warn!("{error}");
            }
        }
    }
}

impl Worker {
    fn returned(&mut self) -> &Receiver<Box<Recording>> {
        self.returned.get_mut().unwrap_or_else(PoisonError::into_inner)
    }

    fn start(writer: &Writer) -> Result<Self, RunError> {
        let Writer { snapshots, checkpoints, owner, lines, .. } = writer;
        let (tasks, queue) = sync_channel(QUEUE);
        let (back, returned) = channel();
        let place = Place {
            snapshots: Arc::clone(snapshots),
            checkpoints: checkpoints.clone(),
            owner: Arc::clone(owner),
            lines: Arc::clone(lines),
        };
        let thread = thread::Builder::new()
            .name("output".to_owned())
            .spawn(move || work(&queue, &back, &place))
            .map_err(dem_io::Error::system("start the thread that writes", checkpoints))?;
        Ok(Self { tasks, returned: Mutex::new(returned), thread })
    }
}

/// What the thread writes to.
struct Place {
    snapshots: Arc<Mutex<SnapshotWriter>>,
    checkpoints: PathBuf,
    owner: Arc<DirectoryLock>,
    lines: Arc<Lines>,
}

/// Processes tasks until no sender is left, or until an error occurs.
fn work(queue: &Receiver<Task>, back: &Sender<Box<Recording>>, place: &Place) -> Result<(), RunError> {
    let Place { snapshots, checkpoints, owner, lines } = place;
    // what goes wrong where the directory is lost, does so for that
    let explained = |error: RunError| owner.check().err().map_or(error, RunError::from);
    let mut next = queue.recv().ok();
    while let Some(task) = next.take() {
        match task {
            Task::Frame(first) => {
                let mut recordings = vec![first];
                while let Ok(task) = queue.try_recv() {
                    match task {
                        Task::Frame(recording) => recordings.push(recording),
                        other => {
                            next = Some(other);
                            break;
                        }
                    }
                }
                let frames: Vec<&Frame> = recordings.iter().map(|recording| recording.frame()).collect();
                let mut file = snapshots.lock().unwrap_or_else(PoisonError::into_inner);
                let first = file.frame_count();
                file.append_all(&frames).map_err(|error| explained(error.into()))?;
                drop(file);
                for (number, frame) in (first..).zip(&frames) {
                    lines.add(frame.step, frame.time, &format!("frame {number}"));
                }
                for mut recording in recordings {
                    recording.keep_little(FRAME_MEMORY);
                    // the receiver may be gone already
                    let _ = back.send(recording);
                }
            }
            Task::Checkpoint { step, time, file, far } => {
                finish_checkpoint(checkpoints, step, file, far, owner).map_err(|error| explained(error.into()))?;
                lines.add(step, time, "checkpoint");
            }
            Task::Answer(done) => {
                let _ = done.send(());
            }
        }
        if next.is_none() {
            next = queue.recv().ok();
        }
    }
    Ok(())
}

fn finish_checkpoint(
    checkpoints: &Path,
    step: u64,
    file: Unfinished,
    far: u64,
    owner: &DirectoryLock,
) -> dem_io::Result<()> {
    owner.check()?;
    checkpoint_folder::finish(file, checkpoints, step)?;
    owner.check()?;
    checkpoint_folder::prune(checkpoints, step, far)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::io::Write;

    use dem_core::cell::Cell;
    use dem_core::contact_list::LawSelection;
    use dem_io::snapshot::SnapshotReader;

    use super::*;

    struct Place {
        folder: tempfile::TempDir,
        writer: Writer,
        world: World,
    }

    impl Place {
        fn new() -> Self {
            let folder = tempfile::tempdir().unwrap();
            let snapshots = SnapshotWriter::create(&folder.path().join("frames.vtkhdf"), &BTreeMap::new()).unwrap();
            let owner = Arc::new(DirectoryLock::acquire(folder.path()).unwrap());
            let writer = Writer::new(snapshots, folder.path().join("checkpoints"), owner, Arc::new(Lines::new()));
            let world = World::new(Cell::unbounded(), Vec::new(), LawSelection::uniform(1), Vec::new(), 1.0);
            Self { folder, writer, world }
        }

        fn frames(&self) -> Vec<u64> {
            let reader = SnapshotReader::open(&self.folder.path().join("frames.vtkhdf")).unwrap();
            reader.frames().iter().map(|frame| frame.step).collect()
        }

        fn checkpoints(&self) -> Vec<u64> {
            let found = checkpoint_folder::list(&self.folder.path().join("checkpoints")).unwrap();
            found.into_iter().map(|(step, _)| step).collect()
        }

        fn write_checkpoint(&mut self, step: u64, far: u64) -> Result<(), RunError> {
            let mut file = self.writer.begin_checkpoint()?;
            file.file().write_all(&step.to_le_bytes()).unwrap();
            self.writer.finish_checkpoint(step, 0.0, file, far)
        }

        /// Records a frame of the next step.
        fn step(&mut self) -> Result<(), RunError> {
            self.world.step += 1;
            self.writer.write_frame(&self.world, true)
        }
    }

    #[test]
    fn everything_is_written_in_order_however_fast_it_comes() {
        let mut place = Place::new();
        for step in 1..=30 {
            place.step().unwrap();
            if step % 3 == 0 {
                place.write_checkpoint(step, step).unwrap();
            }
        }
        assert_eq!(place.writer.last_frame(), Some(30));
        place.writer.flush().unwrap();
        assert_eq!(place.frames(), (1..=30).collect::<Vec<u64>>());
        assert_eq!(place.checkpoints(), [27, 30]);
    }

    #[test]
    fn frames_that_come_faster_than_they_are_written_do_not_wait() {
        let mut place = Place::new();
        place.step().unwrap();
        place.writer.flush().unwrap();
        {
            // whoever writes has to wait
            let snapshots = Arc::clone(&place.writer.snapshots);
            let _held = snapshots.lock().unwrap();
            for _ in 0..100 {
                place.step().unwrap();
            }
        }
        place.writer.flush().unwrap();
        assert_eq!(place.frames(), (1..=101).collect::<Vec<u64>>());
    }

    #[test]
    fn checkpoint_after_a_frame_that_failed_is_not_written_and_the_error_is_told_once() {
        let mut place = Place::new();
        place.step().unwrap();
        place.write_checkpoint(1, 1).unwrap();
        place.writer.flush().unwrap();
        // a folder takes the place of the file
        let path = place.folder.path().join("frames.vtkhdf");
        let away = place.folder.path().join("away");
        std::fs::rename(&path, &away).unwrap();
        std::fs::create_dir(&path).unwrap();
        place.step().unwrap();
        let told = [place.write_checkpoint(2, 2).err(), place.writer.flush().err()];
        let told: Vec<String> = told.into_iter().flatten().map(|error| error.to_string()).collect();
        assert!(told.len() == 1 && told[0].contains("frames.vtkhdf"), "{told:?}");
        assert_eq!(place.checkpoints(), [1]);
        // and it may be tried again
        std::fs::remove_dir(&path).unwrap();
        std::fs::rename(&away, &path).unwrap();
        place.step().unwrap();
        place.write_checkpoint(3, 3).unwrap();
        place.writer.flush().unwrap();
        assert_eq!((place.frames(), place.checkpoints()), (vec![1, 3], vec![1, 3]));
    }

    #[cfg(unix)]
    #[test]
    fn nothing_is_written_where_the_directory_was() {
        let above = tempfile::tempdir().unwrap();
        let [here, there] = ["here", "there"].map(|name| above.path().join(name));
        std::fs::create_dir(&here).unwrap();
        let owner = Arc::new(DirectoryLock::acquire(&here).unwrap());
        let snapshots = SnapshotWriter::create(&here.join("frames.vtkhdf"), &BTreeMap::new()).unwrap();
        let mut writer = Writer::new(snapshots, here.join("checkpoints"), owner, Arc::new(Lines::new()));
        let mut world = World::new(Cell::unbounded(), Vec::new(), LawSelection::uniform(1), Vec::new(), 1.0);
        world.step = 1;
        writer.write_frame(&world, true).unwrap();
        writer.flush().unwrap();
        std::fs::rename(&here, &there).unwrap();
        std::fs::create_dir(&here).unwrap();
        std::fs::copy(there.join("frames.vtkhdf"), here.join("frames.vtkhdf")).unwrap();
        let before = std::fs::read(here.join("frames.vtkhdf")).unwrap();
        world.step = 2;
        writer.write_frame(&world, true).unwrap();
        assert!(writer.flush().unwrap_err().is_directory_lost());
        let file = writer.begin_checkpoint().unwrap();
        writer.finish_checkpoint(2, 0.0, file, 2).unwrap();
        assert!(writer.flush().unwrap_err().is_directory_lost());
        assert!(std::fs::read(here.join("frames.vtkhdf")).unwrap() == before);
        assert_eq!(std::fs::read_dir(&here).unwrap().count(), 1);
    }

    #[test]
    fn checkpoint_may_come_before_the_first_frame() {
        let mut place = Place::new();
        place.write_checkpoint(0, 0).unwrap();
        place.step().unwrap();
        place.write_checkpoint(1, 1).unwrap();
        place.step().unwrap();
        place.writer.flush().unwrap();
        assert_eq!((place.frames(), place.checkpoints()), (vec![1, 2], vec![0, 1]));
    }

    #[test]
    fn a_run_that_is_given_up_leaves_what_it_handed_over() {
        let mut place = Place::new();
        place.step().unwrap();
        place.write_checkpoint(1, 1).unwrap();
        let Place { folder, writer, .. } = place;
        drop(writer);
        let reader = SnapshotReader::open(&folder.path().join("frames.vtkhdf")).unwrap();
        assert_eq!(reader.frames().len(), 1);
        assert_eq!(checkpoint_folder::list(&folder.path().join("checkpoints")).unwrap().len(), 1);
    }
}
