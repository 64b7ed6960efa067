//! The contact laws as they describe themselves.

use std::fmt::Write as _;

use dem_contact::ParameterKind;
use dem_contact::registry::LAWS;

use super::{NOTICE, cell};

/// The page.
pub fn page() -> String {
    let mut text = format!(
        "{NOTICE}\n# Contact laws, parameter by parameter\n\nThe same text as `dem laws NAME`. How the laws are chosen, \
         mixed and calibrated is told in [Materials and contact laws](materials_and_laws.md).\n"
    );
    for law in LAWS {
        let description = law.description;
        _ = write!(
            text,
            "\n## `{}`\n\n{}.\n\n```text\n{}\n```\n\nSource: {}.\n\nNotes: {}.\n",
            law.key, description.summary, description.formula, description.source, description.notes
        );
        text.push_str("\n| parameter | unit | meaning | value |\n|---|---|---|---|\n");
        for parameter in (law.parameters)() {
            let kind = match parameter.kind {
                ParameterKind::Required(interval) => format!("required, {interval}"),
                ParameterKind::Optional(interval) => format!("optional, {interval}"),
                ParameterKind::Default(value, interval) => format!("default {value}, {interval}"),
                ParameterKind::Flag(value) => format!("default {value}, true or false"),
                ParameterKind::Choice(words) => format!("one of {}, the first is the default", words.join(", ")),
            };
            _ = writeln!(
                text,
                "| `{}` | {} | {} | {} |",
                parameter.name,
                parameter.unit,
                cell(parameter.meaning),
                cell(&kind)
            );
        }
        text.push_str("\nWhat the law remembers of a touching contact:\n\n");
        text.push_str("| field | unit | numbers | meaning |\n|---|---|---|---|\n");
        for field in (law.fields)() {
            _ = writeln!(text, "| `{}` | {} | {} | {} |", field.name, field.unit, field.width, cell(field.meaning));
        }
    }
    text
}
