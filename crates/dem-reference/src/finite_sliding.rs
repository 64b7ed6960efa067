//! Two equal spheres that slide over each other: one is fixed, the centre of the other moves along a given path and does not turn.
//!
//! With the distance `d(s)` of the centres at the path coordinate `s`, the overlap `h = 2R − d`, `N = k_n h^(3/2)`,
//! `k_n = (4/3) E* √(R/2)`, and the angle β between path and contact plane, `sin β = d'(s)`:
//!
//! | | |
//! |---|---|
//! | force along the path | `T* = N sin β − σ μ N cos β`, `σ` the sign of the velocity |
//! | force across it | `N* = N cos β + σ μ N sin β` |
//! | work of the load | `−(2/5) k_n h^(5/2)` |
//! | velocity | `v² = v₀² + 2 W/m` |
//! | critical velocity | `v_crit² = −2 W(s_m)/m` at the place `s_m` of the least work; slower spheres do not pass |
//! | velocity of the loss | `v_μ² = −2 W_μ/m` over the whole path, at whose end the load has given back its work |
//! | restitution | `e_s = √(1 − (v_μ/v₀)²)` |
//!
//! The work falls as long as `tan β < μ`, and a sphere that is too slow is stopped where it is least: at `tan β = μ`, on a line at
//! `s_m = μ y_c`, if the path comes so far, and else at the end of the contact, where `v_crit = v_μ`. On the line the border is
//! `μ = s_u/y_c`, 0.593 for `h₀ = 0.28 R`; below it `v_crit` is larger: 1.0165 v_μ at μ = 0.3, 1.064 at 0.2, 1.577 at 0.05.
//!
//! | path | distance | `cos β` | end |
//! |---|---|---|---|
//! | line, `y_c = 2R − h₀` | `√(s² + y_c²)` | `y_c/d` | `√(4R h₀ − h₀²)` |
//! | circle of radius `ρ = y_c/(1 − k)` about a point `kρ` below | `ρ q`, `q² = 1 + k² − 2k cos(s/ρ)` | `(1 − k cos(s/ρ))/q` | `d = 2R` |
//!
//! For the line the friction work is a sum of elliptic integrals of the modulus `√((1 − k_r)/(1 + k_r))`, `k_r = y_c/2R`; from the
//! middle to the angle α, `tan α = s/y_c`,
//!
//! ```text
//! (8√2/3) μ k_n k_r R^(5/2) { √(1+k_r) [(k_r+3) F(φ) − 4 E(φ)] − z },   sin φ = tan(α/2)/modulus
//! z = sin α √(cos α − k_r) (k_r + (k_r − 4) cos α) / (cos^(3/2) α (1 + cos α))
//! ```
//!
//! The terms cancel to the square of `h₀/R`, which costs as many digits.
//!
//! Source: R. Balevičius, Z. Mróz, A finite sliding model of two identical spheres under displacement and force control, part II: dynamic
//! analysis, Acta Mech. (2013, published online on 17 November), equations 1 to 35, with these corrections: the first term of N* in (1d)
//! has the cosine; (12) lacks a factor 2; in (13) the bracket is the overlap over 2R; the angle of (15) is `arctan(s/(2 k_r R))` and its
//! limits are exchanged; `e_s` is the same function of `v_μ/v₀` on every path; (21) and (34) are the velocity of the loss, which the
//! source takes for the critical one whatever the friction.

use crate::error::{ReferenceError, positive};
use crate::quadrature::{gauss, gauss_to, lobatto};

/// Path of the moving centre.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Path {
    /// A straight line.
    Line,
    /// A circle with an eccentricity in (0, 1), its centre on the far side of the fixed sphere.
    Circle(f64),
}

/// Two spheres and a path.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FiniteSliding {
    radius: f64,
    stiffness: f64,
    friction: f64,
    mass: f64,
    path: Path,
    /// Smallest distance of the centres.
    height: f64,
    end: f64,
}

