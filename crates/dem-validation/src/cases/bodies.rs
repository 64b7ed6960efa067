//! Rigid bodies of spheres: mass properties, free rotation, impacts, and the energy of a gas.

use std::sync::Arc;

use dem_core::bodies::MemberSphere;
use dem_core::bodies::free_rotation::free_rotation;
use dem_core::bodies::mass_properties;
use dem_core::cell::Cell;
use dem_core::{DQuat, DVec3};
use dem_reference::free_top::FreeTop;
use dem_reference::sphere_unions::{OctahedralCluster, two_spheres};
use dem_report::statistics::slope;
use dem_sim::world::World;
use dem_studies::error::StudyError;
use dem_testkit::bodies::{body, dimer};
use dem_testkit::gas::Gas;
use dem_testkit::worlds::{self, Scatter};
use rayon::prelude::*;

use crate::case::{Case, Effort, Findings};
use crate::check::{Claim, Tier};

/// The case.
pub const CASE: Case = Case {
    name: "bodies",
    summary: "Rigid bodies of spheres: mass properties of overlapping spheres, free rotation, impacts of a dimer on a wall, energy of a gas of dimers.",
    claims: &[UNIONS, TOP, IMPACT, CLOSED],
    run,
};

const UNIONS: Claim = Claim {
    source: "closed forms with caps of spheres",
    tier: Tier::ClosedForm,
    weakness: "no point lies in three spheres",
};

const TOP: Claim = Claim {
    source: "Euler's equations in Jacobi's elliptic functions",
    tier: Tier::ClosedForm,
    weakness: "one body without forces",
};

const IMPACT: Claim = Claim {
    source: "impulse (1 + e) m_n v_n with 1/m_n = 1/M + (ρ × n)·I⁻¹(ρ × n)",
    tier: Tier::ClosedForm,
    weakness: "one member hits, without friction",
};

const CLOSED: Claim = Claim {
    source: "kinetic, elastic and dissipated energy together stay what they were",
    tier: Tier::ClosedForm,
    weakness: "does not tell which term is wrong",
};

/// Moments of the free top.
const MOMENTS: DVec3 = DVec3::new(1.0, 2.0, 3.0);
/// Radius of the spheres of the dimer \[m\], their distance, and the speed at which it is thrown \[m/s\]: overlaps stay below a ten-thousandth of the radius.
const RADIUS: f64 = 1e-3;
const DISTANCE: f64 = 1.5e-3;
const SPEED: f64 = 0.02;

fn run(effort: Effort) -> Result<Findings, StudyError> {
    let mut findings = Findings::default();
    check_unions(&mut findings)?;
    check_free_rotation(&mut findings)?;
    check_impacts(&mut findings)?;
    let gas = Gas { count: effort.pick(216, 1000), ..Gas::default() };
    let errors: Vec<f64> =
        [50.0, 100.0, 200.0].par_iter().map(|&steps| error_of_gas(&gas, steps)).collect::<Result<_, _>>()?;
    findings.checks.extend([
        CLOSED.close(
            "gas of dimers, T_c/100: largest error of the balance over what is dissipated",
            0.0,
            errors[1],
            1e-3,
        ),
        CLOSED.close("gas of dimers, T_c/200: largest error over that at T_c/50", 0.0, errors[2] / errors[0], 0.5),
    ]);
    Ok(findings)
}

