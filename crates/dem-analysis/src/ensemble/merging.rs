//! One table of all members: means over the seeds and how well they are known.

use std::cmp::Ordering;
use std::path::PathBuf;

use dem_report::report::Report;
use dem_report::statistics::MeanEstimate;
use dem_report::table::{Table, Value};

use super::averages::Averages;
use super::figures;
use super::finished::{Finished, Standing, is_ensemble, member_directories, standing};
use super::parameters::{label, order};
use crate::error::AnalysisError;

/// Runs that were put together.
#[derive(Clone, Debug, PartialEq)]
pub struct Merged {
    /// The table of means, the table of members, and overlaid series.
    pub report: Report,
    /// Number of members.
    pub members: usize,
    /// Folders left out because their run has not come to its end.
    pub unfinished: Vec<PathBuf>,
    /// Folders left out because a step failed, and why it did.
    pub failed: Vec<(PathBuf, String)>,
}

/// Puts members together: of ensembles (directories with `members/`) and of single run directories. A pure function of these folders.
/// `columns` of the series are drawn, the usual ones if empty; `averages` are further quantities.
///
/// # Errors
/// Directories that hold neither, members of different scenes, the same member twice, no finished member, an unknown column.
pub fn merge(directories: &[PathBuf], columns: &[String], averages: &Averages) -> Result<Merged, AnalysisError> {
    let mut folders = Vec::new();
    for directory in directories {
        if is_ensemble(directory) {
            folders.extend(member_directories(directory)?);
        } else if directory.join("scene.resolved.toml").is_file() {
            folders.push(directory.clone());
        } else {
            let what = "is neither a run directory nor an ensemble: it has no scene.resolved.toml and no members/";
            return Err(AnalysisError::Ensemble(format!("{} {what}", directory.display())));
        }
    }
    let drawn = figures::columns(columns);
    let (mut members, mut unfinished, mut failed) = (Vec::new(), Vec::new(), Vec::new());
    for folder in folders {
        match standing(&folder)? {
            Standing::Finished => members.push(Finished::read(&folder, &drawn, averages)?),
            Standing::Unfinished => unfinished.push(folder),
            Standing::Failed(why) => failed.push((folder, why)),
        }
    }
    members.sort_by(order);
    let Some(first) = members.first() else {
        let names: Vec<String> = directories.iter().map(|directory| directory.display().to_string()).collect();
        return Err(AnalysisError::Ensemble(format!("{} holds no run that has come to its end", names.join(", "))));
    };
    members.iter().try_for_each(|member| check_same_scene(first, member))?;
    for pair in members.windows(2) {
        if order(&pair[0], &pair[1]) == Ordering::Equal {
            let [a, b] = [&pair[0], &pair[1]].map(|member| member.directory.display());
            return Err(AnalysisError::Ensemble(format!("{a} and {b} have the same parameters and the same seed")));
        }
    }
    let known = first.quantities.iter().filter_map(|(name, _)| name.strip_prefix("series."));
    let known: Vec<&str> = known.collect();
    figures::check(columns, &known)?;
    averages.check(&known)?;
    let groups: Vec<&[Finished]> = members.chunk_by(|a, b| a.parameters == b.parameters).collect();
    let mut tables = vec![means(&groups), single(&members)];
    tables.extend(differences(&groups));
    let findings = unchanged(&groups);
    let shortfalls = members.iter().filter_map(Finished::shortfall).collect();
    let report = Report { tables, figures: figures::all(&groups), findings, shortfalls, ..Report::default() };
    Ok(Merged { report, members: members.len(), unfinished, failed })
}

fn check_same_scene(a: &Finished, b: &Finished) -> Result<(), AnalysisError> {
    let differ = |what: String| {
        let [a, b] = [a, b].map(|member| member.directory.display());
        Err(AnalysisError::Ensemble(format!("{a} and {b} are runs of different scenes: {what}")))
    };
    if a.keys != b.keys {
        return differ(format!(
            "the first sweeps over [{}], the second over [{}]",
            a.keys.join(", "),
            b.keys.join(", ")
        ));
    }
    if a.common != b.common {
        let (one, other) = (toml::Value::Table(a.common.clone()), toml::Value::Table(b.common.clone()));
        return differ(difference("", Some(&one), Some(&other)).unwrap_or_default());
    }
    if a.engine != b.engine {
        return differ(format!("the first is of {}, the second of {}", a.engine, b.engine));
    }
    if a.branched != b.branched {
        return differ("one of them began from a saved state".to_owned());
    }
    Ok(())
}

