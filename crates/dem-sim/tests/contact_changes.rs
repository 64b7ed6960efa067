//! Changes of contact parameters during a run.
#![expect(clippy::unwrap_used, reason = "helpers of tests")]

use dem_core::DVec3;
use dem_sim::builder;

/// A sphere that hits a floor aslant; in the middle of the impact a stage changes what `action` says.
fn position_after_an_impact(law: &str, action: &str) -> (DVec3, DVec3) {
    let text = format!(
        r#"
seed = 1

[time]
step = "5 us"
end = "1 s"

[materials.rubber]
density = "1000 kg/m^3"
young_modulus = "10 MPa"
poisson_ratio = 0.3

[contact]
law = "{law}"
friction = 0.8
restitution = 0.9

[[walls]]
name = "floor"
material = "rubber"
shape = {{ type = "plane", normal = [0, 0, 1] }}

[[particles]]
name = "ball"
material = "rubber"
sizes = {{ type = "single", radius = "10 mm" }}
region = {{ type = "box", min = ["0 m", "0 m", "0.5 mm"], max = ["20.001 mm", "20.001 mm", "20.501 mm"] }}
fill = {{ type = "random", count = 1 }}
velocity = ["0.3 m/s", "0.1 m/s", "-1 m/s"]

[[stages]]
name = "fall"
until = {{ steps = 300 }}

[[stages]]
name = "changed"
actions = [{action}]
until = {{ steps = 300 }}
"#
    );
    let loaded = builder::parse_scene("impact.toml", &text, &[]).unwrap();
    let mut simulation = builder::build(&loaded).unwrap();
    simulation.initialise().unwrap();
    let mut touching_when_changed = 0;
    for step in 0..600 {
        if step == 300 {
            touching_when_changed = simulation.world.contact_count().walls;
        }
        simulation.advance().unwrap();
    }
    assert_eq!(touching_when_changed, 1, "the change comes during the impact");
    (simulation.world.particles.position[0], simulation.world.particles.angular_velocity[0])
}

/// Dynamic friction that a stage brings in makes the history record longer: what is in it stays. Equal to the static one it changes nothing.
#[test]
fn dynamic_friction_brought_in_by_a_stage_keeps_the_histories() {
    for law in ["hertz-mindlin", "mindlin"] {
        let unchanged = position_after_an_impact(law, "");
        let same =
            position_after_an_impact(law, r#"{ type = "set_contact", parameters = { dynamic_friction = 0.8 } }"#);
        assert_eq!(unchanged, same, "{law}");
        let lower = position_after_an_impact(law, r#"{ type = "set_contact", parameters = { dynamic_friction = 0 } }"#);
        let sliding = position_after_an_impact(law, r#"{ type = "set_contact", parameters = { friction = 0 } }"#);
        assert!(lower != sliding, "{law}: the static limit still holds");
        assert!(sliding != unchanged, "{law}");
    }
}
