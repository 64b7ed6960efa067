//! Measures of assemblies with rigid bodies: bodies count as one, and stress comes from their centres of mass.
#![expect(clippy::unwrap_used, reason = "helpers of tests")]

use dem_core::cell::{Cell, FacePolicy};
use dem_core::contact_list::PartnerKind;
use dem_core::particles::sphere_volume;
use dem_core::wall::{Motion, Shape, Wall};
use dem_core::{DMat3, DQuat, DVec3};
use dem_sim::deformation::Deformation;
use dem_sim::deformation::sampled_body;
use dem_sim::insertion::region::Region;
use dem_sim::measure::{self, MeasuredRegion, StressMeasure, fabric, region_values};
use dem_sim::world::World;
use dem_testkit::bodies::{body, dimer, jack, set_templates};
use dem_testkit::worlds::{self, Scatter};

const RADIUS: f64 = 1e-3;
/// Edge of the cell \[m\].
const SIZE: f64 = 14.4 * RADIUS;

/// Jacks, dimers and spheres on a lattice of so many along each axis that neighbours overlap, in motion; between walls at a distance from the middle
/// of the cell, or periodic.
fn packing(along: u32, spacing: f64, walls: Option<f64>) -> World {
    let periodic = [walls.is_none(); 3];
    let cell = Cell::orthogonal(DVec3::ZERO, DVec3::splat(SIZE), periodic, [[FacePolicy::Error; 2]; 3]);
    let mut world = worlds::world("linear", &worlds::common_parameters("linear", 0.5, 0.5), cell);
    set_templates(&mut world, vec![dimer(RADIUS, 1.3 * RADIUS), jack(0.45 * RADIUS)]);
    if let Some(distance) = walls {
        let middle = DVec3::splat(0.5 * SIZE);
        for (name, inward) in
            [("w", DVec3::X), ("e", -DVec3::X), ("s", DVec3::Y), ("n", -DVec3::Y), ("b", DVec3::Z), ("t", -DVec3::Z)]
        {
            let point = middle - inward * distance;
            world.walls.push(Wall::new(name, Shape::Plane { point, normal: inward }, point, 0, Motion::default()));
        }
    }
    let mut scatter = Scatter(8);
    for k in 0..along.pow(3) {
        let site = [k % along, k / along % along, k / along.pow(2)].map(f64::from);
        let site = DVec3::from_array(site) - 0.5 * f64::from(along - 1);
        let at = DVec3::splat(0.5 * SIZE) + site * spacing + scatter.next_vector() * (0.1 * RADIUS);
        let velocity = scatter.next_vector() * 0.1;
        if k % 3 == 0 {
            let mut sphere = worlds::sphere(at, 1.2 * RADIUS);
            sphere.velocity = velocity;
            world.insert(sphere);
            continue;
        }
        let mut new = body(at, DQuat::from_scaled_axis(scatter.next_vector() * 3.0));
        (new.velocity, new.angular_velocity) = (velocity, scatter.next_vector() * 50.0);
        new.template = k % 2;
        world.insert_body(new);
    }
    world
}

fn six(m: DMat3) -> [f64; 6] {
    [[0, 0], [1, 1], [2, 2], [0, 1], [0, 2], [1, 2]].map(|[i, k]| 0.5 * (m.col(k)[i] + m.col(i)[k]))
}

fn outer(a: DVec3, b: DVec3) -> DMat3 {
    DMat3::from_cols(a * b.x, a * b.y, a * b.z)
}

/// Sums of `f ⊗ x` over contacts with walls, of `F ⊗ X` over grains, and of `f ⊗ l` over contacts with branches between centres of spheres \[J\].
fn boundary_and_rest(world: &World) -> [DMat3; 3] {
    let p = &world.particles;
    let [mut boundary, mut rest, mut of_spheres] = [DMat3::ZERO; 3];
    world.visit_contacts(&mut |c| {
        let Some(force) = world.forces.get(c.candidate).map(|wrench| wrench.force_on_first()) else { return };
        of_spheres += outer(force, c.branch);
        if c.key.kind == PartnerKind::Wall {
            boundary += outer(force, p.position[c.first] + c.branch);
        }
    });
    for body in &p.bodies.all {
        rest += outer(body.force, body.position);
    }
    for slot in (0..p.len()).filter(|&slot| p.body[slot] == u32::MAX) {
        rest += outer(p.force[slot], p.position[slot]);
    }
    [boundary, rest, of_spheres]
}

