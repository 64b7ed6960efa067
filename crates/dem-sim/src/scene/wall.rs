//! Walls as a user writes them.

use std::path::PathBuf;

use dem_io::units::{Angle, AngularVelocity, Frequency, Length, Quantity, Ratio};
use schemars::JsonSchema;
use serde::Deserialize;

use super::quantities::{LengthVector, VelocityVector};
use super::servo::ServoScene;

/// A wall.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WallScene {
    /// Name, unique among the walls.
    pub name: String,
    /// Material.
    pub material: String,
    /// Shape.
    pub shape: ShapeScene,
    /// Prescribed motion. Default: at rest.
    pub motion: Option<MotionScene>,
    /// Whether the wall is there from the start; otherwise an action `add_wall` of a stage adds it.
    #[serde(default = "yes")]
    pub active: bool,
    /// Largest overlap of the wall with spheres when it is added, relative to their radius: with spheres of a table, by `add_wall`, and by
    /// `--from` beyond the overlap in the saved state. The elastic energy of these overlaps is booked as exchanged energy, with a warning.
    /// Default: 1e-6.
    pub max_overlap: Option<Quantity<Ratio>>,
    /// Whether the curvature of a cylinder, cone or sphere enters the effective radius. Default: no.
    #[serde(default)]
    pub curved_contact: bool,
    /// Whether the force at a distance of `contact.near_field` acts between particles and the wall, over the distance of a centre from the
    /// nearest point of the wall. Default: no.
    #[serde(default)]
    pub near_field: bool,
}

fn yes() -> bool {
    true
}

/// A face of a box.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum BoxFace {
    /// Low x.
    XMin,
    /// High x.
    XMax,
    /// Low y.
    YMin,
    /// High y.
    YMax,
    /// Low z.
    ZMin,
    /// High z.
    ZMax,
}

/// Shape of a wall. All but the plane are thin and can be touched from both sides, edges and rims included.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum ShapeScene {
    /// Half-space behind a plane.
    Plane {
        /// A point of the plane. Default: the origin.
        point: Option<LengthVector>,
        /// Normal towards the particles, any length.
        normal: [f64; 3],
    },
    /// Finite rectangle.
    Rectangle {
        /// Centre.
        centre: LengthVector,
        /// First edge, full length.
        edge_u: LengthVector,
        /// Second edge, full length, perpendicular to the first.
        edge_v: LengthVector,
    },
    /// Container with faces along the axes.
    Box {
        /// Lower corner.
        min: LengthVector,
        /// Upper corner.
        max: LengthVector,
        /// Faces that are missing. Default: none.
        #[serde(default)]
        open: Vec<BoxFace>,
    },
    /// Lateral surface of a cylinder, inside and outside.
    Cylinder {
        /// Centre of the lower end. Default: the origin.
        base: Option<LengthVector>,
        /// Direction of the axis, any length. Default: z.
        axis: Option<[f64; 3]>,
        /// Radius.
        radius: Quantity<Length>,
        /// Length along the axis. Default: unlimited.
        height: Option<Quantity<Length>>,
    },
    /// Lateral surface of a frustum: cone, hopper.
    Frustum {
        /// Centre of the lower end. Default: the origin.
        base: Option<LengthVector>,
        /// Direction of the axis, any length. Default: z.
        axis: Option<[f64; 3]>,
        /// Radius at the base.
        base_radius: Quantity<Length>,
        /// Radius at the other end.
        top_radius: Quantity<Length>,
        /// Length along the axis.
        height: Quantity<Length>,
    },
    /// Disc, or ring if it has a hole.
    Disc {
        /// Centre. Default: the origin.
        centre: Option<LengthVector>,
        /// Normal, any length. Default: z.
        normal: Option<[f64; 3]>,
        /// Radius.
        radius: Quantity<Length>,
        /// Radius of the hole. Default: none.
        inner_radius: Option<Quantity<Length>>,
    },
    /// Spherical shell, inside and outside.
    Sphere {
        /// Centre. Default: the origin.
        centre: Option<LengthVector>,
        /// Radius.
        radius: Quantity<Length>,
    },
    /// Triangles of an STL, OBJ or PLY file, told by its ending. The orientation of facets and normals does not matter.
    Mesh {
        /// Path, relative to the scene.
        file: PathBuf,
        /// Length of one unit of the file, which the formats do not specify: often "1 mm".
        unit: Quantity<Length>,
        /// Factor beside the unit. Default: 1.
        scale: Option<Quantity<Ratio>>,
        /// Turns the mesh about the origin of the file. Default: not turned.
        rotation: Option<RotationScene>,
        /// Where the origin of the file is. Default: the origin.
        position: Option<LengthVector>,
    },
}

/// A rotation.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RotationScene {
    /// Axis, any length.
    pub axis: [f64; 3],
    /// Angle, by the right-hand rule about the axis.
    pub angle: Quantity<Angle>,
}

/// Prescribed motion: a velocity, an oscillation and a rotation, superposed, or a table. With `servo` the wall is force-controlled instead; it
/// may then also have a velocity perpendicular to the direction of the force and a rotation about it.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MotionScene {
    /// Constant velocity.
    pub velocity: Option<VelocityVector>,
    /// Amplitude of an oscillation A (sin(2πft + phase) − sin phase).
    pub amplitude: Option<LengthVector>,
    /// Frequency f of the oscillation.
    pub frequency: Option<Quantity<Frequency>>,
    /// Phase of the oscillation.
    pub phase: Option<Quantity<Angle>>,
    /// Angular velocity about `origin`.
    pub angular_velocity: Option<[Quantity<AngularVelocity>; 3]>,
    /// Fixed point of the rotation; torques are reported about it. Default: the shape's own base, centre or point.
    pub origin: Option<LengthVector>,
    /// Tangential velocity of the surface relative to the wall, as of a conveyor belt. Along a plane, rectangle or disc, or the axis of a cylinder;
    /// of a box and a mesh its part along each face counts.
    pub surface_velocity: Option<VelocityVector>,
    /// Path of a CSV file, relative to the scene, with the columns `time` \[s\] and some of `x`, `y`, `z` \[m\] and `angle` \[rad\], as differences from
    /// the first row; interpolated by a monotone cubic. Not together with velocity, amplitude, angular_velocity and servo.
    pub table: Option<PathBuf>,
    /// Axis of the angle of the table through `origin`, any length.
    pub axis: Option<[f64; 3]>,
    /// What happens after the last row of the table. Default: the wall stays there.
    pub table_ends: Option<TableEndsScene>,
    /// Moves the wall so that it presses with a pressure or a force.
    pub servo: Option<Box<ServoScene>>,
}

/// What a wall does after the last row of its table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum TableEndsScene {
    /// It begins at rest and stays at rest after the last row.
    Stay,
    /// The table begins again, from where the wall is.
    Repeat,
}
