//! One impact in the engine: stepped until the bodies part, looked at after every step.

use dem_contact::Mode;
use dem_core::DVec3;
use dem_core::energy::EnergyLedger;
use dem_sim::simulation::Simulation;

use crate::error::StudyError;
use crate::sphere_and_partner::{Approach, Partner, SphereAndPartner};

/// Durations of the undamped impact after which it must be over.
const MOST_DURATIONS: f64 = 100.0;

/// The state after a step, in the frame of the contact. Tangential quantities are along the first slip; the tangential force is that
/// against positive slip.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Moment {
    /// Time after touch \[s\].
    pub time: f64,
    /// Overlap \[m\].
    pub overlap: f64,
    /// Velocity of approach \[m/s\].
    pub normal_velocity: f64,
    /// Tangential velocity of the centres against each other \[m/s\].
    pub tangential_velocity: f64,
    /// Spin of a sphere \[rad/s\], positive if it adds to the slip.
    pub spin: f64,
    /// Tangential velocity of the surfaces against each other \[m/s\].
    pub contact_velocity: f64,
    /// Slip of the surfaces since touch \[m\].
    pub displacement: f64,
    /// Normal force \[N\].
    pub normal_force: f64,
    /// Tangential force against the slip \[N\].
    pub tangential_force: f64,
    /// State of the tangential contact.
    pub mode: Mode,
    /// Displacement held by the tangential spring, along the slip \[m\].
    pub elastic_slip: f64,
    /// Kinetic energy \[J\].
    pub kinetic: f64,
    /// Stored in the normal spring \[J\].
    pub elastic_normal: f64,
    /// Stored in the tangential spring \[J\].
    pub elastic_tangential: f64,
    /// Dissipated by friction since touch \[J\].
    pub friction_work: f64,
    /// Dissipated by dashpots since touch \[J\].
    pub viscous_work: f64,
    /// Left in the tangential spring at separation \[J\].
    pub released_work: f64,
    /// Change of the sum of all energies since touch \[J\].
    pub imbalance: f64,
}

/// An impact from touch to separation.
#[derive(Clone, Debug, PartialEq)]
pub struct Collision {
    /// What came in.
    pub approach: Approach,
    /// Touch and every step, the last without contact.
    pub history: Vec<Moment>,
    /// Time from touch to separation \[s\].
    pub contact_time: f64,
}

impl Collision {
    /// Runs an impact in steps of `1/steps` of the duration of the undamped head-on impact.
    ///
    /// # Errors
    /// A scene that the engine refuses, a step that fails, bodies that do not part.
    pub fn run(bodies: &SphereAndPartner, approach: Approach, steps: f64) -> Result<Self, StudyError> {
        let mut simulation = bodies.at_touch(approach, steps)?;
        let observer = Observer { partner: bodies.partner, start: simulation.world.energy() };
        let mut last = observer.look(&simulation);
        let mut history = vec![last];
        let most = (MOST_DURATIONS * steps) as usize;
        while history.len() <= most {
            simulation.advance()?;
            let mut now = observer.look(&simulation);
            let mean = 0.5 * (last.contact_velocity + now.contact_velocity);
            now.displacement = last.displacement + mean * (now.time - last.time);
            history.push(now);
            // surfaces that are apart may still hold on to each other
            if now.overlap <= 0.0 && now.normal_force == 0.0 {
                let share = if last.overlap > 0.0 { last.overlap / (last.overlap - now.overlap) } else { 1.0 };
                let contact_time = last.time + share * (now.time - last.time);
                return Ok(Self { approach, history, contact_time });
            }
            last = now;
        }
        let detail = format!(
            "law {}: the bodies are in contact after {MOST_DURATIONS} durations of the undamped impact",
            bodies.law.label
        );
        Err(StudyError::Convergence { method: "impact", detail })
    }

    /// State after separation.
    pub fn end(&self) -> Moment {
        self.history[self.history.len() - 1]
    }

    /// Speed of separation over speed of approach.
    pub fn normal_restitution(&self) -> f64 {
        -self.end().normal_velocity / self.approach.normal_speed
    }

    /// Tangential velocity of the centres after over before.
    pub fn tangential_restitution(&self) -> f64 {
        self.end().tangential_velocity / self.approach.tangential_velocity
    }

