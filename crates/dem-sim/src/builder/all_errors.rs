//! All that is wrong with a scene.
//!
//! Building a scene ends at its first error. To find the others the scene is mended where the error points and built again: with the name that is
//! probably meant, with a number without its sign, without the key, and at last without the table that it stands in. What is then wrong with
//! what is missing is no fault of the author's: errors of what was taken away, and of what names it, are left out.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use dem_io::document::{KeyPath, Override, SceneDocument, SceneError};
use dem_io::nearest;
use toml::Value;
use tracing::subscriber::{NoSubscriber, with_default};

use super::loaded_scene::with_files;
use super::named_files::MissingTables;
use super::simulation::build_with;

/// Most errors that are searched for.
const MOST: usize = 50;
/// How long they are searched for.
const PATIENCE: Duration = Duration::from_secs(5);
/// Keys that need not be there beside others, which stand in for them.
const INSTEAD: [(&str, &str); 1] = [("sizes", "clump")];
/// A fraction that most ratios may be.
const SHARE: f64 = 0.3;

/// Errors of a scene, in the order of its lines.
#[derive(Debug)]
pub struct AllErrors {
    /// The errors, at least one.
    pub errors: Vec<SceneError>,
    /// Whether the search was given up before its end, because errors are many or building takes long.
    pub are_more: bool,
}

/// Finds everything else that is wrong with a scene file, of which building has ended with an error.
pub fn all_errors(path: &Path, overrides: &[Override], first: SceneError) -> AllErrors {
    let folder = path.parent().map_or_else(PathBuf::new, Path::to_path_buf);
    match SceneDocument::load(path, overrides) {
        // what is built again says nothing of its own
        Ok(document) => with_default(NoSubscriber::default(), || search(document, &folder, first)),
        Err(_) => AllErrors { errors: vec![first], are_more: false },
    }
}

/// The same of a scene that is a text; paths in it are relative to `folder`.
pub fn all_errors_in(folder: &Path, name: &str, text: &str, overrides: &[Override], first: SceneError) -> AllErrors {
    match SceneDocument::from_text(name, text, overrides) {
        Ok(document) => with_default(NoSubscriber::default(), || search(document, folder, first)),
        Err(_) => AllErrors { errors: vec![first], are_more: false },
    }
}

fn search(mut document: SceneDocument, folder: &Path, first: SceneError) -> AllErrors {
    let begin = Instant::now();
    let mut mended = Mended::default();
    let mut errors: Vec<SceneError> = Vec::new();
    let mut next = Some(first);
    let mut are_more = false;
    while let Some(error) = next {
        if !mended.hides(&document, &error) && errors.iter().all(|known| !says_the_same(known, &error)) {
            errors.push(error.clone());
        }
        are_more = errors.len() >= MOST || begin.elapsed() > PATIENCE;
        if are_more {
            break;
        }
        let found = mends(&document, &error, &mended).into_iter().find_map(|mend| {
            let candidate = mend.apply(&document)?;
            let mut with_it = mended.clone();
            with_it.note(&document, &mend, &error);
            match first_error(&candidate, folder) {
                Some(error) if with_it.explains(&error) => None,
                outcome => Some((candidate, with_it, outcome)),
            }
        });
        let Some((candidate, with_it, outcome)) = found else { break };
        (document, mended, next) = (candidate, with_it, outcome);
    }
    // those without a place, of the file as a whole, first
    errors.sort_by_key(|error| (error.line(), error.column()));
    AllErrors { errors, are_more }
}

/// The first error of a document; that of placing particles, which may take long, only if there is no other.
fn first_error(document: &SceneDocument, folder: &Path) -> Option<SceneError> {
    let loaded = match with_files(document.clone(), folder.to_path_buf(), MissingTables::Refused) {
        Ok(loaded) => loaded,
        Err(error) => return Some(error),
    };
    build_with(&loaded, false).and_then(|_| build_with(&loaded, true)).err()
}

/// A change that may take an error away.
#[derive(Clone, Debug, PartialEq)]
enum Mend {
    /// Another name of a key.
    Key(KeyPath, String),
    /// Another value.
    Value(KeyPath, Value),
    /// Without the key or the table.
    Without(KeyPath),
}

