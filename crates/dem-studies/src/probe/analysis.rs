//! From responses to increments, irreversible strains and circles.

use super::circle::{Circle, ProbePoint, Side, bootstrap};
use super::description::Description;
use super::files::Record;
use super::linear::{LinearFit, fit, solve};
use super::plane::{Plane, Vector6, length, minus, project};
use super::response::{Procedure, Response};

/// Largest stress of the probe without strain over the smallest of others \[-\]. What it changes is taken off all probes, as if it were the same in
/// each; beyond some per cent the points of the circles are those of the drift.
pub const LARGEST_NULL_STRESS: f64 = 0.05;

/// How the irreversible part was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Split {
    /// What is left when the stress has gone back.
    Unload,
    /// What the elastic stiffness does not explain.
    Elastic,
}

impl Split {
    /// In tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Unload => "unload",
            Self::Elastic => "elastic",
        }
    }
}

/// Difference of a probe from that without strain, in coordinates of the plane.
#[derive(Clone, Debug, PartialEq)]
pub struct Increment {
    /// Number of the direction.
    pub direction: usize,
    /// Strain \[-\].
    pub strain: Vec<f64>,
    /// Stress \[Pa\].
    pub stress: Vec<f64>,
    /// Share of the stress that is not in the plane \[-\].
    pub out_of_plane: f64,
    /// Irreversible strains \[-\], that of unloading and that against the elastic stiffness.
    pub irreversible: [Option<Vec<f64>>; 2],
}

impl Increment {
    /// Point of the plot of a plane.
    fn point(&self, split: Split) -> Option<ProbePoint> {
        let strain: [f64; 2] = self.irreversible[split as usize].clone()?.try_into().ok()?;
        let [x, y]: [f64; 2] = self.stress.clone().try_into().ok()?;
        let size = x.hypot(y);
        let far = strain[0].hypot(strain[1]) / size;
        (size > 0.0).then(|| ProbePoint { place: [far * x / size, far * y / size], strain })
    }
}

/// All probes of a law in one way.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// Number of the law.
    pub law: usize,
    /// The way.
    pub procedure: Procedure,
    /// Norm of the stress of the probe without strain, against the start, over the smallest stress of others \[-\].
    pub null_stress: f64,
    /// Increments of the probes that did not fail.
    pub increments: Vec<Increment>,
    /// Linear map from strain to stress.
    pub stiffness: Option<LinearFit>,
    /// Responses that there are.
    pub responses: Vec<Response>,
    /// Messages of those that failed.
    pub failures: Vec<String>,
}

/// A circle with what its interval says of the plastic modulus.
#[derive(Clone, Debug, PartialEq)]
pub struct FittedCircle {
    /// Number of the series.
    pub series: usize,
    /// How the irreversible part was found.
    pub split: Split,
    /// Which part of the points.
    pub side: Side,
    /// The circle.
    pub circle: Circle,
    /// Interval of 95 % of the plastic modulus \[Pa\].
    pub interval: [f64; 2],
}

/// The plastic modulus of a law against that of the first law, probe by probe.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// Number of the series.
    pub series: usize,
    /// How the irreversible part was found.
    pub split: Split,
    /// `h/h₀ − 1` \[-\].
    pub relative: f64,
    /// Its interval of 95 %.
    pub interval: [f64; 2],
}

/// Everything that was found out.
pub struct Results {
    /// What was probed.
    pub description: Description,
    /// Series in the order of probes, elastic ones included.
    pub series: Vec<Series>,
    /// Circles, if the directions lie in a plane.
    pub circles: Vec<FittedCircle>,
    /// Differences from the first law.
    pub differences: Vec<Difference>,
}

impl Results {
    /// Evaluates the records of a campaign.
    pub fn new(description: Description, records: Vec<Record>) -> Self {
        let basis = description.plane.basis(description.axis);
        let mut series: Vec<Series> = records
            .chunk_by(|a, b| a.task.law == b.task.law && a.task.procedure.is_like(&b.task.procedure))
            .map(|group| Series::new(group, &basis))
            .collect();
        let elastic_law = description.laws.len() - 1;
        for k in 0..series.len() {
            let of_same = |s: &&Series| s.law == elastic_law && s.procedure.is_like(&series[k].procedure);
            let Some(elastic) = series.iter().find(of_same).and_then(|s| s.stiffness.clone()) else { continue };
            if series[k].law != elastic_law {
                series[k].increments.iter_mut().for_each(|increment| increment.take_elastic(&elastic));
            }
        }
        let mut results = Self { description, series, circles: Vec::new(), differences: Vec::new() };
        if results.description.plane != Plane::General {
            results.fit_circles();
        }
        results
    }

    /// Label of the law of a series.
    pub fn label(&self, series: &Series) -> &str {
        &self.description.laws[series.law].0
    }

    /// What is to be said wherever a number of a series is shown; empty if nothing is.
    pub fn remark(&self, series: &Series) -> String {
        let mut remarks = Vec::new();
        if self.description.dropped(series.law) > 0 {
            remarks.push("histories dropped".to_owned());
        }
        if series.drifts() {
            remarks.push(format!("state not at rest: {:.2} % without strain", 100.0 * series.null_stress));
        }
        remarks.join("; ")
    }

