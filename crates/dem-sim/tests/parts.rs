//! An assembly in parts: each thread moves the particles that it owns, knows the others as ghosts, and asks [`Whole`] about everything that
//! concerns all. State, histories and every sum have the bits of one part, whatever the number of parts. Every third particle belongs to the
//! same part, so that nearly every contact is between particles of different parts.
#![expect(clippy::unwrap_used, reason = "helpers of tests")]

use std::collections::BTreeMap;
use std::sync::{Arc, Condvar, Mutex};

use dem_core::contact_list::ContactKey;
use dem_core::exact_sum::ExactSum;
use dem_core::particles::{Particle, Particles};
use dem_sim::builder;
use dem_sim::error::StepError;
use dem_sim::measure;
use dem_sim::simulation::{Simulation, SimulationError};
use dem_sim::whole::{Candidate, Whole};

use crate::sums_without_order::{CELL, MATERIAL, WALLS, sums};

/// What parts say to each other.
#[derive(Clone, Debug)]
enum Said {
    Sums(Vec<ExactSum>),
    Candidates(Vec<Candidate>),
    Ids(Vec<u64>),
    States(Vec<Particle>),
}

/// What has been said in this round, and how many have heard it.
#[derive(Debug, Default)]
struct Round {
    said: Vec<Option<Said>>,
    heard: usize,
    number: u64,
    failure: Option<String>,
    questions: u64,
}

/// Parts in threads of one process that meet at every question.
#[derive(Debug)]
struct Party {
    round: Mutex<Round>,
    changed: Condvar,
}

impl Party {
    fn new(parts: usize) -> Arc<Self> {
        let round = Round { said: vec![None; parts], ..Round::default() };
        Arc::new(Self { round: Mutex::new(round), changed: Condvar::new() })
    }

    /// What all parts say, in their order; none once a part has failed.
    fn meet(&self, part: usize, own: Said) -> Option<Vec<Said>> {
        let mut round = self.round.lock().unwrap();
        // those of the round before have not all left
        while round.said[part].is_some() && round.failure.is_none() {
            round = self.changed.wait(round).unwrap();
        }
        round.said[part] = Some(own);
        let number = round.number;
        self.changed.notify_all();
        while round.number == number && round.said.iter().any(Option::is_none) && round.failure.is_none() {
            round = self.changed.wait(round).unwrap();
        }
        if round.failure.is_some() {
            return None;
        }
        let all = round.said.iter().map(|said| said.clone().unwrap()).collect();
        round.heard += 1;
        if round.heard == round.said.len() {
            round.said.fill(None);
            (round.heard, round.number, round.questions) = (0, number + 1, round.questions + 1);
            self.changed.notify_all();
        } else {
            while round.number == number && round.failure.is_none() {
                round = self.changed.wait(round).unwrap();
            }
        }
        Some(all)
    }
}

/// One of them.
#[derive(Debug)]
struct Part {
    party: Arc<Party>,
    number: usize,
}

impl Part {
    fn ask<T>(&self, own: Said, of: impl Fn(Said) -> Option<T>) -> Option<Vec<T>> {
        let question = format!("{own:.60?}");
        let all: Vec<Option<T>> = self.party.meet(self.number, own)?.into_iter().map(of).collect();
        assert!(all.iter().all(Option::is_some), "parts ask differently: {question}");
        all.into_iter().collect()
    }
}

impl Whole for Part {
    fn add(&self, sums: &mut [ExactSum]) {
        let of = |said| if let Said::Sums(sums) = said { Some(sums) } else { None };
        let Some(all) = self.ask(Said::Sums(sums.to_vec()), of) else { return };
        for (k, sum) in sums.iter_mut().enumerate() {
            *sum = ExactSum::ZERO;
            all.iter().for_each(|part| sum.merge(&part[k]));
        }
    }

    fn first(&self, candidates: &mut [Candidate]) {
        let of = |said| if let Said::Candidates(candidates) = said { Some(candidates) } else { None };
        let Some(all) = self.ask(Said::Candidates(candidates.to_vec()), of) else { return };
        for (k, first) in candidates.iter_mut().enumerate() {
            *first = all.iter().map(|part| part[k]).min_by(Candidate::order).unwrap();
        }
    }

    fn gather(&self, ids: Vec<u64>) -> Vec<u64> {
        let of = |said| if let Said::Ids(ids) = said { Some(ids) } else { None };
        self.ask(Said::Ids(ids), of).unwrap_or_default().concat()
    }

