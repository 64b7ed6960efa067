//! Measures that only assemblies with rigid bodies have.
//!
//! The series of a scene has their columns if the scene has kinds of bodies, from its first row on, whether there are bodies yet or not.

use dem_core::DVec3;
use dem_core::bodies::body::Body;
use dem_core::contact_list::PartnerKind;
use dem_io::series::SeriesColumn;

use super::fabric::product;
use crate::state::world::World;

/// Columns of the axes of bodies.
const AXES: [(&str, &str); 6] = [
    (
        "body_axes_xx",
        "mean of e_x e_x over bodies whose moments of inertia differ, e the principal axis whose moment is farthest from the middle one; xx, yy and zz add up to 1",
    ),
    ("body_axes_yy", "the same of e_y e_y"),
    ("body_axes_zz", "the same of e_z e_z"),
    ("body_axes_xy", "the same of e_x e_y"),
    ("body_axes_xz", "the same of e_x e_z"),
    ("body_axes_yz", "the same of e_y e_z"),
];

/// Whether a run may have bodies.
pub fn has_bodies(world: &World) -> bool {
    !world.particles.bodies.templates.is_empty()
}

/// Columns of the series.
pub(super) fn describe() -> Vec<SeriesColumn> {
    let counts = [
        ("bodies", "rigid bodies present; their spheres are among the particles"),
        (
            "neighbours",
            "mean number of bodies and single spheres that a body or single sphere touches, however many contacts two of them have",
        ),
    ];
    counts.iter().chain(&AXES).map(|&(name, meaning)| SeriesColumn::new(name, "-", meaning)).collect()
}

/// Values of the columns.
pub(super) fn values(world: &World) -> Vec<f64> {
    let bodies = world.whole.count(world.particles.bodies.len());
    [&[bodies as f64, neighbours(world)][..], &axes(world)].concat()
}

/// Mean number of different bodies and single spheres that a body or single sphere touches \[-\].
pub fn neighbours(world: &World) -> f64 {
    let p = &world.particles;
    let mut pairs: Vec<[usize; 2]> = Vec::new();
    world.each_contact(&mut |c| {
        if c.touches && c.key.kind == PartnerKind::Particle {
            let (one, other) = (p.grain(c.first), p.grain(c.second));
            pairs.push([one.min(other), one.max(other)]);
        }
    });
    pairs.sort_unstable();
    pairs.dedup();
    let [pairs, grains] = [pairs.len(), world.movers().count()].map(|count| world.whole.count(count));
    if grains == 0 { 0.0 } else { 2.0 * pairs as f64 / grains as f64 }
}

/// Mean of `e ⊗ e` over bodies that are not isotropic: xx, yy, zz, xy, xz, yz; zero without any.
fn axes(world: &World) -> [f64; 6] {
    let of_body = |body: &Body| {
        if body.is_isotropic() {
            return [0.0; 7];
        }
        let axis = axis_of(body);
        let [xx, yy, zz, xy, xz, yz] = product(axis, axis, 1.0);
        [xx, yy, zz, xy, xz, yz, 1.0]
    };
    let [xx, yy, zz, xy, xz, yz, count] = world.sums_over_movers(|_| [0.0; 7], of_body);
    [xx, yy, zz, xy, xz, yz].map(|sum| sum / count.max(1.0))
}

/// The principal axis whose moment is farthest from the middle one: the long axis of a rod, the short one of a disc.
fn axis_of(body: &Body) -> DVec3 {
    let [least, middle, largest] = body.moments.to_array();
    body.to_space(if middle - least >= largest - middle { DVec3::X } else { DVec3::Z })
}
