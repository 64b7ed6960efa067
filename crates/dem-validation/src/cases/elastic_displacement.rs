//! The elastic displacement of Zabulionis's impact by method I, which jumps where slip begins, and method II, which does not; and why the
//! two differ in the plane: the force of an incremental law is not parallel to the displacement.

use dem_contact::Mode;
use dem_report::report::Figure;
use dem_studies::error::StudyError;
use dem_studies::impact::{Collision, Moment};
use dem_studies::named_choice::NamedChoice;
use dem_studies::path::driven_contact::{Answer, DrivenContact};
use dem_studies::path::histories::{Load, Point, Scale};
use dem_studies::sphere_and_partner::SphereAndPartner;
use dem_view::{LinePlot, Series, SeriesStyle};

use super::zabulionis::{PUBLISHED, bodies, engine, events, next_contact};
use crate::case::{Case, Effort, Findings};
use crate::check::{Claim, Tier};

/// The case.
pub const CASE: Case = Case {
    name: "elastic-displacement",
    summary: "Elastic displacement of the impact of Zabulionis and others (2012) by methods I and II: jump, end value, the same force, and the angle between force and displacement in the plane.",
    claims: &[EVENTS, SAME, PLANE],
    run,
};

const EVENTS: Claim = Claim {
    source: "event-driven solution of the impact of Zabulionis and others (2012), section 4.2",
    tier: Tier::Independent,
    weakness: "two contacts of one sphere",
};

const SAME: Claim = Claim {
    source: "equation 44 of Zabulionis and others (2012)",
    tier: Tier::Own,
    weakness: "direction of the trial force only",
};

const PLANE: Claim = Claim {
    source: "sum of k ds over two legs at right angles, k in proportion to the root of the overlap (Zabulionis and others 2012, figure 7)",
    tier: Tier::ClosedForm,
    weakness: "one path, which sticks",
};

/// Steps of a leg in the plane.
const LEG: usize = 50;

/// A point of a path in the plane, over what its first leg comes to; not a number where the contact slides.
struct InPlane {
    displacement: [f64; 2],
    force: [f64; 2],
}

/// A path in the plane that sticks: along x, off to a quarter of the overlap, as far along y.
fn in_the_plane(law: &str) -> Result<Vec<InPlane>, StudyError> {
    let bodies = SphereAndPartner { law: NamedChoice::law(law)?, ..bodies("")? };
    let pair = bodies.pair()?;
    let overlap = 1e-3 * bodies.radius;
    let slip = 0.05 * Scale::new(&pair, overlap).slip;
    let mut contact = DrivenContact::new(&bodies, 1e-5)?;
    let point = |overlap, x, y| Point { load: Load::Overlap(overlap), slip: [x, y] };
    let share = |step: usize| step as f64 / LEG as f64;
    let along = (0..=LEG).map(|step| point(overlap, share(step) * slip, 0.0));
    let up = (1..=LEG).map(|step| point(overlap * (1.0 - 0.75 * share(step)), slip, 0.0));
    let across = (1..=LEG).map(|step| point(0.25 * overlap, slip, share(step) * slip));
    let answers = contact.follow(&along.chain(up).chain(across).collect::<Vec<_>>())?;
    let first = answers.get(LEG).map_or(f64::NAN, |answer| answer.tangential_force[0]);
    let relative = |answer: &Answer| match answer.mode {
        Mode::Stick => InPlane {
            displacement: answer.slip.map(|s| s / slip),
            force: answer.tangential_force.map(|force| force / first),
        },
        _ => InPlane { displacement: [f64::NAN; 2], force: [f64::NAN; 2] },
    };
    Ok(answers.iter().skip(1).map(relative).collect())
}

/// Angle between displacement and force at the end of a path \[degrees\]; not a number if the contact ever slid.
fn angle_between(path: &[InPlane]) -> f64 {
    let stuck = path.iter().all(|point| point.displacement[0].is_finite());
    let direction = |[x, y]: [f64; 2]| y.atan2(x).to_degrees();
    path.last().filter(|_| stuck).map_or(f64::NAN, |end| direction(end.displacement) - direction(end.force))
}

/// Change of the elastic displacement in the step in which the last slip begins, and the largest change of the steps around it.
fn jump(collision: &Collision) -> (f64, f64) {
    let history = &collision.history;
    let begins = |k: &usize| history[*k].mode == Mode::Slide && history[k - 1].mode == Mode::Stick;
    let Some(at) = (1..history.len()).rfind(begins) else { return (f64::NAN, f64::NAN) };
    let change = |k: usize| history[k].elastic_slip - history[k - 1].elastic_slip;
    let around = (at.saturating_sub(20).max(1)..(at + 20).min(history.len() - 1)).filter(|&k| k != at);
    (change(at), around.map(|k| change(k).abs()).fold(0.0, f64::max))
}

