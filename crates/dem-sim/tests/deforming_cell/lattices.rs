//! Regular lattices, whose stress follows in closed form.

use dem_core::particles::frozen;
use dem_core::rotation::rodrigues_from_rotation_vector;
use dem_core::{DMat3, DVec3};
use dem_sim::deformation::control::{Component, Constraint, Control};
use dem_sim::measure;
use dem_sim::world::World;
use dem_testkit::worlds::Scatter;

use super::{drive, largest, lattice, outer, rates, stress};

const DIAMETER: f64 = 2e-3;
const NORMAL: f64 = 1e6;
const TANGENTIAL: f64 = 0.8e6;
const STICKING: [(&str, f64); 4] =
    [("normal_stiffness", NORMAL), ("stiffness_ratio", TANGENTIAL / NORMAL), ("friction", 1e12), ("restitution", 1.0)];

const FCC: [DVec3; 4] = [DVec3::ZERO, DVec3::new(0.5, 0.5, 0.0), DVec3::new(0.5, 0.0, 0.5), DVec3::new(0.0, 0.5, 0.5)];

/// Stress that a strain adds, reached in ten steps too short for anything to move by itself.
fn response(mut world: World, mut pipeline: dem_sim::pipeline::Pipeline, strain: DMat3) -> DMat3 {
    let before = stress(&world);
    let rate = strain * (0.1 / world.time_step);
    drive(&mut world, rate);
    for _ in 0..10 {
        pipeline.step(&mut world).unwrap();
    }
    stress(&world) - before
}

/// Simple cubic: C₁₁ = k_n/d, C₁₂ = 0, C₄₄ = k_t/(2d). Face-centred cubic: C₁₁ = √2 (k_n + k_t)/d, C₁₂ = (k_n − k_t)/(√2 d),
/// C₄₄ = (k_n + k_t)/(√2 d), from `C = (1/V) Σ d² (k_n n n n n + k_t/4 (1 n n + … − 4 n n n n))` over the six pairs of a sphere. Overlap 10⁻⁶
/// of the diameter d, strain 10⁻⁸; pure and simple shear.
#[test]
fn stiffness_of_cubic_lattices_is_that_of_the_closed_form() {
    let spacing = DIAMETER * (1.0 - 1e-6);
    let root = 2.0f64.sqrt();
    let cases = [
        ("simple cubic", DVec3::splat(spacing), &[DVec3::ZERO][..], [3, 3, 4], [NORMAL, 0.0, 0.5 * TANGENTIAL]),
        (
            "face-centred cubic",
            DVec3::splat(spacing * root),
            &FCC[..],
            [2, 3, 2],
            [root * (NORMAL + TANGENTIAL), (NORMAL - TANGENTIAL) / root, (NORMAL + TANGENTIAL) / root],
        ),
    ];
    let mut worst = 0.0f64;
    for (name, edges, sites, cells, [c11, c12, c44]) in cases {
        let strain = 1e-8;
        let unit = [DVec3::X, DVec3::Y, DVec3::Z];
        for i in 0..3 {
            for j in 0..3 {
                let (world, pipeline) = lattice(&STICKING, edges, sites, cells, DIAMETER);
                let found = response(world, pipeline, outer(unit[i], unit[j]) * strain) * (DIAMETER / strain);
                let mut expected = DMat3::ZERO;
                if i == j {
                    for k in 0..3 {
                        expected.col_mut(k)[k] = if k == i { c11 } else { c12 };
                    }
                } else {
                    (expected.col_mut(j)[i], expected.col_mut(i)[j]) = (c44, c44);
                }
                let error = largest(found - expected) / c11;
                println!("{name}, L_{i}{j}: {error:.1e}");
                worst = worst.max(error);
            }
        }
    }
    assert!(worst < 2e-5, "{worst:e}");
}

