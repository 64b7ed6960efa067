//! The command line as data: what functions of other languages are made from.

use clap::{Arg, ArgAction, Command as Definition};
use serde_json::{Value, json};

/// A command with those below it and their arguments: `name`, `about`, `arguments` and `commands` of each. Of an argument `name`, `long` and `short` (null if it has none),
/// `positional`, `help`, `values` ("none", "one" or "many"), `value_name`, `choices`, `default` and `required`.
pub fn command(definition: &Definition) -> Value {
    let is_own =
        |argument: &&Arg| !argument.is_hide_set() && !["help", "version"].contains(&argument.get_id().as_str());
    let commands = definition.get_subcommands().filter(|inner| inner.get_name() != "help");
    json!({
        "name": definition.get_name(),
        "about": definition.get_about().map(ToString::to_string),
        "arguments": definition.get_arguments().filter(is_own).map(argument).collect::<Vec<_>>(),
        "commands": commands.map(command).collect::<Vec<_>>(),
    })
}

fn argument(argument: &Arg) -> Value {
    let takes_value = argument.get_action().takes_values();
    let repeats = matches!(argument.get_action(), ArgAction::Append)
        || argument.get_num_args().is_some_and(|range| range.max_values() > 1);
    let choices: Vec<String> = if takes_value {
        argument.get_possible_values().iter().map(|value| value.get_name().to_owned()).collect()
    } else {
        Vec::new()
    };
    json!({
        "name": argument.get_id().as_str(),
        "long": argument.get_long(),
        "short": argument.get_short(),
        "positional": argument.is_positional(),
        "help": argument.get_long_help().or(argument.get_help()).map(ToString::to_string),
        "values": if !takes_value { "none" } else if repeats { "many" } else { "one" },
        "value_name": argument.get_value_names().and_then(|names| names.first()).map(ToString::to_string),
        "choices": choices,
        "default": argument.get_default_values().first().map(|value| value.to_string_lossy()),
        "required": argument.is_required_set(),
    })
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    fn find<'a>(list: &'a Value, name: &str) -> &'a Value {
        list.as_array().unwrap().iter().find(|entry| entry["name"] == name).unwrap()
    }

    #[test]
    fn commands_are_described_with_their_arguments() {
        let all = command(&crate::Command::command());
        let run = find(&all["commands"], "run");
        let scene = find(&run["arguments"], "scene");
        assert_eq!((&scene["positional"], &scene["values"]), (&json!(true), &json!("one")));
        let set = find(&run["arguments"], "set");
        assert_eq!((&set["long"], &set["values"]), (&json!("set"), &json!("many")));
        assert_eq!(find(&run["arguments"], "force")["values"], "none");
        let studies = &find(&all["commands"], "study")["commands"];
        assert!(
            studies.as_array().unwrap().len() > 10 && !find(studies, "sliding")["about"].as_str().unwrap().is_empty()
        );
    }
}
