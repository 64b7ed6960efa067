//! `dem completions`

use clap::{Args, Command};
use clap_complete::Shell;

use crate::failure::{ExitCode, Failure};
use crate::terminal::say_text;

#[derive(Args)]
pub struct Arguments {
    /// The shell.
    shell: Shell,
}

/// Prints the script of a shell for a command.
pub fn completions(arguments: &Arguments, mut command: Command) -> Result<ExitCode, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut command, "dem", &mut script);
    say_text(format_args!("{}", String::from_utf8_lossy(&script)));
    Ok(ExitCode::SUCCESS)
}
