//! What the numbers of a record mean, and sums of those that are works.

use serde::{Deserialize, Serialize};

use crate::exact_sum::ExactSum;

/// What a field of a contact history means to the engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FieldRole {
    /// State of the law; only the law knows what it means.
    State,
    /// Work stored in the tangential spring along the path \[J\].
    ElasticTangentialWork,
    /// Work dissipated by friction \[J\].
    FrictionWork,
    /// Work dissipated by contact damping \[J\].
    ViscousWork,
    /// Work that changes of the tangential stiffness took, negative for what they added \[J\].
    StiffnessWork,
    /// Work stored in the springs of rolling and twisting resistance along the path \[J\].
    ElasticRollingWork,
    /// Work dissipated by rolling resistance \[J\].
    RollingWork,
    /// Work dissipated by twisting resistance \[J\].
    TwistingWork,
    /// Work left in springs when surfaces separate, of a record that lives on because a force acts at a distance \[J\].
    ReleasedWork,
    /// Volume of liquid that the contact holds \[m³\]. Where liquid is conserved, it goes back to the bodies when the contact ends.
    Liquid,
    /// Work that only some laws know \[J\].
    Further(FurtherWork),
}

/// Works that only some laws know: each a column of the energy ledger, and of the series of scenes with such a law. Another one is one line
/// here and one in [`Self::ALL`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FurtherWork {
    /// Dissipated by plastic deformation.
    Plastic,
    /// Dissipated by adhesive surfaces that were pulled apart.
    Adhesion,
}

impl FurtherWork {
    /// Number of them.
    pub const COUNT: usize = Self::ALL.len();
    /// All of them, in the order of their places.
    pub const ALL: [Self; 2] = [Self::Plastic, Self::Adhesion];

    /// Place in [`ContactWork::further`] and in the ledger.
    pub fn place(self) -> usize {
        self as usize
    }

    /// Name of the column.
    pub fn column(self) -> &'static str {
        match self {
            Self::Plastic => "plastic_work",
            Self::Adhesion => "adhesion_work",
        }
    }

    /// Meaning of the column.
    pub fn meaning(self) -> &'static str {
        match self {
            Self::Plastic => "energy dissipated by plastic deformation of contacts so far",
            Self::Adhesion => "energy dissipated by tearing contacts apart that held on to each other, so far",
        }
    }
}

/// A named part of a law's history record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FieldSpec {
    /// Name, unique in the law.
    pub name: &'static str,
    /// Unit in SI.
    pub unit: &'static str,
    /// Meaning in a sentence.
    pub meaning: &'static str,
    /// Numbers it takes.
    pub width: usize,
    /// Meaning to the engine.
    pub role: FieldRole,
}

/// Numbers of [`ContactWork`].
const NUMBERS: usize = 8 + FurtherWork::COUNT;

/// Sums of the work fields of histories \[J\].
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ContactWork {
    /// Stored in tangential springs along the path.
    pub elastic_tangential: f64,
    /// Dissipated by friction.
    pub friction: f64,
    /// Dissipated by contact damping.
    pub viscous: f64,
    /// Taken by changes of the tangential stiffness, negative for what they added.
    pub stiffness: f64,
    /// Stored in the springs of rolling and twisting resistance along the path.
    pub elastic_rolling: f64,
    /// Dissipated by rolling resistance.
    pub rolling: f64,
    /// Dissipated by twisting resistance.
    pub twisting: f64,
    /// Left in springs when surfaces separated that still attract or repel each other.
    pub released: f64,
    /// Liquid of one contact \[m³\], no work and in no sum.
    #[serde(skip)]
    pub liquid: f64,
    /// What only some laws know, by [place](FurtherWork::place).
    pub further: [f64; FurtherWork::COUNT],
}

impl ContactWork {
    /// Adds the work fields of one record.
    pub fn add_record(&mut self, fields: &[FieldSpec], record: &[f64]) {
        let mut at = 0;
        for field in fields {
            match field.role {
                FieldRole::State => {}
                FieldRole::ElasticTangentialWork => self.elastic_tangential += record[at],
                FieldRole::FrictionWork => self.friction += record[at],
                FieldRole::ViscousWork => self.viscous += record[at],
                FieldRole::StiffnessWork => self.stiffness += record[at],
                FieldRole::ElasticRollingWork => self.elastic_rolling += record[at],
                FieldRole::RollingWork => self.rolling += record[at],
                FieldRole::TwistingWork => self.twisting += record[at],
                FieldRole::ReleasedWork => self.released += record[at],
                FieldRole::Liquid => self.liquid += record[at].abs(),
                FieldRole::Further(work) => self.further[work.place()] += record[at],
            }
            at += field.width;
        }
    }

    fn numbers(&self) -> [f64; NUMBERS] {
        let mut copy = *self;
        copy.numbers_mut().map(|number| *number)
    }

    fn numbers_mut(&mut self) -> [&mut f64; NUMBERS] {
        let Self {
            elastic_tangential,
            friction,
            viscous,
            stiffness,
            elastic_rolling,
            rolling,
            twisting,
            released,
            liquid: _,
            further: [plastic, adhesion],
        } = self;
        [
            elastic_tangential,
            friction,
            viscous,
            stiffness,
            elastic_rolling,
            rolling,
            twisting,
            released,
            plastic,
            adhesion,
        ]
    }

    /// Adds other sums.
    pub fn add(&mut self, other: &Self) {
        for (sum, term) in self.numbers_mut().into_iter().zip(other.numbers()) {
            *sum += term;
        }
    }
}

/// The exact sum of works of contacts: it does not depend on their order.
#[derive(Clone, Debug, Default)]
pub struct WorkSum(Option<[ExactSum; NUMBERS]>);

impl WorkSum {
    /// Adds the work of a contact.
    pub fn add(&mut self, work: &ContactWork) {
        // in most steps of small assemblies there is nothing to sum
        let sums = self.0.get_or_insert_with(Default::default);
        for (sum, number) in sums.iter_mut().zip(work.numbers()) {
            // most laws have few of them
            if number != 0.0 {
                sum.add(number);
            }
        }
    }

    /// The sums of all numbers, for others to be added.
    pub fn sums_mut(&mut self) -> &mut [ExactSum] {
        self.0.get_or_insert_with(Default::default)
    }

    /// Adds the sum, rounded once, to works that are known already.
    pub fn add_to(&self, works: &mut ContactWork) {
        let Some(sums) = &self.0 else { return };
        let mut sum = ContactWork::default();
        for (number, exact) in sum.numbers_mut().into_iter().zip(sums) {
            *number = exact.value();
        }
        works.add(&sum);
    }
}

/// Numbers in a record with these fields.
pub fn stride(fields: &[FieldSpec]) -> usize {
    fields.iter().map(|field| field.width).sum()
}

/// A record with other fields: those of the same name and width are kept, the others start at zero.
pub fn transcribed(record: &[f64], from: &[FieldSpec], to: &[FieldSpec]) -> Vec<f64> {
    let mut written = Vec::with_capacity(stride(to).max(1));
    for field in to {
        let mut at = 0;
        let same = from.iter().find_map(|known| {
            let place = at..at + known.width;
            at = place.end;
            ((known.name, known.width) == (field.name, field.width)).then_some(place)
        });
        match same.and_then(|place| record.get(place)) {
            Some(numbers) => written.extend_from_slice(numbers),
            None => written.resize(written.len() + field.width, 0.0),
        }
    }
    // a law without memory keeps one number
    written.resize(stride(to).max(1), 0.0);
    written
}
