//! Pictures of frames.

pub(crate) mod render;
pub(crate) mod request;
