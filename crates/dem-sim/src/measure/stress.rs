//! Stress, strain and fabric of a periodic cell: the columns of the series of scenes whose cell may deform.
//!
//! The Love-Weber stress is `σ = (1/V) Σ f ⊗ l` over contacts and pairs that act on each other at a distance, with the
//! force f on the first sphere and the vector l from its centre to that of the second across periodic faces, or to the
//! contact point on a wall (of members of rigid bodies from the centre of mass of their body), and the volume V between periodic faces and walls; motion adds `−(1/V) Σ m v ⊗ v` of
//! peculiar velocities. The viscous part is that of all dashpots, of normal and tangential forces, of contact
//! damping and of viscous liquid bridges.

use dem_core::contact_list::PartnerKind;
use dem_core::particles::sphere_volume;
use dem_core::{DMat3, DVec3};
use dem_io::series::SeriesColumn;

use super::branches::branch;
use crate::deformation::control::mean;
use crate::deformation::deforming_cell::{Deformation, Sense};
use crate::deformation::displacement::Displacement;
use crate::deformation::sampled_body;
use crate::deformation::stress::{contraction, outer, symmetric};
use crate::state::movers::Mover;
use crate::state::world::World;

/// Stress of a cell and what belongs to it, positive in tension.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StressMeasure {
    /// Of elastic and frictional contact forces, symmetric part \[Pa\].
    pub contacts: DMat3,
    /// Of dashpots, symmetric part \[Pa\].
    pub viscous: DMat3,
    /// Of the peculiar motion \[Pa\].
    pub motion: DMat3,
    /// Skew part of all contact forces: moments out of balance \[Pa\].
    pub skew: DMat3,
    /// Fabric, the mean of `n ⊗ n` over contacts that bear a force \[-\].
    pub fabric: DMat3,
    /// Mean normal stiffness of these contacts \[N/m\].
    pub stiffness: f64,
    /// Pairs of particles that bear a force.
    pub pairs_with_force: usize,
}

impl StressMeasure {
    /// Of the present state. Sums are exact, in whatever order contacts lie.
    pub fn of(world: &World) -> Self {
        let sums: [f64; 23] = world.sum_over_contacts(|c| {
            let mut terms = [0.0; 23];
            let Some(wrench) = world.forces.get(c.candidate) else { return terms };
            let force = wrench.force_on_first();
            if force == DVec3::ZERO {
                return terms;
            }
            let branch = branch(world, c);
            terms[..9].copy_from_slice(&outer(force, branch).to_cols_array());
            terms[9..15].copy_from_slice(&six(outer(c.viscous_force(force), branch)));
            if c.key.kind == PartnerKind::Particle {
                terms[15..21].copy_from_slice(&six(outer(c.normal, c.normal)));
                terms[21..].copy_from_slice(&[c.stiffness.normal, 1.0]);
            }
            terms
        });
        let tensor = |from: usize| symmetric_of([0, 1, 2, 3, 4, 5].map(|k| sums[from + k]));
        let (viscous, fabric, stiffness, pairs) = (tensor(9), tensor(15), sums[21], sums[22]);
        let mut all = DMat3::ZERO;
        for (column, numbers) in [0, 1, 2].into_iter().zip(sums.chunks(3)) {
            *all.col_mut(column) = DVec3::from_slice(numbers);
        }
        let momentum_flux = |mover: Mover| {
            let velocity = world.velocity_of(mover);
            six(outer(velocity * -world.mass_of(mover), velocity))
        };
        let motion = symmetric_of(world.sums_of_movers(momentum_flux));
        let per_volume = 1.0 / sampled_body::volume(&world.cell, &world.walls);
        let count = pairs.max(1.0);
        Self {
            contacts: (symmetric(all) - viscous) * per_volume,
            viscous: viscous * per_volume,
            motion: motion * per_volume,
            skew: (all - symmetric(all)) * per_volume,
            fabric: fabric * (1.0 / count),
            stiffness: stiffness / count,
            pairs_with_force: pairs as usize,
        }
    }

    /// The whole stress \[Pa\].
    pub fn total(&self) -> DMat3 {
        self.contacts + self.viscous + self.motion
    }
}

