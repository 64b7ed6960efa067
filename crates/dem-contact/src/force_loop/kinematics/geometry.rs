//! From positions and rotations to the kinematics of a contact, for pairs of spheres; [`crate::force_loop::kinematics::wall_geometry`] does the same for walls.
//!
//! The slip of a step is taken from finite displacements and rotations. With `a` the rescaled Rodrigues vector of a
//! body over the step and `n̄` the mean of the normals at its start and end,
//! `Δs = P₁ [(Δxᵢ + aᵢ × Lᵢ n̄) − (Δxⱼ − aⱼ × Lⱼ n̄)]`, `P₁` the projection on the tangent plane at the end. Because
//! `n₁ − n₀ = a × n̄` for a pair that turns rigidly, and `Lᵢ + Lⱼ = |xⱼ − xᵢ|`, such a pair does not slip at all,
//! whatever the angle. A wall is treated alike: `L n̄` is replaced by the mean lever arm from its reference point.
//!
//! Two other forms of the slip exist for comparison with published codes. `start-points` follows the material points
//! that met at the start of the step, `Δs = P₁ [(Δxᵢ + (Qᵢ − I) Lᵢ n₀) − (Δxⱼ − (Qⱼ − I) Lⱼ n₀)]` with the lever arms
//! of the start (E. M. B. Campello, Comput. Part. Mech. 2 (2015) 109, Eqs. 25–29, where only one body moves and the
//! point is that of the end); it is objective too. `first-order` is `v_t Δt` with the velocities and the normal of the
//! end: a rigid turn slips by the square of its angle in every step.
//!
//! In a cell that deforms by `F` over the step, particles are carried along before they move: `previous_position` is `F x₀`, velocities and
//! rotations are peculiar. The pair then started at `F⁻¹` of the difference of these, whatever periodic image it is, its relative velocity
//! has the part `−L (xⱼ − xᵢ)`, and both bodies also turn with the cell. Contacts with walls know nothing of this: such a cell has none.

use dem_core::DVec3;
use dem_core::affine::AffineStep;
use dem_core::cell::Cell;
use dem_core::lanes::{
    Lanes, Mask, Places, Vector, VectorColumn, Width, inverse_root_if_near_one, inverse_root_near_one, prefetch,
};
use dem_core::particles::Particles;
use dem_core::wall::Wall;

use crate::force_loop::kinematics::deformed_pairs::{self, PairMotion, columns, from_columns};
use crate::force_loop::kinematics::{body_masses, sphere_masses};
use crate::force_loop::reduction::fused_integration::FusedUpdate;
use crate::force_loop::sweep::prefetch::{BLOCK, MANY};
use crate::frame::{Transport, TransportKind};
use crate::law::{Kinematics, Needs};

/// Where on the line of centres the contact forces act.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Lever {
    /// Half the overlap inside each surface: conserves angular momentum and is objective.
    #[default]
    Half,
    /// At the full radius. For reproduction of published results only: not objective, does not conserve angular momentum.
    Radius,
    /// On the surface of a wall, the whole overlap inside the sphere; pairs of spheres as [`Self::Half`].
    Plane,
}

impl Lever {
    /// Names in scenes, the default first.
    pub const NAMES: &'static [&'static str] = &["half", "radius", "plane"];

    /// Lever arm of a name.
    pub fn from_name(name: &str) -> Option<Self> {
        match name {
            "half" => Some(Self::Half),
            "radius" => Some(Self::Radius),
            "plane" => Some(Self::Plane),
            _ => None,
        }
    }

    /// Fraction of the overlap by which the lever arm is shorter than the radius.
    fn overlap_share(self) -> f64 {
        match self {
            Self::Half | Self::Plane => 0.5,
            Self::Radius => 0.0,
        }
    }

    /// The same fraction against a wall.
    fn overlap_share_of_walls(self) -> f64 {
        if self == Self::Plane { 1.0 } else { self.overlap_share() }
    }
}

