//! Assemblies for the tests: lattices in periodic cells.

use std::sync::Arc;

use dem_core::DVec3;
use dem_core::cell::{Cell, FacePolicy};
use dem_sim::builder::Surroundings;

use super::assembly::{Assembly, Contact};
use super::grains::Grains;
use super::region::Region;

/// Spheres of diameter 1 and mass 1 in a box, periodic or open, without contacts.
pub fn spheres(position: Vec<DVec3>, edge: f64, periodic: bool) -> (Assembly, Region) {
    let cell = Cell::orthogonal(DVec3::ZERO, DVec3::splat(edge), [periodic; 3], [[FacePolicy::Open; 2]; 3]);
    let surroundings = Surroundings { walls: Vec::new(), up: DVec3::Z, cell, has_friction: false };
    let count = position.len();
    let grains = Grains::of_spheres(&position, &vec![0.5; count]);
    let assembly = Assembly {
        time: 0.0,
        position,
        radius: vec![0.5; count],
        velocity: vec![DVec3::ZERO; count],
        mass: vec![1.0; count],
        grains,
        contacts: Some(Vec::new()),
        surroundings: Arc::new(surroundings),
    };
    (assembly, Region::Box { low: DVec3::ZERO, high: DVec3::splat(edge), whole: [periodic; 3] })
}

/// Simple cubic lattice of touching spheres with `edge` of them along each direction, off the faces of the cell by odd distances.
pub fn simple_cubic(edge: usize) -> (Assembly, Region) {
    let at = |k: usize| k as f64 + 0.1;
    let sites =
        (0..edge.pow(3)).map(|k| DVec3::new(at(k % edge), at(k / edge % edge) + 0.2, at(k / edge / edge) + 0.37));
    spheres(sites.collect(), edge as f64, true)
}

/// Face-centred cubic lattice of touching spheres with `edge` cubic cells along each direction.
pub fn fcc(edge: usize) -> (Assembly, Region) {
    let cube = 2f64.sqrt();
    let basis = [[0.0, 0.0, 0.0], [0.0, 0.5, 0.5], [0.5, 0.0, 0.5], [0.5, 0.5, 0.0]].map(DVec3::from_array);
    let corners =
        (0..edge.pow(3)).map(|k| DVec3::new((k % edge) as f64, (k / edge % edge) as f64, (k / edge / edge) as f64));
    let sites = corners.flat_map(|corner| basis.map(|b| cube * (corner + b + DVec3::new(0.1, 0.2, 0.05))));
    spheres(sites.collect(), cube * edge as f64, true)
}

/// Contacts of all spheres that touch, with the force `normal_force` pressing each.
pub fn touching(assembly: &Assembly, normal_force: f64) -> Vec<Contact> {
    let mut contacts = Vec::new();
    let near = super::neighbours::Neighbourhood::new(&assembly.position, 1.0 + 1e-9, &assembly.surroundings.cell);
    for first in 0..assembly.len() {
        near.around(first, |second, branch| {
            if first < second {
                let normal = branch.normalize();
                let force = -normal_force * normal;
                let start = assembly.position[first];
                contacts.push(Contact { first, second: Some(second), start, force, branch, normal, overlap: 0.0 });
            }
        });
    }
    contacts
}
