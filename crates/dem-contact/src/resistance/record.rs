//! What resistance adds to the record of a law.

use dem_core::history::{FieldRole, FieldSpec};
use dem_core::lanes::{Real, Source, Target};

use crate::law::Record;

/// Numbers behind those of the law.
pub(super) const WIDTH: usize = 7;
/// Places among them.
pub(super) const TWISTING_COUPLE: usize = 3;
pub(super) const ELASTIC_WORK: usize = 4;
pub(super) const ROLLING_WORK: usize = 5;
pub(super) const TWISTING_WORK: usize = 6;

/// Fields that resistance adds to the history of a law.
pub fn fields() -> [FieldSpec; 5] {
    let field = |name, unit, meaning, width, role| FieldSpec { name, unit, meaning, width, role };
    [
        field(
            "rolling_couple",
            "N m",
            "couple of rolling resistance on the first body, without its dashpot",
            3,
            FieldRole::State,
        ),
        field(
            "twisting_couple",
            "N m",
            "couple of twisting resistance on the first body along the normal, without its dashpot",
            1,
            FieldRole::State,
        ),
        field(
            "elastic_rolling_work",
            "J",
            "work stored in the springs of rolling and twisting resistance since the contact formed",
            1,
            FieldRole::ElasticRollingWork,
        ),
        field(
            "rolling_work",
            "J",
            "energy dissipated by rolling resistance since the contact formed",
            1,
            FieldRole::RollingWork,
        ),
        field(
            "twisting_work",
            "J",
            "energy dissipated by twisting resistance since the contact formed",
            1,
            FieldRole::TwistingWork,
        ),
    ]
}

/// Record of a law and of its resistance.
#[derive(Clone, Copy, Debug)]
pub struct ResistedRecord<R, T> {
    pub(super) law: T,
    pub(super) resistance: [R; WIDTH],
}

impl<R: Real, T: Record<R>> Record<R> for ResistedRecord<R, T> {
    const WIDTH: usize = T::WIDTH + WIDTH;

    #[inline(always)]
    fn load(source: &impl Source<R>, column: usize) -> Self {
        Self { law: T::load(source, column), resistance: Record::load(source, column + T::WIDTH) }
    }

    #[inline(always)]
    fn store(&self, target: &mut impl Target<R>, column: usize) {
        self.law.store(target, column);
        self.resistance.store(target, column + T::WIDTH);
    }
}
