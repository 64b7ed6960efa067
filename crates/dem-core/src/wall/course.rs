//! Motions that a table gives: rows of time, displacement and angle, and a monotone cubic between them.
//!
//! Between two rows each column follows the cubic with the slopes of Fritsch and Butland (1984) at its ends: velocities are continuous, and no
//! value lies beyond those of the two rows. Where a column turns back its velocity is zero there.

use glam::DVec3;
use serde::{Deserialize, Serialize};

/// Most rows of a table.
pub const MOST_ROWS: usize = 1_000_000;
/// Numbers beyond this are no motion.
const LARGEST: f64 = 1e100;

/// A row of a table.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct CourseRow {
    /// Time since the motion began \[s\].
    pub time: f64,
    /// Position \[m\]; differences from that of the first row count.
    pub position: DVec3,
    /// Angle \[rad\]; differences from that of the first row count.
    pub angle: f64,
}

/// What a wall does after the last row.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum CourseEnds {
    /// It begins at rest, and stays where the last row has put it, at rest.
    #[default]
    Stay,
    /// The table begins again, from where the wall is.
    Repeat,
}

/// Why rows are no motion; rows are counted from 1.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum CourseError {
    /// Too few or too many rows.
    #[error("{found} rows, expected 2 to {MOST_ROWS}")]
    Count {
        /// Rows given.
        found: usize,
    },
    /// The first time is not allowed.
    #[error("row 1: the time is {found} s, expected {expected}")]
    Begin {
        /// Time of the first row \[s\].
        found: f64,
        /// What is allowed.
        expected: &'static str,
    },
    /// A time that is not later than the one before.
    #[error("row {row}: the time is {found} s, expected later than the {before} s of the row before")]
    NotLater {
        /// Number of the row.
        row: usize,
        /// Its time \[s\].
        found: f64,
        /// The time of the row before \[s\].
        before: f64,
    },
    /// Numbers whose differences are no speeds.
    #[error("row {row}: the wall would move or turn faster than {LARGEST:e} in SI units since the row before")]
    TooFast {
        /// Number of the row.
        row: usize,
    },
}

/// Columns of a table: three coordinates and an angle.
const COLUMNS: usize = 4;

/// Values of the columns and their slopes at a row.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Knot {
    time: f64,
    value: [f64; COLUMNS],
    slope: [f64; COLUMNS],
}

impl Knot {
    fn row(&self) -> CourseRow {
        let [x, y, z, angle] = self.value;
        CourseRow { time: self.time, position: DVec3::new(x, y, z), angle }
    }
}

/// Displacement, angle and their rates at one time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CoursePoint {
    /// Displacement since the first row \[m\].
    pub displacement: DVec3,
    /// Angle since the first row \[rad\].
    pub angle: f64,
    /// Velocity \[m/s\].
    pub velocity: DVec3,
    /// Rate of the angle \[rad/s\].
    pub spin: f64,
}

/// A motion that a table gives.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Saved", into = "Saved")]
pub struct Course {
    axis: DVec3,
    ends: CourseEnds,
    knots: Vec<Knot>,
    fastest: [f64; 2],
    shortest: f64,
}

/// What follows from nothing else.
#[derive(Serialize, Deserialize)]
struct Saved {
    axis: DVec3,
    ends: CourseEnds,
    rows: Vec<CourseRow>,
}

impl From<Course> for Saved {
    fn from(course: Course) -> Self {
        Self { axis: course.axis, ends: course.ends, rows: course.knots.iter().map(Knot::row).collect() }
    }
}

impl TryFrom<Saved> for Course {
    type Error = CourseError;

    fn try_from(saved: Saved) -> Result<Self, CourseError> {
        Self::new(&saved.rows, saved.axis, saved.ends)
    }
}

