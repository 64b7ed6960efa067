//! Tables of the study. Stresses and strains are positive in compression.

use dem_report::statistics::MeanEstimate;
use dem_report::table::{Table, Value};

use super::results::{Results, Scanned, Tested};
use crate::triaxial::Bounds;

/// All tables.
pub fn all(results: &Results) -> Vec<Table> {
    let mut tables = vec![shapes(results), assemblies(results), preparations(results), courses(results)];
    if !results.probed.is_empty() {
        tables.push(probes(results));
    }
    tables
}

/// Mean and ends of its interval.
fn interval(found: &MeanEstimate) -> [Value; 3] {
    let [low, high] = found.interval();
    [found.mean, low, high].map(Value::Number)
}

fn shapes(results: &Results) -> Table {
    let mut table = Table::new(
        "clusters",
        &[
            "shape",
            "assemblies",
            "preparation_friction",
            "void_ratio",
            "void_ratio_low_95",
            "void_ratio_high_95",
            "peak_q_over_p",
            "peak_q_over_p_low_95",
            "peak_q_over_p_high_95",
            "strain_at_peak",
            "coordination",
            "is_chosen",
            "remark",
        ],
    );
    for (k, scanned) in results.scanned.iter().enumerate() {
        let mut cells = vec![scanned.shape.label().into(), scanned.tested.len().into(), scanned.friction.into()];
        cells.extend(interval(&scanned.mean(Tested::void_ratio)));
        cells.extend(interval(&scanned.mean(Tested::peak)));
        cells.extend([
            scanned.mean(Tested::strain_at_peak).mean.into(),
            scanned.mean(|tested| tested.sample.coordination).mean.into(),
            (k == results.chosen).into(),
            density_remark(results, scanned).into(),
        ]);
        table.push(cells);
    }
    table
}

/// Why the void ratio of a shape is not the one that was asked for; empty if it is.
pub fn density_remark(results: &Results, scanned: &Scanned) -> String {
    let asked = results.options.void_ratio;
    if scanned.is_as_dense_as(asked) {
        return String::new();
    }
    let tried = scanned.preparations.iter().map(|one| one.void_ratio);
    let (least, most) = tried.fold((f64::INFINITY, 0.0f64), |(a, b), tried| (a.min(tried), b.max(tried)));
    if (least..=most).contains(&asked) {
        let off = scanned.mean(Tested::void_ratio).mean - asked;
        format!("void ratio {off:+.3} off {asked}: the friction is that of the first assembly")
    } else {
        format!("no friction that was tried gives a void ratio of {asked}: they give {least:.3} to {most:.3}")
    }
}

fn tested(results: &Results) -> impl Iterator<Item = (&Scanned, &Tested)> {
    let of_shape = |scanned| move |tested| (scanned, tested);
    let all = results.scanned.iter().flat_map(move |scanned| scanned.tested.iter().map(of_shape(scanned)));
    all.chain(results.larger.iter().map(of_shape(results.best())))
}

fn assemblies(results: &Results) -> Table {
    let mut table = Table::new(
        "clusters_assemblies",
        &[
            "shape",
            "clusters",
            "seed",
            "preparation_friction",
            "void_ratio",
            "coordination",
            "stiffness_number",
            "peak_q_over_p",
            "strain_at_peak",
            "end_q_over_p",
            "largest_inertial_number",
            "largest_stress_error",
            "steps",
            "remark",
        ],
    );
    for (scanned, tested) in tested(results) {
        let largest = |value: fn(&crate::triaxial::point::Point) -> f64| {
            tested.course.points.iter().map(value).fold(0.0, f64::max)
        };
        table.push([
            scanned.shape.label().into(),
            tested.clusters.into(),
            tested.seed.into(),
            scanned.friction.into(),
            tested.void_ratio().into(),
            tested.sample.coordination.into(),
            tested.sample.stiffness_number.into(),
            tested.peak().into(),
            tested.strain_at_peak().into(),
            tested.course.points.last().map_or(f64::NAN, |point| point.q_over_p).into(),
            largest(|point| point.inertial_number).into(),
            largest(|point| point.stress_error).into(),
            tested.course.steps.into(),
            faults(tested).join("; ").into(),
        ]);
    }
    table
}

/// In what respects an assembly is not what was asked for.
pub fn faults(tested: &Tested) -> Vec<String> {
    let bounds = Bounds::default().broken(&tested.course);
    tested.in_vain.iter().cloned().chain(bounds).collect()
}

/// The same of all assemblies, with their names.
pub fn all_faults(results: &Results) -> Vec<String> {
    let named = |(scanned, tested): (&Scanned, &Tested)| {
        let (shape, seed, clusters) = (scanned.shape.label(), tested.seed, tested.clusters);
        faults(tested)
            .into_iter()
            .map(move |fault| format!("{shape}, {clusters} clusters, seed {seed}: {fault}"))
            .collect()
    };
    tested(results).flat_map(named as fn(_) -> Vec<String>).collect()
}

/// What the first assembly of each shape was in the search for the friction.
fn preparations(results: &Results) -> Table {
    let mut table = Table::new("clusters_preparations", &["shape", "preparation_friction", "void_ratio"]);
    for scanned in &results.scanned {
        for one in &scanned.preparations {
            table.push([scanned.shape.label().into(), one.friction.into(), one.void_ratio.into()]);
        }
    }
    table
}

fn courses(results: &Results) -> Table {
    let mut table = Table::new(
        "clusters_courses",
        &[
            "shape",
            "clusters",
            "seed",
            "axial_compression",
            "volumetric_compression",
            "q_over_p",
            "mean_compression_Pa",
            "coordination",
            "sliding_share",
            "porosity",
            "inertial_number",
        ],
    );
    for (scanned, tested) in tested(results) {
        for point in &tested.course.points {
            table.push([
                scanned.shape.label().into(),
                tested.clusters.into(),
                tested.seed.into(),
                point.strain.into(),
                point.volumetric_strain.into(),
                point.q_over_p.into(),
                point.mean_stress.into(),
                point.coordination.into(),
                point.sliding_share.into(),
                point.porosity.into(),
                point.inertial_number.into(),
            ]);
        }
    }
    table
}

fn probes(results: &Results) -> Table {
    let mut table = Table::new(
        "clusters_probes",
        &[
            "state",
            "seed",
            "q_over_p",
            "unbalanced_force",
            "mobilised_share",
            "plastic_modulus_MPa",
            "yield_direction_deg",
            "flow_direction_deg",
            "conventional_relative_difference",
            "conventional_relative_difference_low",
            "conventional_relative_difference_high",
            "remark",
        ],
    );
    for probed in &results.probed {
        table.push([
            probed.moment.name().into(),
            probed.seed.into(),
            probed.q_over_p.into(),
            probed.unbalanced_force.into(),
            probed.mobilised_share.into(),
            probed.modulus.into(),
            probed.directions[0].into(),
            probed.directions[1].into(),
            probed.difference.into(),
            probed.interval[0].into(),
            probed.interval[1].into(),
            probed.remark.as_str().into(),
        ]);
    }
    table
}
