//! What the files of a run hold, read back from the files of a small run.

use std::error::Error;
use std::fmt::Write as _;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use dem_io::checkpoint::CheckpointReader;
use dem_io::series::SeriesReader;
use dem_io::snapshot::{Element, SnapshotReader};
use dem_sim::builder;
use dem_sim::measure::{chosen_contact_columns, series_columns};
use dem_sim::run::{Origin, Run, RunBounds, frame};
use dem_sim::wall_probes::WallProbes;
use rust_hdf5::{DatatypeMessage, H5Dataset, H5File, H5Group};

use super::{NOTICE, cell};

/// Two spheres and a rigid body on a floor and a sphere on a guide: every kind of column appears.
const SCENE: &str = r#"
title = "data dictionary"
[time]
end = "50 us"
[output]
total_rotation = true
contacts = [[0, "NAME"]]
wall_probes = [{ wall = "NAME", bins = 1, to = "8 mm" }]
regions = [{ name = "NAME", region = { type = "sphere", radius = "1 mm" } }]
materials = ["glass"]
mixing = [{ name = "NAME", reference = "glass", cells = [2, 2, 2] }]
[materials.glass]
density = "2500 kg/m^3"
young_modulus = "100 MPa"
poisson_ratio = 0.25
[contact]
law = "hertz-mindlin"
friction = 0.4
restitution = 0.5
near_field = "liquid-bridge"
surface_tension = "73 mN/m"
contact_angle = 0
bridge_volume = "0.01 mm^3"
bridge_liquid = "films"
[[walls]]
name = "NAME"
material = "glass"
shape = { type = "plane", normal = [0, 0, 1] }
[[particles]]
name = "pair"
material = "glass"
sizes = { type = "single", radius = "1 mm" }
region = { type = "box", min = [0, 0, 0], max = ["4 mm", "2 mm", "2 mm"] }
liquid_content = 0.01
fill = { type = "lattice" }
[clumps.dimer]
spheres = [{ position = [0, 0, 0], radius = "1 mm" }, { position = ["1 mm", 0, 0], radius = "1 mm" }]
[[particles]]
name = "body"
material = "glass"
clump = "dimer"
orientation = "fixed"
region = { type = "box", min = ["10 mm", 0, 0], max = ["14 mm", "4 mm", "4 mm"] }
fill = { type = "lattice", count = 1 }
[[particles]]
name = "bead"
material = "glass"
sizes = { type = "single", radius = "1 mm" }
region = { type = "box", min = ["6 mm", 0, 0], max = ["8 mm", "2 mm", "2 mm"] }
fill = { type = "lattice", count = 1 }
[[guides]]
name = "NAME"
particles = "bead"
path = { type = "line", point = ["7 mm", "1 mm", 0], direction = [0, 0, 1] }
"#;

/// The page.
///
/// # Errors
/// A file of the small run that cannot be written or read back, or a dataset without unit or meaning.
pub fn page() -> Result<String, Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    let directory = folder.path().join("run");
    let loaded = builder::parse_scene("data_dictionary.toml", SCENE, &[])?;
    let mut run = Run::begin(&loaded, &directory, &Origin::Scene, false)?;
    run.execute(&RunBounds::default(), &AtomicBool::new(false), &mut |_| {})?;

    let mut text = format!("{NOTICE}\n# Data dictionary\n");
    series(&mut text, &run, &directory)?;
    profiles(&mut text, &directory)?;
    contacts(&mut text, &run, &directory)?;
    snapshots(&mut text, &directory)?;
    facets(&mut text, folder.path())?;
    checkpoint(&mut text, &directory)?;
    Ok(text)
}

fn series(text: &mut String, run: &Run, directory: &Path) -> Result<(), Box<dyn Error>> {
    text.push_str(
        "\n## `series.csv`\n\nOne row per output time. The columns of a wall, guide, region or grid carry its name in place of `NAME`, and those of a material in place of `glass`; characters \
         that are no letter, digit, `_` or `-` become `_`. `inf` marks a ratio whose denominator is zero. Columns from \
         `bodies` on are there only with [clumps](clumps.md), `adhesion_work` only with laws that adhere and liquid bridges, those of liquid only with \
         [films](materials_and_laws.md#films).\n\n\
         | column | unit | meaning |\n|---|---|---|\n",
    );
    let columns = series_columns(&run.simulation.world);
    let reader = SeriesReader::open(directory.join("series.csv"))?;
    if !columns.iter().map(|column| &column.name).eq(reader.names()) {
        return Err("series.csv has other columns than the engine declares".into());
    }
    for column in columns {
        _ = writeln!(text, "| `{}` | {} | {} |", column.name, column.unit, cell(&column.meaning));
    }
    Ok(())
}

