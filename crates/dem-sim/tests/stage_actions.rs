//! What stages do to fields and particles: motion against closed forms, energies in the ledger, the same bits after a restart.
#![allow(clippy::unwrap_used, reason = "a test fails by it")]

use dem_io::checkpoint::CheckpointReader;
use dem_sim::builder;
use dem_sim::simulation::Simulation;
use dem_sim::{checkpoint, measure};

const MATERIALS: &str = r#"
[materials.m]
density = 2500
young_modulus = "10 MPa"
poisson_ratio = 0.25
[contact]
law = "hertz-mindlin"
friction = 0.5
restitution = 0.5
"#;

fn built(text: &str) -> Simulation {
    let mut simulation = builder::build(&builder::parse_scene("actions", text, &[]).unwrap()).unwrap();
    simulation.initialise().unwrap();
    simulation
}

fn advance(simulation: &mut Simulation, steps: u64) {
    for _ in 0..steps {
        simulation.advance().unwrap();
    }
}

/// Goes on from a checkpoint of a simulation.
fn again(simulation: &Simulation, text: &str) -> Simulation {
    let bytes = checkpoint::save(simulation, "scene").unwrap();
    let mut again = builder::build_empty(&builder::parse_scene("actions", text, &[]).unwrap()).unwrap();
    checkpoint::restore(&mut again, &CheckpointReader::from_bytes(bytes).unwrap(), "scene").unwrap();
    again
}

fn state(simulation: &Simulation) -> Vec<u8> {
    checkpoint::save(simulation, "scene").unwrap()
}

fn flight(stages: &str) -> String {
    format!(
        "{MATERIALS}[time]\nstep = \"0.1 ms\"\n[domain]\nmin = [-9, -9, -9]\nmax = [9, 9, 9]\n[[particles]]\nname = \"s\"\nmaterial = \"m\"\n\
         sizes = {{ type = \"single\", radius = \"5 mm\" }}\nregion = {{ type = \"sphere\", centre = [0, 0, 0], radius = \"5.1 mm\" }}\n\
         fill = {{ type = \"random\", count = 1 }}\nvelocity = [0.3, 0, 0]\n{stages}"
    )
}

/// A sphere falls for 0.1 s, then sideways for 0.1 s, then through a fluid.
#[test]
fn gravity_and_drag_set_by_stages_act_from_the_first_step_on() {
    let text = flight(
        r#"
[[stages]]
name = "down"
until = { steps = 1000 }
[[stages]]
name = "sideways"
actions = [{ type = "set_fields", fields = { gravity = [2, 0, 0] } }]
until = { steps = 1000 }
[[stages]]
name = "fluid"
actions = [{ type = "set_fields", fields = { gravity = [0, 0, 0], drag = "stokes", fluid_viscosity = "0.1 Pa s" } }]
until = { steps = 100000 }
"#,
    );
    let mut simulation = built(&text);
    let start = simulation.world.particles.position[0];
    let balance = simulation.world.energy().balance();
    advance(&mut simulation, 2000);
    let p = &simulation.world.particles;
    let (velocity, moved) = (p.velocity[0], p.position[0] - start);
    for (found, expected) in [
        (velocity.x, 0.5),
        (velocity.z, -0.981),
        (moved.x, 0.3 * 0.2 + 0.5 * 2.0 * 0.01),
        (moved.z, -0.5 * 9.81 * 0.01 - 0.981 * 0.1),
    ] {
        assert!((found - expected).abs() < 1e-9, "{found}, expected {expected}");
    }
    advance(&mut simulation, 1000);
    let p = &simulation.world.particles;
    let relaxation = p.mass[0] / (6.0 * std::f64::consts::PI * 0.1 * 0.005);
    let expected = velocity * (-0.1 / relaxation).exp();
    // (dt/τ)² = 5e-7
    assert!((p.velocity[0] - expected).length() < 1e-6, "{} {expected}", p.velocity[0]);
    let residual = simulation.world.energy().balance() - balance;
    assert!(residual.abs() < 1e-7 * simulation.world.energy().fields, "{residual}");
    let events: Vec<(u64, &str)> = simulation.state.events.iter().map(|e| (e.step, e.stage.as_str())).collect();
    assert_eq!(events, [(1000, "sideways"), (2000, "fluid")]);
    // the fields are part of the state
    let mut continued = again(&simulation, &text);
    advance(&mut simulation, 500);
    advance(&mut continued, 500);
    assert!(state(&simulation) == state(&continued));
}

