//! The headline numbers of the examples, against counts with geometry of their own. Long examples are cut short or made smaller; `soak.toml`,
//! which is an endurance test, and the large ones beside `triaxial_small.toml` and `stress_probe_small.toml`, which differ from these by their
//! numbers only, are left out; the container is counted in full by `check_container_filling`.

#![allow(clippy::expect_used, clippy::unwrap_used, reason = "a test fails by it")]

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::command::{self, run};
use crate::counting::{Point, Spheres, length};

/// Two definitions of bulk cut a bed of some hundred to thousand spheres at different places.
const TOLERANCE: f64 = 0.012;
/// Share of a box in which a bulk that one definition finds may be none for the other.
const NOTHING: f64 = 2e-3;

fn example(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(name)
}

/// Runs an example and returns its summary and last spheres.
fn result(name: &str, folder: &Path, further: &[&str]) -> (Value, Spheres) {
    let out = folder.join(name);
    let mut command = command::run_command(&example(name), &out, "--json");
    command.args(further);
    let outcome = command::finish(command).expect_code(0);
    (serde_json::from_str(&outcome.stdout).unwrap(), Spheres::last(&out).unwrap())
}

fn expect_height(summary: &Value, height: f64) {
    let found = summary["bed_height"].as_f64().unwrap();
    assert!((found - height).abs() < 1e-6 * height, "bed height {found}, counted {height}");
}

/// A packing fraction as counted, or none where the count finds no bulk.
fn expect_fraction(summary: &Value, (counted, share): (f64, f64)) {
    match summary["packing_fraction"].as_f64() {
        Some(found) => {
            assert!(
                share > 0.0 && (found - counted).abs() < TOLERANCE,
                "packing fraction {found}, counted {counted} in {share}"
            );
        }
        None => {
            assert!(share < NOTHING, "no packing fraction, counted {counted} in {share}");
            assert!(summary["not_measured"]["packing_fraction"].is_string(), "{summary}");
        }
    }
}

fn disc(x: Point, height: f64, inner: f64, outer: f64) -> f64 {
    let r = x[0].hypot(x[1]);
    length([(r - r.clamp(inner, outer)), 0.0, x[2] - height])
}

#[test]
fn a_settled_bed_between_periodic_sides() {
    let folder = tempfile::tempdir().unwrap();
    let (summary, spheres) = result("settling_box.toml", folder.path(), &[]);
    expect_height(&summary, spheres.height(2, 0.04));
    let found = spheres.repeated(0.04).fraction([0.0; 3], [0.04; 3], false, &|x| x[2]);
    assert!(found.1 > 0.02);
    expect_fraction(&summary, found);
}

