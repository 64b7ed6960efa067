//! Coordinates on the surface of a wall, and the bins that they are cut into.

use std::f64::consts::{PI, TAU};

use dem_core::DVec3;
use dem_core::wall::{Pose, Shape};
use glam::DVec2;
use serde::{Deserialize, Serialize};

/// How far a place may lie beyond the ends of the bins by rounding, in proportion to their length.
const ROUNDING: f64 = 1e-9;
/// Cosine above which an axis counts as lying along x, so that angles are measured from y.
const ALONG_X: f64 = 0.9;

/// A surface with a coordinate along it, in the body frame of its wall.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Surface {
    /// Cylinder or frustum; the coordinate is the height above the base.
    Lateral {
        /// Origin of the axis \[m\].
        base: DVec3,
        /// Unit vector of the axis.
        axis: DVec3,
        /// Lower end of the generator: (radius, height) \[m\].
        start: DVec2,
        /// Upper end \[m\].
        end: DVec2,
    },
    /// Disc, ring or plane; the coordinate is the distance from the axis.
    Ring {
        /// Middle \[m\].
        centre: DVec3,
        /// Unit vector of the axis.
        axis: DVec3,
        /// Inner and outer radius, infinite for a plane \[m\].
        radii: DVec2,
    },
    /// Rectangle or face of a box; the coordinate is the distance from one edge.
    Strip {
        /// Middle \[m\].
        centre: DVec3,
        /// Half of the edge along which the coordinate runs \[m\].
        half_u: DVec3,
        /// Half of the other edge \[m\].
        half_v: DVec3,
    },
    /// Sphere; the coordinate is the height above its centre along z.
    Sphere {
        /// Centre \[m\].
        centre: DVec3,
        /// Radius \[m\].
        radius: f64,
    },
}

impl Surface {
    /// The surface of a shape; of a box that of face number `face`, which other shapes ignore. None for meshes.
    pub fn of(shape: &Shape, face: usize) -> Option<Self> {
        Some(match *shape {
            Shape::Plane { point, normal } => {
                Self::Ring { centre: point, axis: normal, radii: DVec2::new(0.0, f64::INFINITY) }
            }
            Shape::Rectangle { centre, half_u, half_v } => Self::Strip { centre, half_u, half_v },
            Shape::Box { low, high, .. } => {
                let across = face / 2;
                // upwards on the sides, along x on floor and lid
                let along = if across == 2 { 0 } else { 2 };
                let other = 3 - across - along;
                let half = 0.5 * (high - low);
                let mut centre = 0.5 * (low + high);
                centre[across] = if face.is_multiple_of(2) { low[across] } else { high[across] };
                Self::Strip { centre, half_u: DVec3::AXES[along] * half, half_v: DVec3::AXES[other] * half }
            }
            Shape::Revolution { base, axis, start, end } if start.y == end.y => Self::Ring {
                centre: base + axis * start.y,
                axis,
                radii: DVec2::new(start.x.min(end.x), start.x.max(end.x)),
            },
            Shape::Revolution { base, axis, start, end } => {
                let (start, end) = if start.y < end.y { (start, end) } else { (end, start) };
                Self::Lateral { base, axis, start, end }
            }
            Shape::Sphere { centre, radius } => Self::Sphere { centre, radius },
            Shape::Mesh { .. } => return None,
        })
    }

    /// Ends of the coordinate \[m\], infinite where the surface has none.
    pub fn ends(&self) -> [f64; 2] {
        match *self {
            Self::Lateral { start, end, .. } => [start.y, end.y],
            Self::Ring { radii, .. } => [radii.x, radii.y],
            Self::Strip { half_u, .. } => [0.0, 2.0 * half_u.length()],
            Self::Sphere { radius, .. } => [-radius, radius],
        }
    }

    /// Whether there is an axis about which angles can be measured.
    pub fn is_round(&self) -> bool {
        !matches!(self, Self::Strip { .. })
    }

    /// Area between two coordinates \[m²\].
    fn area(&self, from: f64, to: f64) -> f64 {
        match *self {
            Self::Lateral { start, end, .. } => {
                let slope = if start.x == end.x { 0.0 } else { (end.x - start.x) / (end.y - start.y) };
                let radius = |height: f64| if slope == 0.0 { start.x } else { start.x + slope * (height - start.y) };
                PI * (radius(from) + radius(to)) * (to - from) * (1.0 + slope * slope).sqrt()
            }
            Self::Ring { .. } => PI * (to - from) * (to + from),
            Self::Strip { half_v, .. } => 2.0 * half_v.length() * (to - from),
            Self::Sphere { radius, .. } => 2.0 * PI * radius * (to - from),
        }
    }

