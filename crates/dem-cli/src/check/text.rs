//! What a check found, for the terminal.

use std::fmt::Write;

use dem_core::cell::{Cell, FacePolicy};
use dem_core::figure::Figure;
use dem_sim::insertion::PouringLimit;
use dem_sim::measure;
use dem_sim::scene_check::{contact_facts, real_contact_facts};
use dem_sim::time_step;
use dem_sim::time_step::StepControl;

use super::checked::Checked;
use super::pace::Estimate;

/// A line of a text; writing to one cannot fail.
macro_rules! line {
    ($to:ident, $($text:tt)*) => {
        let _ = writeln!($to, $($text)*);
    };
}

/// Everything but the estimate.
pub fn facts(checked: &Checked<'_>) -> String {
    let mut to = String::new();
    line!(to, "{}: the scene is sound", checked.scene);
    if !checked.doubts.is_empty() {
        line!(to, "\nwarnings: valid, but probably not intended");
        for doubt in &checked.doubts {
            line!(to, "  {doubt}");
        }
    }
    materials(&mut to, checked);
    contact(&mut to, checked);
    surroundings(&mut to, checked);
    clumps(&mut to, checked);
    particles(&mut to, checked);
    liquid(&mut to, checked);
    time_step(&mut to, checked);
    overlaps(&mut to, checked);
    line!(to, "\nstages");
    for stage in &checked.simulation.stages {
        line!(to, "  {}: {} actions", stage.name, stage.actions.len());
    }
    line!(to, "\nestimate");
    line!(to, "  {} columns in series.csv", measure::series_columns(&checked.simulation.world).len());
    to
}

/// What a run will take.
pub fn estimate(estimate: &Estimate) -> String {
    let mut to = String::new();
    line!(to, "  memory {:.1} MB for {:.0} particles", 1e-6 * estimate.memory, estimate.particles);
    match (estimate.end, &estimate.pace) {
        (Some(end), Some(pace)) => {
            let time = in_words(estimate.steps * pace.seconds_per_step);
            line!(to, "  at most {:.0} steps to t = {end} s, {time} of wall time", estimate.steps);
        }
        (Some(end), None) => {
            line!(to, "  at most {:.0} steps to t = {end} s", estimate.steps);
        }
        (None, pace) => {
            let time = pace.as_ref().map(|pace| in_words(estimate.steps * pace.seconds_per_step));
            let time = time.map_or_else(String::new, |time| format!(", {time} of wall time"));
            line!(to, "  {:.0} steps per simulated second{time}", estimate.steps);
        }
    }
    if let Some(pace) = &estimate.pace {
        line!(to, "  at {:.3} million particle-steps/s: {}", pace.rate / 1e6, pace.timed);
    }
    if let Some(failure) = &estimate.failure {
        line!(to, "  the first steps fail: {failure}");
    }
    to
}

/// A wall time in units that one reads.
fn in_words(seconds: f64) -> String {
    match seconds {
        s if s < 120.0 => format!("{} s", Figure::new(s, 1)),
        s if s < 7200.0 => format!("{:.0} min", s / 60.0),
        s if s < 172_800.0 => format!("{:.1} h", s / 3600.0),
        s => format!("{} days", Figure::new(s / 86_400.0, 1)),
    }
}

fn materials(to: &mut String, checked: &Checked<'_>) {
    line!(to, "\nmaterials");
    for m in &checked.simulation.world.materials {
        line!(
            to,
            "  {}: density {} kg/m^3, Young's modulus {:e} Pa, Poisson's ratio {}, shear modulus {:.4e} Pa",
            m.name,
            m.density,
            m.young_modulus,
            m.poisson_ratio,
            m.shear_modulus()
        );
    }
}

fn contact(to: &mut String, checked: &Checked<'_>) {
    let world = &checked.simulation.world;
    line!(to, "\ncontact");
    for pair in checked.simulation.contact.pairs() {
        let (a, b) = (pair.first, pair.second);
        line!(to, "  {} - {}: {}", world.materials[a].name, world.materials[b].name, pair.law);
        for (name, value) in &pair.parameters {
            line!(to, "    {name} = {value}");
        }
        let kernel = &world.kernels[world.laws.get(a as u16, b as u16) as usize];
        for derived in kernel.derived(a as u16, b as u16) {
            line!(to, "    {}: {:.6} {}", derived.name, Scientific(derived.value), derived.unit);
        }
        for (k, fact) in contact_facts(checked.simulation, a as u16, b as u16).into_iter().enumerate() {
            if k == 0 {
                line!(to, "    of spheres of the mean radius that meet at the expected speed");
            }
            line!(to, "      {}: {:.6} {}", fact.name, Scientific(fact.value), fact.unit);
        }
        for (k, fact) in real_contact_facts(checked.simulation, a as u16, b as u16).into_iter().enumerate() {
            if k == 0 {
                line!(to, "    of the same with the real Young's moduli");
            }
            line!(to, "      {}: {:.6} {}", fact.name, Scientific(fact.value), fact.unit);
        }
    }
}

