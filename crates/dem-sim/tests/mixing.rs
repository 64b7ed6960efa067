//! Materials in the series: what leaves of each, shares of regions, and the index of Lacey.
#![expect(clippy::unwrap_used, reason = "helpers of tests")]

use std::path::Path;
use std::sync::atomic::AtomicBool;

use dem_sim::builder;
use dem_sim::measure::{series_columns, value};
use dem_sim::run::{Origin, Run, RunBounds};
use dem_sim::simulation::Simulation;

/// Twelve by six by six spheres of radius 1 mm on a lattice, red ones in the half of small x.
const BED: &str = r#"
[time]
end = "1 ms"
[domain]
min = [0, 0, 0]
max = ["24.6 mm", "12.3 mm", "20.5 mm"]
[fields]
gravity = [0, 0, 0]
[materials.red]
density = 2500
young_modulus = 1e7
poisson_ratio = 0.25
[materials.blue]
density = 5000
young_modulus = 1e7
poisson_ratio = 0.25
[contact]
law = "hertz-mindlin"
friction = 0.4
restitution = 0.5
[[particles]]
name = "left"
material = "red"
sizes = { type = "single", radius = "1 mm" }
region = { type = "box", min = [0, 0, 0], max = ["12.3 mm", "12.3 mm", "12.3 mm"] }
fill = { type = "lattice" }
[[particles]]
name = "right"
material = "blue"
sizes = { type = "single", radius = "1 mm" }
region = { type = "box", min = ["12.3 mm", 0, 0], max = ["24.6 mm", "12.3 mm", "12.3 mm"] }
fill = { type = "lattice" }
"#;

const OUTPUT: &str = r#"
[output]
materials = ["red", "blue"]
regions = [{ name = "middle", region = { type = "box", min = ["8 mm", 0, 0], max = ["20 mm", "12.3 mm", "12.3 mm"] } }]
mixing = [
  { name = "bed", reference = "red", cells = [6, 3, 5] },
  { name = "high", reference = "blue", cells = [2, 1, 1], region = { type = "box", min = [0, 0, "8 mm"], max = ["24.6 mm", "12.3 mm", "12.3 mm"] } },
]
"#;

fn build(text: &str) -> Simulation {
    let loaded = builder::parse_scene("bed.toml", text, &[]).unwrap();
    builder::build(&loaded).unwrap()
}

fn column(simulation: &Simulation, name: &str) -> f64 {
    value(simulation, name).unwrap()
}

#[test]
fn bed_of_two_halves_is_unmixed_and_one_of_two_kinds_in_turns_is_mixed() {
    let mut bed = build(&format!("{BED}{OUTPUT}"));
    // cells of 4.1 mm hold eight spheres each; the upper layer of cells is empty
    let all =
        ["lacey", "variance", "share", "particles", "cells"].map(|end| column(&bed, &format!("mixing_bed_{end}")));
    assert!(all[0].abs() < 1e-12, "{all:?}");
    assert_eq!(all[1..], [0.25, 0.5, 432.0, 54.0]);
    // in the region: two layers of 12 by 6
    assert_eq!(column(&bed, "mixing_high_particles"), 144.0);
    assert!(column(&bed, "mixing_high_lacey").abs() < 1e-12);
    // two columns of red, four of blue with twice the density
    let share = column(&bed, "region_middle_share_red");
    assert!((share - 2.0 / (2.0 + 2.0 * 4.0)).abs() < 1e-12, "{share}");
    // in turns along x, y and z: four of each kind in every cell
    let p = &mut bed.world.particles;
    for slot in 0..p.len() {
        let layers = (p.position[slot] * 500.0).floor();
        p.material[slot] = u16::from((layers.x + layers.y + layers.z) % 2.0 != 0.0);
    }
    // S² = 0 and n = 8: M = 1 / (1 − 1/8)
    let index = column(&bed, "mixing_bed_lacey");
    assert!((index - 8.0 / 7.0).abs() < 1e-12, "{index}");
    assert_eq!(column(&bed, "mixing_bed_variance"), 0.0);
}

