//! What an import had to assume, and what it did not take over.

/// What the user has to know, sentences without capitals and full stops.
pub struct Notes {
    pub assumed: Vec<String>,
    pub left_out: Vec<String>,
}

impl Notes {
    pub fn assume(&mut self, note: impl Into<String>) {
        self.assumed.push(note.into());
    }

    pub fn leave_out(&mut self, note: impl Into<String>) {
        self.left_out.push(note.into());
    }
}
