//! Dimensions: exponents of the base quantities, and one marker type for each named quantity.

use std::fmt;

/// Exponents of length, mass, time and angle.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct DimensionVector {
    length: i8,
    mass: i8,
    time: i8,
    angle: i8,
}

impl DimensionVector {
    /// No dimension: a ratio or a count.
    pub const NONE: Self = Self::new(0, 0, 0, 0);

    /// The vector with these exponents of m, kg, s and rad.
    #[must_use]
    pub const fn new(length: i8, mass: i8, time: i8, angle: i8) -> Self {
        Self { length, mass, time, angle }
    }

    /// Whether a unit of dimension `given` may be used for this one.
    ///
    /// The angle may be left out of compound units ("1/s" for an angular velocity), because the SI
    /// counts it as 1, but a plain angle must say which angle it means.
    #[must_use]
    pub fn accepts(self, given: Self) -> bool {
        let same_angle = given.angle == self.angle;
        let angle_left_out = given.angle == 0 && self.without_angle() != Self::NONE;
        given.without_angle() == self.without_angle() && (same_angle || angle_left_out)
    }

    /// Whether the vector is dimensionless.
    #[must_use]
    pub fn is_none(self) -> bool {
        self == Self::NONE
    }

    pub(super) fn has_angle(self) -> bool {
        self.angle != 0
    }

    const fn without_angle(self) -> Self {
        Self { angle: 0, ..self }
    }

    /// `self * other^power`, or `None` when an exponent leaves the range of an `i8`.
    pub(super) fn multiply(self, other: Self, power: i8) -> Option<Self> {
        let join = |a: i8, b: i8| b.checked_mul(power).and_then(|b| a.checked_add(b));
        Some(Self {
            length: join(self.length, other.length)?,
            mass: join(self.mass, other.mass)?,
            time: join(self.time, other.time)?,
            angle: join(self.angle, other.angle)?,
        })
    }

    /// What to ask for when a value of this dimension is wrong, in words.
    pub(super) fn expectation(self) -> String {
        let mut named = NAMED.iter().filter(|named| named.vector == self);
        match (named.next(), named.next()) {
            (Some(only), None) => only.expectation(),
            // kg/s is a mass rate as well as a drag coefficient: name neither.
            _ => format!("a value in {self} or a number in {self}"),
        }
    }
}

/// The SI base units, for example `kg/s^2`, or `1` for a dimensionless value.
impl fmt::Display for DimensionVector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let factors = [("kg", self.mass), ("m", self.length), ("rad", self.angle), ("s", self.time)];
        let power = |exponent: u8| match exponent {
            1 => String::new(),
            other => format!("^{other}"),
        };
        let above: Vec<String> = factors
            .iter()
            .filter(|&&(_, exponent)| exponent > 0)
            .map(|&(name, exponent)| format!("{name}{}", power(exponent.unsigned_abs())))
            .collect();
        if above.is_empty() {
            f.write_str("1")?;
        } else {
            f.write_str(&above.join(" "))?;
        }
        for (name, exponent) in factors {
            if exponent < 0 {
                write!(f, "/{name}{}", power(exponent.unsigned_abs()))?;
            }
        }
        Ok(())
    }
}

/// A kind of quantity, known at compile time.
pub trait Dimension: Copy + fmt::Debug + Send + Sync + 'static {
    /// Name with article, for messages: "a length".
    const NAME: &'static str;
    /// Coherent SI unit of a plain number: "m".
    const UNIT: &'static str;
    /// A typical text: "2.5 mm".
    const EXAMPLE: &'static str;
    /// Exponents of the base quantities.
    const VECTOR: DimensionVector;
}

/// The constants of a [`Dimension`] as a value.
#[derive(Debug, Clone, Copy)]
pub(super) struct NamedDimension {
    name: &'static str,
    unit: &'static str,
    example: &'static str,
    pub(super) vector: DimensionVector,
}

