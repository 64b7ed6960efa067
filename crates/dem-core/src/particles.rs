//! Particles as a structure of arrays with stable ids.
//!
//! A *slot* is a particle's present place in the arrays and changes when particles are reordered in space or removed;
//! the *id* never changes and is never reused. Everything that outlives a rebuild refers to ids.
//!
//! Slots hold first the spheres that are moved by themselves, then the members of [rigid bodies](crate::bodies), then ghosts, members of bodies
//! before spheres by themselves.
//!
//! A process may hold a part of an assembly. The slots `0..`[`owned`](Particles::owned) are its own: it moves, sums and writes those. Behind
//! them lie ghosts, particles of other parts that its own may touch, whose state comes from their owners. A rigid body is owned, or a ghost, with
//! all its members. A contact counts where its first body, the one with the lower id, is owned, so that every contact counts once.

use bytemuck::{Pod, Zeroable};
use glam::{DQuat, DVec3};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::bodies::table::Bodies;
use crate::exact_sum::sum_of;
use crate::rows::append_rows;
use crate::twist::Twist;

pub use crate::bodies::body::NO_BODY;
pub use crate::frozen;
pub use crate::sphere::sphere_volume;

/// Particles that are worth a thread of their own.
const SIDE_BY_SIDE: usize = 8192;

/// A column of numbers that the engine carries for the user through reordering, checkpoints and snapshots.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct UserColumn {
    /// Name, unique among the columns.
    pub name: String,
    /// Unit in SI, "-" if none.
    pub unit: String,
    /// Numbers per particle.
    pub width: usize,
    /// `width` numbers per slot.
    pub values: Vec<f64>,
}

/// Force and torque that the user puts on a particle. What is put on members of a rigid body acts on the body, a force at its centre of mass.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct ExternalLoad {
    /// Force \[N\].
    pub force: DVec3,
    /// Torque about the centre \[N m\].
    pub torque: DVec3,
}

/// What a multi-value integrator remembers of a particle beside position, velocity and acceleration.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct HigherDerivatives {
    /// Third, fourth and fifth derivative of position and rotation \[m/s³, rad/s³\] and so on.
    pub derivative: [Twist; 3],
    /// Where the particle is, less where forces were last evaluated \[m, rad\].
    pub offset: Twist,
}

