//! Ensembles as a user runs them: interrupted, in parts, and put together.

#![allow(clippy::expect_used, clippy::unwrap_used, reason = "a test fails by it")]

use std::path::{Path, PathBuf};

use crate::command::{collect, contents, dem, finish, run, run_command, scenes, send, start, wait_until};

/// A tray that is shaken for two milliseconds.
fn tray(folder: &Path) -> PathBuf {
    let scene = std::fs::read_to_string(scenes().join("restart/tray.toml")).unwrap();
    let path = folder.join("tray.toml");
    std::fs::write(&path, scene.replace("until = { time = \"1 h\" }", "until = { time = \"6 ms\" }")).unwrap();
    path
}

const SWEEP: &str = "--seeds 1..2 --sweep contact.friction=0.1,0.4";
const FILES: [&str; 6] = ["ensemble.csv", "ensemble.json", "members.csv", "series.png", "series.svg", "sweep.png"];

/// What a merge wrote, byte by byte.
fn merged(out: &Path) -> Vec<Vec<u8>> {
    FILES.iter().map(|name| std::fs::read(out.join(name)).expect(name)).collect()
}

#[test]
fn interruption_and_parts_change_no_byte_of_what_is_merged() {
    let folder = tempfile::tempdir().unwrap();
    let scene = tray(folder.path());
    let at = |name: &str| folder.path().join(name);
    let straight = run(&scene, &at("straight"), SWEEP).expect_code(0);
    assert!(straight.stdout.contains("4 members"), "{}", straight.stdout);
    let expected = merged(&at("straight"));

    // stopped by bounds at several steps, between and at outputs, and gone on with
    for steps in ["--steps 137", "--steps 700 --threads 1", "--steps 701"] {
        let part = run(&scene, &at("parts"), &format!("{SWEEP} {steps}")).expect_code(0);
        assert!(part.stderr.contains("4 of 4 members have not finished"), "{}", part.stderr);
        assert!(!at("parts").join("ensemble.csv").exists());
    }
    run(&scene, &at("parts"), SWEEP).expect_code(0);
    assert!(merged(&at("parts")) == expected, "interrupted and continued");
    // nothing is repeated
    let before = contents(&at("parts"));
    let again = run(&scene, &at("parts"), SWEEP).expect_code(0);
    assert_eq!(again.stderr.matches("done before").count(), 4, "{}", again.stderr);
    assert!(contents(&at("parts")) == before);

    // killed between the last checkpoint and the summary
    let summaries =
        ["friction=0.1,seed=1", "friction=0.4,seed=2"].map(|name| at("parts/members").join(name).join("summary.json"));
    summaries.iter().for_each(|path| std::fs::remove_file(path).unwrap());
    run(&scene, &at("parts"), SWEEP).expect_code(0);
    assert!(merged(&at("parts")) == expected, "without summaries");

    // parts in one directory, and in several
    for part in ["3/3", "1/3", "2/3"] {
        let done = run(&scene, &at("shards"), &format!("{SWEEP} --shard {part}")).expect_code(0);
        assert!(done.stderr.contains("dem merge"), "{}", done.stderr);
        run(&scene, &at(&format!("shard {}", &part[..1])), &format!("{SWEEP} --shard {part}")).expect_code(0);
    }
    finish(dem("merge", &[&at("shards")])).expect_code(0);
    assert!(merged(&at("shards")) == expected, "shards in one directory");
    let directories = [at("shard 2"), at("shard 3"), at("shard 1"), at("all")];
    finish(dem("merge", &[&directories[0], &directories[1], &directories[2], &"--out", &directories[3]]))
        .expect_code(0);
    assert!(merged(&at("all")) == expected, "shards in several directories");
}

#[cfg(unix)]
#[test]
fn interrupted_and_killed_ensembles_go_on() {
    let folder = tempfile::tempdir().unwrap();
    let scene = tray(folder.path());
    let at = |name: &str| folder.path().join(name);
    run(&scene, &at("straight"), SWEEP).expect_code(0);
    let members = ["friction=0.1,seed=1", "friction=0.4,seed=2"].map(|name| at("out").join("members").join(name));
    for signal in ["INT", "KILL"] {
        let child = start(run_command(&scene, &at("out"), &format!("{SWEEP} --threads 4")));
        wait_until("a member", || members.iter().any(|member| member.join("series.csv").exists()));
        send(signal, &child);
        let code = collect(child).code;
        // it may have been faster
        assert!(code == Some(130) || code.is_none() || code == Some(0), "{signal}: {code:?}");
    }
    run(&scene, &at("out"), SWEEP).expect_code(0);
    assert!(merged(&at("out")) == merged(&at("straight")));
}

