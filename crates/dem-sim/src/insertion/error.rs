//! What can be wrong with a request to insert spheres.

use thiserror::Error;

/// Why spheres could not be generated.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum InsertionError {
    /// A number lies outside what its field allows.
    #[error("{name} is {value}, allowed is {allowed}")]
    Value {
        /// The field.
        name: &'static str,
        /// The value given.
        value: f64,
        /// The allowed values.
        allowed: &'static str,
    },
    /// A size table is malformed.
    #[error("size table: {problem}")]
    Table {
        /// What is wrong, and where.
        problem: String,
    },
    /// A truncated distribution keeps next to nothing between its bounds.
    #[error(
        "size distribution keeps a share of {kept:e} between its smallest radius {min} m and its largest radius {max} m, allowed is at least 1e-9"
    )]
    NothingKept {
        /// Probability between the bounds.
        kept: f64,
        /// Smallest radius `[m]`.
        min: f64,
        /// Largest radius `[m]`.
        max: f64,
    },
    /// The region is longer than the period it lies in.
    #[error("region is {length} m long along axis {axis} whose period is {period} m, allowed is at most one period")]
    LongerThanPeriod {
        /// Axis, 0 to 2.
        axis: usize,
        /// Length of the region `[m]`.
        length: f64,
        /// Length of the period `[m]`.
        period: f64,
    },
    /// No sphere of this radius lies inside the region clear of walls and spheres.
    #[error("no sphere of radius {radius} m fits into the region")]
    NoRoom {
        /// Radius `[m]`.
        radius: f64,
    },
    /// More spheres or lattice sites than one call may generate.
    #[error("the request needs about {requested:e} spheres or sites, allowed are {allowed}")]
    TooMany {
        /// Number requested.
        requested: f64,
        /// Largest number.
        allowed: usize,
    },
    /// The packing fraction requested lies above what this way of filling can reach.
    #[error(
        "packing fraction {requested:.4} of {target} spheres is above {limit:.4}, the most that random sequential addition reaches here; use a lattice or let spheres settle"
    )]
    AboveLimit {
        /// Packing fraction of the request in the region `[1]`.
        requested: f64,
        /// Number of spheres requested.
        target: usize,
        /// Largest packing fraction in this region `[1]`.
        limit: f64,
    },
    /// The region became full before the target was reached.
    #[error("the region is full after {reached} of {target} spheres{}", fraction_reached(*packing_fraction))]
    Saturated {
        /// Number of spheres placed in the best attempt.
        reached: usize,
        /// Number of spheres requested.
        target: usize,
        /// Packing fraction of the best attempt `[1]`; `None` in a section whose area has
        /// no simple form.
        packing_fraction: Option<f64>,
    },
    /// No body of this size lies inside the region, in the orientation that it has, clear of walls and spheres.
    #[error(
        "no body whose sphere of equal volume has a radius of {radius} m fits into the region in its orientation, clear of walls and others"
    )]
    NoRoomForBody {
        /// Radius of the sphere of equal volume `[m]`.
        radius: f64,
    },
    /// No place for one more body was found.
    #[error(
        "no place was found for more than {reached} of {target} bodies, packing fraction {packing_fraction:.4}; let bodies settle, or compress them, for more"
    )]
    FullOfBodies {
        /// Number of bodies placed.
        reached: usize,
        /// Number of bodies requested.
        target: usize,
        /// Their packing fraction `[1]`.
        packing_fraction: f64,
    },
    /// Bodies cover no definite share of a plane.
    #[error(
        "bodies in a plane need a count instead of a packing fraction: the area that they cover depends on how they lie"
    )]
    BodiesInPlane,
    /// The area of this section has no closed form here.
    #[error(
        "packing fraction in a plane needs a box, a sphere, or a cylinder or cone whose axis is normal to the plane; give a count instead"
    )]
    SectionArea,
}

/// Refuses numbers that are not finite or do not satisfy `holds`.
pub(crate) fn check(name: &'static str, value: f64, holds: bool, allowed: &'static str) -> Result<(), InsertionError> {
    if value.is_finite() && holds { Ok(()) } else { Err(InsertionError::Value { name, value, allowed }) }
}

/// Refuses radii that are not positive, or so large or small that a volume overflows.
pub(crate) fn check_radius(name: &'static str, value: f64) -> Result<(), InsertionError> {
    check(name, value, (1e-100..=1e100).contains(&value), "a radius above 0 (1e-100 m to 1e100 m)")
}

fn fraction_reached(packing_fraction: Option<f64>) -> String {
    packing_fraction.map_or_else(String::new, |fraction| format!(", packing fraction {fraction:.4}"))
}
