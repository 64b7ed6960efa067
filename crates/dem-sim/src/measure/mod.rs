//! What is measured on a world: the columns of the series, coordination, packing fraction.

mod bed;
mod chosen_contacts;
mod coordination;
mod empty_places;
mod fabric;
mod force_chains;
mod guided;
mod mobilised;
mod packing;
mod region;
mod servos;
mod stress;

pub use bed::{TouchingSets, bed, bed_height};
pub use chosen_contacts::{ChosenContact, chosen_contact_columns, chosen_contact_rows};
pub use coordination::{Coordination, coordination};
pub use empty_places::{EmptyPlaces, volume_weighted_diameter};
pub(crate) use fabric::contact_force;
pub use fabric::{Fabric, fabric};
pub use force_chains::{ForceChains, force_chains};
pub use guided::guide_columns;
pub use mobilised::mobilised_share;
pub use packing::{NoBulk, bulk_packing_fraction, cell_is_sample};
pub use region::{MeasuredRegion, region_columns, region_values};
pub use servos::servo_columns;
pub use stress::{StressMeasure, cell_columns, deviator, inertial_number, porosity};

use dem_core::contact_list::PartnerKind;
use dem_core::exact_sum::{BlockSum, in_blocks};
use dem_core::lanes::Width;
use dem_core::particles::frozen;
use dem_io::series::SeriesColumn;

use crate::simulation::Simulation;
use crate::world::World;

macro_rules! columns {
    ($($name:literal, $unit:literal, $meaning:literal;)*) => {
        /// Names of the columns of the series that every scene has.
        pub const SERIES_NAMES: &[&str] = &[$($name),*];
        const FIXED: &[(&str, &str, &str)] = &[$(($name, $unit, $meaning)),*];
    };
}

columns! {
    "step", "-", "steps done";
    "time", "s", "time";
    "time_step", "s", "length of the next step";
    "stage", "-", "stage of the scene, counted from 1; 1 without stages";
    "particles", "-", "particles present";
    "inserted", "-", "particles inserted so far";
    "removed", "-", "particles that left through open faces of the domain so far";
    "removed_mass", "kg", "their mass";
    "removed_by_stages", "-", "particles that actions of stages removed so far";
    "mass_flow_rate", "kg/s", "mass that left since the last row, per time";
    "kinetic_translation", "J", "kinetic energy of translation";
    "kinetic_rotation", "J", "kinetic energy of rotation";
    "kinetic_energy", "J", "kinetic energy";
    "gravity_energy", "J", "potential energy in gravity, zero at the origin; turning gravity has none";
    "elastic_normal", "J", "energy in normal contact springs";
    "elastic_tangential", "J", "energy in tangential contact springs";
    "elastic_rolling", "J", "energy in the springs of rolling and twisting resistance";
    "near_field_energy", "J", "potential energy of forces at a distance, zero at their cutoff: between particles, and of particles and walls that take part";
    "friction_work", "J", "energy dissipated by friction so far";
    "viscous_work", "J", "energy dissipated by contact damping so far";
    "stiffness_work", "J", "energy that changes of the stiffness of tangential springs have taken so far, negative for what they have added";
    "rolling_work", "J", "energy dissipated by rolling resistance so far";
    "twisting_work", "J", "energy dissipated by twisting resistance so far";
    "field_work", "J", "energy taken by drag, local and global damping and the friction of guides minus that added by a moving fluid and by turning gravity, so far";
    "released_energy", "J", "energy left in tangential, rolling and twisting springs when their contacts ended, so far";
    "wall_work", "J", "work done by walls and prescribed motions along guides on the particles so far";
    "exchanged_energy", "J", "energy brought in minus taken out with particles and by changes between stages so far";
    "energy_balance", "J", "sum of energies held and dissipated minus put in: constant in an exact solution";
    "pair_contacts", "-", "touching pairs of particles";
    "wall_contacts", "-", "touching pairs of particle and wall";
    "coordination", "-", "2 pair contacts / particles";
    "coordination_without_rattlers", "-", "the same without rattlers, removed one after the other: fewer than 2 contacts (4 without friction), walls counted";
    "rattlers", "-", "particles removed as rattlers";
    "sliding_share", "-", "share of contacts at the friction limit";
    "mobilised_share", "-", "share of contacts that slide or whose tangential force is within 0.001 % of friction times elastic normal force";
    "mobilised_friction", "-", "sum of the magnitudes of tangential contact forces over that of normal ones, walls included, forces at a distance not";
    "contact_fabric_xx", "-", "mean of n_x n_x over all contacts of two particles, n their unit normal; xx, yy and zz add up to 1";
    "contact_fabric_yy", "-", "the same of n_y n_y";
    "contact_fabric_zz", "-", "the same of n_z n_z";
    "contact_fabric_xy", "-", "the same of n_x n_y";
    "contact_fabric_xz", "-", "the same of n_x n_z";
    "contact_fabric_yz", "-", "the same of n_y n_z";
    "virial_xx", "J", "sum of force on the first body times branch over all contacts, walls included, and all pairs that act on each other at a distance, symmetric part: divided by the volume of the assembly it is the mean stress of the forces between particles, dashpots included, positive in tension";
    "virial_yy", "J", "the same along y and y";
    "virial_zz", "J", "the same along z and z";
    "virial_xy", "J", "the same along x and y";
    "virial_xz", "J", "the same along x and z";
    "virial_yz", "J", "the same along y and z";
    "bed_height", "m", "way against gravity from the lowest to the highest point of the bed, the largest set of particles that hang together through contacts; 0 while nothing touches";
    "overlap_ratio", "-", "largest overlap in proportion to the smaller radius, at the positions of the row";
    "overlap_ratio_peak", "-", "largest overlap ratio of any step so far, at the positions for which forces were computed";
    "unbalanced_force", "-", "mean net force on a particle that can move in proportion to the mean force of a contact, each counted once, between particles or with a wall, forces at a distance between bodies that touch included; no number without contacts";
    "largest_speed", "m/s", "largest speed of a particle";
    "force_chains", "-", "force chains: three or more particles in contact whose most compressive principal stress of contact forces is above the mean and within 45 degrees of the way between them (Peters et al. 2005)";
    "force_chain_share", "-", "share of particles that belong to one";
    "force_chain_length", "-", "mean number of particles in one, 0 without any";
}

