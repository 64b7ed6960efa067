//! Drag in proportion to the velocity and global damping of several particles at once.
//!
//! Every operation is that of [`StepFields::apply`], in the same order and rounded alike, so that both give the same bits. Fields that need
//! powers, a porosity or signs go particle by particle.

use dem_core::lanes::{Lanes, Vector};

use super::body_forces::StepFields;
use super::drag::DragLaw;

/// What these fields may know of particles at the end of a step.
pub struct MotionInLanes<R: Lanes> {
    /// Masses \[kg\].
    pub mass: R,
    /// Radii \[m\].
    pub radius: R,
    /// Moments of inertia \[kg m²\].
    pub inertia: R,
    /// Velocities \[m/s\].
    pub velocity: Vector<R>,
    /// Angular velocities \[rad/s\].
    pub angular_velocity: Vector<R>,
    /// Displacements over the step \[m\].
    pub moved: Vector<R>,
    /// Rotations over the step \[rad\].
    pub turned: Vector<R>,
}

/// Force \[N\], torque \[N m\] and what was dissipated in the step \[J\].
pub type LoadInLanes<R> = (Vector<R>, Vector<R>, R);

impl StepFields<'_> {
    /// Whether [`Self::apply_in_lanes`] knows all that acts.
    #[inline(always)]
    pub fn go_in_lanes(&self) -> bool {
        let fields = self.fields;
        let is_simple =
            !matches!(fields.drag.map(|drag| drag.law), Some(DragLaw::SchillerNaumann { .. } | DragLaw::WenYu { .. }));
        is_simple
            && fields.magnus.is_none()
            && fields.local_damping == 0.0
            && !fields.gravity_turns()
            && self.time_step > 0.0
    }

    /// [`Self::apply`] where fields do work and [go in lanes](Self::go_in_lanes).
    #[inline(always)]
    pub fn apply_in_lanes<R: Lanes>(
        &self,
        p: &MotionInLanes<R>,
        force: Vector<R>,
        torque: Vector<R>,
    ) -> LoadInLanes<R> {
        let force = force + Vector::splat(self.gravity) * p.mass;
        if !self.opposes_motion {
            return (force, torque, R::zero());
        }
        let (resistance, slowing) = self.resistance_in_lanes(p, p.velocity, p.angular_velocity);
        let step = R::splat(self.time_step);
        let (velocity, spin) = (over(p.moved, step), over(p.turned, step));
        let (mean_force, mean_torque) = self.resistance_in_lanes(p, velocity, spin);
        let dissipated = R::zero() - (dot(mean_force, p.moved) + dot(mean_torque, p.turned));
        (force + resistance, torque + slowing, dissipated)
    }

    #[inline(always)]
    fn resistance_in_lanes<R: Lanes>(
        &self,
        p: &MotionInLanes<R>,
        velocity: Vector<R>,
        spin: Vector<R>,
    ) -> (Vector<R>, Vector<R>) {
        let damping = R::splat(-self.fields.mass_damping);
        let mut force = velocity * (damping * p.mass);
        if let Some(drag) = &self.fields.drag {
            let coefficient = match drag.law {
                DragLaw::Linear { coefficient } => R::splat(coefficient),
                // the others do not go in lanes
                DragLaw::Stokes { .. } | DragLaw::SchillerNaumann { .. } | DragLaw::WenYu { .. } => {
                    R::splat(drag.law.creeping_share()) * (R::splat(2.0) * p.radius)
                }
            };
            force += (velocity - Vector::splat(drag.fluid_velocity)) * -coefficient;
        }
        (force, spin * (damping * p.inertia))
    }
}

/// Every product and sum rounded, as glam does it.
#[inline(always)]
fn dot<R: Lanes>(a: Vector<R>, b: Vector<R>) -> R {
    a.x * b.x + a.y * b.y + a.z * b.z
}

/// `v / a`
#[inline(always)]
fn over<R: Lanes>(v: Vector<R>, a: R) -> Vector<R> {
    Vector::new(v.x / a, v.y / a, v.z / a)
}

#[cfg(test)]
mod tests {
    use dem_core::DVec3;
    use dem_core::lanes::{LaneTask, MOST_LANES, Width};

    use super::*;
    use crate::fields::body_forces::Fields;
    use crate::fields::drag::Drag;
    use crate::fields::motion::Motion;
    use crate::fields::porosity::Porosity;

