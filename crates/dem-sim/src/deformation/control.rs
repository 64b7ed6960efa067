//! The control of a deforming cell: for every component of the velocity gradient a prescribed rate, or for a component
//! of the stress a target.
//!
//! Stress and strain are positive in tension. `xy` is the velocity along x that grows along y. What is not mentioned
//! does not move, but for the diagonal under a constraint: the directions for which neither a rate nor a stress is
//! prescribed then move alike, as the constraint demands.

use dem_core::DMat3;

/// Names of the components, row by row.
pub const COMPONENTS: [[&str; 3]; 3] = [["xx", "xy", "xz"], ["yx", "yy", "yz"], ["zx", "zy", "zz"]];

/// What is prescribed for a component.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Component {
    /// Nothing.
    #[default]
    Unasked,
    /// A component of the velocity gradient \[1/s\].
    Rate(f64),
    /// A component of the stress \[Pa\], held by the same component of the velocity gradient.
    Stress(f64),
}

/// What is prescribed for the diagonal as a whole.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Constraint {
    /// Nothing.
    #[default]
    None,
    /// A mean stress, a third of the trace \[Pa\].
    MeanStress(f64),
    /// That the volume does not change.
    ConstantVolume,
}

/// Why a control is refused: the key and what is expected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// A component, `mean_stress`, `constant_volume` or `max_rate`.
    pub key: &'static str,
    /// What is expected.
    pub expected: String,
}

/// What is prescribed for a cell.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Control {
    component: [[Component; 3]; 3],
    constraint: Constraint,
    max_rate: Option<f64>,
    /// Directions that are not periodic: walls move there, the cell does not.
    walled: [bool; 3],
}

impl Control {
    /// A control, unless it prescribes too much or too little. `max_rate` bounds the rates that hold stresses \[1/s\];
    /// by default they are those of an inertial number of [`super::servo::LARGEST_INERTIAL_NUMBER`] at the largest
    /// stress that is prescribed.
    ///
    /// # Errors
    /// A component that is prescribed twice, a constraint without a direction to fulfil it, a bound that nothing needs
    /// or that is missing.
    pub fn new(component: [[Component; 3]; 3], constraint: Constraint, max_rate: Option<f64>) -> Result<Self, Refusal> {
        let control = Self { component, constraint, max_rate, walled: [false; 3] };
        let refuse = |key, expected: &str| Err(Refusal { key, expected: expected.to_owned() });
        for (i, j) in [(0, 1), (0, 2), (1, 2)] {
            let (upper, lower) = (component[i][j], component[j][i]);
            let is_stress = |c| matches!(c, Component::Stress(_));
            if is_stress(upper) && lower != Component::Unasked || is_stress(lower) && upper != Component::Unasked {
                let [one, other] = [COMPONENTS[i][j], COMPONENTS[j][i]];
                let expected = format!(
                    "expected no target for {other}: {one} and {other} are the same strain, which one target already determines"
                );
                return Err(Refusal { key: COMPONENTS[j][i], expected });
            }
        }
        let free = control.free_directions().count();
        let key = match constraint {
            Constraint::None => "",
            Constraint::MeanStress(_) => "mean_stress",
            Constraint::ConstantVolume => "constant_volume",
        };
        if constraint != Constraint::None && free == 0 {
            return refuse(
                key,
                "expected one of xx, yy, zz without a target: all directions are prescribed, none is free to fulfil this condition",
            );
        }
        let unmoved = component.iter().flatten().all(|c| *c == Component::Unasked);
        if constraint == Constraint::ConstantVolume && unmoved {
            return refuse(
                key,
                "expected a rate or a stress for at least one component: the volume alone does not determine the motion",
            );
        }
        if constraint == Constraint::None && unmoved {
            return refuse(
                "xx",
                "expected a rate or a stress for at least one component, a mean_stress or constant_volume",
            );
        }
        match max_rate {
            Some(_) if !control.needs_servo() => refuse(
                "max_rate",
                "expected none: it bounds the rates of stress-controlled components, and there are none",
            ),
            None if control.needs_servo() && control.largest_target() == 0.0 => {
                refuse("max_rate", "expected a value: the default does not follow from a target stress of zero")
            }
            _ => Ok(control),
        }
    }

    /// The control of a cell that is periodic along some directions only, unless it prescribes something for the
    /// others.
    ///
    /// # Errors
    /// A component of a direction that is not periodic, or a constraint that needs all directions or has none to fulfil it.
    pub fn of_periodic(mut self, periodic: [bool; 3]) -> Result<Self, Refusal> {
        self.walled = periodic.map(|periodic| !periodic);
        let across = |&(i, j): &(usize, usize)| self.walled[i] || self.walled[j];
        let mut asked = (0..9).map(|k| (k / 3, k % 3)).filter(|&(i, j)| self.component[i][j] != Component::Unasked);
        if let Some((i, j)) = asked.find(across) {
            let expected = "expected no target for directions that are not periodic: there the walls move";
            return Err(Refusal { key: COMPONENTS[i][j], expected: expected.to_owned() });
        }
        if self.constraint == Constraint::ConstantVolume && self.walled != [false; 3] {
            let expected = "expected a cell that is periodic along x, y and z: walls change the volume, too";
            return Err(Refusal { key: "constant_volume", expected: expected.to_owned() });
        }
        if self.constraint != Constraint::None && self.free_directions().count() == 0 {
            let expected = "expected one of the periodic directions without a target: all are prescribed, none is free to fulfil this condition";
            return Err(Refusal { key: "mean_stress", expected: expected.to_owned() });
        }
        Ok(self)
    }