/// Where two values differ first, in words.
fn difference(path: &str, a: Option<&toml::Value>, b: Option<&toml::Value>) -> Option<String> {
    let below = |key: &str| if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") };
    match (a, b) {
        (Some(toml::Value::Table(a)), Some(toml::Value::Table(b))) => {
            let mut keys: Vec<&String> = a.keys().chain(b.keys()).collect();
            keys.sort();
            keys.into_iter().find_map(|key| difference(&below(key), a.get(key), b.get(key)))
        }
        (Some(toml::Value::Array(a)), Some(toml::Value::Array(b))) => {
            (0..a.len().max(b.len())).find_map(|k| difference(&below(&k.to_string()), a.get(k), b.get(k)))
        }
        (a, b) if a == b => None,
        (a, b) => {
            let words = |value: Option<&toml::Value>| match value {
                None => "not given".to_owned(),
                Some(value @ (toml::Value::Table(_) | toml::Value::Array(_))) => format!("a {}", value.type_str()),
                Some(value) => value.to_string(),
            };
            Some(format!("{path} is {} in the first and {} in the second", words(a), words(b)))
        }
    }
}

/// Says of which members the seeds change nothing at all.
fn unchanged(groups: &[&[Finished]]) -> Vec<String> {
    let same = |group: &&&[Finished]| {
        let [first, others @ ..] = &group[..] else { return false };
        // bit by bit: what is not a number is not equal to itself
        let bits = |member: &Finished| {
            member.quantities.iter().map(|(name, value)| (name.clone(), value.to_bits())).collect::<Vec<_>>()
        };
        !others.is_empty() && others.iter().all(|other| bits(other) == bits(first))
    };
    let sentence = |group: &&[Finished]| {
        let label = label(&group[0]);
        let of = if label.is_empty() { String::new() } else { format!(" with {label}") };
        format!(
            "The seeds change nothing: all {} members{of} came to the same numbers, which therefore have no interval.",
            group.len()
        )
    };
    groups.iter().filter(same).map(sentence).collect()
}

/// Names of the quantities of all members, in the order in which they first come.
fn names(members: &[Finished]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for (name, _) in members.iter().flat_map(|member| &member.quantities) {
        if !names.contains(name) {
            names.push(name.clone());
        }
    }
    names
}

/// A row for every quantity and set of parameters.
fn means(groups: &[&[Finished]]) -> Table {
    let first = &groups[0][0];
    let mut columns = first.keys.clone();
    columns.extend(["quantity", "members", "mean", "deviation", "low_95", "high_95"].map(str::to_owned));
    let mut table = Table::with_columns("ensemble", columns);
    for group in groups {
        for name in names(group) {
            let values: Vec<f64> =
                group.iter().map(|member| member.quantity(&name)).filter(|x| x.is_finite()).collect();
            let estimate = MeanEstimate::over_seeds(&values);
            let [low, high] = estimate.interval();
            let mut row = group[0].parameters.clone();
            row.extend([
                name.as_str().into(),
                values.len().into(),
                estimate.mean.into(),
                estimate.deviation.into(),
                low.into(),
                high.into(),
            ]);
            table.push(row);
        }
    }
    table
}

/// A row for every quantity and set of parameters but the first: how far it is from the first one in the mean of the seeds that both have.
fn differences(groups: &[&[Finished]]) -> Option<Table> {
    let (first, others) = groups.split_first()?;
    let mut columns = first[0].keys.clone();
    columns
        .extend(["quantity", "pairs", "difference", "deviation", "low_95", "high_95", "of_first"].map(str::to_owned));
    let mut table = Table::with_columns("differences", columns);
    for group in others {
        let pairs = || group.iter().filter_map(|a| Some((first.iter().find(|b| b.seed == a.seed)?, a)));
        for name in names(group) {
            let values = pairs().map(|(b, a)| (b.quantity(&name), a.quantity(&name)));
            let (before, apart): (Vec<f64>, Vec<f64>) =
                values.filter(|(b, a)| (b - a).is_finite()).map(|(b, a)| (b, a - b)).unzip();
            if apart.is_empty() {
                continue;
            }
            let estimate = MeanEstimate::over_seeds(&apart);
            let [low, high] = estimate.interval();
            let mut row = group[0].parameters.clone();
            row.extend([
                name.as_str().into(),
                apart.len().into(),
                estimate.mean.into(),
                estimate.deviation.into(),
                low.into(),
                high.into(),
                (estimate.mean / MeanEstimate::of(&before).mean).into(),
            ]);
            table.push(row);
        }
    }
    (!table.rows().is_empty()).then_some(table)
}

/// A row for every member.
fn single(members: &[Finished]) -> Table {
    let names = names(members);
    let mut columns = members[0].keys.clone();
    columns.extend(["seed", "stop_reason"].map(str::to_owned));
    columns.extend(names.iter().cloned());
    let mut table = Table::with_columns("members", columns);
    for member in members {
        let mut row = member.parameters.clone();
        row.extend([member.seed.into(), member.stop_reason.as_str().into()]);
        row.extend(names.iter().map(|name| Value::from(member.quantity(name))));
        table.push(row);
    }
    table
}