impl Course {
    /// A motion through rows; angles are about the unit vector `axis`.
    ///
    /// # Errors
    /// Fewer than two rows or too many, times that do not ascend or begin before zero (with [`CourseEnds::Repeat`] elsewhere than at zero), and
    /// differences that are no speeds.
    pub fn new(rows: &[CourseRow], axis: DVec3, ends: CourseEnds) -> Result<Self, CourseError> {
        if !(2..=MOST_ROWS).contains(&rows.len()) {
            return Err(CourseError::Count { found: rows.len() });
        }
        let begin = rows[0].time;
        match ends {
            CourseEnds::Stay if !(0.0..=LARGEST).contains(&begin) => {
                return Err(CourseError::Begin { found: begin, expected: "at least 0" });
            }
            CourseEnds::Repeat if begin != 0.0 => {
                return Err(CourseError::Begin { found: begin, expected: "0 where the table repeats" });
            }
            _ => {}
        }
        let value = |row: &CourseRow| [row.position.x, row.position.y, row.position.z, row.angle];
        let mut secants = Vec::with_capacity(rows.len() - 1);
        for (number, pair) in rows.windows(2).enumerate() {
            let (before, found) = (pair[0].time, pair[1].time);
            let length = found - before;
            if !(length > 0.0 && found <= LARGEST) {
                return Err(CourseError::NotLater { row: number + 2, found, before });
            }
            let (a, b) = (value(&pair[0]), value(&pair[1]));
            let secant: [f64; COLUMNS] = std::array::from_fn(|k| (b[k] - a[k]) / length);
            if !secant.iter().all(|rate| rate.abs() <= LARGEST) {
                return Err(CourseError::TooFast { row: number + 2 });
            }
            secants.push((length, secant));
        }
        let last = secants.len() - 1;
        let knots: Vec<Knot> = rows
            .iter()
            .enumerate()
            .map(|(number, row)| {
                let slope = match (number, ends) {
                    (n, CourseEnds::Stay) if n == 0 || n > last => [0.0; COLUMNS],
                    (n, CourseEnds::Repeat) if n == 0 || n > last => slopes(&secants[last], &secants[0]),
                    _ => slopes(&secants[number - 1], &secants[number]),
                };
                Knot { time: row.time, value: value(row), slope }
            })
            .collect();
        let shortest = secants.iter().map(|(length, _)| *length).fold(f64::INFINITY, f64::min);
        let mut course = Self { axis, ends, knots, fastest: [0.0; 2], shortest };
        for pair in course.knots.windows(2) {
            let [x, y, z, spin]: [f64; COLUMNS] = std::array::from_fn(|k| steepest(&pair[0], &pair[1], k));
            course.fastest = [course.fastest[0].max(DVec3::new(x, y, z).length()), course.fastest[1].max(spin)];
        }
        Ok(course)
    }

    /// Unit vector that angles are about.
    pub fn axis(&self) -> DVec3 {
        self.axis
    }

    /// Whether the table begins again after its last row.
    pub fn repeats(&self) -> bool {
        self.ends == CourseEnds::Repeat
    }

    /// Times of the rows \[s\].
    pub fn times(&self) -> impl ExactSizeIterator<Item = f64> {
        self.knots.iter().map(|knot| knot.time)
    }

    /// Bound of the speed of the displacement \[m/s\].
    pub fn fastest(&self) -> f64 {
        self.fastest[0]
    }

    /// Bound of the rate of the angle \[rad/s\].
    pub fn fastest_spin(&self) -> f64 {
        self.fastest[1]
    }

    /// Shortest time between two rows \[s\].
    pub fn shortest_interval(&self) -> f64 {
        self.shortest
    }

    /// Where it is after the time `elapsed` \[s\], and how fast.
    pub fn at(&self, elapsed: f64) -> CoursePoint {
        let (first, last) = (&self.knots[0], &self.knots[self.knots.len() - 1]);
        let rounds = match self.ends {
            CourseEnds::Stay => 0.0,
            CourseEnds::Repeat => (elapsed / last.time).floor(),
        };
        let time = elapsed - rounds * last.time;
        let after = self.knots.partition_point(|knot| knot.time <= time);
        let (value, slope) = match after {
            0 => (first.value, [0.0; COLUMNS]),
            after if after == self.knots.len() => (last.value, last.slope),
            after => between(&self.knots[after - 1], &self.knots[after], time),
        };
        let way = |k: usize| value[k] - first.value[k] + rounds * (last.value[k] - first.value[k]);
        CoursePoint {
            displacement: DVec3::new(way(0), way(1), way(2)),
            angle: way(3),
            velocity: DVec3::new(slope[0], slope[1], slope[2]),
            spin: slope[3],
        }
    }
}

