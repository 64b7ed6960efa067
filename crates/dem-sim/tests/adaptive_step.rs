//! An adaptive time step: short where bodies collide, long where they fly, and as good as the short one throughout.

#![allow(clippy::unwrap_used, reason = "a test fails by it")]

use dem_core::DVec3;
use dem_sim::builder;
use dem_sim::simulation::Simulation;

const RADIUS: f64 = 0.01;
const SPEED: f64 = 5.0;

/// A sphere that flies from `start` \[m\] towards another one, or towards a wall.
fn simulation(time: &str, wall: bool, start: f64) -> Simulation {
    let wall = if wall {
        "[[walls]]\nname = \"stop\"\nmaterial = \"steel\"\nshape = { type = \"plane\", point = [0.1, 0, 0], normal = [-1, 0, 0] }"
    } else {
        ""
    };
    let sources: String = (0..if wall.is_empty() { 2 } else { 1 })
        .map(|k| {
            format!(
                "[[particles]]\nname = \"{k}\"\nmaterial = \"steel\"\nsizes = {{ type = \"single\", radius = {RADIUS} }}\n\
                 region = {{ type = \"box\", min = [{k}, 0, 0], max = [{k}.05, 1, 1] }}\nfill = {{ type = \"random\", count = 1 }}\n\
                 velocity = [{SPEED}, 0, 0]\n"
            )
        })
        .collect();
    let text = format!(
        "[fields]\ngravity = [0, 0, 0]\n[time]\nend = 0.03\n{time}\n[domain]\nmin = [-1, -1, -1]\nmax = [2, 2, 2]\n\
         [materials.steel]\ndensity = 2500\nyoung_modulus = 1e10\npoisson_ratio = 0.25\n\
         [contact]\nlaw = \"hertz-mindlin\"\nfriction = 0\ndamping_ratio = 0\n{wall}\n{sources}"
    );
    let mut simulation = builder::build(&builder::parse_scene("impact", &text, &[]).unwrap()).unwrap();
    let p = &mut simulation.world.particles;
    p.position[0] = DVec3::X * start;
    if p.len() == 2 {
        p.position[1] = DVec3::X * 0.1;
        p.velocity[1] = DVec3::X * -SPEED;
    }
    simulation.initialise().unwrap();
    simulation
}

fn automatic(wall: bool) -> String {
    format!("expected_speed = {}", if wall { SPEED } else { 2.0 * SPEED })
}

/// What a run came to.
struct Course {
    /// Longest steps before, in and after the contact \[s\].
    longest: [f64; 3],
    /// Steps in all, and of contact.
    steps: [u64; 2],
    /// Relative change of the energy.
    energy: f64,
    /// Largest relative overlap.
    deepest: f64,
    criterion_of_contact: String,
}

fn course(mut simulation: Simulation) -> Course {
    let energy = |simulation: &Simulation| simulation.world.energy().kinetic();
    let before = energy(&simulation);
    let (mut longest, mut touched, mut phase) = ([0.0f64; 3], 0, 0);
    let mut criterion = String::new();
    while simulation.state.stopped.is_none() {
        let step = simulation.world.time_step;
        simulation.advance().unwrap();
        let count = simulation.world.contact_count();
        let touches = count.pairs + count.walls > 0;
        if touches {
            (phase, touched) = (1, touched + 1);
            criterion.clone_from(&simulation.state.time_step_criterion);
        } else if phase == 1 {
            phase = 2;
        }
        longest[phase] = longest[phase].max(step);
    }
    assert_eq!(phase, 2, "they met and parted");
    Course {
        longest,
        steps: [simulation.world.step, touched],
        energy: energy(&simulation) / before - 1.0,
        deepest: simulation.world.peak_overlap_ratio,
        criterion_of_contact: criterion,
    }
}

#[test]
fn step_shrinks_before_a_fast_stiff_impact_and_grows_again() {
    for wall in [false, true] {
        let adaptive = course(simulation("step = \"adaptive\"", wall, 0.0));
        let automatic = simulation(&automatic(wall), wall, 0.0);
        let (r, m) = if wall { (1.0, 1.0) } else { (0.5, 0.5) };
        let (r, m) = (r * RADIUS, m * automatic.world.particles.mass[0]);
        let speed = if wall { SPEED } else { 2.0 * SPEED };
        let resolved = 0.04 * automatic.world.kernels[0].contact_duration(0, 0, r, m, speed);
        let fixed = course(automatic);
        let [before, contact, after] = adaptive.longest;
        // in flight a hundredth of the radius per step
        let free = 0.9 * 0.01 * RADIUS / SPEED;
        assert!(before > 0.7 * free && after > 0.7 * free && before <= free && after <= free, "{:?}", adaptive.longest);
        assert!(contact <= resolved && contact > 0.8 * resolved, "{contact:e}, {resolved:e}");
        assert_eq!(adaptive.criterion_of_contact, "contact duration");
        assert!(adaptive.steps[1] >= 24, "{:?}", adaptive.steps);
        assert!(2 * adaptive.steps[0] < fixed.steps[0], "{:?}, {:?}", adaptive.steps, fixed.steps);
        assert!((adaptive.deepest / fixed.deepest - 1.0).abs() < 5e-3);
    }
}

