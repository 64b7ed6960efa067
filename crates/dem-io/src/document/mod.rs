//! Scene text: TOML in which every error leads back to its line.
//!
//! ```
//! use dem_io::document::{Override, SceneDocument};
//!
//! #[derive(serde::Deserialize)]
//! #[serde(deny_unknown_fields)]
//! struct Scene {
//!     steps: u64,
//! }
//!
//! let set = [Override::parse("steps=20")?];
//! let document = SceneDocument::from_text("scene.toml", "steps = 10", &set)?;
//! let scene: Scene = document.deserialize()?;
//! assert_eq!(scene.steps, 20);
//! let error = document.error_at(&["steps"], "expected at most 15");
//! assert_eq!(error.to_string(), "error: --set steps=20: steps = 20, expected at most 15");
//! # Ok::<(), dem_io::document::SceneError>(())
//! ```

mod deserializer;
mod diagnostic;
mod key_path;
mod mending;
mod narrowing;
mod overrides;
mod problem;
mod tree;

#[cfg(test)]
mod tests;

use std::fmt::Display;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use toml::de::DeTable;

use self::deserializer::Pretence;
use self::diagnostic::{Excerpt, Source};
use self::problem::Problem;
use self::tree::{Label, NodeId, NodeValue, Origin, Tree};
use crate::suggestion::{excerpt, nearest};

pub use self::diagnostic::SceneError;
pub use self::key_path::KeyPath;
pub use self::overrides::Override;

/// Largest scene text `[byte]`.
pub const LARGEST_SCENE: u64 = 16 * 1024 * 1024;
/// Longest value that a message repeats, in characters.
const LONGEST_VALUE: usize = 60;
/// Longest path that a message suggests, in characters.
const EXCERPT: usize = 200;
/// Most scenes of a folder that are compared with a name.
const MOST_SCENES: usize = 1000;

/// A scene text with its overrides applied.
#[derive(Debug, Clone)]
pub struct SceneDocument {
    name: String,
    text: String,
    overrides: Vec<Override>,
    tree: Tree,
    resolved: toml::Table,
}

impl SceneDocument {
    /// Reads a scene file and applies overrides in their order.
    ///
    /// # Errors
    /// When the file is missing, no regular file, larger than [`LARGEST_SCENE`], not UTF-8, not
    /// TOML, or an override does not fit.
    pub fn load(path: impl AsRef<Path>, overrides: &[Override]) -> Result<Self, SceneError> {
        let path = path.as_ref();
        let name = path.display().to_string();
        let bytes = read_bounded(path).map_err(|message| {
            let error = SceneError::of_file(&name, message);
            match scene_meant(path) {
                Some(meant) => {
                    error.with_help(format!("did you mean {}?", excerpt(&meant.display().to_string(), EXCERPT)))
                }
                None => error,
            }
        })?;
        let text = String::from_utf8(bytes).map_err(|error| {
            let valid = error.utf8_error().valid_up_to();
            let before = error.as_bytes().get(..valid).unwrap_or_default();
            let line = before.iter().filter(|&&byte| byte == b'\n').count() + 1;
            SceneError::of_file(&name, format!("not UTF-8 text, the first bad byte is number {valid}, in line {line}"))
        })?;
        Self::from_text(&name, &text, overrides)
    }

    /// Reads a scene text; `name` stands for the file in messages.
    ///
    /// # Errors
    /// As [`SceneDocument::load`].
    pub fn from_text(name: &str, text: &str, overrides: &[Override]) -> Result<Self, SceneError> {
        if text.len() as u64 > LARGEST_SCENE {
            return Err(SceneError::of_file(name, too_large()));
        }
        let table = DeTable::parse(text).map_err(|error| {
            let message = error.message().trim_end().to_owned();
            let source = match error.span() {
                Some(span) => text_source(name, text, &span),
                None => Source::File(name.to_owned()),
            };
            SceneError::new(source, KeyPath::root(), message)
        })?;
        let mut tree = Tree::from_table(table.get_ref()).map_err(|refusal| {
            let source = match refusal.origin {
                Origin::Text(span) => text_source(name, text, &span),
                Origin::Override(_) => Source::File(name.to_owned()),
            };
            let path = KeyPath::from(refusal.path);
            let message = if path.is_root() { refusal.reason } else { format!("{path}: {}", refusal.reason) };
            SceneError::new(source, path, message)
        })?;
        for (index, change) in overrides.iter().enumerate() {
            change.apply(&mut tree, index)?;
        }
        Ok(Self {
            name: name.to_owned(),
            text: text.to_owned(),
            overrides: overrides.to_vec(),
            resolved: tree.to_table(Tree::ROOT),
            tree,
        })
    }

