//! What does the contact law change? The same scene from the same bytes under several laws, over several seeds.
//!
//! The laws get what they need from the scene (`variant.rs`) and stiffnesses that agree at a stated overlap (`matching.rs`). Every law and seed is
//! a member of an ensemble, so that a comparison that was interrupted goes on. Differences are taken in pairs of the same seed, which
//! takes the scatter of the starts out of them.

mod differences;
mod figures;
mod findings;
mod matching;
mod quantities;
mod stiffness_table;
mod variant;

#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use dem_io::document::Override;
use dem_report::ReportError;
use dem_report::output_directory::MEMBERS;
use dem_report::report::{Picture, Report};
use dem_sim::builder;
use dem_sim::run::RunBounds;

pub use matching::{Load, Matching};

use crate::error::StudyError;
use crate::members::{Member, Origins, Outcome, Settings, parse_seeds, run_members};
use crate::named_choice::NamedChoice;
use matching::Reference;
use quantities::Measured;
use variant::Variant;

/// What to compare.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// Scene file.
    pub scene: PathBuf,
    /// Changes of the scene, `key=value`.
    pub set: Vec<String>,
    /// Laws, each `NAME` or `NAME:key=value,key=value`; the others are compared with the first.
    pub laws: Vec<String>,
    /// Saved state to begin from, or an ensemble with one for every seed.
    pub from: Option<PathBuf>,
    /// Quantity that is matched between the laws.
    pub matching: Matching,
    /// Seeds, as [`parse_seeds`] reads them; that of the scene if not given.
    pub seeds: Option<String>,
}

/// A comparison that is ready to run.
pub struct Comparison {
    laws: Vec<Variant>,
    seeds: Vec<u64>,
    members: Vec<Member>,
    reference: Reference,
}

/// What can be compared although runs failed.
struct Left<'a> {
    laws: Vec<&'a Variant>,
    seeds: Vec<u64>,
    /// What is missing and why.
    shortfalls: Vec<String>,
}

/// What became of it.
#[derive(Clone, Debug, PartialEq)]
pub enum Compared {
    /// Everything has run.
    Done(Box<Report>),
    /// So many runs have not come to their end.
    Unfinished(usize),
}

impl Comparison {
    /// Reads the scene, gives the laws their parameters and checks that every scene can be built.
    ///
    /// # Errors
    /// Fewer than two laws, an unknown one, a scene that cannot be compared or matched, seeds that all begin with the same bytes.
    pub fn new(options: &Options) -> Result<Self, StudyError> {
        let selections = options.laws.iter().map(|text| NamedChoice::law(text)).collect::<Result<Vec<_>, _>>()?;
        let twice = (1..selections.len()).find(|&k| selections[..k].contains(&selections[k]));
        if selections.len() < 2 || twice.is_some() {
            return Err(ReportError::Option {
                option: "--laws",
                value: options.laws.join(","),
                allowed: "at least two different laws, as in linear,hertz-mindlin".to_owned(),
            }
            .into());
        }
        let set = options.set.iter().map(|text| Override::parse(text)).collect::<Result<Vec<_>, _>>()?;
        let base = builder::load_scene(&options.scene, &set)?;
        let seeds = options.seeds.as_deref().map_or_else(|| Ok(vec![base.scene.seed]), parse_seeds)?;
        let origins = Origins::new(options.from.as_deref())?;
        let reference = Reference::of(&base, &origins.of(seeds[0])?, options.matching)?;
        if origins.is_single() && seeds.len() > 1 && !reference.pours {
            return Err(ReportError::Option {
                option: "--seeds",
                value: options.seeds.clone().unwrap_or_default(),
                allowed:
                    "one seed, because all would begin with the same bytes; --from an ensemble has a state for each"
                        .to_owned(),
            }
            .into());
        }
        let laws = selections
            .iter()
            .map(|selection| Variant::new(&base, selection, &reference))
            .collect::<Result<Vec<_>, _>>()?;
        let mut members = Vec::with_capacity(seeds.len() * laws.len());
        for &seed in &seeds {
            for law in &laws {
                let scene = law.scene(seed)?;
                builder::build_empty(&scene)?;
                members.push(Member { name: law.member(seed), keys: Vec::new(), scene, origin: origins.of(seed)? });
            }
        }
        Ok(Self { laws, seeds, members, reference })
    }

    /// How the parameters of the laws came about, a sentence each.
    pub fn statements(&self) -> Vec<String> {
        let mut all = self.reference.statements();
        all.extend(self.laws.iter().flat_map(Variant::statements));
        all
    }

