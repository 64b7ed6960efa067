//! The scene to start from.

use std::fmt::Write as _;

use dem_core::DVec3;
use dem_core::figure::Shortest;
use dem_io::exchange::ForeignState;

use super::materials::Material;
use super::notes::Notes;
use super::particles::Placed;

/// Overlap that needs no word: the default of tables.
const NO_OVERLAP: f64 = 1e-6;

/// The text of the scene, with every assumption.
pub fn text(
    source: &str,
    table: &str,
    state: &ForeignState,
    materials: &[Material],
    placed: &Placed,
    notes: &mut Notes,
) -> String {
    let names = materials.iter().take(8).map(|material| material.name.as_str()).collect::<Vec<_>>().join(", ");
    notes.assume(format!("Young's modulus 10 MPa and Poisson's ratio 0.25 of {names}"));
    notes.assume("contact law hertz-mindlin with friction 0.5 and restitution 0.5");
    notes.assume("no gravity and no walls");
    notes.assume("the run ends after 0.1 s");
    if !state.present.velocity {
        notes.assume("velocities zero: the file has none");
    }
    notes.leave_out("contact forces and their history: contacts begin anew");
    let mut text = String::new();
    // writing into a string cannot fail
    let _ = writeln!(text, "# Made by `dem import` from {}.\n#", one_line(source));
    for note in &notes.assumed {
        let _ = writeln!(text, "# assumed: {}", one_line(note));
    }
    for note in &notes.left_out {
        let _ = writeln!(text, "# left out: {}", one_line(note));
    }
    let title = one_line(source).replace(['"', '\\'], "_");
    let _ = writeln!(text, "\ntitle = \"{title}\"\n\n[time]\nend = \"0.1 s\"  # assumed\n");
    let _ = writeln!(text, "[domain]\nmin = {}\nmax = {}", vector(placed.low), vector(placed.high));
    for (axis, periodic) in ["x", "y", "z"].into_iter().zip(placed.periodic) {
        let _ = writeln!(text, "{axis} = \"{}\"", if periodic { "periodic" } else { "open" });
    }
    let _ = writeln!(text, "\n[fields]\ngravity = [0, 0, 0]  # assumed");
    for Material { name, density, origin } in materials {
        let _ = writeln!(text, "\n[materials.{name}]\ndensity = {}  # kg/m^3, {origin}", number(*density));
        let _ = writeln!(text, "young_modulus = \"10 MPa\"  # assumed\npoisson_ratio = 0.25  # assumed");
    }
    let _ = writeln!(
        text,
        "\n[contact]\nlaw = \"hertz-mindlin\"  # assumed\nfriction = 0.5  # assumed\nrestitution = 0.5  # assumed"
    );
    let first = materials.first().map_or("imported", |material| material.name.as_str());
    let overlap =
        if placed.overlap > NO_OVERLAP { format!(", max_overlap = {}", above(placed.overlap)) } else { String::new() };
    let _ = writeln!(
        text,
        "\n[[particles]]\nname = \"imported\"\nmaterial = \"{first}\"\nfill = {{ type = \"file\", path = \"{table}\"{overlap} }}"
    );
    text
}

fn one_line(text: &str) -> String {
    text.chars().map(|c| if dem_io::is_harmful(c) { ' ' } else { c }).collect()
}

/// A number that TOML reads as one with all its bits.
fn number(value: f64) -> String {
    Shortest(value).to_string()
}

fn vector(x: DVec3) -> String {
    format!("[{}, {}, {}]", number(x.x), number(x.y), number(x.z))
}

/// A share with three digits that is not below another.
fn above(share: f64) -> String {
    let scale = 10f64.powi(2 - share.log10().floor() as i32);
    format!("{}", (share * scale * (1.0 + 1e-12)).ceil() / scale)
}
