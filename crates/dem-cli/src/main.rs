//! The `dem` command.
fn main() {}
