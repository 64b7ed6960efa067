//! Scenes of the runs.

use dem_core::rotation::IncrementMap;
use dem_core::rotation::carried::{Carried, HalfTurn, RotationScheme};

/// Distance of free bodies and of spheres at the start \[m\]: nothing touches.
const SPACING: f64 = 3e-3;
/// Radius of all spheres \[m\].
const RADIUS: f64 = 1e-3;
/// Side of the floor per square root of the number of dimers \[m\]: some eight layers of 300.
const FLOOR: f64 = 0.95e-3;

/// How orientations are carried by default, but for one choice.
pub fn carrying(carried: Carried) -> RotationScheme {
    RotationScheme { carried, ..RotationScheme::default() }
}

/// The table of time with the choices.
fn time(scheme: RotationScheme) -> String {
    let increment = match scheme.increment {
        IncrementMap::Exact => "exact",
        IncrementMap::Literal => "literal",
    };
    // a scene may speak of half turns beside Rodrigues vectors only
    let half_turn = match (scheme.carried, scheme.half_turn) {
        (Carried::Rodrigues, HalfTurn::Pass) => "half_turn = \"pass\"\n",
        (Carried::Rodrigues, HalfTurn::Stop) => "half_turn = \"stop\"\n",
        _ => "",
    };
    let carried = scheme.carried.key();
    format!("seed = 1\n[time]\nrotation = \"{carried}\"\nrotation_increment = \"{increment}\"\n{half_turn}")
}

const CONTENTS: &str = r#"
[materials.grain]
density = 2500
young_modulus = 2e7
poisson_ratio = 0.25
[contact]
law = "hertz-mindlin"
friction = 0.5
restitution = 0.5
[[stages]]
name = "run"
until = { steps = 1000000000 }
"#;

/// Free bodies with moments of inertia as 1 to 2 to 3, on a lattice, at rest; `orientation` as in a source of particles.
pub fn free_bodies(count: usize, scheme: RotationScheme, orientation: &str) -> String {
    let side = SPACING * edge(count);
    format!(
        r#"{time}{CONTENTS}
[fields]
gravity = [0, 0, 0]
[clumps.top]
spheres = [{{ position = [-0.25e-3, 0, 0], radius = 0.5e-3 }}, {{ position = [0.25e-3, 0, 0], radius = 0.5e-3 }}]
mass_from = "given"
mass = 2e-6
inertia = [1e-13, 2e-13, 3e-13]
centre = [0, 0, 0]
[[particles]]
name = "tops"
material = "grain"
clump = "top"
orientation = "{orientation}"
region = {{ type = "box", min = [0, 0, 0], max = [{side}, {side}, {side}] }}
fill = {{ type = "lattice", spacing = {SPACING}, count = {count} }}
"#,
        time = time(scheme),
    )
}

/// Spheres on a lattice in a periodic box, at rest.
pub fn spheres(count: usize, scheme: RotationScheme) -> String {
    let side = SPACING * edge(count).max(4.0);
    format!(
        r#"{time}{CONTENTS}
[domain]
min = [0, 0, 0]
max = [{side}, {side}, {side}]
x = "periodic"
y = "periodic"
z = "periodic"
[[particles]]
name = "spheres"
material = "grain"
sizes = {{ type = "single", radius = {RADIUS} }}
region = {{ type = "box", min = [0, 0, 0], max = [{side}, {side}, {side}] }}
fill = {{ type = "lattice", spacing = {SPACING}, count = {count} }}
"#,
        time = time(scheme),
    )
}

/// Dimers that fall on a floor between periodic sides.
pub fn dimers(count: usize, scheme: RotationScheme) -> String {
    // the images of a dimer must not meet it
    let side = (FLOOR * (count as f64).sqrt()).max(8.0 * RADIUS);
    // of the volume that dimers at random fill to a quarter, and room above it
    let filled = 32e-9 * count as f64 / (side * side);
    format!(
        r#"{time}{CONTENTS}
[fields]
gravity = [0, 0, -9.81]
[domain]
min = [0, 0, {below}]
max = [{side}, {side}, {top}]
x = "periodic"
y = "periodic"
z = "error"
[[walls]]
name = "floor"
material = "grain"
shape = {{ type = "plane", normal = [0, 0, 1] }}
[clumps.dimer]
spheres = [{{ position = [-0.75e-3, 0, 0], radius = {RADIUS} }}, {{ position = [0.75e-3, 0, 0], radius = {RADIUS} }}]
[[particles]]
name = "dimers"
material = "grain"
clump = "dimer"
region = {{ type = "box", min = [0, 0, 0], max = [{side}, {side}, {filled}] }}
fill = {{ type = "random", count = {count} }}
"#,
        time = time(scheme),
        below = -RADIUS,
        top = 2.0 * filled,
    )
}

/// Sites along an edge of a cubic lattice with at least so many.
fn edge(count: usize) -> f64 {
    libm::cbrt(count as f64).ceil() + 1.0
}
