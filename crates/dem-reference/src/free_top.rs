//! The free asymmetric top: Euler's equations without torque, by Jacobi's elliptic functions.
//!
//! With moments `I₁ < I₂ < I₃`, twice the energy 2T and the angular momentum L, the angular velocity in the body is, for `L² > 2T I₂`,
//!
//! ```text
//! ω₁ = a₁ cn τ    ω₂ = a₂ sn τ    ω₃ = a₃ dn τ    τ = λ t + τ₀
//! a₁² = (2T I₃ − L²) / (I₁ (I₃ − I₁))    a₂² = (2T I₃ − L²) / (I₂ (I₃ − I₂))    a₃² = (L² − 2T I₁) / (I₃ (I₃ − I₁))
//! λ² = (I₃ − I₂)(L² − 2T I₁) / (I₁ I₂ I₃)    k² = (I₂ − I₁)(2T I₃ − L²) / ((I₃ − I₂)(L² − 2T I₁))    sign a₂ = sign a₁ a₃
//! ```
//!
//! and for `L² < 2T I₂` the same with 1 and 3 exchanged. The period is `4K(k)/λ`. A top that starts almost about its intermediate axis turns over every
//! `2K(k)/λ` (the tennis racket theorem, or Dzhanibekov's effect).
//!
//! The attitude follows by one quadrature. `u = L/|L|` in the body moves as the angular momentum does; with p the axis about which the top circulates, `u·p`
//! keeps its sign. The smallest rotation S that turns u to p, followed by a rotation about p by φ with
//!
//! ```text
//! φ' = (2T/|L| + ω·p) / (1 + u·p)
//! ```
//!
//! is a rotation from the body to a frame that is at rest, in which L points along p: of S alone the angular velocity along u is `(u × u')·p / (1 + u·p)`, and
//! `u' = u × ω`.
//!
//! Sources: L. D. Landau, E. M. Lifshitz, Mechanics (1976), § 37; elliptic functions by the arithmetic-geometric mean, M. Abramowitz, I. A. Stegun, Handbook of
//! Mathematical Functions (1964), 16.4 and 17.6. The attitude by the smallest rotation was derived here; the tests hold it against a Runge-Kutta method.

use crate::error::{ReferenceError, positive};
use crate::quadrature::gauss;

/// A vector in the body.
type Vector = [f64; 3];

/// A free top with a given start.
#[derive(Clone, Debug)]
pub struct FreeTop {
    moments: Vector,
    /// The axis about which it circulates: 0 or 2.
    pole: usize,
    /// Amplitudes of the angular velocity: cn of the axis opposite to the pole, sn of the intermediate one, dn of the pole.
    amplitudes: Vector,
    rate: f64,
    functions: Jacobi,
    /// Argument of the functions at the start.
    start: f64,
}

impl FreeTop {
    /// Of principal moments \[kg m²\], ascending, and an angular velocity along the principal axes at the start \[rad/s\].
    ///
    /// # Errors
    /// Moments that are not positive or not ascending, no rotation, and `L² = 2T I₂`, where the functions have no period.
    pub fn new(moments: Vector, angular_velocity: Vector) -> Result<Self, ReferenceError> {
        for moment in moments {
            positive("moments", moment)?;
        }
        let [i1, i2, i3] = moments;
        if !(i1 < i2 && i2 < i3) {
            let value = format!("{moments:?}");
            return Err(ReferenceError::Argument {
                argument: "moments",
                value,
                allowed: "three ascending ones".into(),
            });
        }
        let [w1, w2, w3] = angular_velocity.map(|w| w * w);
        // L² − 2T I₁, 2T I₃ − L² and L² − 2T I₂ without the cancellation of the differences
        let above_low = i2 * (i2 - i1) * w2 + i3 * (i3 - i1) * w3;
        let below_high = i1 * (i3 - i1) * w1 + i2 * (i3 - i2) * w2;
        let side = i3 * (i3 - i2) * w3 - i1 * (i2 - i1) * w1;
        if side == 0.0 || !side.is_finite() {
            return Err(ReferenceError::Argument {
                argument: "angular_velocity",
                value: format!("{angular_velocity:?}"),
                allowed: "a start that is no separatrix".into(),
            });
        }
        let pole = if side > 0.0 { 2 } else { 0 };
        let opposite = 2 - pole;
        let (of_pole, of_opposite) = if side > 0.0 { (above_low, below_high) } else { (below_high, above_low) };
        let gap = |a: usize, b: usize| (moments[a] - moments[b]).abs();
        let positive_amplitude =
            |numerator: f64, axis: usize, other: usize| (numerator / (moments[axis] * gap(axis, other))).sqrt();
        let at_pole = positive_amplitude(of_pole, pole, opposite).copysign(angular_velocity[pole]);
        let at_opposite = positive_amplitude(of_opposite, opposite, pole);
        let between = positive_amplitude(of_opposite, 1, pole).copysign(at_pole);
        let rate = (gap(pole, 1) * of_pole / (i1 * i2 * i3)).sqrt();
        let denominator = gap(pole, 1) * of_pole;
        let functions =
            Jacobi::new(gap(1, opposite) * of_opposite / denominator, gap(pole, opposite) * side.abs() / denominator);
        let mut amplitudes = [0.0; 3];
        (amplitudes[opposite], amplitudes[1], amplitudes[pole]) = (at_opposite, between, at_pole);
        let start = if at_opposite > 0.0 {
            let (sine, cosine) = (angular_velocity[1] / between, angular_velocity[opposite] / at_opposite);
            functions.argument(sine.atan2(cosine))?
        } else {
            0.0
        };
        Ok(Self { moments, pole, amplitudes, rate, functions, start })
    }

