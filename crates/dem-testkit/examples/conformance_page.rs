//! Writes the page on the conformance of the contact laws, or tries the laws that are named.
//!
//!     cargo run -p dem-testkit --example conformance_page               the page
//!     cargo run -p dem-testkit --example conformance_page -- NAME ..    what these laws do, in some seconds each; writes nothing
//!
//! Of a law that is named, the convergence with the time step is looked at as well. The exit code is 1 if anything is otherwise than stated.
#![expect(clippy::print_stdout, reason = "what it prints is what it is for")]

use std::path::Path;
use std::process::ExitCode;

use dem_contact::registry;
use dem_testkit::conformance::{self, page};
use dem_testkit::step_convergence::trials::{Extent, Trial, trials};

fn main() -> std::io::Result<ExitCode> {
    let names: Vec<String> = std::env::args().skip(1).collect();
    if names.is_empty() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(page::PATH);
        std::fs::write(path, page::text(&conformance::outcomes()))?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut is_as_stated = true;
    for name in &names {
        match registry::find(name) {
            Some(law) => is_as_stated &= is_law_as_stated(law.key),
            None => {
                println!("\"{name}\" is no law, expected one of {}", registry::keys().join(", "));
                is_as_stated = false;
            }
        }
    }
    Ok(if is_as_stated { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Prints what a law does.
fn is_law_as_stated(law: &'static str) -> bool {
    let mut is_as_stated = true;
    println!("{law}");
    for outcome in conformance::outcomes_of(law) {
        let found = match (&outcome.found, outcome.expected) {
            (Ok(()), None) => "ok".to_owned(),
            (Err(found), Some(reason)) => format!("by design: {reason} ({found})"),
            (Ok(()), Some(_)) => "WRONG: listed as a departure, but the law has the property".to_owned(),
            (Err(found), None) => format!("FAILS: {found}"),
        };
        println!("  {}: {found}", outcome.property);
        is_as_stated &= outcome.is_as_stated();
    }
    for outcome in trials(Extent::Short, &[law]).iter().map(Trial::run) {
        let found = outcome.check();
        let words = found.as_ref().err().map_or_else(|| "ok".to_owned(), |found| format!("FAILS: {found}"));
        println!("  convergence with the time step, {}, {}: {words}", outcome.setting, outcome.case);
        is_as_stated &= found.is_ok();
    }
    is_as_stated
}