/// How the slip of a step follows from the motion of the bodies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SlipForm {
    /// Finite rotations of the mean lever arm: no slip in a rigid turn of any size.
    #[default]
    Finite,
    /// Tangential velocity at the end times the step, as published codes have it.
    FirstOrder,
    /// Finite rotations of the points that met at the start.
    StartPoints,
}

impl SlipForm {
    /// Names in scenes, the default first.
    pub const NAMES: &'static [&'static str] = &["finite", "first-order", "start-points"];

    /// Form of a name.
    pub fn from_name(name: &str) -> Option<Self> {
        match name {
            "finite" => Some(Self::Finite),
            "first-order" => Some(Self::FirstOrder),
            "start-points" => Some(Self::StartPoints),
            _ => None,
        }
    }
}

/// What of a rigid body a contact has to move, as dashpots and the duration of a contact see it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EffectiveMass {
    /// That which a force at the contact point along the normal meets: the asked restitution is reached wherever a body is hit.
    #[default]
    Contact,
    /// The mass of the whole body.
    Body,
    /// The mass that the touching sphere of the body would have by itself.
    Sphere,
}

impl EffectiveMass {
    /// Names in scenes, the default first.
    pub const NAMES: &'static [&'static str] = &["contact", "body", "sphere"];

    /// Choice of a name.
    pub fn from_name(name: &str) -> Option<Self> {
        match name {
            "contact" => Some(Self::Contact),
            "body" => Some(Self::Body),
            "sphere" => Some(Self::Sphere),
            _ => None,
        }
    }
}

/// Physical choices of the kinematics of contacts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ContactGeometry {
    /// Where the forces act.
    pub lever: Lever,
    /// How the slip is taken.
    pub slip: SlipForm,
    /// How stored vectors follow a contact.
    pub transport: TransportKind,
    /// What of a rigid body a contact has to move.
    pub effective_mass: EffectiveMass,
}

/// How to keep the selection of near pairs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Selection {
    /// Gap up to which a new selection takes pairs \[m\].
    pub margin: f64,
    /// Steps for which a new selection follows the particles at their present velocities; the margin is how far they
    /// may deviate from these straight paths. Zero if the margin is all that they may move by.
    pub course: f64,
    /// Whether to select anew: two bodies may have moved towards each other by the margin since the last time.
    pub renew: bool,
}

impl Default for Selection {
    /// Anew in every evaluation.
    fn default() -> Self {
        Self { margin: 0.0, course: 0.0, renew: true }
    }
}

/// How far a selection of near candidates reaches.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Reach {
    /// Gap in addition to the range of the law \[m\].
    pub margin: f64,
    /// Time for which particles are followed at their present velocities \[s\].
    pub time: f64,
}

impl Reach {
    /// For this evaluation only.
    pub const NOW: Self = Self { margin: 0.0, time: 0.0 };
}

impl Selection {
    /// How far one reaches that is made in a step of some length \[s\].
    pub(crate) fn reach(&self, time_step: f64) -> Reach {
        Reach { margin: self.margin, time: self.course * time_step }
    }
}

