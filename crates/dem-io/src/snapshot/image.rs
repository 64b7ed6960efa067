//! Fields on a regular grid in a VTKHDF file.

use std::ffi::OsString;
use std::path::Path;

use super::frame::{ColumnData, ColumnSpec, Element};
use super::hdf5::{Access, Library, NewDataset, VtkType, WritableFile, guarded};
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
        let file = Library::CHOSEN.create(&temporary)?;
        match fill(&*file, grid) {
            Ok(()) => file.close(),
            Err(failure) => {
                file.abandon();
                Err(failure)
            }
        }
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

fn fill(file: &dyn WritableFile, grid: &GridFields) -> Access<()> {
    let [nx, ny, nz] = grid.cells;
    let count = nx.checked_mul(ny).and_then(|n| n.checked_mul(nz)).ok_or("the grid has too many cells")?;
    let vtk = "VTKHDF";
    file.create_group(vtk)?;
    file.set_numbers(vtk, "Version", &ColumnData::I64(VTKHDF_VERSION.to_vec()))?;
    file.set_vtk_type(vtk, VtkType::ImageData)?;
    let extent = vec![0, nx as i64, 0, ny as i64, 0, nz as i64];
    file.set_numbers(vtk, "WholeExtent", &ColumnData::I64(extent))?;
    file.set_numbers(vtk, "Origin", &ColumnData::F64(grid.origin.to_vec()))?;
    file.set_numbers(vtk, "Spacing", &ColumnData::F64(grid.spacing.to_vec()))?;
    let axes = vec![1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0];
    file.set_numbers(vtk, "Direction", &ColumnData::F64(axes))?;
    file.create_group("VTKHDF/CellData")?;
    grid.fields.iter().try_for_each(|field| write_field(file, field, [nz, ny, nx], count))
}

fn write_field(file: &dyn WritableFile, field: &CellField, shape: [usize; 3], count: usize) -> Access<()> {
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
    let path = format!("VTKHDF/CellData/{name}");
    let dataset = NewDataset { element: Element::F64, shape, grows: false, chunk, compressed: true, unit, meaning };
    file.create_dataset(&path, &dataset)?;
    file.write_all(&path, &field.values)
}

#[cfg(test)]
mod tests {
    use rust_hdf5::H5File;

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
