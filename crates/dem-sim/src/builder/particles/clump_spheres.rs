//! The spheres of a clump, as the scene or a file gives them.

use dem_core::DVec3;
use dem_core::bodies::MemberSphere;
use dem_io::clump_files::ClumpShape;
use dem_io::document::{KeyPath, SceneDocument, SceneError};
use dem_io::units::Quantity;

use crate::builder::loaded_scene::LoadedScene;
use crate::builder::values::positive;
use crate::scene::clump::ClumpScene;
use crate::state::contact_parameters::ContactDefinition;

/// Most spheres of a clump: the time to find its volume goes up with their number.
const MOST: usize = 1000;

/// Mass properties that the file of a clump has, in SI and at the scale of the scene.
#[derive(Clone, Copy, Default)]
pub(super) struct FromFile {
    /// Mass \[kg\].
    pub mass: Option<f64>,
    /// Centre of mass \[m\].
    pub centre: Option<DVec3>,
    /// Inertia about it: xx, yy, zz, xy, xz, yz \[kg m²\].
    pub inertia: Option<[f64; 6]>,
}

/// The spheres of a clump at the scale of the scene.
pub(super) struct Spheres {
    /// Centres and radii \[m\].
    pub spheres: Vec<MemberSphere>,
    /// Indices of their materials, if they have some of their own.
    pub materials: Option<Vec<u16>>,
    /// What a file gives beside.
    pub from_file: FromFile,
}

impl Spheres {
    /// The spheres of the clump of a name.
    pub fn of(
        loaded: &LoadedScene,
        contact: &ContactDefinition,
        name: &str,
        given: &ClumpScene,
    ) -> Result<Self, SceneError> {
        let document = &loaded.document;
        let path = KeyPath::from(&["clumps", name]);
        let scale = match given.scale {
            Some(scale) => positive(document, path.child("scale"), scale.si(), "-")?,
            None => 1.0,
        };
        let index = loaded.scene.clumps.keys().position(|known| known == name);
        let shape = index.and_then(|index| loaded.clump_shapes.get(index)).and_then(Option::as_ref);
        let found = match (&given.spheres, shape) {
            (Some(_), Some(_)) => {
                return Err(document.error_at(path.child("file"), "expected either spheres or a file, not both"));
            }
            (None, None) => return Err(document.error_at(path, "expected spheres or a file of spheres")),
            (Some(_), None) => Self::written(document, contact, &path, given, scale)?,
            (None, Some(shape)) => Self::read(document, &path, given, shape, scale)?,
        };
        if found.spheres.len() > MOST {
            let key = if given.file.is_some() { "file" } else { "spheres" };
            let message = format!("{} spheres, expected at most {MOST}", found.spheres.len());
            return Err(document.error_at(path.child(key), message));
        }
        Ok(found)
    }

    /// Those of the scene.
    fn written(
        document: &SceneDocument,
        contact: &ContactDefinition,
        path: &KeyPath,
        given: &ClumpScene,
        scale: f64,
    ) -> Result<Self, SceneError> {
        let of_files = [
            ("format", given.format.is_some()),
            ("unit", given.unit.is_some()),
            ("mass_unit", given.mass_unit.is_some()),
            ("number", given.number.is_some()),
        ];
        if let Some((key, _)) = of_files.into_iter().find(|(_, is_there)| *is_there) {
            return Err(document.error_at(path.child(key), "expected beside a file only"));
        }
        let all = given.spheres.as_deref().unwrap_or_default();
        let path = path.child("spheres");
        if all.is_empty() {
            return Err(document.error_at(path, "expected at least one sphere"));
        }
        let has_materials = all.iter().any(|sphere| sphere.material.is_some());
        let (mut spheres, mut materials) = (Vec::new(), Vec::new());
        for (k, sphere) in all.iter().enumerate() {
            let path = path.child(k);
            let radius = positive(document, path.child("radius"), sphere.radius.si(), "m")? * scale;
            spheres.push(MemberSphere { position: Quantity::vector(sphere.position) * scale, radius });
            match &sphere.material {
                Some(name) => materials.push(contact.require_material(document, path.child("material"), name)?),
                None if has_materials => {
                    return Err(document.error_at(path, "missing key `material`, which others of its clump have"));
                }
                None => {}
            }
        }
        Ok(Self { spheres, materials: has_materials.then_some(materials), from_file: FromFile::default() })
    }

    /// Those of a file.
    fn read(
        document: &SceneDocument,
        path: &KeyPath,
        given: &ClumpScene,
        shape: &ClumpShape,
        scale: f64,
    ) -> Result<Self, SceneError> {
        let Some(unit) = given.unit else {
            return Err(document
                .error_at(path.clone(), "missing key `unit`")
                .with_help("the file does not say how long its units are; for example unit = \"1 mm\""));
        };
        let length = positive(document, path.child("unit"), unit.si(), "m")? * scale;
        let mass = match given.mass_unit {
            Some(unit) => positive(document, path.child("mass_unit"), unit.si(), "kg")?,
            None => 1.0,
        };
        // at the scale of the scene the same material has its volume
        let mass = mass * scale * scale * scale;
        let spheres: Vec<MemberSphere> = shape
            .spheres
            .iter()
            .map(|sphere| MemberSphere { position: sphere.position * length, radius: sphere.radius * length })
            .collect();
        let of_all = shape.given;
        let sum = shape.spheres.iter().map(|sphere| sphere.mass).sum::<Option<f64>>();
        let from_file = FromFile {
            mass: of_all.mass.or(sum).map(|value| value * mass),
            centre: of_all.centre.map(|centre| centre * length),
            inertia: of_all.inertia.map(|all| all.map(|x| x * mass * length * length)),
        };
        Ok(Self { spheres, materials: None, from_file })
    }
}
