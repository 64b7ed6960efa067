//! The force of a contact on its way to another process.

use bytemuck::{Pod, Zeroable};
use dem_core::DVec3;
use dem_core::contact_list::{ContactKey, PartnerKind};

use crate::force_loop::reduction::wrench::Wrench;
use crate::force_loop::reduction::written::TouchingForce;
use crate::law::Mode;

/// Everything about the force of a contact.
#[derive(Clone, Copy, Debug)]
pub struct ExportedForce {
    /// Which contact.
    pub key: ContactKey,
    pub(crate) force: TouchingForce,
}

/// The same as bytes.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct Packed {
    first: u64,
    second: u64,
    feature: u32,
    /// 0 for pairs, 1 for walls.
    kind: u16,
    mode: u16,
    wrench: Wrench,
    couple: DVec3,
    wall_torque: DVec3,
}

impl ExportedForce {
    /// All of them as bytes.
    pub fn to_bytes(forces: &[Self]) -> Vec<u8> {
        let packed: Vec<Packed> = forces
            .iter()
            .map(|Self { key, force }| Packed {
                first: key.first,
                second: key.second,
                feature: key.feature,
                kind: u16::from(key.kind == PartnerKind::Wall),
                mode: force.mode as u16,
                wrench: force.wrench,
                couple: force.couple,
                wall_torque: force.wall_torque,
            })
            .collect();
        bytemuck::cast_slice(&packed).to_vec()
    }

    /// From bytes; what is left over at the end of them is left out.
    pub fn from_bytes(bytes: &[u8]) -> Vec<Self> {
        let packed = bytes.chunks_exact(size_of::<Packed>()).map(bytemuck::pod_read_unaligned::<Packed>);
        packed
            .map(|packed| Self {
                key: ContactKey {
                    first: packed.first,
                    kind: if packed.kind == 0 { PartnerKind::Particle } else { PartnerKind::Wall },
                    second: packed.second,
                    feature: packed.feature,
                },
                force: TouchingForce {
                    wrench: packed.wrench,
                    mode: Mode::from_number(packed.mode as u8),
                    couple: packed.couple,
                    wall_torque: packed.wall_torque,
                },
            })
            .collect()
    }
}
