//! What is said to the terminal. A reader that has heard enough, as `head` has, ends no run: what is said to it later is dropped. Output
//! that is lost for any other reason, as on a full disk, is a failure at the end. The macros of the standard library would panic.

use std::fmt::Arguments;
use std::io::{ErrorKind, Write};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::failure::Failure;

/// What standard output takes.
enum Listener {
    Listens,
    /// The other end of the pipe is closed.
    Gone,
    /// Why output was lost.
    Failed(std::io::Error),
}

static LISTENER: Mutex<Listener> = Mutex::new(Listener::Listens);

/// Whether what is said of the work that is done, and of its results, is dropped (`--quiet`).
static IS_QUIET: AtomicBool = AtomicBool::new(false);
/// Whether what is said on standard output is an answer, which is said all the same.
static IS_ANSWER: AtomicBool = AtomicBool::new(false);

/// Drops from now on what nobody needs who knows that all goes well. `answers` keeps standard output: a list that was asked for, or data.
pub fn be_quiet(answers: bool) {
    IS_ANSWER.store(answers, Ordering::Relaxed);
    IS_QUIET.store(true, Ordering::Relaxed);
}

/// Whether progress is dropped.
pub fn is_quiet() -> bool {
    IS_QUIET.load(Ordering::Relaxed)
}

/// Says a line on standard output.
macro_rules! say {
    () => { $crate::terminal::say_line(format_args!("")) };
    ($($text:tt)*) => { $crate::terminal::say_line(format_args!($($text)*)) };
}

/// Says a line on standard error that nobody needs who knows that all goes well.
macro_rules! tell {
    ($($text:tt)*) => { $crate::terminal::tell_line(format_args!($($text)*)) };
}

/// Says a line on standard error of what is not as it was asked for.
macro_rules! complain {
    ($($text:tt)*) => { $crate::terminal::complain_line(format_args!($($text)*)) };
}

pub(crate) use {complain, say, tell};

/// Writes a line to standard output.
pub fn say_line(text: Arguments<'_>) {
    say_text(format_args!("{text}\n"));
}

/// Writes a text to standard output.
pub fn say_text(text: Arguments<'_>) {
    if is_quiet() && !IS_ANSWER.load(Ordering::Relaxed) {
        return;
    }
    let text = harmless(text.to_string());
    let mut listener = LISTENER.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    if matches!(*listener, Listener::Listens)
        && let Err(error) = std::io::stdout().lock().write_all(text.as_bytes())
    {
        *listener = lost(error);
    }
}

/// Writes a line to standard error, unless nobody wants to know.
pub fn tell_line(text: Arguments<'_>) {
    if !is_quiet() {
        complain_line(text);
    }
}

/// Writes a line to standard error; whoever closed it does not want to know.
pub fn complain_line(text: Arguments<'_>) {
    let _ = std::io::stderr().lock().write_all(harmless(format!("{text}\n")).as_bytes());
}

/// The text without what a terminal would obey. Names of files come from anywhere, texts in files, too.
fn harmless(text: String) -> String {
    let obeyed = |character: char| dem_io::is_harmful(character) && !matches!(character, '\n' | '\t');
    if text.contains(obeyed) { text.replace(obeyed, "\u{fffd}") } else { text }
}

/// Sends what is still held back, and says whether output was lost.
///
/// # Errors
/// Output that could not be written, unless it was not wanted.
pub fn finish() -> Result<(), Failure> {
    let mut listener = LISTENER.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    if let (Listener::Listens, Err(error)) = (&*listener, std::io::stdout().lock().flush()) {
        *listener = lost(error);
    }
    match &*listener {
        Listener::Failed(error) => Err(Failure::input(format!("cannot write to standard output: {error}"))),
        Listener::Listens | Listener::Gone => Ok(()),
    }
}

fn lost(error: std::io::Error) -> Listener {
    if error.kind() == ErrorKind::BrokenPipe { Listener::Gone } else { Listener::Failed(error) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terminal_obeys_nothing_that_a_file_is_named() {
        assert_eq!(
            harmless("a\u{1b}]0;b\u{7}\r\u{9b}c\n\td\u{202e}".to_owned()),
            "a\u{fffd}]0;b\u{fffd}\u{fffd}\u{fffd}c\n\td\u{fffd}"
        );
        assert_eq!(harmless("übung · 1 µm\n".to_owned()), "übung · 1 µm\n");
    }
}
