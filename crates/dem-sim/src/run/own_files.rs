//! Which files of a directory belong to a run.

use std::path::Path;

use dem_io::checkpoint_folder;

use crate::builder;

/// The scene with all overrides.
pub(super) const SCENE: &str = "scene.resolved.toml";
/// What the run began with.
pub(super) const BEGINNING: &str = "beginning.json";
/// Frames.
pub(super) const SNAPSHOTS: &str = "snapshots.vtkhdf";
/// Rows.
pub(super) const SERIES: &str = "series.csv";
/// Averages of wall probes.
pub(super) const PROFILES: &str = "profiles.csv";
/// Contacts that are followed.
pub(super) const CHOSEN_CONTACTS: &str = "contacts.csv";
/// Rows and frames that are missing.
pub(super) const GAPS: &str = "gaps.json";
/// What the run came to.
pub(super) const SUMMARY: &str = "summary.json";
/// What has happened, line by line.
pub(super) const LOG: &str = "run.log";
/// The last state, for visualisation.
pub(super) const PICTURE: &str = "picture.png";
/// Plots of the series.
pub(super) const PLOTS: [&str; 7] =
    ["flow.png", "strain.png", "drives.png", "mixing.png", "energy.png", "coordination.png", "profiles.png"];
/// Folder of the checkpoints.
pub(super) const CHECKPOINTS: &str = "checkpoints";

/// Files that describe the last state, each one of which a call writes at its end.
pub(super) fn files_of_the_end() -> impl Iterator<Item = &'static str> {
    [SUMMARY, PICTURE].into_iter().chain(PLOTS)
}

/// Paths within a directory of the files of the run that is in it; anything else there belongs to other programs or
/// users.
///
/// # Errors
/// A directory that cannot be read.
pub fn own_files(directory: &Path) -> dem_io::Result<Vec<String>> {
    let fixed = [SCENE, BEGINNING, SNAPSHOTS, SERIES, PROFILES, CHOSEN_CONTACTS, GAPS, LOG]
        .into_iter()
        .chain(files_of_the_end());
    let mut found: Vec<String> = fixed.filter(|name| directory.join(name).exists()).map(str::to_owned).collect();
    for (step, _) in checkpoint_folder::list(&directory.join(CHECKPOINTS))? {
        found.push(format!("{CHECKPOINTS}/{}", checkpoint_folder::file_name(step)));
    }
    found.extend(builder::copies_in(directory)?);
    Ok(found)
}
