//! Tables of a profile.

use dem_report::ReportError;
use dem_report::given::one_of;
use dem_report::table::{Table, Value};

use super::averages::BinSums;
use super::axis::Axis;
use super::bins::Bins;
use super::region::Region;
use super::results::Results;
use crate::error::AnalysisError;

/// Columns of the profile, before and after those that depend on the axis.
const FIRST: [&str; 7] = [
    "solid_fraction",
    "porosity",
    "spheres",
    "particles",
    "coordination",
    "wall_contacts",
    "granular_temperature_m2_s2",
];
const LAST: [&str; 3] = ["pressure_Pa", "kinetic_pressure_Pa", "stress_antisymmetric_Pa"];
const CARTESIAN: [&str; 9] = [
    "velocity_x_m_s",
    "velocity_y_m_s",
    "velocity_z_m_s",
    "stress_xx_Pa",
    "stress_yy_Pa",
    "stress_zz_Pa",
    "stress_xy_Pa",
    "stress_xz_Pa",
    "stress_yz_Pa",
];
const CYLINDRICAL: [&str; 9] = [
    "velocity_r_m_s",
    "velocity_t_m_s",
    "velocity_z_m_s",
    "stress_rr_Pa",
    "stress_tt_Pa",
    "stress_zz_Pa",
    "stress_rt_Pa",
    "stress_rz_Pa",
    "stress_tz_Pa",
];

/// Names of the columns of the profile along an axis.
pub fn columns(axis: Axis) -> Vec<&'static str> {
    let (position, directed) = match axis {
        Axis::X => ("x_m", CARTESIAN),
        Axis::Y => ("y_m", CARTESIAN),
        Axis::Z => ("z_m", CARTESIAN),
        Axis::Radius => ("r_m", CYLINDRICAL),
    };
    [position].into_iter().chain(FIRST).chain(directed).chain(LAST).collect()
}

/// Checks names of columns that are to be drawn.
///
/// # Errors
/// A name that is none.
pub fn check_fields(axis: Axis, fields: &[String]) -> Result<(), AnalysisError> {
    let known = columns(axis);
    match fields.iter().find(|field| !known[1..].contains(&field.as_str())) {
        Some(unknown) => Err(ReportError::Option {
            option: "--field",
            value: unknown.clone(),
            allowed: one_of(unknown, &known[1..]),
        }
        .into()),
        None => Ok(()),
    }
}

/// Distance from the wall in diameters, solid fraction and volume of every shell.
pub fn distance_from_wall(bins: &Bins, sums: &[BinSums], frames: usize, diameter: f64) -> Vec<(f64, f64, f64)> {
    let Region::Cylinder { radius, .. } = bins.region else { return Vec::new() };
    let of_bin = |(bin, sum): (usize, &BinSums)| {
        let middle = 0.5 * (bins.edge(bin) + bins.edge(bin + 1));
        let volume = bins.volume(bin);
        ((radius - middle) / diameter, sum.volume / (volume * frames as f64), volume)
    };
    sums.iter().enumerate().map(of_bin).collect()
}

/// All tables, the profile first.
pub fn all(results: &Results) -> Vec<Table> {
    let mut tables = vec![profile(results), structure(results)];
    if let Some(found) = &results.radial_distribution {
        let mut table = Table::new("radial_distribution", &["distance_m", "distance_diameters", "g", "neighbours"]);
        for (bin, (value, neighbours)) in found.values.iter().zip(&found.neighbours).enumerate() {
            let distance = (bin as f64 + 0.5) * found.width;
            let in_diameters = distance / results.last.mean_diameter();
            table.push([distance.into(), in_diameters.into(), (*value).into(), (*neighbours).into()]);
        }
        tables.push(table);
    }
    if let Some(found) = &results.contact_numbers {
        let mut table = Table::new("contact_numbers", &["contacts", "particles", "share"]);
        for (number, &particles) in found.distribution.iter().enumerate() {
            table.push([
                number.into(),
                particles.into(),
                (particles as f64 / results.last.grains.count() as f64).into(),
            ]);
        }
        tables.push(table);
    }
    tables
}

fn profile(results: &Results) -> Table {
    let Results { bins, sums, has_contacts, times, .. } = results;
    let mut table = Table::new("profile", &columns(bins.axis));
    let frames = times.len() as f64;
    let with_contacts = |value: f64| if *has_contacts { value } else { f64::NAN };
    for (bin, sum) in sums.iter().enumerate() {
        let volume = bins.volume(bin) * frames;
        let fraction = sum.volume / volume;
        let stress = |a: usize, b: usize| with_contacts(0.5 * (sum.virial[a][b] + sum.virial[b][a]) / volume);
        let skew = |a: usize, b: usize| 0.5 * (sum.virial[a][b] - sum.virial[b][a]) / volume;
        let antisymmetric = (skew(0, 1).powi(2) + skew(0, 2).powi(2) + skew(1, 2).powi(2)).sqrt();
        let velocity = if sum.mass > 0.0 { sum.velocity.to_array() } else { [f64::NAN; 3] };
        let row = [
            0.5 * (bins.edge(bin) + bins.edge(bin + 1)),
            fraction,
            1.0 - fraction,
            sum.spheres / frames,
            sum.particles / frames,
            with_contacts(sum.pair_contacts / sum.particles),
            with_contacts(sum.wall_contacts / sum.particles),
            sum.granular_temperature(),
            velocity[0],
            velocity[1],
            velocity[2],
            stress(0, 0),
            stress(1, 1),
            stress(2, 2),
            stress(0, 1),
            stress(0, 2),
            stress(1, 2),
            -(stress(0, 0) + stress(1, 1) + stress(2, 2)) / 3.0,
            sum.fluctuation / (3.0 * volume),
            with_contacts(antisymmetric),
        ];
        table.push(row.map(Value::from));
    }
    table
}

fn structure(results: &Results) -> Table {
    let mut table = Table::new("structure", &["quantity", "value"]);
    let mut row = |quantity: &str, value: f64| table.push([quantity.into(), value.into()]);
    let frames = results.times.len() as f64;
    let solid: f64 = results.sums.iter().map(|sum| sum.volume).sum();
    row("solid_fraction", solid / (results.bins.region.volume() * frames));
    row("region_volume_m3", results.bins.region.volume());
    row("mean_diameter_m", results.last.mean_diameter());
    row("size_spread", results.last.size_spread());
    if let Some(contacts) = &results.contact_numbers {
        row("coordination", contacts.coordination);
        row("coordination_without_rattlers", contacts.without_rattlers);
        row("coordination_mechanical", contacts.mechanical);
        row("rattlers", contacts.rattlers as f64);
        row("rattler_share", contacts.rattlers as f64 / results.last.grains.count() as f64);
        for (name, value) in ["xx", "yy", "zz", "xy", "xz", "yz"].iter().zip(contacts.fabric) {
            row(&format!("fabric_{name}"), value);
        }
    }
    if let Some(order) = &results.bond_order {
        row("q6_local", order.local);
        row("q6_local_standard_deviation", order.spread);
        row("q6_global", order.global);
        row("voronoi_neighbours", order.neighbours);
        row("voronoi_cells", order.particles as f64);
    }
    if let Some(waves) = &results.waves {
        row("wall_peak_1_diameters", waves.peaks[0]);
        row("wall_peak_2_diameters", waves.peaks[1]);
        row("wall_period_diameters", waves.period);
        row("porosity_far_from_wall", waves.bulk);
        row("deviation_from_de_klerk", waves.deviation);
    }
    table
}
