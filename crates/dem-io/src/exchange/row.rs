//! Rows of particles whose columns are known by name.

use std::collections::BTreeMap;

use glam::{DQuat, DVec3};

use super::state::{ForeignBox, ForeignParticle, Present};
use crate::separator::Separator;
use crate::suggestion::{excerpt, is_harmful};
use crate::units::LARGEST;

/// Characters of a bad field that a message repeats.
const EXCERPT: usize = 40;
/// Most kinds of particles in one file: as many as a scene may have materials.
const MOST_KINDS: usize = 1000;
/// Longest name of a kind.
const LONGEST_NAME: usize = 64;
/// Lengths of a quaternion that is meant to be one.
const LENGTHS: std::ops::RangeInclusive<f64> = 0.9..=1.1;

/// What a column holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Slot {
    Id,
    /// A number of a kind.
    Kind,
    /// A name of a kind.
    KindName,
    Position(usize),
    /// A coordinate as a share of the box.
    Share(usize),
    Radius,
    Diameter,
    Velocity(usize),
    AngularVelocity(usize),
    /// x, y, z, w of a quaternion.
    Orientation(usize),
    Mass,
    Density,
    /// Not read.
    Skipped,
}

impl Slot {
    /// Place of its number in a row.
    fn place(self) -> Option<usize> {
        Some(match self {
            Self::Position(k) => k,
            Self::Share(k) => 3 + k,
            Self::Radius => 6,
            Self::Diameter => 7,
            Self::Velocity(k) => 8 + k,
            Self::AngularVelocity(k) => 11 + k,
            Self::Orientation(k) => 14 + k,
            Self::Mass => 18,
            Self::Density => 19,
            Self::Id | Self::Kind | Self::KindName | Self::Skipped => return None,
        })
    }
}

/// Numbers of a row.
const PLACES: usize = 20;

/// Names of the kinds of particles, each held once.
#[derive(Default)]
pub(super) struct Kinds {
    numbers: BTreeMap<Vec<u8>, u32>,
    pub names: Vec<String>,
}

impl Kinds {
    /// The number of the kind that a field names.
    fn number(&mut self, field: &[u8], is_name: bool) -> Result<u32, String> {
        if let Some(&number) = self.numbers.get(field) {
            return Ok(number);
        }
        let text = std::str::from_utf8(field).map_err(|_| refused(field, "UTF-8 text"))?;
        let name = if is_name {
            if text.is_empty() || text.chars().count() > LONGEST_NAME || text.chars().any(is_harmful) {
                return Err(refused(field, &format!("a name of 1 to {LONGEST_NAME} characters")));
            }
            text.to_owned()
        } else {
            // some codes write whole numbers as 1.0
            let number = text.parse::<f64>().ok().filter(|number| number.fract() == 0.0 && number.abs() < 1e9);
            format!("type_{}", number.ok_or_else(|| refused(field, "the whole number of a type"))?)
        };
        let number = match self.names.iter().position(|known| *known == name) {
            Some(known) => known as u32,
            None if self.names.len() == MOST_KINDS => {
                return Err(format!(
                    "more than {MOST_KINDS} kinds of particles, as many as a scene may have materials"
                ));
            }
            None => {
                self.names.push(name);
                self.names.len() as u32 - 1
            }
        };
        // as many spellings as kinds: a file may spell every number in a way of its own
        if self.numbers.len() < 4 * MOST_KINDS {
            self.numbers.insert(field.to_vec(), number);
        }
        Ok(number)
    }
}

/// What stands in a field, and what is expected.
pub(super) fn refused(field: &[u8], expected: &str) -> String {
    format!("\"{}\", expected {expected}", excerpt(&String::from_utf8_lossy(field), EXCERPT))
}

/// A finite number within the range of all numbers.
pub(super) fn number(field: &[u8]) -> Result<f64, String> {
    let read = std::str::from_utf8(field).ok().and_then(|text| text.parse::<f64>().ok());
    let value = read.filter(|value| value.is_finite()).ok_or_else(|| refused(field, "a finite number"))?;
    if value.abs() <= LARGEST { Ok(value) } else { Err(refused(field, &format!("a number of at most {LARGEST:e}"))) }
}

/// A whole number that is not negative.
pub(super) fn whole(field: &[u8]) -> Result<u64, String> {
    let read = std::str::from_utf8(field).ok().and_then(|text| text.parse::<u64>().ok());
    read.ok_or_else(|| refused(field, "a whole number"))
}

/// How rows are read.
pub(super) struct RowFormat {
    columns: Vec<(Slot, String)>,
    separator: Separator,
    /// Whether a row may have further fields.
    may_be_longer: bool,
    has_shares: bool,
    has_diameter: bool,
    has_orientation: bool,
    pub present: Present,
}

