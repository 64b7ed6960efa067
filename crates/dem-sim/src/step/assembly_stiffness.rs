//! Stiffness of an assembly under uniform strain, from the present contacts.

use dem_core::contact_list::PartnerKind;
use dem_core::{DMat3, DVec3};

use crate::deformation::sampled_body;
use crate::deformation::servo::AssemblyStiffness;
use crate::state::world::World;

impl AssemblyStiffness {
    /// From the present contacts.
    pub fn of(world: &World) -> Self {
        let mut stiffness = Self::ZERO;
        let [xx, yy, zz, xy, xz, yz, shear_yz, shear_xz, shear_xy] = world.sum_over_contacts(|c| {
            // by the overlap: after a restart there are histories but no forces yet
            if c.key.kind != PartnerKind::Particle || !c.touches {
                return [0.0; 9];
            }
            let (kn, kt, n) = (c.stiffness.normal, c.stiffness.tangential, c.normal);
            let length_squared = c.branch.length_squared();
            // force along i per stretch along j of the branch, times the branch along i
            let normal = |i: usize, j: usize| {
                let same = if i == j { 1.0 } else { 0.0 };
                length_squared * n[i] * n[j] * (kn * n[i] * n[j] + kt * (same - n[i] * n[j]))
            };
            let shear = |i: usize, j: usize| {
                let (a, b) = (n[i] * n[i], n[j] * n[j]);
                length_squared * (kn * a * b + 0.25 * kt * (a + b - 4.0 * a * b))
            };
            let [xx, yy, zz] = [0, 1, 2].map(|k| normal(k, k));
            [xx, yy, zz, normal(0, 1), normal(0, 2), normal(1, 2), shear(1, 2), shear(0, 2), shear(0, 1)]
        });
        let columns = [DVec3::new(xx, xy, xz), DVec3::new(xy, yy, yz), DVec3::new(xz, yz, zz)];
        stiffness.normal = DMat3::from_cols(columns[0], columns[1], columns[2]);
        stiffness.shear = DVec3::new(shear_yz, shear_xz, shear_xy);
        let volume = sampled_body::volume(&world.cell, &world.walls);
        stiffness.normal *= 1.0 / volume;
        stiffness.shear /= volume;
        (stiffness.diameter, stiffness.density) = world.mean_diameter_and_density();
        stiffness
    }
}
