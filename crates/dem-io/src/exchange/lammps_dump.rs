//! Text dumps of LAMMPS (`dump custom`) and of LIGGGHTS.
//!
//! Frames follow one another; each has items that begin with `ITEM:`. The columns of `ITEM: ATOMS` are known by their names. `x`, `xu`, `xs` and `xsu` are read
//! in this order of preference. LIGGGHTS' examples write the column `type` twice.
//!
//! Source: the LAMMPS documentation of the commands `dump` and `dump_modify`, that of LIGGGHTS-PUBLIC of `dump`.

use glam::DVec3;

use super::block;
use super::error::Fault;
use super::format::ForeignFormat;
use super::frames::{Frames, Next};
use super::lammps_units;
use super::row::{Kinds, RowFormat, Slot, number, refused, whole};
use super::state::{ForeignBox, ForeignState, UnitsInFile};
use crate::separator::Separator;
use crate::suggestion::excerpt;
use crate::table::TableLimits;
use crate::text_lines::TextLines;

/// A dump. Its units stand before the first frame.
#[derive(Default)]
pub(super) struct Dump {
    units: Option<String>,
}

/// What stands before the particles of a frame.
#[derive(Default)]
struct Header {
    step: Option<u64>,
    time: Option<f64>,
    count: Option<u64>,
    bounds: Option<ForeignBox>,
}

impl Frames for Dump {
    fn next(&mut self, lines: &mut TextLines, wanted: bool, limits: TableLimits) -> Result<Next, Fault> {
        let mut header = Header::default();
        let mut has_begun = false;
        loop {
            let Some((at, line)) = lines.next()? else {
                if has_begun && wanted {
                    return Err(Fault::file("ends within the header of a frame"));
                }
                return Ok(if has_begun { Next::Passed } else { Next::End });
            };
            let line = line.trim_ascii();
            if line.is_empty() {
                continue;
            }
            let Some(item) = line.strip_prefix(b"ITEM:") else {
                return Err(Fault::line(at, refused(line, "a line that begins with ITEM:")));
            };
            let item = String::from_utf8_lossy(item.trim_ascii()).into_owned();
            let mut words = item.split_whitespace();
            let name: Vec<&str> = words.by_ref().take(2).collect();
            match name[..] {
                ["UNITS"] => self.units = Some(text_after(lines, at)?.1),
                ["TIME"] => header.time = Some(number_after(lines, at)?),
                ["TIMESTEP"] => {
                    has_begun = true;
                    let (below, text) = text_after(lines, at)?;
                    header.step = Some(whole(text.as_bytes()).map_err(|message| Fault::line(below, message))?);
                }
                ["NUMBER", "OF"] if item == "NUMBER OF ATOMS" => {
                    let (below, text) = text_after(lines, at)?;
                    header.count = Some(block::count(text.as_bytes(), below, limits)?);
                }
                ["BOX", "BOUNDS"] => header.bounds = Some(bounds(lines, at, &words.collect::<Vec<_>>())?),
                ["ATOMS", ..] => {
                    let Some(count) = header.count else {
                        return Err(Fault::line(at, "ITEM: ATOMS before ITEM: NUMBER OF ATOMS"));
                    };
                    if !wanted {
                        block::pass(lines, count)?;
                        return Ok(Next::Passed);
                    }
                    return self.atoms(lines, at, &item, count, header).map(|state| Next::Read(Box::new(state)));
                }
                _ => {
                    let items =
                        "TIMESTEP, TIME, UNITS, NUMBER OF ATOMS, BOX BOUNDS or ATOMS, as `dump custom` writes them";
                    return Err(Fault::line(at, format!("ITEM: {}, expected {items}", excerpt(&item, 40))));
                }
            }
        }
    }
}

impl Dump {
    fn atoms(
        &self,
        lines: &mut TextLines,
        at: u64,
        item: &str,
        count: u64,
        header: Header,
    ) -> Result<ForeignState, Fault> {
        let mut state = ForeignState::new(ForeignFormat::LammpsDump);
        let names: Vec<&str> = item.split_whitespace().skip(1).collect();
        let (columns, left_out) = slots(&names);
        let format = RowFormat::new(columns, Separator::Blanks).map_err(|message| Fault::line(at, message))?;
        let mut kinds = Kinds::default();
        state.particles = block::read(lines, count, &format, header.bounds.as_ref(), &mut kinds)?;
        state.present = format.present;
        state.kinds = kinds.names;
        (state.step, state.time, state.bounds) = (header.step, header.time, header.bounds);
        state.units = self.units.as_deref().map_or(UnitsInFile::Unsaid, lammps_units::named);
        if !left_out.is_empty() {
            state.left_out.push(format!("the columns {}", excerpt(&left_out.join(", "), 200)));
        }
        Ok(state)
    }
}

/// Names of coordinates, the preferred ones first.
const COORDINATES: [[&str; 3]; 4] = [["x", "y", "z"], ["xu", "yu", "zu"], ["xs", "ys", "zs"], ["xsu", "ysu", "zsu"]];

