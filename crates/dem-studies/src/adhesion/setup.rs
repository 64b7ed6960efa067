//! The bodies of the study, and every adhesive law with what it must give.

use std::f64::consts::PI;

use dem_reference::adhesive_contact::{AdhesiveContact, Separation};
use dem_reference::plastic_impact::PlasticSpring;

use super::dented_contact::DentedContact;
use super::options::Options;
use crate::error::StudyError;
use crate::named_choice::NamedChoice;
use crate::sphere_and_partner::{Partner, SphereAndPartner};

/// Deepest overlap of the pull-off curves in units of the contact, `a_f²/r`.
const DEEPEST: f64 = 16.0;
/// Distance at which the force of van der Waals stops growing, and that at which it ends, as that of the Tabor number \[m\].
const CLOSEST: f64 = 3e-10;
const CUTOFF: f64 = 2e-8;

/// A law of the study.
pub struct AdhesiveLaw {
    /// Short name.
    pub label: &'static str,
    /// The law with its parameters, as `--law` takes it.
    pub law: NamedChoice,
    /// Largest pull \[N\].
    pub pull_off: f64,
    /// Distance of the surfaces at which the pull ends \[m\].
    pub reach: f64,
    /// Energy lost by one pressing and parting \[J\].
    pub loss: f64,
}

/// Sphere and wall.
pub struct Setup<'a> {
    options: &'a Options,
    /// Their adhesive contact.
    pub contact: AdhesiveContact,
    /// Mass of the sphere \[kg\].
    pub mass: f64,
}

impl<'a> Setup<'a> {
    /// Of options.
    pub fn new(options: &'a Options) -> Self {
        let material = options.material;
        let modulus = 0.5 * material.young_modulus / (1.0 - material.poisson_ratio * material.poisson_ratio);
        let contact = AdhesiveContact { radius: options.radius, modulus, surface_energy: options.surface_energy };
        Self { options, contact, mass: 4.0 / 3.0 * PI * options.radius.powi(3) * material.density }
    }

    /// Deepest overlap of the pull-off curves \[m\].
    pub fn deepest(&self) -> f64 {
        DEEPEST * self.contact.overlap_unit()
    }

    /// The bodies with a law.
    ///
    /// # Errors
    /// No integrator of this name.
    pub fn bodies(&self, law: &NamedChoice) -> Result<SphereAndPartner, StudyError> {
        Ok(SphereAndPartner {
            sphere: self.options.material,
            partner_material: self.options.material,
            partner: Partner::Wall,
            radius: self.options.radius,
            friction: 0.3,
            restitution: 1.0,
            law: law.clone(),
            integrator: NamedChoice::integrator("velocity-verlet")?,
            lever: "half".to_owned(),
            gravity: 0.0,
        })
    }

    /// Largest pressure of the contact that yields: it begins to yield at six tenths of its largest contact radius \[Pa\].
    pub fn yield_pressure(&self) -> f64 {
        let c = &self.contact;
        let a = 0.6 * c.contact_radius(self.deepest());
        2.0 * c.modulus * a / (PI * c.radius) - 2.0 * (c.surface_energy * c.modulus / (PI * a)).sqrt()
    }

    /// The contact that yields.
    pub fn dented(&self) -> DentedContact {
        DentedContact::new(self.contact, self.yield_pressure())
    }

