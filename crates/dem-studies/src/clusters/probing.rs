//! Probes of the assemblies of a shape, in motion and at rest, under the laws `kuhn` and `conventional`.

use std::path::{Path, PathBuf};

use dem_io::atomic::write_atomically;
use dem_report::parallel_runs::side_by_side;
use dem_report::shard::Shard;
use dem_report::table::Table;
use dem_report::unfinished::Unfinished;
use xxhash_rust::xxh3::xxh3_128;

use super::options::Options;
use super::results::{Moment, Probed, Scanned, Tested};
use crate::error::StudyError;
use crate::probe::{self, LawChoice};
use crate::triaxial::course::Prepared;
use crate::triaxial::course::approach::{Approach, Approached};

/// Folder of the states and their probes, beside the results.
pub const PROBING: &str = "probing";
/// The laws, that of the paper first.
pub const LAWS: [&str; 2] = ["kuhn", "conventional"];

/// Share of q/p at which the sample begins to be sheared slowly, and the factor of the rate: what moves as fast as in a test changes by itself by more than
/// a probe does.
const SLOW: [f64; 2] = [0.97, 0.005];

/// A state with what the probes need.
struct State {
    seed: u64,
    moment: Moment,
    scene: PathBuf,
    file: PathBuf,
    folder: PathBuf,
    q_over_p: f64,
    unbalanced_force: f64,
    mobilised_share: f64,
}

/// Shears the assemblies of a shape up to the q/p that is asked for and probes them there.
///
/// # Errors
/// A step that fails, files that cannot be read or written.
pub fn all(options: &Options, scanned: &Scanned, kept: &Unfinished, folder: &Path) -> Result<Vec<Probed>, StudyError> {
    let Some(directions) = options.directions else { return Ok(Vec::new()) };
    let saved = side_by_side(&scanned.tested, |tested| save(options, scanned, tested, kept, folder))?;
    let states: Vec<State> = saved.into_iter().flatten().collect();
    #[expect(clippy::disallowed_methods, reason = "how many probes are done at a time changes no result")]
    let threads = rayon::current_num_threads();
    states.into_iter().map(|state| probe_state(state, directions, options.relax, threads)).collect()
}

/// Saves both states of an assembly, none if it does not reach q/p.
fn save(
    options: &Options,
    scanned: &Scanned,
    tested: &Tested,
    kept: &Unfinished,
    folder: &Path,
) -> Result<Vec<State>, StudyError> {
    let loaded = options.scene(&scanned.shape, scanned.friction, tested.seed, tested.clusters)?;
    let q_over_p = options.probed_at;
    let approach = Approach { fast_to: SLOW[0] * q_over_p, factor: SLOW[1], q_over_p };
    let prepared = Prepared::new(&loaded, kept, None)?;
    let Some(point) = prepared.approach(&options.triaxial(), &approach)? else { return Ok(Vec::new()) };
    let write = |moment: Moment| write_state(&loaded.resolved().to_string(), &point, tested.seed, moment, folder);
    [Moment::Moving, Moment::AtRest].into_iter().map(write).collect()
}

/// Writes a state and its scene into a folder for its probes, which is named for what it holds: probes of other states lie beside them.
fn write_state(scene: &str, point: &Approached, seed: u64, moment: Moment, folder: &Path) -> Result<State, StudyError> {
    let (bytes, at, mobilised_share) = match moment {
        Moment::Moving => (&point.moving, &point.reached, point.mobilised[0]),
        Moment::AtRest => (&point.resting, &point.at_rest, point.mobilised[1]),
    };
    let hash = format!("{:016x}", xxh3_128(&[scene.as_bytes(), bytes].concat()) as u64);
    let name = format!("seed={seed},{},{hash}", moment.name().replace(' ', "_"));
    let folder = folder.join(PROBING).join(name);
    std::fs::create_dir_all(&folder).map_err(dem_io::Error::system("create directory", &folder))?;
    let state = State {
        seed,
        moment,
        scene: folder.join("scene.resolved.toml"),
        file: folder.join("state.ckpt"),
        q_over_p: at.q_over_p,
        unbalanced_force: at.unbalanced_force,
        mobilised_share,
        folder,
    };
    write_atomically(&state.scene, scene.as_bytes())?;
    write_atomically(&state.file, bytes)?;
    Ok(state)
}

fn probe_state(state: State, directions: usize, relax: u32, threads: usize) -> Result<Probed, StudyError> {
    let options = probe::Options {
        scene: state.scene,
        state: state.file,
        laws: LAWS.iter().map(|law| LawChoice::parse(law)).collect::<Result<_, _>>()?,
        directions,
        relax: vec![relax],
        // the stiffness of elastic probes tells the irreversible part, in a third of the steps
        unload: 0,
        ..probe::Options::default()
    };
    let probed = probe::run(&options, &state.folder, Shard::WHOLE, threads, &|_, _| {})?;
    let report = probed.map(|probed| probed.report).unwrap_or_default();
    report.write(&state.folder)?;
    let table = |name: &str| report.tables.iter().find(|table| table.name == name);
    let number = |table: Option<&Table>, cells: &[(&str, &str)], column: &str| {
        table.map_or(f64::NAN, |table| table.number(cells, column))
    };
    let circle = |column| {
        number(table("probe"), &[("law", LAWS[0]), ("irreversible_by", "elastic"), ("side", "loading")], column)
    };
    let apart =
        |column| number(table("probe_differences"), &[("law", LAWS[1]), ("irreversible_by", "elastic")], column);
    Ok(Probed {
        seed: state.seed,
        moment: state.moment,
        q_over_p: state.q_over_p,
        unbalanced_force: state.unbalanced_force,
        mobilised_share: state.mobilised_share,
        modulus: circle("plastic_modulus_MPa"),
        directions: [circle("yield_direction_deg"), circle("flow_direction_deg")],
        difference: apart("relative_difference"),
        interval: [apart("relative_difference_low"), apart("relative_difference_high")],
        remark: report.shortfalls.join("; "),
        panels: report.figures.into_iter().filter(|figure| figure.name == "probe").flat_map(|f| f.panels).collect(),
    })
}
