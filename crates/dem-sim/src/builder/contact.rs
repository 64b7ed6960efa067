//! Materials, laws and pair parameters.

use std::collections::BTreeMap;

use dem_contact::kernel::ForceKernel;
use dem_contact::normal::NORMAL;
use dem_contact::registry::{self, Entry};
use dem_contact::{LawError, ParameterKind, ParameterValue};
use dem_core::contact_list::LawSelection;
use dem_core::material::Material;
use dem_io::document::{KeyPath, SceneDocument, SceneError};
use dem_io::nearest;
use dem_io::units::UncheckedQuantity;

use super::values::{in_range, positive, without_value};
use crate::scene::contact::{ContactValue, MaterialScene};
use crate::scene::document::Scene;
use crate::state::contact_parameters::{ContactDefinition, Given};

/// Parameters that exclude each other: giving one replaces the other where it was given less specifically.
const EXCLUSIVE: [&[&str]; 4] = [
    &["surface_energy", "work_of_adhesion"],
    &["unloading_stiffness", "stiffening"],
    &["restitution", "damping_ratio", "damping_rate", "dissipation_time"],
    &["tangential_damping_ratio", "tangential_damping_rate", "tangential_damping_share"],
];

/// Adds what a table of `[[pairs]]` says of a pair to what others said of it.
///
/// # Errors
/// Another value of the same parameter, or of one that excludes it.
fn add_to_table(
    document: &SceneDocument,
    before: &mut BTreeMap<String, Given>,
    said: impl Iterator<Item = (String, Given)>,
) -> Result<(), SceneError> {
    let earlier = before.clone();
    for (name, given) in said {
        let excludes = |other: &str| EXCLUSIVE.iter().any(|set| set.contains(&other) && set.contains(&name.as_str()));
        let contradiction = earlier
            .iter()
            .find(|(other, known)| if **other == name { known.value != given.value } else { excludes(other) });
        if let Some((_, known)) = contradiction {
            let message = format!("but {} gives another value for the same pair: expected one of the two", known.path);
            return Err(document.error_at(given.path, message));
        }
        before.insert(name, given);
    }
    Ok(())
}

impl ContactDefinition {
    /// Resolves the contact parameters of a scene.
    pub(super) fn new(document: &SceneDocument, scene: &Scene) -> Result<Self, SceneError> {
        let materials = build_materials(document, scene)?;
        let count = materials.len();
        let mut definition = Self {
            laws: LawSelection::uniform(count),
            entries: vec![find_law(document, &KeyPath::from(&["contact", "law"]), &scene.contact.law)?],
            pairs: vec![BTreeMap::new(); count * count],
            materials,
            real_young_moduli: real_young_moduli(document, scene)?,
        };
        let common = convert(document, definition.entries[0], &scene.contact.parameters, &KeyPath::from(&["contact"]))?;
        for a in 0..count {
            for b in a..count {
                let mut pair = mixed(scene, &definition.materials[a].name, &definition.materials[b].name);
                overlay(&mut pair, &common, false);
                settle(document, definition.entries[0], &mut pair, &common)?;
                definition.set_pair(a, b, pair);
            }
        }
        let mut tables: BTreeMap<(usize, usize), BTreeMap<String, Given>> = BTreeMap::new();
        for (index, given) in scene.pairs.iter().enumerate() {
            let path = crate::builder::values::entry_path("pairs", index, &[]);
            let (a, b) = definition.find_pair(document, &path, &given.materials)?;
            let mut law = definition.laws.get(a as u16, b as u16) as usize;
            if let Some(name) = &given.law {
                let entry = find_law(document, &path.child("law"), name)?;
                law = definition.entries.iter().position(|known| known.key == entry.key).unwrap_or_else(|| {
                    definition.entries.push(entry);
                    definition.entries.len() - 1
                });
                definition.laws.set(a as u16, b as u16, law as u16);
                // parameters of [contact] that another law does not know are not meant for it
                let specs = (entry.parameters)();
                let known = |name: &str| specs.iter().any(|spec| spec.name == name);
                let mut pair = definition.pairs[a * count + b].clone();
                pair.retain(|name, _| known(name));
                definition.set_pair(a, b, pair);
            }
            let entry = definition.entries[law];
            let own = convert(document, entry, &given.parameters, &path)?;
            let law = given.law.iter().map(|_| {
                let value = ParameterValue::Word(entry.key.to_owned());
                ("law".to_owned(), Given { value, path: path.child("law") })
            });
            let said = own.iter().map(|(name, given)| (name.clone(), given.clone())).chain(law);
            add_to_table(document, tables.entry((a.min(b), a.max(b))).or_default(), said)?;
            let mut pair = definition.pairs[a * count + b].clone();
            overlay(&mut pair, &own, true);
            settle(document, entry, &mut pair, &own)?;
            definition.set_pair(a, b, pair);
        }
        definition.warn_of_values_without_effect(&common);
        definition.drop_unused_laws();
        Ok(definition)
    }

