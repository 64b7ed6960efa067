//! Liquid bridges drawn out until they break, beside solutions of the Young-Laplace equation.

use dem_reference::liquid_bridge::{PULLS, RUPTURES};

use super::curves::{last_pull, pressed_and_parted};
use super::setup::Setup;
use crate::error::StudyError;
use crate::named_choice::NamedChoice;

/// Forms of the force.
pub const FORMS: [&str; 5] = ["willett", "willett-closed", "lambert", "rabinovich", "soulie"];
/// Surface tension of water \[N/m\].
const TENSION: f64 = 0.073;

/// A bridge that was drawn out: lengths over R = 2r of a sphere of the radius r on a wall, the volume over R³, forces over `2πRσ`.
pub struct Bridge {
    /// Form of the force.
    pub form: &'static str,
    /// Volume.
    pub volume: f64,
    /// Contact angle \[degrees\].
    pub angle: f64,
    /// Distances and pulls, up to rupture.
    pub curve: Vec<[f64; 2]>,
    /// Distance of the last point with a pull.
    pub rupture: f64,
    /// That of the Young-Laplace equation, where it is known.
    pub exact_rupture: Option<f64>,
    /// What the ledger books for the bridge, over `2πR²σ`.
    pub loss: f64,
}

impl Bridge {
    /// Pull at a distance, linear between the points.
    pub fn pull(&self, distance: f64) -> f64 {
        let found = self.curve.windows(2).find(|pair| pair[1][0] >= distance);
        found.map_or(0.0, |pair| {
            let [[s0, f0], [s1, f1]] = [pair[0], pair[1]];
            if s1 > s0 { f0 + (f1 - f0) * (distance - s0) / (s1 - s0) } else { f1 }
        })
    }

    /// Area under the curve.
    pub fn work(&self) -> f64 {
        self.curve.windows(2).map(|pair| 0.5 * (pair[0][1] + pair[1][1]) * (pair[1][0] - pair[0][0])).sum()
    }
}

/// Bridges of all volumes and contact angles that the Young-Laplace equation was solved for, in all forms.
pub fn all(setup: &Setup<'_>, steps: usize) -> Result<Vec<Bridge>, StudyError> {
    let mut cases: Vec<[f64; 2]> = RUPTURES.iter().map(|&[volume, _]| [volume, 0.0]).collect();
    for pull in PULLS {
        let case = [pull.volume, pull.angle];
        if !cases.contains(&case) {
            cases.push(case);
        }
    }
    let mut all = Vec::new();
    for [volume, angle] in cases {
        for form in FORMS {
            all.push(drawn_out(setup, form, volume, angle, steps)?);
        }
    }
    Ok(all)
}

fn drawn_out(
    setup: &Setup<'_>,
    form: &'static str,
    volume: f64,
    angle: f64,
    steps: usize,
) -> Result<Bridge, StudyError> {
    let radius = 2.0 * setup.contact.radius;
    let text = format!(
        "hertz-mindlin:near_field=liquid-bridge,surface_tension={TENSION},contact_angle={:?},bridge_volume={:?},bridge_form={form}",
        angle.to_radians(),
        volume * radius.powi(3)
    );
    // no bridge is longer: the rupture distance of Willett et al. and a quarter of it
    let longest = 1.25 * (1.0 + 0.5 * angle.to_radians()) * volume.cbrt() * (1.0 + 0.1 * volume.cbrt());
    let bodies = setup.bodies(&NamedChoice::law(&text)?)?;
    let answers = pressed_and_parted(&bodies, setup.deepest(), longest * radius, steps)?;
    let strength = std::f64::consts::TAU * radius * TENSION;
    let apart = answers.iter().skip(steps).filter(|a| a.overlap <= 0.0 && a.normal_force < 0.0);
    let exact = RUPTURES.iter().find(|case| case[0] == volume && angle == 0.0);
    Ok(Bridge {
        form,
        volume,
        angle,
        curve: apart.map(|a| [-a.overlap / radius, -a.normal_force / strength]).collect(),
        rupture: last_pull(&answers) / radius,
        exact_rupture: exact.map(|case| case[1]),
        loss: answers.last().map_or(0.0, |end| end.adhesion_work) / (strength * radius),
    })
}
