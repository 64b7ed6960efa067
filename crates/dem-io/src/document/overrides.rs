//! Values set on the command line: `--set materials.glass.friction=0.3`.

use toml::de::DeValue;

use super::diagnostic::{SceneError, Source};
use super::key_path::KeyPath;
use super::tree::{Label, NodeId, NodeValue, Origin, Refusal, Tree, without_control_characters};
use crate::suggestion::{excerpt, nearest};
use crate::units::si_value;

/// Characters of an override that a message repeats.
const EXCERPT: usize = 120;

/// One key path and the value it is given.
#[derive(Debug, Clone, PartialEq)]
pub struct Override {
    path: KeyPath,
    value: String,
    /// The value is a text without quotes, as in `contact.law=linear`.
    is_bare_text: bool,
    written: String,
}

impl Override {
    /// Reads `key.path=value`.
    ///
    /// The value is read as TOML; what is no TOML value is a text without quotes, so that
    /// `time.end=2 s` and `contact.law=linear` need none.
    ///
    /// # Errors
    /// When there is no `=`, the path is malformed, the value is empty, or it begins like a TOML
    /// text, array or table but is none.
    pub fn parse(text: &str) -> Result<Self, SceneError> {
        let refuse = |reason: String| {
            SceneError::new(
                Source::Override(excerpt(text, EXCERPT)),
                KeyPath::root(),
                format!("{reason}, expected key.path=value"),
            )
        };
        let (path, rest) = KeyPath::parse_prefix(text).map_err(refuse)?;
        path.segments().iter().try_for_each(|name| without_control_characters("key", name)).map_err(refuse)?;
        let Some(value) = rest.strip_prefix('=') else {
            return Err(refuse("there is no `=`".to_owned()));
        };
        let value = value.trim();
        if value.is_empty() {
            return Err(refuse("the value is empty".to_owned()));
        }
        let failure = DeValue::parse(value).err();
        if let Some(failure) = &failure
            && value.starts_with(['"', '\'', '[', '{'])
        {
            return Err(refuse(format!("the value is not TOML: {}", failure.message())));
        }
        Ok(Self { path, value: value.to_owned(), is_bare_text: failure.is_some(), written: excerpt(text, EXCERPT) })
    }

    /// The key that is set.
    #[must_use]
    pub fn path(&self) -> &KeyPath {
        &self.path
    }

    /// The override as written, shortened where it is very long.
    #[must_use]
    pub fn written(&self) -> &str {
        &self.written
    }

    /// What the value means: the same text for values that are the same number, text, list or table, however they are written. `0.1` is `1e-1`,
    /// and `"1 mm"` is `0.001`.
    #[must_use]
    pub fn meaning(&self) -> String {
        let value = if self.is_bare_text { None } else { parsed(&self.value) };
        let mut meaning = String::new();
        push_meaning(&value.unwrap_or_else(|| toml::Value::String(self.value.clone())), &mut meaning);
        meaning
    }

    /// The value as written.
    pub(super) fn value_text(&self) -> &str {
        &self.value
    }

    /// Sets the value in a tree, as override number `index`.
    pub(super) fn apply(&self, tree: &mut Tree, index: usize) -> Result<(), SceneError> {
        let origin = Origin::Override(index);
        let Some((last, parents)) = self.path.segments().split_last() else {
            return Ok(());
        };
        let mut parent = Tree::ROOT;
        for (depth, segment) in parents.iter().enumerate() {
            parent = match tree.child(parent, segment) {
                Some(child) => child,
                None if tree.is_table(parent) => tree.add_empty_table(parent, segment, origin.clone()),
                None => return Err(self.no_such_child(tree, parent, depth)),
            };
        }
        let existing = tree.child(parent, last);
        let label = match existing {
            Some(existing) => tree.node(existing).label.clone(),
            None if tree.is_table(parent) => Label::Key { name: last.clone(), origin: origin.clone() },
            None => return Err(self.no_such_child(tree, parent, parents.len())),
        };
        let value = if self.is_bare_text {
            DeValue::String(self.value.as_str().into())
        } else {
            DeValue::parse(&self.value).map_err(|failure| self.refuse(failure.message().to_owned()))?.into_inner()
        };
        let place = |_| Origin::Override(index);
        let node = tree
            .add(parent, label, &value, origin, &place)
            .map_err(|Refusal { reason, .. }| self.refuse(format!("{}: {reason}", self.path)))?;
        match existing {
            Some(existing) => tree.replace(parent, existing, node),
            None => tree.enter(parent, node),
        }
        Ok(())
    }

