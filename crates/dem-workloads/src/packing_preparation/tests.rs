use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::sync::{Arc, mpsc};
use std::time::Duration;

use dem_sim::builder;
use tempfile::TempDir;

use super::*;

/// Small and soft, so that equilibrium is near.
fn small(method: Method) -> Options {
    Options { method, count: 100, stiffness_number: 500.0, rate: 0.03, max_steps: 300_000, ..Options::default() }
}

fn prepare_in(options: &Options, folder: &TempDir, name: &str) -> Result<(Record, PathBuf), WorkloadError> {
    let directory = folder.path().join(name);
    let record = prepare_packing(options, &directory, false, &AtomicBool::new(false), &mut |_| {})?;
    Ok((record, directory))
}

fn prepare(options: &Options) -> Result<Record, WorkloadError> {
    let folder = tempfile::tempdir().unwrap();
    prepare_in(options, &folder, "packing").map(|(record, _)| record)
}

/// Spheres of `packing.toml`, and their coordination number.
fn refill(directory: &Path) -> (usize, f64) {
    let loaded = builder::load_scene(&directory.join(delivery::SCENE), &[]).unwrap();
    let mut simulation = builder::build(&loaded).unwrap();
    simulation.initialise().unwrap();
    (simulation.world.particles.len(), dem_sim::measure::coordination(&simulation.world, 4).all)
}

#[test]
fn random_sequential_addition_has_the_fraction_to_rounding() {
    let sizes = "{ type = \"uniform\", min = \"0.5 mm\", max = \"1 mm\" }".to_owned();
    let options = Options { fraction: Some(0.33), sizes, ..small(Method::RandomSequential) };
    for container in [Container::Periodic, Container::Box, Container::Cylinder] {
        let record = prepare(&Options { container, width: Some(6.0), ..options.clone() }).unwrap();
        assert!((record.fraction - 0.33).abs() < 1e-12, "{container:?}: {}", record.fraction);
        assert_eq!((record.particles, record.coordination, record.pressure), (100, 0.0, None));
    }
}

/// Isostatic with little overlap: six contacts per sphere, and some per cent more at this stiffness.
#[test]
fn frictionless_compression_ends_at_the_pressure_with_six_contacts_each() {
    let folder = tempfile::tempdir().unwrap();
    let options = Options { friction: 0.0, pressure: Some(2e3), ..small(Method::Compression) };
    let (record, directory) = prepare_in(&options, &folder, "packing").unwrap();
    let pressure = record.pressure.unwrap();
    assert!((pressure / 2e3 - 1.0).abs() < 5e-3, "{pressure}");
    assert!((record.stiffness_number.unwrap() / 500.0 - 1.0).abs() < 0.01, "{:?}", record.stiffness_number);
    assert!((0.60..0.67).contains(&record.fraction), "{}", record.fraction);
    assert!((5.8..7.0).contains(&record.coordination_without_rattlers), "{}", record.coordination_without_rattlers);
    // the table holds every contact of the packing
    assert_eq!(refill(&directory), (100, record.coordination));
}

#[test]
fn growth_ends_with_the_sizes_and_the_pressure_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let options = Options { friction: 0.0, ..small(Method::Growth) };
    let (record, directory) = prepare_in(&options, &folder, "packing").unwrap();
    assert!((record.pressure.unwrap() / 1e3 - 1.0).abs() < 5e-3, "{:?}", record.pressure);
    assert!((0.60..0.67).contains(&record.fraction), "{}", record.fraction);
    let volume: f64 = record.lengths.iter().product();
    let solid = 100.0 * dem_core::particles::sphere_volume(1e-3);
    assert!((solid / volume / record.fraction - 1.0).abs() < 1e-9, "radii are not those that were asked for");
    assert_eq!(refill(&directory), (100, record.coordination));
}

/// Two spheres that overlap, three radii long.
fn dimers(method: Method) -> Options {
    let spheres = "[{ position = [0, 0, 0], radius = 1 }, { position = [0, 0, 1], radius = 1 }]";
    Options { clump: Some(format!("{{ spheres = {spheres} }}")), friction: 0.0, ..small(method) }
}

