//! What has to do with all particles at once, on ranks: local porosities, loads and wear of facets, guides that lead particles of several ranks.
#![expect(clippy::unwrap_used, reason = "helpers of tests")]

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use dem_ranks::{Transport, threads};
use dem_sim::builder::{self, LoadedScene};
use dem_sim::measure;
use dem_sim::run::{Ended, Origin, Run, RunBounds, RunError, Team, follow};
use dem_sim::simulation::Simulation;
use dem_testkit::schemes::all_schemes;

use crate::rank_runs::{TABLE, build, compare_loaded, crowded_machine, parse, resume_on_other_numbers, wet};
use crate::split_runs::MATERIALS;
use crate::sums_without_order::MATERIAL;

const SIZES: [usize; 4] = [1, 2, 3, 5];

fn replaced(scene: &str, given: &str, new: &str) -> String {
    assert_eq!(scene.matches(given).count(), 1, "{given}");
    scene.replace(given, new)
}

fn value(simulation: &Simulation, quantity: &str) -> f64 {
    measure::value(simulation, quantity).unwrap()
}

/// Grains in a fluid; the time step follows its drag.
fn in_a_fluid(law: &str) -> String {
    let fields = format!(
        "gravity = [0, 0, -9.81]\nfluid_viscosity = 1e-3\nfluid_density = 1000\nfluid_velocity = [\"0.1 m/s\", 0, 0]\n{law}"
    );
    replaced(&format!("{TABLE}{MATERIAL}"), "gravity = [0, 0, -9.81]", &fields)
}

const WEN_YU: &str = "drag = \"wen-yu\"\nporosity_cell = \"5 mm\"";

/// The smallest porosity at any particle.
fn least_porosity(simulation: &Simulation) -> f64 {
    let world = &simulation.world;
    world.particles.position.iter().map(|&x| world.porosity.end.at(x)).fold(1.0, f64::min)
}

#[test]
fn drag_in_a_local_porosity_on_ranks() {
    let (alone, _) = compare_loaded("heap in a fluid", &parse(&in_a_fluid(WEN_YU)), &SIZES, 500, 100);
    assert!(least_porosity(&alone) < 0.75, "{}", least_porosity(&alone));
    let work = value(&alone, "field_work");
    let mut free = build(&parse(&in_a_fluid("drag = \"schiller-naumann\"")));
    (0..500).for_each(|_| free.advance().unwrap());
    let without = value(&free, "field_work");
    assert!(work > 1.2 * without && without > 0.0, "{work:e} J, without neighbours {without:e} J");
}

/// Along a periodic direction, poured, and with a fluid that changes between stages.
#[test]
fn drag_in_a_local_porosity_in_a_machine_on_ranks() {
    let scene = replaced(&crowded_machine(), "drag_coefficient = \"1e-5 N s/m\"", WEN_YU);
    let scene = replaced(&scene, WEN_YU, &format!("{WEN_YU}\nfluid_viscosity = 1e-3\nfluid_density = 1000"));
    let change = "  { type = \"add_wall\", wall = \"side\" },\n";
    let scene = replaced(
        &scene,
        change,
        &format!("{change}  {{ type = \"set_fields\", fields = {{ fluid_velocity = [0, 0, \"2 m/s\"] }} }},\n"),
    );
    let contact = "[contact]\nlaw = \"hertz-mindlin\"\nfriction = 0.05\nrestitution = 0.5\n[time]\nstep = \"8 us\"\n";
    let (alone, _) =
        compare_loaded("machine in a fluid", &parse(&format!("{scene}{MATERIALS}{contact}")), &SIZES, 200, 50);
    assert!(alone.state.stage == 1 && least_porosity(&alone) < 0.75, "{}", least_porosity(&alone));
}

/// The heap on a mesh of `pieces`² squares of two facets each that shakes, and what wears it.
fn on_a_mesh(folder: &Path) -> LoadedScene {
    let pieces = 6;
    let mut text = "o plate\n".to_owned();
    for k in 0..(pieces + 1) * (pieces + 1) {
        let at = |k: u32| -8.0 + 16.0 * f64::from(k) / f64::from(pieces);
        writeln!(text, "v {} {} 0", at(k % (pieces + 1)), at(k / (pieces + 1))).unwrap();
    }
    for (x, y) in (0..pieces).flat_map(|y| (0..pieces).map(move |x| (x, y))) {
        let at = |x: u32, y: u32| y * (pieces + 1) + x + 1;
        let [a, b, c, d] = [at(x, y), at(x + 1, y), at(x + 1, y + 1), at(x, y + 1)];
        writeln!(text, "f {a} {b} {c}\nf {a} {c} {d}").unwrap();
    }
    std::fs::write(folder.join("plate.obj"), text).unwrap();
    let mesh = "shape = { type = \"mesh\", file = \"plate.obj\", unit = \"1 mm\" }\n\
                motion = { amplitude = [0, 0, \"0.05 mm\"], frequency = \"400 Hz\", angular_velocity = [0, 0, \"20 rad/s\"] }";
    let scene = replaced(
        &format!("{TABLE}{MATERIAL}"),
        "shape = { type = \"disc\", centre = [0, 0, 0], radius = \"8 mm\" }",
        mesh,
    );
    let wear = r#"[output]
series = "1 ms"
snapshots = "0.7 ms"
checkpoints = "1 ms"
pictures = false
[[output.wall_facets]]
wall = "floor"
archard = { coefficient = 1e-4, hardness = "2 GPa" }
finnie = { coefficient = "3e-11 m^3/J" }
"#;
    builder::parse_scene_in(folder, "scene", &format!("{scene}{wear}"), &[]).unwrap()
}

