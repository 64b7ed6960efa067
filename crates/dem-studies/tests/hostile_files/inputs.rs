//! Sound files to begin from: written by the engine in a run of its own, or those of the tests and examples.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use dem_core::particles::ExternalLoad;
use dem_io::document::Override;
use dem_sim::builder::{self, LoadedScene};
use dem_sim::checkpoint::{save, scene_fingerprint};
use dem_sim::run::{Origin, Run, RunBounds};
use dem_sim::simulation::Simulation;

/// What a checkpoint can hold beside what the scenes of other tests bring.
const EVERYTHING: &str = include_str!("../../../../tests/fixtures/checkpoint_format_3.toml");

/// A file and, for files that go with a scene, the scene.
pub struct Input {
    pub name: String,
    pub bytes: Vec<u8>,
}

impl Input {
    fn new(name: &str, bytes: impl Into<Vec<u8>>) -> Self {
        Self { name: name.to_owned(), bytes: bytes.into() }
    }
}

/// A checkpoint with the scene it goes on with.
pub struct State {
    pub scene: LoadedScene,
    pub fingerprint: String,
    pub bytes: Vec<u8>,
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Folder of the scenes that must be accepted, which paths in scenes are relative to.
pub fn good_scenes() -> PathBuf {
    root().join("tests/scenes/good")
}

/// All files of some folders with one ending.
fn files(folders: &[&str], ending: &str) -> Vec<Input> {
    let mut found = Vec::new();
    for folder in folders {
        for entry in std::fs::read_dir(root().join(folder)).expect("a folder of the repository") {
            let path = entry.expect("an entry").path();
            if path.extension().is_some_and(|found| found == ending) {
                let name = path.file_name().expect("a name").to_string_lossy();
                found.push(Input::new(&name, std::fs::read(&path).expect("a file")));
            }
        }
    }
    found.sort_by(|a, b| a.name.cmp(&b.name));
    found
}

pub fn scenes() -> Vec<Input> {
    let mut all = files(&["examples", "tests/scenes/good", "tests/scenes/restart"], "toml");
    all.push(Input::new("checkpoint_format_3.toml", EVERYTHING));
    all
}

/// Spheres at a mesh, whose file lies beside the scene.
pub const SCENE_OF_A_MESH: &str = r#"
[time]
end = "1 s"

[domain]
min = ["-40 mm", "-40 mm", "-40 mm"]
max = ["40 mm", "40 mm", "120 mm"]

[materials.glass]
density = "2500 kg/m^3"
young_modulus = "10 MPa"
poisson_ratio = 0.25

[contact]
law = "hertz-mindlin"
friction = 0.5
restitution = 0.5
tangential_damping_ratio = 0.2

[[walls]]
name = "mesh"
material = "glass"
shape = { type = "mesh", file = "mesh.stl", unit = "1 mm" }
motion = { angular_velocity = ["0 rpm", "0 rpm", "60 rpm"] }

[[particles]]
name = "spheres"
material = "glass"
sizes = { type = "single", radius = "3 mm" }
region = { type = "box", min = ["-20 mm", "-20 mm", "0 mm"], max = ["20 mm", "20 mm", "40 mm"] }
fill = { type = "lattice", gap = 0.05, count = 40 }

[[output.wall_facets]]
wall = "mesh"
archard = { coefficient = 1e-4, hardness = "2 GPa" }
finnie = { coefficient = "1e-11 m^3/J" }
"#;

/// Its spheres above a wedge.
const ABOVE: &str = "particles.spheres.region={ type = \"box\", min = [\"-20 mm\", \"-20 mm\", \"16 mm\"], max = [\"20 mm\", \"20 mm\", \"60 mm\"] }";

/// Meshes of all formats, text and binary.
pub fn mesh_files() -> Vec<Input> {
    let mut all = files(&["examples", "tests/scenes/good"], "stl");
    all.extend(["obj", "ply"].into_iter().flat_map(|ending| files(&["tests/scenes/good"], ending)));
    let is_text = |input: &Input| input.bytes.starts_with(b"solid");
    assert!(all.iter().any(is_text) && !all.iter().all(is_text));
    all
}

/// A folder with the meshes of all scenes.
pub fn meshes(folder: &Path) -> PathBuf {
    let folder = folder.join("meshes");
    std::fs::create_dir_all(&folder).expect("a folder");
    for mesh in mesh_files() {
        std::fs::write(folder.join(mesh.name), mesh.bytes).expect("a file");
    }
    folder
}

pub fn tables() -> Vec<Input> {
    let mut all = files(&["examples", "tests/scenes/good"], "csv");
    all.extend(files(&["tests/scenes/good"], "gz"));
    let text = "# all columns\nx,y,z,r,vx,vy,vz,wx,wy,wz,material\n0,0,0.1,1e-3,0,0,-1,2,3,4,glass\n0,0,0.2,2e-3,0,0,0,0,0,0,\"steel\"\n";
    all.push(Input::new("full.csv", text));
    all.push(Input::new("full.csv.gz", compressed(text.as_bytes())));
    all
}

/// gzip.
pub fn compressed(text: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(text).expect("memory");
    encoder.finish().expect("memory")
}

fn state(name: &str, text: &str, changes: &[&str], steps: u32, adorn: impl Fn(&mut Simulation)) -> State {
    let changes: Vec<Override> = changes.iter().map(|change| Override::parse(change).expect("a change")).collect();
    let scene = builder::parse_scene_in(&good_scenes(), name, text, &changes).unwrap_or_else(|error| panic!("{error}"));
    let mut simulation = builder::build(&scene).unwrap_or_else(|error| panic!("{error}"));
    simulation.initialise().expect("forces");
    adorn(&mut simulation);
    for _ in 0..steps {
        simulation.advance().unwrap_or_else(|error| panic!("{name}: {error}"));
    }
    let fingerprint = scene_fingerprint(scene.document.resolved());
    let bytes = save(&simulation, &fingerprint).expect("a state");
    State { scene, fingerprint, bytes }
}

pub fn states() -> Vec<State> {
    let text = |path: &str| std::fs::read_to_string(root().join("tests/scenes").join(path)).expect("a scene");
    let push = |simulation: &mut Simulation| {
        let particles = &mut simulation.world.particles;
        particles.external = vec![ExternalLoad::default(); particles.len()];
    };
    vec![
        state(
            "tray",
            &text("restart/tray.toml").replace("restitution = 0.5", "damping_ratio = 0.2"),
            &["particles.beads.fill.count=15"],
            2000,
            push,
        ),
        state("cell", &text("good/deforming_cell.toml"), &["particles.sample.fill.count=30"], 100, |_| {}),
        state("everything", EVERYTHING, &[], 300, |_| {}),
        state("facets", &SCENE_OF_A_MESH.replace("mesh.stl", "wedge.ply"), &[ABOVE], 2000, |_| {}),
        state("pressing walls", &text("good/pressing_walls.toml"), &[], 100, |_| {}),
    ]
}

/// A run directory with everything that a run writes.
pub fn run_directory(folder: &Path) -> PathBuf {
    let path = root().join("tests/scenes/restart/tray.toml");
    let changes = ["particles.beads.fill.count=12", "time.end=\"4 ms\""];
    let changes: Vec<Override> = changes.iter().map(|change| Override::parse(change).expect("a change")).collect();
    let scene = builder::load_scene(&path, &changes).unwrap_or_else(|error| panic!("{error}"));
    let directory = folder.join("run");
    let mut run = Run::begin(&scene, &directory, &Origin::Scene, false).unwrap_or_else(|error| panic!("{error}"));
    let ended = run.execute(&RunBounds::default(), &AtomicBool::new(false), &mut |_| {}).expect("a run");
    run.finish(ended).expect("a summary");
    directory
}

/// Files of a campaign of probes: the description and one file for each.
pub fn probes(folder: &Path) -> (PathBuf, Vec<Input>) {
    let directory = folder.join("probes of a state");
    std::fs::create_dir_all(directory.join("probes")).expect("a folder");
    let description = r#"{
  "fingerprint": "0123456789abcdef0123456789abcdef",
  "description": {
    "engine": "dem 0.1.0",
    "state": "00",
    "particles": 60,
    "time_step": 1e-6,
    "axis": 2,
    "plane": "rendulic",
    "directions": 4,
    "seed": 1,
    "laws": [["kuhn", "a"], ["elastic", "b"]],
    "steps": [4],
    "relax": [3],
    "magnitudes": ["1e-5"],
    "unload": 60,
    "sliding_share": 0.1,
    "mobilised_share": 0.1
  }
}"#;
    let mut all = vec![Input::new("campaign.json", description)];
    for (law, label) in ["kuhn", "elastic"].into_iter().enumerate() {
        for direction in ["null", "0000", "0001", "0002", "0003"] {
            let turn = direction.parse::<f64>().unwrap_or(0.0);
            let residual = if law == 0 { "[1e-7, 2e-7, 1e-6, 0, 0, 0]" } else { "null" };
            let text = format!(
                r#"{{
  "campaign": "0123456789abcdef0123456789abcdef",
  "response": {{
    "strain": [{turn}e-6, 0, 1e-5, 0, 0, 0],
    "stress": [10, 20, 1{turn}0, 0, 0, 0],
    "drift": 0.5,
    "residual": {residual},
    "unload_error": {},
    "unbalanced_force": 1e-4,
    "sliding_share": 0.05,
    "mobilised_share": 0.06,
    "contacts": 140,
    "steps": 200
  }},
  "failure": null
}}"#,
                if law == 0 { "1e-3" } else { "null" }
            );
            all.push(Input::new(&format!("probes/{label}_1e-5_4_3_{direction}.json"), text));
        }
    }
    for input in &all {
        std::fs::write(directory.join(&input.name), &input.bytes).expect("a file");
    }
    (directory, all)
}

pub fn paths() -> Vec<Input> {
    vec![
        Input::new("force.csv", "# c\nslip_x_m, normal_force_N, slip_y_m\n1e-6,2,0\n\n0,3,1e-6\n"),
        Input::new("overlap.csv", "overlap_m,slip_x_m\n1e-6,0\n2e-6,1e-6\n2e-6,-1e-6\n"),
    ]
}

/// Lists of points of a sweep.
pub fn sweeps() -> Vec<Input> {
    vec![Input::new("list", "# two\ncontact.friction, contact.restitution\n0.1, 0.5\n\n0.2,0.4\n")]
}
