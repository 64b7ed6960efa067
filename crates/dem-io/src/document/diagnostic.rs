//! The error that a scene author sees.

use std::fmt;
use std::ops::Range;

use super::key_path::KeyPath;
use crate::suggestion::is_harmful;

/// Longest part of a source line that is shown, in characters.
const WINDOW: usize = 100;

/// What is wrong in a scene and where, ready for the terminal.
///
/// Displays as several lines without a line feed at the end:
///
/// ```text
/// error: scene.toml:12:1: materials.glass: unknown key `young_modulos`
///   12 | young_modulos = "70 GPa"
///      | ^^^^^^^^^^^^^
///   help: did you mean `young_modulus`? known keys: density, young_modulus, friction
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct SceneError(Box<Diagnostic>);

#[derive(Debug, Clone, PartialEq)]
struct Diagnostic {
    source: Source,
    path: KeyPath,
    message: String,
    help: Option<String>,
    /// Whether a value is out of its range, whatever else the scene says.
    is_out_of_range: bool,
}

/// The thing at fault.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Source {
    /// A file as a whole.
    File(String),
    /// A place in a file.
    Text { file: String, excerpt: Excerpt },
    /// A command line override, as written.
    Override(String),
}

/// One line of source text and the part of it that is meant.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Excerpt {
    line: usize,
    column: usize,
    /// The line, or the part of it around the column.
    shown: String,
    /// What to print below the line so that the carets stand right.
    carets: String,
}

impl Excerpt {
    /// The line of `text` at the start of `span`; positions are counted from 1, in characters.
    pub(super) fn of(text: &str, span: &Range<usize>) -> Self {
        let mut start = span.start.min(text.len());
        while !text.is_char_boundary(start) {
            start -= 1;
        }
        let (before, after) = text.split_at(start);
        let line_start = before.rfind('\n').map_or(0, |index| index + 1);
        let line = before.bytes().filter(|&byte| byte == b'\n').count() + 1;
        let lead: Vec<char> = text[line_start..start].chars().collect();
        let rest = after.split(['\n', '\r']).next().unwrap_or_default();
        let marked_bytes = span.end.saturating_sub(start).min(rest.len());
        let marked = rest.char_indices().take_while(|&(index, _)| index < marked_bytes).count().max(1);

        let lead_shown = lead.len().min(WINDOW / 2);
        let lead_cut = lead.len() - lead_shown;
        let mut shown = String::new();
        let mut carets = String::new();
        if lead_cut > 0 {
            shown.push('…');
            carets.push(' ');
        }
        for &character in &lead[lead_cut..] {
            shown.push(visible(character));
            // A tab below a tab keeps the carets in place whatever the width of tabs.
            carets.push(if character == '\t' { '\t' } else { ' ' });
        }
        let rest_shown = WINDOW - lead_shown;
        shown.extend(rest.chars().take(rest_shown).map(visible));
        if rest.chars().nth(rest_shown).is_some() {
            shown.push('…');
        }
        carets.extend(std::iter::repeat_n('^', marked.min(rest_shown)));
        Self { line, column: lead.len() + 1, shown: shown.trim_end().to_owned(), carets }
    }
}

/// Control characters must not reach the terminal.
fn visible(character: char) -> char {
    if is_harmful(character) && character != '\t' { '\u{fffd}' } else { character }
}

impl SceneError {
    pub(super) fn new(source: Source, path: KeyPath, message: String) -> Self {
        Self(Box::new(Diagnostic { source, path, message, help: None, is_out_of_range: false }))
    }

    pub(super) fn of_file(file: &str, message: String) -> Self {
        Self::new(Source::File(file.to_owned()), KeyPath::root(), message)
    }

    /// The error with a hint below it.
    #[must_use]
    pub fn with_help(mut self, help: impl Into<String>) -> Self {
        self.0.help = Some(help.into());
        self
    }

    pub(super) fn out_of_range(mut self) -> Self {
        self.0.is_out_of_range = true;
        self
    }

    /// Whether a value is out of its range, which no other value of the scene changes.
    #[must_use]
    pub fn is_out_of_range(&self) -> bool {
        self.0.is_out_of_range
    }

    /// What is wrong, beginning with the key path where there is one.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// The hint, without the word "help".
    #[must_use]
    pub fn help(&self) -> Option<&str> {
        self.0.help.as_deref()
    }

    /// The key that the error is about; the root for the document as a whole.
    #[must_use]
    pub fn key_path(&self) -> &KeyPath {
        &self.0.path
    }

    /// The override at fault, as written.
    #[must_use]
    pub fn written_override(&self) -> Option<&str> {
        match &self.0.source {
            Source::Override(text) => Some(text),
            Source::File(_) | Source::Text { .. } => None,
        }
    }

    /// The name of the file, unless an override is at fault.
    #[must_use]
    pub fn file(&self) -> Option<&str> {
        match &self.0.source {
            Source::File(file) | Source::Text { file, .. } => Some(file),
            Source::Override(_) => None,
        }
    }

    /// The line, counted from 1, where a place in the text is known.
    #[must_use]
    pub fn line(&self) -> Option<usize> {
        self.excerpt().map(|excerpt| excerpt.line)
    }

    /// The column, counted from 1 in characters, where a place in the text is known.
    #[must_use]
    pub fn column(&self) -> Option<usize> {
        self.excerpt().map(|excerpt| excerpt.column)
    }

    fn excerpt(&self) -> Option<&Excerpt> {
        match &self.0.source {
            Source::Text { excerpt, .. } => Some(excerpt),
            _ => None,
        }
    }
}

impl fmt::Display for SceneError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Diagnostic { source, message, help, .. } = self.0.as_ref();
        match source {
            Source::File(file) => write!(f, "error: {file}: {message}")?,
            Source::Override(text) => write!(f, "error: --set {text}: {message}")?,
            Source::Text { file, excerpt } => {
                let Excerpt { line, column, shown, carets } = excerpt;
                let margin = " ".repeat(line.to_string().len());
                write!(f, "error: {file}:{line}:{column}: {message}")?;
                write!(f, "\n  {line} | {shown}\n  {margin} | {carets}")?;
            }
        }
        if let Some(help) = help {
            write!(f, "\n  help: {help}")?;
        }
        Ok(())
    }
}

impl std::error::Error for SceneError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn carets_stand_below_the_marked_characters() {
        let excerpt = Excerpt::of("a = 1\n\tµb = 22 # c\r\n", &(13..15));
        assert_eq!((excerpt.line, excerpt.column), (2, 7));
        assert_eq!(excerpt.shown, "\tµb = 22 # c");
        assert_eq!(excerpt.carets, "\t     ^^");
    }

    #[test]
    fn any_span_gives_a_bounded_excerpt() {
        let text = format!("é = \"{}\"", "x\u{1b}".repeat(5000));
        for span in [0..1, 1..1, 1..2, 700..9000, 10_007..10_007, 20_000..30_000] {
            let excerpt = Excerpt::of(&text, &span);
            assert!(excerpt.shown.chars().count() <= WINDOW + 2);
            assert!(excerpt.carets.chars().count() <= WINDOW + 2);
            assert!(!excerpt.shown.contains('\u{1b}'));
        }
        assert_eq!(Excerpt::of("", &(0..0)).line, 1);
    }
}
