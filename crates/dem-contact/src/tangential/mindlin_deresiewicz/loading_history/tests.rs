//! Every way in which normal load and slip can change together, against the formulae of Di Renzo & Di Maio in force and turning
//! points. Unit of the edge and of slip: the overlap; unit of force: `μ N(1)`.

use super::*;

/// Closed forms contain a few powers of numbers near 1.
const ROUND_OFF: f64 = 1e-13;

struct Contact {
    history: LoadingHistory<f64, 61>,
    edge: f64,
}

impl Contact {
    /// A contact of overlap 1 with room for `turning_points`, pressed without slip.
    fn with_room(turning_points: usize) -> Self {
        let history = LoadingHistory::new(0.0, 0.0, [0.0; 61], turning_points + 1);
        let mut contact = Self { history, edge: 0.0 };
        contact.go(1.0, 0.0);
        contact
    }

    fn pressed() -> Self {
        Self::with_room(8)
    }

    fn go(&mut self, edge: f64, slip: f64) -> f64 {
        self.go_by(edge, slip, Travel::Exact)
    }

    fn go_by(&mut self, edge: f64, slip: f64, travel: Travel) -> f64 {
        let before = self.edge;
        self.history.advance(true, before, edge, slip, travel);
        self.edge = edge;
        self.force()
    }

    fn force(&self) -> f64 {
        let force = self.history.force(self.edge);
        assert!((force - self.history.load(self.edge).force).abs() <= ROUND_OFF);
        force
    }

    fn branches(&self) -> usize {
        self.history.branches() as usize
    }
}

fn close(a: f64, b: f64) {
    assert!((a - b).abs() < ROUND_OFF, "{a} is not {b}");
}

/// `N(z)`
fn hertz(z: f64) -> f64 {
    z * z.sqrt()
}

/// Force after slipping by `slip` on first loading from zero at an edge.
fn first(edge: f64, slip: f64) -> f64 {
    hertz(edge) - hertz(edge - slip)
}

/// Force after slipping back by `slip` from a turning point.
fn back(turning_point: f64, edge: f64, slip: f64) -> f64 {
    turning_point - 2.0 * (hertz(edge) - hertz(edge - 0.5 * slip))
}

#[test]
fn constant_load_along_the_branch_follows_the_curve_in_one_step_or_many() {
    for steps in [1, 7, 100] {
        let mut contact = Contact::pressed();
        for _ in 0..steps {
            contact.go(1.0, 0.4 / f64::from(steps));
        }
        close(contact.force(), first(1.0, 0.4));
        assert_eq!(contact.branches(), 1);
    }
}

#[test]
fn constant_load_against_the_branch_turns() {
    let mut contact = Contact::pressed();
    let turn = contact.go(1.0, 0.4);
    close(contact.go(1.0, -0.3), back(turn, 1.0, 0.3));
    assert_eq!(contact.branches(), 2);
    let lower = contact.force();
    close(contact.go(1.0, 0.2), -back(-lower, 1.0, 0.2));
    assert_eq!(contact.branches(), 3);
}

#[test]
fn a_closed_loop_is_forgotten() {
    let mut contact = Contact::pressed();
    contact.go(1.0, 0.4);
    contact.go(1.0, -0.3);
    contact.go(1.0, 0.2);
    // closes after 0.2: the rest continues the unloading branch, as if there had been no loop
    contact.go(1.0, -0.25);
    assert_eq!(contact.branches(), 2);
    let mut plain = Contact::pressed();
    plain.go(1.0, 0.4);
    plain.go(1.0, -0.35);
    close(contact.force(), plain.force());
    // loading past the first turning point leaves first loading alone
    contact.go(1.0, 0.5);
    assert_eq!(contact.branches(), 1);
    close(contact.force(), first(1.0, 0.55));
}

#[test]
fn unloading_to_minus_the_turning_point_is_first_loading_the_other_way() {
    let mut contact = Contact::pressed();
    let turn = contact.go(1.0, 0.4);
    close(contact.go(1.0, -0.8), -turn);
    assert_eq!(contact.branches(), 1);
    close(contact.go(1.0, -0.1), -first(1.0, 0.5));
    // and loading it back is unloading from there
    close(contact.go(1.0, 0.3), -back(first(1.0, 0.5), 1.0, 0.3));
    assert_eq!(contact.branches(), 2);
}

#[test]
fn slip_beyond_the_curve_slides() {
    let mut contact = Contact::pressed();
    contact.go(1.0, 0.9);
    assert!(!contact.history.slides());
    close(contact.go(1.0, 0.3), 1.0);
    assert!(contact.history.slides());
    // sliding is remembered: the displacement back is twice the displacement there
    contact.go(1.0, -1.9);
    assert!(!contact.history.slides());
    close(contact.go(1.0, -0.2), -1.0);
    assert!(contact.history.slides());
}

