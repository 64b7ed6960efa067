//! The scene under one of the laws.

use std::collections::BTreeMap;
use std::path::PathBuf;

use dem_contact::ParameterValue;
use dem_contact::registry::Entry;
use dem_io::document::Override;
use dem_sim::builder::{self, LoadedScene};

use super::matching::{Matching, Pair, Reference, stiffness};
use crate::error::StudyError;
use crate::named_choice::NamedChoice;

/// Keys of `[contact]` that are no parameters of a law.
const GEOMETRY: [&str; 4] = ["law", "lever", "transport", "slip"];
/// Parameter of laws with a linear spring.
const NORMAL_STIFFNESS: &str = "normal_stiffness";
/// Its companion.
const STIFFNESS_RATIO: &str = "stiffness_ratio";
/// Difference of factors that is rounding.
const ROUNDING: f64 = 1e-9;

/// A law with a scene of its own.
pub struct Variant {
    /// As the user wrote it.
    pub label: String,
    /// The scene as text.
    text: String,
    folder: PathBuf,
    /// What was done to it.
    changes: Vec<String>,
}

impl Variant {
    /// Puts a law in the place of that of a scene and gives it stiffnesses.
    ///
    /// # Errors
    /// A scene with a law of its own for a pair of materials, stiffnesses that cannot be matched.
    pub fn new(base: &LoadedScene, selection: &NamedChoice, reference: &Reference) -> Result<Self, StudyError> {
        if let Some(k) = base.scene.pairs.iter().position(|pair| pair.law.is_some()) {
            let path = ["pairs".to_owned(), k.to_string(), "law".to_owned()].to_vec();
            let message = "the laws of all pairs are compared, expected none for a single one";
            return Err(base.document.error_at(path, message).into());
        }
        let mut variant = Self {
            label: selection.label.clone(),
            text: String::new(),
            folder: base.folder.clone(),
            changes: Vec::new(),
        };
        let mut scene = base.document.resolved().clone();
        let Some(entry) = selection.entry() else {
            return Err(StudyError::Ensemble(format!("there is no law {}", selection.name)));
        };
        variant.choose(&mut scene, entry, selection);
        if let Matching::Stiffness(_) = reference.matching {
            variant.give_stiffness(&mut scene, selection, reference)?;
        }
        variant.text = scene.to_string();
        Ok(variant)
    }

    /// The scene with a seed.
    ///
    /// # Errors
    /// One that the law refuses.
    pub fn scene(&self, seed: u64) -> Result<LoadedScene, StudyError> {
        let set = [Override::parse(&format!("seed={seed}"))?];
        let name = format!("scene under law {}", self.label);
        Ok(builder::parse_scene_in(&self.folder, &name, &self.text, &set)?)
    }

    /// Name of the folder of a run.
    pub fn member(&self, seed: u64) -> String {
        let harmless = |c: char| if c.is_ascii_alphanumeric() || "._+-=".contains(c) { c } else { '_' };
        format!("law={},seed={seed}", self.label.chars().map(harmless).collect::<String>())
    }

    /// What was done to the scene, a sentence each.
    pub fn statements(&self) -> Vec<String> {
        self.changes.iter().map(|change| format!("{}: {change}.", self.label)).collect()
    }

    /// Enters the law and its parameters, and leaves out those that it does not know.
    fn choose(&mut self, scene: &mut toml::Table, entry: &Entry, selection: &NamedChoice) {
        let mut dropped = Vec::new();
        if let Some(toml::Value::Table(contact)) = scene.get_mut("contact") {
            contact.insert("law".to_owned(), entry.key.into());
            let mut all = contact.clone();
            all.extend(selection.parameters.iter().map(|(name, value)| (name.clone(), plain(value))));
            let known = applicable(entry, &all);
            contact.retain(|name, _| GEOMETRY.contains(&name) || keep(name, &known, &mut dropped));
            contact.extend(selection.parameters.iter().map(|(name, value)| (name.clone(), plain(value))));
            if let Some(toml::Value::Array(pairs)) = scene.get_mut("pairs") {
                for pair in pairs.iter_mut().filter_map(toml::Value::as_table_mut) {
                    pair.retain(|name, _| name == "materials" || keep(name, &known, &mut dropped));
                }
            }
            let stages = scene.get_mut("stages").and_then(toml::Value::as_array_mut);
            let actions =
                stages.into_iter().flatten().filter_map(|stage| stage.get_mut("actions")?.as_array_mut()).flatten();
            for parameters in actions.filter_map(|action| action.get_mut("parameters")?.as_table_mut()) {
                parameters.retain(|name, _| keep(name, &known, &mut dropped));
            }
        }
        if !dropped.is_empty() {
            dropped.sort();
            dropped.dedup();
            self.changes.push(format!("left out what it does not know: {}", dropped.join(", ")));
        }
    }

