//! The response of a normal model.

/// Normal force over a step, and what tangential models want to know of it: without contact damping, which the law adds to it later.
#[derive(Clone, Copy, Debug)]
pub struct NormalResponse<R = f64> {
    /// Force at the start of the step, dashpot included and clipped like the end \[N\].
    pub force0: R,
    /// Force at the end, dashpot included, clipped if the law allows no tension \[N\].
    pub force1: R,
    /// Part of `force1` that is not elastic \[N\].
    pub dashpot_force: R,
    /// Force at the start without the dashpot \[N\].
    pub elastic0: R,
    /// Force at the end without the dashpot \[N\].
    pub elastic1: R,
    /// Force at the start that limits friction: `force0`, or more than it by what adhesion presses the surfaces together with \[N\].
    pub limit0: R,
    /// Force at the end that limits friction \[N\].
    pub limit1: R,
    /// As `limit0`, without the dashpot \[N\].
    pub elastic_limit0: R,
    /// As `limit1`, without the dashpot \[N\].
    pub elastic_limit1: R,
    /// Radius of the contact area at the start \[m\].
    pub contact_radius0: R,
    /// Radius of the contact area at the end \[m\].
    pub contact_radius1: R,
    /// Viscosity of the dashpot at the end \[N s/m\].
    pub viscosity: R,
    /// Work dissipated by the dashpot in the step \[J\].
    pub viscous_work: R,
}
