//! The files of a campaign: what it is, and a small one for every probe, written whole or not at all.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_128;

use super::description::{Description, Task};
use super::response::Response;
use crate::error::StudyError;

/// File that says what the probes of a folder are.
pub const DESCRIPTION_FILE: &str = "campaign.json";
/// Folder of the probes.
pub const PROBES: &str = "probes";

/// The file of a probe.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ProbeFile {
    /// Fingerprint of its campaign.
    pub campaign: String,
    /// What came of it.
    pub response: Option<Response>,
    /// Why nothing did.
    pub failure: Option<String>,
}

/// A probe and what came of it, or why nothing did.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// The probe.
    pub task: Task,
    /// What came of it.
    pub outcome: Result<Response, String>,
}

/// The file of a campaign.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct CampaignFile {
    /// Hash of the description as it was written.
    pub fingerprint: String,
    /// What it is.
    pub description: Description,
}

/// A value as the text of a file.
///
/// # Errors
/// A value that JSON does not know.
pub fn to_json(value: &impl Serialize, name: &str) -> Result<String, StudyError> {
    serde_json::to_string_pretty(value).map_err(|error| StudyError::Probe(format!("{name}: {error}")))
}

impl CampaignFile {
    /// That of a description.
    ///
    /// # Errors
    /// A description that JSON does not know.
    pub fn new(description: Description) -> Result<Self, StudyError> {
        let text = to_json(&description, DESCRIPTION_FILE)?;
        Ok(Self { fingerprint: format!("{:032x}", xxh3_128(text.as_bytes())), description })
    }

    /// Reads that of a folder, if there is one.
    ///
    /// # Errors
    /// A file that cannot be read, or is none of a campaign.
    pub fn read(folder: &Path) -> Result<Option<Self>, StudyError> {
        let path = folder.join(DESCRIPTION_FILE);
        if !path.exists() {
            return Ok(None);
        }
        let text = dem_io::regular_file::read(&path).map_err(dem_io::Error::system("read", &path))?;
        let refused = |what: &str| StudyError::Probe(format!("{}: {what}", path.display()));
        let file: Self = serde_json::from_slice(&text).map_err(|error| refused(&error.to_string()))?;
        // the number of probes decides on work and memory
        file.description.check().map_err(|what| refused(&what))?;
        Ok(Some(file))
    }

    /// Refuses the folder of another campaign.
    ///
    /// # Errors
    /// In which respect it is another.
    pub fn must_be(&self, other: &Self, folder: &Path) -> Result<(), StudyError> {
        if self.fingerprint == other.fingerprint {
            return Ok(());
        }
        let what = self.description.difference(&other.description);
        Err(StudyError::Probe(format!(
            "{} holds the probes of another campaign: {what} differ; give --force to replace them, or another --out",
            folder.display()
        )))
    }
}

/// Whether a folder holds a campaign.
pub fn is_there(folder: &Path) -> bool {
    folder.join(DESCRIPTION_FILE).is_file()
}

/// Removes the campaign of a folder.
///
/// # Errors
/// What the system refuses.
pub fn forget(folder: &Path) -> Result<(), StudyError> {
    if !is_there(folder) {
        return Ok(());
    }
    let probes = folder.join(PROBES);
    if probes.is_dir() {
        std::fs::remove_dir_all(&probes).map_err(dem_io::Error::system("remove", &probes))?;
    }
    let file = folder.join(DESCRIPTION_FILE);
    Ok(std::fs::remove_file(&file).map_err(dem_io::Error::system("remove", &file))?)
}

/// The file of a probe.
pub fn path_of(probes: &Path, name: &str) -> PathBuf {
    probes.join(format!("{name}.json"))
}

/// A probe of a folder; none if it is not there.
///
/// # Errors
/// A file that cannot be read, or is none of this campaign.
pub fn read_probe(
    probes: &Path,
    name: &str,
    fingerprint: &str,
) -> Result<Option<Result<Response, String>>, StudyError> {
    let path = path_of(probes, name);
    if !path.exists() {
        return Ok(None);
    }
    let text = dem_io::regular_file::read(&path).map_err(dem_io::Error::system("read", &path))?;
    let wrong = |what: &str| StudyError::Probe(format!("{}: {what}", path.display()));
    let file: ProbeFile = serde_json::from_slice(&text).map_err(|error| wrong(&error.to_string()))?;
    if file.campaign != fingerprint {
        return Err(wrong("a probe of another campaign"));
    }
    match (file.response, file.failure) {
        (Some(response), None) => Ok(Some(Ok(response))),
        (None, Some(failure)) => Ok(Some(Err(failure))),
        _ => Err(wrong("expected either a response or a failure")),
    }
}

/// Puts the probes of several folders together.
///
/// # Errors
/// Folders of different campaigns, probes that are missing, probes that are there twice and differ.
pub fn collect(folders: &[PathBuf]) -> Result<(Description, Vec<Record>), StudyError> {
    let mut common: Option<CampaignFile> = None;
    let mut found: BTreeMap<String, Result<Response, String>> = BTreeMap::new();
    for folder in folders {
        let campaign = CampaignFile::read(folder)?
            .ok_or_else(|| StudyError::Probe(format!("{} holds no {DESCRIPTION_FILE}", folder.display())))?;
        if let Some(common) = &common {
            common.must_be(&campaign, folder)?;
        }
        for task in campaign.description.tasks() {
            let present = read_probe(&folder.join(PROBES), &task.name, &campaign.fingerprint)?;
            let Some(outcome) = present else { continue };
            match found.get(&task.name) {
                Some(Ok(known)) if outcome.as_ref().is_ok_and(|response| response != known) => {
                    let text = format!("{}: {} differs from that of another folder", folder.display(), task.name);
                    return Err(StudyError::Probe(text));
                }
                Some(Ok(_)) => {}
                _ => drop(found.insert(task.name, outcome)),
            }
        }
        common = Some(campaign);
    }
    let campaign = common.ok_or_else(|| StudyError::Probe("expected a folder of probes".to_owned()))?;
    let description = campaign.description;
    let (mut records, mut missing) = (Vec::new(), Vec::new());
    for task in description.tasks() {
        match found.remove(&task.name) {
            Some(outcome) => records.push(Record { task, outcome }),
            None => missing.push(task.name),
        }
    }
    if let Some(first) = missing.first() {
        let (count, all) = (missing.len(), missing.len() + records.len());
        return Err(StudyError::Probe(format!("{count} of {all} probes are missing, the first is {first}")));
    }
    Ok((description, records))
}
