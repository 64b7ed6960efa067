//! The functions of one number, for code that is not in lanes itself.
//!
//! They have the bits of lanes. Without fused multiply-add the same bits would take five times as long, so each looks
//! whether the machine has it.

use crate::lanes::{LaneTask, Lanes, Width};

macro_rules! alone {
    ($($(#[$meta:meta])* $name:ident($($argument:ident),+);)*) => {$(
        $(#[$meta])*
        pub fn $name($($argument: f64),+) -> f64 {
            struct Task($(alone!(@number $argument)),+);
            impl LaneTask for Task {
                type Output = f64;
                #[inline(always)]
                fn run<R: Lanes>(self) -> f64 {
                    let Self($($argument),+) = self;
                    super::$name($(R::constant($argument)),+).lane(0)
                }
            }
            Width::fastest().run_alone(Task($($argument),+))
        }
    )*};
    (@number $argument:ident) => { f64 };
}

alone! {
    /// [`super::exp`]
    exp(x);
    /// [`super::ln_1p`]
    ln_1p(x);
    /// [`super::pow`]
    pow(base, exponent);
    /// [`super::sin`]
    sin(x);
    /// [`super::cos`]
    cos(x);
    /// [`super::atan`]
    atan(x);
    /// [`super::acos`]
    acos(x);
}

#[cfg(test)]
mod tests {
    #[test]
    fn one_number_has_the_bits_of_lanes() {
        for k in 1..200 {
            let x = 0.037 * f64::from(k);
            assert_eq!(super::exp(-x).to_bits(), crate::lanes::functions::exp::<f64>(-x).to_bits());
            assert_eq!(super::ln_1p(x).to_bits(), crate::lanes::functions::ln_1p::<f64>(x).to_bits());
            assert_eq!(super::pow(x, 1.7).to_bits(), crate::lanes::functions::pow::<f64>(x, 1.7).to_bits());
            assert_eq!(super::sin(x).to_bits(), crate::lanes::functions::sin::<f64>(x).to_bits());
            assert_eq!(super::cos(x).to_bits(), crate::lanes::functions::cos::<f64>(x).to_bits());
            assert_eq!(super::atan(x).to_bits(), crate::lanes::functions::atan::<f64>(x).to_bits());
            let cosine = 1.0 - 0.01 * f64::from(k);
            assert_eq!(super::acos(cosine).to_bits(), crate::lanes::functions::acos::<f64>(cosine).to_bits());
        }
    }
}
