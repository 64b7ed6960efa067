//! Frames and checkpoints as tables whose rows have an identity, to be compared by [`dem_io::comparison`].

use dem_core::bodies::body::Body;
use dem_core::contact_list::PartnerKind;
use dem_core::history::FurtherWork;
use dem_core::particles::Particles;
use dem_core::wall::Wall;
use dem_core::{DMat3, DVec3};
use dem_io::checkpoint::CheckpointReader;
use dem_io::comparison::KeyedTable;
use dem_io::snapshot::{Column, ColumnData, ColumnSpec, Frame, Table};

use super::format::{CELL, Header, SavedCell, SavedHistories, SavedStateError, contents};
use super::read::saved_particles;

/// Identity of particles.
const PARTICLE: &[&str] = &["id"];
/// Identity of rigid bodies.
const BODY: &[&str] = &["id"];
/// Identity of walls.
const WALL: &[&str] = &["number"];
/// Identity of facets.
const FACET: &[&str] = &["wall", "facet"];
/// Identity of contacts.
const CONTACT: &[&str] = &["first", "partner", "second", "feature"];
/// Most numbers in the history of a contact; far above use, it bounds the work on a file made by hand.
const LONGEST_RECORD: u64 = 4096;

fn column(name: impl Into<String>, unit: &'static str, width: usize, data: ColumnData) -> Column {
    let name = name.into();
    Column { spec: ColumnSpec { name: name.into(), unit: unit.into(), meaning: "".into(), width }, data }
}

fn numbers(name: impl Into<String>, unit: &'static str, values: &[f64]) -> Column {
    column(name, unit, 1, ColumnData::F64(values.to_vec()))
}

fn vectors(name: impl Into<String>, unit: &'static str, values: impl Iterator<Item = DVec3>) -> Column {
    column(name, unit, 3, ColumnData::F64(values.flat_map(|v| v.to_array()).collect()))
}

fn matrix(name: &str, unit: &'static str, value: DMat3) -> Column {
    column(name, unit, 9, ColumnData::F64(value.to_cols_array().to_vec()))
}

fn keyed(name: impl Into<String>, rows: usize, columns: Vec<Column>, keys: &'static [&'static str]) -> KeyedTable {
    KeyedTable { table: Table { name: name.into(), rows, columns }, keys }
}

/// Tables of a frame of the snapshots: step and energies, particles, rigid bodies, walls, facets of meshes, contacts.
pub fn frame_tables(frame: Frame) -> Vec<KeyedTable> {
    let mut state =
        vec![column("step", "1", 1, ColumnData::U64(vec![frame.step])), numbers("time", "s", &[frame.time])];
    state.extend(frame.field_data.into_iter().map(|(spec, value)| Column { spec, data: ColumnData::F64(vec![value]) }));
    let rows = frame.positions.len();
    let mut particles = vec![vectors("position", "m", frame.positions.into_iter())];
    particles.extend(frame.point_data);
    let mut tables = vec![keyed("state", 1, state, &[]), keyed("particles", rows, particles, PARTICLE)];
    tables.extend(frame.tables.into_iter().map(|table| {
        let keys = match table.name.as_str() {
            "walls" => WALL,
            "bodies" => BODY,
            "facets" => FACET,
            _ => CONTACT,
        };
        KeyedTable { table, keys }
    }));
    tables
}

/// Tables of a checkpoint: scalars, particles, rigid bodies, walls, and the contact histories of each law. What they do not show differs at least in
/// [`differing_sections`].
///
/// # Errors
/// A checkpoint whose contents contradict each other.
pub fn state_tables(reader: &CheckpointReader) -> Result<Vec<KeyedTable>, SavedStateError> {
    let header: Header = reader.structure("header")?;
    let particles = saved_particles(reader, &header)?;
    let walls: Vec<Wall> = reader.structure("walls")?;
    let mut tables = vec![
        keyed("state", 1, scalars(reader, &header)?, &[]),
        keyed("particles", particles.len(), particle_columns(&particles), PARTICLE),
        keyed("walls", walls.len(), wall_columns(&walls), WALL),
    ];
    let bodies = particles.bodies.by_id();
    if !bodies.is_empty() {
        tables.push(keyed("bodies", bodies.len(), body_columns(&bodies), BODY));
    }
    for histories in reader.structure::<Vec<SavedHistories>>("histories")? {
        tables.push(history_table(&histories)?);
    }
    Ok(tables)
}

