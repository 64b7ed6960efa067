//! Collisions of two free spheres.
#![expect(clippy::expect_used, reason = "an unbounded cell is never too narrow")]

use dem_core::DVec3;
use dem_core::cell::Cell;
use dem_sim::world::World;

use crate::conformance::path::RADII;
use crate::conformance::{Property, ensure};
use crate::worlds;

/// Relative speed of all impacts, small enough for overlaps of a few per cent \[m/s\].
const SPEED: f64 = 1.0;

/// Two spheres about to collide: `aside` is the offset of the line of flight in proportion to the sum of radii.
fn colliding(law: &str, friction: f64, restitution: f64, aside: f64, spins: [DVec3; 2], steps: f64) -> World {
    let given = worlds::common_parameters(law, friction, restitution);
    let mut world = worlds::world(law, &given, Cell::unbounded());
    let reach = RADII[0] + RADII[1];
    let along = 1.0001 * (1.0 - aside * aside).sqrt();
    let directions = [0.4, -0.6].map(|share| DVec3::new(share * SPEED, 0.0, 0.0));
    for (k, position) in [DVec3::ZERO, DVec3::new(along, aside, 0.0) * reach].into_iter().enumerate() {
        let mut sphere = worlds::sphere(position, RADII[k]);
        sphere.velocity = directions[k];
        sphere.angular_velocity = spins[k];
        world.insert(sphere);
    }
    let mass = [world.particles.mass[0], world.particles.mass[1]];
    let effective = |[a, b]: [f64; 2]| a * b / (a + b);
    // of the normal part of the motion
    let speed = SPEED * along;
    world.time_step = world.kernels[0].contact_duration(0, 0, effective(RADII), effective(mass), speed) / steps;
    world
}

/// Runs until the spheres have met and parted; calls `watch` after every step.
fn collide(world: &mut World) -> Result<(), String> {
    let mut pipeline = worlds::pipeline();
    pipeline.limits.overlap_ratio = 1.0;
    pipeline.initialise(world).expect("the cell is wide enough");
    let mut touched = false;
    for _ in 0..200_000 {
        pipeline.step(world).expect("the cell is wide enough");
        let touches = world.contact_count().pairs > 0;
        if touched && !touches {
            return Ok(());
        }
        touched |= touches;
    }
    Err(format!("the spheres {}", if touched { "do not part" } else { "do not meet" }))
}

/// Momentum of both kinds.
pub const CONSERVED: Property = Property {
    name: "momentum",
    claim: "an oblique collision of spinning spheres with friction and damping keeps linear and angular momentum, to 1e-13 and 1e-12",
    check: conserved,
};

fn conserved(law: &str) -> Result<(), String> {
    let spins = [DVec3::new(30.0, -50.0, 20.0), DVec3::new(-10.0, 40.0, 60.0)];
    let mut world = colliding(law, 0.4, 0.7, 0.5, spins, 500.0);
    let (linear, angular) = world.momentum();
    let start = world.energy().kinetic();
    collide(&mut world)?;
    let (linear1, angular1) = world.momentum();
    let scale = world.particles.mass[0] * SPEED;
    let (a, b) = ((linear1 - linear).length() / scale, (angular1 - angular).length() / (scale * RADII[0]));
    ensure(a < 1e-13 && b < 1e-12, || format!("momentum off by {a:.1e}, angular momentum by {b:.1e}"))?;
    // a law without damping has friction alone, if it has any
    let most = if worlds::has_dashpots(&world) || worlds::declares(law, "restitution") { 0.95 } else { 1.0 };
    ensure(world.energy().kinetic() < most * start, || "the collision dissipates nothing".to_owned())
}

/// The restitution that was asked for.
pub const RESTITUTION: Property = Property {
    name: "restitution",
    claim: "where the law declares restitution, a head-on impact at T_c/500 has the one that was asked for, 0.1 to 1, to 1e-3",
    check: restitution,
};

fn restitution(law: &str) -> Result<(), String> {
    if !worlds::declares(law, "restitution") {
        return Ok(());
    }
    for tenths in 1..=10 {
        let asked = f64::from(tenths) / 10.0;
        let mut world = colliding(law, 0.4, asked, 0.0, [DVec3::ZERO; 2], 500.0);
        collide(&mut world)?;
        let found = (world.particles.velocity[1] - world.particles.velocity[0]).x / SPEED;
        ensure((found - asked).abs() < 1e-3, || format!("{found} for {asked}"))?;
    }
    Ok(())
}

/// Nothing lost, nothing made.
pub const ELASTIC: Property = Property {
    name: "elastic impact",
    claim: "an undamped frictionless oblique collision at T_c/1000 keeps the kinetic energy to 1e-6 and the spins to the last bit",
    check: elastic,
};

fn elastic(law: &str) -> Result<(), String> {
    let spins = [DVec3::new(30.0, -50.0, 20.0), DVec3::new(-10.0, 40.0, 60.0)];
    let mut world = colliding(law, 0.0, 1.0, 0.5, spins, 1000.0);
    let start = world.energy().kinetic();
    collide(&mut world)?;
    let change = world.energy().kinetic() / start - 1.0;
    ensure(change.abs() < 1e-6, || format!("kinetic energy changed by {change:.1e}"))?;
    ensure(world.particles.angular_velocity[..2] == spins, || "the spins changed".to_owned())
}
