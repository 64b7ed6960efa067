//! The stress sums of a cell after a step.

use dem_core::contact_list::{PartnerKind, Segment};
use dem_core::exact_sum::{ExactSum, Terms, exact_of_terms};
use dem_core::lanes::{Lanes, MOST_LANES, Vector, Width};
use dem_core::particles::Particles;
use dem_core::{DMat3, DVec3};

use crate::deformation::stress::StressSums;
use crate::state::world::World;

/// Components of a symmetric tensor.
const NUMBERS: usize = 6;

/// Sums over the contacts and particles of a world after an accepted evaluation.
pub fn stress_sums(world: &World, width: Width) -> StressSums {
    let mut contacts: [ExactSum; NUMBERS] = Default::default();
    for segment in &world.list.segments {
        let of_segment = match segment.partner {
            PartnerKind::Particle => exact_of_terms(&Pairs { world, segment }, width),
            PartnerKind::Wall => exact_of_terms(&OnWalls { world, segment }, width),
        };
        contacts.iter_mut().zip(&of_segment).for_each(|(sum, more)| sum.merge(more));
    }
    let motion = if world.particles.bodies.is_empty() {
        world.whole.sums(exact_of_terms(&Motion { particles: &world.particles }, width))
    } else {
        world.sums_of_movers(|mover| {
            let velocity = world.velocity_of(mover);
            product::<f64>((velocity * world.mass_of(mover)).into(), velocity.into())
        })
    };
    StressSums { contacts: matrix(world.whole.sums(contacts)), motion: matrix(motion) }
}

/// xx, yy, zz, xy, xz, yz of a symmetric tensor.
fn matrix([xx, yy, zz, xy, xz, yz]: [f64; NUMBERS]) -> DMat3 {
    DMat3::from_cols(DVec3::new(xx, xy, xz), DVec3::new(xy, yy, yz), DVec3::new(xz, yz, zz))
}

/// The same numbers of the symmetric part of `a ⊗ b`.
#[inline(always)]
fn product<R: Lanes>(a: Vector<R>, b: Vector<R>) -> [R; NUMBERS] {
    let half = R::splat(0.5);
    let (xy, xz, yz) = (a.x * b.y + a.y * b.x, a.x * b.z + a.z * b.x, a.y * b.z + a.z * b.y);
    [a.x * b.x, a.y * b.y, a.z * b.z, half * xy, half * xz, half * yz]
}

#[inline(always)]
fn vectors<'a, R: Lanes>(row: impl Fn(usize) -> &'a [f64; 3]) -> Vector<R> {
    let [x, y, z] = R::columns(row);
    Vector::new(x, y, z)
}

/// `f ⊗ l` of pairs of spheres, nothing for those that do not touch.
struct Pairs<'a> {
    world: &'a World,
    segment: &'a Segment,
}

impl Terms<NUMBERS> for Pairs<'_> {
    fn count(&self) -> usize {
        (self.segment.end - self.segment.start) as usize
    }
    #[inline(always)]
    fn at<R: Lanes>(&self, at: usize) -> [R; NUMBERS] {
        let World { particles, list, forces, cell, .. } = self.world;
        let start = self.segment.start as usize + at;
        let force = vectors::<R>(|lane| &forces.wrench_of_pair(start + lane).force);
        let first = vectors::<R>(|lane| particles.position[list.first[start + lane] as usize].as_ref());
        let second = vectors::<R>(|lane| particles.position[list.second[start + lane] as usize].as_ref());
        let branch = second - first;
        let force = if particles.ghosts() == 0 {
            force
        } else {
            let is_own = |lane: usize| (list.first[start + lane] as usize) < particles.owned();
            let own = R::zero().less(R::from_lanes(|lane| if is_own(lane) { 1.0 } else { 0.0 }));
            Vector::select(own, force, Vector::zero())
        };
        let branch = branch - cell.image_shift_in_lanes(branch);
        if !particles.bodies.have_members() {
            return product(force, branch);
        }
        // from centre of mass to centre of mass
        let arm = |of: &[u32], lane: usize| particles.arm(of[start + lane] as usize);
        product(force, branch + Vector::from_lanes(|lane| arm(&list.first, lane) - arm(&list.second, lane)))
    }
}

/// `f ⊗ l` of spheres and walls, nothing for those that do not touch.
struct OnWalls<'a> {
    world: &'a World,
    segment: &'a Segment,
}

impl OnWalls<'_> {
    fn of(&self, candidate: usize) -> [f64; NUMBERS] {
        let World { particles, list, forces, walls, .. } = self.world;
        let first = list.first[candidate] as usize;
        let Some(wrench) = forces.get(candidate).filter(|_| first < particles.owned()) else { return [0.0; NUMBERS] };
        let wall = &walls[list.second[candidate] as usize];
        let feature = list.feature(self.segment, candidate);
        let surface = wall.surface_point(&wall.pose, feature, particles.position[first]);
        let branch = particles.arm(first) - surface.normal * wrench.lever(0);
        product(wrench.force_on_first().into(), branch.into())
    }
}

impl Terms<NUMBERS> for OnWalls<'_> {
    fn count(&self) -> usize {
        (self.segment.end - self.segment.start) as usize
    }
    #[inline(always)]
    fn at<R: Lanes>(&self, at: usize) -> [R; NUMBERS] {
        let start = self.segment.start as usize + at;
        let terms: [[f64; NUMBERS]; MOST_LANES] =
            std::array::from_fn(|lane| if lane < R::LANES { self.of(start + lane) } else { [0.0; NUMBERS] });
        std::array::from_fn(|k| R::from_lanes(|lane| terms[lane][k]))
    }
}

/// `m v ⊗ v` of spheres where there are no bodies.
struct Motion<'a> {
    particles: &'a Particles,
}

impl Terms<NUMBERS> for Motion<'_> {
    fn count(&self) -> usize {
        self.particles.owned()
    }
    #[inline(always)]
    fn at<R: Lanes>(&self, at: usize) -> [R; NUMBERS] {
        let velocity = vectors::<R>(|lane| self.particles.velocity[at + lane].as_ref());
        product(velocity * R::next(&self.particles.mass, at), velocity)
    }
}
