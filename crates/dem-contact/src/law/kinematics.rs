//! The input of a law: one contact over one step.

use dem_core::lanes::{Lanes, MOST_LANES, Real, Vector, array};

use crate::frame::Transport;

/// Everything a law may know of one contact over one step, or of several in SIMD lanes. `n` points from i to j; index 0
/// is the start of the step, 1 its end.
#[derive(Clone, Copy, Debug)]
pub struct Kinematics<R: Real = f64> {
    /// Unit normal at the start.
    pub normal0: Vector<R>,
    /// Unit normal at the end.
    pub normal1: Vector<R>,
    /// Overlap at the start, recomputed from positions \[m\]; negative if apart.
    pub overlap0: R,
    /// Overlap at the end \[m\].
    pub overlap1: R,
    /// Rate of overlap at the end `(vᵢ − vⱼ)·n` \[m/s\].
    pub overlap_rate: R,
    /// Slip of i against j over the step, in the tangent plane at the end \[m\]; zero for any rigid motion of the pair.
    pub slip: Vector<R>,
    /// Tangential velocity of i against j at the end \[m/s\].
    pub tangential_velocity: Vector<R>,
    /// Angular velocity of i minus that of j \[rad/s\].
    pub relative_spin: Vector<R>,
    /// Rotation of i minus that of j over the step, as rescaled Rodrigues vectors \[rad\]: its component in the tangent
    /// plane is rolling, its component along the normal twisting.
    pub relative_rotation: Vector<R>,
    /// Carries vectors of the tangent plane from the start to the end of the step.
    pub transport: Transport<R>,
    /// Effective radius r* \[m\].
    pub effective_radius: R,
    /// Effective mass m* \[kg\]. If neither body can move, it is zero where they have a velocity against each other all the same.
    pub effective_mass: R,
    /// Radius of the smaller sphere \[m\].
    pub smaller_radius: R,
    /// Distance of the centres at the end \[m\]; infinite for a wall.
    pub centre_distance: R,
    /// Distance that a force at a distance acts over at the end \[m\]: that of the centres, or of the centre from the nearest point of a wall that
    /// takes part; infinite for other walls.
    pub near_field_distance: R,
    /// Length of the step \[s\].
    pub time_step: R,
    /// Time at the end of the step \[s\].
    pub time: R,
}

impl<R: Lanes> Kinematics<R> {
    /// The contacts one by one; lanes that do not exist are zero.
    #[inline(always)]
    pub fn split(&self) -> [Kinematics; MOST_LANES] {
        let (normal0, normal1) = (self.normal0.to_lanes(), self.normal1.to_lanes());
        let (overlap0, overlap1) = (self.overlap0.to_lanes(), self.overlap1.to_lanes());
        let (overlap_rate, slip) = (self.overlap_rate.to_lanes(), self.slip.to_lanes());
        let tangential_velocity = self.tangential_velocity.to_lanes();
        let (relative_spin, relative_rotation) = (self.relative_spin.to_lanes(), self.relative_rotation.to_lanes());
        let transport = self.transport.split();
        let (effective_radius, effective_mass) = (self.effective_radius.to_lanes(), self.effective_mass.to_lanes());
        let (smaller_radius, centre_distance) = (self.smaller_radius.to_lanes(), self.centre_distance.to_lanes());
        let near_field_distance = self.near_field_distance.to_lanes();
        let (time_step, time) = (self.time_step.to_lanes(), self.time.to_lanes());
        array(|lane| Kinematics {
            normal0: normal0[lane],
            normal1: normal1[lane],
            overlap0: overlap0[lane],
            overlap1: overlap1[lane],
            overlap_rate: overlap_rate[lane],
            slip: slip[lane],
            tangential_velocity: tangential_velocity[lane],
            relative_spin: relative_spin[lane],
            relative_rotation: relative_rotation[lane],
            transport: transport[lane],
            effective_radius: effective_radius[lane],
            effective_mass: effective_mass[lane],
            smaller_radius: smaller_radius[lane],
            centre_distance: centre_distance[lane],
            near_field_distance: near_field_distance[lane],
            time_step: time_step[lane],
            time: time[lane],
        })
    }
}

/// Kinematics that a law may do without; what it does not need is zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Needs {
    /// [`Kinematics::tangential_velocity`], which dashpots need.
    pub tangential_velocity: bool,
    /// [`Kinematics::relative_spin`], which resistance to rolling and twisting needs.
    pub relative_spin: bool,
}

impl Needs {
    /// All of it.
    pub const EVERYTHING: Self = Self { tangential_velocity: true, relative_spin: true };
}

#[cfg(test)]
impl Kinematics {
    /// Two spheres that move along the line of their centres and are at rest at the end, with an effective mass of 1 kg.
    pub fn head_on(effective_radius: f64, overlap0: f64, overlap1: f64) -> Self {
        use crate::frame::TransportKind;
        let (x, none) = (dem_core::DVec3::X.into(), Vector::zero());
        Self {
            normal0: x,
            normal1: x,
            overlap0,
            overlap1,
            overlap_rate: 0.0,
            slip: none,
            tangential_velocity: none,
            relative_spin: none,
            relative_rotation: none,
            transport: Transport::new(TransportKind::default(), x, x, none, none),
            effective_radius,
            effective_mass: 1.0,
            smaller_radius: 2.0 * effective_radius,
            centre_distance: 4.0 * effective_radius - overlap1,
            near_field_distance: 4.0 * effective_radius - overlap1,
            time_step: 1.0,
            time: 1.0,
        }
    }
}
