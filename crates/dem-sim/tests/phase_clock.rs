//! The clock that a run times its steps with: what it says, and what it costs.
#![expect(clippy::unwrap_used, reason = "helpers of tests")]

use std::time::{Duration, Instant};

use dem_sim::builder;
use dem_sim::simulation::Simulation;
use dem_sim::timing::{Phase, PhaseClock};

/// Grains on a floor.
const GRAINS: &str = r#"
seed = 1
[domain]
min = ["0 mm", "0 mm", "-5 mm"]
max = ["SIDE", "SIDE", "200 mm"]
x = "periodic"
y = "periodic"
[fields]
gravity = [0, 0, -9.81]
[materials.glass]
density = 2500
young_modulus = 2e7
poisson_ratio = 0.25
[contact]
law = "hertz-mindlin"
friction = 0.4
restitution = 0.5
[[walls]]
name = "floor"
material = "glass"
shape = { type = "plane", normal = [0, 0, 1] }
[[particles]]
name = "grains"
material = "glass"
sizes = { type = "uniform", min = "2.1 mm", max = "2.9 mm" }
region = { type = "box", min = [0, 0, 0], max = ["SIDE", "SIDE", "50 mm"] }
fill = { type = "random", count = COUNT }
[[stages]]
name = "settle"
until = { steps = 100000000 }
"#;

fn grains(count: usize, side: &str) -> Simulation {
    let scene = GRAINS.replace("COUNT", &count.to_string()).replace("SIDE", side);
    let mut simulation = builder::build(&builder::parse_scene("grains", &scene, &[]).unwrap()).unwrap();
    simulation.initialise().unwrap();
    simulation
}

/// Takes steps as a run does between two outputs.
fn advance(simulation: &mut Simulation, mut steps: u64) {
    while steps > 0 {
        steps -= simulation.advance_unseen(f64::INFINITY, steps.min(16)).unwrap();
    }
}

fn all_phases(clock: &PhaseClock) -> Duration {
    Phase::ALL.map(|phase| clock.spent(phase)).iter().sum()
}

#[test]
fn a_sample_of_the_steps_tells_about_as_much_time_as_all_of_them() {
    let mut simulation = grains(20, "25 mm");
    advance(&mut simulation, 2_000);
    for (clock, least) in [(PhaseClock::default(), 0.5), (PhaseClock::sampling(), 0.2)] {
        simulation.pipeline.forces.clock = Some(clock);
        let begun = Instant::now();
        advance(&mut simulation, 30_000);
        let passed = begun.elapsed();
        let clock = simulation.pipeline.forces.clock.take().unwrap();
        assert_eq!(clock.steps(), 30_000);
        // what passes between phases and steps is the machine's, which may be busy and hit what was sampled
        let told = all_phases(&clock);
        assert!(told > passed.mul_f64(least) && told < passed * 5, "{told:?} of {passed:?}");
        for phase in [Phase::Motion, Phase::Law, Phase::Walls, Phase::Gather, Phase::Checks] {
            assert!(clock.spent(phase) > Duration::ZERO, "{phase:?}");
        }
    }
}

/// Steps with and without the clock in turns, as ratios of neighbours.
#[test]
#[ignore = "measures time on a quiet machine: cargo test --release -p dem-sim --test all cost_of_the_clock -- --ignored --nocapture"]
fn cost_of_the_clock() {
    for (count, side) in [(2, "25 mm"), (20, "25 mm"), (200, "50 mm")] {
        let mut simulation = grains(count, side);
        advance(&mut simulation, 50_000);
        let steps = 200_000 / (count as u64 + 8);
        let mut ratios: Vec<f64> = Vec::new();
        let mut timed = 0;
        let mut each = f64::INFINITY;
        let mut clock = PhaseClock::sampling();
        for turn in 0..400 {
            let mut seconds = [0.0; 2];
            for place in [turn % 2, 1 - turn % 2] {
                simulation.pipeline.forces.clock = (place == 1).then_some(clock);
                let begun = Instant::now();
                advance(&mut simulation, steps);
                seconds[place] = begun.elapsed().as_secs_f64();
                if let Some(used) = simulation.pipeline.forces.clock.take() {
                    clock = used;
                    timed = clock.timed_steps();
                }
            }
            ratios.push(seconds[1] / seconds[0]);
            each = each.min(seconds[0] / steps as f64);
        }
        ratios.sort_by(f64::total_cmp);
        let at = |share: f64| 100.0 * (ratios[(share * ratios.len() as f64) as usize] - 1.0);
        let spread = 1.96 * 0.5 * (ratios.len() as f64).sqrt() / ratios.len() as f64;
        println!(
            "{count} grains, {:.2} us a step: the clock costs {:.2} % ({:.2} to {:.2} %), {timed} of {} steps timed",
            1e6 * each,
            at(0.5),
            at(0.5 - spread),
            at(0.5 + spread),
            clock.steps()
        );
    }
}
