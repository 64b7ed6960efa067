//! What differs between two pictures.

/// A rectangle of pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Change {
    pub x: usize,
    pub y: usize,
    pub width: usize,
    pub height: usize,
}

impl Change {
    /// The smallest rectangle around all pixels that differ, of rows of `width` pixels with `channels` bytes each. One pixel if none differs: a
    /// picture of a film has at least one.
    pub fn between(before: &[u8], after: &[u8], width: usize, channels: usize) -> Self {
        let (mut columns, mut rows) = ([usize::MAX, 0], [usize::MAX, 0]);
        let lines = before.chunks_exact(width * channels).zip(after.chunks_exact(width * channels));
        for (row, (before, after)) in lines.enumerate() {
            if before == after {
                continue;
            }
            rows = [rows[0].min(row), row];
            let differs = |place: &usize| before[*place] != after[*place];
            let places = 0..width * channels;
            if let (Some(first), Some(last)) = (places.clone().find(differs), places.rev().find(differs)) {
                columns = [columns[0].min(first / channels), columns[1].max(last / channels)];
            }
        }
        if rows[0] > rows[1] {
            return Self { x: 0, y: 0, width: 1, height: 1 };
        }
        Self { x: columns[0], y: rows[0], width: columns[1] - columns[0] + 1, height: rows[1] - rows[0] + 1 }
    }

    /// Places of its pixels, row by row, in a picture of rows of `width` pixels.
    pub fn places(self, width: usize) -> impl Iterator<Item = usize> {
        (self.y..self.y + self.height).flat_map(move |y| (self.x..self.x + self.width).map(move |x| y * width + x))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rectangle_holds_all_that_differs_and_no_more() {
        let before = vec![0; 5 * 4 * 3];
        let mut after = before.clone();
        after[(5 + 3) * 3 + 2] = 1;
        after[(2 * 5 + 1) * 3] = 1;
        let change = Change::between(&before, &after, 5, 3);
        assert_eq!(change, Change { x: 1, y: 1, width: 3, height: 2 });
        assert_eq!(change.places(5).collect::<Vec<_>>(), [6, 7, 8, 11, 12, 13]);
        assert_eq!(Change::between(&before, &before, 5, 3), Change { x: 0, y: 0, width: 1, height: 1 });
    }
}
