use dem_sim::measure::{StressMeasure, porosity, value};
use dem_sim::simulation::Simulation;

use super::*;

fn options() -> Options {
    Options {
        shapes: vec![Shape { radius: 0.6, distance: 0.7 }],
        seeds: 2,
        clusters: 50,
        frictions: vec![0.05, 0.3],
        strain: 0.001,
        larger: None,
        probed_at: 0.3,
        directions: Some(12),
        set: vec![
            "stages.shear.deform.zz.rate=\"20 1/s\"".to_owned(),
            "stages.compress.until={ stress_reached = { tolerance = \"20 %\", unbalanced_force = 0.1 }, time = 0.1 }"
                .to_owned(),
        ],
        ..Options::default()
    }
}

#[test]
fn shapes_are_clusters_that_show() {
    let shape = Shape::parse("0.5:0.9").unwrap();
    assert_eq!((shape, shape.label()), (Shape { radius: 0.5, distance: 0.9 }, "0.5:0.9".to_owned()));
    for text in ["0.5", "0.3:0.6", "0.5:1.5", "a:b", "-1:2", "nan:1"] {
        let message = Shape::parse(text).unwrap_err().to_string();
        assert!(message.starts_with(&format!("--shape = {text}, expected RADIUS:DISTANCE")), "{message}");
    }
}

#[test]
fn what_is_out_of_range_is_refused() {
    let refused = |options: Options| options.check().unwrap_err().to_string();
    assert!(refused(Options { seeds: 1, ..options() }).starts_with("--seeds = 1, expected 2 to"));
    assert!(refused(Options { clusters: 5, ..options() }).starts_with("--clusters = 5, expected 30 to"));
    assert!(refused(Options { shapes: [Shape::FAMILY; 2].concat(), ..options() }).contains("each shape once"));
    let frictions = refused(Options { frictions: vec![0.2, 0.1], ..options() });
    assert!(frictions.starts_with("--preparation-friction = [0.2, 0.1], expected at least two rising"), "{frictions}");
    assert!(refused(Options { directions: Some(4), ..options() }).starts_with("--directions = 4, expected 12"));
    assert!(refused(Options { strain: 0.0, ..options() }).starts_with("--strain = 0, expected above 0"));
    assert!(refused(Options { set: vec!["contact.frictio=1".to_owned()], ..options() }).contains("frictio"));
    assert!(options().check().is_ok() && Options::default().check().is_ok());
}

/// Voids are beside the unions of the spheres; the stress by branches between centres of mass does the work that the ledger finds again as energy.
#[test]
fn voids_are_beside_unions_and_the_stress_does_the_work_of_the_contacts() {
    let options = options();
    let loaded = options.scene(&options.shapes[0], 0.2, 1, options.clusters).unwrap();
    let mut simulation: Simulation = dem_sim::builder::build(&loaded).unwrap();
    simulation.initialise().unwrap();
    while simulation.state.stage == 0 {
        simulation.advance().unwrap();
    }
    let world = &simulation.world;
    let radii: f64 = world.particles.bodies.all.iter().map(|body| body.equivalent_radius.powi(3)).sum();
    let grains = 4.0 / 3.0 * std::f64::consts::PI * radii;
    assert!((world.particles.mass.iter().sum::<f64>() / (2600.0 * grains) - 1.0).abs() < 1e-12);
    assert!((porosity(world) - (1.0 - grains / world.cell.volume())).abs() < 1e-12);
    for _ in 0..1000 {
        simulation.advance().unwrap();
    }
    let size = |m: dem_core::DMat3| m.to_cols_array().iter().map(|x| x * x).sum::<f64>().sqrt();
    let stress = StressMeasure::of(&simulation.world);
    // moments are nearly in balance: what is left of them turns clusters
    assert!(size(stress.skew) < 0.05 * size(stress.total()), "{}", stress.skew);
    let [balance, work] = ["energy_balance", "cell_work"].map(|name| value(&simulation, name).unwrap());
    assert!(work > 0.0 && balance.abs() < 2e-3 * work, "{balance} {work}");
}

#[test]
fn the_friction_of_a_void_ratio_is_found_and_the_same_command_does_nothing_twice() {
    let folder = tempfile::tempdir().unwrap();
    let options = Options { directions: None, ..options() };
    let first = run(&options, folder.path()).unwrap();
    println!("{}\n{:#?}\n{:#?}", first.tables[0].to_text(), first.findings, first.shortfalls);
    let names: Vec<&str> = first.tables.iter().map(|table| table.name).collect();
    assert_eq!(names, ["clusters", "clusters_assemblies", "clusters_preparations", "clusters_courses"]);
    let number = |column: &str| first.tables[0].numbers(column)[0];
    assert!((number("void_ratio") - 0.570).abs() < 0.05 && (0.05..0.3).contains(&number("preparation_friction")));
    assert!(number("peak_q_over_p_low_95") < number("peak_q_over_p") && number("peak_q_over_p") > 0.3);
    assert_eq!(first.figures.len(), 1);
    let kept = |folder: &Path| {
        let files = std::fs::read_dir(folder.join(ASSEMBLIES)).unwrap().map(|entry| entry.unwrap());
        let mut all: Vec<_> =
            files.map(|file| (file.file_name(), file.metadata().unwrap().modified().unwrap())).collect();
        all.sort();
        all
    };
    let before = kept(folder.path());
    assert_eq!(first, run(&options, folder.path()).unwrap());
    assert_eq!(before, kept(folder.path()), "nothing is computed again");
    forget(folder.path()).unwrap();
    assert!(std::fs::read_dir(folder.path()).unwrap().next().is_none());
}

#[test]
fn states_in_motion_and_at_rest_are_probed_under_both_laws() {
    let folder = tempfile::tempdir().unwrap();
    // a sample that has come to rest before it is sheared, up to a load that few clusters do not have by chance
    let set = vec!["stages.shear.deform.zz.rate=\"10 1/s\"".to_owned()];
    let options = Options { relax: 0, probed_at: 0.6, set, ..options() };
    let kept = Unfinished::beside(folder.path(), ASSEMBLIES, "test".to_owned()).unwrap();
    let task = scan::Task { shape: options.shapes[0], friction: 0.1, seed: 2, clusters: options.clusters };
    let tested = scan::test(&options, &task, &kept).unwrap();
    let scanned =
        results::Scanned { shape: options.shapes[0], friction: 0.1, preparations: Vec::new(), tested: vec![tested] };
    let probed = probing::all(&options, &scanned, &kept, folder.path()).unwrap();
    assert_eq!(probed.iter().map(|p| p.moment.name()).collect::<Vec<_>>(), ["moving", "at rest"]);
    for one in &probed {
        println!("{} {:.2e} {:.1} {:.2e}", one.q_over_p, one.unbalanced_force, one.modulus, one.difference);
        assert!((one.q_over_p - 0.6).abs() < 0.05 && one.modulus > 0.0 && one.difference.abs() < 0.02);
        assert_eq!(one.panels.len(), 1);
    }
    assert!(probed[0].mobilised_share > probed[1].mobilised_share);
}