/// Names of the sections of two checkpoints that do not hold the same bytes, or that only one of them has.
///
/// # Errors
/// None for checkpoints that were opened.
pub fn differing_sections(first: &CheckpointReader, second: &CheckpointReader) -> Result<Vec<String>, SavedStateError> {
    let mut names = Vec::new();
    for name in first.section_names() {
        if !second.has(name) || first.bytes(name)? != second.bytes(name)? {
            names.push(name.to_owned());
        }
    }
    names.extend(second.section_names().filter(|name| !first.has(name)).map(str::to_owned));
    Ok(names)
}

fn scalars(reader: &CheckpointReader, header: &Header) -> Result<Vec<Column>, SavedStateError> {
    let count = |name: &str, value: u64| column(name, "1", 1, ColumnData::U64(vec![value]));
    let energy = &header.accumulated;
    let separated = &energy.separated;
    let mut columns = vec![
        count("step", header.step),
        numbers("time", "s", &[header.time]),
        numbers("time_step", "s", &[header.time_step]),
        count("inserted", header.inserted),
        count("removed", header.removed),
        numbers("removed_mass", "kg", &[header.removed_mass]),
        count("removed_by_stages", header.removed_by_stages),
        numbers("overlap_ratio_peak", "1", &[header.peak_overlap_ratio]),
        numbers("wall_work", "J", &[energy.walls]),
        numbers("cell_work", "J", &[energy.cell]),
        numbers("field_work_of_removed", "J", &[energy.fields_of_removed]),
        numbers("exchanged_energy", "J", &[energy.exchanged]),
        numbers("friction_work_of_parted", "J", &[separated.friction]),
        numbers("viscous_work_of_parted", "J", &[separated.viscous]),
        numbers("stiffness_work_of_parted", "J", &[separated.stiffness]),
        numbers("rolling_work_of_parted", "J", &[separated.rolling]),
        numbers("twisting_work_of_parted", "J", &[separated.twisting]),
        numbers(
            "released_energy",
            "J",
            &[separated.released + separated.elastic_tangential + separated.elastic_rolling],
        ),
    ];
    for work in FurtherWork::ALL {
        columns.push(numbers(format!("{}_of_parted", work.column()), "J", &[separated.further[work.place()]]));
    }
    if reader.has(CELL) {
        let cell: SavedCell = reader.structure(CELL)?;
        columns.extend([
            vectors("cell_origin", "m", std::iter::once(cell.origin)),
            matrix("cell_edges", "m", cell.matrix),
            matrix("cell_strain", "1", cell.state.strain),
        ]);
    }
    Ok(columns)
}

fn particle_columns(p: &Particles) -> Vec<Column> {
    let integers = |name: &str, values: Vec<u32>| column(name, "1", 1, ColumnData::U32(values));
    let image = p.image.iter().flatten().map(|&k| i64::from(k)).collect();
    let orientation = p.orientation.iter().flat_map(|q| q.to_array()).collect();
    let mut columns = vec![
        column("id", "1", 1, ColumnData::U64(p.id.clone())),
        vectors("position", "m", p.position.iter().copied()),
        column("image", "1", 3, ColumnData::I64(image)),
        vectors("velocity", "m/s", p.velocity.iter().copied()),
        vectors("angular_velocity", "rad/s", p.angular_velocity.iter().copied()),
        column("orientation", "1", 4, ColumnData::F64(orientation)),
        vectors("force", "N", p.force.iter().copied()),
        vectors("torque", "N m", p.torque.iter().copied()),
        numbers("radius", "m", &p.radius),
        numbers("mass", "kg", &p.mass),
        numbers("inverse_mass", "1/kg", &p.inverse_mass),
        numbers("field_dissipation", "J", &p.field_dissipation),
        integers("material", p.material.iter().map(|&k| k.into()).collect()),
        column("frozen", "1", 1, ColumnData::U8(p.frozen.clone())),
        integers("group", p.group.clone()),
        integers("body", p.body.clone()),
    ];
    if !p.external.is_empty() {
        columns.push(vectors("external_force", "N", p.external.iter().map(|load| load.force)));
        columns.push(vectors("external_torque", "N m", p.external.iter().map(|load| load.torque)));
    }
    if !p.higher_derivatives.is_empty() {
        let names = [
            ("third_derivative", "m/s^3", "rad/s^3"),
            ("fourth_derivative", "m/s^4", "rad/s^4"),
            ("fifth_derivative", "m/s^5", "rad/s^5"),
        ];
        for (k, (name, linear, angular)) in names.into_iter().enumerate() {
            let derivatives = || p.higher_derivatives.iter().map(move |all| all.derivative[k]);
            columns.push(vectors(name, linear, derivatives().map(|twist| twist.linear)));
            columns.push(vectors(format!("{name}_of_rotation"), angular, derivatives().map(|twist| twist.angular)));
        }
        columns.push(vectors("predicted_offset", "m", p.higher_derivatives.iter().map(|all| all.offset.linear)));
        columns.push(vectors("predicted_rotation", "rad", p.higher_derivatives.iter().map(|all| all.offset.angular)));
    }
    // units of the user are words of the file
    columns.extend(p.user.iter().map(|user| Column {
        spec: ColumnSpec {
            name: user.name.clone().into(),
            unit: user.unit.clone().into(),
            meaning: "".into(),
            width: user.width,
        },
        data: ColumnData::F64(user.values.clone()),
    }));
    columns
}

