//! Laws of wear: the volume that particles take off a wall.
//!
//! **Sliding**, J. F. Archard, Journal of Applied Physics 24 (1953) 981: `V = k F s / H`.
//!
//! **Impacts**, I. Finnie, Wear 3 (1960) 87: `V = c m v² f(α)`, with `f = sin 2α − 3 sin² α` where `tan α ≤ 1/3`, and `cos² α / 3` beyond. A particle
//! that cuts leaves the surface while it still moves along it in the first case, and comes to a halt in it in the second.
//!
//! | symbol | meaning | unit |
//! |---|---|---|
//! | F | normal force | N |
//! | s | sliding distance of the contact point along the wall | m |
//! | H | hardness of the wall | Pa |
//! | k | wear coefficient | - |
//! | m, v | mass of the particle, its speed against the wall at the contact point | kg, m/s |
//! | α | angle between that velocity and the surface | rad |
//! | c | volume worn per energy; Finnie's 1/(ψ K p) | m³/J |

use serde::{Deserialize, Serialize};

/// What wears a wall.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Wear {
    /// Archard's k/H \[1/Pa\], if sliding does.
    pub archard: Option<f64>,
    /// Finnie's c \[m³/J\], if impacts do.
    pub finnie: Option<f64>,
}

impl Wear {
    /// Whether anything does.
    pub fn is_any(&self) -> bool {
        self.archard.is_some() || self.finnie.is_some()
    }
}

/// First touch of a particle and a wall.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Impact {
    /// Mass that it moves \[kg\].
    pub mass: f64,
    /// Speed towards the wall \[m/s\].
    pub normal: f64,
    /// Speed along the wall \[m/s\].
    pub tangential: f64,
}

impl Impact {
    /// `m v² f(α)` \[J\].
    pub fn cutting_energy(&self) -> f64 {
        let Self { mass, normal, tangential } = *self;
        if normal <= 0.0 {
            return 0.0;
        }
        // v sin α = normal, v cos α = tangential
        let squares = if 3.0 * normal <= tangential {
            2.0 * normal * tangential - 3.0 * normal * normal
        } else {
            tangential * tangential / 3.0
        };
        mass * squares
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As it stands in the paper, with angles.
    fn finnie(mass: f64, speed: f64, angle: f64) -> f64 {
        let f = if libm::tan(angle) <= 1.0 / 3.0 {
            libm::sin(2.0 * angle) - 3.0 * libm::sin(angle) * libm::sin(angle)
        } else {
            libm::cos(angle) * libm::cos(angle) / 3.0
        };
        mass * speed * speed * f
    }

    #[test]
    fn cutting_energy_is_that_of_finnie_at_all_angles() {
        for degree in 1..90 {
            let (angle, speed) = (f64::from(degree).to_radians(), 3.0);
            let impact = Impact { mass: 0.2, normal: speed * libm::sin(angle), tangential: speed * libm::cos(angle) };
            let (found, expected) = (impact.cutting_energy(), finnie(0.2, speed, angle));
            assert!((found - expected).abs() < 1e-14, "{degree}: {found} {expected}");
        }
    }

    #[test]
    fn both_branches_meet_and_the_worst_angle_is_that_of_finnie() {
        let at = |degrees: f64| {
            let angle = degrees.to_radians();
            Impact { mass: 1.0, normal: libm::sin(angle), tangential: libm::cos(angle) }.cutting_energy()
        };
        let border = libm::atan(1.0 / 3.0).to_degrees();
        assert!((at(border - 1e-9) - at(border + 1e-9)).abs() < 1e-10);
        // d/dα (sin 2α − 3 sin² α) = 0: tan 2α = 2/3
        let worst = 0.5 * libm::atan(2.0 / 3.0).to_degrees();
        assert!((1..90).all(|degree| at(f64::from(degree)) <= at(worst)));
        assert!((worst - 16.845).abs() < 1e-3);
        assert_eq!(Impact { mass: 1.0, normal: -1.0, tangential: 1.0 }.cutting_energy(), 0.0);
        assert!(at(90.0) < 1e-30, "no cutting straight on");
    }
}
