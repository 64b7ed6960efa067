//! What is left when a command is killed, and when several want one directory.
//!
//! ```sh
//! cargo test -p dem-cli --test all crashes -- --ignored --nocapture      # DEM_KILLS=1000 for more than 200, DEM_RACES=100 for more than 24
//! ```
//!
//! A few kills and races of each kind run with all tests.

#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test fails by it, and a campaign tells what it found"
)]

mod commands;
mod races;
mod runs;

/// A number from the environment.
fn number_of(variable: &str, default: u64) -> u64 {
    std::env::var(variable).map_or(default, |text| text.parse().expect(variable))
}

/// Numbers without a pattern, the same in every campaign.
struct Random(u64);

impl Random {
    fn new() -> Self {
        Self(0x9e37_79b9_7f4a_7c15)
    }

    /// The next one, at least 0 and below 1.
    fn next(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }
}
