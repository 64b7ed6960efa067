//! What an STL file consists of.

use glam::DVec3;

/// A triangle by its corners, in the unit of the file.
pub type Triangle = [DVec3; 3];
