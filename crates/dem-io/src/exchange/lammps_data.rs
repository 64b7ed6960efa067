//! Data files of LAMMPS (`write_data`, `read_data`) with particles of finite size.
//!
//! A title, header lines with their words behind the numbers, and sections. `Atoms` is read in the styles `sphere` and `bpm/sphere`, and in `hybrid` whose first style is
//! `sphere`; `Velocities` with three or six components. Yade's `export.textExt` with `liggghts_in` writes radii in the place of diameters; its title tells. Text behind `#` is a comment, but for the style behind the name of a section and the units in the title.
//!
//! Source: the LAMMPS documentation of the command `read_data`.

use glam::DVec3;

use super::block;
use super::error::Fault;
use super::format::ForeignFormat;
use super::lammps_units;
use super::row::{Kinds, RowFormat, Slot, number, refused, whole};
use super::state::{ForeignBox, ForeignState, UnitsInFile};
use crate::separator::Separator;
use crate::suggestion::excerpt;
use crate::table::TableLimits;
use crate::text_lines::TextLines;

/// Title of the data files that Yade writes.
const BY_YADE: &str = "LIGGGHTS Description";
/// Sections that are not read; the names of others have two words and `Coeffs` or `Labels`.
const OTHERS: [&str; 15] = [
    "Masses",
    "Bonds",
    "Angles",
    "Dihedrals",
    "Impropers",
    "Ellipsoids",
    "Lines",
    "Triangles",
    "Bodies",
    "Coeffs",
    "Labels",
    "Info",
    "Charges",
    "Fixes",
    "Groups",
];

#[derive(Default)]
struct Header {
    atoms: Option<u64>,
    low: [f64; 3],
    high: [f64; 3],
    tilt: [f64; 3],
    has_bounds: bool,
}

pub(super) fn read(lines: &mut TextLines, limits: TableLimits) -> Result<ForeignState, Fault> {
    let mut state = ForeignState::new(ForeignFormat::LammpsData);
    let Some((_, title)) = lines.next()? else { return Err(Fault::file("is empty")) };
    let title = String::from_utf8_lossy(title).into_owned();
    state.units = after(&title, "units = ").map_or(UnitsInFile::Unsaid, lammps_units::named);
    state.step = after(&title, "timestep = ").and_then(|text| text.parse().ok());
    let mut header = Header::default();
    let mut velocities = Vec::new();
    let mut kinds = Kinds::default();
    let mut other: Option<String> = None;
    while let Some((at, line)) = lines.next()? {
        let (line, comment) = split_comment(line);
        if line.is_empty() {
            continue;
        }
        let text = String::from_utf8_lossy(line).into_owned();
        let begins_with_letter = line[0].is_ascii_alphabetic();
        match text.as_str() {
            "Atoms" => {
                other = None;
                if !state.particles.is_empty() {
                    return Err(Fault::line(at, "a second section Atoms"));
                }
                let count = header.atoms.ok_or_else(|| Fault::line(at, "Atoms before a line such as `100 atoms`"))?;
                let format = atoms(lines, at, comment, count, title == BY_YADE, &mut state, &mut kinds)?;
                state.present = format.present;
            }
            "Velocities" => {
                other = None;
                let count =
                    header.atoms.ok_or_else(|| Fault::line(at, "Velocities before a line such as `100 atoms`"))?;
                velocities = read_velocities(lines, at, count)?;
            }
            _ if begins_with_letter && text.split_whitespace().any(|word| OTHERS.contains(&word)) => {
                if text != "Masses" && state.left_out.len() < 32 {
                    state.left_out.push(format!("the section {}", excerpt(&text, 40)));
                }
                other = Some(text);
            }
            // rows of a section that is not read
            _ if other.is_some() => {}
            _ if begins_with_letter => {
                return Err(Fault::line(
                    at,
                    format!("{}, expected the name of a section", refused(line, "a header line")),
                ));
            }
            _ => header_line(line, at, &mut header, limits)?,
        }
    }
    if state.particles.is_empty() && header.atoms != Some(0) {
        return Err(Fault::file("has no section Atoms"));
    }
    state.kinds = kinds.names;
    put_velocities(&mut state, velocities)?;
    if header.has_bounds {
        let (low, high) = (DVec3::from_array(header.low), DVec3::from_array(header.high));
        if !low.cmplt(high).all() {
            return Err(Fault::file(format!("its box goes from {low} to {high}, expected every coordinate to grow")));
        }
        let mut bounds = ForeignBox::rectangular(low, high, [None; 3]);
        let [xy, xz, yz] = header.tilt;
        bounds.edges[1].x = xy;
        (bounds.edges[2].x, bounds.edges[2].y) = (xz, yz);
        state.bounds = Some(bounds);
    }
    Ok(state)
}