/// Volume of a hundred bodies as large as the spheres that are asked for \[m³\].
fn solid_of_a_hundred() -> f64 {
    100.0 * dem_core::particles::sphere_volume(1e-3)
}

#[test]
fn random_bodies_have_the_fraction_of_their_unions_to_rounding() {
    for container in [Container::Periodic, Container::Box] {
        let options = Options {
            fraction: Some(0.3),
            container,
            width: Some(8.0),
            count: 150,
            ..dimers(Method::RandomSequential)
        };
        let record = prepare(&options).unwrap();
        assert!((record.fraction - 0.3).abs() < 1e-12, "{container:?}: {}", record.fraction);
        assert_eq!((record.particles, record.pressure), (150, None));
    }
}

/// Frictionless dimers pack denser than spheres, about as ellipsoids of their length do, at 0.7 (A. Donev and others, Science 303 (2004) 990). A hundred
/// of them scatter, and overlaps add some per cent.
#[test]
fn bodies_are_compressed_and_grow_to_the_pressure_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    for method in [Method::Compression, Method::Growth] {
        let (record, directory) = prepare_in(&dimers(method), &folder, method.name()).unwrap();
        assert!((record.pressure.unwrap() / 1e3 - 1.0).abs() < 5e-3, "{method:?}: {:?}", record.pressure);
        assert!((0.65..0.76).contains(&record.fraction), "{method:?}: {}", record.fraction);
        let volume: f64 = record.lengths.iter().product();
        let sizes = solid_of_a_hundred() / volume / record.fraction;
        assert!((sizes - 1.0).abs() < 1e-9, "{method:?}: sizes are not those that were asked for: {sizes}");
        let (spheres, coordination) = refill(&directory);
        assert_eq!((record.particles, spheres), (100, 200));
        assert!(
            (coordination - record.coordination).abs() < 1e-9,
            "{method:?}: {coordination} {}",
            record.coordination
        );
    }
}

/// Walls that do not move hold the pressure, with and without a change of friction, and the box is full to its lid.
#[test]
fn growth_fills_rigid_containers_to_the_pressure_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    for (container, friction, preparation_friction) in [(Container::Box, 0.0, 0.0), (Container::Cylinder, 0.5, 0.2)] {
        let options = Options {
            container,
            friction,
            preparation_friction: Some(preparation_friction),
            pressure: Some(3e3),
            width: Some(6.0),
            ..small(Method::Growth)
        };
        let (record, directory) = prepare_in(&options, &folder, &format!("{container:?}")).unwrap();
        let pressure = record.pressure.unwrap();
        assert!((pressure / 3e3 - 1.0).abs() < 5e-3, "{container:?}: {pressure}");
        // walls order spheres and leave gaps: some per cent below packings without boundary
        assert!((0.48..0.62).contains(&record.fraction), "{container:?}: {}", record.fraction);
        // the mean force p d² makes overlaps of 1/250 of a radius, and the largest of some 300 forces, which are distributed exponentially, is
        // about ln 300 times as large: 2.3e-2
        assert!((4e-3..4e-2).contains(&record.overlap_ratio), "{container:?}: {}", record.overlap_ratio);
        assert_eq!(refill(&directory), (100, record.coordination));
    }
}

/// The mean stress of a container from inside, the virial of its contacts, is that of the forces on its walls.
#[test]
fn the_pressure_of_a_container_is_that_on_its_walls() {
    let folder = tempfile::tempdir().unwrap();
    let options = Options { container: Container::Box, friction: 0.3, width: Some(6.0), ..small(Method::Growth) };
    let (record, directory) = prepare_in(&options, &folder, "packing").unwrap();
    let mut simulation = builder::build(&builder::load_scene(&directory.join(delivery::SCENE), &[]).unwrap()).unwrap();
    simulation.initialise().unwrap();
    let [x, y, z] = record.lengths;
    // contact points lie half an overlap inside the walls
    let from_inside = preparation::mean_pressure(&simulation.world, x * y * z);
    let mut outward = 0.0;
    let p = &simulation.world.particles;
    for (place, &radius) in p.position.iter().zip(&p.radius) {
        for (k, length) in record.lengths.into_iter().enumerate() {
            for gap in [place[k], length - place[k]] {
                let overlap = (radius - gap).max(0.0);
                outward += overlap * (0.5 * length - 0.5 * overlap);
            }
        }
    }
    let stiffness = 500.0 * 1e3 * 2e-3;
    let from_walls = stiffness * outward / (3.0 * x * y * z);
    assert!((from_inside / from_walls - 1.0).abs() < 0.02, "{from_inside} and {from_walls}");
}

