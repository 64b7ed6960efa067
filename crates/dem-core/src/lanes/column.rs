//! Columns that are read by places, some of them until their owners change them.
#![expect(unsafe_code, reason = "columns that change part by part while other parts are read")]

use std::marker::PhantomData;
use std::ops::Range;
use std::ptr::NonNull;

use bytemuck::Pod;
use glam::DVec3;

/// A column of vectors to be read by places.
#[derive(Clone, Copy, Debug)]
pub struct VectorColumn<'a> {
    first: NonNull<DVec3>,
    len: usize,
    life: PhantomData<&'a DVec3>,
}

// SAFETY: it only reads, as a shared slice does
unsafe impl Send for VectorColumn<'_> {}
// SAFETY: as above
unsafe impl Sync for VectorColumn<'_> {}

impl<'a> From<&'a [DVec3]> for VectorColumn<'a> {
    #[inline(always)]
    fn from(column: &'a [DVec3]) -> Self {
        Self { first: NonNull::from(column).cast(), len: column.len(), life: PhantomData }
    }
}

impl VectorColumn<'_> {
    /// Number of vectors.
    #[inline(always)]
    pub fn len(self) -> usize {
        self.len
    }

    /// Whether there is none.
    pub fn is_empty(self) -> bool {
        self.len == 0
    }

    /// The first vectors alone.
    ///
    /// # Panics
    /// If there are fewer.
    #[inline(always)]
    pub fn first(self, count: usize) -> Self {
        assert!(count <= self.len, "a column has fewer vectors than it should");
        Self { len: count, ..self }
    }

    /// The vector in a place.
    ///
    /// # Panics
    /// If there is none.
    #[inline(always)]
    pub fn get(self, place: usize) -> DVec3 {
        *self.at(place)
    }

    /// The same, where it is.
    #[inline(always)]
    pub(super) fn at(&self, place: usize) -> &DVec3 {
        assert!(place < self.len, "a place is not in its column");
        // SAFETY: the column has the place, and nobody changes what is read of it
        unsafe { self.first.add(place).as_ref() }
    }

    /// Prefetches a vector. No result depends on it.
    #[inline(always)]
    pub fn prefetch(self, place: usize) {
        ask_for(self.first.as_ptr().wrapping_add(place).cast());
    }

    /// Prefetches the vectors in eight places from one on, of which there may be fewer. No result depends on it.
    #[inline(always)]
    pub fn prefetch_eight(self, place: usize) {
        let start = self.first.as_ptr().wrapping_add(place).cast::<u8>();
        for line in 0..3 {
            ask_for(start.wrapping_add(64 * line));
        }
    }

    /// Its numbers, three for each vector.
    #[inline(always)]
    pub(super) fn numbers(self) -> *const f64 {
        self.first.as_ptr().cast()
    }
}

/// A column of rows of eight numbers, a line of the processor's cache each, to be read by places.
#[derive(Clone, Copy, Debug)]
pub struct LineColumn<'a> {
    first: NonNull<[f64; 8]>,
    len: usize,
    life: PhantomData<&'a [f64; 8]>,
}

// SAFETY: it only reads, as a shared slice does
unsafe impl Send for LineColumn<'_> {}
// SAFETY: as above
unsafe impl Sync for LineColumn<'_> {}

impl<'a> From<&'a [[f64; 8]]> for LineColumn<'a> {
    #[inline(always)]
    fn from(column: &'a [[f64; 8]]) -> Self {
        Self { first: NonNull::from(column).cast(), len: column.len(), life: PhantomData }
    }
}

impl LineColumn<'_> {
    /// Number of rows.
    #[inline(always)]
    pub fn len(self) -> usize {
        self.len
    }

    /// Whether there is none.
    pub fn is_empty(self) -> bool {
        self.len == 0
    }

    /// The row in a place, if there is one.
    #[inline(always)]
    pub(super) fn get(&self, place: usize) -> Option<&[f64; 8]> {
        // SAFETY: the column has the place, and nobody changes what is read of it
        (place < self.len).then(|| unsafe { self.first.add(place).as_ref() })
    }

    /// Tells the processor that a number will be read soon. Nothing depends on it.
    #[inline(always)]
    pub(super) fn prefetch(self, number: usize) {
        ask_for(self.numbers().wrapping_add(number).cast());
    }

    /// Its numbers, eight for each row.
    #[inline(always)]
    pub(super) fn numbers(self) -> *const f64 {
        self.first.as_ptr().cast()
    }
}

/// A column that is read by places while its owners change it part by part: no vector is read any more when its part's turn has come.
#[derive(Debug)]
pub struct TurnColumn<'a, T = DVec3> {
    first: NonNull<T>,
    len: usize,
    life: PhantomData<&'a mut [T]>,
}

// SAFETY: as a slice that may be changed
unsafe impl<T: Send> Send for TurnColumn<'_, T> {}
// SAFETY: what changes it is unsafe and asks for what makes it sound; parts may change on any thread
unsafe impl<T: Send + Sync> Sync for TurnColumn<'_, T> {}

impl TurnColumn<'_> {
    /// The column to be read.
    #[inline(always)]
    pub fn reader(&self) -> VectorColumn<'_> {
        VectorColumn { first: self.first, len: self.len, life: PhantomData }
    }
}

