//! From positions and rotations to the kinematics of a contact, for pairs of spheres and for spheres and walls.
//!
//! The slip of a step is taken from finite displacements and rotations. With `a` the rescaled Rodrigues vector of a
//! body over the step and `n̄` the mean of the normals at its start and end,
//! `Δs = P₁ [(Δxᵢ + aᵢ × Lᵢ n̄) − (Δxⱼ − aⱼ × Lⱼ n̄)]`, `P₁` the projection on the tangent plane at the end. Because
//! `n₁ − n₀ = a × n̄` for a pair that turns rigidly, and `Lᵢ + Lⱼ = |xⱼ − xᵢ|`, such a pair does not slip at all, whatever the
//! angle. A wall is treated alike: `L n̄` is replaced by the mean lever from its reference point.

use dem_core::DVec3;
use dem_core::cell::Cell;
use dem_core::lanes::{MOST_LANES, Mask, Real, Vector, Width};
use dem_core::particles::Particles;
use dem_core::wall::{SurfacePoint, Wall};

use crate::frame::{Transport, TransportKind};
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

/// Physical choices of the kinematics of contacts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ContactGeometry {
    /// Where the forces act.
    pub lever: Lever,
    /// How stored vectors follow a contact.
    pub transport: TransportKind,
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
    /// Contacts computed side by side.
    pub width: Width,
    transport: TransportKind,
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
        geometry: ContactGeometry,
        width: Width,
    ) -> Self {
        Self {
            particles,
            cell,
            periodic: cell.is_periodic(),
            walls,
            time_step,
            time,
            width,
            transport: geometry.transport,
            overlap_share: geometry.lever.overlap_share(),
        }
    }

    /// The columns of the particles that contacts read.
    #[inline(always)]
    pub fn bodies(&self) -> Bodies<'a> {
        let p = self.particles;
        // one length for all: an index checked against one column is good for every other
        let n = p.position.len();
        Bodies {
            position: &p.position[..n],
            previous_position: &p.previous_position[..n],
            velocity: &p.velocity[..n],
            angular_velocity: &p.angular_velocity[..n],
            rotation_increment: &p.rotation_increment[..n],
            radius: &p.radius[..n],
            inverse_mass: &p.inverse_mass[..n],
        }
    }
}

/// Columns of the particles, all of one length.
#[derive(Clone, Copy)]
pub struct Bodies<'a> {
    position: &'a [DVec3],
    previous_position: &'a [DVec3],
    velocity: &'a [DVec3],
    angular_velocity: &'a [DVec3],
    rotation_increment: &'a [DVec3],
    radius: &'a [f64],
    inverse_mass: &'a [f64],
}

/// Levers from the centres to the contact point; for a wall, from its reference point.
#[derive(Clone, Copy, Debug)]
pub struct Levers<R = f64> {
    /// From the centre of i \[m\].
    pub first: Vector<R>,
    /// From the centre of j or the wall's reference point \[m\].
    pub second: Vector<R>,
}

/// One slot per lane.
pub type Slots = [usize; MOST_LANES];

#[inline(always)]
fn gather<R: Real>(column: &[DVec3], slots: &Slots) -> Vector<R> {
    let [x, y, z] = R::columns(|lane| column[slots[lane]].as_ref());
    Vector::new(x, y, z)
}

#[inline(always)]
fn gather_numbers<R: Real>(column: &[f64], slots: &Slots) -> R {
    R::from_lanes(|lane| column[slots[lane]])
}

/// Where pairs are within `range` of touching at the end of the step.
#[inline(always)]
pub fn pairs_are_near<R: Real>(context: &StepContext, bodies: &Bodies, i: &Slots, j: &Slots, range: f64) -> R::Mask {
    let mut d = gather::<R>(bodies.position, j) - gather::<R>(bodies.position, i);
    if context.periodic {
        d -= context.cell.image_shift_in_lanes(d);
    }
    let reach = gather_numbers::<R>(bodies.radius, i) + gather_numbers(bodies.radius, j) + R::splat(range);
    d.length_squared().less(reach * reach)
}

