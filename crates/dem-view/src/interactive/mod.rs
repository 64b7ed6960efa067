//! What an interactive picture shows, as plain arrays: frames ([`FrameArrays`]), what stays between them ([`SceneArrays`]), and the form in which a browser
//! gets columns of numbers ([`Block`]). The page itself is made by the crate `dem-page`, so that a change of its script builds nothing of the engine again.

mod arrays;
mod block;

pub use arrays::{Column, FacetSpec, FieldSpec, FrameArrays, SceneArrays, WallPlace, WallSpec, of_facets, of_field};
pub use block::{Block, Element};
