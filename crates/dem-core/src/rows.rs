//! Rows of plain numbers in messages.

use bytemuck::Pod;

/// Takes so many rows off bytes.
pub(crate) fn append_rows<T: Pod>(column: &mut Vec<T>, count: usize, bytes: &mut &[u8]) -> Option<()> {
    let (rows, rest) = bytes.split_at_checked(count.checked_mul(size_of::<T>())?)?;
    column.extend(bytemuck::allocation::pod_collect_to_vec::<u8, T>(rows));
    *bytes = rest;
    Some(())
}