/// Lengths and directions of two vectors with a single division.
#[inline(always)]
fn directions<R: Real>(a: Vector<R>, b: Vector<R>) -> ((R, Vector<R>), (R, Vector<R>)) {
    let (length_a, length_b) = (a.length(), b.length());
    let product = length_a * length_b;
    let inverse = R::splat(1.0) / product;
    let (unit_a, unit_b) = (a * (length_b * inverse), b * (length_a * inverse));
    let apart = product.greater(R::zero());
    if apart.all() {
        return ((length_a, unit_a), (length_b, unit_b));
    }
    // coincident centres have no normal; any will do, the overlap check stops such a run
    let any = Vector::splat(DVec3::X);
    ((length_a, Vector::select(apart, unit_a, any)), (length_b, Vector::select(apart, unit_b, any)))
}

/// Stands for the inverse mass of two bodies that cannot move \[1/kg\]; far from where reciprocals overflow.
const SMALLEST_INVERSE_MASS: f64 = 1e-100;

/// Kinematics of pairs of spheres in slots `i`, `j` by lane.
#[inline(always)]
pub fn pairs<R: Real>(context: &StepContext, bodies: &Bodies, i: &Slots, j: &Slots) -> (Kinematics<R>, Levers<R>) {
    let (half, one) = (R::splat(0.5), R::splat(1.0));
    let (xi, xj) = (gather::<R>(bodies.position, i), gather::<R>(bodies.position, j));
    let (xi0, xj0) = (gather::<R>(bodies.previous_position, i), gather::<R>(bodies.previous_position, j));
    let mut d1 = xj - xi;
    let mut d0 = xj0 - xi0;
    if context.periodic {
        let shift = context.cell.image_shift_in_lanes(d1);
        d1 -= shift;
        d0 -= shift;
    }
    let ((length1, normal1), (length0, normal0)) = directions(d1, d0);
    let (ri, rj) = (gather_numbers::<R>(bodies.radius, i), gather_numbers::<R>(bodies.radius, j));
    let (overlap1, overlap0) = (ri + rj - length1, ri + rj - length0);
    let share = R::splat(context.overlap_share);
    let (li, lj) = (ri - share * overlap1, rj - share * overlap1);

    let (ai, aj) = (gather::<R>(bodies.rotation_increment, i), gather::<R>(bodies.rotation_increment, j));
    let mean_normal = (normal0 + normal1) * half;
    let moved = (xi - xi0) - (xj - xj0);
    let u = moved + (ai * li + aj * lj).cross(mean_normal);

    let (wi, wj) = (gather::<R>(bodies.angular_velocity, i), gather::<R>(bodies.angular_velocity, j));
    let approach = gather::<R>(bodies.velocity, i) - gather::<R>(bodies.velocity, j);
    let v = approach + (wi * li + wj * lj).cross(normal1);
    let inverse_mass = gather_numbers::<R>(bodies.inverse_mass, i) + gather_numbers(bodies.inverse_mass, j);
    let (sum, inverse_mass) = (ri + rj, inverse_mass.maximum(R::splat(SMALLEST_INVERSE_MASS)));
    let inverse = one / (sum * inverse_mass);

    let kinematics = Kinematics {
        normal0,
        normal1,
        overlap0,
        overlap1,
        overlap_rate: approach.dot(normal1),
        slip: u.reject(normal1),
        tangential_velocity: v.reject(normal1),
        relative_spin: wi - wj,
        relative_rotation: ai - aj,
        transport: Transport::new(context.transport, normal0, normal1, ai, aj),
        effective_radius: ri * rj * (inverse_mass * inverse),
        effective_mass: sum * inverse,
        smaller_radius: ri.minimum(rj),
        centre_distance: length1,
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
        normal0: normal0.into(),
        normal1: normal1.into(),
        overlap0,
        overlap1,
        overlap_rate: v.dot(normal1),
        slip: (u - normal1 * u.dot(normal1)).into(),
        tangential_velocity: (v - normal1 * v.dot(normal1)).into(),
        relative_spin: (wi - wall.angular_velocity).into(),
        relative_rotation: (ai - aw).into(),
        transport: Transport::new(context.transport, normal0.into(), normal1.into(), ai.into(), aw.into()),
        effective_radius: wall_effective_radius(radius, wall, &surface1),
        effective_mass: 1.0 / p.inverse_mass[i].max(SMALLEST_INVERSE_MASS),
        smaller_radius: radius,
        centre_distance: f64::INFINITY,
        time_step: context.time_step,
        time: context.time,
    };
    (kinematics, Levers { first: (normal1 * lever).into(), second: arm1.into() })
}
