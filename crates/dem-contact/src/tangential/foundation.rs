//! A foundation of springs across the contact (method of dimensionality reduction): Mindlin and Deresiewicz for any loading
//! history, in the plane.
//!
//! The contact of two spheres is mapped to that of a parabola with a row of independent springs at `x_k = (k − ½) Δx`. Every spring has the
//! friction limit of its own normal load. The row has the force and the displacement of the axisymmetric contact, with the slip annuli and
//! residual tractions of every history, in the approximation of Cattaneo and Mindlin (tractions in the direction of slip).
//!
//! | symbol | meaning |
//! |---|---|
//! | w_k = δ − x_k²/r* | compression of a spring |
//! | u_k | its tangential elongation, a vector |
//! | E*, G* | effective moduli, `1/E* = Σ(1−ν²)/E`, `1/G* = Σ(2−ν)/G` |
//!
//! `N = 2E*Δx Σw_k`, `T = −8G*Δx Σu_k`, `|u_k| ≤ μ E*/(4G*) w_k · (normal force)/(2E*Δx Σw_k)`: the last factor, 1 for a fine row and without
//! dashpot, makes `|T| ≤ μN` hold for the normal force of the law to round-off.
//!
//! Source: V. L. Popov, M. Heß, Method of Dimensionality Reduction in Contact Mechanics and Friction (Springer 2015), ch. 5; the equivalence
//! to superposition for any history is due to Jäger (1995) and Ciavarella (1998). It gives the impacts of N. Maw, J. R. Barber,
//! J. N. Fawcett, Wear 38 (1976) 101.
//!
//! # Choices
//! - Δx is set at the first contact so that the largest overlap of an impact at the present speed takes at most nine tenths of the springs. It is one of
//!   eight values in an octave: where in a step the contact begins does not move the springs. A contact that
//!   outgrows the row merges springs in pairs, which keeps the force; one that shrinks to four springs or fewer divides them anew.
//! - A spring that comes into contact within a step slips from then on.
//! - Energy is that of the springs, exactly; friction is the rest of the work, so merging counts as friction.

use dem_core::DVec3;
use dem_core::history::{FieldRole, FieldSpec};
use dem_core::lanes::Real;
use dem_core::material::PairMaterial;

use crate::law::{Derived, Kinematics};
use crate::normal::{NormalKind, NormalResponse};
use crate::parameter::{Interval, LawError, ParameterKind, ParameterSet, ParameterSpec};
use crate::submodels::friction::FRICTION;
use crate::tangential::{TangentialModel, TangentialResponse};

/// Row of springs.
#[derive(Clone, Copy, Debug)]
pub struct Foundation {
    young_modulus: f64,
    shear_modulus: f64,
    friction: f64,
    springs: usize,
}

/// Largest overlap that the row is laid out for, in units of the overlap of an undamped impact at the present speed.
const MARGIN: f64 = 1.2;
/// Distances in an octave from which that of the springs is taken.
const STEPS_PER_OCTAVE: f64 = 8.0;
/// Fewest springs of a row: divided anew, a contact takes half of them.
const FEWEST_SPRINGS: f64 = 10.0;
/// A contact of this many springs or fewer is divided anew.
const FEWEST_IN_CONTACT: f64 = 4.0;

impl Foundation {
    /// Distance of the springs of a contact that forms with the end of this step.
    fn first_spacing(&self, k: &Kinematics) -> f64 {
        let coefficient = 4.0 / 3.0 * self.young_modulus * k.effective_radius.sqrt();
        let speed = k.overlap_rate.max(0.0);
        let impact = libm::pow(1.25 * k.effective_mass * speed * speed / coefficient, 0.4);
        let smallest = (MARGIN * impact.max(k.overlap1) / k.effective_radius).sqrt() / self.springs as f64;
        let octaves = libm::ceil(STEPS_PER_OCTAVE * libm::log2(smallest)) / STEPS_PER_OCTAVE;
        k.effective_radius * libm::exp2(octaves)
    }

