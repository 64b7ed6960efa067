//! Contacts side by side.
#![expect(clippy::expect_used, reason = "a test whose run fails must stop")]

use dem_core::lanes::Width;

use crate::conformance::{Property, ensure};
use crate::gas::Gas;
use crate::worlds;

/// Lanes change no bit.
pub const SAME_BITS: Property = Property {
    name: "lanes",
    claim: "a gas of 125 spheres with friction and damping has the same bits after 300 steps for every number of contacts that the processor \
            computes side by side",
    check: same_bits,
};

fn same_bits(law: &str) -> Result<(), String> {
    let run = |width: Width| {
        let gas = Gas { count: 125, ..Gas::default() };
        let mut world = gas.world(law, &Gas::parameters(law, 0.4, 0.7));
        world.time_step = gas.contact_duration(&world) / 20.0;
        let mut pipeline = worlds::pipeline();
        pipeline.limits.overlap_ratio = 1.0;
        pipeline.forces.width = width;
        pipeline.initialise(&mut world).expect("the cell is wide enough");
        let mut contacts = 0;
        for _ in 0..300 {
            pipeline.step(&mut world).expect("the cell is wide enough");
            contacts = contacts.max(world.contact_count().pairs);
        }
        let p = &world.particles;
        let vectors = p.position.iter().chain(&p.velocity).chain(&p.angular_velocity);
        (contacts, vectors.flat_map(|v| v.to_array()).map(f64::to_bits).collect::<Vec<u64>>())
    };
    let (contacts, expected) = run(Width::SCALAR);
    ensure(contacts > 8, || format!("only {contacts} contacts at a time"))?;
    for width in Width::available() {
        ensure(run(width).1 == expected, || {
            format!("{} lanes give other bits than one contact at a time", width.name())
        })?;
    }
    Ok(())
}
