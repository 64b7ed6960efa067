//! A number of rows, one after the other.

use super::error::Fault;
use super::row::{Kinds, RowFormat, whole};
use super::state::{ForeignBox, ForeignParticle};
use crate::table::TableLimits;
use crate::text_lines::TextLines;

/// A number of particles that a header announces, which is not believed before it is within the limit.
pub(super) fn count(field: &[u8], line: u64, limits: TableLimits) -> Result<u64, Fault> {
    let count = whole(field).map_err(|message| Fault::line(line, format!("number of particles {message}")))?;
    if count > limits.rows as u64 {
        return Err(Fault::line(line, format!("{count} particles, expected at most {}", limits.rows)));
    }
    Ok(count)
}

/// Reads rows.
pub(super) fn read(
    lines: &mut TextLines,
    count: u64,
    format: &RowFormat,
    bounds: Option<&ForeignBox>,
    kinds: &mut Kinds,
) -> Result<Vec<ForeignParticle>, Fault> {
    // grown as rows come: what a header announces is not believed
    let mut particles = Vec::new();
    for found in 0..count {
        let Some((number, line)) = lines.next()? else {
            return Err(Fault::file(format!("ends after {found} of {count} particles of a frame")));
        };
        particles.push(format.read(line, kinds, bounds).map_err(|message| Fault::line(number, message))?);
    }
    Ok(particles)
}

/// Passes over rows; a frame that ends too early is a frame.
pub(super) fn pass(lines: &mut TextLines, count: u64) -> Result<(), Fault> {
    for _ in 0..count {
        if lines.next()?.is_none() {
            break;
        }
    }
    Ok(())
}
