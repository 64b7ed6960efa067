//! Laws that depart from a property by design, with the reason.

/// A law that does not have a property, and is not meant to.
#[derive(Clone, Copy, Debug)]
pub struct Departure {
    /// Name of the law.
    pub law: &'static str,
    /// Name of the property.
    pub property: &'static str,
    /// Why.
    pub reason: &'static str,
}

/// A parameter that a law declares, and that has no effect.
#[derive(Clone, Copy, Debug)]
pub struct IdleParameter {
    /// Name of the law.
    pub law: &'static str,
    /// Name of the parameter.
    pub parameter: &'static str,
    /// Why.
    pub reason: &'static str,
}

/// All of them.
pub const DEPARTURES: &[Departure] = &[
    Departure {
        law: "mindlin-total",
        property: CYCLES,
        reason: "the force is the present stiffness times the whole elastic slip: a slip s taken at k₁ costs ½ k₁ s² and gives back ½ k₂ s² \
                 if the load has grown meanwhile, a gain of ½ (k₂ − k₁) s² from nothing. Kept for comparison with published results",
    },
    Departure {
        law: "balevicius",
        property: CYCLES,
        reason: "a contact that slides over a short way s while the load grows to N_A takes ∫ μN ds, and on the way back gives \
                 μN_A s (1 − 2 (s/δ_u)^p/(1 + p)), which is more; the ledger books it as negative friction work. Published for constant N",
    },
    Departure { law: "mindlin-deresiewicz", property: NEVER_FALL, reason: TRAPEZOID },
    Departure { law: "mdr", property: NEVER_FALL, reason: TRAPEZOID },
    Departure {
        law: "balevicius",
        property: NEVER_FALL,
        reason: "what a transition gives back after a reversal is booked as friction undone: no state of the law tells what it holds",
    },
];

const NEVER_FALL: &str = "works never fall";

const TRAPEZOID: &str = "friction is the work of the step by the trapezoid of its ends minus what the energy grows by, so that the sum is exact: a step that \
     reverses the force beyond what the trapezoid resolves takes back up to 0.1 % of the work on the random path; on smooth ones it falls with the step";

const CYCLES: &str = "closed cycles";

/// Parameters that a law declares and never takes.
pub const IDLE_PARAMETERS: &[IdleParameter] = &[
    IdleParameter { law: "mindlin", parameter: "stiffness_ratio", reason: NO_CONSTANT },
    IdleParameter { law: "mindlin-total", parameter: "stiffness_ratio", reason: NO_CONSTANT },
];

const NO_CONSTANT: &str = "refused: it is a share of a constant normal stiffness, which Hertz does not have";
