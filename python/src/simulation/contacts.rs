//! Contacts and frames as arrays.

use std::collections::BTreeMap;

use dem_core::contact_list::PartnerKind;
use dem_core::history::stride;
use dem_core::{DVec3, contact_list::ContactKey};
use dem_io::snapshot::{Column, ColumnData, Frame};
use numpy::{PyArray1, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::{Simulation, vectors};
use crate::guarded::guarded;

/// Contacts that are there, one entry of every list for each, in order of their keys.
#[derive(Default)]
struct Contacts {
    keys: Vec<ContactKey>,
    normal: Vec<DVec3>,
    overlap: Vec<f64>,
    force: Vec<DVec3>,
    branch: Vec<DVec3>,
    touches: Vec<bool>,
    sliding: Vec<bool>,
}

/// Numbers of a history field of all contacts; NaN where a law does not have it.
struct Field {
    width: usize,
    numbers: Vec<f64>,
}

#[pymethods]
impl Simulation {
    /// Contacts in order of their keys: `first`, `second`, `wall` (number, −1 between particles), `feature`, `normal`, `overlap`, `force`, `branch`,
    /// `touches`, `sliding`.
    fn contacts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        guarded(|| {
            let found = self.with_all(|state| {
                let order = state.order();
                Ok(py.detach(|| {
                    let world = &state.simulation().world;
                    let mut found = Contacts::default();
                    world.visit_contacts_in_order(&order, &mut |c| {
                        found.keys.push(c.key);
                        found.normal.push(c.normal);
                        found.overlap.push(c.overlap);
                        found.force.push(world.forces.get(c.candidate).map_or(DVec3::ZERO, |w| w.force_on_first()));
                        found.branch.push(c.branch);
                        found.touches.push(c.touches);
                        found.sliding.push(world.forces.mode(c.candidate) == Some(dem_contact::law::Mode::Slide));
                    });
                    found
                }))
            })?;
            let table = PyDict::new(py);
            let of_wall = |key: &ContactKey| key.kind == PartnerKind::Wall;
            let second = |key: &ContactKey| if of_wall(key) { -1 } else { key.second as i64 };
            let wall = |key: &ContactKey| if of_wall(key) { key.second as i64 } else { -1 };
            table.set_item("first", PyArray1::from_iter(py, found.keys.iter().map(|key| key.first as i64)))?;
            table.set_item("second", PyArray1::from_iter(py, found.keys.iter().map(second)))?;
            table.set_item("wall", PyArray1::from_iter(py, found.keys.iter().map(wall)))?;
            table.set_item("feature", PyArray1::from_iter(py, found.keys.iter().map(|key| key.feature)))?;
            table.set_item("normal", vectors(py, found.normal)?)?;
            table.set_item("overlap", PyArray1::from_vec(py, found.overlap))?;
            table.set_item("force", vectors(py, found.force)?)?;
            table.set_item("branch", vectors(py, found.branch)?)?;
            table.set_item("touches", PyArray1::from_vec(py, found.touches))?;
            table.set_item("sliding", PyArray1::from_vec(py, found.sliding))?;
            Ok(table)
        })
    }

    /// What contacts remember, in the order of `contacts`: by name an array and its unit. Numbers that the law of a contact does not have are NaN.
    fn histories<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        guarded(|| {
            let fields = self.with_all(|state| {
                let order = state.order();
                let world = &state.simulation().world;
                let mut rows: BTreeMap<ContactKey, usize> = BTreeMap::new();
                world.visit_contacts_in_order(&order, &mut |c| {
                    rows.insert(c.key, rows.len());
                });
                let mut fields: BTreeMap<(&str, &str), Field> = BTreeMap::new();
                for kernel in &world.kernels {
                    let saved = kernel.save(&world.list, &world.particles.id);
                    let mut at = 0;
                    for field in kernel.fields() {
                        let width = stride(std::slice::from_ref(field));
                        let column = fields
                            .entry((field.name, field.unit))
                            .or_insert_with(|| Field { width, numbers: vec![f64::NAN; rows.len() * width] });
                        for contact in &saved {
                            if let (Some(&row), Some(numbers)) =
                                (rows.get(&contact.key), contact.record.get(at..at + width))
                                && column.width == width
                            {
                                column.numbers[row * width..][..width].copy_from_slice(numbers);
                            }
                        }
                        at += width;
                    }
                }
                Ok(fields)
            })?;
            let table = PyDict::new(py);
            for ((name, unit), Field { width, numbers }) in fields {
                let rows = numbers.len() / width.max(1);
                let array = PyArray1::from_vec(py, numbers);
                let array = if width == 1 { array.into_any() } else { array.reshape([rows, width])?.into_any() };
                table.set_item(name, (array, unit))?;
            }
            Ok(table)
        })
    }

    /// The frame of the present state as a run directory would get it: step, time, tables by name, numbers by name. Columns are arrays with their units.
    fn frame<'py>(&self, py: Python<'py>, contacts: bool) -> PyResult<Bound<'py, PyDict>> {
        guarded(|| {
            let frame =
                self.with_all(|state| Ok(py.detach(|| dem_sim::run::frame(&state.simulation().world, contacts))))?;
            table_of(py, frame)
        })
    }
}

fn table_of(py: Python<'_>, frame: Frame) -> PyResult<Bound<'_, PyDict>> {
    let (tables, numbers, all) = (PyDict::new(py), PyDict::new(py), PyDict::new(py));
    let particles = PyDict::new(py);
    particles.set_item("position", (vectors(py, frame.positions)?, "m"))?;
    put(py, &particles, frame.point_data)?;
    tables.set_item("particles", particles)?;
    for table in frame.tables {
        let columns = PyDict::new(py);
        put(py, &columns, table.columns)?;
        tables.set_item(table.name, columns)?;
    }
    for (spec, number) in &frame.field_data {
        numbers.set_item(spec.name.as_ref(), (number, spec.unit.as_ref()))?;
    }
    all.set_item("step", frame.step)?;
    all.set_item("time", frame.time)?;
    all.set_item("tables", tables)?;
    all.set_item("numbers", numbers)?;
    Ok(all)
}

fn put<'py>(py: Python<'py>, table: &Bound<'py, PyDict>, columns: Vec<Column>) -> PyResult<()> {
    for Column { spec, data } in columns {
        macro_rules! array {
            ($numbers:expr) => {{
                let (rows, array) = ($numbers.len() / spec.width.max(1), PyArray1::from_vec(py, $numbers));
                if spec.width == 1 { array.into_any() } else { array.reshape([rows, spec.width])?.into_any() }
            }};
        }
        let array = match data {
            ColumnData::F64(numbers) => array!(numbers),
            ColumnData::U64(numbers) => array!(numbers),
            ColumnData::I64(numbers) => array!(numbers),
            ColumnData::U32(numbers) => array!(numbers),
            ColumnData::U8(numbers) => array!(numbers),
        };
        table.set_item(spec.name.as_ref(), (array, spec.unit.as_ref()))?;
    }
    Ok(())
}
