//! Fields of the history that several normal models have.

use dem_core::history::{FieldRole, FieldSpec, FurtherWork};

const fn field(name: &'static str, unit: &'static str, meaning: &'static str, role: FieldRole) -> FieldSpec {
    FieldSpec { name, unit, meaning, width: 1, role }
}

/// Largest overlap.
pub(super) fn largest_overlap() -> FieldSpec {
    field(
        "largest_overlap",
        "m",
        "largest overlap since the contact formed, less what a pull has drawn out of it",
        FieldRole::State,
    )
}

/// Work of plastic deformation.
pub(super) fn plastic_work() -> FieldSpec {
    field(
        "plastic_work",
        "J",
        "energy dissipated by plastic deformation since the contact formed",
        FieldRole::Further(FurtherWork::Plastic),
    )
}

/// Work of adhesion.
pub(super) fn adhesion_work() -> FieldSpec {
    field(
        "adhesion_work",
        "J",
        "energy lost where the surfaces snapped together and apart since the contact formed",
        FieldRole::Further(FurtherWork::Adhesion),
    )
}
