//! Whether an assembly is at rest, and what moves if it is not.

use dem_contact::ParameterValue;
use dem_contact::kernel::ForceKernel;
use dem_core::DVec3;
use dem_core::contact_list::PartnerKind;

use super::components::Simulation;
use crate::measure;
use crate::state::contact_parameters::ContactDefinition;
use crate::state::movers::Mover;
use crate::state::world::World;

/// Directions that differ by less than this part of their length are one.
const PARALLEL: f64 = 1e-8;

/// Axes about which the contacts of a particle resist a spin, perpendicular to each other.
#[derive(Clone, Copy, Debug, Default)]
struct Resisted {
    axes: [DVec3; 3],
    count: usize,
    /// Whether it touches anything.
    touches: bool,
}

impl Resisted {
    fn add(&mut self, axis: DVec3) {
        let new = self.axes[..self.count].iter().fold(axis, |rest, own| rest - *own * rest.dot(*own));
        if self.count < 3 && new.length() > PARALLEL {
            self.axes[self.count] = new.normalize();
            self.count += 1;
        }
    }

    /// The part of a spin that contacts resist; all of it where nothing is touched.
    fn part_of(&self, spin: DVec3) -> DVec3 {
        if !self.touches || self.count == 3 {
            return spin;
        }
        self.axes[..self.count].iter().map(|axis| *axis * spin.dot(*axis)).sum()
    }
}

/// What the contacts of a pair of materials resist: rotation about axes across the normal, and about the normal.
fn resistances(contact: &ContactDefinition) -> Vec<[bool; 2]> {
    let count = contact.materials.len();
    let mut all = vec![[false; 2]; count * count];
    for pair in contact.pairs() {
        let slides_freely = !pair.parameters.iter().any(|(name, value)| {
            name.starts_with("friction") && matches!(value, ParameterValue::Number(friction) if *friction > 0.0)
        });
        let chooses = |model: &str| {
            pair.parameters.iter().any(
                |(name, value)| matches!(value, ParameterValue::Word(word) if name == model && word.as_str() != "none"),
            )
        };
        let resists = [!slides_freely || chooses("rolling"), chooses("twisting")];
        all[pair.first * count + pair.second] = resists;
        all[pair.second * count + pair.first] = resists;
    }
    all
}

/// About which axes the contacts of each particle resist a spin, by slots.
fn resisted(world: &World, contact: &ContactDefinition) -> Vec<Resisted> {
    let (table, count) = (resistances(contact), contact.materials.len());
    let material = &world.particles.material;
    let mut all = vec![Resisted::default(); world.particles.len()];
    let context = world.context();
    let mut visit = |kernel: &dyn ForceKernel| {
        kernel.visit(&world.list, &context, &mut |c| {
            if !c.touches {
                return;
            }
            let (partner, other) = match c.key.kind {
                PartnerKind::Particle => (material[c.second], Some(c.second)),
                PartnerKind::Wall => (world.walls[c.second].material, None),
            };
            let [across, about] = table[material[c.first] as usize * count + partner as usize];
            for slot in [Some(c.first), other].into_iter().flatten() {
                let own = &mut all[slot];
                own.touches = true;
                if across {
                    let (u, v) = c.normal.any_orthonormal_pair();
                    own.add(u);
                    own.add(v);
                }
                if about {
                    own.add(c.normal);
                }
            }
        });
    };
    for kernel in &world.kernels {
        visit(kernel.as_ref());
    }
    all
}

/// How far an assembly is from rest.
struct Unrest {
    /// Mean kinetic energy in proportion to m g d, without spin that no contact resists.
    kinetic_energy: f64,
    /// See [`measure::unbalanced_force`].
    unbalanced_force: f64,
}

impl Simulation {
    /// Whether the particles that can move are at rest, or all gone with nothing to come.
    pub(crate) fn is_at_rest(&self) -> bool {
        let world = &self.world;
        if movable_count(world) == 0 {
            return world.inserted > 0 && self.is_poured();
        }
        let (bound, scale) = (self.rest.kinetic_energy, scale(world));
        // spin that nothing resists need not be checked where it decides nothing
        let is_slow = mean(world, &|mover| translation(world, mover)) < bound * scale
            && (mean(world, &|mover| translation(world, mover) + spin(world, mover, world.spin_of(mover)))
                < bound * scale
                || self.kinetic_energy(&resisted(world, &self.contact)) < bound);
        is_slow && measure::unbalanced_force(world) < self.rest.unbalanced_force
    }

    /// Mean kinetic energy of the particles that can move in proportion to m g d, of their spin only what contacts resist.
    fn kinetic_energy(&self, resisted: &[Resisted]) -> f64 {
        let world = &self.world;
        mean(world, &|mover| kinetic(world, mover, resisted)) / scale(world)
    }

