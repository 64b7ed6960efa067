//! One frame of the snapshots: what is recorded of the world, in order of ids and contact keys.

use dem_contact::Mode;
use dem_contact::contact_forces::Wrench;
use dem_core::contact_list::{ContactKey, PartnerKind};
use dem_core::rotation::total;
use dem_io::snapshot::{Column, ColumnData, ColumnSpec, Frame, Table};
use glam::DVec3;

use crate::measure;
use crate::world::World;

fn column(name: &'static str, unit: &'static str, meaning: &'static str, width: usize, data: ColumnData) -> Column {
    Column { spec: ColumnSpec::new(name, unit, meaning, width), data }
}

fn vectors(values: impl Iterator<Item = DVec3>) -> ColumnData {
    ColumnData::F64(values.flat_map(|v| v.to_array()).collect())
}

/// Meaning of the optional column [`total::COLUMN`].
const TOTAL_ROTATION: &str = "sum of the rotation vectors of all steps; only with `output.total_rotation`";

/// Names of the columns of particles that every frame has.
pub(super) const POINT_COLUMNS: &[&str] =
    &["id", "radius", "velocity", "angular_velocity", "orientation", "force", "mass", "material", "group", "contacts"];

/// Numbers of a frame that are the edges of a cell that may deform, component by component of one edge after the other.
pub const CELL_EDGES: [&str; 9] = [
    "cell_edge_1_x",
    "cell_edge_1_y",
    "cell_edge_1_z",
    "cell_edge_2_x",
    "cell_edge_2_y",
    "cell_edge_2_z",
    "cell_edge_3_x",
    "cell_edge_3_y",
    "cell_edge_3_z",
];

/// Frame of the present state; `contacts` adds the table of contacts.
pub fn frame(world: &World, contacts: bool) -> Frame {
    let p = &world.particles;
    let order: Vec<usize> = p.slots_by_id().into_iter().map(|slot| slot as usize).collect();
    let numbers = measure::contact_numbers(world);
    let scalars = |f: &dyn Fn(usize) -> f64| ColumnData::F64(order.iter().map(|&slot| f(slot)).collect());
    let mut point_data = vec![
        column(
            "id",
            "1",
            "stable identity of the particle",
            1,
            ColumnData::U64(order.iter().map(|&s| p.id[s]).collect()),
        ),
        column("radius", "m", "radius", 1, scalars(&|s| p.radius[s])),
        column("velocity", "m/s", "velocity of the centre", 3, vectors(order.iter().map(|&s| p.velocity[s]))),
        column(
            "angular_velocity",
            "rad/s",
            "angular velocity in the space frame",
            3,
            vectors(order.iter().map(|&s| p.angular_velocity[s])),
        ),
        column(
            "orientation",
            "1",
            "unit quaternion x, y, z, w from the body frame to the space frame",
            4,
            ColumnData::F64(order.iter().flat_map(|&s| p.orientation[s].to_array()).collect()),
        ),
        column("force", "N", "total force", 3, vectors(order.iter().map(|&s| p.force[s]))),
        column("mass", "kg", "mass", 1, scalars(&|s| p.mass[s])),
        column(
            "material",
            "1",
            "number of the material in order of names",
            1,
            ColumnData::U32(order.iter().map(|&s| p.material[s].into()).collect()),
        ),
        column("group", "1", "groups as a bit mask", 1, ColumnData::U32(order.iter().map(|&s| p.group[s]).collect())),
        column(
            "contacts",
            "1",
            "contacts with particles and walls",
            1,
            ColumnData::U32(order.iter().map(|&s| numbers[s].0 + numbers[s].1).collect()),
        ),
    ];
    for user in &p.user {
        let values = order.iter().flat_map(|&s| user.values[s * user.width..][..user.width].iter().copied()).collect();
        point_data.push(Column {
            spec: ColumnSpec {
                name: user.name.clone().into(),
                unit: user.unit.clone().into(),
                meaning: if user.name == total::COLUMN { TOTAL_ROTATION } else { "column of the user" }.into(),
                width: user.width,
            },
            data: ColumnData::F64(values),
        });
    }
    let mut tables = vec![wall_table(world)];
    if contacts {
        tables.push(contact_table(world));
    }
    let energy = world.energy();
    let edges = world.deformation.as_ref().map(|_| world.cell.matrix().to_cols_array());
    let cell = edges.into_iter().flat_map(|numbers| CELL_EDGES.iter().zip(numbers));
    let field = |name, unit, meaning, value| (ColumnSpec::new(name, unit, meaning, 1), value);
    Frame {
        step: world.step,
        time: world.time,
        positions: order.iter().map(|&s| p.position[s]).collect(),
        point_data,
        tables,
        field_data: [
            field("kinetic_energy", "J", "kinetic energy of all particles", energy.kinetic()),
            field("energy_balance", "J", "energies held and dissipated minus put in", energy.balance()),
        ]
        .into_iter()
        .chain(cell.map(|(name, number)| field(name, "m", "component of an edge of the periodic cell", number)))
        .collect(),
    }
}