impl Mend {
    fn apply(&self, document: &SceneDocument) -> Option<SceneDocument> {
        match self {
            Self::Key(path, name) => document.with_key(path, name),
            Self::Value(path, value) => document.with_value(path, value),
            Self::Without(path) => document.without(path),
        }
    }
}

/// What may mend an error, what takes least away first.
fn mends(document: &SceneDocument, error: &SceneError, mended: &Mended) -> Vec<Mend> {
    let path = error.key_path();
    let mut mends = Vec::new();
    // what names something that was taken away goes, too
    if !mended.explains_name(document, error) {
        let meant = meant(error);
        if let Some(name) = meant.filter(|_| error.message().contains("unknown")) {
            mends.push(Mend::Key(path.clone(), name.to_owned()));
        }
        if let Some(value) = document.value_as_written(path) {
            mends.extend(nearby(&value, error).into_iter().map(|value| Mend::Value(path.clone(), value)));
        }
    }
    let segments = path.segments();
    mends.extend((1..=segments.len()).rev().map(|length| Mend::Without(KeyPath::from(segments[..length].to_vec()))));
    mends
}

/// The name that a message takes for the one that is meant.
fn meant(error: &SceneError) -> Option<&str> {
    error.help()?.split_once("did you mean `")?.1.split('`').next()
}

/// Values like one that is refused.
fn nearby(value: &Value, error: &SceneError) -> Vec<Value> {
    match value {
        Value::String(text) => match text.trim().strip_prefix('-') {
            Some(positive) => vec![Value::String(positive.to_owned())],
            None => {
                let named = error.message().split_once("expected").map_or("", |(_, allowed)| allowed);
                let words = named.split([',', ' ', ':', '"']).filter(|word| !word.is_empty());
                meant(error)
                    .or_else(|| nearest(text, words))
                    .map(|name| Value::String(name.to_owned()))
                    .into_iter()
                    .collect()
            }
        },
        Value::Integer(integer) if *integer < 0 => vec![Value::Integer(integer.saturating_neg())],
        Value::Float(float) if *float < 0.0 => vec![Value::Float(0.0 - float), Value::Float(SHARE)],
        Value::Integer(_) | Value::Float(_) => vec![Value::Float(SHARE)],
        _ => Vec::new(),
    }
}

/// What was mended so far.
#[derive(Clone, Debug, Default)]
struct Mended {
    replaced: Vec<KeyPath>,
    removed: Vec<KeyPath>,
    /// Names of what was removed.
    names: Vec<String>,
    /// Tables that keys of some meaning were removed from, which other keys may have depended on.
    tables: Vec<KeyPath>,
}

impl Mended {
    fn note(&mut self, document: &SceneDocument, mend: &Mend, error: &SceneError) {
        match mend {
            Mend::Key(..) => {}
            Mend::Value(path, _) => self.replaced.push(path.clone()),
            Mend::Without(path) => {
                if let Some(Value::Table(table)) = document.value_as_written(path) {
                    let name = table.get("name").and_then(Value::as_str);
                    self.names.extend(name.or(path.segments().last().map(String::as_str)).map(str::to_owned));
                }
                if let Some((_, table)) = path.segments().split_last()
                    && !error.message().contains("unknown")
                {
                    self.tables.push(KeyPath::from(table.to_vec()));
                }
                self.removed.push(path.clone());
            }
        }
    }

    /// Whether an error is no fault of its own: it names what was taken away, is about nothing in the text, or about a
    /// key next to one that was taken away.
    fn hides(&self, document: &SceneDocument, error: &SceneError) -> bool {
        if self.removed.is_empty() {
            return false;
        }
        let is_nowhere = error.line().is_none() && error.written_override().is_none();
        let beside = error
            .key_path()
            .segments()
            .split_last()
            .is_some_and(|(_, table)| self.tables.iter().any(|known| known.segments() == table));
        let stands_alone =
            error.is_out_of_range() || missing_key(error).is_some() || error.message().contains("unknown");
        is_nowhere || beside && !stands_alone || self.explains_name(document, error)
    }

    /// Whether an error comes of what was taken away or replaced.
    fn explains(&self, error: &SceneError) -> bool {
        let path = error.key_path();
        let lacks = |removed: &KeyPath| match missing_key(error) {
            Some(key) => {
                let stood_in = INSTEAD.iter().filter(|(missing, _)| *missing == key).map(|(_, other)| *other);
                stood_in.chain([key]).any(|key| *removed == path.child(key))
            }
            None => removed.segments().starts_with(path.segments()),
        };
        self.replaced.contains(path) || self.removed.iter().any(lacks)
    }