#[test]
fn a_lattice_start_gives_a_disordered_packing_of_all_its_spheres() {
    let sizes = "{ type = \"uniform\", min = \"0.8 mm\", max = \"1.2 mm\" }".to_owned();
    let options = Options { count: 125, start: Start::Lattice, friction: 0.0, sizes, ..small(Method::Compression) };
    let record = prepare(&options).unwrap();
    assert_eq!(record.particles, 125);
    // a crystal of equal spheres would have 0.52 with every sphere at its site or 0.74
    assert!((0.61..0.68).contains(&record.fraction), "{}", record.fraction);
    assert!((5.7..7.2).contains(&record.coordination_without_rattlers), "{}", record.coordination_without_rattlers);
}

#[test]
fn deposition_rests_on_its_floor_and_reports_the_weight() {
    let options = Options { count: 250, width: Some(5.0), ..small(Method::Deposition) };
    let record = prepare(&options).unwrap();
    // 2,500 kg/m³, 250 spheres of 1 mm on a square of 10 mm
    let weight = 250.0 * 2500.0 * dem_core::particles::sphere_volume(1e-3) * 9.81;
    assert!((record.pressure.unwrap() / (weight / 1e-4) - 1.0).abs() < 1e-12, "{:?}", record.pressure);
    assert!((0.54..0.63).contains(&record.fraction), "{}", record.fraction);
    assert!((3.5..6.5).contains(&record.coordination_without_rattlers), "{}", record.coordination_without_rattlers);
    assert_eq!(record.preparation_friction, Some(0.5));
}

#[test]
fn a_fraction_between_the_bounds_is_found_by_the_friction_of_preparation() {
    let options = Options { count: 60, tolerance: 0.005, fraction: Some(0.60), ..small(Method::Compression) };
    let record = prepare(&options).unwrap();
    assert!((record.fraction - 0.60).abs() <= 0.005, "{}", record.fraction);
    let friction = record.preparation_friction.unwrap();
    assert!(friction > 0.0 && friction < 1.0, "{friction}");
    let found = record.trials.last().unwrap();
    assert_eq!(
        (found.preparation_friction, found.fraction),
        (friction, record.fraction),
        "the delivery repeats the trial"
    );
    assert!(record.trials.len() >= 3 && record.trials[0].fraction > record.trials[1].fraction, "{:?}", record.trials);
}

#[test]
fn of_a_fraction_out_of_reach_the_nearest_packing_is_kept_with_the_range_that_is_attained() {
    let options = Options { count: 60, fraction: Some(0.7), ..small(Method::Compression) };
    let record = prepare(&options).unwrap();
    let shortfall = record.shortfall.unwrap();
    assert!(shortfall.contains("the nearest to 0.7") && shortfall.contains("at 1000 Pa"), "{shortfall}");
    let densest = record.trials.iter().map(|trial| trial.fraction).fold(0.0, f64::max);
    assert_eq!((record.fraction, record.trials.len()), (densest, 2));
    let close = Options { tolerance: 1e-4, trials: 3, fraction: Some(0.6), ..options };
    let record = prepare(&close).unwrap();
    let distances: Vec<f64> = record.trials.iter().map(|trial| (trial.fraction - 0.6).abs()).collect();
    assert!(record.shortfall.unwrap().contains("allow more with --trials"));
    assert_eq!((record.fraction - 0.6).abs(), distances.iter().copied().fold(1.0, f64::min), "{distances:?}");
    let options = Options { fraction: Some(0.5), ..small(Method::RandomSequential) };
    let error = prepare(&options).unwrap_err().to_string();
    assert!(error.contains("the most that random sequential addition reaches here"), "{error}");
}