#[test]
fn stress_is_the_average_over_the_boundary() {
    // Σ f ⊗ l over contacts = Σ f ⊗ x over walls − Σ F ⊗ X over grains, whatever forces act
    let mut world = packing(6, 2.4 * RADIUS, Some(7.2 * RADIUS));
    worlds::pipeline().initialise(&mut world).unwrap();
    let count = world.contact_count();
    assert!(count.pairs > 100 && count.walls > 50, "{count:?}");
    let [boundary, rest, of_spheres] = boundary_and_rest(&world);
    let (expected, virial) = (six(boundary - rest), fabric(&world).virial);
    let scale = expected[0].abs();
    for k in 0..6 {
        assert!((virial[k] - expected[k]).abs() < 1e-12 * scale, "{virial:?} {expected:?}");
    }
    let error = (six(of_spheres)[0] - expected[0]).abs() / scale;
    println!("branches between spheres are wrong by {error:.3}");
    assert!(error > 1e-2, "centres of spheres would not do: {error}");
    let measure = StressMeasure::of(&world);
    let volume = sampled_body::volume(&world.cell, &world.walls);
    let stress = six((measure.contacts + measure.viscous) * volume);
    for k in 0..6 {
        assert!((stress[k] - expected[k]).abs() < 1e-12 * scale, "{stress:?} {expected:?}");
    }
}

#[test]
fn stress_of_bodies_in_balance_is_what_the_walls_bear() {
    let mut world = packing(3, 1.6 * RADIUS, Some(2.9 * RADIUS));
    world.fields.local_damping = 0.7;
    world.time_step = 3e-7;
    let mut pipeline = worlds::pipeline();
    pipeline.limits.overlap_ratio = 10.0;
    pipeline.initialise(&mut world).unwrap();
    let mut steps = 0;
    while measure::unbalanced_force(&world) > 1e-10 && steps < 60_000 {
        pipeline.step(&mut world).unwrap();
        steps += 1;
    }
    let unbalanced = measure::unbalanced_force(&world);
    let [boundary, ..] = boundary_and_rest(&world);
    let (expected, virial) = (six(boundary), fabric(&world).virial);
    let error = (0..6).map(|k| (virial[k] - expected[k]).abs()).fold(0.0, f64::max) / expected[0].abs();
    println!("{steps} steps, unbalanced force {unbalanced:.1e}, error of the stress {error:.1e}");
    assert!(unbalanced < 1e-9 && error < 1e-8, "{unbalanced} {error}");
}

#[test]
fn stress_of_a_periodic_cell_is_the_same_in_every_measure() {
    let mut world = packing(6, SIZE / 6.0, None);
    for octant in 0..8 {
        let upper = DVec3::new(f64::from(octant & 1), f64::from(octant >> 1 & 1), f64::from(octant >> 2));
        let cut = DVec3::new(0.4, 0.7, 0.2) * SIZE;
        let (min, max) = (upper * cut, cut + upper * (DVec3::splat(SIZE) - cut));
        world.regions.push(MeasuredRegion { name: octant.to_string(), region: Region::Box { min, max } });
    }
    world.deformation = Some(Deformation::default());
    world.time_step = 1e-7;
    let mut pipeline = worlds::pipeline();
    pipeline.limits.overlap_ratio = 10.0;
    pipeline.initialise(&mut world).unwrap();
    for _ in 0..10 {
        pipeline.step(&mut world).unwrap();
    }
    assert!(world.contact_count().pairs > 100, "{:?}", world.contact_count());
    let volume = SIZE * SIZE * SIZE;
    let measure = StressMeasure::of(&world);
    let after_step = six(world.deformation.as_ref().unwrap().stress(volume));
    let (total, contacts) = (six(measure.total()), six(measure.contacts + measure.viscous));
    let virial = fabric(&world).virial;
    let values = region_values(&world);
    let scale = contacts[0].abs();
    for k in 0..6 {
        assert!((after_step[k] - total[k]).abs() < 1e-12 * scale, "{after_step:?} {total:?}");
        assert!((virial[k] / volume - contacts[k]).abs() < 1e-12 * scale, "{virial:?} {contacts:?}");
        let of_regions = world.regions.iter().zip(values.chunks(8)).map(|(one, row)| one.region.volume() * row[2 + k]);
        assert!((of_regions.sum::<f64>() - virial[k]).abs() < 1e-11 * scale * volume, "component {k}");
    }
    let inside: f64 = values.chunks(8).map(|row| row[0]).sum();
    assert_eq!(inside, 216.0, "bodies count once");
    // motion: mass and velocity of bodies, not of their members
    let [mut flux, mut fraction] = [DMat3::ZERO, DMat3::ZERO];
    let p = &world.particles;
    let mut solid = 0.0;
    for body in &p.bodies.all {
        flux -= outer(body.velocity * body.mass, body.velocity);
        solid += p.bodies.template(body).volume;
    }
    for slot in (0..p.len()).filter(|&slot| p.body[slot] == u32::MAX) {
        flux -= outer(p.velocity[slot] * p.mass[slot], p.velocity[slot]);
        solid += sphere_volume(p.radius[slot]);
    }
    fraction += measure.motion * volume;
    assert!((six(flux)[0] - six(fraction)[0]).abs() < 1e-12 * six(flux)[0].abs());
    assert!((measure::porosity(&world) - (1.0 - solid / volume)).abs() < 1e-14);
}

