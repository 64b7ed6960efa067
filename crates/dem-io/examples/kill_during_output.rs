//! Kills a process that appends snapshots, at random instants, and checks what is left.
//!
//! `cargo run -p dem-io --example kill_during_output -- [kills] [particles] [seed]`
//!
//! The parent starts this program again as a child. The child appends frames and announces each
//! finished append on its standard output. The parent kills it (SIGKILL on Unix) after a random
//! delay, opens the file, checks that every announced frame is there with the right numbers, and
//! lets the next child continue the same file. Prints counts, and fails if any frame is lost.
#![allow(clippy::print_stdout)] // the counts are the purpose

use std::error::Error;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use dem_io::snapshot::{
    Cells, Column, ColumnData, ColumnSpec, Frame, SnapshotReader, SnapshotWriter, Table, truncate_after,
};
use glam::DVec3;

type Outcome<T> = Result<T, Box<dyn Error>>;

/// Frames after which the file is cut back, so that its size stays bounded.
const FRAMES_PER_FILE: usize = 200;
/// First argument that makes this program the child.
const CHILD: &str = "--child";

fn main() -> Outcome<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if arguments.first().is_some_and(|first| first == CHILD) {
        return append_forever(Path::new(&arguments[1]), arguments[2].parse()?);
    }
    let number = |index: usize, default: u64| -> Outcome<u64> {
        Ok(arguments.get(index).map_or(Ok(default), |text| text.parse())?)
    };
    kill_repeatedly(number(0, 50)?, number(1, 5_000)? as usize, number(2, 1)?)
}

/// The child: continues or creates the file, then appends until it is killed.
fn append_forever(path: &Path, particles: usize) -> Outcome<()> {
    let mut writer = if path.exists() {
        SnapshotWriter::open_existing(path)?
    } else {
        SnapshotWriter::create(path, &[("purpose".to_owned(), "test".to_owned())].into())?
    };
    let mut output = std::io::stdout().lock();
    loop {
        let index = writer.frame_count();
        writer.append(&frame(index, particles))?;
        writeln!(output, "{}", index + 1)?;
        output.flush()?;
    }
}

/// The parent.
fn kill_repeatedly(kills: u64, particles: usize, seed: u64) -> Outcome<()> {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("snapshots.vtkhdf");
    let mut random = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let (mut announced, mut in_flight, mut lost) = (0usize, 0usize, 0usize);
    let mut appends = 0usize;
    let began = Instant::now();
    for kill in 0..kills {
        let before = announced;
        let mut child = Command::new(std::env::current_exe()?)
            .args([CHILD.as_ref(), path.as_os_str()])
            .arg(particles.to_string())
            .stdout(Stdio::piped())
            .spawn()?;
        let output = child.stdout.take().ok_or("no output of the child")?;
        let listener = std::thread::spawn(move || {
            BufReader::new(output).lines().map_while(Result::ok).filter_map(|line| line.parse::<usize>().ok()).last()
        });
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        std::thread::sleep(Duration::from_micros(20_000 + random % 400_000));
        child.kill()?;
        child.wait()?;
        announced = listener.join().map_err(|_| "the listening thread failed")?.unwrap_or(announced);
        appends += announced - before;

        if !path.exists() {
            lost += announced;
            continue;
        }
        match check(&path, particles) {
            Ok(readable) => {
                lost += announced.saturating_sub(readable);
                in_flight += usize::from(readable > announced);
                announced = readable;
            }
            Err(error) => {
                println!("kill {kill}: {announced} frames announced, {error}");
                lost += announced;
                std::fs::remove_file(&path)?;
                announced = 0;
            }
        }
        if announced > FRAMES_PER_FILE {
            truncate_after(&path, step(2))?;
            announced = check(&path, particles)?;
        }
    }
    println!(
        "{kills} kills, {appends} announced appends of about {particles} particles, {lost} frames \
         lost, {in_flight} kills after the frame was complete but before it was announced, {:.0} s",
        began.elapsed().as_secs_f64()
    );
    if lost > 0 {
        return Err(format!("{lost} frames lost").into());
    }
    Ok(())
}

/// Count of frames in the file, all of them with the right numbers.
fn check(path: &Path, particles: usize) -> Outcome<usize> {
    let reader = SnapshotReader::open(path)?;
    let count = reader.frames().len();
    for index in 0..count {
        if reader.read(index)? != frame(index, particles) {
            return Err(format!("frame {index} has wrong numbers").into());
        }
    }
    Ok(count)
}

fn step(index: usize) -> u64 {
    index as u64 * 100
}

/// A frame whose every number follows from its index; counts differ from frame to frame.
fn frame(index: usize, particles: usize) -> Frame {
    let count = if index % 17 == 3 { 0 } else { particles + (index * 37) % 500 };
    let contacts = if index == 0 { 0 } else { count * 5 / 2 };
    let column = |name, unit, width: usize, rows: usize| Column {
        spec: ColumnSpec::new(name, unit, "numbers of a test", width),
        data: ColumnData::F64((0..rows * width).map(|i| noise(index as u64, i as u64)).collect()),
    };
    let identifiers = Column {
        spec: ColumnSpec::new("id", "1", "number of the particle", 1),
        data: ColumnData::U64((0..count as u64).collect()),
    };
    Frame {
        step: step(index),
        cells: Cells::Vertices,
        time: index as f64 * 0.01,
        positions: (0..count as u64).map(|i| DVec3::new(noise(i, 1), noise(i, 2), noise(i, index as u64))).collect(),
        point_data: vec![
            identifiers,
            column("radius", "m", 1, count),
            column("velocity", "m/s", 3, count),
            column("angular_velocity", "rad/s", 3, count),
            column("force", "N", 3, count),
        ],
        cell_data: Vec::new(),
        tables: vec![
            Table {
                name: "contacts".to_owned(),
                rows: contacts,
                columns: vec![column("overlap", "m", 1, contacts), column("force", "N", 3, contacts)],
            },
            Table { name: "walls".to_owned(), rows: 3, columns: vec![column("force", "N", 3, 3)] },
        ],
        field_data: vec![(ColumnSpec::new("kinetic_energy", "J", "sum over the particles", 1), noise(index as u64, 0))],
    }
}

/// A number in [0, 1) that looks random, from two integers.
fn noise(a: u64, b: u64) -> f64 {
    let mut x = a.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ b.wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x ^= x >> 29;
    x = x.wrapping_mul(0x94d0_49bb_1331_11eb);
    (x >> 11) as f64 / (1u64 << 53) as f64
}
