//! One frame of the snapshots: what is recorded of the world, in order of ids and contact keys.

use dem_core::DMat3;
use dem_core::liquid;
use dem_core::rotation::total;
use dem_io::snapshot::{ColumnSpec, Frame, Table};

use super::body_rows;
use super::columns::Columns;
use super::contact_rows::{self, TABLE};
use super::facet_rows;
use crate::measure::bodies::has_bodies;
use crate::scene::output::OutputScene;
use crate::state::world::World;

/// Meaning of the optional column [`total::COLUMN`].
const TOTAL_ROTATION: &str = "sum of the rotation vectors of all steps; only with `output.total_rotation`";
/// Meaning of the optional column [`liquid::COLUMN`].
const LIQUID_VOLUME: &str =
    "volume of the film of liquid on the particle, without that in bridges; only with `bridge_liquid = \"films\"`";

/// The column of orientations, if these follow.
const ORIENTATION: &str = "orientation";

/// Its meaning.
const ORIENTATION_MEANING: &str =
    "unit quaternion x, y, z, w from the body frame to the space frame; not with `output.orientations = false`";

/// Names of the columns of particles that every frame has, but for orientations that do not follow.
const POINT_COLUMNS: &[&str] = &[
    "id",
    "radius",
    "velocity",
    "angular_velocity",
    ORIENTATION,
    "force",
    "mass",
    "material",
    "group",
    "source",
    "contacts",
];

/// Names of the columns of particles that the frames of a run will have.
pub(crate) fn columns_of(output: &OutputScene, with_bodies: bool, with_films: bool) -> Vec<&'static str> {
    let with_orientations = output.orientations.unwrap_or(true);
    let kept = POINT_COLUMNS.iter().copied().filter(|&name| with_orientations || name != ORIENTATION);
    let of_bodies = with_bodies.then_some(body_rows::BODY);
    let of_the_user = [(output.total_rotation, total::COLUMN), (with_films, liquid::COLUMN)];
    let of_the_user = of_the_user.into_iter().filter_map(|(is_kept, name)| is_kept.then_some(name));
    kept.chain(of_bodies).chain(of_the_user).collect()
}