fn wall_table(world: &World) -> Table {
    let walls = &world.walls;
    let vector = |f: &dyn Fn(usize) -> DVec3| vectors((0..walls.len()).map(f));
    Table {
        name: "walls".to_owned(),
        rows: walls.len(),
        columns: vec![
            column(
                "number",
                "1",
                "number of the wall in the scene, from 0",
                1,
                ColumnData::U32((0..walls.len() as u32).collect()),
            ),
            column(
                "active",
                "1",
                "1 if particles touch it",
                1,
                ColumnData::U8(walls.iter().map(|w| u8::from(w.active)).collect()),
            ),
            column("position", "m", "reference point", 3, vector(&|k| walls[k].pose.position)),
            column(
                "orientation",
                "1",
                "unit quaternion x, y, z, w from the body frame to the space frame",
                4,
                ColumnData::F64(walls.iter().flat_map(|w| w.pose.orientation.to_array()).collect()),
            ),
            column("velocity", "m/s", "velocity of the reference point", 3, vector(&|k| walls[k].velocity)),
            column("force", "N", "force of the particles on the wall", 3, vector(&|k| walls[k].force)),
            column(
                "torque",
                "N m",
                "torque of the particles about the reference point",
                3,
                vector(&|k| walls[k].torque),
            ),
            column(
                "work",
                "J",
                "work done on the particles so far",
                1,
                ColumnData::F64(walls.iter().map(|w| w.work).collect()),
            ),
        ],
    }
}

struct Row {
    key: ContactKey,
    normal: DVec3,
    overlap: f64,
    normal_force: f64,
    tangential_force: DVec3,
    slip: DVec3,
    mode: Mode,
    branch: DVec3,
}

fn contact_table(world: &World) -> Table {
    let mut rows: Vec<Row> = Vec::new();
    let context = world.context();
    for kernel in &world.kernels {
        kernel.visit(&world.list, &context, &mut |c| {
            if c.overlap <= 0.0 {
                return;
            }
            let force = world.forces.get(c.candidate).map_or(DVec3::ZERO, Wrench::force_on_first);
            let normal_force = -force.dot(c.normal);
            rows.push(Row {
                key: c.key,
                normal: c.normal,
                overlap: c.overlap,
                normal_force,
                tangential_force: force + c.normal * normal_force,
                slip: c.elastic_slip,
                mode: world.forces.mode(c.candidate).unwrap_or_default(),
                branch: c.branch,
            });
        });
    }
    rows.sort_unstable_by_key(|row| row.key);
    let kind = |row: &Row| u8::from(row.key.kind == PartnerKind::Wall);
    Table {
        name: "contacts".to_owned(),
        rows: rows.len(),
        columns: vec![
            column(
                "first",
                "1",
                "id of the first particle, the lower of a pair",
                1,
                ColumnData::U64(rows.iter().map(|r| r.key.first).collect()),
            ),
            column(
                "second",
                "1",
                "id of the second particle, or number of the wall",
                1,
                ColumnData::U64(rows.iter().map(|r| r.key.second).collect()),
            ),
            column("partner", "1", "0: particle, 1: wall", 1, ColumnData::U8(rows.iter().map(kind).collect())),
            column(
                "feature",
                "1",
                "feature of the wall; 0 for pairs",
                1,
                ColumnData::U32(rows.iter().map(|r| r.key.feature).collect()),
            ),
            column(
                "normal",
                "1",
                "unit normal from the first body to the second",
                3,
                vectors(rows.iter().map(|r| r.normal)),
            ),
            column("overlap", "m", "overlap", 1, ColumnData::F64(rows.iter().map(|r| r.overlap).collect())),
            column(
                "normal_force",
                "N",
                "normal force, positive when it pushes the bodies apart",
                1,
                ColumnData::F64(rows.iter().map(|r| r.normal_force).collect()),
            ),
            column(
                "tangential_force",
                "N",
                "tangential force on the first body",
                3,
                vectors(rows.iter().map(|r| r.tangential_force)),
            ),
            column("slip", "m", "elastic slip held by the tangential spring", 3, vectors(rows.iter().map(|r| r.slip))),
            column(
                "mode",
                "1",
                "0: open, 1: stick, 2: slide",
                1,
                ColumnData::U8(rows.iter().map(|r| r.mode as u8).collect()),
            ),
            column(
                "branch",
                "m",
                "from the first centre to the second, or to the contact point on a wall",
                3,
                vectors(rows.iter().map(|r| r.branch)),
            ),
        ],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_have_the_columns_that_pictures_may_be_coloured_by() {
        let cell = dem_core::cell::Cell::unbounded();
        let laws = dem_core::contact_list::LawSelection::uniform(1);
        let frame = frame(&World::new(cell, Vec::new(), laws, Vec::new(), 1.0), true);
        let names: Vec<&str> = frame.point_data.iter().map(|column| column.spec.name.as_ref()).collect();
        assert_eq!(names, POINT_COLUMNS);
    }
}
