//! Figures as a user asks for them.

#![allow(clippy::unwrap_used, reason = "a test fails by it")]

use std::path::{Path, PathBuf};

use crate::command::{Outcome, dem, finish, run, scenes};

/// A tray that is shaken for six milliseconds.
fn tray(folder: &Path) -> PathBuf {
    let scene = std::fs::read_to_string(scenes().join("restart/tray.toml")).unwrap();
    let path = folder.join("tray.toml");
    std::fs::write(&path, scene.replace("until = { time = \"1 h\" }", "until = { time = \"6 ms\" }")).unwrap();
    let out = folder.join("out");
    run(&path, &out, "").expect_code(0);
    out
}

fn plot(run: &Path, columns: &str, options: &[&str]) -> Outcome {
    let mut command = dem("plot", &[&run]);
    command.args(columns.split_whitespace()).args(options);
    finish(command)
}

#[test]
fn columns_are_drawn_with_their_units_in_the_size_and_format_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let out = tray(folder.path());
    let at = |name: &str| folder.path().join(name);
    let to = |name: &str| at(name).display().to_string();
    plot(
        &out,
        "time:ms kinetic_energy:mJ wall_tray_work:mJ , coordination",
        &["--out", &to("a.svg"), "--size", "85x60mm"],
    )
    .expect_code(0);
    let svg = std::fs::read_to_string(at("a.svg")).unwrap();
    assert!(svg.contains("width=\"85mm\" height=\"60mm\" viewBox=\"0 0 8500 6000\""), "{}", &svg[..200]);
    for label in ["time [ms]", "energy [mJ]", "kinetic energy", "wall tray work", "coordination [-]"] {
        assert!(svg.contains(&format!("aria-label=\"{label}\"")), "{label}");
    }
    // three curves, two of them in a legend
    let strokes = |colour: &str| svg.matches(&format!("stroke=\"{colour}\"")).count();
    assert_eq!((strokes("#0072b2"), strokes("#d55e00")), (3, 2));

    plot(
        &out,
        "time kinetic_energy",
        &["--out", &to("a.pdf"), "--size", "85 x 60 mm", "--font-size", "9pt", "--log", "y"],
    )
    .expect_code(0);
    let pdf = std::fs::read(at("a.pdf")).unwrap();
    let text = String::from_utf8_lossy(&pdf);
    assert!(text.starts_with("%PDF-") && text.contains("/MediaBox [0 0 240.94") && text.contains("/FontFile2"));

    plot(&out, "time kinetic_energy", &["--out", &to("a.png"), "--size", "85x60mm", "--dpi", "300"]).expect_code(0);
    let png = std::fs::read(at("a.png")).unwrap();
    // width and height of the first chunk: 85 mm and 60 mm at 300 dots an inch
    assert_eq!((&png[..8], &png[16..24]), (&b"\x89PNG\r\n\x1a\n"[..], &[0, 0, 3, 0xec, 0, 0, 2, 0xc5][..]));

    // without a file it stands in the directory, and further runs are drawn beside the first
    let said =
        plot(&out, &format!("{} time rate:wall_tray_work", out.display()), &["--x-range", "1e-3:"]).expect_code(0);
    assert!(said.stdout.contains("wall_tray_work_over_time.svg"), "{}", said.stdout);
    assert!(out.join("wall_tray_work_over_time.svg").is_file());
    // the plots of the run again
    std::fs::remove_file(out.join("energy.png")).unwrap();
    assert!(plot(&out, "", &[]).expect_code(0).stdout.contains("energy.png"));
    // the tray does work
    assert!(out.join("energy.png").is_file() && out.join("drives.png").is_file());
}

#[test]
fn wrong_figures_are_answered_with_what_is_there() {
    let folder = tempfile::tempdir().unwrap();
    let out = tray(folder.path());
    for (columns, options, message) in [
        ("time kinetic_enrgy", "", "did you mean `kinetic_energy`?"),
        ("time kinetic_enrgy", "", "expected one of step, time, time_step, stage"),
        ("tme kinetic_energy", "", "no column `tme`"),
        ("time", "", "expected a column for the abscissa and one or more for every panel"),
        ("time kinetic_energy:mm", "", "expected a unit of J"),
        (
            "time kinetic_energy",
            "--out figure.gif",
            "--out figure.gif: expected a name that ends in .svg or .pdf or .png",
        ),
        ("time kinetic_energy", "--size 85x60", "--size"),
        ("time kinetic_energy", "--size 85", "--size 85, expected width and height with a unit"),
        ("time kinetic_energy", "--size 5x5mm", "figure width is 5 mm, expected 10 mm to 2000 mm"),
        ("time kinetic_energy", "--font-size 100pt", "type size is 100.0 pt"),
        ("time kinetic_energy", "--log z", "--log z, expected x, y or xy"),
        ("time kinetic_energy", "--x-range 2:1", "abscissa from 2:1 has no length"),
        ("time kinetic_energy", "--y-range 1", "--y-range 1, expected FROM:TO"),
        ("time kinetic_energy", "--where step", "--where step, expected COLUMN=VALUE"),
        ("time kinetic_energy", "--where step=-1", "no row is left"),
        ("time kinetic_energy", "--table sries", "did you mean `series`?"),
        ("time kinetic_energy", "--dpi 1 --out figure.png", "resolution is 1 dots an inch"),
        ("", "--out figure.svg", "expected columns behind the run"),
    ] {
        let options: Vec<&str> = options.split_whitespace().collect();
        plot(&out, columns, &options).expect_code(2).expect_message(&[message]);
    }
    finish(dem("plot", &[&folder.path().join("none"), &"time", &"step"])).expect_code(2).expect_message(&["none"]);
    assert!(!Path::new("figure.png").exists() && !Path::new("figure.svg").exists());
}