fn check_unions(findings: &mut Findings) -> Result<(), StudyError> {
    let on_axis = |position: f64, radius: f64| MemberSphere { position: DVec3::new(0.0, 0.0, position), radius };
    for (radii, distance) in [([1.0, 1.0], 1.0), ([1.0, 0.6], 1.2)] {
        let union = mass_properties::of_union(&[on_axis(0.0, radii[0]), on_axis(distance, radii[1])]);
        let exact = two_spheres(radii, distance)?;
        let name = format!("spheres of radii {} and {}, {distance} apart", radii[0], radii[1]);
        findings.checks.extend([
            UNIONS.relative(format!("{name}: volume"), exact.volume, union.volume, 1e-11),
            UNIONS.relative(format!("{name}: moment across the axis"), exact.transverse, union.inertia.x_axis.x, 1e-11),
        ]);
    }
    let cluster = OctahedralCluster { central_radius: 1.0, outer_radius: 0.6, distance: 0.7 };
    let [volume, inertia] = cluster.volume_and_inertia()?;
    let mut spheres = vec![MemberSphere { position: DVec3::ZERO, radius: 1.0 }];
    for axis in DVec3::AXES {
        spheres.extend([0.7, -0.7].map(|at| MemberSphere { position: axis * at, radius: 0.6 }));
    }
    let union = mass_properties::of_union(&spheres);
    findings.checks.extend([
        UNIONS.relative("octahedral cluster: volume", volume, union.volume, 1e-11),
        UNIONS.relative("octahedral cluster: moment of inertia", inertia, union.inertia.z_axis.z, 1e-11),
    ]);
    Ok(())
}

/// Orientation after a time in so many steps, from the identity.
fn turned(spin: DVec3, time: f64, steps: usize) -> DQuat {
    let impulse = spin * MOMENTS * (time / steps as f64);
    DQuat::from_array((0..steps).fold([0.0, 0.0, 0.0, 1.0], |q, _| free_rotation(q, impulse, MOMENTS)))
}

/// Time between two changes of the sign of the spin about the middle axis, mean of several.
fn time_between_flips(spin: DVec3, time_step: f64) -> f64 {
    let momentum = spin * MOMENTS;
    let about_middle = |q: [f64; 4]| (DQuat::from_array(q).conjugate() * momentum).y;
    let (mut q, mut before, mut flips) = ([0.0, 0.0, 0.0, 1.0], about_middle([0.0, 0.0, 0.0, 1.0]), Vec::new());
    let mut step = 0u32;
    while flips.len() < 5 {
        q = free_rotation(q, momentum * time_step, MOMENTS);
        step += 1;
        let now = about_middle(q);
        if now * before < 0.0 {
            flips.push(time_step * (f64::from(step) - now / (now - before)));
        }
        before = now;
    }
    (flips[4] - flips[0]) / 4.0
}

fn check_free_rotation(findings: &mut Findings) -> Result<(), StudyError> {
    let spin = DVec3::new(0.3, 0.2, 1.0);
    let exact = FreeTop::new(MOMENTS.to_array(), spin.to_array())?.attitude(20.0);
    // a frame in which the body is at the start of the reference
    let exact = DQuat::from_array(exact);
    let errors = [200, 400, 800].map(|steps| {
        let angle = 2.0 * (turned(spin, 20.0, steps) * exact.conjugate()).xyz().length();
        [20.0 / steps as f64, angle]
    });
    findings.checks.extend([
        TOP.close("free top, |ω| dt = 0.1: error of the orientation at t = 20 [rad]", 0.0, errors[0][1], 7e-4),
        TOP.between("free top: order of that error in the step", 1.95, 2.05, slope(&errors)),
    ]);
    let spin = DVec3::new(0.0, 1.0, 1e-2);
    let exact = FreeTop::new(MOMENTS.to_array(), spin.to_array())?.time_between_flips();
    let [coarse, fine] = [0.1, 0.05].map(|time_step| time_between_flips(spin, time_step) / exact - 1.0);
    findings.checks.extend([
        TOP.close("flips of the middle axis, |ω| dt = 0.1: relative error of the time between two", 0.0, coarse, 2e-4),
        TOP.between("flips of the middle axis: that error over the one at half the step", 3.7, 4.3, coarse / fine),
    ]);
    Ok(())
}

