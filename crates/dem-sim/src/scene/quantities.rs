//! Vectors of quantities.

use dem_io::units::{Length, Quantity, Velocity};

/// A point or vector of lengths.
pub type LengthVector = [Quantity<Length>; 3];

/// A velocity.
pub type VelocityVector = [Quantity<Velocity>; 3];
