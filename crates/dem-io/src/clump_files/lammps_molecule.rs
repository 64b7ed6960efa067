//! Molecule templates of LAMMPS, as `fix rigid/small` takes them for clumps of spheres.
//!
//! The first line is a title. Header lines have their word behind the numbers; the first line that is none begins the sections. Lines of a section begin with
//! the number of the sphere. LAMMPS gives spheres without a section `Diameters` the diameter 1; here it is required.
//!
//! Source: the LAMMPS documentation of the command `molecule`.

use glam::DVec3;

use super::clump_shape::{ClumpShape, ClumpSphere, GivenProperties};
use super::error::{ClumpFileError, FileFault, LineFault, MOST_SPHERES, Origin};
use super::fields::{Field, fields, lines, shown};
use super::lammps_sections::{Section, Sections};
use crate::suggestion::nearest;

/// Words of the header that are read.
const WORDS: [&str; 4] = ["atoms", "mass", "com", "inertia"];
/// Words that count what rigid spheres do not have.
const BONDED: [&str; 5] = ["bonds", "angles", "dihedrals", "impropers", "fragments"];

#[derive(Default)]
struct Header {
    spheres: Option<usize>,
    given: GivenProperties,
}

pub(super) fn read(origin: Origin, text: &str) -> Result<Vec<ClumpShape>, ClumpFileError> {
    let mut header = Header::default();
    let mut sections: Option<Sections> = None;
    let mut above = "";
    // the first line is a title, whatever stands there
    let mut lines = lines(text).skip(1);
    while let Some((number, line)) = lines.next() {
        let refuse = |fault| origin.line(number, fault);
        if line.is_empty() {
            continue;
        }
        if let Some(section) = Section::ALL.into_iter().find(|section| section.name() == line) {
            let early = || refuse(LineFault::EarlySection { name: section.name() });
            let spheres = header.spheres.ok_or_else(early)?;
            let sections = sections.get_or_insert_with(|| Sections::new(spheres));
            above = section.name();
            sections.read(section, number, &mut lines).map_err(|(line, fault)| origin.line(line, fault))?;
        } else {
            let word = line.split_whitespace().last().unwrap_or_default();
            let is_of_header = WORDS.iter().chain(&BONDED).find(|known| **known == word);
            match (is_of_header, &sections) {
                (Some(name), None) => header.read(name, line).map_err(refuse)?,
                (Some(name), Some(_)) => return Err(refuse(LineFault::LateHeader { name })),
                (None, Some(sections)) if line.starts_with(|c: char| c.is_ascii_digit()) => {
                    return Err(refuse(LineFault::TooLong { name: above, expected: sections.spheres }));
                }
                (None, _) => return Err(refuse(unknown(line))),
            }
        }
    }
    let missing = |section: Section| origin.file(FileFault::MissingSection { name: section.name() });
    let empty = || origin.file(FileFault::Empty { expected: "a line `N atoms` below the title, and sections" });
    header.spheres.ok_or_else(empty)?;
    let sections = sections.ok_or_else(|| missing(Section::Coords))?;
    let coordinates = sections.coordinates.ok_or_else(|| missing(Section::Coords))?;
    let diameters = sections.diameters.ok_or_else(|| missing(Section::Diameters))?;
    let spheres = coordinates.into_iter().zip(diameters).enumerate().map(|(k, ([x, y, z], diameter))| ClumpSphere {
        kind: sections.types.as_ref().map(|types| types[k].clone()),
        mass: sections.masses.as_ref().map(|masses| masses[k]),
        ..ClumpSphere::new([x, y, z, 0.5 * diameter])
    });
    Ok(vec![ClumpShape { id: None, spheres: spheres.collect(), given: header.given }])
}

fn unknown(line: &str) -> LineFault {
    let sections = Section::ALL.map(Section::name);
    let word = line.split_whitespace().last().unwrap_or_default();
    let hint = nearest(word, sections.into_iter().chain(WORDS)).map(|near| format!(", did you mean `{near}`?"));
    LineFault::UnknownSection { found: shown(line), hint: hint.unwrap_or_default() }
}

impl Header {
    fn read(&mut self, word: &'static str, line: &str) -> Result<(), LineFault> {
        let is_new = match word {
            "atoms" => {
                let [count, _] = fields(line, ["atoms", "word"], "2: N atoms")?;
                self.spheres.replace(count.count(MOST_SPHERES)?).is_none()
            }
            "mass" => {
                let [mass, _] = fields(line, ["mass", "word"], "2: M mass")?;
                self.given.mass.replace(mass.positive()?).is_none()
            }
            "com" => {
                let [x, y, z, _] = fields(line, ["x", "y", "z", "word"], "4: x y z com")?;
                let centre = DVec3::new(x.number()?, y.number()?, z.number()?);
                self.given.centre.replace(centre).is_none()
            }
            "inertia" => {
                let names = ["xx", "yy", "zz", "xy", "xz", "yz", "word"];
                let [xx, yy, zz, xy, xz, yz, _] = fields(line, names, "7: xx yy zz xy xz yz inertia")?;
                let products = [xy, xz, yz].map(Field::number);
                let [xy, xz, yz] = products;
                let inertia = [xx.positive()?, yy.positive()?, zz.positive()?, xy?, xz?, yz?];
                self.given.inertia.replace(inertia).is_none()
            }
            _ => {
                let [count, _] = fields(line, ["count", "word"], "2: a count and a word")?;
                return if count.text == "0" {
                    Ok(())
                } else {
                    Err(LineFault::NotRigid { count: shown(count.text), name: word })
                };
            }
        };
        if is_new { Ok(()) } else { Err(LineFault::Repeated { name: word }) }
    }
}
