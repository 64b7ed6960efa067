//! The power 3/2, which turns overlaps into Hertz's forces, and its inverse.

use dem_core::lanes::{Mask, Real, functions};

/// `z^(3/2)`
#[inline(always)]
pub fn raised<R: Real>(z: R) -> R {
    z * z.sqrt()
}

/// The inverse of [`raised`], `force^(2/3)`, in the lanes of `mask`, from a `z` whose force `z_force = z^(3/2)` is near; `z` elsewhere. A
/// series for small changes, else Halley's iteration on `z³ = force²`: both several times as fast as a cube root.
#[inline(always)]
pub fn lowered<R: Real>(mask: R::Mask, force: R, z: R, z_force: R) -> R {
    let change = (force - z_force) / z_force;
    let mut sum = R::constant(14.0 / 729.0);
    for coefficient in [-7.0 / 243.0, 4.0 / 81.0, -1.0 / 9.0, 2.0 / 3.0] {
        sum = R::constant(coefficient) + change * sum;
    }
    let near = change.abs().less(R::constant(LARGEST_OF_SERIES));
    let (by_series, far) = (R::select(mask & near, z + z * change * sum, z), mask & !near);
    if far.any() { R::select(far, lowered_far(far, force, z), by_series) } else { by_series }
}

/// The first term that the series leaves out, 0.014 of the sixth power, is below half a unit in the last place.
const LARGEST_OF_SERIES: f64 = 4e-3;

#[inline(always)]
fn lowered_far<R: Real>(mask: R::Mask, force: R, guess: R) -> R {
    let two = R::constant(2.0);
    let (square, mut z, mut root) = (force * force, guess, R::zero());
    let positive = mask & force.greater(R::zero());
    // where nothing underflows
    let mut active = positive & square.minimum(z * z * z).greater(R::constant(f64::MIN_POSITIVE));
    let mut found = !positive;
    for _ in 0..4 {
        if !active.any() {
            break;
        }
        let cube = z * z * z;
        let next = z * ((cube + two * square) / (two * cube + square));
        // of third order: what is off by 10⁻⁵ before is exact after
        let exact = active & (next - z).abs().at_most(R::constant(1e-5) * next);
        root = R::select(exact, next, root);
        (found, active) = (found | exact, active & !exact);
        z = next;
    }
    if found.all() {
        return root;
    }
    let cube_root = functions::cbrt(force);
    R::select(found, root, cube_root * cube_root)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn powers_from_a_guess_are_those_of_the_library() {
        for exponent in -300..300 {
            let z: f64 = 1.37 * 10f64.powi(exponent / 2);
            for factor in [0.0, 1e-9, 0.3, 0.99, 0.9961, 1.0, 1.003, 1.2, 40.0, 1e9] {
                let force = raised(z) * factor;
                let exact = libm::cbrt(force) * libm::cbrt(force);
                let found = lowered(true, force, z, raised(z));
                assert!((found - exact).abs() <= 2e-15 * exact, "{z} {factor}: {found} {exact}");
            }
        }
    }

    #[test]
    fn lanes_outside_the_mask_keep_their_place() {
        assert_eq!(lowered(false, 5.0, 1.5, 2.0), 1.5);
        assert_eq!(lowered(false, 0.0, 0.0, 0.0), 0.0);
    }
}