impl RowFormat {
    /// Rows with columns; no column but those that are skipped stands there twice, and vectors are complete.
    pub fn new(columns: Vec<(Slot, String)>, separator: Separator) -> Result<Self, String> {
        for (index, (slot, name)) in columns.iter().enumerate() {
            if *slot != Slot::Skipped && columns[..index].iter().any(|(other, _)| other == slot) {
                return Err(format!("the column `{}` has the meaning of one before it", shown(name)));
            }
        }
        let has = |slot: Slot| columns.iter().any(|(other, _)| *other == slot);
        let vector = |of: fn(usize) -> Slot, count: usize, what: &str| match (0..count).filter(|&k| has(of(k))).count()
        {
            0 => Ok(false),
            found if found == count => Ok(true),
            _ => Err(format!("expected all components of the {what} or none, in the columns {}", listed(&columns))),
        };
        let has_position = vector(Slot::Position, 3, "position")?;
        let has_shares = vector(Slot::Share, 3, "scaled position")? && !has_position;
        if !has_position && !has_shares {
            return Err(format!("expected columns of x, y and z, found {}", listed(&columns)));
        }
        let has_diameter = !has(Slot::Radius);
        if has_diameter && !has(Slot::Diameter) {
            return Err(format!("expected a column of radii or diameters, found {}", listed(&columns)));
        }
        let present = Present {
            id: has(Slot::Id),
            kind: has(Slot::Kind) || has(Slot::KindName),
            velocity: vector(Slot::Velocity, 3, "velocity")?,
            angular_velocity: vector(Slot::AngularVelocity, 3, "angular velocity")?,
            density: has(Slot::Density) || has(Slot::Mass),
        };
        let has_orientation = vector(Slot::Orientation, 4, "orientation")?;
        Ok(Self { columns, separator, may_be_longer: false, has_shares, has_diameter, has_orientation, present })
    }

    /// The same where further fields may follow.
    pub fn longer(mut self) -> Self {
        self.may_be_longer = true;
        self
    }

    /// Reads a row.
    pub fn read(&self, line: &[u8], kinds: &mut Kinds, bounds: Option<&ForeignBox>) -> Result<ForeignParticle, String> {
        let mut values = [0.0; PLACES];
        let (mut id, mut kind) = (None, 0);
        let mut fields = self.separator.fields(line);
        for (index, (slot, name)) in self.columns.iter().enumerate() {
            let Some(field) = fields.next() else {
                return Err(format!("{index} fields, expected {}: {}", self.columns.len(), listed(&self.columns)));
            };
            let in_column = |what: String| format!("column {} ({}) is {what}", index + 1, shown(name));
            match slot {
                Slot::Skipped => {}
                Slot::Id => id = Some(whole(field).map_err(in_column)?),
                Slot::Kind => kind = kinds.number(field, false).map_err(in_column)?,
                Slot::KindName => kind = kinds.number(unquoted(field), true).map_err(in_column)?,
                slot => {
                    let value = number(field).map_err(in_column)?;
                    let is_size = matches!(slot, Slot::Radius | Slot::Diameter | Slot::Mass | Slot::Density);
                    if is_size && value <= 0.0 {
                        return Err(in_column(refused(field, "a number above 0")));
                    }
                    if let Some(place) = slot.place() {
                        values[place] = value;
                    }
                }
            }
        }
        let further = fields.count();
        if further > 0 && !self.may_be_longer {
            let (found, expected) = (self.columns.len() + further, self.columns.len());
            return Err(format!("{found} fields, expected {expected}: {}", listed(&self.columns)));
        }
        self.particle(values, id, kind, bounds)
    }

    fn particle(
        &self,
        values: [f64; PLACES],
        id: Option<u64>,
        kind: u32,
        bounds: Option<&ForeignBox>,
    ) -> Result<ForeignParticle, String> {
        let [x, y, z, sx, sy, sz, radius, diameter, vx, vy, vz, wx, wy, wz, qx, qy, qz, qw, mass, density] = values;
        let position = match bounds {
            _ if !self.has_shares => DVec3::new(x, y, z),
            Some(of) => of.origin + of.edges[0] * sx + of.edges[1] * sy + of.edges[2] * sz,
            None => return Err("positions are shares of a box that is not given".to_owned()),
        };
        let radius = if self.has_diameter { 0.5 * diameter } else { radius };
        let from_mass = mass / (4.0 / 3.0 * std::f64::consts::PI * radius.powi(3));
        let density = (density > 0.0).then_some(density).or((mass > 0.0).then_some(from_mass));
        let within = |value: f64| value.is_finite() && value.abs() <= LARGEST;
        if !position.to_array().into_iter().all(within)
            || density.is_some_and(|density| !(within(density) && density > 0.0))
        {
            return Err(format!("position or density beyond {LARGEST:e}"));
        }
        if radius <= 0.0 {
            return Err("expected a radius above 0".to_owned());
        }
        let orientation = if self.has_orientation {
            let q = DQuat::from_xyzw(qx, qy, qz, qw);
            if !LENGTHS.contains(&q.length()) {
                return Err(format!("expected a quaternion of length 1, found {qx}, {qy}, {qz}, {qw}"));
            }
            Some(q.normalize())
        } else {
            None
        };
        let (velocity, angular_velocity) = (DVec3::new(vx, vy, vz), DVec3::new(wx, wy, wz));
        Ok(ForeignParticle { id, kind, position, radius, velocity, angular_velocity, orientation, density })
    }
}

/// Some programs quote every text.
fn unquoted(field: &[u8]) -> &[u8] {
    let inner = field.strip_prefix(b"\"").and_then(|field| field.strip_suffix(b"\""));
    inner.unwrap_or(field)
}

fn shown(name: &str) -> String {
    excerpt(name, EXCERPT)
}

/// Names of columns for a message, the first of very many.
fn listed(columns: &[(Slot, String)]) -> String {
    let mut names: Vec<String> = columns.iter().take(32).map(|(_, name)| shown(name)).collect();
    if columns.len() > 32 {
        names.push("…".to_owned());
    }
    names.join(" ")
}
