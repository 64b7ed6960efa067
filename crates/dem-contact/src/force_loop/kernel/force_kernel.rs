//! Interface of a law kernel for the time stepper.

use dem_core::contact_list::{ContactKey, ContactList, PartnerKind, Segment};
use dem_core::history::{FieldRole, FieldSpec, SavedRecord, WorkSum};

use crate::force_loop::kernel::bridges::BridgeEvents;
pub use crate::force_loop::kernel::segment_state::Acceptance;
use crate::force_loop::kinematics::geometry::StepContext;
use crate::force_loop::reduction::contact_forces::{ContactForces, ContactView, LoadedList, PairLoad};
use crate::force_loop::sweep::segment_at_work::SegmentAtWork;
use crate::law::{Dashpots, Derived, LawDescription, Stiffness};

/// The kernel of one law, as the time stepper uses it.
pub trait ForceKernel: Send + Sync {
    /// Name of the law.
    fn key(&self) -> &'static str;

    /// Description of the law.
    fn description(&self) -> LawDescription;

    /// Fields of the history records.
    fn fields(&self) -> &[FieldSpec];

    /// Distance between surfaces up to which the law acts, whatever the bodies \[m\].
    fn range(&self) -> f64;

    /// Has [`Self::range`] hold for all bodies up to an effective radius \[m\]; zero before.
    fn fit_range(&mut self, largest_effective_radius: f64);

    /// Whether contacts may resist rolling or twisting.
    fn exerts_couples(&self) -> bool {
        let resists =
            |role| matches!(role, FieldRole::ElasticRollingWork | FieldRole::RollingWork | FieldRole::TwistingWork);
        self.fields().iter().any(|field| resists(field.role))
    }

    /// Whether the work terms of contacts are kept, and with them what the energy ledger needs of contacts.
    fn keeps_work(&self) -> bool {
        self.fields().iter().any(|field| field.role == FieldRole::FrictionWork)
    }

    /// Whether joined faces have an energy under any of the laws.
    fn adheres(&self) -> bool;

    /// Prepares a segment for the [pass over the contacts](crate::force_loop::sweep::pass_over_contacts) of the step of `context`.
    fn prepare(
        &mut self,
        list: &ContactList,
        segment: &Segment,
        context: &StepContext,
        acceptance: Acceptance,
        forces: &mut ContactForces,
    );

