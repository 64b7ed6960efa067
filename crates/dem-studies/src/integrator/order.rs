//! Order of convergence: errors of motions that are known otherwise, at time steps that halve.

use std::f64::consts::{PI, TAU};

use dem_core::particles::sphere_volume;
use dem_core::{DVec3, particles::NewParticle};
use dem_reference::runge_kutta;
use dem_report::parallel_runs::side_by_side;
use dem_report::statistics::slope;
use dem_sim::integrators::Scheme;
use dem_workloads::scenes::{DENSITY, sphere, with_spheres};

use crate::error::StudyError;

const RADIUS: f64 = 0.01;
const GRAVITY: f64 = 9.81;
/// Of the linear springs \[N/m\].
const STIFFNESS: f64 = 1e4;
/// Of the damped motion, as a share of critical.
const DAMPING: f64 = 0.1;
/// Of the Hertz contact.
const YOUNG_MODULUS: f64 = 1e7;
const POISSON_RATIO: f64 = 0.25;
/// Of the sphere that slides.
const FRICTION: f64 = 0.3;
const STIFFNESS_RATIO: f64 = 0.8;
/// How long it is followed \[s\]: it sticks after about half of that.
const SLIDING_TIME: f64 = 0.02;
/// Starting speeds of the sphere that slides: where within a step it sticks is random, hence the mean over many.
const STARTS: u32 = 16;
/// Errors below are near those of rounding.
const ROUNDING: f64 = 1e-9;
/// Errors above say nothing about the order.
const COARSE: f64 = 0.1;
/// Points that an order is fitted to.
const FITTED: usize = 4;

/// A motion whose course is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Motion {
    /// A sphere oscillates on a linear spring: `x = e^{-ζωt}(a cos + b sin)` with ζ = 0.
    Spring,
    /// A sphere oscillates on a Hertz contact, `m x″ = k_H δ^{3/2} − m g`; against a Runge-Kutta solution.
    Hertz,
    /// As the first, damped by a dashpot in the contact.
    Dashpot,
    /// A sphere slides on a floor until it sticks, and then rings on its tangential spring: three closed forms.
    StickSlip,
}

impl Motion {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Spring, Self::Hertz, Self::Dashpot, Self::StickSlip];

    /// Name in tables.
    pub fn key(self) -> &'static str {
        match self {
            Self::Spring => "linear spring",
            Self::Hertz => "Hertz contact",
            Self::Dashpot => "spring and dashpot",
            Self::StickSlip => "stick and slip",
        }
    }

    /// Steps of the whole motion, ascending.
    pub fn steps(self) -> Vec<u32> {
        let (coarsest, count) = if self == Self::StickSlip { (100, 7) } else { (20, 8) };
        (0..count).map(|k| coarsest << k).collect()
    }
}

fn mass() -> f64 {
    DENSITY * sphere_volume(RADIUS)
}

/// A sphere that oscillates on the floor about its static overlap, by half of it, so that the contact never opens.
#[derive(Clone, Copy, Debug)]
struct Oscillation {
    law: &'static str,
    damping: f64,
    /// Static overlap \[m\].
    rest: f64,
    /// Angular frequency of small undamped oscillations \[rad/s\].
    omega: f64,
}

impl Oscillation {
    fn linear(damping: f64) -> Self {
        Self { law: "linear", damping, rest: mass() * GRAVITY / STIFFNESS, omega: (STIFFNESS / mass()).sqrt() }
    }

    fn hertz() -> Self {
        let rest = libm::cbrt(mass() * GRAVITY / hertz_coefficient()).powi(2);
        let omega = (1.5 * hertz_coefficient() * rest.sqrt() / mass()).sqrt();
        Self { law: "hertz-mindlin", damping: 0.0, rest, omega }
    }

    /// Place above that of rest \[m\] and velocity \[m/s\] at the start.
    fn start(&self) -> [f64; 2] {
        [0.4 * self.rest, 0.3 * self.rest * self.omega]
    }

