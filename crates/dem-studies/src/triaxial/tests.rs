use dem_workloads::scenes::triaxial_with_spheres;

use super::path::Held;
use super::*;

fn options() -> Options {
    let example = FilePath::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/triaxial_small.toml");
    Options {
        scene: example,
        set: triaxial_with_spheres(60, 5),
        strain: Some(0.004),
        fractions: vec![0.5, 0.2],
        points: 20,
        ..Options::default()
    }
}

#[test]
fn a_test_is_repeated_slower_and_stiffer_and_its_states_can_be_probed() {
    let folder = tempfile::tempdir().unwrap();
    // a sample that is nearly isotropic at first, as few of 60 spheres are
    let options = Options { set: triaxial_with_spheres(60, 2), ..options() };
    let report = run(&options, folder.path()).unwrap();
    println!("{}\n{:#?}", report.tables[0].to_text(), report.findings);
    let steps = report.tables[0].numbers("steps");
    // the step follows the stiffest contact, which is another one in each course
    assert!((steps[1] / steps[0] - 3.0).abs() < 0.1, "a third of the rate takes three times the steps: {steps:?}");
    assert!((steps[2] / steps[0] - 3.0f64.sqrt()).abs() < 0.2, "stiffer contacts take shorter steps: {steps:?}");
    assert_eq!(report.tables[0].numbers("largest_difference_over_peak")[0], 0.0);
    let [means, apart] = ["mean_q_over_p", "difference_of_means"].map(|name| report.tables[0].numbers(name));
    assert!(apart[0] == 0.0 && apart[1] != 0.0 && apart[1].abs() < 0.02, "{apart:?}");
    assert!((means[1] / means[0] - 1.0 - apart[1]).abs() < 1e-12 && means[0] > 0.3, "{means:?}");
    let strains = report.tables[0].numbers("end_strain");
    assert!(strains.iter().all(|strain| (strain / 0.004 - 1.0).abs() < 1e-3), "{strains:?}");
    let states = &report.tables[2];
    assert_eq!(states.numbers("fraction_of_peak"), [0.2, 0.5]);
    let peak = report.tables[0].numbers("peak_q_over_p")[0];
    assert!(states.numbers("q_over_p").iter().zip([0.2, 0.5]).all(|(q, f)| (q / peak - f).abs() < 0.1));
    assert!(states.numbers("unbalanced_force_at_rest").iter().all(|&x| x < 1e-3));
    let [moving, at_rest] = ["mobilised_share", "mobilised_share_at_rest"].map(|name| states.numbers(name));
    assert!(moving[1] > 0.05 && moving[1] < 0.5 && at_rest[1] < moving[1], "{moving:?} {at_rest:?}");
    assert_eq!(report.figures[0].panels.len(), 5);
    report.write(folder.path()).unwrap();
    let probed = crate::probe::Options {
        scene: folder.path().join("scene.resolved.toml"),
        state: folder.path().join("states/peak_0.5.ckpt"),
        laws: vec![crate::probe::LawChoice::parse("kuhn").unwrap()],
        directions: 4,
        steps: vec![2],
        relax: vec![0],
        unload: 0,
        ..crate::probe::Options::default()
    };
    let out = folder.path().join("probe");
    let probed = crate::probe::run(&probed, &out, dem_report::shard::Shard::WHOLE, 1, &|_, _| {}).unwrap().unwrap();
    assert_eq!(probed.failures, 0);
}

#[test]
fn a_test_begins_with_a_saved_state() {
    let first = tempfile::tempdir().unwrap();
    let whole = run(&Options { repeats: false, fractions: vec![0.5], ..options() }, first.path()).unwrap();
    whole.write(first.path()).unwrap();
    let test = "stages=[{ name = \"test\", deform = { mean_stress = \"100 kPa\", zz = { rate = \"0.5 1/s\" } }, \
                until = { strain = { zz = 0.002 } } }]";
    let again = Options {
        set: [triaxial_with_spheres(60, 5), vec![test.to_owned(), "contact.friction=0.5".to_owned()]].concat(),
        from: Some(first.path().join("states/peak_0.5.ckpt")),
        strain: None,
        fractions: vec![],
        ..options()
    };
    let second = tempfile::tempdir().unwrap();
    let report = run(&again, second.path()).unwrap();
    println!("{}\n{:#?}", report.tables[0].to_text(), report.findings);
    assert_eq!(report.tables[0].rows().len(), 2, "nothing would bring a state with stiffer springs to rest");
    let courses = &report.tables[1];
    let rested = whole.tables[2].numbers("q_over_p_at_rest")[0];
    let [strain, q_over_p, porosity] =
        ["axial_compression", "q_over_p", "porosity"].map(|name| courses.numbers(name)[0]);
    assert_eq!(strain, 0.0);
    assert!((q_over_p / rested - 1.0).abs() < 1e-3, "{q_over_p} {rested}");
    assert!((0.3..0.5).contains(&porosity));
}

