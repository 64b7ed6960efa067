//! Pictures of frames.

pub(crate) mod body_colours;
pub(crate) mod contact_network;
pub(crate) mod field_values;
pub(crate) mod interactive;
pub(crate) mod render;
pub(crate) mod request;
