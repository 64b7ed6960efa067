//! Sections of a molecule file of LAMMPS: a name, a line that is skipped, and a line for each sphere.

use super::error::LineFault;
use super::fields::{Field, fields, shown};

/// A section that is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Section {
    Coords,
    Diameters,
    Types,
    Masses,
}

impl Section {
    pub const ALL: [Self; 4] = [Self::Coords, Self::Diameters, Self::Types, Self::Masses];

    pub fn name(self) -> &'static str {
        match self {
            Self::Coords => "Coords",
            Self::Diameters => "Diameters",
            Self::Types => "Types",
            Self::Masses => "Masses",
        }
    }
}

/// What the sections say of the spheres.
#[derive(Debug)]
pub(super) struct Sections {
    pub spheres: usize,
    pub coordinates: Option<Vec<[f64; 3]>>,
    pub diameters: Option<Vec<f64>>,
    pub types: Option<Vec<String>>,
    pub masses: Option<Vec<f64>>,
}

impl Sections {
    pub fn new(spheres: usize) -> Self {
        Self { spheres, coordinates: None, diameters: None, types: None, masses: None }
    }

    fn has(&self, section: Section) -> bool {
        match section {
            Section::Coords => self.coordinates.is_some(),
            Section::Diameters => self.diameters.is_some(),
            Section::Types => self.types.is_some(),
            Section::Masses => self.masses.is_some(),
        }
    }

    /// Reads a section whose name stands in the line before.
    pub fn read<'a>(
        &mut self,
        section: Section,
        name_line: usize,
        lines: &mut impl Iterator<Item = (usize, &'a str)>,
    ) -> Result<(), (usize, LineFault)> {
        let name = section.name();
        if self.has(section) {
            return Err((name_line, LineFault::Repeated { name }));
        }
        if let Some((number, line)) = lines.next()
            && !line.is_empty()
        {
            return Err((number, LineFault::NoEmptyLine { name, found: shown(line) }));
        }
        match section {
            Section::Coords => {
                let read = |line| {
                    let [id, x, y, z] = fields(line, ["id", "x", "y", "z"], "4: id x y z")?;
                    Ok((id, [x.number()?, y.number()?, z.number()?]))
                };
                self.coordinates = Some(self.values(name, name_line, lines, read)?);
            }
            Section::Diameters => {
                let read = |line| {
                    let [id, diameter] = fields(line, ["id", "diameter"], "2: id diameter")?;
                    Ok((id, diameter.positive()?))
                };
                self.diameters = Some(self.values(name, name_line, lines, read)?);
            }
            Section::Types => {
                let read = |line| {
                    let [id, kind] = fields(line, ["id", "type"], "2: id type")?;
                    Ok((id, kind.text.to_owned()))
                };
                self.types = Some(self.values(name, name_line, lines, read)?);
            }
            Section::Masses => {
                let read = |line| {
                    let [id, mass] = fields(line, ["id", "mass"], "2: id mass")?;
                    Ok((id, mass.positive()?))
                };
                self.masses = Some(self.values(name, name_line, lines, read)?);
            }
        }
        Ok(())
    }

    /// A value for each sphere, in the order of their numbers.
    fn values<'a, T: Clone + Default>(
        &self,
        name: &'static str,
        name_line: usize,
        lines: &mut impl Iterator<Item = (usize, &'a str)>,
        read: impl Fn(&'a str) -> Result<(Field<'a>, T), LineFault>,
    ) -> Result<Vec<T>, (usize, LineFault)> {
        let mut values: Vec<Option<T>> = Vec::new();
        for found in 0..self.spheres {
            let truncated = LineFault::Truncated { name, found, expected: self.spheres };
            let Some((number, line)) = lines.next() else { return Err((name_line, truncated)) };
            if line.is_empty() || Section::ALL.iter().any(|section| section.name() == line) {
                return Err((number, truncated));
            }
            let refuse = |fault| (number, fault);
            let (id, value) = read(line).map_err(refuse)?;
            let place = id.count(self.spheres).map_err(refuse)? - 1;
            // grown as lines come: what a header announces is not believed
            if values.len() <= place {
                values.resize_with(place + 1, || None);
            }
            if values[place].replace(value).is_some() {
                return Err(refuse(LineFault::RepeatedSphere { name, number: place + 1 }));
            }
        }
        // as many lines as spheres, and none twice: all are there
        Ok(values.into_iter().flatten().collect())
    }
}
