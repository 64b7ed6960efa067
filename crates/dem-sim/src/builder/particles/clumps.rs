//! Clumps of a scene: templates of rigid bodies.

use std::collections::BTreeMap;
use std::sync::Arc;

use dem_core::bodies::mass_properties::{MassProperties, of_spheres, of_union};
use dem_core::bodies::principal_axes::principal_axes;
use dem_core::bodies::template::{Member, Template};
use dem_core::bodies::{shape, shares};
use dem_core::{DMat3, DVec3};
use dem_io::document::{KeyPath, SceneDocument, SceneError};
use dem_io::nearest;
use dem_io::units::Quantity;

use super::clump_spheres::{FromFile, Spheres};
use crate::builder::loaded_scene::LoadedScene;
use crate::builder::values::positive;
use crate::scene::clump::{ClumpScene, InertiaScene, MassFromScene};
use crate::scene::source::SourceScene;
use crate::state::contact_parameters::ContactDefinition;

/// Excess of the largest moment over the sum of the others, in proportion to it, that rounding explains.
const ROUNDING: f64 = 1e-12;

/// A clump that sources can insert.
pub(crate) struct Clump {
    /// Index among the templates.
    pub index: u32,
    /// The template.
    pub template: Arc<Template>,
    /// Whether its spheres have materials of their own.
    pub has_materials: bool,
    /// Whether it is nothing but a sphere, which is no body.
    pub is_sphere: bool,
    density: Density,
}

/// Mass over the volume of the spheres' union.
enum Density {
    /// In proportion to the density of the material \[-\].
    OfMaterial(f64),
    /// Given \[kg/m³\].
    Given(f64),
}

impl Clump {
    /// Mass over volume, given the density of the material \[kg/m³\].
    pub fn density(&self, of_material: f64) -> f64 {
        match self.density {
            Density::OfMaterial(factor) => of_material * factor,
            Density::Given(density) => density,
        }
    }

    /// Radius of the sphere of equal volume at scale 1 \[m\].
    pub fn equivalent_radius(&self) -> f64 {
        match self.template.members[..] {
            // the bits of the sphere
            [Member { radius, .. }] => radius,
            _ => self.template.equivalent_radius(),
        }
    }
}

/// The clumps of a scene by name.
pub(crate) struct Clumps(BTreeMap<String, Clump>);

impl Clumps {
    /// Builds all clumps of a scene.
    pub fn build(loaded: &LoadedScene, contact: &ContactDefinition) -> Result<Self, SceneError> {
        let mut clumps = BTreeMap::new();
        for (index, (name, given)) in loaded.scene.clumps.iter().enumerate() {
            let clump = build(loaded, contact, index as u32, name, given)?;
            clumps.insert(name.clone(), clump);
        }
        Ok(Self(clumps))
    }

    /// Templates of all of them, by index.
    pub fn templates(&self) -> Vec<Template> {
        self.0.values().map(|clump| Template::clone(&clump.template)).collect()
    }

    /// All of them in the order of their names.
    pub fn all(&self) -> impl Iterator<Item = &Clump> {
        self.0.values()
    }

    /// The clump of a source.
    pub fn of(
        &self,
        document: &SceneDocument,
        path: &KeyPath,
        source: &SourceScene,
    ) -> Result<Option<&Clump>, SceneError> {
        let Some(name) = &source.clump else { return Ok(None) };
        self.0.get(name).map(Some).ok_or_else(|| {
            let known: Vec<&str> = self.0.keys().map(String::as_str).collect();
            let listed = if known.is_empty() { "the scene has none".to_owned() } else { known.join(", ") };
            let error = document.error_at(path.child("clump"), format!("expected the name of a clump: {listed}"));
            match nearest(name, known) {
                Some(meant) => error.with_help(format!("did you mean `{meant}`?")),
                None => error,
            }
        })
    }

    /// Whether the particles of a source are bodies.
    pub fn makes_bodies(&self, source: &SourceScene) -> bool {
        source.clump.as_ref().and_then(|name| self.0.get(name)).is_some_and(|clump| !clump.is_sphere)
    }
}

/// Templates of the clumps of a scene, in the order of their names.
///
/// # Errors
/// Materials, laws and clumps that a scene refuses.
pub fn templates(loaded: &LoadedScene) -> Result<Vec<Template>, SceneError> {
    let contact = ContactDefinition::new(&loaded.document, &loaded.scene)?;
    Ok(Clumps::build(loaded, &contact)?.templates())
}

