//! Paths of load and slip: those of the publications by name, and any other from a file.

use std::path::Path;

use dem_reference::constant_load_slip::ConstantLoad;
use dem_reference::oblique_impact::ElasticPair;
use dem_report::ReportError;
use dem_report::given::one_of;

use crate::error::StudyError;

/// Steps of one leg of a named path.
const LEG: usize = 100;
/// Most points of a file.
const MOST_POINTS: usize = 1_000_000;

/// What is prescribed along the normal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Load {
    /// The overlap, negative where the surfaces are apart \[m\].
    Overlap(f64),
    /// The normal force \[N\].
    NormalForce(f64),
}

/// A point of a path, reached in one step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// Along the normal.
    pub load: Load,
    /// Slip since the start \[m\].
    pub slip: [f64; 2],
}

/// Sizes of a path.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scale {
    /// Overlap \[m\].
    pub overlap: f64,
    /// Hertz's force at this overlap \[N\].
    pub normal_force: f64,
    /// Slip at which the contact slides under this force, `3μN/(16 G* a)` \[m\].
    pub slip: f64,
}

impl Scale {
    /// Of a pair at an overlap \[m\].
    pub fn new(pair: &ElasticPair, overlap: f64) -> Self {
        let load = ConstantLoad::at_overlap(pair, overlap);
        Self { overlap, normal_force: load.limit / pair.friction, slip: load.full_slip() }
    }
}

/// What a figure of a path shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum View {
    /// Tangential force over slip.
    Loop,
    /// The two components of the tangential force.
    Plane,
    /// Normal force over overlap.
    Normal,
}

/// A path by name.
#[derive(Clone, Copy)]
pub struct NamedPath {
    /// Name, with the prefix of its figure.
    pub figure: &'static str,
    /// What happens on it, and where it is published.
    pub summary: &'static str,
    /// How it is shown.
    pub view: View,
    /// Its legs: load in units of the normal force or the overlap, slip in units of that of sliding.
    pub corners: &'static [Corner],
}

/// End of a leg.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Corner {
    /// Straight to a normal force and slip.
    Force(f64, [f64; 2]),
    /// Straight to an overlap and slip.
    Overlap(f64, [f64; 2]),
    /// Once around a circle through the present slip about the origin, at the present load.
    Circle,
}

use Corner::{Circle, Force, Overlap};

/// The paths. Adding one is an entry here.
pub const PATHS: &[NamedPath] = &[
    NamedPath {
        figure: "path_constant_load",
        summary: "loading, unloading and reloading under a constant load (Di Renzo & Di Maio 2004, figure 3)",
        view: View::Loop,
        corners: &[Force(1.0, [0.0; 2]), Force(1.0, [0.8, 0.0]), Force(1.0, [-0.8, 0.0]), Force(1.0, [0.8, 0.0])],
    },
    NamedPath {
        figure: "path_nested_loops",
        summary: "loops within loops under a constant load, closed one after the other",
        view: View::Loop,
        corners: &[
            Force(1.0, [0.0; 2]),
            Force(1.0, [0.9, 0.0]),
            Force(1.0, [-0.4, 0.0]),
            Force(1.0, [0.5, 0.0]),
            Force(1.0, [0.0, 0.0]),
            Force(1.0, [1.2, 0.0]),
        ],
    },
    NamedPath {
        figure: "path_rising_load",
        summary: "slip under half the overlap, then overlap and slip grow together (Di Renzo & Di Maio 2004, figure 4)",
        view: View::Loop,
        corners: &[
            Overlap(0.5, [0.0; 2]),
            Overlap(0.5, [0.25, 0.0]),
            Overlap(1.0, [0.8, 0.0]),
            Overlap(1.0, [1.2, 0.0]),
        ],
    },
    NamedPath {
        figure: "path_falling_load",
        summary: "unloading slip while the overlap falls (Di Renzo & Di Maio 2004, figure 5)",
        view: View::Loop,
        corners: &[
            Overlap(1.0, [0.0; 2]),
            Overlap(1.0, [0.8, 0.0]),
            Overlap(1.0, [0.6, 0.0]),
            Overlap(0.6, [0.2, 0.0]),
            Overlap(0.6, [-0.4, 0.0]),
        ],
    },
    NamedPath {
        figure: "path_trembling_load",
        summary: "the load falls and rises while nothing slips",
        view: View::Loop,
        corners: &[
            Force(1.0, [0.0; 2]),
            Force(1.0, [0.5, 0.0]),
            Force(0.6, [0.5, 0.0]),
            Force(1.0, [0.5, 0.0]),
            Force(1.0, [0.0, 0.0]),
        ],
    },
    NamedPath {
        figure: "path_circle",
        summary: "slip on two circles under a constant load",
        view: View::Plane,
        corners: &[Force(1.0, [0.0; 2]), Force(1.0, [0.6, 0.0]), Circle, Circle],
    },
];

impl NamedPath {
    /// Name on the command line.
    pub fn name(&self) -> String {
        self.figure.trim_start_matches("path_").replace('_', "-")
    }

    /// A path of the list.
    ///
    /// # Errors
    /// A name that does not exist.
    pub fn find(name: &str) -> Result<Self, StudyError> {
        PATHS.iter().find(|path| path.name() == name).copied().ok_or_else(|| {
            let known: Vec<String> = PATHS.iter().map(Self::name).collect();
            let known: Vec<&str> = known.iter().map(String::as_str).collect();
            StudyError::from(ReportError::Option {
                option: "--path",
                value: name.to_owned(),
                allowed: one_of(name, &known),
            })
        })
    }

