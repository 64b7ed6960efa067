//! The bed: which particles lie together, and how high.

use dem_core::contact_list::PartnerKind;

use super::contact_counts::grain_contacts;
use super::kinematics::up;
use crate::state::world::World;

/// By slot, whether a particle belongs to the bed: the largest set of particles that hang together through contacts with each other, a rigid body
/// counted once. A grain in flight, or one that has fallen out of an outlet, is no part of it, and its place says nothing about the bed. Of sets of the same size it is
/// the one with the lowest id.
pub fn bed(world: &World) -> Vec<bool> {
    let p = &world.particles;
    let mut sets = TouchingSets::new(p.len());
    let context = world.context();
    // taken from the histories, which a restart brings back, not from the forces of the last step
    for kernel in &world.kernels {
        kernel.visit(&world.list, &context, &mut |c| {
            if c.touches && c.key.kind == PartnerKind::Particle {
                sets.join(p.grain(c.first), p.grain(c.second));
            }
        });
    }
    let largest = sets.largest(|a, b| p.id[a] < p.id[b]);
    (0..p.len()).map(|slot| largest[p.grain(slot)]).collect()
}

/// Height of the bed \[m\]: distance along the vertical from its lowest point to its highest; zero while nothing
/// touches.
pub fn bed_height(world: &World) -> f64 {
    let p = &world.particles;
    let up = up(world);
    let touching = grain_contacts(world);
    let in_bed = bed(world);
    let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
    for slot in (0..p.len()).filter(|&slot| in_bed[slot] && touching[p.grain(slot)] != (0, 0)) {
        let height = p.position[slot].dot(up);
        (low, high) = (low.min(height - p.radius[slot]), high.max(height + p.radius[slot]));
    }
    (high - low).max(0.0)
}

/// Sets of particles that hang together, each a tree over its members.
pub struct TouchingSets {
    parent: Vec<usize>,
}

impl TouchingSets {
    /// Particles that are alone.
    pub fn new(count: usize) -> Self {
        Self { parent: (0..count).collect() }
    }

    fn root(&mut self, mut member: usize) -> usize {
        while self.parent[member] != member {
            // every check halves the interval
            self.parent[member] = self.parent[self.parent[member]];
            member = self.parent[member];
        }
        member
    }

    /// Makes one of the sets of two particles.
    pub fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.root(a), self.root(b));
        self.parent[a.max(b)] = a.min(b);
    }

    /// How many particles each set has.
    pub fn sizes(mut self) -> Vec<usize> {
        let mut sizes = vec![0_usize; self.parent.len()];
        for member in 0..sizes.len() {
            sizes[self.root(member)] += 1;
        }
        sizes.retain(|&size| size > 0);
        sizes
    }

    /// Which particles are in the largest set; of sets of the same size in the one with the first of all particles in
    /// an order, of which `before` returns whether one comes before another.
    pub fn largest(mut self, before: impl Fn(usize, usize) -> bool) -> Vec<bool> {
        let roots: Vec<usize> = (0..self.parent.len()).map(|member| self.root(member)).collect();
        let mut sizes = vec![0_usize; roots.len()];
        for &root in &roots {
            sizes[root] += 1;
        }
        let size = sizes.iter().copied().max().unwrap_or(0);
        let members = (0..roots.len()).filter(|&member| sizes[roots[member]] == size);
        let first = members.reduce(|first, member| if before(member, first) { member } else { first });
        let chosen = first.map(|member| roots[member]);
        roots.into_iter().map(|root| Some(root) == chosen).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_set_is_found_whatever_the_order_of_its_contacts() {
        let pairs = [(5, 6), (0, 1), (8, 2), (6, 8), (3, 4), (2, 5)];
        for turn in 0..pairs.len() {
            let mut sets = TouchingSets::new(9);
            (0..pairs.len()).map(|k| pairs[(k + turn) % pairs.len()]).for_each(|(a, b)| sets.join(a, b));
            let members = sets.largest(|a, b| a < b);
            let found: Vec<usize> = (0..9).filter(|&k| members[k]).collect();
            assert_eq!(found, [2, 5, 6, 8]);
        }
    }

    #[test]
    fn of_sets_of_the_same_size_the_first_of_the_order_is_taken() {
        let mut sets = TouchingSets::new(5);
        sets.join(0, 1);
        sets.join(3, 4);
        // 2, 4, 1, 0, 3
        let rank = [3, 2, 0, 4, 1];
        assert_eq!(sets.largest(|a, b| rank[a] < rank[b]), [false, false, false, true, true]);
        assert!(TouchingSets::new(0).largest(|a, b| a < b).is_empty());
    }
}
