//! A sphere that meets a wall, or two equal spheres: the scene of every two-body study, built by the engine's own builder.
//!
//! The contact lies at the origin. The wall is the half-space `z < 0`; the second sphere is the first one mirrored at the origin, with
//! half of the relative velocity each. Spins about −y add to a slip along +x.

use dem_contact::ParameterValue;
use dem_contact::near_field::NEAR_FIELD;
use dem_core::particles::NewParticle;
use dem_core::{DQuat, DVec3};
use dem_reference::hertz_impact::NormalImpact;
use dem_reference::oblique_impact::ElasticPair;
use dem_sim::builder;
use dem_sim::simulation::Simulation;

use crate::error::StudyError;
use crate::material::Material;
use crate::named_choice::NamedChoice;

/// What the sphere collides with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Partner {
    /// A flat wall that does not move.
    Wall,
    /// A sphere of the same radius and density.
    Sphere,
}

/// Sphere and partner with their contact.
#[derive(Clone, Debug, PartialEq)]
pub struct SphereAndPartner {
    /// Material of the sphere.
    pub sphere: Material,
    /// Material of the partner.
    pub partner_material: Material,
    /// What the partner is.
    pub partner: Partner,
    /// Radius \[m\].
    pub radius: f64,
    /// Coefficient of friction.
    pub friction: f64,
    /// Coefficient of restitution along the normal.
    pub restitution: f64,
    /// The law.
    pub law: NamedChoice,
    /// The integrator.
    pub integrator: NamedChoice,
    /// Where contact forces act, as in a scene.
    pub lever: String,
    /// Acceleration towards the wall \[m/s²\].
    pub gravity: f64,
}

/// Velocities before an impact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Approach {
    /// Speed of approach \[m/s\].
    pub normal_speed: f64,
    /// Tangential velocity of the centres against each other \[m/s\].
    pub tangential_velocity: f64,
    /// Spin of each sphere \[rad/s\], positive if it adds to the slip.
    pub spin: f64,
}

impl SphereAndPartner {
    /// Constants of the contact for the reference solutions.
    ///
    /// # Errors
    /// Constants out of range, no friction among them.
    pub fn pair(&self) -> Result<ElasticPair, StudyError> {
        let solids = [self.sphere.solid(), self.partner_material.solid()];
        let density = self.sphere.density;
        Ok(match self.partner {
            Partner::Wall => ElasticPair::sphere_on_wall(self.radius, density, solids[0], solids[1], self.friction)?,
            Partner::Sphere => ElasticPair::spheres([self.radius; 2], density, solids, self.friction)?,
        })
    }

    /// Number of spheres.
    pub fn spheres(&self) -> f64 {
        match self.partner {
            Partner::Wall => 1.0,
            Partner::Sphere => 2.0,
        }
    }

    /// Gives a law with a linear spring the stiffness that makes force over overlap the same as at the largest overlap of Hertz's impact at a
    /// speed \[m/s\], unless one is given. So do Di Renzo and Di Maio.
    ///
    /// # Errors
    /// As [`Self::pair`].
    pub fn fit_stiffness(&mut self, speed: f64) -> Result<(), StudyError> {
        let overlap = NormalImpact::new(&self.pair_with_friction()?, speed).overlap;
        self.fit_stiffness_at(overlap)
    }

    /// The same at an overlap \[m\].
    ///
    /// # Errors
    /// As [`Self::pair`].
    pub fn fit_stiffness_at(&mut self, overlap: f64) -> Result<(), StudyError> {
        if self.law.lacks("normal_stiffness") {
            let pair = self.pair_with_friction()?;
            let secant = 4.0 / 3.0 * pair.modulus * (pair.radius * overlap).sqrt();
            self.law.parameters.insert("normal_stiffness".to_owned(), ParameterValue::Number(secant));
        }
        Ok(())
    }

    /// The constants of the normal contact do not need friction.
    fn pair_with_friction(&self) -> Result<ElasticPair, StudyError> {
        Self { friction: if self.friction > 0.0 { self.friction } else { 1.0 }, ..self.clone() }.pair()
    }

