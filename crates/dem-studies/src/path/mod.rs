//! What force does a contact law give along a prescribed path of load and slip?
//!
//! The engine's own evaluation of contacts follows a sphere that is pressed on a wall and moved along it by hand. Paths are those of
//! publications or a table of points. Beside every law stands a foundation of 2000 springs, which shares no code with the laws and
//! solves elastic spheres with friction for any path along a line.

pub mod driven_contact;
mod figures;
pub mod histories;
mod results;
mod tables;

#[cfg(test)]
mod tests;

use dem_reference::many_spring_foundation::ManySpringFoundation;
use dem_reference::oblique_impact::ElasticPair;
use dem_report::ReportError;
use dem_report::report::Report;

use crate::error::StudyError;
use crate::material::{ALUMINIUM_OXIDE, Material, SODA_LIME_GLASS};
use crate::named_choice::NamedChoice;
use crate::sphere_and_partner::{Partner, SphereAndPartner};
use driven_contact::DrivenContact;
use histories::{Load, NamedPath, PATHS, Point, Scale, View};
use results::{Followed, Results, Turn};

/// Springs of the foundation.
const SPRINGS: usize = 2000;

/// What to run.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// Laws.
    pub laws: Vec<NamedChoice>,
    /// Material of the sphere.
    pub sphere: Material,
    /// Material of the wall.
    pub wall: Material,
    /// Radius \[m\].
    pub radius: f64,
    /// Coefficient of friction, not negative.
    pub friction: f64,
    /// Overlap that named paths are scaled by \[m\].
    pub overlap: f64,
    /// Time that each point of a path takes \[s\].
    pub time_step: f64,
    /// Named paths.
    pub paths: Vec<String>,
    /// Points of a path of the user's own.
    pub given: Option<Vec<Point>>,
}

impl Default for Options {
    /// All named paths with the laws of Di Renzo and Di Maio, so slow that dashpots do nothing.
    fn default() -> Self {
        let impact = crate::impact::Options::default();
        Self {
            laws: impact.laws,
            sphere: ALUMINIUM_OXIDE,
            wall: SODA_LIME_GLASS,
            radius: impact.radius,
            friction: 0.092,
            overlap: 1.5e-5,
            time_step: 1.0,
            paths: PATHS.iter().map(NamedPath::name).collect(),
            given: None,
        }
    }
}

impl Options {
    fn check(&self) -> Result<(), ReportError> {
        if !(self.friction >= 0.0 && self.friction.is_finite()) {
            let allowed = "0 or a positive number".into();
            return Err(ReportError::Option { option: "--friction", value: self.friction.to_string(), allowed });
        }
        for (option, value) in [("--radius", self.radius), ("--overlap", self.overlap), ("--time-step", self.time_step)]
        {
            if !(value > 0.0 && value.is_finite()) {
                return Err(ReportError::Option {
                    option,
                    value: value.to_string(),
                    allowed: "a positive number".into(),
                });
            }
        }
        if self.overlap > 0.5 * self.radius {
            let allowed = "at most half the radius".into();
            return Err(ReportError::Option { option: "--overlap", value: self.overlap.to_string(), allowed });
        }
        if self.laws.is_empty() || self.paths.is_empty() && self.given.is_none() {
            let allowed = "at least one law and one path".into();
            return Err(ReportError::Option { option: "--path", value: "nothing".into(), allowed });
        }
        Ok(())
    }

    /// The bodies with a law.
    ///
    /// # Errors
    /// Constants out of range.
    fn bodies(&self, law: &NamedChoice) -> Result<SphereAndPartner, StudyError> {
        let mut bodies = SphereAndPartner {
            sphere: self.sphere,
            partner_material: self.wall,
            partner: Partner::Wall,
            radius: self.radius,
            friction: self.friction,
            restitution: 1.0,
            law: law.clone(),
            integrator: NamedChoice::integrator("velocity-verlet")?,
            lever: "half".to_owned(),
            gravity: 0.0,
        };
        // the same force at the overlap of the paths
        bodies.fit_stiffness_at(self.overlap)?;
        Ok(bodies)
    }
}