#[test]
fn table_has_mean_and_interval_of_every_quantity() {
    let folder = tempfile::tempdir().unwrap();
    let scene = tray(folder.path());
    let out = folder.path().join("out");
    let list = folder.path().join("list.csv");
    std::fs::write(&list, "contact.friction, contact.restitution\n0.1, 0.9\n0.4, 0.5\n").unwrap();
    let mut command = run_command(&scene, &out, "--seeds 1..3 --json --sweep-file");
    command.arg(&list);
    let outcome = finish(command).expect_code(0);
    let rows: serde_json::Value = serde_json::from_str(&outcome.stdout).unwrap();
    let members = std::fs::read_to_string(out.join("members.csv")).unwrap();
    let header: Vec<&str> = members.lines().next().unwrap().split(',').collect();
    assert_eq!(header[..4], ["contact.friction", "contact.restitution", "seed", "stop_reason"]);
    for quantity in
        ["summary.coordination", "series.kinetic_energy", "summary.energies.friction", "summary.walls.tray.work"]
    {
        let column = header.iter().position(|name| *name == quantity).expect(quantity);
        let values: Vec<f64> =
            members.lines().skip(1).take(3).map(|line| line.split(',').nth(column).unwrap().parse().unwrap()).collect();
        let row = rows.as_array().unwrap().iter().find(|row| row["quantity"] == quantity).expect(quantity);
        assert_eq!((&row["contact.friction"], &row["members"]), (&0.1.into(), &3.into()));
        let mean = values.iter().sum::<f64>() / 3.0;
        assert!((row["mean"].as_f64().unwrap() - mean).abs() <= 1e-12 * mean.abs(), "{quantity}");
        // t of 2 degrees of freedom at 95 %
        let half = 4.302_65 * (values.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / 6.0).sqrt();
        assert!(
            (row["high_95"].as_f64().unwrap() - mean - half).abs() < 1e-4 * half + 1e-12 * mean.abs(),
            "{quantity}"
        );
    }
    assert!(out.join("members/friction=0.4,restitution=0.5,seed=3/picture.png").is_file());
    // what tells of the machine is no quantity of the run
    assert!(!members.contains("wall_seconds") && !members.contains("threads"));
}

#[test]
fn means_over_the_last_stage_and_differences_of_equal_seeds_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let scene = tray(folder.path());
    let out = folder.path().join("out");
    let outcome = run(&scene, &out, &format!("{SWEEP} --mean friction_work --skip 0.5")).expect_code(0);
    assert!(outcome.stdout.contains("mean.friction_work"), "{}", outcome.stdout);
    // by hand: rows at even times, the ends with half the weight
    let by_hand = |member: &str| {
        let series = dem_io::series::Series::read(out.join("members").join(member).join("series.csv")).unwrap();
        let [time, values] = ["time", "friction_work"].map(|name| series.column(name).unwrap());
        let kept: Vec<usize> = (0..time.len()).filter(|&k| time[k] >= 0.5 * time[time.len() - 1]).collect();
        let (first, last) = (kept[0], kept[kept.len() - 1]);
        let area: f64 = (first..last).map(|k| 0.5 * (values[k] + values[k + 1]) * (time[k + 1] - time[k])).sum();
        area / (time[last] - time[first])
    };
    let table = |name: &str| -> Vec<serde_json::Value> {
        serde_json::from_str(&std::fs::read_to_string(out.join(name)).unwrap()).unwrap()
    };
    let apart = [1, 2]
        .map(|seed| by_hand(&format!("friction=0.4,seed={seed}")) - by_hand(&format!("friction=0.1,seed={seed}")));
    let before = 0.5 * (by_hand("friction=0.1,seed=1") + by_hand("friction=0.1,seed=2"));
    let of = |rows: &[serde_json::Value]| -> serde_json::Value {
        rows.iter().find(|row| row["quantity"] == "mean.friction_work").unwrap().clone()
    };
    let close =
        |value: &serde_json::Value, expected: f64| (value.as_f64().unwrap() - expected).abs() < 1e-9 * expected.abs();
    assert!(close(&of(&table("ensemble.json"))["mean"], before));
    let row = of(&table("differences.json"));
    let mean = 0.5 * (apart[0] + apart[1]);
    assert!(mean != 0.0 && close(&row["difference"], mean) && close(&row["of_first"], mean / before), "{row}");
    assert_eq!((&row["pairs"], &row["contact.friction"]), (&2.into(), &0.4.into()));
    // t of one degree of freedom at 95 %
    let half = 12.706_205 * 0.5 * (apart[0] - apart[1]).abs();
    assert!((row["high_95"].as_f64().unwrap() - mean - half).abs() < 1e-6 * half, "{row}");
    // the same for a merge afterwards, and nothing else
    finish(dem("merge", &[&out, &"--mean", &"rattlers"])).expect_code(0);
    assert!(!table("ensemble.json").iter().any(|row| row["quantity"] == "mean.friction_work"));
    finish(dem("merge", &[&out, &"--mean", &"ratlers"])).expect_code(2).expect_message(&["--mean = ratlers, expected"]);
}

