//! An interactive picture: one page of HTML that shows spheres, walls and contacts over time in a browser.
//!
//! # Design
//!
//! Plain arrays go in, a page comes out; the crate knows no physics and reads no file. The arrays are those of [`dem_view::interactive`]: a [`FrameArrays`] is what is shown at one time: positions, radii,
//! values that spheres can be coloured by, lines between spheres, poses of walls. A [`SceneArrays`] is what stays: names, the vertical, the triangles of the
//! walls in their body frames.
//!
//! * [`PageWriter`] puts frames into the page itself, which then opens from a disk and fetches nothing.
//! * [`served_page`] is the same page without frames: it asks the server that it came from for [`scene_message`], [`list_message`] and [`frame_message`].
//!
//! **Numbers.** A column is a [`Block`]: its bytes are put into planes (all lowest bytes, then all second ones, ..), because the high bytes of neighbours are
//! alike, and deflated; the browser inflates them itself (`DecompressionStream`). Positions are whole numbers of a quantum that is a small part of the smallest
//! radius; values keep 13 bits of their mantissa; radii and ids are exact. A column that is the same as in the frame before, or its
//! beginning, is stored once: what never changes of a sphere costs nothing per frame.
//!
//! **Drawing.** three.js (WebGL 2) draws at most five objects whatever is shown:
//!
//! | object | how |
//! |---|---|
//! | spheres | a quad for each, from a texture of centres and radii; the fragment shader intersects the ray with the sphere, and with the plane of the cut, and writes the depth |
//! | opaque walls, translucent walls | all triangles in one buffer, two indices; the vertex shader takes the pose of a wall from a texture |
//! | force chains | a ribbon for each contact, from a texture, shaded like a cylinder |
//! | lines | edges of walls and of the cell |
//!
//! No call is instanced: software draws instances one by one, 70 µs each, which was most of its time. Where the processor draws, `sight.js` leaves out the
//! spheres that lie outside the picture or wholly behind others, found from the front to the back on a grid of tiles; the picture is the same to the last bit.
//! There a picture that moves has a million pixels at most, and one that rests is drawn again with up to four samples a point, which smooths outlines; a
//! graphics card smooths them by coverage of its samples.
//!
//! A picture is drawn when something has changed, never otherwise. A click is answered on the CPU: the ray through it against all spheres.
//!
//! **Script.** `page/` holds modules without a framework, which are compiled in as they are and find each other through an import map of blobs, and
//! `three/` the part of three.js that they use, with the script that makes it. A build of the crate needs neither node nor a network.

#![forbid(unsafe_code)]

mod html;
mod message;
mod writer;

pub use html::{GENERATOR, served_page};
pub use message::{frame_message, list_message, scene_message};
pub use writer::{LARGEST_PAGE, PageWriter};

#[cfg(doc)]
use dem_view::interactive::{Block, FrameArrays, SceneArrays};
