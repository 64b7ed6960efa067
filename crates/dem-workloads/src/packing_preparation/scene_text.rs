//! The scenes in which packings are prepared, as texts.

use std::fmt::Write as _;
use std::path::Path;

use dem_core::DVec3;
use dem_io::document::Override;
use dem_sim::builder::{LoadedScene, parse_scene_in};

use super::extent::Extent;
use super::layout::{GRAVITY, Layout};
use super::options::{Container, Method, Options, Start};
use super::spheres::Spheres;
use crate::error::WorkloadError;

/// Where the spheres of a scene come from.
pub enum Source<'a> {
    /// Random places in the region of the layout.
    Placed,
    /// A table in a folder, and the cell it fills.
    Table {
        /// Folder of the table.
        folder: &'a Path,
        /// Its name.
        name: &'a str,
        /// The spheres in it.
        spheres: &'a Spheres,
    },
}

/// What is to be reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Nothing moves.
    Nothing,
    /// Stress is measured while something else than the cell changes.
    Measure,
    /// Rest under gravity, or the pressure in equilibrium.
    Equilibrium,
}

/// A scene of a preparation.
pub struct SceneText<'a> {
    /// What is asked of the packing.
    pub options: &'a Options,
    /// What follows from that.
    pub layout: &'a Layout,
    /// Friction coefficient \[-\].
    pub friction: f64,
}

/// A vector as TOML.
fn toml(v: DVec3) -> String {
    format!("[{:?}, {:?}, {:?}]", v.x, v.y, v.z)
}