    /// The name of the scene file, as given.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The text without overrides.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Reads the document into a type.
    ///
    /// # Errors
    /// The first thing in the document that does not fit the type.
    pub fn deserialize<T: DeserializeOwned>(&self) -> Result<T, SceneError> {
        narrowing::read(&self.tree, &Pretence::None).map_err(|error| {
            let node = narrowing::locate::<T>(&self.tree, &error);
            self.describe(node, &error.problem)
        })
    }

    /// The plain document with overrides applied.
    #[must_use]
    pub fn resolved(&self) -> &toml::Table {
        &self.resolved
    }

    /// The value at a path, if the document or an override gives one.
    #[must_use]
    pub fn value(&self, path: impl Into<KeyPath>) -> Option<&toml::Value> {
        // The tree knows elements by name, the plain value only by index.
        let path = path.into();
        let (first, rest) = path.segments().split_first()?;
        let mut node = self.tree.child(Tree::ROOT, first)?;
        let mut value = self.resolved.get(first)?;
        for segment in rest {
            let child = self.tree.child(node, segment)?;
            value = match value {
                toml::Value::Array(elements) => {
                    let index = self.tree.children(node).iter().position(|&element| element == child)?;
                    elements.get(index)?
                }
                other => other.get(segment)?,
            };
            node = child;
        }
        Some(value)
    }

    /// The value at a path that a command speaks of.
    ///
    /// # Errors
    /// When neither the document nor an override gives one; the help names what there is instead.
    pub fn required_value(&self, path: impl Into<KeyPath>) -> Result<&toml::Value, SceneError> {
        let path = path.into();
        if let Some(value) = self.value(&path) {
            return Ok(value);
        }
        let (node, depth) = self.tree.deepest(path.segments());
        let missing = path.segments().get(depth).map_or("", String::as_str);
        let name = |&child: &NodeId| self.tree.key(child).or_else(|| self.tree.element_name(child));
        let names: Vec<&str> = self.tree.children(node).iter().filter_map(name).collect();
        let help = known_names("keys", missing, &names);
        let message = format!("{} is not in the scene, expected a key that it or --set gives", self.told(&path));
        Err(SceneError::new(self.source_of(&self.tree.node(node).origin), path, message).with_help(help))
    }

    /// An error about the value at a path, found after reading.
    ///
    /// It points at the deepest existing key of the path. Where the path exists and holds a plain
    /// value the message is `path = value, message`, with the value as written, else
    /// `path: message`.
    #[must_use]
    pub fn error_at(&self, path: impl Into<KeyPath>, message: impl Display) -> SceneError {
        let given = path.into();
        let told = self.told(&given);
        let subject = match self.written_at(&given) {
            Some(written) => format!("{told} = {written}, {message}"),
            None if given.is_root() => message.to_string(),
            None => format!("{told}: {message}"),
        };
        self.error_with_message(&given, subject)
    }

    /// An error about a value outside its range:
    /// `materials.glass.poisson_ratio = 0.6 [-], expected 0 <= value < 0.5`.
    #[must_use]
    pub fn range_error(&self, path: impl Into<KeyPath>, unit: &str, allowed: impl Display) -> SceneError {
        let given = path.into();
        let told = self.told(&given);
        let subject = match self.written_at(&given) {
            // A text states its unit itself.
            Some(written) if written.starts_with(['"', '\'']) => {
                format!("{told} = {written}, expected {allowed} [{unit}]")
            }
            Some(written) => format!("{told} = {written} [{unit}], expected {allowed}"),
            None => format!("{told}: expected {allowed} [{unit}]"),
        };
        self.error_with_message(&given, subject).out_of_range()
    }

