use super::*;

/// Numbers spread evenly over an interval, in no order.
fn between(low: f64, high: f64) -> impl Iterator<Item = f64> {
    // multiples of the golden ratio
    (0..100_000u32).map(move |k| low + (high - low) * (f64::from(k) * 0.618_033_988_749_894_9).fract())
}

/// Numbers of all sizes, of both signs.
fn sizes(low: f64, high: f64) -> impl Iterator<Item = f64> {
    let sign = |k: usize| if k.is_multiple_of(2) { 1.0 } else { -1.0 };
    between(libm::log(low), libm::log(high)).enumerate().map(move |(k, x)| sign(k) * libm::exp(x))
}

/// A function of one number.
type One = fn(f64) -> f64;

#[test]
fn values_are_within_two_places_of_those_of_libm() {
    let alone: [(&str, One, Vec<f64>); 13] = [
        ("exp", libm::exp, between(-708.0, 709.7).collect()),
        ("exp", libm::exp, between(-1.0, 1.0).collect()),
        ("exp_m1", libm::expm1, sizes(1e-20, 700.0).collect()),
        ("ln", libm::log, sizes(1e-320, 1e308).map(f64::abs).collect()),
        ("ln", libm::log, between(0.5, 2.0).collect()),
        ("ln_1p", libm::log1p, sizes(1e-20, 1e20).map(|x| if x <= -1.0 { 0.5 / x } else { x }).collect()),
        ("cbrt", libm::cbrt, sizes(1e-320, 1e308).collect()),
        ("sin", libm::sin, sizes(1e-10, 1e12).collect()),
        ("cos", libm::cos, sizes(1e-10, 1e12).collect()),
        ("asin", libm::asin, between(-1.0, 1.0).collect()),
        ("acos", libm::acos, between(-1.0, 1.0).collect()),
        ("atan", libm::atan, sizes(1e-10, 1e10).collect()),
        ("atan", libm::atan, between(-3.0, 3.0).collect()),
    ];
    for (function, other, arguments) in alone {
        let arguments: Vec<[f64; 2]> = arguments.into_iter().map(|x| [x, 0.0]).collect();
        compare(function, &arguments, |x, _| other(x));
    }
    let powers: Vec<[f64; 2]> = sizes(1e-100, 1e100).zip(between(-3.0, 3.0)).map(|(x, y)| [x.abs(), y]).collect();
    compare("pow", &powers, libm::pow);
    let near_one: Vec<[f64; 2]> =
        sizes(1e-15, 0.5).zip(between(-700.0, 700.0)).map(|(x, y)| [1.0 + x, y / libm::log(1.0 + x)]).collect();
    compare("pow", &near_one, libm::pow);
    let points: Vec<[f64; 2]> = sizes(1e-5, 1e5).zip(between(-3.0, 3.0)).map(|(y, x)| [y, x]).collect();
    compare("atan2", &points, libm::atan2);
}

fn compare(function: &str, arguments: &[[f64; 2]], other: impl Fn(f64, f64) -> f64) {
    let mut largest = 0.0f64;
    for (&[x, y], found) in arguments.iter().zip(values(function, arguments)) {
        let expected = other(x, y);
        let distance = (found - expected).abs() / last_place(expected);
        assert!(distance <= 2.0, "{function} of {x:e}, {y:e}: {found:e}, {expected:e}");
        largest = largest.max(distance);
    }
    println!("{function}: {largest}");
}

#[test]
fn odd_functions_are_odd_and_even_ones_even() {
    for function in ["cbrt", "sin", "cos", "asin", "atan"] {
        let arguments: Vec<[f64; 2]> = sizes(1e-12, 1.0).chain(sizes(1.0, 1e6)).map(|x| [x, 0.0]).collect();
        let opposite: Vec<[f64; 2]> = arguments.iter().map(|&[x, y]| [-x, y]).collect();
        for (at, (one, other)) in values(function, &arguments).into_iter().zip(values(function, &opposite)).enumerate()
        {
            let expected = if function == "cos" { one } else { -one };
            assert!(other == expected || one.is_nan() && other.is_nan(), "{function} of {:?}", arguments[at]);
        }
    }
}

#[test]
fn powers_that_products_and_roots_give_are_exact_to_rounding() {
    let bases: Vec<f64> = sizes(1e-100, 1e100).map(f64::abs).collect();
    let to_the = |y: f64| values("pow", &bases.iter().map(|&x| [x, y]).collect::<Vec<_>>());
    let (first, second, half, inverse) = (to_the(1.0), to_the(2.0), to_the(0.5), to_the(-1.0));
    for (k, &x) in bases.iter().enumerate() {
        assert_eq!(first[k].to_bits(), x.to_bits());
        assert!(second[k].to_bits().abs_diff((x * x).to_bits()) <= 1, "{x:e}²");
        assert!(half[k].to_bits().abs_diff(x.sqrt().to_bits()) <= 1, "√{x:e}");
        assert!(inverse[k].to_bits().abs_diff((1.0 / x).to_bits()) <= 1, "1/{x:e}");
    }
}

#[test]
fn cube_roots_of_cubes_are_exact() {
    let cubes: Vec<[f64; 2]> = (1..=200_000u64).map(|k| [(k * k * k) as f64, 0.0]).collect();
    for (k, root) in values("cbrt", &cubes).into_iter().enumerate() {
        assert_eq!(root, (k + 1) as f64);
    }
}

/// Both values of a function that has two.
struct SineAndCosine(f64);

impl LaneTask for SineAndCosine {
    type Output = [f64; 2];

    #[inline(always)]
    fn run<R: Lanes>(self) -> [f64; 2] {
        let (sine, cosine) = sin_cos(R::splat(self.0));
        [sine.lane(0), cosine.lane(0)]
    }
}

#[test]
fn sine_and_cosine_together_are_those_alone() {
    for x in sizes(1e-12, 1e5).step_by(100) {
        let together = Width::fastest().run(SineAndCosine(x));
        assert_eq!(together, [one_value("sin", x, 0.0), one_value("cos", x, 0.0)], "{x}");
    }
}
