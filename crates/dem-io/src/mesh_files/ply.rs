//! PLY, through the crate `ply-rs-bw`.

use glam::DVec3;
use ply_rs_bw::parser::{ParseError, Parser, Reader};
use ply_rs_bw::ply::{
    BeginList, ElementDef, Encoding, Property, PropertyAccess, PropertyAccessResult, PropertyType, ScalarType,
};

use super::error::{Fault, FileFault, LineFault};
use super::polygon::Cutter;
use crate::stl::Triangle;
use crate::suggestion::excerpt;

/// Characters of a message of the crate that are repeated.
const EXCERPT: usize = 160;
/// Names that the corners of faces go by.
const CORNERS: [&str; 2] = ["vertex_indices", "vertex_index"];

/// Reads the triangles of a file.
pub(super) fn parse(bytes: &[u8]) -> Result<Vec<Triangle>, Fault> {
    let mut reader = Reader::new(bytes);
    let header = Parser::<Vertex>::new().read_header(&mut reader).map_err(|error| told(&error, true))?;
    let is_text = header.encoding == Encoding::Ascii;
    let has = |element: &ElementDef, names: &[&str]| names.iter().any(|name| element.properties.contains_key(*name));
    let vertex = header.elements.get("vertex");
    if vertex.is_none_or(|vertex| ["x", "y", "z"].iter().any(|name| !has(vertex, &[name]))) {
        return Err(Fault::File(FileFault::MissingElement { element: "vertex", properties: "x, y and z" }));
    }
    if header.elements.get("face").is_none_or(|face| !has(face, &CORNERS)) {
        let properties = "a list vertex_indices or vertex_index";
        return Err(Fault::File(FileFault::MissingElement { element: "face", properties }));
    }
    check_room(header.elements.values(), is_text, reader.get_ref().len())?;
    let (mut vertices, mut faces) = (Vec::new(), Vec::new());
    for element in header.elements.values() {
        let read = match element.name.as_str() {
            "vertex" => {
                Parser::new().read_payload_for_element(&mut reader, element, &header).map(|found| vertices = found)
            }
            "face" => Parser::new().read_payload_for_element(&mut reader, element, &header).map(|found| faces = found),
            // no more than can be held at once
            _ => Parser::<Passed>::new().read_payload_for_element(&mut reader, element, &header).map(drop),
        };
        read.map_err(|error| told(&error, is_text))?;
    }
    triangles(&vertices, &faces)
}

/// Refuses a header that announces more than there is.
fn check_room<'a>(elements: impl Iterator<Item = &'a ElementDef>, is_text: bool, bytes: usize) -> Result<(), Fault> {
    let size = |scalar: &ScalarType| match scalar {
        ScalarType::Char | ScalarType::UChar => 1,
        ScalarType::Short | ScalarType::UShort => 2,
        ScalarType::Int | ScalarType::UInt | ScalarType::Float => 4,
        ScalarType::Double => 8,
    };
    let mut left = bytes;
    for element in elements.filter(|element| element.count > 0) {
        let properties = element.properties.values().map(|property| match &property.data_type {
            PropertyType::Scalar(scalar) => size(scalar),
            PropertyType::List(length, _) => size(length),
        });
        // a line has a character for each number and one behind it
        let least: usize = if is_text { 2 * element.properties.len() } else { properties.sum() };
        let needed = element.count.checked_mul(least).filter(|&needed| least > 0 && needed <= left + 1);
        let Some(needed) = needed else {
            let element_name = excerpt(&element.name, 40);
            return Err(Fault::File(FileFault::Announced { element: element_name, count: element.count, bytes }));
        };
        left = left.saturating_sub(needed);
    }
    Ok(())
}

/// What the crate says, in one line. Lines of binary files are none.
fn told(error: &ParseError, is_text: bool) -> Fault {
    let text = error.to_string();
    // "Line 7: Couldn't read element line.\n\tString: ..."
    let text =
        text.strip_prefix("Line ").and_then(|rest| rest.split_once(": ")).map_or(text.as_str(), |(_, rest)| rest);
    let joined =
        text.split(['\n', '\r', '\t']).map(str::trim).filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ");
    let words = excerpt(&joined, EXCERPT);
    match error.line().filter(|_| is_text) {
        Some(line) => Fault::Line(line, LineFault::Ply(words)),
        None => Fault::File(FileFault::Ply(words)),
    }
}