/// Local damping belongs to what is taken off and put on again: free fall at (1 − α) g, before and after.
#[test]
fn local_damping_is_changed_from_the_first_step_on() {
    let text = flight(
        r#"
[fields]
local_damping = 0.2
[[stages]]
name = "a"
until = { steps = 500 }
[[stages]]
name = "b"
actions = [{ type = "set_fields", fields = { local_damping = 0.6 } }]
until = { steps = 100000 }
"#,
    );
    let mut simulation = built(&text);
    advance(&mut simulation, 1000);
    let expected = -9.81 * 0.05 * (0.8 + 0.4);
    let found = simulation.world.particles.velocity[0].z;
    // velocities of zero at the start have no sign, for one evaluation
    assert!((found - expected).abs() < 2e-4, "{found} {expected}");
}

fn bed(stages: &str) -> String {
    format!(
        r#"{MATERIALS}
[time]
step = "10 us"
[[walls]]
name = "box"
material = "m"
shape = {{ type = "box", min = [0, 0, 0], max = ["20 mm", "20 mm", "80 mm"] }}
[[particles]]
name = "bed"
material = "m"
sizes = {{ type = "uniform", min = "1.6 mm", max = "2 mm" }}
region = {{ type = "box", min = [0, 0, 0], max = ["20 mm", "20 mm", "30 mm"] }}
fill = {{ type = "random", count = 100 }}
{stages}"#
    )
}

#[test]
fn removed_grains_leave_with_their_energy_and_the_rest_goes_on() {
    let text = bed(r#"
[[stages]]
name = "settle"
until = { steps = 12000 }
[[stages]]
name = "dig"
actions = [{ type = "remove_particles", region = { type = "box", min = [0, 0, 0], max = ["10 mm", "20 mm", "80 mm"] } }]
until = { steps = 100000 }
"#);
    let mut simulation = built(&text);
    advance(&mut simulation, 12_000);
    let (balance, mut continued) = (simulation.world.energy().balance(), again(&simulation, &text));
    let doomed: Vec<u64> = {
        let p = &simulation.world.particles;
        p.id.iter().zip(&p.position).filter(|(_, x)| x.x < 0.01).map(|(id, _)| *id).collect()
    };
    assert!((20..80).contains(&doomed.len()), "{}", doomed.len());
    let touching = simulation.world.contact_count().pairs;
    assert!(touching > 50);
    advance(&mut simulation, 1);
    let after = simulation.world.energy().balance();
    let scale = simulation.world.energy().gravity.abs();
    assert!((after - balance).abs() < 1e-6 * scale, "{after} {balance}");
    let world = &simulation.world;
    assert_eq!(world.removed_by_stages, doomed.len() as u64);
    assert_eq!((world.removed, world.particles.len()), (0, 100 - doomed.len()));
    assert!(doomed.iter().all(|id| !world.particles.id.contains(id)));
    assert!(simulation.state.events[0].what.starts_with(&format!("{} particles", doomed.len())));
    assert_eq!(measure::value(&simulation, "removed_by_stages"), Some(doomed.len() as f64));
    advance(&mut continued, 1);
    assert!(state(&simulation) == state(&continued));
}

/// Each grain knows its source, also when a branch brings others along.
#[test]
fn frames_know_the_source_of_every_grain() {
    let sources = r#"
[[particles]]
name = "rain"
material = "m"
sizes = { type = "single", radius = "1 mm" }
region = { type = "box", min = [0, 0, "60 mm"], max = ["20 mm", "20 mm", "80 mm"] }
fill = { type = "pour", rate = "1000 1/s", count = 5 }
[[stages]]
name = "pour"
until = { steps = 100000 }
"#;
    let text = bed(sources);
    let mut simulation = built(&text);
    advance(&mut simulation, 1000);
    let named = |simulation: &Simulation| -> Vec<(u64, String)> {
        let frame = dem_sim::run::frame(&simulation.world, false);
        let column = |name: &str| frame.point_data.iter().find(|c| c.spec.name == name).unwrap().data.clone();
        let ids: Vec<u64> = column("id").try_into().unwrap();
        let sources: Vec<u32> = column("source").try_into().unwrap();
        let names = simulation.world.provenance.names();
        ids.into_iter().zip(sources).map(|(id, source)| (id, names[source as usize].clone())).collect()
    };
    let expected: Vec<(u64, String)> =
        (0..105).map(|id| (id, if id < 100 { "bed" } else { "rain" }.to_owned())).collect();
    assert_eq!(named(&simulation), expected);
    assert_eq!(named(&again(&simulation, &text)), expected);
    // a branch with another source
    let other = text.replace("name = \"rain\"", "name = \"intruders\"");
    let bytes = state(&simulation);
    let loaded = builder::parse_scene("branch", &other, &[]).unwrap();
    let mut branch = builder::build_empty(&loaded).unwrap();
    checkpoint::branch(&mut branch, &loaded, &CheckpointReader::from_bytes(bytes).unwrap()).unwrap();
    advance(&mut branch, 1000);
    let mut expected = expected;
    expected.extend((105..110).map(|id| (id, "intruders".to_owned())));
    assert_eq!(named(&branch), expected);
}
