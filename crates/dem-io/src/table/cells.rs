//! Fields of a row.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use super::error::{CellError, TableError};
use crate::suggestion::{excerpt, nearest};
use crate::units::LARGEST;

/// Characters of a bad field that a message repeats.
pub(super) const EXCERPT: usize = 40;
/// Most materials in one table.
const MOST_MATERIALS: usize = 65_536;

pub(super) fn unknown_column(
    path: &Path,
    line: u64,
    column: usize,
    name: &str,
    known: Vec<&'static str>,
) -> TableError {
    let hint = nearest(name, known.iter().copied()).map(|name| format!(", did you mean `{name}`?")).unwrap_or_default();
    TableError::UnknownColumn { path: path.into(), line, column, name: excerpt(name, EXCERPT), hint, known }
}

pub(super) fn read_number(field: &[u8]) -> Result<f64, CellError> {
    let read = std::str::from_utf8(field).ok().and_then(|text| text.parse::<f64>().ok());
    let value = read.filter(|value| value.is_finite()).ok_or(CellError::NoNumber)?;
    if value.abs() <= LARGEST { Ok(value) } else { Err(CellError::TooLarge) }
}

/// Material names, each held once.
#[derive(Default)]
pub(super) struct Names {
    known: BTreeSet<Arc<str>>,
}

impl Names {
    pub fn intern(&mut self, field: &[u8]) -> Result<Option<Arc<str>>, CellError> {
        let name = std::str::from_utf8(field).map_err(|_| CellError::NotUtf8)?;
        // Some programs quote every text.
        let name = name.strip_prefix('"').and_then(|name| name.strip_suffix('"')).unwrap_or(name);
        if name.is_empty() {
            return Ok(None);
        }
        if let Some(known) = self.known.get(name) {
            return Ok(Some(known.clone()));
        }
        if self.known.len() == MOST_MATERIALS {
            return Err(CellError::TooManyMaterials);
        }
        let name: Arc<str> = name.into();
        self.known.insert(name.clone());
        Ok(Some(name))
    }
}
