//! How runs of the same motion come together as their step is halved.

/// What is compared of a run: numbers that do not depend on the step in an exact solution.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Course {
    /// Forces, stresses or velocities, in any one unit.
    pub state: Vec<f64>,
    /// What a difference of the state is put in proportion to, in that unit.
    pub state_scale: f64,
    /// Works of the contacts \[J\].
    pub work: Vec<f64>,
    /// What a difference of the works is put in proportion to \[J\]; zero where nothing is dissipated.
    pub work_scale: f64,
}

/// Differences between runs whose steps are halved from one to the next.
#[derive(Clone, Debug, PartialEq)]
pub struct Convergence {
    /// Between a run and the next one, root mean square in proportion to the scale \[-\].
    pub differences: Vec<f64>,
    /// Between the first and the last run, likewise \[-\].
    pub first_to_last: f64,
}

impl Convergence {
    /// Of the states of runs, the coarsest first.
    pub fn of_states(courses: &[Course]) -> Self {
        Self::new(courses, |course| &course.state, |course| course.state_scale)
    }

    /// Of the works of runs, the coarsest first.
    pub fn of_works(courses: &[Course]) -> Self {
        Self::new(courses, |course| &course.work, |course| course.work_scale)
    }

    fn new(courses: &[Course], numbers: fn(&Course) -> &[f64], scale: fn(&Course) -> f64) -> Self {
        let scale = courses.last().map_or(0.0, scale);
        let between = |a: &Course, b: &Course| root_mean_square(numbers(a), numbers(b)) / scale;
        Self {
            differences: courses.windows(2).map(|pair| between(&pair[0], &pair[1])).collect(),
            first_to_last: courses.first().zip(courses.last()).map_or(f64::NAN, |(first, last)| between(first, last)),
        }
    }

    /// Exponent of the step in the differences, fitted to their logarithms by least squares; not a number where two runs agree in
    /// all digits or there are fewer than two differences.
    pub fn order(&self) -> f64 {
        let middle = 0.5 * (self.differences.len() as f64 - 1.0);
        let (mut covariance, mut variance) = (0.0, 0.0);
        for (halving, difference) in self.differences.iter().enumerate() {
            let from_middle = halving as f64 - middle;
            covariance -= from_middle * libm::log2(*difference);
            variance += from_middle * from_middle;
        }
        covariance / variance
    }
}

fn root_mean_square(a: &[f64], b: &[f64]) -> f64 {
    debug_assert_eq!(a.len(), b.len());
    let squares: f64 = a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum();
    (squares / a.len() as f64).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `x = 1 + h^p` with the steps 1, 1/2, ..
    fn courses(order: f64) -> Vec<Course> {
        let run = |halving: i32| {
            let error = libm::pow(0.5, order * f64::from(halving));
            Course { state: vec![10.0 + error, -error], state_scale: 2.0, work: vec![3.0], work_scale: 1.0 }
        };
        (0..5).map(run).collect()
    }

    #[test]
    fn powers_of_the_step_have_their_exponents() {
        for order in [0.5, 1.0, 2.0] {
            let found = Convergence::of_states(&courses(order));
            assert!((found.order() - order).abs() < 1e-9, "{found:?}");
            let (first, last) = (1.0 - libm::pow(0.5, order), 1.0 - libm::pow(0.5, 4.0 * order));
            assert!((found.differences[0] - 0.5 * first).abs() < 1e-12, "{found:?}");
            assert!((found.first_to_last - 0.5 * last).abs() < 1e-12, "{found:?}");
        }
    }

    #[test]
    fn runs_that_agree_to_the_last_bit_have_no_order() {
        assert!(Convergence::of_works(&courses(1.0)).order().is_nan());
        assert!(Convergence::of_states(&courses(1.0)[..1]).order().is_nan());
    }
}