/// Dimers that lie across a row, with their axes along y: each touches the next in two contacts.
fn row_of_dimers(count: u32, overlap: f64) -> World {
    let size = DVec3::new(2.0 * RADIUS * (1.0 - overlap) * f64::from(count), 0.1, 0.1);
    let cell = Cell::orthogonal(DVec3::ZERO, size, [true, false, false], [[FacePolicy::Open; 2]; 3]);
    let mut world = worlds::world("linear", &worlds::common_parameters("linear", 0.5, 0.5), cell);
    set_templates(&mut world, vec![dimer(RADIUS, 1.5 * RADIUS)]);
    for k in 0..count {
        let at = DVec3::new(size.x * (f64::from(k) + 0.5) / f64::from(count), 0.05, 0.05);
        world.insert_body(body(at, DQuat::from_rotation_z(std::f64::consts::FRAC_PI_2)));
    }
    // one that touches nothing
    world.insert_body(body(DVec3::new(0.5 * size.x, 0.08, 0.05), DQuat::IDENTITY));
    worlds::pipeline().initialise(&mut world).unwrap();
    world
}

#[test]
fn contacts_neighbours_rattlers_and_chains_count_bodies() {
    let world = row_of_dimers(8, 1e-3);
    assert_eq!(world.contact_count().pairs, 16);
    let found = measure::coordination(&world, 2);
    assert_eq!((found.all, found.rattlers, found.threshold), (2.0 * 16.0 / 9.0, 1, 2));
    assert_eq!(found.without_rattlers, 4.0);
    assert_eq!(measure::neighbours(&world), 2.0 * 8.0 / 9.0);
    // four contacts each: with the bound of bodies without friction none is lost, with five all are
    assert_eq!(measure::coordination(&world, 4).rattlers, 1);
    assert_eq!(measure::coordination(&world, 5).rattlers, 9);
    assert!(measure::unbalanced_force(&world) < 1e-12);
    let chains = measure::force_chains(&world);
    // all bear the same, which is no more than their mean but for round-off
    assert!(chains.chains <= 1 && chains.share <= 1.0, "{chains:?}");
    let bed = measure::bed(&world);
    let p = &world.particles;
    for slot in 0..p.len() {
        assert_eq!(bed[slot], p.body[slot] != 8, "members are in the bed with their body");
    }
    // along z, from lowest to highest point of the dimers, which lie along y
    assert!((measure::bed_height(&world) - 2.0 * RADIUS).abs() < 1e-15);
}

#[test]
fn the_series_has_columns_of_bodies_where_a_scene_has_kinds_of_bodies() {
    let world = row_of_dimers(8, 1e-3);
    let names: Vec<String> = measure::series_columns(&world).into_iter().map(|column| column.name).collect();
    let of_bodies = ["bodies", "neighbours", "body_axes_xx", "body_axes_yy", "body_axes_zz"];
    assert!(of_bodies.iter().all(|name| names.iter().any(|column| column == name)), "{names:?}");
    let mut spheres = row_of_dimers(3, 1e-3);
    set_templates(&mut spheres, Vec::new());
    assert!(measure::series_columns(&spheres).len() + 8 == names.len());
}