#[test]
fn facets_of_a_mesh_on_ranks() {
    let folder = tempfile::tempdir().unwrap();
    let loaded = on_a_mesh(folder.path());
    let (alone, _) = compare_loaded("heap on a mesh", &loaded, &SIZES, 500, 100);
    let facets = &alone.world.facets.walls()[0].facets;
    let worn = |facet: &&dem_sim::wall_facets::FacetRecord| facet.archard > 0.0 && facet.finnie > 0.0;
    assert!(facets.iter().filter(worn).count() > 30, "{facets:?}");
    let impacts: u64 = facets.iter().map(|facet| facet.impacts).sum();
    assert!(impacts > 50, "{impacts}");
    resume_on_other_numbers(&loaded);
}

/// Leads a run on some ranks in threads.
fn lead<T>(loaded: &LoadedScene, size: usize, act: impl FnOnce(Option<Team>) -> T) -> T {
    if size == 1 {
        return act(None);
    }
    let pool = |threads: usize| rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    let mut ranks = threads::ranks(size, false).into_iter().map(|rank| Arc::new(rank) as Arc<dyn Transport>);
    let leader = ranks.next().unwrap();
    std::thread::scope(|scope| {
        for other in ranks {
            scope.spawn(move || pool(1).install(|| follow(loaded, &other).unwrap()));
        }
        // it leads from this thread, and is dropped before the others are waited for
        act(Some(Team::new(leader)))
    })
}

/// Takes steps of a run up to one.
fn execute(run: Result<Run, RunError>, step: u64) {
    let bounds = RunBounds { step: Some(step), time: None };
    let mut run = run.unwrap();
    assert_eq!(run.execute(&bounds, &AtomicBool::new(false), &mut |_| {}).unwrap(), Ended::Bound);
    run.finish(Ended::Bound).unwrap();
}

/// Files of a run by their names, but for those that have facts about the machine.
fn files(directory: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut all = BTreeMap::new();
    let mut folders = vec![directory.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.strip_prefix(directory).unwrap().to_string_lossy().into_owned();
            if path.is_dir() {
                folders.push(path);
            } else if !["run.log", "summary.json"].contains(&name.as_str()) {
                all.insert(name, std::fs::read(path).unwrap());
            }
        }
    }
    all
}

/// Means of facets begin anew with every frame, which only the leader writes.
#[test]
fn files_of_a_run_with_facets_on_ranks() {
    let folder = tempfile::tempdir().unwrap();
    let loaded = on_a_mesh(folder.path());
    let run = |size: usize, restarted: [usize; 2]| {
        let out = folder.path().join(size.to_string());
        lead(&loaded, size, |team| execute(Run::begin_on(&loaded, &out, &Origin::Scene, false, team), 150));
        for (size, step) in restarted.into_iter().zip([300, 400]) {
            lead(&loaded, size, |team| execute(Run::restart_on(&loaded, &out, None, team), step));
        }
        files(&out)
    };
    let alone = run(1, [1, 1]);
    assert!(alone.len() >= 5 && alone.keys().any(|name| name.contains("snapshots")), "{:?}", alone.keys());
    for (size, restarted) in [(2, [5, 3]), (3, [1, 2])] {
        let together = run(size, restarted);
        assert!(together.keys().eq(alone.keys()), "{:?}", together.keys());
        for (name, bytes) in &alone {
            assert!(together[name] == *bytes, "{name} on {size} ranks, then on {restarted:?}");
        }
    }
}

