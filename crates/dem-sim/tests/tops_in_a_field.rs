//! A rigid body in a field that turns it, against its equations of motion by the classical Runge-Kutta method.
#![expect(clippy::unwrap_used, reason = "helpers of tests")]

use dem_core::cell::Cell;
use dem_core::particles::frozen;
use dem_core::{DQuat, DVec3};
use dem_testkit::bodies::{body, set_templates};
use dem_testkit::schemes::scheme;
use dem_testkit::worlds;

use crate::free_tops::{MOMENTS, SPIN, top};

/// Stiffness of the contact \[N/m\], its overlap with the third axis across \[m\], and the distance of the sphere from the centre \[m\]: the force `k (d − a u)`
/// of a floor on a sphere at `a e₃`, with u the height of `e₃`, has the potential `−κ u` with `κ = k d a`, 1 J, but for `k (a u)²/2`, 2·10⁻⁶ J.
const STIFFNESS: f64 = 1e6;
const OVERLAP: f64 = 0.5;
const ARM: f64 = 2e-6;
const TIME: f64 = 10.0;

/// Orientation in the engine after so many steps from a start: the centre is held, and the sphere of the body never leaves the floor.
fn orientation(name: &str, start: DQuat, steps: u32) -> DQuat {
    let given = worlds::parameters(&[("normal_stiffness", STIFFNESS), ("restitution", 1.0), ("friction", 0.0)], &[]);
    let mut world = worlds::world("linear", &given, Cell::unbounded());
    worlds::add_floor(&mut world);
    set_templates(&mut world, vec![top(ARM)]);
    let mut new = body(DVec3::Z * (1.0 - OVERLAP), start);
    (new.density, new.angular_velocity, new.frozen) = (1.0, start * SPIN, frozen::ALL_TRANSLATIONS);
    world.insert_body(new);
    world.time_step = TIME / f64::from(steps);
    let mut pipeline = worlds::pipeline_of(&scheme(name));
    pipeline.limits.overlap_ratio = 1.0;
    pipeline.initialise(&mut world).unwrap();
    (0..steps).for_each(|_| pipeline.step(&mut world).unwrap());
    assert_eq!(world.contact_count().walls, 1);
    world.particles.bodies.all[0].orientation()
}

/// Euler's equations in the frame of the body with the attitude, `q' = q (ω, 0)/2`.
fn reference(start: DQuat, steps: u32) -> DQuat {
    let rate = |q: DQuat, w: DVec3| {
        let up = q.conjugate() * DVec3::Z;
        let torque = DVec3::Z.cross(up) * (ARM * STIFFNESS * (OVERLAP - ARM * up.z));
        (q * DQuat::from_xyzw(w.x, w.y, w.z, 0.0) * 0.5, ((MOMENTS * w).cross(w) + torque) / MOMENTS)
    };
    let (mut q, mut w, dt) = (start, SPIN, TIME / f64::from(steps));
    for _ in 0..steps {
        let (a, wa) = rate(q, w);
        let (b, wb) = rate(q + a * (0.5 * dt), w + wa * (0.5 * dt));
        let (c, wc) = rate(q + b * (0.5 * dt), w + wb * (0.5 * dt));
        let (d, wd) = rate(q + c * dt, w + wc * dt);
        q += (a + (b + c) * 2.0 + d) * (dt / 6.0);
        w += (wa + (wb + wc) * 2.0 + wd) * (dt / 6.0);
    }
    q.normalize()
}

#[test]
fn a_top_in_a_field_is_followed_to_the_order_of_the_integrator() {
    let tilted = DQuat::from_rotation_x(1.0);
    // the numbers are those of the splitting with half kicks in another program; without a torque at the start semi-implicit Euler is velocity Verlet
    for (name, start, order, known) in [
        ("velocity-verlet", DQuat::IDENTITY, 2, Some(1.18e-4)),
        ("velocity-verlet", tilted, 2, Some(3.14e-4)),
        ("newmark", DQuat::IDENTITY, 2, None),
        ("newmark", tilted, 2, None),
        ("semi-implicit-euler", DQuat::IDENTITY, 2, Some(1.18e-4)),
        ("semi-implicit-euler", tilted, 1, None),
    ] {
        let exact = reference(start, 20_000);
        let error = |steps| 2.0 * (orientation(name, start, steps) * exact.conjugate()).xyz().length();
        let errors = [200, 400, 800].map(error);
        println!("{name}: {errors:?} rad");
        assert!(known.is_none_or(|known| (errors[0] / known - 1.0).abs() < 0.01), "{name}: {errors:?}");
        let ratio = f64::from(1 << order);
        for pair in errors.windows(2) {
            assert!((pair[0] / pair[1] - ratio).abs() < 0.06 * ratio, "{name}: {errors:?}");
        }
    }
}
