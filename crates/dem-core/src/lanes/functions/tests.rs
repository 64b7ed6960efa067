use std::fs;
use std::path::Path;

use super::*;
use crate::lanes::{LaneTask, Lanes, Real, Width};

mod properties;

/// Values of a function, for arguments one or two.
struct Values<'a> {
    function: &'a str,
    arguments: &'a [[f64; 2]],
}

#[inline(always)]
fn value<R: Real>(function: &str, x: R, y: R) -> R {
    match function {
        "exp" => exp(x),
        "exp_m1" => exp_m1(x),
        "ln" => ln(x),
        "ln_1p" => ln_1p(x),
        "pow" => pow(x, y),
        "cbrt" => cbrt(x),
        "sin" => sin(x),
        "cos" => cos(x),
        "asin" => asin(x),
        "acos" => acos(x),
        "atan" => atan(x),
        "atan2" => atan2(x, y),
        _ => panic!("no function {function}"),
    }
}

impl LaneTask for Values<'_> {
    type Output = Vec<f64>;

    #[inline(always)]
    fn run<R: Lanes>(self) -> Vec<f64> {
        let mut values = Vec::new();
        for some in self.arguments.chunks(R::LANES) {
            // lanes behind the last argument repeat it
            let of = |lane: usize| some[lane.min(some.len() - 1)];
            let found = value::<R>(self.function, R::from_lanes(|lane| of(lane)[0]), R::from_lanes(|lane| of(lane)[1]));
            values.extend((0..some.len()).map(|lane| found.lane(lane)));
        }
        values
    }
}

fn values_in(width: Width, function: &str, arguments: &[[f64; 2]]) -> Vec<f64> {
    width.run(Values { function, arguments })
}

fn values(function: &str, arguments: &[[f64; 2]]) -> Vec<f64> {
    values_in(Width::fastest(), function, arguments)
}

fn one_value(function: &str, x: f64, y: f64) -> f64 {
    values(function, &[[x, y]])[0]
}

/// Functions and their largest errors in units of the last place.
const FUNCTIONS: [(&str, f64); 12] = [
    ("exp", 0.6),
    ("exp_m1", 0.75),
    ("ln", 0.7),
    ("ln_1p", 0.75),
    ("pow", 0.65),
    ("cbrt", 0.501),
    ("sin", 0.8),
    ("cos", 0.8),
    ("asin", 0.65),
    ("acos", 0.65),
    ("atan", 0.65),
    ("atan2", 0.65),
];

fn takes_two(function: &str) -> bool {
    matches!(function, "pow" | "atan2")
}

/// Arguments of a table and values as pairs.
fn table(function: &str) -> Vec<([f64; 2], [f64; 2])> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/functions");
    let text = fs::read_to_string(folder.join(function).with_extension("csv")).unwrap();
    let number = |digits: &str| f64::from_bits(u64::from_str_radix(digits, 16).unwrap());
    let row = |line: &str| {
        let numbers: Vec<f64> = line.split(',').map(number).collect();
        match numbers[..] {
            [x, high, low] => ([x, 0.0], [high, low]),
            [x, y, high, low] => ([x, y], [high, low]),
            _ => panic!("{line}"),
        }
    };
    text.lines().skip(1).map(row).collect()
}

/// Distance of numbers from the next ones of larger magnitude within a factor of two.
fn last_place(number: f64) -> f64 {
    let magnitude = number.abs().max(f64::MIN_POSITIVE);
    f64::from_bits(magnitude.to_bits() + 1) - magnitude
}