/// Where within a step a contact begins decides on the error of an impact: many starts are compared.
#[test]
fn elastic_impacts_keep_their_energy_as_with_the_short_step_throughout() {
    for wall in [false, true] {
        let error = |time: &str| {
            let one = |start: u32| course(simulation(time, wall, 1e-5 * f64::from(start))).energy.powi(2);
            ((0..24).map(one).sum::<f64>() / 24.0).sqrt()
        };
        let (adaptive, fixed) = (error("step = \"adaptive\""), error(&automatic(wall)));
        assert!(adaptive < 2.0 * fixed && adaptive < 5e-4, "wall {wall}: {adaptive:e}, {fixed:e}");
    }
}

#[test]
fn adaptive_step_stays_in_its_range() {
    let mut bounded = simulation("step = \"adaptive\"\nsmallest_step = \"5 us\"\nlargest_step = \"8 us\"", false, 0.0);
    while bounded.state.stopped.is_none() {
        bounded.advance().unwrap();
    }
    // the impact asks for 3 us
    assert_eq!(bounded.state.steps_taken, [5e-6, 8e-6]);
    assert_eq!(bounded.state.time_step_criterion, "largest step");
}

/// Elastic spheres in a box: energy under a step that changes all the time against the automatic one.
#[test]
fn gas_of_elastic_spheres_keeps_its_energy_as_with_the_automatic_step() {
    let run = |time: &str| {
        let text = format!(
            "seed = 3\n[fields]\ngravity = [0, 0, 0]\n[time]\nend = 0.4\n{time}\n[domain]\nmin = [0, 0, 0]\nmax = [1, 1, 1]\nx = \"reflect\"\n\
             y = \"reflect\"\nz = \"reflect\"\n[materials.steel]\ndensity = 2500\nyoung_modulus = 1e9\npoisson_ratio = 0.25\n\
             [contact]\nlaw = \"hertz-mindlin\"\nfriction = 0\ndamping_ratio = 0\n\
             [[particles]]\nname = \"a\"\nmaterial = \"steel\"\nsizes = {{ type = \"single\", radius = 0.05 }}\n\
             region = {{ type = \"box\", min = [0, 0, 0], max = [1, 1, 0.5] }}\nfill = {{ type = \"random\", count = 30 }}\nvelocity = [1, 2, 3]\n\
             [[particles]]\nname = \"b\"\nmaterial = \"steel\"\nsizes = {{ type = \"single\", radius = 0.03 }}\n\
             region = {{ type = \"box\", min = [0, 0, 0.5], max = [1, 1, 1] }}\nfill = {{ type = \"random\", count = 30 }}\nvelocity = [-2, 1, -3]\n"
        );
        let mut simulation = builder::build(&builder::parse_scene("gas", &text, &[]).unwrap()).unwrap();
        simulation.initialise().unwrap();
        let held = |simulation: &Simulation| {
            let energy = simulation.world.energy();
            energy.kinetic() + energy.elastic_normal
        };
        let before = held(&simulation);
        while simulation.state.stopped.is_none() {
            simulation.advance().unwrap();
        }
        (held(&simulation) / before - 1.0, simulation.world.step, simulation.state.steps_taken)
    };
    let (automatic, adaptive) = (run("expected_speed = \"10 m/s\""), run("step = \"adaptive\""));
    let [shortest, longest] = adaptive.2;
    assert!(longest > 1.5 * shortest, "{adaptive:?}");
    // several impacts of each sphere, with some 4e-4 of its energy each
    assert!(automatic.0.abs() < 2e-3 && adaptive.0.abs() < 2e-3, "{automatic:?} {adaptive:?}");
}

#[test]
fn range_needs_an_adaptive_step_and_must_not_be_empty() {
    let error = |time: &str| {
        let text = format!(
            "[materials.a]\ndensity = 1\nyoung_modulus = 1\npoisson_ratio = 0\n[contact]\nlaw = \"linear\"\nnormal_stiffness = 1\nfriction = 0\ndamping_ratio = 0\n[time]\n{time}\n\
            [[particles]]\nname = \"s\"\nmaterial = \"a\"\nsizes = {{ type = \"single\", radius = 0.1 }}\nregion = {{ type = \"box\", min = [0, 0, 0], max = [1, 1, 1] }}\nfill = {{ type = \"random\", count = 1 }}\n"
        );
        match builder::build(&builder::parse_scene("range", &text, &[]).unwrap()) {
            Ok(_) => String::new(),
            Err(error) => error.to_string(),
        }
    };
    for (time, message) in [
        ("largest_step = 1", "expected only together with step = \"adaptive\""),
        ("step = \"auto\"\nsmallest_step = 1", "expected only together with step = \"adaptive\""),
        ("step = \"adaptive\"\nsmallest_step = -1", "value > 0"),
        ("step = \"adaptive\"\nsmallest_step = 2\nlargest_step = 1", "0 < value <= largest_step = 1e0 s"),
        ("step = \"adaptiv\"", "\"adaptive\""),
    ] {
        let found = error(time);
        assert!(found.contains(message), "{time}: {found}");
    }
    assert_eq!(error("step = \"adaptive\"\nlargest_step = 1e-30"), "", "the default gives way");
}
