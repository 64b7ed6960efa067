//! Facets of meshes in a frame: a row for each, wall by wall in the order of the mesh.

use dem_core::DVec3;
use dem_core::wall::{Mesh, Shape};
use dem_io::snapshot::{Column, ColumnData, ColumnSpec, Frame, Table};

use super::columns::Columns;
use crate::state::world::World;
use crate::wall_facets::wear::Wear;
use crate::wall_probes::facet_loads::{self, FacetLoad};

/// Name of the table.
pub(crate) const TABLE: &str = "facets";
/// Name of the number of a frame that says how long means are taken over.
pub(crate) const WINDOW: &str = "facet_window";
/// Its meaning.
pub(crate) const WINDOW_MEANING: &str = "time since the frame before, over which means of facets are taken";

/// Load of a facet at the instant of the frame.
#[derive(Clone, Copy, Default)]
struct Present {
    force: DVec3,
    normal: f64,
    tangential: DVec3,
}

/// A row of the table.
struct Row {
    wall: u32,
    facet: u32,
    given: u32,
    area: f64,
    present: Present,
    mean_normal: f64,
    mean_tangential: DVec3,
    archard: f64,
    finnie: f64,
    impacts: u64,
}

/// The table of the facets of a world in the memory of `former` columns.
pub(super) fn table(world: &World, former: Vec<Column>) -> Table {
    let rows = rows(world);
    let wear = |kind: fn(&Wear) -> bool| world.facets.walls().iter().any(|records| kind(&records.wear));
    let mut columns = Columns::in_place_of(former);
    let count = |columns: &mut Columns, name, meaning, value: fn(&Row) -> u32| {
        columns.push(ColumnSpec::new(name, "1", meaning, 1), rows.iter().map(value));
    };
    count(&mut columns, "wall", "number of the wall among the lines of `metadata/walls`, from 0", |row| row.wall);
    count(&mut columns, "facet", "number of the facet in the mesh of the wall, from 0", |row| row.facet);
    let file = "number of the triangle in the file of the mesh, from 0; parts of one that was divided share it";
    count(&mut columns, "file_facet", file, |row| row.given);
    let real = |columns: &mut Columns, name, unit, meaning, value: fn(&Row) -> f64| {
        columns.push(ColumnSpec::new(name, unit, meaning, 1), rows.iter().map(value));
    };
    let vector = |columns: &mut Columns, name, meaning, value: fn(&Row) -> DVec3| {
        columns.push_vectors(ColumnSpec::new(name, "N", meaning, 3), rows.iter().map(value));
    };
    real(&mut columns, "area", "m^2", "area", |row| row.area);
    vector(&mut columns, "load", "force of the particles on the facet", |row| row.present.force);
    let normal = "sum of the normal forces of the contacts, positive in compression";
    real(&mut columns, "normal_force", "N", normal, |row| row.present.normal);
    let tangential = "sum of the tangential forces of the contacts on the facet";
    vector(&mut columns, "tangential_force", tangential, |row| row.present.tangential);
    let mean_normal = "mean of `normal_force` since the frame before";
    real(&mut columns, "mean_normal_force", "N", mean_normal, |row| row.mean_normal);
    let mean_tangential = "mean of `tangential_force` since the frame before, turned with the wall";
    vector(&mut columns, "mean_tangential_force", mean_tangential, |row| row.mean_tangential);
    real(&mut columns, "pressure", "Pa", "`mean_normal_force` over the area", |row| row.mean_normal / row.area);
    let shear = "magnitude of `mean_tangential_force` over the area";
    real(&mut columns, "shear", "Pa", shear, |row| row.mean_tangential.length() / row.area);
    if wear(|wear| wear.archard.is_some()) {
        let meaning = "volume that sliding has worn so far, after Archard; only with `archard`";
        real(&mut columns, "archard_volume", "m^3", meaning, |row| row.archard);
    }
    if wear(|wear| wear.finnie.is_some()) {
        let meaning = "volume that impacts have worn so far, after Finnie; only with `finnie`";
        real(&mut columns, "finnie_volume", "m^3", meaning, |row| row.finnie);
        let meaning = "impacts so far; only with `finnie`";
        columns.push(ColumnSpec::new("impacts", "1", meaning, 1), rows.iter().map(|row| row.impacts));
    }
    if wear(Wear::is_any) {
        let meaning = "volume worn so far over the area; only with `archard` or `finnie`";
        real(&mut columns, "wear_depth", "m", meaning, |row| (row.archard + row.finnie) / row.area);
    }
    Table { name: TABLE.to_owned(), rows: rows.len(), columns: columns.finish() }
}

