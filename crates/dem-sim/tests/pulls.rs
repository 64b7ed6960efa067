//! A pull laid over laws in lanes: the bits of one contact at a time, and the same forces with and without resistance beside it.
#![expect(clippy::unwrap_used, reason = "helpers of tests")]

use dem_core::DVec3;
use dem_core::cell::Cell;
use dem_core::lanes::Width;
use dem_sim::world::World;
use dem_testkit::worlds::{self, Scatter};

const RADIUS: f64 = 1e-3;

const PULLS: [(&str, &str, f64); 3] =
    [("sjkr", "cohesion_energy_density", 1e5), ("sjkr2", "cohesion_energy_density", 1e5), ("constant", "pull", 5e-4)];

/// Spheres of several sizes that fall on a floor and on each other.
fn heap(law: &str, pull: Option<(&str, &str, f64)>, words: &[(&str, &str)], numbers: &[(&str, f64)]) -> World {
    let mut given = worlds::common_parameters(law, 0.4, 0.6);
    given.extend(worlds::words(words));
    given.extend(worlds::parameters(numbers, &[]));
    if let Some((word, key, value)) = pull {
        given.extend(worlds::words(&[("adhesion", word)]));
        given.extend(worlds::parameters(&[(key, value)], &[]));
    }
    let mut world = worlds::world(law, &given, Cell::unbounded());
    worlds::add_floor(&mut world);
    world.fields.gravity = DVec3::new(0.0, 0.0, -9.81);
    let mut scatter = Scatter(11);
    for k in 0..27 {
        let place = DVec3::new(f64::from(k % 3), f64::from(k / 3 % 3), f64::from(k / 9));
        let radius = RADIUS * if k % 2 == 0 { 1.0 } else { 0.8 };
        let mut sphere = worlds::sphere((place * 1.79 + DVec3::Z * 0.999) * RADIUS, radius);
        (sphere.velocity, sphere.angular_velocity) = (scatter.next_vector() * 0.1, scatter.next_vector() * 100.0);
        world.insert(sphere);
    }
    world.time_step = 1e-6;
    world
}

/// Bits of the motion after some steps and of the energies on the way, of which the pulls hold some while bodies touch; contacts with spheres and with the floor, and those that have ended.
fn run(mut world: World, width: Width, steps: usize) -> (Vec<u64>, [usize; 3]) {
    let mut pipeline = worlds::pipeline();
    pipeline.forces.width = width;
    pipeline.limits.overlap_ratio = 1.0;
    pipeline.initialise(&mut world).unwrap();
    let (mut most, mut energies) = ([0; 3], Vec::new());
    for step in 0..steps {
        pipeline.step(&mut world).unwrap();
        let now = world.contact_count();
        most = [most[0].max(now.pairs), most[1].max(now.walls), most[0].max(now.pairs) - now.pairs];
        if step % 50 == 0 {
            let energy = world.energy();
            energies.extend([energy.adhesion, energy.kinetic(), energy.balance()]);
        }
    }
    let p = &world.particles;
    let order: Vec<usize> = p.slots_by_id().iter().map(|&slot| slot as usize).collect();
    let vectors = order.iter().flat_map(|&k| [p.position[k], p.velocity[k], p.angular_velocity[k]]);
    let numbers = vectors.flat_map(|v| v.to_array()).chain(energies);
    (numbers.map(f64::to_bits).collect(), most)
}

#[test]
fn a_pull_has_the_bits_of_one_contact_at_a_time() {
    let rolling = ([("rolling", "elastic-plastic")], [("rolling_friction", 0.1)]);
    for law in ["linear", "hertz-mindlin", "kuhn", "mindlin-deresiewicz", "mdr"] {
        for pull in PULLS {
            for (words, numbers) in [(&[][..], &[][..]), (&rolling.0[..], &rolling.1[..])] {
                let (expected, [pairs, walls, ended]) = run(heap(law, Some(pull), words, numbers), Width::SCALAR, 1500);
                assert!(
                    pairs > 30 && walls > 4 && ended > 0,
                    "{law}: {pairs} pairs, {walls} on the floor, {ended} ended"
                );
                for width in Width::available() {
                    let (found, _) = run(heap(law, Some(pull), words, numbers), width, 1500);
                    assert!(found == expected, "{law}, {} {words:?} {}", pull.0, width.name());
                }
                let (without, _) = run(heap(law, None, words, numbers), Width::fastest(), 1500);
                assert!(without != expected, "{law}: {} pulls", pull.0);
            }
        }
    }
}

#[test]
fn resistance_of_nothing_beside_a_pull_changes_no_bit_of_the_motion() {
    let none = ([("rolling", "elastic-plastic")], [("rolling_friction", 0.0)]);
    for law in ["linear", "hertz-mindlin"] {
        for pull in PULLS {
            let (alone, _) = run(heap(law, Some(pull), &[], &[]), Width::fastest(), 800);
            let (beside, _) = run(heap(law, Some(pull), &none.0, &none.1), Width::fastest(), 800);
            assert!(alone == beside, "{law}, {}", pull.0);
        }
    }
}