#[test]
fn errors_are_those_stated() {
    let mut failed = Vec::new();
    for (function, bound) in FUNCTIONS {
        let table = table(function);
        let arguments: Vec<[f64; 2]> = table.iter().map(|row| row.0).collect();
        let mut largest = (0.0, [0.0; 2]);
        for ((arguments, [high, low]), found) in table.iter().zip(values(function, &arguments)) {
            if high.abs() < SMALLEST_WITH_A_SECOND {
                // rounded to the last place themselves
                assert!((found - high).abs() <= last_place(*high), "{function} of {arguments:?}: {found:e}");
                continue;
            }
            let error = ((found - high) - low).abs() / last_place(*high);
            if error.is_nan() || error > largest.0 {
                largest = (error, *arguments);
            }
        }
        println!("{function}: {:.3} at {:?}", largest.0, largest.1);
        if largest.0.is_nan() || largest.0 > bound {
            failed.push(function);
        }
    }
    assert!(failed.is_empty(), "{failed:?}");
}

/// What rounding leaves of smaller numbers is no normal number.
const SMALLEST_WITH_A_SECOND: f64 = f64::MIN_POSITIVE / (f64::EPSILON * f64::EPSILON);

const SPECIAL: [f64; 24] = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.5,
    -0.5,
    2.0,
    -2.0,
    3.0,
    1e-320,
    -1e-320,
    f64::MIN_POSITIVE,
    f64::MAX,
    f64::MIN,
    f64::INFINITY,
    f64::NEG_INFINITY,
    f64::NAN,
    1e-17,
    -1e-17,
    1e13,
    709.9,
    -745.5,
    std::f64::consts::SQRT_2,
    std::f64::consts::FRAC_PI_4,
];

fn special_arguments(function: &str) -> Vec<[f64; 2]> {
    let second = if takes_two(function) { &SPECIAL[..] } else { &[0.0] };
    SPECIAL.iter().flat_map(|&x| second.iter().map(move |&y| [x, y])).collect()
}

#[test]
fn every_width_gives_the_bits_of_the_scalar() {
    for (function, ..) in FUNCTIONS {
        // special arguments among others
        let special = special_arguments(function);
        let mut arguments: Vec<[f64; 2]> = table(function).iter().map(|row| row.0).collect();
        let every = arguments.len() / special.len() + 1;
        for (k, special) in special.into_iter().enumerate() {
            arguments.insert((k * (every + 1)).min(arguments.len()), special);
        }
        let reference = values_in(Width::SCALAR, function, &arguments);
        for width in Width::available() {
            let found = values_in(width, function, &arguments);
            let alone = width.run_alone(Values { function, arguments: &arguments });
            for (k, &expected) in reference.iter().enumerate() {
                for found in [found[k], alone[k]] {
                    let same = found.to_bits() == expected.to_bits() || found.is_nan() && expected.is_nan();
                    assert!(same, "{function} of {:?}, {}: {found:e}, alone {expected:e}", arguments[k], width.name());
                }
            }
        }
    }
}