/// Slopes at a row between two intervals, each its length and the slopes of its secants: weighted harmonic means, zero where a column turns back.
fn slopes(before: &(f64, [f64; COLUMNS]), after: &(f64, [f64; COLUMNS])) -> [f64; COLUMNS] {
    let (a, b) = (before.0, after.0);
    let (weight_before, weight_after) = ((2.0 * b + a) / (3.0 * (a + b)), (b + 2.0 * a) / (3.0 * (a + b)));
    std::array::from_fn(|k| {
        let (d, e) = (before.1[k], after.1[k]);
        if d * e > 0.0 { 1.0 / (weight_before / d + weight_after / e) } else { 0.0 }
    })
}

/// Coefficients of the cubic of a column: slope at the start, and those of the first and second power of the share of the interval in it.
fn coefficients(start: &Knot, end: &Knot, column: usize) -> [f64; 3] {
    let secant = (end.value[column] - start.value[column]) / (end.time - start.time);
    let (m, n) = (start.slope[column], end.slope[column]);
    [m, 3.0 * secant - 2.0 * m - n, m + n - 2.0 * secant]
}

/// Values and slopes of the columns at a time between two rows.
fn between(start: &Knot, end: &Knot, time: f64) -> ([f64; COLUMNS], [f64; COLUMNS]) {
    let length = end.time - start.time;
    let share = (time - start.time) / length;
    let (mut value, mut slope) = ([0.0; COLUMNS], [0.0; COLUMNS]);
    for k in 0..COLUMNS {
        let [m, a, b] = coefficients(start, end, k);
        value[k] = start.value[k] + length * share * (m + share * (a + share * b));
        slope[k] = m + share * (2.0 * a + 3.0 * share * b);
    }
    (value, slope)
}

