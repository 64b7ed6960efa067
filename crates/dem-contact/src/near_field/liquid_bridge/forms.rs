//! Capillary force of a bridge over the distance of the surfaces, in five forms, and its integral.
//!
//! All forms are those of two equal spheres of the radius `R = 2r*` (Derjaguin), with the distance S of the surfaces and the volume V:
//! `F = 2π R σ f(S/R, V*, θ)`, `V* = V/R³`, `x = (S/2) √(R/V)`.

/// The form of the force.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// Regression to solutions of the Young-Laplace equation.
    Willett,
    /// Its closed approximation.
    WillettClosed,
    /// Pressure in the bridge from its shape as a cylinder.
    Lambert,
    /// The same with surface tension at the contact line.
    Rabinovich,
    /// An exponential of the distance.
    Soulie,
}

/// Volumes V* within which the regression falls with the distance for all its contact angles; beyond, the closed form takes its place.
pub(super) const REGRESSION: std::ops::RangeInclusive<f64> = 1e-5..=1.0;

impl Form {
    /// The word in scenes.
    pub fn of(word: &str) -> Self {
        match word {
            "willett-closed" => Self::WillettClosed,
            "lambert" => Self::Lambert,
            "rabinovich" => Self::Rabinovich,
            "soulie" => Self::Soulie,
            _ => Self::Willett,
        }
    }

    /// The form for a volume V*.
    fn within_validity(self, volume: f64) -> Self {
        if self == Self::Willett && !REGRESSION.contains(&volume) { Self::WillettClosed } else { self }
    }

    /// Bound of `|df/dS| √(V/R)/f(0)`: the steepest of all volumes and contact angles in use.
    pub fn steepness(self) -> f64 {
        match self {
            Self::Willett | Self::Soulie => 1.71,
            Self::WillettClosed | Self::Lambert | Self::Rabinovich => 1.26,
        }
    }
}

/// The dimensionless force of one bridge: lengths are in units of R, energies of `2π R² σ`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Curve {
    form: Form,
    angle: f64,
    volume: f64,
    /// f₁ to f₄ of the regression.
    regression: [f64; 4],
}

impl Curve {
    /// Of a volume V* and a contact angle \[rad\].
    pub fn new(form: Form, volume: f64, angle: f64) -> Self {
        let form = form.within_validity(volume);
        let regression = if form == Form::Willett { regression(volume, angle) } else { [0.0; 4] };
        Self { form, angle, volume, regression }
    }

    /// `2V*/π`, in which a bridge that is a cylinder wets a lens of a sphere.
    fn lens(&self) -> f64 {
        2.0 * self.volume / std::f64::consts::PI
    }

    /// f at a distance.
    pub fn force(&self, distance: f64) -> f64 {
        let (s, angle) = (distance, self.angle);
        match self.form {
            Form::Willett => {
                let [f1, f2, f3, f4] = self.regression;
                if s <= 0.0 {
                    return libm::exp(f1);
                }
                let l = libm::log(0.5 * s / self.volume.sqrt());
                libm::exp(f1 - f2 * libm::exp(l * (f3 + f4 * l)))
            }
            Form::WillettClosed => {
                let x = 0.5 * s / self.volume.sqrt();
                libm::cos(angle) / (1.0 + x * (2.1 + 10.0 * x))
            }
            Form::Lambert => libm::cos(angle) * (1.0 - s / (s * s + self.lens()).sqrt()),
            Form::Rabinovich => {
                let root = (s * s + self.lens()).sqrt();
                let wetted = (self.lens() / (root + s)).sqrt();
                libm::cos(angle) * (1.0 - s / root) + libm::sin(wetted) * libm::sin(angle + wetted)
            }
            Form::Soulie => {
                let [a, b, c] = self.soulie();
                0.5 * (c + libm::exp(a * s + b))
            }
        }
    }

    /// a, b, c of the exponential form.
    fn soulie(&self) -> [f64; 3] {
        let (l, angle) = (libm::log(self.volume), self.angle);
        let a = -1.1 * libm::pow(self.volume, -0.53);
        let b = (-0.148 * l - 0.96) * angle * angle - 0.0082 * l + 0.48;
        [a, b, 0.0018 * l + 0.078]
    }

