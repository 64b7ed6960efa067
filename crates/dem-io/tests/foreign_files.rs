//! Files of other codes and tables of particles that were damaged, cut off, or made to do harm: no reader panics, hangs, or asks for memory without bound.
//!
//! Every input follows from its number. Twenty thousand are tried; `DEM_INPUTS` asks for more:
//!
//! ```sh
//! DEM_INPUTS=1000000 cargo test -p dem-io --test all foreign -- --nocapture
//! ```

#![allow(clippy::unwrap_used, reason = "a test fails by it")]

use std::path::{Path, PathBuf};
use std::time::Instant;

use dem_io::exchange::{ForeignFormat, ReadRequest, read_bytes};
use dem_io::table::{TableLimits, read_particle_table_in};

/// Inputs without a wish.
const INPUTS: u64 = 20_000;
/// Longest input that mutations make \[byte\].
const LONGEST: usize = 32 << 10;
/// What the process may hold beyond what it held before \[KiB\]. A row of eight bytes becomes 160, in a list that doubles, and there are the rows
/// of a thousand bytes that gzip makes of one.
const MOST_MEMORY: u64 = 256 << 10;

/// A sequence of SplitMix64.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, count: usize) -> usize {
        (self.next() % count.max(1) as u64) as usize
    }

    fn pick<'a, T>(&mut self, list: &'a [T]) -> &'a T {
        &list[self.below(list.len())]
    }
}

/// Words at which readers break.
const WORDS: [&str; 40] = [
    "",
    "0",
    "-1",
    "1e999",
    "-1e999",
    "nan",
    "inf",
    "1e308",
    "1e100",
    "1e-320",
    "5e-324",
    "99999999999999999999",
    "18446744073709551615",
    "-9223372036854775808",
    "4294967296",
    "100000000",
    "1000000000000",
    "1_0",
    ".",
    "\"",
    "\"\"",
    "\u{feff}",
    "\u{1f980}",
    "\0",
    "#",
    "#format",
    "ITEM:",
    "ITEM: ATOMS id x y z radius",
    "ITEM: NUMBER OF ATOMS",
    "ITEM: BOX BOUNDS xy xz yz pp pp pp",
    "Atoms",
    "Velocities",
    "atoms",
    "xlo xhi",
    "Properties=pos:R:3:radius:R:1",
    "ball create",
    "position",
    ",",
    ";",
    "\t",
];

