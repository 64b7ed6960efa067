//! Energy of undamped motion over many steps.

use std::f64::consts::TAU;

use dem_core::DVec3;
use dem_core::particles::sphere_volume;
use dem_report::parallel_runs::side_by_side;
use dem_sim::integrators::Scheme;
use dem_workloads::scenes::{DENSITY, sphere, with_spheres};

use crate::error::StudyError;

/// Places at which the energy is looked at, in a long oscillation and in a gas.
const WINDOWS: u64 = 100;
/// Steps per period of the oscillation: the automatic time step is no coarser.
const STEPS_PER_PERIOD: u64 = 40;
/// Spheres along an edge of the gas.
const EDGE: usize = 4;
/// Steps of the oscillation for one of the gas.
const GAS_SHARE: u64 = 10;
/// Steps per impact of the gas at the largest speed.
const STEPS_PER_IMPACT: f64 = 25.0;

const YOUNG_MODULUS: f64 = 1e8;
const POISSON_RATIO: f64 = 0.25;
const GRAVITY: f64 = 9.81;

/// Energy of a motion, in proportion to what it has at the start.
#[derive(Clone, Debug)]
pub struct EnergyCourse {
    /// Scheme.
    pub scheme: Scheme,
    /// Steps and the relative change of the energy: of the mean over a period for the oscillation, as it is for the gas.
    pub changes: Vec<[f64; 2]>,
    /// Half the range of the relative energy within the first period; not a number for the gas.
    pub ripple: f64,
}

impl EnergyCourse {
    /// Relative change up to the end: the mean of the last tenth of the samples against the first sample.
    pub fn drift(&self) -> f64 {
        let last = &self.changes[self.changes.len() - (self.changes.len() / 10).max(1)..];
        last.iter().map(|change| change[1]).sum::<f64>() / last.len() as f64 - self.changes[0][1]
    }
}

fn scene(scheme: &Scheme, step: f64, rest: &str) -> String {
    format!(
        r#"
[time]
step = {step:e}
end = 1e9
integrator = {integrator}
[materials.grain]
density = {DENSITY}
young_modulus = {YOUNG_MODULUS}
poisson_ratio = {POISSON_RATIO}
[contact]
law = "hertz-mindlin"
friction = 0
restitution = 1
{rest}
"#,
        integrator = scheme.toml()
    )
}

/// A sphere that oscillates on a Hertz contact with the floor by half of its static overlap.
///
/// # Errors
/// A scheme that cannot be built, a step that fails.
pub fn oscillation(schemes: &[Scheme], steps: u64) -> Result<Vec<EnergyCourse>, StudyError> {
    let radius = 0.01;
    let mass = DENSITY * sphere_volume(radius);
    let coefficient = 4.0 / 3.0 * effective_modulus() * f64::sqrt(radius);
    let rest = libm::cbrt(mass * GRAVITY / coefficient).powi(2);
    let omega = (1.5 * coefficient * rest.sqrt() / mass).sqrt();
    // the energy from the motion itself, independent of the ledger of the engine
    let energy = |overlap: f64, speed: f64| {
        let elastic = |overlap: f64| 0.4 * coefficient * overlap * overlap * overlap.sqrt() - mass * GRAVITY * overlap;
        0.5 * mass * speed * speed + elastic(overlap.max(0.0)) - elastic(rest)
    };
    side_by_side(schemes, |scheme| {
        let floor = format!(
            "[fields]\ngravity = [0, 0, {}]\n[[walls]]\nname = \"floor\"\nmaterial = \"grain\"\nshape = {{ type = \"plane\", normal = [0, 0, 1] }}",
            -GRAVITY
        );
        let step = TAU / omega / STEPS_PER_PERIOD as f64;
        let mut simulation =
            with_spheres(&scene(scheme, step, &floor), [sphere(DVec3::Z * (radius - 0.5 * rest), radius)])?;
        let start = energy(0.5 * rest, 0.0);
        let every = (steps / WINDOWS).max(STEPS_PER_PERIOD);
        let (mut changes, mut ripple) = (Vec::new(), f64::NAN);
        let mut window = Vec::new();
        for done in 1..=steps {
            simulation.pipeline.step(&mut simulation.world)?;
            if (done - 1) % every < STEPS_PER_PERIOD {
                let p = &simulation.world.particles;
                window.push(energy(radius - p.position[0].z, p.velocity[0].z) / start - 1.0);
            }
            if (done - 1) % every == STEPS_PER_PERIOD - 1 {
                changes.push([done as f64, window.iter().sum::<f64>() / window.len() as f64]);
                if ripple.is_nan() {
                    let (low, high) = window.iter().fold((f64::MAX, f64::MIN), |(l, h), &x| (l.min(x), h.max(x)));
                    ripple = 0.5 * (high - low);
                }
                window.clear();
            }
        }
        Ok(EnergyCourse { scheme: scheme.clone(), changes, ripple })
    })
}

/// Elastic spheres that collide in a periodic box.
///
/// # Errors
/// As [`oscillation`].
pub fn gas(schemes: &[Scheme], steps: u64) -> Result<Vec<EnergyCourse>, StudyError> {
    let (radius, spacing) = (0.004, 0.01);
    let count = EDGE * EDGE * EDGE;
    let mass = DENSITY * sphere_volume(radius);
    let (speed, reduced) = (2.0, 0.5 * mass);
    // Hertz: 2.868 (m*²/(r* E*² v))^(1/5)
    let duration =
        2.868 * libm::pow(reduced * reduced / (0.5 * radius * effective_modulus() * effective_modulus() * speed), 0.2);
    let side = EDGE as f64 * spacing;
    let cell = format!(
        "[domain]\nmin = [0, 0, 0]\nmax = [{side}, {side}, {side}]\nx = \"periodic\"\ny = \"periodic\"\nz = \"periodic\""
    );
    let steps = (steps / GAS_SHARE).max(1);
    side_by_side(schemes, |scheme| {
        let spheres = (0..count).map(|k| {
            let site = [k % EDGE, k / EDGE % EDGE, k / EDGE / EDGE].map(|x| x as f64 + 0.5);
            let mut ball = sphere(DVec3::from_array(site) * spacing, radius);
            // scattered by angles that are no fractions of a turn
            let k = k as f64;
            ball.velocity = DVec3::new(libm::sin(12.9898 * k), libm::sin(78.233 * k + 1.0), libm::cos(37.719 * k));
            ball
        });
        let mut simulation = with_spheres(&scene(scheme, duration / STEPS_PER_IMPACT, &cell), spheres)?;
        let start = simulation.world.energy().balance();
        let kinetic = simulation.world.energy().kinetic();
        let every = (steps / WINDOWS).max(1);
        let mut changes = vec![[0.0, 0.0]];
        for done in 1..=steps {
            simulation.pipeline.step(&mut simulation.world)?;
            if done % every == 0 {
                changes.push([done as f64, (simulation.world.energy().balance() - start) / kinetic]);
            }
        }
        Ok(EnergyCourse { scheme: scheme.clone(), changes, ripple: f64::NAN })
    })
}

fn effective_modulus() -> f64 {
    YOUNG_MODULUS / (2.0 * (1.0 - POISSON_RATIO * POISSON_RATIO))
}
