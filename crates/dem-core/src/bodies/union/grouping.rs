//! Which spheres of a body count, and which hang together.

use crate::bodies::MemberSphere;

/// Places of the spheres that are not inside another one, ascending. Of equal spheres the first counts.
pub fn outermost(spheres: &[MemberSphere]) -> Vec<usize> {
    let is_hidden = |k: usize| {
        spheres
            .iter()
            .enumerate()
            .any(|(j, other)| j != k && spheres[k].is_within(other) && (j < k || !other.is_within(&spheres[k])))
    };
    (0..spheres.len()).filter(|&k| !is_hidden(k)).collect()
}

/// Groups of the spheres `among`, such that those of different groups do not hang together. Places are ascending in a group, groups in the
/// order of their first one.
pub fn groups(
    spheres: &[MemberSphere],
    among: &[usize],
    hang_together: impl Fn(&MemberSphere, &MemberSphere) -> bool,
) -> Vec<Vec<usize>> {
    let mut left = among.to_vec();
    let mut groups = Vec::new();
    while let Some(&first) = left.first() {
        let mut group = vec![first];
        left.remove(0);
        let mut seen = 0;
        while let Some(&k) = group.get(seen) {
            seen += 1;
            left.retain(|&j| {
                let hangs = hang_together(&spheres[k], &spheres[j]);
                if hangs {
                    group.push(j);
                }
                !hangs
            });
        }
        group.sort_unstable();
        groups.push(group);
    }
    groups
}
