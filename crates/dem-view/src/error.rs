//! What can be wrong with a picture or a plot.

use thiserror::Error;

/// Why a picture or a plot could not be made.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum ViewError {
    /// A side of the image is zero or too long.
    #[error("image size {width} x {height} pixels is outside {smallest} to {largest} pixels a side")]
    ImageSize {
        /// Requested width `[pixel]`.
        width: u32,
        /// Requested height `[pixel]`.
        height: u32,
        /// Shortest side allowed `[pixel]`.
        smallest: u32,
        /// Longest side allowed `[pixel]`.
        largest: u32,
    },
    /// One entry of an array cannot be drawn.
    #[error("{what} {index} is {value}, expected {allowed}")]
    Entry {
        /// Which array.
        what: &'static str,
        /// Index of the entry.
        index: usize,
        /// The entry as text.
        value: String,
        /// What would have been accepted.
        allowed: &'static str,
    },
    /// Two arrays that belong together have different lengths.
    #[error("{what} has {found} entries, expected {expected}, one for each position")]
    Length {
        /// Which array.
        what: &'static str,
        /// Its length.
        found: usize,
        /// Number of positions.
        expected: usize,
    },
    /// An option is out of range.
    #[error("{what} is {value}, expected {allowed}")]
    Option {
        /// Which option.
        what: &'static str,
        /// Its value as text.
        value: String,
        /// What would have been accepted.
        allowed: &'static str,
    },
    /// Neither a sphere nor a wall frames the camera.
    #[error("the picture has no sphere and no wall, expected at least one or a given camera")]
    NothingToFrame,
    /// A figure without panels, or with more than can be told apart.
    #[error("figure has {found} panels, expected 1 to {largest}")]
    PanelCount {
        /// Number of panels.
        found: usize,
        /// Most panels allowed.
        largest: usize,
    },
    /// A panel without series, or with more than can be told apart.
    #[error("panel {panel} has {found} series, expected 1 to {largest}")]
    SeriesCount {
        /// Index of the panel.
        panel: usize,
        /// Number of series.
        found: usize,
        /// Most series allowed.
        largest: usize,
    },
    /// A series without a point.
    #[error("series {series} ({label:?}) of panel {panel} has no points, expected at least one")]
    EmptySeries {
        /// Index of the panel.
        panel: usize,
        /// Index of the series.
        series: usize,
        /// Its label.
        label: String,
    },
    /// A coordinate of a series is beyond what an axis can show.
    #[error("point {point} of series {series} of panel {panel} is {value}, expected a magnitude of at most 1e300")]
    SeriesValue {
        /// Index of the panel.
        panel: usize,
        /// Index of the series.
        series: usize,
        /// Index of the point.
        point: usize,
        /// The coordinate as text.
        value: String,
    },
    /// All points of a panel are undefined, or not positive on a logarithmic axis.
    #[error(
        "panel {panel} has nothing to plot: every point is not a number, infinite, or not positive on a logarithmic axis"
    )]
    NothingToPlot {
        /// Index of the panel.
        panel: usize,
    },
    /// Ends of an axis that are not apart, not in order, or not positive on a logarithmic axis.
    #[error(
        "the {axis} from {ends} has no length, expected two numbers in rising order, above zero on a logarithmic axis"
    )]
    Ends {
        /// Which axis.
        axis: &'static str,
        /// Its ends, as FROM:TO.
        ends: String,
    },
    /// The built-in typeface could not be read.
    #[error("built-in typeface is unreadable: {0}")]
    Typeface(String),
    /// The typeface could not be made part of a PDF.
    #[error("typeface could not be embedded: {0}")]
    Embedding(String),
    /// A film could not be written.
    #[error("film could not be encoded: {0}")]
    Film(String),
    /// The PNG encoder failed.
    #[error("png could not be encoded: {0}")]
    Encoding(String),
}
