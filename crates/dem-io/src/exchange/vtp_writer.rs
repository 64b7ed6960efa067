//! Points or lines as XML PolyData of VTK, and collections of such files over time.
//!
//! Numbers are appended in binary, little-endian, as they are: VTK's `XMLPolyDataReader` and ParaView read them.

use std::fmt::Write as _;
use std::io::{self, Write};

use glam::DVec3;

use crate::snapshot::{Cells, Column, Element};

/// Writes points with their columns. `cells` says what is drawn of them.
///
/// # Errors
/// What the system refuses.
pub fn write_vtp(
    out: &mut impl Write,
    time: f64,
    cells: Cells,
    positions: &[DVec3],
    columns: &[Column],
) -> io::Result<()> {
    let corners = cells.corners();
    let count = positions.len() / corners;
    let mut offset = 0_u64;
    // where an array begins in the appended bytes; its length stands before it
    let mut place = |bytes: usize| {
        let at = offset;
        offset += 8 + bytes as u64;
        at
    };
    let mut head = String::new();
    // writing into a string cannot fail
    let _ = write!(
        head,
        "<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\">\n<PolyData>\n\
         <FieldData>\n<DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" format=\"ascii\">{time:?}</DataArray>\n</FieldData>\n"
    );
    let [vertices, lines, polygons] =
        [Cells::Vertices, Cells::Lines, Cells::Triangles].map(|kind| if kind == cells { count } else { 0 });
    let _ = write!(
        head,
        "<Piece NumberOfPoints=\"{}\" NumberOfVerts=\"{vertices}\" NumberOfLines=\"{lines}\" NumberOfStrips=\"0\" NumberOfPolys=\"{polygons}\">\n<PointData>\n",
        positions.len()
    );
    for column in columns {
        let (kind, width) = (vtk_type(column.data.element()), column.spec.width);
        let at = place(column.data.len() * column.data.element().size());
        let _ = writeln!(
            head,
            "<DataArray type=\"{kind}\" Name=\"{}\" NumberOfComponents=\"{width}\" format=\"appended\" offset=\"{at}\"/>",
            column.spec.name
        );
    }
    let at = place(24 * positions.len());
    let _ = writeln!(
        head,
        "</PointData>\n<Points>\n<DataArray type=\"Float64\" Name=\"Points\" NumberOfComponents=\"3\" format=\"appended\" offset=\"{at}\"/>\n</Points>"
    );
    let group = match cells {
        Cells::Vertices => "Verts",
        Cells::Lines => "Lines",
        Cells::Triangles => "Polys",
    };
    let (connectivity, offsets) = (place(8 * count * corners), place(8 * count));
    let _ = write!(
        head,
        "<{group}>\n<DataArray type=\"Int64\" Name=\"connectivity\" format=\"appended\" offset=\"{connectivity}\"/>\n\
         <DataArray type=\"Int64\" Name=\"offsets\" format=\"appended\" offset=\"{offsets}\"/>\n</{group}>\n</Piece>\n</PolyData>\n\
         <AppendedData encoding=\"raw\">\n_"
    );
    out.write_all(head.as_bytes())?;
    let mut array = |bytes: &[u8]| {
        out.write_all(&(bytes.len() as u64).to_le_bytes())?;
        out.write_all(bytes)
    };
    for column in columns {
        array(column.data.bytes())?;
    }
    array(bytemuck::cast_slice(&positions.iter().map(|x| x.to_array()).collect::<Vec<[f64; 3]>>()))?;
    array(bytemuck::cast_slice(&(0..(count * corners) as i64).collect::<Vec<i64>>()))?;
    array(bytemuck::cast_slice(&(1..=count as i64).map(|k| k * corners as i64).collect::<Vec<i64>>()))?;
    out.write_all(b"\n</AppendedData>\n</VTKFile>\n")
}

fn vtk_type(element: Element) -> &'static str {
    match element {
        Element::F64 => "Float64",
        Element::U64 => "UInt64",
        Element::I64 => "Int64",
        Element::U32 => "UInt32",
        Element::U8 => "UInt8",
    }
}

/// The text of a collection (`.pvd`): times and the files of these instants, beside it. Names have none of the signs of XML.
#[must_use]
pub fn collection(files: &[(f64, String)]) -> String {
    let mut text =
        String::from("<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\">\n<Collection>\n");
    for (time, name) in files {
        let _ = writeln!(text, "<DataSet timestep=\"{time:?}\" group=\"\" part=\"0\" file=\"{name}\"/>");
    }
    text + "</Collection>\n</VTKFile>\n"
}
