//! A container poured full until at rest: the example of 5,000 spheres, or 150 in a narrow cylinder.

use dem_report::report::Figure;
use dem_sim::measure;
use dem_sim::simulation::{Simulation, StopReason};
use dem_studies::error::StudyError;
use dem_view::{LinePlot, Series, SeriesStyle};
use dem_workloads::scenes::CONTAINER_FILLING;

use crate::case::{Case, Effort, Findings};
use crate::check::{Check, Claim, Tier};

/// The case.
pub const CASE: Case = Case {
    name: "container-filling",
    summary: "Spheres poured into a cylinder until at rest: the walls carry the weight, overlaps are small, energy is accounted for, the packing is random.",
    claims: &[STATICS, BOUNDS, LEDGER, PACKING],
    run,
};

const STATICS: Claim = Claim {
    source: "equilibrium of the packing",
    tier: Tier::ClosedForm,
    weakness: "the sum over the walls, not its distribution",
};

const BOUNDS: Claim = Claim {
    source: "what the scene asks for: all spheres, at rest, contacts that stay small",
    tier: Tier::Own,
    weakness: "one seed",
};

const LEDGER: Claim =
    Claim { source: "conservation", tier: Tier::ClosedForm, weakness: "does not tell which term is wrong" };

const PACKING: Claim = Claim {
    source: "random loose to random close packing of equal spheres, 0.55 to 0.64",
    tier: Tier::Measured,
    weakness: "sizes differ by 40 %; bulk only, which the narrow cylinder of the quick run does not have",
};

/// What makes a small run of the example.
const NARROW: [&str; 5] = [
    "walls.0.shape.radius=0.012",
    "walls.1.shape.radius=0.012",
    "particles.0.region.radius=0.0115",
    "particles.0.fill.count=150",
    "particles.0.fill.rate=500",
];
/// A third of the automatic step.
const FINE: &str = "time.step=2e-6";
/// Without tangential dashpots, whose work is booked from the state at the end of a step: of first order in it where a contact begins to stick under a
/// rising normal force.
const NO_DASHPOT: &str = "contact.tangential_damping_ratio=0";
/// Largest error of the balance over what contacts dissipate: at the automatic step, which is chosen for stability, at a third of it, and there
/// without tangential dashpots.
const OF_BALANCE: [f64; 3] = [6e-3, 2.5e-3, 2e-4];
/// Steps between two looks at the walls.
const LOOK: u64 = 50;
/// Looks that a point of the figure is the mean of.
const MEAN: usize = 100;

/// Vertical force of each wall on the spheres \[N\].
fn carried(simulation: &Simulation) -> [f64; 2] {
    let up = measure::up(&simulation.world);
    let force = |k: usize| simulation.world.walls.get(k).map_or(f64::NAN, |wall| -wall.force.dot(up));
    [force(0), force(1)]
}

/// A container that was poured full.
struct Poured {
    simulation: Simulation,
    /// Balance of energy at the start \[J\].
    start: f64,
    /// Time \[s\] and what floor and cylinder carried \[N\].
    looks: Vec<[f64; 3]>,
}

impl Poured {
    fn new(overrides: &[&str]) -> Result<Self, StudyError> {
        let overrides: Vec<String> = overrides.iter().map(|&text| text.to_owned()).collect();
        let mut simulation = CONTAINER_FILLING.simulation(&overrides)?;
        let start = simulation.world.energy().balance();
        let mut looks: Vec<[f64; 3]> = Vec::new();
        while simulation.state.stopped.is_none() {
            simulation.advance()?;
            if simulation.world.step.is_multiple_of(LOOK) {
                let [floor, side] = carried(&simulation);
                looks.push([simulation.world.time, floor, side]);
            }
        }
        Ok(Self { simulation, start, looks })
    }

    fn weight(&self) -> f64 {
        let world = &self.simulation.world;
        world.fields.gravity.length() * world.particles.sum(|slot| world.particles.mass[slot])
    }