/// What a contact needs to know of the step.
#[derive(Clone, Copy)]
pub struct StepContext<'a> {
    /// Particles with predicted positions and velocities; while an integrator advances them it has the columns that it
    /// changes.
    pub particles: &'a Particles,
    /// Periodic cell.
    pub cell: &'a Cell,
    /// Whether any direction of the cell is periodic.
    pub periodic: bool,
    /// Square of a distance up to which the difference of two positions is that of the nearest images \[m²\].
    surely_nearest: f64,
    /// Deformation of the cell over the step.
    pub motion: Option<&'a AffineStep>,
    /// Walls at the end of the step.
    pub walls: &'a [Wall],
    /// Whether the surface of any of them slides along itself: other runs must not pay for that.
    pub(crate) has_belts: bool,
    /// Whether the effective mass of contacts is that of rigid bodies where they are hit.
    pub(crate) has_bodies: bool,
    /// Whether it is that of their spheres, each as if by itself.
    pub(crate) counts_spheres: bool,
    /// Whether spheres that cannot move may have a velocity against each other.
    may_meet_immovable: bool,
    /// Length of the step \[s\].
    pub time_step: f64,
    /// Time at the end of the step \[s\].
    pub time: f64,
    /// Contacts computed at once, in SIMD lanes.
    pub width: Width,
    /// How to keep the selection of near pairs.
    pub selection: Selection,
    /// Advances particles whose contacts are computed, where sums are taken within the pass. It then has the columns
    /// that it changes.
    finishing: Option<&'a FusedUpdate<'a>>,
    pub(crate) transport: TransportKind,
    pub(crate) slip: SlipForm,
    /// The lever arm is the radius less this fraction of the overlap.
    overlap_share: f64,
    /// The same against walls.
    pub(crate) overlap_share_of_walls: f64,
}

/// Whether the surface of a wall slides along itself, or did in the step.
fn slides_along_itself(wall: &Wall) -> bool {
    wall.motion.surface_velocity != DVec3::ZERO || wall.pose.slid != wall.previous_pose.slid
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
        // not whether there are some in this part of the assembly: contacts have the same bits in all
        let any_bodies = particles.bodies.may_come();
        Self {
            particles,
            cell,
            periodic: cell.is_periodic(),
            surely_nearest: cell.nearest_reach().powi(2),
            motion: cell.motion.as_ref(),
            walls,
            has_belts: walls.iter().any(slides_along_itself),
            has_bodies: any_bodies && geometry.effective_mass == EffectiveMass::Contact,
            counts_spheres: any_bodies && geometry.effective_mass == EffectiveMass::Sphere,
            may_meet_immovable: any_bodies || cell.motion.is_some(),
            time_step,
            time,
            width,
            selection: Selection::default(),
            finishing: None,
            transport: geometry.transport,
            slip: geometry.slip,
            overlap_share: geometry.lever.overlap_share(),
            overlap_share_of_walls: geometry.lever.overlap_share_of_walls(),
        }
    }

    /// The same, with an integrator that advances the particles. The forces must have been planned for the very list
    /// that is evaluated ([`sweep`](crate::force_loop::sweep)): their plan keeps threads from reading what others
    /// change.
    pub fn with_finishing(self, finishing: Option<&'a FusedUpdate<'a>>) -> Self {
        Self { finishing, ..self }
    }

    /// The integrator that advances particles whose contacts are computed, if there is one.
    pub(crate) fn finishing(&self) -> Option<&'a FusedUpdate<'a>> {
        self.finishing
    }

    /// The columns of the particles that contacts read.
    #[inline(always)]
    pub fn bodies(&self) -> Bodies<'a> {
        let p = self.particles;
        // one length for all: an index checked against one column is good for every other
        let n = p.len();
        let (radius, inverse_mass) = (&p.radius[..n], &p.inverse_mass[..n]);
        let [position, previous_position, velocity, angular_velocity, rotation_increment] = match self.finishing {
            Some(finishing) => finishing.read_by_contacts(),
            None => [&p.position, &p.previous_position, &p.velocity, &p.angular_velocity, &p.rotation_increment]
                .map(|column| column[..].into()),
        }
        .map(|column| column.first(n));
        Bodies { position, previous_position, velocity, angular_velocity, rotation_increment, radius, inverse_mass }
    }
}

