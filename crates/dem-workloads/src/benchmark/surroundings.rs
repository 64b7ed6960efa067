//! What is around the spheres of a workload: the part of its scene that is not the law.

use std::fmt::Write as _;
use std::path::Path;

use dem_core::DVec3;
use dem_io::atomic::write_atomically;

use super::options::{Options, refused};
use crate::error::WorkloadError;

/// What is around the spheres.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Surroundings {
    /// A cell that is periodic in all directions.
    Cell,
    /// A floor; periodic along x and y.
    Floor,
    /// A cell that is periodic in all directions, is sheared and holds its normal stresses.
    Sheared,
    /// A silo with a conical hopper.
    Hopper,
}

/// Facets of the mesh of a hopper, unless another number is asked for.
pub const FACETS: usize = 5760;

/// The hopper from the spout to the top of the bin: radii and heights \[mm\].
const PROFILE: [[f64; 2]; 4] = [[20.0, 0.0], [20.0, 20.0], [80.0, 124.0], [80.0, 424.0]];

/// Meshes of the hopper: facets, segments around the axis, and strips that each part of [`PROFILE`] is cut into.
const MESHES: [(usize, usize, [usize; 3]); 2] = [(288, 48, [1, 1, 1]), (FACETS, 120, [2, 10, 12])];

/// Normal stresses of a cell that is sheared \[Pa\], those at which its spheres fill as much of it as before, and its rate \[1/s\].
const SHEAR: [f64; 2] = [3e4, 20.0];

impl Surroundings {
    /// Axes along which packings may be copied.
    pub fn periodic_axes(self) -> usize {
        match self {
            Self::Cell | Self::Sheared => 3,
            Self::Floor => 2,
            Self::Hopper => 0,
        }
    }

    /// Material of spheres of which none is told.
    pub fn material(self) -> &'static str {
        if self == Self::Hopper { "sand" } else { "m" }
    }

    /// Domain with periods \[m\], fields, materials of beds, walls and stages; files go beside the table of the packing.
    ///
    /// # Errors
    /// Facets that do not exist, a mesh that cannot be written.
    pub fn scene(
        self,
        materials: &str,
        options: &Options,
        period: [f64; 3],
        table: &Path,
    ) -> Result<String, WorkloadError> {
        if options.facets.is_some() && self != Self::Hopper {
            return Err(refused("--facets", "given", "with hopper only"));
        }
        let [x, y, z] = period;
        let (around, stage) = match self {
            Self::Cell => (format!("max = [{x:?}, {y:?}, {z:?}]\n{CELL}"), String::new()),
            Self::Sheared => {
                let [stress, rate] = SHEAR.map(|number| format!("{number:?}"));
                let held = ["xx", "yy", "zz"].map(|axis| format!("{axis} = {{ stress = {stress} }}")).join(", ");
                let stage = format!("deform = {{ {held}, xz = {{ rate = {rate} }}, max_rate = 100 }}\n");
                (format!("max = [{x:?}, {y:?}, {z:?}]\n{CELL}[cell]\npositive = \"compression\"\n"), stage)
            }
            Self::Floor => (format!("max = [{x:?}, {y:?}, {z:?}]\n{FLOOR}"), String::new()),
            Self::Hopper => (HOPPER.to_owned() + &hopper(options.facets.unwrap_or(FACETS), table)?, String::new()),
        };
        let materials = if self == Self::Hopper { "" } else { materials };
        let low = if self == Self::Floor { -2e-4 } else { 0.0 };
        let low = if self == Self::Hopper { String::new() } else { format!("min = [0, 0, {low:?}]\n") };
        Ok(format!(
            "[domain]\n{low}{around}{materials}[[stages]]\nname = \"run\"\n{stage}until = {{ steps = 1000000000 }}\n"
        ))
    }
}

const CELL: &str = r#"
x = "periodic"
y = "periodic"
z = "periodic"
[fields]
gravity = [0, 0, 0]
"#;

const FLOOR: &str = r#"
x = "periodic"
y = "periodic"
z = "error"
[fields]
gravity = [0, 0, -9.81]
[[walls]]
name = "floor"
material = "m"
shape = { type = "plane", normal = [0, 0, 1] }
"#;

