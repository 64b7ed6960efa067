//! What is asked of a packing.

use dem_report::ReportError;
use dem_report::given::within;

/// How a packing is prepared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Random sequential addition.
    RandomSequential,
    /// Deposition under gravity.
    Deposition,
    /// Growth of the radii in a periodic cell or a container.
    Growth,
    /// Isotropic compression of a periodic cell.
    Compression,
}

/// Names of the methods.
pub const METHODS: [(&str, Method); 4] = [
    ("random-sequential", Method::RandomSequential),
    ("deposition", Method::Deposition),
    ("growth", Method::Growth),
    ("compression", Method::Compression),
];

impl Method {
    /// The method of a name.
    ///
    /// # Errors
    /// An unknown name.
    pub fn from_name(name: &str) -> Result<Self, ReportError> {
        METHODS.iter().find(|(known, _)| *known == name).map(|&(_, method)| method).ok_or_else(|| {
            let known = METHODS.map(|(known, _)| known).join(", ");
            ReportError::Option { option: "METHOD", value: name.to_owned(), allowed: known }
        })
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        METHODS.iter().find(|&&(_, method)| method == self).map_or("", |&(name, _)| name)
    }

    /// Whether the pressure is imposed.
    pub fn imposes_pressure(self) -> bool {
        matches!(self, Self::Growth | Self::Compression)
    }
}

/// What holds a packing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Container {
    /// Periodic faces; with deposition only the lateral ones.
    Periodic,
    /// Box with four walls and a floor.
    Box,
    /// Cylinder on a floor.
    Cylinder,
}

impl Container {
    /// The container of a name.
    ///
    /// # Errors
    /// An unknown name.
    pub fn from_name(name: &str) -> Result<Self, ReportError> {
        match name {
            "periodic" => Ok(Self::Periodic),
            "box" => Ok(Self::Box),
            "cylinder" => Ok(Self::Cylinder),
            _ => Err(refused("--container", name, "periodic, box, cylinder")),
        }
    }
}

/// Where the spheres are before they are packed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    /// At random places.
    Random,
    /// On a dilute simple cubic lattice, shifted at random by a part of the gap.
    Lattice,
}

impl Start {
    /// The start of a name.
    ///
    /// # Errors
    /// An unknown name.
    pub fn from_name(name: &str) -> Result<Self, ReportError> {
        match name {
            "random" => Ok(Self::Random),
            "lattice" => Ok(Self::Lattice),
            _ => Err(refused("--start", name, "random, lattice")),
        }
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Random => "random",
            Self::Lattice => "lattice",
        }
    }
}

/// What is asked of a packing.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// How it is prepared.
    pub method: Method,
    /// Seed of all random numbers.
    pub seed: u64,
    /// Number of spheres or bodies.
    pub count: u64,
    /// Sizes as in a scene, a TOML table; of bodies those of spheres of equal volume.
    pub sizes: String,
    /// Shape of rigid bodies as in a scene, a TOML table; spheres otherwise.
    pub clump: Option<String>,
    /// What holds it.
    pub container: Container,
    /// Where the spheres are at first.
    pub start: Start,
    /// Width of the cell or container in mean diameters; a cube if not given, 10 with deposition and in containers.
    pub width: Option<f64>,
    /// Packing fraction to be reached \[-\].
    pub fraction: Option<f64>,
    /// Distance from it that is tolerated \[-\].
    pub tolerance: f64,
    /// Pressure of `growth` and `compression` \[Pa\].
    pub pressure: Option<f64>,
    /// Friction coefficient of the packing that is delivered \[-\].
    pub friction: f64,
    /// Friction coefficient of the preparation \[-\]; that of the packing with deposition, else 0, if not given and not searched.
    pub preparation_friction: Option<f64>,
    /// Bounds of the friction coefficients that the search may try \[-\].
    pub friction_bounds: [f64; 2],
    /// Maximum number of preparations in a search.
    pub trials: u64,
    /// Largest rate of compression and growth in units of `√(p/ρ)/d`: an inertial number \[-\].
    pub rate: f64,
    /// Stiffness number `k_n/(p d)` that sets the springs of the default contact law \[-\].
    pub stiffness_number: f64,
    /// Contact law and its parameters as in a scene, a TOML table without friction, in place of linear springs.
    pub contact: Option<String>,
    /// Material as in a scene, a TOML table.
    pub material: Option<String>,
    /// Most steps of one phase of a preparation.
    pub max_steps: u64,
}

/// Pressure if none is given \[Pa\].
pub const PRESSURE: f64 = 1e3;
/// Packing fraction of random sequential addition if none is given, and that from which the other methods begin \[-\].
pub const DILUTE: f64 = 0.3;
/// Width of a container in mean diameters if none is given.
pub const WIDTH: f64 = 10.0;

impl Default for Options {
    fn default() -> Self {
        Self {
            method: Method::Compression,
            seed: 1,
            count: 1000,
            sizes: "{ type = \"single\", radius = \"1 mm\" }".to_owned(),
            clump: None,
            container: Container::Periodic,
            start: Start::Random,
            width: None,
            fraction: None,
            tolerance: 2e-3,
            pressure: None,
            friction: 0.5,
            preparation_friction: None,
            friction_bounds: [0.0, 1.0],
            trials: 12,
            rate: 0.01,
            stiffness_number: 1e4,
            contact: None,
            material: None,
            max_steps: 2_000_000,
        }
    }
}

