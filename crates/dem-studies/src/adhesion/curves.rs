//! A pair pressed together and pulled apart by hand.

use super::setup::{AdhesiveLaw, Setup};
use crate::error::StudyError;
use crate::path::driven_contact::{Answer, DrivenContact};
use crate::path::histories::{Load, Point};
use crate::sphere_and_partner::SphereAndPartner;

/// A law along its loop.
pub struct PullCurve {
    /// Short name.
    pub label: &'static str,
    /// The law as `--law` takes it.
    pub law: String,
    /// Every point.
    pub answers: Vec<Answer>,
    /// Largest pull, distance at which it ends, energy lost: expected.
    pub expected: [f64; 3],
    /// The same, found.
    pub found: [f64; 3],
}

impl PullCurve {
    /// Follows a law to the deepest overlap and back until it lets go, each leg in a number of steps.
    pub fn follow(setup: &Setup<'_>, law: &AdhesiveLaw, steps: usize) -> Result<Self, StudyError> {
        let gap = if law.reach > 0.0 { 1.2 * law.reach } else { 0.02 * setup.deepest() };
        let answers = pressed_and_parted(&setup.bodies(&law.law)?, setup.deepest(), gap, steps)?;
        let found = [largest_pull(&answers), last_pull(&answers), work(&answers)];
        let expected = [law.pull_off, law.reach, law.loss];
        Ok(Self { label: law.label, law: law.law.label.clone(), answers, expected, found })
    }

    /// Adhesion and plastic work at the end, as the ledger has them \[J\].
    pub fn ledger(&self) -> f64 {
        self.answers.last().map_or(0.0, |end| end.adhesion_work + end.plastic_work)
    }
}

/// Brings surfaces from a distance to touch and to an overlap, and parts them up to the same distance. Where they are apart, steps are short near touch.
pub fn pressed_and_parted(
    bodies: &SphereAndPartner,
    deepest: f64,
    gap: f64,
    steps: usize,
) -> Result<Vec<Answer>, StudyError> {
    let share = |k: usize| k as f64 / steps as f64;
    // points next to touch, where forces jump
    let touch = 1e-9 * deepest;
    let apart = |k: usize| -gap * share(k) * share(k);
    let approaching = (1..=steps).rev().map(apart);
    let pressing = [0.0, touch].into_iter().chain((1..=steps).map(|k| deepest * share(k)));
    let parting = (1..steps).map(|k| deepest * (1.0 - share(k))).chain([touch, 0.0]);
    let points: Vec<Point> = approaching
        .chain(pressing)
        .chain(parting)
        .chain((1..=steps).map(apart))
        .map(|overlap| Point { load: Load::Overlap(overlap), slip: [0.0; 2] })
        .collect();
    DrivenContact::new(bodies, 1.0)?.follow(&points)
}

/// Largest pull \[N\].
pub fn largest_pull(answers: &[Answer]) -> f64 {
    answers.iter().map(|a| -a.normal_force).fold(0.0, f64::max)
}

/// Distance of the surfaces at the last point with a pull, zero if it ends at touch \[m\].
pub fn last_pull(answers: &[Answer]) -> f64 {
    answers.iter().filter(|a| a.normal_force < 0.0).map(|a| -a.overlap).fold(0.0, f64::max)
}

/// Work put in along the loop, by the trapezoidal rule \[J\].
fn work(answers: &[Answer]) -> f64 {
    let step =
        |pair: &[Answer]| 0.5 * (pair[0].normal_force + pair[1].normal_force) * (pair[1].overlap - pair[0].overlap);
    answers.windows(2).map(step).sum()
}
