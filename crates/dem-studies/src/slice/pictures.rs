//! Snapshots of the first seed, and its final packings coloured by order.

use std::borrow::Cow;

use dem_core::DVec3;
use dem_io::snapshot::{Column, ColumnData, ColumnSpec, Frame};
use dem_report::report::Picture;
use dem_sim::run::{PictureRequest, Scenery, render_frame};

use super::course::Course;
use super::results::Results;
use crate::error::StudyError;

/// Range of the speeds of the snapshots \[m/s\].
const SPEEDS: (f64, f64) = (0.0, 8.0);

/// All pictures.
pub fn all(results: &Results) -> Result<Vec<Picture>, StudyError> {
    let mut pictures = Vec::new();
    for (name, course) in results.pairs.iter().take(1).flat_map(|pair| pair.both()) {
        let suffix = name.replace(' ', "_");
        for frame in &course.frames {
            let png = draw(course, frame, name, "speed", SPEEDS)?;
            pictures.push(Picture { name: format!("slice_{suffix}_{:04.0}ms", 1e3 * frame.time), png });
        }
        if let Some(last) = course.frames.last() {
            let png = draw(course, &with_order(last, course), name, "order", (0.0, 1.0))?;
            pictures.push(Picture { name: format!("slice_order_{suffix}"), png });
        }
    }
    Ok(pictures)
}

/// The frame with |ψ₆| as a column.
fn with_order(frame: &Frame, course: &Course) -> Frame {
    let mut frame = frame.clone();
    let values = course.local.iter().map(|order| if order.equal.is_nan() { 0.0 } else { order.equal }).collect();
    let spec = ColumnSpec {
        name: Cow::Borrowed("order"),
        unit: Cow::Borrowed("1"),
        meaning: Cow::Borrowed("|psi6| of the particle"),
        width: 1,
    };
    frame.point_data.push(Column { spec, data: ColumnData::F64(values) });
    frame
}

fn draw(course: &Course, frame: &Frame, title: &str, colour: &str, range: (f64, f64)) -> Result<Vec<u8>, StudyError> {
    let request = PictureRequest {
        colour: colour.to_owned(),
        azimuth: -90.0,
        elevation: 0.0,
        zoom: 6.0,
        look_at: Some(DVec3::new(2.5, 3.3, 0.0)),
        orthographic: true,
        range: Some(range),
        size: (1000, 750),
        ..PictureRequest::default()
    };
    let (walls, title) = (course.walls.clone(), title.to_owned());
    Ok(render_frame(frame, &Scenery { walls, up: DVec3::Y, title, ..Scenery::default() }, &request)?)
}