impl FiniteSliding {
    /// Spheres of a radius \[m\], a stiffness `k_n` [N/m^(3/2)], friction, a moving mass \[kg\] and the largest overlap \[m\] of the path.
    ///
    /// # Errors
    /// A constant that is not positive, an overlap of a radius or more, an eccentricity outside (0, 1), or a circle so nearly
    /// concentric that the spheres never part.
    pub fn new(
        radius: f64,
        stiffness: f64,
        friction: f64,
        mass: f64,
        overlap: f64,
        path: Path,
    ) -> Result<Self, ReferenceError> {
        let constants = [
            ("radius", radius),
            ("stiffness", stiffness),
            ("friction", friction),
            ("mass", mass),
            ("overlap", overlap),
        ];
        for (name, value) in constants {
            positive(name, value)?;
        }
        if overlap >= radius {
            let allowed = format!("an overlap below the radius {radius}");
            return Err(ReferenceError::Argument { argument: "overlap", value: overlap.to_string(), allowed });
        }
        let height = 2.0 * radius - overlap;
        let end = match path {
            Path::Line => (4.0 * radius * overlap - overlap * overlap).sqrt(),
            Path::Circle(eccentricity) => {
                let path_radius = height / (1.0 - eccentricity);
                let half_sine = ((radius + 0.5 * height) * (radius - 0.5 * height) / eccentricity).sqrt() / path_radius;
                let parts = eccentricity > 0.0 && eccentricity < 1.0 && half_sine < 1.0;
                if !parts {
                    let allowed = "a number in (0, 1) with which the spheres part".into();
                    let value = eccentricity.to_string();
                    return Err(ReferenceError::Argument { argument: "eccentricity", value, allowed });
                }
                2.0 * path_radius * half_sine.asin()
            }
        };
        Ok(Self { radius, stiffness, friction, mass, path, height, end })
    }

    /// Path coordinate at which the spheres part, `s_u` \[m\]; they meet at its opposite.
    pub fn end(&self) -> f64 {
        self.end
    }

    /// Radius of the spheres \[m\].
    pub fn radius(&self) -> f64 {
        self.radius
    }

    /// Coefficient of friction.
    pub fn friction_coefficient(&self) -> f64 {
        self.friction
    }

    /// Moving mass \[kg\].
    pub fn mass(&self) -> f64 {
        self.mass
    }

    /// Distance of the centres \[m\], sine and cosine of β.
    fn geometry(&self, s: f64) -> (f64, f64, f64) {
        match self.path {
            Path::Line => {
                let distance = s.hypot(self.height);
                (distance, s / distance, self.height / distance)
            }
            Path::Circle(eccentricity) => {
                let path_radius = self.height / (1.0 - eccentricity);
                // d² = y_c² + 4kρ² sin²(s/2ρ): no cancellation on a path that is nearly straight
                let half_sine = (0.5 * s / path_radius).sin();
                let rise = 2.0 * eccentricity * half_sine * half_sine;
                let distance = self.height.hypot(2.0 * eccentricity.sqrt() * path_radius * half_sine);
                let q = distance / path_radius;
                (distance, eccentricity * (s / path_radius).sin() / q, (1.0 - eccentricity + rise) / q)
            }
        }
    }

    /// Slip in the plane of the contact since the middle of the path \[m\], `∫ cos β ds`.
    pub fn slip(&self, s: f64) -> f64 {
        match self.path {
            Path::Line => self.height * (s / self.height).asinh(),
            Path::Circle(_) => gauss(|s| self.geometry(s).2, 0.0, s, 2),
        }
    }

    /// Overlap \[m\], zero beyond the ends.
    pub fn overlap(&self, s: f64) -> f64 {
        (2.0 * self.radius - self.geometry(s).0).max(0.0)
    }

    /// Normal force \[N\].
    pub fn normal_force(&self, s: f64) -> f64 {
        self.stiffness * self.overlap(s).powf(1.5)
    }

    /// Forces on the moving centre \[N\] along its path and across it, away from the fixed sphere, while it slides one way.
    pub fn path_forces(&self, s: f64, direction: f64) -> [f64; 2] {
        self.path_forces_with(s, -direction.signum() * self.friction * self.normal_force(s))
    }

    /// The same with any friction on the moving sphere \[N\].
    pub fn path_forces_with(&self, s: f64, friction: f64) -> [f64; 2] {
        let (_, sine, cosine) = self.geometry(s);
        let load = self.normal_force(s);
        [load * sine + friction * cosine, load * cosine - friction * sine]
    }

    /// Friction over the path, positive \[N\].
    fn friction_force(&self, s: f64) -> f64 {
        self.friction * self.normal_force(s) * self.geometry(s).2
    }

