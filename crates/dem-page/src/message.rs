//! What a server sends to a page without frames of its own.

use std::collections::BTreeMap;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use dem_view::interactive::{FrameArrays, SceneArrays};
use dem_view::{ColourMap, ViewError};
use serde::Serialize;
use serde_json::{Value, json};

/// Colours of a continuous map.
const COLOURS: u32 = 256;
/// Colours that categories have before they begin again.
const CATEGORIES: u32 = 8;

/// A frame: the length of what describes it as a 32-bit number, that description (JSON), the blocks, whose places it names.
///
/// # Errors
/// Numbers that cannot be written as text, which there are none of.
pub fn frame_message(frame: &FrameArrays) -> Result<Vec<u8>, ViewError> {
    #[derive(Serialize)]
    struct Described<'a> {
        #[serde(flatten)]
        frame: &'a FrameArrays,
        /// Place of the block behind the description, its length in bytes and its count of numbers.
        columns: BTreeMap<&'a str, [usize; 3]>,
    }
    let mut blocks = Vec::new();
    let mut columns = BTreeMap::new();
    for column in &frame.columns {
        let sent = column.block.encoded();
        columns.insert(column.name.as_str(), [blocks.len(), sent.len(), column.block.len()]);
        blocks.extend(sent);
    }
    let description = serde_json::to_vec(&Described { frame, columns }).map_err(unwritable)?;
    let mut message = (description.len() as u32).to_le_bytes().to_vec();
    message.extend(description);
    message.extend(blocks);
    Ok(message)
}

/// The scene as JSON.
pub fn scene_message(scene: &SceneArrays) -> Value {
    json!({
        "title": scene.title,
        "up": scene.up,
        "fields": scene.fields,
        "first_field": scene.first_field,
        "walls": scene.walls,
        "facets": scene.facets,
        "corners": STANDARD.encode(scene.corners.encoded()),
        "maps": {
            "continuous": hexadecimal((0..COLOURS).map(|k| ColourMap::Viridis.colour(f64::from(k) / f64::from(COLOURS - 1)))),
            "forces": hexadecimal((0..COLOURS).map(|k| ColourMap::Inferno.colour(f64::from(k) / f64::from(COLOURS - 1)))),
            "categories": hexadecimal((0..CATEGORIES).map(|k| ColourMap::category(f64::from(k)))),
        },
    })
}

/// Steps and times of the frames from number `first` on, as JSON; `origin` changes when earlier frames have become others.
pub fn list_message(first: usize, frames: &[(u64, f64)], origin: u64) -> Value {
    let frames: Vec<Value> = frames.iter().map(|(step, time)| json!({ "step": step, "time": time })).collect();
    json!({ "first": first, "frames": frames, "origin": origin.to_string() })
}

fn hexadecimal(colours: impl Iterator<Item = [u8; 3]>) -> String {
    colours.map(|[red, green, blue]| format!("{red:02x}{green:02x}{blue:02x}")).collect()
}

pub(crate) fn unwritable(error: serde_json::Error) -> ViewError {
    ViewError::Encoding(error.to_string())
}