/// xx, yy, zz, yz, xz, xy of the symmetric part of a tensor.
fn six(m: DMat3) -> [f64; 6] {
    SYMMETRIC.map(|(_, i, j)| 0.5 * (m.col(j)[i] + m.col(i)[j]))
}

/// The symmetric tensor with these components.
fn symmetric_of([xx, yy, zz, yz, xz, xy]: [f64; 6]) -> DMat3 {
    DMat3::from_cols(DVec3::new(xx, xy, xz), DVec3::new(xy, yy, yz), DVec3::new(xz, yz, zz))
}

/// Deviator `√(3/2 s:s)` of a symmetric tensor, s its deviatoric part: |σ₁ − σ₃| in axisymmetric states.
pub fn deviator(tensor: DMat3) -> f64 {
    let s = tensor - DMat3::IDENTITY * mean(tensor);
    (1.5 * contraction(s, s)).sqrt()
}

/// Fraction of the sample that no sphere or body fills \[-\]; overlaps of contacts count twice, those of the spheres of a body as its template has
/// them.
pub fn porosity(world: &World) -> f64 {
    1.0 - solid_volume(world) / sampled_body::volume(&world.cell, &world.walls)
}

/// Volume of all spheres and bodies \[m³\].
pub fn solid_volume(world: &World) -> f64 {
    let p = &world.particles;
    let [volume] = world.sums_of_movers(|mover| match mover {
        Mover::Sphere(slot) => [sphere_volume(p.radius[slot])],
        Mover::Body(at) => [p.bodies.volume_of(&p.bodies.all[at])],
    });
    volume
}

/// Inertial number `ε̇ d √(ρ/|p|)` \[-\] with `ε̇ = √(2/3 e:e)` of the deviatoric rate of deformation e \[1/s\], mean diameter d and density ρ of the
/// grains, and the mean stress p \[Pa\].
pub fn inertial_number(world: &World, rate_of_deformation: DMat3, mean_stress: f64) -> f64 {
    let rate = deviator(rate_of_deformation) * (2.0 / 3.0);
    if rate == 0.0 || world.particle_count() == 0 {
        return 0.0;
    }
    let (diameter, density) = world.mean_diameter_and_density();
    rate * diameter * (density / mean_stress.abs()).sqrt()
}

/// The six components of symmetric tensors: suffix, row, column.
const SYMMETRIC: [(&str, usize, usize); 6] =
    [("xx", 0, 0), ("yy", 1, 1), ("zz", 2, 2), ("yz", 1, 2), ("xz", 0, 2), ("xy", 0, 1)];

/// Single columns: name, unit, meaning, whether the sense of stress and strain matters.
const SINGLE: [(&str, &str, &str, bool); 13] = [
    ("cell_work", "J", "work done by the deformation of the cell on the particles so far", false),
    ("stress_skew", "Pa", "norm of the skew part of the contact stress: moments out of balance", false),
    ("mean_stress", "Pa", "a third of the trace of the whole stress", true),
    ("deviator", "Pa", "sqrt(3/2 s:s) of the deviator s of the whole stress, |s1 - s3| in axisymmetric states", false),
    ("q_over_p", "-", "deviator in proportion to the magnitude of mean_stress", false),
    (
        "stress_error",
        "-",
        "largest distance of a controlled stress from its target in proportion to the largest target",
        false,
    ),
    ("volumetric_strain", "-", "true volumetric strain so far", true),
    ("engineering_strain_xx", "-", "change of length along x so far in proportion to the first length", true),
    ("engineering_strain_yy", "-", "the same along y", true),
    ("engineering_strain_zz", "-", "the same along z", true),
    ("porosity", "-", "share of the cell that no sphere or body fills", false),
    ("inertial_number", "-", "deviatoric strain rate times mean diameter times sqrt(density / mean stress)", false),
    (
        "stiffness_number",
        "-",
        "mean normal stiffness of contacts in proportion to mean stress times mean diameter",
        false,
    ),
];

