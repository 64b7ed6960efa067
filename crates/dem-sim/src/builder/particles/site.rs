//! What sources of a scene have in common: kinds, sizes and regions of their particles, and the words of what is refused.

use std::sync::Arc;

use dem_core::DVec3;
use dem_core::figure::ShortestVector;
use dem_core::particles::ExternalLoad;
use dem_io::document::{KeyPath, SceneDocument, SceneError};
use dem_io::units::{LARGEST, Quantity};

use super::clumps::{Clump, Clumps};
use super::frozen::frozen_bits;
use super::orientations;
use super::requests::{convert_region, key_of, size_distribution};
use super::wetness;
use crate::builder::loaded_scene::LoadedScene;
use crate::builder::values::{direction, entry_path, positive};
use crate::insertion::body_source::BodySource;
use crate::insertion::error::InsertionError;
use crate::insertion::periodic_lengths::PeriodicLengths;
use crate::insertion::pouring_source::Kind;
use crate::insertion::region::Region;
use crate::insertion::size_distribution::SizeDistribution;
use crate::scene::source::{RegionScene, SourceScene};
use crate::state::contact_parameters::ContactDefinition;
use crate::state::world::World;

/// Smallest mass \[kg\] and moment of inertia \[kg m²\] of a sphere, whose inverse is finite.
const SMALLEST: f64 = 1e-300;

/// Everything that sources share while a scene is built.
pub(super) struct Site<'a> {
    pub loaded: &'a LoadedScene,
    pub contact: &'a ContactDefinition,
    pub clumps: &'a Clumps,
    pub periodic: PeriodicLengths,
}