    fn give_stiffness(
        &mut self,
        scene: &mut toml::Table,
        selection: &NamedChoice,
        reference: &Reference,
    ) -> Result<(), StudyError> {
        if selection.parameters.contains_key(NORMAL_STIFFNESS) {
            self.changes.push("normal_stiffness as given with the law, not matched".to_owned());
            return Ok(());
        }
        if selection.lacks(NORMAL_STIFFNESS) {
            for (k, &pair) in reference.pairs.iter().enumerate() {
                let wanted = reference.stiffness(k);
                let ratio = (selection.lacks(STIFFNESS_RATIO)).then_some(wanted.tangential / wanted.secant);
                let mut values = vec![(NORMAL_STIFFNESS, wanted.secant)];
                values.extend(ratio.filter(|ratio| ratio.is_finite()).map(|ratio| (STIFFNESS_RATIO, ratio)));
                let words: Vec<String> = values.iter().map(|(name, value)| format!("{name} = {value:.6e}")).collect();
                self.changes.push(format!("{} of {}", words.join(", "), reference.name(pair)));
                if k == 0 {
                    // for all pairs that cannot meet now, too
                    if let Some(toml::Value::Table(contact)) = scene.get_mut("contact") {
                        contact.extend(values.iter().map(|&(name, value)| (name.to_owned(), value.into())));
                    }
                }
                enter_pair(scene, reference, pair, &values);
            }
            return Ok(());
        }
        // a law after Hertz: the materials decide
        let plain = builder::parse_scene_in(&self.folder, &self.label, &scene.to_string(), &[])?;
        let built = builder::build_empty(&plain)?;
        let own = reference.pairs.iter().map(|&pair| stiffness(&built, pair, reference.overlap).secant);
        let factors: Vec<f64> = own.enumerate().map(|(k, own)| reference.stiffness(k).secant / own).collect();
        let common = factors[0];
        if let Some(k) = factors.iter().position(|x| (x - common).abs() > ROUNDING * common) {
            return Err(StudyError::Ensemble(format!(
                "{}: the stiffnesses of {} and {} need Young's moduli times {common:.6} and {:.6}, expected one factor for all; --match \
                 parameters takes them as they are",
                self.label,
                reference.name(reference.pairs[0]),
                reference.name(reference.pairs[k]),
                factors[k]
            )));
        }
        if (common - 1.0).abs() > ROUNDING {
            for material in &reference.materials {
                let table = scene.get_mut("materials").and_then(|all| all.get_mut(&material.name));
                if let Some(toml::Value::Table(table)) = table {
                    table.insert("young_modulus".to_owned(), (material.young_modulus * common).into());
                }
            }
            self.changes.push(format!("Young's moduli times {common:.6e}"));
        }
        Ok(())
    }
}

/// Parameters that a law takes with the words that are given.
fn applicable(entry: &Entry, given: &toml::Table) -> Vec<&'static str> {
    let values: BTreeMap<String, ParameterValue> = given
        .iter()
        .filter_map(|(name, value)| match value {
            toml::Value::String(word) => Some((name.clone(), ParameterValue::Word(word.clone()))),
            toml::Value::Boolean(flag) => Some((name.clone(), ParameterValue::Flag(*flag))),
            _ => None,
        })
        .collect();
    let all = (entry.parameters)();
    // a word that is no choice is refused when the scene is built
    let specs = entry.declaration_for(&values).applicable(&values).unwrap_or(all);
    specs.iter().map(|spec| spec.name).collect()
}

fn keep(name: &str, known: &[&str], dropped: &mut Vec<String>) -> bool {
    let is_known = known.contains(&name);
    if !is_known {
        dropped.push(name.to_owned());
    }
    is_known
}

fn plain(value: &ParameterValue) -> toml::Value {
    match value {
        ParameterValue::Number(number) => (*number).into(),
        ParameterValue::Flag(flag) => (*flag).into(),
        ParameterValue::Word(word) => word.as_str().into(),
    }
}

/// Enters values for a pair of materials.
fn enter_pair(scene: &mut toml::Table, reference: &Reference, pair: Pair, values: &[(&str, f64)]) {
    let materials = &reference.materials;
    let names = [pair.materials.0, pair.materials.1].map(|k| materials[k as usize].name.clone());
    let list = scene.entry("pairs").or_insert_with(|| toml::Value::Array(Vec::new()));
    let Some(list) = list.as_array_mut() else { return };
    let is_own = |entry: &toml::Value| {
        let given: Vec<&str> = entry
            .get("materials")
            .and_then(toml::Value::as_array)
            .map(|given| given.iter().filter_map(toml::Value::as_str).collect())
            .unwrap_or_default();
        given == [names[0].as_str(), names[1].as_str()] || given == [names[1].as_str(), names[0].as_str()]
    };
    let at = list.iter().position(is_own).unwrap_or_else(|| {
        let mut entry = toml::Table::new();
        entry.insert("materials".to_owned(), names.to_vec().into());
        list.push(toml::Value::Table(entry));
        list.len() - 1
    });
    if let Some(entry) = list[at].as_table_mut() {
        entry.extend(values.iter().map(|&(name, value)| (name.to_owned(), value.into())));
    }
}
