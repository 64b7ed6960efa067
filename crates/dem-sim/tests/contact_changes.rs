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

/// Two spheres at rest, `gap` \[m\] apart, that a stage lets attract each other in another way.
fn change_at_a_distance(gap: f64, law: &str, action: &str) -> dem_sim::simulation::Simulation {
    let text = format!(
        r#"
[time]
step = "1 us"
end = "1 s"
[materials.g]
density = 2500
young_modulus = "20 MPa"
poisson_ratio = 0.25
[contact]
law = "linear"
normal_stiffness = 2e4
friction = 0.4
restitution = 1
{law}
[fields]
gravity = [0, 0, 0]
[[particles]]
name = "pair"
material = "g"
sizes = {{ type = "single", radius = "5 mm" }}
region = {{ type = "box", min = [0, 0, 0], max = [{}, 0.01, 0.01] }}
fill = {{ type = "lattice", spacing = {} }}
[domain]
min = [-1, -1, -1]
max = [1, 1, 1]
[[stages]]
name = "before"
until = {{ steps = 3 }}
[[stages]]
name = "after"
actions = [{{ type = "set_contact", parameters = {{ {action} }} }}]
until = {{ steps = 3 }}
"#,
        0.02 + gap + 1e-9,
        0.01 + gap
    );
    let loaded = builder::parse_scene("pair.toml", &text, &[]).unwrap();
    let mut simulation = builder::build(&loaded).unwrap();
    simulation.initialise().unwrap();
    assert_eq!(simulation.world.particles.len(), 2);
    for _ in 0..6 {
        simulation.advance().unwrap();
    }
    simulation
}

/// Potential of the attraction `κ d⁻²`, zero where surfaces are `cutoff` apart \[J\].
fn potential(kappa: f64, d: f64, cutoff: f64) -> f64 {
    if d >= 0.01 + cutoff { 0.0 } else { kappa * (1.0 / (0.01 + cutoff) - 1.0 / d) }
}

#[test]
fn energy_of_changed_forces_at_a_distance_is_exchanged() {
    let mie = "near_field = \"mie\"\nmie_attraction = 1e-6\nmie_attraction_exponent = 2\nmie_repulsion = 0\n\
               mie_repulsion_exponent = 3\nmie_cutoff = 0.004";
    let (gap, d) = (1e-3, 0.011);
    let before = potential(1e-6, d, 4e-3);
    let off = "near_field = \"none\"";
    let cases = [
        (gap, mie, "mie_attraction = 2e-6", potential(2e-6, d, 4e-3) - before),
        (gap, mie, "mie_cutoff = 0.002", potential(1e-6, d, 2e-3) - before),
        // out of range, into it, and farther than the list reached
        (gap, mie, "mie_cutoff = 0.0005", -before),
        (3e-3, &mie.replace("0.004", "0.002"), "mie_cutoff = 0.004", potential(1e-6, 0.013, 4e-3)),
        (9e-3, &mie.replace("0.004", "0.0005"), "mie_cutoff = 0.02", potential(1e-6, 0.019, 2e-2)),
        (gap, mie, off, -before),
    ];
    for (gap, law, action, expected) in cases {
        let simulation = change_at_a_distance(gap, law, action);
        let ledger = simulation.world.energy();
        let brought = potential(1e-6, 0.01 + gap, if law == mie { 4e-3 } else { 0.0 });
        // what the pair had at the start is that of the potential, too: it is not exchanged
        assert!(
            (ledger.exchanged - expected).abs() < 1e-6 * expected.abs(),
            "{action}: {:e} {expected:e}",
            ledger.exchanged
        );
        assert!((ledger.balance() - brought).abs() < 1e-6 * expected.abs(), "{action}: {:e}", ledger.balance());
    }
}

