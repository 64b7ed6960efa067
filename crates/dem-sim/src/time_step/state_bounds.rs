//! Bounds of the time step that follow from the present state; those known beforehand are chosen when a scene is built.
//!
//! Everything here depends on the state only, not on slots, contact lists or threads: the length of the next steps follows from it.

use dem_broadphase::{Automatic, Broadphase};
use dem_contact::contact_forces::ContactView;
use dem_contact::time_step::{Bound, CONTACT_CRITERIA, Fractions, contact_steps, particle_bound, rayleigh_time};
use dem_contact::wall_geometry;
use dem_core::DVec3;
use dem_core::contact_list::{CandidateRows, PartnerKind};
use dem_core::figure::Figure;
use dem_core::particles::{NO_BODY, Particles};

use super::criteria::{DISPLACEMENT, RAYLEIGH, RELAXATION, ROTATION, relaxation_step};
use super::driving;
use crate::environment::memory;
use crate::resolution::{LARGEST_MOVE, LARGEST_TURN};
use crate::state::whole::{Candidate, Whole};
use crate::state::world::World;

/// How far an integrator may correct positions after contacts have been found, in proportion to the radius.
const CORRECTION: f64 = 1e-3;

/// How far ahead a check of the state goes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Look {
    /// What is: contacts with their present closing speed.
    Now,
    /// What may come until the next check: the impacts of bodies that may meet, and contacts with the speed of the
    /// impact that they came from or are good for, so that an impact counts alike from its approach to its end.
    Ahead {
        /// Steps until the next check.
        steps: u64,
        /// Their length at most \[s\].
        time_step: f64,
    },
}

/// Who limits the step.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
enum Bodies {
    Particle(u64),
    Pair(u64, u64),
    Wall(u64, u64),
}

impl Bodies {
    fn name(self, world: &World) -> String {
        match self {
            Self::Particle(id) => format!("particle {id}"),
            Self::Pair(a, b) => format!("particles {a} and {b}"),
            Self::Wall(id, wall) => format!("particle {id} and wall \"{}\"", world.walls[wall as usize].name),
        }
    }
}

/// The tightest bound of one criterion so far.
#[derive(Clone, Copy, Debug)]
struct Tightest {
    criterion: &'static str,
    time_step: f64,
    bodies: Bodies,
    /// Speed \[m/s\] or spin \[rad/s\] that it was computed for.
    speed: f64,
}

impl Tightest {
    fn candidate(&self) -> Candidate {
        let [kind, first, second] = match self.bodies {
            Bodies::Particle(id) => [0, id, 0],
            Bodies::Pair(a, b) => [1, a, b],
            Bodies::Wall(id, wall) => [2, id, wall],
        };
        Candidate { number: self.time_step, who: [kind, first, second, self.speed.to_bits()] }
    }

    fn new(criterion: &'static str, Candidate { number, who: [kind, first, second, speed] }: Candidate) -> Self {
        let bodies = match kind {
            0 => Bodies::Particle(first),
            1 => Bodies::Pair(first, second),
            _ => Bodies::Wall(first, second),
        };
        Self { criterion, time_step: number, bodies, speed: f64::from_bits(speed) }
    }
}

/// The tightest bounds by criterion.
struct Collection<'a> {
    fractions: &'a Fractions,
    tightest: Vec<Tightest>,
}

impl Collection<'_> {
    fn add(&mut self, new: Tightest) {
        if !new.time_step.is_finite() {
            return;
        }
        match self.tightest.iter_mut().find(|old| old.criterion == new.criterion) {
            None => self.tightest.push(new),
            // ties by ids, so that the names do not depend on slots
            Some(old) if (new.time_step, new.bodies) < (old.time_step, old.bodies) => *old = new,
            Some(_) => {}
        }
    }

    /// Puts the tightest of all parts of the assembly in the place of its own.
    fn ask_all_parts(&mut self, whole: &dyn Whole) {
        let own = |criterion: &&str| self.tightest.iter().find(|t| t.criterion == *criterion);
        let mut candidates =
            CRITERIA.each_ref().map(|criterion| own(criterion).map_or(Candidate::NONE, Tightest::candidate));
        whole.first(&mut candidates);
        self.tightest.clear();
        let found = CRITERIA.into_iter().zip(candidates).filter(|(_, found)| found.number.is_finite());
        self.tightest.extend(found.map(|(criterion, found)| Tightest::new(criterion, found)));
    }

    fn into_bounds(self, world: &World) -> Vec<Bound> {
        let detail = |t: &Tightest| {
            let name = t.bodies.name(world);
            match t.criterion {
                RAYLEIGH => name,
                ROTATION => format!("{name} at {} rad/s", Figure::new(t.speed, 4)),
                RELAXATION => format!("{name} at {} m/s through the fluid", Figure::new(t.speed, 4)),
                _ => format!("{name} at {} m/s", Figure::new(t.speed, 4)),
            }
        };
        self.tightest
            .iter()
            .map(|t| Bound { criterion: t.criterion, time_step: t.time_step, detail: detail(t) })
            .collect()
    }
}