    /// The two bodies at the moment of touch, ready to step by `1/steps` of the duration of the impact.
    ///
    /// # Errors
    /// What the builder refuses.
    pub fn at_touch(&self, approach: Approach, steps: f64) -> Result<Simulation, StudyError> {
        let mut simulation = self.build(approach, 0.0)?;
        let world = &mut simulation.world;
        let share = 1.0 / self.spheres();
        let material = |name: &str| simulation.contact.material(name).unwrap_or(0);
        let duration = world.kernels.first().map_or(f64::NAN, |kernel| {
            let mass = world.particles.mass[0] * share;
            let (sphere, partner) = (material("sphere"), material("partner"));
            kernel.contact_duration(sphere, partner, self.radius * share, mass, approach.normal_speed)
        });
        world.time_step = duration / steps;
        simulation.initialise()?;
        Ok(simulation)
    }

    /// The two bodies with an overlap \[m\], ready to step by `time_step` \[s\]. The contact begins without tangential force.
    ///
    /// # Errors
    /// What the builder refuses.
    pub fn pressed(&self, approach: Approach, overlap: f64, time_step: f64) -> Result<Simulation, StudyError> {
        let mut simulation = self.build(approach, overlap)?;
        simulation.world.time_step = time_step;
        simulation.initialise()?;
        Ok(simulation)
    }

    fn build(&self, approach: Approach, overlap: f64) -> Result<Simulation, StudyError> {
        let loaded = builder::parse_scene("two bodies", &self.scene(), &[])?;
        let mut simulation = builder::build_empty(&loaded)?;
        let material = |name: &str| simulation.contact.material(name).unwrap_or(0);
        let (sphere, partner) = (material("sphere"), material("partner"));
        let share = 1.0 / self.spheres();
        let velocity = share * DVec3::new(approach.tangential_velocity, 0.0, -approach.normal_speed);
        let new = |side: f64, material: u16| NewParticle {
            position: DVec3::Z * (side * (self.radius - share * overlap)),
            velocity: velocity * side,
            angular_velocity: -DVec3::Y * approach.spin,
            orientation: DQuat::IDENTITY,
            radius: self.radius,
            density: self.sphere.density,
            material,
            group: 1,
            frozen: 0,
        };
        simulation.world.insert(new(1.0, sphere));
        if self.partner == Partner::Sphere {
            simulation.world.insert(new(-1.0, partner));
        }
        Ok(simulation)
    }

    /// The scene without particles.
    fn scene(&self) -> String {
        let integrator: String = std::iter::once(format!("name = \"{}\"", self.integrator.name))
            .chain(self.integrator.assignments())
            .collect::<Vec<_>>()
            .join(", ");
        let mut parameters = self.law.assignments();
        if self.law.lacks("friction") {
            parameters.push(format!("friction = {:?}", self.friction));
        }
        let is_damped = |name: &&str| self.law.parameters.contains_key(*name);
        if self.law.lacks("restitution") && !["damping_ratio", "damping_rate", "dissipation_time"].iter().any(is_damped)
        {
            parameters.push(format!("restitution = {:?}", self.restitution));
        }
        let acts_apart =
            self.law.parameters.get(NEAR_FIELD).is_some_and(|word| *word != ParameterValue::Word("none".into()));
        let wall = match self.partner {
            Partner::Wall => format!(
                "[[walls]]\nname = \"partner\"\nmaterial = \"partner\"\nshape = {{ type = \"plane\", normal = [0, 0, 1] }}\nnear_field = {acts_apart}\n"
            ),
            Partner::Sphere => String::new(),
        };
        format!(
            r#"
[time]
step = 1
integrator = {{ {integrator} }}
[fields]
gravity = [0, 0, {gravity:?}]
{sphere}{partner}
[contact]
law = "{law}"
lever = "{lever}"
{parameters}
[limits]
overlap = 1
{wall}
[[stages]]
name = "impact"
until = {{ steps = 1000000000 }}
"#,
            gravity = -self.gravity,
            sphere = self.sphere.scene("sphere"),
            partner = self.partner_material.scene("partner"),
            law = self.law.name,
            lever = self.lever,
            parameters = parameters.join("\n"),
        )
    }
}