fn rows(world: &World) -> Vec<Row> {
    let window = world.facets.window();
    let contacts = facet_loads::contacts(world, world.time_step);
    let mut rows = Vec::new();
    for (surface, records) in world.facets.walls().iter().enumerate() {
        let wall = &world.walls[records.wall];
        let Shape::Mesh { mesh, .. } = &wall.shape else { continue };
        let mut present = vec![Present::default(); records.facets.len()];
        for FacetLoad { contact, force, tangential } in &contacts {
            if contact.surface as usize != surface {
                continue;
            }
            let Some(load) = present.get_mut(contact.facet as usize) else { continue };
            load.force += *force;
            load.normal += contact.normal;
            load.tangential += *tangential;
        }
        for (number, ((record, present), area)) in records.facets.iter().zip(present).zip(areas(mesh)).enumerate() {
            // over no time the mean is the present value
            let (mean_normal, mean_tangential) = if window > 0.0 {
                (record.normal / window, wall.pose.orientation * (record.tangential / window))
            } else {
                (present.normal, present.tangential)
            };
            rows.push(Row {
                wall: records.wall as u32,
                facet: number as u32,
                given: mesh.given_as(number).unwrap_or_default(),
                area,
                present,
                mean_normal,
                mean_tangential,
                archard: record.archard,
                finnie: record.finnie,
                impacts: record.impacts,
            });
        }
    }
    rows
}

/// Areas of the facets of a mesh \[m²\].
fn areas(mesh: &Mesh) -> impl Iterator<Item = f64> + '_ {
    mesh.triangles().map(|[a, b, c]| 0.5 * (b - a).cross(c - a).length())
}

/// Columns of the facets of a frame as they lie on the triangles of walls, of which `triangles` has the number of each wall; NaN where a wall has no
/// rows. None if the frame has no table of facets or one that does not fit the walls.
pub(super) fn on_triangles(frame: &Frame, triangles: &[usize]) -> Option<Vec<Column>> {
    let table = frame.tables.iter().find(|table| table.name == TABLE)?;
    let numbers = |name: &str| match &table.columns.iter().find(|column| column.spec.name == name)?.data {
        ColumnData::U32(numbers) => Some(numbers),
        _ => None,
    };
    let (walls, facets) = (numbers("wall")?, numbers("facet")?);
    let mut first = vec![0; triangles.len()];
    let mut count = 0;
    for (first, own) in first.iter_mut().zip(triangles) {
        *first = count;
        count += own;
    }
    let place = |(&wall, &facet): (&u32, &u32)| {
        let (wall, facet) = (wall as usize, facet as usize);
        triangles.get(wall).filter(|&&own| facet < own).map(|_| first[wall] + facet)
    };
    // a wall that no particle touches is not drawn
    let places: Vec<Option<usize>> = walls.iter().zip(facets).map(place).collect();
    let spread = |column: &Column| {
        let whole;
        let values = match &column.data {
            ColumnData::F64(values) => values,
            ColumnData::U64(values) => {
                whole = values.iter().map(|&value| value as f64).collect();
                &whole
            }
            // numbers of walls and facets
            _ => return None,
        };
        let width = column.spec.width;
        let mut spread = vec![f64::NAN; count * width];
        for (place, row) in places.iter().zip(values.chunks_exact(width)) {
            if let Some(place) = place {
                spread[place * width..][..width].copy_from_slice(row);
            }
        }
        Some(Column { spec: column.spec.clone(), data: spread.into() })
    };
    Some(table.columns.iter().filter_map(spread).collect())
}
