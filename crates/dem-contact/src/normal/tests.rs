//! Points and energies of the models of adhesion and plasticity against published closed forms.

mod adhesion;
mod plasticity;

use std::collections::BTreeMap;

use dem_core::material::{Material, PairMaterial};

use super::{NormalModel, NormalResponse};
use crate::law::{Kinematics, Record};
use crate::parameter::{ParameterSet, ParameterValue};

/// Materials with an effective Young's modulus E* \[Pa\].
fn pair(young_modulus: f64) -> PairMaterial {
    let material =
        Material { name: String::new(), density: 1.0, young_modulus: 1.5 * young_modulus, poisson_ratio: 0.5 };
    PairMaterial::new(&material, &material)
}

fn number(name: &str, x: f64) -> (String, ParameterValue) {
    (name.to_owned(), ParameterValue::Number(x))
}

fn model<N: NormalModel>(young_modulus: f64, given: &[(String, ParameterValue)]) -> N {
    let given: BTreeMap<_, _> = given.iter().cloned().collect();
    let set = ParameterSet::resolve(&N::parameters(), given).unwrap();
    N::new(&set, &pair(young_modulus)).unwrap()
}

/// One contact that is led along overlaps.
#[derive(Clone)]
struct Led<N: NormalModel> {
    model: N,
    radius: f64,
    overlap: f64,
    record: N::Record<f64>,
    response: Option<NormalResponse>,
    /// Work put in by the elastic force so far \[J\], by the trapezoid.
    work: f64,
}

impl<N: NormalModel> Led<N> {
    fn new(model: N, radius: f64, overlap: f64) -> Self {
        let width = <N::Record<f64> as Record<f64>>::WIDTH;
        Self { model, radius, overlap, record: of(&vec![0.0; width]), response: None, work: 0.0 }
    }

    fn to(&mut self, overlap: f64) -> f64 {
        let k = Kinematics::head_on(self.radius, self.overlap, overlap);
        let (response, record) = self.model.respond(&k, 0.0, &self.record);
        self.work += 0.5 * (response.elastic0 + response.elastic1) * (overlap - self.overlap);
        (self.overlap, self.record, self.response) = (overlap, record, Some(response));
        response.elastic1
    }

    /// In equal steps.
    fn lead(&mut self, overlap: f64, steps: u32) -> f64 {
        let start = self.overlap;
        (1..=steps).map(|k| self.to(start + (overlap - start) * f64::from(k) / f64::from(steps))).last().unwrap_or(0.0)
    }

    /// Numbers of the record.
    fn record(&self) -> Vec<f64> {
        numbers(&self.record)
    }

    /// Energy held and dissipated \[J\].
    fn energy(&self) -> f64 {
        let record = self.record();
        let (held, given_up) = (
            self.model.elastic_energy(self.radius, self.overlap, &record),
            self.model.adhesion_energy(self.radius, self.overlap, &record),
        );
        held + given_up + self.dissipated()
    }

    /// Works that the record has \[J\].
    fn dissipated(&self) -> f64 {
        let works = self.model.fields().into_iter().zip(self.record());
        works.filter(|(field, _)| field.unit == "J").map(|(_, work)| work).sum()
    }
}

fn of<T: Record<f64>>(numbers: &[f64]) -> T {
    use dem_core::lanes::{Rows, SourceRows};
    T::load(&SourceRows::new::<f64>(numbers, Rows { first: 0, room: 1, set: 1 }, T::WIDTH), 0)
}

fn numbers<T: Record<f64>>(record: &T) -> Vec<f64> {
    use dem_core::lanes::{Rows, TargetRows};
    let mut numbers = vec![0.0; T::WIDTH];
    record.store(&mut TargetRows::new::<f64>(&mut numbers, Rows { first: 0, room: 1, set: 1 }, T::WIDTH), 0);
    numbers
}

/// Energy closes along a path from touch, to `tolerance` of the work that was put in (sum of sizes).
fn assert_energy_closes<N: NormalModel>(mut led: Led<N>, corners: &[f64], steps: u32, tolerance: f64) {
    let (mut scale, start) = (0.0f64, led.energy());
    for &corner in corners {
        let before = led.work;
        led.lead(corner, steps);
        scale += (led.work - before).abs();
        let off = (led.energy() - start - led.work).abs();
        assert!(off <= tolerance * scale, "{} at {corner:e}: {off:.2e} of {scale:.2e} J", N::KEY);
    }
}