    struct All<'a> {
        fields: StepFields<'a>,
        motions: &'a [Motion; MOST_LANES],
        loads: &'a [(DVec3, DVec3); MOST_LANES],
    }

    impl LaneTask for All<'_> {
        type Output = Vec<[u64; 7]>;

        fn run<R: Lanes>(self) -> Vec<[u64; 7]> {
            let Self { fields, motions: m, loads } = self;
            let groups = (0..MOST_LANES).step_by(R::LANES);
            let of_group = |at: usize| {
                let number = |value: fn(&Motion) -> f64| R::from_lanes(|lane| value(&m[at + lane]));
                let vector = |value: fn(&Motion) -> DVec3| Vector::<R>::from_lanes(|lane| value(&m[at + lane]));
                let motion = MotionInLanes {
                    mass: number(|m| m.mass),
                    radius: number(|m| m.radius),
                    inertia: number(|m| m.inertia),
                    velocity: vector(|m| m.velocity),
                    angular_velocity: vector(|m| m.angular_velocity),
                    moved: vector(|m| m.moved),
                    turned: vector(|m| m.turned),
                };
                let force = Vector::from_lanes(|lane| loads[at + lane].0);
                let torque = Vector::from_lanes(|lane| loads[at + lane].1);
                let (force, torque, dissipated) = fields.apply_in_lanes(&motion, force, torque);
                (0..R::LANES)
                    .map(|lane| bits(force.lane(lane), torque.lane(lane), dissipated.lane(lane)))
                    .collect::<Vec<_>>()
            };
            groups.flat_map(of_group).collect()
        }
    }

    fn bits(force: DVec3, torque: DVec3, dissipated: f64) -> [u64; 7] {
        let all = [force.x, force.y, force.z, torque.x, torque.y, torque.z, dissipated];
        all.map(f64::to_bits)
    }

    #[test]
    fn lanes_have_the_bits_of_one_particle_at_a_time() {
        let mut state = 1u64;
        let mut draw = || {
            state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
            (state >> 11) as f64 / (1u64 << 52) as f64 - 1.0
        };
        let wind = DVec3::new(0.3, -0.2, 0.0);
        let linear = Drag::linear(1e-5, wind);
        let stokes = Drag { law: DragLaw::Stokes { viscosity: 1.8e-5 }, fluid_velocity: wind };
        for (drag, mass_damping) in [(Some(linear), 0.0), (Some(stokes), 0.0), (Some(stokes), 3.0), (None, 3.0)] {
            let fields = Fields { gravity: DVec3::new(0.0, 0.1, -9.81), drag, mass_damping, ..Fields::default() };
            let porosity = Porosity::default();
            let fields = fields.over_step(&porosity, 1.0, 1e-5);
            assert!(fields.does_work() && fields.go_in_lanes());
            for _ in 0..200 {
                let mut vector = |size: f64| DVec3::new(draw(), draw(), draw()) * size;
                let motions: [Motion; MOST_LANES] = std::array::from_fn(|k| Motion {
                    radius: 1e-3 + 1e-4 * k as f64,
                    mass: 1e-5 + 1e-6 * k as f64,
                    inertia: 4e-12 + 1e-13 * k as f64,
                    position: vector(0.1),
                    velocity: vector(1.0),
                    angular_velocity: vector(100.0),
                    moved: vector(1e-5),
                    turned: vector(1e-3),
                    load_before: None,
                });
                let loads = std::array::from_fn(|_| (vector(1e-3), vector(1e-6)));
                let expected: Vec<[u64; 7]> = (motions.iter().zip(&loads))
                    .map(|(motion, (force, torque))| {
                        let load = fields.apply(motion, *force, *torque);
                        bits(load.force, load.torque, load.dissipated)
                    })
                    .collect();
                for width in Width::available() {
                    let found = width.run(All { fields, motions: &motions, loads: &loads });
                    assert_eq!(found, expected, "{}", width.name());
                }
            }
        }
    }

    #[test]
    fn fields_that_need_powers_or_signs_go_one_by_one() {
        let porosity = Porosity::default();
        let of = |fields: &Fields| fields.over_step(&porosity, 0.0, 1e-5).go_in_lanes();
        let drag = Some(Drag::linear(1e-5, DVec3::ZERO));
        assert!(of(&Fields { drag, ..Fields::default() }));
        assert!(!of(&Fields { drag, local_damping: 0.1, ..Fields::default() }));
        assert!(!of(&Fields { drag, gravity_rotation: DVec3::X, ..Fields::default() }));
        let fluid = crate::fields::drag::Fluid { density: 1.2, viscosity: 1.8e-5 };
        let drag = Some(Drag { law: DragLaw::SchillerNaumann { fluid }, fluid_velocity: DVec3::ZERO });
        assert!(!of(&Fields { drag, ..Fields::default() }));
    }
}
