//! What a saved state must keep to. Checksums guard against damage, not against a file made by hand: whatever later code relies on is
//! checked here. A state is held against the same before it is saved, so that what was saved can be read.

use dem_core::liquid;
use dem_core::particles::{NO_BODY, Particles};
use dem_core::wall::{Pose, Wall};
use dem_core::{DMat3, DQuat, DVec3};
use dem_io::units::LARGEST;

use super::format::{Header, SavedCell, SavedStateError, contents};
use crate::deformation::deforming_cell::DeformationState;
use crate::fields::body_forces::Fields;
use crate::fields::drag::{DragLaw, Fluid};
use crate::guides::guide::{Drive, Guide};
use crate::limits::within;
use crate::simulation::components::Simulation;
use crate::simulation::run_state::RunState;
use crate::simulation::stage::Action;
use crate::state::liquid_books::LiquidBooks;
use crate::state::material_flow::MaterialFlow;
use crate::wall_facets::records::SavedFacets;
use crate::wall_servos::servo::{Hold, WallServo};

/// Largest counter. Sums of two of them do not overflow, and numbers in double precision hold all of them.
const LARGEST_COUNT: u64 = 1 << 53;
/// Most crossings of a periodic cell in one direction.
pub(super) const MOST_CROSSINGS: u32 = 1 << 30;
/// Most numbers of a column of the user for a particle, and most columns.
const WIDEST: usize = 64;
/// How far the length of a quaternion is from one after years of rounding.
pub(super) const UNIT: f64 = 1e-6;

pub(super) fn vector(v: DVec3) -> bool {
    v.abs().cmple(DVec3::splat(LARGEST)).all()
}

fn matrix(m: DMat3) -> bool {
    vector(m.x_axis) && vector(m.y_axis) && vector(m.z_axis)
}

pub(super) fn unit(q: DQuat) -> bool {
    (q.length_squared() - 1.0).abs() < UNIT
}

fn pose(pose: &Pose) -> bool {
    vector(pose.position) && unit(pose.orientation) && vector(pose.slid)
}

/// Whether a simulation keeps to all of it.
pub(crate) fn check_own(simulation: &Simulation, header: &Header) -> Result<(), SavedStateError> {
    let world = &simulation.world;
    check_header(header)?;
    check_run(&simulation.state, simulation, header)?;
    check_fields(&world.fields)?;
    check_walls(&world.walls, &world.walls)?;
    check_wall_servos(&world.wall_servos, simulation)?;
    check_guides(world.guides.list(), world.guides.list())?;
    check_facets(world.facets.state())?;
    if let Some(deformation) = &world.deformation {
        let (origin, matrix) = (world.cell.origin, world.cell.matrix());
        check_cell(&SavedCell { origin, matrix, state: deformation.state })?;
    }
    (0..world.particles.len()).try_for_each(|slot| check_particle(&world.particles, slot))?;
    check_columns(&world.particles)
}

pub(crate) fn check_header(header: &Header) -> Result<(), SavedStateError> {
    let counts = [header.step, header.next_id, header.inserted, header.removed, header.removed_by_stages];
    let sound = counts.into_iter().all(|count| count <= LARGEST_COUNT)
        && (0.0..=LARGEST).contains(&header.time)
        && header.time_step > 0.0
        && within(header.time_step)
        && header.clock.step <= header.step
        && (0.0..=LARGEST).contains(&header.clock.time)
        && (0.0..=LARGEST).contains(&header.clock.time_step)
        && within(header.removed_mass)
        && within(header.peak_overlap_ratio);
    if sound { Ok(()) } else { Err(contents("its step, time or counters have impossible values")) }
}

pub(crate) fn check_run(state: &RunState, simulation: &Simulation, header: &Header) -> Result<(), SavedStateError> {
    if state.stage >= simulation.stages.len() {
        return Err(contents("it is in a stage that the scene does not have"));
    }
    let walls = simulation.world.walls.len();
    let range = state.step_range.is_none_or(|range| {
        let steps = [range.smallest, range.largest, range.while_pouring];
        steps.into_iter().all(|step| step > 0.0 && within(step)) && range.smallest <= range.largest
    });
    let times =
        [state.stage_time, state.rest_since.unwrap_or(0.0), state.expected_speed, state.last_row.0, state.last_row.1];
    let sound = range
        && state.step_range.is_some() == simulation.state.step_range.is_some()
        && state.stage_step <= header.step
        && state.rest_looks <= LARGEST_COUNT
        && (state.rest_wall_force.is_empty() || state.rest_wall_force.len() == walls)
        && (state.rest_since.is_none() || state.rest_wall_force.len() == walls)
        && times.into_iter().chain(state.steps_taken).chain(state.output_intervals).all(within)
        && state.first_energy_balance.is_none_or(f64::is_finite)
        && state.events.iter().all(|event| event.step <= header.step && within(event.time));
    if sound { Ok(()) } else { Err(contents("its record of the progress of the run has impossible values")) }
}

