//! Cost per contact of every registered law and of what is laid over one, on the same contacts.
//!
//! `cargo bench -p dem-sim --bench laws [-- LAW...]`
//!
//! A settled bed of 10,000 equal spheres is sheared to and fro by hand, every sphere turning on its own, so that histories evolve and part
//! of the contacts slides. All laws see the same motion, on one thread, in turns; only the evaluation of contacts is timed. The medians of
//! the turns are printed, and their ratios to `linear`.
#![expect(
    clippy::print_stdout,
    clippy::expect_used,
    reason = "a benchmark prints its figures and stops if it cannot run"
)]

use std::time::{Duration, Instant};

use dem_contact::kernel::Acceptance;
use dem_contact::registry;
use dem_core::DVec3;
use dem_core::rotation::rodrigues_from_rotation_vector;
use dem_sim::builder;
use dem_sim::simulation::Simulation;
use dem_testkit::worlds::{self, Scatter};

const SCENE: &str = r#"
[time]
step = 4.28e-6
[domain]
min = [0, 0, -0.01]
max = [0.048, 0.048, 0.15]
x = "periodic"
y = "periodic"
[materials.m]
density = 2500
young_modulus = 1e7
poisson_ratio = 0.25
[contact]
CONTACT
[[particles]]
name = "bed"
material = "m"
fill = { type = "file", path = "PATH", max_overlap = 0.05 }
[[stages]]
name = "run"
until = { steps = 1000000 }
"#;

/// Steps of one cycle of the motion: loads change by parts of a per cent per step, as in a bed that is deformed slowly.
const CYCLE: u64 = 1000;
/// Steps of one turn.
const STEPS: u64 = 100;
/// Turns, a whole cycle.
const TURNS: usize = 10;
/// Amplitude of the shear strain, a few times what makes the typical contact slide.
const STRAIN: f64 = 5e-4;
/// Amplitude of the rotations of the spheres \[rad\].
const ROTATION: f64 = 2e-4;

/// What is laid over `hertz-mindlin`: a name and lines of the scene.
const OVERLAYS: [(&str, &str); 6] = [
    ("hertz-mindlin with rolling", "rolling = \"elastic-plastic\"\nrolling_friction = 0.1"),
    ("hertz-mindlin with sjkr", "adhesion = \"sjkr\"\ncohesion_energy_density = 1e4"),
    ("hertz-mindlin with sjkr2", "adhesion = \"sjkr2\"\ncohesion_energy_density = 1e4"),
    ("hertz-mindlin with constant", "adhesion = \"constant\"\npull = 1e-5"),
    (
        "hertz-mindlin with van-der-waals",
        "near_field = \"van-der-waals\"\nhamaker_constant = 1e-19\nseparation_minimum = 4e-10\nvan_der_waals_cutoff = 1e-7",
    ),
    (
        "hertz-mindlin with liquid-bridge",
        "near_field = \"liquid-bridge\"\nsurface_tension = 0.07\ncontact_angle = 0.2\nbridge_volume = 1e-13\nbridge_form = \"willett-closed\"",
    ),
];

/// A bed under one law.
struct Bed {
    law: String,
    simulation: Simulation,
    rest: Vec<DVec3>,
    axis: Vec<DVec3>,
    step: u64,
    times: Vec<Duration>,
}

impl Bed {
    /// A law by its key, and further lines of the table `[contact]`.
    fn new(name: &str, law: &'static str, further: &str) -> Self {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/settled_10k.csv.gz");
        let mut given = worlds::common_parameters(law, 0.3, 0.5);
        // 200 N/m for the usual 1 MN/m: the secant of Hertz at the mean overlap of the bed
        worlds::scale_springs(&mut given, 2e-4);
        let given: String = given.iter().map(|(name, value)| format!("{name} = {value}\n")).collect();
        let scene = SCENE.replace("PATH", path).replace("CONTACT", &format!("law = \"{law}\"\n{given}{further}"));
        let loaded = builder::parse_scene("laws", &scene, &[]).expect("the scene is sound");
        let mut simulation = builder::build(&loaded).expect("the scene can be built");
        simulation.initialise().expect("the cell is wide enough");
        let particles = &simulation.world.particles;
        let mut scatter = Scatter(1);
        let axis = particles.id.iter().map(|_| scatter.next_vector()).collect();
        let rest = particles.position.clone();
        Self { law: name.to_owned(), simulation, rest, axis, step: 0, times: Vec::new() }
    }