    /// Angle of the velocity of the contact point from the normal after the impact \[rad\].
    pub fn contact_angle(&self) -> f64 {
        (self.end().contact_velocity / -self.end().normal_velocity).atan()
    }

    /// Angle of the velocity of the centres from the normal after the impact \[rad\].
    pub fn centre_angle(&self) -> f64 {
        (self.end().tangential_velocity / -self.end().normal_velocity).atan()
    }

    /// Largest value of a quantity over the history.
    pub fn largest(&self, of: impl Fn(&Moment) -> f64) -> f64 {
        self.history.iter().map(of).fold(f64::NEG_INFINITY, f64::max)
    }

    /// Kinetic energy lost \[J\].
    pub fn kinetic_loss(&self) -> f64 {
        self.history[0].kinetic - self.end().kinetic
    }
}

/// The states of two bodies that begin with an overlap \[m\], after each of some steps \[s\].
///
/// # Errors
/// A scene that the engine refuses, a step that fails.
pub fn motion(
    bodies: &SphereAndPartner,
    approach: Approach,
    overlap: f64,
    time_step: f64,
    steps: usize,
) -> Result<Vec<Moment>, StudyError> {
    let mut simulation = bodies.pressed(approach, overlap, time_step)?;
    let observer = Observer { partner: bodies.partner, start: simulation.world.energy() };
    let mut history = Vec::with_capacity(steps);
    for _ in 0..steps {
        simulation.advance()?;
        history.push(observer.look(&simulation));
    }
    Ok(history)
}

/// Reads the contact of a simulation.
struct Observer {
    partner: Partner,
    start: EnergyLedger,
}

impl Observer {
    fn look(&self, simulation: &Simulation) -> Moment {
        let world = &simulation.world;
        let p = &world.particles;
        // slots may be exchanged by a reordering
        let slot = |id_rank: usize| p.slots_by_id().into_iter().nth(id_rank).map_or(0, |slot| slot as usize);
        let first = slot(0);
        let radius = p.radius[first];
        let (position, velocity, spins) = match self.partner {
            Partner::Wall => (p.position[first], p.velocity[first], p.angular_velocity[first]),
            Partner::Sphere => {
                let second = slot(1);
                (
                    p.position[first] - p.position[second],
                    p.velocity[first] - p.velocity[second],
                    p.angular_velocity[first] + p.angular_velocity[second],
                )
            }
        };
        let (normal, reach) = match self.partner {
            Partner::Wall => (DVec3::Z, radius),
            Partner::Sphere => (position.normalize(), 2.0 * radius),
        };
        let along = DVec3::Y.cross(normal);
        let overlap = reach - position.dot(normal);
        let ledger = world.energy();
        let mut moment = Moment {
            time: world.time,
            overlap,
            normal_velocity: -velocity.dot(normal),
            tangential_velocity: velocity.dot(along),
            spin: -p.angular_velocity[first].y,
            // without overlap levers are radii
            contact_velocity: velocity.dot(along) - radius * spins.y,
            displacement: 0.0,
            normal_force: 0.0,
            tangential_force: 0.0,
            mode: Mode::Open,
            elastic_slip: 0.0,
            kinetic: ledger.kinetic(),
            elastic_normal: ledger.elastic_normal,
            elastic_tangential: ledger.elastic_tangential,
            friction_work: ledger.friction,
            viscous_work: ledger.viscous,
            released_work: ledger.released,
            imbalance: ledger.balance() - self.start.balance(),
        };
        let context = world.context();
        for kernel in &world.kernels {
            kernel.visit(&world.list, &context, &mut |contact| {
                let Some(wrench) = world.forces.get(contact.candidate) else { return };
                // force on the sphere above, whichever the list has first
                let side = if contact.normal.dot(normal) < 0.0 { 1.0 } else { -1.0 };
                let force = side * DVec3::from_array(wrench.force);
                let lever = match self.partner {
                    Partner::Wall => wrench.lever(0),
                    Partner::Sphere => 0.5 * (wrench.lever(0) + wrench.lever(1)),
                };
                moment.contact_velocity = velocity.dot(along) - lever * spins.y;
                moment.normal_force = force.dot(normal);
                moment.tangential_force = -force.dot(along);
                moment.elastic_slip = side * contact.elastic_slip.dot(along);
                moment.mode = world.forces.mode(contact.candidate).unwrap_or_default();
            });
        }
        moment
    }
}