#[test]
fn wrong_sweeps_are_refused_before_anything_is_run() {
    let folder = tempfile::tempdir().unwrap();
    let scene = tray(folder.path());
    let out = folder.path().join("out");
    for (options, messages) in [
        ("--sweep contact.fricton=0.1,0.2", vec!["contact.fricton is not in the scene", "did you mean `friction`?"]),
        ("--sweep wall.tray.shape=0", vec!["is not in the scene", "did you mean `walls`?"]),
        ("--sweep contact.friction", vec!["--sweep = contact.friction, expected key.path=value"]),
        ("--sweep contact.friction=0.1,0.1", vec!["--sweep"]),
        ("--sweep contact.friction=0.1,-1", vec!["contact.friction = -1", "expected"]),
        ("--sweep contact.law=mindlin,hook", vec!["contact.law = hook"]),
        ("--sweep seed=1,2", vec!["--seeds gives"]),
        ("--sweep output.series=1,2", vec!["changes what is simulated"]),
        ("--seeds 3..1", vec!["--seeds = 3..1, expected"]),
        ("--seeds 1..2 --shard 3/2", vec!["--shard = 3/2, expected i/n"]),
        ("--shard 1/2", vec!["expected seeds or values of a key"]),
        ("--seeds 1..2 --restart latest", vec!["--restart"]),
        ("--seeds 0..9999 --sweep contact.friction=0.1,0.2", vec!["above 10000 members"]),
        ("--seeds 1..2 --sweep-file nowhere.csv", vec!["cannot read nowhere.csv"]),
        ("--seeds 1..2 --from nowhere", vec!["nowhere"]),
        ("--seeds 1..2 --mean q_over_p", vec!["--mean = q_over_p, expected a column of series.csv: step"]),
        ("--seeds 1..2 --mean coordination --skip 1", vec!["--skip = 1, expected 0 <= value < 1"]),
        ("--mean coordination", vec!["expected seeds or values of a key"]),
    ] {
        run(&scene, &out, options).expect_code(2).expect_message(&messages);
        assert!(!out.join("ensemble.csv").exists(), "{options}");
    }
}

