//! Octahedral clusters of spheres.

use dem_report::ReportError;

/// A central sphere of radius 1 with six others in the directions of the axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shape {
    /// Radius of the outer spheres, over that of the central one.
    pub radius: f64,
    /// Distance of their centres from that of the central sphere, over its radius.
    pub distance: f64,
}

impl Shape {
    /// The shapes of a usual scan.
    pub const FAMILY: [Self; 5] = [
        Self { radius: 0.5, distance: 0.75 },
        Self { radius: 0.6, distance: 0.7 },
        Self { radius: 0.65, distance: 0.65 },
        Self { radius: 0.7, distance: 0.6 },
        Self { radius: 0.5, distance: 0.9 },
    ];

    /// Of a text `RADIUS:DISTANCE`.
    ///
    /// # Errors
    /// What are no two numbers, outer spheres that do not show or do not touch the central one.
    pub fn parse(text: &str) -> Result<Self, ReportError> {
        let refused = || {
            ReportError::Option {
            option: "--shape",
            value: text.to_owned(),
            allowed: "RADIUS:DISTANCE of the outer spheres in radii of the central one, as in 0.6:0.7, with 1 - RADIUS < DISTANCE < 1 + RADIUS"
                .to_owned(),
        }
        };
        let (radius, distance) = text.split_once(':').ok_or_else(refused)?;
        let number = |text: &str| text.trim().parse::<f64>().ok().filter(|x| x.is_finite() && *x > 0.0);
        let (radius, distance) = number(radius).zip(number(distance)).ok_or_else(refused)?;
        let shows = distance + radius > 1.0 && distance < 1.0 + radius;
        if shows { Ok(Self { radius, distance }) } else { Err(refused()) }
    }

    /// As the user names it.
    pub fn label(&self) -> String {
        format!("{}:{}", self.radius, self.distance)
    }

    /// The change of the scene that gives its clusters this shape.
    pub fn change(&self) -> String {
        let sphere = |[x, y, z]: [f64; 3], radius: f64| {
            format!("{{ position = [\"{x} mm\", \"{y} mm\", \"{z} mm\"], radius = \"{radius} mm\" }}")
        };
        let mut spheres = vec![sphere([0.0; 3], 1.0)];
        for axis in 0..3 {
            for side in [1.0, -1.0] {
                let mut place = [0.0; 3];
                place[axis] = side * self.distance;
                spheres.push(sphere(place, self.radius));
            }
        }
        format!("clumps.cluster.spheres=[{}]", spheres.join(", "))
    }
}