#[test]
fn a_hopper_of_meshes_with_grains_below_its_outlet() {
    let folder = tempfile::tempdir().unwrap();
    let (summary, spheres) = result("stirred_hopper.toml", folder.path(), &["--until", "0.5 s"]);
    assert!(spheres.centres.iter().any(|x| x[2] < -0.01), "grains below the outlet");
    expect_height(&summary, spheres.height(2, 0.0));
    // points of the facets, every half of a millimetre; the stirrer turns within its largest radius and between its ends
    let text = std::fs::read_to_string(example("square_hopper.stl")).unwrap();
    let numbers =
        |line: &str| line.split_whitespace().skip(1).map(|n| 1e-3 * n.parse::<f64>().unwrap()).collect::<Vec<_>>();
    let vertices: Vec<Vec<f64>> =
        text.lines().map(str::trim).filter(|line| line.starts_with("vertex")).map(numbers).collect();
    let mut surface: Vec<Point> = Vec::new();
    for facet in vertices.chunks(3) {
        let edge = |k: usize| -> Point { std::array::from_fn(|a| facet[k][a] - facet[0][a]) };
        let steps = (length(edge(1)).max(length(edge(2))) / 5e-4).ceil() as u32;
        for (i, j) in (0..=steps).flat_map(|i| (0..=steps - i).map(move |j| (i, j))) {
            let [u, v] = [i, j].map(|n| f64::from(n) / f64::from(steps));
            surface.push(std::array::from_fn(|a| facet[0][a] + u * edge(1)[a] + v * edge(2)[a]));
        }
    }
    let walls = |x: Point| {
        surface.iter().map(|s| length([x[0] - s[0], x[1] - s[1], x[2] - s[2]])).fold(f64::INFINITY, f64::min)
    };
    let bytes = std::fs::read(example("stirrer.stl")).unwrap();
    // binary: 50 bytes a facet after 84, twelve numbers of which the first three are its normal
    let numbers: Vec<f32> = bytes[84..]
        .chunks(50)
        .flat_map(|facet| {
            facet[12..48].chunks(4).map(|b| f32::from_le_bytes(b.try_into().unwrap())).collect::<Vec<_>>()
        })
        .collect();
    let blades = numbers.chunks(3).map(|v| [f64::from(v[0]).hypot(f64::from(v[1])), f64::from(v[2])]);
    let (reach, low, high) =
        blades.fold((0.0_f64, f64::MAX, f64::MIN), |(r, a, b), [x, z]| (r.max(x), a.min(z), b.max(z)));
    let swept = |x: Point| {
        let (r, z) = (x[0].hypot(x[1]), x[2] - 0.026);
        length([(r - 1e-3 * reach).max(0.0), 0.0, (z - z.clamp(1e-3 * low, 1e-3 * high))])
    };
    let (counted, share) =
        spheres.fraction([-0.03, -0.03, 0.0], [0.03, 0.03, 0.07], false, &|x| swept(x).min(walls(x)));
    // beside the blades the engine finds more bulk than outside of the volume that they sweep
    let found = summary["packing_fraction"].as_f64().expect("there is a bulk");
    assert!(share < NOTHING || (found - counted).abs() < 0.03, "{found}, counted {counted} in {share}");
    assert!((0.5..0.64).contains(&found), "{found}");
    let profile =
        command::finish(command::dem("profile --axis z --json", &[&folder.path().join("stirred_hopper.toml")]));
    let profile: Value = serde_json::from_str(&profile.expect_code(0).stdout).unwrap();
    for bin in profile.as_array().unwrap() {
        let solid = bin["solid_fraction"].as_f64().unwrap();
        assert!((0.45..0.68).contains(&solid), "{bin}");
    }
}

/// The bulk of the drum, three diameters from its ends, is some forty grains in motion: what belongs to it and what does not changes the fraction by
/// 0.02, so that four instants are averaged.
#[test]
fn a_drum_that_is_partly_filled() {
    const INSTANTS: [&str; 4] = ["0.3 s", "0.4 s", "0.5 s", "0.6 s"];
    let folder = tempfile::tempdir().unwrap();
    let mut difference = 0.0;
    for until in INSTANTS {
        let place = folder.path().join(until.replace(' ', "_"));
        std::fs::create_dir(&place).unwrap();
        let (summary, spheres) = result("rotating_drum.toml", &place, &["--until", until]);
        expect_height(&summary, spheres.height(2, 0.0));
        let walls = |x: Point| (0.05 - x[0].hypot(x[2])).min(0.015 - x[1].abs());
        let (counted, _) = spheres.fraction([-0.05, -0.002, -0.05], [0.05, 0.002, 0.0], false, &walls);
        let found = summary["packing_fraction"].as_f64().unwrap();
        assert!((found - counted).abs() < 0.06, "{until}: packing fraction {found}, counted {counted}");
        difference += (found - counted) / INSTANTS.len() as f64;
        let drum = summary["walls"].as_array().unwrap().iter().find(|wall| wall["name"] == "drum").unwrap();
        let driven = &drum["driven"];
        let (torque, power) = (driven["torque"][1].as_f64().unwrap(), driven["power"].as_f64().unwrap());
        // 30 rpm; rows are samples of the torque, the power is that of all steps
        assert!((power / (-torque * std::f64::consts::PI) - 1.0).abs() < 0.15, "{power} W, {torque} N m");
    }
    assert!(difference.abs() < 0.025, "{difference}");
}

#[test]
fn a_hopper_that_has_begun_to_run_out() {
    let folder = tempfile::tempdir().unwrap();
    let (summary, spheres) = result("hopper.toml", folder.path(), &["--until", "0.4 s"]);
    assert!(spheres.centres.iter().any(|x| x[2] < -0.02), "grains below the outlet");
    expect_height(&summary, spheres.height(2, 0.0));
    let walls = |x: Point| (0.05 - x[0].hypot(x[1])).abs().min(disc(x, 0.0, 0.018, 0.05));
    let found = spheres.fraction([-0.05, -0.05, 0.0], [0.05, 0.05, 0.08], false, &walls);
    assert!(found.1 > 0.02);
    expect_fraction(&summary, found);
}

