//! Parts of a study that independent jobs do.

use crate::error::ReportError;

/// Part `number` of `of`, counted from 1: every `of`-th piece of work, from the `number`-th on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    number: usize,
    of: usize,
}

impl Shard {
    /// All of it.
    pub const WHOLE: Self = Self { number: 1, of: 1 };

    /// Reads `i/n`.
    ///
    /// # Errors
    /// A text of another form, a part that does not exist.
    pub fn parse(text: &str) -> Result<Self, ReportError> {
        let number = |text: &str| text.trim().parse::<usize>().ok();
        match text.split_once('/').and_then(|(part, of)| number(part).zip(number(of))) {
            Some((number, of)) if (1..=of).contains(&number) => Ok(Self { number, of }),
            _ => Err(ReportError::Option {
                option: "--shard",
                value: text.to_owned(),
                allowed: "i/n with 1 <= i <= n, as in 2/8".to_owned(),
            }),
        }
    }

    /// Whether a piece of work, counted from 0, belongs to it.
    pub fn holds(self, index: usize) -> bool {
        index % self.of == self.number - 1
    }
}

impl std::fmt::Display for Shard {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "part {} of {}", self.number, self.of)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_share_the_work_and_others_are_refused() {
        let parts = ["1/3", " 2 / 3", "3/3"].map(|text| Shard::parse(text).unwrap());
        for index in 0..20 {
            assert_eq!(parts.iter().filter(|part| part.holds(index)).count(), 1);
            assert!(Shard::WHOLE.holds(index));
        }
        assert_eq!((0..8).filter(|&index| parts[1].holds(index)).collect::<Vec<_>>(), [1, 4, 7]);
        for refused in ["0/3", "4/3", "1", "a/b", "-1/2", "1/0", "", "1/2/3"] {
            let message = Shard::parse(refused).unwrap_err().to_string();
            assert!(message.starts_with("--shard = ") && message.contains("i/n with 1 <= i <= n"), "{message}");
        }
    }
}
