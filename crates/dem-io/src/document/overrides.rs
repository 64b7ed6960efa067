//! Values set on the command line: `--set materials.glass.friction=0.3`.

use toml::de::DeValue;

use super::diagnostic::{SceneError, Source};
use super::key_path::KeyPath;
use super::tree::{Label, NodeId, NodeValue, Origin, Refusal, Tree};
use crate::suggestion::{excerpt, nearest};

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