fn surroundings(to: &mut String, checked: &Checked<'_>) {
    let simulation = checked.simulation;
    let world = &simulation.world;
    let default = if simulation.is_domain_given { "" } else { ", the default of the scene" };
    line!(to, "\ndomain");
    line!(to, "  {}{default}; faces {}", world.cell.describe_box(), describe_faces(&world.cell));
    if let Some(deformation) = &world.deformation {
        line!(to, "  stresses, strains and rates: {}", deformation.sense.explain());
    }
    line!(to, "\nwalls");
    for (number, wall) in world.walls.iter().enumerate() {
        let state = if wall.active { "" } else { ", not there yet" };
        let moving = world.describe_motion(number);
        line!(to, "  {} ({}){moving}{state}", wall.name, world.materials[wall.material as usize].name);
        if let dem_core::wall::Shape::Mesh { mesh, .. } = &wall.shape {
            let [facets, faces, edges, vertices] = mesh.counts();
            let (low, high) = wall.shape.bounds().unwrap_or_default();
            let (low, high) = (low + wall.pose.position, high + wall.pose.position);
            line!(to, "    {facets} facets: {faces} faces, {edges} edges, {vertices} vertices");
            if mesh.left_out() > 0 {
                line!(to, "    {} facets without area, left out", mesh.left_out());
            }
            if mesh.stitched() > 0 {
                line!(to, "    {} corners in the middle of a side, where facets were divided", mesh.stitched());
            }
            line!(to, "    from {low} to {high} m");
        }
    }
}

fn clumps(to: &mut String, checked: &Checked<'_>) {
    if checked.clumps.is_empty() {
        return;
    }
    line!(to, "\nclumps, at scale 1");
    for clump in &checked.clumps {
        let pieces = if clump.pieces > 1 { format!(" in {} pieces", clump.pieces) } else { String::new() };
        let (density, of) = match clump.density {
            Some(density) => (density, "kg m^2"),
            None => (1.0, "kg m^2 at a density of 1 kg/m^3: no source has it"),
        };
        let [least, middle, greatest] = (density * clump.moments).to_array();
        let s = if clump.spheres == 1 { "" } else { "s" };
        line!(to, "  {}: {} sphere{s}{pieces}", clump.name, clump.spheres);
        let mass =
            clump.density.map_or_else(String::new, |density| format!("mass {:.6e} kg, ", density * clump.volume));
        line!(to, "    {mass}volume {:.6e} m^3", clump.volume);
        line!(to, "    principal moments {least:.6e}, {middle:.6e}, {greatest:.6e} {of}");
        line!(
            to,
            "    as large as a sphere of radius {:.4e} m, all within {:.4e} m of the centre of mass",
            clump.equivalent_radius,
            clump.bounding_radius
        );
        line!(
            to,
            "    sphericity {:.4}, elongation {:.4}, flatness {:.4}, {} % of the volume in three spheres or more",
            clump.sphericity,
            clump.elongation,
            clump.flatness,
            Figure::new(100.0 * clump.triple_overlap_share, 2)
        );
    }
}

fn particles(to: &mut String, checked: &Checked<'_>) {
    let world = &checked.simulation.world;
    line!(to, "\nparticles");
    let bodies = world.particles.bodies.len();
    let in_bodies = match world.particles.bodies.members() {
        0 => String::new(),
        members => format!(", of which {members} in {bodies} rigid bodies"),
    };
    line!(to, "  {} at the start{in_bodies}, {} touching pairs", world.particles.len(), world.contact_count().pairs);
    for source in &checked.simulation.sources {
        let limit = match source.pouring.settings().limit {
            Some(PouringLimit::Count(count)) => format!("{count} particles"),
            Some(PouringLimit::Mass(mass)) => format!("{mass} kg"),
            None => "no limit".to_owned(),
        };
        line!(to, "  source {}: {limit}, radius {:.4e} to {:.4e} m", source.name, source.smallest, source.largest);
    }
}

