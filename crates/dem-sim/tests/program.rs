//! Changes that a program makes between steps.
#![expect(clippy::unwrap_used, reason = "helpers of tests")]

use dem_core::DVec3;
use dem_core::particles::NewParticle;
use dem_io::checkpoint::CheckpointReader;
use dem_sim::builder::{self, LoadedScene};
use dem_sim::checkpoint;
use dem_sim::program::{Addition, Partner, ProgramError, Quantities};
use dem_sim::simulation::Simulation;

const SCENE: &str = r#"
title = "program"
[time]
step = "5 us"
end = "1 s"
[domain]
min = ["-2 cm", "-2 cm", "-1 mm"]
max = ["2 cm", "2 cm", "10 cm"]
[materials.a]
density = 2500
young_modulus = "10 MPa"
poisson_ratio = 0.25
[contact]
law = "hertz-mindlin"
friction = 0.4
restitution = 1.0
[[walls]]
name = "floor"
material = "a"
shape = { type = "plane", normal = [0, 0, 1] }
[[walls]]
name = "lid"
material = "a"
shape = { type = "disc", centre = [0, 0, "5 cm"], normal = [0, 0, -1], radius = "2 cm" }
[[particles]]
name = "grains"
material = "a"
sizes = { type = "single", radius = "2 mm" }
region = { type = "box", min = ["-1 cm", "-1 cm", "0.1 mm"], max = ["1 cm", "1 cm", "2 cm"] }
fill = { type = "lattice", gap = 0.01 }
velocity = [0, 0, "-0.2 m/s"]
[[stages]]
name = "first"
until = { steps = 400 }
[[stages]]
name = "second"
actions = [{ type = "set_contact", parameters = { friction = 0.3 } }]
until = { time = "1 s" }
"#;

fn scene() -> LoadedScene {
    builder::parse_scene("program", SCENE, &[]).unwrap()
}

fn simulation(steps: u32) -> Simulation {
    let mut simulation = builder::build(&scene()).unwrap();
    simulation.initialise().unwrap();
    advance(&mut simulation, steps);
    simulation
}

fn advance(simulation: &mut Simulation, steps: u32) {
    for _ in 0..steps {
        simulation.advance().unwrap();
    }
}

fn give(simulation: &mut Simulation, what: Quantities, rows: &[DVec3]) -> Result<(), ProgramError> {
    let order = simulation.world.particles.slots_by_id();
    simulation.give(what, rows, &order)
}

fn in_order(simulation: &Simulation, column: &[DVec3]) -> Vec<DVec3> {
    simulation.world.particles.slots_by_id().into_iter().map(|slot| column[slot as usize]).collect()
}

/// Growth of the balance over the kinetic energy.
fn unbooked(simulation: &Simulation, before: f64) -> f64 {
    let energy = simulation.world.energy();
    (energy.balance() - before).abs() / (energy.kinetic() + energy.gravity.abs())
}

#[test]
fn velocities_and_positions_are_booked_as_exchanged() {
    let mut simulation = simulation(600);
    assert!(simulation.world.contact_count().walls > 0);
    let before = simulation.world.energy().balance();
    let velocities: Vec<DVec3> =
        in_order(&simulation, &simulation.world.particles.velocity).into_iter().map(|v| 0.5 * v).collect();
    let kinetic = simulation.world.energy().kinetic_translation;
    give(&mut simulation, Quantities::Velocity, &velocities).unwrap();
    assert!((simulation.world.energy().kinetic_translation / (0.25 * kinetic) - 1.0).abs() < 1e-12);
    assert_eq!(in_order(&simulation, &simulation.world.particles.velocity), velocities);
    assert!(unbooked(&simulation, before) < 1e-12);
    // deeper into each other and the floor: elastic and potential energy
    let places: Vec<DVec3> =
        in_order(&simulation, &simulation.world.particles.position).into_iter().map(|x| x * 0.999).collect();
    give(&mut simulation, Quantities::Position, &places).unwrap();
    assert_eq!(in_order(&simulation, &simulation.world.particles.position), places);
    assert!(unbooked(&simulation, before) < 1e-12);
    let exchanged = simulation.world.accumulated.exchanged;
    advance(&mut simulation, 200);
    assert_eq!(simulation.world.accumulated.exchanged, exchanged);
    assert!(unbooked(&simulation, before) < 1e-3, "{}", unbooked(&simulation, before));
}

