//! From positions and rotations to the kinematics of a contact, for pairs of spheres and for spheres and walls.
//!
//! The slip of a step is taken from finite displacements and rotations. With `a` the rescaled Rodrigues vector of a
//! body over the step and `n̄` the mean of the normals at its start and end,
//! `Δs = P₁ [(Δxᵢ + aᵢ × Lᵢ n̄) − (Δxⱼ − aⱼ × Lⱼ n̄)]`, `P₁` the projection on the tangent plane at the end. Because
//! `n₁ − n₀ = a × n̄` for a pair that turns rigidly, and `Lᵢ + Lⱼ = |xⱼ − xᵢ|`, such a pair does not slip at all, whatever the
//! angle. A wall is treated alike: `L n̄` is replaced by the mean lever from its reference point.

use dem_core::DVec3;
use dem_core::cell::Cell;
use dem_core::particles::Particles;
use dem_core::wall::{SurfacePoint, Wall};

use crate::frame::Transport;
use crate::law::Kinematics;

/// Where on the line of centres the contact forces act.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Lever {
    /// Half the overlap inside each surface: conserves angular momentum and is objective.
    #[default]
    Half,
    /// At the full radius. For reproduction of published results only: not objective, does not conserve angular momentum.
    Radius,
}

impl Lever {
    /// Names in scenes, the default first.
    pub const NAMES: &'static [&'static str] = &["half", "radius"];

    /// Lever of a name.
    pub fn from_name(name: &str) -> Option<Self> {
        match name {
            "half" => Some(Self::Half),
            "radius" => Some(Self::Radius),
            _ => None,
        }
    }

    /// Share of the overlap by which the lever is shorter than the radius.
    fn overlap_share(self) -> f64 {
        match self {
            Self::Half => 0.5,
            Self::Radius => 0.0,
        }
    }
}

/// What a contact needs to know of the step.
#[derive(Clone, Copy)]
pub struct StepContext<'a> {
    /// Particles with predicted positions and velocities.
    pub particles: &'a Particles,
    /// Periodic cell.
    pub cell: &'a Cell,
    /// Whether any direction of the cell is periodic.
    pub periodic: bool,
    /// Walls at the end of the step.
    pub walls: &'a [Wall],
    /// Length of the step \[s\].
    pub time_step: f64,
    /// Time at the end of the step \[s\].
    pub time: f64,
    /// The lever is the radius less this share of the overlap.
    overlap_share: f64,
}

impl<'a> StepContext<'a> {
    /// Context of a step of `time_step` that ends at `time` \[s\].
    pub fn new(
        particles: &'a Particles,
        cell: &'a Cell,
        walls: &'a [Wall],
        time_step: f64,
        time: f64,
        lever: Lever,
    ) -> Self {
        Self {
            particles,
            cell,
            periodic: cell.is_periodic(),
            walls,
            time_step,
            time,
            overlap_share: lever.overlap_share(),
        }
    }
}

/// Levers from the centres to the contact point; for a wall, from its reference point.
#[derive(Clone, Copy, Debug)]
pub struct Levers {
    /// From the centre of i \[m\].
    pub first: DVec3,
    /// From the centre of j or the wall's reference point \[m\].
    pub second: DVec3,
}

/// Whether a pair is within `range` of touching at the end of the step.
#[inline(always)]
pub fn pair_is_near(context: &StepContext, i: usize, j: usize, range: f64) -> bool {
    let p = context.particles;
    let mut d = p.position[j] - p.position[i];
    if context.periodic {
        d = context.cell.nearest_image(d);
    }
    let reach = p.radius[i] + p.radius[j] + range;
    d.length_squared() < reach * reach
}

#[inline(always)]
fn direction(d: DVec3) -> (f64, DVec3) {
    let length = d.length();
    // coincident centres have no normal; any will do, the overlap check stops such a run
    (length, if length > 0.0 { d * (1.0 / length) } else { DVec3::X })
}

