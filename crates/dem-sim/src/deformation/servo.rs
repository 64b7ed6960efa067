//! Rates that bring stresses to their targets and hold them there.
//!
//! The rates are those of a [`Controller`] for every stress, with the stiffness C: the anticipated rate keeps the stress where it is while
//! other directions move at prescribed rates, so that nothing is left of the error on a path with constant rates.
//! C and the anticipated rate follow from the stiffness of the assembly if every contact followed the mean strain (Voigt's bound, from the present
//! contacts and their tangent stiffnesses), which no assembly exceeds: the true response is slower, never unstable. τ is a
//! multiple of `d √(ρ/C)`, the time of an elastic wave across a grain, or across the cell if its boundary alone drives the sample.

use dem_core::cell::Cell;
use dem_core::{DMat3, DVec3};
use serde::{Deserialize, Serialize};

use super::control::{Component, Constraint, Control, mean};
use super::controller::Controller;

/// Inertial number of the fastest rates by default \[-\].
pub const LARGEST_INERTIAL_NUMBER: f64 = 1e-2;
/// Response time in times of an elastic wave across a grain, by default \[-\].
pub const RESPONSE: f64 = 5.0;

/// Stiffness of the assembly under uniform strain \[Pa\], and its grains.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct AssemblyStiffness {
    /// Normal stress along i per strain along j.
    pub normal: DMat3,
    /// Shear stress per component of the velocity gradient, in the planes yz, xz, xy.
    pub shear: DVec3,
    /// Mean diameter \[m\].
    pub diameter: f64,
    /// Density of the grains \[kg/m³\].
    pub density: f64,
}

impl AssemblyStiffness {
    /// Of nothing.
    pub const ZERO: Self = Self { normal: DMat3::ZERO, shear: DVec3::ZERO, diameter: 0.0, density: 0.0 };

    /// Stress per strain of the same component \[Pa\].
    fn modulus(&self, row: usize, column: usize) -> f64 {
        if row == column { self.normal.col(row)[row] } else { self.shear[3 - row - column] }
    }

    /// Mean stress per common strain of the free directions \[Pa\].
    fn modulus_of_mean(&self, control: &Control) -> f64 {
        control.free_directions().map(|j| self.normal.col(j).element_sum()).sum::<f64>() / 3.0
    }
}

/// What a servo remembers.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Servo {
    /// Integrals of the components \[1/s\].
    integral: DMat3,
    /// Integral of the mean stress \[1/s\].
    mean_integral: f64,
    /// Stiffness at the last check.
    stiffness: Option<AssemblyStiffness>,
}

/// Gains of one step.
struct Gains {
    time_step: f64,
    response: f64,
    max_rate: f64,
    diameter: f64,
    density: f64,
}

impl Gains {
    /// Rate for an error \[Pa\], a stiffness \[Pa\] and an anticipated rate \[1/s\]; moves the integral on.
    fn rate(&self, error: f64, stiffness: f64, anticipated: f64, integral: &mut f64) -> f64 {
        let wave = self.diameter * (self.density / stiffness).sqrt();
        let response = self.response * wave;
        let Self { time_step, max_rate, .. } = *self;
        Controller { stiffness, response, time_step, max_rate, integrated: f64::INFINITY }.rate(
            error,
            anticipated,
            integral,
        )
    }
}

/// Rates of the diagonal \[1/s\] that would hold the normal stresses and the mean stress that are prescribed, against
/// the prescribed rates of the others, in a body of this stiffness \[Pa\]; zero without one.
fn anticipate(control: &Control, normal: &DMat3) -> DVec3 {
    // each row of `matrix · rates = given` is what is prescribed for a direction
    let (mut rows, mut given) = ([DVec3::ZERO; 3], DVec3::ZERO);
    let mut first_free = None;
    for k in 0..3 {
        (rows[k], given[k]) = match control.component(k, k) {
            Component::Rate(rate) => (DVec3::AXES[k], rate),
            Component::Stress(_) => (normal.row(k), 0.0),
            Component::Unasked if control.free_directions().all(|free| free != k) => (DVec3::AXES[k], 0.0),
            Component::Unasked => match (control.constraint(), first_free) {
                (Constraint::None, _) => (DVec3::AXES[k], 0.0),
                // the other free directions move as the first
                (_, Some(first)) => (DVec3::AXES[k] - DVec3::AXES[first], 0.0),
                (Constraint::ConstantVolume, None) => (DVec3::ONE, 0.0),
                (Constraint::MeanStress(_), None) => (normal.transpose() * DVec3::ONE, 0.0),
            },
        };
        if control.free_directions().any(|free| free == k) {
            first_free = first_free.or(Some(k));
        }
    }
    let matrix = DMat3::from_cols(rows[0], rows[1], rows[2]).transpose();
    let rates = matrix.inverse() * given;
    // a few contacts may make a body that nothing like this can be said of
    let most = DVec3::splat(given.abs().element_sum());
    if rates.is_finite() { rates.clamp(-most, most) } else { DVec3::ZERO }
}