    /// Label of the law of a series with what is to be said of it, for figures.
    pub fn legend(&self, series: &Series) -> String {
        let remark = self.remark(series);
        let label = self.label(series);
        if remark.is_empty() { label.to_owned() } else { format!("{label} ({remark})") }
    }

    /// Whether a series is that of elastic probes.
    pub fn is_elastic(&self, series: &Series) -> bool {
        series.law + 1 == self.description.laws.len()
    }

    /// Points of a series.
    pub fn points(&self, series: usize, split: Split) -> Vec<ProbePoint> {
        self.series[series].increments.iter().filter_map(|increment| increment.point(split)).collect()
    }

    fn fit_circles(&mut self) {
        for k in 0..self.series.len() {
            if self.is_elastic(&self.series[k]) {
                continue;
            }
            let reference =
                self.series.iter().position(|s| s.law == 0 && s.procedure.is_like(&self.series[k].procedure));
            for split in [Split::Unload, Split::Elastic] {
                let points = self.points(k, split);
                let chosen = |taken: &[usize]| taken.iter().map(|&i| points[i]).collect::<Vec<_>>();
                for side in [Side::Loading, Side::Unloading] {
                    let Some(circle) = Circle::fit(&points, side) else { continue };
                    let modulus = |taken: &[usize]| Some(Circle::fit(&chosen(taken), side)?.plastic_modulus());
                    let interval = bootstrap(points.len(), modulus);
                    self.circles.push(FittedCircle { series: k, split, side, circle, interval });
                }
                let Some(reference) = reference.filter(|&r| r != k) else { continue };
                self.differences.extend(self.compare(k, reference, split));
            }
        }
    }

    /// The plastic modulus of one series against that of another, over the directions that both have.
    fn compare(&self, series: usize, reference: usize, split: Split) -> Option<Difference> {
        let [own, other] = [series, reference].map(|k| &self.series[k].increments);
        let pairs: Vec<[ProbePoint; 2]> = own
            .iter()
            .filter_map(|increment| {
                let same = other.iter().find(|o| o.direction == increment.direction)?;
                Some([increment.point(split)?, same.point(split)?])
            })
            .collect();
        let relative = |taken: &[usize]| {
            let modulus = |which: usize| {
                let points: Vec<ProbePoint> = taken.iter().map(|&i| pairs[i][which]).collect();
                Some(Circle::fit(&points, Side::Loading)?.plastic_modulus())
            };
            Some(modulus(0)? / modulus(1)? - 1.0)
        };
        let all: Vec<usize> = (0..pairs.len()).collect();
        Some(Difference { series, split, relative: relative(&all)?, interval: bootstrap(pairs.len(), relative) })
    }
}

impl Procedure {
    /// Whether the strain is applied alike; unloading may be left out.
    fn is_like(&self, other: &Self) -> bool {
        (self.steps, self.relax, self.magnitude) == (other.steps, other.relax, other.magnitude)
    }
}

impl Series {
    /// Whether the state changes by itself by so much that probes do not tell what a strain does.
    pub fn drifts(&self) -> bool {
        self.null_stress.is_nan() || self.null_stress > LARGEST_NULL_STRESS
    }

    fn new(group: &[Record], basis: &[Vector6]) -> Self {
        let null = group.iter().find(|record| record.task.direction.is_none());
        let null = null.and_then(|record| record.outcome.as_ref().ok());
        let mut increments = Vec::new();
        for record in group {
            let (Some(direction), Ok(response), Some(null)) = (record.task.direction, &record.outcome, null) else {
                continue;
            };
            increments.push(Increment::new(direction, response, null, basis));
        }
        let strains: Vec<Vec<f64>> = increments.iter().map(|i| i.strain.clone()).collect();
        let stresses: Vec<Vec<f64>> = increments.iter().map(|i| i.stress.clone()).collect();
        let smallest = stresses.iter().map(|stress| length(stress)).fold(f64::INFINITY, f64::min);
        let drift = null.map_or(f64::NAN, |null| null.drift);
        Self {
            law: group[0].task.law,
            procedure: group[0].task.procedure,
            null_stress: drift / smallest,
            stiffness: fit(&strains, &stresses),
            increments,
            responses: group.iter().filter_map(|record| record.outcome.clone().ok()).collect(),
            failures: group
                .iter()
                .filter_map(|record| Some(format!("{}: {}", record.task.name, record.outcome.as_ref().err()?)))
                .collect(),
        }
    }
}

impl Increment {
    fn new(direction: usize, response: &Response, null: &Response, basis: &[Vector6]) -> Self {
        let stress = minus(&response.stress, &null.stress);
        let within = project(basis, &stress);
        let (inside, all) = (length(&within), length(&stress));
        let unload = response.residual.zip(null.residual).map(|(own, null)| project(basis, &minus(&own, &null)));
        Self {
            direction,
            strain: project(basis, &minus(&response.strain, &null.strain)),
            out_of_plane: ((all * all - inside * inside).max(0.0)).sqrt() / all,
            stress: within,
            irreversible: [unload, None],
        }
    }

    /// Irreversible is what the strain has beside that which an elastic stiffness gives for the stress.
    fn take_elastic(&mut self, elastic: &LinearFit) {
        self.irreversible[Split::Elastic as usize] = solve(&elastic.matrix, &self.stress)
            .map(|reversible| self.strain.iter().zip(reversible).map(|(all, part)| all - part).collect());
    }
}
