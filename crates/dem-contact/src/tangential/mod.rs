//! Tangential forces.

mod any;
mod balevicius;
mod conventional;
mod foundation;
mod kuhn;
mod mindlin;
pub mod mindlin_deresiewicz;
mod mindlin_no_slip;
mod model;
mod no_tangential;
mod response;
mod slip_rotation;
mod spring_slider;
#[cfg(test)]
mod tests;
mod total_form;

pub use any::AnyTangential;
pub use balevicius::Balevicius;
pub use conventional::Conventional;
pub use foundation::Foundation;
pub use kuhn::Kuhn;
pub use mindlin::{ElasticDisplacement, Mindlin, SlidingDirection, force_driven_displacement, zero_slip_time};
pub use mindlin_deresiewicz::MindlinDeresiewicz;
pub use mindlin_no_slip::MindlinNoSlip;
pub use model::{LaneTangential, StraightTangential, TangentialModel};
pub use no_tangential::NoTangential;
pub use response::TangentialResponse;
pub use spring_slider::SpringSlider;
pub use total_form::TotalForm;

use model::respond_alone;