#[test]
fn a_course_begins_with_the_sample_and_has_its_strength() {
    let folder = tempfile::tempdir().unwrap();
    let report = run(&Options { repeats: false, fractions: vec![], ..options() }, folder.path()).unwrap();
    let courses = &report.tables[1];
    let [strain, volume, sin_phi] =
        ["axial_compression", "volumetric_compression", "sin_phi"].map(|name| courses.numbers(name));
    assert_eq!((strain[0], volume[0]), (0.0, 0.0));
    assert!(strain[1] > 0.0 && sin_phi.iter().all(|sine| (0.0..0.7).contains(sine)), "{sin_phi:?}");
    let of_peak = |name: &str| report.tables[0].numbers(name)[0];
    let m = of_peak("peak_q_over_p");
    // the closed forms of axisymmetric compression and extension, between which all others lie; few spheres are not axisymmetric
    let (compression, extension) = (3.0 * m / (6.0 + m), 3.0 * m / (6.0 - m));
    let sine = of_peak("sin_phi_at_peak");
    assert!(compression * (1.0 - 1e-9) < sine && sine < extension, "{compression} {sine} {extension}");
    assert!(of_peak("E50_Pa") > 1e6, "{}", of_peak("E50_Pa"));
    assert!(of_peak("dilatancy_angle_at_peak_deg").abs() < 45.0);
    assert!(report.findings.iter().any(|text| text.contains("sin phi") && text.contains("E50")));
}

#[test]
fn another_law_goes_on_from_the_same_state() {
    let law = |text: &str| crate::probe::LawChoice::parse(text).unwrap();
    let options =
        Options { repeats: false, fractions: vec![], laws: vec![law("kuhn"), law("conventional")], ..options() };
    let folder = tempfile::tempdir().unwrap();
    let report = run(&options, folder.path()).unwrap();
    println!("{}\n{:#?}", report.tables[0].to_text(), report.findings);
    let distances = report.tables[0].numbers("largest_difference_over_peak");
    // the scene's own law, and one that cuts at the end of the step
    assert_eq!(distances[..2], [0.0; 2]);
    assert!(distances[2] > 0.0 && distances[2] < 0.2, "{distances:?}");
    assert!(report.findings.iter().any(|text| text.contains("The test under conventional from the same state")));
}

#[test]
fn paths_hold_what_they_say() {
    let course = |held, rate| {
        let path = Some(Path { held, pressure: 1e5, rate });
        let options = Options { path, repeats: false, fractions: vec![], strain: Some(0.003), ..options() };
        let folder = tempfile::tempdir().unwrap();
        run(&options, folder.path()).unwrap().tables[1].clone()
    };
    let last = |numbers: Vec<f64>| numbers[numbers.len() - 1];
    let drained = course(Held::LateralStress, 0.5);
    assert!((last(drained.numbers("axial_compression")) / 0.003 - 1.0).abs() < 1e-2);
    assert!(last(drained.numbers("mean_compression_Pa")) > 1.05e5);
    let undrained = course(Held::Volume, -0.5);
    assert!((last(undrained.numbers("axial_compression")) / -0.003 - 1.0).abs() < 1e-2, "extension");
    assert!(undrained.numbers("volumetric_compression").iter().all(|x| x.abs() < 1e-9));
    let constant = course(Held::MeanStress, 0.5);
    assert!(constant.numbers("mean_compression_Pa").iter().all(|p| (p / 1e5 - 1.0).abs() < 0.01));
}

#[test]
fn what_is_no_test_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let refused = |options: Options| run(&options, folder.path()).unwrap_err().to_string();
    assert!(
        refused(Options { fractions: vec![1.0], ..options() }).starts_with("--fraction = 1, expected 0 < value < 1")
    );
    assert!(refused(Options { strain: Some(0.0), ..options() }).starts_with("--strain = 0, expected 0 < value"));
    assert!(refused(Options { points: 3, ..options() }).starts_with("--points = 3, expected 10 to"));
    let still = [triaxial_with_spheres(60, 5), vec!["stages=[{ name = \"rest\", until = { steps = 3 } }]".into()]];
    let message = refused(Options { set: still.concat(), strain: None, ..options() });
    assert!(message.contains("does not deform the cell"), "{message}");
    assert!(Held::from_name("constant-q").is_none() && Held::from_name("undrained") == Some(Held::Volume));
}
