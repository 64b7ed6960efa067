//! The angle from which an impact slides all the way, in the annuli and in the engine.

use dem_contact::Mode;
use dem_reference::annuli_influence::AnnuliInfluence;
use dem_reference::{kharaz::kharaz, maw_barber_fawcett};
use dem_studies::error::StudyError;
use dem_studies::impact::{Case as Impact, Options};
use dem_studies::named_choice::NamedChoice;

use crate::case::{Case, Effort, Findings};
use crate::check::{Claim, Tier};

/// The case.
pub const CASE: Case = Case {
    name: "critical-angle",
    summary: "Angle of incidence above which Kharaz's sphere slides during the whole impact.",
    claims: &[BAND, CLOSED, UNIT_RATIO],
    run,
};

const BAND: Claim = Claim {
    source: "Maw, Barber & Fawcett, annuli: 28.1 to 28.3 degrees; Di Renzo & Di Maio (2004) print 28",
    tier: Tier::Independent,
    weakness: "one pair",
};

const CLOSED: Claim = Claim {
    source: "psi = 4 chi - 1, tan(alpha) = mu (7 - 1/kappa)",
    tier: Tier::ClosedForm,
    weakness: "what happens within 1/1000 of the largest overlap is left out",
};

const UNIT_RATIO: Claim = Claim {
    source: "tan(alpha) = mu (7 - 1/kappa) for kappa = 1",
    tier: Tier::ClosedForm,
    weakness: "the 25 degrees that Di Renzo & Di Maio (2004) print for kappa = 1 are not reproduced",
};

/// Smallest angle at which `slides` holds \[degrees\].
fn smallest(resolution: f64, slides: impl Fn(f64) -> Result<bool, StudyError>) -> Result<f64, StudyError> {
    let (mut below, mut above) = (20.0, 40.0);
    while above - below > resolution {
        let middle = 0.5 * (below + above);
        if slides(middle)? { above = middle } else { below = middle }
    }
    Ok(0.5 * (below + above))
}

/// Whether an impact slides in every step with more than a thousandth of the largest overlap.
fn slides_in_engine(case: &Impact) -> Result<bool, StudyError> {
    let collision = case.run()?;
    let resolved = 1e-3 * collision.largest(|m| m.overlap);
    Ok(collision.history.iter().filter(|m| m.overlap > resolved).all(|m| m.mode == Mode::Slide))
}

fn run(effort: Effort) -> Result<Findings, StudyError> {
    let closed = kharaz(0.5)?.pair.critical_angle().to_degrees();
    let influence = AnnuliInfluence::new(effort.pick(100, 400))?;
    let annuli = smallest(effort.pick(1e-2, 1e-3), |degrees| {
        let oblique = kharaz(degrees.to_radians())?;
        let history = maw_barber_fawcett::impact(&influence, oblique.psi(), oblique.pair.chi())?;
        let mut resolved = history.iter().filter(|moment| moment.overlap > 1e-3);
        Ok(resolved.all(|moment| moment.tangential_force >= moment.normal_force * (1.0 - 1e-9)))
    })?;
    let engine = |law: &str| {
        smallest(0.01, |degrees| {
            let options = Options {
                laws: vec![NamedChoice::law(law)?],
                angles: vec![degrees],
                steps: vec![effort.pick(1000.0, 4000.0)],
                ..Options::default()
            };
            slides_in_engine(&options.cases()?[0])
        })
    };
    let unit_ratio = (6.0 * kharaz(0.5)?.pair.friction).atan().to_degrees();
    Ok(Findings {
        checks: vec![
            BAND.between("annuli [degrees]", 28.1, 28.3, annuli),
            CLOSED.close("annuli [degrees]", closed, annuli, 0.02),
            CLOSED.close("engine, mindlin-deresiewicz [degrees]", closed, engine("mindlin-deresiewicz")?, 0.05),
            CLOSED.close("engine, linear [degrees]", closed, engine("linear")?, 0.05),
            UNIT_RATIO.close(
                "engine, linear, kappa = 1 [degrees]",
                unit_ratio,
                engine("linear:stiffness_ratio=1")?,
                0.05,
            ),
        ],
        notes: vec![
            "mdr is not among the laws: near the end of the contact it sets its 30 springs closer, after which the force is up to 4 % below the friction limit and \
             the contact counts as sticking for some steps, at overlaps below 3 % of the largest."
                .to_owned(),
        ],
        ..Findings::default()
    })
}
