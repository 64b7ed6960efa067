//! The law of one pair of materials as kernels and everything around them call it, whatever its type.
//!
//! Only the loop over contacts of a law that is written in lanes is compiled for its type. All else goes through this interface: a law more
//! costs a loop or, if it is evaluated one contact at a time, none.

use dem_core::DVec3;
use dem_core::history::FieldSpec;
use dem_core::lanes::Width;

use crate::law::{
    ContactLaw, Dashpots, Derived, ElasticEnergy, Films, Kinematics, LawDescription, Needs, Response, Stiffness,
};

/// A [`ContactLaw`] without its type; the methods are those of the same names there.
pub trait PairLaw: Send + Sync + 'static {
    /// The law itself.
    fn as_pair_law(&self) -> &dyn PairLaw;

    /// [`ContactLaw::KEY`].
    fn key(&self) -> &'static str;

    /// [`ContactLaw::DESCRIPTION`].
    fn description(&self) -> LawDescription;

    /// [`ContactLaw::fields`].
    fn fields(&self) -> Vec<FieldSpec>;

    /// [`ContactLaw::range`] \[m\].
    fn range(&self, effective_radius: f64) -> f64;

    /// [`ContactLaw::begins_by_touch`].
    fn begins_by_touch(&self) -> bool;

    /// [`ContactLaw::adheres`].
    fn adheres(&self) -> bool;

    /// [`ContactLaw::touches_apart`].
    fn touches_apart(&self) -> bool;

    /// [`ContactLaw::films`].
    fn films(&self) -> Option<Films>;

    /// [`ContactLaw::fill_bridge`].
    fn fill_bridge(&self, effective_radius: f64, overlap: f64, volume: f64, record: &mut [f64]);

    /// [`ContactLaw::needs`].
    fn needs(&self) -> Needs;

    /// [`ContactLaw::stiffness`].
    fn stiffness(&self, effective_radius: f64, overlap: f64) -> Stiffness;

    /// [`ContactLaw::near_field_stiffness`] \[N/m\].
    fn near_field_stiffness(&self, distance: f64) -> f64;

    /// [`ContactLaw::elastic_normal_force`] \[N\].
    fn elastic_normal_force(&self, effective_radius: f64, overlap: f64, record: &[f64]) -> f64;

    /// [`ContactLaw::dashpots`].
    fn dashpots(&self, effective_radius: f64, effective_mass: f64, overlap: f64) -> Dashpots;

    /// [`ContactLaw::impact_overlap`] \[m\].
    fn impact_overlap(&self, effective_radius: f64, effective_mass: f64, speed: f64) -> f64;

    /// [`ContactLaw::contact_duration`] \[s\].
    fn contact_duration(&self, effective_radius: f64, effective_mass: f64, speed: f64) -> f64;

    /// [`ContactLaw::pull_duration`] \[s\].
    fn pull_duration(&self, effective_radius: f64, effective_mass: f64, speed: f64) -> f64;

    /// [`ContactLaw::elastic_energy`].
    fn elastic_energy(&self, effective_radius: f64, overlap: f64, record: &[f64]) -> ElasticEnergy;

    /// [`ContactLaw::tangential_force_without_dashpots`] \[N\].
    fn tangential_force_without_dashpots(&self, effective_radius: f64, overlap: f64, record: &[f64]) -> Option<DVec3>;

    /// [`ContactLaw::tangential_spring_force`] \[N\].
    fn tangential_spring_force(&self, effective_radius: f64, overlap: f64, record: &[f64]) -> DVec3;

    /// [`ContactLaw::undamped_normal_force`] \[N\].
    fn undamped_normal_force(&self, kinematics: &Kinematics, record: &[f64]) -> f64;

    /// [`ContactLaw::lubricates`].
    fn lubricates(&self) -> bool;

    /// [`ContactLaw::elastic_slip`] \[m\].
    fn elastic_slip(&self, effective_radius: f64, overlap: f64, record: &[f64]) -> DVec3;

    /// [`ContactLaw::facts`].
    fn facts(&self, effective_radius: f64, effective_mass: f64, speed: f64) -> Vec<Derived>;

    /// [`ContactLaw::derived`].
    fn derived(&self) -> Vec<Derived>;

    /// [`ContactLaw::respond`], with the instructions that a width stands for.
    fn respond_alone(&self, width: Width, contact: &Kinematics, before: &[f64], after: &mut [f64]) -> Response;
}

