//! `dem man`

use std::path::PathBuf;

use clap::{Args, Command};
use clap_mangen::Man;

use crate::failure::{ExitCode, Failure};
use crate::terminal::{say, say_text};

#[derive(Args)]
pub struct Arguments {
    /// Write a page for each command, as dem-run.1, into this directory, which is made if it is not there. Default: the page of dem is printed.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

/// Prints or writes pages of the manual of a command.
pub fn man(arguments: &Arguments, mut command: Command) -> Result<ExitCode, Failure> {
    command.build();
    let Some(directory) = &arguments.out else {
        let (_, page) = page(&command)?;
        say_text(format_args!("{}", String::from_utf8_lossy(&page)));
        return Ok(ExitCode::SUCCESS);
    };
    let refused = |error: std::io::Error| Failure::input(format!("cannot write into {}: {error}", directory.display()));
    std::fs::create_dir_all(directory).map_err(refused)?;
    for page in pages(&command)? {
        let (name, text) = page;
        let path = directory.join(name);
        std::fs::write(&path, text).map_err(refused)?;
        say!("{}", path.display());
    }
    Ok(ExitCode::SUCCESS)
}

/// File name and text of the page of a command and of those below it.
fn pages(command: &Command) -> Result<Vec<(String, Vec<u8>)>, Failure> {
    let mut all = vec![page(command)?];
    for below in command.get_subcommands().filter(|below| below.get_name() != "help") {
        all.extend(pages(below)?);
    }
    Ok(all)
}

fn page(command: &Command) -> Result<(String, Vec<u8>), Failure> {
    // set by `build`: with the names of the commands above, joined by dashes
    let name = command.get_display_name().unwrap_or(command.get_name()).to_owned();
    let mut text = Vec::new();
    Man::new(command.clone()).render(&mut text).map_err(Failure::input)?;
    Ok((format!("{name}.1"), text))
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn every_command_has_a_page() {
        let mut command = crate::Command::command();
        command.build();
        let all = pages(&command).ok().unwrap();
        for name in ["dem.1", "dem-run.1", "dem-study.1", "dem-study-sliding.1"] {
            let (_, text) = all.iter().find(|(known, _)| known == name).unwrap();
            assert!(String::from_utf8_lossy(text).contains(".SH SYNOPSIS"), "{name}");
        }
        assert!(all.iter().all(|(name, _)| !name.contains("help")));
    }
}