fn run(effort: Effort) -> Result<Findings, StudyError> {
    let one = engine("elastic_displacement=secant", PUBLISHED, effort)?;
    let two = engine("elastic_displacement=incremental", PUBLISHED, effort)?;
    let exact = events(PUBLISHED)?;
    let again = next_contact(&one);
    let (second, second_exact) = (engine("elastic_displacement=secant", again, effort)?, events(again)?);
    let second_two = engine("elastic_displacement=incremental", again, effort)?;
    let second_expected = second_exact.intervals.last().map_or(f64::NAN, |interval| interval.secant_jump);
    let (second_jump, second_usual) = jump(&second);
    let expected = exact.intervals.last().map_or(f64::NAN, |interval| interval.secant_jump);
    let left = exact.history.last().map_or(f64::NAN, |m| m.continuous_elongation);
    let ((jump_one, usual), (jump_two, _)) = (jump(&one), jump(&two));
    let end =
        |c: &Collision| c.history.iter().rev().find(|m| m.mode != Mode::Open).map_or(f64::NAN, |m| m.elastic_slip);
    let largest = one.largest(|m| m.tangential_force.abs());
    let pairs = one.history.iter().zip(&two.history);
    let apart = pairs.map(|(a, b)| (a.tangential_force - b.tangential_force).abs()).fold(0.0, f64::max);
    let largest_slip = two.largest(|m| m.elastic_slip.abs());
    let incremental = in_the_plane("mindlin:stiffness_rule=kohring,unloading=none")?;
    let total = in_the_plane("mindlin-total:stiffness_rule=kohring")?;
    // the stiffness of the second leg is half that of the first
    let parted = 45.0 - 0.5_f64.atan().to_degrees();
    Ok(Findings {
        checks: vec![
            EVENTS.close(
                "jump where slip begins, method I [m]",
                expected,
                jump_one,
                2.0 * usual + 1e-3 * expected.abs(),
            ),
            EVENTS.close("jump where slip begins, method II [m]", 0.0, jump_two, 2.0 * usual),
            EVENTS.close(
                "jump by the steps around it, method I",
                expected / usual,
                jump_one / usual,
                2.0 + 1e-3 * (expected / usual).abs(),
            ),
            EVENTS.relative("left at separation, method II [m]", left, end(&two), 2e-3),
            EVENTS.close("left at separation, method I [m]", 0.0, end(&one), 2e-3 * largest_slip),
            EVENTS.close(
                "jump where slip begins in the second contact, method I [m]",
                second_expected,
                second_jump,
                2.0 * second_usual + 1e-3 * second_expected.abs(),
            ),
            SAME.close("difference of the forces, share of the largest", 0.0, apart / largest, 1e-12),
            PLANE.close(
                "in the plane: angle between displacement and incremental force [degrees]",
                parted,
                angle_between(&incremental),
                1e-9,
            ),
            PLANE.close(
                "in the plane: angle between displacement and total force [degrees]",
                0.0,
                angle_between(&total),
                1e-9,
            ),
        ],
        figures: vec![
            Figure { name: "zabulionis_figure_6", panels: figure([&one, &second], [&two, &second_two]) },
            Figure { name: "zabulionis_figure_7", panels: vec![plane(&incremental, &total)] },
        ],
        ..Findings::default()
    })
}

/// Figure 6 of the source: displacement over time in both contacts, and force over displacement in the first.
fn figure(one: [&Collision; 2], two: [&Collision; 2]) -> Vec<LinePlot> {
    let series = |label: &str, collision: &Collision, point: &dyn Fn(&Moment) -> [f64; 2]| {
        let stride = (collision.history.len() / 1000).max(1);
        let kept = collision.history.iter().filter(|m| m.mode != Mode::Open).step_by(stride);
        Series { label: label.to_owned(), points: kept.map(point).collect(), style: SeriesStyle::Line }
    };
    let panel =
        |title: &str, x_label: &str, y_label: &str, contact: usize, point: &dyn Fn(&Moment) -> [f64; 2]| LinePlot {
            title: title.to_owned(),
            x_label: x_label.into(),
            y_label: y_label.into(),
            series: vec![
                series("method I, T/k", one[contact], point),
                series("method II, by increments", two[contact], point),
            ],
            ..LinePlot::default()
        };
    let displacement = "elastic displacement [m]";
    vec![
        panel("first contact", "t/T", displacement, 0, &|m| [m.time / one[0].contact_time, m.elastic_slip]),
        panel("second contact", "t/T", displacement, 1, &|m| [m.time / one[1].contact_time, m.elastic_slip]),
        panel("first contact", displacement, "tangential force [N]", 0, &|m| [m.elastic_slip, m.tangential_force]),
    ]
}

/// Figure 7 of the source: where displacement and force go in the plane.
fn plane(incremental: &[InPlane], total: &[InPlane]) -> LinePlot {
    let series = |label: &str, points: Vec<[f64; 2]>, style| Series { label: label.to_owned(), points, style };
    let force = |path: &[InPlane]| path.iter().map(|point| point.force).collect();
    let displacement = incremental.iter().map(|point| point.displacement).collect();
    LinePlot {
        title: "along x, load off to an eighth, along y".to_owned(),
        x_label: "along x, over the first leg".into(),
        y_label: "along y, over the first leg".into(),
        series: vec![
            series("elastic displacement", displacement, SeriesStyle::Dashes),
            series("force against it, incremental", force(incremental), SeriesStyle::Line),
            series("force against it, total", force(total), SeriesStyle::Line),
        ],
        ..LinePlot::default()
    }
}