    /// Integral of f from one distance to another.
    pub fn integral(&self, from: f64, to: f64) -> f64 {
        match self.form {
            Form::WillettClosed => {
                // of 1/(1 + 2.1 x + 10 x²); the discriminant is 4·10 − 2.1²
                let (q, scale) = (35.59f64.sqrt(), 2.0 * self.volume.sqrt());
                let primitive = |s: f64| libm::atan((20.0 * s / scale + 2.1) / q);
                libm::cos(self.angle) * scale * 2.0 / q * (primitive(to) - primitive(from))
            }
            Form::Lambert => {
                let primitive = |s: f64| s - (s * s + self.lens()).sqrt();
                libm::cos(self.angle) * (primitive(to) - primitive(from))
            }
            Form::Soulie => {
                let [a, b, c] = self.soulie();
                0.5 * (c * (to - from) + (libm::exp(a * to + b) - libm::exp(a * from + b)) / a)
            }
            Form::Willett | Form::Rabinovich => {
                // in the root of the distance the steep part near contact is spread out
                let (low, high) = (from.max(0.0).sqrt(), to.max(0.0).sqrt());
                gauss(low, high, |root| 2.0 * root * self.force(root * root))
            }
        }
    }
}

/// f₁ to f₄, as polynomials in ln V* whose coefficients are polynomials in the contact angle.
fn regression(volume: f64, angle: f64) -> [f64; 4] {
    const COEFFICIENTS: [&[[f64; 3]]; 4] = [
        &[
            [-0.44507, 0.050832, -1.1466],
            [-0.1119, -0.000411, -0.1490],
            [-0.012101, -0.0036456, -0.01255],
            [-0.0005, -0.0003505, -0.00029076],
        ],
        &[[1.9222, -0.57473, -1.2918], [-0.0668, -0.1201, -0.22574], [-0.0013375, -0.0068988, -0.01137]],
        &[
            [1.268, -0.01396, -0.23566],
            [0.198, 0.092, -0.06418],
            [0.02232, 0.02238, -0.009853],
            [0.0008585, 0.001318, -0.00053],
        ],
        &[[-0.010703, 0.073776, -0.34742], [0.03345, 0.04543, -0.09056], [0.0018574, 0.004456, -0.006257]],
    ];
    let l = libm::log(volume);
    COEFFICIENTS.map(|rows| rows.iter().rev().fold(0.0, |sum, [a, b, c]| sum * l + (a + angle * (b + angle * c))))
}

/// Gauss-Legendre quadrature of 20 points.
fn gauss(low: f64, high: f64, f: impl Fn(f64) -> f64) -> f64 {
    const NODES: [(f64, f64); 10] = [
        (0.993_128_599_185_094_9, 0.017_614_007_139_152_3),
        (0.963_971_927_277_913_8, 0.040_601_429_800_387_0),
        (0.912_234_428_251_326, 0.062_672_048_334_109_0),
        (0.839_116_971_822_218_9, 0.083_276_741_576_704_7),
        (0.746_331_906_460_150_8, 0.101_930_119_817_240_5),
        (0.636_053_680_726_515, 0.118_194_531_961_518_3),
        (0.510_867_001_950_827_1, 0.131_688_638_449_176_5),
        (0.373_706_088_715_419_7, 0.142_096_109_318_382_2),
        (0.227_785_851_141_645_1, 0.149_172_986_472_603_8),
        (0.076_526_521_133_497_3, 0.152_753_387_130_726_1),
    ];
    let (middle, half) = (0.5 * (low + high), 0.5 * (high - low));
    half * NODES.iter().map(|&(x, weight)| weight * (f(middle - half * x) + f(middle + half * x))).sum::<f64>()
}

#[cfg(test)]
mod tests {
    use super::*;

    const FORMS: [Form; 5] = [Form::Willett, Form::WillettClosed, Form::Lambert, Form::Rabinovich, Form::Soulie];

    /// Solutions of the Young-Laplace equation for equal spheres: V*, angle in degrees, S/R, f.
    const EXACT: [(f64, f64, f64, f64); 6] = [
        (1e-3, 0.0, 0.0, 0.9361),
        (1e-3, 0.0, 0.0101, 0.6149),
        (1e-3, 0.0, 0.0303, 0.2505),
        (1e-3, 0.0, 0.0909, 0.0475),
        (1e-2, 40.0, 0.0297, 0.4666),
        (1e-2, 40.0, 0.0891, 0.2334),
    ];