/// Runs the study.
///
/// # Errors
/// Options out of range, laws that refuse their parameters, loads that are not reached.
pub fn run(options: &Options) -> Result<Report, StudyError> {
    options.check()?;
    let first = options.bodies(&options.laws[0])?;
    // the slips of named paths are shares of that of sliding, which without friction there is none of
    let scaling = if options.friction > 0.0 { options.friction } else { Options::default().friction };
    let pair = SphereAndPartner { friction: scaling, ..first }.pair()?;
    let scale = Scale::new(&pair, options.overlap);
    let mut paths = Vec::new();
    for name in &options.paths {
        let path = NamedPath::find(name)?;
        paths.push((name.clone(), path.figure, path.summary, path.view, path.points(&scale)));
    }
    if let Some(points) = &options.given {
        let slips = |k: usize| points.iter().any(|point| point.slip[k] != 0.0);
        let view = match [slips(0), slips(1)] {
            [_, true] => View::Plane,
            [true, false] => View::Loop,
            [false, false] => View::Normal,
        };
        paths.push(("given".to_owned(), "path_given", "the path of the file", view, points.clone()));
    }
    let mut results = Results { pair, friction: options.friction, scale, paths: Vec::new(), turns: Vec::new() };
    for (name, figure, summary, view, points) in paths {
        let mut laws = Vec::new();
        for law in &options.laws {
            let mut contact = DrivenContact::new(&options.bodies(law)?, options.time_step)?;
            laws.push((law.label.clone(), contact.follow(&points)?));
        }
        let foundation = match options.friction > 0.0 {
            true => foundation(&pair, options.overlap, &points)?,
            // springs that slide at once
            false => vec![[0.0; 2]; points.len()],
        };
        results.paths.push(Followed { name, figure, summary, view, foundation, laws });
    }
    // without friction no force turns
    for law in options.laws.iter().filter(|_| options.friction > 0.0) {
        results.turns.push(turn(options, law, &scale)?);
    }
    Ok(Report {
        tables: tables::all(&results),
        figures: figures::all(&results),
        pictures: Vec::new(),
        findings: tables::findings(&results),
        ..Report::default()
    })
}

/// Tangential force of the foundation along a path, with Hertz's overlap where a force is prescribed.
fn foundation(pair: &ElasticPair, overlap: f64, points: &[Point]) -> Result<Vec<[f64; 2]>, StudyError> {
    let mut springs = ManySpringFoundation::new(pair, SPRINGS, overlap)?;
    let stiffness = 4.0 / 3.0 * pair.modulus * pair.radius.sqrt();
    let mut slip = [0.0; 2];
    let mut answer = |point: &Point| {
        let overlap = match point.load {
            Load::Overlap(overlap) => overlap.max(0.0),
            Load::NormalForce(force) => (force.max(0.0) / stiffness).powf(2.0 / 3.0),
        };
        let step = [point.slip[0] - slip[0], point.slip[1] - slip[1]];
        slip = point.slip;
        springs.advance(overlap, step)
    };
    Ok(points.iter().map(&mut answer).collect())
}

/// Slides a contact, then moves it once across its force by lengths from 0.01 to 10 `μN/k_t` (Kuhn and others, figure 4).
fn turn(options: &Options, law: &NamedChoice, scale: &Scale) -> Result<Turn, StudyError> {
    const LENGTHS: i32 = 31;
    let bodies = options.bodies(law)?;
    let mut angles = Vec::new();
    for k in 0..LENGTHS {
        let length = 10.0_f64.powf(-2.0 + 3.0 * f64::from(k) / f64::from(LENGTHS - 1));
        let mut contact = DrivenContact::new(&bodies, options.time_step)?;
        let point = |x: f64, y: f64| Point { load: Load::Overlap(scale.overlap), slip: [x, y] };
        let mut last = contact.step(point(0.0, 0.0))?;
        for k in 1..=20 {
            last = contact.step(point(0.2 * f64::from(k) * scale.slip, 0.0))?;
        }
        let unit = options.friction * last.normal_force / contact.stiffness(scale.overlap);
        let end = contact.step(point(last.slip[0], length * unit))?.tangential_force;
        angles.push([length, end[0].atan2(end[1]).to_degrees()]);
    }
    Ok(Turn { law: law.label.clone(), angles })
}