impl Bodies<'_> {
    /// Whether there are so many that what contacts read of them does not stay in cache.
    #[inline(always)]
    pub fn are_many(&self) -> bool {
        self.position.len() >= MANY
    }

    /// Prefetches what contacts read of the particles in a [block of slots](crate::force_loop::sweep::first_reads).
    #[inline(always)]
    pub(crate) fn prefetch_block(&self, block: usize, needs: Needs) {
        let slot = block * BLOCK;
        self.position.prefetch_eight(slot);
        self.previous_position.prefetch_eight(slot);
        self.velocity.prefetch_eight(slot);
        self.rotation_increment.prefetch_eight(slot);
        prefetch(self.radius, slot);
        prefetch(self.inverse_mass, slot);
        if needs.tangential_velocity || needs.relative_spin {
            self.angular_velocity.prefetch_eight(slot);
        }
    }

    /// Prefetches what a selection of near pairs reads of the particles in a block of slots.
    #[inline(always)]
    pub(crate) fn prefetch_courses_of_block(&self, block: usize) {
        let slot = block * BLOCK;
        self.position.prefetch_eight(slot);
        self.velocity.prefetch_eight(slot);
        prefetch(self.radius, slot);
    }

    /// Prefetches what contacts read of some particles.
    #[inline(always)]
    pub fn prefetch<R: Lanes>(&self, slots: &Slots, needs: Needs) {
        for slot in &slots[..R::LANES] {
            let slot = *slot as usize;
            self.position.prefetch(slot);
            self.previous_position.prefetch(slot);
            self.velocity.prefetch(slot);
            self.rotation_increment.prefetch(slot);
            prefetch(self.radius, slot);
            prefetch(self.inverse_mass, slot);
            if needs.tangential_velocity || needs.relative_spin {
                self.angular_velocity.prefetch(slot);
            }
        }
    }
}

/// Columns of the particles, all of one length.
#[derive(Clone, Copy)]
pub struct Bodies<'a> {
    pub(crate) position: VectorColumn<'a>,
    pub(crate) previous_position: VectorColumn<'a>,
    pub(crate) velocity: VectorColumn<'a>,
    pub(crate) angular_velocity: VectorColumn<'a>,
    pub(crate) rotation_increment: VectorColumn<'a>,
    pub(crate) radius: &'a [f64],
    pub(crate) inverse_mass: &'a [f64],
}

/// Lever arms from the centres to the contact point; for a wall, from its reference point.
#[derive(Clone, Copy, Debug)]
pub struct Levers<R = f64> {
    /// Distance of the contact point from the centre of i \[m\].
    pub first_length: R,
    /// Distance of the contact point from the centre of j, zero for a wall \[m\].
    pub second_length: R,
    /// From the centre of i \[m\].
    pub first: Vector<R>,
    /// From the centre of j or the wall's reference point \[m\].
    pub second: Vector<R>,
}

/// One slot per lane.
pub type Slots = Places;

/// Radii are taken a little larger where pairs are tested for touching: rounding must not let this test and the law's
/// disagree.
pub(crate) const ROUNDING: f64 = 1e-12;

/// Where pairs are within `range` of touching at the end of the step, or by less than a rounding beyond.
#[inline(always)]
pub fn pairs_are_near<R: Lanes>(context: &StepContext, bodies: &Bodies, i: &Slots, j: &Slots, range: f64) -> R::Mask {
    let ([mut d], []) = R::pick_pairs([bodies.position], [], i, j);
    if context.periodic {
        d -= context.cell.image_shift_in_lanes(d);
    }
    let radii = R::pick(bodies.radius, i) + R::pick(bodies.radius, j);
    let reach = R::splat(range).plus_product(radii, R::splat(1.0 + ROUNDING));
    d.length_squared().less(reach * reach)
}

/// Where pairs that keep their velocities for some `time` \[s\] may come within `range` of touching, or by less than a rounding beyond.
#[inline(always)]
pub fn pairs_come_near<R: Lanes>(
    context: &StepContext,
    bodies: &Bodies,
    i: &Slots,
    j: &Slots,
    range: f64,
    time: f64,
) -> R::Mask {
    let ([mut d, v], []) = R::pick_pairs([bodies.position, bodies.velocity], [], i, j);
    if context.periodic {
        d -= context.cell.image_shift_in_lanes(d);
    }
    let radii = R::pick(bodies.radius, i) + R::pick(bodies.radius, j);
    let reach = R::splat(range).plus_product(radii, R::splat(1.0 + ROUNDING));
    // the distance is never less than that along the present line of centres
    let (squared, closing) = (d.length_squared(), d.dot(v).minimum(R::zero()) * R::splat(time));
    squared.plus_product(closing, R::splat(1.0 + ROUNDING)).less(reach * squared.sqrt())
}

