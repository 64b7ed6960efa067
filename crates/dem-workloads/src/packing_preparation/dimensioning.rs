//! How much room the spheres get: their sizes are drawn first.

use dem_core::DVec3;
use dem_sim::builder;

use super::extent::base;
use super::layout::Layout;
use super::options::{Container, DILUTE, Method, Options, Start, WIDTH, refused};
use super::preparation::grains;
use super::scene_text::{SceneText, Source, Stage};
use crate::error::WorkloadError;

/// Packing fraction of the first draw \[-\].
const SPARSE: f64 = 0.1;
/// Smallest width of a periodic cell in largest radii at any time; the engine needs a little more than 4.
const LEAST_WIDTH: f64 = 5.0;
/// Smallest gap of a lattice in proportion to the largest diameter: room for spheres to be shifted.
const LATTICE_GAP: f64 = 0.1;
/// Packing fraction that no random packing exceeds, but for wide distributions of sizes \[-\].
const DENSE: f64 = 0.74;

/// Draws the sizes and makes room for them.
///
/// # Errors
/// Sizes, a material or a contact law that a scene refuses, and a cell that would become too small for its spheres.
pub fn lay_out(options: &Options) -> Result<Layout, WorkloadError> {
    // sizes do not depend on the places: a first draw in ample room tells their volume
    let mut layout = Layout {
        solid: 0.0,
        diameter: 1.0,
        density: 1.0,
        pressure: options.imposed_pressure(),
        stiffness: 1.0,
        size: DVec3::ONE,
        largest: 0.0,
    };
    let text = SceneText { options, layout: &layout, friction: options.friction };
    let empty = text.load(&Source::Placed, Stage::Nothing)?;
    let sizes = empty.scene.particles.iter().find_map(|source| source.sizes.as_ref()).map(builder::size_distribution);
    let sizes = sizes.ok_or_else(|| refused("--sizes", &options.sizes, "sizes as in a scene"))?;
    sizes.validate().map_err(|error| refused("--sizes", &options.sizes, format!("valid sizes: {error}")))?;
    layout.solid = options.count as f64 * sizes.mean_volume();
    layout.diameter = 2.0 * sizes.mean_radius();
    // how far bodies reach, in proportion to spheres of equal volume
    let templates = builder::templates(&empty)?;
    let reach = templates.first().map_or(1.0, |template| template.bounding_radius / template.equivalent_radius());
    layout.largest = sizes.max_radius() * reach;
    let dilute = match options.method {
        Method::RandomSequential => options.fraction.unwrap_or(DILUTE),
        _ => DILUTE,
    };
    layout.size = room(&layout, options, dilute);
    check_room(&layout, options, sizes.mean_radius() * reach)?;
    layout.size = room(&layout, options, SPARSE);
    let text = SceneText { options, layout: &layout, friction: options.friction };
    let drawn = builder::build(&text.load(&Source::Placed, Stage::Nothing)?)?;
    let world = &drawn.world;
    let p = &world.particles;
    let count = grains(world) as f64;
    let bodies = &p.bodies.all;
    let of_spheres = p.radius.iter().take(p.len() - p.bodies.members());
    let radii = || of_spheres.clone().copied().chain(bodies.iter().map(|body| body.equivalent_radius));
    let largest = radii().fold(0.0, f64::max) * reach;
    layout.solid = p.sum(|slot| p.solid_volume(slot));
    layout.diameter = 2.0 * p.sum(|slot| p.radius[slot]) / count;
    layout.density = p.sum(|slot| p.mass[slot]) / layout.solid;
    if !bodies.is_empty() {
        layout.diameter = 2.0 * radii().sum::<f64>() / count;
    }
    layout.size = room(&layout, options, dilute);
    if options.method == Method::Deposition {
        layout.pressure = layout.weight() / layout.floor(options);
    }
    layout.stiffness = options.stiffness_number * layout.pressure * layout.diameter;
    check_room(&layout, options, largest)?;
    Ok(layout)
}

/// Lengths of a region for the spheres at a packing fraction \[m\].
fn room(layout: &Layout, options: &Options, fraction: f64) -> DVec3 {
    let mut volume = layout.solid / fraction;
    if options.start == Start::Lattice {
        let spacing = 2.0 * layout.largest * (1.0 + LATTICE_GAP);
        volume = volume.max(options.count as f64 * spacing * spacing * spacing);
    }
    let upright = options.method == Method::Deposition || options.container != Container::Periodic;
    let width = match (options.width, upright) {
        (None, false) => return DVec3::splat(volume.cbrt()),
        (given, _) => given.unwrap_or(WIDTH) * layout.diameter,
    };
    let flat = DVec3::new(width, width, 0.0);
    flat + DVec3::Z * (volume / base(options.container, flat))
}

fn check_room(layout: &Layout, options: &Options, largest: f64) -> Result<(), WorkloadError> {
    let dense = match options.method {
        Method::Growth | Method::Compression => {
            layout.size * (layout.solid / (DENSE * layout.extent(options).volume(options.container))).cbrt()
        }
        _ => layout.size,
    };
    let narrowest = dense.min_element();
    if narrowest >= LEAST_WIDTH * largest {
        return Ok(());
    }
    let allowed = format!(
        "more spheres, or another --width: the space for them becomes {narrowest:.3e} m wide, expected at least {:.3e} m, {LEAST_WIDTH} of the largest radii",
        LEAST_WIDTH * largest
    );
    Err(refused("--count", options.count, allowed).into())
}
