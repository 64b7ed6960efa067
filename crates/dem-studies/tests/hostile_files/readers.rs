//! Every reader of files, with sound files to mutate, the way to mutate them, and the memory it is allowed.

use std::path::{Path, PathBuf};

use dem_analysis::ensemble::{Averages, Finished};
use dem_analysis::methods::Methods;
use dem_analysis::run_record::RunRecord;
use dem_io::checkpoint::CheckpointReader;
use dem_io::document::Override;
use dem_io::series::{Series, SeriesColumn, SeriesWriter};
use dem_io::snapshot::{SnapshotReader, SnapshotWriter};
use dem_io::table::read_particle_table;
use dem_sim::builder::{build, build_empty, parse_scene, parse_scene_in};
use dem_sim::checkpoint;
use dem_sim::checkpoint::{frame_tables, state_tables};
use dem_sim::run::{Beginning, cell_edges, contact_lines};
use dem_studies::members::{Plan, Request};
use dem_studies::path::histories;
use dem_studies::probe;

use crate::inputs::{self, Input, State};
use crate::random::Random;
use crate::{container, hierarchical, mutation};

/// Steps that a simulation goes on with a state that was accepted.
const STEPS: u32 = 3;
const KIB: u64 = 1 << 10;
const MIB: u64 = 1 << 20;

/// Most memory that a reader holds: so much for every byte of the file, and so much beside.
#[derive(Clone, Copy)]
pub struct Allowance {
    pub per_byte: u64,
    pub beside: u64,
}

type Mutate = Box<dyn Fn(&mut Random) -> (usize, Vec<u8>)>;
type Read = Box<dyn FnMut(usize, &[u8]) -> bool>;

/// A reader and what it is given.
pub struct Target {
    /// Name in messages and in the documentation.
    pub name: &'static str,
    /// Share of the inputs of a campaign, in proportion to those of the others.
    pub weight: u64,
    pub allowance: Allowance,
    /// Sound files, all of which are accepted.
    pub sound: Vec<Input>,
    /// A mutated file, and the number of the sound one that it began as.
    pub mutate: Mutate,
    /// Whether the file is accepted. Other files lie beside it as the number says.
    pub read: Read,
}

impl Target {
    /// Most memory for a file of this length \[byte\].
    pub fn allowed(&self, length: usize) -> u64 {
        self.allowance.beside + self.allowance.per_byte * length as u64
    }
}

fn copies(inputs: &[Input]) -> Vec<Vec<u8>> {
    inputs.iter().map(|input| input.bytes.clone()).collect()
}

/// Mutates one of some files, with pieces of another.
fn one_with_another(all: Vec<Vec<u8>>, mutate: impl Fn(&mut Random, &[u8], &[u8]) -> Vec<u8> + 'static) -> Mutate {
    Box::new(move |random| {
        let from = random.below(all.len());
        let other = random.below(all.len());
        (from, mutate(random, &all[from], &all[other]))
    })
}

/// Mutates texts.
fn texts(inputs: &[Input]) -> Mutate {
    one_with_another(copies(inputs), mutation::text)
}

/// A reader that is given the path of a file with the bytes.
fn from_file(path: PathBuf, mut read: impl FnMut(&Path, &[u8]) -> bool + 'static) -> Read {
    Box::new(move |_, bytes| {
        std::fs::write(&path, bytes).expect("a file");
        read(&path, bytes)
    })
}

/// A reader of a folder in which one of some files is replaced by the bytes, and put back.
fn in_place_of(files: Vec<PathBuf>, originals: Vec<Vec<u8>>, mut read: impl FnMut() -> bool + 'static) -> Read {
    Box::new(move |from, bytes| {
        std::fs::write(&files[from], bytes).expect("a file");
        let accepted = read();
        std::fs::write(&files[from], &originals[from]).expect("a file");
        accepted
    })
}

pub fn all(folder: &Path) -> Vec<Target> {
    let run = inputs::run_directory(folder);
    vec![
        scenes(inputs::meshes(folder)),
        changes(),
        tables(folder),
        series(folder, &run),
        checkpoint_bytes(inputs::states()),
        checkpoint_sections(inputs::states()),
        snapshots(folder, &run),
        run_records(run),
        probes(folder),
        sweeps(folder),
        paths(folder),
        meshes("mesh (STL)", folder, &["stl"], 128),
        // a polygon may have a facet for every byte
        meshes("mesh (OBJ, PLY)", folder, &["obj", "ply"], 1200),
    ]
}