const PARTICLE: &str = "stiffness of a particle's contacts";

/// The criteria of a [`Collection`].
const CRITERIA: [&str; 9] = {
    let [normal, tangential, rolling, duration, pull] = CONTACT_CRITERIA;
    [DISPLACEMENT, ROTATION, RELAXATION, normal, tangential, rolling, duration, pull, RAYLEIGH]
};

/// The tightest bound of every criterion in the present state with the bodies that set it, the tightest first. `fractions` are those of the
/// integrator.
pub(crate) fn bounds(world: &World, look: Look, fractions: &Fractions) -> Vec<Bound> {
    let mut found = Collection { fractions, tightest: Vec::new() };
    add_motion(world, look, &mut found);
    add_contacts(world, look, &mut found);
    if let Look::Ahead { steps, time_step } = look {
        add_encounters(world, steps, time_step, &mut found);
    }
    if !world.whole.is_alone() {
        found.ask_all_parts(world.whole.as_ref());
    }
    let mut bounds = found.into_bounds(world);
    bounds.extend(stiffness_bound(world, fractions));
    bounds.extend(driving::bounds(world));
    // a stable sort: criteria that agree keep their order
    bounds.sort_by(|a, b| a.time_step.total_cmp(&b.time_step));
    bounds
}

fn stiffness_bound(world: &World, fractions: &Fractions) -> Option<Bound> {
    let own = particle_bound(&world.kernels, &world.list, &world.context(), fractions);
    let candidate = own.map_or(Candidate::NONE, |bound| {
        let (is_wall, partner) = match bound.stiffest.kind {
            PartnerKind::Wall => (1, bound.stiffest.second),
            PartnerKind::Particle if bound.stiffest.first == bound.particle => (0, bound.stiffest.second),
            PartnerKind::Particle => (0, bound.stiffest.first),
        };
        Candidate { number: bound.time_step, who: [bound.particle, bound.contacts as u64, is_wall, partner] }
    });
    let Candidate { number, who: [particle, contacts, is_wall, partner] } = world.whole.first_of(candidate);
    if number == f64::INFINITY {
        return None;
    }
    let stiffest = match is_wall {
        0 => format!("particle {partner}"),
        _ => format!("wall \"{}\"", world.walls[partner as usize].name),
    };
    let detail = match contacts {
        1 => format!("particle {particle} on {stiffest}"),
        contacts => format!("particle {particle} with {contacts} contacts, the stiffest on {stiffest}"),
    };
    Some(Bound { criterion: PARTICLE, time_step: number, detail })
}

/// Displacement and rotation per step.
fn add_motion(world: &World, look: Look, found: &mut Collection<'_>) {
    let p = &world.particles;
    let fall = match look {
        Look::Now => 0.0,
        Look::Ahead { steps, time_step } => world.fields.gravity.length() * time_step * steps as f64,
    };
    let relaxes = world.fields.drag.is_some() || world.fields.mass_damping > 0.0;
    let fluid_velocity = world.fields.drag.map_or(DVec3::ZERO, |drag| drag.fluid_velocity);
    for slot in 0..p.owned() {
        let bodies = Bodies::Particle(p.id[slot]);
        let speed = p.velocity[slot].length() + fall;
        found.add(Tightest {
            criterion: DISPLACEMENT,
            time_step: LARGEST_MOVE * p.radius[slot] / speed,
            bodies,
            speed,
        });
        let speed = p.angular_velocity[slot].length();
        found.add(Tightest { criterion: ROTATION, time_step: LARGEST_TURN / speed, bodies, speed });
        if relaxes && p.is_movable(slot) {
            let speed = (p.velocity[slot] - fluid_velocity).length() + fall;
            let porosity = || world.porosity.end.at(p.position[slot]);
            let rate = world.fields.relaxation_rate(p.radius[slot], p.mass[slot], speed, porosity);
            found.add(Tightest {
                criterion: RELAXATION,
                time_step: relaxation_step(rate, found.fractions),
                bodies,
                speed,
            });
        }
    }
}