#[test]
fn the_same_seed_gives_the_same_bytes_and_another_seed_others() {
    let folder = tempfile::tempdir().unwrap();
    let options = Options { count: 60, ..small(Method::Growth) };
    let bytes = |seed: u64, name: &str| {
        let (_, directory) = prepare_in(&Options { seed, ..options.clone() }, &folder, name).unwrap();
        let state = dem_io::checkpoint_folder::latest(&directory.join("checkpoints")).unwrap().unwrap().1;
        (std::fs::read(directory.join(delivery::TABLE)).unwrap(), std::fs::read(state).unwrap())
    };
    let (first, again, other) = (bytes(1, "a"), bytes(1, "b"), bytes(2, "c"));
    assert!(first == again);
    assert!(first.0 != other.0);
}

/// Called again until there is a packing, each time with a little more time before Ctrl-C. Returns how often it was interrupted.
fn prepare_in_pieces(options: &Options, directory: &Path) -> (Record, usize) {
    let mut time = Duration::from_millis(20);
    for calls in 0.. {
        let interrupted = Arc::new(AtomicBool::new(false));
        let (flag, (done, is_done)) = (Arc::clone(&interrupted), mpsc::channel::<()>());
        let wait = time;
        let ctrl_c = std::thread::spawn(move || {
            if is_done.recv_timeout(wait).is_err() {
                flag.store(true, Ordering::Relaxed);
            }
        });
        let prepared = prepare_packing(options, directory, false, &interrupted, &mut |_| {});
        let _ = done.send(());
        ctrl_c.join().unwrap();
        match prepared {
            Err(WorkloadError::Interrupted) => time = time * 5 / 4,
            other => return (other.unwrap(), calls),
        }
    }
    unreachable!()
}

/// Interruptions change no bit, and nothing of them is left: in a search, while radii grow, while a container is fitted, in a fall.
#[test]
fn a_preparation_that_is_interrupted_goes_on_with_the_same_bits() {
    let folder = tempfile::tempdir().unwrap();
    let confined = Options { container: Container::Box, width: Some(6.0), friction: 0.3, ..small(Method::Growth) };
    for (name, options) in [
        ("search", Options { count: 60, tolerance: 0.005, fraction: Some(0.60), ..small(Method::Compression) }),
        ("growth", Options { count: 60, ..small(Method::Growth) }),
        ("confined", confined),
        ("deposition", Options { count: 250, width: Some(5.0), ..small(Method::Deposition) }),
    ] {
        let (straight, whole) = prepare_in(&options, &folder, name).unwrap();
        let pieces = folder.path().join(format!("{name} in pieces"));
        let (record, interruptions) = prepare_in_pieces(&options, &pieces);
        assert!(interruptions >= 3, "{name}: {interruptions} interruptions");
        let state = |directory: &Path| {
            let latest = dem_io::checkpoint_folder::latest(&directory.join("checkpoints")).unwrap().unwrap().1;
            let files = [directory.join(delivery::TABLE), directory.join(delivery::SCENE), latest];
            files.map(|path| std::fs::read(path).unwrap())
        };
        assert!(state(&pieces) == state(&whole), "{name}: other bits");
        // seconds are those of the machine
        let record = Record { wall_seconds: straight.wall_seconds, ..record };
        assert_eq!(record, straight, "{name}");
        let names = |directory: &Path| {
            let mut names: Vec<_> = std::fs::read_dir(directory).unwrap().map(|e| e.unwrap().file_name()).collect();
            names.sort();
            names
        };
        assert_eq!(names(&pieces), names(&whole), "{name}");
    }
}

