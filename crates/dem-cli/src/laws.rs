//! `dem laws`

use std::process::ExitCode;

use clap::Args;
use dem_contact::ParameterKind;
use dem_contact::registry::{self, LAWS};

use crate::failure::Failure;

#[derive(Args)]
pub struct Arguments {
    /// Law to describe.
    name: Option<String>,
}

/// Lists the laws or describes one.
pub fn laws(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let Some(name) = &arguments.name else {
        for law in LAWS {
            println!("{:16} {}", law.key, law.description.summary);
        }
        return Ok(ExitCode::SUCCESS);
    };
    let Some(law) = registry::find(name) else {
        let known: Vec<&str> = LAWS.iter().map(|law| law.key).collect();
        return Err(Failure::input(format!("unknown law \"{name}\", expected one of {}", known.join(", "))));
    };
    println!("{}: {}\n", law.key, law.description.summary);
    println!("{}\n", law.description.formula);
    println!("parameters");
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
        println!("  {} [{}]: {} ({kind}{condition})", p.name, p.unit, p.meaning);
    }
    println!("\nhistory of a contact");
    for field in (law.fields)() {
        let width = if field.width == 1 { String::new() } else { format!(", {} numbers", field.width) };
        println!("  {} [{}]: {}{width}", field.name, field.unit, field.meaning);
    }
    println!("  and with resistance to rolling or twisting, or a force at a distance");
    for field in registry::common_fields() {
        println!("  {} [{}]: {}", field.name, field.unit, field.meaning);
    }
    println!("\nsource: {}", law.description.source);
    println!("notes: {}", law.description.notes);
    Ok(ExitCode::SUCCESS)
}