/// Two spheres, or a sphere and a feature of a wall, as a contact treats them.
struct Meeting {
    bodies: Bodies,
    materials: (u16, u16),
    effective_radius: f64,
    effective_mass: f64,
    /// Radius of a sphere at a wall that forces at a distance act from; they have the distance of its centre there.
    near_wall: Option<f64>,
}

impl Meeting {
    fn pair(world: &World, a: usize, b: usize) -> Self {
        let p = &world.particles;
        let (a, b) = if p.id[a] < p.id[b] { (a, b) } else { (b, a) };
        Self {
            bodies: Bodies::Pair(p.id[a], p.id[b]),
            materials: (p.material[a], p.material[b]),
            effective_radius: p.radius[a] * p.radius[b] / (p.radius[a] + p.radius[b]),
            effective_mass: {
                let normal = world.cell.nearest_image(p.position[b] - p.position[a]).normalize_or(DVec3::X);
                1.0 / (p.inverse_mass_at(a, normal) + p.inverse_mass_at(b, -normal))
            },
            near_wall: None,
        }
    }

    fn wall(world: &World, slot: usize, number: usize, feature: u32) -> Self {
        let (p, wall) = (&world.particles, &world.walls[number]);
        let surface = wall.surface_point(&wall.pose, feature, p.position[slot]);
        Self {
            bodies: Bodies::Wall(p.id[slot], number as u64),
            materials: (p.material[slot], wall.material),
            effective_radius: wall_geometry::effective_radius(p.radius[slot], wall, surface.curvature),
            effective_mass: 1.0 / p.inverse_mass_at(slot, -surface.normal),
            near_wall: wall.near_field.then_some(p.radius[slot]),
        }
    }

    /// Bounds of an impact at a speed.
    fn add(&self, world: &World, speed: f64, found: &mut Collection<'_>) {
        if self.effective_mass.is_infinite() {
            // neither can be moved
            return;
        }
        let (a, b) = self.materials;
        let kernel = &world.kernels[world.laws.get(a, b) as usize];
        let (radius, mass) = (self.effective_radius, self.effective_mass);
        let steps = contact_steps(kernel.as_ref(), (a, b), radius, mass, speed, found.fractions);
        for (criterion, time_step) in CONTACT_CRITERIA.into_iter().zip(steps) {
            found.add(Tightest { criterion, time_step, bodies: self.bodies, speed });
        }
        if let Some(distance) = self.near_wall {
            let overlap = kernel.impact_overlap(a, b, radius, mass, speed);
            let stiffness =
                kernel.stiffness(a, b, radius, overlap).normal + kernel.near_field_stiffness(a, b, distance - overlap);
            let time_step = found.fractions.contact * 2.0 * (mass / stiffness).sqrt();
            found.add(Tightest { criterion: CONTACT_CRITERIA[0], time_step, bodies: self.bodies, speed });
        }
    }
}

fn add_rayleigh(world: &World, slot: usize, bodies: Bodies, found: &mut Collection<'_>) {
    let p = &world.particles;
    let material = &world.materials[p.material[slot] as usize];
    let time = rayleigh_time(p.radius[slot], material.density, material.shear_modulus(), material.poisson_ratio);
    let time_step = found.fractions.rayleigh * time;
    found.add(Tightest { criterion: RAYLEIGH, time_step, bodies, speed: 0.0 });
}

/// Speed with which the bodies of a contact close in on each other \[m/s\].
fn closing_speed(world: &World, c: &ContactView) -> f64 {
    let p = &world.particles;
    let partner = match c.key.kind {
        PartnerKind::Particle => p.velocity[c.second],
        PartnerKind::Wall => {
            let wall = &world.walls[c.second];
            let point = p.position[c.first] + c.branch;
            wall.velocity + wall.angular_velocity.cross(point - wall.pose.position)
        }
    };
    (p.velocity[c.first] - partner).dot(c.normal)
}

/// Present contacts as impacts.
fn add_contacts(world: &World, look: Look, found: &mut Collection<'_>) {
    world.each_contact(&mut |c| {
        let closing = closing_speed(world, c);
        let meeting = match c.key.kind {
            PartnerKind::Particle => Meeting::pair(world, c.first, c.second),
            PartnerKind::Wall => Meeting::wall(world, c.first, c.second, c.key.feature),
        };
        match look {
            // what is at rest or departs has been reckoned with when it came
            Look::Now if closing <= 0.0 => {}
            Look::Now => meeting.add(world, closing, found),
            Look::Ahead { .. } => {
                let stored = 2.0 * c.energy.normal.max(0.0) / meeting.effective_mass;
                meeting.add(world, (closing * closing + stored).sqrt(), found);
                add_rayleigh(world, c.first, meeting.bodies, found);
                if c.key.kind == PartnerKind::Particle {
                    add_rayleigh(world, c.second, meeting.bodies, found);
                }
            }
        }
    });
}

