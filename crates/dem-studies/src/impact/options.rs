//! What to run.

use dem_contact::ParameterValue;
use dem_report::ReportError;

use super::case::Case;
use crate::error::StudyError;
use crate::material::{ALUMINIUM_OXIDE, Material, SODA_LIME_GLASS};
use crate::named_choice::NamedChoice;
use crate::sphere_and_partner::{Approach, Partner, SphereAndPartner};

/// Most impacts of one study.
const MOST_IMPACTS: usize = 20_000;
/// Most steps of all impacts: all histories are kept, some 150 bytes a step.
const MOST_STEPS: f64 = 1e7;

/// What is the same under all angles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Speed {
    /// The speed of the centre \[m/s\].
    Whole(f64),
    /// The speed along the normal \[m/s\].
    Normal(f64),
}

/// What to run: every combination of the lists.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// Laws.
    pub laws: Vec<NamedChoice>,
    /// Integrator.
    pub integrator: NamedChoice,
    /// Material of the sphere.
    pub sphere: Material,
    /// Material of the partner.
    pub partner_material: Material,
    /// What the sphere collides with.
    pub partner: Partner,
    /// Radius \[m\].
    pub radius: f64,
    /// Speed.
    pub speed: Speed,
    /// Angles of incidence from the normal, in (0, 90) \[degrees\].
    pub angles: Vec<f64>,
    /// Spins before the impact \[rad/s\], positive if they add to the slip.
    pub spins: Vec<f64>,
    /// Coefficients of friction.
    pub frictions: Vec<f64>,
    /// Coefficients of restitution.
    pub restitutions: Vec<f64>,
    /// Time steps per duration of the impact.
    pub steps: Vec<f64>,
    /// Where contact forces act, as in a scene.
    pub lever: String,
    /// Acceleration towards the wall \[m/s²\].
    pub gravity: f64,
    /// Annuli of the solution of Maw, Barber and Fawcett.
    pub annuli: usize,
}

/// Laws of Di Renzo and Di Maio: linear, H-MDns in its total and its incremental form, H-MD; and the foundation of springs.
pub const PUBLISHED_LAWS: [&str; 5] =
    ["linear", "mindlin-total", "hertz-mindlin:unloading=none", "mindlin-deresiewicz:fast_growth=fitted", "mdr"];

/// One of these laws.
fn published(text: &str) -> NamedChoice {
    let (name, rest) = text.split_once(':').unwrap_or((text, ""));
    let word = |(key, word): (&str, &str)| (key.to_owned(), ParameterValue::Word(word.to_owned()));
    NamedChoice {
        label: text.to_owned(),
        name: name.to_owned(),
        parameters: rest.split_once('=').map(word).into_iter().collect(),
    }
}

impl Default for Options {
    /// The impact of Kharaz, Gorham and Salman under five angles, with the laws of Di Renzo and Di Maio.
    fn default() -> Self {
        let plain = |name: &str| NamedChoice { label: name.to_owned(), name: name.to_owned(), parameters: [].into() };
        Self {
            laws: PUBLISHED_LAWS.map(published).to_vec(),
            integrator: plain("velocity-verlet"),
            sphere: ALUMINIUM_OXIDE,
            partner_material: SODA_LIME_GLASS,
            partner: Partner::Wall,
            radius: 2.5e-3,
            speed: Speed::Whole(3.9),
            angles: vec![2.0, 5.0, 10.0, 20.0, 30.0],
            spins: vec![0.0],
            frictions: vec![0.092],
            restitutions: vec![1.0],
            steps: vec![1000.0],
            lever: "radius".to_owned(),
            gravity: 0.0,
            annuli: 200,
        }
    }
}

impl Options {
    /// Whether sphere, wall, speed and friction are those of Kharaz, Gorham and Salman.
    pub(super) fn is_kharaz(&self) -> bool {
        let published = Self::default();
        let same = (self.sphere, self.partner_material) == (published.sphere, published.partner_material);
        same && self.partner == Partner::Wall
            && self.radius == published.radius
            && self.speed == published.speed
            && self.spins[0] == 0.0
            && self.frictions[0] == published.frictions[0]
    }