macro_rules! particle_columns {
    ($($(#[$doc:meta])* $name:ident: $type:ty,)*) => {
        /// All particles; every vector has one entry per slot.
        #[derive(Clone, Debug, Default)]
        pub struct Particles {
            $($(#[$doc])* pub $name: Vec<$type>,)*
            /// Loads put on by the user between steps (coupling), added to the totals: one per slot, or none at all.
            pub external: Vec<ExternalLoad>,
            /// What multi-value integrators remember: one per slot, or none at all.
            pub higher_derivatives: Vec<HigherDerivatives>,
            /// Columns of the user.
            pub user: Vec<UserColumn>,
            /// The rigid bodies that some of the spheres belong to.
            pub bodies: Bodies,
            /// The id that the next particle gets.
            pub next_id: u64,
            ghosts: usize,
        }

        /// One particle: the columns of one slot.
        #[derive(Clone, Copy, Debug)]
        pub struct Particle {
            $($(#[$doc])* pub $name: $type,)*
        }

        impl Particles {
            /// Copy of the particle in a slot.
            pub fn get(&self, slot: usize) -> Particle {
                Particle { $($name: self.$name[slot],)* }
            }

            pub(crate) fn push_record(&mut self, particle: Particle) {
                $(self.$name.push(particle.$name);)*
                if !self.external.is_empty() {
                    self.external.push(ExternalLoad::default());
                }
                if !self.higher_derivatives.is_empty() {
                    self.higher_derivatives.push(HigherDerivatives::default());
                }
                for column in &mut self.user {
                    column.values.extend(std::iter::repeat_n(0.0, column.width));
                }
            }

            /// Rearranges the slots: new slot `k` takes what was in `order[k]`. Slots that `order` leaves out are dropped; ghosts come last.
            pub fn rearrange(&mut self, order: &[u32]) {
                if self.ghosts > 0 {
                    let owned = self.owned();
                    self.ghosts = order.iter().rev().take_while(|&&from| from as usize >= owned).count();
                    debug_assert!(order[..order.len() - self.ghosts].iter().all(|&from| (from as usize) < owned));
                }
                $(self.$name = in_order(&self.$name, order);)*
                if !self.external.is_empty() {
                    self.external = order.iter().map(|&from| self.external[from as usize]).collect();
                }
                if !self.higher_derivatives.is_empty() {
                    self.higher_derivatives = order.iter().map(|&from| self.higher_derivatives[from as usize]).collect();
                }
                for column in &mut self.user {
                    let width = column.width;
                    column.values = order
                        .iter()
                        .flat_map(|&from| column.values[from as usize * width..][..width].iter().copied())
                        .collect();
                }
                let owned = self.owned();
                self.bodies.locate(&self.body, owned);
            }

            /// Names of the columns, in the order of checkpoints.
            pub const COLUMN_NAMES: &'static [&'static str] = &[$(stringify!($name)),*];

            /// Feeds the raw bytes of a column in the given order of slots to `take`, some at a time: a second copy of everything would be
            /// the most memory that a checkpoint needs.
            ///
            /// # Errors
            /// The first one of `take`.
            pub fn visit_column<E>(
                &self,
                name: &str,
                order: &[u32],
                mut take: impl FnMut(&[u8]) -> Result<(), E>,
            ) -> Result<(), E> {
                let mut parts = order.chunks(SIDE_BY_SIDE);
                match name {
                    $(stringify!($name) => parts.try_for_each(|slots| take(&bytes_in_order(&self.$name, slots))),)*
                    _ => Ok(()),
                }
            }

            fn pack_columns(&self, slots: &[u32], bytes: &mut Vec<u8>) {
                $(bytes.extend(bytes_in_order(&self.$name, slots));)*
            }

            fn append_columns(&mut self, count: usize, bytes: &mut &[u8]) -> Option<()> {
                $(append_rows(&mut self.$name, count, bytes)?;)*
                Some(())
            }

            /// Restores the columns from `read`, which returns the bytes of a named column.
            ///
            /// # Errors
            /// What `read` returns, or a message if a column has the wrong length.
            pub fn from_column_bytes(
                count: usize,
                next_id: u64,
                mut read: impl FnMut(&str) -> Result<Vec<u8>, String>,
            ) -> Result<Self, String> {
                Ok(Self {
                    $($name: column_from_bytes::<$type>(stringify!($name), count, &read(stringify!($name))?)?,)*
                    external: Vec::new(),
                    higher_derivatives: Vec::new(),
                    user: Vec::new(),
                    bodies: Bodies::default(),
                    next_id,
                    ghosts: 0,
                })
            }
        }
    };
}

particle_columns! {
    /// Stable identity.
    id: u64,
    /// Centre, inside the cell at the start of a step \[m\].
    position: DVec3,
    /// Periodic cells crossed so far; `position + H·image` is the unwrapped centre.
    image: [i32; 3],
    /// Centre at the start of the present step \[m\]; contact laws take displacements from it.
    previous_position: DVec3,
    /// Velocity \[m/s\]; during the evaluation of forces the integrator's prediction for the end of the step.
    velocity: DVec3,
    /// Angular velocity in the space frame \[rad/s\]; predicted like the velocity.
    angular_velocity: DVec3,
    /// Rotation of the present step as a rescaled Rodrigues vector.
    rotation_increment: DVec3,
    /// Orientation, body frame to space frame.
    orientation: DQuat,
    /// Total force of the last accepted evaluation \[N\].
    force: DVec3,
    /// Total torque about the centre of the last accepted evaluation \[N m\].
    torque: DVec3,
    /// Radius \[m\].
    radius: f64,
    /// Mass \[kg\].
    mass: f64,
    /// Inverse mass that contacts see \[1/kg\]; zero when all translations are frozen.
    inverse_mass: f64,
    /// Energy taken so far by drag and by local and global damping \[J\].
    field_dissipation: f64,
    /// Index of the material.
    material: u16,
    /// Suppressed degrees of freedom, see [`frozen`].
    frozen: u8,
    /// Groups as a bit mask.
    group: u32,
    /// Id of the rigid body that the sphere belongs to, or [`NO_BODY`]; spheres of one body do not touch each other.
    body: u32,
}

/// What is in some places of a column.
fn in_order<T: Pod + Send + Sync>(column: &[T], order: &[u32]) -> Vec<T> {
    let is_zero = |entry: &T| bytemuck::bytes_of(entry).iter().all(|&byte| byte == 0);
    if column.par_iter().with_min_len(SIDE_BY_SIDE).all(is_zero) {
        // pages that nobody writes to never become resident: images without periodic faces, what fields without any have dissipated
        return bytemuck::allocation::zeroed_vec(order.len());
    }
    order.par_iter().with_min_len(SIDE_BY_SIDE).map(|&from| column[from as usize]).collect()
}

fn bytes_in_order<T: Pod>(column: &[T], order: &[u32]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(order.len() * size_of::<T>());
    for &slot in order {
        bytes.extend_from_slice(bytemuck::bytes_of(&column[slot as usize]));
    }
    bytes
}

/// Likewise of a column that may be missing: with one entry per slot, or empty.
fn append_optional<T: Pod + Default>(
    column: &mut Vec<T>,
    present: usize,
    count: usize,
    bytes: &mut &[u8],
) -> Option<()> {
    let (&is_there, rest) = bytes.split_first()?;
    *bytes = rest;
    if is_there == 0 {
        if !column.is_empty() {
            column.resize(present + count, T::default());
        }
        return Some(());
    }
    column.resize(present, T::default());
    append_rows(column, count, bytes)
}

fn column_from_bytes<T: Pod>(name: &str, count: usize, bytes: &[u8]) -> Result<Vec<T>, String> {
    if bytes.len() != count * size_of::<T>() {
        return Err(format!(
            "particle column {name} holds {} bytes, expected {count} rows of {}",
            bytes.len(),
            size_of::<T>()
        ));
    }
    Ok(bytemuck::allocation::pod_collect_to_vec(bytes))
}

/// What the creator of a particle decides; the rest follows.
#[derive(Clone, Copy, Debug)]
pub struct NewParticle {
    /// Centre \[m\].
    pub position: DVec3,
    /// Velocity \[m/s\].
    pub velocity: DVec3,
    /// Angular velocity \[rad/s\].
    pub angular_velocity: DVec3,
    /// Orientation, body frame to space frame.
    pub orientation: DQuat,
    /// Radius \[m\].
    pub radius: f64,
    /// Density \[kg/m³\].
    pub density: f64,
    /// Index of the material.
    pub material: u16,
    /// Groups as a bit mask.
    pub group: u32,
    /// Suppressed degrees of freedom, see [`frozen`].
    pub frozen: u8,
}

impl NewParticle {
    /// A sphere at rest, free to move, of the first material and group: its centre \[m\], radius \[m\] and density \[kg/m³\].
    pub fn at_rest(position: DVec3, radius: f64, density: f64) -> Self {
        Self {
            position,
            velocity: DVec3::ZERO,
            angular_velocity: DVec3::ZERO,
            orientation: DQuat::IDENTITY,
            radius,
            density,
            material: 0,
            group: 1,
            frozen: 0,
        }
    }
}

impl Particles {
    /// Number of particles.
    pub fn len(&self) -> usize {
        self.id.len()
    }

    /// Whether there is no particle.
    pub fn is_empty(&self) -> bool {
        self.id.is_empty()
    }

    /// Number of particles that are no ghosts: those of the slots `0..owned`.
    #[inline]
    pub fn owned(&self) -> usize {
        self.len() - self.ghosts
    }

    /// Number of ghosts, which lie behind the others.
    #[inline]
    pub fn ghosts(&self) -> usize {
        self.ghosts
    }

    /// Number of spheres that are moved by themselves: those of the slots `0..independent`, if [in order](Bodies::are_out_of_order).
    #[inline]
    pub fn independent(&self) -> usize {
        self.owned() - self.bodies.members()
    }

    /// Makes those of the slots from `owned` on ghosts, and those before them none.
    pub fn set_owned(&mut self, owned: usize) {
        self.ghosts = self.len() - owned.min(self.len());
        self.bodies.set_owned(owned);
    }

    /// Whether any translation of a particle is free.
    pub fn is_movable(&self, slot: usize) -> bool {
        self.frozen[slot] & frozen::ALL_TRANSLATIONS != frozen::ALL_TRANSLATIONS
    }

    /// Adds a particle and returns its id. What is frozen has no velocity. Ghosts come behind all others: there must be none yet.
    pub fn push(&mut self, new: NewParticle) -> u64 {
        debug_assert!(self.ghosts == 0, "a particle of one's own behind ghosts");
        self.bodies.disturb();
        let id = self.next_id;
        self.next_id += 1;
        let mass = new.density * sphere_volume(new.radius);
        let immovable = new.frozen & frozen::ALL_TRANSLATIONS == frozen::ALL_TRANSLATIONS;
        self.push_record(Particle {
            id,
            position: new.position,
            image: [0; 3],
            previous_position: new.position,
            velocity: frozen::without(new.frozen, frozen::TRANSLATION, new.velocity),
            angular_velocity: frozen::without(new.frozen, frozen::ROTATION, new.angular_velocity),
            rotation_increment: DVec3::ZERO,
            orientation: new.orientation,
            force: DVec3::ZERO,
            torque: DVec3::ZERO,
            radius: new.radius,
            mass,
            inverse_mass: if immovable { 0.0 } else { 1.0 / mass },
            field_dissipation: 0.0,
            material: new.material,
            frozen: new.frozen,
            group: new.group,
            body: NO_BODY,
        });
        id
    }

    /// Moment of inertia of the solid sphere in a slot \[kg m²\].
    #[inline]
    pub fn inertia(&self, slot: usize) -> f64 {
        0.4 * self.mass[slot] * self.radius[slot] * self.radius[slot]
    }

    /// Slots in ascending order of ids: the order of files. Sums need none, see [`Self::sum`].
    pub fn slots_by_id(&self) -> Vec<u32> {
        let largest = self.id.iter().copied().max().unwrap_or(0);
        let slots = 0..self.len() as u32;
        if largest > 4 * self.len() as u64 {
            let mut slots: Vec<u32> = slots.collect();
            slots.sort_unstable_by_key(|&slot| self.id[slot as usize]);
            return slots;
        }
        // hardly any id is missing, so that no comparison is needed
        let mut slot_of = vec![u32::MAX; largest as usize + 1];
        for slot in slots {
            slot_of[self.id[slot as usize] as usize] = slot;
        }
        slot_of.retain(|&slot| slot != u32::MAX);
        slot_of
    }

    /// Sum over all slots, that of the real numbers, rounded once: it does not depend on the order of slots, in which `term` is not called.
    pub fn sum(&self, term: impl Fn(usize) -> f64 + Sync) -> f64 {
        sum_of(self.len(), term)
    }

    /// All that there is of the particles in some slots, on their way to another process. Rigid bodies go as a whole, with all their members.
    pub fn pack(&self, slots: &[u32]) -> Vec<u8> {
        let mut bytes = (slots.len() as u64).to_le_bytes().to_vec();
        self.pack_columns(slots, &mut bytes);
        bytes.push(u8::from(!self.external.is_empty()));
        if !self.external.is_empty() {
            bytes.extend(bytes_in_order(&self.external, slots));
        }
        bytes.push(u8::from(!self.higher_derivatives.is_empty()));
        if !self.higher_derivatives.is_empty() {
            bytes.extend(bytes_in_order(&self.higher_derivatives, slots));
        }
        for column in &self.user {
            for &slot in slots {
                bytes.extend_from_slice(bytemuck::cast_slice(
                    &column.values[slot as usize * column.width..][..column.width],
                ));
            }
        }
        self.bodies.pack(slots, &self.body, &mut bytes);
        bytes
    }

    /// Appends [packed](Self::pack) particles, which have the same columns of the user and templates of bodies, behind all others, and returns how many
    /// they are. None of those that are here may be a ghost yet.
    ///
    /// # Errors
    /// Bytes that are no packed particles.
    pub fn append_packed(&mut self, mut bytes: &[u8]) -> Result<usize, String> {
        let present = self.len();
        let mut append = || {
            let (count, rest) = bytes.split_first_chunk()?;
            bytes = rest;
            let count = usize::try_from(u64::from_le_bytes(*count)).ok()?;
            self.append_columns(count, &mut bytes)?;
            append_optional(&mut self.external, present, count, &mut bytes)?;
            append_optional(&mut self.higher_derivatives, present, count, &mut bytes)?;
            for column in &mut self.user {
                append_rows(&mut column.values, count.checked_mul(column.width)?, &mut bytes)?;
            }
            self.bodies.append_packed(&self.body, present, &mut bytes)?;
            bytes.is_empty().then_some(count)
        };
        append().ok_or_else(|| "a message between ranks does not hold the particles that it promises".to_owned())
    }

    /// Adds an empty column of the user.
    pub fn add_user_column(&mut self, name: &str, unit: &str, width: usize) {
        self.user.push(UserColumn {
            name: name.to_owned(),
            unit: unit.to_owned(),
            width,
            values: vec![0.0; width * self.len()],
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn three() -> Particles {
        let mut particles = Particles::default();
        particles.add_user_column("tracer", "-", 2);
        for k in 0..3 {
            particles.push(NewParticle {
                position: DVec3::splat(f64::from(k)),
                velocity: DVec3::ZERO,
                angular_velocity: DVec3::ZERO,
                orientation: DQuat::IDENTITY,
                radius: 1.0 + f64::from(k),
                density: 2.0,
                material: 0,
                group: 1,
                frozen: if k == 1 { 7 } else { 0 },
            });
        }
        particles.user[0].values = vec![0.0, 0.5, 1.0, 1.5, 2.0, 2.5];
        particles
    }

    #[test]
    fn ids_survive_reordering_and_are_never_reused() {
        let mut particles = three();
        particles.rearrange(&[2, 0]);
        assert_eq!(particles.id, [2, 0]);
        assert_eq!(particles.user[0].values, [2.0, 2.5, 0.0, 0.5]);
        assert_eq!(particles.slots_by_id(), [1, 0]);
        let mut sparse = particles.clone();
        sparse.id = vec![2_000_000_000_000, 7];
        assert_eq!(sparse.slots_by_id(), [1, 0], "also where most ids are missing");
        let next = particles.push(NewParticle {
            position: DVec3::ZERO,
            velocity: DVec3::ZERO,
            angular_velocity: DVec3::ZERO,
            orientation: DQuat::IDENTITY,
            radius: 1.0,
            density: 1.0,
            material: 0,
            group: 0,
            frozen: 0,
        });
        assert_eq!(next, 3);
    }

    #[test]
    fn higher_derivatives_follow_their_particles() {
        let mut particles = three();
        let of = |x: f64| HigherDerivatives { offset: Twist::new(DVec3::splat(x), DVec3::ZERO), ..Default::default() };
        particles.higher_derivatives = vec![of(0.0), of(1.0), of(2.0)];
        particles.rearrange(&[2, 0]);
        assert_eq!(particles.higher_derivatives, [of(2.0), of(0.0)]);
        let like = particles.get(0);
        particles.push_record(like);
        assert_eq!(particles.higher_derivatives, [of(2.0), of(0.0), HigherDerivatives::default()]);
    }

    #[test]
    fn columns_survive_a_round_trip_through_bytes_in_id_order() {
        let mut particles = three();
        particles.rearrange(&[2, 1, 0]);
        let order = particles.slots_by_id();
        let saved = |name: &str| {
            let mut bytes = Vec::new();
            particles.visit_column(name, &order, |some| {
                bytes.extend_from_slice(some);
                Ok::<(), String>(())
            })?;
            Ok(bytes)
        };
        let restored = Particles::from_column_bytes(3, particles.next_id, saved).unwrap();
        assert_eq!(restored.id, [0, 1, 2]);
        assert_eq!(restored.radius, [1.0, 2.0, 3.0]);
        assert_eq!(restored.inverse_mass[1], 0.0);
        assert!(Particles::from_column_bytes(2, 3, saved).is_err());
        assert_eq!(Particles::COLUMN_NAMES.first(), Some(&"id"));
    }

    #[test]
    fn packed_particles_are_the_same_elsewhere() {
        let mut particles = three();
        particles.external = vec![ExternalLoad::default(); 3];
        particles.external[2].force = DVec3::X;
        let mut others = three();
        others.rearrange(&[1]);
        others.higher_derivatives = vec![HigherDerivatives::default()];
        assert_eq!(others.append_packed(&particles.pack(&[2, 0])), Ok(2));
        assert_eq!(others.id, [1, 2, 0]);
        assert_eq!(others.radius, [2.0, 3.0, 1.0]);
        assert_eq!(others.user[0].values, [1.0, 1.5, 2.0, 2.5, 0.0, 0.5]);
        assert_eq!(others.external.iter().map(|load| load.force.x).collect::<Vec<_>>(), [0.0, 1.0, 0.0]);
        assert_eq!(others.higher_derivatives.len(), 3);
        let bytes = particles.pack(&[0]);
        for length in 0..bytes.len() {
            assert!(others.clone().append_packed(&bytes[..length]).is_err(), "{length} of {} bytes", bytes.len());
        }
    }

    #[test]
    fn mass_and_inertia_are_those_of_a_solid_sphere() {
        let particles = three();
        assert!((particles.mass[0] - 8.0 / 3.0 * std::f64::consts::PI).abs() < 1e-14);
        assert!((particles.inertia(1) - 0.4 * particles.mass[1] * 4.0).abs() < 1e-12);
    }
}
