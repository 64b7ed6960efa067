//! Spheres that collide while much else happens, for tests of what must change no bit.
#![expect(clippy::unwrap_used, reason = "helpers of tests")]

use dem_sim::builder::{self, LoadedScene};

/// 2,400 spheres that fly about, collide, and leave through a hole in the floor; a lid comes nearer for a while.
pub const GAS: &str = r#"
seed = 5
[time]
step = "5 us"
[domain]
min = [0, 0, "-2 mm"]
max = ["30 mm", "30 mm", "30 mm"]
x = "periodic"
z_min = "open"
[materials.a]
density = 2500
young_modulus = 1e7
poisson_ratio = 0.25
[limits]
overlap = 0.5
[contact]
law = "LAW"
friction = 0.4
PARAMETERS
[output]
series = "0.3 ms"
snapshots = "0.5 ms"
contacts = true
[[walls]]
name = "floor"
material = "a"
shape = { type = "rectangle", centre = ["15 mm", "13 mm", 0], edge_u = ["30 mm", 0, 0], edge_v = [0, "26 mm", 0] }
[[walls]]
name = "front"
material = "a"
shape = { type = "plane", normal = [0, 1, 0] }
[[walls]]
name = "back"
material = "a"
shape = { type = "plane", point = [0, "30 mm", 0], normal = [0, -1, 0] }
[[walls]]
name = "lid"
material = "a"
shape = { type = "plane", point = [0, 0, "30 mm"], normal = [0, 0, -1] }
[[particles]]
name = "fast"
material = "a"
sizes = { type = "uniform", min = "0.8 mm", max = "1 mm" }
region = { type = "box", min = [0, 0, 0], max = ["30 mm", "30 mm", "15 mm"] }
fill = { type = "random", count = 1200 }
velocity = ["2 m/s", "1 m/s", "-1.5 m/s"]
[[particles]]
name = "slow"
material = "a"
sizes = { type = "uniform", min = "0.9 mm", max = "1 mm" }
region = { type = "box", min = [0, 0, "15 mm"], max = ["30 mm", "30 mm", "30 mm"] }
fill = { type = "random", count = 1200 }
velocity = ["-0.1 m/s", 0, 0]
[[stages]]
name = "fly"
until = { steps = 250 }
[[stages]]
name = "press"
actions = [{ type = "move_wall", wall = "lid", motion = { velocity = [0, 0, "-3 m/s"] } }]
until = { steps = 250 }
"#;

/// A law and its parameters.
pub const HERTZ: (&str, &str) = ("hertz-mindlin", "restitution = 0.7");
/// Exerts couples.
pub const ROLLING: (&str, &str) = (
    "hertz-mindlin",
    "restitution = 0.7\nrolling = \"elastic-plastic\"\nrolling_friction = 0.1\ntwisting = \"marshall\"",
);
/// Another law.
pub const LINEAR: (&str, &str) = ("linear", "normal_stiffness = 2e4\nstiffness_ratio = 0.5\ndamping_ratio = 0.1");

/// The scene with a law.
pub fn scene((law, parameters): (&str, &str)) -> LoadedScene {
    builder::parse_scene("gas", &GAS.replace("LAW", law).replace("PARAMETERS", parameters), &[]).unwrap()
}

/// Half of the spheres are of another material, the pairs of which obey another law each; drag and the Magnus force act, and gravity.
pub fn mixture() -> LoadedScene {
    let text = GAS.replace("LAW", HERTZ.0).replace("PARAMETERS", HERTZ.1);
    let (fast, slow) = text.split_once("name = \"slow\"").unwrap();
    let text = fast.to_owned() + "name = \"slow\"" + &slow.replacen("material = \"a\"", "material = \"b\"", 1);
    let text = text.replace("[limits]", MIXTURE);
    builder::parse_scene("mixture", &text, &[]).unwrap()
}

const MIXTURE: &str = r#"
[materials.b]
density = 1500
young_modulus = 5e6
poisson_ratio = 0.3
[[pairs]]
materials = ["a", "b"]
law = "kuhn"
normal_stiffness = 1e4
stiffness_ratio = 0.7
friction = 0.3
damping_ratio = 0.2
[[pairs]]
materials = ["b", "b"]
law = "mindlin-deresiewicz"
friction = 0.4
restitution = 0.8
[fields]
gravity = [0, 0, -9.81]
drag = "schiller-naumann"
fluid_viscosity = 2e-5
fluid_density = 1.2
fluid_velocity = [0.5, 0, 0]
magnus_coefficient = 1e-9
local_damping = 0.05
[limits]
"#;
