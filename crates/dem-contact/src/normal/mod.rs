//! Normal forces.

mod any;
mod contact_damped;
mod hertz;
mod linear;
mod model;
mod response;

pub use any::AnyNormal;
pub use contact_damped::ContactDamped;
pub use hertz::Hertz;
pub use linear::Linear;
pub use model::NormalModel;
pub use response::NormalResponse;