impl<T: Pod> TurnColumn<'_, T> {
    /// The column to be read as rows of eight numbers.
    #[inline(always)]
    pub fn lines(&self) -> LineColumn<'_> {
        const { assert!(size_of::<T>() == size_of::<[f64; 8]>() && align_of::<T>() >= align_of::<f64>()) };
        LineColumn { first: self.first.cast(), len: self.len, life: PhantomData }
    }
}

impl<'a, T> TurnColumn<'a, T> {
    /// Of a column that nobody else has.
    pub fn new(column: &'a mut [T]) -> Self {
        let len = column.len();
        Self { first: NonNull::from(column).cast(), len, life: PhantomData }
    }

    /// Whether it has no places.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// A part whose turn has come, to be changed.
    ///
    /// # Safety
    /// From now on until the part is dropped nobody has a part with any of these places, and no [reader](Self::reader) reads any of them or
    /// the place before the first: where lanes read a vector they read the number behind it, too.
    ///
    /// # Panics
    /// If the column has not all of the places.
    #[expect(clippy::mut_from_ref, reason = "that there is one at a time is what is asked for")]
    #[inline(always)]
    pub unsafe fn part(&self, places: Range<usize>) -> &mut [T] {
        assert!(places.start <= places.end && places.end <= self.len, "a part is not in its column");
        // SAFETY: the column has all places and belongs to this alone; that nobody else reads or changes them is the caller's promise
        unsafe { std::slice::from_raw_parts_mut(self.first.as_ptr().add(places.start), places.len()) }
    }

    /// The memory of some places, to be prefetched.
    ///
    /// # Panics
    /// If the column has not all of the places.
    pub fn stretch(&self, places: Range<usize>) -> Stretch<'_> {
        assert!(places.start <= places.end && places.end <= self.len, "a stretch is not in its column");
        let start = self.first.as_ptr().wrapping_add(places.start).cast();
        Stretch { start, bytes: size_of::<T>() * places.len(), life: PhantomData }
    }
}

/// Memory that is prefetched, not read.
#[derive(Clone, Copy, Debug)]
pub struct Stretch<'a> {
    start: *const u8,
    bytes: usize,
    life: PhantomData<&'a u8>,
}

impl Default for Stretch<'_> {
    fn default() -> Self {
        Self { start: std::ptr::null(), bytes: 0, life: PhantomData }
    }
}

impl<'a, T> From<&'a [T]> for Stretch<'a> {
    fn from(numbers: &'a [T]) -> Self {
        Self { start: numbers.as_ptr().cast(), bytes: size_of_val(numbers), life: PhantomData }
    }
}

impl Stretch<'_> {
    /// How long it is.
    #[inline(always)]
    pub fn bytes(self) -> usize {
        self.bytes
    }

    /// Prefetches the cache line of the byte in a place. No result depends on it.
    #[inline(always)]
    pub fn prefetch(self, byte: usize) {
        ask_for(self.start.wrapping_add(byte));
    }
}

/// Prefetches an element of a column, if there is one in that place. No result depends on it.
#[inline(always)]
pub fn prefetch<T>(column: &[T], place: usize) {
    ask_for(column.as_ptr().wrapping_add(place).cast());
}

/// Prefetches the cache line of an address, which may be any.
#[inline(always)]
fn ask_for(address: *const u8) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: every x86-64 processor has the instruction, and it neither reads nor faults
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(address.cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = address;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_change_while_others_are_read() {
        let mut column: Vec<DVec3> = (0..40).map(|k| DVec3::splat(f64::from(k))).collect();
        let turns = TurnColumn::new(&mut column);
        std::thread::scope(|scope| {
            for part in [0..10, 20..30] {
                let turns = &turns;
                scope.spawn(move || {
                    let sum: f64 = part.clone().map(|place| turns.reader().get(place).x).sum();
                    // SAFETY: each thread reads the first nine of its own ten places before, and nobody reads the last or the one before
                    let mine = unsafe { turns.part(part.start + 1..part.end) };
                    mine.iter_mut().for_each(|vector| *vector += DVec3::new(sum, 0.0, 1.0));
                });
            }
        });
        assert_eq!(turns.reader().len(), 40);
        assert_eq!(turns.stretch(3..5).bytes(), 48);
        for (place, &vector) in column.iter().enumerate() {
            let number = place as f64;
            let added = match place {
                1..10 => DVec3::new(45.0, 0.0, 1.0),
                21..30 => DVec3::new(245.0, 0.0, 1.0),
                _ => DVec3::ZERO,
            };
            assert_eq!(vector, DVec3::splat(number) + added, "{place}");
        }
    }

    #[test]
    fn places_outside_are_refused() {
        let mut vectors = [DVec3::X, DVec3::Y];
        let column = VectorColumn::from(&vectors[..]);
        assert_eq!((column.get(1), column.first(1).len(), column.is_empty()), (DVec3::Y, 1, false));
        assert!(std::panic::catch_unwind(|| column.get(2)).is_err());
        assert!(std::panic::catch_unwind(|| column.first(1).get(1)).is_err());
        assert!(std::panic::catch_unwind(|| column.first(3)).is_err());
        let turns = TurnColumn::new(&mut vectors);
        for places in [1..3, 3..3] {
            let outside = std::panic::AssertUnwindSafe(|| turns.stretch(places.clone()).bytes());
            assert!(std::panic::catch_unwind(outside).is_err(), "{places:?}");
            // SAFETY: nobody reads
            let outside = std::panic::AssertUnwindSafe(|| unsafe { turns.part(places.clone()) }.len());
            assert!(std::panic::catch_unwind(outside).is_err(), "{places:?}");
        }
    }
}
