//! Assemblies: bits that do not depend on threads, skin or broadphase; lists that are never too late; energy and momentum.
#![expect(clippy::unwrap_used, reason = "helpers of tests")]

use dem_broadphase::{Broadphase, BruteForce, CellList, KdTree};
use dem_core::DVec3;
use dem_core::cell::{Cell, FacePolicy};
use dem_core::contact_list::{CandidateRows, ContactKey, PartnerKind};
use dem_sim::builder;
use dem_sim::checkpoint;
use dem_sim::forces::ForceEvaluation;
use dem_sim::simulation::Simulation;
use dem_sim::world::World;
use dem_testkit::worlds::{self, Scatter};

/// A bed that is poured, shaken by a moving floor, and loses particles through an open face; two materials, two laws.
const MIXED: &str = r#"
seed = 5
[domain]
min = [0, 0, "-20 mm"]
max = ["30 mm", "30 mm", "60 mm"]
x = "periodic"
z_min = "open"
[materials.a]
density = 2500
young_modulus = 1e7
poisson_ratio = 0.25
[materials.b]
density = 4000
young_modulus = 2e7
poisson_ratio = 0.3
[contact]
law = "hertz-mindlin"
friction = 0.4
restitution = 0.5
[[pairs]]
materials = ["a", "b"]
law = "linear"
normal_stiffness = 2000
[[walls]]
name = "floor"
material = "b"
shape = { type = "rectangle", centre = ["15 mm", "15 mm", 0], edge_u = ["40 mm", 0, 0], edge_v = [0, "24 mm", 0] }
motion = { amplitude = [0, 0, "0.5 mm"], frequency = "60 Hz" }
[[walls]]
name = "low"
material = "a"
shape = { type = "plane", point = [0, "1 mm", 0], normal = [0, 1, 0] }
[[particles]]
name = "first"
material = "a"
sizes = { type = "uniform", min = "1.2 mm", max = "1.8 mm" }
region = { type = "box", min = [0, "2 mm", "1 mm"], max = ["30 mm", "28 mm", "14 mm"] }
fill = { type = "random", count = 150 }
velocity = [0, "0.6 m/s", 0]
[[particles]]
name = "rain"
material = "b"
sizes = { type = "single", radius = "1.5 mm" }
region = { type = "box", min = ["5 mm", "5 mm", "20 mm"], max = ["25 mm", "25 mm", "30 mm"] }
fill = { type = "pour", rate = 2000, count = 60 }
[[stages]]
name = "shake"
until = { steps = 100000 }
"#;

fn mixed(evaluation: Option<ForceEvaluation>) -> Simulation {
    let loaded = builder::parse_scene("mixed", MIXED, &[]).unwrap();
    let mut simulation = builder::build(&loaded).unwrap();
    if let Some(evaluation) = evaluation {
        simulation.pipeline.forces = evaluation;
    }
    simulation.initialise().unwrap();
    simulation
}

fn bits_after(mut simulation: Simulation, steps: u32) -> Vec<u8> {
    for _ in 0..steps {
        simulation.advance().unwrap();
    }
    assert!(simulation.world.removed > 0, "the test should lose particles");
    assert!(simulation.pipeline.forces.rebuilds > 3, "the test should rebuild");
    checkpoint::save(&simulation, "").unwrap()
}

#[test]
fn same_bits_for_any_number_of_threads() {
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| bits_after(mixed(None), 4000))
    };
    let one = run(1);
    for threads in [2, 3, 5, 8] {
        assert!(run(threads) == one, "{threads} threads");
    }
}

#[test]
fn same_bits_for_any_skin_and_broadphase() {
    let steps = 4000;
    let reference = bits_after(mixed(None), steps);
    for margin in [2e-5, 2e-4, 1.5e-3] {
        let evaluation = ForceEvaluation::new(Box::new(CellList::default()), Some(margin));
        assert!(bits_after(mixed(Some(evaluation)), steps) == reference, "margin {margin}");
    }
    let all: [Box<dyn Broadphase>; 3] =
        [Box::new(BruteForce), Box::new(CellList::hierarchical()), Box::new(KdTree::default())];
    for broadphase in all {
        let key = broadphase.key();
        let evaluation = ForceEvaluation::new(broadphase, Some(3e-4));
        assert!(bits_after(mixed(Some(evaluation)), steps) == reference, "{key}");
    }
}

/// Every pair and wall that touches after a step is in the list that the step was evaluated with.
#[test]
fn the_contact_list_is_never_too_late() {
    let mut simulation = mixed(None);
    let mut checked = 0;
    for _ in 0..3000 {
        simulation.advance().unwrap();
        let world = &simulation.world;
        let p = &world.particles;
        let mut listed: Vec<ContactKey> = Vec::new();
        for segment in &world.list.segments {
            for candidate in segment.start..segment.end {
                listed.push(world.list.key(segment, candidate as usize, &p.id));
            }
        }
        listed.sort_unstable();
        let mut rows = CandidateRows::default();
        BruteForce.candidates(p, &world.cell, 0.0, &mut rows);
        for i in 0..p.len() {
            for &j in &rows.partner[rows.row[i] as usize..rows.row[i + 1] as usize] {
                let (a, b) = (p.id[i].min(p.id[j as usize]), p.id[i].max(p.id[j as usize]));
                let key = ContactKey { first: a, kind: PartnerKind::Particle, second: b, feature: 0 };
                assert!(listed.binary_search(&key).is_ok(), "step {}: {a}-{b}", world.step);
                checked += 1;
            }
            for (number, wall) in world.walls.iter().enumerate() {
                if wall.distance(p.position[i]) < p.radius[i] {
                    let key = ContactKey { first: p.id[i], kind: PartnerKind::Wall, second: number as u64, feature: 0 };
                    assert!(listed.binary_search(&key).is_ok(), "step {}: wall {number}", world.step);
                    checked += 1;
                }
            }
        }
    }
    assert!(checked > 1_000, "{checked}");
}

