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
//! | critical velocity | `v_crit² = −2 W_μ/m` over the whole path; slower spheres do not pass |
//! | restitution | `e_s = √(1 − (v_crit/v₀)²)` |
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
//! Source: R. Balevičius, Z. Mróz, A finite sliding model of two identical spheres, part II, Acta Mech. (2013), equations 1 to 35, with
//! these corrections: the first term of N* in (1d) has the cosine; (12) lacks a factor 2; in (13) the bracket is the overlap over 2R;
//! the angle of (15) is `arctan(s/(2 k_r R))` and its limits are exchanged; `e_s` is the same function of `v_crit/v₀` on every path.

use super::oblique_impact::positive;
use super::quadrature::{gauss, gauss_to, lobatto};
use crate::error::StudyError;

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
    ) -> Result<Self, StudyError> {
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
            return Err(StudyError::Option { option: "overlap", value: overlap.to_string(), allowed });
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
                    return Err(StudyError::Option { option: "eccentricity", value, allowed });
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
    pub fn friction_work_elliptic(&self, s: f64) -> Result<f64, StudyError> {
        if self.path != Path::Line {
            let detail = "the friction work on a circle is no known elliptic integral".into();
            return Err(StudyError::Convergence { method: "elliptic integrals of finite sliding", detail });
        }
        let ratio = self.height / (2.0 * self.radius);
        let modulus = ((1.0 - ratio) / (1.0 + ratio)).sqrt();
        let failed = |message: &'static str| StudyError::Convergence {
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

    /// Work of friction over the whole path of a circle, negative \[J\], by Gauss quadrature over the distance of the centres, equation 33 of
    /// the source with the cotangent of the angle that is printed, and the limits of the distance: `−2 μ k_n ∫ (2R − d)^(3/2) cot β dd`.
    /// The root of the distance takes the singularity at the middle away. Not a number for a line.
    pub fn friction_work_by_distance(&self) -> f64 {
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
        -2.0 * self.friction * self.stiffness * gauss(rate, 0.0, (most - least).sqrt(), 64)
    }

    /// `v_crit` \[m/s\], by quadrature.
    pub fn critical_velocity(&self) -> f64 {
        self.velocity_of(self.friction_work(self.end))
    }

    /// `v_crit` \[m/s\], equation 21 of the source.
    ///
    /// # Errors
    /// A circle.
    pub fn critical_velocity_elliptic(&self) -> Result<f64, StudyError> {
        Ok(self.velocity_of(self.friction_work_elliptic(self.end)?))
    }

    /// `v_crit` \[m/s\], equation 34 of the source.
    pub fn critical_velocity_lobatto(&self) -> f64 {
        self.velocity_of(self.friction_work_lobatto(self.end))
    }

    fn velocity_of(&self, work: f64) -> f64 {
        (-2.0 * work / self.mass).sqrt()
    }

    /// `e_s` of a sphere that comes with `v₀` \[m/s\]; not a number below the critical velocity.
    pub fn restitution(&self, velocity: f64) -> f64 {
        (1.0 - (self.critical_velocity() / velocity).powi(2)).sqrt()
    }

    /// Velocity \[m/s\] at `s` of a sphere that comes with `v₀` \[m/s\]; not a number where it does not come.
    pub fn velocity(&self, s: f64, initial: f64) -> f64 {
        self.velocity_after(self.friction_work(s), s, initial)
    }

    fn velocity_after(&self, friction_work: f64, s: f64, initial: f64) -> f64 {
        let load_work = -0.4 * self.stiffness * self.overlap(s).powf(2.5);
        (initial * initial + 2.0 * (load_work + friction_work) / self.mass).sqrt()
    }

    /// Time from touch to parting \[s\] to 1e-10 of it.
    ///
    /// # Errors
    /// A sphere that does not pass.
    pub fn contact_time(&self, initial: f64) -> Result<f64, StudyError> {
        let critical = self.critical_velocity();
        if initial.is_nan() || initial <= critical {
            let allowed = format!("a velocity above the critical one, {critical}");
            return Err(StudyError::Option { option: "velocity", value: initial.to_string(), allowed });
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
    use super::super::runge_kutta::advance;
    use super::*;

    fn published(overlap: f64, path: Path) -> FiniteSliding {
        FiniteSliding::new(1.0, 1.0, 0.6, 1.0, overlap, path).unwrap()
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
            let (one, other) = (sliding.critical_velocity(), sliding.critical_velocity_elliptic().unwrap());
            assert!((one / other - 1.0).abs() < 1e-10, "{one} {other}");
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
            let (by_distance, by_path) = (sliding.friction_work_by_distance(), sliding.friction_work(sliding.end()));
            assert!((by_distance / by_path - 1.0).abs() < 1e-8, "{by_distance} {by_path}");
        }
        assert!(published(0.28, Path::Line).friction_work_by_distance().is_nan());
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
        assert!((sliding.critical_velocity_lobatto() / critical - 1.0).abs() < 5e-3);
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