/// `folder` holds the meshes that scenes name.
fn scenes(folder: PathBuf) -> Target {
    let sound = inputs::scenes();
    Target {
        name: "scene",
        weight: 30,
        allowance: Allowance { per_byte: 500, beside: 2 * MIB },
        mutate: texts(&sound),
        sound,
        read: Box::new(move |_, bytes| {
            // what a scene asks to be placed is work, not reading
            let text = String::from_utf8_lossy(bytes);
            let Ok(mut loaded) = parse_scene_in(&folder, "scene.toml", &text, &[]) else { return false };
            loaded.folder = inputs::good_scenes();
            build_empty(&loaded).is_ok()
        }),
    }
}

fn changes() -> Target {
    let texts_of_changes = [
        "contact.friction=0.3",
        "particles.0.fill.count=12",
        "walls.tray.shape={ type = \"box\", min = [0, 0, 0], max = [\"1 mm\", 1, \"2 cm\"] }",
        "materials.\"a.b\".young_modulus=\"70 GN/m^2\"",
        "output.series=\"5 kg m^2/(s^2 N)\"",
    ];
    let sound: Vec<Input> = texts_of_changes
        .iter()
        .map(|text| Input { name: (*text).to_owned(), bytes: text.as_bytes().to_vec() })
        .collect();
    let scene = inputs::scenes().into_iter().find(|input| input.name == "tray.toml").expect("a scene");
    let scene = String::from_utf8(scene.bytes).expect("text");
    Target {
        name: "change of a scene (--set)",
        weight: 8,
        allowance: Allowance { per_byte: 500, beside: 2 * MIB },
        mutate: texts(&sound),
        sound,
        read: Box::new(move |_, bytes| {
            let Ok(change) = Override::parse(&String::from_utf8_lossy(bytes)) else { return false };
            let _ = parse_scene("scene.toml", &scene, &[change]).is_ok_and(|loaded| build_empty(&loaded).is_ok());
            true
        }),
    }
}

fn tables(folder: &Path) -> Target {
    let sound = inputs::tables();
    let all = copies(&sound);
    let text = all.iter().find(|file| file.starts_with(b"# all columns")).expect("a table").clone();
    Target {
        name: "particle table",
        weight: 15,
        // a row of eight bytes becomes one of 104, in a list that doubles; gzip holds up to 1032 bytes in one
        allowance: Allowance { per_byte: 1032 * 48, beside: MIB },
        sound,
        mutate: one_with_another(all, move |random, file, other| {
            if !file.starts_with(&[0x1f, 0x8b]) {
                return mutation::text(random, file, other);
            }
            match random.below(4) {
                0 => mutation::bytes(random, file.to_vec(), other),
                1 => [file, &mutation::bytes(random, file.to_vec(), other)].concat(),
                2 => inputs::compressed(&b"1,1,1,1\n".repeat(random.below(1 << 14))),
                // behind the checksum
                _ => inputs::compressed(&mutation::text(random, &text, other)),
            }
        }),
        read: from_file(folder.join("particles.csv"), |path, _| read_particle_table(path).is_ok()),
    }
}

fn series(folder: &Path, run: &Path) -> Target {
    let original = std::fs::read(run.join("series.csv")).expect("a series");
    let names = Series::read(run.join("series.csv")).expect("a series").names().to_vec();
    let columns: Vec<SeriesColumn> = names.into_iter().map(|name| SeriesColumn::new(name, "-", "")).collect();
    let sound = vec![
        Input { name: "series.csv".to_owned(), bytes: original },
        Input { name: "short.csv".to_owned(), bytes: b"step,time\n0,0\n1,0.5\n".to_vec() },
    ];
    Target {
        name: "series",
        weight: 10,
        allowance: Allowance { per_byte: 100, beside: MIB },
        mutate: texts(&sound),
        sound,
        read: from_file(folder.join("series.csv"), move |path, bytes| {
            let accepted = Series::read(path).is_ok();
            // as a restart does
            let _ = SeriesWriter::resume(path, &columns, 300).and_then(|mut writer| writer.sync());
            std::fs::write(path, bytes).expect("a file");
            let _ = dem_io::series::truncate_after(path, 1);
            accepted
        }),
    }
}

