//! Tables, figures and statements of the study.

use dem_report::drawing::{line, linear};
use dem_report::report::{Figure, Report};
use dem_report::statistics::MeanEstimate;
use dem_report::table::Table;
use dem_view::{LinePlot, Series, SeriesStyle};

use super::measurement::{Measurement, Slab};

/// Part of the weight by which the forces on the walls may differ from it.
const BALANCE: f64 = 0.005;
/// Runs that get a panel of their own.
const MOST_PANELS: usize = 4;
/// Points of a curve.
const POINTS: usize = 100;

/// A number of a silo that groups of silos are compared by.
type Quantity = (&'static str, fn(&Measurement) -> f64);

/// What two ways of filling are compared by.
const COMPARED: [Quantity; 7] = [
    ("floor share of the weight", |m| m.floor_share),
    ("lateral ratio K", |m| m.lateral_ratio),
    ("mobilised wall friction", |m| m.wall_friction),
    ("lambda/D measured", |m| m.length / m.diameter),
    ("lambda/D fitted", |m| m.fitted_length / m.diameter),
    ("residual of the law", |m| m.residual),
    ("solid fraction", |m| m.solid_fraction),
];

/// The report.
pub fn report(all: &[Measurement]) -> Report {
    let mut labels: Vec<&str> = all.iter().map(|m| m.label.as_str()).collect();
    labels.dedup();
    let groups: Vec<Vec<&Measurement>> =
        labels.iter().map(|label| all.iter().filter(|m| m.label == **label).collect()).collect();
    let mut tables = vec![runs(all), slabs(all)];
    let mut findings = vec![balance(all)];
    findings.extend(groups.iter().map(|group| of_group(group)));
    if let [first, second] = &groups[..]
        && first.len() == second.len()
        && first.len() > 1
    {
        let (table, sentences) = comparison(first, second);
        tables.push(table);
        findings.extend(sentences);
    }
    Report { tables, figures: figures(all, &groups), findings, ..Report::default() }
}

fn runs(all: &[Measurement]) -> Table {
    let mut table = Table::new(
        "janssen",
        &[
            "run",
            "seed",
            "particles",
            "diameters_across",
            "height_over_diameter",
            "solid_fraction",
            "floor_share",
            "wall_share",
            "imbalance",
            "floor_share_by_law",
            "lateral_ratio",
            "lateral_ratio_deviation",
            "wall_friction",
            "wall_friction_deviation",
            "lambda_m",
            "lambda_fitted_m",
            "residual",
            "residual_fitted",
        ],
    );
    for m in all {
        table.push([
            m.label.as_str().into(),
            m.seed.into(),
            m.particles.into(),
            (m.diameter / m.sphere).into(),
            (m.height / m.diameter).into(),
            m.solid_fraction.into(),
            m.floor_share.into(),
            m.wall_share.into(),
            m.imbalance().into(),
            m.expected_floor_share().into(),
            m.lateral_ratio.into(),
            m.lateral_deviation.into(),
            m.wall_friction.into(),
            m.friction_deviation.into(),
            m.length.into(),
            m.fitted_length.into(),
            m.residual.into(),
            m.fitted_residual.into(),
        ]);
    }
    table
}

fn slabs(all: &[Measurement]) -> Table {
    let mut table = Table::new(
        "janssen_profile",
        &[
            "run",
            "seed",
            "height_m",
            "depth_m",
            "solid_fraction",
            "wall_pressure_Pa",
            "wall_shear_Pa",
            "vertical_stress_Pa",
            "law_Pa",
            "law_fitted_Pa",
            "lateral_ratio",
            "wall_friction",
            "inside",
        ],
    );
    for m in all {
        for slab in &m.slabs {
            table.push([
                m.label.as_str().into(),
                m.seed.into(),
                slab.height.into(),
                slab.depth.into(),
                slab.solid_fraction.into(),
                slab.pressure.into(),
                slab.shear.into(),
                slab.stress.into(),
                m.law(m.length, slab.depth).into(),
                m.law(m.fitted_length, slab.depth).into(),
                (slab.pressure / slab.stress).into(),
                (slab.shear / slab.pressure).into(),
                slab.is_inside.into(),
            ]);
        }
    }
    table
}

fn balance(all: &[Measurement]) -> String {
    let worst = all.iter().map(|m| m.imbalance().abs()).fold(0.0, f64::max);
    format!(
        "Floor and wall bear the weight to {:.4} % in the worst of {} silos (asked for: {} %, {}).",
        100.0 * worst,
        all.len(),
        100.0 * BALANCE,
        if worst <= BALANCE { "kept" } else { "not kept" }
    )
}

/// Mean and standard deviation as text, or the number alone if there is one.
fn spread(group: &[&Measurement], of: impl Fn(&Measurement) -> f64) -> String {
    let numbers: Vec<f64> = group.iter().map(|m| of(m)).collect();
    let found = MeanEstimate::of(&numbers);
    if numbers.len() < 2 { format!("{:.3}", found.mean) } else { format!("{:.3} ({:.3})", found.mean, found.deviation) }
}

fn of_group(group: &[&Measurement]) -> String {
    let Some(first) = group.first() else { return String::new() };
    let many = if group.len() > 1 {
        format!("{} silos, means with standard deviations over seeds in brackets", group.len())
    } else {
        "one silo".to_owned()
    };
    format!(
        "{}, {many}: {:.1} diameters across, filled to {} D; K = {}, mobilised wall friction {}, so lambda = {} D, while {} D fits best. Janssen's law \
         with the measured lambda misses the vertical stress by {} of its mean, with the fitted one by {}. The floor bears {} of the \
         weight, by the law {}.",
        first.label,
        first.diameter / first.sphere,
        spread(group, |m| m.height / m.diameter),
        spread(group, |m| m.lateral_ratio),
        spread(group, |m| m.wall_friction),
        spread(group, |m| m.length / m.diameter),
        spread(group, |m| m.fitted_length / m.diameter),
        spread(group, |m| m.residual),
        spread(group, |m| m.fitted_residual),
        spread(group, |m| m.floor_share),
        spread(group, Measurement::expected_floor_share),
    )
}

/// Compares two groups seed by seed.
fn comparison(first: &[&Measurement], second: &[&Measurement]) -> (Table, Vec<String>) {
    let mut table =
        Table::new("janssen_fillings", &["quantity", "first", "second", "difference", "half_width", "differs"]);
    let mut sentences = Vec::new();
    for (name, of) in COMPARED {
        let mean = |group: &[&Measurement]| group.iter().map(|m| of(m)).sum::<f64>() / group.len() as f64;
        let differences: Vec<f64> = first.iter().zip(second).map(|(a, b)| of(a) - of(b)).collect();
        let found = MeanEstimate::of(&differences);
        let cells = [name.into(), mean(first).into(), mean(second).into(), found.mean.into()];
        table.push(cells.into_iter().chain([found.half_width.into(), found.is_significant().into()]));
        sentences.push(format!(
            "{} minus {}, {name}: {:+.4} +- {:.4} (95 %, {} seeds): {}.",
            first[0].label,
            second[0].label,
            found.mean,
            found.half_width,
            differences.len(),
            if found.is_significant() { "they differ" } else { "no difference can be told from chance" }
        ));
    }
    (table, sentences)
}

fn figures(all: &[Measurement], groups: &[Vec<&Measurement>]) -> Vec<Figure> {
    let stresses: Vec<LinePlot> = groups.iter().take(MOST_PANELS).filter_map(|group| stress_panel(group)).collect();
    let of_slabs = |of: fn(&Slab) -> f64| -> Vec<Series> {
        let points = |group: &Vec<&Measurement>| {
            let slabs = group.iter().flat_map(|m| m.slabs.iter().map(|slab| (slab.depth / m.diameter, slab)));
            slabs.map(|(depth, slab)| [depth, of(slab)]).collect()
        };
        groups
            .iter()
            .take(MOST_PANELS)
            .map(|group| line(&*group[0].label, points(group), SeriesStyle::Markers))
            .collect()
    };
    let ratios = vec![
        linear("Wall pressure over vertical stress", "depth / D", "K", of_slabs(|slab| slab.pressure / slab.stress)),
        linear(
            "Wall shear over wall pressure",
            "depth / D",
            "wall friction",
            of_slabs(|slab| slab.shear / slab.pressure),
        ),
    ];
    if all.is_empty() {
        return Vec::new();
    }
    vec![Figure { name: "janssen", panels: stresses }, Figure { name: "janssen_ratios", panels: ratios }]
}

/// Vertical stress over depth, of all silos of a group, with the law of the first of them.
fn stress_panel(group: &[&Measurement]) -> Option<LinePlot> {
    let first = group.first()?;
    let curve = |length: f64| {
        let depth = |k: usize| first.height * k as f64 / POINTS as f64;
        (0..=POINTS).map(|k| [depth(k), first.law(length, depth(k))]).collect::<Vec<_>>()
    };
    let mean = |of: fn(&Measurement) -> f64| group.iter().map(|m| of(m)).sum::<f64>() / group.len() as f64;
    let of =
        |value: fn(&Slab) -> f64| group.iter().flat_map(|m| &m.slabs).map(|slab| [slab.depth, value(slab)]).collect();
    let series = vec![
        line("vertical stress", of(|slab| slab.stress), SeriesStyle::Markers),
        line("wall pressure", of(|slab| slab.pressure), SeriesStyle::Markers),
        line("Janssen, K and friction measured", curve(mean(|m| m.length)), SeriesStyle::Line),
        line("Janssen, fitted", curve(mean(|m| m.fitted_length)), SeriesStyle::Dashes),
    ];
    Some(linear(first.label.clone(), "depth [m]", "stress [Pa]", series))
}
