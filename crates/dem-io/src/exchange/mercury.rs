//! `.data` of MercuryDPM in three dimensions: `N time xmin ymin zmin xmax ymax zmax`, then for each particle 14 numbers: position, velocity, radius, three angles,
//! angular velocity, and a number for the user (the species by default). Frames follow one another.
//!
//! The angles are not read: how they stand for an orientation differs between versions, and the motion of spheres does not depend on them.
//!
//! Source: the pages "Output files" and "Analysing your results" of the MercuryDPM documentation (0.10 to Beta).

use glam::DVec3;

use super::block;
use super::error::Fault;
use super::format::ForeignFormat;
use super::frames::{Frames, Next};
use super::row::{Kinds, RowFormat, Slot, number};
use super::state::{ForeignBox, ForeignState};
use crate::separator::Separator;
use crate::table::TableLimits;
use crate::text_lines::TextLines;

pub(super) struct Data;

impl Frames for Data {
    fn next(&mut self, lines: &mut TextLines, wanted: bool, limits: TableLimits) -> Result<Next, Fault> {
        let (at, fields) = loop {
            let Some((at, line)) = lines.next()? else { return Ok(Next::End) };
            let fields: Vec<Vec<u8>> = Separator::Blanks.fields(line).take(9).map(<[u8]>::to_vec).collect();
            if !fields.is_empty() {
                break (at, fields);
            }
        };
        let in_line = |message| Fault::line(at, message);
        match fields.len() {
            8 => {}
            6 => {
                return Err(in_line(
                    "a header of two dimensions, expected N time xmin ymin zmin xmax ymax zmax".to_owned(),
                ));
            }
            found => {
                return Err(in_line(format!(
                    "{found} fields, expected the header N time xmin ymin zmin xmax ymax zmax"
                )));
            }
        }
        let count = block::count(&fields[0], at, limits)?;
        if !wanted {
            block::pass(lines, count)?;
            return Ok(Next::Passed);
        }
        let mut numbers = [0.0; 7];
        for (value, field) in numbers.iter_mut().zip(&fields[1..]) {
            *value = number(field).map_err(in_line)?;
        }
        let (low, high) = (DVec3::from_slice(&numbers[1..4]), DVec3::from_slice(&numbers[4..7]));
        let mut state = ForeignState::new(ForeignFormat::Mercury);
        state.time = Some(numbers[0]);
        if low.cmplt(high).all() {
            state.bounds = Some(ForeignBox::rectangular(low, high, [None; 3]));
        }
        let vector =
            |of: fn(usize) -> Slot, names: [&'static str; 3]| (0..3).map(move |k| (of(k), names[k].to_owned()));
        let mut columns: Vec<(Slot, String)> = vector(Slot::Position, ["x", "y", "z"]).collect();
        columns.extend(vector(Slot::Velocity, ["vx", "vy", "vz"]));
        columns.push((Slot::Radius, "radius".to_owned()));
        columns.extend(vector(|_| Slot::Skipped, ["angle 1", "angle 2", "angle 3"]));
        columns.extend(vector(Slot::AngularVelocity, ["omega x", "omega y", "omega z"]));
        columns.push((Slot::Kind, "info".to_owned()));
        let format = RowFormat::new(columns, Separator::Blanks).map_err(in_line)?;
        let mut kinds = Kinds::default();
        state.particles = block::read(lines, count, &format, None, &mut kinds)?;
        (state.present, state.kinds) = (format.present, kinds.names);
        state.assumed.push("the last column, info, is the species, as MercuryDPM writes it by default".to_owned());
        state.left_out.push("the angles of particles, which spheres do not need".to_owned());
        Ok(Next::Read(Box::new(state)))
    }
}