/// A sphere that rolls, twists and slides on a floor while a parameter changes: the balance does not jump, and what was dissipated stays so.
#[test]
fn no_change_of_any_parameter_moves_the_balance() {
    let cases = [
        ("linear", "stiffness_ratio = 0.3"),
        ("linear", "restitution = 0.9"),
        ("hertz-mindlin", "friction = 0.05"),
        ("hertz-mindlin", "rolling_friction = 0.01"),
        ("hertz-mindlin", "twisting_friction = 0.01"),
        ("hertz-mindlin", "rolling = \"none\""),
        ("hertz-mindlin", "twisting = \"none\""),
        ("hertz-mindlin", "tangential_damping_ratio = 0.4"),
        ("mindlin", "friction = 0.05"),
        ("mindlin-deresiewicz", "friction = 0.05"),
        ("balevicius", "friction = 0.05"),
    ];
    for (law, action) in cases {
        let stiffness = if law == "linear" { "normal_stiffness = 1e4\nstiffness_ratio = 0.5" } else { "" };
        let text = format!(
            r#"
[time]
step = "0.1 us"
end = "1 s"
[materials.g]
density = 2500
young_modulus = "20 MPa"
poisson_ratio = 0.25
[contact]
law = "{law}"
friction = 0.3
restitution = 0.6
rolling = "elastic-plastic"
rolling_friction = 0.1
twisting = "spring-dashpot"
twisting_friction = 0.1
{stiffness}
[fields]
gravity = [0, 0, 0]
[[walls]]
name = "floor"
material = "g"
shape = {{ type = "plane", normal = [0, 0, 1] }}
[[particles]]
name = "ball"
material = "g"
sizes = {{ type = "single", radius = "5 mm" }}
region = {{ type = "box", min = [0, 0, 0], max = [0.01, 0.01, 0.01] }}
fill = {{ type = "lattice", gap = 0 }}
velocity = [0.1, 0, -0.3]
angular_velocity = [20, 30, 40]
[[stages]]
name = "before"
until = {{ steps = 600 }}
[[stages]]
name = "after"
actions = [{{ type = "set_contact", parameters = {{ {action} }} }}]
until = {{ steps = 600 }}
"#
        );
        let loaded = builder::parse_scene("ball.toml", &text, &[]).unwrap();
        let mut simulation = builder::build(&loaded).unwrap();
        simulation.initialise().unwrap();
        for _ in 0..600 {
            simulation.advance().unwrap();
        }
        let before = simulation.world.energy();
        assert!(before.elastic_normal > 0.0);
        simulation.advance().unwrap();
        let after = simulation.world.energy();
        let scale = before.kinetic() + before.elastic_normal;
        println!(
            "{law}, {action}: balance {:.1e}, exchanged {:.1e} of {scale:.1e} J",
            after.balance() - before.balance(),
            after.exchanged
        );
        // the first half of the step goes with the force before
        assert!((after.balance() - before.balance()).abs() < 1e-4 * scale, "{law}, {action}");
        // what has been dissipated is not lost with the model that did it; what its spring held is taken out
        let of_model = match action {
            "rolling = \"none\"" => Some((before.rolling, after.rolling)),
            "twisting = \"none\"" => Some((before.twisting, after.twisting)),
            _ => None,
        };
        if let Some((before, after)) = of_model {
            assert!(before.abs() > 1e-5 * scale && before == after, "{action}: {before:e} {after:e}");
        }
    }
}

/// A spring that is stretched by s and becomes stiffer at that holds ½ (k' − k) s² more.
#[test]
fn what_a_stiffer_tangential_spring_holds_more_is_exchanged() {
    let run = |action: &str| {
        let text = format!(
            r#"
[time]
step = "1 us"
end = "1 s"
[materials.g]
density = 2500
young_modulus = "20 MPa"
poisson_ratio = 0.25
[contact]
law = "linear"
normal_stiffness = 1e4
stiffness_ratio = 0.5
friction = 2
restitution = 1
[fields]
gravity = [0, 0, 0]
[[walls]]
name = "floor"
material = "g"
shape = {{ type = "plane", normal = [0, 0, 1] }}
[[particles]]
name = "ball"
material = "g"
sizes = {{ type = "single", radius = "5 mm" }}
region = {{ type = "box", min = [0, 0, 0], max = [0.01, 0.01, 0.01] }}
fill = {{ type = "lattice", gap = 0 }}
velocity = [0.05, 0, -0.3]
[[stages]]
name = "before"
until = {{ steps = 100 }}
[[stages]]
name = "after"
actions = [{{ type = "set_contact", parameters = {{ {action} }} }}]
until = {{ steps = 10000 }}
"#
        );
        let mut simulation = builder::build(&builder::parse_scene("ball.toml", &text, &[]).unwrap()).unwrap();
        simulation.initialise().unwrap();
        for _ in 0..100 {
            simulation.advance().unwrap();
        }
        let (mut slip, mut overlap) = (0.0, 0.0);
        simulation.world.visit_contacts(&mut |c| (slip, overlap) = (c.elastic_slip.length(), c.overlap));
        assert!(slip > 0.0 && overlap > 0.0);
        simulation.advance().unwrap();
        let exchanged = simulation.world.energy().exchanged;
        while simulation.world.contact_count().walls > 0 {
            simulation.advance().unwrap();
        }
        (slip, overlap, exchanged, simulation.world.energy())
    };
    let (slip, _, exchanged, _) = run("stiffness_ratio = 0.8");
    let expected = 0.5 * 0.3 * 1e4 * slip * slip;
    let start = 0.5 * 2500.0 * dem_core::particles::sphere_volume(5e-3) * (0.05f64.powi(2) + 0.3f64.powi(2));
    assert!((exchanged - start - expected).abs() < 1e-6 * expected, "{exchanged:e} {start:e} {expected:e}");
    let (slip, overlap, exchanged, end) = run("normal_stiffness = 2e4");
    let expected = 0.5 * 1e4 * (overlap * overlap + 0.5 * slip * slip);
    assert!((exchanged - start - expected).abs() < 1e-6 * expected, "{exchanged:e} {start:e} {expected:e}");
    // what the springs gave back is in the motion, what they did not in friction
    // but for the first half of a step, which goes with the force before: (k' - k) δ v Δt/2 of ½ (k' - k) δ²
    let half = 0.3 * 1e-6 / overlap;
    assert!(end.balance().abs() < 1.5 * half * expected, "{:e} of {expected:e}", end.balance());
}
