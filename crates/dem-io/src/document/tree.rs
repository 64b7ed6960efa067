//! The document as a tree whose every node knows where it was written.

use std::ops::Range;

use toml::de::{DeTable, DeValue};
use toml::value::Datetime;

use crate::suggestion::{excerpt, is_harmful};
use crate::units::LARGEST;

/// Deepest nesting of tables and arrays.
const DEEPEST: usize = 64;
/// Characters of a bad value that a message repeats.
const EXCERPT: usize = 40;
/// Most values in a scene; long lists of particles belong in a table file.
const MOST_NODES: usize = 1_000_000;

/// Index of a node in its [`Tree`].
pub(super) type NodeId = usize;

/// Where a piece of the document was written.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Origin {
    /// Bytes of the text.
    Text(Range<usize>),
    /// The override with this index.
    Override(usize),
}

/// How a node is reached from its parent.
#[derive(Debug, Clone)]
pub(super) enum Label {
    Root,
    Key { name: String, origin: Origin },
    Index(usize),
}

#[derive(Debug, Clone)]
pub(super) enum NodeValue {
    String(String),
    Integer(i64),
    Float(f64),
    Boolean(bool),
    Datetime(Datetime),
    Array(Vec<NodeId>),
    /// Children in the order of the document.
    Table(Vec<NodeId>),
}

#[derive(Debug, Clone)]
pub(super) struct Node {
    pub(super) parent: Option<NodeId>,
    pub(super) label: Label,
    pub(super) origin: Origin,
    pub(super) value: NodeValue,
}

/// All nodes; the root is node 0. Nodes replaced by an override stay, unreachable.
#[derive(Debug, Clone)]
pub(super) struct Tree {
    nodes: Vec<Node>,
}

/// Why a parsed text is no usable document, and where.
pub(super) struct Refusal {
    pub(super) origin: Origin,
    /// The key, if it is about the value of one.
    pub(super) path: Vec<String>,
    pub(super) reason: String,
}

impl Tree {
    pub(super) const ROOT: NodeId = 0;

    /// A tree of one empty table.
    pub(super) fn empty() -> Self {
        Self {
            nodes: vec![Node {
                parent: None,
                label: Label::Root,
                origin: Origin::Text(0..0),
                value: NodeValue::Table(Vec::new()),
            }],
        }
    }

