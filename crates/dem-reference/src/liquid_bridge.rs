//! Liquid bridges between two equal spheres: solutions of the Young-Laplace equation, which closed forms and regressions approach.
//!
//! Lengths are in units of the radius R, volumes of R³, and forces of 2πRσ with the surface tension σ; gravity is left out. A plane wall counts as a sphere
//! in Derjaguin's approximation: of a sphere of the radius r on a wall R is 2r.

/// The pull of a bridge.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pull {
    /// Volume.
    pub volume: f64,
    /// Contact angle \[degrees\].
    pub angle: f64,
    /// Distance of the surfaces.
    pub distance: f64,
    /// Pull.
    pub force: f64,
}

/// Forces.
pub const PULLS: [Pull; 6] = [
    Pull { volume: 1e-3, angle: 0.0, distance: 0.0, force: 0.9361 },
    Pull { volume: 1e-3, angle: 0.0, distance: 0.0101, force: 0.6149 },
    Pull { volume: 1e-3, angle: 0.0, distance: 0.0303, force: 0.2505 },
    Pull { volume: 1e-3, angle: 0.0, distance: 0.0909, force: 0.0475 },
    Pull { volume: 1e-2, angle: 40.0, distance: 0.0297, force: 0.4666 },
    Pull { volume: 1e-2, angle: 40.0, distance: 0.0891, force: 0.2334 },
];

/// Volume, and distance of the surfaces at which the last bridge of this volume breaks, for a contact angle of zero.
pub const RUPTURES: [[f64; 2]; 3] = [[1e-4, 0.04665], [1e-3, 0.10078], [1e-2, 0.21905]];
