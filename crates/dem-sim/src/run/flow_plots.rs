//! Plots of what leaves the domain, and of materials.

use dem_view::{AxisScale, LinePlot, Series};

use super::series_curves::{SeriesCurves, over_time};

/// Mass flow and mass that has left, of all and of every material that is followed; nothing where nothing leaves.
pub(super) fn flow(curves: &SeriesCurves) -> Vec<LinePlot> {
    if !curves.tells("removed_mass") {
        return Vec::new();
    }
    let columns = || {
        let materials = curves.names_between("removed_mass_", "").map(|name| (format!("removed_mass_{name}"), name));
        std::iter::once(("removed_mass".to_owned(), "all")).chain(materials)
    };
    let rates: Vec<Series> = columns().map(|(column, label)| curves.rate(&column, label)).collect();
    let masses: Vec<Series> = columns().map(|(column, label)| curves.line(&column, label)).collect();
    curves.aligned(vec![
        over_time("Flow out of the domain", "mass flow [kg/s]", AxisScale::Linear, rates),
        over_time("Mass that has left", "mass [kg]", AxisScale::Linear, masses),
    ])
}

/// Index of Lacey of every grid, and shares of materials in regions.
pub(super) fn mixing(curves: &SeriesCurves) -> Vec<LinePlot> {
    let grids: Vec<&str> = curves.names_between("mixing_", "_lacey").collect();
    let index = grids.iter().map(|grid| curves.line(&format!("mixing_{grid}_lacey"), grid)).collect();
    let shares: Vec<Series> = curves
        .names_between("region_", "")
        .filter_map(|name| name.split_once("_share_").map(|(region, material)| (name, region, material)))
        .map(|(name, region, material)| curves.line(&format!("region_{name}"), &format!("{material} in {region}")))
        .collect();
    vec![
        over_time("Mixing", "index of Lacey [-]", AxisScale::Linear, index),
        over_time("Segregation", "share of the mass [-]", AxisScale::Linear, shares),
    ]
}
