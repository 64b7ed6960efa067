//! Rigid bodies of a frame, in order of their ids.

use dem_core::bodies::body::Body;
use dem_io::snapshot::{Column, ColumnSpec, Table};
use glam::DVec3;

use super::columns::Columns;
use crate::state::world::World;

/// Name of the table.
pub(crate) const TABLE: &str = "bodies";
/// Name of the column of particles that says which body they belong to.
pub(crate) const BODY: &str = "body";

/// Columns of the table.
pub(crate) const COLUMNS: [&str; 16] = [
    "id",
    "template",
    "scale",
    "spheres",
    "position",
    "velocity",
    "angular_velocity",
    "angular_momentum",
    "orientation",
    "mass",
    "volume",
    "moments",
    "equivalent_diameter",
    "force",
    "torque",
    "contacts",
];

/// The column of particles.
pub(super) fn column_of_particles() -> ColumnSpec {
    ColumnSpec::new(
        BODY,
        "1",
        "id of the rigid body that the sphere belongs to, whose state is in the group `bodies`; 4294967295 without one",
        1,
    )
}

/// The table of the bodies of a world in the memory of `former` columns; `numbers` has the contacts of each particle by slot.
pub(super) fn table(world: &World, numbers: &[u32], former: Vec<Column>) -> Table {
    let bodies = &world.particles.bodies;
    let by_id = bodies.by_id();
    let mut columns = Columns::in_place_of(former);
    let count = |columns: &mut Columns, name, meaning, value: &dyn Fn(&Body) -> u32| {
        columns.push(ColumnSpec::new(name, "1", meaning, 1), by_id.iter().map(|body| value(body)));
    };
    count(&mut columns, "id", "stable identity of the rigid body", &|body| body.id);
    let template = "number of its template among the lines of `metadata/templates`, from 0";
    count(&mut columns, "template", template, &|body| body.template);
    let real = |columns: &mut Columns, name, unit, meaning, value: &dyn Fn(&Body) -> f64| {
        columns.push(ColumnSpec::new(name, unit, meaning, 1), by_id.iter().map(|body| value(body)));
    };
    real(&mut columns, "scale", "1", "size in proportion to the template", &|body| body.scale);
    count(&mut columns, "spheres", "number of its spheres", &|body| body.count);
    let vector = |columns: &mut Columns, name, unit, meaning, value: &dyn Fn(&Body) -> DVec3| {
        columns.push_vectors(ColumnSpec::new(name, unit, meaning, 3), by_id.iter().map(|body| value(body)));
    };
    vector(&mut columns, "position", "m", "centre of mass", &|body| body.position);
    vector(&mut columns, "velocity", "m/s", "velocity of the centre of mass", &|body| body.velocity);
    let spin = "angular velocity in the space frame";
    vector(&mut columns, "angular_velocity", "rad/s", spin, &Body::angular_velocity);
    let momentum = "angular momentum about the centre of mass in the space frame";
    vector(&mut columns, "angular_momentum", "kg m^2/s", momentum, &|body| body.angular_momentum);
    columns.push(
        ColumnSpec::new(
            "orientation",
            "1",
            "unit quaternion x, y, z, w from the principal frame to the space frame",
            4,
        ),
        by_id.iter().flat_map(|body| body.orientation),
    );
    real(&mut columns, "mass", "kg", "mass", &|body| body.mass);
    real(&mut columns, "volume", "m^3", "volume that has mass", &|body| bodies.volume_of(body));
    vector(&mut columns, "moments", "kg m^2", "principal moments of inertia, ascending", &|body| body.moments);
    let diameter = "diameter of the sphere of equal volume";
    real(&mut columns, "equivalent_diameter", "m", diameter, &|body| 2.0 * body.equivalent_radius);
    vector(&mut columns, "force", "N", "total force", &|body| body.force);
    vector(&mut columns, "torque", "N m", "total torque about the centre of mass", &|body| body.torque);
    count(&mut columns, "contacts", "contacts of its spheres with particles and walls", &|body| {
        numbers[body.first as usize..(body.first + body.count) as usize].iter().sum()
    });
    Table { name: TABLE.to_owned(), rows: by_id.len(), columns: columns.finish() }
}