/// Names of tensors, unit, meaning, whether the sense matters.
const TENSORS: [(&str, &str, &str, bool); 5] = [
    (
        "stress",
        "Pa",
        "Love-Weber stress of elastic and frictional contact forces and of forces at a distance, without dashpots",
        true,
    ),
    (
        "viscous_stress",
        "Pa",
        "stress of all dashpots, of normal and tangential forces, of contact damping and of viscous liquid bridges",
        true,
    ),
    ("kinetic_stress", "Pa", "stress of the peculiar motion", true),
    ("strain", "-", "true strain so far, the rate of deformation integrated over time", true),
    ("fabric", "-", "mean of n n over pairs that bear a force", false),
];

/// Names of the columns, for stages that wait for a value.
pub fn cell_columns() -> Vec<String> {
    columns(Sense::Tension, Displacement::Affine).into_iter().map(|column| column.name).collect()
}

/// Columns of the series of a cell that may deform.
pub fn columns(sense: Sense, displacement: Displacement) -> Vec<SeriesColumn> {
    let meaning = |text: &str, signed: bool| {
        if signed { format!("{text}; {}", sense.describe()) } else { text.to_owned() }
    };
    // columns of ones whose names tell what the header of a plain table has no other place for
    let named = [
        (sense.describe(), format!("1: stresses and strains are given {}", sense.describe())),
        (displacement.describe(), displacement.meaning().to_owned()),
    ]
    .map(|(name, meaning)| SeriesColumn::new(name.replace(' ', "_"), "-", meaning));
    let single = SINGLE.iter().map(|&(name, unit, text, signed)| SeriesColumn::new(name, unit, meaning(text, signed)));
    let tensors = TENSORS.iter().flat_map(|&(name, unit, text, signed)| {
        SYMMETRIC.map(|(suffix, ..)| {
            SeriesColumn::new(format!("{name}_{suffix}"), unit, meaning(&format!("{text}, component {suffix}"), signed))
        })
    });
    let edges = (0..9).map(|k| {
        let axis = ["x", "y", "z"][k % 3];
        SeriesColumn::new(
            format!("cell_edge_{}_{axis}", k / 3 + 1),
            "m",
            format!("component {axis} of edge {} of the cell", k / 3 + 1),
        )
    });
    named.into_iter().chain(single).chain(tensors).chain(edges).collect()
}

/// What is zero has no sign: −0 becomes 0.
fn unsigned_zero(value: f64) -> f64 {
    value + 0.0
}

/// One row, in the order of [`columns`].
pub fn row(world: &World, deformation: &Deformation) -> Vec<f64> {
    let sign = deformation.sense.sign();
    let state = &deformation.state;
    let measure = StressMeasure::of(world);
    let total = measure.total();
    let (p, q) = (mean(total), deviator(total));
    let (diameter, _) = world.mean_diameter_and_density();
    let stretch = |k: usize| state.gradient.col(k)[k] - 1.0;
    let skew = contraction(measure.skew, measure.skew).sqrt();
    let mut row = vec![
        1.0,
        1.0,
        world.accumulated.cell,
        skew,
        unsigned_zero(sign * p),
        q,
        if p == 0.0 { 0.0 } else { q / p.abs() },
        deformation.stress_error(sampled_body::volume(&world.cell, &world.walls)),
        unsigned_zero(sign * 3.0 * mean(state.strain)),
        unsigned_zero(sign * stretch(0)),
        unsigned_zero(sign * stretch(1)),
        unsigned_zero(sign * stretch(2)),
        porosity(world),
        inertial_number(world, deformation.rate_of_deformation(), p),
        if p == 0.0 { f64::INFINITY } else { measure.stiffness / (p.abs() * diameter) },
    ];
    let tensors = [measure.contacts, measure.viscous, measure.motion, state.strain, measure.fabric];
    for (tensor, (.., signed)) in tensors.into_iter().zip(TENSORS) {
        let factor = if signed { sign } else { 1.0 };
        row.extend(SYMMETRIC.map(|(_, i, j)| unsigned_zero(factor * tensor.col(j)[i])));
    }
    row.extend(world.cell.matrix().to_cols_array());
    row
}
