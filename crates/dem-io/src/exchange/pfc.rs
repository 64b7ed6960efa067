//! Balls of PFC: a data file of commands `ball create`, or a table with a header.
//!
//! PFC has no format of its own for a list of balls; scripts write one of both. Of commands `ball create` is read with `id`, `radius`, `position` (or `x`, `y`, `z`,
//! `position-x`, ...), `velocity`, `spin`, `density` and `group`; `;` begins a comment, and other commands are left out. Columns of a table have the names of PFC:
//! `id`, `pos-x` or `x`, `radius` or `rad`, `vel-x`, `spin-x`, `density`, `mass`, `group`, with `-`, `.` or `_`.
//!
//! Source: the documentation of PFC 6 and 7 of the command `ball create` and of the ball functions in FISH.

use super::error::Fault;
use super::format::ForeignFormat;
use super::row::{Kinds, RowFormat, Slot};
use super::state::ForeignState;
use crate::separator::Separator;
use crate::suggestion::excerpt;
use crate::table::TableLimits;
use crate::text_lines::TextLines;

/// Most words of a command.
const MOST_WORDS: usize = 64;

/// Whether lines look like it.
pub(super) fn is_likely(lines: &[&[u8]]) -> bool {
    let commands = lines.iter().any(|line| command(&String::from_utf8_lossy(line)).is_some());
    let header = lines.iter().find(|line| !is_comment(line));
    // with names of PFC: a header of plain x, y, z, r is that of a particle table
    let has_names = |header: &[u8]| {
        let text = String::from_utf8_lossy(header).to_ascii_lowercase();
        ["pos-x", "pos.x", "pos_x", "vel-x", "vel.x", "vel_x", "position-x"].iter().any(|name| text.contains(name))
    };
    commands || header.is_some_and(|header| has_names(header))
}

fn is_comment(line: &[u8]) -> bool {
    line.is_empty() || line.starts_with(b";")
}

/// The words behind `ball create`.
fn command(line: &str) -> Option<Vec<String>> {
    let line = line.split(';').next().unwrap_or_default();
    let words: Vec<String> = line
        .split(|c: char| c.is_whitespace() || matches!(c, ',' | '(' | ')'))
        .filter(|word| !word.is_empty())
        .take(MOST_WORDS)
        .map(str::to_owned)
        .collect();
    let is = |k: usize, word: &str| words.get(k).is_some_and(|found| found.eq_ignore_ascii_case(word));
    (words.len() > 2 && is(0, "ball") && is(1, "create")).then(|| words[2..].to_vec())
}

pub(super) fn read(lines: &mut TextLines, limits: TableLimits) -> Result<ForeignState, Fault> {
    let mut state = ForeignState::new(ForeignFormat::Pfc);
    let mut kinds = Kinds::default();
    let mut table: Option<RowFormat> = None;
    let (mut balls, mut others) = (false, 0_u64);
    while let Some((at, line)) = lines.next()? {
        let line = line.trim_ascii();
        if is_comment(line) {
            continue;
        }
        let in_line = |message| Fault::line(at, message);
        if state.particles.len() == limits.rows {
            return Err(in_line(format!("more than {} particles", limits.rows)));
        }
        if let Some(format) = &table {
            state.particles.push(format.read(line, &mut kinds, None).map_err(in_line)?);
            continue;
        }
        if let Some(words) = command(&String::from_utf8_lossy(line)) {
            balls = true;
            ball(&words, &mut kinds, &mut state).map_err(in_line)?;
            continue;
        }
        if !balls && others == 0 && is_likely(&[line]) {
            table = Some(header(line).map_err(in_line)?);
            continue;
        }
        others += 1;
    }
    if let Some(table) = table {
        state.present = table.present;
    } else if !balls {
        return Err(Fault::file("holds no commands `ball create` and no header with pos-x, pos-y, pos-z and radius"));
    }
    if others > 0 {
        state.left_out.push(format!("{others} lines with other commands than `ball create`"));
    }
    state.kinds = kinds.names;
    Ok(state)
}

