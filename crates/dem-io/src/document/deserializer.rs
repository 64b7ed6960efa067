//! Typed reading of a [`Tree`], with every error tied to its node.

use std::cell::Cell;

use serde::de::value::{BoolDeserializer, BorrowedStrDeserializer, StrDeserializer};
use serde::de::{
    DeserializeSeed, Deserializer, EnumAccess, Error, MapAccess, SeqAccess, Unexpected, VariantAccess, Visitor,
};

use super::problem::NodeError;
use super::tree::{NodeId, NodeValue, Tree};

/// A change pretended while reading, to find out what an error depends on.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Pretence<'a> {
    None,
    /// The node does not exist.
    Hidden(NodeId),
    /// The table has one more key, whose value is `true`.
    Inserted(NodeId, &'a str),
}

/// One pass over a tree.
pub(super) struct Reading<'a> {
    tree: &'a Tree,
    pretence: &'a Pretence<'a>,
    /// The table last read through to its end as a struct. An error that comes afterwards for the
    /// same table is about the table as a whole.
    whole_struct: Cell<Option<NodeId>>,
}

impl<'a> Reading<'a> {
    pub(super) fn new(tree: &'a Tree, pretence: &'a Pretence<'a>) -> Self {
        Self { tree, pretence, whole_struct: Cell::new(None) }
    }
}

/// Reads one node.
#[derive(Clone, Copy)]
pub(super) struct NodeDeserializer<'de> {
    reading: &'de Reading<'de>,
    tree: &'de Tree,
    node: NodeId,
}

impl<'de> NodeDeserializer<'de> {
    pub(super) fn root(reading: &'de Reading<'de>) -> Self {
        Self { reading, tree: reading.tree, node: Tree::ROOT }
    }

    fn at(self, node: NodeId) -> Self {
        Self { node, ..self }
    }

    /// Ties an error that surfaced after the node was handed out to the node.
    fn blame(self, error: NodeError) -> NodeError {
        let is_whole = self.reading.whole_struct.get() == Some(self.node);
        error.or_at(self.node, self.tree.is_table(self.node) && !is_whole)
    }

    fn read<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, NodeError> {
        match &self.tree.node(self.node).value {
            NodeValue::String(text) => visitor.visit_borrowed_str(text),
            NodeValue::Integer(integer) => visitor.visit_i64(*integer),
            NodeValue::Float(float) => visitor.visit_f64(*float),
            NodeValue::Boolean(boolean) => visitor.visit_bool(*boolean),
            NodeValue::Datetime(datetime) => visitor.visit_string(datetime.to_string()),
            NodeValue::Array(_) => {
                let mut elements = Children::of(self);
                let value = visitor.visit_seq(&mut elements)?;
                let left = elements.count();
                if left > 0 {
                    let read = self.tree.children(self.node).len() - left;
                    let expected = format!("an array of length {read}");
                    return Err(NodeError::invalid_length(read + left, &expected.as_str()));
                }
                Ok(value)
            }
            NodeValue::Table(_) => visitor.visit_map(Children::of(self)),
        }
    }
}

