//! The world: everything that a run is, and that a checkpoint saves. It may be changed freely between steps.

use std::sync::Arc;

use dem_contact::contact_forces::ContactForces;
use dem_contact::geometry::{ContactGeometry, StepContext};
use dem_contact::kernel::ForceKernel;
use dem_core::DVec3;
use dem_core::bodies::new_body::NewBody;
use dem_core::cell::Cell;
use dem_core::contact_list::{ContactList, LawSelection, PartnerKind};
use dem_core::energy::AccumulatedEnergy;
use dem_core::history::{FieldRole, FurtherWork};
use dem_core::lanes::Width;
use dem_core::material::Material;
use dem_core::particles::{NewParticle, Particles};
use dem_core::rotation::carried::{self, Carried, RotationScheme};
use dem_core::wall::Wall;

use super::clock::{self, StepClock};
use super::liquid_books::LiquidBooks;
use super::material_flow::MaterialFlow;
use super::measured_region::MeasuredRegion;
use super::mixing_grid::MixingGrid;
use super::other_loads::OtherLoads;
use super::provenance::Provenance;
use super::whole::{Alone, Whole};
use crate::deformation::deforming_cell::Deformation;
use crate::fields::body_forces::{Fields, StepFields};
use crate::fields::motion::Motion;
use crate::fields::porosity::{Porosity, PorosityGrid};
use crate::guides::guide::Guides;
use crate::wall_facets::records::WallFacets;
use crate::wall_servos::servo::WallServo;

/// State of a simulation.
pub struct World {
    /// Steps done.
    pub step: u64,
    /// Time \[s\].
    pub time: f64,
    /// Length of the next step \[s\].
    pub time_step: f64,
    /// What time is counted from.
    pub clock: StepClock,
    /// Particles.
    pub particles: Particles,
    /// Which source each of them comes from.
    pub provenance: Provenance,
    /// Whether their orientations turn with them; otherwise they stay as they are, on which no motion of spheres depends.
    pub orientations_follow: bool,
    /// How orientations are carried and advanced.
    pub rotation: RotationScheme,
    /// Materials by index.
    pub materials: Vec<Material>,
    /// Walls by number; the number is part of the identity of a contact.
    pub walls: Vec<Wall>,
    /// The walls that press with a force during some stage.
    pub wall_servos: Vec<WallServo>,
    /// Load and wear of the facets of meshes, as far as they are asked for.
    pub facets: WallFacets,
    /// Where particles may be.
    pub cell: Cell,
    /// How the cell deforms, and its stress; none for a cell that keeps its shape and whose stress is not requested.
    /// Where a cell with it is not periodic, walls enclose it; velocities of its particles are peculiar.
    pub deformation: Option<Deformation>,
    /// Forces on particles that are not contacts.
    pub fields: Fields,
    /// Local porosities, if fields need them; they follow from the positions.
    pub porosity: Porosity,
    /// Particles that move along paths.
    pub guides: Guides,
    /// Parts of space whose stress the series reports.
    pub regions: Vec<MeasuredRegion>,
    /// Grids that tell how well materials are mixed.
    pub mixing: Vec<MixingGrid>,
    /// What has left of the materials that the series follows.
    pub material_flows: Vec<MaterialFlow>,
    /// Law of each pair of materials.
    pub laws: LawSelection,
    /// The kernels of the laws, with the contact histories.
    pub kernels: Vec<Box<dyn ForceKernel>>,
    /// Lever arms of contact forces and the transport of their history.
    pub contact_geometry: ContactGeometry,
    /// Candidates that the kernels evaluate.
    pub list: ContactList,
    /// Contact forces of the last evaluation.
    pub forces: ContactForces,
    /// Energies that do not follow from the present state.
    pub accumulated: AccumulatedEnergy,
    /// Liquid that does not follow from the present state.
    pub liquid_books: LiquidBooks,
    /// Particles inserted so far.
    pub inserted: u64,
    /// Particles that left through open faces so far.
    pub removed: u64,
    /// Their mass \[kg\].
    pub removed_mass: f64,
    /// Particles that stages took out so far.
    pub removed_by_stages: u64,
    /// Largest overlap in proportion to the smaller radius so far \[-\].
    pub peak_overlap_ratio: f64,
    /// Queries over all parts of the assembly.
    pub whole: Arc<dyn Whole>,
    /// Largest radius of the particles of other parts \[m\].
    pub(crate) largest_radius_elsewhere: f64,
}

/// Contacts with a positive overlap, counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ContactCount {
    /// Between particles.
    pub pairs: usize,
    /// Between particles and walls.
    pub walls: usize,
}