/// The meaning of a name of PFC.
fn meaning(name: &str) -> Slot {
    let name = name.trim_matches('"').to_ascii_lowercase().replace(['.', '_'], "-");
    let name = name.strip_prefix("ball-").unwrap_or(&name);
    let axis = |name: &str| ["x", "y", "z"].iter().position(|axis| name == *axis);
    if let Some(k) = axis(name) {
        return Slot::Position(k);
    }
    if let Some((vector, component)) = name.rsplit_once('-')
        && let Some(k) = axis(component)
    {
        return match vector {
            "pos" | "position" => Slot::Position(k),
            "vel" | "velocity" => Slot::Velocity(k),
            "spin" => Slot::AngularVelocity(k),
            _ => Slot::Skipped,
        };
    }
    match name {
        "id" => Slot::Id,
        "radius" | "rad" => Slot::Radius,
        "diameter" => Slot::Diameter,
        "density" | "dens" => Slot::Density,
        "mass" => Slot::Mass,
        "group" => Slot::KindName,
        _ => Slot::Skipped,
    }
}

fn header(line: &[u8]) -> Result<RowFormat, String> {
    let separator = Separator::of_header(line).ok_or("expected commas or semicolons between columns, not both")?;
    let fields = separator.fields(line).map(|field| String::from_utf8_lossy(field).into_owned());
    let columns: Vec<(Slot, String)> = fields.map(|name| (meaning(&name), name)).collect();
    // density says it, and radius
    let has = |slot: Slot| columns.iter().any(|(other, _)| *other == slot);
    let (has_density, has_radius) = (has(Slot::Density), has(Slot::Radius));
    let without = |(slot, name): (Slot, String)| match slot {
        Slot::Mass if has_density => (Slot::Skipped, name),
        Slot::Diameter if has_radius => (Slot::Skipped, name),
        slot => (slot, name),
    };
    RowFormat::new(columns.into_iter().map(without).collect(), separator)
}

/// Reads the words behind `ball create`.
fn ball(words: &[String], kinds: &mut Kinds, state: &mut ForeignState) -> Result<(), String> {
    let mut columns: Vec<(Slot, String)> = Vec::new();
    let mut values: Vec<&str> = Vec::new();
    let mut rest = words.iter().map(String::as_str).peekable();
    while let Some(word) = rest.next() {
        let vector: Option<fn(usize) -> Slot> = match word.to_ascii_lowercase().as_str() {
            "position" | "pos" => Some(Slot::Position),
            "velocity" | "vel" => Some(Slot::Velocity),
            "spin" => Some(Slot::AngularVelocity),
            _ => None,
        };
        if let Some(of) = vector {
            for k in 0..3 {
                let value = rest.next().ok_or_else(|| format!("expected three numbers behind {word}"))?;
                columns.push((of(k), word.to_owned()));
                values.push(value);
            }
            continue;
        }
        let slot = meaning(word);
        if slot == Slot::Skipped {
            return Err(format!("the word {} of ball create is not known here", excerpt(word, 40)));
        }
        let value = rest.next().ok_or_else(|| format!("expected a value behind {}", excerpt(word, 40)))?;
        columns.push((slot, word.to_owned()));
        values.push(if slot == Slot::KindName { value.trim_matches(['\'', '"']) } else { value });
        // `group name slot n`
        if slot == Slot::KindName && rest.peek() == Some(&"slot") {
            rest.nth(1);
        }
    }
    // PFC takes zero for a coordinate that is not given
    for (k, name) in ["x", "y", "z"].into_iter().enumerate() {
        if !columns.iter().any(|(slot, _)| *slot == Slot::Position(k)) {
            columns.push((Slot::Position(k), name.to_owned()));
            values.push("0");
        }
    }
    let format = RowFormat::new(columns, Separator::Blanks)?;
    let particle = format.read(values.join(" ").as_bytes(), kinds, None)?;
    let all = &mut state.present;
    all.id |= format.present.id;
    all.kind |= format.present.kind;
    all.velocity |= format.present.velocity;
    all.angular_velocity |= format.present.angular_velocity;
    all.density |= format.present.density;
    state.particles.push(particle);
    Ok(())
}