    /// Says which values of `[contact]` govern no pair, because all have more specific ones.
    fn warn_of_values_without_effect(&self, common: &BTreeMap<String, Given>) {
        for (name, given) in common {
            let governs = |pair: &BTreeMap<String, Given>| pair.values().any(|own| own.path == given.path);
            if !self.pairs.iter().any(governs) {
                tracing::warn!(
                    "contact.{name} has no effect: every pair of materials has its own, from [materials] or [[pairs]]"
                );
            }
        }
    }

    /// Index of a material, or an error at the key that names it.
    pub(super) fn require_material(
        &self,
        document: &SceneDocument,
        path: KeyPath,
        name: &str,
    ) -> Result<u16, SceneError> {
        self.material(name).ok_or_else(|| {
            let known: Vec<&str> = self.materials.iter().map(|m| m.name.as_str()).collect();
            document.error_at(path, format!("expected the name of a material: {}", known.join(", ")))
        })
    }

    fn find_pair(
        &self,
        document: &SceneDocument,
        path: &KeyPath,
        names: &[String; 2],
    ) -> Result<(usize, usize), SceneError> {
        let mut found = [0; 2];
        for (k, name) in names.iter().enumerate() {
            found[k] = self.require_material(document, path.child("materials"), name)? as usize;
        }
        Ok((found[0].min(found[1]), found[0].max(found[1])))
    }

    /// Changes parameters of one pair of materials, or of all.
    ///
    /// # Errors
    /// Names of materials or parameters that do not exist, values of the wrong kind.
    pub fn change(
        &mut self,
        document: &SceneDocument,
        path: &KeyPath,
        materials: Option<&[String; 2]>,
        parameters: &BTreeMap<String, ContactValue>,
    ) -> Result<(), SceneError> {
        let count = self.materials.len();
        let pairs: Vec<(usize, usize)> = match materials {
            Some(names) => vec![self.find_pair(document, path, names)?],
            None => (0..count).flat_map(|a| (a..count).map(move |b| (a, b))).collect(),
        };
        for (a, b) in pairs {
            let entry = self.entries[self.laws.get(a as u16, b as u16) as usize];
            let own = convert(document, entry, parameters, &path.child("parameters"))?;
            let mut pair = self.pairs[a * count + b].clone();
            overlay(&mut pair, &own, true);
            settle(document, entry, &mut pair, &own)?;
            self.set_pair(a, b, pair);
        }
        Ok(())
    }

    /// Builds the kernels; a refusal is reported at the key of the scene that gave the parameter.
    ///
    /// # Errors
    /// Parameters that a law refuses.
    pub(super) fn build_kernels(&self, document: &SceneDocument) -> Result<Vec<Box<dyn ForceKernel>>, SceneError> {
        self.kernels().map_err(|(law, error)| {
            let (a, b) = error.materials;
            let given = self.pairs[a * self.materials.len() + b].get(&error.error.parameter);
            let path = given.map_or_else(|| KeyPath::from(&["contact"]), |given| given.path.clone());
            let message = match given {
                Some(_) => without_value(&error.error.message),
                None => error.error.to_string(),
            };
            document.error_at(path, message).with_help(format!(
                "law {law}, materials {} and {}; `dem laws {law}` lists its parameters",
                self.materials[a].name, self.materials[b].name
            ))
        })
    }
}

