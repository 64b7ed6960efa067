//! An adhesive contact that yields, as Thornton and Ning have it: pull-off and loss after a largest contact radius, by quadrature over the published
//! force.

use std::f64::consts::PI;

use dem_reference::adhesive_contact::{AdhesiveContact, Separation};
use dem_reference::quadrature::gauss_to;

use crate::error::StudyError;

/// Tolerance of integrals.
const TOLERANCE: f64 = 1e-10;

/// A contact with a largest pressure.
pub struct DentedContact {
    contact: AdhesiveContact,
    yield_pressure: f64,
    /// Contact radius at which the pressure in the middle is the largest \[m\].
    yield_radius: f64,
}

impl DentedContact {
    /// From the contact without yield and the largest pressure \[Pa\].
    pub fn new(contact: AdhesiveContact, yield_pressure: f64) -> Self {
        let pressure = |a: f64| {
            2.0 * contact.modulus * a / (PI * contact.radius)
                - 2.0 * (contact.surface_energy * contact.modulus / (PI * a)).sqrt()
        };
        let (mut low, mut high) = (0.0, contact.radius);
        for _ in 0..200 {
            let middle = 0.5 * (low + high);
            if pressure(middle) < yield_pressure { low = middle } else { high = middle }
        }
        Self { contact, yield_pressure, yield_radius: high }
    }

    /// Force of first loading \[N\].
    fn loading(&self, a: f64) -> f64 {
        let limit = self.yield_radius;
        if a <= limit {
            return self.contact.force(a);
        }
        let root = (PI * self.contact.surface_energy * self.contact.modulus).sqrt();
        self.contact.force(limit) + PI * self.yield_pressure * (a * a - limit * limit)
            - 4.0 * limit * root * (a.sqrt() - limit.sqrt())
    }

    /// The elastic contact of the dented surfaces.
    fn dented(&self, largest: f64) -> AdhesiveContact {
        let c = self.contact;
        if largest <= self.yield_radius {
            return c;
        }
        let pull = 4.0 * (PI * c.surface_energy * c.modulus).sqrt() * largest.powf(1.5);
        let radius = 4.0 / 3.0 * c.modulus * largest.powi(3) / (self.loading(largest) + pull);
        AdhesiveContact { radius, ..c }
    }

    /// Force that pulls off \[N\].
    pub fn pull_off(&self, largest: f64) -> f64 {
        self.dented(largest).pull_off()
    }

    /// Distance of the undeformed surfaces where the contact ends, negative within the dent \[m\].
    pub fn reach(&self, largest: f64) -> f64 {
        let dented = self.dented(largest);
        let depth = self.contact.overlap(largest) - dented.overlap(largest);
        dented.reach(Separation::Fold) - depth
    }

    /// Work put in from touch to a contact radius \[J\].
    fn put_in(&self, largest: f64) -> Result<f64, StudyError> {
        let touch = self.contact.contact_radius(0.0);
        let work = |a: f64| self.loading(a) * slope(&self.contact, a);
        // the force has a kink where it yields
        let limit = self.yield_radius.clamp(touch.min(largest), largest.max(touch));
        Ok(gauss_to(work, touch, limit, TOLERANCE)? + gauss_to(work, limit, largest, TOLERANCE)?)
    }

    /// Energy lost by pressing to a contact radius and parting \[J\].
    ///
    /// # Errors
    /// An integral that does not converge.
    pub fn loss(&self, largest: f64) -> Result<f64, StudyError> {
        let dented = self.dented(largest);
        let back = |a: f64| dented.force(a) * slope(&dented, a);
        Ok(self.put_in(largest)? - gauss_to(back, dented.fold_radius(), largest, TOLERANCE)?)
    }

    /// Restitution of an impact of an effective mass \[kg\] at a speed \[m/s\], zero if it sticks.
    ///
    /// # Errors
    /// As [`Self::loss`].
    pub fn restitution(&self, mass: f64, speed: f64) -> Result<f64, StudyError> {
        let energy = 0.5 * mass * speed * speed;
        let (mut low, mut high) = (self.contact.contact_radius(0.0), 2.0 * self.yield_radius);
        while self.put_in(high)? < energy {
            high *= 2.0;
        }
        // from touch on the surfaces draw each other in: the work is negative first, and then grows
        for _ in 0..100 {
            let middle = 0.5 * (low + high);
            if self.put_in(middle)? < energy { low = middle } else { high = middle }
        }
        Ok((1.0 - self.loss(high)? / energy).max(0.0).sqrt())
    }
}

/// dδ/da.
fn slope(contact: &AdhesiveContact, a: f64) -> f64 {
    2.0 * a / contact.radius - (PI * contact.surface_energy / (contact.modulus * a)).sqrt()
}
