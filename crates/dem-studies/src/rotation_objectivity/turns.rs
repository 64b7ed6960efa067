//! Quarter turns, and how contacts are described in them.

use dem_contact::frame::TransportKind;
use dem_contact::geometry::{ContactGeometry, Lever, SlipForm};
use dem_core::DVec3;
use rand::{RngExt as _, SeedableRng as _};

/// An axis with its name.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Axis {
    /// In tables.
    pub name: &'static str,
    /// Unit vector.
    pub direction: DVec3,
}

/// How contacts are described while they turn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Choice {
    /// Name of the transport of the tangential force.
    pub transport: &'static str,
    /// Name of the form of the slip.
    pub slip: &'static str,
    /// Name of the lever.
    pub lever: &'static str,
    /// All three.
    pub geometry: ContactGeometry,
}

/// A quarter turn.
#[derive(Clone, Copy, Debug)]
pub struct Turn {
    /// How contacts are described.
    pub choice: Choice,
    /// About what.
    pub axis: Axis,
    /// In how many steps.
    pub increments: u64,
}

/// Every transport with the slip from finite rotations and the lever that is objective, then the other slip and lever with the exact
/// transport.
pub fn choices() -> Vec<Choice> {
    let [slip, lever] = [SlipForm::NAMES[0], Lever::NAMES[0]];
    let (all, others) = (
        TransportKind::NAMES.iter().map(|&transport| (transport, slip, lever)),
        [(TransportKind::NAMES[0], "first-order", lever), (TransportKind::NAMES[0], slip, "radius")],
    );
    let choice = |(transport, slip, lever): (&'static str, &'static str, &'static str)| {
        let geometry = ContactGeometry {
            transport: TransportKind::from_name(transport)?,
            slip: SlipForm::from_name(slip)?,
            lever: Lever::from_name(lever)?,
            ..ContactGeometry::default()
        };
        Some(Choice { transport, slip, lever, geometry })
    };
    all.chain(others).filter_map(choice).collect()
}

/// x, y and a direction that is uniform on the sphere.
pub fn axes(seed: u64) -> [Axis; 3] {
    let mut random = rand_pcg::Pcg64Mcg::seed_from_u64(seed);
    let direction = loop {
        let v = DVec3::from_array(std::array::from_fn(|_| random.random_range(-1.0..1.0)));
        if (0.01..1.0).contains(&v.length_squared()) {
            break v.normalize();
        }
    };
    [
        Axis { name: "x", direction: DVec3::X },
        Axis { name: "y", direction: DVec3::Y },
        Axis { name: "random", direction },
    ]
}