/// Largest size of the slope of a column between two rows.
fn steepest(start: &Knot, end: &Knot, column: usize) -> f64 {
    let [m, a, b] = coefficients(start, end, column);
    let vertex = -a / (3.0 * b);
    let within = if vertex > 0.0 && vertex < 1.0 { m + vertex * (2.0 * a + 3.0 * vertex * b) } else { m };
    m.abs().max(end.slope[column].abs()).max(within.abs())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(time: f64, x: f64, angle: f64) -> CourseRow {
        CourseRow { time, position: DVec3::new(x, 0.0, 0.0), angle }
    }

    fn stays(rows: &[CourseRow]) -> Course {
        Course::new(rows, DVec3::Z, CourseEnds::Stay).unwrap()
    }

    #[test]
    fn rows_are_met_and_both_ends_are_at_rest() {
        let course = stays(&[row(0.5, 2.0, 0.0), row(1.0, 3.0, 1.0), row(3.0, 7.0, 1.5), row(4.0, 6.0, 1.5)]);
        for (time, x, angle) in [(0.0, 0.0, 0.0), (0.5, 0.0, 0.0), (1.0, 1.0, 1.0), (3.0, 5.0, 1.5), (9.0, 4.0, 1.5)] {
            let point = course.at(time);
            assert!(
                (point.displacement.x - x).abs() < 1e-14 && (point.angle - angle).abs() < 1e-14,
                "{time}: {point:?}"
            );
        }
        for time in [0.0, 0.5, 4.0, 9.0] {
            assert_eq!((course.at(time).velocity, course.at(time).spin), (DVec3::ZERO, 0.0), "{time}");
        }
    }

    #[test]
    fn velocity_is_continuous_the_derivative_and_within_its_bound() {
        let course = stays(&[
            row(0.0, 0.0, 0.0),
            row(1.0, 1.0, 0.2),
            row(1.5, 3.0, 0.1),
            row(4.0, 3.5, 0.7),
            row(5.0, 0.0, 0.0),
        ]);
        let (h, mut fastest) = (1e-6, [0.0f64; 2]);
        for k in 1..5000 {
            let time = 1e-3 * f64::from(k) + 3e-4;
            let (before, now, after) = (course.at(time - h), course.at(time), course.at(time + h));
            let slope = (after.displacement - before.displacement) / (2.0 * h);
            assert!((slope - now.velocity).length() < 1e-7, "{time}: {slope} {}", now.velocity);
            assert!(((after.angle - before.angle) / (2.0 * h) - now.spin).abs() < 1e-7);
            assert!((after.velocity - before.velocity).length() < 1e-4, "no jump at {time}");
            fastest = [fastest[0].max(now.velocity.length()), fastest[1].max(now.spin.abs())];
        }
        assert!(fastest[0] <= course.fastest() && course.fastest() < 1.001 * fastest[0], "{fastest:?}");
        assert!(fastest[1] <= course.fastest_spin() && course.fastest_spin() < 1.001 * fastest[1]);
        assert_eq!(course.shortest_interval(), 0.5);
    }

    #[test]
    fn nothing_goes_beyond_the_rows() {
        let course = stays(&[
            row(0.0, 0.0, 0.0),
            row(1.0, 0.0, 0.0),
            row(1.1, 5.0, 0.0),
            row(2.0, 5.0, 0.0),
            row(3.0, 4.0, 0.0),
        ]);
        let mut last = 0.0;
        for k in 0..2000 {
            let x = course.at(1e-3 * f64::from(k)).displacement.x;
            assert!((0.0..=5.0).contains(&x) && x >= last, "{k}: {x}");
            last = x;
        }
    }

    #[test]
    fn a_table_that_repeats_goes_on_from_where_it_is() {
        let rows = [row(0.0, 1.0, 0.0), row(1.0, 2.0, 3.0), row(2.0, 1.0, 6.0)];
        let course = Course::new(&rows, DVec3::Z, CourseEnds::Repeat).unwrap();
        let (early, late) = (course.at(0.7), course.at(6.7));
        assert!((early.displacement - late.displacement).length() < 1e-14);
        assert!((late.angle - early.angle - 18.0).abs() < 1e-13 && (late.spin - 3.0).abs() < 1e-14);
        let (before, after) = (course.at(2.0 - 1e-9), course.at(2.0 + 1e-9));
        assert!((before.velocity - after.velocity).length() < 1e-7 && (before.angle - after.angle).abs() < 1e-7);
    }

    #[test]
    fn rows_that_are_no_motion_are_refused() {
        let refused = |rows: &[CourseRow], ends| Course::new(rows, DVec3::Z, ends).unwrap_err();
        let begin = row(0.0, 0.0, 0.0);
        assert_eq!(refused(&[begin], CourseEnds::Stay), CourseError::Count { found: 1 });
        for time in [0.0, -1.0, f64::NAN] {
            assert!(matches!(
                refused(&[begin, row(time, 1.0, 0.0)], CourseEnds::Stay),
                CourseError::NotLater { row: 2, .. }
            ));
        }
        let late = [row(0.5, 0.0, 0.0), row(1.0, 0.0, 0.0)];
        assert!(Course::new(&late, DVec3::Z, CourseEnds::Stay).is_ok());
        assert!(matches!(refused(&late, CourseEnds::Repeat), CourseError::Begin { .. }));
        assert!(matches!(refused(&[row(-1.0, 0.0, 0.0), begin], CourseEnds::Stay), CourseError::Begin { .. }));
        let fast = [begin, row(1e-90, 1e90, 0.0)];
        assert_eq!(refused(&fast, CourseEnds::Stay), CourseError::TooFast { row: 2 });
    }
}