/// Everything that is done with a checkpoint.
fn use_state(state: &State, bytes: &[u8]) -> bool {
    let Ok(reader) = CheckpointReader::from_bytes(bytes.to_vec()) else { return false };
    let _ = checkpoint::describe(&reader);
    let _ = state_tables(&reader);
    if bytes.len().is_multiple_of(4) {
        let mut branch = build_empty(&state.scene).expect("a sound scene");
        if checkpoint::branch(&mut branch, &state.scene, &reader).is_ok() {
            let _ = branch.advance();
        }
    }
    let mut simulation = build_empty(&state.scene).expect("a sound scene");
    if checkpoint::restore(&mut simulation, &reader, &state.fingerprint).is_err() {
        return false;
    }
    for _ in 0..STEPS {
        if simulation.advance().is_err() {
            break;
        }
    }
    let _ = dem_sim::measure::series_row(&simulation);
    let _ = checkpoint::save(&simulation, &state.fingerprint);
    true
}

fn states(name: &'static str, weight: u64, states: Vec<State>, mutate: Mutate) -> Target {
    let sound =
        states.iter().map(|state| Input { name: state.scene.document.name().to_owned(), bytes: state.bytes.clone() });
    Target {
        name,
        weight,
        allowance: Allowance { per_byte: 64, beside: 8 * MIB },
        sound: sound.collect(),
        mutate,
        read: Box::new(move |from, bytes| use_state(&states[from], bytes)),
    }
}

fn checkpoint_bytes(list: Vec<State>) -> Target {
    let all = list.iter().map(|state| state.bytes.clone()).collect();
    let mutate = one_with_another(all, |random, file, other| mutation::bytes(random, file.to_vec(), other));
    states("checkpoint, bytes", 10, list, mutate)
}

fn checkpoint_sections(list: Vec<State>) -> Target {
    let all: Vec<Vec<u8>> = list.iter().map(|state| state.bytes.clone()).collect();
    for bytes in &all {
        assert!(container::rewritten(bytes) == *bytes);
    }
    states("checkpoint, sections behind checksums", 25, list, one_with_another(all, container::mutate))
}

fn snapshots(folder: &Path, run: &Path) -> Target {
    let bytes = std::fs::read(run.join("snapshots.vtkhdf")).expect("snapshots");
    let blocks = hierarchical::blocks(&bytes);
    assert!(blocks.len() > 100, "{} blocks with checksums", blocks.len());
    let original = bytes.clone();
    Target {
        name: "snapshots",
        weight: 15,
        // all columns as large as deflate can make them, and those of contacts at both ends of lines
        allowance: Allowance { per_byte: 3 * 1032, beside: 8 * MIB },
        sound: vec![Input { name: "snapshots.vtkhdf".to_owned(), bytes }],
        mutate: Box::new(move |random| {
            let mutated = if random.once_in(3) {
                mutation::bytes(random, original.clone(), &original)
            } else {
                hierarchical::mutate(random, &original, &blocks)
            };
            (0, mutated)
        }),
        read: from_file(folder.join("snapshots.vtkhdf"), |path, _| {
            let Ok(reader) = SnapshotReader::open(path) else { return false };
            // of a lie of a million frames the first and the last
            let frames = reader.frames().len();
            let mut accepted = true;
            for index in (0..frames.min(4)).chain(frames.checked_sub(1)) {
                match reader.read(index) {
                    Ok(frame) => {
                        drop(contact_lines(&frame));
                        let _ = cell_edges(&frame);
                        drop(frame_tables(frame));
                    }
                    Err(_) => accepted = false,
                }
            }
            drop(reader);
            let _ = SnapshotWriter::open_existing(path);
            accepted
        }),
    }
}