    /// Largest distance of its points between two coordinates from the axis \[m\].
    fn widest(&self, from: f64, to: f64) -> f64 {
        match *self {
            Self::Lateral { start, end, .. } => start.x.max(end.x),
            Self::Ring { .. } => to,
            Self::Strip { .. } => 0.0,
            Self::Sphere { radius, .. } => {
                let nearest = from.max(-to).max(0.0);
                (radius * radius - nearest * nearest).max(0.0).sqrt()
            }
        }
    }

    /// Where a point of the surface lies, for a pose of the wall; `normal` is that of the surface there.
    fn locate(&self, pose: &Pose, point: DVec3, normal: DVec3) -> Place {
        let offset_from = |origin: DVec3| point - pose.position - pose.orientation * origin;
        let about = |offset: DVec3, axis: DVec3, coordinate: Option<f64>| {
            let radial = offset - axis * offset.dot(axis);
            let outwards = radial.normalize_or_zero();
            let along = if coordinate.is_some() { axis - normal * axis.dot(normal) } else { outwards };
            Place {
                coordinate: coordinate.unwrap_or_else(|| radial.length()),
                radial,
                axis,
                along: along.normalize_or_zero(),
                around: axis.cross(outwards),
            }
        };
        match *self {
            Self::Lateral { base, axis, .. } => {
                let (offset, axis) = (offset_from(base), pose.orientation * axis);
                about(offset, axis, Some(offset.dot(axis)))
            }
            Self::Ring { centre, axis, .. } => about(offset_from(centre), pose.orientation * axis, None),
            Self::Strip { centre, half_u, half_v } => {
                let [u, v] = [half_u, half_v].map(|half| pose.orientation * half.normalize_or_zero());
                let coordinate = offset_from(centre).dot(u) + half_u.length();
                Place { coordinate, radial: DVec3::ZERO, axis: DVec3::ZERO, along: u, around: v }
            }
            Self::Sphere { centre, .. } => {
                let offset = offset_from(centre);
                about(offset, DVec3::Z, Some(offset.z))
            }
        }
    }
}

/// A point of a surface.
struct Place {
    coordinate: f64,
    /// From the axis to the point \[m\].
    radial: DVec3,
    axis: DVec3,
    along: DVec3,
    around: DVec3,
}

impl Place {
    /// Angle about the axis as a fraction of a turn, from x, or from y about an axis along x. It does not turn with the
    /// wall.
    fn turn(&self) -> f64 {
        let reference = if self.axis.x.abs() < ALONG_X { DVec3::X } else { DVec3::Y };
        let zero = (reference - self.axis * reference.dot(self.axis)).normalize_or_zero();
        let angle = libm::atan2(self.radial.dot(self.axis.cross(zero)), self.radial.dot(zero));
        (angle / TAU).rem_euclid(1.0)
    }
}

/// Bins of a surface, and the directions along it and around it at a place.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Chart {
    /// What is cut into bins.
    pub surface: Surface,
    /// Ends of the bins \[m\].
    pub ends: [f64; 2],
    /// Bins along it.
    pub bins: usize,
    /// Equal angles around it.
    pub sectors: usize,
}

/// A place in the bins.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Binned {
    /// Bin and sector as one number, sectors next to each other.
    pub cell: usize,
    /// Unit vector in the surface along which the coordinate grows; zero where there is none.
    pub along: DVec3,
    /// Unit vector in the surface across it, along which the angle grows.
    pub around: DVec3,
}

impl Chart {
    /// Lower edge of a bin \[m\]; that of the bin after the last one is the upper end.
    pub fn edge(&self, bin: usize) -> f64 {
        self.ends[0] + (self.ends[1] - self.ends[0]) * (bin as f64 / self.bins as f64)
    }

    /// Area of one sector of a bin \[m²\].
    pub fn area(&self, bin: usize) -> f64 {
        self.surface.area(self.edge(bin), self.edge(bin + 1)) / self.sectors as f64
    }

    /// The shorter of the width of a bin and the longest arc of a sector \[m\].
    pub fn resolution(&self) -> f64 {
        let width = (self.ends[1] - self.ends[0]) / self.bins as f64;
        if self.sectors == 1 {
            return width;
        }
        width.min(TAU * self.surface.widest(self.ends[0], self.ends[1]) / self.sectors as f64)
    }