    /// The path as messages show it: elements by their names, as `--set` takes them, too, and the others by their numbers in the text.
    fn told(&self, given: &KeyPath) -> KeyPath {
        KeyPath::from(self.tree.told(given.segments()))
    }

    fn error_with_message(&self, given: &KeyPath, message: String) -> SceneError {
        let (node, _) = self.tree.deepest(given.segments());
        let path = KeyPath::from(self.tree.numbered(given.segments()));
        SceneError::new(self.source_of(&self.tree.node(node).origin), path, message)
    }

    /// The value at exactly this path, as written.
    fn written_at(&self, path: &KeyPath) -> Option<String> {
        let (node, depth) = self.tree.deepest(path.segments());
        if depth < path.segments().len() {
            return None;
        }
        self.written(node)
    }

    /// A value as written; `None` for tables and arrays of tables.
    fn written(&self, node: NodeId) -> Option<String> {
        match &self.tree.node(node).value {
            NodeValue::Table(_) => return None,
            NodeValue::Array(_) => {
                let children = self.tree.children(node);
                if children.iter().any(|&child| self.written(child).is_none()) {
                    return None;
                }
            }
            _ => {}
        }
        let written = match &self.tree.node(node).origin {
            Origin::Text(span) => self.text.get(span.clone())?.to_owned(),
            Origin::Override(index) => {
                let change = self.overrides.get(*index)?;
                if change.path().segments() == self.tree.path(node) {
                    change.value_text().to_owned()
                } else {
                    self.tree.to_value(node).to_string()
                }
            }
        };
        Some(excerpt(&written, LONGEST_VALUE))
    }

    fn source_of(&self, origin: &Origin) -> Source {
        match origin {
            // The root has no place of its own.
            Origin::Text(span) if span.is_empty() => Source::File(self.name.clone()),
            Origin::Text(span) => text_source(&self.name, &self.text, span),
            Origin::Override(index) => Source::Override(
                self.overrides.get(*index).map_or_else(String::new, |change| change.written().to_owned()),
            ),
        }
    }

    /// Words a problem of serde for the scene author.
    fn describe(&self, node: NodeId, problem: &Problem) -> SceneError {
        let (path, told) = (KeyPath::from(self.tree.path(node)), KeyPath::from(self.tree.told_path(node)));
        let about = |path: &KeyPath, message: String| {
            if path.is_root() { message } else { format!("{path}: {message}") }
        };
        let value = self.written(node);
        let source = self.source_of(&self.tree.node(node).origin);
        match problem {
            Problem::UnknownField { field, known } => {
                let shown = excerpt(field, LONGEST_VALUE);
                let message = format!("unknown key `{shown}`");
                let help = known_names("keys", field, known);
                let (table, source) = match &self.tree.node(node) {
                    tree::Node { parent: Some(parent), label: Label::Key { name, origin }, .. } if name == field => {
                        (KeyPath::from(self.tree.told_path(*parent)), self.source_of(origin))
                    }
                    _ => (told.clone(), source),
                };
                SceneError::new(source, path, about(&table, message)).with_help(help)
            }
            Problem::MissingField(field) => {
                let message = about(&told, format!("missing key `{field}`"));
                SceneError::new(source, path, message)
            }
            Problem::UnknownVariant { variant, known } => {
                let message = match &value {
                    Some(value) => format!("{told} = {value} is not known here"),
                    None => about(&told, format!("unknown key `{}`", excerpt(variant, LONGEST_VALUE))),
                };
                SceneError::new(source, path, message).with_help(known_names("values", variant, known))
            }
            Problem::Unexpected { found, expected } => {
                let message = match (&value, &self.tree.node(node).value) {
                    (Some(value), _) => format!("{told} = {value}, expected {expected}"),
                    (None, NodeValue::Array(_)) => {
                        format!("{told} is an array, expected {expected}")
                    }
                    (None, NodeValue::Table(_)) if found == "map" => {
                        about(&told, format!("is a table, expected {expected}"))
                    }
                    (None, _) => about(&told, format!("found {found}, expected {expected}")),
                };
                SceneError::new(source, path, message)
            }
            Problem::Length { found, expected } => {
                let message = match &value {
                    Some(value) => {
                        format!("{told} = {value} has {found} elements, expected {expected}")
                    }
                    None => about(&told, format!("has {found} elements, expected {expected}")),
                };
                SceneError::new(source, path, message)
            }
            Problem::Custom(message) => {
                let message = about(&told, message.clone());
                SceneError::new(source, path, message)
            }
        }
    }
}

