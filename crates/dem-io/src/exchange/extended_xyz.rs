//! Extended XYZ: a count, a line of `key=value` with `Properties`, and a row for each particle; frames follow one another.
//!
//! Columns are known by their names in `Properties`, as OVITO and ASE write them. `material` is preferred to `species` as the kind.
//!
//! Source: the documentation of ASE (`ase.io.extxyz`) and of OVITO's reader.

use glam::DVec3;

use super::block;
use super::error::Fault;
use super::format::ForeignFormat;
use super::frames::{Frames, Next};
use super::row::{Kinds, RowFormat, Slot, number};
use super::state::{ForeignBox, ForeignState};
use crate::separator::Separator;
use crate::suggestion::excerpt;
use crate::table::TableLimits;
use crate::text_lines::TextLines;

/// Most columns of a file.
const MOST_COLUMNS: usize = 1024;

pub(super) struct Xyz;

impl Frames for Xyz {
    fn next(&mut self, lines: &mut TextLines, wanted: bool, limits: TableLimits) -> Result<Next, Fault> {
        let count = loop {
            let Some((at, line)) = lines.next()? else { return Ok(Next::End) };
            let line = line.trim_ascii();
            if !line.is_empty() {
                break block::count(line, at, limits)?;
            }
        };
        let Some((at, line)) = lines.next()? else {
            return if wanted { Err(Fault::file("ends behind the count of a frame")) } else { Ok(Next::Passed) };
        };
        if !wanted {
            block::pass(lines, count)?;
            return Ok(Next::Passed);
        }
        let text = String::from_utf8_lossy(line).into_owned();
        let mut state = ForeignState::new(ForeignFormat::ExtendedXyz);
        let in_line = |message| Fault::line(at, message);
        let keys = pairs(&text);
        let value = |name: &str| keys.iter().find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| *value);
        let properties =
            value("Properties").ok_or_else(|| in_line("expected Properties=... of extended XYZ".to_owned()))?;
        let (columns, left_out) = columns(properties).map_err(in_line)?;
        let format = RowFormat::new(columns, Separator::Blanks).map_err(in_line)?;
        state.bounds = bounds(value("Lattice"), value("Origin"), value("pbc")).map_err(in_line)?;
        state.time = value("Time").and_then(|text| number(text.as_bytes()).ok());
        state.step = value("Step").and_then(|text| text.parse().ok());
        let mut kinds = Kinds::default();
        state.particles = block::read(lines, count, &format, None, &mut kinds)?;
        (state.present, state.kinds) = (format.present, kinds.names);
        if !left_out.is_empty() {
            state.left_out.push(format!("the columns {}", excerpt(&left_out.join(", "), 200)));
        }
        Ok(Next::Read(Box::new(state)))
    }
}

/// Keys and values of a line; values may stand in quotes.
fn pairs(text: &str) -> Vec<(&str, &str)> {
    let mut pairs = Vec::new();
    let mut rest = text.trim_start();
    while let Some((key, after)) = rest.split_once('=') {
        let key = key.split_whitespace().last().unwrap_or_default();
        let end = |quote: char, inner: &str| inner.find(quote).unwrap_or(inner.len());
        let (value, further) = if let Some(inner) = after.strip_prefix('"') {
            let end = end('"', inner);
            (&inner[..end], inner.get(end + 1..).unwrap_or_default())
        } else {
            let end = after.find(char::is_whitespace).unwrap_or(after.len());
            (&after[..end], &after[end..])
        };
        pairs.push((key, value));
        rest = further.trim_start();
    }
    pairs
}

/// What is in the columns of a row, and the names of those that say nothing here.
type Layout = (Vec<(Slot, String)>, Vec<String>);

/// What the columns of `name:type:count:...` mean, and the names of those that are not read.
fn columns(properties: &str) -> Result<Layout, String> {
    let parts: Vec<&str> = properties.split(':').collect();
    let is_kind = |name: &str| parts.chunks(3).any(|part| part[0].eq_ignore_ascii_case(name));
    let has_material = is_kind("material");
    let (mut columns, mut left_out) = (Vec::new(), Vec::new());
    for part in parts.chunks(3) {
        let &[name, of, count] = part else {
            return Err("expected Properties=name:type:count, repeated".to_owned());
        };
        let count = count.parse::<usize>().ok().filter(|count| (1..=16).contains(count));
        let count = count.ok_or_else(|| format!("Properties of {} need a count from 1 to 16", excerpt(name, 40)))?;
        let slots: Option<Vec<Slot>> = match (name.to_ascii_lowercase().as_str(), of, count) {
            ("pos", "R", 3) => Some((0..3).map(Slot::Position).collect()),
            ("velo" | "vel" | "velocity" | "velocities", "R", 3) => Some((0..3).map(Slot::Velocity).collect()),
            ("angular_velocity" | "omega", "R", 3) => Some((0..3).map(Slot::AngularVelocity).collect()),
            ("orientation", "R", 4) => Some((0..4).map(Slot::Orientation).collect()),
            ("radius", "R", 1) => Some(vec![Slot::Radius]),
            ("diameter", "R", 1) => Some(vec![Slot::Diameter]),
            ("mass" | "masses", "R", 1) => Some(vec![Slot::Mass]),
            ("density", "R", 1) => Some(vec![Slot::Density]),
            ("id", "I", 1) => Some(vec![Slot::Id]),
            ("material", "S", 1) => Some(vec![Slot::KindName]),
            ("species", "S", 1) if !has_material => Some(vec![Slot::KindName]),
            ("species", "S", 1) => Some(vec![Slot::Skipped]),
            _ => None,
        };
        if slots.is_none() {
            left_out.push(excerpt(name, 40));
        }
        let slots = slots.unwrap_or_else(|| vec![Slot::Skipped; count]);
        columns.extend(slots.into_iter().map(|slot| (slot, name.to_owned())));
        if columns.len() > MOST_COLUMNS {
            return Err(format!("more than {MOST_COLUMNS} columns"));
        }
    }
    Ok((columns, left_out))
}

fn numbers(text: &str) -> Result<Vec<f64>, String> {
    text.split_whitespace().take(10).map(|field| number(field.as_bytes())).collect()
}

fn bounds(lattice: Option<&str>, origin: Option<&str>, pbc: Option<&str>) -> Result<Option<ForeignBox>, String> {
    let Some(lattice) = lattice else { return Ok(None) };
    let edges = numbers(lattice)?;
    let origin = origin.map_or(Ok(vec![0.0; 3]), numbers)?;
    let (&[ax, ay, az, bx, by, bz, cx, cy, cz], &[x, y, z]) = (&edges[..], &origin[..]) else {
        return Err("expected nine numbers of Lattice and three of Origin".to_owned());
    };
    let edges = [DVec3::new(ax, ay, az), DVec3::new(bx, by, bz), DVec3::new(cx, cy, cz)];
    let volume = edges[0].dot(edges[1].cross(edges[2]));
    if volume.is_nan() || volume <= 0.0 {
        return Err("expected a Lattice with a volume above 0".to_owned());
    }
    let mut periodic = [None; 3];
    match pbc {
        // a lattice without a word on it is periodic, as OVITO and ASE have it
        None => periodic = [Some(true); 3],
        Some(text) => {
            for (periodic, word) in periodic.iter_mut().zip(text.split_whitespace()) {
                *periodic = Some(matches!(word, "T" | "True" | "true" | "1"));
            }
        }
    }
    Ok(Some(ForeignBox { origin: DVec3::new(x, y, z), edges, periodic }))
}