impl World {
    /// A world without particles.
    pub fn new(
        cell: Cell,
        materials: Vec<Material>,
        laws: LawSelection,
        kernels: Vec<Box<dyn ForceKernel>>,
        time_step: f64,
    ) -> Self {
        Self {
            step: 0,
            time: 0.0,
            time_step,
            clock: StepClock::default(),
            particles: Particles::default(),
            provenance: Provenance::default(),
            orientations_follow: true,
            rotation: RotationScheme::default(),
            materials,
            walls: Vec::new(),
            wall_servos: Vec::new(),
            facets: WallFacets::default(),
            cell,
            deformation: None,
            fields: Fields::default(),
            porosity: Porosity::default(),
            guides: Guides::default(),
            regions: Vec::new(),
            mixing: Vec::new(),
            material_flows: Vec::new(),
            laws,
            kernels,
            contact_geometry: ContactGeometry::default(),
            list: ContactList::default(),
            forces: ContactForces::default(),
            accumulated: AccumulatedEnergy::default(),
            liquid_books: LiquidBooks::default(),
            inserted: 0,
            removed: 0,
            removed_mass: 0.0,
            removed_by_stages: 0,
            peak_overlap_ratio: 0.0,
            whole: Arc::new(Alone),
            largest_radius_elsewhere: 0.0,
        }
    }

    /// Time at the end of the next step, if it has a length \[s\].
    pub fn end_of_step(&self, time_step: f64) -> f64 {
        self.clock.going_on(self.step, self.time, time_step).at(self.step + 1)
    }

    /// Whether a time has come \[s\]: what is less than a millionth of a step ahead has.
    pub fn has_reached(&self, time: f64) -> bool {
        self.time + clock::TOLERANCE * self.time_step >= time
    }