    /// Says why a stage that waits for rest ends without it: what moves, and which particle most.
    pub(crate) fn tell_of_unrest(&self) {
        let world = &self.world;
        if movable_count(world) == 0 {
            return;
        }
        let resisted = resisted(world, &self.contact);
        let unrest = Unrest {
            kinetic_energy: self.kinetic_energy(&resisted),
            unbalanced_force: measure::unbalanced_force(world),
        };
        let Some(first) = movable(world).next() else { return };
        let most = |measure: &dyn Fn(Mover) -> f64| {
            let larger = |best: Mover, mover: Mover| {
                let order = measure(mover).total_cmp(&measure(best)).then(world.id_of(best).cmp(&world.id_of(mover)));
                if order.is_gt() { mover } else { best }
            };
            movable(world).fold(first, larger)
        };
        let mut reasons = Vec::new();
        if unrest.kinetic_energy >= self.rest.kinetic_energy {
            let mover = most(&|mover| kinetic(world, mover, &resisted));
            let spin_counted = spin_that_counts(world, mover, &resisted);
            let moves = if translation(world, mover) >= spin(world, mover, spin_counted) {
                format!("its centre, at {} m/s", brief(world.velocity_of(mover).length()))
            } else {
                format!("its spin, {} rad/s", brief(spin_counted.length()))
            };
            reasons.push(format!(
                "the kinetic energy is {} m g d a particle, at_rest.kinetic_energy = {}; {} at {} moves most: {moves}",
                brief(unrest.kinetic_energy),
                self.rest.kinetic_energy,
                world.describe_mover(mover),
                place(world.centre_of(mover))
            ));
        }
        if unrest.unbalanced_force >= self.rest.unbalanced_force {
            let mover = most(&|mover| world.force_on(mover).length());
            let bound = if unrest.unbalanced_force.is_finite() {
                let bound = self.rest.unbalanced_force;
                format!(
                    "the unbalanced force is {}, at_rest.unbalanced_force = {bound}",
                    brief(unrest.unbalanced_force)
                )
            } else {
                "no contact carries a force".to_owned()
            };
            reasons.push(format!(
                "{bound}; {} at {} is farthest from equilibrium: the net force on it is {} N",
                world.describe_mover(mover),
                place(world.centre_of(mover)),
                brief(world.force_on(mover).length())
            ));
        }
        if reasons.is_empty() {
            reasons.push(if self.is_poured() || self.is_blocked() {
                let since = self.state.rest_since.map_or(0.0, |since| world.time - since);
                format!("rest has lasted for {} s of at_rest.duration = {} s", brief(since), self.rest.duration)
            } else {
                "particles are still to be poured".to_owned()
            });
        }
        let message = format!(
            "stage \"{}\" ends at t = {:.6} s without rest: {}",
            self.stage_name(),
            world.time,
            reasons.join("; ")
        );
        // rest was not requested where a run without stages comes to its end
        let is_implied = self.stages.len() == 1 && self.stages[0].is_implied();
        if is_implied {
            tracing::info!("{message}");
        } else {
            tracing::warn!("{message}");
        }
    }
}

/// What can move: what is held has neither weight to bear nor a way to come to rest.
fn movable(world: &World) -> impl Iterator<Item = Mover> {
    world.movers().filter(|&mover| world.can_move(mover))
}

/// Mean of a quantity of what can move.
fn mean(world: &World, term: &(dyn Fn(Mover) -> f64 + Sync)) -> f64 {
    let [sum] = world.sums_of_movers(|mover| [if world.can_move(mover) { term(mover) } else { 0.0 }]);
    sum / movable_count(world) as f64
}

/// How many spheres and bodies of all parts can move.
fn movable_count(world: &World) -> usize {
    world.whole.count(movable(world).count())
}

/// m g d with the mean mass and diameter \[J\].
fn scale(world: &World) -> f64 {
    let (mass, radius) = (mean(world, &|mover| world.mass_of(mover)), mean(world, &|mover| world.radius_of(mover)));
    mass * world.fields.gravity.length() * 2.0 * radius
}

fn translation(world: &World, mover: Mover) -> f64 {
    0.5 * world.mass_of(mover) * world.velocity_of(mover).length_squared()
}

fn spin(world: &World, mover: Mover, spin: DVec3) -> f64 {
    world.energy_of_spin(mover, spin)
}

/// The part of a spin that contacts resist: that of a body about any axis, for its members are not where the axis is.
fn spin_that_counts(world: &World, mover: Mover, resisted: &[Resisted]) -> DVec3 {
    match mover {
        Mover::Sphere(slot) => resisted[slot].part_of(world.spin_of(mover)),
        Mover::Body(_) => world.spin_of(mover),
    }
}

/// Kinetic energy without spin that no contact resists \[J\].
fn kinetic(world: &World, mover: Mover, resisted: &[Resisted]) -> f64 {
    translation(world, mover) + spin(world, mover, spin_that_counts(world, mover, resisted))
}

fn brief(x: f64) -> String {
    format!("{x:.3e}")
}

fn place(x: DVec3) -> String {
    format!("({:.6}, {:.6}, {:.6}) m", x.x, x.y, x.z)
}
