//! Errors of a running simulation.

use dem_core::figure::{Figure, Shortest, beside_limit};
use dem_io::units::LARGEST;

use crate::environment::memory::{BYTES_PER_PAIR, in_words};
use crate::overlap_cause::OverlapCause;

/// Why a step could not be taken. The state before the step is intact unless stated.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum StepError {
    /// A position, force or velocity has become NaN or infinite; the state is the one after the step that produced it.
    #[error("step {step}: particle {particle} has a non-finite force or velocity, or is farther away than 1e100 m")]
    NonFinite {
        /// Step.
        step: u64,
        /// Id.
        particle: u64,
    },
    /// A particle's centre crossed a face of the domain whose policy is `error`.
    #[error("step {step}: particle {particle} left the domain through {face} at {position:?} m")]
    Escaped {
        /// Step.
        step: u64,
        /// Id.
        particle: u64,
        /// Face, e.g. `z_min`.
        face: &'static str,
        /// Centre.
        position: [f64; 3],
    },
    /// A rotation that is carried as a Rodrigues vector came to half a turn, which has none, and `time.half_turn` is "stop".
    #[error(
        "step {step}: the rotation of particle {particle} came to half a turn, which has no Rodrigues vector; time.half_turn = \"pass\" goes on"
    )]
    HalfTurn {
        /// Step.
        step: u64,
        /// Id; of a body that of its first sphere.
        particle: u64,
    },
    /// An overlap exceeds the limit.
    #[error(
        "step {step}: overlap of {first} and {second} is {} of the radius, limit {} (limits.overlap): {cause}",
        beside_limit(*ratio, *limit, 4),
        Shortest(*limit)
    )]
    Overlap {
        /// Step.
        step: u64,
        /// First particle.
        first: String,
        /// Second particle or wall.
        second: String,
        /// Number of the wall, if it is one.
        wall: Option<usize>,
        /// Overlap in proportion to the smaller radius.
        ratio: f64,
        /// Largest admissible ratio.
        limit: f64,
        /// What it probably comes from.
        cause: Box<OverlapCause>,
    },
    /// A sphere moves by more than its radius per step against what it may meet; the state is the one after the step in which it did.
    #[error(
        "step {step}: particle {particle} moves by {} of the radius per step against {partner}, at {} m/s with a step of {time_step:.4e} s, limit 1: it may pass through without a contact; the time step is too long for this speed",
        Figure::new(*ratio, 3),
        Figure::new(*speed, 4)
    )]
    TooFast {
        /// Step.
        step: u64,
        /// Id of the sphere.
        particle: u64,
        /// The particle or wall that it may meet.
        partner: String,
        /// Displacement in the step in proportion to the smaller radius.
        ratio: f64,
        /// Relative speed \[m/s\].
        speed: f64,
        /// Length of the step \[s\].
        time_step: f64,
    },
    /// More energy was created than the limit admits; the state is the one after the step that was checked.
    #[error(
        "step {step}: the energy balance has grown by {created:.3e} J, limit {limit} of the {total:.3e} J that the particles hold or have dissipated; the fastest is particle {particle} with {speed:.3e} m/s: the time step is too large, or a contact law creates energy"
    )]
    CreatedEnergy {
        /// Step.
        step: u64,
        /// Growth of the energy balance since the start \[J\].
        created: f64,
        /// Energy held and dissipated \[J\].
        total: f64,
        /// Largest admissible fraction \[-\].
        limit: f64,
        /// Id of the particle with the highest speed.
        particle: u64,
        /// Its speed \[m/s\].
        speed: f64,
    },
    /// An implicit integrator could not solve a step; the state is the one after the part of the step that it could.
    #[error(
        "step {step}: the iteration does not converge even with the time step cut to {time_step:.3e} s: error {error:.3e}, tolerance {tolerance:e}; the time step is too large, or the contact too stiff or damped"
    )]
    NotConverged {
        /// Step.
        step: u64,
        /// Length of the shortest part that was tried \[s\].
        time_step: f64,
        /// Error of the last iteration \[-\].
        error: f64,
        /// Largest admissible error \[-\].
        tolerance: f64,
    },
    /// A stress cannot be reached; the state before the step is intact.
    #[error(
        "step {step}: the stress {component} is {stress:.4e} Pa after a strain of {strain:.3} in this stage, its target is {target:.4e} Pa (tension positive): the assembly cannot carry it"
    )]
    StressOutOfReach {
        /// Step.
        step: u64,
        /// Component.
        component: &'static str,
        /// Present stress \[Pa\].
        stress: f64,
        /// Target \[Pa\].
        target: f64,
        /// True strain in the stage \[-\].
        strain: f64,
    },
    /// A wall cannot press with the force that is prescribed for it; the state before the step is intact.
    #[error(
        "step {step}: the servo of wall \"{wall}\" exerts {force:.4e} N, target {target:.4e} N, after a travel of {travel:.4e} m, limit {limit:.4e} m: the particles cannot carry the force, or nothing supports them on the other side"
    )]
    ForceOutOfReach {
        /// Step.
        step: u64,
        /// Name of the wall.
        wall: String,
        /// Present force \[N\].
        force: f64,
        /// Target \[N\].
        target: f64,
        /// Displacement of the wall since the force is prescribed \[m\].
        travel: f64,
        /// Largest displacement \[m\].
        limit: f64,
    },
    /// A wall holds a pressure and the area that it acts on is not enclosed any more; the state before the step is intact.
    #[error(
        "step {step}: wall \"{wall}\" holds a pressure, but the walls that bound its area have been removed: give servo.area"
    )]
    NoArea {
        /// Step.
        step: u64,
        /// Name of the wall.
        wall: String,
    },
    /// The cell would deform too much in one step; the state before it is intact.
    #[error(
        "step {step}: the cell would change a length by more than {limit} of it in one step: the strain rate is too large"
    )]
    StrainOfStep {
        /// Step.
        step: u64,
        /// Largest admissible change \[-\].
        limit: f64,
    },
    /// The state has numbers beyond all use, and could not be read again if it were saved; it is the one after the step.
    #[error(
        "step {step}: the state cannot be saved: {what}; numbers beyond {LARGEST:e} and counts out of range are not stored"
    )]
    OutOfRange {
        /// Step.
        step: u64,
        /// What is wrong with what.
        what: String,
    },
    /// More pairs are near each other than there is memory for; the state before the step is intact.
    #[error(
        "more than {most} pairs of {particles} particles are within {margin:.3e} m of each other, and need {} of memory: particles overlap, or the range of the forces is too long",
        in_words(*most as f64 * BYTES_PER_PAIR as f64)
    )]
    TooManyPairs {
        /// How many there may be.
        most: usize,
        /// Particles.
        particles: usize,
        /// Gap between surfaces up to which pairs are listed \[m\].
        margin: f64,
    },
    /// Another part of the assembly cannot continue.
    #[error("{0}")]
    Elsewhere(
        /// What it says.
        String,
    ),
    /// The periodic cell is too narrow for the particles.
    #[error(
        "the periodic cell is {} m wide along {axis}, expected more than {} m, twice the largest interaction distance",
        Shortest(*width),
        Shortest(*needed)
    )]
    NarrowCell {
        /// Width of the cell.
        width: f64,
        /// Direction.
        axis: char,
        /// Smallest admissible width.
        needed: f64,
    },
}

/// Names of the faces of the domain.
pub const FACES: [[&str; 2]; 3] = [["x_min", "x_max"], ["y_min", "y_max"], ["z_min", "z_max"]];
