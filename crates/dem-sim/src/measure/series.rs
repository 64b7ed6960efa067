//! The series: its columns, and one row of them.

use dem_io::series::SeriesColumn;

use super::bed::bed_height;
use super::contact_counts::largest_overlap_ratio;
use super::coordination::coordination;
use super::equilibrium::unbalanced_force;
use super::fabric::fabric;
use super::force_chains::force_chains;
use super::kinematics::largest_speed;
use super::mobilised::mobilised_share;
use super::names::wall_columns;
use super::region::{self, region_values};
use super::{bodies, guided, materials, mixing, servos, stress, wetness};
use crate::state::contact_parameters::ContactDefinition;
use crate::state::world::World;

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
    "coordination", "-", "2 pair contacts / particles, a rigid body counted as one with all of its contacts";
    "coordination_without_rattlers", "-", "the same without rattlers, removed one after the other: fewer than 2 contacts (4 without friction), walls counted";
    "rattlers", "-", "particles removed as rattlers, a rigid body counted as one";
    "sliding_share", "-", "share of contacts at the friction limit";
    "mobilised_share", "-", "share of contacts that slide or whose tangential force is within 0.001 % of friction times elastic normal force";
    "mobilised_friction", "-", "sum of the magnitudes of tangential contact forces over that of normal ones, walls included, forces at a distance not";
    "contact_fabric_xx", "-", "mean of n_x n_x over all contacts of two particles, n their unit normal; xx, yy and zz add up to 1";
    "contact_fabric_yy", "-", "the same of n_y n_y";
    "contact_fabric_zz", "-", "the same of n_z n_z";
    "contact_fabric_xy", "-", "the same of n_x n_y";
    "contact_fabric_xz", "-", "the same of n_x n_z";
    "contact_fabric_yz", "-", "the same of n_y n_z";
    "virial_xx", "J", "sum of force on the first body times branch, from centre of mass to centre of mass, over all contacts, walls included, and all pairs that act on each other at a distance, symmetric part: divided by the volume of the assembly it is the mean stress of the forces between particles, dashpots included, positive in tension";
    "virial_yy", "J", "the same along y and y";
    "virial_zz", "J", "the same along z and z";
    "virial_xy", "J", "the same along x and y";
    "virial_xz", "J", "the same along x and z";
    "virial_yz", "J", "the same along y and z";
    "bed_height", "m", "height from the lowest to the highest point of the bed, against gravity; the bed is the largest cluster of particles connected by contacts; 0 without contacts";
    "overlap_ratio", "-", "largest overlap in proportion to the smaller radius, at the positions of the row";
    "overlap_ratio_peak", "-", "largest overlap ratio of any step so far, at the positions for which forces were computed";
    "unbalanced_force", "-", "mean net force on a particle or rigid body that can move, divided by the mean contact force; each contact of two particles or with a wall counts once, forces at a distance between bodies that touch are included; NaN without contacts";
    "largest_speed", "m/s", "largest speed of a particle, spheres of rigid bodies included";
    "force_chains", "-", "force chains: three or more particles in contact whose most compressive principal stress of contact forces is above the mean and within 45 degrees of the line between their centres (Peters et al. 2005)";
    "force_chain_share", "-", "share of particles that belong to one, a rigid body counted as one";
    "force_chain_length", "-", "mean number of particles in one, 0 without any";
}

/// What the series is taken from.
pub trait SeriesSource {
    /// The world.
    fn world(&self) -> &World;

    /// Law and parameters of every pair of materials.
    fn contact(&self) -> &ContactDefinition;

    /// Number of the present stage, from 0.
    fn stage(&self) -> usize;

    /// Time \[s\] and discharged mass \[kg\] at the last row.
    fn last_row(&self) -> (f64, f64);
}

/// Columns of the series of a simulation: the fixed ones, those of a cell that may deform, work terms that only some
/// laws keep, then liquid, then force and torque of every wall, those of walls that press with a force, then those of every guide,
/// then what every region holds, then those of bodies, then those of materials and of how well they are mixed.
pub fn series_columns(world: &World) -> Vec<SeriesColumn> {
    let mut columns: Vec<SeriesColumn> =
        FIXED.iter().map(|&(name, unit, meaning)| SeriesColumn::new(name, unit, meaning)).collect();
    if let Some(deformation) = &world.deformation {
        columns.extend(stress::columns(deformation.sense, deformation.displacement));
    }
    if world.adheres() {
        let meaning = "energy given up by the faces of contacts that adhesion joins, zero or less";
        columns.push(SeriesColumn::new("adhesion_energy", "J", meaning));
    }
    for work in world.further_works() {
        columns.push(SeriesColumn::new(work.column(), "J", work.meaning()));
    }
    if world.shares_films() {
        columns.extend(wetness::describe());
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
        columns.extend(guided::describe(guide));
    }
    for region in &world.regions {
        columns.extend(region::describe(&region.name));
    }
    if bodies::has_bodies(world) {
        columns.extend(bodies::describe());
    }
    columns.extend(materials::of_world(world));
    for grid in &world.mixing {
        columns.extend(mixing::describe(&grid.name));
    }
    columns
}

