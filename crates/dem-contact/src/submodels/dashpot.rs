//! Viscosity of a dashpot in parallel with a spring, from the stiffness of the spring and the inertia of the contact.

use dem_core::lanes::Real;

/// A dashpot.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Dashpot {
    /// A fraction ζ of critical damping, `2ζ √(k m*)`: equal restitution whatever the mass.
    Ratio(f64),
    /// A rate γ of decay, `γ m*` \[1/s\]: equal decay in time whatever the stiffness.
    Rate(f64),
    /// A time A over which the material dissipates, `A k` \[s\]: that of a viscoelastic body.
    Time(f64),
}

impl Dashpot {
    /// No dashpot.
    pub const NONE: Self = Self::Ratio(0.0);

    /// Whether it ever exerts a force.
    pub fn is_present(self) -> bool {
        let (Self::Ratio(x) | Self::Rate(x) | Self::Time(x)) = self;
        x > 0.0
    }

    /// Viscosity in parallel with a spring of a stiffness \[N/m\] between bodies of an effective mass \[kg\], if there
    /// is a dashpot \[N s/m\]; or that of a rotation, from a stiffness \[N m/rad\] and a moment of inertia \[kg m²\]
    /// \[N m s/rad\].
    #[inline(always)]
    pub fn viscosity<R: Real>(self, stiffness: R, inertia: R) -> Option<R> {
        match self {
            _ if !self.is_present() => None,
            Self::Ratio(ratio) => Some(R::parameter(2.0 * ratio) * (stiffness * inertia).sqrt()),
            Self::Rate(rate) => Some(R::parameter(rate) * inertia),
            Self::Time(time) => Some(R::parameter(time) * stiffness),
        }
    }
}
