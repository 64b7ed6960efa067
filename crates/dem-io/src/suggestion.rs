//! "Did you mean" suggestions for misspelt names.

/// Longest word that is compared; the distance costs the product of both lengths.
const LONGEST_WORD: usize = 64;

/// The candidate nearest to `word`, or `None` when nothing is near enough to be a likely slip.
///
/// Case is ignored, one edit per three letters is tolerated (at least one, at most three), and the
/// first of equally near candidates wins.
#[must_use]
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let length = word.chars().count();
    if length == 0 || length > LONGEST_WORD {
        return None;
    }
    let word = word.to_lowercase();
    let tolerated = (length / 3).clamp(1, 3);
    candidates
        .into_iter()
        .filter(|candidate| candidate.chars().count() <= LONGEST_WORD)
        .map(|candidate| {
            let distance = strsim::osa_distance(&word, &candidate.to_lowercase());
            (distance, candidate)
        })
        // A distance of the whole word means that no letter was kept.
        .filter(|&(distance, _)| distance <= tolerated && distance < length.max(1))
        .min_by_key(|&(distance, _)| distance)
        .map(|(_, candidate)| candidate)
}

/// Whether a character does to a terminal or a line something else than show itself: control characters, and those that turn the direction of
/// what follows.
pub fn is_harmful(character: char) -> bool {
    character.is_control()
        || matches!(character, '\u{2028}' | '\u{2029}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// `text` cut to `limit` characters, with control characters made visible, for use in a message.
pub(crate) fn excerpt(text: &str, limit: usize) -> String {
    let mut characters = text.chars();
    let mut shown: String =
        characters.by_ref().take(limit).map(|c| if is_harmful(c) { '\u{fffd}' } else { c }).collect();
    if characters.next().is_some() {
        shown.push('…');
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slip_is_recognised_and_a_different_word_is_not() {
        let keys = ["density", "young_modulus", "friction"];
        assert_eq!(nearest("young_modulos", keys), Some("young_modulus"));
        assert_eq!(nearest("Density", keys), Some("density"));
        assert_eq!(nearest("dnesity", keys), Some("density"));
        assert_eq!(nearest("colour", keys), None);
        assert_eq!(nearest("x", ["y"]), None);
        assert_eq!(nearest("", keys), None);
    }

    #[test]
    fn excerpt_hides_control_characters_and_is_bounded() {
        assert_eq!(excerpt("a\u{1b}[31mb", 20), "a\u{fffd}[31mb");
        assert_eq!(excerpt("abcdef", 3), "abc…");
    }
}
