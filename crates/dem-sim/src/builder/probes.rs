//! Probes of walls.

use dem_core::wall::Shape;
use dem_io::document::{SceneDocument, SceneError};
use dem_io::units::Quantity;

use crate::builder::boundaries::walls::face_number;
use crate::insertion::pouring_source::PouringSource;
use crate::scene::document::Scene;
use crate::scene::output::WallProbeScene;
use crate::state::world::World;
use crate::wall_probes::chart::{Chart, Surface};
use crate::wall_probes::probes::{WallProbe, WallProbes};

/// Most bins, and most sectors, of a probe.
const MOST: u64 = 10_000;
/// Most bins times sectors.
const MOST_CELLS: u64 = 100_000;
/// Time between outputs unless it is given \[s\].
const INTERVAL: f64 = 0.1;

/// Builds the wall probes of a scene.
pub(super) fn build(
    document: &SceneDocument,
    scene: &Scene,
    world: &World,
    sources: &[PouringSource],
) -> Result<WallProbes, SceneError> {
    let output = &scene.output;
    if output.profiles.is_some() && output.wall_probes.is_empty() {
        return Err(document.error_at(
            &["output", "profiles"],
            "expected only together with wall_probes: without them profiles.csv is not written",
        ));
    }
    let given = output.wall_probes.iter().enumerate();
    let probes = given.map(|(index, given)| probe(document, world, index, given)).collect::<Result<Vec<_>, _>>()?;
    warn_of_narrow_bins(&probes, world, sources);
    Ok(WallProbes::new(probes, output.profiles.map_or(INTERVAL, |time| time.si())))
}

fn probe(
    document: &SceneDocument,
    world: &World,
    index: usize,
    given: &WallProbeScene,
) -> Result<WallProbe, SceneError> {
    let number = index.to_string();
    let path = |key: &'static str| ["output", "wall_probes", number.as_str(), key];
    let Some(number) = world.walls.iter().position(|wall| wall.name == given.wall) else {
        let names: Vec<&str> = world.walls.iter().map(|wall| wall.name.as_str()).collect();
        return Err(document.error_at(&path("wall"), format!("expected the name of a wall: {}", names.join(", "))));
    };
    let wall = &world.walls[number];
    let face = given.face.map(face_number);
    match (&wall.shape, face) {
        (Shape::Box { closed, .. }, Some(face)) if closed[face] => {}
        (Shape::Box { .. }, Some(_)) => {
            return Err(document.error_at(&path("face"), "expected a face that is closed"));
        }
        (Shape::Box { .. }, None) => {
            return Err(document.error_at(&path("wall"), "expected also a face: this wall is a box"));
        }
        (_, Some(_)) => return Err(document.error_at(&path("face"), "expected no face: this wall is no box")),
        (_, None) => {}
    }
    let Some(surface) = Surface::of(&wall.shape, face.unwrap_or(0)) else {
        return Err(document
            .error_at(&path("wall"), "expected a wall of another shape: meshes have no coordinates, but wall_facets"));
    };
    let sectors = given.sectors.unwrap_or(1);
    if !(1..=MOST).contains(&given.bins) {
        return Err(document.range_error(&path("bins"), "-", format!("1 to {MOST}")));
    }
    if !(1..=MOST).contains(&sectors) || given.bins * sectors > MOST_CELLS {
        let allowed = format!("1 to {MOST}, and at most {MOST_CELLS} for bins x sectors");
        return Err(document.range_error(&path("sectors"), "-", allowed));
    }
    if sectors > 1 && !surface.is_round() {
        return Err(document.error_at(&path("sectors"), "expected 1: a rectangle or face has no axis"));
    }
    let [low, high] = surface.ends();
    let end = |key: &'static str, value: Option<Quantity<_>>, default: f64| match value.map(|x| x.si()) {
        Some(x) if x < low || x > high => {
            Err(document.range_error(&path(key), "m", format!("{low} <= value <= {high}, the ends of the wall")))
        }
        None if default.is_infinite() => {
            let message = format!("expected also `{key}`: this wall has no end there");
            Err(document.error_at(&path("wall"), message))
        }
        given => Ok(given.unwrap_or(default)),
    };
    let ends = [end("from", given.from, low)?, end("to", given.to, high)?];
    if ends[0] >= ends[1] {
        let key = if given.to.is_some() { "to" } else { "from" };
        return Err(document.error_at(&path(key), "expected bins that begin below their end"));
    }
    let (bins, sectors) = (given.bins as usize, sectors as usize);
    Ok(WallProbe { wall: number, feature: face.map(|face| face as u32), chart: Chart { surface, ends, bins, sectors } })
}

/// Bins narrower than a particle show where single particles lie, not the load of the wall.
fn warn_of_narrow_bins(probes: &[WallProbe], world: &World, sources: &[PouringSource]) {
    let radii = world.particles.radius.iter().copied().chain(sources.iter().map(|source| source.largest));
    let diameter = 2.0 * radii.fold(0.0, f64::max);
    for probe in probes.iter().filter(|probe| probe.chart.resolution() < diameter) {
        tracing::warn!(
            "the bins of the probe of wall \"{}\" are {:.3e} m wide, narrower than the largest particle, {diameter:.3e} m: they show single \
             contacts",
            world.walls[probe.wall].name,
            probe.chart.resolution()
        );
    }
}
