//! Area and moments of a region of the plane whose edge consists of arcs.
//!
//! By Green's theorem, counter-clockwise around the region,
//!
//! | | |
//! |---|---|
//! | area | `½ ∮ (x dy − y dx)` |
//! | ∫ x | `½ ∮ x² dy` |
//! | ∫ y | `−½ ∮ y² dx` |
//! | ∫ x² | `⅓ ∮ x³ dy` |
//! | ∫ y² | `−⅓ ∮ y³ dx` |
//! | ∫ xy | `½ ∮ x² y dy` |
//!
//! and on an arc of radius r, `x = X + r cos φ`, `y = Y + r sin φ`, all of them are sums of integrals of powers of sine and cosine.

use super::arcs::End;

/// Area and moments about an origin.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Region {
    /// Area.
    pub area: f64,
    /// Integral of x.
    pub x: f64,
    /// Integral of y.
    pub y: f64,
    /// Integral of x².
    pub xx: f64,
    /// Integral of y².
    pub yy: f64,
    /// Integral of xy.
    pub xy: f64,
}

impl Region {
    /// Adds what an arc contributes to the line integrals: of a circle of radius `r` about `centre`, counter-clockwise.
    pub fn add_arc(&mut self, centre: [f64; 2], r: f64, [from, to]: [End; 2]) {
        let [x, y] = centre;
        let angle = to.angle - from.angle;
        let (c0, s0, c1, s1) = (from.cosine, from.sine, to.cosine, to.sine);
        let difference = |power: fn(f64, f64) -> f64| power(c1, s1) - power(c0, s0);
        let (c, s) = (s1 - s0, c0 - c1);
        let cube_of_sine = difference(|_, s| s * s * s) / 3.0;
        let cube_of_cosine = difference(|c, _| c * c * c) / 3.0;
        let double = difference(|c, s| s * c);
        // integrals of products of cosines and sines over the arc, named by their factors
        let (cc, ss, cs) = (0.5 * (angle + double), 0.5 * (angle - double), 0.5 * difference(|_, s| s * s));
        let (ccc, ccs, sss) = (c - cube_of_sine, -cube_of_cosine, s + cube_of_cosine);
        let cccc = 0.25 * (difference(|c, s| c * c * c * s) + 3.0 * cc);
        let ssss = 0.25 * (3.0 * ss - difference(|c, s| s * s * s * c));
        let cccs = -0.25 * difference(|c, _| c * c * c * c);
        let square_of_x = x * x * c + r * (2.0 * x * cc + r * ccc);
        let square_of_y = y * y * s + r * (2.0 * y * ss + r * sss);
        self.area += 0.5 * r * (x * c + y * s + r * angle);
        self.x += 0.5 * r * square_of_x;
        self.y += 0.5 * r * square_of_y;
        self.xx += r / 3.0 * (x * x * x * c + r * (3.0 * x * x * cc + r * (3.0 * x * ccc + r * cccc)));
        self.yy += r / 3.0 * (y * y * y * s + r * (3.0 * y * y * ss + r * (3.0 * y * sss + r * ssss)));
        self.xy += 0.5 * r * (y * square_of_x + r * (x * x * cs + r * (2.0 * x * ccs + r * cccs)));
    }

    /// The moments about another origin, in which the present one lies at `at`.
    pub fn seen_from(self, [x, y]: [f64; 2]) -> Self {
        let a = self.area;
        Self {
            area: a,
            x: self.x + a * x,
            y: self.y + a * y,
            xx: self.xx + x * (2.0 * self.x + a * x),
            yy: self.yy + y * (2.0 * self.y + a * y),
            xy: self.xy + x * self.y + y * self.x + a * x * y,
        }
    }
}
