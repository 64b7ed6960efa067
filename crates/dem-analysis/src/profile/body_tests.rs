//! Profiles of rigid bodies, which are known from the bodies themselves.

use dem_core::cell::{Cell, FacePolicy};
use dem_core::{DQuat, DVec3};
use dem_sim::measure::fabric;
use dem_sim::world::World;
use dem_testkit::bodies::{body, dimer, set_templates};
use dem_testkit::worlds;

use super::assembly::Assembly;
use super::averages::sums;
use super::axis::Axis;
use super::bins::Bins;
use super::bond_order::bond_order;
use super::coarse_graining::coarse_grained;
use super::contact_numbers::ContactNumbers;
use super::radial_distribution::radial_distribution;
use super::region::Region;

const EDGE: f64 = 8.0;

/// Four rows of dimers that touch each other along x, across periodic faces, and a sphere by itself; all dimers spin and move along z.
fn rows() -> World {
    let cell = Cell::orthogonal(DVec3::ZERO, DVec3::splat(EDGE), [true, false, false], [[FacePolicy::Open; 2]; 3]);
    let mut world = worlds::world("linear", &worlds::common_parameters("linear", 0.5, 0.5), cell);
    set_templates(&mut world, vec![dimer(0.5, 0.6)]);
    let distance = EDGE / 8.0;
    for k in 0..32u32 {
        let at = DVec3::new(f64::from(k % 8) * distance + 0.1, f64::from(k / 8) * 1.9 + 1.0, 3.0);
        let mut new = body(at, DQuat::from_rotation_z(std::f64::consts::FRAC_PI_2));
        // 1.001 of the distance: neighbours overlap by a thousandth, in two contacts
        new.scale = 1.001;
        (new.velocity, new.angular_velocity) = (DVec3::Z, DVec3::new(0.0, 2.0, 0.0));
        world.insert_body(new);
    }
    let mut sphere = worlds::sphere(DVec3::new(1.0, 1.0, 6.0), 0.4);
    sphere.velocity = DVec3::Z;
    world.insert(sphere);
    world.time_step = 1e-9;
    worlds::pipeline().initialise(&mut world).unwrap();
    world
}

#[test]
fn a_profile_counts_bodies_once_with_the_volume_of_their_union() {
    let world = rows();
    let assembly = Assembly::of(&world).unwrap();
    let bodies = &world.particles.bodies;
    let single = dem_core::particles::sphere_volume(0.4);
    let solid: f64 = bodies.all.iter().map(|body| bodies.volume_of(body)).sum::<f64>() + single;
    let mass: f64 = bodies.all.iter().map(|body| body.mass).sum::<f64>() + worlds::DENSITY * single;
    let region = Region::Box { low: DVec3::ZERO, high: DVec3::splat(EDGE), whole: [true, false, false] };
    for axis in [Axis::X, Axis::Y, Axis::Z] {
        let bins = Bins::new(axis, region, 13, &assembly.surroundings.cell).unwrap();
        let found = sums(&assembly, &bins);
        let total = |of: &dyn Fn(&super::averages::BinSums) -> f64| found.iter().map(of).sum::<f64>();
        assert!((total(&|sum| sum.volume) / solid - 1.0).abs() < 1e-11, "{axis:?}");
        assert!((total(&|sum| sum.mass) / mass - 1.0).abs() < 1e-11, "{axis:?}");
        assert!((total(&|sum| sum.particles) - 33.0).abs() < 1e-10, "{axis:?}");
        // two contacts with each of two neighbours
        assert!((total(&|sum| sum.pair_contacts) - 32.0 * 4.0).abs() < 1e-9, "{axis:?}");
        assert!(total(&|sum| sum.fluctuation).abs() < 1e-12, "all centres of mass move alike: {axis:?}");
        let virial = fabric(&world).virial;
        for (k, (i, j)) in [(0, 0), (1, 1), (2, 2)].into_iter().enumerate() {
            let sum = total(&|sum| sum.virial[i][j]);
            assert!((sum - virial[k]).abs() < 1e-11 * virial[0].abs(), "{axis:?} {k}: {sum} {virial:?}");
        }
    }
    assert_eq!(assembly.grains.count(), 33);
    let mut centres: Vec<DVec3> = bodies.all.iter().map(|body| body.position).collect();
    centres.push(DVec3::new(1.0, 1.0, 6.0));
    assert!(centres.iter().all(|centre| assembly.grains.centre.contains(centre)));
    let expected = (32.0 * 2.0 * bodies.all[0].equivalent_radius + 0.8) / 33.0;
    assert!((assembly.mean_diameter() - expected).abs() < 1e-14);
    assert!((assembly.solid_volume() / solid - 1.0).abs() < 1e-12);
    let contacts = ContactNumbers::new(&assembly).unwrap();
    assert_eq!((contacts.rattlers, contacts.distribution[0], contacts.distribution[4]), (1, 1, 32));
    assert_eq!((contacts.coordination, contacts.without_rattlers), (128.0 / 33.0, 4.0));
    let grid = coarse_grained(&assembly, 0.5, 1.2).unwrap();
    let cell: f64 = grid.spacing.iter().product();
    let field = grid.fields.iter().find(|field| field.spec.name == "solid_fraction").unwrap();
    assert!((field.values.iter().sum::<f64>() * cell / solid - 1.0).abs() < 1e-12);
}

/// Dimers turned at random with their centres on a lattice: the structure is that of the lattice, whatever way bodies look.
#[test]
fn structure_is_that_of_the_centres_of_mass() {
    let cell = Cell::orthogonal(DVec3::ZERO, DVec3::splat(6.0), [true; 3], [[FacePolicy::Error; 2]; 3]);
    let mut world = worlds::world("linear", &worlds::common_parameters("linear", 0.5, 0.5), cell);
    set_templates(&mut world, vec![dimer(0.3, 0.3)]);
    let mut scatter = worlds::Scatter(5);
    for k in 0..216u32 {
        let at = DVec3::new(f64::from(k % 6), f64::from(k / 6 % 6), f64::from(k / 36));
        world.insert_body(body(at, DQuat::from_scaled_axis(scatter.next_vector() * 3.0)));
    }
    world.time_step = 1e-9;
    worlds::pipeline().initialise(&mut world).unwrap();
    let assembly = Assembly::of(&world).unwrap();
    let region = Region::Box { low: DVec3::ZERO, high: DVec3::splat(6.0), whole: [true; 3] };
    let order = bond_order(&assembly, &region).unwrap();
    assert_eq!(order.particles, 216);
    assert!((order.local - 0.353_553).abs() < 1e-6 && (order.global - 0.353_553).abs() < 1e-6, "{order:?}");
    let found = radial_distribution(&assembly, &region).unwrap();
    assert_eq!(found.centres, 216);
    let nearest = found.values.iter().position(|&value| value > 0.0).unwrap();
    // six neighbours at the edge of the lattice, and none nearer
    assert!((nearest as f64..=nearest as f64 + 1.0).contains(&(1.0 / found.width)), "{nearest}");
    assert!((found.neighbours[nearest] - 6.0).abs() < 1e-9, "{}", found.neighbours[nearest]);
}
