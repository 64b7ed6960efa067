//! The standard normal distribution: density, probability of an interval, quantile.

use std::f64::consts::{FRAC_1_SQRT_2, PI};

/// Density φ(x).
pub(crate) fn density(x: f64) -> f64 {
    libm::exp(-0.5 * x * x) / (2.0 * PI).sqrt()
}

/// Probability Φ(x) of a value below `x`.
pub(crate) fn cumulative(x: f64) -> f64 {
    0.5 * libm::erfc(-x * FRAC_1_SQRT_2)
}

/// Probability of a value between `low` and `high`, from the tail in which it is exact.
pub(crate) fn between(low: f64, high: f64) -> f64 {
    if low > 0.0 { cumulative(-low) - cumulative(-high) } else { cumulative(high) - cumulative(low) }
}

/// The value between `low` and `high` below which a fraction `share` of the truncated distribution lies.
pub(crate) fn truncated_quantile(low: f64, high: f64, share: f64) -> f64 {
    let value = if low > 0.0 {
        // The upper tail as the mirrored lower tail, where probabilities keep their digits.
        let (least, most) = (cumulative(-high), cumulative(-low));
        -quantile(most - share * (most - least))
    } else {
        let (least, most) = (cumulative(low), cumulative(high));
        quantile(least + share * (most - least))
    };
    value.clamp(low, high)
}

/// The value below which a fraction `p` lies; infinite at 0 and 1.
///
/// Source: M. J. Wichura, Algorithm AS 241, Applied Statistics 37 (1988) 477, PPND16,
/// relative error about 1e-16.
pub(crate) fn quantile(p: f64) -> f64 {
    let q = p - 0.5;
    if q.abs() <= 0.425 {
        let r = 0.180625 - q * q;
        return q * ratio(&CENTRE_ABOVE, &CENTRE_BELOW, r);
    }
    let tail = if q < 0.0 { p } else { 1.0 - p };
    if tail <= 0.0 {
        return f64::INFINITY.copysign(q);
    }
    let r = (-libm::log(tail)).sqrt();
    let magnitude =
        if r <= 5.0 { ratio(&MIDDLE_ABOVE, &MIDDLE_BELOW, r - 1.6) } else { ratio(&TAIL_ABOVE, &TAIL_BELOW, r - 5.0) };
    magnitude.copysign(q)
}

/// Ratio of two polynomials, coefficients in rising order.
fn ratio(above: &[f64; 8], below: &[f64; 8], x: f64) -> f64 {
    let value = |coefficients: &[f64; 8]| coefficients.iter().rev().fold(0.0, |sum, c| sum * x + c);
    value(above) / value(below)
}

const CENTRE_ABOVE: [f64; 8] = [
    3.387_132_872_796_366_5,
    1.331_416_678_917_843_8e2,
    1.971_590_950_306_551_3e3,
    1.373_169_376_550_946e4,
    4.592_195_393_154_987e4,
    6.726_577_092_700_87e4,
    3.343_057_558_358_813e4,
    2.509_080_928_730_122_7e3,
];
const CENTRE_BELOW: [f64; 8] = [
    1.0,
    4.231_333_070_160_091e1,
    6.871_870_074_920_579e2,
    5.394_196_021_424_751e3,
    2.121_379_430_158_659_7e4,
    3.930_789_580_009_271e4,
    2.872_908_573_572_194_3e4,
    5.226_495_278_852_854e3,
];
const MIDDLE_ABOVE: [f64; 8] = [
    1.423_437_110_749_683_5,
    4.630_337_846_156_546,
    5.769_497_221_460_691,
    3.647_848_324_763_204_5,
    1.270_458_252_452_368_4,
    2.417_807_251_774_506e-1,
    2.272_384_498_926_918_4e-2,
    7.745_450_142_783_414e-4,
];
const MIDDLE_BELOW: [f64; 8] = [
    1.0,
    2.053_191_626_637_759,
    1.676_384_830_183_803_8,
    6.897_673_349_851e-1,
    1.481_039_764_274_800_8e-1,
    1.519_866_656_361_645_7e-2,
    5.475_938_084_995_345e-4,
    1.050_750_071_644_416_9e-9,
];
const TAIL_ABOVE: [f64; 8] = [
    6.657_904_643_501_103,
    5.463_784_911_164_114,
    1.784_826_539_917_291_3,
    2.965_605_718_285_048_7e-1,
    2.653_218_952_657_612_4e-2,
    1.242_660_947_388_078_4e-3,
    2.711_555_568_743_487_6e-5,
    2.010_334_399_292_288_1e-7,
];
const TAIL_BELOW: [f64; 8] = [
    1.0,
    5.998_322_065_558_88e-1,
    1.369_298_809_227_358e-1,
    1.487_536_129_085_061_5e-2,
    7.868_691_311_456_133e-4,
    1.846_318_317_510_054_8e-5,
    1.421_511_758_316_446e-7,
    2.044_263_103_389_939_8e-15,
];
