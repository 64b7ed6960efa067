//! What is done to files: to their bytes, to the words and lines of a text, to the numbers in a payload.

use crate::random::Random;

/// Whole numbers at which sizes, counts and indices break.
const COUNTS: [u64; 14] = [
    0,
    1,
    2,
    255,
    65_536,
    1 << 20,
    1 << 31,
    (1 << 32) - 1,
    1 << 40,
    1 << 60,
    i64::MAX as u64,
    1 << 63,
    u64::MAX - 7,
    u64::MAX,
];

/// Numbers at which arithmetic breaks.
const NUMBERS: [f64; 14] = [
    0.0,
    -0.0,
    -1.0,
    1e-300,
    5e-324,
    1e300,
    f64::MAX,
    -1e300,
    f64::INFINITY,
    f64::NEG_INFINITY,
    f64::NAN,
    1e9,
    -1e-9,
    1e18,
];

/// Words at which readers of text break.
const WORDS: [&str; 34] = [
    "",
    "0",
    "-1",
    "1e999",
    "-1e999",
    "nan",
    "inf",
    "-inf",
    "1e308",
    "1e-320",
    "99999999999999999999",
    "18446744073709551615",
    "-9223372036854775808",
    "9223372036854775807",
    "4294967296",
    "1000000000000",
    "0x",
    "1_0",
    "1e",
    ".",
    "null",
    "true",
    "[]",
    "{}",
    "\"\"",
    "\"1 mm mm^-1\"",
    "\"1e300 Gm^9\"",
    "\"5 \"",
    "\"\\u0000\"",
    "\"\u{1f980}\"",
    "\u{feff}",
    "'''",
    "#",
    "[[walls]]",
];

/// Mutates bytes without regard to what they mean.
pub fn bytes(random: &mut Random, mut data: Vec<u8>, other: &[u8]) -> Vec<u8> {
    for _ in 0..=random.below(3) {
        let length = data.len();
        let at = random.below(length);
        match random.below(9) {
            0 if length > 0 => data[at] ^= 1 << random.below(8),
            1 if length > 0 => data[at] = random.next() as u8,
            2 => data.truncate(at),
            3 => {
                let piece = piece_of(random, other);
                data.splice(at..at, piece);
            }
            4 => {
                let end = (at + random.below(64)).min(length);
                data.drain(at..end);
            }
            5 => {
                let piece = piece_of(random, other);
                let end = (at + piece.len()).min(length);
                data.splice(at..end, piece);
            }
            6 => put(&mut data, at, &random.pick(&COUNTS).to_le_bytes()[..*random.pick(&[2, 4, 8])]),
            7 => put(&mut data, at, &random.pick(&NUMBERS).to_le_bytes()),
            _ => {
                let more = random.below(300);
                data.extend((0..more).map(|_| random.next() as u8));
            }
        }
    }
    data
}

/// Puts a number at which something may break at a multiple of four or eight bytes.
pub fn numbers(random: &mut Random, mut data: Vec<u8>) -> Vec<u8> {
    for _ in 0..=random.below(2) {
        let width = *random.pick(&[4, 8]);
        let at = random.below(data.len() / width) * width;
        if random.once_in(2) {
            let count = *random.pick(&COUNTS);
            put(&mut data, at, &count.to_le_bytes()[..width]);
        } else {
            put(&mut data, at, &random.pick(&NUMBERS).to_le_bytes());
        }
    }
    data
}

fn put(data: &mut [u8], at: usize, value: &[u8]) {
    for (place, byte) in data.iter_mut().skip(at).zip(value) {
        *place = *byte;
    }
}

