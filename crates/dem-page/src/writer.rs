//! A page that holds its frames.

use std::collections::BTreeMap;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use dem_view::ViewError;
use dem_view::interactive::{Block, Column, FrameArrays, SceneArrays};
use serde::Serialize;
use serde_json::json;

use crate::html::{Inline, page};
use crate::message::{scene_message, unwritable};

/// Longest page that is written \[byte\]: browsers hold a page as one text, of at most half a gigabyte.
pub const LARGEST_PAGE: usize = 400_000_000;

/// Puts frames into a page, one after the other.
#[derive(Debug, Default)]
pub struct PageWriter {
    frames: Vec<Described>,
    blocks: Vec<String>,
    /// The last block of each column, which may still grow.
    open: BTreeMap<String, (usize, Block)>,
    bytes: usize,
}

#[derive(Debug, Serialize)]
struct Described {
    #[serde(flatten)]
    frame: FrameArrays,
    /// Number of the block of a column and how many of its numbers are meant.
    columns: BTreeMap<String, [usize; 2]>,
}

impl PageWriter {
    /// No frames yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a frame. Frames come in order of time.
    ///
    /// # Errors
    /// A page that would be too long for any browser.
    pub fn push(&mut self, mut frame: FrameArrays) -> Result<(), ViewError> {
        let mut columns = BTreeMap::new();
        for Column { name, block } in std::mem::take(&mut frame.columns) {
            let count = block.len();
            columns.insert(name.clone(), [self.place(name, block), count]);
        }
        self.frames.push(Described { frame, columns });
        if self.bytes > LARGEST_PAGE {
            return Err(ViewError::Option {
                what: "size of the page",
                value: format!("more than {} MB after {} frames", LARGEST_PAGE / 1_000_000, self.frames.len()),
                allowed: "fewer frames or a page that is served",
            });
        }
        Ok(())
    }

    /// Bytes of the blocks so far, but for those that may still grow.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Number of the block that holds these numbers from its beginning.
    fn place(&mut self, name: String, block: Block) -> usize {
        if let Some((number, open)) = self.open.get_mut(&name) {
            if block.begins_with(open) {
                *open = block;
                return *number;
            }
            if open.begins_with(&block) {
                return *number;
            }
        }
        let number = self.blocks.len();
        self.blocks.push(String::new());
        if let Some((closed, before)) = self.open.insert(name, (number, block)) {
            self.close(closed, &before);
        }
        number
    }

    fn close(&mut self, number: usize, block: &Block) {
        let text = STANDARD.encode(block.encoded());
        self.bytes += text.len();
        if let Some(place) = self.blocks.get_mut(number) {
            *place = text;
        }
    }

    /// The page.
    ///
    /// # Errors
    /// Numbers that cannot be written as text, which there are none of.
    pub fn finish(mut self, scene: &SceneArrays) -> Result<String, ViewError> {
        for (number, block) in std::mem::take(&mut self.open).into_values() {
            self.close(number, &block);
        }
        let document =
            json!({ "scene": scene_message(scene), "frames": serde_json::to_value(&self.frames).map_err(unwritable)? });
        Ok(page(&scene.title, &Inline { document: &document, blocks: &self.blocks }))
    }
}
