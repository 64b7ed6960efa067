//! Commands that a user may paste into a shell.

use std::ffi::OsStr;
use std::path::Path;

use crate::suggestion::is_harmful;

/// A word as a shell of Unix reads it: quoted where a letter of it would mean something else there. Bytes that are no text, and characters that
/// a terminal would obey, are written as numbers.
#[must_use]
pub fn word(text: impl AsRef<OsStr>) -> String {
    let bytes = text.as_ref().as_encoded_bytes();
    let is_plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"_@%+=:,./-".contains(byte);
    if !bytes.is_empty() && bytes.iter().all(is_plain) {
        return String::from_utf8_lossy(bytes).into_owned();
    }
    match std::str::from_utf8(bytes) {
        Ok(text) if !text.contains(is_harmful) => format!("'{}'", text.replace('\'', r"'\''")),
        _ => {
            let letter = |byte: &u8| match byte {
                b'\'' | b'\\' => format!("\\{}", char::from(*byte)),
                b' '..=b'~' => char::from(*byte).to_string(),
                other => format!("\\{other:03o}"),
            };
            format!("$'{}'", bytes.iter().map(letter).collect::<String>())
        }
    }
}

/// The same for the path of a file, which must not be taken for an option.
#[must_use]
pub fn path(path: &Path) -> String {
    if path.as_os_str().as_encoded_bytes().starts_with(b"-") { word(Path::new(".").join(path)) } else { word(path) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_words_stay_and_others_are_quoted() {
        let words = ["runs/sand-2.toml", "a b", "$(touch x).toml", "it's", "", "`x`;&|", "a\u{1b}[31m\nb", "ü\u{202e}"];
        assert_eq!(
            words.map(word),
            [
                "runs/sand-2.toml",
                "'a b'",
                "'$(touch x).toml'",
                r"'it'\''s'",
                "''",
                "'`x`;&|'",
                r"$'a\033[31m\012b'",
                r"$'\303\274\342\200\256'",
            ]
        );
        assert_eq!(path(Path::new("-rf")), "./-rf");
    }

    /// What a shell makes of it is the text again.
    #[test]
    #[cfg(unix)]
    fn shell_reads_the_words_back() {
        for text in ["plain", "a b", "$(touch x)", "it's", "\\", "*?[a]", "~", "a\"b", "#x", "-n", "ü € 字"] {
            let output =
                std::process::Command::new("sh").arg("-c").arg(format!("printf '%s' {}", word(text))).output().unwrap();
            assert_eq!(String::from_utf8(output.stdout).unwrap(), text);
        }
    }
}
