//! What can go wrong with what is asked for, and with what is written.

/// An option that is refused, or a result that cannot be drawn or written.
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    /// An option out of range.
    #[error("{option} = {value}, expected {allowed}")]
    Option {
        /// Name of the option on the command line.
        option: &'static str,
        /// What was asked for.
        value: String,
        /// What is possible.
        allowed: String,
    },
    /// A quantity without a unit, or with a wrong one.
    #[error("{option}: {why}")]
    Quantity {
        /// Name of the option on the command line.
        option: &'static str,
        /// What is wrong with it.
        why: String,
    },
    /// A directory that holds what a command must not replace.
    #[error("{0}")]
    Occupied(String),
    /// Threads that cannot be started.
    #[error("threads of the study: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
    /// A result that cannot be drawn.
    #[error("figure {figure}: {source}")]
    Figure {
        /// Name of the figure.
        figure: String,
        /// What the plot refuses.
        source: dem_view::ViewError,
    },
    /// A file that cannot be written.
    #[error(transparent)]
    File(#[from] dem_io::Error),
}
