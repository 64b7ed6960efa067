//! Files that were damaged, cut off, or made to do harm, given to every reader: none panics, hangs, or holds more memory than its
//! documentation says.
//!
//! Mutations know the formats: words and tables of scenes change places, payloads of checkpoints and blocks of HDF5 files are changed and
//! their checksums renewed. Every input follows from its number, so a finding is repeated by its name, as in `DEM_INPUT="scene 4711"`.
//!
//! ```sh
//! DEM_INPUTS=130000 cargo test -p dem-studies --test hostile_files campaign -- --ignored --nocapture
//! ```
#![expect(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout, reason = "helpers of tests")]

mod container;
mod hierarchical;
mod inputs;
mod mutation;
mod random;
mod readers;
mod trial;

use std::collections::BTreeMap;
use std::time::Instant;

use random::Random;
use readers::Target;
use trial::{Trial, Watchdog, watch};

/// What came of the inputs of a target.
#[derive(Default)]
struct Tally {
    inputs: u64,
    accepted: u64,
    /// Panics inside a reader that became errors, by place, with the first input.
    contained: BTreeMap<String, (u64, u64)>,
    /// Faults by kind, with their number and the first input.
    faults: BTreeMap<String, (u64, u64)>,
    memory: u64,
    /// Most memory in proportion to what is allowed.
    use_of_allowance: f64,
    longest: f64,
    seconds: f64,
}

impl Tally {
    fn add(&mut self, number: u64, trial: &Trial, allowed: u64) {
        self.inputs += 1;
        self.accepted += u64::from(trial.accepted);
        for (list, kinds) in [(&mut self.contained, &trial.contained), (&mut self.faults, &trial.faults)] {
            for kind in kinds {
                list.entry(kind.clone()).or_insert((0, number)).0 += 1;
            }
        }
        self.memory = self.memory.max(trial.memory);
        self.use_of_allowance = self.use_of_allowance.max(trial.memory as f64 / allowed as f64);
        self.longest = self.longest.max(trial.seconds);
        self.seconds += trial.seconds;
    }
}

/// Every reader accepts what it is given whole: otherwise mutations would test the first check only.
fn expect_sound(target: &mut Target) {
    for (number, input) in target.sound.iter().enumerate() {
        let trial = watch(u64::MAX, || (target.read)(number, &input.bytes));
        assert!(
            trial.accepted && trial.faults.is_empty(),
            "{}: {} is not accepted: {trial:?}",
            target.name,
            input.name
        );
    }
}

/// Gives some mutated inputs to every reader; `count` in all.
fn try_inputs(count: u64) -> Vec<(&'static str, Tally)> {
    let only = std::env::var("DEM_INPUT").ok().map(|text| {
        let (name, number) = text.rsplit_once(' ').expect("a target and a number");
        (name.to_owned(), number.parse::<u64>().expect("a number"))
    });
    let named = std::env::var("DEM_READERS").ok();
    let is_asked = |name: &str| named.as_ref().is_none_or(|list| list.split(';').any(|asked| asked == name));
    trial::install();
    let folder = tempfile::tempdir().unwrap();
    // the thread that counts memory does all the work
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let watchdog = Watchdog::new();
    std::thread::scope(|scope| {
        scope.spawn(|| watchdog.look());
        let _leash = watchdog.leash();
        pool.install(|| {
            let mut targets = readers::all(folder.path());
            let weights: u64 = targets.iter().map(|target| target.weight).sum();
            let mut tallies = Vec::new();
            for target in targets.iter_mut().filter(|target| is_asked(target.name)) {
                expect_sound(target);
                let mut tally = Tally::default();
                let inputs = (count * target.weight).div_ceil(weights);
                for number in 0..inputs {
                    let number = match &only {
                        Some((name, number)) if name == target.name && tally.inputs == 0 => *number,
                        Some(_) => break,
                        None => number,
                    };
                    let name = format!("{} {number}", target.name);
                    let (from, bytes) = (target.mutate)(&mut Random::of(target.name, number));
                    if only.is_some() {
                        let path = std::env::temp_dir().join("dem_input");
                        std::fs::write(&path, &bytes).unwrap();
                        println!("{name}, from {}, is in {}", target.sound[from].name, path.display());
                    }
                    watchdog.expect(name);
                    let allowed = target.allowed(bytes.len());
                    let trial = watch(allowed, || (target.read)(from, &bytes));
                    if only.is_some() {
                        println!("{trial:?}, allowed {allowed} bytes");
                    }
                    tally.add(number, &trial, allowed);
                }
                tallies.push((target.name, tally));
            }
            tallies
        })
    })
}

/// Prints a table in the form of the documentation; returns whether there was no fault.
fn report(tallies: &[(&'static str, Tally)]) -> bool {
    println!(
        "| reader | inputs | accepted | contained panics | faults | most memory [MiB] | of the allowance | longest [ms] | time [s] |"
    );
    println!("|---|---|---|---|---|---|---|---|---|");
    for (name, tally) in tallies {
        let sum = |list: &BTreeMap<String, (u64, u64)>| list.values().map(|(count, _)| count).sum::<u64>();
        println!(
            "| {name} | {} | {} | {} | {} | {:.1} | {:.3} | {:.0} | {:.1} |",
            tally.inputs,
            tally.accepted,
            sum(&tally.contained),
            sum(&tally.faults),
            tally.memory as f64 / f64::from(1 << 20),
            tally.use_of_allowance,
            1e3 * tally.longest,
            tally.seconds,
        );
    }
    for (name, tally) in tallies {
        for (what, (count, first)) in &tally.contained {
            println!("contained: {name} {first} and {} more: {what}", count - 1);
        }
        for (what, (count, first)) in &tally.faults {
            println!("FAULT: {name} {first} and {} more: {what}", count - 1);
        }
    }
    tallies.iter().all(|(_, tally)| tally.faults.is_empty())
}

#[test]
fn no_mutated_file_makes_a_reader_panic_hang_or_ask_for_too_much() {
    let began = Instant::now();
    let tallies = try_inputs(4_000);
    let sound = report(&tallies);
    println!("{:.1} s", began.elapsed().as_secs_f64());
    assert!(sound, "see the list of faults above");
}

#[test]
#[ignore = "takes minutes: cargo test -p dem-studies --test hostile_files campaign -- --ignored --nocapture"]
fn campaign() {
    let count = std::env::var("DEM_INPUTS").map_or(Ok(110_000), |text| text.parse()).unwrap();
    assert!(report(&try_inputs(count)), "see the list of faults above");
}
