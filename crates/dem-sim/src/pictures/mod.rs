//! Pictures of frames.

pub(crate) mod body_colours;
pub(crate) mod colouring;
pub(crate) mod columns;
pub(crate) mod contact_network;
pub(crate) mod facet_fields;
pub(crate) mod field_values;
pub(crate) mod hiding;
pub(crate) mod interactive;
pub(crate) mod render;
pub(crate) mod request;
pub(crate) mod scenery;
pub(crate) mod series;
pub(crate) mod survey;
pub(crate) mod time_label;
pub(crate) mod wall_looks;
