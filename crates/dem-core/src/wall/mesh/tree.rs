//! Bounding boxes around facets, halved until few are left: what is near a point is found in the logarithm of their number.
//!
//! The published crates answer other questions (the one nearest point, by a heap that allocates) or bring a second library of vectors.

use glam::DVec3;

/// Facets in a leaf.
const LEAF: usize = 4;
/// Boxes that may wait: halving keeps the depth below 24 for all facets that a mesh may have, and one waits on each level.
const DEPTH: usize = 64;

/// A box and what it holds.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Node {
    low: DVec3,
    high: DVec3,
    /// First facet of a leaf, or the second child; the first child follows its parent.
    first: u32,
    /// Facets of a leaf; 0 for the others.
    count: u32,
}

impl Node {
    fn squared_distance(&self, point: DVec3) -> f64 {
        (point - point.clamp(self.low, self.high)).length_squared()
    }
}

/// Tree of boxes.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Tree {
    nodes: Vec<Node>,
    /// Numbers of the facets, leaf by leaf.
    order: Vec<u32>,
}

impl Tree {
    /// Boxes around facets, each wider by `margin` \[m\] on all sides.
    pub fn new(corners: &[[DVec3; 3]], margin: f64) -> Self {
        let mut tree = Self { nodes: Vec::new(), order: (0..corners.len() as u32).collect() };
        let centres: Vec<DVec3> = corners.iter().map(|[a, b, c]| (a + b + c) / 3.0).collect();
        tree.divide(corners, &centres, margin, 0, corners.len());
        tree
    }

    fn divide(&mut self, corners: &[[DVec3; 3]], centres: &[DVec3], margin: f64, first: usize, end: usize) {
        let part = &mut self.order[first..end];
        let (mut low, mut high) = (DVec3::splat(f64::INFINITY), DVec3::splat(f64::NEG_INFINITY));
        for corner in part.iter().flat_map(|&facet| corners[facet as usize]) {
            (low, high) = (low.min(corner), high.max(corner));
        }
        let own = self.nodes.len();
        let node = Node { low: low - margin, high: high + margin, first: first as u32, count: part.len() as u32 };
        self.nodes.push(node);
        if part.len() <= LEAF {
            return;
        }
        let extent = high - low;
        let axis = if extent.x >= extent.y.max(extent.z) { 0 } else { 1 + usize::from(extent.z > extent.y) };
        let middle = part.len() / 2;
        part.select_nth_unstable_by(middle, |&a, &b| {
            let (x, y) = (centres[a as usize][axis], centres[b as usize][axis]);
            x.total_cmp(&y).then(a.cmp(&b))
        });
        self.divide(corners, centres, margin, first, first + middle);
        self.nodes[own].first = self.nodes.len() as u32;
        self.nodes[own].count = 0;
        self.divide(corners, centres, margin, first + middle, end);
    }

    /// Visits leaves whose boxes and all those around them `enter` admits; stops when `visit` says so.
    #[inline]
    fn walk(&self, mut enter: impl FnMut(&Node) -> bool, mut visit: impl FnMut(usize) -> bool) {
        let mut waiting = [0u32; DEPTH];
        let mut count = usize::from(!self.nodes.is_empty());
        while count > 0 {
            count -= 1;
            let at = waiting[count];
            let node = &self.nodes[at as usize];
            if !enter(node) {
                continue;
            }
            if node.count == 0 {
                waiting[count] = node.first;
                waiting[count + 1] = at + 1;
                count += 2;
                continue;
            }
            for &facet in &self.order[node.first as usize..][..node.count as usize] {
                if visit(facet as usize) {
                    return;
                }
            }
        }
    }

    /// Calls `visit` for the facets whose boxes are within `reach` of a point \[m\].
    pub fn visit_within(&self, point: DVec3, reach: f64, mut visit: impl FnMut(usize)) {
        self.walk(
            |node| node.squared_distance(point) < reach * reach,
            |facet| {
                visit(facet);
                false
            },
        );
    }

    /// Whether `holds` is true of a facet whose box holds a point.
    #[inline]
    pub fn any_around(&self, point: DVec3, mut holds: impl FnMut(usize) -> bool) -> bool {
        let mut found = false;
        self.walk(
            |node| point.cmpge(node.low).all() && point.cmple(node.high).all(),
            |facet| {
                found = holds(facet);
                found
            },
        );
        found
    }

    /// Smallest of the squared distances of the facets from a point \[m²\], which `measure` gives.
    pub fn nearest(&self, point: DVec3, mut measure: impl FnMut(usize) -> f64) -> f64 {
        let mut best = f64::INFINITY;
        let mut waiting = [0u32; DEPTH];
        let mut count = usize::from(!self.nodes.is_empty());
        while count > 0 {
            count -= 1;
            let at = waiting[count];
            let node = &self.nodes[at as usize];
            if node.squared_distance(point) >= best {
                continue;
            }
            if node.count > 0 {
                let facets = &self.order[node.first as usize..][..node.count as usize];
                best = facets.iter().map(|&facet| measure(facet as usize)).fold(best, f64::min);
                continue;
            }
            // the nearer one first: it may spare the other
            let children =
                [at + 1, node.first].map(|child| (child, self.nodes[child as usize].squared_distance(point)));
            let [near, far] = if children[0].1 <= children[1].1 { [0, 1] } else { [1, 0] };
            waiting[count] = children[far].0;
            waiting[count + 1] = children[near].0;
            count += 2;
        }
        best
    }
}
