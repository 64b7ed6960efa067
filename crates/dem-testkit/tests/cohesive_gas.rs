//! Gases whose spheres stick to each other under the laws of adhesion and plasticity: energy, and contacts side by side.

use std::collections::BTreeMap;

use dem_contact::ParameterValue;
use dem_core::lanes::Width;
use dem_sim::world::World;
use dem_testkit::gas::Gas;
use dem_testkit::worlds;

/// A name, a law, and parameters with which spheres that meet at a metre per second stick, or lose most of their speed.
struct Sticky {
    name: &'static str,
    law: &'static str,
    given: BTreeMap<String, ParameterValue>,
}

fn sticky(name: &'static str, law: &'static str, numbers: &[(&str, f64)], words: &[(&str, &str)]) -> Sticky {
    let mut given = worlds::parameters(&[numbers, &[("friction", 0.4)]].concat(), &[]);
    given.extend(worlds::words(words));
    Sticky { name, law, given }
}

/// Spheres of 4 mm with a modulus of 10 MPa: overlaps are a twentieth of the radius.
fn all() -> Vec<Sticky> {
    let damped = ("restitution", 0.8);
    let spring = [("loading_stiffness", 5e3), ("stiffness_ratio", 0.8)];
    let plastic = [("unloading_stiffness_limit", 2.5e4), ("cohesive_stiffness", 1e4), ("plasticity_depth", 0.15)];
    let luding = [&spring[..], &plastic].concat();
    let liquid = [("surface_tension", 60.0), ("contact_angle", 0.3), ("bridge_volume", 6.4e-10), damped];
    let hamaker = [
        ("hamaker_constant", 9e-6),
        ("separation_minimum", 5e-5),
        ("van_der_waals_cutoff", 5e-4),
        ("restitution", 0.5),
    ];
    vec![
        sticky("jkr", "jkr", &[("surface_energy", 90.0), ("restitution", 1.0)], &[]),
        sticky("jkr, damped, to the peak", "jkr", &[("surface_energy", 90.0), damped], &[("separation", "peak")]),
        sticky("dmt", "dmt", &[("surface_energy", 60.0), ("restitution", 0.5)], &[]),
        sticky("thornton-ning", "thornton-ning", &[("yield_pressure", 4e5)], &[]),
        sticky("thornton-ning, adhesive", "thornton-ning", &[("yield_pressure", 8e5), ("surface_energy", 40.0)], &[]),
        sticky("walton-braun", "walton-braun", &[&spring[..], &[("unloading_stiffness", 2e4)]].concat(), &[]),
        sticky("luding", "luding", &luding, &[]),
        sticky("luding, literal", "luding", &luding, &[("memory", "literal")]),
        sticky("edinburgh", "edinburgh", &[("plasticity_ratio", 0.7), ("surface_energy", 200.0)], &[]),
        sticky(
            "edinburgh, linear",
            "edinburgh",
            &[&spring[..], &[("plasticity_ratio", 0.7), ("surface_energy", 150.0), ("constant_pull", 0.2)]].concat(),
            &[("exponent", "linear"), ("stiffness_rule", "constant")],
        ),
        sticky(
            "sjkr",
            "hertz-mindlin",
            &[("restitution", 0.5), ("cohesion_energy_density", 3e5)],
            &[("adhesion", "sjkr")],
        ),
        sticky("constant pull", "hertz-mindlin", &[("restitution", 0.5), ("pull", 1.0)], &[("adhesion", "constant")]),
        sticky("liquid bridges", "hertz-mindlin", &liquid, &[("near_field", "liquid-bridge")]),
        sticky("van der Waals", "hertz-mindlin", &hamaker, &[("near_field", "van-der-waals")]),
    ]
}

/// The balance of a gas of a thousand spheres is off by less than a thousandth of what is dissipated.
#[test]
fn the_ledger_of_a_gas_that_sticks_closes() {
    for Sticky { name, law, given } in all() {
        let gas = Gas::default();
        let mut world = gas.world(law, &given);
        world.time_step = gas.contact_duration(&world) / 200.0;
        let mut pipeline = worlds::pipeline();
        pipeline.limits.overlap_ratio = 1.0;
        pipeline.initialise(&mut world).unwrap();
        let start = world.energy();
        while world.time < 3.0 * gas.mean_free_time() {
            pipeline.step(&mut world).unwrap();
        }
        let end = world.energy();
        let contacts = world.contact_count().pairs;
        let dissipated = end.dissipated_at_contacts() + end.stiffness.max(0.0);
        let residual = (end.balance() - start.balance()).abs() / dissipated;
        println!(
            "{name}: {contacts} contacts, kinetic energy {:.3}, dissipated {:.3}, joined {:.3} of that at the start, residual {residual:.1e}",
            end.kinetic() / start.kinetic(),
            dissipated / start.kinetic(),
            (end.adhesion + end.near_field) / start.kinetic(),
        );
        assert!(dissipated > 0.1 * start.kinetic(), "{name}: {end:?}");
        let is_dry = ["thornton-ning", "walton-braun"].contains(&name);
        assert!(is_dry || contacts > 400, "{name}: only {contacts} contacts");
        assert!(residual < 1e-3, "{name}: {residual}");
    }
}

fn bits(world: &World) -> Vec<u64> {
    let p = &world.particles;
    let vectors = p.position.iter().chain(&p.velocity).chain(&p.angular_velocity);
    vectors.flat_map(|v| v.to_array()).map(f64::to_bits).collect()
}

/// However many contacts are computed side by side, a gas that sticks has the same bits.
#[test]
fn contacts_that_stick_have_the_same_bits_side_by_side() {
    for Sticky { name, law, given } in all() {
        let run = |width: Width| {
            let gas = Gas { count: 125, ..Gas::default() };
            let mut world = gas.world(law, &given);
            world.time_step = gas.contact_duration(&world) / 30.0;
            let mut pipeline = worlds::pipeline();
            pipeline.limits.overlap_ratio = 1.0;
            pipeline.forces.width = width;
            pipeline.initialise(&mut world).unwrap();
            for _ in 0..400 {
                pipeline.step(&mut world).unwrap();
            }
            (bits(&world), world.energy())
        };
        let expected = run(Width::SCALAR);
        for width in Width::available() {
            assert!(run(width) == expected, "{name}: {} lanes give other bits", width.name());
        }
    }
}
