//! The axis of a profile.

use dem_core::DVec3;

use dem_report::ReportError;

/// Along what the bins of a profile follow each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Axis {
    /// Slabs across x.
    X,
    /// Slabs across y.
    Y,
    /// Slabs across z.
    Z,
    /// Shells about the axis of a cylinder.
    Radius,
}

impl Axis {
    /// Reads a name.
    ///
    /// # Errors
    /// Another name.
    pub fn parse(name: &str) -> Result<Self, ReportError> {
        match name {
            "x" => Ok(Self::X),
            "y" => Ok(Self::Y),
            "z" => Ok(Self::Z),
            "r" => Ok(Self::Radius),
            _ => Err(ReportError::Option {
                option: "--axis",
                value: name.to_owned(),
                allowed: "x, y, z or r".to_owned(),
            }),
        }
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::X => "x",
            Self::Y => "y",
            Self::Z => "z",
            Self::Radius => "r",
        }
    }

    /// Number of the coordinate.
    pub fn number(self) -> Option<usize> {
        match self {
            Self::X => Some(0),
            Self::Y => Some(1),
            Self::Z => Some(2),
            Self::Radius => None,
        }
    }

    /// Unit vector of the coordinate.
    pub fn direction(self) -> Option<DVec3> {
        self.number().map(|k| DVec3::AXES[k])
    }
}
