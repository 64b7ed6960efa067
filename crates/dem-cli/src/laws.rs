//! `dem laws`

use std::process::ExitCode;

use clap::Args;
use dem_contact::ParameterKind;
use dem_contact::registry::{self, LAWS};

use crate::failure::Failure;
use crate::terminal::say;

#[derive(Args)]
pub struct Arguments {
    /// Law to describe.
    name: Option<String>,
}

/// Lists the laws or describes one.
pub fn laws(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let Some(name) = &arguments.name else {
        for law in LAWS {
            say!("{:16} {}", law.key, law.description.summary);
        }
        return Ok(ExitCode::SUCCESS);
    };
    let Some(law) = registry::find(name) else {
        let known: Vec<&str> = LAWS.iter().map(|law| law.key).collect();
        return Err(Failure::input(format!("unknown law \"{name}\", expected one of {}", known.join(", "))));
    };
    say!("{}: {}\n", law.key, law.description.summary);
    say!("{}\n", law.description.formula);
    say!("parameters");
    let declaration = (law.declaration)();
    for p in declaration.all() {
        let kind = match p.kind {
            ParameterKind::Required(interval) => format!("required, {interval}"),
            ParameterKind::Optional(interval) => format!("optional, {interval}"),
            ParameterKind::Default(value, interval) => format!("default {value}, {interval}"),
            ParameterKind::Flag(value) => format!("default {value}, true or false"),
            ParameterKind::Choice(words) => format!("one of {}, default {}", words.join(", "), words[0]),
        };
        let condition = declaration.condition(p.name).map_or_else(String::new, |when| format!("; only with {when}"));
        say!("  {} [{}]: {} ({kind}{condition})", p.name, p.unit, p.meaning);
    }
    say!("\nhistory of a contact");
    for field in (law.fields)() {
        let width = if field.width == 1 { String::new() } else { format!(", {} numbers", field.width) };
        say!("  {} [{}]: {}{width}", field.name, field.unit, field.meaning);
    }
    say!("  and with resistance to rolling or twisting, or a force at a distance");
    for field in registry::common_fields() {
        say!("  {} [{}]: {}", field.name, field.unit, field.meaning);
    }
    say!("\nsource: {}", law.description.source);
    say!("notes: {}", law.description.notes);
    Ok(ExitCode::SUCCESS)
}
