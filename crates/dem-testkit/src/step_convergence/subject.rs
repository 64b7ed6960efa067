//! What is put to the test: the forces of contacts and a time integrator.

use std::collections::BTreeMap;

use dem_contact::ParameterValue;
use dem_contact::kernel::ForceKernel;
use dem_core::cell::Cell;
use dem_core::contact_list::LawSelection;
use dem_sim::integrators::{Scheme, VelocityVerlet};
use dem_sim::world::World;

use crate::worlds;

/// Young's modulus of all bodies \[Pa\]: an impact at 1 m/s has an overlap of 3 % of the smaller radius.
pub const YOUNG_MODULUS: f64 = 1e8;
/// Stiffness of linear normal springs \[N/m\], about that of a Hertz contact of these bodies at an overlap of 1 % of the radius.
const NORMAL_STIFFNESS: f64 = 4e4;
/// Friction coefficient.
const FRICTION: f64 = 0.4;

/// The two normal springs of the registry; a bed is prepared with the spring that it is sheared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NormalSpring {
    /// Of constant stiffness.
    Linear,
    /// Hertz's.
    Hertz,
}

/// Resistance to rolling and twisting.
pub type Resistance = (&'static str, &'static str);

/// Words of `rolling` and `twisting` that are put to the test: none, each of them.
pub const RESISTANCES: [Resistance; 4] =
    [("none", "none"), ("elastic-plastic", "spring-dashpot"), ("constant-torque", "none"), ("none", "marshall")];

/// Forces of contacts and an integrator.
pub struct Subject {
    /// Name in tables.
    pub name: String,
    /// Normal spring.
    pub normal: NormalSpring,
    /// Integrator.
    pub scheme: Scheme,
    kernel: Box<dyn Fn() -> Box<dyn ForceKernel> + Send + Sync>,
}

impl Subject {
    /// Forces of one's own under velocity Verlet.
    pub fn new(
        name: impl Into<String>,
        normal: NormalSpring,
        kernel: impl Fn() -> Box<dyn ForceKernel> + Send + Sync + 'static,
    ) -> Self {
        let scheme = Scheme::new(VelocityVerlet::KEY, BTreeMap::new());
        Self { name: name.into(), normal, scheme, kernel: Box::new(kernel) }
    }

    /// A law of the registry with parameters, the stiffness of its normal spring beside them.
    pub fn of_law(law: &'static str, given: BTreeMap<String, ParameterValue>) -> Self {
        let is_linear = has_linear_spring(law);
        let mut given = given;
        worlds::scale_springs(&mut given, NORMAL_STIFFNESS / 1e6);
        let normal = if is_linear { NormalSpring::Linear } else { NormalSpring::Hertz };
        Self::new(law, normal, move || worlds::kernel(law, &given, &worlds::material(YOUNG_MODULUS)))
    }

    /// The same with another name.
    #[must_use]
    pub fn named(mut self, name: impl Into<String>) -> Self {
        self.name = name.into();
        self
    }

    /// The same under another integrator.
    #[must_use]
    pub fn under(mut self, scheme: &Scheme) -> Self {
        self.scheme = scheme.clone();
        self
    }

    /// A world without bodies.
    pub fn world(&self, cell: Cell) -> World {
        World::new(cell, vec![worlds::material(YOUNG_MODULUS)], LawSelection::uniform(1), vec![(self.kernel)()], 1e-6)
    }
}

/// Whether the normal spring of a law is linear.
fn has_linear_spring(law: &str) -> bool {
    worlds::declares(law, "normal_stiffness") || worlds::declares(law, "unloading_stiffness") || law == "luding"
}

/// Friction, a dashpot beside every spring that may have one, and a resistance.
pub fn damped(law: &str, (rolling, twisting): Resistance) -> BTreeMap<String, ParameterValue> {
    let mut given = worlds::common_parameters(law, FRICTION, 0.6);
    let mut numbers = Vec::new();
    if worlds::declares(law, "tangential_damping_ratio") {
        numbers.push(("tangential_damping_ratio", 0.3));
    }
    if law == "luding" {
        // impacts are to part
        numbers.push(("cohesive_stiffness", 1e4));
    }
    if rolling != "none" {
        numbers.push(("rolling_friction", 0.1));
    }
    if twisting != "none" {
        numbers.push(("twisting_friction", 0.1));
    }
    if twisting == "marshall" && has_linear_spring(law) {
        // a linear spring has no area of contact of its own
        numbers.push(("twisting_radius", 0.1));
    }
    given.extend(worlds::parameters(&numbers, &[]));
    given.extend(worlds::words(&[("rolling", rolling), ("twisting", twisting)]));
    given
}

/// Springs alone: neither friction nor dashpots.
pub fn elastic(law: &str) -> BTreeMap<String, ParameterValue> {
    worlds::common_parameters(law, 0.0, 1.0)
}
