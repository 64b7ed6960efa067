//! What adheres to a mesh is held as by the surface that the mesh stands for: one pull for each local minimum of the distance.
#![expect(clippy::unwrap_used, reason = "helpers of tests")]

use std::collections::BTreeMap;
use std::sync::Arc;

use dem_contact::ParameterValue;
use dem_core::DVec3;
use dem_core::cell::Cell;
use dem_core::history::FurtherWork;
use dem_core::wall::mesh::Mesh;
use dem_core::wall::{Motion, Shape, Wall};
use dem_sim::world::World;
use dem_testkit::worlds;

const RADIUS: f64 = 1e-3;

/// A flat plate of triangles at z = 0, whose corners are moved at random within it.
fn plate(low: [f64; 2], high: [f64; 2], pieces: usize) -> Shape {
    let mut scatter = worlds::Scatter(5);
    let mut place = |k: usize, axis: usize| {
        let aside = if k == 0 || k == pieces { 0.0 } else { 0.6 * (scatter.next_unit() - 0.5) };
        low[axis] + (k as f64 + aside) / pieces as f64 * (high[axis] - low[axis])
    };
    let corners: Vec<Vec<DVec3>> =
        (0..=pieces).map(|i| (0..=pieces).map(|j| DVec3::new(place(i, 0), place(j, 1), 0.0)).collect()).collect();
    let mut facets = Vec::new();
    for i in 0..pieces {
        for j in 0..pieces {
            let [a, b] = [corners[i][j], corners[i + 1][j]];
            let [c, d] = [corners[i + 1][j + 1], corners[i][j + 1]];
            facets.extend([[a, b, c], [a, c, d]]);
        }
    }
    Shape::Mesh { mesh: Arc::new(Mesh::new(&facets).unwrap()), at: DVec3::ZERO }
}

fn world(law: &str, given: &BTreeMap<String, ParameterValue>, shape: Shape, near_field: bool) -> World {
    let mut world = worlds::world_of(law, given, Cell::unbounded(), 1e7);
    let mut wall = Wall::new("plate", shape, DVec3::ZERO, 0, Motion::default());
    wall.near_field = near_field;
    world.walls.push(wall);
    world
}

fn liquid(law: &str) -> BTreeMap<String, ParameterValue> {
    let mut given = worlds::common_parameters(law, 0.3, 1.0);
    given.extend(worlds::words(&[("near_field", "liquid-bridge")]));
    given.extend(worlds::parameters(
        &[("surface_tension", 0.02), ("contact_angle", 0.2), ("bridge_volume", 1e-11)],
        &[],
    ));
    given
}

/// Largest pull, and the velocity in the end, of a sphere that hits a wall and glides along it.
fn rebound(law: &str, given: &BTreeMap<String, ParameterValue>, shape: Shape, near_field: bool) -> (f64, DVec3) {
    let mut world = world(law, given, shape, near_field);
    let mut sphere = worlds::sphere(DVec3::new(-4e-4, 1e-4, RADIUS + 1e-6), RADIUS);
    sphere.velocity = DVec3::new(0.3, 0.1, -0.3);
    world.insert(sphere);
    world.time_step = 2e-7;
    let mut pipeline = worlds::pipeline();
    pipeline.initialise(&mut world).unwrap();
    let mut pull = 0.0f64;
    for _ in 0..20_000 {
        pipeline.step(&mut world).unwrap();
        pull = pull.max(world.walls[0].force.z);
    }
    assert!(world.particles.position[0].z > 1.2 * RADIUS, "{law}: it sticks");
    (pull, world.particles.velocity[0])
}

#[test]
fn pull_off_from_a_flat_mesh_is_that_from_a_plane() {
    let adhesive = |law: &str| {
        let mut given = worlds::common_parameters(law, 0.3, 1.0);
        given.insert("surface_energy".to_owned(), ParameterValue::Number(0.02));
        given
    };
    let mut dry = worlds::common_parameters("hertz-mindlin", 0.3, 1.0);
    dry.extend(worlds::words(&[("near_field", "van-der-waals")]));
    let numbers = [("hamaker_constant", 1e-13), ("separation_minimum", 1e-6), ("van_der_waals_cutoff", 1e-4)];
    dry.extend(worlds::parameters(&numbers, &[]));
    let cases = [
        ("jkr", adhesive("jkr"), 3.0 * std::f64::consts::PI * 0.02 * RADIUS),
        ("dmt", adhesive("dmt"), 4.0 * std::f64::consts::PI * 0.02 * RADIUS),
        ("hertz-mindlin", dry, 1e-13 * RADIUS / 6e-12),
        ("hertz-mindlin", liquid("hertz-mindlin"), 0.0),
    ];
    for (law, given, expected) in cases {
        let plane = Shape::Plane { point: DVec3::ZERO, normal: DVec3::Z };
        let near = given.contains_key("near_field");
        let (of_plane, leaves_plane) = rebound(law, &given, plane, near);
        let (of_mesh, leaves_mesh) = rebound(law, &given, plate([-2e-3; 2], [2e-3; 2], 40), near);
        println!("{law}: plane {of_plane:e} N, mesh {of_mesh:e} N, closed form {expected:e} N");
        assert!(of_plane > 0.0 && (of_mesh / of_plane - 1.0).abs() < 1e-12, "{law}: {of_mesh:e}, plane {of_plane:e}");
        assert!((leaves_mesh - leaves_plane).length() < 1e-12 * leaves_plane.length(), "{law}");
        // the largest pull of a step is not quite that between steps
        assert!(expected == 0.0 || (of_plane / expected - 1.0).abs() < 0.02, "{law}: {of_plane:e}, {expected:e}");
    }
}

/// A sphere that has touched a plate drifts off it, past its rim: the bridge goes from the face to the edge, and breaks where it is stretched.
#[test]
fn a_bridge_passes_an_edge_without_touching() {
    let mut world = world("hertz-mindlin", &liquid("hertz-mindlin"), plate([-4e-3, -2e-3], [0.0, 2e-3], 5), true);
    let mut sphere = worlds::sphere(DVec3::new(-1e-4, 1e-4, RADIUS - 1e-9), RADIUS);
    sphere.velocity = DVec3::new(0.2, 0.0, 0.1);
    world.insert(sphere);
    world.time_step = 1e-6;
    let mut pipeline = worlds::pipeline();
    pipeline.initialise(&mut world).unwrap();
    let (start, mut formed, mut beyond, mut worst) = (world.energy().balance(), 0.0, 0, 0.0f64);
    for step in 0..4000 {
        pipeline.step(&mut world).unwrap();
        let mut held = 0;
        world.visit_contacts(&mut |c| held += usize::from(c.work.liquid > 0.0));
        assert!(held <= 1, "{held} bridges");
        let ledger = world.energy();
        if step == 0 {
            formed = ledger.further[FurtherWork::Adhesion.place()];
        }
        let x = world.particles.position[0];
        if x.x > 0.0 && held == 1 {
            assert!(x.z > RADIUS, "it does not touch");
            beyond += 1;
        }
        assert_eq!(ledger.further[FurtherWork::Adhesion.place()], formed, "no other bridge forms");
        worst = worst.max((ledger.balance() - start).abs());
    }
    let x = world.particles.position[0];
    println!("{beyond} steps beyond the rim, off by {:.1e} of {formed:e} J", worst / formed);
    assert!(formed > 0.0 && beyond > 100, "{beyond}");
    assert!(world.energy().near_field == 0.0 && x.length() - RADIUS > 2e-4, "it should have broken: {x}");
    assert!(worst < 0.02 * formed, "{worst:e} of {formed:e}");
}