    /// The fields over a step of a length from now on \[s\].
    pub fn fields_over(&self, time_step: f64) -> StepFields<'_> {
        self.fields.over_step(&self.porosity, self.time, time_step)
    }

    /// Loads other than contacts at the end of a step of a length \[s\] from the present time on.
    pub fn other_loads(&self, time_step: f64) -> OtherLoads<'_> {
        OtherLoads::new(&self.particles.external, self.fields_over(time_step), &self.guides)
    }

    /// Takes the local porosity at the start of a step, if fields need it.
    pub(crate) fn measure_porosity_at_start(&mut self) {
        let Self { fields, porosity, particles, cell, whole, .. } = self;
        measure(&mut porosity.start, fields, particles, cell, whole.as_ref());
    }

    /// Takes it where forces are evaluated.
    pub(crate) fn measure_porosity(&mut self) {
        let Self { fields, porosity, particles, cell, whole, .. } = self;
        measure(&mut porosity.end, fields, particles, cell, whole.as_ref());
    }

    /// Context of the present state for outputs and sums.
    pub fn context(&self) -> StepContext<'_> {
        let Self { particles, cell, walls, time_step, time, contact_geometry, .. } = self;
        StepContext::new(particles, cell, walls, *time_step, *time, *contact_geometry, Width::fastest())
    }

    /// Adds a particle at rest with respect to forces and returns its id.
    ///
    /// Its mechanical energy is booked as brought in; its force is that of the fields until the next evaluation.
    pub fn insert(&mut self, new: NewParticle) -> u64 {
        let id = self.particles.push(new);
        let slot = self.particles.len() - 1;
        carried::note_orientations(&mut self.particles, self.rotation.carried, slot..slot + 1);
        let force = self.fields.free_force(&self.particles, slot, self.time);
        self.particles.force[slot] = force;
        self.accumulated.exchanged += self.mechanical_energy(slot);
        self.inserted += 1;
        id
    }

    /// Adds a rigid body at rest with respect to forces and returns its id; the energy is booked as that of a sphere is.
    pub fn insert_body(&mut self, new: NewBody) -> u32 {
        let id = self.particles.push_body(new);
        let at = self.particles.bodies.len() - 1;
        self.particles.place_members(at, &self.cell);
        let members = self.particles.bodies.all[at].members();
        carried::note_orientations(&mut self.particles, self.rotation.carried, members);
        let fields = self.fields.over_step(&self.porosity, self.time, 0.0);
        let body = &self.particles.bodies.all[at];
        let load = fields.apply(&Motion::standing_body(body), DVec3::ZERO, DVec3::ZERO);
        let body = &mut self.particles.bodies.all[at];
        (body.force, body.torque) = (load.force, load.torque);
        self.accumulated.exchanged += self.mechanical_energy_of_body(at);
        self.inserted += 1;
        id
    }

    /// Kinetic energy and potential energy in gravity of the body at a place of the table \[J\].
    pub fn mechanical_energy_of_body(&self, at: usize) -> f64 {
        let body = &self.particles.bodies.all[at];
        let [translation, rotation] = body.kinetic_energy();
        translation + rotation
            - body.mass * self.fields.potential_gravity().dot(self.cell.unwrap(body.position, body.image))
    }

    /// Gives the particles of a guide a velocity along its path \[m/s\], the new one of a prescribed motion, an impulse to free particles, and those of one
    /// that gives a spin another \[rad/s\], if there is one. The energy is booked as brought in. Nothing happens if there is no such guide.
    pub fn drive_guide(&mut self, name: &str, velocity: f64, spin: Option<DVec3>) {
        let brought = self.guides.set_velocity(&mut self.particles, name, velocity, spin, self.time);
        let [brought] = self.whole.sums([brought]);
        self.accumulated.exchanged += brought;
        self.share_guides();
    }

    /// Has all parts know what the one that moves a guided particle knows of it.
    pub(crate) fn share_guides(&mut self) {
        let told = if self.whole.is_alone() { Vec::new() } else { self.whole.gather(self.guides.told()) };
        self.guides.hear(&told);
        // ghosts are where and as fast as their owners predicted them
        self.whole.share(&mut self.particles, &self.cell);
    }

    /// What a wall does, as the end of its description: that it moves or presses with a force, or nothing.
    pub fn describe_motion(&self, wall: usize) -> &'static str {
        if self.wall_servos.iter().any(|servo| servo.wall == wall && servo.hold().is_some()) {
            ", pressing"
        } else if !self.walls[wall].motion.is_fixed() {
            ", moving"
        } else if self.walls[wall].motion.does_work() {
            ", its surface sliding"
        } else {
            ""
        }
    }

    /// Kinetic energy and potential energy in gravity of one particle \[J\].
    pub fn mechanical_energy(&self, slot: usize) -> f64 {
        let p = &self.particles;
        0.5 * p.mass[slot] * p.velocity[slot].length_squared()
            + 0.5 * p.inertia(slot) * p.angular_velocity[slot].length_squared()
            - p.mass[slot] * self.fields.potential_gravity().dot(self.cell.unwrap(p.position[slot], p.image[slot]))
    }

    /// Whether integrators turn the quaternions of spheres: otherwise these stay, or follow from what is carried.
    pub(crate) fn quaternions_follow(&self) -> bool {
        self.orientations_follow && self.rotation.carried == Carried::Quaternion
    }

    /// Distance between surfaces beyond which no law acts \[m\].
    pub fn range(&self) -> f64 {
        self.kernels.iter().map(|kernel| kernel.range()).fold(0.0, f64::max)
    }

    /// Has the ranges of laws hold for the present bodies.
    pub(crate) fn fit_ranges(&mut self) {
        // a hollow that is nearly as round as a sphere counts as one a thousand times as large
        let hollow = if self.walls.iter().any(|wall| wall.curved_contact) { 1e3 } else { 1.0 };
        let largest = self.particles.radius.iter().copied().fold(self.largest_radius_elsewhere, f64::max);
        for kernel in &mut self.kernels {
            kernel.fit_range(hollow * largest);
        }
    }

    /// Whether joined faces have an energy under any of the present laws.
    pub fn adheres(&self) -> bool {
        self.kernels.iter().any(|kernel| kernel.adheres())
    }

    /// Works of the present laws that only some know.
    pub fn further_works(&self) -> Vec<FurtherWork> {
        let kept = |work: &FurtherWork| {
            let role = FieldRole::Further(*work);
            self.kernels.iter().any(|kernel| kernel.fields().iter().any(|field| field.role == role))
        };
        FurtherWork::ALL.into_iter().filter(kept).collect()
    }
}

/// Takes the local porosity of all particles, if fields need it.
fn measure(grid: &mut PorosityGrid, fields: &Fields, particles: &Particles, cell: &Cell, whole: &dyn Whole) {
    let Some(edge) = fields.porosity_cell() else { return };
    grid.measure(particles, cell, edge);
    if !whole.is_alone() {
        // fields reach farther than ghosts: all parts have the cells of all
        grid.hold_all(&whole.gather(grid.to_words()));
    }
}

/// Number of pairs of particles that laws remember: those that touch, and those that a law of a longer range acts between.
pub(crate) fn pairs_within_range(kernels: &[Box<dyn ForceKernel>]) -> usize {
    kernels.iter().map(|kernel| kernel.within_range(PartnerKind::Particle)).sum()
}