fn build_materials(document: &SceneDocument, scene: &Scene) -> Result<Vec<Material>, SceneError> {
    if scene.materials.is_empty() {
        return Err(document.error_at(&["materials"], "expected at least one material"));
    }
    if scene.materials.len() > 1000 {
        return Err(document.error_at(&["materials"], "expected at most 1000 materials"));
    }
    scene
        .materials
        .iter()
        .map(|(name, given)| {
            let path = |key: &'static str| KeyPath::from(vec!["materials".to_owned(), name.clone(), key.to_owned()]);
            Ok(Material {
                name: name.clone(),
                density: positive(document, path("density"), given.density.si(), "kg/m^3")?,
                young_modulus: positive(document, path("young_modulus"), given.young_modulus.si(), "Pa")?,
                poisson_ratio: in_range(
                    document,
                    path("poisson_ratio"),
                    given.poisson_ratio.si(),
                    "-",
                    "0 <= value < 0.5",
                    |x| (0.0..0.5).contains(&x),
                )?,
            })
        })
        .collect()
}

/// Young's moduli of the real materials.
fn real_young_moduli(document: &SceneDocument, scene: &Scene) -> Result<Vec<Option<f64>>, SceneError> {
    let of = |(name, given): (&String, &MaterialScene)| {
        let path = KeyPath::from(vec!["materials".to_owned(), name.clone(), "real_young_modulus".to_owned()]);
        given.real_young_modulus.map(|modulus| positive(document, path, modulus.si(), "Pa")).transpose()
    };
    scene.materials.iter().map(of).collect()
}

/// What follows from the materials alone: the smaller friction, the geometric mean of the restitutions.
fn mixed(scene: &Scene, a: &str, b: &str) -> BTreeMap<String, Given> {
    let mut pair = BTreeMap::new();
    let (ma, mb) = (&scene.materials[a], &scene.materials[b]);
    let mut put = |key: &str, value: f64| {
        let path = KeyPath::from(vec!["materials".to_owned(), a.to_owned(), key.to_owned()]);
        pair.insert(key.to_owned(), Given { value: ParameterValue::Number(value), path });
    };
    if let (Some(x), Some(y)) = (ma.friction, mb.friction) {
        put("friction", x.si().min(y.si()));
    }
    if let (Some(x), Some(y)) = (ma.restitution, mb.restitution) {
        put("restitution", if x.si() == y.si() { x.si() } else { (x.si() * y.si()).sqrt() });
    }
    pair
}

/// Lays `over` on `pair`; without `replace` only what is missing is taken.
fn overlay(pair: &mut BTreeMap<String, Given>, over: &BTreeMap<String, Given>, replace: bool) {
    for (name, given) in over {
        let group = EXCLUSIVE.into_iter().find(|group| group.contains(&name.as_str())).unwrap_or_default();
        let rivals = || group.iter().copied().filter(|rival| rival != name && !over.contains_key(*rival));
        if replace {
            for rival in rivals() {
                pair.remove(rival);
                // a restitution takes its speed along
                if rival == "restitution" && !over.contains_key("restitution_speed") {
                    pair.remove("restitution_speed");
                }
            }
            pair.insert(name.clone(), given.clone());
        } else if !pair.contains_key(name) && rivals().all(|rival| !pair.contains_key(rival)) {
            pair.insert(name.clone(), given.clone());
        }
    }
}

/// Drops what does not apply with the models that are chosen now; it is refused if it was given together with them, in `own`.
fn settle(
    document: &SceneDocument,
    entry: &Entry,
    pair: &mut BTreeMap<String, Given>,
    own: &BTreeMap<String, Given>,
) -> Result<(), SceneError> {
    let values: BTreeMap<String, ParameterValue> =
        pair.iter().map(|(name, given)| (name.clone(), given.value.clone())).collect();
    let declaration = entry.declaration_for(&values);
    let refuse = |error: &LawError| {
        let given = own.get(&error.parameter).or_else(|| pair.get(&error.parameter));
        let path = given.map_or_else(|| KeyPath::from(&["contact"]), |given| given.path.clone());
        document
            .error_at(path, without_value(&error.message))
            .with_help(format!("`dem laws {}` lists the parameters of law {}", entry.key, entry.key))
    };
    let applicable = declaration.applicable(&values).map_err(|error| refuse(&error))?;
    // a law's own normal model may be named, although that is no choice
    let idle = |name: &str| name != NORMAL && applicable.iter().all(|spec| spec.name != name);
    if let Some(name) = own.keys().find(|name| idle(name)) {
        let condition = (entry.with_normal)().and_then(|other| other.condition(name));
        return Err(match condition.filter(|_| declaration.condition(name).is_none()) {
            Some(condition) => refuse(&LawError::new(name, format!("expected only with {condition}"))),
            None => refuse(&declaration.refusal(name, &values)),
        });
    }
    pair.retain(|name, _| !idle(name));
    Ok(())
}

