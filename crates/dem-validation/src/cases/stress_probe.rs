//! Stress probes of a small sheared sample: what the elastic response, the refined and the usual slider make of small strains in many directions.

use std::path::Path;

use dem_io::atomic::write_atomically;
use dem_report::shard::Shard;
use dem_sim::checkpoint::{save, scene_fingerprint};
use dem_studies::error::StudyError;
use dem_studies::probe::{self, LawChoice, Options};
use dem_workloads::scenes::{TRIAXIAL_SMALL, triaxial_with_spheres};

use crate::case::{Case, Effort, Findings};
use crate::check::{Claim, Tier};

/// The case.
pub const CASE: Case = Case {
    name: "stress-probe",
    summary: "Small strains in all directions of the Rendulic plane on a sheared sample: an elastic response that is linear, and a state that stays.",
    claims: &[LINEAR, STILL],
    run,
};

const LINEAR: Claim = Claim {
    source: "without sliding a small strain meets a linear stiffness",
    tier: Tier::ClosedForm,
    weakness: "contacts open and close",
};

const STILL: Claim = Claim {
    source: "a sample at rest under a cell at rest keeps its stress",
    tier: Tier::ClosedForm,
    weakness: "the sample creeps a little",
};

/// Steps at rest between loading and probes.
const REST: u64 = 20_000;
/// Ratio of deviator to mean stress at which the sample is probed.
const Q_OVER_P: f64 = 0.25;

/// A sheared sample at rest in a folder, and how to probe it.
fn prepared(folder: &Path, effort: Effort) -> Result<Options, StudyError> {
    let mut set = triaxial_with_spheres(effort.pick(60, 200), 5);
    set.push(format!(
        "stages.shear.until={{ measure = {{ quantity = \"q_over_p\", above = {Q_OVER_P} }}, strain = {{ zz = 0.05 }} }}"
    ));
    let loaded = TRIAXIAL_SMALL.load(&set)?;
    let mut simulation = TRIAXIAL_SMALL.simulation(&set)?;
    while simulation.state.stopped.is_none() {
        simulation.advance()?;
    }
    if let Some(deformation) = &mut simulation.world.deformation {
        deformation.begin_stage(None);
    }
    for _ in 0..REST {
        simulation.pipeline.step(&mut simulation.world)?;
    }
    let (scene, state) = (folder.join("scene.toml"), folder.join("state.ckpt"));
    write_atomically(&scene, TRIAXIAL_SMALL.text().as_bytes())?;
    write_atomically(&state, &save(&simulation, &scene_fingerprint(&loaded.resolved()))?)?;
    Ok(Options {
        scene,
        set,
        state,
        directions: effort.pick(8, 24),
        laws: vec![LawChoice::parse("kuhn")?],
        steps: vec![10],
        relax: vec![40],
        magnitudes: vec![1e-6],
        // what an elastic response does not explain is irreversible: nothing is unloaded
        unload: 0,
        ..Options::default()
    })
}

#[expect(clippy::disallowed_methods, reason = "probes side by side; no result depends on how many")]
fn run(effort: Effort) -> Result<Findings, StudyError> {
    let folder = tempfile::tempdir().map_err(dem_io::Error::system("create directory", &std::env::temp_dir()))?;
    let options = prepared(folder.path(), effort)?;
    let threads = rayon::current_num_threads();
    let probed = probe::run(&options, &folder.path().join("probes"), Shard::WHOLE, threads, &|_, _| {})?;
    let Some(probed) = probed else {
        return Err(StudyError::Convergence { method: "stress probe", detail: "no result of all probes".to_owned() });
    };
    let table = |name: &str| probed.report.tables.iter().find(|table| table.name == name);
    let number = |name: &str, keys: &[(&str, &str)], column: &str| {
        table(name).map_or(f64::NAN, |table| table.number(keys, column))
    };
    let circle = |column: &str| number("probe", &[("irreversible_by", "elastic"), ("side", "loading")], column);
    let mut findings = Findings::default();
    let residual = number("probe_stiffness", &[("law", "elastic"), ("stress", "volumetric")], "residual");
    let still = number("probe_quality", &[("law", "kuhn")], "null_stress_over_smallest");
    findings.checks.extend([
        LINEAR.close("elastic response: residual of the linear fit of all stresses", 0.0, residual, 5e-3),
        LINEAR.close("probes that failed", 0.0, probed.failures as f64, 0.0),
        STILL.close("probe without strain: change of the stress over that of the smallest probe", 0.0, still, 1e-4),
    ]);
    findings.notes = probed.report.findings;
    // a sample as small as this has more than one mechanism, so that the circle is a figure and no check
    findings.notes.push(format!(
        "One plastic mechanism would put the irreversible strains of unit stresses on a circle through the origin (Kuhn, Suzuki & Daouadji, figure 5): the \
         points are {:.3} of its diameter off it, the origin {:.3}.",
        circle("misfit_over_diameter"),
        circle("origin_over_diameter")
    ));
    findings.tables = probed.report.tables.into_iter().filter(|table| table.name != "probe_increments").collect();
    findings.figures = probed.report.figures;
    Ok(findings)
}