/// Columns of the series of a simulation: the fixed ones, those of a cell that may deform, works that only some laws know, then force and torque of every wall,
/// those of walls that press with a force, then those of every guide, then what every region holds.
pub fn series_columns(world: &World) -> Vec<SeriesColumn> {
    let mut columns: Vec<SeriesColumn> =
        FIXED.iter().map(|&(name, unit, meaning)| SeriesColumn::new(name, unit, meaning)).collect();
    if let Some(deformation) = &world.deformation {
        columns.extend(stress::columns(deformation.sense, deformation.displacement));
    }
    for work in world.further_works() {
        columns.push(SeriesColumn::new(work.column(), "J", work.meaning()));
    }
    for wall in &world.walls {
        for (index, name) in wall_columns(&wall.name).into_iter().enumerate() {
            let axis = ["x", "y", "z"][index % 3];
            let (unit, meaning) = match index / 3 {
                0 => ("N", format!("force of the particles on wall {}, component {axis}", wall.name)),
                1 => (
                    "N m",
                    format!(
                        "torque of the particles on wall {} about its reference point, component {axis}",
                        wall.name
                    ),
                ),
                _ => ("J", format!("work done by wall {} on the particles so far", wall.name)),
            };
            columns.push(SeriesColumn::new(name, unit, meaning));
        }
    }
    for servo in &world.wall_servos {
        columns.extend(servos::describe(&world.walls[servo.wall].name));
    }
    for guide in world.guides.list() {
        columns.extend(guided::describe(&guide.name));
    }
    for region in &world.regions {
        columns.extend(region::describe(&region.name));
    }
    columns
}

/// A wall's name as part of a column name: what a header cannot hold becomes an underscore.
pub fn column_name(name: &str) -> String {
    name.chars().map(|c| if c.is_ascii_alphanumeric() || c == '_' || c == '-' { c } else { '_' }).collect()
}

