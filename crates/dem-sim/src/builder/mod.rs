//! From a scene document to a simulation. Every error names the file, the line, the key, the value and what is allowed.

pub(crate) mod all_errors;
pub(crate) mod boundaries;
pub(crate) mod checks;
pub(crate) mod chosen_contacts;
pub(crate) mod contact;
pub(crate) mod fields;
pub(crate) mod integrator;
pub(crate) mod loaded_scene;
pub(crate) mod named_files;
pub(crate) mod particles;
pub(crate) mod probes;
pub(crate) mod rotation;
pub(crate) mod scenery;
pub(crate) mod seams;
pub(crate) mod simulation;
pub(crate) mod stages;
pub(crate) mod surroundings;
pub(crate) mod time_step;
pub(crate) mod values;
pub(crate) mod wall_facets;

pub use crate::builder::boundaries::motions::MotionTables;
pub use crate::builder::checks::table_overlaps::largest_overlap;
pub use crate::builder::particles::clumps::templates;
pub use crate::builder::particles::requests::size_distribution;
pub use crate::state::contact_parameters::{ContactDefinition, ResolvedPair};
pub use crate::time_step::choice::TimeStepChoice;
pub use all_errors::{AllErrors, all_errors, all_errors_in};
pub use loaded_scene::{LoadedScene, load_scene, parse_scene, parse_scene_in};
pub use named_files::{NamedFile, copies, copies_in, copy_folders, write_copies};
pub use scenery::{moving_walls, scenery};
pub use seams::{Seam, seams};
pub use simulation::{build, build_empty};
pub use surroundings::{Surroundings, surroundings};
