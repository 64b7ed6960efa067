//! Seeds and values of keys as a user lists them.

use std::collections::BTreeMap;
use std::path::Path;

use dem_io::document::Override;
use dem_report::ReportError;

use crate::error::StudyError;

/// Most members of an ensemble.
pub const MOST_MEMBERS: usize = 10_000;
/// Keys that change together, and the values they take.
#[derive(Clone, Debug, PartialEq)]
pub struct Sweep {
    /// The keys.
    pub keys: Vec<String>,
    /// Values in the order of the keys.
    pub points: Vec<Vec<String>>,
}

impl Sweep {
    /// One key: `key=a,b,c`; commas within quotes and brackets belong to a value.
    ///
    /// # Errors
    /// A text of another form, a value that is empty or given twice.
    pub fn parse(text: &str) -> Result<Self, StudyError> {
        let refused = |allowed: &str| {
            StudyError::from(ReportError::Option {
                option: "--sweep",
                value: text.to_owned(),
                allowed: allowed.to_owned(),
            })
        };
        let parts = split(text, '=');
        let Some((key, values)) = parts.first().zip(text.get(parts.first().map_or(0, |key| key.len() + 1)..)) else {
            return Err(refused("key.path=value,value"));
        };
        let sweep = Self {
            keys: vec![key.trim().to_owned()],
            points: split(values, ',').into_iter().map(|value| vec![value.trim().to_owned()]).collect(),
        };
        sweep.check(|why| refused(&format!("different values, as in contact.friction=0.1,0.3,0.5{why}")))
    }

    /// A list of points: the keys on the first line, a point on each of the others, with commas between; lines that begin with `#` and empty
    /// ones are left out.
    ///
    /// # Errors
    /// A line with another number of values, no point, a point that comes twice.
    pub fn parse_list(path: &Path, text: &str) -> Result<Self, StudyError> {
        let refused = |line: usize, allowed: String| {
            StudyError::from(ReportError::Option {
                option: "--sweep-file",
                value: format!("{}, line {line}", path.display()),
                allowed,
            })
        };
        let cells = |line: &str| split(line, ',').into_iter().map(|cell| cell.trim().to_owned()).collect::<Vec<_>>();
        let mut lines = (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'));
        let Some((_, header)) = lines.next() else { return Err(refused(1, "a line of keys".to_owned())) };
        let mut sweep = Self { keys: cells(header), points: Vec::new() };
        for (number, line) in lines {
            let point = cells(line);
            if point.len() != sweep.keys.len() {
                return Err(refused(number, format!("{} values, one for each key", sweep.keys.len())));
            }
            sweep.points.push(point);
        }
        sweep.check(|why| refused(1, format!("different keys, and different points of values below them{why}")))
    }

    fn check(self, refusal: impl Fn(&str) -> StudyError) -> Result<Self, StudyError> {
        if self.points.len() > MOST_MEMBERS {
            return Err(refusal(&format!(", at most {MOST_MEMBERS}")));
        }
        let is_empty = |text: &String| text.is_empty();
        let same_key = |k: usize| self.keys[..k].contains(&self.keys[k]);
        if self.points.is_empty()
            || self.keys.iter().any(is_empty)
            || self.points.iter().flatten().any(is_empty)
            || (0..self.keys.len()).any(same_key)
        {
            return Err(refusal(""));
        }
        // values are compared by what they mean: members that are the same would be found out when all of them have run
        let mut known = BTreeMap::new();
        for point in &self.points {
            let mut meaning = Vec::with_capacity(point.len());
            for (key, value) in self.keys.iter().zip(point) {
                meaning.push(Override::parse(&format!("{key}={value}"))?.meaning());
            }
            if let Some(same) = known.insert(meaning, point) {
                return Err(refusal(&format!(": {} and {} are the same", same.join(","), point.join(","))));
            }
        }
        Ok(self)
    }
}

/// Whole numbers as in `1..20` (both ends count), `1,4,7`, or both.
///
/// # Errors
/// A text of another form, a seed twice, more than ten thousand.
pub fn parse_seeds(text: &str) -> Result<Vec<u64>, StudyError> {
    let refused = || {
        StudyError::from(ReportError::Option {
            option: "--seeds",
            value: text.to_owned(),
            allowed: format!("1 to {MOST_MEMBERS} different whole numbers, as in 1..20 or 3,5,8"),
        })
    };
    let number = |text: &str| text.trim().parse::<u64>().ok().filter(|&seed| i64::try_from(seed).is_ok());
    let mut seeds = Vec::new();
    for word in text.split(',') {
        let (from, to) = word.split_once("..").unwrap_or((word, word));
        let (from, to) = number(from).zip(number(to)).ok_or_else(refused)?;
        if from > to || to - from >= MOST_MEMBERS as u64 {
            return Err(refused());
        }
        seeds.extend(from..=to);
        if seeds.len() > MOST_MEMBERS {
            return Err(refused());
        }
    }
    let mut sorted = seeds.clone();
    sorted.sort_unstable();
    if sorted.windows(2).any(|pair| pair[0] == pair[1]) {
        return Err(refused());
    }
    Ok(seeds)
}

/// Parts between separators outside quotes and brackets.
fn split(text: &str, separator: char) -> Vec<&str> {
    let (mut parts, mut begin, mut depth, mut quote) = (Vec::new(), 0, 0_i32, None);
    for (at, c) in text.char_indices() {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(c),
            (None, '[' | '{') => depth += 1,
            (None, ']' | '}') => depth -= 1,
            (None, c) if c == separator && depth == 0 => {
                parts.push(&text[begin..at]);
                begin = at + c.len_utf8();
            }
            (None, _) => {}
        }
    }
    parts.push(&text[begin..]);
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_split_outside_quotes_and_brackets() {
        let sweep = Sweep::parse("fields.gravity=[0, 0, -9.81],[0, 0, -1.62]").unwrap();
        assert_eq!(sweep.points, [["[0, 0, -9.81]"], ["[0, 0, -1.62]"]]);
        let sweep = Sweep::parse("walls.floor.shape.radius=\"50 mm\", 60 mm").unwrap();
        assert_eq!(
            (sweep.keys, sweep.points[1].clone()),
            (vec!["walls.floor.shape.radius".into()], vec!["60 mm".into()])
        );
    }