/// Fields with numbers that a scene may give.
pub(crate) fn check_fields(fields: &Fields) -> Result<(), SavedStateError> {
    let not_negative = |x: f64| (0.0..=LARGEST).contains(&x);
    let above_zero = |x: f64| x > 0.0 && within(x);
    let fluid = |fluid: &Fluid| above_zero(fluid.density) && above_zero(fluid.viscosity);
    let drag = fields.drag.is_none_or(|drag| {
        let law = match &drag.law {
            DragLaw::Linear { coefficient } => not_negative(*coefficient),
            DragLaw::Stokes { viscosity } => above_zero(*viscosity),
            DragLaw::SchillerNaumann { fluid: own } => fluid(own),
            DragLaw::WenYu { fluid: own, cell } => fluid(own) && above_zero(*cell),
        };
        law && vector(drag.fluid_velocity)
    });
    let magnus = fields.magnus.is_none_or(|magnus| not_negative(magnus.coefficient) && vector(magnus.fluid_velocity));
    let sound = vector(fields.gravity)
        && vector(fields.gravity_rotation)
        && within(fields.gravity_since)
        && drag
        && magnus
        && (0.0..1.0).contains(&fields.local_damping)
        && not_negative(fields.mass_damping);
    if sound { Ok(()) } else { Err(contents("its fields have impossible values")) }
}

/// The walls of the scene, moved and loaded as the state says.
pub(crate) fn check_walls(saved: &[Wall], own: &[Wall]) -> Result<(), SavedStateError> {
    if saved.len() != own.len() {
        return Err(contents("it has another number of walls than the scene"));
    }
    for (wall, own) in saved.iter().zip(own) {
        let same = wall.name == own.name
            && wall.shape == own.shape
            && wall.material == own.material
            && wall.curved_contact == own.curved_contact;
        if !same {
            return Err(contents(format!("its wall \"{}\" is not the wall \"{}\" of the scene", wall.name, own.name)));
        }
        let motion = &wall.motion;
        let vectors = [
            wall.rotation_increment,
            wall.velocity,
            wall.angular_velocity,
            wall.force,
            wall.torque,
            wall.surface_force,
            motion.velocity,
            motion.amplitude,
            motion.angular_velocity,
            motion.surface_velocity,
        ];
        let sound = [&wall.pose, &wall.previous_pose, &wall.motion_origin].into_iter().all(pose)
            && vectors.into_iter().all(vector)
            && [wall.motion_start, wall.work, motion.frequency, motion.phase].into_iter().all(within)
            && motion.course.as_ref().is_none_or(|course| (course.axis().length() - 1.0).abs() < UNIT);
        if !sound {
            return Err(contents(format!("its wall \"{}\" has impossible values", wall.name)));
        }
    }
    Ok(())
}

/// The walls that press of the scene, with what it prescribes for them and their progress.
pub(crate) fn check_wall_servos(saved: &[WallServo], simulation: &Simulation) -> Result<(), SavedStateError> {
    let own = &simulation.world.wall_servos;
    if !saved.iter().map(|servo| servo.wall).eq(own.iter().map(|servo| servo.wall)) {
        return Err(contents("its walls with a servo are not those of the scene"));
    }
    for (saved, own) in saved.iter().zip(own) {
        let of_stages = simulation.stages.iter().flat_map(|stage| &stage.actions).filter_map(|action| match action {
            Action::MoveWall(wall, motion) if *wall == own.wall => motion.hold.clone(),
            _ => None,
        });
        let asked: Vec<Hold> = own.hold().cloned().into_iter().chain(of_stages).collect();
        if !own.admits(saved, &asked) {
            let name = &simulation.world.walls[own.wall].name;
            return Err(contents(format!("the servo of its wall \"{name}\" has impossible values")));
        }
    }
    Ok(())
}

/// The guides of the scene, with the particles that they hold now.
pub(crate) fn check_guides(saved: &[Guide], own: &[Guide]) -> Result<(), SavedStateError> {
    let same = |(saved, own): (&Guide, &Guide)| {
        saved.name == own.name
            && saved.path == own.path
            && saved.friction == own.friction
            && saved.one_sided == own.one_sided
            && saved.spin.is_some() == own.spin.is_some()
            && std::mem::discriminant(&saved.drive) == std::mem::discriminant(&own.drive)
    };
    if saved.len() != own.len() || !saved.iter().zip(own).all(same) {
        return Err(contents("it has other guides than the scene"));
    }
    for guide in saved {
        let driven = match guide.drive {
            Drive::Free => true,
            Drive::Prescribed(speed) => within(speed),
        };
        if !driven || !guide.followers.iter().all(crate::guides::follower::Follower::is_sound) {
            return Err(contents(format!("its guide \"{}\" has impossible values", guide.name)));
        }
    }
    Ok(())
}