fn profiles(text: &mut String, directory: &Path) -> Result<(), Box<dyn Error>> {
    text.push_str(
        "\n## `profiles.csv`\n\nOnly with [wall probes](wall_probes.md): one row per output time, probe, bin and sector.\n\n\
         | column | unit | meaning |\n|---|---|---|\n",
    );
    let columns = WallProbes::columns();
    let reader = SeriesReader::open(directory.join("profiles.csv"))?;
    if !columns.iter().map(|column| &column.name).eq(reader.names()) {
        return Err("profiles.csv has other columns than the engine declares".into());
    }
    for column in columns {
        _ = writeln!(text, "| `{}` | {} | {} |", column.name, column.unit, cell(&column.meaning));
    }
    Ok(())
}

fn contacts(text: &mut String, run: &Run, directory: &Path) -> Result<(), Box<dyn Error>> {
    text.push_str(
        "\n## `contacts.csv`\n\nOnly with [chosen contacts](outputs.md#chosen-contacts): one row per row of `series.csv` and contact whose bodies \
         are there.\n\n| column | unit | meaning |\n|---|---|---|\n",
    );
    let columns = chosen_contact_columns(&run.simulation.world);
    let reader = SeriesReader::open(directory.join("contacts.csv"))?;
    if !columns.iter().map(|column| &column.name).eq(reader.names()) {
        return Err("contacts.csv has other columns than the engine declares".into());
    }
    for column in columns {
        _ = writeln!(text, "| `{}` | {} | {} |", column.name, column.unit, cell(&column.meaning));
    }
    Ok(())
}

fn snapshots(text: &mut String, directory: &Path) -> Result<(), Box<dyn Error>> {
    text.push_str(
        "\n## `snapshots.vtkhdf`\n\nEvery dataset carries the attributes `unit` and `meaning` that are shown here. Columns \
         of `VTKHDF/PointData` and of the tables hold the rows of all frames; see [Outputs](outputs.md) for how to cut one \
         frame out. Datasets of `VTKHDF` that only serve VTK are listed last. The group `bodies`, the column `body` of particles, \
         and of contacts `first_body`, `second_body` and `body_branch` are there only with [clumps](clumps.md).\n\n\
         | dataset | type | numbers per row | unit | meaning |\n|---|---|---|---|---|\n",
    );
    let path = directory.join("snapshots.vtkhdf");
    let file = H5File::options().no_locking().open(&path)?;
    let mut rows = Vec::new();
    collect(&file, &file.root_group(), "", &mut rows)?;
    let serves_vtk = |name: &str| {
        name.starts_with("VTKHDF/")
            && !name.starts_with("VTKHDF/PointData/")
            && !["VTKHDF/Points", "VTKHDF/NumberOfPoints", "VTKHDF/Steps/PointOffsets"].contains(&name)
    };
    rows.sort_by_key(|(name, _)| (serves_vtk(name), name.clone()));
    for (_, row) in rows {
        text.push_str(&row);
    }
    text.push_str("\nAttributes of the group `metadata`:\n\n");
    for name in SnapshotReader::open(&path)?.metadata().keys() {
        _ = writeln!(text, "- `{name}`");
    }
    Ok(())
}

/// Adds the datasets of a group and of the groups in it.
fn collect(file: &H5File, group: &H5Group, path: &str, rows: &mut Vec<(String, String)>) -> Result<(), Box<dyn Error>> {
    for name in group.dataset_names()? {
        let full = format!("{path}{name}");
        let dataset = file.dataset(&full)?;
        let width = dataset.shape().get(1).copied().unwrap_or(1);
        let attribute = |key: &str| -> Result<String, Box<dyn Error>> {
            let value = dataset.attr(key).and_then(|attribute| attribute.read_string());
            value.map_err(|error| format!("{full} has no {key}: {error}").into())
        };
        let row = format!(
            "| `{full}` | {} | {width} | {} | {} |\n",
            element(&dataset)?,
            attribute("unit")?,
            cell(&attribute("meaning")?)
        );
        rows.push((full, row));
    }
    for name in group.group_names()? {
        collect(file, &group.group(&name)?, &format!("{path}{name}/"), rows)?;
    }
    Ok(())
}

