//! Pictures of spheres and plots of series, without system fonts or a display.
//!
//! Plain arrays go in, an RGB raster or the text of an SVG or PDF file comes out. The crate knows no physics and reads no
//! file: positions, radii and values are whatever the caller says they are, in any unit.
//!
//! * [`render`] draws a [`PictureScene`] (spheres and walls) and returns an [`Image`]; the bytes are the same for any
//!   number of threads.
//! * [`draw_png`], [`draw_svg`] and [`draw_pdf`] draw a column of [`LinePlot`] panels.
//! * [`GifFilm`] and [`ApngFilm`] write pictures one after the other into an animation.
//!
//! ```
//! use dem_view::{DEFAULT_RESOLUTION, FigureSize, LinePlot, Series, draw_png, draw_svg};
//!
//! let fall = (0..50).map(|k| f64::from(k) * 0.01).map(|t| [t, 1.0 - 4.905 * t * t]).collect();
//! let panel = LinePlot {
//!     x_label: "time [s]".to_owned(),
//!     y_label: "height [m]".to_owned(),
//!     series: vec![Series { label: "sphere".to_owned(), points: fall, ..Series::default() }],
//!     ..LinePlot::default()
//! };
//! let size = FigureSize::for_panels(1);
//! let image = draw_png(std::slice::from_ref(&panel), size, DEFAULT_RESOLUTION)?;
//! assert_eq!((image.width(), image.height()), (1200, 520));
//! assert!(draw_svg(&[panel], size)?.contains("height [m]"));
//! # Ok::<(), dem_view::ViewError>(())
//! ```

#![forbid(unsafe_code)]

mod error;
pub mod film;
mod image;
pub mod interactive;
pub mod picture;
pub mod plot;

mod text_line;
mod tick;
mod typeface;
mod typeset;

pub use error::ViewError;
pub use film::apng::ApngFilm;
pub use film::gif::GifFilm;
pub use image::{Image, LARGEST_SIDE};
pub use picture::camera::Camera;
pub use picture::colour_map::ColourMap;
pub use picture::render;
pub use picture::scene::{
    ColourBar, CutPlane, PictureOptions, PictureScene, SphereCloud, ValueRange, WallLook, WallSurface,
};
pub use picture::view::{Projection, View};
pub use plot::figure_size::{DEFAULT_RESOLUTION, FigureSize, POINT};
pub use plot::line_plot::{AxisScale, LinePlot, Series, SeriesStyle};
pub use plot::{draw_pdf, draw_png, draw_svg};
pub use typeset::typeset_html;
