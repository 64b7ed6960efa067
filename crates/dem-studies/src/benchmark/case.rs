//! The workloads.

use std::path::Path;

use dem_contact::registry;

use super::packing::{HOPPER, PERIODIC, POLYDISPERSE, Packing, SETTLED, Shipped};
use super::surroundings::Surroundings;
use super::{Options, refused};
use crate::error::StudyError;
use crate::selection::one_of;

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
    /// Names of materials that the spheres of a packing without any are given by lot.
    pub(super) lots: &'static [&'static str],
    /// Time step \[s\].
    time_step: f64,
    /// Young's modulus \[Pa\].
    young_modulus: f64,
    /// Dashpots.
    damping: Damping,
}

/// Dashpots of a workload.
#[derive(Debug)]
enum Damping {
    /// Of a restitution, and tangential ones with a share of the viscosity of the normal ones, for laws that know shares.
    Restitution { restitution: f64, share: f64 },
    /// Normal and tangential viscosity over the effective mass \[1/s\], and the shares of critical damping that are nearest to it, for laws that
    /// know no rates.
    Rates { rates: [f64; 2], ratios: [f64; 2] },
}

impl Damping {
    /// Lines of a scene, of the parameters that a law takes.
    fn lines(&self, takes: impl Fn(&str) -> bool) -> String {
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
        lots: &["m", "n"],
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
        lots: &[],
        time_step: 2.8e-6,
        young_modulus: 4e7,
        damping: Damping::Restitution { restitution: 0.4, share: 0.5 },
    },
];

/// Names of the broadphases that may be asked for, those of `[contact_search]`.
pub const BROADPHASES: [&str; 4] = ["automatic", "cell_list", "hierarchical_grid", "kd_tree"];

/// Stiffness of linear springs \[N/m\] and its share for the tangential one.
const STIFFNESS: &str = "normal_stiffness = 1e4\nstiffness_ratio = 1";

/// The workload of a name.
pub fn find(name: &str) -> Result<&'static Case, StudyError> {
    CASES.iter().find(|case| case.name == name).ok_or_else(|| {
        let names: Vec<&str> = CASES.iter().map(|case| case.name).collect();
        refused("CASE", name, &format!("one of {}", names.join(", ")))
    })
}

impl Case {
    /// The scene with a law and a packing from a table, as options have it.
    pub(super) fn scene(
        &self,
        law: &str,
        options: &Options,
        packing: &Packing,
        table: &Path,
    ) -> Result<String, StudyError> {
        let broadphase = options.broadphase.as_deref().unwrap_or(BROADPHASES[0]);
        if !BROADPHASES.contains(&broadphase) {
            return Err(refused("--broadphase", broadphase, &format!("one of {}", BROADPHASES.join(", "))));
        }
        let Some(entry) = registry::find(law) else {
            let names = registry::keys();
            return Err(refused("--law", law, &one_of(law, &names)));
        };
        let parameters = (entry.parameters)();
        let takes = |name: &str| parameters.iter().any(|parameter| parameter.name == name);
        let mut contact = format!("law = \"{law}\"\nfriction = 0.5\n{}", self.damping.lines(takes));
        if law == "combination" {
            contact += "normal = \"linear\"\ntangential = \"spring-slider\"\n";
        }
        if law == "combination" || takes("normal_stiffness") {
            contact += STIFFNESS;
        }
        if takes("unloading") {
            // the rule of the codes that the workloads are compared with, and the one that needs no works
            contact += "\nunloading = \"none\"";
        }
        if !options.works && takes("work_bookkeeping") {
            contact += "\nwork_bookkeeping = false";
        }
        let around = self.surroundings.scene(self, options, packing, table)?;
        Ok(format!(
            r#"
[time]
step = {step:e}
[contact_search]
broadphase = "{broadphase}"
[contact]
{contact}
{around}
[[particles]]
name = "bed"
material = "{material}"
fill = {{ type = "file", path = {table:?}, max_overlap = {max_overlap:?} }}
[output]
orientations = {orientations}
"#,
            material = self.surroundings.material(),
            orientations = options.orientations,
            step = self.time_step,
            max_overlap = self.packing.max_overlap,
        ))
    }

    /// Materials of beds.
    pub(super) fn materials(&self) -> String {
        let names = if self.lots.is_empty() { &["m"] } else { self.lots };
        let young = self.young_modulus;
        let line =
            |name| format!("[materials.{name}]\ndensity = 2500\nyoung_modulus = {young:e}\npoisson_ratio = 0.25\n");
        names.iter().map(line).collect()
    }
}
