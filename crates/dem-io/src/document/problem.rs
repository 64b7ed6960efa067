//! What serde found wrong, kept as data until it is known where.

use std::fmt;

use serde::de::{Error, Expected, Unexpected};

use super::tree::NodeId;

/// A serde error and its node, as far as known.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct NodeError {
    pub(super) problem: Problem,
    pub(super) place: Option<Place>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Place {
    pub(super) node: NodeId,
    /// The error may lie anywhere below the node, because serde copied it aside before it looked
    /// at the contents (internally tagged enums, flattened fields).
    pub(super) is_coarse: bool,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Problem {
    UnknownField {
        field: String,
        known: &'static [&'static str],
    },
    MissingField(&'static str),
    UnknownVariant {
        variant: String,
        known: &'static [&'static str],
    },
    /// Wrong type or value: what stands there in serde's words, and what is expected.
    Unexpected {
        found: String,
        expected: String,
    },
    Length {
        found: usize,
        expected: String,
    },
    Custom(String),
}

impl NodeError {
    fn new(problem: Problem) -> Self {
        Self { problem, place: None }
    }

    /// Sets the place unless a deeper one is known.
    pub(super) fn or_at(mut self, node: NodeId, is_coarse: bool) -> Self {
        self.place.get_or_insert(Place { node, is_coarse });
        self
    }
}

impl Error for NodeError {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self::new(Problem::Custom(message.to_string()))
    }

    fn invalid_type(found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::invalid_value(found, expected)
    }

    fn invalid_value(found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::new(Problem::Unexpected { found: found.to_string(), expected: in_words(&expected.to_string()) })
    }

    fn invalid_length(found: usize, expected: &dyn Expected) -> Self {
        Self::new(Problem::Length {
            found,
            expected: match expected.to_string().strip_suffix(" elements in sequence") {
                Some(count) => format!("an array of length {count}"),
                None => in_words(&expected.to_string()),
            },
        })
    }

    fn unknown_variant(variant: &str, known: &'static [&'static str]) -> Self {
        Self::new(Problem::UnknownVariant { variant: variant.to_owned(), known })
    }

    fn unknown_field(field: &str, known: &'static [&'static str]) -> Self {
        Self::new(Problem::UnknownField { field: field.to_owned(), known })
    }

    fn missing_field(field: &'static str) -> Self {
        Self::new(Problem::MissingField(field))
    }

    fn duplicate_field(field: &'static str) -> Self {
        Self::new(Problem::Custom(format!("the key `{field}` appears twice")))
    }
}

/// What serde calls a type, in words of the scene author.
fn in_words(expected: &str) -> String {
    let words = match expected {
        "f64" | "f32" => "a number",
        "u8" | "u16" | "u32" | "u64" | "u128" | "usize" => "a whole number >= 0",
        "i8" | "i16" | "i32" | "i64" | "i128" | "isize" => "a whole number",
        "a boolean" => "true or false",
        "a sequence" => "an array",
        "a map" => "a table",
        "variant identifier" => "a text",
        "a nonzero u32" | "a nonzero u64" | "a nonzero usize" => "a whole number >= 1",
        _ => {
            let of_type = ["struct ", "internally tagged enum ", "struct variant "];
            if of_type.iter().any(|kind| expected.starts_with(kind)) {
                "a table"
            } else if expected.starts_with("string or ") || expected.starts_with("enum ") {
                "a text"
            } else {
                expected
            }
        }
    };
    words.to_owned()
}

/// Needed by serde only; [`super::SceneError`] words the problem for people.
impl fmt::Display for NodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.problem)
    }
}

impl std::error::Error for NodeError {}