impl Servo {
    /// Has measured nothing yet.
    pub const NEW: Self = Self { integral: DMat3::ZERO, mean_integral: 0.0, stiffness: None };

    /// Whether it has never measured the stiffness.
    pub fn is_blind(&self) -> bool {
        self.stiffness.is_none()
    }

    /// Takes notice of the present stiffness.
    pub fn look(&mut self, stiffness: AssemblyStiffness) {
        self.stiffness = Some(stiffness);
    }

    /// How many grains fit along the longest edge of a cell \[-\], as of the last measurement.
    pub fn grains_across(&self, cell: &Cell) -> f64 {
        let [x, y, z] = [0, 1, 2].map(|k| cell.matrix().col(k).length());
        self.stiffness.map_or(1.0, |stiffness| (x.max(y).max(z) / stiffness.diameter).max(1.0))
    }

    /// The shortest response time \[s\] of the stresses that a control prescribes; `response` in times of a wave across
    /// a grain.
    pub fn quickest(&self, control: &Control, response: f64) -> Option<f64> {
        let stiffness = self.stiffness?;
        let of_targets = control.targets().map(|(i, j, _)| stiffness.modulus(i, j));
        let of_mean = match control.constraint() {
            Constraint::MeanStress(_) => Some(stiffness.modulus_of_mean(control)),
            Constraint::None | Constraint::ConstantVolume => None,
        };
        let largest = of_targets.chain(of_mean).fold(0.0, f64::max);
        let time = response * stiffness.diameter * (stiffness.density / largest).sqrt();
        (time.is_finite() && time > 0.0).then_some(time)
    }

