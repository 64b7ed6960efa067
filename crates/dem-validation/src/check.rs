//! One comparison of a number with its reference.

/// Where a reference comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Tier {
    /// Numbers that a publication prints.
    Printed,
    /// Numbers that somebody measured.
    Measured,
    /// A closed form, a law of conservation or symmetry, exact arithmetic.
    ClosedForm,
    /// Numbers of code that shares nothing with the engine: another method, or another program.
    Independent,
    /// What this project asks for, or what its own code gives another way: a bound or a comparison of two runs.
    Own,
}

impl Tier {
    /// All, in the order in which they are counted.
    pub const ALL: [Self; 5] = [Self::Printed, Self::Measured, Self::ClosedForm, Self::Independent, Self::Own];

    /// As in tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Printed => "printed",
            Self::Measured => "measured",
            Self::ClosedForm => "closed form",
            Self::Independent => "independent code",
            Self::Own => "own",
        }
    }
}

/// What stands behind a reference, shared by the checks of a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Claim {
    /// Publication, or method.
    pub source: &'static str,
    /// Where it comes from.
    pub tier: Tier,
    /// What the check does not see.
    pub weakness: &'static str,
}

impl Claim {
    /// A result that must be within `tolerance` of a reference.
    pub fn close(&self, quantity: impl Into<String>, reference: f64, result: f64, tolerance: f64) -> Check {
        Check { quantity: quantity.into(), reference, result, tolerance, claim: *self }
    }

    /// A result that must be within a share of a reference.
    pub fn relative(&self, quantity: impl Into<String>, reference: f64, result: f64, share: f64) -> Check {
        self.close(quantity, reference, result, share * reference.abs())
    }

    /// A result that must agree with a printed number in all its `digits`.
    pub fn printed(&self, quantity: impl Into<String>, printed: f64, result: f64, digits: i32) -> Check {
        let unit = 10.0_f64.powi(printed.abs().log10().floor() as i32 - digits + 1);
        // printed numbers are rounded, and halves to either side
        self.close(quantity, printed, result, 0.5 * unit * (1.0 + 1e-9))
    }

    /// A result that must lie between two bounds.
    pub fn between(&self, quantity: impl Into<String>, low: f64, high: f64, result: f64) -> Check {
        self.close(quantity, 0.5 * (low + high), result, 0.5 * (high - low))
    }
}

/// Of a case that could not be run.
const UNABLE: Claim = Claim { source: "-", tier: Tier::Own, weakness: "could not be run" };

/// A comparison: passed if result and reference differ by no more than the tolerance.
#[derive(Clone, Debug, PartialEq)]
pub struct Check {
    /// What is compared, with its unit.
    pub quantity: String,
    /// What it should be.
    pub reference: f64,
    /// What it is.
    pub result: f64,
    /// Largest difference.
    pub tolerance: f64,
    /// What stands behind the reference.
    pub claim: Claim,
}

impl Check {
    /// Whether it passes; a result that is not a number does not.
    pub fn passes(&self) -> bool {
        (self.result - self.reference).abs() <= self.tolerance
    }

    /// A case that could not be run.
    pub(crate) fn unable(message: String) -> Self {
        Self { quantity: message, reference: f64::NAN, result: f64::NAN, tolerance: 0.0, claim: UNABLE }
    }

    /// Whether it stands for a case that could not be run.
    pub(crate) fn is_unable(&self) -> bool {
        self.claim == UNABLE
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CLAIM: Claim = Claim { source: "s", tier: Tier::ClosedForm, weakness: "" };

    #[test]
    fn differences_up_to_the_tolerance_pass() {
        assert!(CLAIM.close("x", 1.0, 1.25, 0.25).passes());
        assert!(!CLAIM.close("x", 1.0, 1.26, 0.25).passes());
        assert!(!CLAIM.close("x", 1.0, f64::NAN, 0.25).passes());
        assert!(CLAIM.relative("x", -2.0, -2.1, 0.06).passes());
        assert!(CLAIM.between("x", 28.1, 28.3, 28.11).passes() && !CLAIM.between("x", 28.1, 28.3, 28.31).passes());
        assert!(!Check::unable("failed".into()).passes());
    }

    #[test]
    fn printed_digits_are_half_a_unit_of_the_last_one() {
        assert!(CLAIM.printed("x", 1.61e-3, 1.6149e-3, 3).passes());
        assert!(!CLAIM.printed("x", 1.61e-3, 1.6151e-3, 3).passes());
        assert!(CLAIM.printed("x", 258.0, 257.51, 3).passes());
        assert!(!CLAIM.printed("x", 6.21, 6.216, 3).passes());
    }
}
