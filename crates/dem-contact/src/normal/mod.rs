//! Normal forces.

mod any;
mod chosen;
mod contact_damped;
mod dmt;
mod edinburgh;
mod hertz;
mod jkr;
mod linear;
mod luding;
mod memory;
mod model;
mod plastic_spring;
mod response;
#[cfg(test)]
mod tests;
mod thornton;
mod walton_braun;

pub use any::AnyNormal;
pub use chosen::{ChosenNormal, NORMAL, fields as chosen_fields, normal_choice};
pub use contact_damped::ContactDamped;
pub use dmt::Dmt;
pub use edinburgh::Edinburgh;
pub use hertz::Hertz;
pub use jkr::Jkr;
pub use linear::Linear;
pub use luding::Luding;
pub use model::{NormalKind, NormalModel};
pub use response::NormalResponse;
pub use thornton::Thornton;
pub use walton_braun::WaltonBraun;
