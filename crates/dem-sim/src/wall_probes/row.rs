//! Rows of `profiles.csv`.

use dem_io::series::{Series, SeriesColumn};

macro_rules! columns {
    ($($name:ident, $unit:literal, $meaning:literal;)*) => {
        /// The average of a sector of a bin of a probe: a row of `profiles.csv`, all of it as numbers.
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub struct ProbeRow {
            $(#[doc = concat!($meaning, " \\[", $unit, "\\]")] pub $name: f64,)*
        }

        const COLUMNS: &[(&str, &str, &str)] = &[$((stringify!($name), $unit, $meaning)),*];

        impl ProbeRow {
            /// Its numbers in the order of the columns.
            pub fn values(&self) -> [f64; COLUMNS.len()] {
                [$(self.$name),*]
            }

            /// Rows of the last output in a series; none if it lacks a column.
            pub fn last_of(series: &Series) -> Option<Vec<Self>> {
                $(let $name = series.column(stringify!($name))?;)*
                let steps = series.column("step")?;
                let begin = steps.last().map_or(0, |last| steps.iter().take_while(|step| *step != last).count());
                Some((begin..steps.len()).map(|k| Self { $($name: $name[k]),* }).collect())
            }
        }
    };
}

columns! {
    step, "-", "steps done";
    time, "s", "time, the end of the window";
    window, "s", "time over which the row is averaged";
    probe, "-", "number of the probe in the scene, from 0";
    wall, "-", "number of the wall in the scene, from 0";
    bin, "-", "number of the bin, from 0";
    sector, "-", "number of the sector, from 0";
    position, "m", "middle of the bin: height over the base of a cylinder or frustum, distance from the axis of a disc or plane, distance from the edge of a rectangle or face, height over the centre of a sphere";
    angle, "rad", "middle of the sector about the axis; NaN for one sector";
    area, "m²", "area of the bin";
    contacts, "-", "mean number of contacts";
    pressure, "Pa", "normal force on the wall per area, positive in compression";
    shear_along, "Pa", "tangential force on the wall per area in the direction in which the position grows";
    shear_around, "Pa", "the same in the direction in which the angle grows, or along the other edge of a rectangle";
    mobilised_friction, "-", "sum of the magnitudes of the tangential forces of the contacts over that of the normal ones; NaN without contacts";
}

/// The columns.
pub(super) fn columns() -> Vec<SeriesColumn> {
    COLUMNS.iter().map(|&(name, unit, meaning)| SeriesColumn::new(name, unit, meaning)).collect()
}
