//! Two million steps of everything that changes over time: inflow, outflow, a moving wall, rows, frames and checkpoints. Memory, energy
//! ledger and rate must stay as they are.
//!
//! ```sh
//! cargo test --release -p dem-cli --test all soak -- --ignored --nocapture
//! ```
#![cfg(target_os = "linux")]
#![allow(clippy::expect_used, clippy::unwrap_used, reason = "a test fails by it")]

use std::path::Path;
use std::time::Duration;

use crate::command::{collect, run_command, scenes, start};

/// Rows of the table.
const WINDOWS: u64 = 10;
const STEPS: u64 = 2_000_000;

/// A look at the process.
#[derive(Clone, Copy, Default)]
struct Look {
    step: u64,
    /// Memory in use \[kB\].
    memory: u64,
    /// Processor time so far \[s\].
    processor: f64,
}

/// The look at a process that has come to a step; none when it has ended.
fn look(process: u32, out: &Path) -> Option<Look> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let memory =
        status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?.split_whitespace().next()?.parse().ok()?;
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // behind the name, which may hold anything: fields 14 and 15 of proc(5), in ticks of a hundredth of a second
    let fields: Vec<&str> = stat.rsplit(')').next()?.split_whitespace().collect();
    let ticks = fields.get(11)?.parse::<f64>().ok()? + fields.get(12)?.parse::<f64>().ok()?;
    let rows = std::fs::read_to_string(out.join("series.csv")).ok()?;
    let last = rows.lines().rfind(|line| line.starts_with(|c: char| c.is_ascii_digit()))?;
    Some(Look { step: last.split(',').next()?.parse().ok()?, memory, processor: ticks / 100.0 })
}

#[test]
#[ignore = "two million steps, minutes: cargo test --release -p dem-cli --test all soak -- --ignored --nocapture"]
fn two_million_steps_change_neither_memory_nor_ledger_nor_rate() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let scene = scenes().join("../../examples/soak.toml");
    let child = start(run_command(&scene, &out, "--threads 1 --json"));
    let mut looks: Vec<Look> = vec![Look::default()];
    while let Some(now) = look(child.id(), &out).or_else(|| (!out.join("series.csv").exists()).then(Look::default)) {
        let window = (looks.len() as u64) * STEPS / WINDOWS;
        if now.step >= window {
            looks.push(now);
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    let outcome = collect(child).expect_code(0);
    let series = dem_io::series::Series::read(out.join("series.csv")).unwrap();
    let column = |name: &str| series.column(name).unwrap().to_vec();
    let (step, particles, balance) = (column("step"), column("particles"), column("energy_balance"));
    let dissipated: Vec<f64> = ["friction_work", "viscous_work"]
        .iter()
        .map(|name| column(name))
        .fold(vec![0.0; step.len()], |sum, more| sum.iter().zip(&more).map(|(a, b)| a + b).collect());
    let at = |k: u64| step.iter().position(|&s| s >= k as f64).unwrap_or(step.len() - 1);
    println!("| steps | particles | memory [MiB] | ledger error / dissipated | M particle-steps per s of processor |");
    println!("|---|---|---|---|---|");
    let mut rates = Vec::new();
    for pair in looks.windows(2) {
        let (from, to) = (at(pair[0].step), at(pair[1].step));
        let mean = particles[from..=to].iter().sum::<f64>() / (to - from + 1) as f64;
        let done = mean * (pair[1].step - pair[0].step) as f64;
        let rate = done / (pair[1].processor - pair[0].processor) / 1e6;
        let memory = pair[1].memory as f64 / 1024.0;
        let error = (balance[to] - balance[0]) / dissipated[to];
        println!("| {} | {mean:.0} | {memory:.1} | {error:.1e} | {rate:.2} |", pair[1].step);
        rates.push((memory, error, rate));
    }
    println!("{}", outcome.stdout);
    assert!(looks.len() as u64 >= WINDOWS, "{} looks", looks.len());
    let (first, last) = (rates[1], rates[rates.len() - 1]);
    assert!(last.0 < 1.1 * first.0 + 1.0, "memory grew from {} to {} MiB", first.0, last.0);
    assert!(rates.iter().all(|(_, error, _)| error.abs() < 1e-2), "the ledger is off");
    assert!(last.2 > 0.7 * first.2, "the rate fell from {} to {}", first.2, last.2);
}
