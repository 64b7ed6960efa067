//! Small worlds built in a line.
#![expect(clippy::expect_used, reason = "a test that cannot build its world must stop")]

use std::collections::BTreeMap;

use dem_contact::ParameterValue;
use dem_contact::kernel::ForceKernel;
use dem_contact::registry::{self, Entry, LAWS, PairParameters};
use dem_core::cell::Cell;
use dem_core::contact_list::LawSelection;
use dem_core::material::{Material, PairMaterial};
use dem_core::particles::NewParticle;
use dem_core::wall::{Motion, Shape, Wall};
use dem_core::{DQuat, DVec3};
use dem_sim::forces::ForceEvaluation;
use dem_sim::integrators::{Scheme, VelocityVerlet};
use dem_sim::pipeline::Pipeline;
use dem_sim::world::World;

use crate::proof_laws::{self, HYSTERETIC, TENACIOUS};

/// Density of all test spheres \[kg/m³\].
pub const DENSITY: f64 = 2500.0;

/// Parameters of a law from numbers and flags.
pub fn parameters(numbers: &[(&str, f64)], flags: &[(&str, bool)]) -> BTreeMap<String, ParameterValue> {
    let numbers = numbers.iter().map(|&(name, x)| (name.to_owned(), ParameterValue::Number(x)));
    let flags = flags.iter().map(|&(name, x)| (name.to_owned(), ParameterValue::Flag(x)));
    numbers.chain(flags).collect()
}

/// Parameters of a law that are words.
pub fn words(words: &[(&str, &str)]) -> BTreeMap<String, ParameterValue> {
    words.iter().map(|&(name, word)| (name.to_owned(), ParameterValue::Word(word.to_owned()))).collect()
}

/// A world of one material (E = 10¹⁰ Pa, ν = 0.25) without walls, gravity or particles.
///
/// # Panics
/// If the law or its parameters are refused.
pub fn world(law: &str, given: &BTreeMap<String, ParameterValue>, cell: Cell) -> World {
    world_of(law, given, cell, 1e10)
}

/// The same world with another Young's modulus \[Pa\].
///
/// # Panics
/// As [`world`].
pub fn world_of(law: &str, given: &BTreeMap<String, ParameterValue>, cell: Cell, young_modulus: f64) -> World {
    let material = material(young_modulus);
    let kernel = kernel(law, given, &material);
    World::new(cell, vec![material], LawSelection::uniform(1), vec![kernel], 1e-6)
}

/// The test material with a Young's modulus \[Pa\].
pub fn material(young_modulus: f64) -> Material {
    Material { name: "test".to_owned(), density: DENSITY, young_modulus, poisson_ratio: 0.25 }
}

/// A law of the registry between bodies of a material.
///
/// # Panics
/// If the law or its parameters are refused.
pub fn kernel(law: &str, given: &BTreeMap<String, ParameterValue>, material: &Material) -> Box<dyn ForceKernel> {
    let pair = PairMaterial::new(material, material);
    let entry = registry::find(law).expect("the law is registered");
    (entry.build)(&PairParameters { materials: 1, pairs: vec![Some((pair, given.clone()))] })
        .expect("the parameters are admissible")
}

/// Laws that tests of all laws go through: those of the engine, and the two that have what these may have one day, plasticity and adhesion.
pub fn all_laws() -> Vec<&'static str> {
    proof_laws::register();
    LAWS.iter().map(|law| law.key).chain([HYSTERETIC, TENACIOUS]).collect()
}

/// Whether a law takes a parameter, with the models that [its sample](dem_contact::law::Conformance::sample) chooses.
pub fn declares(law: &str, parameter: &str) -> bool {
    registry::find(law).is_some_and(|entry| {
        let applicable = (entry.declaration)().applicable(&entry.sample()).unwrap_or_default();
        applicable.iter().any(|spec| spec.name == parameter)
    })
}

/// Whether a law can be built with parameters.
pub fn accepts(law: &str, given: &BTreeMap<String, ParameterValue>) -> bool {
    let material = material(1e10);
    let pairs = vec![Some((PairMaterial::new(&material, &material), given.clone()))];
    registry::find(law).is_some_and(|entry| (entry.build)(&PairParameters { materials: 1, pairs }).is_ok())
}

