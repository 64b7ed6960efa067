//! Single long steps of the law `kuhn`, resolved within the step, beside their differential equations: force, work and its parts.

use dem_reference::kharaz;
use dem_reference::linear_slider::{LinearSlider, Movement, Outcome};
use dem_report::table::Table;
use dem_studies::error::StudyError;
use dem_studies::material;
use dem_studies::named_choice::NamedChoice;
use dem_studies::path::driven_contact::{Answer, DrivenContact};
use dem_studies::path::histories::{Load, Point};
use dem_studies::sphere_and_partner::{Partner, SphereAndPartner};

use crate::case::{Case, Effort, Findings};
use crate::check::{Check, Claim, Tier};

/// The case.
pub const CASE: Case = Case {
    name: "slip-within-a-step",
    summary: "Refinements of Kuhn, Suzuki and Daouadji: fresh contact, onset of slip, turn of the sliding force and work within one long step.",
    claims: &[EQUATIONS, WORK, GONE],
    run,
};

const EQUATIONS: Claim = Claim {
    source: "differential equations of the spring and slider (Kuhn, Suzuki & Daouadji, equations 4 to 17) by Runge-Kutta",
    tier: Tier::Independent,
    weakness: "a wall; the fourth refinement, the turn of the contact plane, is the frame indifference of the conformance table",
};

const WORK: Claim = Claim {
    source: "work of the tangential force along the same solution",
    tier: Tier::Independent,
    weakness: "stored and dissipated together, and what is stored by |T|^2/(2 k_t)",
};

const GONE: Claim = Claim {
    source: "no overlap, no force",
    tier: Tier::ClosedForm,
    weakness: "the work until separation is not compared",
};

/// A step: overlaps before and after over the reference, share of the limit that the force has before, slip over `μN/k_t` before, its angle
/// to the force \[degrees\].
struct Step {
    name: &'static str,
    overlaps: [f64; 2],
    force: f64,
    slip: f64,
    angle: f64,
}

const STEPS: [Step; 9] = [
    Step { name: "sticks", overlaps: [1.0, 1.0], force: 0.3, slip: 0.5, angle: 60.0 },
    Step { name: "sticks, then slides", overlaps: [1.0, 1.0], force: 0.5, slip: 2.0, angle: 70.0 },
    Step { name: "slides across", overlaps: [1.0, 1.0], force: 1.0, slip: 1.0, angle: 90.0 },
    Step { name: "slides across, load doubles", overlaps: [1.0, 2.0], force: 1.0, slip: 3.0, angle: 90.0 },
    Step { name: "slides across, load falls to 0.3", overlaps: [1.0, 0.3], force: 1.0, slip: 1.0, angle: 90.0 },
    Step {
        name: "slides at 170 degrees, load falls to 0.2",
        overlaps: [1.0, 0.2],
        force: 1.0,
        slip: 0.3,
        angle: 170.0,
    },
    Step { name: "goes back, sticks", overlaps: [1.0, 1.0], force: 1.0, slip: 1.5, angle: 180.0 },
    Step { name: "touches within the step", overlaps: [-0.5, 1.0], force: 0.0, slip: 1.0, angle: 30.0 },
    Step { name: "touches and slides", overlaps: [-0.5, 1.0], force: 0.0, slip: 4.0, angle: 30.0 },
];

/// Agreement of forces over the limit after the step, and of work over that of the limit before it.
const FORCE: f64 = 1e-9;
const OF_WORK: f64 = 1e-8;
/// Overlap \[m\].
const OVERLAP: f64 = 1.5e-5;

/// What a law makes of a step, with the solution.
struct Taken {
    before: Answer,
    after: Answer,
    exact: Outcome,
    contact: LinearSlider,
    slip: f64,
}

