//! The law of every pair of materials.

/// Which law governs a pair of materials.
#[derive(Clone, Debug, Default)]
pub struct LawSelection {
    materials: usize,
    of_pair: Vec<u16>,
}

impl LawSelection {
    /// One law for all pairs of `materials` materials.
    pub fn uniform(materials: usize) -> Self {
        Self { materials, of_pair: vec![0; materials * materials] }
    }

    /// Assigns a law to a pair of materials.
    pub fn set(&mut self, a: u16, b: u16, law: u16) {
        self.of_pair[a as usize * self.materials + b as usize] = law;
        self.of_pair[b as usize * self.materials + a as usize] = law;
    }

    /// Law of a pair of materials.
    #[inline]
    pub fn get(&self, a: u16, b: u16) -> u16 {
        self.of_pair[a as usize * self.materials + b as usize]
    }

    /// Number of pairs of materials, `(a, b)` and `(b, a)` being one.
    pub(super) fn pairs(&self) -> usize {
        self.materials * (self.materials + 1) / 2
    }

    /// Number of a pair of materials.
    #[inline]
    pub(super) fn pair(&self, a: u16, b: u16) -> usize {
        let (low, high) = (a.min(b) as usize, a.max(b) as usize);
        high * (high + 1) / 2 + low
    }

    /// All pairs in the order of their numbers.
    pub(super) fn all_pairs(&self) -> impl Iterator<Item = (u16, u16)> {
        (0..self.materials as u16).flat_map(|high| (0..=high).map(move |low| (low, high)))
    }
}