/// Beads on wires through a bed: some that are driven and spin, of which the first one leaves; one that slides over a ring, which lets go of it.
const GUIDED: &str = r#"
seed = 13
[time]
step = "8 us"
[domain]
min = ["-13.2 mm", "-9 mm", "-1 mm"]
max = ["14 mm", "9 mm", "20 mm"]
x_min = "open"
[fields]
gravity = [0, 0, -200]
local_damping = 0.1
[[walls]]
name = "floor"
material = "grain"
shape = { type = "plane", normal = [0, 0, 1] }
[[particles]]
name = "beads"
material = "grain"
sizes = { type = "single", radius = "1.5 mm" }
region = { type = "box", min = ["-12.1 mm", "-1.5 mm", "1 mm"], max = ["12 mm", "1.5 mm", "4 mm"] }
fill = { type = "lattice", gap = 0 }
[[particles]]
name = "sledge"
material = "grain"
sizes = { type = "single", radius = "1 mm" }
region = { type = "box", min = ["-1 mm", "4 mm", "13 mm"], max = ["1 mm", "6 mm", "15 mm"] }
fill = { type = "lattice", count = 1 }
[[particles]]
name = "bed"
material = "grain"
sizes = { type = "uniform", min = "0.95 mm", max = "1 mm" }
region = { type = "box", min = ["-13 mm", "-8 mm", 0], max = ["13 mm", "8 mm", "8 mm"] }
fill = { type = "lattice", gap = 0.005, jitter = 1 }
velocity = ["-0.4 m/s", 0, "-0.2 m/s"]
[[guides]]
name = "wire"
particles = "beads"
path = { type = "line", point = [0, 0, "2.5 mm"], direction = [1, 0, 0] }
motion = { type = "prescribed", velocity = "-0.6 m/s" }
angular_velocity = [0, "100 rad/s", 0]
[[guides]]
name = "ring"
particles = "sledge"
path = { type = "circle", centre = [0, "5 mm", "8 mm"], normal = [0, 1, 0], radius = "6 mm" }
motion = { type = "free", velocity = "0.8 m/s" }
friction = 0.05
one_sided = true
[[stages]]
name = "push"
until = { steps = 250 }
[[stages]]
name = "faster"
actions = [
  { type = "drive_guide", guide = "wire", velocity = "-0.8 m/s", angular_velocity = [0, 0, "-150 rad/s"] },
  { type = "set_contact", parameters = { friction = 0.1 } },
]
until = { steps = 100000 }
"#;

/// Makes sure that guides hold something and have lost something.
fn expect_guided(name: &str, scene: &str) {
    let loaded = parse(scene);
    let begun = build(&loaded);
    let beads = begun.world.guides.list()[0].followers.len();
    assert!(beads >= 6, "{beads}");
    let (alone, _) = compare_loaded(name, &loaded, &SIZES, 600, 100);
    let [wire, ring] = [0, 1].map(|k| &alone.world.guides.list()[k]);
    assert!(wire.followers.len() < beads && wire.followers.len() > 3, "{} of {beads} beads", wire.followers.len());
    assert!(ring.followers[0].released, "the ring has let go");
    let force = value(&alone, "guide_wire_force_x").abs();
    let torque = value(&alone, "guide_wire_torque_z").abs();
    assert!(force > 1e-4 && torque > 1e-9 && value(&alone, "wall_work") != 0.0, "{force} N, {torque} N m");
}

#[test]
fn guided_particles_on_ranks() {
    expect_guided("wires", &format!("{GUIDED}{MATERIAL}"));
}

/// Liquid is exchanged after guides have put their particles back on their paths.
#[test]
fn guided_particles_in_wet_grains_on_ranks() {
    expect_guided("wet wires", &format!("{}{MATERIAL}", wet(GUIDED)));
}

/// Every integrator asks for the forces of guides and of a fluid at other instants.
#[test]
fn guides_and_drag_in_a_local_porosity_under_every_integrator_on_ranks() {
    let fluid = WEN_YU.replace("5 mm", "6 mm");
    let fluid = format!("local_damping = 0.1\n{fluid}\nfluid_viscosity = 1e-3\nfluid_density = 1000");
    let scene = replaced(GUIDED, "local_damping = 0.1", &fluid);
    let scene = replaced(&scene, "until = { steps = 250 }", "until = { steps = 100 }");
    for (k, scheme) in all_schemes().into_iter().enumerate() {
        if scheme.to_string().contains("gauss-seidel") {
            continue;
        }
        let integrator = format!("step = \"8 us\"\nintegrator = {}", scheme.toml());
        let text = format!("{}{MATERIAL}", replaced(&scene, "step = \"8 us\"", &integrator));
        let (sizes, name) = (&SIZES[1 + k % 3..][..1], scheme.to_string());
        let (alone, _) = compare_loaded(&name, &parse(&text), sizes, 200, 50);
        let force = value(&alone, "guide_wire_force_x").abs();
        assert!(force > 1e-4 && value(&alone, "field_work") > 0.0, "{scheme}: {force} N");
        assert!(least_porosity(&alone) < 0.75, "{scheme}: {}", least_porosity(&alone));
    }
}

#[test]
fn a_run_with_guides_that_is_resumed_on_other_numbers_of_ranks() {
    resume_on_other_numbers(&parse(&format!("{GUIDED}{MATERIAL}")));
}