    fn share(&self, p: &mut Particles) {
        let own = (0..p.owned()).map(|slot| p.get(slot)).collect();
        let of = |said| if let Said::States(states) = said { Some(states) } else { None };
        let Some(all) = self.ask(Said::States(own), of) else { return };
        let mut states: Vec<Particle> = all.into_iter().flatten().collect();
        states.sort_unstable_by_key(|state| state.id);
        for slot in p.owned()..p.len() {
            let state = states[states.binary_search_by_key(&p.id[slot], |state| state.id).unwrap()];
            p.position[slot] = state.position;
            p.image[slot] = state.image;
            p.previous_position[slot] = state.previous_position;
            p.velocity[slot] = state.velocity;
            p.angular_velocity[slot] = state.angular_velocity;
            p.rotation_increment[slot] = state.rotation_increment;
            p.orientation[slot] = state.orientation;
            p.force[slot] = state.force;
            p.torque[slot] = state.torque;
        }
    }

    fn fail(&self, error: &StepError) {
        self.party.round.lock().unwrap().failure.get_or_insert_with(|| error.to_string());
        self.party.changed.notify_all();
    }

    fn failure(&self) -> Option<String> {
        self.party.round.lock().unwrap().failure.clone()
    }
}

/// Bits of a run on the way and in the end.
#[derive(Debug, Default, PartialEq)]
struct Outcome {
    rows: Vec<Vec<u64>>,
    /// Of the particles, by id.
    particles: BTreeMap<u64, Vec<u64>>,
    /// Of the histories.
    contacts: BTreeMap<ContactKey, Vec<u64>>,
}

fn build(scene: &str) -> Simulation {
    let loaded = builder::parse_scene("scene", &format!("{scene}{MATERIAL}"), &[]).unwrap();
    builder::build(&loaded).unwrap()
}

fn run(simulation: &mut Simulation, steps: u32) -> Result<Outcome, SimulationError> {
    simulation.initialise()?;
    let mut outcome = Outcome { rows: vec![sums(simulation)], ..Outcome::default() };
    for step in 1..=steps {
        simulation.advance()?;
        if step % 25 == 0 {
            outcome.rows.push(sums(simulation));
        }
    }
    let bits = |numbers: &[f64]| numbers.iter().map(|x| x.to_bits()).collect::<Vec<u64>>();
    let world = &simulation.world;
    for slot in 0..world.particles.owned() {
        let Particle { id, position: x, velocity: v, angular_velocity: w, orientation: q, force: f, torque: t, .. } =
            world.particles.get(slot);
        let vectors = [x, v, w, f, t].map(|vector| vector.to_array()).concat();
        outcome.particles.insert(id, bits(&[&vectors[..], &q.to_array()].concat()));
    }
    for kernel in &world.kernels {
        for saved in kernel.save(&world.list, &world.particles.id) {
            outcome.contacts.insert(saved.key, bits(&saved.record));
        }
    }
    Ok(outcome)
}

/// Runs a scene in parts: what each comes to, and how many questions they asked.
fn run_in_parts(
    scene: &str,
    parts: usize,
    steps: u32,
    prepare: impl Fn(&mut Simulation) + Sync,
) -> (Vec<Result<Outcome, SimulationError>>, u64) {
    let party = Party::new(parts);
    let of_part = |number: usize| {
        let mut simulation = build(scene);
        let p = &mut simulation.world.particles;
        let (own, others): (Vec<u32>, Vec<u32>) =
            (0..p.len() as u32).partition(|&slot| p.id[slot as usize] as usize % parts == number);
        p.rearrange(&[&own[..], &others].concat());
        p.set_owned(own.len());
        simulation.world.whole = Arc::new(Part { party: party.clone(), number });
        prepare(&mut simulation);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(1 + number % 2).build().unwrap();
        pool.install(|| run(&mut simulation, steps))
    };
    let of_part = &of_part;
    let outcomes = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..parts).map(|number| scope.spawn(move || of_part(number))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    let questions = party.round.lock().unwrap().questions;
    (outcomes, questions)
}

fn assert_parts_make_the_whole(scene: &str, parts: &[usize], steps: u32) {
    let mut simulation = build(scene);
    let alone = run(&mut simulation, steps).unwrap();
    let columns = measure::series_columns(&simulation.world);
    for &parts in parts {
        let (outcomes, questions) = run_in_parts(scene, parts, steps, |_| {});
        assert!(questions > u64::from(steps), "{questions} questions");
        let mut together = Outcome::default();
        for (number, outcome) in outcomes.into_iter().enumerate() {
            let Outcome { rows, particles, contacts } = outcome.unwrap();
            for (row, (found, expected)) in rows.iter().zip(&alone.rows).enumerate() {
                for (at, (found, expected)) in found.iter().zip(expected).enumerate() {
                    let name = columns.get(at).map_or("a sum beside the series", |column| &column.name);
                    if name.starts_with("force_chain") {
                        continue;
                    }
                    let [found, expected] = [*found, *expected].map(f64::from_bits);
                    let agrees = found.to_bits() == expected.to_bits();
                    assert!(agrees, "part {number} of {parts}, row {row}, {name}: {found:e}, alone {expected:e}");
                }
            }
            assert_eq!(rows.len(), alone.rows.len());
            together.rows.clone_from(&alone.rows);
            for (key, record) in contacts {
                // both owners of a contact have its history
                let known = together.contacts.entry(key).or_insert_with(|| record.clone());
                assert_eq!(*known, record, "{key:?}, part {number} of {parts}");
            }
            together.particles.extend(particles);
        }
        assert!(together.contacts.len() > 10, "{} contacts", together.contacts.len());
        assert!(together == alone, "{parts} parts");
    }
}

