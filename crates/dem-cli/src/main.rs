//! The `dem` command.

use std::process::ExitCode;

#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[global_allocator]
static ALLOCATOR: dem_cli::memory::HugePages = dem_cli::memory::HugePages;

fn main() -> ExitCode {
    dem_cli::run_command(std::env::args_os()).into()
}
