//! Units of the file: as the user, or else the file says.

use dem_io::exchange::{ForeignState, UnitsInFile};
use dem_io::units::LARGEST;

use super::arguments::Arguments;
use super::notes::Notes;
use crate::failure::Failure;
use crate::quantity::quantity;

/// Units of the file in SI.
pub struct Units {
    length: f64,
    time: f64,
    mass: f64,
}

impl Units {
    /// # Errors
    /// Units that are none, and a file in units without a size whose user gives none.
    pub fn of(state: &ForeignState, arguments: &Arguments, notes: &mut Notes) -> Result<Self, Failure> {
        let given = [
            ("--length-unit", "m", &arguments.length_unit),
            ("--time-unit", "s", &arguments.time_unit),
            ("--mass-unit", "kg", &arguments.mass_unit),
        ];
        let mut values = [None; 3];
        for (value, (option, unit, text)) in values.iter_mut().zip(given) {
            if let Some(text) = text {
                let size = quantity(option, unit, text)?;
                if size <= 0.0 {
                    return Err(Failure::input(format!("{option} {text}: expected a unit above 0")));
                }
                *value = Some(size);
            }
        }
        let of_file = match &state.units {
            UnitsInFile::Known(_, units) => [units.length, units.time, units.mass],
            UnitsInFile::Unsaid => {
                let names = ["lengths in metres", "times in seconds", "masses in kilograms"];
                let unsaid = values.iter().zip(names).filter(|(value, _)| value.is_none()).map(|(_, name)| name);
                let unsaid: Vec<&str> = unsaid.collect();
                if !unsaid.is_empty() {
                    notes.assume(format!("{}: the file does not say its units", unsaid.join(", ")));
                }
                [1.0; 3]
            }
            UnitsInFile::Free(name) => {
                if values.contains(&None) {
                    let expected = "expected their sizes with --length-unit, --time-unit and --mass-unit";
                    return Err(Failure::input(format!(
                        "the units `{name}` of the file have no size here, {expected}"
                    )));
                }
                [1.0; 3]
            }
        };
        let [length, time, mass] = std::array::from_fn(|k| values[k].unwrap_or(of_file[k]));
        Ok(Self { length, time, mass })
    }

    /// Turns a state into SI.
    ///
    /// # Errors
    /// Numbers that leave the range of all numbers.
    pub fn apply(&self, state: &mut ForeignState) -> Result<(), String> {
        let Self { length, time, mass } = *self;
        for particle in &mut state.particles {
            particle.position *= length;
            particle.radius *= length;
            particle.velocity *= length / time;
            particle.angular_velocity /= time;
            particle.density = particle.density.map(|density| density * mass / length.powi(3));
            let numbers = [particle.position, particle.velocity, particle.angular_velocity];
            let largest = numbers.map(|x| x.abs().max_element()).into_iter().fold(particle.radius, f64::max);
            let sizes = [Some(particle.radius), particle.density];
            if largest.is_nan() || largest > LARGEST || sizes.into_iter().flatten().any(|x| !(x > 0.0 && x <= LARGEST))
            {
                return Err(format!("a number is beyond {LARGEST:e} in SI, or a size is zero: are the units right?"));
            }
        }
        if let Some(bounds) = &mut state.bounds {
            bounds.origin *= length;
            bounds.edges = bounds.edges.map(|edge| edge * length);
        }
        Ok(())
    }
}