    #[test]
    fn lists_give_a_point_a_line() {
        let sweep =
            Sweep::parse_list(Path::new("list"), "# two\ncontact.friction, seed_of\n0.1, a\n\n0.2,\"b,c\"\n").unwrap();
        assert_eq!(sweep.keys, ["contact.friction", "seed_of"]);
        assert_eq!(sweep.points, [["0.1", "a"], ["0.2", "\"b,c\""]]);
    }

    #[test]
    fn what_is_no_sweep_is_refused() {
        for text in ["", "contact.friction", "contact.friction=", "contact.friction=0.1,,0.2", "a=1,1", "=1", "a..b=1"]
        {
            assert!(Sweep::parse(text).is_err(), "{text}");
        }
        for list in ["", "a,b\n1", "a\n", "a\n1\n1\n", "a,a\n1,2\n", "a,\n1,2"] {
            assert!(Sweep::parse_list(Path::new("list"), list).is_err(), "{list}");
        }
    }

    #[test]
    fn values_that_are_the_same_number_are_refused() {
        for text in
            ["a=0.1,1e-1", "a=1 mm,0.001", "a=\"50 %\",0.5", "a=[0, 1],[0.0, 1.0]", "a=linear,\"linear\"", "a=1,2,1.0"]
        {
            let message = Sweep::parse(text).unwrap_err().to_string();
            assert!(message.starts_with("--sweep = ") && message.contains(" are the same"), "{message}");
        }
        let list = Sweep::parse_list(Path::new("list"), "a,b\n1,2\n1,3\n1.0,2e0\n").unwrap_err().to_string();
        assert!(list.contains("1,2 and 1.0,2e0 are the same"), "{list}");
    }

    #[test]
    fn seeds_are_ranges_with_both_ends_and_lists() {
        assert_eq!(parse_seeds("1..4").unwrap(), [1, 2, 3, 4]);
        assert_eq!(parse_seeds("7, 2..3").unwrap(), [7, 2, 3]);
        for refused in ["", "3..1", "1,1", "1..3,2", "a", "-1", "1..", "0..99999999999", "1.5", "9223372036854775808"] {
            let message = parse_seeds(refused).unwrap_err().to_string();
            assert!(message.starts_with("--seeds = "), "{message}");
        }
    }
}
