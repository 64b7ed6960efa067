//! Bounds of the time step as shares of the physical times that they come from.

use dem_contact::time_step::{Bound, CONTACT_CRITERIA, Fractions};
use dem_core::figure::Figure;

use super::criteria::{DISPLACEMENT, RAYLEIGH, ROTATION};
use super::driving::{PERIOD, RESPONSE, SHARE_OF_PERIOD, SHARE_OF_RESPONSE, STRAIN, WALL_MOVE};
use crate::resolution::{LARGEST_MOVE, LARGEST_TURN};

/// A physical time and the fraction of it that a step may take.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TimeScale {
    /// The fraction \[-\].
    pub fraction: f64,
    /// What the time is.
    pub name: &'static str,
    /// The time \[s\].
    pub time: f64,
}

impl TimeScale {
    /// That of a bound; none where a bound is a root of several shares at once, as that of all contacts of a particle.
    pub fn of(bound: &Bound, fractions: &Fractions) -> Option<Self> {
        let [normal, tangential, rolling, duration, pull] = CONTACT_CRITERIA;
        let (fraction, name) = match bound.criterion {
            RAYLEIGH => (fractions.rayleigh, "Rayleigh time"),
            name if name == duration => (fractions.duration, "contact duration"),
            name if name == pull => (fractions.duration, "half a period of the pull of adhesion"),
            name if name == normal => (fractions.contact, "critical step of the normal contact oscillation"),
            name if name == tangential => (fractions.contact, "critical step of the tangential contact oscillation"),
            name if name == rolling => (fractions.contact, "critical step of the rolling contact oscillation"),
            DISPLACEMENT => (LARGEST_MOVE, "time to move by one radius"),
            ROTATION => (LARGEST_TURN, "time to turn by 1 rad"),
            PERIOD => (SHARE_OF_PERIOD, "period of a motion"),
            RESPONSE => (SHARE_OF_RESPONSE, "response time of a servo"),
            STRAIN => (0.5 * LARGEST_MOVE, "time of a strain of 1"),
            WALL_MOVE => (LARGEST_MOVE, "time in which a wall moves by one radius"),
            _ => return None,
        };
        Some(Self { fraction, name, time: bound.time_step / fraction })
    }
}

/// A bound in words: `0.2 x Rayleigh time 5.6903e-5 s`, or its criterion.
pub fn describe(bound: &Bound, fractions: &Fractions) -> String {
    match TimeScale::of(bound, fractions) {
        Some(TimeScale { fraction, name, time }) => format!("{fraction} x {name} {} s", in_digits(time)),
        None => bound.criterion.to_owned(),
    }
}

fn in_digits(time: f64) -> String {
    if (1e-2..1e5).contains(&time) { Figure::new(time, 4).to_string() } else { format!("{time:.4e}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bound_is_told_as_a_share_of_its_time() {
        let fractions = Fractions::default();
        let bound = |criterion, time_step| Bound { criterion, time_step, detail: String::new() };
        assert_eq!(describe(&bound(RAYLEIGH, 1.138e-5), &fractions), "0.2 x Rayleigh time 5.6900e-5 s");
        assert_eq!(describe(&bound(PERIOD, 4e-4), &fractions), "0.02 x period of a motion 0.0200 s");
        assert_eq!(
            describe(&bound("stiffness of a particle's contacts", 1e-6), &fractions),
            "stiffness of a particle's contacts"
        );
        let [normal, _, _, duration, pull] = CONTACT_CRITERIA;
        for (criterion, fraction) in
            [(normal, 0.2), (duration, 0.04), (pull, 0.04), (DISPLACEMENT, 0.01), (ROTATION, 0.05), (STRAIN, 0.005)]
        {
            let scale = TimeScale::of(&bound(criterion, 1e-6), &fractions).unwrap();
            assert_eq!(scale.fraction, fraction);
            assert!((scale.fraction * scale.time - 1e-6).abs() < 1e-20);
        }
    }
}