fn element(dataset: &H5Dataset) -> Result<String, Box<dyn Error>> {
    match dataset.datatype()? {
        DatatypeMessage::FixedPoint { size, signed, .. } => {
            Ok(format!("{}int{}", if signed { "" } else { "u" }, 8 * size))
        }
        DatatypeMessage::FloatingPoint { size, .. } => Ok(format!("float{}", 8 * size)),
        other => Err(format!("a dataset of type {other:?}").into()),
    }
}

/// A sphere on a facet.
const SCENE_OF_FACETS: &str = r#"
[materials.glass]
density = "2500 kg/m^3"
young_modulus = "100 MPa"
poisson_ratio = 0.25
[contact]
law = "hertz-mindlin"
friction = 0.4
restitution = 0.5
[[walls]]
name = "mesh"
material = "glass"
shape = { type = "mesh", file = "mesh.obj", unit = "1 mm" }
[[particles]]
name = "bead"
material = "glass"
sizes = { type = "single", radius = "1 mm" }
region = { type = "box", min = [0, 0, 0], max = ["2 mm", "2 mm", "2 mm"] }
fill = { type = "lattice", count = 1 }
[time]
end = "1 ms"
[[output.wall_facets]]
wall = "mesh"
archard = { coefficient = 1e-4, hardness = "2 GPa" }
finnie = { coefficient = "3e-11 m^3/J" }
"#;

/// Columns of the facets of meshes, which the small run does not have.
fn facets(text: &mut String, folder: &Path) -> Result<(), Box<dyn Error>> {
    std::fs::write(folder.join("mesh.obj"), "v 0 0 0\nv 9 0 0\nv 0 9 0\nf 1 2 3\n")?;
    let loaded = builder::parse_scene_in(folder, "data_dictionary.toml", SCENE_OF_FACETS, &[])?;
    let mut simulation = builder::build(&loaded)?;
    simulation.initialise()?;
    let frame = frame(&simulation.world, false);
    let table = frame.tables.iter().find(|table| table.name == "facets").ok_or("the frame has no facets")?;
    text.push_str(
        "\n### `facets`\n\nOnly with [`[[output.wall_facets]]`](meshes.md#pressure-shear-and-wear): a row for each facet of the meshes that it names, wall by \
         wall. Frames then have the number `frames/facet_window` [s], the time since the frame before, over which means are taken, and checkpoints the \
         section `wall facets`.\n\n| dataset | type | numbers per row | unit | meaning |\n|---|---|---|---|---|\n",
    );
    for column in &table.columns {
        let element = match column.data.element() {
            Element::F64 => "float64",
            Element::U64 => "uint64",
            Element::I64 => "int64",
            Element::U32 => "uint32",
            Element::U8 => "uint8",
        };
        let spec = &column.spec;
        let (name, width, unit) = (&spec.name, spec.width, &spec.unit);
        _ = writeln!(text, "| `facets/{name}` | {element} | {width} | {unit} | {} |", cell(&spec.meaning));
    }
    Ok(())
}

fn checkpoint(text: &mut String, directory: &Path) -> Result<(), Box<dyn Error>> {
    text.push_str(
        "\n## `checkpoints/step_<12 digits>.ckpt`\n\nThe state from which a run continues bit for bit, little-endian, each \
         section with a checksum. Particles stand in order of ids and contact histories in order of contact keys, so that the \
         bytes do not depend on the number of threads. Nothing of the machine or the clock is stored. The format belongs to \
         this engine and may change with its version; for analysis read the snapshots. Sections \
         (those of bodies only with [clumps](clumps.md)):\n\n",
    );
    let (_, path) =
        dem_io::checkpoint_folder::latest(&directory.join("checkpoints"))?.ok_or("the run left no checkpoint")?;
    for name in CheckpointReader::open(&path)?.section_names() {
        _ = writeln!(text, "- `{name}`");
    }
    Ok(())
}
