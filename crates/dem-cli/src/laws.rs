//! `dem laws`

use clap::Args;
use dem_contact::ParameterKind;
use dem_contact::registry::{self, Entry};
use dem_core::history::FieldSpec;
use dem_report::given::one_of;
use serde_json::{Value, json};

use crate::failure::{ExitCode, Failure};
use crate::terminal::say;

#[derive(Args)]
pub struct Arguments {
    /// Law to describe.
    name: Option<String>,
    /// Print a JSON object of the law, or an array of all.
    #[arg(long)]
    json: bool,
}

/// Lists the laws or describes one.
pub fn laws(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let Some(name) = &arguments.name else {
        if arguments.json {
            say!("{:#}", all_described());
            return Ok(ExitCode::SUCCESS);
        }
        for law in listing() {
            say!("{law}");
        }
        return Ok(ExitCode::SUCCESS);
    };
    let Some(law) = registry::find(name) else {
        let known = registry::keys();
        return Err(Failure::input(format!("unknown law \"{name}\", expected {}", one_of(name, &known))));
    };
    if arguments.json {
        say!("{:#}", described(law));
        return Ok(ExitCode::SUCCESS);
    }
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
    if let Some(with_normal) = (law.with_normal)() {
        let words = with_normal.choices.iter().find(|choice| choice.choice.name == "normal");
        let words: Vec<&str> =
            words.into_iter().flat_map(|choice| choice.models.iter().map(|&(word, _)| word)).collect();
        say!("  normal [-]: normal model in place of that of the law, with its parameters ({})", words.join(", "));
    }
    say!("\nhistory of a contact");
    for field in (law.fields)() {
        let width = if field.width == 1 { String::new() } else { format!(", {} numbers", field.width) };
        say!("  {} [{}]: {}{width}", field.name, field.unit, field.meaning);
    }
    say!("  and with resistance to rolling or twisting, a pull, or a force at a distance");
    for field in registry::common_fields() {
        say!("  {} [{}]: {}", field.name, field.unit, field.meaning);
    }
    say!("\nsource: {}", law.description.source);
    say!("notes: {}", law.description.notes);
    Ok(ExitCode::SUCCESS)
}

/// A line for every law.
fn listing() -> impl Iterator<Item = String> {
    registry::all().into_iter().map(|law| format!("{:16} {}", law.key, law.description.summary))
}

/// Everything about every law.
fn all_described() -> Value {
    registry::all().into_iter().map(described).collect()
}

/// Everything about a law.
fn described(law: &Entry) -> Value {
    let declaration = (law.declaration)();
    let parameter = |p: &dem_contact::ParameterSpec| {
        let interval = |interval: &dem_contact::Interval| interval.to_string();
        let (kind, allowed, default) = match p.kind {
            ParameterKind::Required(range) => ("required", json!(interval(&range)), Value::Null),
            ParameterKind::Optional(range) => ("optional", json!(interval(&range)), Value::Null),
            ParameterKind::Default(value, range) => ("default", json!(interval(&range)), json!(value)),
            ParameterKind::Flag(value) => ("flag", json!([true, false]), json!(value)),
            ParameterKind::Choice(words) => ("choice", json!(words), json!(words.first())),
        };
        json!({
            "name": p.name,
            "unit": p.unit,
            "meaning": p.meaning,
            "kind": kind,
            "allowed": allowed,
            "default": default,
            "only_with": declaration.condition(p.name),
        })
    };
    let field = |field: &FieldSpec| json!({ "name": field.name, "unit": field.unit, "meaning": field.meaning, "width": field.width });
    json!({
        "name": law.key,
        "summary": law.description.summary,
        "formula": law.description.formula,
        "parameters": declaration.all().iter().map(parameter).collect::<Value>(),
        "history": (law.fields)().iter().map(field).collect::<Value>(),
        "source": law.description.source,
        "notes": law.description.notes,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn laws_that_a_program_registers_are_listed() {
        let before = listing().count();
        dem_testkit::proof_laws::register();
        for law in ["proof-hysteretic", "proof-tenacious"] {
            assert!(listing().any(|line| line.starts_with(law)), "{law}");
            assert!(
                all_described().as_array().is_some_and(|laws| laws.iter().any(|other| other["name"] == law)),
                "{law}"
            );
        }
        assert_eq!(listing().count(), before + 2);
    }
}