/// Closed form: a sphere that a constant force drives falls with g + F/m.
#[test]
fn loads_of_a_program_move_particles_from_the_next_step_on() {
    let mut simulation = simulation(0);
    let count = simulation.world.particles.len();
    let mass = simulation.world.particles.mass[0];
    let push = DVec3::new(0.0, 0.0, 30.0 * mass);
    // in free flight all the time
    give(&mut simulation, Quantities::Velocity, &vec![DVec3::Z; count]).unwrap();
    // the first step still begins from the forces that were there
    advance(&mut simulation, 1);
    let start = in_order(&simulation, &simulation.world.particles.velocity);
    give(&mut simulation, Quantities::ExternalForce, &vec![push; count]).unwrap();
    advance(&mut simulation, 100);
    let step = simulation.world.time_step;
    for (v, v0) in in_order(&simulation, &simulation.world.particles.velocity).into_iter().zip(start) {
        // of the first step only its second half
        let expected = v0.z - 9.81 * 100.0 * step + 30.0 * 99.5 * step;
        assert!((v.z - expected).abs() < 1e-12, "{} {expected}", v.z);
    }
    give(&mut simulation, Quantities::ExternalForce, &vec![DVec3::ZERO; count]).unwrap();
    let spin = DVec3::X * 1e-6;
    give(&mut simulation, Quantities::ExternalTorque, &vec![spin; count]).unwrap();
    advance(&mut simulation, 10);
    let inertia = simulation.world.particles.inertia(0);
    let expected = 1e-6 / inertia * 9.5 * step;
    for w in in_order(&simulation, &simulation.world.particles.angular_velocity) {
        assert!((w.x / expected - 1.0).abs() < 1e-9, "{} {expected}", w.x);
    }
}

#[test]
fn wrong_rows_change_nothing() {
    let mut simulation = simulation(10);
    let before = simulation.world.particles.velocity.clone();
    let count = before.len();
    assert!(matches!(
        give(&mut simulation, Quantities::Velocity, &before[1..]),
        Err(ProgramError::Length { expected, given }) if expected == count && given == count - 1
    ));
    let mut rows = before.clone();
    rows[3].y = f64::NAN;
    let error = give(&mut simulation, Quantities::Velocity, &rows).unwrap_err();
    assert!(matches!(error, ProgramError::Value { row: 3, .. }), "{error}");
    assert_eq!(simulation.world.particles.velocity, before);
}

fn sphere(position: DVec3) -> NewParticle {
    NewParticle::at_rest(position, 1e-3, 2500.0)
}

#[test]
fn spheres_come_all_or_none_and_go_with_their_energy() {
    let mut simulation = simulation(300);
    let before = (simulation.world.energy().balance(), simulation.world.particles.len());
    let add = |simulation: &mut Simulation, places: &[DVec3], most_overlap: f64| {
        simulation.insert(Addition { spheres: places.iter().map(|&x| sphere(x)).collect(), most_overlap })
    };
    let taken = simulation.world.particles.position[0];
    let id = simulation.world.particles.id[0];
    let free = DVec3::new(0.0, 0.0, 0.04);
    for (places, partner) in [
        (vec![free, taken], Partner::Particle(id)),
        (vec![free, free + DVec3::X * 1e-3], Partner::Row(0)),
        (vec![DVec3::new(0.0, 0.0, 0.0495)], Partner::Wall("lid".to_owned())),
    ] {
        match add(&mut simulation, &places, 1e-6) {
            Err(ProgramError::Overlap { partner: found, .. }) => assert_eq!(found, partner),
            other => panic!("{other:?}"),
        }
        assert_eq!(simulation.world.particles.len(), before.1);
    }
    assert!(matches!(add(&mut simulation, &[DVec3::Z * 0.2], 1e-6), Err(ProgramError::Outside { row: 0, .. })));
    let new = add(&mut simulation, &[free, free + DVec3::X * 3e-3], 1e-6).unwrap();
    assert_eq!(new, [before.1 as u64, before.1 as u64 + 1]);
    assert!(unbooked(&simulation, before.0) < 1e-12);
    // one that is squeezed brings elastic energy along, which is booked, too
    let squeezed = add(&mut simulation, &[free + DVec3::Y * 1.95e-3], 0.5).unwrap();
    assert!(unbooked(&simulation, before.0) < 1e-12);
    assert!(simulation.world.energy().elastic_normal > 0.0 && simulation.world.contact_count().pairs > 0);
    advance(&mut simulation, 5);
    assert!(matches!(simulation.take_out_particles(&[new[0], 10_000]), Err(ProgramError::NoParticle(10_000))));
    assert_eq!(simulation.world.particles.len(), before.1 + 3);
    simulation.take_out_particles(&[squeezed[0], new[0], new[0]]).unwrap();
    assert_eq!(simulation.world.particles.len(), before.1 + 1);
    assert!(unbooked(&simulation, before.0) < 1e-4);
    advance(&mut simulation, 300);
    assert!(simulation.world.particles.id.contains(&new[1]));
}