    /// All checks but that of the energy.
    fn checks(&self, label: &str, count: f64) -> Vec<Check> {
        let (world, state) = (&self.simulation.world, &self.simulation.state);
        let up = measure::up(world);
        let carried: f64 = state.rest_wall_force.iter().map(|force| -force.dot(up)).sum();
        let on_walls = carried / state.rest_looks as f64 / self.weight();
        let at_rest = f64::from(u8::from(state.stopped == Some(StopReason::AtRest)));
        let named = |what: &str| format!("{label}: {what}");
        vec![
            BOUNDS.close(named("comes to rest"), 1.0, at_rest, 0.0),
            BOUNDS.close(named("spheres in the container"), count, world.particles.len() as f64, 0.0),
            BOUNDS.between(named("largest overlap over radius at rest"), 0.0, 0.01, world.forces.largest_overlap_ratio),
            BOUNDS.between(named("largest overlap over radius while pouring"), 0.0, 0.05, world.peak_overlap_ratio),
            STATICS.close(named("vertical force on the walls over weight, mean of the rest"), 1.0, on_walls, 5e-3),
        ]
    }

    fn ledger(&self, label: &str, tolerance: f64) -> Check {
        let ledger = self.simulation.world.energy();
        let error = (ledger.balance() - self.start) / ledger.dissipated_at_contacts();
        let quantity = format!("150 spheres, {label}: error of the energy balance over what contacts dissipate");
        LEDGER.close(quantity, 0.0, error, tolerance)
    }
}

fn run(effort: Effort) -> Result<Findings, StudyError> {
    let narrow = Poured::new(&NARROW)?;
    let fine = Poured::new(&[&NARROW[..], &[FINE]].concat())?;
    let mut findings = Findings { checks: narrow.checks("150 spheres", 150.0), ..Findings::default() };
    let automatic = format!("automatic step of {:.2e} s", narrow.simulation.world.time_step);
    findings.checks.push(narrow.ledger(&automatic, OF_BALANCE[0]));
    findings.checks.push(fine.ledger("a third of it, 2 us", OF_BALANCE[1]));
    let undamped = Poured::new(&[&NARROW[..], &[FINE, NO_DASHPOT]].concat())?;
    findings.checks.push(undamped.ledger("2 us, no tangential dashpots", OF_BALANCE[2]));
    findings.figures.push(Figure { name: "container_filling_150", panels: vec![panel(&narrow)] });
    if effort == Effort::Full {
        let example = Poured::new(&[])?;
        findings.checks.extend(example.checks("5,000 spheres", 5000.0));
        let fraction = measure::bulk_packing_fraction(&example.simulation.world).unwrap_or(f64::NAN);
        findings.checks.push(PACKING.between("5,000 spheres: packing fraction of the bulk", 0.55, 0.64, fraction));
        findings.figures.push(Figure { name: "container_filling_5000", panels: vec![panel(&example)] });
    }
    Ok(findings)
}

fn panel(poured: &Poured) -> LinePlot {
    let weight = poured.weight();
    let curve = |label: &str, style: SeriesStyle, of: fn(&[f64; 3]) -> f64| Series {
        label: label.to_owned(),
        // single impacts are twenty times the weight
        points: poured
            .looks
            .chunks(MEAN)
            .map(|looks| {
                let mean = looks.iter().map(of).sum::<f64>() / looks.len() as f64;
                [looks[looks.len() / 2][0], mean / weight]
            })
            .collect(),
        style,
    };
    LinePlot {
        title: format!("What the walls carry, means over {} steps", MEAN as u64 * LOOK),
        x_label: "time [s]".into(),
        y_label: "vertical force over weight".into(),
        series: vec![
            curve("floor", SeriesStyle::Line, |look| look[1]),
            curve("together", SeriesStyle::Dashes, |look| look[1] + look[2]),
            curve("cylinder", SeriesStyle::Line, |look| look[2]),
        ],
        ..LinePlot::default()
    }
}
