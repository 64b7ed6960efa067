//! The elastic impact along the normal on a linear spring: half a period of an oscillator.
//!
//! Source: A. Di Renzo, F. P. Di Maio, Chem. Eng. Sci. 59 (2004) 525, Table 2. Its tangential columns are not reproducible.

/// Largest values of an impact on a linear spring and its duration.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LinearImpact {
    /// Largest overlap `v √(m/k)` \[m\].
    pub overlap: f64,
    /// Largest force `v √(m k)` \[N\].
    pub force: f64,
    /// Duration `π √(m/k)` \[s\].
    pub duration: f64,
}

impl LinearImpact {
    /// The impact of an effective mass \[kg\] at a speed \[m/s\] on a spring \[N/m\].
    pub fn new(mass: f64, stiffness: f64, speed: f64) -> Self {
        let time = (mass / stiffness).sqrt();
        Self { overlap: speed * time, force: speed * stiffness * time, duration: std::f64::consts::PI * time }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kharaz::kharaz;

    #[test]
    fn table_2_of_di_renzo_and_di_maio_to_the_printed_digits() {
        let impact = kharaz(10.0_f64.to_radians()).unwrap();
        let table = [
            (1e3, 1.61e-3, 1.97e-3, 1.97),
            (1e4, 5.08e-4, 6.21e-4, 6.21),
            (5e4, 2.27e-4, 2.78e-4, 13.9),
            (1e5, 1.61e-4, 1.97e-4, 19.7),
            (1e6, 5.08e-5, 6.21e-5, 62.1),
            (1.72e7, 1.23e-5, 1.50e-5, 258.0),
        ];
        let printed = |value: f64| format!("{value:.2e}");
        for (stiffness, duration, overlap, force) in table {
            let row = LinearImpact::new(impact.pair.mass, stiffness, impact.normal_speed);
            assert_eq!(printed(row.duration), printed(duration));
            assert_eq!(printed(row.overlap), printed(overlap));
            assert_eq!(printed(row.force), printed(force));
        }
    }
}
