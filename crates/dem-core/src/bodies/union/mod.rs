//! Unions of overlapping spheres by plane sections.

pub mod arcs;
pub mod cluster;
pub mod events;
pub mod grouping;
pub mod quadrature;
pub mod region;
pub mod sections;
