//! Checks the result of the container example, given its run directory and the summary that `--json` printed:
//!
//!     cargo run --release -- run examples/container_filling.toml --out DIR --json > SUMMARY
//!     cargo run --release -p dem-cli --example check_container_filling -- DIR SUMMARY
//!
//! Prints every claim with the value found, and fails if one does not hold.
#![expect(clippy::print_stdout, reason = "a command talks to its terminal")]

#[path = "../../../tests/counting/mod.rs"]
mod counting;

use std::error::Error;
use std::path::Path;
use std::process::ExitCode;

use dem_io::checkpoint::CheckpointReader;
use dem_io::series::Series;
use dem_io::snapshot::SnapshotReader;
use serde_json::Value;

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [directory, printed] = arguments.as_slice() else {
        return Err("expected a run directory and a file with the summary".into());
    };
    let directory = Path::new(directory);
    let summary: Value = serde_json::from_str(&std::fs::read_to_string(printed)?)?;
    let saved: Value = serde_json::from_str(&std::fs::read_to_string(directory.join("summary.json"))?)?;
    let mut claims = Claims { all_hold: true };

    claims.text("stop_reason", &summary["stop_reason"], "at rest");
    claims.number("particles", &summary["particles"], 5000.0, 5000.0);
    claims.number("removed", &summary["removed"], 0.0, 0.0);
    // from random loose to random close packing
    claims.number("packing_fraction", &summary["packing_fraction"], 0.55, 0.64);
    let spheres = counting::Spheres::last(directory).ok_or("no spheres in the snapshots")?;
    let walls = |x: counting::Point| (0.05 - x[0].hypot(x[1])).min(x[2]);
    let (counted, _) = spheres.fraction([-0.05, -0.05, 0.0], [0.05, 0.05, 0.08], false, &walls);
    claims.number("packing_fraction as counted", &summary["packing_fraction"], counted - 0.01, counted + 0.01);
    let height = spheres.height(2, 0.0);
    claims.number("bed_height as counted", &summary["bed_height"], height * (1.0 - 1e-9), height * (1.0 + 1e-9));
    claims.number("max_overlap_ratio_final", &summary["max_overlap_ratio_final"], 0.0, 0.01);
    claims.number("max_overlap_ratio_peak", &summary["max_overlap_ratio_peak"], 0.0, 0.05);
    claims.number("wall_force_over_weight", &summary["wall_force_over_weight"], 0.995, 1.005);
    claims.holds("summary.json is what was printed", saved == summary);

    let steps = summary["steps"].as_u64().ok_or("no steps in the summary")?;
    let snapshots = SnapshotReader::open(&directory.join("snapshots.vtkhdf"))?;
    let frames = snapshots.frames();
    claims.holds("the last frame is the last step", frames.last().is_some_and(|frame| frame.step == steps));
    let last = snapshots.read(frames.len().saturating_sub(1))?;
    claims.holds("the last frame has all particles", last.positions.len() == 5000);
    let contacts = last.tables.iter().find(|table| table.name == "contacts").map_or(0, |table| table.rows as u64);
    let touching = summary["contacts"].as_u64().unwrap_or(0) + summary["wall_contacts"].as_u64().unwrap_or(0);
    claims.holds("the last frame has all contacts", contacts == touching && contacts > 0);

    let series = Series::read(directory.join("series.csv"))?;
    let last_row = series.column("step").and_then(|column| column.last().copied());
    claims.holds("the last row is the last step", last_row == Some(steps as f64));

    let checkpoints = dem_io::checkpoint_folder::list(&directory.join("checkpoints"))?;
    claims.holds("two checkpoints are kept", checkpoints.len() == 2);
    claims.holds("the last checkpoint is the last step", checkpoints.last().is_some_and(|&(step, _)| step == steps));
    for (_, path) in &checkpoints {
        CheckpointReader::open(path)?;
    }
    for name in ["scene.resolved.toml", "picture.png"] {
        let size = std::fs::metadata(directory.join(name)).map_or(0, |metadata| metadata.len());
        claims.holds(&format!("{name} is written"), size > 0);
    }
    Ok(if claims.all_hold { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

struct Claims {
    all_hold: bool,
}

impl Claims {
    fn holds(&mut self, claim: &str, holds: bool) {
        println!("{} {claim}", if holds { "ok    " } else { "FAILED" });
        self.all_hold &= holds;
    }

    fn number(&mut self, name: &str, value: &Value, low: f64, high: f64) {
        let holds = value.as_f64().is_some_and(|x| (low..=high).contains(&x));
        self.holds(&format!("{name} = {value}, expected {low} to {high}"), holds);
    }

    fn text(&mut self, name: &str, value: &Value, expected: &str) {
        self.holds(&format!("{name} = {value}, expected \"{expected}\""), value.as_str() == Some(expected));
    }
}