/// Names of the columns of one wall.
pub fn wall_columns(wall: &str) -> Vec<String> {
    let name = column_name(wall);
    let ends = ["force_x", "force_y", "force_z", "torque_x", "torque_y", "torque_z", "work"];
    ends.iter().map(|end| format!("wall_{name}_{end}")).collect()
}

/// Fixed columns that are computed together: how many, and their values. In the order of the columns.
type Group = (usize, fn(&Simulation) -> Vec<f64>);

const GROUPS: [Group; 11] = [
    (10, counters),
    (18, energies),
    (2, |simulation| {
        let count = simulation.world.contact_count();
        vec![count.pairs as f64, count.walls as f64]
    }),
    (4, |simulation| {
        let threshold = if simulation.contact.has_friction() { 2 } else { 4 };
        let contacts = coordination(&simulation.world, threshold);
        vec![contacts.all, contacts.without_rattlers, contacts.rattlers as f64, contacts.sliding_share]
    }),
    (1, |simulation| vec![mobilised_share(&simulation.world, &simulation.contact)]),
    (13, |simulation| {
        let fabric = fabric(&simulation.world);
        [&[fabric.mobilised_friction][..], &fabric.tensor, &fabric.virial].concat()
    }),
    (1, |simulation| vec![bed_height(&simulation.world)]),
    (2, |simulation| {
        let world = &simulation.world;
        vec![largest_overlap_ratio(world), world.whole.largest(world.peak_overlap_ratio)]
    }),
    // infinite is what no bound is met by, but no value of a measurement
    (1, |simulation| vec![Some(unbalanced_force(&simulation.world)).filter(|x| x.is_finite()).unwrap_or(f64::NAN)]),
    (1, |simulation| vec![largest_speed(&simulation.world)]),
    (3, |simulation| {
        let chains = force_chains(&simulation.world);
        vec![chains.chains as f64, chains.share, chains.length]
    }),
];

/// Largest speed of a particle \[m/s\].
pub(crate) fn largest_speed(world: &World) -> f64 {
    let own = &world.particles.velocity[..world.particles.owned()];
    world.whole.largest(own.iter().map(|v| v.length()).fold(0.0, f64::max))
}

fn counters(simulation: &Simulation) -> Vec<f64> {
    let world = &simulation.world;
    let (last_time, last_mass) = simulation.state.last_row;
    let elapsed = world.time - last_time;
    let rate = if elapsed > 0.0 { (world.removed_mass - last_mass) / elapsed } else { 0.0 };
    let (inserted, removed) = (world.inserted as f64, world.removed as f64);
    let particles = world.particle_count() as f64;
    let stage = (simulation.state.stage + 1) as f64;
    let (step, by_stages) = (world.step as f64, world.removed_by_stages as f64);
    let (time, time_step, mass) = (world.time, world.time_step, world.removed_mass);
    vec![step, time, time_step, stage, particles, inserted, removed, mass, by_stages, rate]
}

/// Columns that follow from works of contacts: no numbers where a law keeps none.
pub const COLUMNS_OF_WORKS: [&str; 6] =
    ["elastic_tangential", "friction_work", "viscous_work", "stiffness_work", "released_energy", "energy_balance"];

fn energies(simulation: &Simulation) -> Vec<f64> {
    let energy = simulation.world.known_energy();
    vec![
        energy.kinetic_translation,
        energy.kinetic_rotation,
        energy.kinetic(),
        energy.gravity,
        energy.elastic_normal,
        energy.elastic_tangential,
        energy.elastic_rolling,
        energy.near_field,
        energy.friction,
        energy.viscous,
        energy.stiffness,
        energy.rolling,
        energy.twisting,
        energy.fields,
        energy.released,
        energy.walls,
        energy.exchanged,
        energy.balance(),
    ]
}