    /// Fits the distance of the springs to a contact radius.
    fn fit(&self, contact_radius: f64, spacing: &mut f64, springs: &mut [f64]) {
        let count = self.springs;
        while contact_radius > *spacing * count as f64 {
            *spacing *= 2.0;
            for j in 0..count {
                for c in 0..3 {
                    let at = |spring: usize| if spring < count { springs[3 * spring + c] } else { 0.0 };
                    springs[3 * j + c] = 0.5 * (at(2 * j) + at(2 * j + 1));
                }
            }
        }
        if contact_radius <= FEWEST_IN_CONTACT * *spacing {
            // halves, so that where the contact began leaves no trace in the distance that it ends with
            let mut finer = *spacing;
            while contact_radius <= 0.5 * count as f64 * finer {
                finer *= 0.5;
            }
            for j in (0..count).rev() {
                let from = ((j as f64 + 0.5) * finer / *spacing) as usize;
                springs.copy_within(3 * from..3 * from + 3, 3 * j);
            }
            *spacing = finer;
        }
    }
}

impl TangentialModel for Foundation {
    const KEY: &'static str = "mdr";

    fn parameters() -> Vec<ParameterSpec> {
        let springs = ParameterSpec {
            name: "springs",
            unit: "-",
            meaning: "springs across half the contact, a whole number, 24 bytes each",
            kind: ParameterKind::Default(
                30.0,
                Interval { low: FEWEST_SPRINGS, includes_low: true, high: 10_000.0, includes_high: true },
            ),
        };
        vec![FRICTION, springs]
    }

    fn new(parameters: &ParameterSet, pair: &PairMaterial, normal_stiffness: Option<f64>) -> Result<Self, LawError> {
        if normal_stiffness.is_some() {
            return Err(LawError::new(
                "tangential",
                "= \"mdr\", expected with a normal model whose contact area grows with the load",
            ));
        }
        Ok(Self {
            young_modulus: pair.effective_young_modulus,
            shear_modulus: pair.effective_shear_modulus,
            friction: parameters.number("friction"),
            springs: parameters.whole_number("springs")?,
        })
    }

    fn made_for(&self) -> Option<NormalKind> {
        Some(NormalKind::Hertz)
    }

    fn fields(&self) -> Vec<FieldSpec> {
        let field = |name, meaning, width| FieldSpec { name, unit: "m", meaning, width, role: FieldRole::State };
        vec![
            field("spring_spacing", "spacing of the springs of the row", 1),
            field(
                "spring_elongations",
                "tangential elongation of each spring, from the centre outwards",
                3 * self.springs,
            ),
        ]
    }

    #[inline(always)]
    fn stiffness<R: Real>(&self, effective_radius: R, overlap: R) -> R {
        R::parameter(8.0 * self.shear_modulus) * (effective_radius * overlap.maximum(R::zero())).sqrt()
    }

    fn elastic_slip(&self, effective_radius: f64, overlap: f64, record: &[f64]) -> DVec3 {
        let contact_radius = (effective_radius * overlap.max(0.0)).sqrt();
        let sum: DVec3 = record[1..].chunks_exact(3).map(DVec3::from_slice).sum();
        if contact_radius > 0.0 { sum * (record[0] / contact_radius) } else { DVec3::ZERO }
    }

    fn derived(&self) -> Vec<Derived> {
        vec![
            Derived { name: "effective shear modulus G*", value: self.shear_modulus, unit: "Pa" },
            Derived { name: "springs", value: self.springs as f64, unit: "-" },
        ]
    }