fn triangles(vertices: &[Vertex], faces: &[Face]) -> Result<Vec<Triangle>, Fault> {
    if faces.is_empty() {
        return Err(Fault::File(FileFault::Empty));
    }
    if let Some(at) = vertices.iter().position(|vertex| !vertex.0.is_finite()) {
        return Err(Fault::File(FileFault::NotFinite { vertex: at + 1 }));
    }
    let mut triangles = Vec::with_capacity(faces.len());
    let mut cutter = Cutter::default();
    for (number, Face { corners }) in faces.iter().enumerate() {
        let face = number + 1;
        if corners.len() < 3 {
            return Err(Fault::File(FileFault::FewCorners { face, corners: corners.len() }));
        }
        let is_known = |index: &i32| usize::try_from(*index).is_ok_and(|index| index < vertices.len());
        if let Some(&index) = corners.iter().find(|index| !is_known(index)) {
            let last = vertices.len().saturating_sub(1);
            return Err(Fault::File(FileFault::OutOfRange { face, index: index.into(), last }));
        }
        cutter.cut(corners.iter().map(|&index| vertices[index as usize].0), &mut triangles).map_err(Fault::File)?;
    }
    Ok(triangles)
}

struct Vertex(DVec3);

impl Vertex {
    fn set(&mut self, name: &str, value: f64) -> PropertyAccessResult {
        match name {
            "x" => self.0.x = value,
            "y" => self.0.y = value,
            "z" => self.0.z = value,
            _ => return PropertyAccessResult::Ignored,
        }
        PropertyAccessResult::Set
    }
}

impl PropertyAccess for Vertex {
    fn new() -> Self {
        Self(DVec3::NAN)
    }

    fn set_property(&mut self, name: &str, property: Property) -> PropertyAccessResult {
        match property {
            Property::Char(value) => self.set(name, value.into()),
            Property::UChar(value) => self.set(name, value.into()),
            Property::Short(value) => self.set(name, value.into()),
            Property::UShort(value) => self.set(name, value.into()),
            Property::Int(value) => self.set(name, value.into()),
            Property::UInt(value) => self.set(name, value.into()),
            Property::Float(value) => self.set(name, value.into()),
            Property::Double(value) => self.set(name, value),
            _ if ["x", "y", "z"].contains(&name) => PropertyAccessResult::UnsupportedType,
            _ => PropertyAccessResult::Ignored,
        }
    }
}

struct Face {
    corners: Vec<i32>,
}

impl PropertyAccess for Face {
    fn new() -> Self {
        Self { corners: Vec::new() }
    }

    fn begin_list_int(&mut self, name: &str, _length: usize) -> BeginList<'_, i32> {
        if CORNERS.contains(&name) { BeginList::Fill(&mut self.corners) } else { BeginList::UseSetter }
    }

    fn set_property(&mut self, name: &str, property: Property) -> PropertyAccessResult {
        if !CORNERS.contains(&name) {
            return PropertyAccessResult::Ignored;
        }
        self.corners = match property {
            Property::ListChar(list) => list.into_iter().map(i32::from).collect(),
            Property::ListUChar(list) => list.into_iter().map(i32::from).collect(),
            Property::ListShort(list) => list.into_iter().map(i32::from).collect(),
            Property::ListUShort(list) => list.into_iter().map(i32::from).collect(),
            Property::ListInt(list) => list,
            // what is above is no number of a vertex
            Property::ListUInt(list) => list.into_iter().map(|index| i32::try_from(index).unwrap_or(-1)).collect(),
            _ => return PropertyAccessResult::UnsupportedType,
        };
        PropertyAccessResult::Set
    }
}

/// What is passed over.
struct Passed;

impl PropertyAccess for Passed {
    fn new() -> Self {
        Self
    }
}