    /// Work of friction from touch at `−s_u` to `s`, negative \[J\], by Gauss quadrature in `arcsin(s/s_u)`, in which the force is
    /// smooth to its ends.
    pub fn friction_work(&self, s: f64) -> f64 {
        let to = (s / self.end).clamp(-1.0, 1.0).asin();
        let rate = |angle: f64| self.friction_force(self.end * angle.sin()) * self.end * angle.cos();
        -gauss(rate, -std::f64::consts::FRAC_PI_2, to, 4)
    }

    /// The same by elliptic integrals; not for a circle.
    ///
    /// # Errors
    /// A circle.
    pub fn friction_work_elliptic(&self, s: f64) -> Result<f64, ReferenceError> {
        if self.path != Path::Line {
            let detail = "the friction work on a circle is no known elliptic integral".into();
            return Err(ReferenceError::Convergence { method: "elliptic integrals of finite sliding", detail });
        }
        let ratio = self.height / (2.0 * self.radius);
        let modulus = ((1.0 - ratio) / (1.0 + ratio)).sqrt();
        let failed = |message: &'static str| ReferenceError::Convergence {
            method: "elliptic integrals of finite sliding",
            detail: message.to_owned(),
        };
        let parameter = modulus * modulus;
        let scale =
            8.0 * std::f64::consts::SQRT_2 / 3.0 * self.friction * self.stiffness * ratio * self.radius.powf(2.5);
        let bracket = |first: f64, second: f64| (1.0 + ratio).sqrt() * ((ratio + 3.0) * first - 4.0 * second);
        let first = ellip::ellipk(parameter).map_err(failed)?;
        let half = bracket(first, ellip::ellipe(parameter).map_err(failed)?);
        if s.abs() >= self.end {
            return Ok(if s > 0.0 { -2.0 * scale * half } else { 0.0 });
        }
        let angle = (s.abs() / self.height).atan();
        let cosine = angle.cos();
        let amplitude = ((0.5 * angle).tan() / modulus).min(1.0).asin();
        let numerator = angle.sin() * (cosine - ratio).max(0.0).sqrt() * (ratio + (ratio - 4.0) * cosine);
        let z = numerator / (cosine.powf(1.5) * (1.0 + cosine));
        let first = ellip::ellipf(amplitude, parameter).map_err(failed)?;
        let part = bracket(first, ellip::ellipeinc(amplitude, parameter).map_err(failed)?) - z;
        Ok(-scale * (half + part.copysign(s)))
    }

    /// The same by one Lobatto rule of five points, equation 30 of the source.
    pub fn friction_work_lobatto(&self, s: f64) -> f64 {
        -lobatto(|x| self.friction_force(x), -self.end, s)
    }

    /// Work of friction on a circle from touch to `s`, negative \[J\], by Gauss quadrature over the distance of the centres, equation 33 of
    /// the source with the cotangent of the angle that is printed, and the limits of the distance: `−μ k_n ∫ (2R − d)^(3/2) cot β dd` on the
    /// way to the middle and from there. The root of the distance takes the singularity at the middle away. Not a number for a line.
    pub fn friction_work_by_distance(&self, s: f64) -> f64 {
        let Path::Circle(eccentricity) = self.path else { return f64::NAN };
        let rho = self.height / (1.0 - eccentricity);
        let (least, most) = (self.height, 2.0 * self.radius);
        let rate = |root: f64| {
            let d = least + root * root;
            let cosine = (d * d + rho * rho * (1.0 - eccentricity * eccentricity)) / (2.0 * d * rho);
            // sin² β = (1 − cos β)(1 + cos β), and 1 − cos β is (d_max − d)(d − d_min)/(2dρ)
            let sine_over_root = ((rho * (1.0 + eccentricity) - d) / (2.0 * d * rho) * (1.0 + cosine)).sqrt();
            2.0 * (most - d).max(0.0).powf(1.5) * cosine / sine_over_root
        };
        let from_middle = |distance: f64| gauss(rate, 0.0, (distance - least).max(0.0).sqrt(), 64);
        let half = from_middle(most);
        let part = if s.abs() < self.end { from_middle(self.geometry(s).0) } else { half };
        -self.friction * self.stiffness * (half + part.copysign(s))
    }

    /// Where the work of load and friction is least, and a sphere that does not pass is stopped at the latest \[m\].
    pub fn place_of_least_work(&self) -> f64 {
        let friction = self.friction;
        let held = match self.path {
            Path::Line => friction * self.height,
            Path::Circle(eccentricity) => {
                // k sin θ = μ (1 − k cos θ): k sin(θ + arctan μ) √(1 + μ²) = μ, whose smaller root is where β grows through the angle of friction
                let sine = friction / (eccentricity * friction.hypot(1.0));
                let rho = self.height / (1.0 - eccentricity);
                if sine < 1.0 { rho * (sine.asin() - friction.atan()) } else { self.end }
            }
        };
        // β of a circle falls again beyond its largest value, where friction may take more than the load has given
        if held < self.end && self.work(held) < self.work(self.end) { held } else { self.end }
    }

    /// Work of load and friction from touch to `s` \[J\].
    fn work(&self, s: f64) -> f64 {
        self.load_work(s) + self.friction_work(s)
    }

    /// Work of the load from touch to `s` \[J\].
    fn load_work(&self, s: f64) -> f64 {
        -0.4 * self.stiffness * self.overlap(s).powf(2.5)
    }

    /// `v_crit` \[m/s\], by quadrature.
    pub fn critical_velocity(&self) -> f64 {
        self.velocity_of(self.work(self.place_of_least_work()))
    }

    /// `v_crit` \[m/s\] with the friction work by elliptic integrals.
    ///
    /// # Errors
    /// A circle.
    pub fn critical_velocity_elliptic(&self) -> Result<f64, ReferenceError> {
        let place = self.place_of_least_work();
        Ok(self.velocity_of(self.load_work(place) + self.friction_work_elliptic(place)?))
    }

    /// `v_crit` \[m/s\] with the friction work over the distance of the centres; not a number for a line.
    pub fn critical_velocity_by_distance(&self) -> f64 {
        let place = self.place_of_least_work();
        self.velocity_of(self.load_work(place) + self.friction_work_by_distance(place))
    }

    /// `v_μ` \[m/s\], of the friction work of the whole path, by quadrature.
    pub fn loss_velocity(&self) -> f64 {
        self.velocity_of(self.friction_work(self.end))
    }

    /// `v_μ` \[m/s\], equation 21 of the source, which calls it the critical velocity.
    ///
    /// # Errors
    /// A circle.
    pub fn loss_velocity_elliptic(&self) -> Result<f64, ReferenceError> {
        Ok(self.velocity_of(self.friction_work_elliptic(self.end)?))
    }

    /// `v_μ` \[m/s\], equation 34 of the source, which calls it the critical velocity.
    pub fn loss_velocity_lobatto(&self) -> f64 {
        self.velocity_of(self.friction_work_lobatto(self.end))
    }

    fn velocity_of(&self, work: f64) -> f64 {
        (-2.0 * work / self.mass).sqrt()
    }

    /// `e_s` of a sphere that comes with `v₀` \[m/s\]; not a number if it does not pass.
    pub fn restitution(&self, velocity: f64) -> f64 {
        if velocity < self.critical_velocity() {
            return f64::NAN;
        }
        (1.0 - (self.loss_velocity() / velocity).powi(2)).sqrt()
    }

    /// Velocity \[m/s\] at `s` of a sphere that comes with `v₀` \[m/s\]; not a number where it does not come.
    pub fn velocity(&self, s: f64, initial: f64) -> f64 {
        self.velocity_after(self.friction_work(s), s, initial)
    }

    fn velocity_after(&self, friction_work: f64, s: f64, initial: f64) -> f64 {
        (initial * initial + 2.0 * (self.load_work(s) + friction_work) / self.mass).sqrt()
    }

    /// Time from touch to parting \[s\] to 1e-10 of it.
    ///
    /// # Errors
    /// A sphere that does not pass.
    pub fn contact_time(&self, initial: f64) -> Result<f64, ReferenceError> {
        let critical = self.critical_velocity();
        if initial.is_nan() || initial <= critical {
            let allowed = format!("a velocity above the critical one, {critical}");
            return Err(ReferenceError::Argument { argument: "velocity", value: initial.to_string(), allowed });
        }
        let rate = |angle: f64| self.end * angle.cos() / self.velocity(self.end * angle.sin(), initial);
        gauss_to(rate, -std::f64::consts::FRAC_PI_2, std::f64::consts::FRAC_PI_2, 1e-10)
    }

    /// The same by one Lobatto rule of five points, equation 25 of the source.
    pub fn contact_time_lobatto(&self, initial: f64) -> f64 {
        lobatto(|s| 1.0 / self.velocity(s, initial), -self.end, self.end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::runge_kutta::advance;

    fn published(overlap: f64, path: Path) -> FiniteSliding {
        with_friction(0.6, overlap, path)
    }

    fn with_friction(friction: f64, overlap: f64, path: Path) -> FiniteSliding {
        FiniteSliding::new(1.0, 1.0, friction, 1.0, overlap, path).unwrap()
    }

    /// Ratios of an independent evaluation.
    #[test]
    fn below_the_friction_of_the_end_the_critical_velocity_is_above_that_of_the_loss() {
        for (friction, ratio) in [(0.6, 1.0), (0.3, 1.0165), (0.2, 1.064), (0.05, 1.577)] {
            let sliding = with_friction(friction, 0.28, Path::Line);
            let found = sliding.critical_velocity() / sliding.loss_velocity();
            assert!((found - ratio).abs() < 5e-4, "{friction}: {found}");
        }
        // the border is s_u/y_c
        let border = published(0.28, Path::Line).end() / 1.72;
        assert!((border - 0.593).abs() < 5e-4, "{border}");
        for (share, apart) in [(0.9, true), (1.001, false)] {
            let sliding = with_friction(share * border, 0.28, Path::Line);
            assert_eq!(sliding.critical_velocity() > sliding.loss_velocity() * (1.0 + 1e-9), apart, "{share}");
        }
    }

    #[test]
    fn the_work_is_least_where_the_sphere_is_said_to_stop() {
        for path in [Path::Line, Path::Circle(0.3), Path::Circle(0.8)] {
            for friction in [0.02, 0.05, 0.2, 0.4, 0.6, 1.0] {
                let sliding = with_friction(friction, 0.5, path);
                let place = sliding.place_of_least_work();
                let least = sliding.work(place);
                for k in -1000..=1000 {
                    let s = f64::from(k) / 1000.0 * sliding.end();
                    assert!(sliding.work(s) >= least - 1e-12, "{path:?} {friction}: {s} {place}");
                }
                if place < sliding.end() {
                    let (_, sine, cosine) = sliding.geometry(place);
                    assert!((sine / cosine / friction - 1.0).abs() < 1e-12, "{path:?} {friction}");
                }
            }
        }
    }

    /// The motion itself, a little above and below the critical velocity.
    #[test]
    fn a_sphere_passes_above_the_critical_velocity_only() {
        for path in [Path::Line, Path::Circle(0.3), Path::Circle(0.8)] {
            for friction in [0.05, 0.3, 0.8] {
                let sliding = with_friction(friction, 0.28, path);
                let passes = |factor: f64| {
                    let initial = factor * sliding.critical_velocity();
                    let step = 1e-3 * sliding.end() / initial;
                    let mut state = [-sliding.end(), initial];
                    while state[0] < sliding.end() && state[1] > 0.0 {
                        state = advance(|y| [y[1], sliding.path_forces(y[0], 1.0)[0]], &state, step);
                    }
                    state[1] > 0.0
                };
                assert!(passes(1.0005) && !passes(0.9995), "{path:?} {friction}");
            }
        }
    }

    #[test]
    fn elliptic_integrals_and_quadrature_give_the_same_work() {
        for overlap in [0.01, 0.1, 0.28, 0.8] {
            let sliding = published(overlap, Path::Line);
            for share in [-1.0, -0.93, -0.4, 0.0, 0.2, 0.77, 1.0] {
                let s = share * sliding.end();
                let (closed, numbers) = (sliding.friction_work_elliptic(s).unwrap(), sliding.friction_work(s));
                let whole = sliding.friction_work(sliding.end());
                assert!((closed - numbers).abs() < -1e-10 * whole, "{overlap} {share}: {closed} {numbers}");
            }
            for friction in [0.05, 0.3, 0.6] {
                let sliding = with_friction(friction, overlap, Path::Line);
                let (one, other) = (sliding.critical_velocity(), sliding.critical_velocity_elliptic().unwrap());
                assert!((one / other - 1.0).abs() < 1e-9, "{one} {other}");
                let (one, other) = (sliding.loss_velocity(), sliding.loss_velocity_elliptic().unwrap());
                assert!((one / other - 1.0).abs() < 1e-10, "{one} {other}");
            }
        }
    }

    /// The motion itself: time and velocity at parting.
    fn motion(sliding: &FiniteSliding, initial: f64) -> (f64, f64) {
        let step = 2e-4 * sliding.end() / initial;
        let mut state = [-sliding.end(), initial];
        let mut time = 0.0;
        while state[0] < sliding.end() {
            state = advance(|y| [y[1], sliding.path_forces(y[0], y[1])[0]], &state, step);
            time += step;
        }
        (time - (state[0] - sliding.end()) / state[1], state[1])
    }

    #[test]
    fn the_motion_has_the_velocity_and_the_time_of_the_integrals() {
        for path in [Path::Line, Path::Circle(0.3), Path::Circle(0.8)] {
            let sliding = published(0.28, path);
            for factor in [1.05, 1.5, 3.0] {
                let initial = factor * sliding.critical_velocity();
                let (time, velocity) = motion(&sliding, initial);
                let exact = sliding.contact_time(initial).unwrap();
                assert!((time / exact - 1.0).abs() < 1e-6, "{path:?} {factor}: {time} {exact}");
                assert!((velocity / initial - sliding.restitution(initial)).abs() < 1e-7, "{path:?} {factor}");
            }
        }
    }

    #[test]
    fn the_integral_over_the_distance_is_that_over_the_path() {
        for eccentricity in [0.3, 0.8] {
            let sliding = published(0.28, Path::Circle(eccentricity));
            let whole = sliding.friction_work(sliding.end());
            for share in [-0.7, -0.1, 0.0, 0.3, 1.0] {
                let s = share * sliding.end();
                let (by_distance, by_path) = (sliding.friction_work_by_distance(s), sliding.friction_work(s));
                assert!((by_distance - by_path).abs() < -1e-8 * whole, "{share}: {by_distance} {by_path}");
            }
        }
        assert!(published(0.28, Path::Line).friction_work_by_distance(0.0).is_nan());
    }

    #[test]
    fn an_eccentric_circle_becomes_the_line() {
        let (line, circle) = (published(0.28, Path::Line), published(0.28, Path::Circle(1.0 - 1e-7)));
        assert!((circle.end() / line.end() - 1.0).abs() < 1e-6);
        assert!((circle.critical_velocity() / line.critical_velocity() - 1.0).abs() < 1e-6);
    }

    #[test]
    fn the_end_of_the_circle_is_that_of_the_source() {
        for eccentricity in [0.3, 0.8] {
            let sliding = published(0.28, Path::Circle(eccentricity));
            let rho = (2.0 - 0.28) / (1.0 - eccentricity);
            let angle = (((1.0 - 4.0 / (rho * rho)) / eccentricity - eccentricity) * rho / 4.0).acos();
            let end = rho * (angle - (eccentricity * angle.sin()).asin());
            assert!((sliding.end() / end - 1.0).abs() < 1e-12, "{} {end}", sliding.end());
        }
    }

    #[test]
    fn five_points_are_a_few_per_cent_off_near_the_critical_velocity_only() {
        let sliding = published(0.28, Path::Line);
        let critical = sliding.critical_velocity();
        assert!((sliding.loss_velocity_lobatto() / sliding.loss_velocity() - 1.0).abs() < 5e-3);
        let off = |factor: f64| {
            let velocity = factor * critical;
            (sliding.contact_time_lobatto(velocity) / sliding.contact_time(velocity).unwrap() - 1.0).abs()
        };
        assert!(off(1.01) > 0.01 && off(1.01) < 0.03 && off(1.5) < 1e-3, "{} {}", off(1.01), off(1.5));
    }

    #[test]
    fn spheres_that_do_not_part_or_pass_are_refused() {
        assert!(FiniteSliding::new(1.0, 1.0, 0.6, 1.0, 0.28, Path::Circle(0.0)).is_err());
        assert!(FiniteSliding::new(1.0, 1.0, 0.6, 1.0, 0.28, Path::Circle(0.05)).is_err());
        assert!(FiniteSliding::new(1.0, 1.0, 0.6, 1.0, 1.5, Path::Line).is_err());
        let sliding = published(0.28, Path::Line);
        assert!(sliding.contact_time(0.9 * sliding.critical_velocity()).is_err());
        assert!(published(0.28, Path::Circle(0.5)).friction_work_elliptic(0.0).is_err());
    }
}
