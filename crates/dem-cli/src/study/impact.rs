//! `dem study impact`

use clap::{Args, ValueEnum};
use dem_report::given::numbers;
use dem_report::given::{angles, quantities, quantity};
use dem_report::{Report, ReportError};
use dem_studies::StudyError;
use dem_studies::impact::{Options, Speed, run};
use dem_studies::material::Material;
use dem_studies::named_choice::{NamedChoice, separate};
use dem_studies::sphere_and_partner::Partner;

use super::Output;

#[derive(Args)]
pub struct Arguments {
    #[command(flatten)]
    pub output: Output,
    /// Comma-separated laws, each NAME or NAME:key=value,key=value; "all" for every law that needs no choice of models [default:
    /// linear, mindlin-total, hertz-mindlin, mindlin-deresiewicz, mdr].
    #[arg(long = "law", visible_alias = "laws", value_name = "A,B")]
    laws: Vec<String>,
    /// Integrator, NAME or NAME:key=value.
    #[arg(long, value_name = "NAME", default_value = "velocity-verlet")]
    integrator: String,
    /// Material of the sphere: a name, or DENSITY,YOUNG_MODULUS,POISSON_RATIO, as in "1200 kg/m^3, 2 GPa, 0.35".
    #[arg(long, visible_alias = "material", value_name = "MATERIAL", default_value = "aluminium-oxide")]
    sphere: String,
    /// Material of the wall or of the other sphere.
    #[arg(long, value_name = "MATERIAL", default_value = "soda-lime-glass")]
    partner_material: String,
    /// What the sphere collides with.
    #[arg(long, value_enum, default_value_t = PartnerName::Wall)]
    partner: PartnerName,
    /// Radius.
    #[arg(long, value_name = "LENGTH", default_value = "2.5 mm")]
    radius: String,
    /// Speed of the centre, the same under all angles.
    #[arg(long, value_name = "SPEED", conflicts_with = "normal_speed", default_value = "3.9 m/s")]
    speed: String,
    /// Speed along the normal, the same under all angles, for example "1 m/s".
    #[arg(long, value_name = "SPEED")]
    normal_speed: Option<String>,
    /// Angles from the normal, in (0, 90) degrees, as in "2,5,10 deg" or "2..40:20 deg" for twenty.
    #[arg(
        long = "angle",
        visible_alias = "angles",
        value_name = "LIST",
        allow_hyphen_values = true,
        default_value = "2,5,10,20,30 deg"
    )]
    angles: String,
    /// Spins before the impact, positive if they add to the slip, as in "0,100 rad/s".
    #[arg(long = "spin", value_name = "LIST", allow_hyphen_values = true, default_value = "0")]
    spins: String,
    /// Coefficients of friction.
    #[arg(long, value_name = "LIST", allow_hyphen_values = true, default_value = "0.092")]
    friction: String,
    /// Coefficients of restitution along the normal.
    #[arg(long, value_name = "LIST", allow_hyphen_values = true, default_value = "1")]
    restitution: String,
    /// Time steps per duration of the impact.
    #[arg(long, value_name = "LIST", allow_hyphen_values = true, default_value = "1000")]
    steps: String,
    /// Where contact forces act, as `lever` in a scene: "radius" as in the reference solutions, "half" or "plane".
    #[arg(long, default_value = "radius")]
    lever: String,
    /// Acceleration towards the wall, for example "9.81 m/s^2".
    #[arg(long, value_name = "ACCELERATION", default_value = "0")]
    gravity: String,
    /// Annuli of the solution of Maw, Barber and Fawcett, 2 to 2000.
    #[arg(long, value_name = "COUNT", default_value_t = Options::default().annuli)]
    annuli: usize,
}

#[derive(Clone, Copy, ValueEnum)]
enum PartnerName {
    /// A flat wall.
    Wall,
    /// An equal sphere.
    Sphere,
}

/// Laws as a user lists them.
pub fn laws(given: &[String], default: &[NamedChoice]) -> Result<Vec<NamedChoice>, ReportError> {
    if given.is_empty() {
        return Ok(default.to_vec());
    }
    if given == ["all"] {
        // those that need no parameters of their own
        let plain = dem_contact::registry::all().into_iter().filter(|law| law.conformance.sample.is_empty());
        return plain.map(|law| NamedChoice::law(law.key)).collect();
    }
    separate(given).iter().map(|text| NamedChoice::law(text)).collect()
}

/// Runs the study.
pub fn report(arguments: &Arguments) -> Result<Report, StudyError> {
    let defaults = Options::default();
    let partner = match arguments.partner {
        PartnerName::Wall => Partner::Wall,
        PartnerName::Sphere => Partner::Sphere,
    };
    let speed = match &arguments.normal_speed {
        Some(text) => Speed::Normal(quantity("--normal-speed", "m/s", text)?),
        None => Speed::Whole(quantity("--speed", "m/s", &arguments.speed)?),
    };
    run(&Options {
        laws: laws(&arguments.laws, &defaults.laws)?,
        integrator: NamedChoice::integrator(&arguments.integrator)?,
        sphere: Material::parse("--sphere", &arguments.sphere)?,
        partner_material: Material::parse("--partner-material", &arguments.partner_material)?,
        partner,
        radius: quantity("--radius", "m", &arguments.radius)?,
        speed,
        angles: angles("--angle", &arguments.angles, "in (0, 90) degrees", |x| x > 0.0 && x < 90.0)?,
        spins: quantities("--spin", "rad/s", &arguments.spins, "finite", f64::is_finite)?,
        frictions: numbers("--friction", &arguments.friction, "0 or positive", |x| x >= 0.0)?,
        restitutions: numbers("--restitution", &arguments.restitution, "in (0, 1]", |x| x > 0.0 && x <= 1.0)?,
        steps: numbers("--steps", &arguments.steps, "10 to 1000000", |x| (10.0..=1e6).contains(&x))?,
        lever: arguments.lever.clone(),
        gravity: quantity("--gravity", "m/s^2", &arguments.gravity)?,
        annuli: arguments.annuli,
    })
}
