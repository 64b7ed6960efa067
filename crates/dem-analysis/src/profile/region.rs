//! The part of space that a profile is taken of.

use std::f64::consts::PI;

use dem_core::DVec3;
use dem_core::cell::Cell;
use dem_report::ReportError;
use dem_report::given::quantities;

/// What the option takes.
pub(super) const FORMS: &str = "box:X,Y,Z,X,Y,Z (two corners) or cylinder:X,Y,Z,RADIUS,HEIGHT (centre of its lower end, along z; cylinder-x and \
                     cylinder-y along x and y), lengths with a unit, that of the last holds for those without";

/// A box along the axes or a cylinder.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Region {
    /// A box along the coordinate axes.
    Box {
        /// Lower corner \[m\].
        low: DVec3,
        /// Upper corner \[m\].
        high: DVec3,
        /// Along which axes it is a whole period, where spheres that leave come in again.
        whole: [bool; 3],
    },
    /// A cylinder.
    Cylinder {
        /// Centre of the lower end \[m\].
        base: DVec3,
        /// Unit vector of the axis.
        axis: DVec3,
        /// Radius \[m\].
        radius: f64,
        /// Height \[m\].
        height: f64,
        /// Whether it is a whole period high.
        whole: bool,
    },
}

impl Region {
    /// Reads what was given on the command line.
    ///
    /// # Errors
    /// Another form, numbers that are none, a region without volume.
    pub fn parse(text: &str) -> Result<Self, ReportError> {
        let refused = |why: String| ReportError::Option { option: "--region", value: text.to_owned(), allowed: why };
        let (kind, rest) = text.split_once(':').ok_or_else(|| refused(FORMS.to_owned()))?;
        let axis = match kind {
            "box" => None,
            "cylinder" | "cylinder-z" => Some(DVec3::Z),
            "cylinder-x" => Some(DVec3::X),
            "cylinder-y" => Some(DVec3::Y),
            _ => return Err(refused(FORMS.to_owned())),
        };
        let numbers = quantities("--region", "m", rest, "finite", f64::is_finite);
        let numbers = numbers.map_err(|error| match error {
            ReportError::Option { allowed, .. } => refused(format!("{FORMS}: {allowed}")),
            other => other,
        })?;
        match (axis, &numbers[..]) {
            (None, &[a, b, c, d, e, f]) => {
                let (low, high) = (DVec3::new(a, b, c), DVec3::new(d, e, f));
                if low.cmplt(high).all() {
                    return Ok(Self::Box { low, high, whole: [false; 3] });
                }
                Err(refused("every coordinate of the second corner above that of the first".to_owned()))
            }
            (Some(axis), &[x, y, z, radius, height]) => {
                if radius > 0.0 && height > 0.0 {
                    return Ok(Self::Cylinder { base: DVec3::new(x, y, z), axis, radius, height, whole: false });
                }
                Err(refused("a radius and a height above 0".to_owned()))
            }
            _ => Err(refused(FORMS.to_owned())),
        }
    }

    /// A box that is a whole period along every axis of a periodic cell that it spans.
    #[must_use]
    pub fn in_cell(mut self, cell: &Cell) -> Self {
        let spans = |k: usize, from: f64, to: f64| {
            cell.periodic[k] && (to - from - cell.width(k)).abs() <= 1e-9 * cell.width(k)
        };
        match &mut self {
            Self::Box { low, high, whole } => *whole = std::array::from_fn(|k| spans(k, low[k], high[k])),
            Self::Cylinder { axis, height, whole, .. } => {
                *whole = (0..3).any(|k| axis.abs()[k] > 1.0 - 1e-12 && spans(k, 0.0, *height));
            }
        }
        self
    }

    /// Volume \[m³\].
    pub fn volume(&self) -> f64 {
        match *self {
            Self::Box { low, high, .. } => (high - low).element_product(),
            Self::Cylinder { radius, height, .. } => PI * radius * radius * height,
        }
    }

    /// The region with each limit that is not that of a period moved inwards \[m\]; `None` if nothing is left.
    pub fn shrunk(&self, by: f64) -> Option<Self> {
        match *self {
            Self::Box { mut low, mut high, whole } => {
                for k in (0..3).filter(|&k| !whole[k]) {
                    (low[k], high[k]) = (low[k] + by, high[k] - by);
                }
                low.cmplt(high).all().then_some(Self::Box { low, high, whole })
            }
            Self::Cylinder { base, axis, radius, height, whole } => {
                let (base, height) = if whole { (base, height) } else { (base + by * axis, height - 2.0 * by) };
                let radius = radius - by;
                (radius > 0.0 && height > 0.0).then_some(Self::Cylinder { base, axis, radius, height, whole })
            }
        }
    }