    /// All impacts: laws, then restitutions, frictions, spins, steps, angles.
    ///
    /// # Errors
    /// An option out of range, a list without values, too many impacts.
    pub fn cases(&self) -> Result<Vec<Case>, StudyError> {
        self.check()?;
        let mut cases = Vec::new();
        for law in &self.laws {
            for &restitution in &self.restitutions {
                for &friction in &self.frictions {
                    let (Speed::Whole(speed) | Speed::Normal(speed)) = self.speed;
                    let mut bodies = SphereAndPartner {
                        sphere: self.sphere,
                        partner_material: self.partner_material,
                        partner: self.partner,
                        radius: self.radius,
                        friction,
                        restitution,
                        law: law.clone(),
                        integrator: self.integrator.clone(),
                        lever: self.lever.clone(),
                        gravity: self.gravity,
                    };
                    bodies.fit_stiffness(speed)?;
                    for &spin in &self.spins {
                        for &steps in &self.steps {
                            let case = |&angle: &f64| {
                                let (normal_speed, tangential_velocity) = self.velocities(angle);
                                let approach = Approach { normal_speed, tangential_velocity, spin };
                                Case { bodies: bodies.clone(), angle, approach, steps }
                            };
                            cases.extend(self.angles.iter().map(case));
                        }
                    }
                }
            }
        }
        Ok(cases)
    }

    fn velocities(&self, angle: f64) -> (f64, f64) {
        let (sine, cosine) = angle.to_radians().sin_cos();
        match self.speed {
            Speed::Whole(speed) => (speed * cosine, speed * sine),
            Speed::Normal(speed) => (speed, speed * sine / cosine),
        }
    }

    fn check(&self) -> Result<(), ReportError> {
        let (Speed::Whole(speed) | Speed::Normal(speed)) = self.speed;
        let positive = |x: f64| x > 0.0 && x.is_finite();
        list("--angle", &self.angles, "in (0, 90) degrees", |x| x > 0.0 && x < 90.0)?;
        list("--spin", &self.spins, "finite", f64::is_finite)?;
        list("--friction", &self.frictions, "0 or positive", |x| x >= 0.0 && x.is_finite())?;
        list("--restitution", &self.restitutions, "in (0, 1]", |x| x > 0.0 && x <= 1.0)?;
        list("--steps", &self.steps, "10 to 1000000", |x| (10.0..=1e6).contains(&x))?;
        list("--speed", &[speed], "positive", positive)?;
        list("--radius", &[self.radius], "positive", positive)?;
        list("--gravity", &[self.gravity], "0 or positive", |x| x >= 0.0 && x.is_finite())?;
        if self.gravity > 0.0 && self.partner == Partner::Sphere {
            return Err(refused("--gravity", self.gravity, "0 between spheres"));
        }
        if !(2..=2000).contains(&self.annuli) {
            return Err(refused("--annuli", self.annuli, "2 to 2000"));
        }
        let others = [&self.spins, &self.frictions, &self.restitutions].map(Vec::len).iter().product::<usize>();
        let impacts = self.laws.len().saturating_mul(self.angles.len()).saturating_mul(others);
        let all = impacts.saturating_mul(self.steps.len());
        if all == 0 || all > MOST_IMPACTS {
            return Err(refused("impacts", all, &format!("1 to {MOST_IMPACTS} combinations of the lists")));
        }
        let steps = impacts as f64 * self.steps.iter().sum::<f64>();
        if steps > MOST_STEPS {
            return Err(refused("steps of all impacts", steps, &format!("at most {MOST_STEPS}")));
        }
        Ok(())
    }
}

fn refused(option: &'static str, value: impl ToString, allowed: &str) -> ReportError {
    ReportError::Option { option, value: value.to_string(), allowed: allowed.to_owned() }
}

/// Refuses an empty list and numbers that are not admissible.
fn list(
    option: &'static str,
    numbers: &[f64],
    allowed: &str,
    admissible: impl Fn(f64) -> bool,
) -> Result<(), ReportError> {
    if numbers.is_empty() {
        return Err(refused(option, "no values", &format!("at least one number, each {allowed}")));
    }
    match numbers.iter().find(|&&x| !admissible(x)) {
        Some(x) => Err(refused(option, x, allowed)),
        None => Ok(()),
    }
}
