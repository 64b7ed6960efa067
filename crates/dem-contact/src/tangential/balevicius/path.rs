//! The state of the law on a straight line.

/// Number of numbers of a path.
pub(super) const PATH: usize = 6;

/// Motion along the axis.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Path {
    /// τ \[N\].
    pub force: f64,
    /// D; zero before the first slip.
    pub direction: f64,
    /// Since the reversal \[m\].
    pub travelled: f64,
    /// δ_u of the present transition; zero while sliding \[m\].
    pub length: f64,
    /// `2 μN_A` \[N\].
    pub amplitude: f64,
    /// Slip that is held back \[m\].
    pub held: f64,
}

impl Path {
    pub fn load(record: &[f64]) -> Self {
        let &[force, direction, travelled, length, amplitude, held] = record.first_chunk().unwrap_or(&[0.0; PATH]);
        Self { force, direction, travelled, length, amplitude, held }
    }

    pub fn to_array(self) -> [f64; PATH] {
        [self.force, self.direction, self.travelled, self.length, self.amplitude, self.held]
    }
}
