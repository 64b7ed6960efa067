//! Plots of tests: stress, volume and mobilised friction of a cell that deforms, or of what pistons press on. Compression is positive.

use std::path::Path;

use dem_core::bodies::principal_axes::principal_axes;
use dem_core::{DMat3, DVec3};
use dem_view::LinePlot;
use serde_json::Value as Json;

use super::series_curves::{SeriesCurves, panel};

/// Strains along the axes that differ by less, in proportion to the largest, are those of an isotropic compression.
const ISOTROPIC: f64 = 0.05;

/// Panels of the last stage of a run with a cell that deforms, or with pistons.
pub(super) fn panels(curves: &SeriesCurves, directory: &Path) -> Vec<LinePlot> {
    if curves.tells("mean_stress") && curves.tells("volumetric_strain") {
        cell(curves)
    } else {
        pistons(curves, directory)
    }
}

fn cell(curves: &SeriesCurves) -> Vec<LinePlot> {
    let rows = curves.last_stage();
    // the name of a column says which sense is positive
    let sign = if curves.column("compression_positive").is_empty() { -1.0 } else { 1.0 };
    let since = |name: &str| -> Vec<f64> {
        let values = &curves.column(name)[rows.clone()];
        values.iter().map(|value| 100.0 * sign * (value - values[0])).collect()
    };
    if rows.is_empty() {
        return Vec::new();
    }
    let strains = ["strain_xx", "strain_yy", "strain_zz"].map(since);
    let ends = strains.each_ref().map(|strain| strain.last().copied().unwrap_or(0.0));
    let axis = (0..3).max_by(|&a, &b| ends[a].abs().total_cmp(&ends[b].abs())).unwrap_or(2);
    let spread = ends.iter().map(|end| (end - ends[axis]).abs()).fold(0.0, f64::max);
    let volume = since("volumetric_strain");
    let mean: Vec<f64> = curves.column("mean_stress")[rows.clone()].iter().map(|p| 1e-3 * sign * p).collect();
    let of = |x: &[f64], x_label: &str, title: &str, y_label: &str, y: &[f64]| {
        panel(title, x_label, y_label, vec![curves.curve("", x, y)])
    };
    if spread <= ISOTROPIC * ends[axis].abs() {
        return vec![of(&volume, "volumetric compression [%]", "Compression", "mean stress p [kPa]", &mean)];
    }
    let across = format!("compression along {} [%]", ["x", "y", "z"][axis]);
    let angles: Vec<f64> = rows.clone().map(|row| mobilised_angle(curves, row, sign)).collect();
    let deviator: Vec<f64> = curves.column("deviator")[rows.clone()].iter().map(|q| 1e-3 * q).collect();
    let x = &strains[axis];
    vec![
        panel(
            "Stress",
            &across,
            "stress [kPa]",
            vec![curves.curve("deviator q", x, &deviator), curves.curve("mean stress p", x, &mean)],
        ),
        of(x, &across, "Volume", "volumetric compression [%]", &volume),
        of(x, &across, "Mobilised friction", "\\phi_m [deg]", &angles),
    ]
}

/// Angle of friction that the whole stress of a row mobilises, `sin φ = (σ₁ − σ₃)/(σ₁ + σ₃)` \[degrees\].
fn mobilised_angle(curves: &SeriesCurves, row: usize, sign: f64) -> f64 {
    let component = |name: &str| -> f64 {
        let parts = ["stress", "viscous_stress", "kinetic_stress"];
        parts.iter().filter_map(|part| curves.column(&format!("{part}_{name}")).get(row)).sum::<f64>() * sign
    };
    let [xx, yy, zz, yz, xz, xy] = ["xx", "yy", "zz", "yz", "xz", "xy"].map(component);
    let stress = DMat3::from_cols(DVec3::new(xx, xy, xz), DVec3::new(xy, yy, yz), DVec3::new(xz, yz, zz));
    if !stress.is_finite() {
        return f64::NAN;
    }
    let principal = principal_axes(&stress).moments;
    angle_between(principal.max_element(), principal.min_element())
}