    /// Runs what has not come to its end, and compares.
    ///
    /// # Errors
    /// A run that fails, laws that do not begin with the same particles, a file that cannot be written.
    pub fn run(
        &self,
        directory: &Path,
        force: bool,
        interrupted: &AtomicBool,
        report: &(dyn Fn(usize, &str, &Outcome) + Sync),
    ) -> Result<Compared, StudyError> {
        let settings = Settings { directory, force, threads_each: 1, bounds: RunBounds::default(), interrupted };
        let outcomes = run_members(&self.members, &settings, report)?;
        let left = outcomes.iter().filter(|o| matches!(o, Outcome::Unfinished | Outcome::InUse)).count();
        if left > 0 {
            return Ok(Compared::Unfinished(left));
        }
        Ok(Compared::Done(Box::new(self.evaluate(directory, &outcomes)?)))
    }

    /// Laws and seeds that are left without the runs that failed: no law of which all did, and no seed in which one of the others did.
    ///
    /// # Errors
    /// Nothing that could be compared is left.
    fn left(&self, outcomes: &[Outcome]) -> Result<Left<'_>, StudyError> {
        let failed = |law: usize, seed: usize| match &outcomes[seed * self.laws.len() + law] {
            Outcome::Failed(why) => Some(why),
            _ => None,
        };
        let has_some = |law: &usize| (0..self.seeds.len()).any(|seed| failed(*law, seed).is_none());
        let laws: Vec<usize> = (0..self.laws.len()).filter(has_some).collect();
        let is_whole = |seed: &usize| laws.iter().all(|&law| failed(law, *seed).is_none());
        let seeds: Vec<usize> = (0..self.seeds.len()).filter(is_whole).collect();
        let reasons = self.members.iter().zip(outcomes).filter_map(|(member, outcome)| match outcome {
            Outcome::Failed(why) => Some(format!("{} failed: {why}", member.name)),
            _ => None,
        });
        let mut shortfalls: Vec<String> = reasons.collect();
        if laws.first() != Some(&0) || laws.len() < 2 || seeds.is_empty() {
            return Err(StudyError::Member(format!("nothing is left to compare: {}", shortfalls.join("; "))));
        }
        let without = self.laws.iter().enumerate().filter(|(law, _)| !laws.contains(law));
        shortfalls.extend(without.map(|(_, law)| format!("{} is left out", law.label)));
        let without = self.seeds.iter().enumerate().filter(|(seed, _)| !seeds.contains(seed));
        shortfalls.extend(without.map(|(_, seed)| format!("seed {seed} is left out under all laws")));
        Ok(Left {
            laws: laws.into_iter().map(|law| &self.laws[law]).collect(),
            seeds: seeds.into_iter().map(|seed| self.seeds[seed]).collect(),
            shortfalls,
        })
    }

    /// The report, from the folders of the members alone.
    fn evaluate(&self, directory: &Path, outcomes: &[Outcome]) -> Result<Report, StudyError> {
        let Left { laws, seeds, mut shortfalls } = self.left(outcomes)?;
        let folder = |law: &Variant, seed: u64| directory.join(MEMBERS).join(law.member(seed));
        // law by law, in each seed by seed
        let mut runs: Vec<Vec<Measured>> = Vec::new();
        for law in &laws {
            let own = seeds.iter().map(|&seed| Measured::read(&folder(law, seed), &law.label));
            runs.push(own.collect::<Result<_, _>>()?);
        }
        shortfalls.extend(runs.iter().flatten().filter_map(|run| run.finished.shortfall()));
        let mut pictures = Vec::new();
        for law in &laws {
            let path = folder(law, seeds[0]).join("picture.png");
            if let Ok(png) = std::fs::read(&path) {
                pictures.push(Picture {
                    name: format!("{}_seed_{}", law.label, seeds[0]).replace([':', ',', '='], "_"),
                    png,
                });
            }
        }
        let beginnings = findings::beginnings(&runs, self.reference.pours)?;
        let differences = differences::all(&runs);
        let mut all = self.statements();
        all.extend(beginnings);
        all.extend(findings::all(&differences, seeds.len()));
        Ok(Report {
            tables: vec![
                differences::table(&differences),
                stiffness_table::table(&self.reference, &self.laws)?,
                quantities::table(&runs, &seeds),
            ],
            figures: figures::all(&runs),
            pictures,
            findings: all,
            shortfalls,
            ..Report::default()
        })
    }
}
