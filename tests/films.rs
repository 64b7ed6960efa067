//! Films and pictures that `dem render` draws of a run.

#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used, reason = "a test fails by it")]

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use crate::command::{Outcome, dem, finish, run, scenes};

const WIDTH: usize = 240;
const HEIGHT: usize = 180;

/// A run of a moving tray, made once, with several frames.
fn tray() -> &'static Path {
    static RUN: OnceLock<(tempfile::TempDir, PathBuf)> = OnceLock::new();
    &RUN.get_or_init(|| {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("tray");
        run(&scenes().join("restart/tray.toml"), &out, "--until 60ms --set output.snapshots=0.01").expect_code(0);
        (folder, out)
    })
    .1
}

fn render(words: &str, out: &Path) -> Outcome {
    finish(dem(&format!("render --size {WIDTH}x{HEIGHT} {words} --out"), &[&out, &tray()]))
}

fn pixels(path: &Path) -> Vec<u8> {
    let mut reader =
        png::Decoder::new(std::io::BufReader::new(std::fs::File::open(path).unwrap())).read_info().unwrap();
    let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut bytes).unwrap();
    assert_eq!((info.width as usize, info.height as usize), (WIDTH, HEIGHT));
    bytes
}

/// Pictures of all frames, one PNG each.
fn folder_of_frames(words: &str) -> (tempfile::TempDir, Vec<Vec<u8>>) {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("frames");
    render(&format!("--frames all {words}"), &out).expect_code(0);
    let count = std::fs::read_dir(&out).unwrap().count();
    let all = (0..count).map(|k| pixels(&out.join(format!("frame_{k:04}.png")))).collect();
    (folder, all)
}

#[test]
fn gif_and_apng_have_the_frames_the_delays_and_the_size_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let (_frames, drawn) = folder_of_frames("");
    assert!(drawn.len() > 4, "{}", drawn.len());

    let gif = folder.path().join("film.gif");
    render("--frames all --fps 8", &gif).expect_code(0);
    let mut options = gif::DecodeOptions::new();
    options.set_color_output(gif::ColorOutput::RGBA);
    let mut decoder = options.read_info(std::fs::File::open(&gif).unwrap()).unwrap();
    assert_eq!((usize::from(decoder.width()), usize::from(decoder.height())), (WIDTH, HEIGHT));
    let (mut canvas, mut delays) = (vec![0u8; WIDTH * HEIGHT * 3], Vec::new());
    while let Some(frame) = decoder.read_next_frame().unwrap() {
        let (left, top, width) = (usize::from(frame.left), usize::from(frame.top), usize::from(frame.width));
        for (k, pixel) in frame.buffer.chunks_exact(4).enumerate().filter(|(_, pixel)| pixel[3] != 0) {
            let place = ((top + k / width) * WIDTH + left + k % width) * 3;
            canvas[place..place + 3].copy_from_slice(&pixel[..3]);
        }
        let error: u64 = canvas.iter().zip(&drawn[delays.len()]).map(|(a, b)| u64::from(a.abs_diff(*b))).sum();
        // 255 colours for all: a mean error of less than two levels of 256
        assert!(error < 2 * canvas.len() as u64, "frame {}: {error}", delays.len());
        delays.push(frame.delay);
    }
    assert_eq!(delays.len(), drawn.len());
    // 12.5 hundredths of a second each
    assert_eq!(delays[..4], [13, 12, 13, 12]);

    let apng = folder.path().join("film.apng");
    render("--frames all --fps 8", &apng).expect_code(0);
    let mut reader =
        png::Decoder::new(std::io::BufReader::new(std::fs::File::open(&apng).unwrap())).read_info().unwrap();
    assert_eq!(reader.info().animation_control().unwrap().num_frames as usize, drawn.len());
    let mut canvas = vec![0u8; WIDTH * HEIGHT * 3];
    for (index, expected) in drawn.iter().enumerate() {
        let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
        reader.next_frame(&mut bytes).unwrap();
        let control = *reader.info().frame_control().unwrap();
        assert_eq!(f64::from(control.delay_num) / f64::from(control.delay_den), 0.125);
        let (left, top, width) = (control.x_offset as usize, control.y_offset as usize, control.width as usize);
        let area = width * control.height as usize;
        for (k, pixel) in bytes[..4 * area].chunks_exact(4).enumerate().filter(|(_, pixel)| pixel[3] != 0) {
            let place = ((top + k / width) * WIDTH + left + k % width) * 3;
            canvas[place..place + 3].copy_from_slice(&pixel[..3]);
        }
        assert!(canvas == *expected, "frame {index} has no loss");
    }
}