/// As in `data/hopper_7k.toml`.
const HOPPER: &str = r#"
min = [-0.09, -0.09, -0.06]
max = [0.09, 0.09, 0.8]
z_min = "open"
[materials.sand]
density = 2600
young_modulus = 4e7
poisson_ratio = 0.25
[materials.coal]
density = 1300
young_modulus = 2.5e7
poisson_ratio = 0.3
[materials.ore]
density = 4200
young_modulus = 3e7
poisson_ratio = 0.25
[materials.steel]
density = 7850
young_modulus = 1e8
poisson_ratio = 0.3
[[pairs]]
materials = ["sand", "steel"]
friction = 0.3
[[pairs]]
materials = ["coal", "steel"]
friction = 0.35
[[pairs]]
materials = ["ore", "steel"]
friction = 0.25
[[pairs]]
materials = ["coal", "ore"]
friction = 0.6
"#;

/// Walls of the hopper with a mesh of so many facets, or analytic ones if there are none.
fn hopper(facets: usize, table: &Path) -> Result<String, WorkloadError> {
    let wall = |name: &str, shape: String| {
        format!("[[walls]]\nname = \"{name}\"\nmaterial = \"steel\"\nshape = {{ {shape} }}\n")
    };
    if facets == 0 {
        let [spout, cone, bin, top] = PROFILE.map(|[radius, height]| [1e-3 * radius, 1e-3 * height]);
        let tube = |[radius, low]: [f64; 2], high: f64| {
            format!("type = \"cylinder\", base = [0, 0, {low:?}], radius = {radius:?}, height = {:?}", high - low)
        };
        let [low, high] = [cone, bin];
        let cone = format!(
            "type = \"frustum\", base = [0, 0, {:?}], base_radius = {:?}, top_radius = {:?}, height = {:?}",
            low[1],
            low[0],
            high[0],
            high[1] - low[1]
        );
        return Ok(wall("spout", tube(spout, low[1])) + &wall("cone", cone) + &wall("bin", tube(bin, top[1])));
    }
    let Some(&(_, segments, strips)) = MESHES.iter().find(|mesh| mesh.0 == facets) else {
        let known = MESHES.map(|mesh| mesh.0.to_string()).join(" or ");
        return Err(refused("--facets", &facets.to_string(), &format!("{known}, or 0 for analytic walls")));
    };
    let path = table.with_file_name("hopper.stl");
    write_atomically(&path, stl(segments, strips).as_bytes())?;
    Ok(wall("hopper", format!("type = \"mesh\", file = {path:?}, unit = \"1 mm\"")))
}

/// [`PROFILE`] turned around the z axis, as text: the middles of the segments lie on the circles.
fn stl(segments: usize, strips: [usize; 3]) -> String {
    let mut rings = Vec::new();
    for (ends, strips) in PROFILE.windows(2).zip(strips) {
        rings.extend((0..strips).map(|k| {
            let share = k as f64 / strips as f64;
            [0, 1].map(|at| ends[0][at] + share * (ends[1][at] - ends[0][at]))
        }));
    }
    rings.push(PROFILE[3]);
    let corner = |[radius, height]: [f64; 2], segment: usize| {
        let angle = std::f64::consts::TAU * (segment % segments) as f64 / segments as f64;
        let radius = radius / libm::cos(0.5 * std::f64::consts::TAU / segments as f64);
        DVec3::new(radius * libm::cos(angle), radius * libm::sin(angle), height)
    };
    let mut text = String::from("solid hopper\n");
    for ends in rings.windows(2) {
        for segment in 0..segments {
            let [a, b] = [segment, segment + 1].map(|segment| corner(ends[0], segment));
            let [c, d] = [segment, segment + 1].map(|segment| corner(ends[1], segment));
            for corners in [[a, b, c], [b, d, c]] {
                text += "facet normal 0 0 0\nouter loop\n";
                for corner in corners {
                    // writing into a string cannot fail
                    let _ = writeln!(text, "vertex {:?} {:?} {:?}", corner.x, corner.y, corner.z);
                }
                text += "endloop\nendfacet\n";
            }
        }
    }
    text + "endsolid hopper\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn meshes_have_as_many_facets_as_they_are_known_by() {
        for (facets, segments, strips) in MESHES {
            assert_eq!(stl(segments, strips).matches("endfacet").count(), facets);
        }
    }
}
