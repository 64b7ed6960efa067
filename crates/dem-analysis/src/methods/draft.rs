//! A paragraph on its way.

/// Sentences and the references they speak of.
#[derive(Default)]
pub(super) struct Draft {
    pub(super) sentences: Vec<String>,
    pub(super) references: Vec<String>,
}

impl Draft {
    /// Adds a sentence.
    pub(super) fn say(&mut self, sentence: impl Into<String>) {
        self.sentences.push(sentence.into());
    }

    /// Number of a reference in brackets.
    pub(super) fn cite(&mut self, reference: &str) -> String {
        let known = self.references.iter().position(|other| other == reference);
        let at = known.unwrap_or_else(|| {
            self.references.push(reference.to_owned());
            self.references.len() - 1
        });
        format!("[{}]", at + 1)
    }
}
