//! The rolling spheres of E. M. B. Campello, Comput. Part. Mech. 2 (2015) 109-125, examples 5.1 and 5.2, at the paper's time step of 0.1 ms.

use dem_core::DVec3;
use dem_report::parallel_runs::side_by_side;
use dem_sim::integrators::Scheme;
use dem_sim::simulation::Simulation;
use dem_workloads::scenes::{Example, SPINNING_SPHERE, THREE_ROLLING_SPHERES};

use crate::error::StudyError;

const RADIUS: f64 = 0.2;
/// Speed of the three spheres \[m/s\].
const SPEED: f64 = 1.93;
/// When everything has happened \[s\], and from when on means are taken.
const SPINNING: [f64; 2] = [3.2, 2.7];
const ROLLING: [f64; 2] = [1.6, 0.8];

/// What is compared in the example of one sphere: name, unit, value of a rigid sphere with Coulomb friction.
///
/// It slides with `a = μ g` and `r ω′ = 5/2 μ g` until the lowest point is at rest: `t = (v₀ − ω₀ r)/(3.5 μ g)`, here with the sign of
/// a sphere that spins backwards.
pub const SPINNING_EXPECTED: [(&str, &str, f64); 3] =
    [("rolls at", "s", 2.68542), ("speed", "m/s", 8.94100), ("spin", "rad/s", -44.7050)];

/// What is compared in the example of three spheres, after an event-by-event solution with the ground friction during the collision. The
/// final speed is that of an impulse without duration, 3/7 of the first; ground friction adds up to `5/7 μ g T_c`, 2.0 % of it.
pub const ROLLING_EXPECTED: [(&str, &str, f64); 5] = [
    ("collision", "s", 4.69e-3),
    ("spin zero at", "s", 0.618),
    ("rolls at", "s", 0.6865),
    ("returns at", "s", 1.379),
    ("final speed / first", "-", 3.0 / 7.0),
];

/// What a scheme finds, in the order of the expectations; not a number where it does not happen.
#[derive(Clone, Debug)]
pub struct Rolling {
    /// Scheme.
    pub scheme: Scheme,
    /// One sphere: instant of rolling \[s\], mean speed \[m/s\] and spin \[rad/s\] afterwards.
    pub spinning: [f64; 3],
    /// Largest departure from the speed of rolling \[m/s\]: the tangential spring is not damped and rings.
    pub ringing: f64,
    /// Three spheres.
    pub three: [f64; 5],
}

/// Runs both examples under every scheme.
///
/// # Errors
/// A scene that cannot be built, a step that fails.
pub fn rolling(schemes: &[Scheme]) -> Result<Vec<Rolling>, StudyError> {
    side_by_side(schemes, |scheme| {
        let (spinning, ringing) = spinning(scheme)?;
        Ok(Rolling { scheme: scheme.clone(), spinning, ringing, three: three(scheme)? })
    })
}

fn example(example: &Example, scheme: &Scheme) -> Result<Simulation, StudyError> {
    Ok(example.simulation(&[format!("time.integrator={}", scheme.toml())])?)
}

/// Velocity of the lowest point of a sphere on the floor \[m/s\]: zero when it rolls.
fn slip(simulation: &Simulation, slot: usize, up: DVec3) -> DVec3 {
    let p = &simulation.world.particles;
    p.velocity[slot] + p.angular_velocity[slot].cross(-RADIUS * up)
}

fn spinning(scheme: &Scheme) -> Result<([f64; 3], f64), StudyError> {
    let mut simulation = example(&SPINNING_SPHERE, scheme)?;
    let (mut before, mut rolls) = (0.0, f64::NAN);
    let (mut count, mut speed, mut spin, mut ringing) = (0.0, 0.0, 0.0, 0.0f64);
    while simulation.world.time < SPINNING[0] {
        simulation.advance()?;
        let time = simulation.world.time;
        let now = slip(&simulation, 0, DVec3::Y).x;
        if rolls.is_nan() && now >= 0.0 {
            rolls = time - simulation.world.time_step * now / (now - before);
        }
        before = now;
        if time > SPINNING[1] {
            let p = &simulation.world.particles;
            count += 1.0;
            speed += p.velocity[0].x;
            spin += p.angular_velocity[0].z;
            ringing = ringing.max((p.velocity[0].x - SPINNING_EXPECTED[1].2).abs());
        }
    }
    Ok(([rolls, speed / count, spin / count], ringing))
}

fn three(scheme: &Scheme) -> Result<[f64; 5], StudyError> {
    let mut simulation = example(&THREE_ROLLING_SPHERES, scheme)?;
    // the sphere that comes from +x; slots may change
    let slot_of_first = |s: &Simulation| s.world.particles.id.iter().position(|&id| id == 0).unwrap_or(0);
    let place = simulation.world.particles.position[slot_of_first(&simulation)].x;
    let [mut touches, mut parts] = [f64::NAN; 2];
    let mut crossings = [f64::NAN; 3];
    let (mut count, mut speed) = (0.0, 0.0);
    let mut was = [0.0f64; 3];
    while simulation.world.time < ROLLING[0] {
        simulation.advance()?;
        let (time, slot) = (simulation.world.time, slot_of_first(&simulation));
        let p = &simulation.world.particles;
        let state = [p.angular_velocity[slot].y, slip(&simulation, slot, DVec3::Z).x, p.position[slot].x - place];
        if simulation.world.contact_count().pairs > 0 {
            touches = if touches.is_nan() { time } else { touches };
        } else if !touches.is_nan() && parts.is_nan() {
            parts = time;
        }
        for k in 0..3 {
            let crosses = was[k] != 0.0 && was[k].signum() != state[k].signum();
            if !parts.is_nan() && crossings[k].is_nan() && crosses {
                crossings[k] = time - simulation.world.time_step * state[k] / (state[k] - was[k]);
            }
        }
        if time > ROLLING[1] {
            count += 1.0;
            speed += p.velocity[slot].length();
        }
        was = state;
    }
    let [reversal, rolls, returns] = crossings;
    Ok([parts - touches, reversal, rolls, returns, speed / count / SPEED])
}
