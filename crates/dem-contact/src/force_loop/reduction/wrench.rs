//! Force and torques of a contact in one cache line.

use bytemuck::{Pod, Zeroable};
use dem_core::DVec3;

/// Force and moment of one contact. The contact point lies on the normal at the lever arms from the two centres, so
/// that both torques follow from one moment: a particle gathers its contacts from one cache line each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct Wrench {
    /// Force on the first body; the opposite acts on the second \[N\].
    pub force: [f64; 3],
    /// Distance of the contact point from the centre of the first body \[m\].
    pub lever_first: f64,
    /// `n × T`: times the lever arm of a body its torque about the centre \[N\].
    pub moment: [f64; 3],
    /// Distance of the contact point from the centre of the second body, zero for a wall \[m\].
    pub lever_second: f64,
}

/// Marks a candidate that is not near.
pub(crate) const NOT_NEAR: u16 = u16::MAX;
/// Mode of a near candidate that does not touch.
pub(crate) const NOT_TOUCHING: u8 = u8::MAX;
/// Numbers of a [`Wrench`], and of a cache line.
pub(crate) const LINE: usize = 8;

impl Wrench {
    /// One that has been lost: NaN, so that it is not mistaken for a value.
    pub const UNKNOWN: Self =
        Self { force: [f64::NAN; 3], lever_first: f64::NAN, moment: [f64::NAN; 3], lever_second: f64::NAN };
    /// No force.
    pub const ZERO: Self = Self { force: [0.0; 3], lever_first: 0.0, moment: [0.0; 3], lever_second: 0.0 };

    /// Distance of the contact point from the centre of the body on a side, 0 or 1 \[m\].
    #[inline(always)]
    pub fn lever(&self, side: usize) -> f64 {
        self.numbers()[side % 2 * (LINE / 2) + 3]
    }

    /// Force and first lever arm, moment and second lever arm.
    #[inline(always)]
    pub fn numbers(&self) -> &[f64; LINE] {
        bytemuck::cast_ref(self)
    }

    /// Force on the first body \[N\].
    pub fn force_on_first(&self) -> DVec3 {
        DVec3::from_array(self.force)
    }
}

/// A column of wrenches, each in a cache line of its own. Pages that are never written never become resident.
#[derive(Debug, Default)]
pub struct Wrenches {
    numbers: Vec<f64>,
    /// Numbers before the first line.
    offset: usize,
}

impl Wrenches {
    /// `count` wrenches of zero.
    pub fn zeroed(count: usize) -> Self {
        // a vector aligned by its type would be filled with zeros page by page
        let numbers: Vec<f64> = bytemuck::allocation::zeroed_vec((count + 1) * LINE);
        let offset = numbers.as_ptr().align_offset(LINE * size_of::<f64>()).min(LINE - 1);
        Self { numbers, offset }
    }

    /// All wrenches.
    #[inline(always)]
    pub fn as_slice(&self) -> &[Wrench] {
        let end = self.numbers.len().saturating_sub(LINE);
        bytemuck::cast_slice(self.numbers.get(self.offset..self.offset + end).unwrap_or(&[]))
    }

    /// All wrenches.
    pub fn as_mut_slice(&mut self) -> &mut [Wrench] {
        let end = self.numbers.len().saturating_sub(LINE);
        bytemuck::cast_slice_mut(self.numbers.get_mut(self.offset..self.offset + end).unwrap_or(&mut []))
    }
}

impl Clone for Wrenches {
    fn clone(&self) -> Self {
        let mut copy = Self::zeroed(self.as_slice().len());
        copy.as_mut_slice().copy_from_slice(self.as_slice());
        copy
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levers_go_by_side() {
        let wrench = Wrench { lever_first: 1.0, lever_second: 2.0, ..Wrench::ZERO };
        assert_eq!([wrench.lever(0), wrench.lever(1)], [1.0, 2.0]);
    }

    #[test]
    fn wrenches_lie_in_lines_of_cache_also_when_copied() {
        for count in [0, 1, 1024, 100_000] {
            let mut column = Wrenches::zeroed(count);
            assert_eq!(column.as_slice().len(), count);
            if let Some(last) = column.as_mut_slice().last_mut() {
                last.lever_first = 2.0;
            }
            let copy = column.clone();
            assert_eq!(copy.as_slice(), column.as_slice());
            for place in [column.as_slice().as_ptr(), copy.as_slice().as_ptr()] {
                assert_eq!(place.addr() % 64 * count.min(1), 0);
            }
        }
        assert!(Wrenches::default().as_slice().is_empty());
    }
}