#[test]
fn camera_is_the_same_for_a_film_and_for_single_frames_of_a_run() {
    let (_folder, film) = folder_of_frames("--range 0,1");
    let folder = tempfile::tempdir().unwrap();
    let single = folder.path().join("one.png");
    render("--frame 2 --range 0,1", &single).expect_code(0);
    assert!(pixels(&single) == film[2], "a frame by itself is that of the film");
    render("--frame 2 --range 0,1 --fit shown", &single).expect_code(0);
    assert!(pixels(&single) != film[2], "fitted to itself it is larger");
}

#[test]
fn opaque_wall_hides_what_a_translucent_one_shows() {
    let folder = tempfile::tempdir().unwrap();
    let draw = |look: &str| {
        let out = folder.path().join(format!("{look}.png"));
        render(&format!("--frame 0 --elevation -60 --wall tray={look}"), &out).expect_code(0);
        pixels(&out)
    };
    // colours of viridis stand out from greys
    let coloured = |image: &[u8]| {
        // the bar on the right has colours, too
        let seen = image.chunks_exact(3).enumerate().filter(|(k, _)| k % WIDTH < WIDTH * 3 / 4);
        seen.filter(|(_, p)| p.iter().max().unwrap() - p.iter().min().unwrap() > 60).count()
    };
    let [opaque, translucent, hidden] = ["opaque", "translucent", "hidden"].map(draw).map(|image| coloured(&image));
    assert!(translucent > 300, "{translucent}");
    assert!(opaque < translucent / 10, "seen from below, {opaque} of {translucent}");
    assert!(hidden >= translucent, "{hidden} {translucent}");
}

#[test]
fn frames_and_formats_that_there_are_not_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let gif = folder.path().join("film.gif");
    let refused = |words: &str, name: &str, texts: &[&str]| {
        let out = folder.path().join(name);
        render(words, &out).expect_code(2).expect_message(texts);
        assert!(std::fs::read_dir(folder.path()).unwrap().next().is_none(), "{words}: nothing is left behind");
    };
    refused("--frames 0..99", "film.gif", &["--frames 0..99", "frame 99", "7 frames", "-7 to 6"]);
    refused("--frames 5..2", "film.gif", &["ends before it begins", "7 frames"]);
    refused("--frames some", "film.gif", &["expected all, a..b"]);
    refused("--frames all", "film.avi", &[".mp4", ".gif", ".apng", "folder"]);
    refused("--frames all", "film.png", &[".apng", "folder"]);
    refused("--frame 0", "film.gif", &["--frames"]);
    refused("--frames all --fps 60", "film.gif", &["60", "0.01 to 50"]);
    refused("--frames all --fps 0", "film.apng", &["expected 0.01 to 120"]);
    refused("--frames all --wall lid=opaque", "film.gif", &["\"lid\"", "tray"]);
    refused("--frames all --wall tray=glass", "film.gif", &["--wall tray=glass", "translucent"]);
    finish(dem("render --frames all --size 241x180 --out", &[&folder.path().join("film.mp4"), &tray()]))
        .expect_code(2)
        .expect_message(&["241x180", "240x180"]);
    finish(dem("render --frames all", &[&tray()])).expect_code(2).expect_message(&["needs --out", ".mp4"]);
    let mut without = dem("render --frames all --out", &[&folder.path().join("film.mp4"), &tray()]);
    without.env("PATH", "");
    finish(without).expect_code(2).expect_message(&["ffmpeg", ".gif", ".apng", "folder"]);
    assert!(!gif.exists());
}

#[test]
fn folder_with_other_files_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("frames");
    std::fs::create_dir(&out).unwrap();
    std::fs::write(out.join("frame_0009.png"), "an older picture").unwrap();
    render("--frames -2..-1", &out).expect_code(0);
    let names = || {
        let mut names: Vec<_> = std::fs::read_dir(&out).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        names.sort();
        names
    };
    assert_eq!(names(), ["frame_0005.png", "frame_0006.png"]);
    std::fs::write(out.join("notes.txt"), "mine").unwrap();
    render("--frames all", &out).expect_code(2).expect_message(&["notes.txt"]);
    assert_eq!(names(), ["frame_0005.png", "frame_0006.png", "notes.txt"]);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "nothing unfinished is left");
}
