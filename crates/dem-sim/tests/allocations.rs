//! Once it has run for a while, a step asks the system for memory only if it rebuilds the contact list.
#![expect(clippy::unwrap_used, reason = "helpers of tests")]

use dem_contact::contact_forces::TrailFrom;
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

/// Steps without a rebuild, how many of them asked for no memory, and the largest number of times that one of them did; if it `trails`, with
/// sums that trail the pass of the law and steps that nobody sees.
fn allocations(law: &str, parameters: &str, trails: bool) -> (u32, u32, u64) {
    let scene = BED.replace("LAW", law).replace("PARAMETERS", parameters);
    let loaded = builder::parse_scene("bed", &scene, &[]).unwrap();
    let mut simulation = builder::build(&loaded).unwrap();
    if trails {
        simulation.pipeline.forces.trail_from = TrailFrom::ALWAYS;
    }
    let look = if trails { f64::INFINITY } else { f64::NEG_INFINITY };
    // the thread that counts does all the work
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    pool.install(|| {
        simulation.initialise().unwrap();
        for _ in 0..20000 {
            simulation.advance_unseen(look, 1).unwrap();
        }
        let (mut steps, mut without, mut most) = (0, 0, 0);
        for _ in 0..400 {
            let rebuilds = simulation.pipeline.forces.rebuilds;
            let counted = allocation_counter::measure(|| _ = simulation.advance_unseen(look, 1).unwrap());
            if simulation.pipeline.forces.rebuilds == rebuilds {
                steps += 1;
                without += u32::from(counted.count_total == 0);
                most = most.max(counted.count_total);
            }
        }
        assert!(simulation.world.contact_count().pairs > 200);
        assert_eq!(simulation.world.forces.is_trailing(), trails);
        (steps, without, most)
    })
}

#[test]
fn a_step_as_such_allocates_nothing() {
    for (law, parameters, trails) in [
        ("hertz-mindlin", "restitution = 0.5", false),
        ("hertz-mindlin", "restitution = 0.5", true),
        ("linear", "restitution = 0.5\nnormal_stiffness = 1e4", false),
    ] {
        let (steps, without, most) = allocations(law, parameters, trails);
        assert!(steps > 100, "{law}: {steps}");
        // contacts begin and end in up to half of the steps: when more end at once than ever before, the list of those grows
        assert!(20 * without >= 19 * steps && most <= 2, "{law}: {without} of {steps} steps, at most {most} times");
    }
}
