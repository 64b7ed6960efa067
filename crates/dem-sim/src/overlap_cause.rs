//! Why an overlap is too large, as far as the state of a world shows.

use std::fmt;

use dem_core::figure::Figure;

use crate::resolution::LARGEST_MOVE;

/// The likely cause of an overlap.
#[derive(Clone, Debug, PartialEq)]
pub enum OverlapCause {
    /// Two walls squeeze the sphere.
    BetweenWalls {
        /// The wall next to the one that it overlaps most.
        other: String,
        /// Overlap with that wall in proportion to the radius.
        ratio: f64,
        /// Speed at which the two close on the sphere \[m/s\].
        closing: f64,
    },
    /// A stage has put the wall there.
    NewWall {
        /// Name of the stage.
        stage: String,
    },
    /// The wall presses with a force.
    PressingWall {
        /// The force \[N\].
        force: f64,
    },
    /// The wall moves towards the sphere, faster than the sphere towards the wall.
    ClosingWall {
        /// Speed of the wall along the normal \[m/s\].
        speed: f64,
        /// Displacement in a step in proportion to the radius.
        per_step: f64,
    },
    /// The two approach each other by more in a step than is resolved.
    LongStep {
        /// Displacement in a step in proportion to the smaller radius.
        per_step: f64,
    },
    /// The contact is too soft for its load; `walls` move and are loaded meanwhile.
    SoftContact {
        /// Their names.
        walls: Vec<String>,
    },
}

impl fmt::Display for OverlapCause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let figure = |x: f64| Figure::new(x, 3);
        match self {
            Self::BetweenWalls { other, ratio, closing } => {
                write!(
                    f,
                    "it is jammed between this wall and wall \"{other}\", which it overlaps by {}",
                    figure(*ratio)
                )?;
                if *closing > 0.0 { write!(f, "; they close at {} m/s", figure(*closing)) } else { Ok(()) }
            }
            Self::NewWall { stage } => write!(f, "stage \"{stage}\" has added this wall where there are spheres"),
            Self::PressingWall { force } => {
                write!(f, "the wall presses with {} N, for which the contact is too soft", figure(*force))
            }
            Self::ClosingWall { speed, per_step } => {
                write!(f, "the wall closes on it at {} m/s", figure(*speed))?;
                if *per_step > LARGEST_MOVE {
                    write!(
                        f,
                        ", {} of the radius per step: the time step is too long, or the wall too fast",
                        figure(*per_step)
                    )
                } else {
                    write!(f, ": stop the wall where spheres are packed, or let it press with a force (motion.servo)")
                }
            }
            Self::LongStep { per_step } => write!(
                f,
                "they approach each other by {} of the radius per step, at most {LARGEST_MOVE} are resolved: the time step is too long",
                figure(*per_step)
            ),
            Self::SoftContact { walls } => {
                write!(f, "the material is too soft for the load or the speed of the impact")?;
                match walls.as_slice() {
                    [] => Ok(()),
                    [wall] => write!(f, ", or wall \"{wall}\" closes on the spheres"),
                    walls => write!(f, ", or walls close on the spheres: {}", walls.join(", ")),
                }
            }
        }
    }
}