/// Lengths and directions of the line of centres at the end and at the start of a step. Both lengths are rounded roots,
/// so that the overlap at the start has the bits of that at the end of the step before. The second direction follows
/// from the first length, which the second one is near, without a root and a division: a law that does not need the
/// overlap at the start saves that root.
#[inline(always)]
fn directions<R: Lanes>(end: Vector<R>, start: Vector<R>) -> ((R, Vector<R>), (R, Vector<R>)) {
    let (squared1, squared0) = (end.length_squared(), start.length_squared());
    let (length1, length0) = (squared1.sqrt(), squared0.sqrt());
    // not of the length: the division need not wait for the root
    let inverse_squared = R::splat(1.0) / squared1;
    let inverse1 = length1 * inverse_squared;
    let ratio = squared0 * inverse_squared;
    if let Some(inverse) = inverse_root_if_near_one(ratio) {
        return ((length1, end * inverse1), (length0, start * (inverse1 * inverse)));
    }
    let inverse0 = inverse1 * inverse_root_near_one(ratio);
    // coincident centres have no normal; any will do, the overlap check stops such a run
    let apart = squared1.greater(R::zero()) & squared0.greater(R::zero());
    let any = Vector::splat(DVec3::X);
    let (normal1, normal0) = (Vector::select(apart, end * inverse1, any), Vector::select(apart, start * inverse0, any));
    ((length1, normal1), (length0, normal0))
}

/// Replaces the inverse mass of two bodies that cannot move \[1/kg\]; far from where reciprocals overflow.
pub(crate) const SMALLEST_INVERSE_MASS: f64 = 1e-100;

/// The reciprocal of the guarded inverse mass where any body can move, or zero: dashpots that scale with the mass would be as large as the mass.
#[inline(always)]
pub(crate) fn effective_mass<R: Lanes>(mass: R) -> R {
    R::select(mass.less(R::splat(0.1 / SMALLEST_INVERSE_MASS)), mass, R::zero())
}

/// `(Q − I) r`, the change of a vector under the rotation of the rescaled Rodrigues vector `a`.
#[inline(always)]
pub(crate) fn turned_by<R: Lanes>(a: Vector<R>, r: Vector<R>) -> Vector<R> {
    let across = a.cross(r);
    let scale = R::splat(4.0) / (R::splat(4.0) + a.length_squared());
    across.plus_scaled(a.cross(across), R::splat(0.5)) * scale
}