    /// The bin of a point of the surface at a pose of the wall; none beyond the ends.
    pub fn find(&self, pose: &Pose, point: DVec3, normal: DVec3) -> Option<Binned> {
        let place = self.surface.locate(pose, point, normal);
        let share = (place.coordinate - self.ends[0]) / (self.ends[1] - self.ends[0]);
        if !(-ROUNDING..=1.0 + ROUNDING).contains(&share) {
            return None;
        }
        let number = |share: f64, count: usize| ((share * count as f64).max(0.0) as usize).min(count - 1);
        let sector = if self.sectors == 1 { 0 } else { number(place.turn(), self.sectors) };
        let cell = number(share, self.bins) * self.sectors + sector;
        Some(Binned { cell, along: place.along, around: place.around })
    }
}

#[cfg(test)]
mod tests {
    use dem_core::DQuat;

    use super::*;

    const POSE: Pose = Pose::new(DVec3::ZERO, DQuat::IDENTITY);

    fn chart(surface: Surface, bins: usize, sectors: usize) -> Chart {
        Chart { surface, ends: surface.ends(), bins, sectors }
    }

    fn revolution(start: [f64; 2], end: [f64; 2]) -> Surface {
        let [start, end] = [start, end].map(DVec2::from_array);
        Surface::of(&Shape::Revolution { base: DVec3::ZERO, axis: DVec3::Z, start, end }, 0).unwrap()
    }

    #[test]
    fn areas_of_bins_add_up_to_that_of_the_shape() {
        let total = |chart: &Chart| (0..chart.bins).map(|bin| chart.area(bin) * chart.sectors as f64).sum::<f64>();
        let low_high = Shape::Box { low: DVec3::ZERO, high: DVec3::new(2.0, 3.0, 5.0), closed: [true; 6] };
        for (surface, expected) in [
            (revolution([2.0, 0.0], [2.0, 3.0]), 12.0 * PI),
            // a cone of slant height 5
            (revolution([0.0, 0.0], [3.0, 4.0]), 15.0 * PI),
            (revolution([3.0, 4.0], [0.0, 0.0]), 15.0 * PI),
            (revolution([1.0, 0.0], [3.0, 0.0]), 8.0 * PI),
            (Surface::of(&Shape::Sphere { centre: DVec3::X, radius: 2.0 }, 0).unwrap(), 16.0 * PI),
            (Surface::of(&low_high, 1).unwrap(), 15.0),
            (Surface::of(&low_high, 4).unwrap(), 6.0),
        ] {
            let found = total(&chart(surface, 7, 3));
            assert!((found - expected).abs() < 1e-12 * expected, "{surface:?}: {found}");
        }
    }

    #[test]
    fn sectors_begin_at_x_and_do_not_turn_with_the_wall() {
        let cylinder = chart(revolution([2.0, 0.0], [2.0, 4.0]), 4, 4);
        let turned = Pose::new(DVec3::ZERO, DQuat::from_rotation_z(1.0));
        for pose in [POSE, turned] {
            let found = cylinder.find(&pose, DVec3::new(-0.1, 1.99, 2.5), DVec3::NEG_Y).unwrap();
            assert_eq!(found.cell, 2 * 4 + 1);
            assert!((found.along - DVec3::Z).length() < 1e-15);
            assert!((found.around - DVec3::new(-1.99, -0.1, 0.0).normalize()).length() < 1e-15);
        }
        assert_eq!(cylinder.find(&POSE, DVec3::new(2.0, 0.0, 4.1), DVec3::NEG_X), None);
        // the rim belongs to the last bin
        assert_eq!(cylinder.find(&POSE, DVec3::new(2.0, 0.1, 4.0), DVec3::NEG_X).map(|found| found.cell), Some(12));
    }

    #[test]
    fn bins_move_with_the_wall() {
        let floor = chart(revolution([0.0, 0.0], [3.0, 0.0]), 3, 1);
        let moved = Pose::new(DVec3::X, DQuat::IDENTITY);
        let cell = |pose| floor.find(pose, DVec3::new(2.5, 0.0, 0.0), DVec3::Z).map(|found| found.cell);
        assert_eq!((cell(&POSE), cell(&moved)), (Some(2), Some(1)));
    }

    #[test]
    fn resolution_is_the_shorter_side_of_a_bin() {
        assert_eq!(chart(revolution([2.0, 0.0], [2.0, 3.0]), 6, 1).resolution(), 0.5);
        assert!((chart(revolution([2.0, 0.0], [2.0, 3.0]), 1, 10).resolution() - 0.4 * PI).abs() < 1e-15);
    }
}