    /// Calls back with points that fill it evenly, those of a Kronecker sequence.
    pub fn visit_points(&self, count: u32, mut visit: impl FnMut(DVec3)) {
        // plastic number of dimension 3: the sequence with the smallest discrepancy of its kind
        let g = 1.220_744_084_605_759_5_f64;
        let step = DVec3::new(1.0 / g, 1.0 / (g * g), 1.0 / (g * g * g));
        let mut share = DVec3::splat(0.5);
        for _ in 0..count {
            share = (share + step).fract();
            visit(match *self {
                Self::Box { low, high, .. } => low + share * (high - low),
                Self::Cylinder { base, axis, radius, height, .. } => {
                    let across = axis.any_orthonormal_vector();
                    let (sine, cosine) = (libm::sin(2.0 * PI * share.x), libm::cos(2.0 * PI * share.x));
                    let out = across * cosine + axis.cross(across) * sine;
                    base + axis * (share.z * height) + out * (radius * share.y.sqrt())
                }
            });
        }
    }

    /// Along which axes it is a whole period.
    pub fn whole(&self) -> [bool; 3] {
        match *self {
            Self::Box { whole, .. } => whole,
            Self::Cylinder { axis, whole, .. } => std::array::from_fn(|k| whole && axis.abs()[k] > 1.0 - 1e-12),
        }
    }

    /// Whether a point lies in it.
    pub fn contains(&self, point: DVec3) -> bool {
        match *self {
            Self::Box { low, high, whole } => (0..3).all(|k| whole[k] || (low[k] <= point[k] && point[k] <= high[k])),
            Self::Cylinder { base, axis, radius, height, whole } => {
                let offset = point - base;
                let along = offset.dot(axis);
                (whole || (0.0..=height).contains(&along))
                    && (offset - along * axis).length_squared() <= radius * radius
            }
        }
    }

    /// In words, with its numbers.
    pub fn describe(&self) -> String {
        let point = |p: DVec3| format!("({:.6}, {:.6}, {:.6})", p.x, p.y, p.z);
        match *self {
            Self::Box { low, high, whole } => {
                let periodic: String =
                    ["x", "y", "z"].iter().zip(whole).filter(|(_, whole)| *whole).map(|(name, _)| *name).collect();
                let end = if periodic.is_empty() { String::new() } else { format!(", a period along {periodic}") };
                format!("box from {} to {} m{end}", point(low), point(high))
            }
            Self::Cylinder { base, axis, radius, height, whole } => {
                let end = if whole { ", a period" } else { "" };
                format!(
                    "cylinder from {} m along {}, radius {radius:.6} m, height {height:.6} m{end}",
                    point(base),
                    point(axis)
                )
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn regions_are_read_with_units() {
        let found = Region::parse("cylinder:0,0,10 mm,50,60 mm").unwrap();
        let Region::Cylinder { base, radius, height, .. } = found else { panic!("{found:?}") };
        assert_eq!((base, radius, height), (DVec3::new(0.0, 0.0, 0.01), 0.05, 0.06));
        assert!((found.volume() - PI * 0.0025 * 0.06).abs() < 1e-18);
        assert!(matches!(Region::parse("box:-1,-1,-1,1,1,2 m").unwrap(), Region::Box { .. }));
    }

    #[test]
    fn regions_without_volume_or_of_another_form_are_refused() {
        for text in [
            "",
            "box",
            "box:1,2,3 m",
            "box:0,0,0,1,1,1",
            "ball:0,0,0,1 m",
            "box:0,0,0,1,1,0 m",
            "cylinder:0,0,0,-1,1 m",
            "box:0,0,0,1,1,inf m",
        ] {
            let message = Region::parse(text).unwrap_err().to_string();
            assert!(message.starts_with(&format!("--region = {text}, expected ")), "{message}");
        }
    }

    #[test]
    fn periods_are_not_shrunk() {
        let region = Region::Box { low: DVec3::ZERO, high: DVec3::ONE, whole: [true, false, false] };
        let Some(Region::Box { low, high, .. }) = region.shrunk(0.2) else { panic!("something is left") };
        assert_eq!((low, high), (DVec3::new(0.0, 0.2, 0.2), DVec3::new(1.0, 0.8, 0.8)));
        assert_eq!(region.shrunk(0.5), None);
    }
}