#[test]
fn a_silo_with_a_part_of_its_filling() {
    let folder = tempfile::tempdir().unwrap();
    let (summary, spheres) = result(
        "silo.toml",
        folder.path(),
        &["--set", "particles.rain.fill.count=2500", "--set", "particles.rain.velocity=[0,0,-2]", "--until", "0.75 s"],
    );
    let walls = |x: Point| (0.0375 - x[0].hypot(x[1])).min(x[2]);
    expect_fraction(&summary, spheres.fraction([-0.0375, -0.0375, 0.0], [0.0375, 0.0375, 0.08], false, &walls));
}

#[test]
fn a_slice_in_its_plane() {
    let folder = tempfile::tempdir().unwrap();
    let (summary, spheres) = result("container_slice.toml", folder.path(), &[]);
    expect_height(&summary, spheres.height(1, 0.0));
    let walls = |x: Point| {
        // the vessel ends above the bed; the incline falls from (0, 3.2) to (2, 0)
        let along = ((x[0] * 2.0 - (x[1] - 3.2) * 3.2) / (2.0 * 2.0 + 3.2 * 3.2)).clamp(0.0, 1.0);
        let incline = (x[0] - 2.0 * along).hypot(x[1] - 3.2 + 3.2 * along);
        incline.min(x[1]).min(5.0 - x[0])
    };
    let found = spheres.fraction([0.0; 3], [5.0, 3.5, 0.0], true, &walls);
    assert!(found.1 > 0.01);
    expect_fraction(&summary, found);
}

#[test]
fn bodies_of_three_shapes_in_a_box() {
    let folder = tempfile::tempdir().unwrap();
    let counts = ["dimers", "tetrapods", "rods"].map(|name| format!("particles.{name}.fill.count=30"));
    let further: Vec<&str> = counts.iter().flat_map(|count| ["--set", count]).chain(["--until", "0.3 s"]).collect();
    let (_, spheres) = result("clump_pouring.toml", folder.path(), &further);
    assert_eq!(spheres.centres.len(), 30 * (2 + 5 + 3));
    for (x, r) in spheres.centres.iter().zip(&spheres.radii) {
        let inside = (0.012 - x[0].abs()).min(0.012 - x[1].abs()).min(x[2]);
        assert!(inside > 0.95 * r, "{x:?}, {r}");
    }
    let top = spheres.centres.iter().map(|x| x[2]).fold(0.0, f64::max);
    assert!(top < 0.03, "they have not come down: {top}");
}

/// The drum carries its rods up on the side that rises, and they stay inside.
#[test]
fn rods_in_a_drum() {
    let folder = tempfile::tempdir().unwrap();
    let (summary, spheres) =
        result("drum_rods.toml", folder.path(), &["--set", "particles.filling.fill.count=200", "--until", "0.8 s"]);
    assert_eq!((summary["bodies"]["count"].as_u64(), spheres.centres.len()), (Some(200), 800));
    let mut middle = 0.0;
    for (x, r) in spheres.centres.iter().zip(&spheres.radii) {
        let inside = (0.05 - x[0].hypot(x[2])).min(0.012 - x[1].abs());
        assert!(inside > 0.9 * r, "{x:?}, {r}");
        middle += x[0] / 800.0;
    }
    assert!(middle < -0.008, "the bed leans to the rising side: {middle}");
}

/// The punch goes down, and the grains stay in the die and yield.
#[test]
fn plastic_spheres_in_a_die() {
    let folder = tempfile::tempdir().unwrap();
    let further = ["--set", "particles.sample.fill.count=150", "--until", "8 ms"];
    let (summary, spheres) = result("powder_compaction.toml", folder.path(), &further);
    assert_eq!(spheres.centres.len(), 150);
    for (x, r) in spheres.centres.iter().zip(&spheres.radii) {
        let inside = (0.01 - x[0].hypot(x[1])).min(x[2]);
        assert!(inside > 0.8 * r, "{x:?}, {r}");
    }
    assert!(summary["pistons"][0]["way"].as_f64().unwrap() > 2e-3, "{summary}");
    let series = dem_io::series::Series::read(folder.path().join("powder_compaction.toml/series.csv")).unwrap();
    let last = |name: &str| *series.column(name).unwrap().last().unwrap();
    assert!(last("plastic_work") > 0.0 && last("adhesion_work") > 0.0 && last("adhesion_energy") < 0.0);
}

