//! What of a line lies between the ends of its axes.

/// Cuts a line, in fractions of the axes, at the unit square; the pieces within.
pub(crate) fn clip(line: &[[f64; 2]]) -> Vec<Vec<[f64; 2]>> {
    let is_inside = |[x, y]: &[f64; 2]| (0.0..=1.0).contains(x) && (0.0..=1.0).contains(y);
    if line.iter().all(is_inside) {
        return vec![line.to_vec()];
    }
    let mut pieces = Vec::new();
    let mut piece: Vec<[f64; 2]> = Vec::new();
    for pair in line.windows(2) {
        let Some([from, to]) = inside(pair[0], pair[1]) else {
            pieces.push(std::mem::take(&mut piece));
            continue;
        };
        if piece.last() != Some(&from) {
            pieces.push(std::mem::take(&mut piece));
            piece.push(from);
        }
        piece.push(to);
    }
    pieces.push(piece);
    pieces.retain(|piece| piece.len() > 1);
    pieces
}

/// The part of a segment within the unit square (Y.-D. Liang, B. A. Barsky, ACM Trans. Graph. 3 (1984) 1).
fn inside(from: [f64; 2], to: [f64; 2]) -> Option<[[f64; 2]; 2]> {
    let (mut enters, mut leaves) = (0.0f64, 1.0f64);
    for k in 0..2 {
        let along = to[k] - from[k];
        for (step, room) in [(-along, from[k]), (along, 1.0 - from[k])] {
            if step == 0.0 {
                if room < 0.0 {
                    return None;
                }
            } else if step < 0.0 {
                enters = enters.max(room / step);
            } else {
                leaves = leaves.min(room / step);
            }
        }
    }
    if enters > leaves {
        return None;
    }
    let at = |share: f64| [0, 1].map(|k: usize| (from[k] + share * (to[k] - from[k])).clamp(0.0, 1.0));
    let start = if enters > 0.0 { at(enters) } else { from };
    Some([start, if leaves < 1.0 { at(leaves) } else { to }])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_at_the_square() {
        assert_eq!(clip(&[[-1.0, 0.5], [2.0, 0.5]]), [vec![[0.0, 0.5], [1.0, 0.5]]]);
        assert_eq!(clip(&[[-1.0, -1.0], [-2.0, 3.0]]), Vec::<Vec<[f64; 2]>>::new());
        // out through the top and in again
        let pieces = clip(&[[0.25, 0.5], [0.5, 1.5], [0.75, 0.5]]);
        assert_eq!(pieces, [vec![[0.25, 0.5], [0.375, 1.0]], vec![[0.625, 1.0], [0.75, 0.5]]]);
        assert_eq!(clip(&[[0.0, 0.0], [1.0, 1.0], [0.5, 0.2]]).len(), 1);
    }
}