#[test]
fn runs_of_different_scenes_are_not_merged() {
    let folder = tempfile::tempdir().unwrap();
    let scene = tray(folder.path());
    let at = |name: &str| folder.path().join(name);
    run(&scene, &at("a"), "--seeds 1").expect_code(0);
    run(&scene, &at("b"), "--seeds 2 --set contact.restitution=0.9").expect_code(0);
    run(&scene, &at("c"), "--seeds 1 --sweep contact.friction=0.4").expect_code(0);
    run(&scene, &at("single"), "--set seed=7").expect_code(0);
    let merge = |directories: &[&str]| {
        let mut command = dem("merge --out", &[&at("merged")]);
        command.args(directories.iter().map(|name| at(name)));
        finish(command)
    };
    let different = "contact.restitution is 0.5 in the first and 0.9 in the second";
    merge(&["a", "b"]).expect_code(2).expect_message(&["runs of different scenes", different]);
    merge(&["a", "c"]).expect_code(2).expect_message(&["different scenes", "the second over [contact.friction]"]);
    merge(&["a", "a"]).expect_code(2).expect_message(&["the same parameters and the same seed"]);
    merge(&["."]).expect_code(2).expect_message(&["neither a run directory nor an ensemble"]);
    assert!(!at("merged").exists());
    // a single run of the same scene is one seed more
    merge(&["a", "single"]).expect_code(0);
    assert_eq!(std::fs::read_to_string(at("merged/members.csv")).unwrap().lines().count(), 3);
    finish(dem("merge --column fabric", &[&at("a")]))
        .expect_code(2)
        .expect_message(&["--column = fabric", "bed_height"]);
    // the folder of a member is not taken over by another scene
    run(&scene, &at("a"), "--seeds 1 --set contact.friction=0.2")
        .expect_code(2)
        .expect_message(&["another scene", "--force"]);
    run(&scene, &at("a"), "--seeds 1 --set contact.friction=0.2 --force").expect_code(0);
}

#[test]
fn members_branch_from_the_states_of_their_seeds_and_failures_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let scene = tray(folder.path());
    let at = |name: &str| folder.path().join(name);
    run(&scene, &at("states"), "--seeds 1..2").expect_code(0);
    let from = format!("--seeds 1..2 --from {}", at("states").display());
    run(&scene, &at("on"), &from).expect_code(0);
    let beginning = |seed: u64| {
        let path = at("on").join(format!("members/seed={seed}/beginning.json"));
        serde_json::from_slice::<serde_json::Value>(&std::fs::read(path).unwrap()).unwrap()
    };
    assert!(beginning(1)["branched"]["step"].as_u64().unwrap() > 0);
    assert_ne!(beginning(1)["particle_fingerprint"], beginning(2)["particle_fingerprint"]);
    let wrong = from.replace("1..2", "1..3");
    run(&scene, &at("more"), &wrong).expect_code(2).expect_message(&["no finished member with seed 3"]);

    // one of two members breaks the limit of overlap; the other is in the table
    let failing = "--sweep limits.overlap=1e-9,0.3 --set limits.overlap=0.3";
    let outcome = run(&scene, &at("failing"), failing).expect_code(3);
    assert!(outcome.stderr.contains("1 of 2 members failed"), "{}", outcome.stderr);
    assert_eq!(std::fs::read_to_string(at("failing/members.csv")).unwrap().lines().count(), 2);
    run(&scene, &at("failing"), failing).expect_code(3).expect_message(&["failed: ", "overlap"]);
}

/// Peaks of the overlap of the members of an ensemble, smallest first.
fn peaks(out: &Path) -> Vec<f64> {
    let text = std::fs::read_to_string(out.join("members.csv")).unwrap();
    let column = text.lines().next().unwrap().split(',').position(|name| name == "summary.max_overlap_ratio_peak");
    let of_row = |line: &str| line.split(',').nth(column.unwrap()).unwrap().parse().unwrap();
    let mut peaks: Vec<f64> = text.lines().skip(1).map(of_row).collect();
    peaks.sort_by(f64::total_cmp);
    peaks
}

#[test]
fn a_member_that_failed_runs_again_when_its_limit_is_raised() {
    let folder = tempfile::tempdir().unwrap();
    let scene = tray(folder.path());
    let at = |name: &str| folder.path().join(name);
    run(&scene, &at("straight"), "--seeds 1..3").expect_code(0);
    let peaks = peaks(&at("straight"));
    let limited = |limit: f64| run(&scene, &at("out"), &format!("--seeds 1..3 --set limits.overlap={limit}"));
    // between the two largest: one of three fails, the others are in the table that is shown
    let failed = limited(0.5 * (peaks[1] + peaks[2])).expect_code(3).expect_message(&["1 of 3 members failed"]);
    assert!(failed.stdout.contains("2 members"), "{}", failed.stdout);
    assert!(failed.stderr.contains("omitted: ") && failed.stderr.contains("overlap of particle"), "{}", failed.stderr);
    let raised = limited(0.3).expect_code(0);
    assert_eq!(raised.stderr.matches("done before").count(), 2, "{}", raised.stderr);
    for file in ["ensemble.csv", "members.csv"] {
        let [out, straight] = ["out", "straight"].map(|name| std::fs::read(at(name).join(file)).unwrap());
        assert!(out == straight, "{file}");
    }
}

