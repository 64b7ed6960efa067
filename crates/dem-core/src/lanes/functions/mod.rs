//! Elementary functions in lanes, written once for any [`Real`](super::Real): exponentials, logarithms, powers, roots and angles.
//!
//! They consist of what lanes do and nothing else: `+ − × ÷ √`, products rounded with their sum, comparisons, selections, and powers of two
//! taken off and put on. So a value has the same bits in every width, on every machine, and wherever these operations are compiled for. There
//! are no tables and no branches: all cases are computed, and each lane takes its own.
//!
//! The largest error is below one unit in the last place. `data/functions` has values to 106 bits for some hundreds of arguments of each function,
//! among them those where errors are large, and a test holds every function to its bound there. The bits are not those of `libm`, from
//! which values differ by a unit in the last place.
//!
//! | function | largest error in units of the last place | limits |
//! |---|---|---|
//! | [`exp`] | 0.6 | |
//! | [`exp_m1`] | 0.75 | |
//! | [`ln`] | 0.7 | |
//! | [`ln_1p`] | 0.75 | |
//! | [`pow`] | 0.65 | NaN for negative bases |
//! | [`cbrt`] | 0.501 | |
//! | [`sin`], [`cos`], [`sin_cos`] | 0.8 | NaN for angles above 2⁴⁰ in magnitude |
//! | [`asin`], [`acos`], [`atan`] | 0.65 | |
//! | [`atan2`] | 0.65 | zeros have no sign |
//!
//! A value that is subnormal is rounded once more and remains within a unit of its last place. Special values are those of IEEE 754 unless a
//! function says otherwise: NaN gives NaN, what is not defined is NaN, what is too large is infinite.
//!
//! Each file names its model library: most follow fdlibm, which Sun Microsystems lets everyone use, copy and change as long as its
//! notice is kept. Only methods are taken. The code is not a translation, and the coefficients of the polynomials come from
//! `data/functions/coefficients.py`.

pub mod alone;
mod exponential;
mod inverse_trigonometric;
mod logarithm;
mod pairs;
mod polynomial;
mod power;
mod root;
mod trigonometric;

pub use exponential::{exp, exp_m1};
pub use inverse_trigonometric::{acos, asin, atan, atan2};
pub use logarithm::{ln, ln_1p};
pub use power::pow;
pub use root::cbrt;
pub use trigonometric::{cos, sin, sin_cos};

#[cfg(test)]
mod tests;
