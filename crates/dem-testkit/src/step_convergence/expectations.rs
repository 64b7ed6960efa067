//! What is stated of the cases: orders and distances, and where a case departs from them, with the reason.

use dem_contact::ParameterValue;
use dem_contact::registry;
use dem_core::history::{FieldRole, FieldSpec};

use super::case::{Case, Setting};
use super::stated::{Claim, Manner, Stated};
use super::subject::NormalSpring;

/// What is stated of a case in a setting.
pub fn of(case: &Case, setting: &Setting) -> Stated {
    if case.is_elastic {
        return springs_alone(case);
    }
    match setting {
        Setting::Impacts(_) => in_impacts(case),
        Setting::Bed(_) => in_a_bed(case),
    }
}

/// The order of the integrator, but two at most: the force has a kink where a contact begins.
fn springs_alone(case: &Case) -> Stated {
    let is_of_first_order = case.scheme.as_ref().is_some_and(|scheme| scheme.integrator == "semi-implicit-euler");
    let states = if is_of_first_order { Claim::order(1.0, 0.015) } else { Claim::order(2.0, 1e-3) };
    // nothing is dissipated
    Stated { states, works: Claim::order(0.0, 0.0) }
}

const ROOM: &str = "a contact remembers nine branches of its history, and which ones become one for want of room differs from step to step; with turning_points = 64 the                     order is one";
const CANCEL: &str = "errors of either sign cancel at the automatic step, where the works are off by 3e-5 of the kinetic energy; from half of it on the order is one";
const DROPPED: &str = "the force of the dashpot goes and comes at once where the contact begins and ceases to slide";
const VELOCITY: &str =
    "the sliding force follows the slip velocity and changes its sign in every step once that has passed zero";
const DISPLACEMENT: &str = "the sliding force flips to the side of the elastic displacement once that has passed zero";
const SAW_TOOTH: &str = "the force of a sliding contact is a saw-tooth between both limits, a tooth every few steps";
const JUMP_AT_REVERSAL: &str = "the force jumps at a reversal within a transition, by more the smaller the loop";
const KEPT: &str = "the spring keeps the force of the dashpot when the load is gone and its stiffness fades, and with it its energy grows without bound; \
                    forces converge";
const CANCEL_IN_BED: &str = "errors of either sign cancel at the automatic step; from half of it on the order is one";
const GIVES_WAY: &str =
    "which contact gives way first differs from step to step, and it gives what it carried to its neighbours";
const fn jumps(largest: f64, reason: &'static str) -> Claim {
    Claim { manner: Manner::Jumps { largest, reason }, distance: 2.0 * largest }
}

/// Name and word of an option.
fn option(case: &Case) -> (&str, &str) {
    match &case.option {
        Some((name, ParameterValue::Word(word))) => (name, word),
        Some((name, _)) => (name, ""),
        None => ("", ""),
    }
}

/// Whether the stiffness of the tangential spring follows the area of contact, where the law has such a spring.
fn has_an_area(case: &Case) -> bool {
    case.subject().normal == NormalSpring::Hertz
}

/// Whether the law dissipates in a way of its own, as by plastic deformation or adhesion.
fn has_work_of_its_own(case: &Case) -> bool {
    let is_further = |field: &FieldSpec| matches!(field.role, FieldRole::Further(_));
    registry::find(case.law).is_some_and(|entry| (entry.fields)().iter().any(is_further))
}

