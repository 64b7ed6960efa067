//! Sources of particles as a user writes them.

use std::path::PathBuf;

use dem_io::units::{AngularVelocity, Length, Mass, MassRate, NumberRate, Quantity, Ratio};
use schemars::JsonSchema;
use serde::Deserialize;

use super::clump::OrientationScene;
use super::quantities::{LengthVector, VelocityVector};

/// A source of particles.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SourceScene {
    /// Name, unique among the sources.
    pub name: String,
    /// Material of its particles; none beside a clump whose spheres have materials.
    pub material: Option<String>,
    /// Name of a clump: the particles are rigid bodies of this shape. Default: spheres.
    pub clump: Option<String>,
    /// How bodies are turned. Default: random.
    pub orientation: Option<OrientationScene>,
    /// Size of all bodies in proportion to the clump, in place of sizes. Default: 1.
    pub scale: Option<Quantity<Ratio>>,
    /// Group of its particles.
    pub group: Option<String>,
    /// Sizes, of bodies the radius of the sphere of equal volume; not with a file, which has its own. Bodies have that of the clump without.
    pub sizes: Option<SizeScene>,
    /// Where particles appear; they lie fully inside. Not with a file.
    pub region: Option<RegionScene>,
    /// How they are placed.
    pub fill: FillScene,
    /// Thickness of the film of liquid on each sphere; alternative to liquid_content. Films fill liquid bridges with `bridge_liquid = "films"`. Default: dry.
    pub liquid_film: Option<Quantity<Length>>,
    /// Volume of the liquid on each sphere in proportion to that of the sphere; alternative to liquid_film. Default: dry.
    pub liquid_content: Option<Quantity<Ratio>>,
    /// Initial velocity. Default: at rest.
    pub velocity: Option<VelocityVector>,
    /// Initial angular velocity. Default: none.
    pub angular_velocity: Option<[Quantity<AngularVelocity>; 3]>,
}

/// Sizes of the spheres, or of the spheres of equal volume of bodies.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum SizeScene {
    /// All equal.
    Single {
        /// Radius.
        radius: Quantity<Length>,
    },
    /// Uniform distribution of the radius by number.
    Uniform {
        /// Smallest radius.
        min: Quantity<Length>,
        /// Largest radius.
        max: Quantity<Length>,
    },
    /// Normal distribution of the radius by number, truncated.
    Normal {
        /// Mean radius before truncation.
        mean: Quantity<Length>,
        /// Standard deviation before truncation.
        standard_deviation: Quantity<Length>,
        /// Smallest radius.
        min: Quantity<Length>,
        /// Largest radius.
        max: Quantity<Length>,
    },
    /// Lognormal distribution of the radius by number, truncated.
    Lognormal {
        /// Median radius before truncation.
        median: Quantity<Length>,
        /// Geometric standard deviation, above 1.
        geometric_standard_deviation: f64,
        /// Smallest radius.
        min: Quantity<Length>,
        /// Largest radius.
        max: Quantity<Length>,
    },
    /// Table of radii and shares.
    Table {
        /// Radii.
        radii: Vec<Quantity<Length>>,
        /// Share of each radius; with `interpolate` the share passing, from 0 at the first radius up to all at the last.
        weights: Vec<f64>,
        /// Whether the shares are of the number or of the mass. Default: number.
        #[serde(default)]
        by: TableBy,
        /// Whether the table is a sieve curve, straight between its points, rather than a list of sizes.
        #[serde(default)]
        interpolate: bool,
    },
}

/// What the weights of a size table refer to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum TableBy {
    /// Of the number of particles.
    #[default]
    Number,
    /// Of the mass.
    Mass,
}