    fn error(form: Form, &(volume, degrees, s, exact): &(f64, f64, f64, f64)) -> f64 {
        Curve::new(form, volume, degrees.to_radians()).force(s) / exact - 1.0
    }

    #[test]
    fn forms_are_as_near_to_the_young_laplace_equation_as_is_known() {
        for case in &EXACT {
            // 0.9 of the rupture distance in the one case beyond 0.7 of it
            let bound = if case.2 == 0.0909 { 0.1 } else { 0.034 };
            assert!(error(Form::Willett, case).abs() < bound, "{case:?}");
        }
        assert!((error(Form::WillettClosed, &EXACT[0]) - 0.068).abs() < 1e-3);
        assert!((error(Form::WillettClosed, &EXACT[3]) + 0.147).abs() < 1e-3);
        assert!((error(Form::Lambert, &EXACT[0]) - 0.068).abs() < 1e-3);
        let worst = EXACT.iter().map(|case| error(Form::Rabinovich, case)).fold(0.0, f64::max);
        assert!((0.4..0.66).contains(&worst), "{worst}");
        assert!(EXACT[..4].iter().all(|case| error(Form::Soulie, case).abs() < 0.07));
    }

    #[test]
    fn forces_fall_with_the_distance_and_are_as_steep_as_is_said() {
        for form in FORMS {
            let mut steepest = 0.0f64;
            for exponent in 0..=25 {
                for degrees in [0.0, 15.0, 30.0, 50.0] {
                    let volume = libm::pow(10.0, -5.0 + 0.2 * f64::from(exponent));
                    let curve = Curve::new(form, volume, f64::to_radians(degrees));
                    let (mut before, end) = ((0.0, curve.force(0.0)), 1.5 * libm::cbrt(volume));
                    let at_contact = before.1;
                    for k in 1..=200 {
                        let s = end * (f64::from(k) / 200.0).powi(2);
                        let f = curve.force(s);
                        assert!(f <= before.1 * (1.0 + 1e-12), "{form:?} {volume} {degrees} {s}");
                        steepest = steepest.max((before.1 - f) / (s - before.0) * volume.sqrt() / at_contact);
                        before = (s, f);
                    }
                }
            }
            assert!(steepest <= form.steepness() && steepest > 0.85 * form.steepness(), "{form:?} {steepest}");
        }
    }

    #[test]
    fn integrals_are_those_of_the_force() {
        for form in FORMS {
            for volume in [1.01e-5, 1e-3, 0.09] {
                for degrees in [0.0, 35.0] {
                    let curve = Curve::new(form, volume, f64::to_radians(degrees));
                    let end = libm::cbrt(volume);
                    for from in [0.0, 0.1 * end, 0.7 * end] {
                        // midpoints in the root of the distance
                        let (low, count) = (from.sqrt(), 40_000);
                        let width = (end.sqrt() - low) / f64::from(count);
                        let sum: f64 = (0..count)
                            .map(|k| low + (f64::from(k) + 0.5) * width)
                            .map(|root| 2.0 * root * curve.force(root * root) * width)
                            .sum();
                        let found = curve.integral(from, end);
                        assert!((found / sum - 1.0).abs() < 2e-7, "{form:?} {volume} {degrees} {from}: {found} {sum}");
                    }
                }
            }
        }
    }

    /// `8π R σ cos θ √(V/R)/q [atan((20x + 2.1)/q)]` with `q = √35.59`, here without `2π R² σ`.
    #[test]
    fn potential_of_the_closed_form_is_the_published_one() {
        let (volume, angle, q) = (1e-3f64, 0.3, 35.59f64.sqrt());
        let curve = Curve::new(Form::WillettClosed, volume, angle);
        let x = |s: f64| 0.5 * s / volume.sqrt();
        let primitive = |s: f64| 4.0 * libm::cos(angle) * volume.sqrt() / q * libm::atan((20.0 * x(s) + 2.1) / q);
        let expected = primitive(0.1) - primitive(0.02);
        assert!((curve.integral(0.02, 0.1) / expected - 1.0).abs() < 1e-14);
    }

    #[test]
    fn outside_its_volumes_the_regression_gives_way_to_the_closed_form() {
        for volume in [1e-7, 3.0] {
            let [one, other] = [Form::Willett, Form::WillettClosed].map(|form| Curve::new(form, volume, 0.4));
            assert_eq!(one.force(1e-3), other.force(1e-3));
        }
    }
}
