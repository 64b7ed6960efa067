//! The contact list holds no more pairs than it may, and a list that is bounded changes nothing.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by it")]

use dem_core::contact_list::PartnerKind;
use dem_sim::builder::{build, parse_scene};
use dem_sim::checkpoint;
use dem_sim::error::StepError;
use dem_sim::simulation::Simulation;

/// A block that falls onto a floor.
fn block() -> Simulation {
    let scene = r#"
        [time]
        step = "20 us"
        end = "1 s"
        [domain]
        min = ["-50 mm", "-50 mm", "-10 mm"]
        max = ["50 mm", "50 mm", "100 mm"]
        [materials.glass]
        density = "2500 kg/m^3"
        young_modulus = "10 MPa"
        poisson_ratio = 0.25
        [contact]
        law = "hertz-mindlin"
        friction = 0.4
        restitution = 0.5
        [[walls]]
        name = "floor"
        material = "glass"
        shape = { type = "plane", normal = [0, 0, 1] }
        [[particles]]
        name = "block"
        material = "glass"
        sizes = { type = "single", radius = "4 mm" }
        region = { type = "box", min = ["-20 mm", "-20 mm", "0 mm"], max = ["20 mm", "20 mm", "40 mm"] }
        fill = { type = "lattice", count = 60, jitter = 1 }
        velocity = [0, 0, "-0.5 m/s"]
    "#;
    build(&parse_scene("block", scene, &[]).unwrap()).unwrap()
}

/// Goes on until some spheres touch each other.
fn advance_until_they_touch(simulation: &mut Simulation) {
    for _ in 0..3000 {
        simulation.advance().unwrap();
        if simulation.world.contact_count().pairs >= 8 {
            return;
        }
    }
    panic!("nothing touches");
}

/// Pairs of the contact list.
fn listed(simulation: &Simulation) -> usize {
    let pairs = simulation.world.list.segments.iter().filter(|segment| segment.partner == PartnerKind::Particle);
    pairs.map(|segment| (segment.end - segment.start) as usize).sum()
}

fn bytes(simulation: &Simulation) -> Vec<u8> {
    checkpoint::save(simulation, "").unwrap()
}

#[test]
fn skin_becomes_narrower_where_pairs_are_too_many_and_no_bit_changes() {
    let (mut free, mut bounded) = (block(), block());
    free.initialise().unwrap();
    let listed = listed(&free);
    // what touches must fit, the rest of the list need not
    let most = 2 * listed / 3;
    bounded.pipeline.forces.most_pairs = most;
    bounded.initialise().unwrap();
    assert!(self::listed(&bounded) <= most, "{listed} without a bound");
    advance_until_they_touch(&mut free);
    while bounded.world.step < free.world.step {
        bounded.advance().unwrap();
    }
    assert!(bytes(&free) == bytes(&bounded));
    assert!(bounded.pipeline.forces.rebuilds > free.pipeline.forces.rebuilds);
}

#[test]
fn step_that_needs_more_pairs_is_refused_and_leaves_the_state_as_it_was() {
    let mut simulation = block();
    simulation.initialise().unwrap();
    advance_until_they_touch(&mut simulation);
    let before = bytes(&simulation);
    let most = simulation.world.contact_count().pairs / 4;
    simulation.pipeline.forces.most_pairs = most;
    let rebuilt = simulation.pipeline.forces.rebuild(&mut simulation.world).unwrap_err();
    assert!(
        matches!(rebuilt, StepError::TooManyPairs { most: bound, particles: 60, .. } if bound == most),
        "{rebuilt}"
    );
    assert!(rebuilt.to_string().contains("pairs of 60 particles are within"), "{rebuilt}");
    assert!(bytes(&simulation) == before, "histories and forces are those of before");
}