#[test]
fn special_values_are_those_stated() {
    const INFINITY: f64 = f64::INFINITY;
    const NAN: f64 = f64::NAN;
    let half_pi = std::f64::consts::FRAC_PI_2;
    let cases: [(&str, &[(f64, f64)]); 11] = [
        (
            "exp",
            &[
                (0.0, 1.0),
                (-0.0, 1.0),
                (INFINITY, INFINITY),
                (-INFINITY, 0.0),
                (NAN, NAN),
                (709.8, INFINITY),
                (-745.2, 0.0),
                (1e300, INFINITY),
            ],
        ),
        (
            "exp_m1",
            &[
                (0.0, 0.0),
                (-0.0, -0.0),
                (INFINITY, INFINITY),
                (-INFINITY, -1.0),
                (-1e3, -1.0),
                (NAN, NAN),
                (709.8, INFINITY),
                (5e-324, 5e-324),
                (-1e-20, -1e-20),
            ],
        ),
        (
            "ln",
            &[
                (1.0, 0.0),
                (0.0, -INFINITY),
                (-0.0, -INFINITY),
                (INFINITY, INFINITY),
                (-1.0, NAN),
                (-INFINITY, NAN),
                (-5e-324, NAN),
                (NAN, NAN),
            ],
        ),
        (
            "ln_1p",
            &[
                (0.0, 0.0),
                (-0.0, -0.0),
                (-1.0, -INFINITY),
                (INFINITY, INFINITY),
                (-1.1, NAN),
                (-INFINITY, NAN),
                (NAN, NAN),
                (5e-324, 5e-324),
                (1e-20, 1e-20),
            ],
        ),
        (
            "cbrt",
            &[
                (0.0, 0.0),
                (-0.0, -0.0),
                (8.0, 2.0),
                (-8.0, -2.0),
                (1.0, 1.0),
                (1e-300, 1e-100),
                (-27e30, -3e10),
                (INFINITY, INFINITY),
                (-INFINITY, -INFINITY),
                (NAN, NAN),
            ],
        ),
        (
            "sin",
            &[(0.0, 0.0), (-0.0, -0.0), (5e-324, 5e-324), (INFINITY, NAN), (-INFINITY, NAN), (NAN, NAN), (1.2e12, NAN)],
        ),
        (
            "cos",
            &[(0.0, 1.0), (-0.0, 1.0), (1e-200, 1.0), (INFINITY, NAN), (-INFINITY, NAN), (NAN, NAN), (1.2e12, NAN)],
        ),
        (
            "asin",
            &[
                (0.0, 0.0),
                (-0.0, -0.0),
                (1.0, half_pi),
                (-1.0, -half_pi),
                (1.1, NAN),
                (-INFINITY, NAN),
                (NAN, NAN),
                (5e-324, 5e-324),
            ],
        ),
        (
            "acos",
            &[
                (0.0, half_pi),
                (-0.0, half_pi),
                (1.0, 0.0),
                (-1.0, std::f64::consts::PI),
                (1.1, NAN),
                (-INFINITY, NAN),
                (NAN, NAN),
            ],
        ),
        (
            "atan",
            &[
                (0.0, 0.0),
                (-0.0, -0.0),
                (1.0, 0.5 * half_pi),
                (INFINITY, half_pi),
                (-INFINITY, -half_pi),
                (f64::MAX, half_pi),
                (NAN, NAN),
            ],
        ),
        ("pow", &[]),
    ];
    let same = |a: f64, b: f64| a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan();
    for (function, cases) in cases {
        for &(x, expected) in cases {
            let found = one_value(function, x, 0.0);
            assert!(same(found, expected), "{function} {x:e}: {found:e}, expected {expected:e}");
        }
    }
    // all that IEEE 754 says of bases that are not negative, which is what libm gives
    for x in SPECIAL.into_iter().filter(|&x| x >= 0.0 || x.is_nan()).map(f64::abs) {
        for y in SPECIAL {
            let (found, expected) = (one_value("pow", x, y), libm::pow(x, y));
            let distance = found.to_bits().abs_diff(expected.to_bits());
            assert!(
                distance <= 1 || found.is_nan() && expected.is_nan(),
                "{x:e} to the {y:e}: {found:e}, {expected:e}"
            );
        }
    }
    for (x, y, expected) in
        [(-2.0, 2.0, NAN), (-2.0, 0.0, 1.0), (-0.0, -1.0, INFINITY), (-0.0, 3.0, 0.0), (-INFINITY, 1.0, NAN)]
    {
        let found = one_value("pow", x, y);
        assert!(same(found, expected), "{x} to the {y}: {found}");
    }
    for y in SPECIAL {
        for x in SPECIAL {
            // zeros have no sign
            let (found, expected) = (one_value("atan2", y, x), libm::atan2(y + 0.0, x + 0.0));
            let distance = found.to_bits().abs_diff(expected.to_bits());
            assert!(distance <= 1 || found.is_nan() && expected.is_nan(), "({x:e}, {y:e}): {found:e}, {expected:e}");
        }
    }
}