pub(crate) fn check_liquid(saved: &LiquidBooks) -> Result<(), SavedStateError> {
    let sound = [saved.brought, saved.removed].into_iter().all(|volume| (0.0..=LARGEST).contains(&volume));
    if sound { Ok(()) } else { Err(contents("its volumes of liquid have impossible values")) }
}

pub(crate) fn check_material_flows(saved: &[MaterialFlow]) -> Result<(), SavedStateError> {
    let sound = saved.iter().all(|flow| (0.0..=LARGEST).contains(&flow.mass));
    if sound { Ok(()) } else { Err(contents("its masses of materials that have left have impossible values")) }
}

pub(crate) fn check_facets(saved: &SavedFacets) -> Result<(), SavedStateError> {
    if saved.is_sound() { Ok(()) } else { Err(contents("its load and wear of facets have impossible values")) }
}

pub(crate) fn check_cell(saved: &SavedCell) -> Result<(), SavedStateError> {
    let SavedCell { origin, matrix: edges, state } = saved;
    let DeformationState { gradient, strain, strain_before_stage, velocity_gradient, .. } = state;
    let sound = vector(*origin)
        && [edges, gradient, strain, strain_before_stage, velocity_gradient].into_iter().all(|m| matrix(*m))
        && edges.determinant() > 0.0
        && edges.inverse().is_finite();
    if sound { Ok(()) } else { Err(contents("its cell has impossible values")) }
}

pub(crate) fn check_particles(simulation: &Simulation, particles: &Particles) -> Result<(), SavedStateError> {
    let materials = simulation.world.materials.len();
    for slot in 0..particles.len() {
        let id = particles.id[slot];
        if particles.material[slot] as usize >= materials {
            return Err(contents(format!(
                "particle {id} is of material number {}, the scene has {materials}",
                particles.material[slot]
            )));
        }
        check_particle(particles, slot)?;
        if slot > 0 && particles.id[slot - 1] >= id {
            return Err(contents(format!("particle {id} is out of order")));
        }
    }
    check_columns(particles)
}

fn check_particle(particles: &Particles, slot: usize) -> Result<(), SavedStateError> {
    let (mass, inverse) = (particles.mass[slot], particles.inverse_mass[slot]);
    let vectors = [
        particles.position[slot],
        particles.velocity[slot],
        particles.angular_velocity[slot],
        particles.force[slot],
        particles.torque[slot],
    ];
    let sound = vectors.into_iter().all(vector)
        && unit(particles.orientation[slot])
        && particles.image[slot].iter().all(|count| count.unsigned_abs() <= MOST_CROSSINGS)
        && particles.radius[slot] > 0.0
        && within(particles.radius[slot])
        && within(mass)
        // the mass of a member is a share of that of its body, which contacts see
        && if particles.body[slot] == NO_BODY {
            mass > 0.0 && (inverse == 0.0 || (inverse * mass - 1.0).abs() < UNIT)
        } else {
            mass >= 0.0
        }
        && within(particles.field_dissipation[slot])
        && particles.id[slot] < particles.next_id;
    if sound { Ok(()) } else { Err(contents(format!("particle {} has impossible values", particles.id[slot]))) }
}

fn check_columns(particles: &Particles) -> Result<(), SavedStateError> {
    let dry = liquid::films(particles).is_some_and(|films| !films.iter().all(|film| *film >= 0.0));
    if dry {
        return Err(contents("some of its films of liquid have a negative volume"));
    }
    let external = particles.external.iter().all(|load| vector(load.force) && vector(load.torque));
    let derivatives = particles.higher_derivatives.iter().all(|all| {
        let twists = all.derivative.iter().chain([&all.offset]);
        twists.into_iter().all(|twist| twist.linear.is_finite() && twist.angular.is_finite())
    });
    if !external || !derivatives {
        return Err(contents("its loads or derivatives of particles have impossible values"));
    }
    let user = &particles.user;
    if user.len() > WIDEST || user.iter().any(|column| !(1..=WIDEST).contains(&column.width)) {
        return Err(contents(format!(
            "it has more than {WIDEST} user columns, or one that does not have 1 to {WIDEST} numbers"
        )));
    }
    Ok(())
}