fn run_records(run: PathBuf) -> Target {
    let names = ["scene.resolved.toml", "summary.json", "beginning.json", "series.csv"];
    let read = |name: &str| std::fs::read(run.join(name)).expect("a file of the run");
    let sound: Vec<Input> = names.iter().map(|name| Input { name: (*name).to_owned(), bytes: read(name) }).collect();
    let originals = copies(&sound);
    Target {
        name: "run directory",
        weight: 6,
        allowance: Allowance { per_byte: 500, beside: 8 * MIB },
        mutate: texts(&sound),
        sound,
        read: in_place_of(names.map(|name| run.join(name)).to_vec(), originals, move || {
            let record = RunRecord::read(&run);
            let accepted = record.as_ref().is_ok_and(|record| !Methods::of(record).to_text().is_empty());
            let _ = Finished::read(&run, &["time", "kinetic_energy"], &Averages::default());
            let _ = Beginning::read(&run);
            accepted
        }),
    }
}

fn probes(folder: &Path) -> Target {
    let (directory, sound) = inputs::probes(folder);
    let originals = copies(&sound);
    let files = sound.iter().map(|input| directory.join(&input.name)).collect();
    Target {
        name: "probes and their campaign",
        weight: 5,
        allowance: Allowance { per_byte: 500, beside: 8 * MIB },
        mutate: {
            let all = originals.clone();
            Box::new(move |random| {
                // the description says how much there is to read
                let from = if random.once_in(2) { 0 } else { random.below(all.len()) };
                let other = random.pick(&all).clone();
                (from, mutation::text(random, &all[from], &other))
            })
        },
        sound,
        read: in_place_of(files, originals, move || probe::merge(std::slice::from_ref(&directory)).is_ok()),
    }
}

fn sweeps(folder: &Path) -> Target {
    let sound = inputs::sweeps();
    let scene = inputs::good_scenes().join("../restart/tray.toml");
    Target {
        name: "list of a sweep",
        weight: 4,
        allowance: Allowance { per_byte: 64 * KIB, beside: 8 * MIB },
        mutate: texts(&sound),
        sound,
        read: from_file(folder.join("sweep"), move |path, _| {
            let request = Request {
                scene: scene.clone(),
                set: Vec::new(),
                seeds: None,
                sweeps: Vec::new(),
                sweep_file: Some(path.to_owned()),
                from: None,
                averages: Averages::default(),
            };
            Plan::new(&request).is_ok()
        }),
    }
}

fn paths(folder: &Path) -> Target {
    let sound = inputs::paths();
    Target {
        name: "path of load and slip",
        weight: 5,
        allowance: Allowance { per_byte: 200, beside: MIB },
        mutate: texts(&sound),
        sound,
        read: from_file(folder.join("path.csv"), |path, _| histories::read(path).is_ok()),
    }
}

fn meshes(name: &'static str, folder: &Path, endings: &[&str], per_byte: u64) -> Target {
    let is_one = |input: &Input| endings.contains(&ending(&input.name).as_str());
    let sound: Vec<Input> = inputs::mesh_files().into_iter().filter(is_one).collect();
    let folder = folder.join(format!("scene of a {name}"));
    std::fs::create_dir(&folder).expect("a folder");
    let endings: Vec<String> = sound.iter().map(|input| ending(&input.name)).collect();
    Target {
        name,
        weight: 12,
        allowance: Allowance { per_byte, beside: MIB },
        mutate: one_with_another(copies(&sound), |random, file, other| {
            let is_text = |file: &[u8]| !file.contains(&0);
            if is_text(file) {
                mutation::text(random, file, other)
            } else if file.starts_with(b"ply") {
                mutation::bytes(random, file.to_vec(), other)
            } else {
                mutation::facets(random, file, other)
            }
        }),
        sound,
        read: Box::new(move |from, bytes| {
            let name = format!("mesh.{}", endings[from]);
            std::fs::write(folder.join(&name), bytes).expect("a file");
            let scene = inputs::SCENE_OF_A_MESH.replace("mesh.stl", &name);
            let Ok(loaded) = parse_scene_in(&folder, "scene.toml", &scene, &[]) else { return false };
            // spheres that lie deep in the mesh are refused, which is not the reader's word
            if let Ok(mut simulation) = build(&loaded)
                && simulation.initialise().is_ok()
            {
                let _ = (0..STEPS).try_for_each(|_| simulation.advance().map(|_| ()));
                drop(frame_tables(dem_sim::run::frame(&simulation.world, false)));
            }
            true
        }),
    }
}

fn ending(name: &str) -> String {
    name.rsplit('.').next().unwrap_or_default().to_owned()
}
