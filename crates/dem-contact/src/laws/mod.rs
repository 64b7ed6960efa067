//! The contact laws, one file each.

pub mod balevicius;
pub mod combination;
pub mod conventional;
pub mod hertz_mindlin;
pub mod kuhn;
pub mod linear;
pub mod mdr;
pub mod mindlin;
pub mod mindlin_deresiewicz;
pub mod mindlin_total;