/// A scene with another choice of the time step and of the integrator.
fn with_time(scene: &str, time: &str) -> String {
    let changed = scene.replace("[time]\nstep = \"8 us\"", &format!("[time]\n{time}"));
    assert_ne!(changed, scene);
    changed
}

#[test]
fn a_cell_under_stress_control_in_parts() {
    assert_parts_make_the_whole(CELL, &[2, 3], 400);
}

#[test]
fn a_pressed_bed_in_parts() {
    assert_parts_make_the_whole(WALLS, &[2, 3], 200);
}

#[test]
fn every_integrator_that_predicts_in_parts() {
    for integrator in [
        "{ name = \"velocity-verlet\", corrected = false }",
        "\"semi-implicit-euler\"",
        "\"newmark\"",
        "\"gear\"",
        "{ name = \"generalized-trapezoidal\", sweep = \"jacobi\" }",
    ] {
        println!("{integrator}");
        let time = format!("step = \"8 us\"\nintegrator = {integrator}");
        assert_parts_make_the_whole(&with_time(WALLS, &time), &[3], 40);
    }
}

/// Spheres that slide off a table through an open face: the step follows all of them, a stage takes some out, another one waits for rest.
const TABLE: &str = r#"
seed = 2
[time]
step = "adaptive"
[domain]
min = ["-12 mm", "-12 mm", "-2 mm"]
max = ["9 mm", "12 mm", "30 mm"]
[fields]
gravity = [0, 0, -9.81]
[at_rest]
kinetic_energy = 100
unbalanced_force = 100
duration = "1 ms"
[[walls]]
name = "floor"
material = "grain"
shape = { type = "disc", centre = [0, 0, 0], radius = "8 mm" }
[[particles]]
name = "grains"
material = "grain"
sizes = { type = "uniform", min = "0.95 mm", max = "1 mm" }
region = { type = "cylinder", base = [0, 0, 0], radius = "8 mm", height = "14 mm" }
fill = { type = "lattice", gap = 0.01, jitter = 1 }
velocity = ["0.7 m/s", 0, "-0.2 m/s"]
[[stages]]
name = "fall"
until = { steps = 150 }
[[stages]]
name = "come to rest"
actions = [{ type = "remove_particles", region = { type = "box", min = ["-2 mm", "-2 mm", 0], max = ["2 mm", "2 mm", "20 mm"] } }]
until = { at_rest = true }
[[stages]]
name = "smoother"
actions = [{ type = "set_contact", parameters = { friction = 0.1 } }]
until = { steps = 100000 }
"#;

#[test]
fn a_heap_that_loses_particles_in_parts() {
    let mut simulation = build(TABLE);
    run(&mut simulation, 800).unwrap();
    let world = &simulation.world;
    assert!(simulation.state.stage == 2, "stage {}, {:?}", simulation.state.stage, simulation.state.events);
    assert!(world.removed > 0 && world.removed_by_stages > 0, "{} {}", world.removed, world.removed_by_stages);
    assert_parts_make_the_whole(TABLE, &[2, 3], 800);
}

/// Liquid goes between films and bridges across the parts, and with what is removed.
#[test]
fn wet_grains_in_parts() {
    let wet = TABLE.replace("fill = { type = \"lattice\"", "liquid_content = 0.02\nfill = { type = \"lattice\"")
        + r#"[[pairs]]
materials = ["grain", "grain"]
near_field = "liquid-bridge"
surface_tension = 0.02
contact_angle = 0
bridge_volume = "0.005 mm^3"
bridge_liquid = "films"
"#;
    let mut simulation = build(&wet);
    run(&mut simulation, 800).unwrap();
    let (world, books) = (&simulation.world, simulation.world.liquid_books);
    assert!(simulation.state.stage == 2 && world.removed_by_stages > 0);
    assert!(books.removed > 0.0 && world.liquid().bridges > 0.01 * books.brought);
    assert_parts_make_the_whole(&wet, &[2, 3], 800);
}

/// A guard that trips in one part stops all, and all say why.
#[test]
fn one_part_that_fails_stops_all() {
    let limit = |simulation: &mut Simulation| simulation.pipeline.limits.overlap_ratio = 5e-3;
    let mut simulation = build(WALLS);
    limit(&mut simulation);
    let expected = run(&mut simulation, 500).unwrap_err().to_string();
    assert!(expected.contains("overlap of particle"), "{expected}");
    let (outcomes, _) = run_in_parts(WALLS, 3, 500, limit);
    for outcome in outcomes {
        assert_eq!(outcome.unwrap_err().to_string(), expected);
    }
}
