//! A column as a user asks for it: `NAME`, `NAME:UNIT`, `rate:NAME` or `rate:NAME:UNIT`.

use crate::error::AnalysisError;

/// A column, or its rate of change with time, in a unit.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ColumnChoice {
    /// Its name in the table.
    pub name: String,
    /// Whether its rate is drawn.
    pub is_rate: bool,
    /// Unit; none for the one of the table.
    pub unit: Option<String>,
}

impl ColumnChoice {
    /// Reads one.
    ///
    /// # Errors
    /// Another form.
    pub(super) fn read(text: &str) -> Result<Self, AnalysisError> {
        let (is_rate, rest) = match text.strip_prefix("rate:") {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        let (name, unit) = match rest.split_once(':') {
            Some((name, unit)) => (name, Some(unit.to_owned())),
            None => (rest, None),
        };
        if name.is_empty() || unit.as_deref() == Some("") {
            return Err(AnalysisError::Plot(format!(
                "\"{text}\", expected a column as NAME, NAME:UNIT or rate:NAME, for example deviator:kPa"
            )));
        }
        Ok(Self { name: name.to_owned(), is_rate, unit })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_have_a_unit_and_may_be_rates() {
        let read = |text: &str| ColumnChoice::read(text).map(|c| (c.name, c.is_rate, c.unit.unwrap_or_default()));
        assert_eq!(read("deviator:kPa").unwrap(), ("deviator".into(), false, "kPa".into()));
        assert_eq!(read("rate:wall_drum_work:W").unwrap(), ("wall_drum_work".into(), true, "W".into()));
        assert_eq!(read("time").unwrap(), ("time".into(), false, String::new()));
        for text in ["", ":kPa", "rate:", "time:", "rate:time:"] {
            assert!(read(text).is_err(), "{text}");
        }
    }
}
