//! Convergence with the time step: every law, resistance and integrator in impacts and in sheared beds; and that the suite finds what does not.
#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "functions that tests share fail and tell as tests do")]

mod faulty_laws;

use std::sync::Arc;

use dem_contact::kernel::ForceKernel;
use dem_testkit::step_convergence::bed::{Bed, Drive};
use dem_testkit::step_convergence::convergence::Convergence;
use dem_testkit::step_convergence::impacts::{Directions, Impacts};
use dem_testkit::step_convergence::stated::{Claim, Stated};
use dem_testkit::step_convergence::subject::{NormalSpring, RESISTANCES, Subject, damped};
use dem_testkit::step_convergence::trials::{Extent, Outcome, Setting, Trial, trials};
use dem_testkit::worlds;
use faulty_laws::{AxisThatFollowsTheForce, CreepsByTheStep, DashpotKeptInTheSpring, kernel};
use rayon::prelude::*;

#[test]
fn halving_the_step_converges_in_impacts_and_in_beds_as_stated() {
    let trials = trials(Extent::Short, &worlds::all_laws());
    let outcomes: Vec<Outcome> = trials.par_iter().map(Trial::run).collect();
    let mut wrong = Vec::new();
    for outcome in &outcomes {
        let checked = outcome.check();
        if let Err(found) = checked {
            wrong.push(format!("{}, {}: {found}; {:?}", outcome.setting, outcome.case, outcome.found));
        }
    }
    println!("{} of {} trials as stated", outcomes.len() - wrong.len(), outcomes.len());
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

/// How far velocities, in approaches, and works, in the kinetic energy, of impacts whose slip goes along a line are from those with a hundredth
/// of it across.
fn across(subject: &Subject, division: usize) -> (f64, f64) {
    let run = |across: f64| {
        let impacts = Impacts { count: 64, directions: Directions::Line { across } };
        impacts.run(subject, division).unwrap()
    };
    let courses = [run(0.0), run(0.01)];
    let [of_state, of_work] = [Convergence::of_states(&courses), Convergence::of_works(&courses)];
    (of_state.first_to_last, of_work.first_to_last)
}

#[test]
fn a_hundredth_of_the_slip_across_changes_impacts_by_less_than_that() {
    for law in worlds::all_laws() {
        let subject = Subject::of_law(law, damped(law, RESISTANCES[0]));
        for division in [1, 16] {
            let (state, work) = across(&subject, division);
            // velocities across are a hundredth of the slip themselves, works change with its square
            let found = format!("{}, step/{division}: velocities {state:.1e}, works {work:.1e}", subject.name);
            println!("{found}");
            assert!(state < 5e-3 && work < 1e-4, "{found}");
        }
    }
}

/// Whether states and works converge with order one.
fn converges(subject: &Subject, setting: &Setting) -> Result<(), String> {
    let courses = setting.courses(subject)?;
    let [states, works] = [Convergence::of_states(&courses), Convergence::of_works(&courses)];
    println!("{}, {}: {states:.1?}, {works:.1?}", subject.name, setting.name());
    let first = Claim::order(1.0, f64::INFINITY);
    Stated { states: first, works: first }.check(&states, Some(&works))
}

#[test]
fn laws_without_a_limit_for_short_steps_are_found() {
    let impacts = Setting::Impacts(Impacts { count: 128, directions: Directions::Space });
    let bed = Setting::Bed(Arc::new(Bed::prepared(NormalSpring::Hertz, Drive::Cell, 4)));
    let hertz = |name: &str, kernel: fn() -> Box<dyn ForceKernel>| Subject::new(name, NormalSpring::Hertz, kernel);
    for subject in [
        hertz("creeps by the step", || kernel::<CreepsByTheStep>()),
        hertz("dashpot kept in the spring", || kernel::<DashpotKeptInTheSpring>()),
        hertz("axis that follows the force", || kernel::<AxisThatFollowsTheForce>()),
    ] {
        let found = [&impacts, &bed].map(|setting| converges(&subject, setting));
        println!("{}: {found:?}", subject.name);
        assert!(found.iter().any(Result::is_err), "{} is not found", subject.name);
    }
}
