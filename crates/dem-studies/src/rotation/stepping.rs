//! A column of particles turned step by step, in the form of the engine's prediction: spin to increment, increment to state.

use std::marker::PhantomData;

use dem_core::lanes::{LaneTask, Lanes, Vector, Width};
use dem_core::rotation::{IncrementMap, Parameterization};
use dem_core::{DQuat, DVec3};

/// Turns a column of states by one step. The increments are written down as well: contact laws need them.
struct Turning<'a, P, const N: usize> {
    time_step: f64,
    map: IncrementMap,
    spins: &'a [DVec3],
    increments: &'a mut [DVec3],
    states: &'a mut [[f64; N]],
    parameterization: PhantomData<P>,
}

impl<P: Parameterization<N>, const N: usize> Turning<'_, P, N> {
    #[inline(always)]
    fn advance<R: Lanes>(&mut self, at: usize) {
        let turn = increment::<R>(self.map, self.spins, self.time_step, self.increments, at);
        let state = R::columns(|lane| &self.states[at + lane]);
        R::rows(&P::compose(state, turn), |lane, row| self.states[at + lane] = row);
    }
}

/// Computes the increments of some particles and stores them.
#[inline(always)]
fn increment<R: Lanes>(
    map: IncrementMap,
    spins: &[DVec3],
    time_step: f64,
    increments: &mut [DVec3],
    at: usize,
) -> Vector<R> {
    let [x, y, z] = R::columns(|lane| spins[at + lane].as_ref());
    let turn = map.increment(Vector::new(x, y, z) * R::splat(time_step));
    R::rows(&[turn.x, turn.y, turn.z], |lane, row| increments[at + lane] = DVec3::from_array(row));
    turn
}

impl<P: Parameterization<N>, const N: usize> LaneTask for Turning<'_, P, N> {
    type Output = ();

    #[inline(always)]
    fn run<R: Lanes>(mut self) {
        let whole = self.spins.len() / R::LANES * R::LANES;
        for at in (0..whole).step_by(R::LANES) {
            self.advance::<R>(at);
        }
        for at in whole..self.spins.len() {
            self.advance::<f64>(at);
        }
    }
}

/// Computes increments without a state: what every parameterization needs besides its own work.
struct Increments<'a> {
    time_step: f64,
    map: IncrementMap,
    spins: &'a [DVec3],
    increments: &'a mut [DVec3],
}

impl LaneTask for Increments<'_> {
    type Output = ();

    #[inline(always)]
    fn run<R: Lanes>(self) {
        let whole = self.spins.len() / R::LANES * R::LANES;
        for at in (0..whole).step_by(R::LANES) {
            increment::<R>(self.map, self.spins, self.time_step, self.increments, at);
        }
        for at in whole..self.spins.len() {
            increment::<f64>(self.map, self.spins, self.time_step, self.increments, at);
        }
    }
}

/// Particles that spin, without their states.
pub struct Spinning {
    /// Length of a step \[s\].
    pub time_step: f64,
    /// How increments follow from spins.
    pub map: IncrementMap,
    /// Spins \[rad/s\].
    pub spins: Vec<DVec3>,
    /// Increments of the last step.
    pub increments: Vec<DVec3>,
}

impl Spinning {
    /// Particles with given spins.
    pub fn new(spins: Vec<DVec3>, map: IncrementMap, time_step: f64) -> Self {
        Self { time_step, map, increments: vec![DVec3::ZERO; spins.len()], spins }
    }

    /// Computes the increments of a step.
    pub fn increment(&mut self, width: Width) {
        let Self { time_step, map, spins, increments } = self;
        width.run(Increments { time_step: *time_step, map: *map, spins, increments });
    }
}

/// States of a column of particles, whatever they are made of.
pub trait States: Send {
    /// Turns them by one step.
    fn turn(&mut self, spinning: &mut Spinning, width: Width);

    /// Orientation of a particle.
    fn orientation(&self, particle: usize) -> DQuat;

    /// Largest departure from the constraints \[-\].
    fn defect(&self) -> f64;
}

struct Column<P, const N: usize> {
    numbers: Vec<[f64; N]>,
    parameterization: PhantomData<P>,
}

impl<P: Parameterization<N> + Send, const N: usize> States for Column<P, N> {
    fn turn(&mut self, spinning: &mut Spinning, width: Width) {
        let Spinning { time_step, map, spins, increments } = spinning;
        width.run(Turning {
            time_step: *time_step,
            map: *map,
            spins,
            increments,
            states: &mut self.numbers,
            parameterization: self.parameterization,
        });
    }

    fn orientation(&self, particle: usize) -> DQuat {
        P::quaternion(self.numbers[particle])
    }

    fn defect(&self) -> f64 {
        self.numbers.iter().map(|&numbers| P::defect(numbers)).fold(0.0, f64::max)
    }
}

/// States of given orientations.
pub fn states<P: Parameterization<N> + Send + 'static, const N: usize>(orientations: &[DQuat]) -> Box<dyn States> {
    let numbers = orientations.iter().map(|&orientation| P::from_quaternion(orientation)).collect();
    Box::new(Column::<P, N> { numbers, parameterization: PhantomData })
}