fn find_law(document: &SceneDocument, path: &KeyPath, name: &str) -> Result<&'static Entry, SceneError> {
    registry::find(name).ok_or_else(|| {
        let known = registry::keys();
        let error = document.error_at(path.clone(), format!("expected one of {}", known.join(", ")));
        match nearest(name, known.iter().copied()) {
            Some(meant) => error.with_help(format!("did you mean `{meant}`? `dem laws` describes all")),
            None => error.with_help("`dem laws` describes all"),
        }
    })
}

/// Largest damping ratio. The restitution that it achieves is found by integrating an impact, in steps that become ever
/// shorter.
const LARGEST_DAMPING_RATIO: f64 = 1e4;
/// Largest damping rate \[1/s\]: with a larger one a run would never get anywhere, as steps are shorter than its reciprocal.
const LARGEST_DAMPING_RATE: f64 = 1e12;
/// Largest time of a viscoelastic material \[s\]: steps are shorter than the square of a contact's period over it.
const LARGEST_DISSIPATION_TIME: f64 = 1.0;
/// Largest viscosity of a tangential dashpot over that of the normal one.
const LARGEST_DAMPING_SHARE: f64 = 100.0;

/// The largest value of a parameter that damps, and its unit.
fn most_damping(name: &str) -> Option<(f64, &'static str)> {
    if name.ends_with("damping_ratio") {
        Some((LARGEST_DAMPING_RATIO, "-"))
    } else if name.ends_with("damping_rate") {
        Some((LARGEST_DAMPING_RATE, "1/s"))
    } else if name == "dissipation_time" {
        Some((LARGEST_DISSIPATION_TIME, "s"))
    } else if name.ends_with("damping_share") {
        Some((LARGEST_DAMPING_SHARE, "-"))
    } else {
        None
    }
}

/// Converts values to the units that the law declares.
fn convert(
    document: &SceneDocument,
    entry: &Entry,
    parameters: &BTreeMap<String, ContactValue>,
    path: &KeyPath,
) -> Result<BTreeMap<String, Given>, SceneError> {
    let specs = (entry.parameters)();
    let mut converted = BTreeMap::new();
    for (name, value) in parameters {
        let path = path.child(name);
        let Some(spec) = specs.iter().find(|spec| spec.name == name) else {
            let known: Vec<&str> = specs.iter().map(|spec| spec.name).collect();
            let error = document.error_at(path, format!("unknown parameter of law {}", entry.key));
            let hint = nearest(name, known.iter().copied())
                .map_or_else(String::new, |known| format!("did you mean `{known}`? "));
            return Err(error.with_help(format!("{hint}known parameters: {}", known.join(", "))));
        };
        let value = match (value, spec.kind) {
            (ContactValue::Flag(flag), _) => ParameterValue::Flag(*flag),
            (ContactValue::Quantity(UncheckedQuantity::Text(word)), ParameterKind::Choice(_)) => {
                ParameterValue::Word(word.clone())
            }
            (ContactValue::Quantity(quantity), _) => {
                let unit = if spec.unit == "-" { "" } else { spec.unit };
                let number = if unit.is_empty() {
                    quantity.in_dimension(dem_io::units::DimensionVector::NONE)
                } else {
                    quantity.in_unit(unit)
                };
                let number = number.map_err(|error| document.error_at(path.clone(), error))?;
                if let Some((most, unit)) = most_damping(name).filter(|&(most, _)| number > most) {
                    return Err(document.range_error(path, unit, format!("0 <= value <= {most:e}")));
                }
                ParameterValue::Number(number)
            }
        };
        converted.insert(name.clone(), Given { value, path });
    }
    Ok(converted)
}