/// Particles that cannot move are carried by the cell, and their dashpots have no mass to scale with: the stress is that of springs.
#[test]
fn a_cell_of_frozen_spheres_has_no_viscous_stress() {
    let law = [
        ("normal_stiffness", NORMAL),
        ("stiffness_ratio", TANGENTIAL / NORMAL),
        ("friction", 1e12),
        ("damping_ratio", 0.5),
        ("tangential_damping_ratio", 0.5),
    ];
    let (mut world, mut pipeline) =
        lattice(&law, DVec3::splat(0.999 * DIAMETER), &[DVec3::splat(0.5)], [3; 3], DIAMETER);
    let p = &mut world.particles;
    p.frozen.fill(frozen::TRANSLATION.iter().chain(&frozen::ROTATION).fold(0, |all, bit| all | bit));
    p.inverse_mass.fill(0.0);
    let strain = -1e-4;
    drive(&mut world, (outer(DVec3::X, DVec3::X) + outer(DVec3::X, DVec3::Y)) * (0.1 * strain / 1e-6));
    world.time_step = 1e-6;
    for _ in 0..10 {
        pipeline.step(&mut world).unwrap();
    }
    world.visit_contacts(&mut |c| assert_eq!((c.dashpot_force(DVec3::ZERO), c.dashpots.tangential), (0.0, 0.0)));
    let stress = stress(&world) * DIAMETER;
    let expected = [NORMAL * (1e-3 - strain), 0.5 * TANGENTIAL * -strain];
    for (found, expected) in [stress.col(0)[0], stress.col(1)[0]].into_iter().zip(expected) {
        assert!((found.abs() / expected - 1.0).abs() < 5e-3, "{found:e}, expected {expected:e}");
    }
}

/// Cells of other shapes take other edges at other shears; a lattice knows nothing of its cell.
#[test]
fn simple_shear_through_many_reboxings_is_the_same_for_cells_of_any_shape() {
    let run = |cells: [usize; 3]| {
        let law = [
            ("normal_stiffness", NORMAL),
            ("stiffness_ratio", TANGENTIAL / NORMAL),
            ("friction", 0.4),
            ("restitution", 0.7),
        ];
        let (mut world, mut pipeline) =
            lattice(&law, DVec3::splat(0.98 * DIAMETER), &[DVec3::splat(0.3)], cells, DIAMETER);
        let rate = outer(DVec3::X, DVec3::Y) * (2e-3 / world.time_step);
        drive(&mut world, rate);
        let mut path = Vec::new();
        let mut reboxings = 0;
        let mut before = world.cell.matrix();
        for _ in 0..3000 {
            pipeline.step(&mut world).unwrap();
            reboxings += i32::from(largest(world.cell.matrix() - before) > 0.1 * largest(before));
            before = world.cell.matrix();
            path.push(stress(&world));
        }
        let slowest = world.particles.velocity.iter().map(|v| v.length()).fold(0.0, f64::max);
        (path, reboxings, slowest, world.contact_count().pairs as f64 / world.particles.len() as f64)
    };
    let (reference, many, ..) = run([3, 3, 3]);
    let (other, few, speed, contacts) = run([7, 3, 4]);
    assert!(many >= 5 && few >= 2 && many != few, "{many}, {few} re-boxings");
    let scale = reference.iter().map(|s| largest(*s)).fold(0.0, f64::max);
    let worst = reference.iter().zip(&other).map(|(a, b)| largest(*a - *b)).fold(0.0, f64::max) / scale;
    println!(
        "{many} and {few} re-boxings: stresses differ by {worst:.1e}, {contacts} contacts per sphere, speed {speed:.1e} m/s"
    );
    assert!(worst < 1e-9, "{worst:e}");
}

/// A disordered packing under tangential load, turned by a quarter about a random axis in steps too short for anything to move by itself.
#[test]
fn a_cell_that_turns_takes_its_stress_with_it() {
    for steps in [10u32, 1000] {
        let (mut world, mut pipeline) =
            lattice(&STICKING, DVec3::splat(0.99 * DIAMETER), &[DVec3::splat(0.5)], [4; 3], DIAMETER);
        let mut scatter = Scatter(11);
        for x in &mut world.particles.position {
            *x += scatter.next_vector() * (0.004 * DIAMETER);
        }
        world.time_step = 1e-15;
        pipeline.initialise(&mut world).unwrap();
        let l = DMat3::from_cols(scatter.next_vector(), scatter.next_vector(), scatter.next_vector());
        let rate = l * (3e-3 / world.time_step);
        drive(&mut world, rate);
        pipeline.step(&mut world).unwrap();
        let before = stress(&world);
        let spin = DVec3::new(0.3, -0.5, 0.8).normalize() * (std::f64::consts::FRAC_PI_2 / f64::from(steps));
        // the rotation of a step has the Rodrigues vector spin · step
        let spin = rodrigues_from_rotation_vector(spin) / world.time_step;
        let columns = DVec3::AXES.map(|axis| spin.cross(axis));
        drive(&mut world, DMat3::from_cols(columns[0], columns[1], columns[2]));
        let work = world.accumulated.cell;
        let gradient = world.deformation.as_ref().unwrap().state.gradient;
        for _ in 0..steps {
            pipeline.step(&mut world).unwrap();
        }
        let rotation = world.deformation.as_ref().unwrap().state.gradient * gradient.inverse();
        let back = rotation.transpose() * stress(&world) * rotation;
        let shear = largest(before - DMat3::IDENTITY * dem_sim::deformation::control::mean(before)) / largest(before);
        let error = largest(back - before) / largest(before);
        println!("{steps} steps: {error:.1e} of the stress, whose deviator is {shear:.2}");
        assert!(shear > 0.1 && error < 1e-9 && largest(rotation - DMat3::IDENTITY) > 0.5, "{error:e}");
        assert!(
            (world.accumulated.cell - work).abs() < 1e-9 * world.energy().elastic_normal,
            "a rotation does no work"
        );
    }
}

