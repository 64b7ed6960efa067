//! Every key of a scene, from the JSON Schema of the scene types.

use std::collections::BTreeSet;
use std::error::Error;
use std::fmt::Write as _;

use serde_json::Value;

use super::{NOTICE, cell};

const INTRODUCTION: &str = "# Scene reference

Every key that a scene may have. A value with a unit is a text such as `\"2.5 mm\"`; the same value may be given as a plain
number in the SI unit shown. `dem schema` prints the JSON Schema behind this page, and `docs/scene.schema.json` is a copy of it.
How the keys work together is described in [The scene file](scene_file.md).
";

/// The page.
///
/// # Errors
/// A schema of a shape that this page cannot show; it must then be taught to.
pub fn page(schema: &Value) -> Result<String, Box<dyn Error>> {
    let definitions = schema["$defs"].as_object().ok_or("the schema has no definitions")?;
    let mut text = format!("{NOTICE}\n{INTRODUCTION}");
    section(&mut text, "Scene", schema, definitions)?;
    // definitions in the order in which they are first mentioned
    let mut pending = references(schema, definitions);
    let mut shown = BTreeSet::new();
    while !pending.is_empty() {
        let name = pending.remove(0);
        if !shown.insert(name.clone()) {
            continue;
        }
        let definition = &definitions[&name];
        if is_table(definition) {
            section(&mut text, title(&name), definition, definitions)?;
        }
        pending.extend(references(definition, definitions));
    }
    Ok(text)
}

/// Name without the suffix that sets the scene's types apart from the engine's.
fn title(name: &str) -> &str {
    name.strip_suffix("Scene").unwrap_or(name)
}

fn anchor(name: &str) -> String {
    format!("[{}](#{})", title(name), title(name).to_lowercase())
}

/// Whether a definition gets a section of its own: a table, a choice of tables, or a choice of words.
fn is_table(definition: &Value) -> bool {
    definition.get("properties").is_some() || definition.get("oneOf").is_some()
}

/// Names of the definitions that a schema mentions, in the order of its text, those within its own definitions left out.
fn references(schema: &Value, definitions: &serde_json::Map<String, Value>) -> Vec<String> {
    let mut found = Vec::new();
    collect(schema, &mut found);
    found.retain(|name| definitions.contains_key(name));
    found
}

fn collect(schema: &Value, found: &mut Vec<String>) {
    match schema {
        Value::Object(map) => {
            for (key, value) in map {
                match (key.as_str(), value) {
                    ("$defs", _) => {}
                    ("$ref", Value::String(path)) => found.push(path.rsplit('/').next().unwrap_or_default().to_owned()),
                    _ => collect(value, found),
                }
            }
        }
        Value::Array(values) => values.iter().for_each(|value| collect(value, found)),
        _ => {}
    }
}

fn section(
    text: &mut String,
    title: &str,
    schema: &Value,
    definitions: &serde_json::Map<String, Value>,
) -> Result<(), Box<dyn Error>> {
    _ = write!(text, "\n## {title}\n\n{}\n", description(schema));
    let Some(variants) = schema.get("oneOf").and_then(Value::as_array) else {
        return properties(text, schema, definitions);
    };
    if variants.iter().all(|variant| variant.get("const").is_some()) {
        text.push_str("\n| word | meaning |\n|---|---|\n");
        for variant in variants {
            _ = writeln!(text, "| `{}` | {} |", variant["const"], cell(description(variant)));
        }
        return Ok(());
    }
    for variant in variants {
        let name = variant["properties"]["type"]["const"].as_str().ok_or("a choice of tables without a type")?;
        _ = write!(text, "\n### `type = \"{name}\"`\n\n{}\n", description(variant));
        properties(text, variant, definitions)?;
    }
    Ok(())
}

fn properties(
    text: &mut String,
    schema: &Value,
    definitions: &serde_json::Map<String, Value>,
) -> Result<(), Box<dyn Error>> {
    let required: Vec<&str> =
        schema.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect();
    let keys = schema["properties"].as_object().ok_or("a table without keys")?;
    // the type of a variant stands in its heading
    let keys: Vec<(&String, &Value)> = keys.iter().filter(|(_, value)| value.get("const").is_none()).collect();
    if !keys.is_empty() {
        text.push_str("\n| key | value | meaning |\n|---|---|---|\n");
    }
    for (key, value) in keys {
        let mut meaning = description(value).to_owned();
        if let Some(default) = value.get("default").filter(|d| !d.is_null() && !meaning.contains("Default:")) {
            _ = write!(meaning, " Default: `{default}`.");
        }
        let mark = if required.contains(&key.as_str()) { ", required" } else { "" };
        _ = writeln!(text, "| `{key}`{mark} | {} | {} |", cell(&kind(value, definitions)?), cell(&meaning));
    }
    if let Some(others) = schema.get("additionalProperties").filter(|value| value.is_object()) {
        _ = write!(
            text,
            "\nFurther keys are the parameters of the law, each {}; see [the laws](law_reference.md).\n",
            kind(others, definitions)?
        );
    }
    Ok(())
}

fn description(schema: &Value) -> &str {
    schema.get("description").and_then(Value::as_str).unwrap_or_default()
}

/// What a key accepts, in words.
fn kind(schema: &Value, definitions: &serde_json::Map<String, Value>) -> Result<String, Box<dyn Error>> {
    if let Some(path) = schema.get("$ref").and_then(Value::as_str) {
        let name = path.rsplit('/').next().unwrap_or_default();
        let definition = definitions.get(name).ok_or("a reference to nothing")?;
        return if is_table(definition) {
            Ok(anchor(name))
        } else if definition.get("anyOf").is_some() {
            kind(definition, definitions)
        } else {
            Ok(description(definition).to_owned())
        };
    }
    if let Some(options) = schema.get("anyOf").and_then(Value::as_array) {
        let words: Result<Vec<String>, _> =
            options.iter().filter(|option| option["type"] != "null").map(|option| kind(option, definitions)).collect();
        return Ok(words?.join(" or "));
    }
    let types: Vec<&str> = match &schema["type"] {
        Value::String(name) => vec![name.as_str()],
        Value::Array(names) => names.iter().filter_map(Value::as_str).filter(|&name| name != "null").collect(),
        _ => Vec::new(),
    };
    match types.as_slice() {
        ["boolean"] => Ok("`true` or `false`".to_owned()),
        ["integer"] => Ok("a whole number".to_owned()),
        ["number"] => Ok("a number".to_owned()),
        ["string"] => Ok("a text".to_owned()),
        ["array"] => {
            let items = kind(&schema["items"], definitions)?;
            match (schema.get("minItems"), schema.get("maxItems")) {
                (Some(low), Some(high)) if low == high => Ok(format!("a list of {low}, each {items}")),
                _ => Ok(format!("a list, each {items}")),
            }
        }
        ["object"] if !schema["additionalProperties"].is_object() => {
            let keys = schema["properties"].as_object().ok_or("a table without keys")?;
            let each: Result<Vec<String>, Box<dyn Error>> =
                keys.iter().map(|(key, value)| Ok(format!("`{key}` ({})", kind(value, definitions)?))).collect();
            Ok(format!("a table of {}", each?.join(", ")))
        }
        ["object"] => Ok(format!("a table of names, each {}", kind(&schema["additionalProperties"], definitions)?)),
        other => Err(format!("a value of type {other:?}, which the scene reference cannot describe").into()),
    }
}