#[test]
fn the_machine_is_no_quantity_and_seeds_that_change_nothing_give_no_interval() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let scene = at("fall.toml");
    let text = "[domain]\nmin = [0, 0, 0]\nmax = [1, 1, 1]\n[time]\nend = \"10 ms\"\n\
                [materials.a]\ndensity = 2500\nyoung_modulus = \"10 MPa\"\npoisson_ratio = 0.3\n\
                [contact]\nlaw = \"hertz-mindlin\"\nfriction = 0.3\nrestitution = 0.5\n\
                [[particles]]\nname = \"one\"\nmaterial = \"a\"\nsizes = { type = \"single\", radius = \"1 cm\" }\n\
                region = { type = \"box\", min = [0.4, 0.4, 0.4], max = [0.6, 0.6, 0.6] }\n\
                fill = { type = \"lattice\", spacing = \"10 cm\", count = 2 }\n";
    std::fs::write(&scene, text).unwrap();
    let outcome = run(&scene, &at("out"), "--seeds 1..3").expect_code(0);
    assert!(outcome.stdout.contains("The seeds change nothing: all 3 members"), "{}", outcome.stdout);
    let table = std::fs::read_to_string(at("out/ensemble.csv")).unwrap();
    for line in table.lines().skip(1) {
        // quantity, members, mean, deviation and the ends of an interval that there is not
        let cells: Vec<&str> = line.split(',').collect();
        assert!(!cells[0].contains("machine") && cells[0] != "summary.seed", "{line}");
        assert!(cells[1] == "0" || (cells[3] == "0.0" && cells[4..] == ["", ""]), "{line}");
    }
    assert!(table.lines().count() > 20);
    run(&tray(folder.path()), &at("tray"), "--seeds 1..2").expect_code(0);
    let members = std::fs::read_to_string(at("tray/members.csv")).unwrap();
    assert!(!members.contains("machine") && !members.contains("summary.seed"), "{members}");
}

#[test]
fn members_that_wait_for_rest_in_vain_are_told_and_go_on_with_more_time() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let scene = at("fall.toml");
    let text = "[time]\nend = \"10 ms\"\n[fields]\ngravity = [0, 0, -9.81]\n\
                [materials.a]\ndensity = 2500\nyoung_modulus = \"10 MPa\"\npoisson_ratio = 0.3\n\
                [contact]\nlaw = \"hertz-mindlin\"\nfriction = 0.3\nrestitution = 0.2\n\
                [[walls]]\nname = \"floor\"\nmaterial = \"a\"\nshape = { type = \"plane\", normal = [0, 0, 1] }\n\
                [[particles]]\nname = \"one\"\nmaterial = \"a\"\nsizes = { type = \"single\", radius = \"1 cm\" }\n\
                region = { type = \"box\", min = [0, 0, 0.001], max = [0.1, 0.1, 0.03] }\n\
                fill = { type = \"random\", count = 3 }\n\
                [[stages]]\nname = \"settle\"\nuntil = { at_rest = true }\n";
    std::fs::write(&scene, text).unwrap();
    let vain = "end of time reached, not at rest";
    let outcome = run(&scene, &at("out"), "--seeds 1..2").expect_code(3);
    outcome.expect_message(&["request not met: seed=1: end of time", "seed=2: end of time reached, not at rest"]);
    assert_eq!(std::fs::read_to_string(at("out/members.csv")).unwrap().matches(vain).count(), 2);
    // one run of them: the report marks it, and more time is all it needs
    run(&scene, &at("one"), "").expect_code(3);
    finish(dem("report", &[&at("one")])).expect_code(0);
    let report = std::fs::read_to_string(at("one/report.html")).unwrap();
    assert!(report.contains(&format!("the result does not meet the request: {vain}")));
    let more = run(&scene, &at("one"), "--restart latest --set time.end=20s").expect_code(0);
    assert!(more.stdout.contains("at rest after"), "{}", more.stdout);
}
