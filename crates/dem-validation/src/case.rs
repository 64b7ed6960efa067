//! What a validation case is, and what it finds.

use dem_report::report::Figure;
use dem_report::table::Table;
use dem_studies::error::StudyError;

use crate::check::{Check, Claim};

/// How much work a case may make of its checks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effort {
    /// What a few seconds suffice for.
    Quick,
    /// The finest resolution.
    Full,
}

impl Effort {
    /// One of two values.
    pub fn pick<T>(self, quick: T, full: T) -> T {
        match self {
            Self::Quick => quick,
            Self::Full => full,
        }
    }
}

/// A validation case.
#[derive(Clone, Copy)]
pub struct Case {
    /// Name on the command line.
    pub name: &'static str,
    /// What it is about, in a sentence.
    pub summary: &'static str,
    /// What stands behind its references; every check refers to one of them.
    pub claims: &'static [Claim],
    /// Runs it.
    pub run: fn(Effort) -> Result<Findings, StudyError>,
}

/// What a case found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Findings {
    /// Comparisons.
    pub checks: Vec<Check>,
    /// Tables for the page.
    pub tables: Vec<Table>,
    /// Figures for the page.
    pub figures: Vec<Figure>,
    /// What else is to be said, a sentence each.
    pub notes: Vec<String>,
}
