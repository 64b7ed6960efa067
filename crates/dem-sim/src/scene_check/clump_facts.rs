//! What follows from the clumps of a scene.

use dem_core::bodies::MemberSphere;
use dem_core::bodies::{shape, shares};
use dem_core::{DQuat, DVec3};
use dem_io::document::SceneError;

use crate::builder::loaded_scene::LoadedScene;
use crate::builder::particles::clumps::{Clump, Clumps};
use crate::simulation::components::Simulation;

/// A clump at scale 1.
#[derive(Clone, Debug, PartialEq)]
pub struct ClumpFacts {
    /// Name.
    pub name: String,
    /// Number of its spheres.
    pub spheres: usize,
    /// Number of pieces that do not touch each other.
    pub pieces: usize,
    /// Volume of the union of its spheres \[m³\].
    pub volume: f64,
    /// Mass over this volume, of the first source that has the clump, none without one \[kg/m³\].
    pub density: Option<f64>,
    /// Principal moments of inertia at density 1, ascending \[m⁵\].
    pub moments: DVec3,
    /// Radius of the sphere of equal volume \[m\].
    pub equivalent_radius: f64,
    /// Distance from the centre of mass within which all of it lies \[m\].
    pub bounding_radius: f64,
    /// Surface of the sphere of equal volume over that of the clump \[-\].
    pub sphericity: f64,
    /// Intermediate over longest width along the principal axes \[-\].
    pub elongation: f64,
    /// Shortest over intermediate width \[-\].
    pub flatness: f64,
    /// Share of the volume that lies in three spheres or more \[-\].
    pub triple_overlap_share: f64,
}

/// Facts of all clumps of a scene, in the order of their names.
///
/// # Errors
/// None of a scene that a simulation could be built from.
pub fn clump_facts(loaded: &LoadedScene, simulation: &Simulation) -> Result<Vec<ClumpFacts>, SceneError> {
    let clumps = Clumps::build(loaded, &simulation.contact)?;
    Ok(clumps.all().map(|clump| facts(loaded, simulation, clump)).collect())
}

fn facts(loaded: &LoadedScene, simulation: &Simulation, clump: &Clump) -> ClumpFacts {
    let template = &clump.template;
    let spheres: Vec<MemberSphere> = template
        .members
        .iter()
        .map(|member| MemberSphere { position: member.position, radius: member.radius })
        .collect();
    let proportions = shape::proportions(shape::widths(&spheres, DQuat::IDENTITY));
    let materials = &simulation.world.materials;
    let of_members = || template.members.first().map(|member| materials[member.material as usize].density);
    let source = loaded.scene.particles.iter().find(|source| source.clump.as_ref() == Some(&template.name));
    let of_source = || {
        let name = source?.material.as_ref()?;
        Some(materials.iter().find(|material| material.name == *name)?.density)
    };
    let of_material = if clump.has_materials { of_members() } else { of_source() };
    ClumpFacts {
        name: template.name.clone(),
        spheres: spheres.len(),
        pieces: shape::components(&spheres),
        volume: template.volume,
        density: of_material.map(|density| clump.density(density)),
        moments: template.moments,
        equivalent_radius: clump.equivalent_radius(),
        bounding_radius: template.bounding_radius,
        sphericity: shape::sphericity(&spheres, template.volume),
        elongation: proportions.elongation,
        flatness: proportions.flatness,
        triple_overlap_share: shares::triple_overlap_share(&spheres),
    }
}
