//! Intervals of a line within a region.

/// A part of a line, of no length.
pub(crate) const NOWHERE: (f64, f64) = (0.0, 0.0);

pub(crate) fn intersection(a: (f64, f64), b: (f64, f64)) -> (f64, f64) {
    let (low, high) = (a.0.max(b.0), a.1.min(b.1));
    if low < high { (low, high) } else { NOWHERE }
}

/// The t in \[0, 1\] with `0 <= offset + t rate <= height`.
pub(super) fn between(offset: f64, rate: f64, height: f64) -> (f64, f64) {
    if rate == 0.0 {
        return if (0.0..=height).contains(&offset) { (0.0, 1.0) } else { NOWHERE };
    }
    let ends = [-offset / rate, (height - offset) / rate];
    intersection((0.0, 1.0), (ends[0].min(ends[1]), ends[0].max(ends[1])))
}

/// The part of `within` where `square t² + 2 half t + value <= 0`, if that is one interval.
pub(super) fn negative_part(square: f64, half: f64, value: f64, within: (f64, f64)) -> (f64, f64) {
    let discriminant = half * half - square * value;
    if discriminant <= 0.0 {
        return if square <= 0.0 && value <= 0.0 { within } else { NOWHERE };
    }
    // the root of the larger numerator first: nothing cancels
    let sum = -(half + discriminant.sqrt().copysign(half));
    let mut roots = [sum / square, value / sum];
    roots.sort_unstable_by(f64::total_cmp);
    if square == 0.0 {
        let root = value / sum;
        intersection(within, if half > 0.0 { (f64::NEG_INFINITY, root) } else { (root, f64::INFINITY) })
    } else if square > 0.0 {
        intersection(within, (roots[0], roots[1]))
    } else {
        // outside of the two roots: only one of the two parts can be within a convex body
        let (below, above) =
            (intersection(within, (f64::NEG_INFINITY, roots[0])), intersection(within, (roots[1], f64::INFINITY)));
        if below.1 - below.0 >= above.1 - above.0 { below } else { above }
    }
}