impl<'de> Deserializer<'de> for NodeDeserializer<'de> {
    type Error = NodeError;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, NodeError> {
        self.read(visitor).map_err(|error| self.blame(error))
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, NodeError> {
        let value = self.read(visitor);
        self.reading.whole_struct.set(Some(self.node));
        value.map_err(|error| error.or_at(self.node, false))
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, NodeError> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, NodeError> {
        visitor.visit_newtype_struct(self)
    }

    /// A text is a unit variant, a table of one key a variant with contents.
    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, NodeError> {
        let content = match &self.tree.node(self.node).value {
            NodeValue::String(name) => Ok((name.as_str(), None)),
            NodeValue::Table(children) => match children.as_slice() {
                [only] => Ok((self.tree.key(*only).unwrap_or_default(), Some(*only))),
                other => Err(NodeError::invalid_length(other.len(), &"a table of one key")),
            },
            other => Err(NodeError::invalid_type(unexpected(other), &"a text")),
        };
        content
            .and_then(|(name, content)| {
                visitor.visit_enum(Variant { name, content: content.map(|node| self.at(node)) })
            })
            .map_err(|error| error.or_at(self.node, false))
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, NodeError> {
        visitor.visit_unit()
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit
        unit_struct seq tuple tuple_struct map identifier
    }
}

fn unexpected(value: &NodeValue) -> Unexpected<'_> {
    match value {
        NodeValue::String(text) => Unexpected::Str(text),
        NodeValue::Integer(integer) => Unexpected::Signed(*integer),
        NodeValue::Float(float) => Unexpected::Float(*float),
        NodeValue::Boolean(boolean) => Unexpected::Bool(*boolean),
        NodeValue::Datetime(_) => Unexpected::Other("date"),
        NodeValue::Array(_) => Unexpected::Seq,
        NodeValue::Table(_) => Unexpected::Map,
    }
}

/// The children of a table or array, in turn.
struct Children<'de> {
    container: NodeDeserializer<'de>,
    rest: std::slice::Iter<'de, NodeId>,
    /// The child whose key was handed out.
    pending: Option<NodeId>,
    inserted: Option<&'de str>,
}

impl<'de> Children<'de> {
    fn of(container: NodeDeserializer<'de>) -> Self {
        let inserted = match container.reading.pretence {
            Pretence::Inserted(table, key) if *table == container.node => Some(*key),
            _ => None,
        };
        Self { rest: container.tree.children(container.node).iter(), container, pending: None, inserted }
    }
}

impl Iterator for Children<'_> {
    type Item = NodeId;

    fn next(&mut self) -> Option<NodeId> {
        self.rest.by_ref().copied().find(|&child| *self.container.reading.pretence != Pretence::Hidden(child))
    }
}

impl<'de> SeqAccess<'de> for &mut Children<'de> {
    type Error = NodeError;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, NodeError> {
        let Some(child) = self.next() else {
            return Ok(None);
        };
        let element = self.container.at(child);
        seed.deserialize(element).map(Some).map_err(|error| element.blame(error))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.rest.len())
    }
}

impl<'de> MapAccess<'de> for Children<'de> {
    type Error = NodeError;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, NodeError> {
        self.pending = self.next();
        if let Some(child) = self.pending {
            let key = self.container.tree.key(child).unwrap_or_default();
            return seed
                .deserialize(BorrowedStrDeserializer::new(key))
                .map(Some)
                .map_err(|error: NodeError| error.or_at(child, false));
        }
        match self.inserted.take() {
            Some(key) => seed.deserialize(StrDeserializer::new(key)).map(Some),
            None => Ok(None),
        }
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, NodeError> {
        match self.pending.take() {
            Some(child) => {
                let value = self.container.at(child);
                seed.deserialize(value).map_err(|error| value.blame(error))
            }
            None => seed.deserialize(BoolDeserializer::new(true)),
        }
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.rest.len())
    }
}

/// An externally tagged variant.
struct Variant<'de> {
    name: &'de str,
    content: Option<NodeDeserializer<'de>>,
}

impl<'de> EnumAccess<'de> for Variant<'de> {
    type Error = NodeError;
    type Variant = Self;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Self), NodeError> {
        let name = seed.deserialize(BorrowedStrDeserializer::<NodeError>::new(self.name))?;
        Ok((name, self))
    }
}

impl<'de> Variant<'de> {
    fn content(self, expected: &'static str) -> Result<NodeDeserializer<'de>, NodeError> {
        self.content.ok_or_else(|| NodeError::invalid_type(Unexpected::UnitVariant, &expected))
    }
}

impl<'de> VariantAccess<'de> for Variant<'de> {
    type Error = NodeError;

    fn unit_variant(self) -> Result<(), NodeError> {
        match self.content {
            None => Ok(()),
            Some(content) => Err(NodeError::invalid_type(Unexpected::Map, &"a text").or_at(content.node, false)),
        }
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, NodeError> {
        seed.deserialize(self.content("a table of one key")?)
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, NodeError> {
        self.content("a table of one key")?.deserialize_any(visitor)
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, NodeError> {
        self.content("a table of one key")?.deserialize_struct("", fields, visitor)
    }
}
