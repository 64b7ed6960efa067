//! What a sound scene can hardly mean: wrong units, walls out of reach, conditions that never come.

use dem_core::DVec3;
use dem_core::figure::Figure;
use dem_core::wall::Shape;
use dem_io::units::Quantity;

use super::load_overlap::deepest_under_load;
use crate::builder::loaded_scene::LoadedScene;
use crate::deformation::control::{Component, Control};
use crate::scene::clump::{OrientationScene, OrientationWord};
use crate::scene::source::{FillScene, SizeScene, SourceScene};
use crate::scene::wall::ShapeScene;
use crate::simulation::components::Simulation;
use crate::simulation::stage::StrainBound;
use crate::time_step::choice::StepControl;

/// Densities of solids, from foams to the heaviest metals \[kg/m³\].
const DENSITIES: [f64; 2] = [100.0, 30_000.0];
/// Size of a mesh in proportion to that of everything that particles fill.
const TOO_LARGE: f64 = 100.0;
/// Units that drawings are made in \[m\].
const UNITS: [(&str, f64); 5] = [("1 um", 1e-6), ("1 mm", 1e-3), ("1 cm", 1e-2), ("25.4 mm", 25.4e-3), ("1 m", 1.0)];
/// A given step in proportion to its bound.
const TOO_LONG: f64 = 2.0;

/// A sentence for everything in a scene that is allowed, and that its author can hardly mean.
pub fn doubts(loaded: &LoadedScene, simulation: &Simulation) -> Vec<String> {
    let mut found = doubts_of_a_run(loaded, simulation);
    found.extend(step(simulation));
    found
}

/// The same for a run, but for a step that is too long, of which the builder warns.
pub fn doubts_of_a_run(loaded: &LoadedScene, simulation: &Simulation) -> Vec<String> {
    let mut found = densities(simulation);
    found.extend(meshes(loaded, simulation));
    found.extend(strains(simulation));
    found.extend(seed(loaded));
    found.extend(load(simulation));
    found.extend(dry(loaded, simulation));
    found
}

fn dry(loaded: &LoadedScene, simulation: &Simulation) -> Option<String> {
    let is_wet = |source: &SourceScene| source.liquid_film.is_some() || source.liquid_content.is_some();
    let is_dry = simulation.world.shares_films() && !loaded.scene.particles.iter().any(is_wet);
    is_dry.then(|| {
        "bridge_liquid = \"films\", but no source has liquid_film or liquid_content: no bridge will form".to_owned()
    })
}

fn densities(simulation: &Simulation) -> Vec<String> {
    let [low, high] = DENSITIES;
    let odd = simulation.world.materials.iter().filter(|material| !(low..=high).contains(&material.density));
    odd.map(|material| {
        let hint = if material.density < low { "; 2.5 g/cm^3 are 2500 kg/m^3" } else { "" };
        format!(
            "materials.{}.density = {} kg/m^3, solids have {low} to {high}{hint}",
            material.name,
            Figure::new(material.density, 3)
        )
    })
    .collect()
}

fn meshes(loaded: &LoadedScene, simulation: &Simulation) -> Vec<String> {
    let world = &simulation.world;
    let p = &world.particles;
    let spheres = p.position.iter().zip(&p.radius).map(|(&x, &r)| (x - r, x + r));
    let filled = spheres
        .chain(simulation.sources.iter().map(|source| source.bounds))
        .reduce(|(low, high), (a, b)| (low.min(a), high.max(b)));
    let radii = p.radius.iter().copied().chain(simulation.sources.iter().map(|source| source.largest));
    let largest = radii.fold(0.0, f64::max);
    let domain = (world.cell.origin, world.cell.origin + world.cell.matrix() * DVec3::ONE);
    let mut found = Vec::new();
    for wall in &world.walls {
        let (Shape::Mesh { .. }, Some((low, high))) = (&wall.shape, wall.shape.bounds()) else { continue };
        let (low, high) = (low + wall.pose.position, high + wall.pose.position);
        let (name, size) = (&wall.name, (high - low).max_element());
        let room = filled.map(|(a, b)| (b - a).max_element());
        let unit = unit_question(loaded, name, size, room.unwrap_or_else(|| (domain.1 - domain.0).max_element()));
        if low.cmpgt(domain.1).any() || high.cmplt(domain.0).any() {
            found.push(format!("the mesh of wall \"{name}\", from {low} to {high} m, lies outside the domain; {unit}"));
        }
        let Some(room) = room else { continue };
        if size > TOO_LARGE * room {
            let times = Figure::new(size / room, 0);
            let size = Figure::new(size, 3);
            found.push(format!(
                "the mesh of wall \"{name}\" is {size} m large, {times} times what particles fill; {unit}"
            ));
        } else if size < 2.0 * largest {
            found.push(format!(
                "the mesh of wall \"{name}\" is {size:.3e} m large, smaller than the largest particle, {:.3e} m; {unit}",
                2.0 * largest
            ));
        }
    }
    found
}

