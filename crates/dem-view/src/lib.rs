//! Pictures of spheres and plots of series, without system fonts or a display.
