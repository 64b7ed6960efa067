//! A film of a run: frames are read, drawn and written one after the other.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::sync_channel;

use dem_core::figure::Figure;
use dem_sim::run::PictureSeries;
use dem_view::Image;

use super::counter::Counter;
use super::encoder::{Encoder, Properties};
use super::source::Source;
use super::target::{Format, Target};
use crate::failure::Failure;
use crate::terminal::{say, tell};

/// Pictures that the colours of a GIF are found from.
const SAMPLES: usize = 5;
/// Pictures that wait to be written: memory does not grow with the film.
const WAITING: usize = 2;

/// Draws a film and says what has come of it. False if it was interrupted, of which nothing is left.
pub fn make(
    source: &Source,
    series: &PictureSeries<'_>,
    target: &Target,
    film: &Properties<'_>,
    interrupted: &AtomicBool,
) -> Result<bool, Failure> {
    let draw = |index: usize| -> Result<Image, Failure> {
        let frame = source.read(index, &|table, column| series.needs(table, column))?;
        series.draw(&frame).map_err(Failure::input)
    };
    let samples = || {
        let step = film.frames.len().div_ceil(SAMPLES).max(1);
        // the last ones of equal parts: what is shown first may be empty
        film.frames.rchunks(step).filter_map(|part| part.last()).map(|&index| draw(index)).collect()
    };
    let encoder = Encoder::begin(target, film, samples)?;
    let (to_encoder, pictures) = sync_channel::<(usize, Image)>(WAITING);
    let encoder = std::thread::scope(|scope| {
        let encoding = scope.spawn(move || {
            let mut encoder = encoder;
            for (frame, image) in pictures {
                encoder.add(frame, &image)?;
            }
            Ok::<_, Failure>(encoder)
        });
        let mut counter = Counter::new("frame", film.frames.len());
        let mut drawn = Ok(());
        for (count, &index) in film.frames.iter().enumerate() {
            if interrupted.load(Ordering::Relaxed) {
                break;
            }
            match draw(index).map(|image| to_encoder.send((index, image))) {
                Ok(Ok(())) => counter.show(count + 1),
                // the encoder has failed, and says why
                Ok(Err(_)) => break,
                Err(failure) => {
                    drawn = Err(failure);
                    break;
                }
            }
        }
        counter.finish();
        drop(to_encoder);
        let encoder = encoding.join().unwrap_or_else(|_| Err(Failure::input("the film could not be written")));
        drawn.and(encoder)
    })?;
    if interrupted.load(Ordering::Relaxed) {
        return Ok(false);
    }
    encoder.finish(target)?;
    report(source, target, film);
    Ok(true)
}

/// Says where the film is, how long and how large.
fn report(source: &Source, target: &Target, film: &Properties<'_>) {
    say!("{}", target.path.display());
    let (count, (width, height)) = (film.frames.len(), film.size);
    let mut text = format!("{count} frame{} of {width} x {height}", if count == 1 { "" } else { "s" });
    if target.format != Format::Folder {
        text += &format!(", {:.2} s at {} a second", count as f64 / film.rate, film.rate);
        let size = std::fs::metadata(&target.path).map_or(0, |metadata| metadata.len());
        text += &format!(", {:.2} MB", size as f64 / 1e6);
        let times = source.times();
        if let (&[first, .., last], true) = (film.frames, count > 1) {
            let simulated = (times[last] - times[first]).abs() / ((count - 1) as f64 / film.rate);
            if simulated > 0.0 {
                text += &format!("; a second of it shows {} s", Figure::new(simulated, 3));
            }
        }
    }
    tell!("{text}");
}