/// The word behind a text.
fn after<'a>(title: &'a str, text: &str) -> Option<&'a str> {
    let rest = title.split_once(text)?.1;
    rest.split([',', ' ']).next().filter(|word| !word.is_empty())
}

fn split_comment(line: &[u8]) -> (&[u8], String) {
    match line.iter().position(|byte| *byte == b'#') {
        None => (line.trim_ascii(), String::new()),
        Some(at) => (line[..at].trim_ascii(), String::from_utf8_lossy(&line[at + 1..]).trim().to_owned()),
    }
}

/// A line of the header: numbers, then words.
fn header_line(line: &[u8], at: u64, header: &mut Header, limits: TableLimits) -> Result<(), Fault> {
    let fields: Vec<&[u8]> = Separator::Blanks.fields(line).take(8).collect();
    let words: Vec<_> =
        fields.iter().skip_while(|field| number(field).is_ok()).map(|f| String::from_utf8_lossy(f)).collect();
    let numbers = &fields[..fields.len() - words.len()];
    let value = |k: usize| number(numbers[k]).map_err(|message| Fault::line(at, message));
    let words = words.join(" ");
    match (words.as_str(), numbers.len()) {
        ("atoms", 1) => header.atoms = Some(block::count(numbers[0], at, limits)?),
        ("xlo xhi" | "ylo yhi" | "zlo zhi", 2) => {
            let axis = usize::from(line.contains(&b'y')) + 2 * usize::from(line.contains(&b'z'));
            (header.low[axis], header.high[axis]) = (value(0)?, value(1)?);
            header.has_bounds = true;
        }
        ("xy xz yz", 3) => header.tilt = [value(0)?, value(1)?, value(2)?],
        ("avec" | "bvec" | "cvec" | "abc origin", _) => {
            return Err(Fault::line(at, "a general triclinic box, expected one with xlo xhi, ylo yhi, zlo zhi"));
        }
        // counts of what spheres do not have
        (_, 1..) if !words.is_empty() => {}
        _ => return Err(Fault::line(at, refused(line, "a header line such as `100 atoms`, or the name of a section"))),
    }
    Ok(())
}

/// Passes over the empty lines below the name of a section and returns the first row.
fn first_row(lines: &mut TextLines, at: u64) -> Result<(u64, Vec<u8>), Fault> {
    while let Some((number, line)) = lines.next()? {
        let line = split_comment(line).0;
        if !line.is_empty() {
            return Ok((number, line.to_vec()));
        }
    }
    Err(Fault::line(at, "the file ends within this section"))
}

/// The rows of a section, each without a comment.
fn rows(
    lines: &mut TextLines,
    at: u64,
    count: u64,
    mut visit: impl FnMut(u64, &[u8]) -> Result<(), Fault>,
) -> Result<(), Fault> {
    if count == 0 {
        return Ok(());
    }
    let (number, first) = first_row(lines, at)?;
    visit(number, &first)?;
    for found in 1..count {
        let Some((number, line)) = lines.next()? else {
            return Err(Fault::line(at, format!("the file ends after {found} of {count} rows of this section")));
        };
        visit(number, split_comment(line).0)?;
    }
    Ok(())
}

fn named(list: &[(Slot, &str)]) -> Vec<(Slot, String)> {
    list.iter().map(|(slot, name)| (*slot, (*name).to_owned())).collect()
}