/// A region of space.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum RegionScene {
    /// Box along the axes.
    Box {
        /// Lower corner.
        min: LengthVector,
        /// Upper corner.
        max: LengthVector,
    },
    /// Cylinder.
    Cylinder {
        /// Centre of the lower end. Default: the origin.
        base: Option<LengthVector>,
        /// Direction of the axis. Default: z.
        axis: Option<[f64; 3]>,
        /// Radius.
        radius: Quantity<Length>,
        /// Length along the axis.
        height: Quantity<Length>,
    },
    /// Sphere.
    Sphere {
        /// Centre. Default: the origin.
        centre: Option<LengthVector>,
        /// Radius.
        radius: Quantity<Length>,
    },
    /// Frustum.
    Frustum {
        /// Centre of the lower end. Default: the origin.
        base: Option<LengthVector>,
        /// Direction of the axis. Default: z.
        axis: Option<[f64; 3]>,
        /// Radius at the base.
        base_radius: Quantity<Length>,
        /// Radius at the other end.
        top_radius: Quantity<Length>,
        /// Length along the axis.
        height: Quantity<Length>,
    },
}

/// A lattice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum LatticeName {
    /// Simple cubic.
    SimpleCubic,
    /// Face-centred cubic.
    Fcc,
    /// Hexagonal close-packed.
    Hcp,
}

/// How particles are placed. They never overlap each other or a wall.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum FillScene {
    /// On the sites of a lattice, at the start.
    Lattice {
        /// Which lattice. Default: simple cubic.
        lattice: Option<LatticeName>,
        /// Distance of nearest sites. Default: the largest diameter and the gap.
        spacing: Option<Quantity<Length>>,
        /// Gap between the largest spheres in proportion to their diameter, if no spacing is given. Default: 0.01.
        gap: Option<Quantity<Ratio>>,
        /// Random displacement as a share of the free gap, 0 to 1. Default: 0.
        jitter: Option<Quantity<Ratio>>,
        /// Stop after so many. Default: as many as fit.
        count: Option<u64>,
    },
    /// At random places (random sequential addition), at the start.
    Random {
        /// How many; alternative to packing_fraction.
        count: Option<u64>,
        /// Share of the region's volume to fill; alternative to count.
        packing_fraction: Option<Quantity<Ratio>>,
        /// Smallest distance between surfaces. Default: 0.
        gap: Option<Quantity<Length>>,
        /// Fix one coordinate of all centres: a monolayer.
        plane: Option<PlaneScene>,
    },
    /// From a table x,y,z,r (or radius, d, diameter) and optional vx,vy,vz,wx,wy,wz,qx,qy,qz,qw,material,id in SI; gzip is recognised. Of bodies x,y,z is
    /// the centre of mass, r the radius of the sphere of equal volume, and the quaternion qx,qy,qz,qw stands in place of `orientation`.
    File {
        /// Path, relative to the scene.
        path: PathBuf,
        /// Length of one unit of the coordinates and radii or diameters of the table, for example "1 mm"; all other numbers are in SI. Default: 1 m.
        unit: Option<Quantity<Length>>,
        /// Largest overlap of its particles with each other and with walls in proportion to the smaller radius. Default: 1e-6; a settled packing needs more.
        max_overlap: Option<Quantity<Ratio>>,
    },
    /// Poured during the run at random free places of the region.
    Pour {
        /// Particles per time; alternative to mass_rate.
        rate: Option<Quantity<NumberRate>>,
        /// Mass per time; alternative to rate.
        mass_rate: Option<Quantity<MassRate>>,
        /// Stop after so many.
        count: Option<u64>,
        /// Stop after so much mass.
        mass: Option<Quantity<Mass>>,
        /// Whether it pours from the start; an action `start_pouring` of a stage starts it otherwise.
        #[serde(default = "yes")]
        active: bool,
    },
}

impl FillScene {
    /// Whether particles appear during the run instead of at its start.
    pub fn pours(&self) -> bool {
        matches!(self, Self::Pour { .. })
    }
}

fn yes() -> bool {
    true
}

/// A plane perpendicular to an axis.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PlaneScene {
    /// Axis perpendicular to the plane.
    pub axis: AxisScene,
    /// Coordinate on that axis.
    pub coordinate: Quantity<Length>,
}

/// An axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum AxisScene {
    /// x
    X,
    /// y
    Y,
    /// z
    Z,
}