    /// Its points at a scale.
    pub fn points(&self, scale: &Scale) -> Vec<Point> {
        let mut points = Vec::new();
        let mut slip = [0.0_f64; 2];
        let mut load = Load::Overlap(0.0);
        for corner in self.corners {
            let (target, end) = match *corner {
                Force(share, slip) => (Load::NormalForce(share * scale.normal_force), slip),
                Overlap(share, slip) => (Load::Overlap(share * scale.overlap), slip),
                Circle => {
                    let (radius, start) = (slip[0].hypot(slip[1]), slip[1].atan2(slip[0]));
                    for k in 1..=4 * LEG {
                        let (sine, cosine) = (start + std::f64::consts::TAU * k as f64 / (4 * LEG) as f64).sin_cos();
                        points.push(Point { load, slip: [radius * cosine, radius * sine] });
                    }
                    continue;
                }
            };
            let end = end.map(|x| x * scale.slip);
            for k in 1..=LEG {
                let share = k as f64 / LEG as f64;
                let between = |a: f64, b: f64| a + (b - a) * share;
                let load = match (load, target) {
                    (Load::NormalForce(from), Load::NormalForce(to)) => Load::NormalForce(between(from, to)),
                    (Load::Overlap(from), Load::Overlap(to)) => Load::Overlap(between(from, to)),
                    // from touch
                    (_, Load::NormalForce(to)) => Load::NormalForce(between(0.0, to)),
                    (_, Load::Overlap(to)) => Load::Overlap(between(0.0, to)),
                };
                points.push(Point { load, slip: [between(slip[0], end[0]), between(slip[1], end[1])] });
            }
            (load, slip) = (target, end);
        }
        points
    }
}

/// Reads points from a table with a header: `overlap_m` or `normal_force_N`, `slip_x_m`, and `slip_y_m` if slip turns. Lines that begin
/// with # are left out.
///
/// # Errors
/// A file that cannot be read, columns or numbers that are missing, no point or too many.
pub fn read(file: &Path) -> Result<Vec<Point>, StudyError> {
    let text = dem_io::regular_file::read_to_string(file).map_err(dem_io::Error::system("read", file))?;
    parse(&file.display().to_string(), &text)
}

fn parse(name: &str, text: &str) -> Result<Vec<Point>, StudyError> {
    let refused = |at: String| {
        StudyError::from(ReportError::Option {
            option: "--file",
            value: format!("{name}{at}"),
            allowed: format!(
                "a header with overlap_m or normal_force_N, slip_x_m and perhaps slip_y_m, then 1 to {MOST_POINTS} lines of finite numbers"
            ),
        })
    };
    let mut lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'));
    let Some((_, header)) = lines.next() else { return Err(refused(String::new())) };
    let columns: Vec<&str> = header.split(',').map(str::trim).collect();
    let column = |wanted: &str| columns.iter().position(|&column| column == wanted);
    let (overlap, force, x, y) =
        (column("overlap_m"), column("normal_force_N"), column("slip_x_m"), column("slip_y_m"));
    let (Some(x), true) = (x, overlap.is_some() != force.is_some()) else {
        return Err(refused(", line 1".to_owned()));
    };
    let mut points = Vec::new();
    for (line, text) in lines {
        let cells: Vec<Option<f64>> =
            text.split(',').map(|cell| cell.trim().parse().ok().filter(|x: &f64| x.is_finite())).collect();
        let number =
            |column: usize| cells.get(column).copied().flatten().ok_or_else(|| refused(format!(", line {}", line + 1)));
        let load = match (overlap, force) {
            (Some(column), _) => Load::Overlap(number(column)?),
            (None, Some(column)) => Load::NormalForce(number(column)?),
            (None, None) => return Err(refused(", line 1".to_owned())),
        };
        points.push(Point { load, slip: [number(x)?, y.map_or(Ok(0.0), number)?] });
    }
    if points.is_empty() || points.len() > MOST_POINTS {
        return Err(refused(format!(", {} points", points.len())));
    }
    Ok(points)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn corners_are_reached_exactly_and_names_are_unique() {
        let scale = Scale { overlap: 2.0, normal_force: 30.0, slip: 0.5 };
        let points = NamedPath::find("falling-load").unwrap().points(&scale);
        assert_eq!(points.len(), 5 * LEG);
        assert_eq!(points[LEG - 1], Point { load: Load::Overlap(2.0), slip: [0.0; 2] });
        assert_eq!(points[4 * LEG - 1], Point { load: Load::Overlap(0.6 * 2.0), slip: [0.1, 0.0] });
        let circle = NamedPath::find("circle").unwrap().points(&scale);
        assert!((circle[circle.len() - 1].slip[0] - 0.3).abs() < 1e-15);
        for path in PATHS {
            assert_eq!(NamedPath::find(&path.name()).unwrap().figure, path.figure);
        }
        assert!(NamedPath::find("square").err().unwrap().to_string().contains("constant-load"));
    }

    #[test]
    fn files_are_read_and_wrong_ones_named_by_line() {
        let points = parse("f", "# c\nslip_x_m, normal_force_N\n1e-6,2\n\n0,3\n").unwrap();
        assert_eq!(points[1], Point { load: Load::NormalForce(3.0), slip: [0.0; 2] });
        for (text, place) in [
            ("", "--file = f,"),
            ("overlap_m\n1\n", "line 1"),
            ("overlap_m,normal_force_N,slip_x_m\n1,1,1\n", "line 1"),
            ("overlap_m,slip_x_m\n1,2\n1\n", "line 3"),
            ("overlap_m,slip_x_m\nnan,2\n", "line 2"),
            ("overlap_m,slip_x_m\n", "0 points"),
        ] {
            let message = parse("f", text).unwrap_err().to_string();
            assert!(message.contains(place), "{message}");
        }
    }
}
