//! A state on the way of a test that is reached so slowly that it can be probed while it moves.

use dem_report::progress::Teller;
use dem_sim::checkpoint;
use serde::{Deserialize, Serialize};

use super::{Prepared, come_to_rest, marked, q_over_p};
use crate::error::StudyError;
use crate::triaxial::options::Options;
use crate::triaxial::point::Point;

/// How a state is reached.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Approach {
    /// q/p up to which the sample is sheared as the scene says.
    pub fast_to: f64,
    /// Factor of the rates from there on.
    pub factor: f64,
    /// q/p of the state.
    pub q_over_p: f64,
}

/// The state, in motion and at rest.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Approached {
    /// When q/p was reached.
    pub reached: Point,
    /// At rest, in a cell that holds still.
    pub at_rest: Point,
    /// Share of contacts at or within 0.001 % of the friction limit when it was reached, and at rest.
    pub mobilised: [f64; 2],
    /// Checkpoint of when it was reached.
    pub moving: Vec<u8>,
    /// Checkpoint at rest.
    pub resting: Vec<u8>,
}

/// How far an approach is.
#[derive(Default, Serialize, Deserialize)]
struct Progress {
    is_slow: bool,
    found: Option<Approached>,
}

impl Prepared<'_> {
    /// Follows the last stage up to a q/p, slowly at the end, and lets the sample come to rest there. None if it ends before.
    ///
    /// # Errors
    /// A step that fails, a file of the unfinished test that cannot be used.
    pub fn approach(&self, options: &Options, approach: &Approach) -> Result<Option<Approached>, StudyError> {
        let settings = format!("{approach:?} {} {}", options.axis, self.sample_key());
        let mut part = self.unfinished.part("approach", &self.loaded.resolved(), &settings);
        let (mut progress, state) =
            part.read::<Progress>()?.unwrap_or_else(|| (Progress::default(), self.state.clone()));
        if progress.found.is_some() {
            return Ok(progress.found);
        }
        let factor = |progress: &Progress| if progress.is_slow { approach.factor } else { 1.0 };
        let mut simulation = self.restored_at(&state, factor(&progress))?;
        let teller = Teller::begin();
        while simulation.state.stopped.is_none() {
            simulation.advance()?;
            let reached = q_over_p(&simulation);
            teller.tell(|| format!("on the way to a state: q/p {reached:.3} of {:.3}", approach.q_over_p));
            if progress.is_slow && reached >= approach.q_over_p {
                let moving = checkpoint::save(&simulation, &self.fingerprint)?;
                let (reached, moving_share) = marked(&simulation, options.axis)?;
                come_to_rest(&mut simulation)?;
                let (at_rest, resting_share) = marked(&simulation, options.axis)?;
                let resting = checkpoint::save(&simulation, &self.fingerprint)?;
                let mobilised = [moving_share, resting_share];
                progress.found = Some(Approached { reached, at_rest, mobilised, moving, resting });
                part.write(&progress, &[])?;
                break;
            }
            if !progress.is_slow && reached >= approach.fast_to {
                progress.is_slow = true;
                let state = checkpoint::save(&simulation, &self.fingerprint)?;
                simulation = self.restored_at(&state, factor(&progress))?;
            }
            part.keep(&progress, || checkpoint::save(&simulation, &self.fingerprint).map_err(StudyError::from))?;
        }
        Ok(progress.found)
    }
}