    pub(super) fn from_table(table: &DeTable<'_>) -> Result<Self, Refusal> {
        let mut tree = Self::empty();
        let children = tree.add_table(Self::ROOT, table, &Origin::Text, 1)?;
        tree.nodes[Self::ROOT].value = NodeValue::Table(children);
        Ok(tree)
    }

    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    pub(super) fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id]
    }

    pub(super) fn node_mut(&mut self, id: NodeId) -> &mut Node {
        &mut self.nodes[id]
    }

    /// Takes a node from among the children of its parent; it stays, unreachable. `None` for the root.
    pub(super) fn remove(&mut self, id: NodeId) -> Option<()> {
        let parent = self.nodes[id].parent?;
        if let NodeValue::Array(children) | NodeValue::Table(children) = &mut self.nodes[parent].value {
            children.retain(|&child| child != id);
        }
        Some(())
    }

    /// Children of a table or array, in document order.
    pub(super) fn children(&self, id: NodeId) -> &[NodeId] {
        match &self.nodes[id].value {
            NodeValue::Array(children) | NodeValue::Table(children) => children,
            _ => &[],
        }
    }

    pub(super) fn is_table(&self, id: NodeId) -> bool {
        matches!(self.nodes[id].value, NodeValue::Table(_))
    }

    pub(super) fn key(&self, id: NodeId) -> Option<&str> {
        match &self.nodes[id].label {
            Label::Key { name, .. } => Some(name),
            _ => None,
        }
    }

    /// The child that a path segment means, see [`super::KeyPath`].
    pub(super) fn child(&self, parent: NodeId, segment: &str) -> Option<NodeId> {
        match &self.nodes[parent].value {
            NodeValue::Table(children) => children.iter().copied().find(|&child| self.key(child) == Some(segment)),
            NodeValue::Array(children) => match segment.parse::<usize>() {
                Ok(index) => children.get(index).copied(),
                Err(_) => children.iter().copied().find(|&child| self.element_name(child) == Some(segment)),
            },
            _ => None,
        }
    }

    /// The text of the key `name` of a table.
    pub(super) fn element_name(&self, id: NodeId) -> Option<&str> {
        if !self.is_table(id) {
            return None;
        }
        let name = self.child(id, "name")?;
        match &self.nodes[name].value {
            NodeValue::String(text) => Some(text),
            _ => None,
        }
    }

    /// The deepest existing node on a path and the number of segments that lead to it.
    pub(super) fn deepest(&self, segments: &[String]) -> (NodeId, usize) {
        let mut node = Self::ROOT;
        for (depth, segment) in segments.iter().enumerate() {
            match self.child(node, segment) {
                Some(child) => node = child,
                None => return (node, depth),
            }
        }
        (node, segments.len())
    }

    /// A path as messages show it: elements by their names, where a name tells which one is meant, the others by their numbers in the text.
    pub(super) fn told(&self, segments: &[String]) -> Vec<String> {
        let mut told = segments.to_vec();
        let mut node = Self::ROOT;
        for segment in &mut told {
            let Some(child) = self.child(node, segment) else { break };
            if let Label::Index(_) = self.nodes[child].label {
                *segment = self.told_element(child);
            }
            node = child;
        }
        told
    }

    /// The same path with the numbers that elements have in the text.
    pub(super) fn numbered(&self, segments: &[String]) -> Vec<String> {
        let (node, depth) = self.deepest(segments);
        [&self.path(node)[..], &segments[depth..]].concat()
    }

    /// The path of a node as messages show it.
    pub(super) fn told_path(&self, id: NodeId) -> Vec<String> {
        let mut segments = Vec::new();
        let mut next = Some(id);
        while let Some(id) = next {
            match &self.nodes[id].label {
                Label::Key { name, .. } => segments.push(name.clone()),
                Label::Index(_) => segments.push(self.told_element(id)),
                Label::Root => {}
            }
            next = self.nodes[id].parent;
        }
        segments.reverse();
        segments
    }

    /// An element by its name, if no other element has it and it is no number, else by its number in the text.
    fn told_element(&self, id: NodeId) -> String {
        let siblings = self.nodes[id].parent.map_or(&[][..], |parent| self.children(parent));
        let is_alone =
            |name: &&str| siblings.iter().all(|&other| other == id || self.element_name(other) != Some(*name));
        let name = self.element_name(id).filter(|name| !name.is_empty() && name.parse::<u64>().is_err());
        match (name.filter(is_alone), &self.nodes[id].label) {
            (Some(name), _) => name.to_owned(),
            (None, Label::Index(index)) => index.to_string(),
            (None, _) => String::new(),
        }
    }

    /// Segments from the root to a node.
    pub(super) fn path(&self, id: NodeId) -> Vec<String> {
        let mut segments = Vec::new();
        let mut node = &self.nodes[id];
        while let Some(parent) = node.parent {
            match &node.label {
                Label::Key { name, .. } => segments.push(name.clone()),
                Label::Index(index) => segments.push(index.to_string()),
                Label::Root => {}
            }
            node = &self.nodes[parent];
        }
        segments.reverse();
        segments
    }

    /// Adds a value below `parent` without yet entering it among the children.
    pub(super) fn add(
        &mut self,
        parent: NodeId,
        label: Label,
        value: &DeValue<'_>,
        origin: Origin,
        place: &dyn Fn(Range<usize>) -> Origin,
    ) -> Result<NodeId, Refusal> {
        let depth = self.path(parent).len() + 1;
        self.add_at_depth(parent, label, value, origin, place, depth)
    }

    /// Adds an empty table below the table `parent`.
    pub(super) fn add_empty_table(&mut self, parent: NodeId, name: &str, origin: Origin) -> NodeId {
        let label = Label::Key { name: name.to_owned(), origin: origin.clone() };
        let id = self.push(parent, label, origin);
        self.nodes[id].value = NodeValue::Table(Vec::new());
        self.enter(parent, id);
        id
    }

    /// Appends an added node to the children of its parent.
    pub(super) fn enter(&mut self, parent: NodeId, child: NodeId) {
        if let NodeValue::Array(children) | NodeValue::Table(children) = &mut self.nodes[parent].value {
            children.push(child);
        }
    }

    /// Puts an added node in the place of a sibling.
    pub(super) fn replace(&mut self, parent: NodeId, old: NodeId, new: NodeId) {
        if let NodeValue::Array(children) | NodeValue::Table(children) = &mut self.nodes[parent].value {
            for child in children.iter_mut().filter(|child| **child == old) {
                *child = new;
            }
        }
    }

    /// The plain value of a node.
    pub(super) fn to_value(&self, id: NodeId) -> toml::Value {
        match &self.nodes[id].value {
            NodeValue::String(text) => toml::Value::String(text.clone()),
            NodeValue::Integer(integer) => toml::Value::Integer(*integer),
            NodeValue::Float(float) => toml::Value::Float(*float),
            NodeValue::Boolean(boolean) => toml::Value::Boolean(*boolean),
            NodeValue::Datetime(datetime) => toml::Value::Datetime(*datetime),
            NodeValue::Array(children) => {
                toml::Value::Array(children.iter().map(|&child| self.to_value(child)).collect())
            }
            NodeValue::Table(_) => toml::Value::Table(self.to_table(id)),
        }
    }

    /// The plain table of a node; empty when the node is no table.
    pub(super) fn to_table(&self, id: NodeId) -> toml::Table {
        let mut table = toml::Table::new();
        if self.is_table(id) {
            for &child in self.children(id) {
                if let Some(key) = self.key(child) {
                    table.insert(key.to_owned(), self.to_value(child));
                }
            }
        }
        table
    }

    fn push(&mut self, parent: NodeId, label: Label, origin: Origin) -> NodeId {
        self.nodes.push(Node { parent: Some(parent), label, origin, value: NodeValue::Boolean(false) });
        self.nodes.len() - 1
    }

    fn add_at_depth(
        &mut self,
        parent: NodeId,
        label: Label,
        value: &DeValue<'_>,
        origin: Origin,
        place: &dyn Fn(Range<usize>) -> Origin,
        depth: usize,
    ) -> Result<NodeId, Refusal> {
        let refuse = |reason: String| Refusal { origin: origin.clone(), path: Vec::new(), reason };
        if depth > DEEPEST {
            return Err(refuse(format!("nested more than {DEEPEST} levels deep")));
        }
        if self.nodes.len() >= MOST_NODES {
            return Err(refuse(format!("more than {MOST_NODES} values, put lists of particles into a table file")));
        }
        if let Label::Key { name, origin } = &label {
            without_control_characters("key", name).map_err(|reason| Refusal {
                origin: origin.clone(),
                path: Vec::new(),
                reason,
            })?;
        }
        let id = self.push(parent, label, origin.clone());
        let refuse_value =
            |tree: &Self, reason: String| Refusal { origin: origin.clone(), path: tree.path(id), reason };
        let value = match value {
            DeValue::String(text) => {
                without_control_characters("text", text).map_err(|reason| refuse_value(self, reason))?;
                NodeValue::String(text.to_string())
            }
            DeValue::Boolean(boolean) => NodeValue::Boolean(*boolean),
            DeValue::Datetime(datetime) => NodeValue::Datetime(*datetime),
            DeValue::Integer(integer) => {
                match i64::from_str_radix(integer.as_str(), integer.radix()) {
                    Ok(integer) => NodeValue::Integer(integer),
                    // A large whole number is still a fine number, but no longer an integer.
                    Err(_) if integer.radix() == 10 => {
                        NodeValue::Float(number(integer.as_str()).map_err(|reason| refuse_value(self, reason))?)
                    }
                    Err(_) => return Err(refuse("the integer needs more than 64 bits".to_owned())),
                }
            }
            DeValue::Float(float) => {
                NodeValue::Float(number(float.as_str()).map_err(|reason| refuse_value(self, reason))?)
            }
            DeValue::Array(elements) => {
                let mut children = Vec::new();
                for (index, element) in elements.iter().enumerate() {
                    let label = Label::Index(index);
                    let origin = place(element.span());
                    let child = self.add_at_depth(id, label, element.get_ref(), origin, place, depth + 1)?;
                    children.push(child);
                }
                NodeValue::Array(children)
            }
            DeValue::Table(table) => NodeValue::Table(self.add_table(id, table, place, depth + 1)?),
        };
        self.nodes[id].value = value;
        Ok(id)
    }

    fn add_table(
        &mut self,
        parent: NodeId,
        table: &DeTable<'_>,
        place: &dyn Fn(Range<usize>) -> Origin,
        depth: usize,
    ) -> Result<Vec<NodeId>, Refusal> {
        // The parser's map is sorted by key; errors should come in the order of the text.
        let mut entries: Vec<_> = table.iter().collect();
        entries.sort_by_key(|(key, _)| key.span().start);
        let mut children = Vec::with_capacity(entries.len());
        for (key, value) in entries {
            let label = Label::Key { name: key.get_ref().to_string(), origin: place(key.span()) };
            let origin = place(value.span());
            children.push(self.add_at_depth(parent, label, value.get_ref(), origin, place, depth)?);
        }
        Ok(children)
    }
}

fn number(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(value) if value.abs() <= LARGEST => Ok(value),
        Ok(value) if value.is_finite() => {
            Err(format!("{} is beyond {LARGEST:e}, the largest number of a scene", excerpt(text, EXCERPT)))
        }
        _ => Err("the number is not finite".to_owned()),
    }
}

/// Texts of a scene stand in messages, reports, tables and pictures, where characters that control a terminal or begin a line do harm.
pub(super) fn without_control_characters(what: &str, text: &str) -> Result<(), String> {
    match text.chars().find(|&character| is_harmful(character)) {
        None => Ok(()),
        Some(character) => Err(format!(
            "the {what} \"{}\" has the control character U+{:04X}, expected none",
            excerpt(text, EXCERPT),
            u32::from(character)
        )),
    }
}