impl NamedDimension {
    pub(super) const fn of<D: Dimension>() -> Self {
        Self { name: D::NAME, unit: D::UNIT, example: D::EXAMPLE, vector: D::VECTOR }
    }

    /// For example `a length such as "2.5 mm" or a number in m`.
    pub(super) fn expectation(&self) -> String {
        let Self { name, unit, example, .. } = self;
        if self.vector.is_none() {
            format!("{name} such as \"{example}\" or a plain number")
        } else {
            format!("{name} such as \"{example}\" or a number in {unit}")
        }
    }
}

macro_rules! dimensions {
    ($($marker:ident, $name:literal, $unit:literal, $example:literal, [$l:literal, $m:literal, $t:literal, $a:literal];)*) => {
        $(
            #[doc = concat!("Marker of ", $name, ", `[", $unit, "]`, for example `\"", $example, "\"`.")]
            #[derive(Debug, Clone, Copy, PartialEq, Eq)]
            pub struct $marker;

            impl Dimension for $marker {
                const NAME: &'static str = $name;
                const UNIT: &'static str = $unit;
                const EXAMPLE: &'static str = $example;
                const VECTOR: DimensionVector = DimensionVector::new($l, $m, $t, $a);
            }
        )*

        /// Every named dimension.
        const NAMED: &[NamedDimension] = &[$(NamedDimension::of::<$marker>()),*];
    };
}

dimensions! {
    Length, "a length", "m", "2.5 mm", [1, 0, 0, 0];
    Area, "an area", "m^2", "4 cm^2", [2, 0, 0, 0];
    Volume, "a volume", "m^3", "3 l", [3, 0, 0, 0];
    Time, "a time", "s", "10 us", [0, 0, 1, 0];
    Mass, "a mass", "kg", "5 g", [0, 1, 0, 0];
    Velocity, "a velocity", "m/s", "0.5 m/s", [1, 0, -1, 0];
    Acceleration, "an acceleration", "m/s^2", "9.81 m/s^2", [1, 0, -2, 0];
    Force, "a force", "N", "10 N", [1, 1, -2, 0];
    Stiffness, "a stiffness", "N/m", "1e5 N/m", [0, 1, -2, 0];
    SurfaceEnergy, "a surface energy", "J/m^2", "50 mJ/m^2", [0, 1, -2, 0];
    Pressure, "a pressure", "Pa", "70 GPa", [-1, 1, -2, 0];
    Density, "a density", "kg/m^3", "2500 kg/m^3", [-3, 1, 0, 0];
    DynamicViscosity, "a dynamic viscosity", "Pa s", "1 mPa s", [-1, 1, -1, 0];
    Angle, "an angle", "rad", "45 deg", [0, 0, 0, 1];
    AngularVelocity, "an angular velocity", "rad/s", "30 rpm", [0, 0, -1, 1];
    Frequency, "a frequency", "Hz", "50 Hz", [0, 0, -1, 0];
    StrainRate, "a strain rate", "1/s", "0.01 1/s", [0, 0, -1, 0];
    NumberRate, "a number rate", "1/s", "1000 1/s", [0, 0, -1, 0];
    MomentOfInertia, "a moment of inertia", "kg m^2", "3e-9 kg m^2", [2, 1, 0, 0];
    Torque, "a torque", "N m", "2 N m", [2, 1, -2, 0];
    Energy, "an energy", "J", "5 mJ", [2, 1, -2, 0];
    Power, "a power", "W", "1.5 kW", [2, 1, -3, 0];
    MassRate, "a mass rate", "kg/s", "20 t/h", [0, 1, -1, 0];
    DragCoefficient, "a drag coefficient", "N s/m", "1e-3 N s/m", [0, 1, -1, 0];
    WearCoefficient, "a wear coefficient", "m^3/J", "1e-11 m^3/J", [1, -1, 2, 0];
    Ratio, "a ratio", "-", "3 %", [0, 0, 0, 0];
}
