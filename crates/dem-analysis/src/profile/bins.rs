//! Bins of a profile: which of them a sphere reaches into, and with how much of its volume; which a line passes, and with how much of
//! its length.

use std::f64::consts::PI;

use dem_core::DVec3;
use dem_core::cell::Cell;
use dem_report::ReportError;
use dem_report::given::within;

use super::axis::Axis;
use super::region::Region;
use crate::error::AnalysisError;
use crate::volume::{cap, cap_in_cylinder, part_in_cylinder, part_in_prism};

/// Most bins.
pub const MOST_BINS: u64 = 10_000;

/// Slabs or shells of equal width that fill a region.
#[derive(Clone, Debug)]
pub struct Bins {
    /// Along what they follow each other.
    pub axis: Axis,
    /// What they fill.
    pub region: Region,
    count: usize,
    low: f64,
    high: f64,
    /// Displacements to the periodic images that may reach into the region.
    images: Vec<DVec3>,
}

impl Bins {
    /// Bins of a region; `cell` has the periodic images.
    ///
    /// # Errors
    /// A number of bins out of range, a region that does not fit the axis.
    pub fn new(axis: Axis, region: Region, count: u64, cell: &Cell) -> Result<Self, AnalysisError> {
        within("--bins", count, 1, MOST_BINS)?;
        let unfit = |allowed: &str| {
            Err(ReportError::Option { option: "--region", value: region.describe(), allowed: allowed.to_owned() }
                .into())
        };
        let (low, high) = match (axis.number(), region) {
            (Some(k), Region::Box { low, high, .. }) => (low[k], high[k]),
            (Some(k), Region::Cylinder { base, axis, height, .. }) => {
                if axis.abs()[k] < 1.0 - 1e-12 {
                    return unfit("a cylinder along the axis of the profile, or a box");
                }
                let ends = [base[k], base[k] + axis[k] * height];
                (ends[0].min(ends[1]), ends[0].max(ends[1]))
            }
            (None, Region::Cylinder { radius, .. }) => (0.0, radius),
            (None, Region::Box { .. }) => return unfit("a cylinder, because --axis is r"),
        };
        let cut: [bool; 3] = match region {
            // spheres that leave a whole period come in again: across the axis that changes nothing
            Region::Box { whole, .. } => std::array::from_fn(|k| !whole[k] || axis.number() == Some(k)),
            Region::Cylinder { axis: own, whole, .. } => {
                std::array::from_fn(|k| !whole || own.abs()[k] < 1.0 - 1e-12 || axis.number() == Some(k))
            }
        };
        let mut images = vec![DVec3::ZERO];
        for k in (0..3).filter(|&k| cell.periodic[k] && cut[k]) {
            let edge = cell.matrix().col(k);
            images = images.iter().flat_map(|&shift| [shift, shift - edge, shift + edge]).collect();
        }
        Ok(Self { axis, region, count: count as usize, low, high, images })
    }

    /// Number of bins.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Width of a bin \[m\].
    pub fn width(&self) -> f64 {
        (self.high - self.low) / self.count as f64
    }

    /// Lower edge of a bin \[m\]; that of the bin after the last one is the upper end.
    pub fn edge(&self, bin: usize) -> f64 {
        self.low + (self.high - self.low) * (bin as f64 / self.count as f64)
    }

    /// Volume of a bin \[m³\].
    pub fn volume(&self, bin: usize) -> f64 {
        match (self.axis, self.region) {
            (Axis::Radius, Region::Cylinder { height, .. }) => {
                let (inner, outer) = (self.edge(bin), self.edge(bin + 1));
                PI * (outer - inner) * (outer + inner) * height
            }
            _ => self.region.volume() / self.count as f64,
        }
    }

    /// Unit vectors along which vectors at a point are taken apart: x, y, z, or from the axis, around it, and along it.
    pub fn basis(&self, point: DVec3) -> [DVec3; 3] {
        let (Axis::Radius, Region::Cylinder { base, axis, .. }) = (self.axis, self.region) else { return DVec3::AXES };
        let offset = point - base;
        let outwards = (offset - offset.dot(axis) * axis).try_normalize();
        let outwards = outwards.unwrap_or_else(|| axis.any_orthonormal_vector());
        [outwards, axis.cross(outwards), axis]
    }

    /// Calls back with every bin that a sphere has a share in, the volume of the share \[m³\], and the displacement of the image it
    /// belongs to \[m\].
    pub fn shares_of_sphere(&self, centre: DVec3, radius: f64, mut add: impl FnMut(usize, f64, DVec3)) {
        for &shift in &self.images {
            self.shares_of_image(centre + shift, radius, |bin, volume| {
                if volume > 0.0 {
                    add(bin, volume, shift);
                }
            });
        }
    }