impl Site<'_> {
    pub fn document(&self) -> &SceneDocument {
        &self.loaded.document
    }

    pub fn fail(&self, index: usize, key: &'static str, error: &InsertionError) -> SceneError {
        let document = self.document();
        if let InsertionError::Value { name, allowed, .. } = error {
            let path = entry_path("particles", index, &[key, key_of(name)]);
            if document.value(path.clone()).is_some() {
                return document.error_at(path, format!("expected {allowed}"));
            }
        }
        document.error_at(entry_path("particles", index, &[key]), error)
    }

    /// What the particles of a source have in common.
    pub fn kind(&self, index: usize, source: &SourceScene) -> Result<Kind, SceneError> {
        let document = self.document();
        let path = |key: &'static str| entry_path("particles", index, &[key]);
        let clump = self.clump(index, source)?;
        let material = match (clump.filter(|clump| clump.has_materials), &source.material) {
            (None, Some(name)) => self.contact.require_material(document, path("material"), name)?,
            (None, None) => {
                return Err(document.error_at(entry_path("particles", index, &[]), "missing key `material`"));
            }
            (Some(clump), None) => clump.template.members.first().map_or(0, |member| member.material),
            (Some(_), Some(_)) => {
                let message = "expected none beside a clump whose spheres have materials";
                return Err(document.error_at(path("material"), message));
            }
        };
        let groups = &self.loaded.scene.groups;
        let (mut group, mut frozen, mut load) = (1, 0, ExternalLoad::default());
        if let Some(name) = &source.group {
            let number = groups.keys().position(|known| known == name).ok_or_else(|| {
                let known: Vec<&str> = groups.keys().map(String::as_str).collect();
                let known = if known.is_empty() { "the scene has none".to_owned() } else { known.join(", ") };
                document.error_at(path("group"), format!("expected the name of a group: {known}"))
            })?;
            if number >= 31 {
                return Err(document.error_at(&["groups"], "expected at most 31 groups"));
            }
            group = 2 << number;
            let given = &groups[name];
            frozen = frozen_bits(&given.frozen);
            load.force = given.force.map_or(DVec3::ZERO, Quantity::vector);
            load.torque = given.torque.map_or(DVec3::ZERO, Quantity::vector);
        }
        let of_material = self.contact.materials[material as usize].density;
        let bodies = match clump {
            Some(clump) => self.bodies(index, source, clump, material)?,
            None => None,
        };
        Ok(Kind {
            material,
            bodies: bodies.map(Arc::new),
            density: clump.map_or(of_material, |clump| clump.density(of_material)),
            group,
            frozen,
            load,
            wetness: wetness::build(document, self.contact, source, &path)?,
            velocity: source.velocity.map_or(DVec3::ZERO, Quantity::vector),
            angular_velocity: source.angular_velocity.map_or(DVec3::ZERO, Quantity::vector),
        })
    }

    /// The clump of a source; without one no key is about it.
    pub fn clump(&self, index: usize, source: &SourceScene) -> Result<Option<&Clump>, SceneError> {
        let keys = [("orientation", source.orientation.is_some()), ("scale", source.scale.is_some())];
        if let Some((key, _)) = keys.into_iter().find(|(_, given)| *given && source.clump.is_none()) {
            let path = entry_path("particles", index, &[key]);
            return Err(self.document().error_at(path, "expected beside a clump only: spheres have none"));
        }
        self.clumps.of(self.document(), &entry_path("particles", index, &[]), source)
    }

    /// The bodies of a source; a clump of one sphere makes spheres.
    fn bodies(
        &self,
        index: usize,
        source: &SourceScene,
        clump: &Clump,
        material: u16,
    ) -> Result<Option<BodySource>, SceneError> {
        let path = entry_path("particles", index, &["orientation"]);
        let (document, seed) = (self.document(), self.loaded.scene.seed);
        let orientations = orientations::build(document, &path, source, &clump.template, seed)?;
        Ok((!clump.is_sphere).then(|| BodySource {
            index: clump.index,
            template: clump.template.clone(),
            material: (!clump.has_materials).then_some(material),
            orientations,
        }))
    }

    /// Sizes of the particles of a source, of bodies the radii of spheres of equal volume.
    pub fn sizes(&self, index: usize, source: &SourceScene, kind: &Kind) -> Result<SizeDistribution, SceneError> {
        let document = self.document();
        let path = |key: &'static str| entry_path("particles", index, &[key]);
        let sizes = match (&source.sizes, self.clump(index, source)?) {
            (Some(_), Some(_)) if source.scale.is_some() => {
                return Err(document.error_at(path("scale"), "expected either scale or sizes, not both"));
            }
            (Some(given), _) => size_distribution(given),
            (None, Some(clump)) => {
                let scale = source.scale.map_or(1.0, |scale| scale.si());
                let scale = positive(document, path("scale"), scale, "-")?;
                SizeDistribution::Single { radius: clump.equivalent_radius() * scale }
            }
            (None, None) => {
                return Err(document.error_at(entry_path("particles", index, &[]), "missing key `sizes`"));
            }
        };
        let key = if source.sizes.is_some() { "sizes" } else { "clump" };
        sizes.validate().map_err(|error| self.fail(index, key, &error))?;
        self.check_period(index, kind, sizes.max_radius())?;
        Ok(sizes)
    }

    /// Refuses bodies that might meet two images of another one.
    pub fn check_period(&self, index: usize, kind: &Kind, radius: f64) -> Result<(), SceneError> {
        let Some(bodies) = &kind.bodies else { return Ok(()) };
        let reach = bodies.bounding_radius(radius);
        for (axis, period) in ["x", "y", "z"].iter().zip(self.periodic.lengths) {
            if let Some(period) = period.filter(|&period| 2.0 * reach >= 0.5 * period) {
                return Err(self.document().error_at(
                    entry_path("particles", index, &["clump"]),
                    format!(
                        "its spheres reach {reach:.4e} m from the centre of mass, and the periodic cell is {period:.4e} m wide along {axis}, \
                         expected less than a quarter of that"
                    ),
                ));
            }
        }
        Ok(())
    }

    pub fn check_masses(&self, index: usize, sizes: &SizeDistribution, density: f64) -> Result<(), SceneError> {
        let radii = [sizes.min_radius(), sizes.max_radius()];
        let key = if self.loaded.scene.particles[index].sizes.is_some() { "sizes" } else { "clump" };
        let path = || entry_path("particles", index, &[key]);
        radii.into_iter().try_for_each(|radius| self.check_mass(path(), density, radius))
    }

    /// Refuses spheres whose mass or moment of inertia is beyond all numbers that can be computed with.
    pub fn check_mass(&self, path: KeyPath, density: f64, radius: f64) -> Result<(), SceneError> {
        let mass = density * (4.0 / 3.0 * std::f64::consts::PI) * radius.powi(3);
        let inertia = 0.4 * mass * radius * radius;
        if (SMALLEST..=LARGEST).contains(&mass) && (SMALLEST..=1.0 / SMALLEST).contains(&inertia) {
            return Ok(());
        }
        Err(self.document().error_at(
            path,
            format!(
                "a sphere of radius {radius:e} m has a mass of {mass:.3e} kg and a moment of inertia of {inertia:.3e} kg m², expected a mass up to \
                 {LARGEST:e} kg and neither below {SMALLEST:e}"
            ),
        ))
    }

    /// The region of a source.
    pub fn region(&self, index: usize, source: &SourceScene) -> Result<Region, SceneError> {
        let document = self.document();
        let given = source
            .region
            .as_ref()
            .ok_or_else(|| document.error_at(entry_path("particles", index, &[]), "missing key `region`"))?;
        if let RegionScene::Cylinder { axis, .. } | RegionScene::Frustum { axis, .. } = given {
            direction(document, entry_path("particles", index, &["region", "axis"]), *axis)?;
        }
        let region = convert_region(given);
        region.validate(&self.periodic).map_err(|error| self.fail(index, "region", &error))?;
        Ok(region)
    }

    /// Refuses a region that reaches out of the domain.
    pub fn inside_domain(&self, index: usize, region: &Region, world: &World) -> Result<(), SceneError> {
        let (low, high) = region.bounds();
        let (cell_low, cell_high) = (world.cell.origin, world.cell.origin + world.cell.matrix() * DVec3::ONE);
        if low.cmplt(cell_low).any() || high.cmpgt(cell_high).any() {
            return Err(self.document().error_at(
                entry_path("particles", index, &["region"]),
                format!(
                    "reaches from {} to {} m, expected inside the domain from {} to {} m",
                    ShortestVector(low),
                    ShortestVector(high),
                    ShortestVector(cell_low),
                    ShortestVector(cell_high)
                ),
            ));
        }
        Ok(())
    }
}