fn liquid(to: &mut String, checked: &Checked<'_>) {
    let world = &checked.simulation.world;
    if !world.shares_films() {
        return;
    }
    let (held, solid) = (world.liquid(), measure::solid_volume(world));
    let share = if solid > 0.0 {
        format!(", {} % of the volume of the particles", Figure::new(100.0 * held.films / solid, 3))
    } else {
        String::new()
    };
    line!(to, "  {} m^3 of liquid in films at the start{share}", Scientific(held.films));
}

fn time_step(to: &mut String, checked: &Checked<'_>) {
    let choice = &checked.simulation.time_step;
    line!(to, "\ntime step");
    line!(
        to,
        "  {:.4e} s, {}; impacts up to {} m/s expected",
        choice.time_step,
        match choice.control {
            StepControl::Given => "as given",
            StepControl::Automatic => "the largest that all criteria admit",
            StepControl::Adaptive => "the first of an adaptive one",
        },
        Figure::new(choice.expected_speed, 3)
    );
    if let Some(range) = choice.range {
        line!(to, "  adaptive between {:.4e} and {:.4e} s", range.smallest, range.largest);
    }
    line!(to, "  bounds, the tightest first:");
    for bound in &choice.bounds {
        let share = time_step::describe(bound, &choice.fractions);
        line!(to, "  {:.4e} s  {share} ({})", bound.time_step, bound.detail);
    }
    if !checked.stage_bounds.is_empty() {
        line!(to, "  bounds by what stages set in motion:");
    }
    for (stage, bound) in &checked.stage_bounds {
        let effect = match choice.control {
            _ if bound.time_step >= choice.time_step => "",
            StepControl::Given => ": the given step is longer",
            StepControl::Automatic | StepControl::Adaptive => ": the step is then reduced to this",
        };
        let share = time_step::describe(bound, &choice.fractions);
        line!(to, "  {:.4e} s  {share} ({}; stage \"{stage}\"){effect}", bound.time_step, bound.detail);
    }
}

fn overlaps(to: &mut String, checked: &Checked<'_>) {
    let percent = |ratio: f64| match ratio {
        ratio if ratio < 1.0 => format!("{} %", Figure::new(100.0 * ratio, 2)),
        _ => "more than 100 %".to_owned(),
    };
    let deepest = &checked.simulation.time_step.deepest;
    if deepest.is_none() && checked.load.is_none() && checked.held.is_none() {
        return;
    }
    let limit = checked.simulation.pipeline.limits.overlap_ratio;
    line!(to, "\noverlap, as a share of the smaller radius; above {} the run stops (limits.overlap)", percent(limit));
    if let Some(deepest) = deepest {
        line!(
            to,
            "  {}  in an impact of {} alone, at the expected speed",
            percent(deepest.overlap_ratio),
            deepest.between
        );
    }
    if let Some(held) = &checked.held {
        line!(to, "  {}  in an impact at that speed of {}", percent(held.overlap_ratio), held.between);
    }
    if let Some(load) = &checked.load {
        let [at_rest, at_once] = [load.at_rest, load.at_once].map(percent);
        line!(to, "  {at_rest}  under {}, a force of {:.3e} N; {at_once} if applied suddenly", load.load, load.force);
    }
}

fn face(policy: FacePolicy) -> &'static str {
    match policy {
        FacePolicy::Open => "open",
        FacePolicy::Reflect => "reflect",
        FacePolicy::Error => "error",
    }
}

/// What happens at the faces of each axis, lower and upper.
fn describe_faces(cell: &Cell) -> String {
    let policy = |k: usize, side: usize| if cell.periodic[k] { "periodic" } else { face(cell.faces[k][side]) };
    let axis = |k: usize| match (policy(k, 0), policy(k, 1)) {
        (low, high) if low == high => format!("{} {low}", ["x", "y", "z"][k]),
        (low, high) => format!("{} {low} and {high}", ["x", "y", "z"][k]),
    };
    [0, 1, 2].map(axis).join(", ")
}

/// Prints very large and very small numbers in scientific notation.
struct Scientific(f64);

impl std::fmt::Display for Scientific {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let size = self.0.abs();
        if size != 0.0 && !(1e-3..1e5).contains(&size) {
            write!(f, "{:.5e}", self.0)
        } else {
            write!(f, "{:.6}", self.0)
        }
    }
}
