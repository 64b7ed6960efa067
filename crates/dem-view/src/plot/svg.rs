//! Marks as the text of an SVG file. Letters are outlines, each kept once: the figure looks the same everywhere, without a font.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use ab_glyph::{Font, GlyphId, OutlineCurve};

use crate::error::ViewError;
use crate::plot::mark::{Colour, Mark, UNITS};
use crate::text_line::{SetGlyph, TextLine};
use crate::typeface::{Face, faces};

/// Writes marks on white. `text` is the height of a line of text, which programs that read the figure tell titles and ticks by.
pub(crate) fn write(marks: &[Mark], [width, height]: [f64; 2], text: f64) -> Result<String, ViewError> {
    let (across, down) = ((width * UNITS).round(), (height * UNITS).round());
    let mut file = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{}mm\" height=\"{}mm\" viewBox=\"0 0 {across} {down}\" data-size=\"{}\">\n\
         <rect width=\"{across}\" height=\"{down}\" fill=\"#fff\"/>\n",
        decimal(width),
        decimal(height),
        decimal(text * UNITS)
    );
    let glyphs: BTreeSet<(Face, u16)> = marks
        .iter()
        .filter_map(|mark| if let Mark::Text { line, .. } = mark { Some(line) } else { None })
        .flat_map(|line| line.glyphs.iter().map(|glyph| (glyph.face, glyph.id.0)))
        .collect();
    file.push_str("<defs>\n");
    for (face, id) in glyphs {
        let path = outline(face, GlyphId(id))?;
        if !path.is_empty() {
            write_to(&mut file, format_args!("<path id=\"{}\" d=\"{path}\"/>\n", name(face, id)));
        }
    }
    file.push_str("</defs>\n");
    for mark in marks {
        match mark {
            Mark::Line { points, width, colour } => {
                let points: Vec<String> = points.iter().map(|(x, y)| format!("{x},{y}")).collect();
                write_to(
                    &mut file,
                    format_args!(
                        "<polyline fill=\"none\" stroke=\"{}\" stroke-width=\"{}\" stroke-linejoin=\"round\" points=\"{}\"/>\n",
                        hexadecimal(*colour),
                        decimal(width * UNITS),
                        points.join(" ")
                    ),
                );
            }
            Mark::Disc { centre: (x, y), radius, colour } => {
                let (radius, fill) = (decimal(radius * UNITS), hexadecimal(*colour));
                write_to(&mut file, format_args!("<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\" fill=\"{fill}\"/>\n"));
            }
            Mark::Text { line, at, is_upright, colour } => {
                let [x, y] = at.map(|c| decimal(c * UNITS));
                let turn = if *is_upright { " rotate(-90)" } else { "" };
                let (words, ink, size) = (escaped(&line.words), hexadecimal(*colour), decimal(line.size * UNITS));
                write_to(
                    &mut file,
                    format_args!(
                        "<g role=\"img\" aria-label=\"{words}\" data-size=\"{size}\" fill=\"{ink}\" transform=\"translate({x} {y}){turn}\">"
                    ),
                );
                push_text(&mut file, line)?;
                file.push_str("</g>\n");
            }
        }
    }
    file.push_str("</svg>\n");
    Ok(file)
}

/// The glyphs of a line, those of one size and height together.
fn push_text(file: &mut String, line: &TextLine) -> Result<(), ViewError> {
    let same = |a: &SetGlyph, b: &SetGlyph| (a.face, a.em, a.rise) == (b.face, b.em, b.rise);
    for group in line.glyphs.chunk_by(same) {
        let Some(SetGlyph { face, em, rise, .. }) = group.first().copied() else { continue };
        let font = faces()?.font(face);
        let unit = em / f64::from(font.units_per_em().unwrap_or(1000.0));
        let (up, scale) = (decimal(-rise * UNITS), format!("{:.4}", unit * UNITS));
        write_to(file, format_args!("<g transform=\"translate(0 {up}) scale({scale} -{scale})\">"));
        for glyph in
            group.iter().filter(|glyph| font.outline(glyph.id).is_some_and(|outline| !outline.curves.is_empty()))
        {
            write_to(file, format_args!("<use href=\"#{}\" x=\"{:.0}\"/>", name(face, glyph.id.0), glyph.x / unit));
        }
        file.push_str("</g>");
    }
    Ok(())
}

/// Name of a glyph; the same one in all figures of a page.
fn name(face: Face, id: u16) -> String {
    match face {
        Face::Text => format!("g{id}"),
        Face::Fallback => format!("h{id}"),
    }
}

/// Outline of a glyph in units of its font, upwards.
fn outline(face: Face, id: GlyphId) -> Result<String, ViewError> {
    let mut path = String::new();
    let mut pen = None;
    for curve in faces()?.font(face).outline(id).into_iter().flat_map(|outline| outline.curves) {
        let (from, points, letter) = match curve {
            OutlineCurve::Line(from, to) => (from, vec![to], 'L'),
            OutlineCurve::Quad(from, by, to) => (from, vec![by, to], 'Q'),
            OutlineCurve::Cubic(from, by, and, to) => (from, vec![by, and, to], 'C'),
        };
        if pen != Some(from) {
            write_to(&mut path, format_args!("M{} {}", from.x, from.y));
        }
        path.push(letter);
        let places: Vec<String> = points.iter().map(|point| format!("{} {}", point.x, point.y)).collect();
        path.push_str(&places.join(" "));
        pen = points.last().copied();
    }
    Ok(path)
}

fn write_to(file: &mut String, text: std::fmt::Arguments<'_>) {
    // Writing to a String cannot fail.
    let _infallible = file.write_fmt(text);
}

/// A number with as many decimals as are seen.
fn decimal(value: f64) -> String {
    let text = format!("{value:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

fn hexadecimal([red, green, blue]: Colour) -> String {
    format!("#{red:02x}{green:02x}{blue:02x}")
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
