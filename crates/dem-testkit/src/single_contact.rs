//! One contact, driven by hand.
#![expect(clippy::expect_used, reason = "a test whose law is refused must stop")]

use std::collections::BTreeMap;

use dem_contact::frame::{Transport, TransportKind};
use dem_contact::law::{ContactLaw, Kinematics, Response};
use dem_contact::{ParameterSet, ParameterValue};
use dem_core::DVec3;
use dem_core::history::{ContactWork, stride};
use dem_core::lanes::Vector;
use dem_core::material::PairMaterial;

/// A contact with the normal along z whose overlap and slip are prescribed.
#[derive(Clone, Debug)]
pub struct SingleContact<L> {
    /// The law.
    pub law: L,
    /// Effective radius \[m\].
    pub effective_radius: f64,
    /// Effective mass \[kg\].
    pub effective_mass: f64,
    /// Overlap \[m\].
    pub overlap: f64,
    /// History at the end of the last step.
    pub record: Vec<f64>,
}

/// The direction in which [`SingleContact::step`] slips.
pub const ALONG: DVec3 = DVec3::X;

impl<L: ContactLaw> SingleContact<L> {
    /// Two bodies that just touch.
    ///
    /// # Panics
    /// If the parameters are refused.
    pub fn new(pair: &PairMaterial, parameters: &BTreeMap<String, ParameterValue>, radius: f64, mass: f64) -> Self {
        let set = ParameterSet::resolve(&L::parameters(), parameters.clone()).expect("the parameters are admissible");
        let law = L::new(&set, pair).expect("the law accepts them");
        let record = vec![0.0; stride(&law.fields())];
        Self { law, effective_radius: radius, effective_mass: mass, overlap: 0.0, record }
    }

    /// Goes to an overlap, slipping by a vector of the tangent plane, in a step of `time_step`.
    pub fn step_vector(&mut self, overlap: f64, slip: DVec3, time_step: f64) -> Response {
        let k = self.kinematics(overlap, slip, time_step);
        self.respond(&k)
    }

    /// Kinematics of such a step.
    pub fn kinematics(&self, overlap: f64, slip: DVec3, time_step: f64) -> Kinematics {
        let (normal, none) = (Vector::from(DVec3::Z), Vector::zero());
        Kinematics {
            normal0: normal,
            normal1: normal,
            overlap0: self.overlap,
            overlap1: overlap,
            overlap_rate: (overlap - self.overlap) / time_step,
            slip: slip.into(),
            tangential_velocity: (slip / time_step).into(),
            relative_spin: none,
            relative_rotation: none,
            transport: Transport::new(TransportKind::Exact, normal, normal, none, none),
            effective_radius: self.effective_radius,
            effective_mass: self.effective_mass,
            smaller_radius: self.effective_radius,
            centre_distance: f64::INFINITY,
            near_field_distance: f64::INFINITY,
            time_step,
            time: 0.0,
        }
    }

    /// Goes to the end of a step that is given in full.
    pub fn respond(&mut self, k: &Kinematics) -> Response {
        let mut end = vec![0.0; self.record.len()];
        let response = self.law.respond(k, &self.record, &mut end);
        self.record = end;
        self.overlap = k.overlap1;
        response
    }

    /// Goes to an overlap, slipping along one direction, slowly; returns the force that opposes positive slip \[N\].
    pub fn step(&mut self, overlap: f64, slip: f64) -> f64 {
        -DVec3::from(self.step_vector(overlap, ALONG * slip, 1.0).tangential_force).dot(ALONG)
    }

    /// Work booked since the contact formed.
    pub fn work(&self) -> ContactWork {
        let mut work = ContactWork::default();
        work.add_record(&self.law.fields(), &self.record);
        work
    }

    /// Numbers of a field of the history.
    ///
    /// # Panics
    /// If the law has no such field.
    pub fn field(&self, name: &str) -> &[f64] {
        let mut at = 0;
        for field in self.law.fields() {
            if field.name == name {
                return &self.record[at..at + field.width];
            }
            at += field.width;
        }
        unreachable!("no field {name}")
    }
}