fn text_source(name: &str, text: &str, span: &std::ops::Range<usize>) -> Source {
    Source::Text { file: name.to_owned(), excerpt: Excerpt::of(text, span) }
}

fn known_names(kind: &str, written: &str, known: &[&str]) -> String {
    let near =
        nearest(written, known.iter().copied()).map(|name| format!("did you mean `{name}`? ")).unwrap_or_default();
    if known.is_empty() {
        format!("no {kind} are known here")
    } else {
        format!("{near}known {kind}: {}", known.join(", "))
    }
}

/// The scene that a path without a file probably means: with its ending, or the nearest name in the folder or among the examples.
fn scene_meant(path: &Path) -> Option<PathBuf> {
    if path.exists() {
        return None;
    }
    let name = path.file_name()?.to_str()?;
    let file = if name.ends_with(".toml") { name.to_owned() } else { format!("{name}.toml") };
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folders = [folder.unwrap_or(Path::new(".")).to_path_buf(), PathBuf::from("examples")];
    let scenes = |folder: &PathBuf| -> Vec<String> {
        let names =
            fs::read_dir(folder).into_iter().flatten().filter_map(|entry| entry.ok()?.file_name().into_string().ok());
        let mut names: Vec<String> = names.filter(|name| name.ends_with(".toml")).take(MOST_SCENES).collect();
        names.sort();
        names
    };
    let listed: Vec<(PathBuf, Vec<String>)> =
        folders.into_iter().map(|folder| (folder.clone(), scenes(&folder))).collect();
    let exact = listed.iter().find(|(_, names)| names.contains(&file)).map(|(folder, _)| folder.join(&file));
    let near = || {
        listed.iter().find_map(|(folder, names)| {
            let stems = names.iter().map(|name| name.trim_end_matches(".toml"));
            nearest(file.trim_end_matches(".toml"), stems).map(|stem| folder.join(format!("{stem}.toml")))
        })
    };
    let meant = exact.or_else(near)?;
    Some(meant.strip_prefix(".").map_or_else(|_| meant.clone(), Path::to_path_buf))
}

fn too_large() -> String {
    format!("larger than {LARGEST_SCENE} bytes, put lists of particles into a table file")
}

fn read_bounded(path: &Path) -> Result<Vec<u8>, String> {
    let in_words = |error: std::io::Error| match error.kind() {
        std::io::ErrorKind::NotFound => "no such file".to_owned(),
        std::io::ErrorKind::PermissionDenied => "no permission to read it".to_owned(),
        _ => format!("cannot be read: {error}"),
    };
    // Checked before opening: opening a pipe would wait for a writer.
    let metadata = fs::metadata(path).map_err(in_words)?;
    if metadata.is_dir() {
        return Err("is a directory, expected a scene file".to_owned());
    }
    if !metadata.is_file() {
        return Err("is not a regular file".to_owned());
    }
    if metadata.len() > LARGEST_SCENE {
        return Err(too_large());
    }
    let mut bytes = Vec::new();
    let file = fs::File::open(path).map_err(in_words)?;
    let mut bounded = file.take(LARGEST_SCENE + 1);
    bounded.read_to_end(&mut bytes).map_err(in_words)?;
    if bytes.len() as u64 > LARGEST_SCENE {
        return Err(too_large());
    }
    Ok(bytes)
}