/// An option with a value that is refused.
pub(super) fn refused(option: &'static str, value: impl ToString, allowed: impl Into<String>) -> ReportError {
    ReportError::Option { option, value: value.to_string(), allowed: allowed.into() }
}

/// Checks a number of the command line.
fn check(option: &'static str, value: f64, allowed: &str, holds: bool) -> Result<(), ReportError> {
    if value.is_finite() && holds { Ok(()) } else { Err(refused(option, value, allowed)) }
}

impl Options {
    /// Pressure that is imposed \[Pa\].
    pub fn imposed_pressure(&self) -> f64 {
        self.pressure.unwrap_or(PRESSURE)
    }

    /// Friction of the preparation if it is not searched \[-\].
    pub fn first_friction(&self) -> f64 {
        let default = if self.method == Method::Deposition { self.friction } else { 0.0 };
        self.preparation_friction.unwrap_or(default)
    }

    /// Checks that the options are in range and go together.
    ///
    /// # Errors
    /// The first that does not.
    pub fn check(&self) -> Result<(), ReportError> {
        within("--count", self.count, 22, 10_000_000)?;
        within("--trials", self.trials, 3, 100)?;
        within("--max-steps", self.max_steps, 1, 1_000_000_000_000)?;
        let [low, high] = self.friction_bounds;
        check("--friction", self.friction, "0 to 10", (0.0..=10.0).contains(&self.friction))?;
        check("--friction-bounds", low, "two numbers of 0 to 10, the smaller first", low >= 0.0 && low < high)?;
        check("--friction-bounds", high, "two numbers of 0 to 10, the smaller first", high <= 10.0)?;
        check("--tolerance", self.tolerance, "1e-4 to 0.05", (1e-4..=0.05).contains(&self.tolerance))?;
        check("--rate", self.rate, "1e-5 to 0.1", (1e-5..=0.1).contains(&self.rate))?;
        let stiffness = self.stiffness_number;
        check("--stiffness-number", stiffness, "50 to 1e8", (50.0..=1e8).contains(&stiffness))?;
        if let Some(friction) = self.preparation_friction {
            check("--preparation-friction", friction, "0 to 10", (0.0..=10.0).contains(&friction))?;
        }
        if let Some(fraction) = self.fraction {
            check("--fraction", fraction, "above 0, below 1", fraction > 0.0 && fraction < 1.0)?;
        }
        if let Some(pressure) = self.pressure {
            check("--pressure", pressure, "a pressure above 0 Pa", pressure > 0.0)?;
        }
        if let Some(width) = self.width {
            check("--width", width, "5 to 10000 mean diameters", (5.0..=1e4).contains(&width))?;
        }
        self.check_combination()
    }

    fn check_combination(&self) -> Result<(), ReportError> {
        let method = self.method;
        if let Some(pressure) = self.pressure
            && !method.imposes_pressure()
        {
            let why = match method {
                Method::Deposition => {
                    "none with deposition: it follows from the weight, that is from --count and --width"
                }
                _ => "none with random-sequential: its spheres do not touch",
            };
            return Err(refused("--pressure", pressure, why));
        }
        if method == Method::Compression && self.container != Container::Periodic {
            let allowed =
                "periodic with compression: rigid walls do not follow a pressure; growth packs box and cylinder";
            return Err(refused("--container", format!("{:?}", self.container).to_lowercase(), allowed));
        }
        if self.start == Start::Lattice {
            self.check_lattice()?;
        }
        if let (Some(friction), Some(_)) = (self.preparation_friction, self.fraction)
            && method != Method::RandomSequential
        {
            let allowed = "none beside --fraction, which searches it within --friction-bounds";
            return Err(refused("--preparation-friction", friction, allowed));
        }
        if let (Some(friction), Method::RandomSequential) = (self.preparation_friction, method) {
            return Err(refused("--preparation-friction", friction, "none with random-sequential: nothing moves"));
        }
        for (option, table) in [("--clump", &self.clump), ("--contact", &self.contact), ("--material", &self.material)]
        {
            if let Some(table) = table {
                check_table(option, table)?;
            }
        }
        check_table("--sizes", &self.sizes)
    }

    /// A lattice must continue across every face of its cell.
    fn check_lattice(&self) -> Result<(), ReportError> {
        if !self.method.imposes_pressure() || self.container != Container::Periodic || self.width.is_some() {
            let allowed = "random, but for growth and compression of a periodic cube (no --width)";
            return Err(refused("--start", "lattice", allowed));
        }
        let edge = self.lattice_edge();
        if edge * edge * edge == self.count {
            return Ok(());
        }
        let [below, above] = [edge * edge * edge, (edge + 1) * (edge + 1) * (edge + 1)];
        Err(refused("--count", self.count, format!("a cube with --start lattice, for example {below} or {above}")))
    }

    /// Spheres along an edge of a lattice.
    pub(super) fn lattice_edge(&self) -> u64 {
        (1..).take_while(|n| n * n * n <= self.count).last().unwrap_or(1)
    }
}

/// A value that is to become a table of the scene.
fn check_table(option: &'static str, text: &str) -> Result<(), ReportError> {
    let text = text.trim();
    if text.starts_with('{') && text.ends_with('}') {
        return Ok(());
    }
    Err(refused(option, text, "a table as in a scene, in braces"))
}
