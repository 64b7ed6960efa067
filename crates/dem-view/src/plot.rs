//! Plots of series.
