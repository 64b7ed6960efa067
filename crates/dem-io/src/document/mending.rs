//! Documents with one change, from which a reader learns what else is wrong.
//!
//! What is left keeps its place in the text and its number in a list, so that messages about it are those of the whole document.

use toml::Value;

use super::SceneDocument;
use super::key_path::KeyPath;
use super::tree::{Label, NodeId, NodeValue, Tree};

impl SceneDocument {
    /// The document without the value at a path, and without its key; `None` where there is no value.
    #[must_use]
    pub fn without(&self, path: &KeyPath) -> Option<Self> {
        let node = self.tree.as_written(path)?;
        let mut tree = self.tree.clone();
        tree.remove(node)?;
        Some(self.with_tree(tree))
    }

    /// The document with another number or text in the place of the plain value at a path; `None` where there is none, or what is given is no
    /// plain value.
    #[must_use]
    pub fn with_value(&self, path: &KeyPath, value: &Value) -> Option<Self> {
        let node = self.tree.as_written(path)?;
        if matches!(self.tree.node(node).value, NodeValue::Array(_) | NodeValue::Table(_)) {
            return None;
        }
        let value = match value {
            Value::String(text) => NodeValue::String(text.clone()),
            Value::Integer(integer) => NodeValue::Integer(*integer),
            Value::Float(float) if float.is_finite() => NodeValue::Float(*float),
            _ => return None,
        };
        let mut tree = self.tree.clone();
        tree.node_mut(node).value = value;
        Some(self.with_tree(tree))
    }

    /// The document with another name of the key at a path; `None` where there is no such key, or one of that name beside it.
    #[must_use]
    pub fn with_key(&self, path: &KeyPath, name: &str) -> Option<Self> {
        let node = self.tree.as_written(path)?;
        let parent = self.tree.node(node).parent?;
        let Label::Key { origin, .. } = &self.tree.node(node).label else { return None };
        if self.tree.child(parent, name).is_some() {
            return None;
        }
        let label = Label::Key { name: name.to_owned(), origin: origin.clone() };
        let mut tree = self.tree.clone();
        tree.node_mut(node).label = label;
        Some(self.with_tree(tree))
    }

    /// The value at a path of the text.
    #[must_use]
    pub fn value_as_written(&self, path: &KeyPath) -> Option<Value> {
        self.tree.as_written(path).map(|node| self.tree.to_value(node))
    }

    fn with_tree(&self, tree: Tree) -> Self {
        Self { resolved: tree.to_table(Tree::ROOT), tree, ..self.clone() }
    }
}

impl Tree {
    /// The node at a path whose numbers of elements are those of the text.
    fn as_written(&self, path: &KeyPath) -> Option<NodeId> {
        path.segments().iter().try_fold(Self::ROOT, |node, segment| {
            let mut children = self.children(node).iter().copied();
            children.find(|&child| match &self.node(child).label {
                Label::Key { name, .. } => name == segment,
                Label::Index(index) => segment.parse() == Ok(*index),
                Label::Root => false,
            })
        })
    }
}