    /// Every law of the engine that pulls on bodies which touch. Free strengths are such that the pull-off force is that of `jkr`.
    ///
    /// # Errors
    /// A law that does not exist.
    pub fn laws(&self) -> Result<Vec<AdhesiveLaw>, StudyError> {
        let (c, deepest) = (&self.contact, self.deepest());
        let (radius, energy, pull) = (c.radius, c.surface_energy, c.pull_off());
        let hertz = 4.0 / 3.0 * c.modulus * radius.sqrt();
        let surface = format!("surface_energy={energy:?}");
        let dented = self.dented();
        let largest = c.contact_radius(deepest);
        let spring = self.plastic_spring();
        // pull per overlap at which Hertz's spring less it has its minimum at the pull-off force
        let slope = (6.75 * hertz * hertz * pull).cbrt();
        let density = slope / (4.0 * PI * radius);
        let hamaker = 24.0 * PI * energy * CLOSEST * CLOSEST;
        let dent = Dent::new(hertz, 0.7, deepest);
        let work = pull / (1.5 * PI * (2.0 * radius * dent.overlap()).sqrt());
        let law = |label, text: String, [pull_off, reach, loss]: [f64; 3]| -> Result<AdhesiveLaw, StudyError> {
            Ok(AdhesiveLaw { label, law: NamedChoice::law(&text)?, pull_off, reach, loss })
        };
        let curve = |separation| [pull, c.reach(separation), c.loss(separation)];
        let stiff = c.pull_off_of_stiff_spheres();
        Ok(vec![
            law("jkr", format!("jkr:{surface}"), curve(Separation::Fold))?,
            law("jkr (peak)", format!("jkr:{surface},separation=peak"), curve(Separation::Peak))?,
            law("dmt", format!("dmt:{surface}"), [stiff, 0.0, 0.0])?,
            law(
                "thornton-ning",
                format!("thornton-ning:{surface},yield_pressure={:?}", self.yield_pressure()),
                [dented.pull_off(largest), dented.reach(largest), dented.loss(largest)?],
            )?,
            law(
                "luding",
                format!(
                    "luding:loading_stiffness={:?},unloading_stiffness_limit={:?},cohesive_stiffness={:?},plasticity_depth={:?}",
                    spring.loading,
                    spring.unloading_limit,
                    spring.cohesive,
                    spring.limit_overlap * (1.0 - spring.loading / spring.unloading_limit) / (2.0 * radius)
                ),
                [pull, 0.0, spring.loss(deepest)],
            )?,
            law(
                "edinburgh",
                format!("edinburgh:plasticity_ratio=0.7,work_of_adhesion={work:?}"),
                [pull, 0.0, dent.loss(pull)],
            )?,
            law(
                "sjkr",
                format!("hertz-mindlin:adhesion=sjkr,cohesion_energy_density={density:?}"),
                // half the slope, and so an eighth of the pull; the circle on a wall is smaller by a share δ/2r
                [pull / 8.0, 0.0, 0.0],
            )?,
            law(
                "sjkr2",
                format!("hertz-mindlin:adhesion=sjkr2,cohesion_energy_density={density:?}"),
                [pull, 0.0, 0.0],
            )?,
            law("constant", format!("hertz-mindlin:adhesion=constant,pull={pull:?}"), [pull, 0.0, 0.0])?,
            law(
                "van-der-waals",
                format!(
                    "hertz-mindlin:near_field=van-der-waals,hamaker_constant={hamaker:?},separation_minimum={CLOSEST:?},van_der_waals_cutoff={CUTOFF:?}"
                ),
                [stiff, CUTOFF, 0.0],
            )?,
        ])
    }

    /// The plastic spring with the secant stiffness of Hertz, half way to its limit.
    fn plastic_spring(&self) -> PlasticSpring {
        let (c, deepest, pull) = (&self.contact, self.deepest(), self.contact.pull_off());
        let loading = 4.0 / 3.0 * c.modulus * (c.radius * deepest).sqrt();
        // k₂ is 3 k₁ there
        let cohesive = 3.0 * loading * pull / (2.0 * loading * deepest - pull);
        PlasticSpring { loading, unloading_limit: 5.0 * loading, cohesive, limit_overlap: 2.0 * deepest }
    }
}

/// Hertz's spring k₁ `x`, `x = δ^(3/2)`, that unloads with `k₂ = k₁/(1 − λ)` from a largest overlap, and leaves a dent.
struct Dent {
    loading: f64,
    plasticity: f64,
    deepest: f64,
}

impl Dent {
    fn new(loading: f64, plasticity: f64, deepest: f64) -> Self {
        Self { loading, plasticity, deepest }
    }

    /// Depth of the dent \[m\].
    fn overlap(&self) -> f64 {
        self.deepest * self.plasticity.powf(2.0 / 3.0)
    }

    /// Energy lost if the strongest pull is in proportion to x from a force on \[J\].
    fn loss(&self, pull: f64) -> f64 {
        let unloading = self.loading / (1.0 - self.plasticity);
        let dent = self.plasticity * self.deepest.powf(1.5);
        // where the line of unloading meets the pull
        let least = dent - pull / unloading;
        let meets = least.powf(2.0 / 3.0);
        let integral = |from: f64, to: f64| 0.4 * (to.powf(2.5) - from.powf(2.5));
        let put_in = self.loading * integral(0.0, self.deepest);
        let given_back = unloading * (integral(meets, self.deepest) - dent * (self.deepest - meets));
        let pulled = pull / least * integral(0.0, meets);
        put_in - given_back + pulled
    }
}
