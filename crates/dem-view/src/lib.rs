//! Pictures of spheres and plots of series, without system fonts or a display.
//!
//! Plain arrays go in, an RGB raster or the text of an SVG file comes out. The crate knows no physics and reads no
//! file: positions, radii and values are whatever the caller says they are, in any unit.
//!
//! * [`render`] draws a [`PictureScene`] (spheres and walls) and returns an [`Image`]; the bytes are the same for any
//!   number of threads.
//! * [`draw_png`] and [`draw_svg`] draw a column of [`LinePlot`] panels.
//!
//! ```
//! use dem_view::{FigureSize, LinePlot, Series, draw_png, draw_svg};
//!
//! let fall = (0..50).map(|k| f64::from(k) * 0.01).map(|t| [t, 1.0 - 4.905 * t * t]).collect();
//! let panel = LinePlot {
//!     x_label: "time [s]".to_owned(),
//!     y_label: "height [m]".to_owned(),
//!     series: vec![Series { label: "sphere".to_owned(), points: fall, ..Series::default() }],
//!     ..LinePlot::default()
//! };
//! let size = FigureSize::for_panels(1);
//! let image = draw_png(std::slice::from_ref(&panel), size)?;
//! assert_eq!((image.width(), image.height()), (size.width, size.height));
//! assert!(draw_svg(&[panel], size)?.contains("height [m]"));
//! # Ok::<(), dem_view::ViewError>(())
//! ```

#![forbid(unsafe_code)]

mod error;
mod image;
pub mod interactive;
pub mod picture;
pub mod plot;

mod tick;
mod typeface;

pub use error::ViewError;
pub use image::{Image, LARGEST_SIDE};
pub use picture::camera::Camera;
pub use picture::colour_map::ColourMap;
pub use picture::render;
pub use picture::scene::{ColourBar, CutPlane, PictureOptions, PictureScene, SphereCloud, ValueRange, WallSurface};
pub use picture::view::{Projection, View};
pub use plot::line_plot::{AxisScale, LinePlot, Series, SeriesStyle};
pub use plot::{FigureSize, draw_png, draw_svg};