fn mutate(random: &mut Random, sound: &[Vec<u8>]) -> Vec<u8> {
    let mut bytes = random.pick(sound).clone();
    for _ in 0..=random.below(4) {
        let at = random.below(bytes.len() + 1);
        match random.below(10) {
            0 if at < bytes.len() => bytes[at] = random.next() as u8,
            1 => bytes.truncate(at),
            2 => {
                let other = random.pick(sound);
                let from = random.below(other.len());
                let tail = other[from..].to_vec();
                bytes.truncate(at);
                bytes.extend(tail);
            }
            3..=5 => {
                // a word for a word
                let words: Vec<(usize, usize)> = words(&bytes);
                if !words.is_empty() {
                    let (from, to) = *random.pick(&words);
                    bytes.splice(from..to, random.pick(&WORDS).bytes());
                }
            }
            6 | 7 => {
                // lines change places, come twice or go
                let mut lines: Vec<Vec<u8>> = bytes.split(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect();
                let (a, b) = (random.below(lines.len()), random.below(lines.len()));
                match random.below(3) {
                    0 => lines.swap(a, b),
                    1 => {
                        let line = lines[a].clone();
                        lines.insert(b, line);
                    }
                    _ => {
                        lines.remove(a);
                    }
                }
                bytes = lines.join(&b'\n');
            }
            8 => {
                let word = random.pick(&WORDS).bytes();
                bytes.splice(at..at, word);
            }
            _ => {
                let piece: Vec<u8> = bytes[at..(at + random.below(64)).min(bytes.len())].to_vec();
                let copies = piece.repeat(random.below(200));
                bytes.splice(at..at, copies);
            }
        }
        bytes.truncate(LONGEST);
    }
    if random.below(40) == 0 {
        use std::io::Write as _;
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(&bytes).unwrap();
        bytes = encoder.finish().unwrap();
    }
    bytes
}

/// Where words of a text begin and end.
fn words(bytes: &[u8]) -> Vec<(usize, usize)> {
    let mut words = Vec::new();
    let mut begin = None;
    for (at, byte) in bytes.iter().enumerate() {
        let separates = byte.is_ascii_whitespace() || matches!(byte, b',' | b';' | b':' | b'=' | b'"' | b'_');
        match (begin, separates) {
            (None, false) => begin = Some(at),
            (Some(from), true) => {
                words.push((from, at));
                begin = None;
            }
            _ => {}
        }
    }
    words
}

/// Most memory that the process has held \[KiB\].
fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

fn sound_files() -> Vec<Vec<u8>> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../data/exchange");
    let mut paths: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.is_file() && path.extension().is_some_and(|suffix| suffix != "md"));
    paths.sort();
    let mut files: Vec<Vec<u8>> = paths.iter().map(|path| std::fs::read(path).unwrap()).collect();
    for path in &paths {
        assert!(dem_io::exchange::read(path, ReadRequest::default()).is_ok(), "{}", path.display());
    }
    files.push(b"# x y z d id\n1 2 3 1 7\n4 5 6 1 8\n".to_vec());
    files.push(b"x;y;z;radius;material;vx;vy;vz;qx;qy;qz;qw\n1;2;3;0.5;glass;0;0;1;0;0;0;1\n".to_vec());
    files
}

#[test]
fn no_damaged_file_makes_a_reader_panic_or_ask_for_much_memory() {
    let count = std::env::var("DEM_INPUTS").map_or(INPUTS, |text| text.parse().unwrap());
    let began = Instant::now();
    let sound = sound_files();
    let folder = tempfile::tempdir().unwrap();
    let table = folder.path().join("table");
    let before = peak_memory();
    let (mut accepted, mut tables, mut longest) = (0_u64, 0_u64, 0.0_f64);
    for number in 0..count {
        let mut random = Random(number);
        let bytes = mutate(&mut random, &sound);
        let start = Instant::now();
        // what the file says it is, or what somebody says
        let format = (random.below(2) == 0).then(|| *random.pick(&ForeignFormat::ALL));
        let request = ReadRequest { format, frame: *random.pick(&[-1, 0, 1, -2]), ..ReadRequest::default() };
        match read_bytes(Path::new("input"), &bytes, request) {
            Ok(state) => {
                accepted += 1;
                for particle in &state.particles {
                    let sound = particle.position.is_finite() && particle.radius.is_finite() && particle.radius > 0.0;
                    assert!(sound, "input {number}: {particle:?}");
                    assert!(particle.kind == 0 || (particle.kind as usize) < state.kinds.len(), "input {number}");
                }
            }
            Err(error) => assert!(error.to_string().chars().count() < 2_000, "input {number}: {error}"),
        }
        // a file on a disk costs more than reading it: one in eight
        if number % 8 == 0 {
            std::fs::write(&table, &bytes).unwrap();
            tables += u64::from(read_particle_table_in(&table, 1e-3, TableLimits::default()).is_ok());
        }
        longest = longest.max(start.elapsed().as_secs_f64());
    }
    let seconds = began.elapsed().as_secs_f64();
    println!("{count} inputs, {accepted} accepted, {tables} tables, {seconds:.1} s, longest {:.0} ms", 1e3 * longest);
    assert!(accepted > count / 20 && accepted < count, "{accepted} of {count}: mutations are too weak or too strong");
    if let (Some(before), Some(after)) = (before, peak_memory()) {
        println!("most memory {} MiB, {} before", after >> 10, before >> 10);
        assert!(after < before + MOST_MEMORY, "{after} KiB, {before} before");
    }
}
