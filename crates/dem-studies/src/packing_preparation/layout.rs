//! The spheres of a packing before they are packed, and the space they get.

use dem_core::DVec3;
use dem_core::particles::sphere_volume;
use dem_sim::builder;
use serde::{Deserialize, Serialize};

use super::options::{Container, DILUTE, Method, Options, Start, WIDTH, refused};
use super::scene_text::{SceneText, Source, Stage};
use crate::error::StudyError;

/// Gravity of depositions \[m/s²\].
pub const GRAVITY: f64 = 9.81;
/// Packing fraction of the first draw \[-\].
const SPARSE: f64 = 0.1;
/// Smallest width of a periodic cell in largest radii at any time; the engine needs a little more than 4.
const LEAST_WIDTH: f64 = 5.0;
/// Smallest gap of a lattice in proportion to the largest diameter: room for spheres to be shifted.
const LATTICE_GAP: f64 = 0.1;
/// Packing fraction that no random packing exceeds, but for wide distributions of sizes \[-\].
const DENSE: f64 = 0.74;

/// What follows from the options before anything moves.
#[derive(Clone, Debug)]
pub struct Layout {
    /// Volume of all spheres \[m³\].
    pub solid: f64,
    /// Mean diameter \[m\].
    pub diameter: f64,
    /// Density \[kg/m³\].
    pub density: f64,
    /// Pressure that springs and rates are measured by: the imposed one, or the weight per area of the floor \[Pa\].
    pub pressure: f64,
    /// Normal stiffness of linear springs \[N/m\].
    pub stiffness: f64,
    /// Lengths of the region in which the spheres are placed first \[m\].
    pub size: DVec3,
    /// Radius of the largest sphere that the sizes allow \[m\].
    pub largest: f64,
}

/// Corners of a container, or of the box around it if it is a cylinder, or of a periodic cell.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Extent {
    /// Lower corner \[m\].
    pub low: DVec3,
    /// Upper corner \[m\].
    pub high: DVec3,
}

impl Extent {
    /// Lengths \[m\].
    pub fn size(self) -> DVec3 {
        self.high - self.low
    }

    /// All lengths multiplied by a factor.
    pub fn scaled(self, factor: f64) -> Self {
        Self { low: self.low * factor, high: self.high * factor }
    }

    /// Volume of a container that fits into it \[m³\].
    pub fn volume(self, container: Container) -> f64 {
        base(container, self.size()) * self.size().z
    }
}

/// Area of the floor of a container with these lengths \[m²\].
fn base(container: Container, size: DVec3) -> f64 {
    let square = size.x * size.y;
    if container == Container::Cylinder { std::f64::consts::FRAC_PI_4 * square } else { square }
}

impl Layout {
    /// Draws the sizes and makes room for them.
    ///
    /// # Errors
    /// Sizes, a material or a contact law that a scene refuses, and a cell that would become too small for its spheres.
    pub fn new(options: &Options) -> Result<Self, StudyError> {
        // sizes do not depend on the places: a first draw in ample room tells their volume
        let mut layout = Self {
            solid: 0.0,
            diameter: 1.0,
            density: 1.0,
            pressure: options.imposed_pressure(),
            stiffness: 1.0,
            size: DVec3::ONE,
            largest: 0.0,
        };
        let text = SceneText { options, layout: &layout, friction: options.friction };
        let empty = text.load(&Source::Placed, Stage::Nothing)?;
        let sizes =
            empty.scene.particles.iter().find_map(|source| source.sizes.as_ref()).map(builder::size_distribution);
        let sizes = sizes.ok_or_else(|| refused("--sizes", &options.sizes, "sizes as in a scene"))?;
        sizes.validate().map_err(|error| refused("--sizes", &options.sizes, format!("valid sizes: {error}")))?;
        layout.solid = options.count as f64 * sizes.mean_volume();
        layout.diameter = 2.0 * sizes.mean_radius();
        layout.largest = sizes.max_radius();
        let dilute = match options.method {
            Method::RandomSequential => options.fraction.unwrap_or(DILUTE),
            _ => DILUTE,
        };
        layout.size = layout.room(options, dilute);
        layout.check_room(options, sizes.mean_radius())?;
        layout.size = layout.room(options, SPARSE);
        let text = SceneText { options, layout: &layout, friction: options.friction };
        let drawn = builder::build(&text.load(&Source::Placed, Stage::Nothing)?)?;
        let world = &drawn.world;
        let p = &world.particles;
        let count = p.len() as f64;
        let largest = p.radius.iter().copied().fold(0.0, f64::max);
        layout.solid = p.sum(|slot| sphere_volume(p.radius[slot]));
        layout.diameter = 2.0 * p.sum(|slot| p.radius[slot]) / count;
        layout.density = p.sum(|slot| p.mass[slot]) / layout.solid;
        layout.size = layout.room(options, dilute);
        if options.method == Method::Deposition {
            layout.pressure = layout.weight() / layout.floor(options);
        }
        layout.stiffness = options.stiffness_number * layout.pressure * layout.diameter;
        layout.check_room(options, largest)?;
        Ok(layout)
    }

    /// Weight of all spheres \[N\].
    pub fn weight(&self) -> f64 {
        self.solid * self.density * GRAVITY
    }

    /// Area of the floor \[m²\].
    pub fn floor(&self, options: &Options) -> f64 {
        base(options.container, self.size)
    }

    /// Where the spheres are placed first.
    pub fn extent(&self, options: &Options) -> Extent {
        let low = match options.container {
            Container::Cylinder => DVec3::new(-0.5, -0.5, 0.0) * self.size,
            _ => DVec3::ZERO,
        };
        Extent { low, high: low + self.size }
    }

    /// Lengths of a region for the spheres at a packing fraction \[m\].
    fn room(&self, options: &Options, fraction: f64) -> DVec3 {
        let mut volume = self.solid / fraction;
        if options.start == Start::Lattice {
            let spacing = 2.0 * self.largest * (1.0 + LATTICE_GAP);
            volume = volume.max(options.count as f64 * spacing * spacing * spacing);
        }
        let upright = options.method == Method::Deposition || options.container != Container::Periodic;
        let width = match (options.width, upright) {
            (None, false) => return DVec3::splat(volume.cbrt()),
            (given, _) => given.unwrap_or(WIDTH) * self.diameter,
        };
        let flat = DVec3::new(width, width, 0.0);
        flat + DVec3::Z * (volume / base(options.container, flat))
    }

    fn check_room(&self, options: &Options, largest: f64) -> Result<(), StudyError> {
        let dense = match options.method {
            Method::Growth | Method::Compression => {
                self.size * (self.solid / (DENSE * self.extent(options).volume(options.container))).cbrt()
            }
            _ => self.size,
        };
        let narrowest = dense.min_element();
        if narrowest >= LEAST_WIDTH * largest {
            return Ok(());
        }
        let allowed = format!(
            "more spheres, or another --width: the space for them becomes {narrowest:.3e} m wide, expected at least {:.3e} m, {LEAST_WIDTH} of the largest radii",
            LEAST_WIDTH * largest
        );
        Err(refused("--count", options.count, allowed))
    }

    /// Time in which the pressure moves a sphere by its diameter \[s\].
    pub fn time(&self, options: &Options) -> f64 {
        match options.method {
            Method::Deposition => (self.diameter / GRAVITY).sqrt(),
            _ => self.diameter * (self.density / self.pressure).sqrt(),
        }
    }
}
