//! How many contacts particles have, and which particles bear nothing. A rigid body is one particle.

use super::assembly::Assembly;

/// Contacts of the particles of an assembly.
#[derive(Clone, Debug, PartialEq)]
pub struct ContactNumbers {
    /// Particles with 0, 1, 2, … contacts, walls counted.
    pub distribution: Vec<usize>,
    /// Of each sphere, whether its particle bears nothing: it has fewer than the threshold of contacts, or would after the removal of others that do not.
    pub rattles: Vec<bool>,
    /// Number of particles that bear nothing.
    pub rattlers: usize,
    /// Fewest contacts, walls counted, with which a particle may bear something.
    pub threshold: usize,
    /// `2 N_c/N` over contacts of two particles.
    pub coordination: f64,
    /// The same over particles that bear something.
    pub without_rattlers: f64,
    /// `(2 N_c − N₁)/(N − N₀ − N₁)`, N₀ and N₁ particles without and with one contact with another particle: C. Thornton, Géotechnique 50
    /// (2000) 43.
    pub mechanical: f64,
    /// Components of the fabric tensor `⟨n ⊗ n⟩` of contacts of two particles: xx, yy, zz, xy, xz, yz.
    pub fabric: [f64; 6],
}

impl ContactNumbers {
    /// Counts; `None` if the snapshots do not hold contacts.
    pub fn new(assembly: &Assembly) -> Option<Self> {
        let contacts = assembly.contacts.as_ref()?;
        let threshold = if assembly.surroundings.has_friction { 2 } else { 4 };
        let grains = &assembly.grains;
        // of grains, by the rows that stand for them
        let mut touches = vec![0usize; assembly.len()];
        let mut of_pairs = vec![0usize; assembly.len()];
        let mut partners: Vec<Vec<u32>> = vec![Vec::new(); assembly.len()];
        let mut fabric = [0.0; 6];
        let mut pairs = 0usize;
        for contact in contacts {
            let first = grains.of(contact.first);
            touches[first] += 1;
            let Some(second) = contact.second.map(|second| grains.of(second)) else { continue };
            pairs += 1;
            touches[second] += 1;
            of_pairs[first] += 1;
            of_pairs[second] += 1;
            partners[first].push(second as u32);
            partners[second].push(first as u32);
            let n = contact.normal;
            let terms = [n.x * n.x, n.y * n.y, n.z * n.z, n.x * n.y, n.x * n.z, n.y * n.z];
            fabric.iter_mut().zip(terms).for_each(|(sum, term)| *sum += term);
        }
        let mut distribution = vec![0; touches.iter().max().map_or(0, |most| most + 1)];
        let all = || (0..assembly.len()).filter(|&row| grains.is_first(row));
        all().for_each(|row| distribution[touches[row]] += 1);
        let mut left = touches;
        let mut rattles = vec![false; assembly.len()];
        let mut waiting: Vec<usize> = all().filter(|&k| left[k] < threshold).collect();
        while let Some(k) = waiting.pop() {
            if std::mem::replace(&mut rattles[k], true) {
                continue;
            }
            for &other in &partners[k] {
                let other = other as usize;
                left[other] = left[other].saturating_sub(1);
                if left[other] < threshold && !rattles[other] {
                    waiting.push(other);
                }
            }
        }
        for row in 0..assembly.len() {
            rattles[row] = rattles[grains.of(row)];
        }
        let bearing = |k: &usize| !rattles[*k];
        let between = contacts.iter().filter(|c| c.second.is_some_and(|second| !rattles[c.first] && !rattles[second]));
        let few = |number: usize| all().filter(|&row| of_pairs[row] == number).count();
        let rattlers = all().filter(|&row| rattles[row]).count();
        let ratio = |above: usize, below: usize| above as f64 / below as f64;
        Some(Self {
            coordination: ratio(2 * pairs, grains.count()),
            without_rattlers: ratio(2 * between.count(), all().filter(bearing).count()),
            mechanical: ratio(2 * pairs - few(1), grains.count() - few(0) - few(1)),
            fabric: fabric.map(|sum| sum / pairs as f64),
            distribution,
            threshold,
            rattles,
            rattlers,
        })
    }
}