/// What a program has set is in the saved state: parameters, fields, wall motions, loads.
#[test]
fn saved_states_hold_what_a_program_has_changed() {
    for entered in [50, 500] {
        let loaded = scene();
        let mut simulation = simulation(entered);
        let act = |simulation: &mut Simulation, text: &str| simulation.act_as_stage(&loaded, text).unwrap();
        act(
            &mut simulation,
            "action = { type = \"set_contact\", parameters = { friction = 0.05, restitution = 0.5 } }",
        );
        act(&mut simulation, "action = { type = \"set_fields\", fields = { mass_damping = \"2 1/s\" } }");
        act(
            &mut simulation,
            "action = { type = \"move_wall\", wall = \"lid\", motion = { velocity = [0, 0, \"-1 cm/s\"] } }",
        );
        // what an action leaves as it was is that of an earlier one
        act(&mut simulation, "action = { type = \"set_fields\", fields = { gravity = [0, 0, \"-5 m/s^2\"] } }");
        assert_eq!((simulation.world.fields.mass_damping, simulation.world.fields.gravity.z), (2.0, -5.0));
        let count = simulation.world.particles.len();
        give(&mut simulation, Quantities::ExternalForce, &vec![DVec3::X * 1e-6; count]).unwrap();
        advance(&mut simulation, 50);
        let bytes = checkpoint::save(&simulation, "x").unwrap();
        let mut restored = builder::build_empty(&loaded).unwrap();
        checkpoint::restore(&mut restored, &CheckpointReader::from_bytes(bytes.clone()).unwrap(), "x").unwrap();
        assert_eq!(checkpoint::save(&restored, "x").unwrap(), bytes);
        advance(&mut simulation, 500);
        advance(&mut restored, 500);
        // the second stage has set its own friction meanwhile
        let friction =
            simulation.contact.pairs()[0].parameters.iter().find(|(name, _)| name == "friction").unwrap().1.clone();
        let expected = if entered == 50 { 0.3 } else { 0.05 };
        assert_eq!(friction, dem_contact::ParameterValue::Number(expected));
        assert!(checkpoint::save(&restored, "x").unwrap() == checkpoint::save(&simulation, "x").unwrap(), "{entered}");
    }
}

#[test]
fn actions_that_are_none_are_refused_with_their_key() {
    let (loaded, mut simulation) = (scene(), simulation(10));
    for (text, named) in [
        ("action = { type = \"remove_wall\", wall = \"roof\" }", "action.wall"),
        ("action = { type = \"set_contact\", parameters = { friktion = 0.1 } }", "friktion"),
        ("action = { type = \"fly\" }", "fly"),
        ("aktion = 1", "aktion"),
    ] {
        let error = simulation.act_as_stage(&loaded, text).unwrap_err().to_string();
        assert!(error.contains(named), "{error}");
    }
    assert!(simulation.state.events.is_empty());
    let error = simulation.aim_wall(1, 2.0).unwrap_err();
    assert!(matches!(error, ProgramError::NoServo(_)), "{error}");
}

/// In the middle of a step that is followed unseen nothing can be changed; the steps come to an end where the caller says so.
#[test]
fn steps_stop_whole_where_a_program_wants_to_look() {
    let mut simulation = simulation(0);
    let mut asked = 0;
    let taken = simulation
        .advance_unseen_unless(f64::INFINITY, 1000, &mut || {
            asked += 1;
            asked > 7
        })
        .unwrap();
    assert!(taken <= 9, "{taken}");
    simulation.advance().unwrap();
    simulation.check_whole().unwrap();
}

/// Whatever velocities a program gives, no contact is missed: the bits are those of lists that are built again each time.
#[test]
fn kicks_miss_no_contact() {
    let mut ends = Vec::new();
    for builds_again in [false, true] {
        let mut simulation = simulation(400);
        for round in 0..60u32 {
            let count = simulation.world.particles.len();
            let kick = |k: usize| {
                let phase = f64::from(round) * 1.7 + k as f64;
                DVec3::new(phase.sin(), (1.3 * phase).cos(), (0.7 * phase).sin())
            };
            // from slow to as fast as a fiftieth of a radius a step
            let speed = if round % 3 == 0 { 8.0 } else { 0.1 };
            let rows: Vec<DVec3> = (0..count).map(|k| kick(k) * speed).collect();
            give(&mut simulation, Quantities::Velocity, &rows).unwrap();
            if builds_again {
                simulation.pipeline.forces.invalidate();
            }
            simulation.pipeline.limits.overlap_ratio = 1.0;
            let steps = if speed > 1.0 { 2 } else { 9 };
            simulation.advance_unseen(f64::INFINITY, steps - 1).unwrap();
            simulation.advance().unwrap();
        }
        ends.push(checkpoint::save(&simulation, "x").unwrap());
    }
    assert!(ends[0] == ends[1]);
}