/// A gas of spheres in a periodic box.
fn gas(law: &str, friction: f64, restitution: f64, count: usize) -> World {
    let size = 0.08;
    let cell = Cell::orthogonal(DVec3::ZERO, DVec3::splat(size), [true; 3], [[FacePolicy::Error; 2]; 3]);
    let mut world = worlds::world(law, &worlds::common_parameters(law, friction, restitution), cell);
    let mut scatter = Scatter(3);
    let per_edge = (count as f64).cbrt().ceil() as usize;
    for k in 0..count {
        let site =
            DVec3::new((k % per_edge) as f64, (k / per_edge % per_edge) as f64, (k / per_edge / per_edge) as f64);
        let mut sphere = worlds::sphere((site + 0.5) * (size / per_edge as f64), 0.3 * size / per_edge as f64);
        sphere.velocity = scatter.next_vector();
        sphere.angular_velocity = 100.0 * scatter.next_vector();
        world.insert(sphere);
    }
    world
}

#[test]
fn an_undamped_frictionless_gas_conserves_energy_to_second_order() {
    let mut errors = Vec::new();
    for steps_per_contact in [50.0, 100.0, 200.0] {
        let mut world = gas("hertz-mindlin", 0.0, 1.0, 125);
        let (r, m) = (world.particles.radius[0], world.particles.mass[0]);
        world.time_step = world.kernels[0].contact_duration(0, 0, 0.5 * r, 0.5 * m, 2.0) / steps_per_contact;
        let mut pipeline = worlds::pipeline();
        pipeline.initialise(&mut world).unwrap();
        let start = world.energy().balance();
        let mut worst = 0.0f64;
        while world.time < 0.05 {
            pipeline.step(&mut world).unwrap();
            if world.step.is_multiple_of(20) {
                worst = worst.max((world.energy().balance() - start).abs() / world.energy().kinetic());
            }
        }
        errors.push(worst);
    }
    println!("largest energy error at 50, 100, 200 steps per contact: {errors:?}");
    let order = (errors[0] / errors[2]).log2() / 2.0;
    assert!(order > 1.7, "order {order}");
    assert!(errors[2] < 5e-5, "{errors:?}");
}

#[test]
fn momentum_is_conserved_and_the_ledger_closes_with_friction_and_damping() {
    for law in worlds::all_laws() {
        let mut world = gas(law, 0.4, 0.8, 216);
        world.time_step = 2e-7;
        let mut pipeline = worlds::pipeline();
        pipeline.initialise(&mut world).unwrap();
        let (momentum, _) = world.momentum();
        let (start, kinetic) = (world.energy().balance(), world.energy().kinetic());
        for _ in 0..60_000 {
            pipeline.step(&mut world).unwrap();
        }
        let scale = world.particles.mass[0] * 216.0;
        assert!((world.momentum().0 - momentum).length() < 1e-12 * scale, "{law}");
        let ledger = world.energy();
        let dissipated = ledger.dissipated_at_contacts();
        let residual = (ledger.balance() - start).abs();
        println!(
            "{law}: dissipated {:.3} of the kinetic energy, residual {:.2e}",
            dissipated / kinetic,
            residual / dissipated
        );
        worlds::check_works(&world, law).unwrap();
        assert!(dissipated > 0.1 * kinetic, "{law}: {dissipated} of {kinetic}");
        assert!(residual < worlds::ledger_tolerance(&world, kinetic), "{law}: {residual} of {dissipated}");
    }
}

/// A belt drags the foot of a stack: without the work of the wall the ledger would not close.
#[test]
fn the_work_of_a_moving_wall_closes_the_ledger() {
    let mut world = worlds::world("linear", &worlds::common_parameters("linear", 0.5, 0.3), Cell::unbounded());
    worlds::add_floor(&mut world);
    world.fields.gravity = DVec3::new(0.0, 0.0, -9.81);
    for k in 0..4 {
        world.insert(worlds::sphere(DVec3::new(0.0, 1e-4 * f64::from(k), 0.01 + 0.0201 * f64::from(k)), 0.01));
    }
    for slot in 0..4 {
        world.particles.frozen[slot] = 1 | 2 | 8 | 16 | 32;
    }
    // a belt: the floor moves sideways and the stack, free along x only at its foot, is dragged
    world.particles.frozen[0] = 2 | 8 | 16 | 32;
    world.walls[0]
        .set_motion(dem_core::wall::Motion { velocity: DVec3::new(0.3, 0.0, 0.0), ..Default::default() }, 0.0);
    world.time_step = 5e-6;
    let mut pipeline = worlds::pipeline();
    pipeline.initialise(&mut world).unwrap();
    let start = world.energy().balance();
    for _ in 0..2_000 {
        pipeline.step(&mut world).unwrap();
    }
    let ledger = world.energy();
    assert!(ledger.walls > 0.0, "the belt pulls the foot");
    let residual = (ledger.balance() - start).abs();
    assert!(residual < 2e-3 * ledger.walls, "{residual} of {}", ledger.walls);
}
