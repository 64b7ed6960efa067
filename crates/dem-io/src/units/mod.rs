//! Physical quantities in scene files: a number in SI or a text with a unit.
//!
//! ```
//! use dem_io::units::{Length, Quantity, parse_quantity, DimensionVector};
//!
//! let radius: Quantity<Length> = "2.5 mm".parse()?;
//! assert_eq!(radius.si(), 0.0025);
//!
//! let stiffness = DimensionVector::from_unit_text("N/m")?;
//! assert_eq!(parse_quantity("12 kN/m", stiffness)?, 12_000.0);
//! # Ok::<(), dem_io::units::UnitError>(())
//! ```
//!
//! A unit text is a product of units: factors are separated by a space, `*` or `·`, `/` divides by
//! the next factor, powers are written `m^2`, `m2`, `m²`, `s^-1` or `s-1`, and `(…)` groups. A
//! product after a division (`J/kg K`) is refused because readers disagree on its meaning.
//!
//! The angle is kept as a base dimension of its own, so that `rpm` is an angular velocity and
//! never a frequency. A unit without an angle is accepted where a compound quantity expects one
//! (`1/s` for `rad/s`), but `Hz`, which counts cycles, is not.

mod dimension;
mod error;
mod expression;
mod pattern;
mod quantity;
mod symbol;

pub use dimension::{
    Acceleration, Angle, AngularVelocity, Area, Density, Dimension, DimensionVector, DragCoefficient, DynamicViscosity,
    Energy, Force, Frequency, Length, Mass, MassRate, MomentOfInertia, NumberRate, Power, Pressure, Ratio, Stiffness,
    StrainRate, SurfaceEnergy, Time, Torque, Velocity, Volume, WearCoefficient,
};
pub use error::UnitError;
pub(crate) use expression::si_value;
pub use expression::{LARGEST, parse_quantity};
pub use pattern::text_pattern;
pub use quantity::{Quantity, UncheckedQuantity};