/// Numbers of a frame that are the edges of a cell that may deform, component by component of one edge after the other.
const CELL_EDGES: [&str; 9] = [
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

/// Edges of the cell of a frame as columns \[m\]; none if it is that of the scene, which keeps its shape.
pub fn cell_edges(frame: &Frame) -> Option<DMat3> {
    let number = |name: &&str| frame.field_data.iter().find(|(spec, _)| spec.name == *name).map(|&(_, number)| number);
    let numbers = CELL_EDGES.iter().map(number).collect::<Option<Vec<f64>>>()?;
    Some(DMat3::from_cols_slice(&numbers))
}

/// Frame of the present state; `contacts` adds the table of contacts.
pub fn frame(world: &World, contacts: bool) -> Frame {
    let mut recording = Recording::default();
    recording.record(world, contacts);
    recording.frame
}

/// A frame, copied from the world. Its memory is reused from frame to frame, unless it is [too
/// large](Self::keep_little).
#[derive(Default)]
pub(crate) struct Recording {
    frame: Frame,
    /// Touching contacts of each particle by slot.
    numbers: Vec<u32>,
    /// Memory of the frame that it has or had last, by order of magnitude \[byte\].
    size: usize,
}

impl Recording {
    /// The frame.
    pub(crate) fn frame(&self) -> &Frame {
        &self.frame
    }

    /// Memory of the frame that it has or had last, by order of magnitude \[byte\].
    pub(crate) fn size(&self) -> usize {
        self.size
    }

    /// Frees the frame if it is larger than `most` \[byte\]: between two frames the memory of large ones is worth more
    /// than the time to allocate it again.
    pub(crate) fn keep_little(&mut self, most: usize) {
        if self.size > most {
            *self = Self { size: self.size, ..Self::default() };
        }
    }

    fn present_size(&self) -> usize {
        /// Of names, units and what is left empty.
        const IN_ANY_CASE: usize = 1 << 14;
        let tables = self.frame.tables.iter().flat_map(|table| &table.columns);
        let numbers: usize = self.frame.point_data.iter().chain(tables).map(|column| column.data.len()).sum();
        IN_ANY_CASE + 8 * (numbers + 3 * self.frame.positions.len())
    }

    /// Takes what is to be recorded of the present state.
    pub(crate) fn record(&mut self, world: &World, contacts: bool) {
        let order = world.particles.slots_by_id();
        let mut ledger = world.only_known(world.energy_without_contacts());
        let mut former = std::mem::take(&mut self.frame.tables);
        let mut columns_of = |name: &str| {
            let table = former.iter_mut().find(|table| table.name == name);
            table.map_or_else(Vec::new, |table| std::mem::take(&mut table.columns))
        };
        let contacts = contacts.then(|| columns_of(TABLE));
        let contacts = contact_rows::record(world, &order, &mut self.numbers, &mut ledger, contacts);
        let bodies = has_bodies(world).then(|| body_rows::table(world, &self.numbers, columns_of(body_rows::TABLE)));
        let has_facets = !world.facets.is_idle();
        let facets = has_facets.then(|| facet_rows::table(world, columns_of(facet_rows::TABLE)));
        self.frame.tables.push(wall_table(world));
        self.frame.tables.extend(facets);
        self.frame.tables.extend(bodies);
        self.frame.tables.extend(contacts);
        self.frame.step = world.step;
        self.frame.time = world.time;
        self.record_particles(world, &order);
        let energies = [
            ("kinetic_energy", "kinetic energy of all particles", ledger.kinetic()),
            ("energy_balance", "energies held and dissipated minus put in", ledger.balance()),
        ];
        let energies = energies.map(|(name, meaning, value)| (ColumnSpec::new(name, "J", meaning, 1), value));
        let edges = world.deformation.as_ref().map(|_| world.cell.matrix().to_cols_array());
        let edges = edges.into_iter().flat_map(|numbers| CELL_EDGES.into_iter().zip(numbers));
        let edge =
            |(name, number)| (ColumnSpec::new(name, "m", "component of an edge of the periodic cell", 1), number);
        self.frame.field_data.clear();
        let window = ColumnSpec::new(facet_rows::WINDOW, "s", facet_rows::WINDOW_MEANING, 1);
        let window = has_facets.then(|| (window, world.facets.window()));
        self.frame.field_data.extend(energies.into_iter().chain(edges.map(edge)).chain(window));
        self.size = self.present_size();
    }

    fn record_particles(&mut self, world: &World, order: &[u32]) {
        let p = &world.particles;
        let slots = || order.iter().map(|&slot| slot as usize);
        self.frame.positions.clear();
        self.frame.positions.extend(slots().map(|s| p.position[s]));
        let mut columns = Columns::in_place_of(std::mem::take(&mut self.frame.point_data));
        columns.push(ColumnSpec::new("id", "1", "stable identity of the particle", 1), slots().map(|s| p.id[s]));
        columns.push(ColumnSpec::new("radius", "m", "radius", 1), slots().map(|s| p.radius[s]));
        columns.push_vectors(
            ColumnSpec::new("velocity", "m/s", "velocity of the centre", 3),
            slots().map(|s| p.velocity[s]),
        );
        columns.push_vectors(
            ColumnSpec::new("angular_velocity", "rad/s", "angular velocity in the space frame", 3),
            slots().map(|s| p.angular_velocity[s]),
        );
        if world.orientations_follow {
            columns.push(
                ColumnSpec::new(ORIENTATION, "1", ORIENTATION_MEANING, 4),
                slots().flat_map(|s| p.orientation[s].to_array()),
            );
        }
        let force = if has_bodies(world) {
            "total force, of a sphere of a rigid body that of its contacts"
        } else {
            "total force"
        };
        columns.push_vectors(ColumnSpec::new("force", "N", force, 3), slots().map(|s| p.force[s]));
        columns.push(ColumnSpec::new("mass", "kg", "mass", 1), slots().map(|s| p.mass[s]));
        columns.push(
            ColumnSpec::new("material", "1", "number of the material in order of names", 1),
            slots().map(|s| u32::from(p.material[s])),
        );
        columns.push(ColumnSpec::new("group", "1", "groups as a bit mask", 1), slots().map(|s| p.group[s]));
        columns.push(
            ColumnSpec::new(
                "source",
                "1",
                "number of its source among the lines of `metadata/sources`, from 0; 4294967295 without one",
                1,
            ),
            slots().map(|s| world.provenance.of(p.id[s])),
        );
        columns.push(
            ColumnSpec::new("contacts", "1", "contacts with particles and walls", 1),
            slots().map(|s| self.numbers[s]),
        );
        if has_bodies(world) {
            columns.push(body_rows::column_of_particles(), slots().map(|s| p.body[s]));
        }
        for user in &p.user {
            let spec = ColumnSpec {
                name: user.name.clone().into(),
                unit: user.unit.clone().into(),
                meaning: match user.name.as_str() {
                    total::COLUMN => TOTAL_ROTATION,
                    liquid::COLUMN => LIQUID_VOLUME,
                    _ => "column of the user",
                }
                .into(),
                width: user.width,
            };
            columns.push(spec, slots().flat_map(|s| user.values[s * user.width..][..user.width].iter().copied()));
        }
        self.frame.point_data = columns.finish();
    }
}

fn wall_table(world: &World) -> Table {
    let walls = &world.walls;
    let mut columns = Columns::in_place_of(Vec::new());
    columns.push(ColumnSpec::new("number", "1", "number of the wall in the scene, from 0", 1), 0..walls.len() as u32);
    columns
        .push(ColumnSpec::new("active", "1", "1 if particles touch it", 1), walls.iter().map(|w| u8::from(w.active)));
    columns.push_vectors(ColumnSpec::new("position", "m", "reference point", 3), walls.iter().map(|w| w.pose.position));
    columns.push(
        ColumnSpec::new("orientation", "1", "unit quaternion x, y, z, w from the body frame to the space frame", 4),
        walls.iter().flat_map(|w| w.pose.orientation.to_array()),
    );
    columns.push_vectors(
        ColumnSpec::new("velocity", "m/s", "velocity of the reference point", 3),
        walls.iter().map(|w| w.velocity),
    );
    columns.push_vectors(
        ColumnSpec::new("force", "N", "force of the particles on the wall", 3),
        walls.iter().map(|w| w.force),
    );
    columns.push_vectors(
        ColumnSpec::new("torque", "N m", "torque of the particles about the reference point", 3),
        walls.iter().map(|w| w.torque),
    );
    columns.push(ColumnSpec::new("work", "J", "work done on the particles so far", 1), walls.iter().map(|w| w.work));
    Table { name: "walls".to_owned(), rows: walls.len(), columns: columns.finish() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builder;
    use crate::simulation::components::Simulation;

    #[test]
    fn frames_have_the_columns_that_pictures_may_be_coloured_by() {
        let cell = dem_core::cell::Cell::unbounded();
        let laws = dem_core::contact_list::LawSelection::uniform(1);
        let frame = frame(&World::new(cell, Vec::new(), laws, Vec::new(), 1.0), true);
        let names: Vec<&str> = frame.point_data.iter().map(|column| column.spec.name.as_ref()).collect();
        assert_eq!(names, POINT_COLUMNS);
    }

    /// Spheres that fall into each other and out of the domain.
    fn shower() -> Simulation {
        let scene = r#"
[time]
step = "10 us"
[domain]
min = ["-6 mm", "-6 mm", "-1 mm"]
max = ["6 mm", "6 mm", "20 mm"]
z_min = "open"
[limits]
overlap = 0.5
[materials.m]
density = 2500
young_modulus = 1e7
poisson_ratio = 0.25
[contact]
law = "hertz-mindlin"
friction = 0.4
restitution = 0.5
[[walls]]
name = "floor"
material = "m"
shape = { type = "rectangle", centre = [0, 0, 0], edge_u = ["6 mm", 0, 0], edge_v = [0, "6 mm", 0] }
[[particles]]
name = "s"
material = "m"
sizes = { type = "uniform", min = "0.9 mm", max = "1 mm" }
region = { type = "box", min = ["-5 mm", "-5 mm", "0.2 mm"], max = ["5 mm", "5 mm", "8 mm"] }
fill = { type = "lattice", gap = 0.005, jitter = 1 }
velocity = [0, 0, "-1 m/s"]
[[stages]]
name = "fall"
until = { steps = 100000 }
"#;
        let mut simulation = builder::build(&builder::parse_scene("shower", scene, &[]).unwrap()).unwrap();
        simulation.initialise().unwrap();
        simulation
    }

    #[test]
    fn memory_of_a_larger_frame_leaves_no_trace_in_the_next() {
        let mut simulation = shower();
        let mut recording = Recording::default();
        let mut particles = Vec::new();
        let mut touching = 0;
        for (steps, contacts) in [(45, true), (15, true), (300, false), (300, true)] {
            for _ in 0..steps {
                simulation.advance().unwrap();
            }
            recording.record(&simulation.world, contacts);
            let again = recording.frame();
            assert!(*again == frame(&simulation.world, contacts), "step {}", again.step);
            particles.push(again.positions.len());
            touching += again.tables.iter().filter(|table| table.name == TABLE).map(|table| table.rows).sum::<usize>();
        }
        // there was something to leave traces
        assert!(particles[0] > particles[3] && particles[3] > 0 && touching > 0, "{particles:?}, {touching}");
    }

    #[test]
    fn balance_of_a_frame_is_that_of_the_ledger() {
        let mut simulation = shower();
        for _ in 0..120 {
            simulation.advance().unwrap();
        }
        let world = &simulation.world;
        let values: Vec<f64> = frame(world, true).field_data.iter().map(|(_, value)| *value).collect();
        assert_eq!(values, [world.energy().kinetic(), world.energy().balance()]);
        assert!(world.energy().elastic_normal > 0.0);
    }
}
