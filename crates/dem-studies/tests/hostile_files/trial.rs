//! One input given to one reader under watch: panics, processor time and memory.

use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Time after which an input counts as a hang, if it takes as long when tried again: a busy machine is no hang.
const LONGEST: Duration = Duration::from_secs(2);
/// Time after which the process is ended, because the input may never come back.
const LOST: Duration = Duration::from_secs(300);

thread_local! {
    /// Where panics of this thread happened since they were last asked for; nothing is noted without a watch.
    static PANICS: RefCell<Option<Vec<String>>> = const { RefCell::new(None) };
}

/// What a reader did with an input.
#[derive(Debug, Default)]
pub struct Trial {
    /// Whether the input was taken for a file.
    pub accepted: bool,
    /// Panics that the reader turned into an error itself.
    pub contained: Vec<String>,
    /// What must not happen.
    pub faults: Vec<String>,
    /// Most memory at any time \[byte\].
    pub memory: u64,
    /// How long it took \[s\].
    pub seconds: f64,
}

/// Notes panics of watched threads instead of printing them.
pub fn install() {
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |information| {
        let noted = PANICS.with_borrow_mut(|panics| {
            panics.as_mut().map(|panics| {
                let place = information.location().map_or(String::new(), |place| {
                    // registries and checkouts lie elsewhere on every machine
                    let file: Vec<&str> = place.file().rsplit('/').take(3).collect();
                    format!("{}:{}", file.into_iter().rev().collect::<Vec<_>>().join("/"), place.line())
                });
                let payload = information.payload();
                let text = payload.downcast_ref::<String>().map(String::as_str);
                let text = text.or_else(|| payload.downcast_ref::<&str>().copied()).unwrap_or_default();
                panics.push(format!("{place} {}", text.lines().next().unwrap_or_default()));
            })
        });
        if noted.is_none() {
            usual(information);
        }
    }));
}

/// Gives an input to a reader. `allowed` is the most memory it may hold at any time \[byte\].
pub fn watch(allowed: u64, mut read: impl FnMut() -> bool) -> Trial {
    let mut trial = Trial::default();
    let mut shortest = Duration::MAX;
    for _ in 0..3 {
        PANICS.set(Some(Vec::new()));
        let began = Instant::now();
        let mut outcome = Ok(false);
        let counted = allocation_counter::measure(|| outcome = catch_unwind(AssertUnwindSafe(&mut read)));
        let panics = PANICS.take().unwrap_or_default();
        shortest = shortest.min(began.elapsed());
        trial.memory = counted.bytes_max;
        match outcome {
            Ok(accepted) => (trial.accepted, trial.contained) = (accepted, panics),
            Err(_) => trial.faults = vec![format!("panic: {}", panics.last().map_or("", String::as_str))],
        }
        if shortest < LONGEST {
            break;
        }
    }
    trial.seconds = shortest.as_secs_f64();
    if shortest >= LONGEST {
        trial.faults.push("takes longer than 2 s".to_owned());
    }
    if trial.memory > allowed {
        trial.faults.push("holds more memory than is documented".to_owned());
    }
    trial
}

/// Ends the process, with the name of the input, if one does not come back.
pub struct Watchdog {
    present: Mutex<(Instant, String)>,
    done: AtomicBool,
}

impl Watchdog {
    pub fn new() -> Self {
        Self { present: Mutex::new((Instant::now(), String::new())), done: AtomicBool::new(false) }
    }

    /// The input that comes next.
    pub fn expect(&self, name: String) {
        *self.present.lock().expect("nobody panics with it") = (Instant::now(), name);
    }

    /// Looks on until the leash is dropped.
    #[expect(clippy::print_stderr, reason = "the process ends")]
    pub fn look(&self) {
        while !self.done.load(Ordering::Relaxed) {
            std::thread::sleep(Duration::from_millis(100));
            let (since, name) = &*self.present.lock().expect("nobody panics with it");
            if since.elapsed() > LOST {
                eprintln!("{name} has not come back for {} s", LOST.as_secs());
                std::process::exit(1);
            }
        }
    }

    /// Ends [`Self::look`] when it goes out of scope, also by a test that fails.
    pub fn leash(&self) -> Leash<'_> {
        Leash(self)
    }
}

pub struct Leash<'a>(&'a Watchdog);

impl Drop for Leash<'_> {
    fn drop(&mut self) {
        self.0.done.store(true, Ordering::Relaxed);
    }
}