    /// What is prescribed for the component in a row and a column.
    pub fn component(&self, row: usize, column: usize) -> Component {
        self.component[row][column]
    }

    /// What is prescribed for the diagonal as a whole.
    pub fn constraint(&self) -> Constraint {
        self.constraint
    }

    /// Given bound of the rates that hold stresses \[1/s\].
    pub fn max_rate(&self) -> Option<f64> {
        self.max_rate
    }

    /// Directions that move alike as the constraint demands; without a constraint those that rest.
    pub fn free_directions(&self) -> impl Iterator<Item = usize> + '_ {
        (0..3).filter(|&k| self.component[k][k] == Component::Unasked && !self.walled[k])
    }

    /// All components with a target stress: row, column, target \[Pa\].
    pub fn targets(&self) -> impl Iterator<Item = (usize, usize, f64)> + '_ {
        (0..9).filter_map(|k| match self.component[k / 3][k % 3] {
            Component::Stress(target) => Some((k / 3, k % 3, target)),
            Component::Unasked | Component::Rate(_) => None,
        })
    }

    /// Whether any stress is prescribed.
    pub fn needs_servo(&self) -> bool {
        self.targets().next().is_some() || matches!(self.constraint, Constraint::MeanStress(_))
    }

    /// Largest magnitude of the stresses that are prescribed \[Pa\].
    pub fn largest_target(&self) -> f64 {
        let mean = if let Constraint::MeanStress(target) = self.constraint { target.abs() } else { 0.0 };
        self.targets().map(|(.., target)| target.abs()).fold(mean, f64::max)
    }

    /// Largest distance of a stress from its target, in proportion to the largest target, or to `scale` \[Pa\] if that
    /// is zero \[-\]; zero without targets.
    pub fn stress_error(&self, stress: DMat3, scale: f64) -> f64 {
        let mean = match self.constraint {
            Constraint::MeanStress(target) => (mean(stress) - target).abs(),
            Constraint::None | Constraint::ConstantVolume => 0.0,
        };
        let distance = |(row, column, target): (usize, usize, f64)| (stress.col(column)[row] - target).abs();
        let largest = self.targets().map(distance).fold(mean, f64::max);
        let scale = if self.largest_target() > 0.0 { self.largest_target() } else { scale };
        if largest == 0.0 { 0.0 } else { largest / scale }
    }
}

/// A third of the trace.
pub fn mean(tensor: DMat3) -> f64 {
    (tensor.x_axis.x + tensor.y_axis.y + tensor.z_axis.z) / 3.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(given: &[(usize, usize, Component)], constraint: Constraint, max_rate: Option<f64>) -> &'static str {
        let mut component = [[Component::Unasked; 3]; 3];
        for &(i, j, c) in given {
            component[i][j] = c;
        }
        Control::new(component, constraint, max_rate).map_or_else(|refusal| refusal.key, |_| "")
    }

    #[test]
    fn too_much_and_too_little_are_refused() {
        use Component::{Rate, Stress};
        let rates = [(0, 0, Rate(1.0)), (1, 1, Stress(-1.0)), (2, 2, Rate(1.0))];
        let mean = Constraint::MeanStress(-1.0);
        assert_eq!(refused(&rates, Constraint::None, None), "");
        assert_eq!(refused(&rates, mean, None), "mean_stress");
        assert_eq!(refused(&rates, Constraint::ConstantVolume, None), "constant_volume");
        assert_eq!(refused(&rates[..1], mean, None), "");
        assert_eq!(refused(&[], mean, None), "");
        assert_eq!(refused(&[], Constraint::ConstantVolume, None), "constant_volume");
        assert_eq!(refused(&[], Constraint::None, None), "xx");
        assert_eq!(refused(&[(0, 1, Stress(1.0)), (1, 0, Rate(1.0))], Constraint::None, None), "yx");
        assert_eq!(refused(&[(0, 1, Rate(1.0)), (1, 0, Rate(-1.0))], Constraint::None, None), "");
        assert_eq!(refused(&[(0, 1, Rate(1.0))], Constraint::None, Some(1.0)), "max_rate");
        assert_eq!(refused(&[(0, 0, Stress(0.0))], Constraint::None, None), "max_rate");
        assert_eq!(refused(&[(0, 0, Stress(0.0))], Constraint::None, Some(1.0)), "");
    }

    #[test]
    fn directions_between_walls_are_left_to_the_walls() {
        use Component::{Rate, Stress};
        let refused = |given: &[(usize, usize, Component)], constraint| {
            let mut component = [[Component::Unasked; 3]; 3];
            for &(i, j, c) in given {
                component[i][j] = c;
            }
            let control = Control::new(component, constraint, None).unwrap().of_periodic([true, true, false]);
            control.map_or_else(|refusal| refusal.key, |_| "")
        };
        let mean = Constraint::MeanStress(-1.0);
        assert_eq!(refused(&[(0, 0, Stress(-1.0)), (1, 1, Rate(1.0)), (0, 1, Rate(1.0))], Constraint::None), "");
        assert_eq!(refused(&[(2, 2, Rate(1.0))], Constraint::None), "zz");
        assert_eq!(refused(&[(0, 2, Rate(1.0))], Constraint::None), "xz");
        assert_eq!(refused(&[(2, 1, Stress(1.0))], Constraint::None), "zy");
        assert_eq!(refused(&[(0, 0, Rate(1.0))], Constraint::ConstantVolume), "constant_volume");
        assert_eq!(refused(&[(0, 0, Rate(1.0)), (1, 1, Rate(1.0))], mean), "mean_stress");
        assert_eq!(refused(&[(0, 0, Rate(1.0))], mean), "");
    }
}
