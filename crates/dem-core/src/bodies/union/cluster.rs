//! Spheres in the frame in which they are cut: their size is one, and they are turned so that no direction of theirs is special.

use glam::{DMat3, DQuat, DVec3};

use crate::bodies::MemberSphere;
use crate::lanes::functions::atan2;

/// Quaternion of a turn that no symmetry of a template knows: digits of √2, √3, √5 and √7 behind the point.
const TURN: [f64; 4] = [0.414_213_562, 0.732_050_807, 0.236_067_977, 0.645_751_311];

/// A sphere that another one overlaps, as seen in planes of constant z.
#[derive(Clone, Copy, Debug)]
pub struct Neighbour {
    /// Its place in the cluster.
    pub place: usize,
    /// Distance of the centres of the discs, the same in all planes.
    pub distance: f64,
    /// Unit vector from the one centre to the other; zero for discs with one centre.
    pub direction: [f64; 2],
    /// Angle of the direction from the x axis \[rad\].
    pub angle: f64,
}

/// Spheres in the frame of the sections.
#[derive(Clone, Debug)]
pub struct Cluster {
    /// The spheres, inside the unit sphere.
    pub spheres: Vec<MemberSphere>,
    /// Of each sphere those that it overlaps.
    pub neighbours: Vec<Vec<Neighbour>>,
    /// Where the origin of the frame lies \[m\].
    pub origin: DVec3,
    /// Unit of length \[m\].
    pub size: f64,
    /// From the given frame to that of the sections.
    pub turn: DMat3,
}

impl Cluster {
    /// Of at least one sphere.
    pub fn new(spheres: &[MemberSphere]) -> Self {
        let mut corners = [DVec3::INFINITY, DVec3::NEG_INFINITY];
        for sphere in spheres {
            corners =
                [corners[0].min(sphere.position - sphere.radius), corners[1].max(sphere.position + sphere.radius)];
        }
        let origin = 0.5 * (corners[0] + corners[1]);
        let size = spheres.iter().fold(0.0, |size: f64, s| size.max(s.position.distance(origin) + s.radius));
        let turn = DMat3::from_quat(DQuat::from_array(TURN).normalize());
        let turned = |s: &MemberSphere| MemberSphere {
            position: turn * ((s.position - origin) / size),
            radius: s.radius / size,
        };
        let spheres: Vec<MemberSphere> = spheres.iter().map(turned).collect();
        let neighbours = (0..spheres.len()).map(|k| neighbours(&spheres, k)).collect();
        Self { spheres, neighbours, origin, size, turn }
    }

    /// Sum of the volumes of all spheres, in the cube of the unit of length.
    pub fn volume(&self) -> f64 {
        self.spheres.iter().map(|sphere| crate::sphere::sphere_volume(sphere.radius)).sum()
    }

    /// Sum of the surfaces of all spheres, in the square of the unit of length.
    pub fn surface(&self) -> f64 {
        self.spheres.iter().map(|sphere| 4.0 * std::f64::consts::PI * sphere.radius * sphere.radius).sum()
    }
}

fn neighbours(spheres: &[MemberSphere], k: usize) -> Vec<Neighbour> {
    let overlapping = (0..spheres.len()).filter(|&j| j != k && spheres[k].overlaps(&spheres[j]));
    overlapping
        .map(|place| {
            let way = spheres[place].position - spheres[k].position;
            let distance = (way.x * way.x + way.y * way.y).sqrt();
            let direction = if distance > 0.0 { [way.x / distance, way.y / distance] } else { [0.0; 2] };
            Neighbour { place, distance, direction, angle: atan2(way.y, way.x) }
        })
        .collect()
}
