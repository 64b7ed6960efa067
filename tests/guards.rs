//! Guards against numbers that mean nothing: for each a scene that is broken on purpose, the message with its ids, and the state that is
//! saved. The page `docs/src/guards.md` lists them all.

#![allow(clippy::expect_used, clippy::unwrap_used, reason = "a test fails by it")]

use crate::command::{checkpoints, dem, finish, run, scenes, series};

/// A scene of `tests/scenes/guards`, the exit code, and parts of the message.
const GUARDS: &[(&str, i32, &[&str])] = &[
    ("non_finite", 3, &["particle 0 has a non-finite force or velocity"]),
    ("out_of_range", 3, &["the state cannot be saved: particle 0 has impossible values; numbers beyond 1e100"]),
    (
        "created_energy",
        3,
        &[
            "the energy balance has grown by ",
            " J, limit 0.5 of the ",
            "; the fastest is particle ",
            " m/s: the time step",
        ],
    ),
    ("overlap", 3, &["overlap of particle 0 and wall \"floor\" is 0.", "of the radius, limit 0.1"]),
    ("escaped", 3, &["particle 0 left the domain through z_min at ["]),
    (
        "step_above_limit",
        0,
        &["the time step 1.500e-4 s is above ", ", the bound by the normal contact oscillation (particles "],
    ),
    (
        "coarse_positions",
        0,
        &[" m from the origin positions have a resolution of 1.2e-10 m, 1.2e-7 of the smallest radius"],
    ),
    ("servo", 3, &["the stress xx is ", "after a strain of ", "the assembly cannot carry it"]),
    ("strain_of_step", 3, &["the cell would change a length by more than 0.01 of it in one step"]),
    ("narrow_cell", 3, &["the periodic cell is ", " m wide along z, expected more than "]),
    ("not_converged", 3, &["the iteration does not converge even with the time step cut to "]),
];

#[test]
fn every_guard_says_what_is_wrong_with_whom_and_saves_the_state() {
    let folder = tempfile::tempdir().unwrap();
    for (name, code, parts) in GUARDS {
        let out = folder.path().join(name);
        let outcome = run(&scenes().join(format!("guards/{name}.toml")), &out, "--json");
        println!("{name}: {}", outcome.stderr);
        let outcome = outcome.expect_code(*code).expect_message(parts);
        let summary = std::fs::read_to_string(out.join("summary.json")).unwrap();
        if *code == 0 {
            continue;
        }
        assert!(summary.contains("\"stop_reason\": \"failed: "), "{name}: {summary}");
        let last = series(&out).into_keys().max().unwrap();
        assert!(
            outcome.stderr.contains(&format!("step {last}")) || *name == "narrow_cell",
            "{name}: {}",
            outcome.stderr
        );
        let saved = checkpoints(&out).pop().unwrap();
        finish(dem("info", &[&saved])).expect_code(0);
    }
}

#[test]
fn every_guard_is_in_the_documentation_with_its_message() {
    let page = include_str!("../docs/src/guards.md");
    for (name, _, parts) in GUARDS {
        assert!(page.contains(&format!("guards/{name}.toml")), "{name}");
        for part in *parts {
            assert!(page.contains(part), "{name}: {part}");
        }
    }
    let mut files: Vec<_> =
        std::fs::read_dir(scenes().join("guards")).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    files.sort();
    assert_eq!(files.len(), GUARDS.len());
}