/// Grains land on the plate, and bridges pull while nothing else does.
#[test]
fn wet_grains_on_a_plate() {
    let folder = tempfile::tempdir().unwrap();
    let further = ["--set", "particles.grains.fill.count=80", "--until", "0.35 s"];
    let (summary, spheres) = result("wet_sand_pile.toml", folder.path(), &further);
    assert!(spheres.centres.len() > 40 && summary["bed_height"].as_f64().unwrap() > 2e-3, "{summary}");
    assert!(spheres.centres.iter().zip(&spheres.radii).all(|(x, r)| x[2] > 0.8 * r || x[0].hypot(x[1]) > 0.02));
    let series = dem_io::series::Series::read(folder.path().join("wet_sand_pile.toml/series.csv")).unwrap();
    let last = |name: &str| *series.column(name).unwrap().last().unwrap();
    assert!(last("adhesion_work") > 0.0 && last("near_field_energy") < 0.0);
}

#[test]
fn octahedral_clusters_in_a_cell() {
    let folder = tempfile::tempdir().unwrap();
    let further = ["--set", "particles.sample.fill.count=60", "--until", "1 ms"];
    let (summary, spheres) = result("triaxial_clusters.toml", folder.path(), &further);
    assert_eq!(spheres.centres.len(), 60 * 7);
    let mut radii = spheres.radii.clone();
    radii.sort_unstable_by(f64::total_cmp);
    assert!(radii[6 * 60 - 1] < radii[6 * 60] && radii[0] > 0.3e-3, "six small ones beside each large one");
    // the union of a cluster is less than its spheres, and more than the largest of them
    let series = dem_io::series::Series::read(folder.path().join("triaxial_clusters.toml/series.csv")).unwrap();
    let edge = |name: &str| *series.column(name).unwrap().last().unwrap();
    let volume = edge("cell_edge_1_x") * edge("cell_edge_2_y") * edge("cell_edge_3_z");
    let solid = (1.0 - summary["cell"]["porosity"].as_f64().unwrap()) * volume;
    let largest: f64 = radii[6 * 60..].iter().map(|r| 4.0 / 3.0 * std::f64::consts::PI * r * r * r).sum();
    // 5.596224 for a central sphere of radius 1, by the closed form of its lenses with six others
    let expected = 5.596224 / (4.0 / 3.0 * std::f64::consts::PI) * largest;
    assert!((solid / expected - 1.0).abs() < 1e-6 && solid < spheres.solid(), "{solid}, expected {expected}");
}

#[test]
fn spheres_that_are_no_bed() {
    let folder = tempfile::tempdir().unwrap();
    let (summary, spheres) = result("three_rolling_spheres.toml", folder.path(), &["--until", "10 ms"]);
    expect_height(&summary, 2.0 * spheres.radii[0]);
    assert!(summary["packing_fraction"].is_null() && summary["not_measured"]["packing_fraction"].is_string());
    let (summary, spheres) = result("spinning_sphere.toml", folder.path(), &["--until", "10 ms"]);
    expect_height(&summary, 2.0 * spheres.radii[0]);
}

#[test]
fn an_oedometer_says_what_it_was_built_for() {
    let folder = tempfile::tempdir().unwrap();
    let (summary, spheres) = result("oedometer.toml", folder.path(), &[]);
    let piston = &summary["pistons"][0];
    let number = |value: &Value| value.as_f64().unwrap();
    // the ring has a radius of 10 mm, the piston began at 30 mm
    let height = 0.03 - number(&piston["way"]);
    let volume = std::f64::consts::PI * 1e-4 * height;
    let void_ratio = volume / spheres.solid() - 1.0;
    let sample = &piston["sample"];
    assert!((number(&sample["height"]) / height - 1.0).abs() < 1e-9, "{sample}");
    assert!((number(&sample["void_ratio"]) / void_ratio - 1.0).abs() < 1e-9, "{sample}, expected {void_ratio}");
    assert!((number(&sample["axial_strain"]) - number(&piston["way"]) / 0.03).abs() < 1e-9, "{sample}");
    assert!((number(&piston["pressure"]) / 50e3 - 1.0).abs() < 0.006, "{piston}");
    // smooth walls: the stress is that of the piston at every height
    assert!((number(&sample["stress"]["zz"]) / number(&piston["pressure"]) - 1.0).abs() < 0.01, "{sample}");
    assert!(summary["bed_height"].is_null() && summary["weight"].is_null(), "without gravity");
}