impl<L: ContactLaw> PairLaw for L {
    fn as_pair_law(&self) -> &dyn PairLaw {
        self
    }

    fn key(&self) -> &'static str {
        L::KEY
    }

    fn description(&self) -> LawDescription {
        L::DESCRIPTION
    }

    fn fields(&self) -> Vec<FieldSpec> {
        ContactLaw::fields(self)
    }

    fn range(&self, effective_radius: f64) -> f64 {
        ContactLaw::range(self, effective_radius)
    }

    fn begins_by_touch(&self) -> bool {
        ContactLaw::begins_by_touch(self)
    }

    fn adheres(&self) -> bool {
        ContactLaw::adheres(self)
    }

    fn touches_apart(&self) -> bool {
        ContactLaw::touches_apart(self)
    }

    fn films(&self) -> Option<Films> {
        ContactLaw::films(self)
    }

    fn fill_bridge(&self, effective_radius: f64, overlap: f64, volume: f64, record: &mut [f64]) {
        ContactLaw::fill_bridge(self, effective_radius, overlap, volume, record);
    }

    fn needs(&self) -> Needs {
        ContactLaw::needs(self)
    }

    fn stiffness(&self, effective_radius: f64, overlap: f64) -> Stiffness {
        ContactLaw::stiffness(self, effective_radius, overlap)
    }

    fn near_field_stiffness(&self, distance: f64) -> f64 {
        ContactLaw::near_field_stiffness(self, distance)
    }

    fn elastic_normal_force(&self, effective_radius: f64, overlap: f64, record: &[f64]) -> f64 {
        ContactLaw::elastic_normal_force(self, effective_radius, overlap, record)
    }

    fn dashpots(&self, effective_radius: f64, effective_mass: f64, overlap: f64) -> Dashpots {
        ContactLaw::dashpots(self, effective_radius, effective_mass, overlap)
    }

    fn impact_overlap(&self, effective_radius: f64, effective_mass: f64, speed: f64) -> f64 {
        ContactLaw::impact_overlap(self, effective_radius, effective_mass, speed)
    }

    fn contact_duration(&self, effective_radius: f64, effective_mass: f64, speed: f64) -> f64 {
        ContactLaw::contact_duration(self, effective_radius, effective_mass, speed)
    }

    fn pull_duration(&self, effective_radius: f64, effective_mass: f64, speed: f64) -> f64 {
        ContactLaw::pull_duration(self, effective_radius, effective_mass, speed)
    }

    fn elastic_energy(&self, effective_radius: f64, overlap: f64, record: &[f64]) -> ElasticEnergy {
        ContactLaw::elastic_energy(self, effective_radius, overlap, record)
    }

    fn tangential_force_without_dashpots(&self, effective_radius: f64, overlap: f64, record: &[f64]) -> Option<DVec3> {
        ContactLaw::tangential_force_without_dashpots(self, effective_radius, overlap, record)
    }

    fn tangential_spring_force(&self, effective_radius: f64, overlap: f64, record: &[f64]) -> DVec3 {
        ContactLaw::tangential_spring_force(self, effective_radius, overlap, record)
    }

    fn undamped_normal_force(&self, kinematics: &Kinematics, record: &[f64]) -> f64 {
        ContactLaw::undamped_normal_force(self, kinematics, record)
    }

    fn lubricates(&self) -> bool {
        ContactLaw::lubricates(self)
    }

    fn elastic_slip(&self, effective_radius: f64, overlap: f64, record: &[f64]) -> DVec3 {
        ContactLaw::elastic_slip(self, effective_radius, overlap, record)
    }

    fn facts(&self, effective_radius: f64, effective_mass: f64, speed: f64) -> Vec<Derived> {
        ContactLaw::facts(self, effective_radius, effective_mass, speed)
    }

    fn derived(&self) -> Vec<Derived> {
        ContactLaw::derived(self)
    }

    fn respond_alone(&self, width: Width, contact: &Kinematics, before: &[f64], after: &mut [f64]) -> Response {
        self.respond_by(width, contact, before, after)
    }
}