/// Without the spin of the cell, or with slip from positions in another cell, one large step and many small ones would differ.
#[test]
fn large_and_small_steps_of_shear_agree() {
    let run = |steps: u32| {
        let (mut world, mut pipeline) =
            lattice(&STICKING, DVec3::splat(0.99 * DIAMETER), &[DVec3::splat(0.1)], [4; 3], DIAMETER);
        world.time_step = 1e-15;
        let shear = outer(DVec3::X, DVec3::Z) * 4e-3 + outer(DVec3::Z, DVec3::Y) * 2e-3;
        world.deformation.as_mut().unwrap().begin_stage(Some(rates(shear * (1.0 / (f64::from(steps) * 1e-15)))));
        for _ in 0..steps {
            pipeline.step(&mut world).unwrap();
        }
        stress(&world)
    };
    let (one, many) = (run(1), run(64));
    let error = largest(one - many) / largest(many);
    assert!(error < 1e-5, "{error:e}");
}

/// Compressed along [001] at constant lateral stress the contacts within the layers open, and those between them slide at a stress ratio of
/// 2 (1 + μ)/(1 − μ) (C. Thornton, Géotechnique 29 (1979) 441), less what the strain up to there changes of the angles.
#[test]
fn peak_stress_ratio_of_the_fcc_lattice_is_that_of_rigid_spheres() {
    for (friction, overlap) in [(0.2, 3.5e-5), (0.4, 3.5e-5), (0.4, 3.5e-4)] {
        let law = [
            ("normal_stiffness", NORMAL),
            ("stiffness_ratio", TANGENTIAL / NORMAL),
            ("friction", friction),
            ("damping_ratio", 0.1),
        ];
        let edge = 2.0f64.sqrt() * DIAMETER * (1.0 - overlap);
        let (mut world, mut pipeline) = lattice(&law, DVec3::splat(edge), &FCC, [2, 2, 2], DIAMETER);
        let pressure = stress(&world).z_axis.z;
        world.time_step = 0.1 * (world.particles.mass[0] / NORMAL).sqrt();
        let mut component = [[Component::Unasked; 3]; 3];
        component[0][0] = Component::Stress(pressure);
        component[1][1] = Component::Stress(pressure);
        let rate = -20.0 * overlap / (30_000.0 * world.time_step);
        component[2][2] = Component::Rate(rate);
        let deformation = world.deformation.as_mut().unwrap();
        deformation.response = 5.0;
        deformation.begin_stage(Some(Control::new(component, Constraint::None, None).unwrap()));
        let (mut peak, mut lateral) = (0.0f64, 0.0f64);
        for _ in 0..30_000 {
            pipeline.step(&mut world).unwrap();
            let now = stress(&world);
            if now.z_axis.z / now.x_axis.x > peak {
                peak = now.z_axis.z / now.x_axis.x;
                lateral = (now.x_axis.x / pressure - 1.0).abs();
            }
        }
        let expected = 2.0 * (1.0 + friction) / (1.0 - friction);
        let inertia = measure::inertial_number(&world, DMat3::from_diagonal(DVec3::Z * rate), pressure);
        println!(
            "friction {friction}, k_n/(p d) = {:.0}, I = {inertia:.0e}: peak {peak:.4}, expected {expected:.4}, lateral stress held within {lateral:.0e}",
            NORMAL / (pressure.abs() * DIAMETER)
        );
        assert!(
            (peak / expected - 1.0).abs() < if overlap < 1e-4 { 4e-3 } else { 2e-2 },
            "{peak}, expected {expected}"
        );
    }
}