#[test]
fn more_load_along_the_branch_moves_force_and_turning_points_then_travels() {
    let mut contact = Contact::pressed();
    let turn = contact.go(1.0, 0.4);
    let low = contact.go(1.0, -0.3);
    // 0.1 of the slip is transport: the force falls by ΔN, the turning point rises by ΔN
    let q = hertz(1.1) - 1.0;
    let moved = contact.go(1.1, -0.1);
    close(moved, low - q);
    close(contact.go(1.1, -0.05), back(turn + q, 1.1, 0.3 + 2.0 * 0.1 + 0.05));
    let mut at_once = Contact::pressed();
    at_once.go(1.0, 0.4);
    at_once.go(1.0, -0.3);
    close(at_once.go(1.1, -0.15), contact.force());
}

#[test]
fn more_load_along_the_branch_with_little_slip_is_full_stick() {
    let mut contact = Contact::pressed();
    let start = contact.go(1.0, 0.4);
    let q = hertz(1.1) - 1.0;
    let force = contact.go(1.1, 0.03);
    close(force, start + 0.3 * q);
    // the state is now that of first loading to this force
    close(contact.go(1.1, 0.1), first(1.1, 0.1 + 1.1 - (hertz(1.1) - force).cbrt().powi(2)));
    assert_eq!(contact.branches(), 1);
}

#[test]
fn more_load_against_the_branch_turns_then_moves_then_travels() {
    let mut contact = Contact::pressed();
    let turn = contact.go(1.0, 0.4);
    let q = hertz(1.1) - 1.0;
    close(contact.go(1.1, -0.1), turn - q);
    assert_eq!(contact.branches(), 2);
    close(contact.go(1.1, -0.2), back(turn + q, 1.1, 2.0 * 0.1 + 0.2));
}

#[test]
fn more_load_against_the_branch_with_little_slip_turns_and_sticks() {
    let mut contact = Contact::pressed();
    let turn = contact.go(1.0, 0.4);
    let q = hertz(1.1) - 1.0;
    close(contact.go(1.1, -0.03), turn - 0.3 * q);
    assert_eq!(contact.branches(), 2);
    // the turning point has moved with the load: reloading closes the loop there
    let slip_to_close = 2.0 * (1.1 - (1.0 + 0.5 * 0.7 * q).cbrt().powi(2));
    contact.go(1.1, slip_to_close - 1e-9);
    assert_eq!(contact.branches(), 3);
    contact.go(1.1, 2e-9);
    assert_eq!(contact.branches(), 1);
}

#[test]
fn no_slip_with_more_load_keeps_the_force() {
    let mut contact = Contact::pressed();
    let start = contact.go(1.0, 0.4);
    close(contact.go(1.3, 0.0), start);
    let mut unloaded = Contact::pressed();
    assert_eq!(unloaded.go(1.3, 0.0), 0.0);
    assert_eq!(unloaded.branches(), 0);
}

#[test]
fn less_load_moves_against_the_branch_and_the_net_displacement_travels() {
    let mut contact = Contact::pressed();
    contact.go(1.0, 0.4);
    // the displacement at a point inside stays; a small reversal of slip still loads
    for (slip, total) in [(0.0, 0.4), (-0.06, 0.34), (0.05, 0.39)] {
        let force = contact.go(contact.edge - 0.1, slip);
        close(force, first(contact.edge, total));
        assert_eq!(contact.branches(), 1);
    }
    let mut twice = Contact::pressed();
    let turn = twice.go(1.0, 0.4);
    twice.go(1.0, -0.3);
    // transport by 0.1 along the unloading branch, then 0.12 along it: the net displacement
    let q = hertz(0.9) - 1.0;
    close(twice.go(0.9, -0.02), back(turn + q, 0.9, 0.3 + 2.0 * -0.1 + 0.12));
    assert_eq!(twice.branches(), 2);
}

#[test]
fn less_load_with_net_displacement_against_the_branch_turns_at_the_moved_point() {
    let mut contact = Contact::pressed();
    let start = contact.go(1.0, 0.4);
    let q = hertz(0.9) - 1.0;
    close(contact.go(0.9, -0.17), back(start + q, 0.9, 0.07));
    assert_eq!(contact.branches(), 2);
}

#[test]
fn a_shrinking_contact_erases_the_turning_point_it_reaches() {
    let mut contact = Contact::pressed();
    contact.go(1.0, 0.4);
    contact.go(1.0, -0.1);
    assert_eq!(contact.branches(), 2);
    // the annulus that slipped back ends at the overlap 0.95; beyond it the displacement inside is 0.3, whatever was outside
    close(contact.go(0.8, 0.0), first(0.8, 0.3));
    assert_eq!(contact.branches(), 1);
    // in two steps, or with the turning point on the edge of the step
    for between in [0.97, 0.95, 0.9] {
        let mut slower = Contact::pressed();
        slower.go(1.0, 0.4);
        slower.go(1.0, -0.1);
        slower.go(between, 0.0);
        close(slower.go(0.8, 0.0), first(0.8, 0.3));
        assert_eq!(slower.branches(), 1);
    }
}

