//! A run: a simulation, its directory, and what is written there when.
//!
//! | file | contents |
//! |---|---|
//! | `scene.resolved.toml` | the scene with all overrides |
//! | `meshes/`, `tables/` | the meshes and tables of particles that it names |
//! | `snapshots.vtkhdf` | frames: particles, contacts, walls |
//! | `series.csv` | one row per output time |
//! | `profiles.csv` | averages of wall probes, if there are any |
//! | `contacts.csv` | contacts that are followed, if there are any |
//! | `checkpoints/step_<12 digits>.ckpt` | the last state, and one at least an interval earlier |
//! | `beginning.json` | what the run began with |
//! | `gaps.json` | rows and frames that were missing at a restart, if any were |
//! | `summary.json` | what the run came to |
//! | `picture.png`, `flow.png`, `strain.png`, `drives.png`, `mixing.png`, `energy.png`, `coordination.png`, `profiles.png` | for visualisation, as far as there is something to show |
//! | `run.log` | what has happened, line by line, for people; the only file with times of the clock beside the summary |

pub(crate) mod beginning;
pub(crate) mod body_summary;
pub(crate) mod bounds;
pub(crate) mod components;
pub(crate) mod continuation;
pub(crate) mod course_summary;
pub(crate) mod directory;
pub(crate) mod drive_plots;
pub(crate) mod due;
pub(crate) mod error;
pub(crate) mod execution;
pub(crate) mod flow_plots;
pub(crate) mod follower;
pub(crate) mod gaps;
pub(crate) mod log;
pub(crate) mod log_lines;
pub(crate) mod log_listener;
pub(crate) mod opening;
pub(crate) mod origin;
pub(crate) mod output;
pub(crate) mod outputs;
pub(crate) mod own_files;
pub(crate) mod pouring_summary;
pub(crate) mod profile_plots;
pub(crate) mod progress;
pub(crate) mod refusals;
pub(crate) mod restart;
pub(crate) mod sample_summary;
pub(crate) mod series_curves;
pub(crate) mod series_plots;
pub(crate) mod spread;
pub(crate) mod status;
pub(crate) mod strain_plots;
pub(crate) mod summary;
pub(crate) mod team;
pub(crate) mod time_by_phase;
pub(crate) mod writer;

pub use crate::frames::body_surface::grain_surfaces;
pub use crate::frames::frame::{cell_edges, frame};
pub use crate::frames::geometry::{body_points, cell_lines, contact_lines, wall_surfaces};
pub use crate::pictures::facet_fields::interactive_facets;
pub use crate::pictures::interactive::{Names, check_field, interactive_fields, interactive_frame, interactive_scene};
pub use crate::pictures::render::render_frame;
pub use crate::pictures::request::PictureRequest;
pub use crate::pictures::scenery::Scenery;
pub use crate::pictures::series::PictureSeries;
pub use crate::pictures::survey::Survey;
pub use beginning::Beginning;
pub use body_summary::BodySummary;
pub use bounds::{Ended, RunBounds};
pub use components::Run;
pub use course_summary::{DrivenSummary, OutflowSummary};
pub use due::{count_outputs, next_output, pass_outputs};
pub use error::RunError;
pub use follower::follow;
pub use gaps::Gap;
pub use origin::{Origin, first_state, state_path};
pub use output::is_drawn;
pub use own_files::own_files;
pub use pouring_summary::PouringSummary;
pub use sample_summary::{CellSummary, Components, PistonSummary, PressedSample};
pub use series_plots::{plot_series, series_figures};
pub use status::Status;
pub use summary::{Summary, WallSummary};
pub use team::Team;
pub use time_by_phase::{PhaseTime, TimeByPhase};
