//! Rigid bodies for tests, whose mass properties are known without the code that computes those of scenes.

use std::f64::consts::PI;
use std::sync::Arc;

use dem_core::bodies::new_body::NewBody;
use dem_core::bodies::template::{Member, Template};
use dem_core::{DQuat, DVec3};
use dem_sim::world::World;

use crate::worlds::DENSITY;

/// Two equal spheres on the z axis of the given frame, each point of their union having mass once.
///
/// The moments are integrals over discs: `∫πρ² dz`, `∫πρ²z² dz`, `∫πρ⁴/4 dz` with `ρ² = r² − (z − d/2)²` on one side.
pub fn dimer(radius: f64, distance: f64) -> Template {
    let (half, panels) = (0.5 * distance, 64);
    let mut sums = [0.0; 3];
    let length = half + radius;
    for panel in 0..panels {
        for (node, weight) in [(-(0.6f64.sqrt()), 5.0 / 9.0), (0.0, 8.0 / 9.0), (0.6f64.sqrt(), 5.0 / 9.0)] {
            let width = length / f64::from(panels);
            let z = width * (f64::from(panel) + 0.5 + 0.5 * node);
            let disc = radius * radius - (z - half) * (z - half);
            // both sides
            let weight = weight * width * PI;
            sums[0] += weight * disc;
            sums[1] += weight * disc * z * z;
            sums[2] += weight * disc * disc / 4.0;
        }
    }
    let [volume, along, across] = sums;
    let member = |z: f64| Member { position: DVec3::new(z, 0.0, 0.0), radius, material: 0, share: 0.5 };
    Template {
        name: "dimer".to_owned(),
        members: vec![member(-half), member(half)],
        volume,
        // the axis of the dimer is that of the least moment, the first one
        moments: DVec3::new(2.0 * across, along + across, along + across),
        principal: DQuat::IDENTITY,
        centre: DVec3::ZERO,
        bounding_radius: half + radius,
    }
}

/// Spheres that do not overlap, in a frame that is principal, in which their centre of mass is the origin.
///
/// # Panics
/// If the frame is not principal or its axes are not in order.
pub fn apart(spheres: &[(DVec3, f64)]) -> Template {
    let volumes: Vec<f64> = spheres.iter().map(|&(_, radius)| 4.0 / 3.0 * PI * radius.powi(3)).collect();
    let volume: f64 = volumes.iter().sum();
    let (mut moments, mut products, mut centre) = (DVec3::ZERO, DVec3::ZERO, DVec3::ZERO);
    for (&(x, radius), v) in spheres.iter().zip(&volumes) {
        moments += v * (DVec3::splat(0.4 * radius * radius + x.length_squared()) - x * x);
        products += v * DVec3::new(x.y * x.z, x.z * x.x, x.x * x.y);
        centre += v * x;
    }
    let size = moments.z;
    assert!(products.length() < 1e-14 * size && centre.length() < 1e-14 * size.sqrt(), "{products} {centre}");
    if moments.z - moments.x < 1e-12 * size {
        moments = DVec3::splat(moments.y);
    }
    assert!(moments.x <= moments.y && moments.y <= moments.z, "{moments}");
    let members = spheres
        .iter()
        .zip(&volumes)
        .map(|(&(position, radius), v)| Member { position, radius, material: 0, share: v / volume })
        .collect();
    let bounding_radius = spheres.iter().map(|(x, radius)| x.length() + radius).fold(0.0, f64::max);
    Template {
        name: "spheres apart".to_owned(),
        members,
        volume,
        moments,
        principal: DQuat::IDENTITY,
        centre: DVec3::ZERO,
        bounding_radius,
    }
}

/// Three pairs of spheres on the axes, at such distances that all moments differ.
pub fn jack(radius: f64) -> Template {
    let pair = |axis: DVec3, at: f64| [(axis * (at * radius), radius), (axis * (-at * radius), radius)];
    apart(&[pair(DVec3::X, 3.0), pair(DVec3::Y, 2.4), pair(DVec3::Z, 1.6)].concat())
}

/// Gives a world the templates that bodies refer to by index.
pub fn set_templates(world: &mut World, templates: Vec<Template>) {
    world.particles.bodies.templates = Arc::new(templates);
}

/// A body of the first template and the test density, at rest.
pub fn body(position: DVec3, orientation: DQuat) -> NewBody {
    NewBody {
        template: 0,
        scale: 1.0,
        position,
        orientation,
        velocity: DVec3::ZERO,
        angular_velocity: DVec3::ZERO,
        density: DENSITY,
        material: None,
        group: 1,
        frozen: 0,
    }
}