/// Kinematics of a pair of spheres.
#[inline(always)]
pub fn pair(context: &StepContext, i: usize, j: usize) -> (Kinematics, Levers) {
    let p = context.particles;
    let mut d1 = p.position[j] - p.position[i];
    let mut d0 = p.previous_position[j] - p.previous_position[i];
    if context.periodic {
        let shift = context.cell.image_shift(d1);
        d1 -= shift;
        d0 -= shift;
    }
    let (length1, normal1) = direction(d1);
    let (length0, normal0) = direction(d0);
    let (ri, rj) = (p.radius[i], p.radius[j]);
    let (overlap1, overlap0) = (ri + rj - length1, ri + rj - length0);
    let (li, lj) = (ri - context.overlap_share * overlap1, rj - context.overlap_share * overlap1);

    let (ai, aj) = (p.rotation_increment[i], p.rotation_increment[j]);
    let mean_normal = 0.5 * (normal0 + normal1);
    let moved = (p.position[i] - p.previous_position[i]) - (p.position[j] - p.previous_position[j]);
    let u = moved + (ai * li + aj * lj).cross(mean_normal);

    let (wi, wj) = (p.angular_velocity[i], p.angular_velocity[j]);
    let approach = p.velocity[i] - p.velocity[j];
    let v = approach + (wi * li + wj * lj).cross(normal1);
    let overlap_rate = approach.dot(normal1);

    let kinematics = Kinematics {
        normal0,
        normal1,
        overlap0,
        overlap1,
        overlap_rate,
        slip: u - normal1 * u.dot(normal1),
        tangential_velocity: v - normal1 * v.dot(normal1),
        relative_spin: wi - wj,
        transport: Transport::exact(normal0, normal1, ai, aj),
        effective_radius: ri * rj / (ri + rj),
        effective_mass: 1.0 / (p.inverse_mass[i] + p.inverse_mass[j]).max(f64::MIN_POSITIVE),
        smaller_radius: ri.min(rj),
        time_step: context.time_step,
        time: context.time,
    };
    (kinematics, Levers { first: normal1 * li, second: normal1 * -lj })
}

/// Surface point of a wall's feature nearest to a particle at the end of the step.
#[inline]
pub fn wall_surface(context: &StepContext, i: usize, wall: &Wall, feature: u32) -> SurfacePoint {
    wall.surface_point(&wall.pose, feature, context.particles.position[i])
}

/// Effective radius of a sphere on a surface; the curvature counts only if the wall asks for it.
#[inline]
pub fn wall_effective_radius(radius: f64, wall: &Wall, surface: &SurfacePoint) -> f64 {
    if !wall.curved_contact {
        return radius;
    }
    let curvature = 1.0 / radius + surface.curvature;
    // a hollow tighter than the sphere touches along a ring, which no point contact describes
    if curvature > 1e-3 / radius { 1.0 / curvature } else { 1e3 * radius }
}

/// Kinematics of a sphere and a wall's feature; j is the wall, with infinite radius and mass.
#[inline]
pub fn wall(context: &StepContext, i: usize, wall: &Wall, feature: u32) -> (Kinematics, Levers) {
    let p = context.particles;
    let (x1, x0, radius) = (p.position[i], p.previous_position[i], p.radius[i]);
    let surface1 = wall.surface_point(&wall.pose, feature, x1);
    let surface0 = wall.surface_point(&wall.previous_pose, feature, x0);
    let (normal1, normal0) = (-surface1.normal, -surface0.normal);
    let (overlap1, overlap0) = (radius - surface1.distance, radius - surface0.distance);
    let lever = radius - context.overlap_share * overlap1;

    // lever of the contact point from the wall's reference point
    let arm1 = x1 + normal1 * lever - wall.pose.position;
    let arm0 = x0 + normal0 * lever - wall.previous_pose.position;
    let aw = wall.rotation_increment;
    let wall_moved = (wall.pose.position - wall.previous_pose.position) + aw.cross(0.5 * (arm0 + arm1));
    let ai = p.rotation_increment[i];
    let mean_normal = 0.5 * (normal0 + normal1);
    let u = (x1 - x0) + ai.cross(mean_normal * lever) - wall_moved;

    let wi = p.angular_velocity[i];
    let wall_velocity = wall.velocity + wall.angular_velocity.cross(arm1);
    let v = p.velocity[i] + wi.cross(normal1 * lever) - wall_velocity;

    let kinematics = Kinematics {
        normal0,
        normal1,
        overlap0,
        overlap1,
        overlap_rate: v.dot(normal1),
        slip: u - normal1 * u.dot(normal1),
        tangential_velocity: v - normal1 * v.dot(normal1),
        relative_spin: wi - wall.angular_velocity,
        transport: Transport::exact(normal0, normal1, ai, aw),
        effective_radius: wall_effective_radius(radius, wall, &surface1),
        effective_mass: 1.0 / p.inverse_mass[i].max(f64::MIN_POSITIVE),
        smaller_radius: radius,
        time_step: context.time_step,
        time: context.time,
    };
    (kinematics, Levers { first: normal1 * lever, second: arm1 })
}
