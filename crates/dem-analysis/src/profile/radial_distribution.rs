//! Radial distribution function: how many centres are at a distance of another, in proportion to a random arrangement.
//!
//! Both centres of a pair lie in a window W. A pair with the difference d counts with 1/|W ∩ (W + d)|, the volume in which its first
//! centre could lie: the translation correction, which has no bias for any shape of window (J. Ohser, On estimators for the reduced second
//! moment measure of point processes, Math. Operationsforsch. Statist. Ser. Statist. 14 (1983) 63; D. Stoyan, W. S. Kendall, J. Mecke,
//! Stochastic Geometry and its Applications, 2nd ed., Wiley 1995). Over a periodic direction the window has no end.

use dem_core::DVec3;
use rayon::prelude::*;

use super::assembly::Assembly;
use super::neighbours::Neighbourhood;
use super::region::Region;

/// Largest distance in mean diameters.
const REACH: f64 = 4.0;
/// Bins of the distance over one mean diameter.
const BINS_PER_DIAMETER: usize = 40;
/// Distance in mean diameters that the window keeps from the limits of the region, where there is room for it.
const CLEARANCE: f64 = 3.0;
/// Fewest centres for which the clearance is kept.
const FEWEST: usize = 500;
/// Parts in which particles are counted, whatever the number of threads.
const PARTS: usize = 16;

/// The function, with the window it was taken in.
#[derive(Clone, Debug, PartialEq)]
pub struct RadialDistribution {
    /// Width of a bin \[m\].
    pub width: f64,
    /// Values, bin by bin \[-\].
    pub values: Vec<f64>,
    /// Mean number of neighbours up to the upper edge of each bin \[-\].
    pub neighbours: Vec<f64>,
    /// Centres in the window.
    pub centres: usize,
    /// How far the window is from the limits of the region \[m\].
    pub clearance: f64,
}

/// Of the centres of grains in a region, of rigid bodies those of mass, up to four mean diameters or half of the shortest period; `None` with fewer than two centres.
pub fn radial_distribution(assembly: &Assembly, region: &Region) -> Option<RadialDistribution> {
    let diameter = assembly.mean_diameter();
    let inside = |window: &Region| -> Vec<DVec3> {
        assembly.grains.centre.iter().copied().filter(|&x| window.contains(x)).collect()
    };
    let candidates = [CLEARANCE * diameter, 0.5 * diameter].map(|by| (by, region.shrunk(by)));
    let windows = candidates.into_iter().filter_map(|(by, window)| Some((by, window?)));
    let mut windows = windows.map(|(by, window)| (by, window, inside(&window)));
    let (clearance, window, centres) =
        windows.find(|(by, _, centres)| centres.len() >= FEWEST || *by < diameter).filter(|w| w.2.len() > 1)?;
    // a pair over a periodic face lies in the window only if the window is a whole period
    let mut cell = assembly.surroundings.cell;
    cell.periodic = window.whole();
    let periods = (0..3).filter(|&k| cell.periodic[k]).map(|k| 0.5 * cell.width(k));
    let reach = periods.fold(REACH * diameter, f64::min);
    let width = diameter / BINS_PER_DIAMETER as f64;
    let bins = (reach / width) as usize;
    let near = Neighbourhood::new(&centres, reach, &cell);
    let size = centres.len().div_ceil(PARTS);
    let parts: Vec<Vec<f64>> = (0..PARTS)
        .into_par_iter()
        .map(|part| {
            let mut sums = vec![0.0; bins];
            for row in part * size..((part + 1) * size).min(centres.len()) {
                near.around(row, |other, way| {
                    let bin = (way.length() / width) as usize;
                    // each pair once; a pair and its reverse have the same weight
                    if other > row && bin < bins {
                        let volume = common_volume(&window, way);
                        if volume > 0.0 {
                            sums[bin] += 2.0 / volume;
                        }
                    }
                });
            }
            sums
        })
        .collect();
    let count = centres.len() as f64;
    // pairs of different centres: for independent ones the estimate of the squared density without bias
    let volume = window.volume();
    let square = count * (count - 1.0) / (volume * volume);
    let mut neighbours = Vec::with_capacity(bins);
    let mut values = Vec::with_capacity(bins);
    let mut running = 0.0;
    for bin in 0..bins {
        let sum: f64 = parts.iter().map(|part| part[bin]).sum();
        let edge = |k: usize| (k as f64 * width).powi(3);
        let shell = 4.0 / 3.0 * std::f64::consts::PI * (edge(bin + 1) - edge(bin));
        values.push(sum / (square * shell));
        running += sum * volume / count;
        neighbours.push(running);
    }
    Some(RadialDistribution { width, values, neighbours, centres: centres.len(), clearance })
}

/// Volume common to a window and the same moved by `by` \[m³\].
fn common_volume(window: &Region, by: DVec3) -> f64 {
    match *window {
        Region::Box { low, high, whole } => (0..3)
            .map(|k| if whole[k] { high[k] - low[k] } else { (high[k] - low[k] - by[k].abs()).max(0.0) })
            .product(),
        Region::Cylinder { axis, radius, height, whole, .. } => {
            let along = by.dot(axis);
            let across = (by - along * axis).length();
            let height = if whole { height } else { (height - along.abs()).max(0.0) };
            if across >= 2.0 * radius {
                return 0.0;
            }
            let half = 0.5 * across;
            2.0 * height * (radius * radius * libm::acos(half / radius) - half * (radius * radius - half * half).sqrt())
        }
    }
}