    /// Angular velocity along the principal axes at a time after the start \[rad/s\].
    pub fn angular_velocity(&self, time: f64) -> Vector {
        let [sn, cn, dn] = self.functions.values(self.rate * time + self.start);
        let mut w = [0.0, self.amplitudes[1] * sn, 0.0];
        w[2 - self.pole] = self.amplitudes[2 - self.pole] * cn;
        w[self.pole] = self.amplitudes[self.pole] * dn;
        w
    }

    /// Time after which the angular velocity in the body is the same \[s\].
    pub fn period(&self) -> f64 {
        4.0 * self.functions.quarter / self.rate
    }

    /// Time between two reversals of the rotation about the intermediate axis \[s\]: half the period.
    pub fn time_between_flips(&self) -> f64 {
        0.5 * self.period()
    }

    /// Angular momentum along the principal axes \[kg m²/s\].
    fn angular_momentum(&self, angular_velocity: Vector) -> Vector {
        std::array::from_fn(|k| self.moments[k] * angular_velocity[k])
    }

    /// Rotation from the principal frame at a time to that at the start, as a unit quaternion (x, y, z, w).
    pub fn attitude(&self, time: f64) -> [f64; 4] {
        let start = self.angular_velocity(0.0);
        let momentum = self.angular_momentum(start);
        let size = dot(momentum, momentum).sqrt();
        let pole = self.amplitudes[self.pole].signum();
        let turn_rate = |time: f64| {
            let w = self.angular_velocity(time);
            let along = pole * self.moments[self.pole] * w[self.pole] / size;
            (dot(momentum, start) / size + pole * w[self.pole]) / (1.0 + along)
        };
        // in their argument the functions have no singularity within π/2 of the real axis, and 1 + u·p is above one
        let panels = 1 + (2.0 * time.abs() * self.rate) as usize;
        let turn = gauss(turn_rate, 0.0, time, panels);
        let mut about_pole = [0.0, 0.0, 0.0, (0.5 * turn).cos()];
        about_pole[self.pole] = pole * (0.5 * turn).sin();
        let to_pole = |w: Vector| self.rotation_to_pole(self.angular_momentum(w).map(|m| m / size), pole);
        let [x, y, z, w] = to_pole(start);
        product(product([-x, -y, -z, w], about_pole), to_pole(self.angular_velocity(time)))
    }

    /// The smallest rotation that turns a unit vector to the pole.
    fn rotation_to_pole(&self, u: Vector, sign: f64) -> [f64; 4] {
        let mut p = [0.0; 3];
        p[self.pole] = sign;
        let [x, y, z] = [u[1] * p[2] - u[2] * p[1], u[2] * p[0] - u[0] * p[2], u[0] * p[1] - u[1] * p[0]];
        let w = 1.0 + dot(u, p);
        let length = (x * x + y * y + z * z + w * w).sqrt();
        [x / length, y / length, z / length, w / length]
    }
}

fn dot(a: Vector, b: Vector) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// Product of quaternions (x, y, z, w): the second rotation first.
fn product([ax, ay, az, aw]: [f64; 4], [bx, by, bz, bw]: [f64; 4]) -> [f64; 4] {
    [
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
        aw * bw - ax * bx - ay * by - az * bz,
    ]
}

/// Jacobi's functions of one modulus.
#[derive(Clone, Debug)]
struct Jacobi {
    /// 1 − k².
    complement: f64,
    /// K(k).
    quarter: f64,
    /// The arithmetic mean of each step, and half the difference of those before.
    means: Vec<[f64; 2]>,
}

impl Jacobi {
    /// Of k² and 1 − k², of which each is given to all its digits.
    fn new(square: f64, complement: f64) -> Self {
        let (mut a, mut b) = (1.0_f64, complement.sqrt());
        let mut means = vec![[a, square.sqrt()]];
        // the difference is squared in each step
        while a - b > 1e-16 * a && means.len() < 64 {
            means.push([0.5 * (a + b), 0.5 * (a - b)]);
            (a, b) = (0.5 * (a + b), (a * b).sqrt());
        }
        Self { complement, quarter: 0.5 * std::f64::consts::PI / a, means }
    }

    /// sn, cn and dn.
    fn values(&self, argument: f64) -> [f64; 3] {
        let last = self.means.len() - 1;
        let whole = (argument / (4.0 * self.quarter)).round();
        let argument = argument - 4.0 * self.quarter * whole;
        let mut angle = self.means[last][0] * argument * (1u64 << last) as f64;
        for [mean, half_difference] in self.means[1..].iter().rev() {
            angle = 0.5 * (angle + (half_difference / mean * angle.sin()).asin());
        }
        let (sn, cn) = angle.sin_cos();
        [sn, cn, (cn * cn + self.complement * sn * sn).sqrt()]
    }

    /// The argument u with sn u and cn u the sine and cosine of an angle from −π to π.
    fn argument(&self, angle: f64) -> Result<f64, ReferenceError> {
        let half_turns = (angle / std::f64::consts::PI).round();
        let (sine, cosine) = (angle - half_turns * std::f64::consts::PI).sin_cos();
        let square = cosine * cosine + self.complement * sine * sine;
        let form = ellip::elliprf(cosine * cosine, square, 1.0);
        let integral = form.map_err(|detail| ReferenceError::Convergence {
            method: "Carlson's elliptic integral",
            detail: detail.to_string(),
        })?;
        Ok(sine * integral + 2.0 * half_turns * self.quarter)
    }
}

#[cfg(test)]
mod tests;