    /// Whether an error is that a value names what was taken away.
    fn explains_name(&self, document: &SceneDocument, error: &SceneError) -> bool {
        let is_gone = |value: &Value| value.as_str().is_some_and(|text| self.names.iter().any(|name| name == text));
        document.value_as_written(error.key_path()).is_some_and(|value| match &value {
            Value::Array(elements) => elements.iter().any(is_gone),
            value => is_gone(value),
        })
    }
}

/// Whether two errors are one: the same message, or one about tables, which have no value of their own, in the same words.
fn says_the_same(a: &SceneError, b: &SceneError) -> bool {
    let words = |error: &SceneError| {
        let of_table = error.message().split_once(": ").filter(|(path, _)| !path.contains(' '));
        of_table
            .map(|(_, words)| words.to_owned())
            .filter(|words| missing_key(error).is_none() && !words.starts_with("unknown"))
    };
    a.to_string() == b.to_string() || words(a).is_some() && words(a) == words(b)
}

/// The key that a message misses.
fn missing_key(error: &SceneError) -> Option<&str> {
    error.message().rsplit_once("missing key `")?.1.strip_suffix('`')
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCENE: &str = r#"
[time]
end = "1 s"
stpe = "1 us"
[materials.glass]
density = "-2500 kg/m^3"
young_modulus = "70 GPa"
poisson_ratio = 0.6
[materials.steel]
young_modulus = "210 GPa"
poisson_ratio = 0.3
[contact]
law = "hertz-mindlni"
frictoin = 0.5
restitution = 1.4
[[walls]]
name = "ceiling"
material = "steel"
shape = { type = "plane", normal = [0, 0, 0] }
[[walls]]
name = "floor"
material = "glas"
shape = { type = "plane", normal = [0, 0, 1] }
[[particles]]
name = "sand"
material = "glass"
sizes = { type = "single", radius = "-1 mm" }
region = { type = "box", min = [0, 0, 0], max = ["10 mm", "10 mm", "10 mm"] }
fill = { type = "lattice", count = 3 }
[[stages]]
name = "fall"
actions = [{ type = "remove_wall", wall = "flor" }]
until = { time = "1 sec" }
[output]
series = 0
"#;

    fn found(text: &str) -> Vec<(usize, String)> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("scene.toml");
        std::fs::write(&path, text).unwrap();
        let first = crate::builder::loaded_scene::load_scene(&path, &[])
            .and_then(|loaded| crate::builder::simulation::build(&loaded).map(drop));
        let all = all_errors(&path, &[], first.unwrap_err());
        assert!(!all.are_more);
        all.errors.iter().map(|error| (error.line().unwrap_or(0), error.key_path().to_string())).collect()
    }

    #[test]
    fn every_fault_of_a_scene_is_found_once_and_nothing_else() {
        let paths: Vec<String> = found(SCENE).into_iter().map(|(_, path)| path).collect();
        assert_eq!(
            paths,
            [
                "time.stpe",
                "materials.glass.density",
                "materials.glass.poisson_ratio",
                "materials.steel",
                "contact.law",
                "contact.frictoin",
                "contact.restitution",
                "walls.1.material",
                "particles.0.sizes.radius",
                "stages.0.actions.0.wall",
                "stages.0.until.time",
                "output.series",
            ]
        );
    }

    #[test]
    fn elements_behind_one_that_is_taken_away_keep_their_numbers_and_lines() {
        let scene = SCENE
            .replace("density = \"-2500", "density = \"2500")
            .replace("[materials.steel]", "[materials.steel]\ndensity = 7800");
        let found = found(&scene);
        let at = |path: &str| found.iter().find(|(_, found)| found == path).map(|(line, _)| *line);
        let line = |text: &str| scene.lines().position(|line| line.contains(text)).map(|index| index + 1);
        assert_eq!(at("walls.0.shape.normal"), line("[0, 0, 0] }"), "{found:?}");
        assert_eq!(at("walls.1.material"), line("\"glas\""), "{found:?}");
    }
}