    #[inline(always)]
    fn respond(
        &self,
        k: &Kinematics,
        n: &NormalResponse,
        _energy0: f64,
        start: &[f64],
        end: &mut [f64],
    ) -> TangentialResponse {
        let (spacing, springs) = end.split_at_mut(1);
        let spacing = &mut spacing[0];
        *spacing = start[0];
        let force_unit = 8.0 * self.shear_modulus;

        let (mut sum, mut squares) = (DVec3::ZERO, 0.0);
        for (before, after) in start[1..].chunks_exact(3).zip(springs.chunks_exact_mut(3)) {
            let elongation = DVec3::from_slice(before);
            if elongation != DVec3::ZERO {
                let carried: DVec3 = k.transport.carry(elongation.into()).into();
                after.copy_from_slice(&carried.to_array());
                sum += carried;
                squares += carried.length_squared();
            } else {
                after.fill(0.0);
            }
        }
        let (force0, energy0) = (sum * (-force_unit * *spacing), 0.5 * force_unit * *spacing * squares);

        let limit = self.friction * n.limit1.max(0.0);
        let loaded = limit > 0.0 && k.overlap1 > 0.0;
        let (mut force, mut energy, mut slides) = (DVec3::ZERO, 0.0, false);
        if loaded {
            if *spacing <= 0.0 {
                *spacing = self.first_spacing(k);
            }
            self.fit(n.contact_radius1, spacing, springs);
            let row = Row::new(k, *spacing, self.springs);
            // μE*/(4G*) of the discrete row, so that the sum of the limits is μN
            let slope = limit / (force_unit * *spacing * row.total);
            (sum, squares, slides) = row.advance(k, slope, springs);
            (force, energy) = (sum * (-force_unit * *spacing), 0.5 * force_unit * *spacing * squares);
        } else {
            *spacing = 0.0;
            springs.fill(0.0);
        }
        let work = -0.5 * (force0 + force).dot(k.slip.into());
        let stored = energy - energy0;
        TangentialResponse {
            force: force.into(),
            loaded,
            slides,
            stored,
            friction: work - stored,
            ..TangentialResponse::none()
        }
    }
}

/// Geometry of the springs in contact at the end of a step.
struct Row {
    /// Δx²/r*
    curvature: f64,
    /// Springs in contact.
    touching: usize,
    /// `Σ w_k` \[m\].
    total: f64,
}

impl Row {
    fn new(k: &Kinematics, spacing: f64, springs: usize) -> Self {
        let curvature = spacing * spacing / k.effective_radius;
        let mut row = Self { curvature, touching: 0, total: 0.0 };
        while row.touching < springs && row.compression(k.overlap1, row.touching) > 0.0 {
            row.total += row.compression(k.overlap1, row.touching);
            row.touching += 1;
        }
        row
    }

    #[inline(always)]
    fn compression(&self, overlap: f64, spring: usize) -> f64 {
        let x = spring as f64 + 0.5;
        overlap - x * x * self.curvature
    }

    /// Moves the springs, each up to `slope` times its compression. Returns the sum and the sum of squares of their elongations, and whether all
    /// slip.
    #[inline(always)]
    fn advance(&self, k: &Kinematics, slope: f64, springs: &mut [f64]) -> (DVec3, f64, bool) {
        let slip = DVec3::from(k.slip);
        let growth = k.overlap1 - k.overlap0;
        let (mut sum, mut squares, mut all_slip) = (DVec3::ZERO, 0.0, self.touching > 0);
        let (inside, outside) = springs.split_at_mut(3 * self.touching);
        for (j, spring) in inside.chunks_exact_mut(3).enumerate() {
            let compression = self.compression(k.overlap1, j);
            let enters = self.compression(k.overlap0, j) <= 0.0;
            let moved = if enters { slip * (compression / growth) } else { slip };
            let mut elongation = DVec3::from_slice(spring) + moved;
            let (limit, squared) = (slope * compression, elongation.length_squared());
            if squared > limit * limit {
                elongation *= limit / squared.sqrt();
            } else {
                all_slip = false;
            }
            spring.copy_from_slice(&elongation.to_array());
            sum += elongation;
            squares += elongation.length_squared();
        }
        outside.fill(0.0);
        (sum, squares, all_slip)
    }
}
