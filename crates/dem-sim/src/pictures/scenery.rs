//! What stands around the particles in pictures.

use std::collections::BTreeSet;

use dem_core::wall::Wall;
use dem_io::snapshot::Frame;
use glam::DVec3;

use crate::frames::wall_poses;
use crate::measure;
use crate::state::world::World;

/// What stands around the particles in pictures, and the names in them.
#[derive(Clone, Debug, Default)]
pub struct Scenery {
    /// Walls.
    pub walls: Vec<Wall>,
    /// Names of those that move at some time; walls that move now do, too.
    pub moving: BTreeSet<String>,
    /// The vertical.
    pub up: DVec3,
    /// Line at the top.
    pub title: String,
    /// Names of the materials in order of their numbers.
    pub materials: Vec<String>,
}

impl Scenery {
    /// That of the present state of a world.
    pub fn of_world(world: &World, moving: BTreeSet<String>, title: &str) -> Self {
        Self {
            walls: world.walls.clone(),
            moving,
            up: measure::up(world),
            title: title.to_owned(),
            materials: world.materials.iter().map(|material| material.name.clone()).collect(),
        }
    }

    /// The walls where they are in a frame.
    pub fn walls_in(&self, frame: &Frame) -> Vec<Wall> {
        let mut walls = self.walls.clone();
        wall_poses::place_walls(&mut walls, frame);
        walls
    }

    /// Whether a wall moves at some time.
    pub(super) fn moves(&self, wall: &Wall) -> bool {
        !wall.motion.is_fixed() || self.moving.contains(&wall.name)
    }
}
