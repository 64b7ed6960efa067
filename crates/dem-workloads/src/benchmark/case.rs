//! The workloads.

use super::options::refused;
use super::shipped::{HOPPER, PERIODIC, POLYDISPERSE, SETTLED, Shipped};
use super::surroundings::Surroundings;
use crate::error::WorkloadError;

/// A workload.
#[derive(Debug)]
pub struct Case {
    /// Name on the command line.
    pub name: &'static str,
    /// One sentence.
    pub summary: &'static str,
    /// The shipped packing.
    pub(super) packing: &'static Shipped,
    /// Contact law.
    pub law: &'static str,
    /// Steps before the timing.
    pub warm_up: u64,
    /// Timed steps.
    pub steps: u64,
    /// Root mean square of the speeds at the start \[m/s\].
    pub stir: f64,
    /// What is around the spheres.
    pub(super) surroundings: Surroundings,
    /// Whether spheres that touch are joined in pairs, rigid bodies.
    pub(super) joined: bool,
    /// Names of materials that the spheres of a packing without any are given by lot.
    pub(super) lots: &'static [&'static str],
    /// Time step \[s\].
    pub(super) time_step: f64,
    /// Young's modulus \[Pa\].
    pub(super) young_modulus: f64,
    /// Dashpots.
    pub(super) damping: Damping,
}

/// Dashpots of a workload.
#[derive(Debug)]
pub(super) enum Damping {
    /// Of a restitution, and tangential ones with a share of the viscosity of the normal ones, for laws that know shares.
    Restitution { restitution: f64, share: f64 },
    /// Normal and tangential viscosity over the effective mass \[1/s\], and the shares of critical damping that are nearest to it, for laws that
    /// know no rates.
    Rates { rates: [f64; 2], ratios: [f64; 2] },
}

impl Damping {
    /// Lines of a scene, of the parameters that a law takes.
    pub fn lines(&self, takes: impl Fn(&str) -> bool) -> String {
        let given = match *self {
            Self::Restitution { restitution, share } => {
                vec![("restitution", restitution), ("tangential_damping_share", share)]
            }
            Self::Rates { rates: [normal, tangential], .. } if takes("damping_rate") => {
                vec![("damping_rate", normal), ("tangential_damping_rate", tangential)]
            }
            Self::Rates { ratios: [normal, tangential], .. } => {
                vec![("damping_ratio", normal), ("tangential_damping_ratio", tangential)]
            }
        };
        given.into_iter().filter(|(name, _)| takes(name)).map(|(name, value)| format!("{name} = {value:?}\n")).collect()
    }
}

/// A restitution of one half, and half the viscosity tangentially, the ratio that `gran/hertz/history` of LAMMPS takes unless told otherwise.
const HALF: Damping = Damping::Restitution { restitution: 0.5, share: 0.5 };

/// Of linear springs; the ratios are those of two spheres of 1 mm.
const SPRINGS: Damping = Damping::Rates { rates: [5000.0, 2500.0], ratios: [0.0572, 0.0286] };

/// All workloads.
pub static CASES: &[Case] = &[
    Case {
        name: "settled",
        summary: "equal spheres at rest on a floor, periodic in x and y",
        packing: &SETTLED,
        law: "hertz-mindlin",
        warm_up: 200,
        steps: 1000,
        stir: 0.0,
        surroundings: Surroundings::Floor,
        joined: false,
        lots: &[],
        time_step: 4.28e-6,
        young_modulus: 1e7,
        damping: HALF,
    },
    Case {
        name: "stir",
        summary: "the same bed with Gaussian velocities of 0.5 m/s",
        packing: &SETTLED,
        law: "hertz-mindlin",
        warm_up: 0,
        steps: 2000,
        stir: 0.5,
        surroundings: Surroundings::Floor,
        joined: false,
        lots: &[],
        time_step: 4.28e-6,
        young_modulus: 1e7,
        damping: HALF,
    },
    Case {
        name: "periodic",
        summary: "spheres of 0.8 to 1.2 mm in a fully periodic cell, linear springs of 10 kN/m",
        packing: &PERIODIC,
        law: "linear",
        warm_up: 0,
        steps: 2000,
        stir: 0.0,
        surroundings: Surroundings::Cell,
        joined: false,
        lots: &[],
        time_step: 1e-6,
        young_modulus: 1e7,
        damping: SPRINGS,
    },
    Case {
        name: "polydisperse",
        summary: "radii of 0.25 to 5 mm with a number density that falls with the fourth power, fully periodic",
        packing: &POLYDISPERSE,
        law: "hertz-mindlin",
        warm_up: 200,
        steps: 1000,
        stir: 0.0,
        surroundings: Surroundings::Cell,
        joined: false,
        lots: &[],
        time_step: 1e-6,
        young_modulus: 1e7,
        damping: HALF,
    },
    Case {
        name: "mixture",
        summary: "the bed of settled, its spheres of two materials by lot, whose constants are equal",
        packing: &SETTLED,
        law: "hertz-mindlin",
        warm_up: 200,
        steps: 1000,
        stir: 0.0,
        surroundings: Surroundings::Floor,
        joined: false,
        lots: &["m", "n"],
        time_step: 4.28e-6,
        young_modulus: 1e7,
        damping: HALF,
    },
    Case {
        name: "dimers",
        summary: "the bed of settled, spheres that touch joined in rigid pairs",
        packing: &SETTLED,
        law: "hertz-mindlin",
        warm_up: 200,
        steps: 1000,
        stir: 0.0,
        surroundings: Surroundings::Floor,
        joined: true,
        lots: &[],
        time_step: 4.28e-6,
        young_modulus: 1e7,
        damping: HALF,
    },
    Case {
        name: "shear",
        summary: "the spheres of periodic, sheared at 20/s in a cell that holds its normal stresses",
        packing: &PERIODIC,
        law: "linear",
        warm_up: 200,
        steps: 2000,
        stir: 0.0,
        surroundings: Surroundings::Sheared,
        joined: false,
        lots: &[],
        time_step: 1e-6,
        young_modulus: 1e7,
        damping: SPRINGS,
    },
    Case {
        name: "hopper",
        summary: "7,000 spheres of three materials, radii of 0.8 to 6 mm, run out of a hopper that is a mesh",
        packing: &HOPPER,
        law: "hertz-mindlin",
        warm_up: 200,
        steps: 4000,
        stir: 0.0,
        surroundings: Surroundings::Hopper,
        joined: false,
        lots: &[],
        time_step: 2.8e-6,
        young_modulus: 4e7,
        damping: Damping::Restitution { restitution: 0.4, share: 0.5 },
    },
];

/// Names of the broadphases that may be asked for, those of `[contact_search]`.
pub const BROADPHASES: [&str; 4] = ["automatic", "cell_list", "hierarchical_grid", "kd_tree"];

/// The workload of a name.
pub fn find(name: &str) -> Result<&'static Case, WorkloadError> {
    CASES.iter().find(|case| case.name == name).ok_or_else(|| {
        let names: Vec<&str> = CASES.iter().map(|case| case.name).collect();
        refused("CASE", name, &format!("one of {}", names.join(", ")))
    })
}