/// Fixed columns that are computed together: how many, and their values. In the order of the columns.
type Group = (usize, fn(&dyn SeriesSource) -> Vec<f64>);

const GROUPS: [Group; 11] = [
    (10, counters),
    (18, energies),
    (2, |source| {
        let count = source.world().contact_count();
        vec![count.pairs as f64, count.walls as f64]
    }),
    (4, |source| {
        let threshold = if source.contact().has_friction() { 2 } else { 4 };
        let contacts = coordination(source.world(), threshold);
        vec![contacts.all, contacts.without_rattlers, contacts.rattlers as f64, contacts.sliding_share]
    }),
    (1, |source| vec![mobilised_share(source.world(), source.contact())]),
    (13, |source| {
        let fabric = fabric(source.world());
        [&[fabric.mobilised_friction][..], &fabric.tensor, &fabric.virial].concat()
    }),
    (1, |source| vec![bed_height(source.world())]),
    (2, |source| {
        let world = source.world();
        vec![largest_overlap_ratio(world), world.whole.largest(world.peak_overlap_ratio)]
    }),
    // infinite is what no bound is met by, but no value of a measurement
    (1, |source| vec![Some(unbalanced_force(source.world())).filter(|x| x.is_finite()).unwrap_or(f64::NAN)]),
    (1, |source| vec![largest_speed(source.world())]),
    (3, |source| {
        let chains = force_chains(source.world());
        vec![chains.chains as f64, chains.share, chains.length]
    }),
];

fn counters(source: &dyn SeriesSource) -> Vec<f64> {
    let world = source.world();
    let (last_time, last_mass) = source.last_row();
    let elapsed = world.time - last_time;
    let rate = if elapsed > 0.0 { (world.removed_mass - last_mass) / elapsed } else { 0.0 };
    let (inserted, removed) = (world.inserted as f64, world.removed as f64);
    let particles = world.particle_count() as f64;
    let stage = (source.stage() + 1) as f64;
    let (step, by_stages) = (world.step as f64, world.removed_by_stages as f64);
    let (time, time_step, mass) = (world.time, world.time_step, world.removed_mass);
    vec![step, time, time_step, stage, particles, inserted, removed, mass, by_stages, rate]
}

/// Columns that follow from work terms of contacts: NaN where a law keeps none.
pub const COLUMNS_OF_WORKS: [&str; 6] =
    ["elastic_tangential", "friction_work", "viscous_work", "stiffness_work", "released_energy", "energy_balance"];

fn energies(source: &dyn SeriesSource) -> Vec<f64> {
    let energy = source.world().known_energy();
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
    if world.adheres() {
        row.push(world.energy().adhesion);
    }
    if !further.is_empty() {
        let energy = world.known_energy();
        row.extend(further.into_iter().map(|work| energy.further[work.place()]));
    }
    if world.shares_films() {
        row.extend(wetness::values(world));
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
    if bodies::has_bodies(world) {
        row.extend(bodies::values(world));
    }
    row.extend(materials::values(world));
    for grid in &world.mixing {
        row.extend(mixing::values(world, grid));
    }
    row
}

/// One row of the series, in the order of [`series_columns`].
pub fn series_row(source: &dyn SeriesSource) -> Vec<f64> {
    let mut row: Vec<f64> = GROUPS.iter().flat_map(|(_, values)| values(source)).collect();
    row.extend(scene_values(source.world()));
    row
}

/// Value of one column of the series now; what is not computed with it is not computed at all.
pub fn value(source: &dyn SeriesSource, name: &str) -> Option<f64> {
    let mut index = series_columns(source.world()).iter().position(|column| column.name == name)?;
    for (columns, values) in GROUPS {
        if index < columns {
            return values(source).get(index).copied();
        }
        index -= columns;
    }
    scene_values(source.world()).get(index).copied()
}
