//! The response of a tangential model.

use dem_core::lanes::{Real, Vector};

/// Tangential force at the end of a step, and where the work of the step went.
#[derive(Clone, Copy, Debug)]
pub struct TangentialResponse<R: Real = f64> {
    /// Force on i, perpendicular to the normal at the end \[N\].
    pub force: Vector<R>,
    /// Where the contact carries a load.
    pub loaded: R::Mask,
    /// Where it slides.
    pub slides: R::Mask,
    /// Energy that the tangential spring gains \[J\].
    pub stored: R,
    /// Work dissipated by friction \[J\].
    pub friction: R,
    /// Work dissipated by a tangential dashpot \[J\].
    pub viscous: R,
    /// What a change of the stiffness takes of the energy of the spring, negative for what it adds \[J\].
    pub stiffness: R,
    /// Normal force that comes with the tangential spring \[N\].
    pub normal: R,
}

impl<R: Real> TangentialResponse<R> {
    /// No force and no work.
    #[inline(always)]
    pub fn none() -> Self {
        let zero = R::zero();
        let no = zero.less(zero);
        Self {
            force: Vector::zero(),
            loaded: no,
            slides: no,
            stored: zero,
            friction: zero,
            viscous: zero,
            stiffness: zero,
            normal: zero,
        }
    }
}
