//! Which runs belong to an ensemble.

use std::path::PathBuf;

use dem_analysis::ensemble::Averages;
use dem_io::document::Override;
use dem_report::ReportError;
use dem_report::shard::Shard;
use dem_sim::builder::{self, LoadedScene};
use dem_sim::measure::series_columns;
use dem_sim::run::Origin;

use super::origins::Origins;
use super::sweep::{MOST_MEMBERS, Sweep, parse_seeds};
use crate::error::StudyError;

/// Longest name of a member, so that file systems take it.
const LONGEST_NAME: usize = 200;

/// What a user asks for.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Request {
    /// Scene file.
    pub scene: PathBuf,
    /// Changes of the scene, `key=value`.
    pub set: Vec<String>,
    /// Seeds, as [`parse_seeds`] reads them.
    pub seeds: Option<String>,
    /// Sweeps of one key each, `key=a,b,c`; the members are their product.
    pub sweeps: Vec<String>,
    /// File with a list of points, another factor of the product.
    pub sweep_file: Option<PathBuf>,
    /// Saved state that the members branch from: a checkpoint, a run directory, or an ensemble, of which each member takes the run with
    /// its own seed.
    pub from: Option<PathBuf>,
    /// Means over time that are taken of the members.
    pub averages: Averages,
}

/// A run of an ensemble.
pub struct Member {
    /// Name of its folder.
    pub name: String,
    /// Keys that are swept.
    pub keys: Vec<String>,
    /// Its scene.
    pub scene: LoadedScene,
    /// Where its particles come from.
    pub origin: Origin,
}

/// The members of an ensemble.
pub struct Plan {
    /// They, the last sweep changing faster than those before it, the seed fastest.
    pub members: Vec<Member>,
}

impl Plan {
    /// Reads and checks the scenes of all members.
    ///
    /// # Errors
    /// A scene that cannot be built, a key that it does not have, means of columns that the series will not have, too many members.
    pub fn new(request: &Request) -> Result<Self, StudyError> {
        let set = request.set.iter().map(|text| Override::parse(text)).collect::<Result<Vec<_>, _>>()?;
        let base = builder::load_scene(&request.scene, &set)?;
        let mut sweeps = request.sweeps.iter().map(|text| Sweep::parse(text)).collect::<Result<Vec<_>, _>>()?;
        if let Some(path) = &request.sweep_file {
            let text = dem_io::regular_file::read_to_string(path).map_err(dem_io::Error::system("read", path))?;
            sweeps.push(Sweep::parse_list(path, &text)?);
        }
        let seeds = request.seeds.as_deref().map(parse_seeds).transpose()?;
        let keys: Vec<String> = sweeps.iter().flat_map(|sweep| sweep.keys.clone()).collect();
        if keys.is_empty() && seeds.is_none() {
            let message = "there is a single member, expected seeds or values of a key to run over";
            return Err(StudyError::Ensemble(message.to_owned()));
        }
        check_keys(&base, &keys)?;
        let count =
            sweeps.iter().map(|sweep| sweep.points.len()).try_fold(seeds.as_ref().map_or(1, Vec::len), |n, m| {
                n.checked_mul(m).filter(|&product| product <= MOST_MEMBERS)
            });
        if count.is_none() {
            return Err(StudyError::Ensemble(format!(
                "the product of sweeps and seeds is above {MOST_MEMBERS} members"
            )));
        }
        let mut points: Vec<Vec<String>> = vec![Vec::new()];
        for sweep in &sweeps {
            let longer = |point: &Vec<String>| {
                let point = point.clone();
                sweep.points.iter().map(move |more| [point.clone(), more.clone()].concat())
            };
            points = points.iter().flat_map(longer).collect();
        }
        let seeds: Vec<Option<u64>> = seeds.map_or_else(|| vec![None], |seeds| seeds.into_iter().map(Some).collect());
        let origins = Origins::new(request.from.as_deref())?;
        let mut members: Vec<Member> = Vec::with_capacity(points.len() * seeds.len());
        for (point, seed) in points.iter().flat_map(|point| seeds.iter().map(move |seed| (point, *seed))) {
            let mut changes = set.clone();
            for (key, value) in keys.iter().zip(point) {
                changes.push(Override::parse(&format!("{key}={value}"))?);
            }
            if let Some(seed) = seed {
                changes.push(Override::parse(&format!("seed={seed}"))?);
            }
            let scene = builder::load_scene(&request.scene, &changes)?;
            // a value out of range must not show after hours of other members
            let simulation = builder::build_empty(&scene)?;
            let columns = series_columns(&simulation.world);
            request.averages.check(&columns.iter().map(|column| column.name.as_str()).collect::<Vec<_>>())?;
            let origin = origins.of(scene.scene.seed)?;
            members.push(Member { name: name(&keys, point, seed)?, keys: keys.clone(), scene, origin });
        }
        let mut names: Vec<&str> = members.iter().map(|member| member.name.as_str()).collect();
        names.sort_unstable();
        if let Some(twice) = names.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(StudyError::Ensemble(format!(
                "two members have the name {}, expected different values",
                twice[0]
            )));
        }
        Ok(Self { members })
    }

    /// Every `of`-th member, beginning with number `number`.
    #[must_use]
    pub fn shard(self, shard: Shard) -> Self {
        let numbered = self.members.into_iter().enumerate();
        Self { members: numbered.filter(|&(index, _)| shard.holds(index)).map(|(_, member)| member).collect() }
    }
}