impl SceneText<'_> {
    /// The scene.
    ///
    /// # Errors
    /// Sizes, a material or a contact law that are none.
    pub fn load(&self, source: &Source, stage: Stage) -> Result<LoadedScene, WorkloadError> {
        let mut changes = Vec::new();
        let mut change = |text: String| -> Result<(), WorkloadError> {
            changes.push(Override::parse(&text)?);
            Ok(())
        };
        if let Some(clump) = &self.options.clump {
            change(format!("clumps.{CLUMP}={clump}"))?;
        }
        if let Some(material) = &self.options.material {
            change(format!("materials.grain={material}"))?;
        }
        if let Some(contact) = &self.options.contact {
            change(format!("contact={contact}"))?;
        }
        if matches!(source, Source::Placed) {
            change(format!("particles.packing.sizes={}", self.options.sizes))?;
        }
        change(format!("contact.friction={:?}", self.friction))?;
        let folder = match source {
            Source::Table { folder, .. } => folder,
            Source::Placed => Path::new(""),
        };
        Ok(parse_scene_in(folder, "packing", &self.text(source, stage), &changes)?)
    }

    fn text(&self, source: &Source, stage: Stage) -> String {
        let (options, layout) = (self.options, self.layout);
        let is_deposition = options.method == Method::Deposition;
        let time = layout.time(options);
        let mut text = format!(
            "title = \"packing by {}\"\nseed = {}\n\n[fields]\ngravity = [0, 0, {:?}]\nlocal_damping = {:?}\n",
            options.method.name(),
            options.seed,
            if is_deposition { -GRAVITY } else { 0.0 },
            // free fall stays what it is; in a cell without gravity equilibrium is found sooner
            if options.method.imposes_pressure() { LOCAL_DAMPING } else { 0.0 },
        );
        let stiffness = layout.stiffness;
        let _ = write!(
            text,
            "\n[materials.grain]\ndensity = 2500\nyoung_modulus = {:?}\npoisson_ratio = 0.25\n\n\
             [contact]\nlaw = \"linear\"\nnormal_stiffness = {stiffness:?}\nrestitution = {RESTITUTION:?}\nfriction = 0\n",
            // not used by linear springs; such that waves are no faster in the grains than through their contacts
            stiffness / layout.diameter,
        );
        let clump = match options.clump {
            // overridden with the shape that is asked for
            Some(_) => {
                let _ = write!(text, "\n[clumps.{CLUMP}]\nspheres = []\n");
                format!("clump = \"{CLUMP}\"\n")
            }
            None => String::new(),
        };
        self.write_space(&mut text, source);
        match source {
            Source::Placed => {
                let region = match options.container {
                    Container::Cylinder => format!(
                        "{{ type = \"cylinder\", radius = {:?}, height = {:?} }}",
                        0.5 * layout.size.x,
                        layout.size.z
                    ),
                    _ => format!("{{ type = \"box\", min = [0, 0, 0], max = {} }}", toml(layout.size)),
                };
                let count = options.count;
                let fill = match options.start {
                    Start::Random => format!("{{ type = \"random\", count = {count} }}"),
                    Start::Lattice => format!(
                        "{{ type = \"lattice\", spacing = {:?}, jitter = {JITTER:?}, count = {count} }}",
                        layout.size.x / options.lattice_edge() as f64 * (1.0 - STRETCH)
                    ),
                };
                let _ = write!(
                    text,
                    "\n[[particles]]\nname = \"packing\"\nmaterial = \"grain\"\n{clump}sizes = {{ type = \"single\", radius = 1 }}\n\
                     region = {region}\nfill = {fill}\n",
                );
            }
            Source::Table { name, .. } => {
                let _ = write!(
                    text,
                    "\n[[particles]]\nname = \"packing\"\nmaterial = \"grain\"\n{clump}\
                     fill = {{ type = \"file\", path = \"{name}\", max_overlap = 1 }}\n"
                );
            }
        }
        self.write_stage(&mut text, stage);
        let _ = write!(
            text,
            "\n[at_rest]\nkinetic_energy = 1e-6\nunbalanced_force = 1e-3\nduration = {:?}\n\n\
             [output]\nseries = {:?}\nsnapshots = {:?}\ncheckpoints = 1e9\n",
            2.0 * time,
            0.5 * time,
            50.0 * time
        );
        text
    }

    /// Domain and walls.
    fn write_space(&self, text: &mut String, source: &Source) {
        let options = self.options;
        let extent = match source {
            Source::Placed => self.layout.extent(options),
            Source::Table { spheres, .. } => spheres.extent,
        };
        let (Extent { low, high }, size) = (extent, extent.size());
        // what is deposited falls in through the top; what presses on its container needs all of it
        let is_closed = options.method.imposes_pressure();
        let floor = |shape: String| format!("\n[[walls]]\nname = \"floor\"\nmaterial = \"grain\"\nshape = {shape}\n");
        match (options.container, options.method) {
            (Container::Periodic, Method::Deposition) => {
                let margin = DVec3::Z * self.layout.diameter;
                let _ = write!(
                    text,
                    "\n[domain]\nmin = {}\nmax = {}\nx = \"periodic\"\ny = \"periodic\"\nz = \"error\"\n{}",
                    toml(-margin),
                    toml(size + margin),
                    floor("{ type = \"plane\", normal = [0, 0, 1] }".to_owned())
                );
            }
            (Container::Periodic, method) => {
                let _ = write!(
                    text,
                    "\n[domain]\nmin = {}\nmax = {}\nx = \"periodic\"\ny = \"periodic\"\nz = \"periodic\"\n",
                    toml(low),
                    toml(high)
                );
                if method.imposes_pressure() {
                    text.push_str("\n[cell]\npositive = \"compression\"\n");
                }
            }
            (Container::Box, _) => {
                let _ = write!(
                    text,
                    "\n[[walls]]\nname = \"box\"\nmaterial = \"grain\"\n\
                     shape = {{ type = \"box\", min = [0, 0, 0], max = {}{} }}\n",
                    toml(size),
                    if is_closed { "" } else { ", open = [\"z_max\"]" }
                );
            }
            (Container::Cylinder, _) => {
                let (radius, height) = (0.5 * size.x, size.z);
                let _ = write!(
                    text,
                    "{}\n[[walls]]\nname = \"cylinder\"\nmaterial = \"grain\"\n\
                     shape = {{ type = \"cylinder\", radius = {radius:?}, height = {height:?} }}\n",
                    floor(format!("{{ type = \"disc\", radius = {radius:?} }}"))
                );
                if is_closed {
                    let _ = write!(
                        text,
                        "\n[[walls]]\nname = \"lid\"\nmaterial = \"grain\"\n\
                         shape = {{ type = \"disc\", centre = [0, 0, {height:?}], normal = [0, 0, -1], radius = {radius:?} }}\n"
                    );
                }
            }
        }
    }

    fn write_stage(&self, text: &mut String, stage: Stage) {
        let (options, layout) = (self.options, self.layout);
        let body = match (stage, options.method) {
            (Stage::Nothing, _) | (_, Method::RandomSequential) => {
                "name = \"placed\"\nuntil = { steps = 1 }\n".to_owned()
            }
            (Stage::Measure, _) => "name = \"growth\"\nuntil = { steps = 9000000000000000 }\n".to_owned(),
            (Stage::Equilibrium, Method::Deposition) => "name = \"rest\"\nuntil = { at_rest = true }\n".to_owned(),
            (Stage::Equilibrium, _) if options.container != Container::Periodic => format!(
                "name = \"equilibrium\"\n\
                 until = {{ measure = {{ quantity = \"unbalanced_force\", below = {UNBALANCED:?} }} }}\n"
            ),
            (Stage::Equilibrium, _) => format!(
                "name = \"equilibrium\"\ndeform = {{ mean_stress = {:?}, max_rate = {:?} }}\n\
                 until = {{ stress_reached = {{ tolerance = {PRESSURE_TOLERANCE:?}, unbalanced_force = {UNBALANCED:?} }} }}\n",
                layout.pressure,
                options.rate / layout.time(options)
            ),
        };
        let _ = write!(text, "\n[[stages]]\n{body}");
    }
}

/// Name of the clump.
const CLUMP: &str = "grain";
/// Share of what the gap allows by which spheres of a lattice are shifted.
const JITTER: f64 = 1.0;
/// How much smaller the spacing of a lattice is given, so that rounding leaves no site out; the lattice is stretched to its cell.
const STRETCH: f64 = 1e-9;
/// Distance from the pressure asked for that is tolerated, in proportion to it.
pub const PRESSURE_TOLERANCE: f64 = 5e-3;
/// Restitution of the default contact law.
const RESTITUTION: f64 = 0.3;
/// Local damping in periodic cells.
const LOCAL_DAMPING: f64 = 0.5;
/// Mean net force in proportion to the mean contact force at which a periodic cell counts as in equilibrium.
const UNBALANCED: f64 = 1e-3;
