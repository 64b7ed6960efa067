//! Laws and parameters of all pairs of materials.

use std::collections::BTreeMap;

use dem_contact::ParameterValue;
use dem_contact::kernel::ForceKernel;
use dem_contact::registry::{Entry, PairError, PairParameters};
use dem_core::contact_list::LawSelection;
use dem_core::material::{Material, PairMaterial};
use dem_io::document::KeyPath;

/// One value and the key it was given at.
#[derive(Clone, Debug)]
pub(crate) struct Given {
    pub(crate) value: ParameterValue,
    pub(crate) path: KeyPath,
}

/// Law and parameters of every pair of materials.
#[derive(Clone)]
pub struct ContactDefinition {
    /// Materials in order of names.
    pub materials: Vec<Material>,
    /// Young's modulus of the real material where it is given, of each \[Pa\].
    pub(crate) real_young_moduli: Vec<Option<f64>>,
    /// Law of each pair.
    pub laws: LawSelection,
    pub(crate) entries: Vec<&'static Entry>,
    /// Row by row, symmetric.
    pub(crate) pairs: Vec<BTreeMap<String, Given>>,
}

impl ContactDefinition {
    /// Every pair of materials may have been given another law than that of `[contact]`.
    pub(crate) fn drop_unused_laws(&mut self) {
        let count = self.materials.len() as u16;
        let used = |law: usize| (0..count).any(|a| (0..count).any(|b| self.laws.get(a, b) as usize == law));
        let kept: Vec<usize> = (0..self.entries.len()).filter(|&law| used(law)).collect();
        let mut laws = LawSelection::uniform(count as usize);
        for a in 0..count {
            for b in a..count {
                let law = self.laws.get(a, b) as usize;
                laws.set(a, b, kept.iter().position(|&k| k == law).unwrap_or(0) as u16);
            }
        }
        self.entries = kept.into_iter().map(|law| self.entries[law]).collect();
        self.laws = laws;
    }

    pub(crate) fn set_pair(&mut self, a: usize, b: usize, pair: BTreeMap<String, Given>) {
        let count = self.materials.len();
        self.pairs[b * count + a] = pair.clone();
        self.pairs[a * count + b] = pair;
    }

    /// Index of a material.
    pub fn material(&self, name: &str) -> Option<u16> {
        self.materials.iter().position(|m| m.name == name).map(|k| k as u16)
    }

    /// Builds the kernels without contacts.
    ///
    /// # Errors
    /// Parameters that a law refuses, with the name of the law.
    pub fn kernels(&self) -> Result<Vec<Box<dyn ForceKernel>>, (&'static str, PairError)> {
        let count = self.materials.len();
        let values = |k: usize| {
            let values = self.pairs[k].iter().map(|(name, given)| (name.clone(), given.value.clone())).collect();
            let material = PairMaterial::new(&self.materials[k / count], &self.materials[k % count]);
            Some((material, values))
        };
        let mut kernels = Vec::with_capacity(self.entries.len());
        for (law, entry) in self.entries.iter().enumerate() {
            let governs = |k: usize| self.laws.get((k / count) as u16, (k % count) as u16) as usize == law;
            let pairs = (0..count * count).map(|k| if governs(k) { values(k) } else { None }).collect();
            kernels
                .push((entry.build)(&PairParameters { materials: count, pairs }).map_err(|error| (entry.key, error))?);
        }
        Ok(kernels)
    }

    /// Elastic constants of a pair of materials.
    pub(crate) fn pair_material(&self, a: usize, b: usize) -> PairMaterial {
        PairMaterial::new(&self.materials[a], &self.materials[b])
    }

    /// Law and parameters of a pair of materials, and the materials as they really are; `None` if no real Young's modulus of either is given.
    pub(crate) fn real_pair(&self, a: usize, b: usize) -> Option<(&'static Entry, PairParameters, PairMaterial)> {
        let moduli = [a, b].map(|k| self.real_young_moduli.get(k).copied().flatten());
        if moduli == [None, None] {
            return None;
        }
        let real = |k: usize, modulus: Option<f64>| {
            let material = self.materials[k].clone();
            Material { young_modulus: modulus.unwrap_or(material.young_modulus), ..material }
        };
        let material = PairMaterial::new(&real(a, moduli[0]), &real(b, moduli[1]));
        let given = &self.pairs[a * self.materials.len() + b];
        let values = given.iter().map(|(name, given)| (name.clone(), given.value.clone())).collect();
        let entry = self.entries[self.laws.get(a as u16, b as u16) as usize];
        Some((entry, PairParameters { materials: 1, pairs: vec![Some((material, values))] }, material))
    }

    /// Gives all pairs of materials that have friction another coefficient.
    pub(crate) fn set_friction(&mut self, friction: f64) {
        for given in self.pairs.iter_mut().filter_map(|pair| pair.get_mut("friction")) {
            given.value = ParameterValue::Number(friction);
        }
    }

    /// Whether a force at a distance acts between a material and any other.
    pub(crate) fn has_near_field(&self, material: u16) -> bool {
        let count = self.materials.len();
        let of = |other: usize| self.pairs[usize::from(material) * count + other].get("near_field");
        let acts = |value: &ParameterValue| *value != ParameterValue::Word("none".to_owned());
        (0..count).filter_map(of).any(|given| acts(&given.value))
    }

    /// Whether liquid bridges of any pair of materials share the films of spheres.
    pub(crate) fn shares_films(&self) -> bool {
        self.pairs.iter().any(shares_films)
    }

    /// Whether any pair of materials has friction.
    pub fn has_friction(&self) -> bool {
        self.pairs
            .iter()
            .any(|pair| pair.get("friction").is_some_and(|given| given.value != ParameterValue::Number(0.0)))
    }

    /// Law and parameters of each pair of materials, each pair once.
    pub fn pairs(&self) -> Vec<ResolvedPair> {
        let count = self.materials.len();
        let mut all = Vec::new();
        for first in 0..count {
            for second in first..count {
                let law = self.entries[self.laws.get(first as u16, second as u16) as usize].key;
                let given = &self.pairs[first * count + second];
                let parameters = given.iter().map(|(name, g)| (name.clone(), g.value.clone())).collect();
                all.push(ResolvedPair { first, second, law, parameters });
            }
        }
        all
    }
}

/// What holds between two materials.
#[derive(Clone, Debug, PartialEq)]
pub struct ResolvedPair {
    /// Index of the first material.
    pub first: usize,
    /// Index of the second material.
    pub second: usize,
    /// Name of the law.
    pub law: &'static str,
    /// Parameters that were given.
    pub parameters: Vec<(String, ParameterValue)>,
}

/// Whether liquid bridges of a pair of materials share the films of spheres.
pub(crate) fn shares_films(pair: &BTreeMap<String, Given>) -> bool {
    let is = |name: &str, word: &str| pair.get(name).is_some_and(|g| g.value == ParameterValue::Word(word.to_owned()));
    is("near_field", "liquid-bridge") && is("bridge_liquid", "films")
}