    fn refuse(&self, message: String) -> SceneError {
        SceneError::new(Source::Override(self.written.clone()), self.path.clone(), message)
    }

    /// Segment number `depth` names no child of `parent`, which is no table.
    fn no_such_child(&self, tree: &Tree, parent: NodeId, depth: usize) -> SceneError {
        let parent_path = KeyPath::from(tree.path(parent));
        let segment = self.path.segments().get(depth).map_or("", String::as_str);
        let NodeValue::Array(elements) = &tree.node(parent).value else {
            return self.refuse(format!("{parent_path} is no table, it has no key `{segment}`"));
        };
        if segment.parse::<usize>().is_ok() {
            return self.refuse(format!(
                "{parent_path} has {} elements, there is no element {segment} (counted from 0)",
                elements.len()
            ));
        }
        let names: Vec<&str> = elements.iter().filter_map(|&element| tree.element_name(element)).collect();
        let error = self.refuse(format!("{parent_path} has no element with the name `{segment}`"));
        let near =
            nearest(segment, names.iter().copied()).map(|name| format!("did you mean `{name}`? ")).unwrap_or_default();
        if names.is_empty() {
            error.with_help("name an element by its index, counted from 0")
        } else {
            error.with_help(format!("{near}known names: {}", names.join(", ")))
        }
    }
}

/// A value of TOML by itself.
fn parsed(text: &str) -> Option<toml::Value> {
    let mut table: toml::Table = format!("value = {text}").parse().ok()?;
    table.remove("value")
}

/// Appends what a value means. A text that stands for a quantity is the number in SI units.
fn push_meaning(value: &toml::Value, meaning: &mut String) {
    use toml::Value;
    // every whole number up to here is a double
    let exact = |integer: i64| integer.unsigned_abs() <= 1 << 53;
    let number = match value {
        Value::Integer(integer) if exact(*integer) => Some(*integer as f64),
        Value::Float(float) => Some(*float),
        Value::String(text) => si_value(text),
        _ => None,
    };
    match (value, number) {
        // zero has no sign here
        (_, Some(number)) => meaning.push_str(&format!("{:?}", number + 0.0)),
        (Value::Array(elements), _) => {
            meaning.push('[');
            for element in elements {
                push_meaning(element, meaning);
                meaning.push(',');
            }
            meaning.push(']');
        }
        (Value::Table(table), _) => {
            meaning.push('{');
            for (key, value) in table {
                meaning.push_str(&format!("{key:?}="));
                push_meaning(value, meaning);
                meaning.push(',');
            }
            meaning.push('}');
        }
        (other, _) => meaning.push_str(&other.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_that_give_the_same_value_mean_the_same() {
        let change = |text: &str| Override::parse(text).unwrap();
        let same = |a: &str, b: &str| change(a).meaning() == change(b).meaning();
        for (a, b) in [
            ("a.b=0.1", "a.b=1e-1"),
            ("a=1", "a=1.0"),
            ("a=1 mm", "a=0.001"),
            ("a=\"1 mm\"", "a=1e3 um"),
            ("a=50 %", "a=0.5"),
            ("a=kuhn", "a=\"kuhn\""),
            ("a=[0, 0, -9.81]", "a=[0.0, 0, -9.81e0]"),
            ("a={x = 1, y = 2}", "a={y = 2.0, x = 1}"),
            ("a='text'", "a=\"text\""),
            ("a=0.0", "a=-0.0"),
        ] {
            assert!(same(a, b), "{a} and {b}");
        }
        for (a, b) in [
            ("a=9223372036854775807", "a=9223372036854775806"),
            ("a=[[1], 2]", "a=[1, [2]]"),
            ("a=\"[1]\"", "a=[1]"),
            ("a=0.1", "a=0.2"),
            ("a=1 mm", "a=1 m"),
            ("a=true", "a=1"),
            ("a=9007199254740993", "a=9007199254740992"),
            ("a=[1]", "a=[1, 1]"),
            ("a={x = 1}", "a={x = 2}"),
            ("a=kuhn", "a=linear"),
        ] {
            assert!(!same(a, b), "{a} and {b}");
        }
    }
}