#[test]
fn bed_in_which_every_kind_falls_at_random_has_an_index_of_one() {
    let mut bed = build(&format!("{BED}{OUTPUT}"));
    let mut state = 1u64;
    let mut sum = 0.0;
    let draws = 400;
    for _ in 0..draws {
        let p = &mut bed.world.particles;
        for slot in 0..p.len() {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            p.material[slot] = u16::from(state >> 63 == 1);
        }
        sum += column(&bed, "mixing_bed_lacey");
    }
    // one draw spreads by about (2/54)^(1/2) / (8 − 1) = 0.03; with p from the samples the mean is 1 + 1/(7 N) or so
    assert!((sum / f64::from(draws) - 1.0).abs() < 1e-2, "{}", sum / f64::from(draws));
}

#[test]
fn scenes_that_do_not_ask_have_the_columns_that_they_had() {
    let columns = series_columns(&build(BED).world);
    assert!(columns.iter().all(|column| !column.name.starts_with("mixing") && column.name != "removed_red"));
}

/// The bed falls out of its domain through the lower face.
fn falling() -> String {
    format!("{BED}{OUTPUT}series = \"0.2 ms\"\nsnapshots = \"1 s\"\ncheckpoints = \"1 s\"\npictures = false\n")
        .replace("gravity = [0, 0, 0]", "gravity = [0, 0, -40000]")
        .replace(
            "max = [\"24.6 mm\", \"12.3 mm\", \"20.5 mm\"]",
            "max = [\"24.6 mm\", \"12.3 mm\", \"20.5 mm\"]\nz_min = \"open\"",
        )
}

fn run(text: &str, directory: &Path, origin: &Origin, bounds: &RunBounds) -> Run {
    let loaded = builder::parse_scene("bed.toml", text, &[]).unwrap();
    let mut run = Run::begin(&loaded, directory, origin, false).unwrap();
    run.execute(bounds, &AtomicBool::new(false), &mut |_| {}).unwrap();
    run
}

#[test]
fn what_has_left_adds_up_and_a_restart_goes_on_with_it() {
    let folder = tempfile::tempdir().unwrap();
    let [whole, cut] = ["whole", "cut"].map(|name| folder.path().join(name));
    let text = falling();
    let run_of_all = run(&text, &whole, &Origin::Scene, &RunBounds::default());
    let world = &run_of_all.simulation.world;
    let [red, blue] = [0, 1].map(|k: usize| world.material_flows[k]);
    assert!(red.particles > 20 && blue.particles > 20, "{red:?} {blue:?}");
    assert_eq!(red.particles + blue.particles, world.removed);
    assert!((red.mass + blue.mass - world.removed_mass).abs() < 1e-12 * world.removed_mass);
    let steps = world.step;
    drop(run_of_all);
    drop(run(&text, &cut, &Origin::Scene, &RunBounds { step: Some(3 * steps / 5), ..RunBounds::default() }));
    let loaded = builder::parse_scene("bed.toml", &text, &[]).unwrap();
    let mut again = Run::restart(&loaded, &cut, None).unwrap();
    again.execute(&RunBounds::default(), &AtomicBool::new(false), &mut |_| {}).unwrap();
    let series = |directory: &Path| std::fs::read_to_string(directory.join("series.csv")).unwrap();
    assert!(series(&whole) == series(&cut));
    let last: Vec<String> = series(&cut).lines().last().unwrap().split(',').map(str::to_owned).collect();
    let at = series(&cut).lines().next().unwrap().split(',').position(|name| name == "removed_red").unwrap();
    assert_eq!(last[at], red.particles.to_string());
}

#[test]
fn wrong_grids_and_materials_are_refused_by_name() {
    for (from, to, message) in [
        ("materials = [\"red\", \"blue\"]", "materials = [\"rad\"]", "did you mean \"red\"?"),
        ("materials = [\"red\", \"blue\"]", "materials = [\"red\", \"red\"]", "expected every material once"),
        ("reference = \"red\"", "reference = \"bleu\"", "reference = \"bleu\", expected a material: blue, red"),
        ("cells = [6, 3, 5]", "cells = [6, 0, 5]", "expected three counts with a product of 2 to 100000"),
        ("cells = [6, 3, 5]", "cells = [4294967296, 4294967296, 5]", "expected three counts"),
        ("name = \"high\"", "name = \"bed\"", "expected a name that no other grid has"),
    ] {
        let text = format!("{BED}{OUTPUT}").replacen(from, to, 1);
        let error = builder::parse_scene("bed.toml", &text, &[]).and_then(|loaded| builder::build(&loaded).map(drop));
        let text = error.unwrap_err().to_string();
        assert!(text.contains(message), "{text}");
    }
}
