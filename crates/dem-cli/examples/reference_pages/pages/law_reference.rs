//! The contact laws as they describe themselves.

use std::fmt::Write as _;

use dem_contact::registry::{self, LAWS};
use dem_contact::{Declaration, ParameterKind, ParameterSpec};
use dem_core::history::FieldSpec;

use super::{NOTICE, cell};

/// The page.
pub fn page() -> String {
    let mut text = format!(
        "{NOTICE}\n# Contact laws, parameter by parameter\n\nThe same text as `dem laws NAME`. How the laws are chosen, \
         mixed and calibrated is described in [Materials and contact laws](materials_and_laws.md).\n"
    );
    let common = Declaration { always: Vec::new(), choices: registry::common_choices() };
    let is_common = |name: &str| common.all().iter().any(|spec| spec.name == name);
    for law in LAWS {
        let description = law.description;
        _ = write!(
            text,
            "\n## `{}`\n\n{}.\n\n```text\n{}\n```\n\nSource: {}.\n\nNotes: {}.\n",
            law.key, description.summary, description.formula, description.source, description.notes
        );
        let declaration = (law.declaration)();
        let own: Vec<ParameterSpec> = declaration.all().into_iter().filter(|spec| !is_common(spec.name)).collect();
        parameters(&mut text, &declaration, &own);
        text.push_str("\nWhat the law remembers of a touching contact:\n");
        fields(&mut text, &(law.fields)());
    }
    text.push_str(
        "\n## With every law\n\nResistance against rolling and twisting, a pull between bodies that touch, and a force between spheres at a distance; see \
         [Materials and contact laws](materials_and_laws.md#rolling-and-twisting) and [Cohesion and plasticity](cohesion_and_plasticity.md#a-pull-beside-any-law).\n",
    );
    parameters(&mut text, &common, &common.all());
    text.push_str("\nWhat is remembered behind the fields of the law, if any pair of materials asks for it:\n");
    fields(&mut text, &registry::common_fields());
    if let Some(normal) = registry::normal_models() {
        text.push_str(
            "\n## Another normal model\n\nAny law composed of models takes another normal model in place of its own, see \
             [Cohesion and plasticity](cohesion_and_plasticity.md#the-normal-model-of-another-law).\n",
        );
        let replaced = Declaration { always: Vec::new(), choices: vec![normal] };
        parameters(&mut text, &replaced, &replaced.all());
        text.push_str("\nWhat is remembered in place of the fields of the law's own model:\n");
        fields(&mut text, &dem_contact::normal::chosen_fields());
    }
    text
}

/// Table of parameters.
pub(super) fn parameters(text: &mut String, declaration: &Declaration, specs: &[ParameterSpec]) {
    text.push_str("\n| parameter | unit | meaning | value |\n|---|---|---|---|\n");
    for parameter in specs {
        let kind = match parameter.kind {
            ParameterKind::Required(interval) => format!("required, {interval}"),
            ParameterKind::Optional(interval) => format!("optional, {interval}"),
            ParameterKind::Default(value, interval) => format!("default {value}, {interval}"),
            ParameterKind::Flag(value) => format!("default {value}, true or false"),
            ParameterKind::Choice(words) => format!("one of {}, the first is the default", words.join(", ")),
        };
        let condition =
            declaration.condition(parameter.name).map_or_else(String::new, |when| format!("; only with {when}"));
        _ = writeln!(
            text,
            "| `{}` | {} | {} | {} |",
            parameter.name,
            parameter.unit,
            cell(parameter.meaning),
            cell(&format!("{kind}{condition}"))
        );
    }
}

fn fields(text: &mut String, specs: &[FieldSpec]) {
    text.push_str("\n| field | unit | numbers | meaning |\n|---|---|---|---|\n");
    for field in specs {
        _ = writeln!(text, "| `{}` | {} | {} | {} |", field.name, field.unit, field.width, cell(field.meaning));
    }
}
