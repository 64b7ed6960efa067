//! What a property of contact laws is.

/// A property of contact laws.
#[derive(Clone, Copy)]
pub struct Property {
    /// Name, the column of the table.
    pub name: &'static str,
    /// The claim and its tolerance, in a sentence.
    pub claim: &'static str,
    /// Checks the law of a name; the error says what was found.
    pub check: fn(&str) -> Result<(), String>,
}

/// An error with the text of `message` unless the condition holds.
pub(crate) fn ensure(holds: bool, message: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(message()) }
}