/// Values of the columns that depend on the scene: cell, walls, guides, regions.
fn scene_values(world: &World) -> Vec<f64> {
    let mut row = Vec::new();
    if let Some(deformation) = &world.deformation {
        row.extend(stress::row(world, deformation));
    }
    let further = world.further_works();
    if !further.is_empty() {
        let energy = world.known_energy();
        row.extend(further.into_iter().map(|work| energy.further[work.place()]));
    }
    for wall in &world.walls {
        row.extend(wall.force.to_array());
        row.extend(wall.torque.to_array());
        row.push(wall.work);
    }
    for servo in &world.wall_servos {
        row.extend(servos::values(world, servo));
    }
    for guide in world.guides.list() {
        row.extend(guided::values(guide));
    }
    row.extend(region_values(world));
    row
}

/// One row of the series, in the order of [`series_columns`].
pub fn series_row(simulation: &Simulation) -> Vec<f64> {
    let mut row: Vec<f64> = GROUPS.iter().flat_map(|(_, values)| values(simulation)).collect();
    row.extend(scene_values(&simulation.world));
    row
}

/// Value of one column of the series now; what is not computed with it is not computed at all.
pub fn value(simulation: &Simulation, name: &str) -> Option<f64> {
    let mut index = series_columns(&simulation.world).iter().position(|column| column.name == name)?;
    for (columns, values) in GROUPS {
        if index < columns {
            return values(simulation).get(index).copied();
        }
        index -= columns;
    }
    scene_values(&simulation.world).get(index).copied()
}

/// Upward direction, that of time zero if gravity turns; z without gravity.
pub fn up(world: &World) -> glam::DVec3 {
    let gravity = world.fields.gravity;
    if gravity.length() > 0.0 { -gravity.normalize() } else { glam::DVec3::Z }
}

/// Mean net force on a particle in proportion to the mean contact force \[-\], every contact counted once; infinite without contacts. Particles that cannot move do not count,
/// nor do components of forces along which they cannot: whatever holds them balances these.
pub fn unbalanced_force(world: &World) -> f64 {
    let p = &world.particles;
    let list = &world.list;
    if list.incidence_row.len() != p.len() + 1 {
        return f64::INFINITY;
    }
    let [net, movable] = world.sums_over_particles(|slot| {
        let free = || frozen::without(p.frozen[slot], frozen::TRANSLATION, p.force[slot]).length();
        if p.is_movable(slot) { [free(), 1.0] } else { [0.0; 2] }
    });
    let add = |slots: std::ops::Range<usize>, sums: &mut BlockSum<2>| {
        // every contact with its first body
        let entries = &list.incidence[list.incidence_row[slots.start] as usize..list.incidence_row[slots.end] as usize];
        for &entry in entries.iter().filter(|&entry| entry & 1 == 0) {
            let candidate = (entry >> 1) as usize;
            if let Some(wrench) = world.forces.get(candidate).filter(|_| world.forces.touches(candidate)) {
                sums.add([wrench.force_on_first().length(), 1.0]);
            }
        }
    };
    let [contact, contacts] = world.whole.sums(in_blocks(p.owned(), Width::fastest(), &add));
    if contact > 0.0 && movable > 0.0 { net / movable / (contact / contacts) } else { f64::INFINITY }
}

/// Largest overlap in proportion to the smaller radius \[-\], of the present state also before a step has been done.
pub fn largest_overlap_ratio(world: &World) -> f64 {
    let radius = &world.particles.radius;
    let mut largest = 0.0_f64;
    world.each_contact(&mut |c| {
        let smaller = match c.key.kind {
            PartnerKind::Particle => radius[c.first].min(radius[c.second]),
            PartnerKind::Wall => radius[c.first],
        };
        largest = largest.max(c.overlap / smaller);
    });
    world.whole.largest(largest)
}

/// Number of contacts of each particle, by slot: (with particles, with walls).
pub fn contact_numbers(world: &World) -> Vec<(u32, u32)> {
    let mut numbers = vec![(0, 0); world.particles.len()];
    let context = world.context();
    for kernel in &world.kernels {
        kernel.visit(&world.list, &context, &mut |c| {
            if !c.touches {
                return;
            }
            match c.key.kind {
                PartnerKind::Particle => {
                    numbers[c.first].0 += 1;
                    numbers[c.second].0 += 1;
                }
                PartnerKind::Wall => numbers[c.first].1 += 1,
            }
        });
    }
    numbers
}
