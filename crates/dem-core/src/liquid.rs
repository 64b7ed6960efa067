//! Liquid on the surfaces of particles: a volume per particle, that of its film.

use crate::particles::{Particles, UserColumn};

/// Name of the column of particles with the volumes of their films \[m³\].
pub const COLUMN: &str = "liquid_volume";

fn is_films(column: &UserColumn) -> bool {
    column.name == COLUMN && column.width == 1
}

/// Gives particles the column [`COLUMN`], dry, unless they have it.
pub fn add_column(particles: &mut Particles) {
    if !particles.user.iter().any(is_films) {
        particles.add_user_column(COLUMN, "m^3", 1);
    }
}

/// Volumes of the films by slots \[m³\], if particles have any.
pub fn films(particles: &Particles) -> Option<&[f64]> {
    particles.user.iter().find(|column| is_films(column)).map(|column| column.values.as_slice())
}

/// The same, to be changed.
pub fn films_mut(particles: &mut Particles) -> Option<&mut [f64]> {
    particles.user.iter_mut().find(|column| is_films(column)).map(|column| column.values.as_mut_slice())
}
