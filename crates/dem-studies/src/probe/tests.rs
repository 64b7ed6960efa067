use std::collections::BTreeMap;
use std::fs;

use dem_sim::checkpoint::{save, scene_fingerprint};
use dem_sim::{builder, measure};
use dem_workloads::scenes::{TRIAXIAL_SMALL, triaxial_with_spheres};

use super::*;

/// A sheared sample of few spheres and the options to probe it.
fn prepared(folder: &Path) -> Options {
    let scene = folder.join("scene.toml");
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/triaxial_small.toml");
    fs::copy(example, &scene).unwrap();
    let mut set = triaxial_with_spheres(60, 5);
    set.push(
        "stages.shear.until={ measure = { quantity = \"q_over_p\", above = 0.25 }, strain = { zz = 0.05 } }".into(),
    );
    let loaded = TRIAXIAL_SMALL.load(&set).unwrap();
    let mut simulation = builder::build(&loaded).unwrap();
    simulation.initialise().unwrap();
    let row = measure::series_row(&simulation);
    assert!(row.iter().all(|x| *x != 0.0 || x.is_sign_positive()), "zeros have no sign: {row:?}");
    while simulation.state.stopped.is_none() {
        simulation.advance().unwrap();
        if simulation.state.stage == 1 && simulation.world.step.is_multiple_of(500) {
            let shares = ["sliding_share", "mobilised_share"].map(|name| measure::value(&simulation, name).unwrap());
            assert!(shares[0] <= shares[1] && shares[1] <= 1.0, "{shares:?}");
        }
    }
    // the cell holds still until the sample is at rest
    simulation.world.deformation.as_mut().unwrap().begin_stage(None);
    for _ in 0..20_000 {
        simulation.pipeline.step(&mut simulation.world).unwrap();
    }
    let state = folder.join("state.ckpt");
    fs::write(&state, save(&simulation, &scene_fingerprint(&loaded.resolved())).unwrap()).unwrap();
    Options {
        scene,
        set,
        state,
        directions: 8,
        laws: vec![LawChoice::parse("kuhn").unwrap(), LawChoice::parse("conventional").unwrap()],
        steps: vec![4],
        relax: vec![3],
        unload: 60,
        ..Options::default()
    }
}

fn files_of(report: &Report, folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let name = |path: &PathBuf| path.file_name().unwrap().to_string_lossy().into_owned();
    report.write(folder).unwrap().iter().map(|path| (name(path), fs::read(path).unwrap())).collect()
}

fn whole(options: &Options, folder: &Path, threads: usize) -> Probed {
    run(options, folder, Shard::WHOLE, threads, &|_, _| {}).unwrap().unwrap()
}

#[test]
fn threads_interruptions_and_shards_change_no_byte_of_the_result() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let options = prepared(folder.path());
    let probed = whole(&options, &at("one"), 1);
    assert_eq!(probed.failures, 0, "{:?}", probed.report.findings);
    let expected = files_of(&probed.report, &at("report"));
    assert!(expected.len() > 10);
    assert_eq!(files_of(&whole(&options, &at("two"), 2).report, &at("report")), expected);

    // as after a kill: a third of the probes is missing, and one was about to be written
    let probes: Vec<PathBuf> = fs::read_dir(at("two/probes")).unwrap().map(|e| e.unwrap().path()).collect();
    assert_eq!(probes.len(), 3 * 9);
    probes.iter().step_by(3).for_each(|path| fs::remove_file(path).unwrap());
    let kept = fs::metadata(&probes[1]).unwrap().modified().unwrap();
    let missing = merge(&[at("two")]).unwrap_err().to_string();
    assert!(missing.contains("9 of 27 probes are missing"), "{missing}");
    assert_eq!(files_of(&whole(&options, &at("two"), 1).report, &at("report")), expected);
    assert_eq!(fs::metadata(&probes[1]).unwrap().modified().unwrap(), kept, "a finished probe is not done again");

    let parts: Vec<PathBuf> = (1..=3).map(|k| at(&format!("part{k}"))).collect();
    for (k, part) in parts.iter().enumerate() {
        let shard = Shard::parse(&format!("{}/3", k + 1)).unwrap();
        assert_eq!(run(&options, part, shard, 1, &|_, _| {}).unwrap(), None);
    }
    assert_eq!(files_of(&merge(&parts).unwrap().report, &at("report")), expected);
    assert!(merge(&parts[..2]).unwrap_err().to_string().contains("probes are missing"));
}

