//! Convergence with the time step, of every contact law, resistance and integrator.
//!
//! A motion is computed with the automatic step and again with a half, a quarter, an eighth and a sixteenth of it; what is compared are
//! velocities, stresses and works at the same instants. No reference is needed that could share an error, and none is replaced: a law that
//! converges to something else than its equations is found by other tests ([`crate::conformance`], closed forms), a law that does not converge at all is
//! found here.
//!
//! # What order can be demanded
//!
//! The difference between a step h and the exact solution falls as `h^p` with the smallest exponent of what happens on the way:
//!
//! | event | p | because |
//! |---|---|---|
//! | smooth motion | that of the integrator | |
//! | touch without a dashpot | 2 and more | the force has a kink: what is missed of the first step is `k δ h` with `δ ~ v h` |
//! | touch with a dashpot | 1 (linear), 5/4 (Hertz) | the force jumps to `c v` or grows as `δ^(1/4)`: up to a step of it is missed |
//! | change between sticking and sliding, loss of contact | 2 | a kink again |
//! | slider that turns, return mapping with a dashpot | 1 | the direction at the end of the step is taken for the whole step (`kuhn` without a dashpot: 2) |
//! | stiffness that follows the area of contact | 1 | that at the end of the step is taken; 2 with `stiffness_point = 0.5` |
//! | reversal under a power x^p of the slip (`balevicius`) | 2p | the slip that is missed of a reversal at rest is of the order h² |
//! | `constant-torque` at rest | 2 | the spring that holds is as stiff as the step allows |
//!
//! So the order of the integrator can be asked of springs alone, two at most, and one of everything that dissipates. Events come at places
//! within a step that have nothing to do with it; a single one scatters by its own size, hence the mean over many impacts and over the contacts of
//! a bed. A force that changes its size by a finite amount from one step to the next however short they are, as `sliding_direction = "velocity"`
//! does, has no order.
//!
//! [`trials`] lists what is put to the test, and [`expectations`] what is stated of it.

pub mod bed;
pub mod case;
pub mod convergence;
pub mod expectations;
pub mod impacts;
pub mod stated;
pub mod subject;
pub mod trials;
