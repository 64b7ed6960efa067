//! Pictures of frames.

pub(crate) mod body_colours;
pub(crate) mod field_values;
pub(crate) mod render;
pub(crate) mod request;