/// Angle of friction that two principal stresses mobilise; not a number under tension.
fn angle_between(largest: f64, smallest: f64) -> f64 {
    let sine = (largest - smallest) / (largest + smallest);
    if largest + smallest > 0.0 && sine <= 1.0 { libm::asin(sine).to_degrees() } else { f64::NAN }
}

fn pistons(curves: &SeriesCurves, directory: &Path) -> Vec<LinePlot> {
    let rows = curves.last_stage();
    let names: Vec<&str> = curves.names_between("wall_", "_pressing_force").collect();
    if rows.is_empty() || names.is_empty() {
        return Vec::new();
    }
    let heights = heights(directory);
    let height = |name: &str| heights.iter().find(|(piston, _)| piston == name).map(|(_, height)| *height);
    let ways: Vec<Vec<f64>> = names
        .iter()
        .map(|name| {
            let way = &curves.column(&format!("wall_{name}_way"))[rows.clone()];
            way.iter().map(|w| w - way[0]).collect()
        })
        .collect();
    let gone = |k: &usize| ways[*k].last().map_or(0.0, |way| way.abs());
    let Some(driven) = (0..names.len()).max_by(|a, b| gone(a).total_cmp(&gone(b))) else { return Vec::new() };
    let (x, across): (Vec<f64>, String) = match height(names[driven]) {
        Some(height) => (
            ways[driven].iter().map(|way| 100.0 * way / height).collect(),
            format!("compression by {} [%]", names[driven]),
        ),
        None => (ways[driven].iter().map(|way| 1e3 * way).collect(), format!("way of {} [mm]", names[driven])),
    };
    let pressures: Vec<Vec<f64>> = names
        .iter()
        .map(|name| curves.column(&format!("wall_{name}_pressure"))[rows.clone()].iter().map(|p| 1e-3 * p).collect())
        .collect();
    let stress = names.iter().zip(&pressures).map(|(name, pressure)| curves.curve(name, &x, pressure)).collect();
    let mut panels = vec![panel("Stress", &across, "pressure [kPa]", stress)];
    let all: Option<Vec<f64>> = names.iter().map(|name| height(name)).collect();
    // three pistons bound a box along its three edges
    if let (Some(all), 3) = (all, names.len()) {
        let volume = |row: usize| {
            let left: f64 = (0..3).map(|k| 1.0 - ways[k][row] / all[k]).product();
            -100.0 * libm::log(left)
        };
        let volume: Vec<f64> = (0..x.len()).map(volume).collect();
        panels.push(panel("Volume", &across, "volumetric compression [%]", vec![curves.curve("", &x, &volume)]));
        let angle = |row: usize| {
            let of = pressures.iter().map(|pressure| pressure[row]);
            angle_between(of.clone().fold(f64::MIN, f64::max), of.fold(f64::MAX, f64::min))
        };
        let angles: Vec<f64> = (0..x.len()).map(angle).collect();
        panels.push(panel("Mobilised friction", &across, "\\phi_m [deg]", vec![curves.curve("", &x, &angles)]));
    }
    panels
}

/// Names of pistons and heights of what they press on at the start of the last stage \[m\], from the summary.
fn heights(directory: &Path) -> Vec<(String, f64)> {
    let summary: Option<Json> =
        std::fs::read(directory.join("summary.json")).ok().and_then(|bytes| serde_json::from_slice(&bytes).ok());
    let pistons = summary.as_ref().and_then(|summary| summary.get("pistons")).and_then(Json::as_array);
    let height = |piston: &Json| {
        let name = piston.get("name")?.as_str()?.to_owned();
        let [way, strain] = [piston.get("way")?, piston.get("sample")?.get("axial_strain")?].map(Json::as_f64);
        let height = way? / strain?;
        (height.is_finite() && height > 0.0).then_some((crate::measure::names::column_name(&name), height))
    };
    pistons.into_iter().flatten().filter_map(height).collect()
}