/// Asks for the unit of a mesh, and names the usual one with which it would be about as large as the room that particles fill.
fn unit_question(loaded: &LoadedScene, wall: &str, size: f64, room: f64) -> String {
    let question = "is its `unit` right?".to_owned();
    let shape = loaded.scene.walls.iter().find(|scene| scene.name == wall).map(|scene| &scene.shape);
    let Some(ShapeScene::Mesh { unit, .. }) = shape else { return question };
    let size_in = |metres: f64| size / unit.si() * metres;
    let misfit = |metres: f64| (size_in(metres) / room).ln().abs();
    let Some(&(name, metres)) = UNITS.iter().min_by(|a, b| misfit(a.1).total_cmp(&misfit(b.1))) else {
        return question;
    };
    if (metres / unit.si() - 1.0).abs() < 0.5 {
        return question;
    }
    format!("{question} With unit = \"{name}\" the mesh is {} m large", Figure::new(size_in(metres), 3))
}

fn step(simulation: &Simulation) -> Option<String> {
    let choice = &simulation.time_step;
    let tightest = choice.bounds.first().filter(|_| choice.control == StepControl::Given)?;
    let times = choice.time_step / tightest.time_step;
    (times > TOO_LONG).then(|| {
        format!(
            "time.step is {} times the {:.4e} s that the {} admits ({}): contacts are not resolved",
            Figure::new(times, 1),
            tightest.time_step,
            tightest.criterion,
            tightest.detail
        )
    })
}

/// Strains that a stage waits for while what it prescribes leads the other way.
fn strains(simulation: &Simulation) -> Vec<String> {
    let mut found = Vec::new();
    for stage in &simulation.stages {
        let Some(control) = &stage.deform else { continue };
        for bound in &stage.until.strain {
            let Some(rate) = rate_of(control, bound) else { continue };
            let name = bound.component.map_or("volume".to_owned(), |(i, j)| {
                let [i, j] = [i, j].map(|k| ["x", "y", "z"][k]);
                format!("{i}{j}")
            });
            if rate == 0.0 {
                found.push(format!("stage \"{}\" waits for a strain of {name}, whose rate is zero", stage.name));
            } else if rate * bound.value < 0.0 {
                found.push(format!(
                    "stage \"{}\" waits for a strain of {name}, whose rate has the opposite sign",
                    stage.name
                ));
            }
        }
    }
    found
}

/// The rate of a strain where it is prescribed \[1/s\].
fn rate_of(control: &Control, bound: &StrainBound) -> Option<f64> {
    let rate = |i: usize, j: usize| match control.component(i, j) {
        Component::Rate(rate) => Some(rate),
        Component::Stress(_) | Component::Unasked => None,
    };
    match bound.component {
        Some((i, j)) if i == j => rate(i, i),
        Some((i, j)) => match (rate(i, j), rate(j, i)) {
            (None, None) => None,
            (one, other) => Some(0.5 * (one.unwrap_or(0.0) + other.unwrap_or(0.0))),
        },
        None => (0..3).map(|k| rate(k, k)).sum(),
    }
}

/// A seed that nothing draws numbers from.
fn seed(loaded: &LoadedScene) -> Option<String> {
    let is_given = loaded.document.value(&["seed"]).is_some();
    (is_given && !draws(loaded)).then(|| {
        "seed has no effect: no source draws random numbers (tables, and lattices of equal spheres without jitter)"
            .to_owned()
    })
}

/// Whether any source of a scene draws random numbers.
pub fn draws(loaded: &LoadedScene) -> bool {
    loaded.scene.particles.iter().any(|source| match &source.fill {
        FillScene::File { .. } => turns_at_random(source),
        FillScene::Lattice { jitter, .. } => {
            let is_of_one_size = matches!(source.sizes, Some(SizeScene::Single { .. }) | None);
            jitter.map_or(0.0, Quantity::si) > 0.0 || !is_of_one_size || turns_at_random(source)
        }
        FillScene::Random { .. } | FillScene::Pour { .. } => true,
    })
}

/// Whether a source turns bodies at random.
fn turns_at_random(source: &SourceScene) -> bool {
    let is_fixed = matches!(
        source.orientation,
        Some(OrientationScene::Word(OrientationWord::Fixed) | OrientationScene::Fixed { .. })
    );
    source.clump.is_some() && !is_fixed
}

fn load(simulation: &Simulation) -> Option<String> {
    let limit = simulation.pipeline.limits.overlap_ratio;
    let deepest = deepest_under_load(simulation).filter(|load| load.at_once > limit)?;
    Some(format!(
        "{} overlaps by {} % of the radius, {} % if applied suddenly; above {} % (limits.overlap) the run stops",
        deepest.load,
        Figure::new(100.0 * deepest.at_rest, 1),
        Figure::new(100.0 * deepest.at_once, 1),
        Figure::new(100.0 * limit, 1)
    ))
}
