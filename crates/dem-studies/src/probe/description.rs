//! What is probed and how, and the probes that follow from it.

use dem_sim::checkpoint::TakenOver;
use serde::{Deserialize, Serialize};

use super::law_choice::LawChoice;
use super::plane::Plane;
use super::response::Procedure;

/// Most probes of a campaign.
const MOST_PROBES: usize = 10_000_000;

/// What is probed and how; equal if and only if the probes are.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Description {
    /// Program that did it.
    pub engine: String,
    /// Hash of the saved state.
    pub state: String,
    /// Spheres.
    pub particles: u64,
    /// Length of a step \[s\].
    pub time_step: f64,
    /// Axis of loading.
    pub axis: usize,
    /// Where strains lie.
    pub plane: Plane,
    /// Number of directions.
    pub directions: usize,
    /// Seed of random ones.
    pub seed: u64,
    /// Laws with the hash of the scene that has them; the last is the elastic one.
    pub laws: Vec<(String, String)>,
    /// What became of the histories of the state under each of them.
    #[serde(default)]
    pub histories: Vec<TakenOver>,
    /// Numbers of steps of the strain.
    pub steps: Vec<u32>,
    /// Numbers of steps at rest after each.
    pub relax: Vec<u32>,
    /// Lengths of the strain \[-\], as text, which no reader rounds.
    pub magnitudes: Vec<String>,
    /// Steps of unloading.
    pub unload: u32,
    /// Share of sliding contacts at the start.
    pub sliding_share: f64,
    /// The same with those within 0.001 % of the limit.
    pub mobilised_share: f64,
}

/// One probe.
#[derive(Clone, Debug, PartialEq)]
pub struct Task {
    /// Name of its file.
    pub name: String,
    /// Number of the law.
    pub law: usize,
    /// How it is done.
    pub procedure: Procedure,
    /// Number of the direction; none without strain.
    pub direction: Option<usize>,
}

impl Description {
    /// Refuses a description that no campaign writes; the answer is the reason.
    pub fn check(&self) -> Result<(), String> {
        if self.axis > 2 {
            return Err(format!("axis is {}, expected 0 to 2", self.axis));
        }
        if self.laws.is_empty() {
            return Err("laws are missing, expected at least the elastic one".to_owned());
        }
        let numbers = self.magnitudes.len().saturating_mul(self.steps.len()).saturating_mul(self.relax.len());
        let probes = numbers.saturating_mul(self.laws.len()).saturating_mul(self.directions.saturating_add(1));
        if probes > MOST_PROBES {
            return Err(format!("it asks for {probes} probes, expected at most {MOST_PROBES}"));
        }
        Ok(())
    }

    /// All probes, in the order of tables.
    pub fn tasks(&self) -> Vec<Task> {
        let mut tasks = Vec::new();
        let numbers = self.magnitudes.iter().filter_map(|text| Some((text, text.parse::<f64>().ok()?)));
        for (written, magnitude) in numbers {
            for &steps in &self.steps {
                for &relax in &self.relax {
                    for (law, (label, _)) in self.laws.iter().enumerate() {
                        let is_elastic = law + 1 == self.laws.len();
                        let unload = if is_elastic { 0 } else { self.unload };
                        let procedure = Procedure { steps, relax, magnitude, unload };
                        for direction in std::iter::once(None).chain((0..self.directions).map(Some)) {
                            let end = direction.map_or("null".to_owned(), |k| format!("{k:04}"));
                            let label = LawChoice { label: label.clone(), changes: Vec::new(), friction: None };
                            let name = format!("{}_{written}_{steps}_{relax}_{end}", label.file_label());
                            tasks.push(Task { name, law, procedure, direction });
                        }
                    }
                }
            }
        }
        tasks
    }

    /// Contacts that began without their history under a law.
    pub fn dropped(&self, law: usize) -> u64 {
        self.histories.get(law).map_or(0, |taken| taken.dropped)
    }

    /// In which respect another campaign is another.
    pub fn difference(&self, other: &Self) -> &'static str {
        let same = [
            ("the saved states", self.state == other.state),
            ("laws or their parameters", self.laws == other.laws),
            (
                "directions",
                (self.plane, self.directions, self.seed, self.axis)
                    == (other.plane, other.directions, other.seed, other.axis),
            ),
            (
                "steps, relaxation, strains or unloading",
                (&self.steps, &self.relax, &self.magnitudes, self.unload)
                    == (&other.steps, &other.relax, &other.magnitudes, other.unload),
            ),
        ];
        same.iter().find(|(_, same)| !same).map_or("programs", |&(what, _)| what)
    }
}