#[test]
fn the_force_changes_sign_on_first_loading_without_a_turning_point() {
    let mut contact = Contact::pressed();
    contact.go(1.0, 0.05);
    // the edge passes the stick circle: nothing of the first loading is left but the displacement inside, −0.05
    let force = contact.go(0.9, -0.1);
    close(force, -first(0.9, 0.05));
    assert_eq!(contact.branches(), 1);
    close(contact.go(0.9, -0.1), -first(0.9, 0.15));
}

#[test]
fn a_shrinking_contact_without_load_stays_without_load() {
    let mut contact = Contact::pressed();
    for edge in [0.9, 0.5, 0.1] {
        assert_eq!(contact.go(edge, 0.0), 0.0);
    }
}

#[test]
fn sliding_goes_on_while_the_contact_springs_back() {
    let mut contact = Contact::pressed();
    contact.go(1.0, 2.0);
    for edge in [0.7, 0.4, 0.1] {
        // less than the transport: sliding forward still
        close(contact.go(edge, -0.29), hertz(edge));
        assert!(contact.history.slides());
    }
}

#[test]
fn no_normal_load_clears_the_history() {
    let mut contact = Contact::pressed();
    contact.go(1.0, 0.4);
    contact.go(1.0, -0.1);
    assert_eq!(contact.go(0.0, 0.1), 0.0);
    let (branches, _, circles) = contact.history.record();
    assert!(branches == 0.0 && circles.iter().all(|&z| z == 0.0));
}

#[test]
fn steps_of_any_size_agree_if_load_and_slip_are_proportional() {
    // (edge, slip): simple in every step
    let path = [(1.3, 0.5), (1.1, -0.5), (1.2, 0.2), (0.7, 0.1), (0.9, -0.4), (0.85, 0.3), (1.4, 0.6)];
    let mut coarse = Contact::pressed();
    let mut fine = Contact::pressed();
    for (edge, slip) in path {
        let start = fine.edge;
        coarse.go(edge, slip);
        for k in 1..=50 {
            fine.go(start + (edge - start) * f64::from(k) / 50.0, slip / 50.0);
        }
        assert!((coarse.force() - fine.force()).abs() < 1e-12, "{edge}: {} {}", coarse.force(), fine.force());
    }
}

#[test]
fn tangents_converge_to_the_curve_at_first_order_and_never_pass_the_limit() {
    let error = |steps: u32| {
        let mut contact = Contact::pressed();
        let mut worst = 0.0f64;
        for (end, sign) in [(0.7, 1.0), (-0.5, -1.0)] {
            for _ in 0..steps {
                contact.go_by(1.0, sign * 0.7 / f64::from(steps), Travel::Tangent);
            }
            let exact = if end > 0.0 { first(1.0, 0.7) } else { back(first(1.0, 0.7), 1.0, 0.7) };
            worst = worst.max((contact.force() - exact).abs());
        }
        worst
    };
    let (coarse, fine) = (error(20), error(40));
    assert!((1.8..2.2).contains(&(coarse / fine)), "{coarse} {fine}");
    let mut contact = Contact::pressed();
    close(contact.go_by(1.0, 10.0, Travel::Tangent), 1.0);
    close(contact.go_by(1.0, -10.0, Travel::Tangent), -1.0);
}

#[test]
fn the_smallest_loop_is_dropped_without_a_jump_and_counted() {
    for room in [FEWEST_TURNING_POINTS, 8] {
        let mut short = Contact::with_room(room);
        let mut long = Contact::with_room(60);
        let mut sign = 1.0;
        let mut largest = 0.0f64;
        // ever smaller loops, 25 of them, then out again
        for k in 0..25 {
            let slip = sign * 0.9 * 0.85f64.powi(k);
            let before = short.force();
            short.go(1.0, 1e-14 * sign);
            assert!((short.force() - before).abs() < 1e-12, "a jump of the force");
            largest = largest.max((short.go(1.0, slip) - long.go(1.0, slip)).abs());
            sign = -sign;
        }
        assert!(short.history.record().1 > 0.0);
        assert_eq!(long.history.record().1, 0.0);
        assert!(short.branches() <= room + 1 && long.branches() == 25);
        println!("room for {room}: largest error {largest:.4}");
        assert!(largest > 0.0 && largest < if room == 8 { 0.01 } else { 0.05 });
        close(short.go(1.0, 3.0), 1.0);
        assert_eq!(short.branches(), 1);
    }
}

#[test]
fn the_energy_is_what_the_force_can_give_back() {
    let mut contact = Contact::pressed();
    let energy = |contact: &Contact| 0.75 * contact.history.load(contact.edge).energy;
    // first order in the slip: nothing has slipped, all is energy; unit of work: unit force × unit slip
    contact.go(1.0, 1e-4);
    let work = 0.5 * contact.force() * 1e-4;
    assert!((energy(&contact) / work - 1.0).abs() < 1e-4);
    // one branch: u = 0.3 inside the circle at √0.7, 1 − x² outside
    contact.go(1.0, 0.3 - 1e-4);
    let root = 0.7f64.sqrt();
    let integral = |x: f64| x - 2.0 / 3.0 * x.powi(3) + 0.2 * x.powi(5);
    close(energy(&contact), 0.75 * (0.09 * root + integral(1.0) - integral(root)));
}
