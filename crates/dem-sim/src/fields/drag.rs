//! Drag on spheres in a fluid whose velocity is given.
//!
//! | law | force on a sphere of diameter d that moves at u relative to the fluid |
//! |---|---|
//! | `linear` | −c u |
//! | `stokes` | −3π η d u |
//! | `schiller-naumann` | −(π/8) C_d ρ d² \|u\| u, C_d = max(24/Re (1 + 0.15 Re^0.687), 0.44), Re = ρ \|u\| d/η |
//! | `wen-yu` | the same times ε^−1.65, with Re = ε ρ \|u\| d/η |
//!
//! c: coefficient \[N s/m\], η: viscosity \[Pa s\], ρ: density of the fluid \[kg/m³\], ε: [local porosity](super::porosity).
//!
//! Sources: L. Schiller and A. Naumann, Z. VDI 77 (1933) 318, valid up to Re ≈ 800; C. Y. Wen and Y. H. Yu, Chem. Eng. Prog. Symp. Ser. 62
//! (1966) 100, for ε ≥ 0.8, where the volumetric exchange coefficient `β = (3/4) C_d ε (1 − ε) ρ |u|/d ε^−2.65` gives each sphere
//! `β V/(1 − ε)`. For small Re that is Stokes' drag times ε^−2.65.
//!
//! The larger of both values of C_d is taken, because the usual change at Re = 1000 is a jump of 0.4 %; the two curves cross at Re = 989.
//! Buoyancy and what a fluid that is not uniform does are no part of it.

use std::f64::consts::PI;

use dem_core::DVec3;
use serde::{Deserialize, Serialize};

/// Drag coefficient C_d of a sphere at large Reynolds numbers \[-\].
const NEWTON: f64 = 0.44;

/// How drag depends on the velocity.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum DragLaw {
    /// In proportion to the velocity, alike for all spheres.
    Linear {
        /// Coefficient c \[N s/m\].
        coefficient: f64,
    },
    /// Creeping flow.
    Stokes {
        /// Viscosity of the fluid \[Pa s\].
        viscosity: f64,
    },
    /// Single spheres at any Reynolds number.
    SchillerNaumann {
        /// Of the fluid.
        fluid: Fluid,
    },
    /// Spheres among others.
    WenYu {
        /// Of the fluid.
        fluid: Fluid,
        /// Edge of the cells in which the local porosity is taken \[m\].
        cell: f64,
    },
}

/// Properties of a fluid.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Fluid {
    /// Density \[kg/m³\].
    pub density: f64,
    /// Dynamic viscosity \[Pa s\].
    pub viscosity: f64,
}

impl Fluid {
    /// Force per velocity \[N s/m\] and its derivative of the force by the velocity \[N s/m\], on a sphere of diameter `d` \[m\] at a relative
    /// `speed` \[m/s\] where the porosity is `porosity`.
    fn resistance(&self, d: f64, speed: f64, porosity: f64) -> Resistance {
        let hindered = if porosity < 1.0 { libm::pow(porosity, -1.65) } else { 1.0 };
        let reynolds = porosity * self.density * speed * d / self.viscosity;
        let share = 0.15 * libm::pow(reynolds, 0.687);
        if 24.0 * (1.0 + share) < NEWTON * reynolds {
            let coefficient = PI / 8.0 * NEWTON * self.density * d * d * speed * hindered;
            return Resistance { coefficient, slope: 2.0 * coefficient };
        }
        // π/8 ρ d² |u| 24/Re, where |u| cancels
        let creeping = 3.0 * PI * self.viscosity * d / porosity * hindered;
        Resistance { coefficient: creeping * (1.0 + share), slope: creeping * (1.0 + 1.687 * share) }
    }
}

/// Drag at one velocity.
#[derive(Clone, Copy, Debug)]
struct Resistance {
    /// Force over velocity \[N s/m\].
    coefficient: f64,
    /// Derivative of the force by the speed \[N s/m\].
    slope: f64,
}

/// Drag of a fluid that moves uniformly.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Drag {
    /// How it depends on the velocity.
    pub law: DragLaw,
    /// Velocity of the fluid \[m/s\].
    pub fluid_velocity: DVec3,
}

impl Drag {
    /// Linear drag with a coefficient \[N s/m\], in a fluid at some velocity \[m/s\].
    pub fn linear(coefficient: f64, fluid_velocity: DVec3) -> Self {
        Self { law: DragLaw::Linear { coefficient }, fluid_velocity }
    }

    /// Force on a sphere of a radius \[m\] and a velocity \[m/s\], where the local porosity is that, which only some
    /// laws need \[N\].
    pub fn force(&self, radius: f64, velocity: DVec3, porosity: impl Fn() -> f64) -> DVec3 {
        let relative = velocity - self.fluid_velocity;
        -self.law.resistance(radius, relative.length(), porosity).coefficient * relative
    }

    /// Derivative of the force by the speed \[N s/m\], for a sphere of a radius \[m\] that moves at a `speed` relative to the fluid \[m/s\].
    pub fn slope(&self, radius: f64, speed: f64, porosity: impl Fn() -> f64) -> f64 {
        self.law.resistance(radius, speed, porosity).slope
    }
}