/// Bound of how far the centre of a particle comes in some steps \[m\]; the bound of the displacement limits it too.
fn travel(p: &Particles, slot: usize, steps: u64, time_step: f64) -> f64 {
    let time = steps as f64 * time_step;
    let gained = p.force[slot].length() * p.inverse_mass[slot] * time;
    let farthest = LARGEST_MOVE * p.radius[slot] * steps as f64;
    ((p.velocity[slot].length() + gained) * time).min(farthest)
}

/// Bound of how much nearer two particles of any part of the assembly come in some steps \[m\].
pub(crate) fn reach_of_encounters(world: &World, steps: u64, time_step: f64) -> f64 {
    let p = &world.particles;
    let farthest = (0..p.owned()).map(|slot| travel(p, slot, steps, time_step)).fold(0.0, f64::max);
    2.0 * world.whole.largest(farthest)
}

/// Impacts of bodies that do not touch yet but may within some steps.
fn add_encounters(world: &World, steps: u64, time_step: f64, found: &mut Collection<'_>) {
    let p = &world.particles;
    let time = steps as f64 * time_step;
    let travel: Vec<f64> = (0..p.len()).map(|slot| travel(p, slot, steps, time_step)).collect();
    let farthest = travel.iter().copied().fold(0.0, f64::max);
    let range = world.range();
    let fall = world.fields.gravity.length() * time;
    let mut rows = CandidateRows::default();
    let mut margin = (2.0 * farthest + range).min(room(world));
    // among many small ones a large one may come near more than there is memory for: then the nearest of them are
    // checked
    while Automatic::default().candidates_within(p, &world.cell, margin, memory::most_pairs(), &mut rows).is_err()
        && margin > range
    {
        margin = (0.5 * margin).max(range);
    }
    for (slot, row) in rows.row.windows(2).enumerate() {
        for &partner in &rows.partner[row[0] as usize..row[1] as usize] {
            let other = partner as usize;
            if p.body[slot] != NO_BODY && p.body[slot] == p.body[other] {
                continue;
            }
            let branch = world.cell.nearest_image(p.position[other] - p.position[slot]);
            let gap = branch.length() - p.radius[slot] - p.radius[other] - range;
            // those that touch have been checked; correctors may have pushed some into contact that is not detected yet
            if gap >= -CORRECTION * p.radius[slot].min(p.radius[other]) && gap <= travel[slot] + travel[other] {
                let meeting = Meeting::pair(world, slot, other);
                let speed = (p.velocity[slot] - p.velocity[other]).length() + fall;
                meeting.add(world, speed, found);
                add_rayleigh(world, slot, meeting.bodies, found);
                add_rayleigh(world, other, meeting.bodies, found);
            }
        }
    }
    for (number, wall) in world.walls.iter().enumerate().filter(|(_, wall)| wall.active) {
        for slot in 0..p.owned() {
            let arm = (p.position[slot] - wall.pose.position).length() + p.radius[slot];
            let wall_speed = wall.speed_bound(arm);
            let reach = travel[slot] + wall_speed * time;
            wall.visit_near(p.position[slot], p.radius[slot] + range, reach.next_up(), &mut |feature| {
                let surface = wall.surface_point(&wall.pose, feature, p.position[slot]);
                let gap = surface.distance - p.radius[slot] - range;
                if gap >= -CORRECTION * p.radius[slot] && gap <= reach {
                    let meeting = Meeting::wall(world, slot, number, feature);
                    meeting.add(world, p.velocity[slot].length() + wall_speed + fall, found);
                    add_rayleigh(world, slot, meeting.bodies, found);
                }
            });
        }
    }
}

/// Distance up to which a particle has one image near another one only \[m\].
pub(crate) fn room(world: &World) -> f64 {
    let largest = world.particles.radius.iter().copied().fold(world.largest_radius_elsewhere, f64::max);
    let widths = (0..3).filter(|&k| world.cell.periodic[k]).map(|k| world.cell.width(k));
    0.9 * (0.5 * widths.fold(f64::INFINITY, f64::min) - 2.0 * largest).max(0.0)
}
