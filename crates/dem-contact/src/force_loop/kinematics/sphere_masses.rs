//! The effective mass of contacts as some programs take it: of a sphere of a rigid body the mass that it would have by itself, with the density of the body.

use dem_core::lanes::{Lanes, MOST_LANES, Places};
use dem_core::particles::{Particles, sphere_volume};

/// Inverse of the effective masses \[1/kg\] of contacts between spheres in slots `i` and `j`, or walls.
#[inline(always)]
pub(crate) fn inverse_masses<R: Lanes>(particles: &Particles, i: &Places, j: Option<&Places>) -> R {
    let mut inverse = of_all(particles, R::LANES, i);
    if let Some(j) = j {
        let others = of_all(particles, R::LANES, j);
        inverse.iter_mut().zip(others).for_each(|(inverse, other)| *inverse += other);
    }
    R::from_lanes(|lane| inverse[lane])
}

#[inline(never)]
fn of_all(p: &Particles, lanes: usize, slots: &Places) -> [f64; MOST_LANES] {
    let mut inverse = [0.0; MOST_LANES];
    for (inverse, &slot) in inverse.iter_mut().zip(slots).take(lanes) {
        let slot = slot as usize;
        *inverse = match p.body_of(slot) {
            // what cannot move has no mass for contacts either way
            Some(body) if p.inverse_mass[slot] != 0.0 => {
                p.bodies.volume_of(body) / (body.mass * sphere_volume(p.radius[slot]))
            }
            _ => p.inverse_mass[slot],
        };
    }
    inverse
}
