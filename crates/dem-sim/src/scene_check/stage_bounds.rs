//! Bounds of the time step by what the stages of a scene set in motion.

use dem_contact::time_step::Bound;

use crate::simulation::components::Simulation;
use crate::simulation::stage::Action;
use crate::time_step::driving::{bound_of_rates, bounds_of_motion};

/// The bounds of what stages set in motion, with their names: what the automatic step will have to follow when they begin.
pub fn bounds_of_stages(simulation: &Simulation) -> Vec<(String, Bound)> {
    let world = &simulation.world;
    let mut found = Vec::new();
    for stage in &simulation.stages {
        let mut add = |bounds: Vec<Bound>| found.extend(bounds.into_iter().map(|bound| (stage.name.clone(), bound)));
        for action in &stage.actions {
            match action {
                Action::MoveWall(wall, motion) => {
                    add(bounds_of_motion(world, &world.walls[*wall], &motion.prescribed));
                }
                Action::AddWall(wall) => {
                    let wall = &world.walls[*wall];
                    add(bounds_of_motion(world, wall, &wall.motion));
                }
                _ => {}
            }
        }
        add(stage.deform.iter().filter_map(bound_of_rates).collect());
    }
    found
}