/// A world in which a frictionless dimer has rebounded from a floor that it met with its axis at an angle from the vertical.
fn thrown(angle: f64, restitution: f64) -> Result<World, StudyError> {
    let mut world = worlds::world("linear", &worlds::common_parameters("linear", 0.0, restitution), Cell::unbounded());
    worlds::add_floor(&mut world);
    world.particles.bodies.templates = Arc::new(vec![dimer(RADIUS, DISTANCE)]);
    // the axis of the template is x
    let orientation = DQuat::from_rotation_y(-std::f64::consts::FRAC_PI_2 + angle);
    let mut new = body(DVec3::Z * (RADIUS + 0.5 * DISTANCE * angle.cos()), orientation);
    new.velocity = DVec3::new(0.0, 0.0, -SPEED);
    world.insert_body(new);
    let mass = 1.0 / world.particles.inverse_mass_at(0, DVec3::NEG_Z);
    world.time_step = world.kernels[0].contact_duration(0, 0, RADIUS, mass, SPEED) / 500.0;
    let mut pipeline = worlds::pipeline();
    pipeline.initialise(&mut world)?;
    pipeline.step(&mut world)?;
    while world.contact_count().walls > 0 {
        pipeline.step(&mut world)?;
    }
    Ok(world)
}

fn check_impacts(findings: &mut Findings) -> Result<(), StudyError> {
    let shape = two_spheres([RADIUS; 2], DISTANCE)?;
    let (mass, inertia) = (worlds::DENSITY * shape.volume, worlds::DENSITY * shape.transverse);
    for degrees in [0.0f64, 30.0, 60.0] {
        let arm = 0.5 * DISTANCE * degrees.to_radians().sin();
        let contact_mass = 1.0 / (1.0 / mass + arm * arm / inertia);
        let (mut speeds, mut spins) = (0.0f64, 0.0f64);
        for tenths in 1..=9 {
            let restitution = f64::from(tenths) / 10.0;
            let impulse = (1.0 + restitution) * contact_mass * SPEED;
            let world = thrown(degrees.to_radians(), restitution)?;
            let body = &world.particles.bodies.all[0];
            speeds = speeds.max(((impulse / mass - SPEED) - body.velocity.z).abs() / SPEED);
            let spin = impulse * arm / inertia;
            spins = spins.max((spin - body.angular_velocity().y.abs()).abs() * arm / SPEED);
        }
        let name = format!("dimer on a wall at {degrees} degrees, e = 0.1 to 0.9, 500 steps an impact");
        findings.checks.extend([
            IMPACT.close(format!("{name}: largest error of the speed"), 0.0, speeds, 1e-3),
            IMPACT.close(format!("{name}: largest error of the spin times the arm"), 0.0, spins, 1e-3),
        ]);
    }
    Ok(())
}

/// Largest error of the energy balance of a gas of dimers within three mean free times of spheres, over what was dissipated by then.
fn error_of_gas(gas: &Gas, steps: f64) -> Result<f64, StudyError> {
    let spheres = gas.world("linear", &Gas::parameters("linear", 0.4, 0.8));
    let mut world = World::new(spheres.cell, spheres.materials, spheres.laws, spheres.kernels, spheres.time_step);
    // as long as the spheres are wide
    world.particles.bodies.templates = Arc::new(vec![dimer(0.625 * gas.radius, 0.75 * gas.radius)]);
    let mut scatter = Scatter(17);
    for slot in 0..spheres.particles.len() {
        let mut new = body(spheres.particles.position[slot], DQuat::from_scaled_axis(scatter.next_vector() * 3.0));
        new.velocity = spheres.particles.velocity[slot];
        new.angular_velocity = scatter.next_vector() * (1.0 / gas.radius);
        world.insert_body(new);
    }
    let mass = 0.25 * world.particles.bodies.all.first().map_or(0.0, |body| body.mass);
    world.time_step = world.kernels[0].contact_duration(0, 0, 0.3 * gas.radius, mass, 1.4) / steps;
    let mut pipeline = worlds::pipeline();
    pipeline.limits.overlap_ratio = 1.0;
    pipeline.initialise(&mut world)?;
    let start = world.energy().balance();
    let mut worst = 0.0f64;
    // the same instants for every time step
    let every = (steps / 10.0) as u64;
    while world.time < 3.0 * gas.mean_free_time() {
        pipeline.step(&mut world)?;
        if world.step.is_multiple_of(every) {
            worst = worst.max((world.energy().balance() - start).abs());
        }
    }
    Ok(worst / world.energy().dissipated_at_contacts())
}
