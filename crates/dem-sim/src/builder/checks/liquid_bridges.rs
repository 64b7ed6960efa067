//! Volumes of liquid bridges that their force is not made for.

use std::collections::BTreeSet;

use dem_contact::near_field::beyond_validity;

use crate::insertion::pouring_source::PouringSource;
use crate::state::contact_parameters::ContactDefinition;
use crate::state::world::World;

/// Smallest and largest radius of the particles of a material, present and poured \[m\].
fn radii(world: &World, sources: &[PouringSource], material: usize) -> Option<[f64; 2]> {
    let p = &world.particles;
    let present = p.material.iter().zip(&p.radius).filter(|(own, _)| usize::from(**own) == material);
    let poured = sources.iter().filter(|source| usize::from(source.kind.material) == material);
    present
        .map(|(_, &radius)| [radius; 2])
        .chain(poured.map(|source| [source.smallest, source.largest]))
        .reduce(|[low, high], [other_low, other_high]| [low.min(other_low), high.max(other_high)])
}

/// Warns of volumes beyond what the force of a bridge is made for, once for each pair of materials.
pub(crate) fn warn(contact: &ContactDefinition, world: &World, sources: &[PouringSource]) {
    let of_walls: BTreeSet<usize> =
        world.walls.iter().filter(|wall| wall.near_field).map(|wall| usize::from(wall.material)).collect();
    for pair in contact.pairs() {
        let given = pair.parameters.iter().cloned().collect();
        let of = [pair.first, pair.second].map(|material| radii(world, sources, material));
        let mut found: Vec<[f64; 2]> = Vec::new();
        if let [Some(one), Some(other)] = of {
            found.push([0, 1].map(|end| one[end] * other[end] / (one[end] + other[end])));
        }
        for (radii, material) in of.into_iter().zip([pair.second, pair.first]) {
            found.extend(radii.filter(|_| of_walls.contains(&material)));
        }
        let range = found.into_iter().reduce(|a, b| [a[0].min(b[0]), a[1].max(b[1])]);
        if let Some(told) = range.and_then(|range| beyond_validity(&given, range)) {
            let names = [pair.first, pair.second].map(|material| world.materials[material].name.as_str());
            tracing::warn!("between {} and {}: {told}", names[0], names[1]);
        }
    }
}
