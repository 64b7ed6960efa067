//! Races for one directory: one process gets it, the others say why they do not.

use std::path::Path;
use std::process::Command;

use super::number_of;
use crate::command::{Outcome, collect, contents, dem, finish, run_command, scenes, start};

/// Processes that want a directory at the same time.
const RUNNERS: usize = 6;

/// Starts all at once and waits for them.
fn race(commands: Vec<Command>) -> Vec<Outcome> {
    let children: Vec<_> = commands.into_iter().map(start).collect();
    children.into_iter().map(collect).collect()
}

/// Commands whose results do not go together, in turn.
fn runner(index: usize, out: &Path) -> Command {
    let tray = scenes().join("restart/tray.toml");
    match index % 3 {
        0 => run_command(&tray, out, &format!("--steps {} --threads 1", 100 + index)),
        1 => dem(&format!("pack random-sequential --count {} --threads 1 --out", 40 + index), &[&out]),
        _ => dem(&format!("study rotation --no-runs --steps {} --out", 10 + index), &[&out]),
    }
}

/// Names of everything in a directory.
fn names(out: &Path) -> Vec<String> {
    contents(out).into_keys().map(|path| path.strip_prefix(out).unwrap().to_string_lossy().into_owned()).collect()
}

fn one_wins(round: u64, folder: &Path) {
    let shift = usize::try_from(round).unwrap();
    let out = folder.join(format!("race {round}"));
    let outcomes = race((0..RUNNERS).map(|index| runner(index + shift, &out)).collect());
    let winners: Vec<usize> = (0..RUNNERS).filter(|&index| outcomes[index].code == Some(0)).collect();
    assert_eq!(winners.len(), 1, "{outcomes:#?}");
    for outcome in outcomes.iter().filter(|outcome| outcome.code != Some(0)) {
        assert_eq!(outcome.code, Some(2), "{outcome:?}");
        let said = &outcome.stderr;
        let reasons = ["is in use by another process", "exists already", "holds results of"];
        assert!(reasons.iter().any(|reason| said.contains(reason)), "{said}");
    }
    let alone = folder.join(format!("alone {round}"));
    finish(runner(winners[0] + shift, &alone)).expect_code(0);
    assert_eq!(names(&out), names(&alone));
}

/// Of runs that may replace each other every one that comes in is whole.
fn one_after_the_other(round: u64, folder: &Path) {
    let tray = scenes().join("restart/tray.toml");
    let out = folder.join(format!("forced {round}"));
    let of = |index: usize| run_command(&tray, &out, &format!("--steps {} --threads 1 --force", 50 + index));
    let outcomes = race((0..RUNNERS).map(of).collect());
    assert!(outcomes.iter().any(|outcome| outcome.code == Some(0)), "{outcomes:#?}");
    for outcome in outcomes.iter().filter(|outcome| outcome.code != Some(0)) {
        assert!(outcome.code == Some(2) && outcome.stderr.contains("is in use by another process"), "{outcome:?}");
    }
    let rows = crate::command::series(&out);
    let last = *rows.keys().next_back().unwrap();
    let summary = std::fs::read_to_string(out.join("summary.json")).unwrap();
    assert!(summary.contains(&format!("\"steps\": {last},")), "rows up to step {last} and\n{summary}");
    assert!(crate::command::last_checkpoint(&out).0.contains(&format!("{last:012}")));
    assert!(!names(&out).iter().any(|name| name.contains("unfinished") || name.contains(".replacement")));
}

fn all_races(rounds: u64) {
    let folder = tempfile::tempdir().unwrap();
    for round in 0..rounds {
        one_wins(round, folder.path());
        one_after_the_other(round, folder.path());
    }
    println!("{rounds} races of each kind with {RUNNERS} processes");
}

#[test]
fn one_process_gets_a_directory() {
    all_races(3);
}

#[test]
#[ignore = "24 races, a minute: cargo test -p dem-cli --test all crashes -- --ignored --nocapture"]
fn one_process_gets_a_directory_in_many_races() {
    all_races(number_of("DEM_RACES", 24));
}
