//! Particles within a domain, and their table.

use dem_core::DVec3;
use dem_core::cell::{Cell, FacePolicy};
use dem_io::exchange::{ForeignState, ParticleFrame, write_csv};
use dem_io::snapshot::{Column, ColumnData, ColumnSpec};
use dem_sim::builder::largest_overlap;

use super::materials::{Material, names};
use super::notes::Notes;

/// Particles in their domain.
pub struct Placed {
    /// Corners of the domain \[m\].
    pub low: DVec3,
    pub high: DVec3,
    pub periodic: [bool; 3],
    /// Largest overlap in proportion to the smaller radius.
    pub overlap: f64,
}

/// Finds a domain for the particles, and brings them into it where it is periodic.
pub fn place(state: &mut ForeignState, notes: &mut Notes) -> Result<Placed, String> {
    let none = (DVec3::INFINITY, DVec3::NEG_INFINITY);
    let reach = state.particles.iter().fold(none, |(low, high), particle| {
        (low.min(particle.position - particle.radius), high.max(particle.position + particle.radius))
    });
    let (mut low, mut high, mut periodic) = (reach.0, reach.1, [false; 3]);
    match state.bounds {
        None => {
            notes.assume("a domain around the particles, its faces open: the file has no box");
            let margin = DVec3::splat(0.1 * (high - low).max_element());
            (low, high) = (low - margin, high + margin);
        }
        Some(bounds) if !bounds.is_rectangular() => {
            notes.assume(
                "an open domain around the particles in place of the tilted box: that of a scene begins along the axes",
            );
            notes.leave_out("the tilt of the box");
        }
        Some(bounds) => {
            periodic = bounds.periodic.map(|periodic| periodic == Some(true));
            if bounds.periodic.contains(&None) {
                notes.assume("faces of the domain open, where the file does not say whether they are periodic");
            }
            let box_of = (bounds.origin, bounds.origin + bounds.edges[0] + bounds.edges[1] + bounds.edges[2]);
            let mut grown = false;
            for k in 0..3 {
                if !periodic[k] {
                    grown |= low[k] < box_of.0[k] || high[k] > box_of.1[k];
                }
                (low[k], high[k]) = if periodic[k] {
                    (box_of.0[k], box_of.1[k])
                } else {
                    (low[k].min(box_of.0[k]), high[k].max(box_of.1[k]))
                };
            }
            if grown {
                notes.assume("a domain larger than the box of the file where particles reach beyond it");
            }
        }
    }
    if !(low.cmplt(high).all() && (high - low).is_finite()) {
        return Err(format!("the particles lie from {low} to {high} m, expected a domain with a volume"));
    }
    let cell = Cell::orthogonal(low, high, periodic, [[FacePolicy::Open; 2]; 3]);
    let mut wrapped = 0_u64;
    for particle in &mut state.particles {
        if periodic.contains(&true) && cell.wrap(&mut particle.position) != [0; 3] {
            wrapped += 1;
        }
    }
    if wrapped > 0 {
        notes.leave_out(format!(
            "the cells that {wrapped} particles have crossed: they are in the periodic domain again"
        ));
    }
    let narrow = (0..3).find(|&k| {
        periodic[k] && high[k] - low[k] <= 4.0 * state.particles.iter().fold(0.0, |r: f64, p| r.max(p.radius))
    });
    if let Some(k) = narrow {
        let axis = ["x", "y", "z"][k];
        return Err(format!(
            "its periodic box is less than two diameters wide along {axis}, too narrow for a scene: are the units right?"
        ));
    }
    let spheres: Vec<(DVec3, f64)> =
        state.particles.iter().map(|particle| (particle.position, particle.radius)).collect();
    let overlap = largest_overlap(&spheres, &cell);
    let overlap = overlap
        .ok_or("more particles overlap than those of any packing do: are radii and positions in the same unit?")?;
    Ok(Placed { low, high, periodic, overlap })
}

/// The table, with the columns that the file has.
pub fn table(state: &ForeignState, materials: &[Material]) -> Vec<u8> {
    let all = &state.particles;
    let of = |name, width, data| Column { spec: ColumnSpec::new(name, "1", "", width), data };
    let vectors = |each: fn(&dem_io::exchange::ForeignParticle) -> DVec3| {
        ColumnData::F64(all.iter().flat_map(|particle| each(particle).to_array()).collect())
    };
    let mut columns = vec![of("radius", 1, ColumnData::F64(all.iter().map(|particle| particle.radius).collect()))];
    if state.present.velocity {
        columns.push(of("velocity", 3, vectors(|particle| particle.velocity)));
    }
    if state.present.angular_velocity {
        columns.push(of("angular_velocity", 3, vectors(|particle| particle.angular_velocity)));
    }
    if all.iter().any(|particle| particle.orientation.is_some()) {
        let of_all = all.iter().flat_map(|particle| particle.orientation.unwrap_or_default().to_array());
        columns.push(of("orientation", 4, ColumnData::F64(of_all.collect())));
    }
    let last = materials.len().saturating_sub(1) as u32;
    columns.push(of("material", 1, ColumnData::U32(all.iter().map(|particle| particle.kind.min(last)).collect())));
    let ids: Option<Vec<u64>> = all.iter().map(|particle| particle.id).collect();
    if let Some(ids) = ids.filter(|ids| are_distinct(ids)) {
        columns.push(of("id", 1, ColumnData::U64(ids)));
    }
    let positions: Vec<DVec3> = all.iter().map(|particle| particle.position).collect();
    let materials = names(materials);
    let (time, step) = (state.time.unwrap_or_default(), state.step.unwrap_or_default());
    let frame =
        ParticleFrame { step, time, cell: None, positions: &positions, columns: &columns, materials: &materials };
    let mut bytes = Vec::new();
    // writing into memory cannot fail
    let _ = write_csv(&mut bytes, &frame);
    bytes
}

fn are_distinct(ids: &[u64]) -> bool {
    let mut sorted = ids.to_vec();
    sorted.sort_unstable();
    sorted.windows(2).all(|pair| pair[0] != pair[1])
}