    /// Velocity gradient of the next step \[1/s\] from the present stress \[Pa\].
    pub fn velocity_gradient(&mut self, control: &Control, stress: DMat3, time_step: f64, response: f64) -> DMat3 {
        let stiffness = self.stiffness.unwrap_or(AssemblyStiffness::ZERO);
        let default_rate =
            || LARGEST_INERTIAL_NUMBER * (control.largest_target() / stiffness.density).sqrt() / stiffness.diameter;
        let gains = Gains {
            time_step,
            response,
            max_rate: control.max_rate().unwrap_or_else(default_rate),
            diameter: stiffness.diameter,
            density: stiffness.density,
        };
        let anticipated = anticipate(control, &stiffness.normal);
        let mut rates = [[0.0; 3]; 3];
        for (i, row) in rates.iter_mut().enumerate() {
            for (j, rate) in row.iter_mut().enumerate() {
                *rate = match control.component(i, j) {
                    Component::Unasked => 0.0,
                    Component::Rate(rate) => rate,
                    Component::Stress(target) => {
                        let modulus = stiffness.modulus(i, j);
                        let expected = if i == j { anticipated[i] } else { 0.0 };
                        gains.rate(target - stress.col(j)[i], modulus, expected, &mut self.integral.col_mut(j)[i])
                    }
                };
            }
        }
        let free: Vec<usize> = control.free_directions().collect();
        let common = match control.constraint() {
            Constraint::None => 0.0,
            Constraint::ConstantVolume => -(rates[0][0] + rates[1][1] + rates[2][2]) / free.len() as f64,
            Constraint::MeanStress(target) => {
                let modulus = stiffness.modulus_of_mean(control);
                let expected = free.first().map_or(0.0, |&k| anticipated[k]);
                gains.rate(target - mean(stress), modulus, expected, &mut self.mean_integral)
            }
        };
        for k in free {
            rates[k][k] += common;
        }
        DMat3::from_cols_array_2d(&rates).transpose()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A body with a third of the stiffness that the servo reckons with, pushed along another direction.
    #[test]
    fn nothing_is_left_of_the_error_under_constant_rates() {
        let mut component = [[Component::Unasked; 3]; 3];
        component[0][0] = Component::Stress(-1e5);
        component[2][2] = Component::Rate(-1e-2);
        let control = Control::new(component, Constraint::None, None).unwrap();
        let normal = DMat3::from_cols(DVec3::new(3e8, 1e8, 1e8), DVec3::new(1e8, 3e8, 1e8), DVec3::new(1e8, 1e8, 3e8));
        let stiffness = AssemblyStiffness { normal, shear: DVec3::splat(1e8), diameter: 1e-3, density: 2500.0 };
        let mut servo = Servo { stiffness: Some(stiffness), ..Servo::NEW };
        let dt = 1e-7;
        let mut stress = 0.0;
        let mut largest_late = 0.0f64;
        for step in 0..40_000 {
            let l = servo.velocity_gradient(&control, DMat3::from_diagonal(DVec3::X * stress), dt, RESPONSE);
            assert_eq!([l.z_axis.z, l.y_axis.y, l.x_axis.y], [-1e-2, 0.0, 0.0]);
            stress += dt * (1e8 * l.x_axis.x + 0.4e8 * l.z_axis.z);
            if step > 20_000 {
                largest_late = largest_late.max((stress + 1e5).abs());
            }
        }
        assert!(largest_late < 10.0, "{largest_late} Pa of 100 kPa");
    }

    /// At a Poisson's ratio of 1/4: lateral strain of a bar, of a plate, and the shape that keeps the mean stress.
    #[test]
    fn the_rates_of_an_elastic_body_are_anticipated() {
        let normal = DMat3::from_cols(DVec3::new(3e8, 1e8, 1e8), DVec3::new(1e8, 3e8, 1e8), DVec3::new(1e8, 1e8, 3e8));
        let mut component = [[Component::Unasked; 3]; 3];
        component[2][2] = Component::Rate(-0.4);
        let expect = |component, constraint, expected: [f64; 3]| {
            let control = Control::new(component, constraint, None).unwrap();
            let found = anticipate(&control, &normal);
            assert!((found - DVec3::from_array(expected)).length() < 1e-15, "{found}");
            assert_eq!(
                anticipate(&control, &DMat3::ZERO).x.abs(),
                if constraint == Constraint::ConstantVolume { 0.2 } else { 0.0 }
            );
        };
        expect(component, Constraint::MeanStress(-1e5), [0.2, 0.2, -0.4]);
        expect(component, Constraint::ConstantVolume, [0.2, 0.2, -0.4]);
        component[0][0] = Component::Stress(-1e5);
        expect(component, Constraint::None, [0.4 / 3.0, 0.0, -0.4]);
        component[1][1] = Component::Stress(-1e5);
        expect(component, Constraint::None, [0.1, 0.1, -0.4]);
    }

    #[test]
    fn free_directions_keep_the_volume_or_share_a_rate() {
        let mut component = [[Component::Unasked; 3]; 3];
        component[2][2] = Component::Rate(-0.3);
        component[0][1] = Component::Rate(0.7);
        let control = Control::new(component, Constraint::ConstantVolume, None).unwrap();
        let l = Servo { ..Servo::NEW }.velocity_gradient(&control, DMat3::ZERO, 1e-6, RESPONSE);
        assert_eq!([l.x_axis.x, l.y_axis.y, l.z_axis.z, l.y_axis.x], [0.15, 0.15, -0.3, 0.7]);
        let control = Control::new(component, Constraint::MeanStress(-1e3), Some(5.0)).unwrap();
        let l = Servo { ..Servo::NEW }.velocity_gradient(&control, DMat3::ZERO, 1e-6, RESPONSE);
        assert_eq!([l.x_axis.x, l.y_axis.y, l.z_axis.z], [-5.0, -5.0, -0.3], "without contacts as fast as allowed");
    }
}