    /// Moves the bed by one step and evaluates its contacts; returns the time that this took.
    fn advance(&mut self) -> Duration {
        let Simulation { world, pipeline, .. } = &mut self.simulation;
        let phase = |step: u64| (std::f64::consts::TAU * step as f64 / CYCLE as f64).sin();
        let (before, after) = (phase(self.step), phase(self.step + 1));
        self.step += 1;
        let step = world.time_step;
        let p = &mut world.particles;
        for slot in 0..p.len() {
            let strained = |phase: f64| self.rest[slot] + DVec3::X * (STRAIN * phase * self.rest[slot].z);
            p.previous_position[slot] = strained(before);
            p.position[slot] = strained(after);
            p.velocity[slot] = (p.position[slot] - p.previous_position[slot]) / step;
            let turn = self.axis[slot] * (ROTATION * (after - before));
            p.rotation_increment[slot] = rodrigues_from_rotation_vector(turn);
            p.angular_velocity[slot] = turn / step;
        }
        pipeline.forces.bound_displacement(STRAIN * (after - before).abs() * 0.15);
        let end = world.time + step;
        let start = Instant::now();
        pipeline.forces.evaluate_contacts(world, step, end, Acceptance::Final).expect("the cell is wide enough");
        let taken = start.elapsed();
        pipeline.forces.commit_contacts(world);
        world.time = end;
        world.step += 1;
        taken
    }

    /// Nanoseconds per contact: the median of the turns.
    fn cost(&self) -> f64 {
        let mut times: Vec<f64> = self.times.iter().map(Duration::as_secs_f64).collect();
        times.sort_by(f64::total_cmp);
        1e9 * times[times.len() / 2] / (STEPS as f64 * self.simulation.world.contact_count().pairs as f64)
    }
}

fn main() {
    let asked: Vec<String> = std::env::args().skip(1).filter(|argument| !argument.starts_with('-')).collect();
    let wanted =
        |name: &str| asked.is_empty() || name == "linear" || asked.iter().any(|asked| name.contains(asked.as_str()));
    let laws = registry::LAWS.iter().map(|law| (law.key, law.key, ""));
    let overlays = OVERLAYS.iter().map(|&(name, further)| (name, "hertz-mindlin", further));
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread can be started");
    pool.install(|| {
        let mut beds: Vec<Bed> = laws
            .chain(overlays)
            .filter(|(name, ..)| wanted(name))
            .map(|(name, law, further)| Bed::new(name, law, further))
            .collect();
        for bed in &mut beds {
            for _ in 0..CYCLE {
                bed.advance();
            }
        }
        for _ in 0..TURNS {
            for bed in &mut beds {
                let taken = (0..STEPS).map(|_| bed.advance()).sum();
                bed.times.push(taken);
            }
        }
        let Some(linear) = beds.iter().find(|bed| bed.law == "linear").map(Bed::cost) else { return };
        println!("| law | ns per contact | over linear | sliding |\n|---|---|---|---|");
        for bed in &beds {
            let world = &bed.simulation.world;
            let (mut sliding, mut touching) = (0.0, 0.0);
            for candidate in 0..world.list.first.len() {
                if let Some(mode) = world.forces.mode(candidate) {
                    touching += 1.0;
                    sliding += f64::from(u8::from(mode == dem_contact::Mode::Slide));
                }
            }
            let cost = bed.cost();
            println!("| {} | {cost:.1} | {:.2} | {:.0} % |", bed.law, cost / linear, 100.0 * sliding / touching);
        }
    });
}
