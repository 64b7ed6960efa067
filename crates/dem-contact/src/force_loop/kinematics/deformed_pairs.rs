//! What pairs of spheres have of the deformation of their cell.
//!
//! It is out of line and goes through memory: inlined, what only deforming cells need made the loop over contacts of all others slower by
//! a quarter. As it knows no law, it is compiled once, in lanes of its own.

use dem_core::affine::{AffineStep, product};
use dem_core::lanes::{LaneTask, Lanes, MOST_LANES, Vector, Width, put};
use dem_core::rotation::{Parameterization, RodriguesVector};

/// A vector per lane, component by component.
pub(crate) type Columns = [[f64; MOST_LANES]; 3];

/// All lanes of a vector, then zeros.
#[inline(always)]
pub(crate) fn columns<R: Lanes>(v: Vector<R>) -> Columns {
    [v.x.to_lanes(), v.y.to_lanes(), v.z.to_lanes()]
}

/// The first lanes.
#[inline(always)]
pub(crate) fn from_columns<R: Lanes>(columns: &Columns) -> Vector<R> {
    load(columns, 0)
}

#[inline(always)]
pub(crate) fn load<R: Lanes>(columns: &Columns, at: usize) -> Vector<R> {
    let [x, y, z] = columns;
    Vector::new(part(x, at), part(y, at), part(z, at))
}

#[inline(always)]
fn part<R: Lanes>(column: &[f64; MOST_LANES], at: usize) -> R {
    R::from_lanes(|lane| column[(at + lane) % MOST_LANES])
}

#[inline(always)]
fn store<R: Lanes>(v: Vector<R>, columns: &mut Columns, at: usize) {
    for (column, component) in columns.iter_mut().zip([v.x, v.y, v.z]) {
        put(&component.to_lanes()[..R::LANES], &mut column[at..]);
    }
}

/// Motion of the two spheres of a pair over a step.
pub(crate) struct PairMotion {
    /// Velocity of the first less that of the second \[m/s\].
    pub approach: Columns,
    /// Rotations as rescaled Rodrigues vectors.
    pub turns: [Columns; 2],
}

struct Start<'a> {
    motion: &'a AffineStep,
    difference: &'a mut Columns,
}

impl LaneTask for Start<'_> {
    type Output = ();
    #[inline(always)]
    fn run<R: Lanes>(self) {
        for at in (0..MOST_LANES).step_by(R::LANES) {
            let d = load::<R>(self.difference, at);
            store(product(&self.motion.inverse, d), self.difference, at);
        }
    }
}

/// Turns differences of centres that were carried along into those at the start of the step.
#[cold]
#[inline(never)]
pub(crate) fn start(width: Width, motion: &AffineStep, difference: &mut Columns) {
    width.run(Start { motion, difference });
}

struct AddMotion<'a> {
    motion: &'a AffineStep,
    difference: &'a Columns,
    pairs: &'a mut PairMotion,
}

impl LaneTask for AddMotion<'_> {
    type Output = ();
    #[inline(always)]
    fn run<R: Lanes>(self) {
        let Self { motion, difference, pairs } = self;
        let rotation = Vector::<R>::splat(motion.rotation);
        for at in (0..MOST_LANES).step_by(R::LANES) {
            let approach = load::<R>(&pairs.approach, at) - product(&motion.velocity_gradient, load(difference, at));
            store(approach, &mut pairs.approach, at);
            for columns in &mut pairs.turns {
                // first the rotation of the cell
                let first = [rotation.x, rotation.y, rotation.z];
                let turned = RodriguesVector::compose(first, load::<R>(columns, at));
                store(Vector::from_slice(&turned), columns, at);
            }
        }
    }
}

/// Adds the motion of the cell to the peculiar one of pairs at the given differences of their centres.
#[cold]
#[inline(never)]
pub(crate) fn add_motion(width: Width, motion: &AffineStep, difference: &Columns, pairs: &mut PairMotion) {
    width.run(AddMotion { motion, difference, pairs });
}

#[cfg(test)]
mod tests {
    use super::*;
    use dem_core::{DMat3, DVec3};

    fn some(seed: usize) -> Columns {
        std::array::from_fn(|k| std::array::from_fn(|lane| ((seed * 24 + k * 8 + lane) as f64 * 0.7).sin()))
    }

    fn vector(columns: &Columns, lane: usize) -> Vector {
        Vector { x: columns[0][lane], y: columns[1][lane], z: columns[2][lane] }
    }

    #[test]
    fn every_width_gives_the_bits_of_the_formula_in_every_lane() {
        let axes = [DVec3::new(-0.2, 0.1, 0.05), DVec3::new(0.3, 0.1, -0.1), DVec3::new(0.02, 0.2, 0.15)];
        let motion = AffineStep::new(DMat3::from_cols(axes[0], axes[1], axes[2]), 0.2).unwrap();
        let difference = some(0);
        for width in Width::available() {
            let mut before = difference;
            start(width, &motion, &mut before);
            let mut pairs = PairMotion { approach: some(1), turns: [some(4), some(5)] };
            add_motion(width, &motion, &difference, &mut pairs);
            for lane in 0..MOST_LANES {
                let d = vector(&difference, lane);
                assert_eq!(vector(&before, lane), product(&motion.inverse, d), "{width:?}");
                let approach = vector(&some(1), lane) - product(&motion.velocity_gradient, d);
                assert_eq!(vector(&pairs.approach, lane), approach, "{width:?}");
                for side in 0..2 {
                    let turn = vector(&some(4 + side), lane);
                    let turned = RodriguesVector::compose(motion.rotation.to_array(), turn);
                    assert_eq!(vector(&pairs.turns[side], lane), Vector::from_slice(&turned), "{width:?}");
                }
            }
        }
    }
}
