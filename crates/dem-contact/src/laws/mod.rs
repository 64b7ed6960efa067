//! The contact laws, one file each.

pub mod combination;
pub mod hertz_mindlin;
pub mod linear;
