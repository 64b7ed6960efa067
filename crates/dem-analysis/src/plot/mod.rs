//! Figures of any columns of tables that runs and studies have left behind.
//!
//! [`request::Request`] is what is asked for, `table::DataTable` a table with the units of its columns, [`figure::draw`] makes the panels.

mod column;
pub mod figure;
pub mod request;
mod table;

pub use figure::draw;
pub use request::Request;
