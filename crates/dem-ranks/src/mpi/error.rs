//! Why there is no MPI.

/// Why there is no MPI.
#[derive(Debug, thiserror::Error)]
pub enum MpiError {
    /// No library was found.
    #[error(
        "this process was started by an MPI launcher ({launcher}), but its library was not found: tried {tried}; name it in the environment variable DEM_MPI, for example DEM_MPI=/usr/lib/libmpi.so.40, or run alone with DEM_MPI=none"
    )]
    NoLibrary {
        /// The variable of the environment that says so.
        launcher: &'static str,
        /// What was tried.
        tried: String,
    },
    /// The library lacks a function.
    #[error("{library} is no MPI library: it has no {function}")]
    NoFunction {
        /// Path of the library.
        library: String,
        /// The function.
        function: &'static str,
    },
    /// A function failed.
    #[error("{function} of {library} failed with code {code}")]
    Failed {
        /// Path of the library.
        library: String,
        /// The function.
        function: &'static str,
        /// What it returned.
        code: i32,
    },
    /// The library does not know the other ranks.
    #[error(
        "the launcher has started {launched} processes, of which {library} knows {known}: it belongs to another MPI; name the launcher's library in DEM_MPI"
    )]
    OtherLauncher {
        /// Path of the library.
        library: String,
        /// Ranks that the launcher has started.
        launched: usize,
        /// Ranks that the library knows of.
        known: usize,
    },
}
