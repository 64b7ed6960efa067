//! The workloads.

use std::path::Path;

use dem_contact::registry;

use super::packing::{PERIODIC, POLYDISPERSE, Packing, SETTLED, Shipped};
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
    /// Whether z is periodic too, and there is no floor.
    pub is_periodic: bool,
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
        is_periodic: false,
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
        is_periodic: false,
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
        is_periodic: true,
        time_step: 1e-6,
        young_modulus: 1e7,
        // the ratios are those of two spheres of 1 mm
        damping: Damping::Rates { rates: [5000.0, 2500.0], ratios: [0.0572, 0.0286] },
    },
    Case {
        name: "polydisperse",
        summary: "radii of 0.25 to 5 mm with a number density that falls with the fourth power, fully periodic",
        packing: &POLYDISPERSE,
        law: "hertz-mindlin",
        warm_up: 200,
        steps: 1000,
        stir: 0.0,
        is_periodic: true,
        time_step: 1e-6,
        young_modulus: 1e7,
        damping: HALF,
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
        let [x, y, z] = packing.period;
        let (below, gravity) = if self.is_periodic { (0.0, 0.0) } else { (-2e-4, -9.81) };
        let (faces, floor) = if self.is_periodic { ("z = \"periodic\"", "") } else { ("z = \"error\"", FLOOR) };
        Ok(format!(
            r#"
[time]
step = {step:e}
[domain]
min = [0, 0, {below}]
max = [{x:?}, {y:?}, {z:?}]
x = "periodic"
y = "periodic"
{faces}
[contact_search]
broadphase = "{broadphase}"
[fields]
gravity = [0, 0, {gravity}]
[materials.m]
density = 2500
young_modulus = {young:e}
poisson_ratio = 0.25
[contact]
{contact}
{floor}
[[particles]]
name = "bed"
material = "m"
fill = {{ type = "file", path = {table:?}, max_overlap = {max_overlap:?} }}
[[stages]]
name = "run"
until = {{ steps = 1000000000 }}
[output]
orientations = {orientations}
"#,
            orientations = options.orientations,
            step = self.time_step,
            max_overlap = self.packing.max_overlap,
            young = self.young_modulus,
        ))
    }
}

const FLOOR: &str = r#"
[[walls]]
name = "floor"
material = "m"
shape = { type = "plane", normal = [0, 0, 1] }
"#;