/// Mutates a binary STL file by its facets, whose number is right again unless its bytes are changed.
pub fn facets(random: &mut Random, file: &[u8], other: &[u8]) -> Vec<u8> {
    const START: usize = 84;
    const FACET: usize = 50;
    if random.once_in(4) {
        return bytes(random, file.to_vec(), other);
    }
    let mut all: Vec<Vec<u8>> = file[START..].chunks_exact(FACET).map(<[u8]>::to_vec).collect();
    for _ in 0..=random.below(4) {
        let (from, at) = (random.below(all.len()), random.below(all.len()));
        match random.below(8) {
            0 => drop(all.remove(at)),
            1 => all.insert(at, all[from].clone()),
            // a side that many share
            2 => all.extend(std::iter::repeat_n(all[from].clone(), random.below(100))),
            3 => {
                // a fan about a corner
                for _ in 0..random.below(100) {
                    let mut facet = all[from].clone();
                    let x = random.next() as i16;
                    put(&mut facet, 24, &f32::from(x).to_le_bytes());
                    all.push(facet);
                }
            }
            4 => {
                // a corner of another
                let (to, source) = (12 + 12 * random.below(3), 12 + 12 * random.below(3));
                let corner = all[from][source..source + 12].to_vec();
                put(&mut all[at], to, &corner);
            }
            _ => {
                let number = *random.pick(&NUMBERS) as f32;
                put(&mut all[at], 12 + 4 * random.below(9), &number.to_le_bytes());
            }
        }
        if all.is_empty() {
            break;
        }
    }
    let count = if random.once_in(8) { random.next() as u32 } else { all.len() as u32 };
    [&file[..START - 4], &count.to_le_bytes(), &all.concat()].concat()
}

fn piece_of(random: &mut Random, data: &[u8]) -> Vec<u8> {
    let at = random.below(data.len());
    let end = (at + 1 + random.below(64)).min(data.len());
    data[at..end].to_vec()
}

/// Mutates a text by its words, lines and sections; sometimes by its bytes.
pub fn text(random: &mut Random, data: &[u8], other: &[u8]) -> Vec<u8> {
    if random.once_in(4) {
        return bytes(random, data.to_vec(), other);
    }
    let mut text = String::from_utf8_lossy(data).into_owned();
    let other = String::from_utf8_lossy(other).into_owned();
    for _ in 0..=random.below(3) {
        text = match random.below(10) {
            0..=3 => {
                let word = random.pick(&WORDS).to_string();
                replace_word(random, &text, &word)
            }
            4 => {
                let words = words_of(&other);
                let word =
                    words.get(random.below(words.len())).map_or(String::new(), |place| other[place.clone()].into());
                replace_word(random, &text, &word)
            }
            5 => {
                let mut lines: Vec<&str> = text.lines().collect();
                let (from, to) = (random.below(lines.len()), random.below(lines.len()));
                if !lines.is_empty() {
                    match random.below(3) {
                        0 => lines.swap(from, to),
                        1 => drop(lines.remove(from)),
                        _ => lines.insert(to, lines[from]),
                    }
                }
                lines.join("\n")
            }
            6 => {
                let lines: Vec<&str> = other.lines().collect();
                let line = lines.get(random.below(lines.len())).copied().unwrap_or_default();
                let at = boundary(&text, random.below(text.len() + 1));
                format!("{}\n{line}\n{}", &text[..at], &text[at..])
            }
            7 => swap_sections(random, &text),
            8 => {
                // deep, or long
                let piece = *random.pick(&["[", "{a=", "(", "\"x\",", "a.", "1,", "[[", "\n", "{\"a\":", "-"]);
                let at = boundary(&text, random.below(text.len() + 1));
                format!("{}{}{}", &text[..at], piece.repeat(1 << random.below(13)), &text[at..])
            }
            _ => {
                let at = boundary(&text, random.below(text.len()));
                text[..at].to_owned()
            }
        };
    }
    text.into_bytes()
}

/// Tables of a scene, or paragraphs of anything else, in another order.
fn swap_sections(random: &mut Random, text: &str) -> String {
    let mut sections: Vec<&str> = text.split("\n\n").collect();
    let (from, to) = (random.below(sections.len()), random.below(sections.len()));
    match random.below(3) {
        0 => sections.swap(from, to),
        1 => drop(sections.remove(from)),
        _ => sections.insert(to, sections[from]),
    }
    sections.join("\n\n")
}

fn boundary(text: &str, mut at: usize) -> usize {
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// Places of numbers, names and strings.
fn words_of(text: &str) -> Vec<std::ops::Range<usize>> {
    let mut places = Vec::new();
    let mut begin = None;
    for (at, c) in text.char_indices().chain([(text.len(), ' ')]) {
        let inside = c.is_alphanumeric() || "._-+\"".contains(c);
        match (inside, begin) {
            (true, None) => begin = Some(at),
            (false, Some(from)) => {
                places.push(from..at);
                begin = None;
            }
            _ => {}
        }
    }
    places
}

fn replace_word(random: &mut Random, text: &str, word: &str) -> String {
    let places = words_of(text);
    let Some(place) = places.get(random.below(places.len())) else { return word.to_owned() };
    format!("{}{word}{}", &text[..place.start], &text[place.end..])
}