    /// Adds the segments that have been [prepared](Self::prepare), as law number `law` of the list. `in_frames`:
    /// whether wrenches of pairs go to frames that are reused.
    fn put_to_work<'a>(
        &'a mut self,
        list: &'a ContactList,
        law: usize,
        context: &'a StepContext<'a>,
        in_frames: bool,
        acceptance: Acceptance,
        segments: &mut Vec<SegmentAtWork<'a>>,
    );

    /// Evaluates one candidate at the newest state of its bodies, from the committed histories; none if it does not
    /// touch. Nothing is stored: `history` is scratch for the record that the law would write.
    fn respond_alone(
        &self,
        list: &ContactList,
        segment: &Segment,
        candidate: usize,
        context: &StepContext,
        history: &mut Vec<f64>,
    ) -> Option<PairLoad>;

    /// Accepts the last evaluation. Returns the exact sum of the work terms of the contacts that separated in it, of
    /// those that count here: their first body is one of the `owned` first slots.
    fn commit(&mut self, list: &ContactList, ids: &[u64], owned: usize) -> WorkSum;

    /// Whether liquid bridges share the films of spheres.
    fn shares_films(&self) -> bool;

    /// Adds the liquid bridges that may form and those that have broken since this was last called; records of the latter are emptied.
    fn take_bridge_events(&mut self, list: &ContactList, context: &StepContext, events: &mut BridgeEvents);

    /// Breaks the liquid bridges of particles in some slots that share films.
    fn break_bridges(
        &mut self,
        list: &ContactList,
        ids: &[u64],
        includes: &dyn Fn(u32) -> bool,
        events: &mut BridgeEvents,
    );

    /// Fills the bridge of a candidate with a volume \[m³\].
    fn fill_bridge(&mut self, list: &ContactList, context: &StepContext, candidate: usize, volume: f64);

    /// Frees the memory of the selections of near candidates, of a list that is about to be replaced.
    fn forget_selections(&mut self);

    /// Moves the histories and forces to a new list. `slot` maps old slots to new ones, `u32::MAX` for particles that are gone; `ids` are those of
    /// the new slots.
    ///
    /// Histories of contacts that are no longer candidates are dropped. Returns the exact sum of their work terms, of
    /// those that count here: their first body had one of the `owned` first slots.
    fn migrate(
        &mut self,
        old: &LoadedList,
        new: &ContactList,
        new_forces: &mut ContactForces,
        slot: &[u32],
        ids: &[u64],
        owned: usize,
    ) -> WorkSum;

    /// Number of contacts of a kind that touch or are within the range of the law.
    fn within_range(&self, partner: PartnerKind) -> usize;

    /// Calls `visit` for every contact that touches or is within the range of the law, in the order of the list.
    fn visit(&self, list: &ContactList, context: &StepContext, visit: &mut dyn FnMut(&ContactView));

    /// A contact by its candidate, if it touches or is within the range of the law; `record` takes its history.
    fn view(
        &self,
        list: &ContactList,
        segment: &Segment,
        candidate: usize,
        context: &StepContext,
        record: &mut Vec<f64>,
    ) -> Option<ContactView>;

    /// Histories with their keys, in order of keys, pairs before walls.
    fn save(&self, list: &ContactList, ids: &[u64]) -> Vec<SavedRecord>;

    /// The histories of the contacts that `includes` says of, given the slots of their particles, the second one none at a wall; in any order.
    fn save_some(
        &self,
        list: &ContactList,
        ids: &[u64],
        includes: &dyn Fn(usize, Option<usize>) -> bool,
    ) -> Vec<SavedRecord>;

    /// Calls `visit` for the keys and records of all histories, in order of keys, pairs before walls. `slots` are those of all particles in order
    /// of ids.
    fn visit_histories(
        &self,
        list: &ContactList,
        ids: &[u64],
        slots: &[u32],
        visit: &mut dyn FnMut(ContactKey, &[f64]),
    );

    /// Replaces the histories by saved ones, as law number `law` of the list; returns keys that are not candidates of it.
    fn restore(&mut self, list: &ContactList, law: usize, ids: &[u64], saved: &[SavedRecord]) -> Vec<ContactKey>;

    /// Adds saved histories, as law number `law` of the list, where their contacts have none; `slot_of` finds a particle by its id. Those of contacts
    /// that are no candidates are left out.
    fn adopt(&mut self, list: &ContactList, law: usize, saved: &[SavedRecord], slot_of: &dyn Fn(u64) -> Option<u32>);

    /// Tangent stiffness of a pair of materials at an overlap \[m\].
    fn stiffness(&self, a: u16, b: u16, effective_radius: f64, overlap: f64) -> Stiffness;

    /// What a force at a distance adds to the normal stiffness of a pair of materials where it acts over a distance \[N/m\].
    fn near_field_stiffness(&self, a: u16, b: u16, distance: f64) -> f64;

    /// Viscosities of the dashpots of a pair of materials at an overlap \[m\].
    fn dashpots(&self, a: u16, b: u16, effective_radius: f64, effective_mass: f64, overlap: f64) -> Dashpots;

    /// Overlap that an impact reaches \[m\].
    fn impact_overlap(&self, a: u16, b: u16, effective_radius: f64, effective_mass: f64, speed: f64) -> f64;

    /// Duration of an impact \[s\].
    fn contact_duration(&self, a: u16, b: u16, effective_radius: f64, effective_mass: f64, speed: f64) -> f64;

    /// Duration of a half oscillation by the pull that an impact ends with \[s\]; infinite without one.
    fn pull_duration(&self, a: u16, b: u16, effective_radius: f64, effective_mass: f64, speed: f64) -> f64;

    /// Derived quantities of a pair of materials.
    fn derived(&self, a: u16, b: u16) -> Vec<Derived>;

    /// What follows for a contact of two materials, of an effective radius \[m\] and mass \[kg\], that is hit at a speed \[m/s\].
    fn facts(&self, a: u16, b: u16, effective_radius: f64, effective_mass: f64, speed: f64) -> Vec<Derived>;
}