    fn shares_of_image(&self, x: DVec3, r: f64, mut add: impl FnMut(usize, f64)) {
        match (self.axis.number(), self.region) {
            (Some(k), Region::Box { low, high, whole }) => {
                let Some(bins) = self.touched(x[k] - r, x[k] + r) else { return };
                let side = |j: usize| {
                    if whole[j] { [f64::NEG_INFINITY, f64::INFINITY] } else { [low[j] - x[j], high[j] - x[j]] }
                };
                let sides = [side((k + 1) % 3), side((k + 2) % 3)];
                if sides.iter().any(|[from, to]| *from >= r || *to <= -r) {
                    return;
                }
                if sides.iter().all(|[from, to]| *from <= -r && *to >= r) {
                    self.differences(bins, |edge| cap(r, edge - x[k]), add);
                } else {
                    for bin in bins {
                        let heights = [self.edge(bin) - x[k], self.edge(bin + 1) - x[k]];
                        add(bin, part_in_prism(r, heights, sides));
                    }
                }
            }
            (Some(k), Region::Cylinder { base, axis, radius, .. }) => {
                let Some(bins) = self.touched(x[k] - r, x[k] + r) else { return };
                let offset = x - base;
                let distance = (offset - offset.dot(axis) * axis).length();
                if distance + r <= radius {
                    self.differences(bins, |edge| cap(r, edge - x[k]), add);
                } else if distance - r < radius {
                    self.differences(bins, |edge| cap_in_cylinder(r, edge - x[k], radius, distance), add);
                }
            }
            (None, Region::Cylinder { base, axis, height, whole, .. }) => {
                let offset = x - base;
                let along = offset.dot(axis);
                let heights = if whole { [f64::NEG_INFINITY, f64::INFINITY] } else { [-along, height - along] };
                if heights[0] >= r || heights[1] <= -r {
                    return;
                }
                let distance = (offset - along * axis).length();
                let Some(bins) = self.touched(distance - r, distance + r) else { return };
                let inside = |edge: f64| {
                    if edge >= distance + r {
                        cap(r, heights[0]) - cap(r, heights[1])
                    } else if edge <= distance - r {
                        0.0
                    } else {
                        part_in_cylinder(r, heights, edge, distance)
                    }
                };
                self.differences(bins, |edge| -inside(edge), &mut add);
            }
            (None, Region::Box { .. }) => {}
        }
    }

    /// Bins that an interval of the coordinate touches.
    fn touched(&self, from: f64, to: f64) -> Option<std::ops::Range<usize>> {
        if to <= self.low || from >= self.high {
            return None;
        }
        let width = self.width();
        let number = |x: f64| (((x - self.low) / width).max(0.0) as usize).min(self.count - 1);
        Some(number(from)..number(to) + 1)
    }

    /// Shares as differences of what lies beyond the edges.
    fn differences(&self, bins: std::ops::Range<usize>, beyond: impl Fn(f64) -> f64, mut add: impl FnMut(usize, f64)) {
        let mut before = beyond(self.edge(bins.start));
        for bin in bins {
            let after = beyond(self.edge(bin + 1));
            add(bin, before - after);
            before = after;
        }
    }

    /// Calls back with every bin that a straight line passes, the part of its length in it, and the middle of that part \[m\].
    pub fn shares_of_line(&self, from: DVec3, along: DVec3, mut add: impl FnMut(usize, f64, DVec3)) {
        let mut cuts = Vec::new();
        for &shift in &self.images {
            let from = from + shift;
            cuts.clear();
            cuts.extend([0.0, 1.0]);
            self.crossings(from, along, &mut cuts);
            cuts.sort_unstable_by(f64::total_cmp);
            for pair in cuts.windows(2).filter(|pair| pair[1] > pair[0]) {
                let middle = from + 0.5 * (pair[0] + pair[1]) * along;
                if let Some(bin) = self.bin_of(middle) {
                    add(bin, pair[1] - pair[0], middle);
                }
            }
        }
    }

    /// The bin in which a point lies.
    pub fn bin_of(&self, point: DVec3) -> Option<usize> {
        if !self.region.contains(point) {
            return None;
        }
        let at = self.coordinate(point);
        (self.low <= at && at <= self.high).then(|| (((at - self.low) / self.width()) as usize).min(self.count - 1))
    }

    fn coordinate(&self, point: DVec3) -> f64 {
        match (self.axis.number(), self.region) {
            (Some(k), _) => point[k],
            (None, Region::Cylinder { base, axis, .. }) => {
                let offset = point - base;
                (offset - offset.dot(axis) * axis).length()
            }
            (None, Region::Box { .. }) => f64::NAN,
        }
    }

    /// Adds the parameters in (0, 1) at which a line passes an edge of a bin or a limit of the region.
    fn crossings(&self, from: DVec3, along: DVec3, cuts: &mut Vec<f64>) {
        let mut keep = |t: f64| {
            if t > 0.0 && t < 1.0 {
                cuts.push(t);
            }
        };
        if let Some(k) = self.axis.number() {
            let ends = [from[k], from[k] + along[k]];
            if let Some(bins) = self.touched(ends[0].min(ends[1]), ends[0].max(ends[1])) {
                (bins.start..=bins.end).for_each(|bin| keep((self.edge(bin) - from[k]) / along[k]));
            }
        }
        match self.region {
            Region::Box { low, high, .. } => {
                for j in (0..3).filter(|&j| self.axis.number() != Some(j)) {
                    keep((low[j] - from[j]) / along[j]);
                    keep((high[j] - from[j]) / along[j]);
                }
            }
            Region::Cylinder { base, axis, radius, height, .. } => {
                let offset = from - base;
                let (start, rise) = (offset.dot(axis), along.dot(axis));
                keep(-start / rise);
                keep((height - start) / rise);
                let (p, v) = (offset - start * axis, along - rise * axis);
                let mut circle = |edge: f64| {
                    let (a, b, c) = (v.length_squared(), p.dot(v), p.length_squared() - edge * edge);
                    let root = (b * b - a * c).max(0.0).sqrt();
                    keep((-b - root) / a);
                    keep((-b + root) / a);
                };
                if self.axis == Axis::Radius {
                    let nearest = p + (-p.dot(v) / v.length_squared()).clamp(0.0, 1.0) * v;
                    let farthest = p.length().max((p + v).length());
                    if let Some(bins) = self.touched(nearest.length(), farthest) {
                        (bins.start..=bins.end).for_each(|bin| circle(self.edge(bin)));
                    }
                } else {
                    circle(radius);
                }
            }
        }
    }
}