/// Parameters with which a law can be built: the given friction and restitution and a normal stiffness of 10⁶ N/m if it takes them, what else it
/// needs from [its sample](dem_contact::law::Conformance::sample), defaults otherwise.
pub fn common_parameters(law: &str, friction: f64, restitution: f64) -> BTreeMap<String, ParameterValue> {
    let mut given = registry::find(law).map(Entry::sample).unwrap_or_default();
    let usual = [("friction", friction), ("restitution", restitution), ("normal_stiffness", 1e6)];
    let taken: Vec<_> = usual.into_iter().filter(|(name, _)| declares(law, name)).collect();
    given.extend(parameters(&taken, &[]));
    given
}

/// Multiplies the stiffnesses of linear springs \[N/m\], of which a law may have several.
pub fn scale_springs(given: &mut BTreeMap<String, ParameterValue>, factor: f64) {
    const SPRINGS: [&str; 5] = [
        "normal_stiffness",
        "loading_stiffness",
        "unloading_stiffness",
        "unloading_stiffness_limit",
        "cohesive_stiffness",
    ];
    for name in SPRINGS {
        if let Some(ParameterValue::Number(stiffness)) = given.get_mut(name) {
            *stiffness *= factor;
        }
    }
}

/// Whether the contacts of a world have dashpots, at an overlap of a hundredth of the radius of its first sphere.
pub fn has_dashpots(world: &World) -> bool {
    let (radius, mass) = (world.particles.radius[0], world.particles.mass[0]);
    world.kernels[0].dashpots(0, 0, 0.5 * radius, 0.5 * mass, 0.01 * radius).normal > 0.0
}

/// Checks that impacts with friction have done the works that the law has: those of friction and of dashpots, and no work of its own that it does
/// not declare.
///
/// # Errors
/// A work that is not there, or that is there without its cause.
pub fn check_works(world: &World, law: &str) -> Result<(), String> {
    let ledger = world.energy();
    let found = [ledger.friction > 0.0, ledger.viscous > 0.0];
    let expected = [declares(law, "friction"), has_dashpots(world)];
    let is_declared = ledger.further() == 0.0 || !world.further_works().is_empty();
    (found == expected && is_declared && ledger.dissipated_at_contacts() > 0.0).then_some(()).ok_or_else(|| {
        format!("{law}: works of friction and of dashpots are there: {found:?}, expected {expected:?}; {ledger:?}")
    })
}

/// How far the energy balance may be off in impacts \[J\]: a thousandth of what they dissipate or, where bodies hold on to each other, of the kinetic
/// energy at the start: the force jumps where they are torn apart, and a step resolves that to first order.
pub fn ledger_tolerance(world: &World, kinetic: f64) -> f64 {
    1e-3 * if world.range() > 0.0 { kinetic } else { world.energy().dissipated_at_contacts() }
}

/// A sphere of the test material.
pub fn sphere(position: DVec3, radius: f64) -> NewParticle {
    NewParticle {
        position,
        velocity: DVec3::ZERO,
        angular_velocity: DVec3::ZERO,
        orientation: DQuat::IDENTITY,
        radius,
        density: DENSITY,
        material: 0,
        group: 1,
        frozen: 0,
    }
}

/// Adds the half-space below `z = 0`.
pub fn add_floor(world: &mut World) {
    let shape = Shape::Plane { point: DVec3::ZERO, normal: DVec3::Z };
    world.walls.push(Wall::new("floor", shape, DVec3::ZERO, 0, Motion::default()));
}

/// A pipeline with velocity Verlet and the cell list.
pub fn pipeline() -> Pipeline {
    Pipeline::new(Box::new(VelocityVerlet::default()), ForceEvaluation::default())
}

/// A pipeline with a scheme and the cell list.
///
/// # Panics
/// If the integrator or its options are refused.
pub fn pipeline_of(scheme: &Scheme) -> Pipeline {
    Pipeline::new(scheme.build().expect("the scheme is admissible"), ForceEvaluation::default())
}

/// Pseudo-random numbers in [0, 1) with a stable stream (SplitMix64).
pub struct Scatter(pub u64);

impl Scatter {
    /// Next number.
    pub fn next_unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Vector with components in [−1, 1).
    pub fn next_vector(&mut self) -> DVec3 {
        2.0 * DVec3::new(self.next_unit(), self.next_unit(), self.next_unit()) - DVec3::ONE
    }
}