/// Kinematics of pairs of spheres in slots `i`, `j` by lane. What is not needed is zero.
#[inline(always)]
pub fn pairs<R: Lanes>(
    context: &StepContext,
    bodies: &Bodies,
    i: &Slots,
    j: &Slots,
    needs: Needs,
) -> (Kinematics<R>, Levers<R>) {
    let (half, one) = (R::splat(0.5), R::splat(1.0));
    let ([mut d1, mut d0, mut parting], [[mut ai, mut aj]]) =
        R::pick_pairs([bodies.position, bodies.previous_position, bodies.velocity], [bodies.rotation_increment], i, j);
    // positions of a pair have about the same unit in the last place, so that nothing of this is lost
    let mut moved = d0 - d1;
    // in most groups no pair is across a boundary, which its distance shows at once
    let certain = d1.length_squared().at_most(R::splat(context.surely_nearest));
    if !certain.all() && context.periodic {
        let shift = context.cell.far_image_shift_in_lanes(d1);
        d1 -= shift;
        d0 -= shift;
    }
    if let Some(motion) = context.motion {
        let mut start = columns(d0);
        deformed_pairs::start(context.width, motion, &mut start);
        d0 = from_columns(&start);
        moved = d0 - d1;
    }
    let ((length1, normal1), (length0, normal0)) = directions(d1, d0);
    let (ri, rj) = (R::pick(bodies.radius, i), R::pick(bodies.radius, j));
    let (overlap1, overlap0) = (ri + rj - length1, ri + rj - length0);
    let share = R::splat(context.overlap_share);
    let (li, lj) = (ri.minus_product(share, overlap1), rj.minus_product(share, overlap1));

    if let Some(motion) = context.motion {
        let mut pairs = PairMotion { approach: columns(-parting), turns: [columns(ai), columns(aj)] };
        deformed_pairs::add_motion(context.width, motion, &columns(d1), &mut pairs);
        parting = -from_columns(&pairs.approach);
        [ai, aj] = [from_columns(&pairs.turns[0]), from_columns(&pairs.turns[1])];
    }
    // sums over both bodies round each of their products: they must not depend on which body is the first
    let (mut v, mut relative_spin) = (Vector::zero(), Vector::zero());
    let needs_velocity = needs.tangential_velocity || context.slip == SlipForm::FirstOrder;
    if needs_velocity || needs.relative_spin {
        let ([], [[mut wi, mut wj]]) = R::pick_pairs([], [bodies.angular_velocity], i, j);
        if let Some(motion) = context.motion {
            let spin = Vector::splat(motion.spin);
            (wi, wj) = (wi + spin, wj + spin);
        }
        if needs_velocity {
            v = (-parting).plus_cross(wi * li + wj * lj, normal1);
        }
        if needs.relative_spin {
            relative_spin = wi - wj;
        }
    }
    let u = match context.slip {
        SlipForm::Finite => moved.plus_cross(ai * (half * li) + aj * (half * lj), normal0 + normal1),
        SlipForm::FirstOrder => v * R::splat(context.time_step),
        SlipForm::StartPoints => {
            let (li0, lj0) = (ri.minus_product(share, overlap0), rj.minus_product(share, overlap0));
            moved + turned_by(ai, normal0 * li0) + turned_by(aj, normal0 * lj0)
        }
    };
    let inverse_mass = R::pick(bodies.inverse_mass, i) + R::pick(bodies.inverse_mass, j);
    let (sum, inverse_mass) = (ri + rj, inverse_mass.maximum(R::splat(SMALLEST_INVERSE_MASS)));
    let inverse = one / (sum * inverse_mass);
    let mut mass = sum * inverse;
    // one branch for what few scenes have: a second one made all others slower by two per cent
    if context.may_meet_immovable {
        if context.has_bodies {
            mass =
                one / (inverse_mass + body_masses::of_turning(context.particles, context.width, i, Some(j), normal1));
        }
        if context.counts_spheres {
            let inverse = sphere_masses::inverse_masses::<R>(context.particles, i, Some(j));
            mass = one / inverse.maximum(R::splat(SMALLEST_INVERSE_MASS));
        }
        // what cannot move moves with the cell or turns; elsewhere two such spheres have no velocity against each other
        mass = effective_mass(mass);
    }

    let overlap_rate = -parting.dot(normal1);
    let kinematics = Kinematics {
        normal0,
        normal1,
        overlap0,
        overlap1,
        overlap_rate,
        slip: u.reject(normal1),
        // rotation has no component along the normal
        tangential_velocity: if needs.tangential_velocity {
            v.minus_scaled(normal1, overlap_rate)
        } else {
            Vector::zero()
        },
        relative_spin,
        relative_rotation: ai - aj,
        transport: Transport::new(context.transport, normal0, normal1, ai, aj),
        effective_radius: ri * rj * (inverse_mass * inverse),
        effective_mass: mass,
        smaller_radius: ri.minimum(rj),
        centre_distance: length1,
        near_field_distance: length1,
        time_step: R::splat(context.time_step),
        time: R::splat(context.time),
    };
    (kinematics, Levers { first_length: li, second_length: lj, first: normal1 * li, second: normal1 * -lj })
}