    /// One and a quarter periods of small undamped oscillations \[s\].
    fn time(&self) -> f64 {
        1.25 * TAU / self.omega
    }

    /// Place and velocity at the end.
    fn end(&self) -> [f64; 2] {
        let ([x0, v0], t) = (self.start(), self.time());
        if self.law != "linear" {
            let steps = 20_000;
            let rate = |&[x, v]: &[f64; 2]| {
                let overlap = self.rest - x;
                [v, hertz_coefficient() * overlap * overlap.sqrt() / mass() - GRAVITY]
            };
            return (0..steps).fold([x0, v0], |state, _| runge_kutta::advance(rate, &state, t / f64::from(steps)));
        }
        let decay = self.damping * self.omega;
        let fast = self.omega * (1.0 - self.damping * self.damping).sqrt();
        let (a, b) = (x0, (v0 + decay * x0) / fast);
        let (s, c) = libm::sincos(fast * t);
        let (e, x) = (libm::exp(-decay * t), a * c + b * s);
        [e * x, e * (fast * (b * c - a * s) - decay * x)]
    }

    /// Error of place and speed in proportion to the static overlap.
    fn error(&self, scheme: &Scheme, steps: u32) -> Result<f64, StudyError> {
        let contact = match self.law {
            "linear" => format!("normal_stiffness = {STIFFNESS}\ndamping_ratio = {}", self.damping),
            _ => "restitution = 1".to_owned(),
        };
        let [x0, v0] = self.start();
        let mut ball = sphere(DVec3::Z * (RADIUS - self.rest + x0), RADIUS);
        ball.velocity.z = v0;
        let world = run_on_floor(scheme, self.law, &format!("friction = 0\n{contact}"), ball, self.time(), steps)?;
        let [x, v] = self.end();
        let (place, speed) = (world.position[0].z - RADIUS + self.rest, world.velocity[0].z);
        Ok(((place - x).abs() + (speed - v).abs() / self.omega) / self.rest)
    }
}

/// `N = k_H δ^{3/2}` of a sphere on a floor of the same material \[N/m^{3/2}\].
fn hertz_coefficient() -> f64 {
    let modulus = YOUNG_MODULUS / (2.0 * (1.0 - POISSON_RATIO * POISSON_RATIO));
    4.0 / 3.0 * modulus * RADIUS.sqrt()
}

/// Follows a sphere on the floor z = 0.
fn run_on_floor(
    scheme: &Scheme,
    law: &str,
    contact: &str,
    ball: NewParticle,
    time: f64,
    steps: u32,
) -> Result<dem_core::particles::Particles, StudyError> {
    let scene = format!(
        r#"
[time]
step = {step:e}
end = 1e3
integrator = {integrator}
[fields]
gravity = [0, 0, {gravity}]
[materials.grain]
density = {DENSITY}
young_modulus = {YOUNG_MODULUS}
poisson_ratio = {POISSON_RATIO}
[contact]
law = "{law}"
lever = "radius"
{contact}
[[walls]]
name = "floor"
material = "grain"
shape = {{ type = "plane", normal = [0, 0, 1] }}
"#,
        step = time / f64::from(steps),
        integrator = scheme.toml(),
        gravity = -GRAVITY,
    );
    let mut simulation = with_spheres(&scene, [ball])?;
    for _ in 0..steps {
        // not through the simulation, which would warn of coarse steps
        simulation.pipeline.step(&mut simulation.world)?;
    }
    Ok(simulation.world.particles)
}

/// A rigid sphere on a tangential spring with a slider. The velocity u of its lowest point obeys `u′ = −(7/2) T/m`, whatever part of it is
/// rotation: the spring is loaded to μ m g, slides until u = 0, and rings.
#[derive(Clone, Copy, Debug)]
struct Sliding {
    speed: f64,
}