fn check_keys(base: &LoadedScene, keys: &[String]) -> Result<(), StudyError> {
    for (k, key) in keys.iter().enumerate() {
        let path = Override::parse(&format!("{key}=0"))?.path().clone();
        base.document.required_value(&path)?;
        let refused = |allowed: &str| {
            StudyError::from(ReportError::Option { option: "--sweep", value: key.clone(), allowed: allowed.to_owned() })
        };
        if path.segments().len() == 1 && key == "seed" {
            return Err(refused("any key but seed, which --seeds gives"));
        }
        if key == "title" || key.starts_with("output.") {
            return Err(refused("a key that changes what is simulated"));
        }
        if keys[..k].contains(key) {
            return Err(refused("each key once"));
        }
    }
    Ok(())
}

/// Name of a folder: `friction=0.3,seed=2`, with whole paths of keys if their last words agree.
fn name(keys: &[String], point: &[String], seed: Option<u64>) -> Result<String, StudyError> {
    let last = |key: &String| key.rsplit('.').next().unwrap_or(key).to_owned();
    let words: Vec<String> = keys.iter().map(last).collect();
    let is_unique = |word: &String| word != "seed" && words.iter().filter(|other| *other == word).count() == 1;
    let mut parts: Vec<String> = Vec::new();
    for (k, value) in point.iter().enumerate() {
        let key = if is_unique(&words[k]) { &words[k] } else { &keys[k] };
        parts.push(format!("{}={}", harmless(key), harmless(value.trim_matches(['"', '\'']))));
    }
    parts.extend(seed.map(|seed| format!("seed={seed}")));
    let name = parts.join(",");
    if name.len() > LONGEST_NAME {
        let message = format!("the folder of a member would be named {name}, expected at most {LONGEST_NAME} letters");
        return Err(StudyError::Ensemble(message));
    }
    Ok(name)
}

/// What stands for itself in a shell and on any file system.
fn harmless(text: &str) -> String {
    text.chars().map(|c| if c.is_ascii_alphanumeric() || "._+-".contains(c) { c } else { '_' }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_say_what_differs_and_suit_a_file_system() {
        let keys = ["contact.friction".to_owned(), "walls.0.shape.radius".to_owned()];
        let found = name(&keys, &["0.3".to_owned(), "\"50 mm\"".to_owned()], Some(4)).unwrap();
        assert_eq!(found, "friction=0.3,radius=50_mm,seed=4");
        let alike = ["walls.0.shape.radius".to_owned(), "walls.1.shape.radius".to_owned()];
        let found = name(&alike, &["1/2".to_owned(), "2".to_owned()], None).unwrap();
        assert_eq!(found, "walls.0.shape.radius=1_2,walls.1.shape.radius=2");
        assert!(name(&keys[..1], &["x".repeat(300)], None).is_err());
    }
}
