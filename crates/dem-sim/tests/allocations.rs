//! Once it has run for a while, a step asks the system for memory only if it rebuilds the contact list.
#![expect(clippy::unwrap_used, reason = "helpers of tests")]

use dem_contact::contact_forces::SweepPolicy;
use dem_sim::builder;

/// A bed of two layers on a floor between walls, one material of which obeys another law.
const BED: &str = r#"
[fields]
gravity = [0, 0, -9.81]
[materials.a]
density = 2500
young_modulus = 1e7
poisson_ratio = 0.25
[contact]
law = "LAW"
friction = 0.4
PARAMETERS
[[walls]]
name = "vessel"
material = "a"
shape = { type = "cylinder", base = ["10 mm", "10 mm", "-1 mm"], axis = [0, 0, 1], radius = "10 mm", height = "61 mm" }
[[walls]]
name = "floor"
material = "a"
shape = { type = "plane", normal = [0, 0, 1] }
[[particles]]
name = "beads"
material = "a"
sizes = { type = "uniform", min = "0.9 mm", max = "1.1 mm" }
region = { type = "cylinder", base = ["10 mm", "10 mm", "1 mm"], radius = "10 mm", height = "15 mm" }
fill = { type = "random", count = 300 }
velocity = [0, 0, -0.5]
[[stages]]
name = "settle"
until = { steps = 1000000 }
"#;

/// How steps are taken.
#[derive(Clone, Copy, PartialEq)]
enum Steps {
    /// One by one, each of which may be looked at.
    Seen,
    /// One by one, with sums taken within the pass over contacts, and nobody looks.
    Streaming,
    /// Four in one go, the first three of which end together with the beginning of the next.
    InOneGo,
}

/// Steps without a rebuild, how many of them asked for no memory, and the largest number of times that one of them, or some in one go, did.
fn allocations(law: &str, parameters: &str, taken: Steps) -> (u64, u64, u64) {
    let scene = BED.replace("LAW", law).replace("PARAMETERS", parameters);
    let loaded = builder::parse_scene("bed", &scene, &[]).unwrap();
    let mut simulation = builder::build(&loaded).unwrap();
    let streams = taken == Steps::Streaming;
    if streams {
        simulation.pipeline.forces.sweep_policy = SweepPolicy::ALWAYS;
    }
    let look = if taken == Steps::Seen { f64::NEG_INFINITY } else { f64::INFINITY };
    let in_one_go = if taken == Steps::InOneGo { 4 } else { 1 };
    // the thread that counts does all the work
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    pool.install(|| {
        simulation.initialise().unwrap();
        while simulation.world.step < 20_000 {
            simulation.advance_unseen(look, in_one_go).unwrap();
        }
        let (mut steps, mut without, mut most) = (0, 0, 0);
        while simulation.world.step < 20_400 {
            let mut taken_at_once = 0;
            let rebuilds = simulation.pipeline.forces.rebuilds;
            let counted =
                allocation_counter::measure(|| taken_at_once = simulation.advance_unseen(look, in_one_go).unwrap());
            if simulation.pipeline.forces.rebuilds == rebuilds {
                steps += taken_at_once;
                without += if counted.count_total == 0 { taken_at_once } else { 0 };
                most = most.max(counted.count_total);
            }
        }
        assert!(simulation.world.contact_count().pairs > 200);
        assert_eq!(simulation.world.forces.is_streaming(), streams);
        assert_eq!(simulation.pipeline.forces.begun_early > 10_000, taken == Steps::InOneGo);
        (steps, without, most)
    })
}

#[test]
fn a_step_as_such_allocates_nothing() {
    for (law, parameters, taken) in [
        ("hertz-mindlin", "restitution = 0.5", Steps::Seen),
        ("hertz-mindlin", "restitution = 0.5", Steps::Streaming),
        ("hertz-mindlin", "restitution = 0.5", Steps::InOneGo),
        ("linear", "restitution = 0.5\nnormal_stiffness = 1e4", Steps::Seen),
    ] {
        let (steps, without, most) = allocations(law, parameters, taken);
        assert!(steps > 100, "{law}: {steps}");
        // contacts begin and end in up to half of the steps: when more end at once than ever before, the list of those grows
        assert!(20 * without >= 19 * steps && most <= 2, "{law}: {without} of {steps} steps, at most {most} times");
    }
}