fn in_impacts(case: &Case) -> Stated {
    // the force of an adhesive contact jumps where it is torn apart, as that of a dashpot does where it forms
    let distance = if has_work_of_its_own(case) { 2e-3 } else { 1e-3 };
    let usual = Stated { states: Claim::order(1.0, 5e-3), works: Claim::order(1.0, distance) };
    let is_first_order = case.scheme.as_ref().is_some_and(|scheme| scheme.integrator == "semi-implicit-euler");
    match option(case) {
        ("sliding_direction", "velocity") if case.law == "edinburgh" => {
            Stated { states: Claim::order(1.0, 0.02), ..usual }
        }
        ("sliding_direction", "velocity") => Stated { states: Claim::departs(VELOCITY), ..usual },
        ("sliding_flag", _) if case.law == "luding" => Stated { states: jumps(5e-3, SAW_TOOTH), ..usual },
        ("sliding_direction", "displacement") => Stated { states: Claim::departs(DISPLACEMENT), ..usual },
        ("sliding_dashpot", "lammps") if has_an_area(case) => {
            Stated { states: Claim::order(1.0, 0.05), works: Claim::departs(KEPT) }
        }
        ("sliding_dashpot", "dropped") => Stated { states: jumps(0.05, DROPPED), works: jumps(0.01, DROPPED) },
        // dashpots that take more work than spring and slider do
        ("sliding_dashpot", _) => Stated { works: Claim::order(1.0, 0.01), ..usual },
        _ if case.law == "mindlin-deresiewicz" && case.resistance.0 == "none" => {
            Stated { works: jumps(2.5e-5, CANCEL), ..usual }
        }
        // what stops within a few steps: a spring that is as stiff as the step allows
        _ if case.resistance.0 == "constant-torque" => Stated { states: Claim::order(1.0, 8e-3), ..usual },
        _ if is_first_order => Stated { states: Claim::order(1.0, 0.01), ..usual },
        _ => usual,
    }
}

fn in_a_bed(case: &Case) -> Stated {
    let usual = Stated { states: Claim::order(1.0, 3e-4), works: Claim::order(1.0, 3e-4) };
    match option(case) {
        // an order by chance: differences of this size come and go
        ("sliding_flag", _) if ["dmt", "luding"].contains(&case.law) => {
            Stated { states: jumps(5e-3, SAW_TOOTH), works: jumps(5e-3, SAW_TOOTH) }
        }
        ("sliding_flag", _) => Stated { states: Claim::departs(SAW_TOOTH), works: Claim::departs(SAW_TOOTH) },
        // it chatters all the same, by less the shorter the step
        ("sliding_direction", "velocity") => Stated { states: Claim::order(1.0, 0.03), works: Claim::order(1.0, 0.15) },
        ("sliding_direction", "displacement") => {
            Stated { states: Claim::departs(DISPLACEMENT), works: Claim::departs(DISPLACEMENT) }
        }
        ("sliding_dashpot", "lammps") if has_an_area(case) => Stated { works: Claim::departs(KEPT), ..usual },
        ("sliding_dashpot", "dropped") => Stated { states: jumps(2e-4, DROPPED), works: jumps(2e-4, DROPPED) },
        ("hysteresis_branch", "non-incremental") => {
            Stated { states: Claim::departs(JUMP_AT_REVERSAL), works: Claim::departs(JUMP_AT_REVERSAL) }
        }
        ("sliding_dashpot", "outside") if case.law == "walton-braun" => {
            Stated { states: jumps(4e-5, CANCEL_IN_BED), ..usual }
        }
        ("sliding_dashpot", "lammps") if case.law == "luding" => Stated { works: Claim::order(1.0, 5e-4), ..usual },
        ("dynamic_friction", _) if case.law == "luding" => {
            Stated { states: jumps(5e-3, GIVES_WAY), works: jumps(5e-3, GIVES_WAY) }
        }
        // a contact that gives way gives what it carried to its neighbours
        ("dynamic_friction" | "friction_law", _) => {
            Stated { states: Claim::order(1.0, 3e-3), works: Claim::order(1.0, 3e-3) }
        }
        // contacts at rest turn by an angle of second order in the step
        _ if case.resistance.0 == "constant-torque" && case.law != "balevicius" => {
            Stated { states: Claim::order(1.0, 0.02), works: Claim::order(1.0, 0.04) }
        }
        ("turning_points", _) => usual,
        _ if case.law == "mindlin-deresiewicz" => Stated { states: jumps(3e-5, ROOM), works: jumps(3e-5, ROOM) },
        // the tangent stiffness is infinite after each reversal
        _ if case.law == "balevicius" => Stated { states: Claim::order(1.0, 0.06), works: Claim::order(1.0, 0.05) },
        // uncorrected forms, PECE above all, lag behind the plate
        _ if case.scheme.is_some() => Stated { states: Claim::order(1.0, 2e-3), ..usual },
        _ => usual,
    }
}