impl Taken {
    fn new(law: &str, step: &Step) -> Result<Self, StudyError> {
        let mut bodies = SphereAndPartner {
            sphere: material::ALUMINIUM_OXIDE,
            partner_material: material::SODA_LIME_GLASS,
            partner: Partner::Wall,
            radius: 2.5e-3,
            friction: kharaz::kharaz(0.5)?.pair.friction,
            restitution: 1.0,
            law: NamedChoice::law(law)?,
            integrator: NamedChoice::integrator("velocity-verlet")?,
            lever: "half".to_owned(),
            gravity: 0.0,
        };
        bodies.fit_stiffness_at(OVERLAP)?;
        let mut driven = DrivenContact::new(&bodies, 1.0)?;
        let point = |share: f64, slip: [f64; 2]| Point { load: Load::Overlap(share * OVERLAP), slip };
        let pressed = driven.step(point(1.0, [0.0; 2]))?;
        let contact = LinearSlider {
            normal_stiffness: pressed.normal_force / OVERLAP,
            tangential_stiffness: driven.stiffness(OVERLAP),
            friction: bodies.friction,
        };
        let unit = contact.friction * pressed.normal_force / contact.tangential_stiffness;
        let before = if step.overlaps[0] > 0.0 {
            driven.step(point(step.overlaps[0], [step.force * unit, 0.0]))?
        } else {
            driven.step(point(step.overlaps[0], [0.0; 2]))?
        };
        let (sine, cosine) = step.angle.to_radians().sin_cos();
        let slip = [step.slip * unit * cosine, step.slip * unit * sine];
        let after = driven.step(point(step.overlaps[1], [before.slip[0] + slip[0], before.slip[1] + slip[1]]))?;
        let overlaps = step.overlaps.map(|share| share * OVERLAP);
        let exact = contact.outcome(&Movement { overlaps, force: before.tangential_force, slip });
        Ok(Self { before, after, exact, contact, slip: slip[0].hypot(slip[1]) })
    }

    /// Distance of the forces over the limit.
    fn force_error(&self) -> f64 {
        let [a, b] = [0, 1].map(|k| self.after.tangential_force[k] - self.exact.force[k]);
        a.hypot(b) / (self.contact.friction * self.after.normal_force)
    }

    /// Work over that of the limit along the slip.
    fn scaled(&self, work: f64) -> f64 {
        work / (self.contact.friction * self.contact.normal_stiffness * OVERLAP * self.slip)
    }

    /// Work that the law books.
    fn work(&self) -> f64 {
        let held = |answer: &Answer| answer.elastic_tangential + answer.friction_work;
        held(&self.after) - held(&self.before)
    }

    /// Change of what the spring holds, of the law and by the force.
    fn stored(&self) -> [f64; 2] {
        let held =
            |force: [f64; 2]| (force[0] * force[0] + force[1] * force[1]) / (2.0 * self.contact.tangential_stiffness);
        let booked = self.after.elastic_tangential - self.before.elastic_tangential;
        [booked, held(self.exact.force) - held(self.before.tangential_force)]
    }
}

fn run(_: Effort) -> Result<Findings, StudyError> {
    let mut findings = Findings::default();
    let mut table = Table::new(
        "one_step",
        &[
            "step",
            "slides_from",
            "angle_deg",
            "angle_kuhn_deg",
            "angle_conventional_deg",
            "work_over_muN_slip",
            "work_kuhn",
            "work_conventional",
        ],
    );
    for step in &STEPS {
        let (ours, plain) = (Taken::new("kuhn", step)?, Taken::new("conventional", step)?);
        findings.checks.extend(checks(step, &ours));
        let angle = |force: [f64; 2]| step.angle - force[1].atan2(force[0]).to_degrees();
        table.push([
            step.name.into(),
            ours.exact.slides_from.into(),
            angle(ours.exact.force).into(),
            angle(ours.after.tangential_force).into(),
            angle(plain.after.tangential_force).into(),
            ours.scaled(ours.exact.work).into(),
            ours.scaled(ours.work()).into(),
            plain.scaled(plain.work()).into(),
        ]);
    }
    let parting = Step { name: "separates", overlaps: [1.0, -0.2], force: 0.8, slip: 0.5, angle: 40.0 };
    let parted = Taken::new("kuhn", &parting)?;
    let left = parted.after.tangential_force[0].hypot(parted.after.tangential_force[1]) + parted.after.normal_force;
    findings.checks.extend([
        GONE.close("separates: force [N]", 0.0, left, 0.0),
        GONE.close("separates: stored in the tangential spring [J]", 0.0, parted.after.elastic_tangential, 0.0),
    ]);
    findings.tables.push(table);
    findings.notes.push(
        "angle: of the force to the movement after the step. `conventional` is the usual step without refinements: trial force, cut off at the limit."
            .to_owned(),
    );
    Ok(findings)
}

fn checks(step: &Step, taken: &Taken) -> Vec<Check> {
    let label = |what: &str| format!("{}: {what}", step.name);
    let [booked, by_force] = taken.stored();
    vec![
        EQUATIONS.close(label("distance of the forces over mu N"), 0.0, taken.force_error(), FORCE),
        WORK.close(label("work over mu N slip"), taken.scaled(taken.exact.work), taken.scaled(taken.work()), OF_WORK),
        WORK.close(label("stored over mu N slip"), taken.scaled(by_force), taken.scaled(booked), OF_WORK),
    ]
}