#[test]
fn other_states_laws_and_damaged_probes_are_refused_and_a_failed_probe_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let options = Options { directions: 4, unload: 0, steps: vec![2], relax: vec![0], ..prepared(folder.path()) };
    whole(&options, &at("a"), 1);
    let refused = |options: &Options| run(options, &at("a"), Shard::WHOLE, 1, &|_, _| {}).unwrap_err().to_string();
    let laws = vec![LawChoice::parse("kuhn:slip_rotation=false").unwrap()];
    assert!(refused(&Options { laws: laws.clone(), ..options.clone() }).contains("laws or their parameters differ"));
    assert!(refused(&Options { directions: 5, ..options.clone() }).contains("directions differ"));
    assert!(refused(&Options { magnitudes: vec![1e-6], ..options.clone() }).contains("strains or unloading differ"));
    let with_other_friction = [options.set.clone(), vec!["contact.friction=0.1".into()]].concat();
    assert!(refused(&Options { set: with_other_friction, ..options.clone() }).contains("another scene"));
    whole(&Options { laws, ..options.clone() }, &at("b"), 1);
    let both = merge(&[at("a"), at("b")]).unwrap_err().to_string();
    assert!(both.contains("laws or their parameters differ"), "{both}");
    assert!(merge(&[at("nothing")]).unwrap_err().to_string().contains("campaign.json"));

    let one = fs::read_dir(at("a/probes")).unwrap().next().unwrap().unwrap().path();
    let whole_text = fs::read_to_string(&one).unwrap();
    fs::write(&one, &whole_text[..whole_text.len() / 2]).unwrap();
    assert!(merge(&[at("a")]).is_err());
    let failed = whole_text.split_once("\"response\"").unwrap().0;
    fs::write(&one, format!("{failed}\"response\": null, \"failure\": \"a sphere is lost\"}}")).unwrap();
    let merged = merge(&[at("a")]).unwrap();
    assert_eq!(merged.failures, 1);
    assert!(merged.report.findings.iter().any(|f| f.contains("a sphere is lost")), "{:?}", merged.report.findings);
    // it is tried again
    assert_eq!(whole(&options, &at("a"), 1).failures, 0);
}

#[test]
fn campaign_is_described_before_anything_else_of_it_is_there() {
    let folder = tempfile::tempdir().unwrap();
    let options = Options { directions: 4, unload: 0, steps: vec![2], relax: vec![0], ..prepared(folder.path()) };
    // the folder of the probes cannot be made: as if it was killed just before
    let out = folder.path().join("out");
    fs::create_dir(&out).unwrap();
    fs::write(out.join("probes"), "").unwrap();
    let refused = run(&options, &out, Shard::WHOLE, 1, &|_, _| {}).unwrap_err().to_string();
    assert!(refused.contains("create directory"), "{refused}");
    assert!(is_campaign(&out));
    fs::remove_file(out.join("probes")).unwrap();
    assert_eq!(whole(&options, &out, 1).failures, 0);
}

#[test]
fn options_out_of_range_are_refused() {
    let law = |text: &str| LawChoice::parse(text).unwrap();
    let given = Options { laws: vec![law("kuhn")], ..Options::default() };
    let refused =
        |options: Options| run(&options, Path::new("nowhere"), Shard::WHOLE, 1, &|_, _| {}).unwrap_err().to_string();
    assert!(refused(Options { directions: 3, ..given.clone() }).starts_with("--directions = 3, expected 4 to"));
    assert!(refused(Options { steps: vec![0], ..given.clone() }).starts_with("--steps = 0"));
    assert!(refused(Options { steps: vec![3, 3], ..given.clone() }).starts_with("--steps = a number twice"));
    assert!(refused(Options { magnitudes: vec![0.5], ..given.clone() }).starts_with("--magnitude = 0.5"));
    assert!(refused(Options { laws: vec![law("kuhn"), law("kuhn")], ..given.clone() }).contains("different names"));
    assert!(refused(Options { scene: "nowhere.toml".into(), ..given }).contains("nowhere.toml"));
}

/// Without friction to overcome the response is linear; in a state at rest the probe without strain does nothing, and stresses are brought back.
#[test]
fn a_state_at_rest_stays_and_its_elastic_probes_are_linear() {
    let folder = tempfile::tempdir().unwrap();
    let options = Options { steps: vec![10], relax: vec![40], unload: 300, ..prepared(folder.path()) };
    let of = |magnitude: f64, name: &str| {
        let options = Options { magnitudes: vec![magnitude], ..options.clone() };
        whole(&options, &folder.path().join(name), 1).report
    };
    let (once, twice) = (of(2e-7, "once"), of(4e-7, "twice"));
    let table = |report: &Report, name: &str| report.tables.iter().find(|t| t.name == name).unwrap().clone();
    let [a, b] = [&once, &twice].map(|report| {
        let stiffness = table(report, "probe_stiffness");
        let entry = stiffness.number(&[("law", "elastic"), ("stress", "volumetric")], "per_1_MPa");
        let residual = stiffness.number(&[("law", "elastic"), ("stress", "volumetric")], "residual");
        println!("volumetric stiffness {entry:.3} MPa, residual {residual:.2e}");
        assert!(residual < 5e-3, "{residual}");
        entry
    });
    assert!((a / b - 1.0).abs() < 5e-3, "{a} {b}");
    let quality = table(&once, "probe_quality");
    println!("{}", quality.to_text());
    let of_kuhn = |column: &str| quality.number(&[("law", "kuhn")], column);
    // so few spheres are far softer than the bound that the servo reckons with, and it is slow
    assert!(of_kuhn("largest_unload_error") < 0.05);
    assert!(of_kuhn("null_stress_over_smallest") < 0.01);
    assert_eq!(of_kuhn("failed"), 0.0);
}