impl DragLaw {
    /// Names in scenes.
    pub const NAMES: [&'static str; 4] = ["linear", "stokes", "schiller-naumann", "wen-yu"];

    /// Name in scenes.
    pub fn name(&self) -> &'static str {
        let number = match self {
            Self::Linear { .. } => 0,
            Self::Stokes { .. } => 1,
            Self::SchillerNaumann { .. } => 2,
            Self::WenYu { .. } => 3,
        };
        Self::NAMES[number]
    }

    /// Edge of the cells in which a local porosity is wanted \[m\], if one is.
    pub fn porosity_cell(&self) -> Option<f64> {
        match *self {
            Self::WenYu { cell, .. } => Some(cell),
            _ => None,
        }
    }

    /// Stokes' drag over velocity and diameter of a single sphere \[N s/m²\].
    pub(super) fn creeping_share(&self) -> f64 {
        let viscosity = match *self {
            Self::Linear { .. } => 0.0,
            Self::Stokes { viscosity } => viscosity,
            Self::SchillerNaumann { fluid } | Self::WenYu { fluid, .. } => fluid.viscosity,
        };
        3.0 * PI * viscosity
    }

    fn resistance(&self, radius: f64, speed: f64, porosity: impl Fn() -> f64) -> Resistance {
        let d = 2.0 * radius;
        let constant = |coefficient| Resistance { coefficient, slope: coefficient };
        match *self {
            Self::Linear { coefficient } => constant(coefficient),
            Self::Stokes { .. } => constant(self.creeping_share() * d),
            Self::SchillerNaumann { fluid } => fluid.resistance(d, speed, 1.0),
            Self::WenYu { fluid, .. } => fluid.resistance(d, speed, porosity()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WATER: Fluid = Fluid { density: 1000.0, viscosity: 1e-3 };

    /// C_d of F = (π/8) C_d ρ d² u².
    fn coefficient_at(reynolds: f64) -> f64 {
        let d = 1e-3;
        let speed = reynolds * WATER.viscosity / (WATER.density * d);
        let drag = Drag { law: DragLaw::SchillerNaumann { fluid: WATER }, fluid_velocity: DVec3::ZERO };
        let force = drag.force(0.5 * d, DVec3::X * speed, || 1.0).length();
        force / (PI / 8.0 * WATER.density * d * d * speed * speed)
    }

    /// The standard curve, R. Clift, J. R. Grace and M. E. Weber, Bubbles, Drops, and Particles (1978), Table 5.2; the correlation is good to 5 % up to
    /// Re = 800.
    #[test]
    fn schiller_naumann_follows_the_standard_drag_curve() {
        for (reynolds, standard) in [(1.0, 27.1), (10.0, 4.26), (100.0, 1.085), (500.0, 0.555)] {
            let found = coefficient_at(reynolds);
            assert!((found / standard - 1.0).abs() < 0.05, "Re = {reynolds}: {found}, {standard}");
        }
        assert!((coefficient_at(1e4) - NEWTON).abs() < 1e-14);
    }

    #[test]
    fn drag_has_no_jump_where_it_becomes_quadratic() {
        let steps: Vec<f64> = (0..2000).map(|k| coefficient_at(980.0 + 0.01 * f64::from(k))).collect();
        let largest = steps.windows(2).map(|pair| (pair[1] - pair[0]).abs()).fold(0.0, f64::max);
        assert!(steps[0] > NEWTON + 1e-3 && (steps[1999] - NEWTON).abs() < 1e-14, "{} {}", steps[0], steps[1999]);
        // the slope of the curve times a hundredth; the usual switch would be a jump of 1.6e-3
        assert!(largest < 1e-5, "{largest}");
    }

    #[test]
    fn slope_is_the_derivative_of_the_force() {
        let laws = [
            DragLaw::Linear { coefficient: 0.3 },
            DragLaw::Stokes { viscosity: 0.1 },
            DragLaw::SchillerNaumann { fluid: WATER },
            DragLaw::WenYu { fluid: WATER, cell: 0.01 },
        ];
        for law in laws {
            let drag = Drag { law, fluid_velocity: DVec3::new(0.0, 0.3, 0.0) };
            for speed in [1e-4, 0.01, 0.3, 5.0] {
                let force = |speed: f64| drag.force(1e-3, drag.fluid_velocity + DVec3::X * speed, || 0.6).length();
                let h = 1e-4 * speed;
                let expected = (force(speed + h) - force(speed - h)) / (2.0 * h);
                let slope = drag.slope(1e-3, speed, || 0.6);
                assert!((slope / expected - 1.0).abs() < 1e-6, "{law:?} at {speed} m/s: {slope}, {expected}");
            }
        }
    }

    #[test]
    fn wen_yu_in_creeping_flow_is_stokes_hindered_by_the_porosity() {
        let fluid = Fluid { density: 1e-9, ..WATER };
        let drag = |law| Drag { law, fluid_velocity: DVec3::ZERO }.force(1e-3, DVec3::X, || 0.7).x;
        let stokes = drag(DragLaw::Stokes { viscosity: fluid.viscosity });
        let found = drag(DragLaw::WenYu { fluid, cell: 0.01 }) / stokes;
        assert!((found / 0.7f64.powf(-2.65) - 1.0).abs() < 1e-5, "{found}");
    }
}