impl Sliding {
    /// Frequency of the ringing \[rad/s\] and the elongation at which it slides \[m\].
    fn ringing() -> (f64, f64) {
        let stiffness = STIFFNESS_RATIO * STIFFNESS;
        ((3.5 * stiffness / mass()).sqrt(), FRICTION * mass() * GRAVITY / stiffness)
    }

    /// Velocity of the lowest point at the end \[m/s\].
    fn end(&self) -> f64 {
        let (omega, limit) = Self::ringing();
        let largest = omega * limit;
        let loading = libm::asin(largest / self.speed) / omega;
        let sliding = (self.speed * self.speed - largest * largest).sqrt() / (3.5 * FRICTION * GRAVITY);
        -largest * libm::sin(omega * (SLIDING_TIME - loading - sliding))
    }

    /// Error of the spin in proportion to that of the ringing.
    fn error(&self, scheme: &Scheme, steps: u32) -> Result<f64, StudyError> {
        let contact = format!(
            "friction = {FRICTION}\nnormal_stiffness = {STIFFNESS}\nstiffness_ratio = {STIFFNESS_RATIO}\ndamping_ratio = 0"
        );
        let mut ball = sphere(DVec3::Z * (RADIUS - mass() * GRAVITY / STIFFNESS), RADIUS);
        ball.velocity.x = self.speed;
        let found = run_on_floor(scheme, "linear", &contact, ball, SLIDING_TIME, steps)?;
        let (omega, limit) = Self::ringing();
        let expected = 5.0 / 7.0 * (self.speed - self.end());
        Ok((RADIUS * found.angular_velocity[0].y - expected).abs() / (5.0 / 7.0 * omega * limit))
    }
}

/// Errors of one scheme in one motion.
#[derive(Clone, Debug)]
pub struct Convergence {
    /// Scheme.
    pub scheme: Scheme,
    /// Motion.
    pub motion: Motion,
    /// Time step in proportion to the period of the fastest oscillation, and error in proportion to its amplitude.
    pub errors: Vec<[f64; 2]>,
}

impl Convergence {
    /// Slope of the error between the coarse steps and rounding; not a number if there are not two points.
    pub fn order(&self) -> f64 {
        let usable: Vec<[f64; 2]> =
            self.errors.iter().copied().filter(|p| (ROUNDING..COARSE).contains(&p[1])).collect();
        // across stick and slip the scatter is large: all points
        let first = if self.motion == Motion::StickSlip { 0 } else { usable.len().saturating_sub(FITTED) };
        slope(&usable[first..])
    }
}

/// Errors of all schemes in all motions.
///
/// # Errors
/// A scheme that cannot be built, a step that fails.
pub fn convergence(schemes: &[Scheme]) -> Result<Vec<Convergence>, StudyError> {
    let cases: Vec<(Motion, &Scheme)> =
        Motion::ALL.into_iter().flat_map(|motion| schemes.iter().map(move |scheme| (motion, scheme))).collect();
    side_by_side(&cases, |&(motion, scheme)| {
        let errors = motion.steps().into_iter().map(|steps| {
            let (time, omega, error) = match motion {
                Motion::StickSlip => {
                    let errors = (0..STARTS)
                        .map(|start| Sliding { speed: 0.1 + 0.001 * f64::from(start) }.error(scheme, steps))
                        .sum::<Result<f64, _>>()?;
                    (SLIDING_TIME, Sliding::ringing().0, errors / f64::from(STARTS))
                }
                Motion::Spring | Motion::Hertz | Motion::Dashpot => {
                    let oscillation = match motion {
                        Motion::Hertz => Oscillation::hertz(),
                        Motion::Dashpot => Oscillation::linear(DAMPING),
                        _ => Oscillation::linear(0.0),
                    };
                    (oscillation.time(), oscillation.omega, oscillation.error(scheme, steps)?)
                }
            };
            Ok([time / f64::from(steps) * omega / (2.0 * PI), error])
        });
        Ok(Convergence { scheme: scheme.clone(), motion, errors: errors.collect::<Result<_, StudyError>>()? })
    })
}