fn build(
    loaded: &LoadedScene,
    contact: &ContactDefinition,
    index: u32,
    name: &str,
    given: &ClumpScene,
) -> Result<Clump, SceneError> {
    let document = &loaded.document;
    let path = KeyPath::from(&["clumps", name]);
    let Spheres { spheres, materials, from_file } = Spheres::of(loaded, contact, name, given)?;
    let union = of_union(&spheres);
    let given_mass = GivenMass { document, path: &path, given, union: &union, from_file };
    let is_given = given.mass_from == MassFromScene::Given;
    let (centre, inertia, density) = match given.mass_from {
        MassFromScene::Union => (union.centre, union.inertia, Density::OfMaterial(1.0)),
        MassFromScene::Spheres => {
            let all = of_spheres(&spheres);
            // at density 1 of what is there once
            let factor = all.volume / union.volume;
            (all.centre, all.inertia * (1.0 / factor), Density::OfMaterial(factor))
        }
        MassFromScene::Given => given_mass.take()?,
    };
    if !is_given {
        let keys =
            [("mass", given.mass.is_some()), ("inertia", given.inertia.is_some()), ("centre", given.centre.is_some())];
        if let Some((key, _)) = keys.into_iter().find(|(_, is_there)| *is_there) {
            return Err(document.error_at(path.child(key), "expected beside mass_from = \"given\" only"));
        }
    }
    let axes = principal_axes(&inertia);
    let frame = axes.orientation.conjugate();
    let shares = shares::of_union(&spheres);
    let members = spheres.iter().zip(&shares).enumerate().map(|(k, (sphere, &share))| Member {
        position: frame * (sphere.position - centre),
        radius: sphere.radius,
        material: materials.as_ref().map_or(0, |materials| materials[k]),
        share,
    });
    let is_sphere = spheres.len() == 1 && !(is_given && given_mass.gives_more_than_mass());
    let template = Template {
        name: name.to_owned(),
        members: members.collect(),
        volume: union.volume,
        moments: axes.moments,
        principal: axes.orientation,
        centre,
        bounding_radius: shape::bounding_radius(&spheres, centre),
    };
    Ok(Clump { index, template: Arc::new(template), has_materials: materials.is_some(), is_sphere, density })
}

/// Mass properties that the scene or the file of a clump gives.
struct GivenMass<'a> {
    document: &'a SceneDocument,
    path: &'a KeyPath,
    given: &'a ClumpScene,
    union: &'a MassProperties,
    from_file: FromFile,
}

impl GivenMass<'_> {
    /// Whether more is given than the mass of a sphere.
    fn gives_more_than_mass(&self) -> bool {
        let Self { given, from_file, .. } = self;
        given.inertia.is_some() || given.centre.is_some() || from_file.inertia.is_some() || from_file.centre.is_some()
    }

    /// Centre, inertia at density 1 of the union, and density.
    fn take(&self) -> Result<(DVec3, DMat3, Density), SceneError> {
        let Self { document, path, given, union, from_file } = self;
        let scale = given.scale.map_or(1.0, Quantity::si);
        let cube = scale * scale * scale;
        let mass = match (given.mass, from_file.mass) {
            (Some(mass), _) => positive(document, path.child("mass"), mass.si(), "kg")? * cube,
            (None, Some(mass)) => mass,
            (None, None) => {
                let message = "expected a mass beside it, which the file does not have";
                let message = if given.file.is_some() { message } else { "expected a mass beside it" };
                return Err(document.error_at(path.child("mass_from"), message));
            }
        };
        let centre = given.centre.map(|centre| Quantity::vector(centre) * scale).or(from_file.centre);
        let components = given.inertia.as_ref().map(|inertia| match inertia {
            InertiaScene::Moments([xx, yy, zz]) => [xx.si(), yy.si(), zz.si(), 0.0, 0.0, 0.0],
            InertiaScene::Components(all) => all.map(Quantity::si),
        });
        let components = components.map(|all| all.map(|x| x * cube * scale * scale)).or(from_file.inertia);
        let per_density = union.volume / mass;
        let inertia = match components {
            None => union.inertia,
            Some([xx, yy, zz, xy, xz, yz]) => {
                let inertia = DMat3::from_cols_array(&[xx, xy, xz, xy, yy, yz, xz, yz, zz]);
                self.check_moments(principal_axes(&inertia).moments)?;
                inertia * per_density
            }
        };
        Ok((centre.unwrap_or(union.centre), inertia, Density::Given(1.0 / per_density)))
    }

    /// Refuses moments that no distribution of mass has.
    fn check_moments(&self, moments: DVec3) -> Result<(), SceneError> {
        let Self { document, path, given, .. } = self;
        let key = if given.inertia.is_some() { "inertia" } else { "file" };
        let of = |problem: String| Err(document.error_at(path.child(key), problem));
        let DVec3 { x: low, y: middle, z: high } = moments;
        let all = format!("the principal moments are {low:.6e}, {middle:.6e} and {high:.6e} kg m^2");
        if !(low > 0.0 && high.is_finite()) {
            return of(format!("{all}, expected moments above 0"));
        }
        if high - (low + middle) > ROUNDING * high {
            return of(format!("{all}, expected none above the sum of the other two, as of every body"));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
