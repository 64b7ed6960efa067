//! What scenes request from sources, in the terms of insertion: regions, sizes, and the keys behind their numbers.

use dem_core::DVec3;
use dem_io::units::Quantity;

use crate::insertion::region::Region;
use crate::insertion::size_distribution::{SizeDistribution, WeightedBy};
use crate::scene::document::Scene;
use crate::scene::source::{RegionScene, SizeScene, TableBy};

/// Corners of the regions of a scene.
pub(crate) fn region_bounds(scene: &Scene) -> Vec<(DVec3, DVec3)> {
    scene
        .particles
        .iter()
        .filter_map(|source| source.region.as_ref().map(|region| convert_region(region).bounds()))
        .collect()
}

/// The region that a scene describes, not yet checked.
pub(crate) fn convert_region(region: &RegionScene) -> Region {
    let vector = |v: &Option<[Quantity<dem_io::units::Length>; 3]>| v.map_or(DVec3::ZERO, Quantity::vector);
    let axis = |v: &Option<[f64; 3]>| v.map_or(DVec3::Z, DVec3::from_array);
    match region {
        RegionScene::Box { min, max } => Region::Box { min: Quantity::vector(*min), max: Quantity::vector(*max) },
        RegionScene::Cylinder { base, axis: a, radius, height } => {
            Region::Cylinder { base: vector(base), axis: axis(a), radius: radius.si(), height: height.si() }
        }
        RegionScene::Sphere { centre, radius } => Region::Sphere { centre: vector(centre), radius: radius.si() },
        RegionScene::Frustum { base, axis: a, base_radius, top_radius, height } => Region::Frustum {
            base: vector(base),
            axis: axis(a),
            base_radius: base_radius.si(),
            top_radius: top_radius.si(),
            height: height.si(),
        },
    }
}

/// The distribution that sizes of a scene describe, not yet checked.
pub fn size_distribution(sizes: &SizeScene) -> SizeDistribution {
    match sizes {
        SizeScene::Single { radius } => SizeDistribution::Single { radius: radius.si() },
        SizeScene::Uniform { min, max } => SizeDistribution::Uniform { min: min.si(), max: max.si() },
        SizeScene::Normal { mean, standard_deviation, min, max } => SizeDistribution::Normal {
            mean: mean.si(),
            standard_deviation: standard_deviation.si(),
            min: min.si(),
            max: max.si(),
        },
        SizeScene::Lognormal { median, geometric_standard_deviation, min, max } => SizeDistribution::LogNormal {
            median: median.si(),
            geometric_standard_deviation: *geometric_standard_deviation,
            min: min.si(),
            max: max.si(),
        },
        SizeScene::Table { radii, weights, by, interpolate } => SizeDistribution::Table {
            radii: radii.iter().map(|r| r.si()).collect(),
            weights: weights.clone(),
            by: match by {
                TableBy::Number => WeightedBy::Number,
                TableBy::Mass => WeightedBy::Mass,
            },
            interpolate: *interpolate,
        },
    }
}

/// Key of the scene under which a number of a request for spheres was given.
pub(crate) fn key_of(name: &str) -> &str {
    match name {
        "smallest radius" => "min",
        "largest radius" => "max",
        "mean radius" => "mean",
        "standard deviation of the radius" => "standard_deviation",
        "median radius" => "median",
        "geometric standard deviation" => "geometric_standard_deviation",
        "radius in the size table" => "radii",
        "weight in the size table" => "weights",
        "radius of the cylinder" | "radius of the sphere" => "radius",
        "height of the cylinder" | "height of the frustum" => "height",
        "jitter of the lattice" => "jitter",
        "spacing of the lattice" => "spacing",
        "relative gap of the lattice" => "gap",
        "packing fraction" => "packing_fraction",
        "mass to be poured" => "mass",
        other => other,
    }
}