/// What another search of the same packing has found out is not done again; what cannot lead anywhere leaves nothing.
#[test]
fn phases_that_two_calls_have_in_common_are_done_once() {
    let folder = tempfile::tempdir().unwrap();
    let directory = folder.path().join("packing");
    let options = Options { count: 60, ..small(Method::Compression) };
    let interrupted = AtomicBool::new(false);
    // after the first preparation of a search
    let search = Options { fraction: Some(0.6), ..options.clone() };
    let mut stop = |text: &str| {
        if text.contains("preparation friction") {
            interrupted.store(true, Ordering::Relaxed);
        }
    };
    let stopped = prepare_packing(&search, &directory, false, &interrupted, &mut stop);
    assert!(matches!(stopped, Err(WorkloadError::Interrupted)), "{stopped:?}");
    let parts = || std::fs::read_dir(directory.join("unfinished_packing")).unwrap().count();
    // its two phases, and the beginning of a third
    assert_eq!(parts(), 3);
    interrupted.store(false, Ordering::Relaxed);
    // the same friction without a search, and a step of none of its phases
    let plain = Options { preparation_friction: Some(0.0), max_steps: 1, ..options.clone() };
    let error = prepare_packing(&plain, &directory, false, &interrupted, &mut |_| {}).unwrap_err().to_string();
    assert!(error.contains("stage \"equilibrium\" has not ended after 1 steps"), "{error}");
    assert_eq!(parts(), 3);
    prepare_packing(&Options { max_steps: 300_000, ..plain }, &directory, false, &interrupted, &mut |_| {}).unwrap();
    assert!(!directory.join("unfinished_packing").exists());
    let again = prepare_packing(&options, &directory, false, &interrupted, &mut |_| {}).unwrap_err().to_string();
    assert!(again.contains("give --force to replace them"), "{again}");
    // law that no scene accepts
    let refused = Options { contact: Some("{ law = \"none\" }".to_owned()), ..options };
    let other = folder.path().join("other");
    assert!(prepare_packing(&refused, &other, false, &interrupted, &mut |_| {}).is_err());
    assert!(!other.exists());
}

#[test]
fn options_that_do_not_go_together_are_refused() {
    let options = Options::default;
    for (options, message) in [
        (Options { count: 3, ..options() }, "--count = 3, expected 22 to"),
        (Options { pressure: Some(-1.0), ..options() }, "--pressure = -1, expected a pressure above 0"),
        (Options { fraction: Some(1.2), ..options() }, "--fraction = 1.2, expected above 0, below 1"),
        (Options { friction_bounds: [0.5, 0.2], ..options() }, "--friction-bounds = 0.5, expected two numbers"),
        (Options { container: Container::Box, ..options() }, "--container = box, expected periodic with compression"),
        (Options { method: Method::Deposition, pressure: Some(1.0), ..options() }, "it follows from the weight"),
        (
            Options { start: Start::Lattice, count: 1001, ..options() },
            "--count = 1001, expected a cube with --start lattice, for example 1000 or 1331",
        ),
        (
            Options { start: Start::Lattice, method: Method::Deposition, ..options() },
            "--start = lattice, expected random, but for",
        ),
        (Options { start: Start::Lattice, width: Some(9.0), ..options() }, "(no --width)"),
        (Options { method: Method::RandomSequential, pressure: Some(1.0), ..options() }, "its spheres do not touch"),
        (Options { fraction: Some(0.6), preparation_friction: Some(0.1), ..options() }, "none beside --fraction"),
        (Options { sizes: "1 mm".to_owned(), ..options() }, "--sizes = 1 mm, expected a table"),
        (Options { sizes: "{ type = \"single\", radius = -1 }".to_owned(), ..options() }, "--sizes = "),
        (Options { contact: Some("{ law = \"none\" }".to_owned()), ..options() }, "none"),
        (Options { count: 30, width: Some(50.0), ..options() }, "--count = 30, expected more spheres"),
        (Options { max_steps: 10, ..options() }, "has not ended after 10 steps"),
    ] {
        let error = prepare(&options).unwrap_err().to_string();
        assert!(error.contains(message), "{error}, expected {message}");
    }
}