fn atoms(
    lines: &mut TextLines,
    at: u64,
    style: String,
    count: u64,
    by_yade: bool,
    state: &mut ForeignState,
    kinds: &mut Kinds,
) -> Result<RowFormat, Fault> {
    let [x, y, z] = [(Slot::Position(0), "x"), (Slot::Position(1), "y"), (Slot::Position(2), "z")];
    let (id, kind) = ((Slot::Id, "id"), (Slot::Kind, "type"));
    let (diameter, density) = ((Slot::Diameter, "diameter"), (Slot::Density, "density"));
    let molecule = (Slot::Skipped, "molecule");
    let mut styles = style.split_whitespace();
    let columns = match (styles.next(), styles.next()) {
        (None, _) if by_yade => named(&[id, kind, (Slot::Radius, "radius"), density, x, y, z]),
        (None | Some("sphere"), _) => named(&[id, kind, diameter, density, x, y, z]),
        (Some("bpm/sphere"), _) => named(&[id, molecule, kind, diameter, density, x, y, z]),
        (Some("hybrid"), Some("sphere")) => named(&[id, kind, x, y, z, diameter, density]),
        _ => {
            let allowed = "sphere, bpm/sphere or hybrid sphere, whose particles have a diameter";
            return Err(Fault::line(at, format!("atom style {}", refused(style.as_bytes(), allowed))));
        }
    };
    if by_yade {
        state
            .assumed
            .push("rows are id type radius density x y z: Yade writes radii where LIGGGHTS reads diameters".to_owned());
    } else if style.is_empty() {
        state
            .assumed
            .push("atom style sphere, whose rows are id type diameter density x y z: the file names none".to_owned());
    }
    let fields = columns.len();
    // the numbers of crossed cells may follow; those of further styles in any number
    let format = RowFormat::new(columns, Separator::Blanks).map_err(|message| Fault::line(at, message))?.longer();
    let is_hybrid = style.starts_with("hybrid");
    let mut particles = Vec::new();
    rows(lines, at, count, |number, line| {
        let found = Separator::Blanks.fields(line).count();
        if !is_hybrid && found != fields && found != fields + 3 {
            let message = format!("{found} fields, expected {fields}, or {} with the cells crossed", fields + 3);
            return Err(Fault::line(number, message));
        }
        particles.push(format.read(line, kinds, None).map_err(|message| Fault::line(number, message))?);
        Ok(())
    })?;
    state.particles = particles;
    Ok(format)
}

/// Velocities with the numbers of their particles.
type Velocity = (u64, [DVec3; 2], bool);

fn read_velocities(lines: &mut TextLines, at: u64, count: u64) -> Result<Vec<Velocity>, Fault> {
    let mut velocities = Vec::new();
    rows(lines, at, count, |line_number, line| {
        let in_line = |message| Fault::line(line_number, message);
        let fields: Vec<&[u8]> = Separator::Blanks.fields(line).take(8).collect();
        if !matches!(fields.len(), 4 | 7) {
            return Err(in_line(format!("{} fields, expected id vx vy vz or id vx vy vz wx wy wz", fields.len())));
        }
        let id = whole(fields[0]).map_err(in_line)?;
        let mut values = [0.0; 6];
        for (value, field) in values.iter_mut().zip(&fields[1..]) {
            *value = number(field).map_err(in_line)?;
        }
        let both = [DVec3::from_slice(&values[..3]), DVec3::from_slice(&values[3..])];
        velocities.push((id, both, fields.len() == 7));
        Ok(())
    })?;
    Ok(velocities)
}

/// Gives particles their velocities by their numbers.
fn put_velocities(state: &mut ForeignState, mut velocities: Vec<Velocity>) -> Result<(), Fault> {
    if velocities.is_empty() {
        return Ok(());
    }
    velocities.sort_by_key(|velocity| velocity.0);
    if let Some(pair) = velocities.windows(2).find(|pair| pair[0].0 == pair[1].0) {
        return Err(Fault::file(format!("gives particle {} two velocities", pair[0].0)));
    }
    for particle in &mut state.particles {
        let id = particle.id.unwrap_or_default();
        let Ok(found) = velocities.binary_search_by_key(&id, |velocity| velocity.0) else {
            return Err(Fault::file(format!("gives particle {id} no velocity, though it has a section Velocities")));
        };
        [particle.velocity, particle.angular_velocity] = velocities[found].1;
    }
    state.present.velocity = true;
    state.present.angular_velocity = velocities.iter().all(|velocity| velocity.2);
    Ok(())
}
