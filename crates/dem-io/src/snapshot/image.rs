//! Fields on a regular grid in a VTKHDF file.

use std::ffi::OsString;
use std::path::Path;

use rust_hdf5::types::VarLenUnicode;
use rust_hdf5::{DatatypeMessage, H5File, H5Group};

use super::frame::ColumnSpec;
use super::hdf5::{self, Failure, failed_on, guarded};
use super::layout::VTKHDF_VERSION;
use crate::atomic;
use crate::error::{Error, Result};

/// A field: one value, or `width` of them, for each cell of a grid.
#[derive(Debug, Clone, PartialEq)]
pub struct CellField {
    /// Name, unit, meaning, width.
    pub spec: ColumnSpec,
    /// Values, the cells of a row along x one after the other, then rows along y, then layers along z.
    pub values: Vec<f64>,
}

/// Fields on the cells of a regular grid along the axes: an image in the words of VTK.
#[derive(Debug, Clone, PartialEq)]
pub struct GridFields {
    /// Corner of the grid `[m]`.
    pub origin: [f64; 3],
    /// Edges of a cell `[m]`.
    pub spacing: [f64; 3],
    /// Cells along x, y, z.
    pub cells: [usize; 3],
    /// The fields.
    pub fields: Vec<CellField>,
}

/// Writes fields to a VTKHDF file of type `ImageData` with cell data, which takes the place of an existing one once it is complete.
///
/// # Errors
/// [`Error::Snapshot`] if a field has another number of values than the grid, [`Error::Snapshot`] and [`Error::System`] if the file
/// cannot be written.
pub fn write_grid_fields(path: &Path, grid: &GridFields) -> Result<()> {
    let mut name = path.file_name().map_or_else(OsString::new, OsString::from);
    name.push(".new");
    let temporary = path.with_file_name(name);
    let written = guarded(path, || {
        let file = hdf5::create(&temporary)?;
        fill(&file, grid)?;
        file.flush().map_err(|error| error.to_string())?;
        file.close_no_sync().map_err(|error| error.to_string())
    });
    let moved = written.and_then(|()| {
        std::fs::File::open(&temporary).and_then(|file| file.sync_all()).map_err(Error::system("sync", &temporary))?;
        std::fs::rename(&temporary, path).map_err(Error::system("rename a new file to", path))
    });
    if let Err(error) = moved {
        // the failure is what matters; a left-over is overwritten by the next attempt
        let _ = std::fs::remove_file(&temporary);
        return Err(error);
    }
    atomic::sync_folder_of(path)
}

fn fill(file: &H5File, grid: &GridFields) -> std::result::Result<(), Failure> {
    let [nx, ny, nz] = grid.cells;
    let count = nx.checked_mul(ny).and_then(|n| n.checked_mul(nz)).ok_or("the grid has too many cells")?;
    let vtk = file.create_group("VTKHDF").map_err(failed_on("VTKHDF"))?;
    vtk.set_attr_array_numeric("Version", &VTKHDF_VERSION).map_err(failed_on("Version"))?;
    // VTK demands a fixed-length ASCII string here
    let kind = DatatypeMessage::FixedString { size: 9, padding: 1, charset: 0 };
    vtk.set_attr_typed("Type", kind, b"ImageData".to_vec()).map_err(failed_on("Type"))?;
    let extent = [0, nx as i64, 0, ny as i64, 0, nz as i64];
    vtk.set_attr_array_numeric("WholeExtent", &extent).map_err(failed_on("WholeExtent"))?;
    vtk.set_attr_array_numeric("Origin", &grid.origin).map_err(failed_on("Origin"))?;
    vtk.set_attr_array_numeric("Spacing", &grid.spacing).map_err(failed_on("Spacing"))?;
    let axes = [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0];
    vtk.set_attr_array_numeric("Direction", &axes).map_err(failed_on("Direction"))?;
    let cells = vtk.create_group("CellData").map_err(failed_on("CellData"))?;
    grid.fields.iter().try_for_each(|field| write_field(&cells, field, [nz, ny, nx], count))
}

fn write_field(
    group: &H5Group,
    field: &CellField,
    shape: [usize; 3],
    count: usize,
) -> std::result::Result<(), Failure> {
    let ColumnSpec { name, unit, meaning, width } = &field.spec;
    if count.checked_mul(*width) != Some(field.values.len()) {
        return Err(format!("field {name} has {} values for {count} cells of {width}", field.values.len()));
    }
    let mut shape = shape.to_vec();
    if *width > 1 {
        shape.push(*width);
    }
    // one chunk for each layer, as one looks at them
    let mut chunk = shape.clone();
    chunk[0] = 1;
    let dataset = group.new_dataset::<f64>().shape(&shape).chunk(&chunk).shuffle_deflate(1);
    let dataset = dataset.create(name).map_err(failed_on(name))?;
    dataset.write_raw(&field.values).map_err(failed_on(name))?;
    for (attribute, text) in [("unit", unit), ("meaning", meaning)] {
        dataset
            .new_attr::<VarLenUnicode>()
            .shape(())
            .create(attribute)
            .and_then(|attribute| attribute.write_string(text))
            .map_err(failed_on(name))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grid(values: Vec<f64>) -> GridFields {
        let spec = ColumnSpec::new("density", "kg/m^3", "mass per volume", 1);
        let vector = ColumnSpec::new("velocity", "m/s", "velocity", 3);
        let vectors = (0..72).map(f64::from).collect();
        GridFields {
            origin: [0.1, 0.2, 0.3],
            spacing: [0.5, 0.25, 1.0],
            cells: [4, 3, 2],
            fields: vec![CellField { spec, values }, CellField { spec: vector, values: vectors }],
        }
    }

    #[test]
    fn fields_lie_in_the_file_layer_by_layer() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("fields.vtkhdf");
        let values: Vec<f64> = (0..24).map(f64::from).collect();
        write_grid_fields(&path, &grid(values.clone())).unwrap();
        // again, over the first
        write_grid_fields(&path, &grid(values.clone())).unwrap();
        let file = H5File::open(&path).unwrap();
        let density = file.dataset("VTKHDF/CellData/density").unwrap();
        assert_eq!(density.shape(), [2, 3, 4]);
        assert_eq!(density.read_slice::<f64>(&[0, 0, 0], &[2, 3, 4]).unwrap(), values);
        assert_eq!(density.attr("unit").unwrap().read_string().unwrap(), "kg/m^3");
        let velocity = file.dataset("VTKHDF/CellData/velocity").unwrap();
        assert_eq!(velocity.shape(), [2, 3, 4, 3]);
        assert_eq!(velocity.read_slice::<f64>(&[1, 2, 3, 0], &[1, 1, 1, 3]).unwrap(), [69.0, 70.0, 71.0]);
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "no temporary file is left");
    }

    #[test]
    fn field_of_another_size_is_refused_and_leaves_no_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("fields.vtkhdf");
        let message = write_grid_fields(&path, &grid(vec![0.0; 23])).unwrap_err().to_string();
        assert!(message.contains("field density has 23 values for 24 cells of 1"), "{message}");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}