#[test]
fn rigid_walls_hold_the_lateral_pressure_of_a_triaxial_test() {
    let folder = tempfile::tempdir().unwrap();
    let (summary, spheres) =
        result("rigid_wall_triaxial.toml", folder.path(), &["--set", "stages.shear.until.time=10 ms"]);
    let pistons = summary["pistons"].as_array().unwrap();
    let height =
        |name: &str| pistons.iter().find(|piston| piston["name"] == name).unwrap()["sample"]["height"].as_f64();
    let edges = ["right", "back", "top"].map(|name| height(name).unwrap());
    let volume: f64 = edges.iter().product();
    let sample = &pistons[0]["sample"];
    let void_ratio = volume / spheres.solid() - 1.0;
    assert!(
        (sample["void_ratio"].as_f64().unwrap() / void_ratio - 1.0).abs() < 1e-9,
        "{sample}, expected {void_ratio}"
    );
    let series = dem_io::series::Series::read(folder.path().join("rigid_wall_triaxial.toml/series.csv")).unwrap();
    let column = |name: &str| series.column(name).unwrap();
    let of_shear: Vec<usize> = (0..column("time").len()).filter(|&row| column("stage")[row] == 2.0).collect();
    let mean = |name: &str| of_shear.iter().map(|&row| column(name)[row]).sum::<f64>() / of_shear.len() as f64;
    for lateral in ["wall_right_pressure", "wall_back_pressure"] {
        // a few per cent are left where a motion begins at once
        assert!((mean(lateral) / 100e3 - 1.0).abs() < 0.1, "{lateral} {}", mean(lateral));
    }
    // the grains have friction then, and the sample bears a deviator
    assert!(sample["q_over_p"].as_f64().unwrap() > 0.3, "{sample}");
}

#[test]
fn a_gate_presses_on_grains_with_no_more_than_it_may() {
    let folder = tempfile::tempdir().unwrap();
    let (summary, spheres) = result("closing_gate.toml", folder.path(), &[]);
    let series = dem_io::series::Series::read(folder.path().join("closing_gate.toml/series.csv")).unwrap();
    let (way, force) = (series.column("wall_gate_way").unwrap(), series.column("wall_gate_pressing_force").unwrap());
    assert!(way.iter().copied().fold(0.0, f64::min) < -0.02, "it opens by the width of the slot");
    assert!(force.iter().all(|&force| force < 2.5), "2 N, but for what a grain that comes to a stop adds");
    assert!(summary["outflow"]["particles"].as_u64().unwrap() > 100);
    assert!(summary["max_overlap_ratio_peak"].as_f64().unwrap() < 0.06);
    // closed, or held by grains with what it presses with
    let (closed, most) = (way[way.len() - 1] > -1.1e-3, force.iter().copied().fold(0.0, f64::max));
    assert!(closed || most > 1.8, "{} m, {most} N", way[way.len() - 1]);
    let below = spheres.centres.iter().filter(|x| x[2] < -0.01).count();
    assert!(below < 10, "{below} grains still fall");
}

#[test]
fn cells_say_stress_strain_and_porosity() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["triaxial_small.toml", "stress_probe_small.toml"] {
        let (summary, spheres) = result(name, folder.path(), &["--until", "2 ms"]);
        let cell = &summary["cell"];
        let series = dem_io::series::Series::read(folder.path().join(name).join("series.csv")).unwrap();
        let last = |name: &str| *series.column(name).unwrap().last().unwrap();
        let volume = last("cell_edge_1_x") * last("cell_edge_2_y") * last("cell_edge_3_z");
        let porosity = 1.0 - spheres.solid() / volume;
        assert!((cell["porosity"].as_f64().unwrap() - porosity).abs() < 1e-9, "{name}: {cell}, expected {porosity}");
        assert!((summary["packing_fraction"].as_f64().unwrap() - (1.0 - porosity)).abs() < 1e-9, "{name}");
        assert!(
            (cell["volumetric_strain"].as_f64().unwrap() - (0.025_f64.powi(3) / volume).ln()).abs() < 1e-9,
            "{name}"
        );
        assert_eq!(cell["mean_stress"].as_f64().unwrap(), last("mean_stress"), "{name}");
        assert!(cell["q_over_p"].is_number() && summary["bed_height"].is_null(), "{name}: {cell}");
    }
}

/// What the run prints is what fits its kind.
#[test]
fn the_terminal_shows_what_fits_the_run() {
    let folder = tempfile::tempdir().unwrap();
    let said = run(&example("triaxial_small.toml"), &folder.path().join("cell"), "--until 1ms").expect_code(0).stdout;
    assert!(said.contains("  stress   ") && said.contains("void ratio") && !said.contains("bed height"), "{said}");
    assert!(said.contains("  code               dem "), "{said}");
}
