//! Spheres of `fix particletemplate/multisphere` of LIGGGHTS: lines of four numbers.

use super::clump_shape::{ClumpShape, ClumpSphere};
use super::error::{ClumpFileError, FileFault, Origin};
use super::fields::{fields, lines, place_and_radius};

const EXPECTED: &str = "4: x y z r";

pub(super) fn read(origin: Origin, text: &str) -> Result<Vec<ClumpShape>, ClumpFileError> {
    let mut spheres = Vec::new();
    for (number, line) in lines(text).filter(|(_, line)| !line.is_empty()) {
        let sphere = fields(line, ["x", "y", "z", "r"], EXPECTED).and_then(place_and_radius);
        spheres.push(ClumpSphere::new(sphere.map_err(|fault| origin.line(number, fault))?));
    }
    if spheres.is_empty() {
        return Err(origin.file(FileFault::Empty { expected: "lines `x y z r`" }));
    }
    Ok(vec![ClumpShape::of_spheres(spheres)])
}