fn body_columns(bodies: &[&Body]) -> Vec<Column> {
    let integers = |name: &str, value: fn(&Body) -> u32| {
        column(name, "1", 1, ColumnData::U32(bodies.iter().map(|body| value(body)).collect()))
    };
    let reals = |name: &str, unit, value: fn(&Body) -> f64| {
        numbers(name, unit, &bodies.iter().map(|body| value(body)).collect::<Vec<_>>())
    };
    let of_space =
        |name: &str, unit, value: fn(&Body) -> DVec3| vectors(name, unit, bodies.iter().map(|body| value(body)));
    let image = bodies.iter().flat_map(|body| body.image).map(i64::from).collect();
    vec![
        integers("id", |body| body.id),
        integers("template", |body| body.template),
        reals("scale", "1", |body| body.scale),
        of_space("position", "m", |body| body.position),
        column("image", "1", 3, ColumnData::I64(image)),
        of_space("velocity", "m/s", |body| body.velocity),
        of_space("angular_momentum", "kg m^2/s", |body| body.angular_momentum),
        column("orientation", "1", 4, ColumnData::F64(bodies.iter().flat_map(|body| body.orientation).collect())),
        of_space("force", "N", |body| body.force),
        of_space("torque", "N m", |body| body.torque),
        reals("mass", "kg", |body| body.mass),
        of_space("moments", "kg m^2", |body| body.moments),
        reals("equivalent_radius", "m", |body| body.equivalent_radius),
        reals("field_dissipation", "J", |body| body.field_dissipation),
        integers("frozen", |body| body.frozen),
    ]
}

fn wall_columns(walls: &[Wall]) -> Vec<Column> {
    let number = (0..walls.len() as u64).collect();
    let orientation = walls.iter().flat_map(|wall| wall.pose.orientation.to_array()).collect();
    vec![
        column("number", "1", 1, ColumnData::U64(number)),
        column("active", "1", 1, ColumnData::U8(walls.iter().map(|wall| u8::from(wall.active)).collect())),
        vectors("position", "m", walls.iter().map(|wall| wall.pose.position)),
        column("orientation", "1", 4, ColumnData::F64(orientation)),
        vectors("velocity", "m/s", walls.iter().map(|wall| wall.velocity)),
        vectors("angular_velocity", "rad/s", walls.iter().map(|wall| wall.angular_velocity)),
        vectors("force", "N", walls.iter().map(|wall| wall.force)),
        vectors("torque", "N m", walls.iter().map(|wall| wall.torque)),
        numbers("work", "J", &walls.iter().map(|wall| wall.work).collect::<Vec<_>>()),
    ]
}

/// The numbers of a record mean different things, so each is a column of its own.
fn history_table(histories: &SavedHistories) -> Result<KeyedTable, SavedStateError> {
    let SavedHistories { law, stride, keys, records, .. } = histories;
    if !(1..=LONGEST_RECORD).contains(stride) || records.len() as u64 != keys.len() as u64 * stride {
        return Err(contents(format!(
            "{} histories of law {law} with {stride} numbers each do not make {} numbers",
            keys.len(),
            records.len()
        )));
    }
    let stride = *stride as usize;
    let partner = keys.iter().map(|key| u8::from(key.kind == PartnerKind::Wall)).collect();
    let mut columns = vec![
        column("first", "1", 1, ColumnData::U64(keys.iter().map(|key| key.first).collect())),
        column("partner", "1", 1, ColumnData::U8(partner)),
        column("second", "1", 1, ColumnData::U64(keys.iter().map(|key| key.second).collect())),
        column("feature", "1", 1, ColumnData::U32(keys.iter().map(|key| key.feature).collect())),
    ];
    columns.extend((0..stride).map(|k| {
        let values: Vec<f64> = records.iter().skip(k).step_by(stride).copied().collect();
        numbers(format!("record_{k}"), "SI", &values)
    }));
    Ok(keyed(format!("histories of {law}"), keys.len(), columns, CONTACT))
}