/// What the columns mean, and the names of those that are not read.
fn slots(names: &[&str]) -> (Vec<(Slot, String)>, Vec<String>) {
    let has = |name: &str| names.contains(&name);
    let coordinates = COORDINATES.into_iter().find(|of| of.iter().all(|name| has(name)));
    let is_share = coordinates.is_some_and(|of| of[0].starts_with("xs"));
    let mut slots: Vec<(Slot, String)> = Vec::new();
    let mut left_out = Vec::new();
    for &name in names {
        let place = |list: [&str; 3]| list.iter().position(|known| *known == name);
        let quaternion =
            [["quati", "quatj", "quatk", "quatw"], ["c_orient[1]", "c_orient[2]", "c_orient[3]", "c_orient[4]"]];
        let slot = if let Some(k) = coordinates.and_then(place) {
            if is_share { Slot::Share(k) } else { Slot::Position(k) }
        } else if let Some(k) = place(["vx", "vy", "vz"]) {
            Slot::Velocity(k)
        } else if let Some(k) = place(["omegax", "omegay", "omegaz"]) {
            Slot::AngularVelocity(k)
        } else if let Some(k) = quaternion.iter().find_map(|list| list.iter().position(|known| *known == name)) {
            Slot::Orientation(k)
        } else {
            match name {
                "id" => Slot::Id,
                // told twice by the examples of LIGGGHTS
                "type" if slots.iter().any(|(slot, _)| *slot == Slot::Kind) => Slot::Skipped,
                "type" => Slot::Kind,
                "radius" => Slot::Radius,
                "diameter" if !has("radius") => Slot::Diameter,
                "density" => Slot::Density,
                "mass" if !has("density") => Slot::Mass,
                "mass" | "diameter" => Slot::Skipped,
                _ => {
                    left_out.push(name.to_owned());
                    Slot::Skipped
                }
            }
        };
        slots.push((slot, name.to_owned()));
    }
    (slots, left_out)
}

/// The line below an item.
fn text_after(lines: &mut TextLines, at: u64) -> Result<(u64, String), Fault> {
    let Some((number, line)) = lines.next()? else {
        return Err(Fault::line(at, "the file ends behind this item"));
    };
    Ok((number, String::from_utf8_lossy(line.trim_ascii()).into_owned()))
}

fn number_after(lines: &mut TextLines, at: u64) -> Result<f64, Fault> {
    let (below, text) = text_after(lines, at)?;
    number(text.as_bytes()).map_err(|message| Fault::line(below, message))
}

/// The box: `xlo xhi`, with tilt factors, or as three edges and an origin.
fn bounds(lines: &mut TextLines, at: u64, words: &[&str]) -> Result<ForeignBox, Fault> {
    let is_general = words.starts_with(&["abc", "origin"]);
    let is_tilted = words.starts_with(&["xy", "xz", "yz"]);
    let faces = &words[if is_general {
        2
    } else if is_tilted {
        3
    } else {
        0
    }..];
    let mut periodic = [None; 3];
    for (periodic, face) in periodic.iter_mut().zip(faces) {
        *periodic = Some(*face == "pp");
    }
    let per_line = if is_general {
        4
    } else if is_tilted {
        3
    } else {
        2
    };
    let mut numbers = [[0.0; 4]; 3];
    let mut last = at;
    for row in &mut numbers {
        let (below, text) = text_after(lines, at)?;
        let fields: Vec<&[u8]> = Separator::Blanks.fields(text.as_bytes()).take(5).collect();
        if fields.len() != per_line {
            return Err(Fault::line(below, format!("{} numbers of the box, expected {per_line}", fields.len())));
        }
        for (value, field) in row.iter_mut().zip(fields) {
            *value = number(field).map_err(|message| Fault::line(below, message))?;
        }
        last = below;
    }
    let edges = if is_general {
        numbers.map(|[x, y, z, _]| DVec3::new(x, y, z))
    } else {
        let [xy, xz, yz] = if is_tilted { numbers.map(|row| row[2]) } else { [0.0; 3] };
        // a dump has the extent of the tilted box
        numbers[0][0] -= [0.0, xy, xz, xy + xz].into_iter().fold(0.0, f64::min);
        numbers[0][1] -= [0.0, xy, xz, xy + xz].into_iter().fold(0.0, f64::max);
        numbers[1][0] -= yz.min(0.0);
        numbers[1][1] -= yz.max(0.0);
        let [lx, ly, lz] = numbers.map(|row| row[1] - row[0]);
        [DVec3::new(lx, 0.0, 0.0), DVec3::new(xy, ly, 0.0), DVec3::new(xz, yz, lz)]
    };
    let origin = if is_general { numbers.map(|row| row[3]) } else { numbers.map(|row| row[0]) };
    let volume = edges[0].dot(edges[1].cross(edges[2]));
    if volume.is_nan() || volume <= 0.0 {
        return Err(Fault::line(last, "expected a box with a volume above 0"));
    }
    Ok(ForeignBox { origin: DVec3::from_array(origin), edges, periodic })
}
