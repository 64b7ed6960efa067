//! The small silo and the ways to fill it.

use dem_analysis::profile::assembly::Assembly;
use dem_workloads::scenes::SILO;

use crate::error::StudyError;
use crate::silo::measurement::Measurement;

/// Mean diameter of the spheres of the example \[m\].
const DIAMETER: f64 = 5e-3;
/// Height of the filling in diameters of the silo.
const SLENDERNESS: f64 = 5.3;
/// Solid fraction that heights are reckoned with.
const FRACTION: f64 = 0.6;
/// Share of the free cross-section that the rain takes.
const RAIN: f64 = 0.16;
/// Speed of the rain \[m/s\].
const SPEED: f64 = 0.6;
/// Width of a bin of the wall in mean diameters.
const BIN: f64 = 2.0;
/// Solid fraction that the lattice reaches at least, with its gaps and the rim of a narrow cylinder left out.
const LATTICE: f64 = 0.12;

/// How a silo is filled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Filling {
    /// All spheres fall together from the sites of a lattice.
    Lattice,
    /// They rain from above, one after the other.
    Rain,
}

impl Filling {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Lattice, Self::Rain];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Lattice => "lattice",
            Self::Rain => "rain",
        }
    }

    /// What is different from the example for a silo with a number of spheres.
    fn overrides(self, particles: u64, seed: u64) -> Vec<String> {
        // spheres in diameters: N = (D/d)² (H/d) 3/2 fraction
        let wide = (particles as f64 / (1.5 * FRACTION * SLENDERNESS)).cbrt();
        let radius = 0.5 * wide * DIAMETER;
        let height = SLENDERNESS * 2.0 * radius;
        let inside = radius - 0.02 * DIAMETER;
        let bins = (0.95 * height / (BIN * DIAMETER)).floor();
        let mut changes = vec![
            format!("seed={seed}"),
            format!("walls.floor.shape.radius={radius}"),
            format!("walls.silo.shape.radius={radius}"),
            format!("output.wall_probes.0.bins={bins}"),
            format!("output.wall_probes.0.to={}", 0.95 * height),
        ];
        match self {
            Self::Rain => {
                let sphere = std::f64::consts::PI / 6.0 * DIAMETER.powi(3);
                let rate = RAIN * std::f64::consts::PI * (inside - 0.5 * DIAMETER).powi(2) * SPEED / sphere;
                changes.push(format!(
                    r#"particles.rain.region={{type="cylinder",base=[0,0,{}],radius={inside},height={}}}"#,
                    1.2 * height,
                    10.0 * DIAMETER
                ));
                changes.push(format!(r#"particles.rain.fill={{type="pour",rate={rate},count={particles}}}"#));
            }
            Self::Lattice => {
                let tall = (height * FRACTION / LATTICE).max(0.3);
                changes.push(format!(r#"particles.rain.region={{type="cylinder",radius={inside},height={tall}}}"#));
                changes.push(format!(r#"particles.rain.fill={{type="lattice",gap=0.05,jitter=1,count={particles}}}"#));
                changes.push("particles.rain.velocity=[0,0,0]".to_owned());
                changes.push(format!("walls.silo.shape.height={}", 1.1 * tall));
            }
        }
        changes
    }

    /// Fills the silo and measures it at rest.
    ///
    /// # Errors
    /// A scene that cannot be built or run.
    pub fn measure(self, particles: u64, seed: u64) -> Result<Measurement, StudyError> {
        let mut simulation = SILO.simulation(&self.overrides(particles, seed))?;
        while simulation.state.stopped.is_none() {
            simulation.advance()?;
            // averages are those of the rest at the end
            if simulation.state.rest_since.is_none() {
                simulation.probes.restart();
            }
        }
        let gravity = simulation.world.fields.gravity.length();
        let assembly = Assembly::of(&simulation.world)?;
        let rows = simulation.probes.rows(&simulation.world);
        Ok(Measurement::new(self.name().to_owned(), seed, gravity, &assembly, &rows)?)
    }
}
