//! What particles do to walls. Sums over contacts are [exact](dem_core::exact_sum): contacts may lie in any order.

use std::ops::Range;

use dem_core::DVec3;
use dem_core::contact_list::PartnerKind;
use dem_core::exact_sum::{BlockSum, in_blocks};
use dem_core::lanes::Width;
use dem_core::wall::Wall;

use crate::state::world::World;

/// Candidates of one wall that are summed on one thread.
const FEW: usize = 2048;

/// What particles do to a wall.
#[derive(Clone, Copy, Debug, Default)]
struct WallLoad {
    /// Force \[N\].
    force: DVec3,
    /// Torque about its reference point \[N m\].
    torque: DVec3,
    /// Part of the force along the surface, known of a surface that slides \[N\].
    along_surface: DVec3,
}

/// Loads of all walls in the last evaluation.
#[derive(Debug, Default)]
pub(super) struct WallLoads {
    /// By wall; none for those that are not needed.
    loads: Vec<Option<WallLoad>>,
    /// Sums of forces and torques by wall; hold their room from step to step.
    sums: Vec<BlockSum<6>>,
    /// Sums of forces along surfaces, if any slides.
    along: Vec<BlockSum<3>>,
}

impl WallLoads {
    /// Sums the loads of all walls, or `only_moving` ones: the work of others needs no load, and what presses moves.
    pub fn sum(&mut self, world: &World, only_moving: bool, width: Width) {
        let World { walls, list, .. } = world;
        let slides = |wall: &Wall| wall.motion.surface_velocity != DVec3::ZERO;
        let is_asked = |wall: &Wall| !only_moving || !wall.motion.is_fixed() || wall.motion.does_work();
        self.sums.resize_with(walls.len(), || BlockSum::new(width));
        self.along.resize_with(if walls.iter().any(slides) { walls.len() } else { 0 }, || BlockSum::new(width));
        self.sums.iter_mut().for_each(BlockSum::reset);
        self.along.iter_mut().for_each(BlockSum::reset);
        for segment in list.segments.iter().filter(|segment| segment.partner == PartnerKind::Wall) {
            let candidates = segment.start as usize..segment.end as usize;
            // those of a wall lie together
            for run in list.second[candidates.clone()].chunk_by(|a, b| a == b).scan(candidates.start, |start, run| {
                let first = std::mem::replace(start, *start + run.len());
                Some(first..first + run.len())
            }) {
                let number = list.second[run.start] as usize;
                if is_asked(&walls[number]) {
                    add(world, run.clone(), width, &mut self.sums[number]);
                    if slides(&walls[number]) {
                        add_along_surface(world, run, &mut self.along[number]);
                    }
                }
            }
        }
        if !world.whole.is_alone() {
            // which walls are asked all parts know
            let sums = self.sums.iter_mut().zip(walls).filter(|(_, wall)| is_asked(wall));
            let along = self.along.iter_mut().zip(walls).filter(|(_, wall)| is_asked(wall) && slides(wall));
            let sums = sums.map(|(sums, _)| sums.exact().as_mut_slice());
            world.whole.add_all(sums.chain(along.map(|(sums, _)| sums.exact().as_mut_slice())));
        }
        let load = |(number, wall): (usize, &Wall)| {
            let along = self.along.get_mut(number).map_or([0.0; 3], BlockSum::values);
            let [fx, fy, fz, tx, ty, tz] = self.sums[number].values();
            let (force, torque) = (DVec3::new(fx, fy, fz), DVec3::new(tx, ty, tz));
            is_asked(wall).then_some(WallLoad { force, torque, along_surface: along.into() })
        };
        self.loads.clear();
        self.loads.extend(walls.iter().enumerate().map(load));
    }

    /// Accepts the loads: books the work of the step and passes them to the walls.
    pub fn commit(&self, walls: &mut [Wall]) {
        for (wall, load) in walls.iter_mut().zip(&self.loads) {
            let Some(WallLoad { force, torque, along_surface }) = *load else { continue };
            let moved = wall.pose.position - wall.previous_pose.position;
            // trapezoidal rule, the one that velocity Verlet's kinetic energy obeys
            wall.work -=
                0.5 * (wall.force + force).dot(moved) + 0.5 * (wall.torque + torque).dot(wall.rotation_increment);
            let slid = wall.pose.slid - wall.previous_pose.slid;
            if slid != DVec3::ZERO {
                wall.work -= 0.5 * (wall.surface_force + along_surface).dot(slid);
            }
        }
        self.hand_over(walls);
    }

    /// Gives walls the loads that are known.
    pub fn hand_over(&self, walls: &mut [Wall]) {
        for (wall, load) in walls.iter_mut().zip(&self.loads) {
            if let Some(WallLoad { force, torque, along_surface }) = *load {
                wall.force = force;
                wall.torque = torque;
                wall.surface_force = along_surface;
            }
        }
    }
}

/// Adds the loads of candidates of one wall.
fn add(world: &World, candidates: Range<usize>, width: Width, sum: &mut BlockSum<6>) {
    let is_own = |candidate: usize| (world.list.first[candidate] as usize) < world.particles.owned();
    let add = |candidates: Range<usize>, sum: &mut BlockSum<6>| {
        for candidate in candidates {
            if let Some(wrench) = world.forces.get(candidate).filter(|_| is_own(candidate)) {
                let (force, torque) = (-wrench.force_on_first(), world.forces.torque_on_wall(candidate));
                sum.add([force.x, force.y, force.z, torque.x, torque.y, torque.z]);
            }
        }
    };
    if candidates.len() <= FEW {
        return add(candidates, sum);
    }
    let start = candidates.start;
    sum.add_sums(&in_blocks(candidates.len(), width, &|part, sum| add(start + part.start..start + part.end, sum)));
}

/// Adds the forces along the surface of candidates of one wall.
fn add_along_surface(world: &World, candidates: Range<usize>, sum: &mut BlockSum<3>) {
    let World { list, forces, walls, particles, .. } = world;
    for candidate in candidates {
        let first = list.first[candidate] as usize;
        if let Some(wrench) = forces.get(candidate).filter(|_| first < particles.owned()) {
            let wall = &walls[list.second[candidate] as usize];
            let centre = particles.position[first];
            let normal = wall.surface_point(&wall.pose, list.wall_feature(candidate), centre).normal;
            sum.add((-wrench.force_on_first().reject_from_normalized(normal)).to_array());
        }
    }
}
