//! Columns of the series for materials: what has left of each, and its share of every region.

use dem_core::DVec3;
use dem_io::series::SeriesColumn;

use super::names::column_name;
use crate::state::world::World;

/// Names of the columns of materials that are followed, in the order of the materials.
pub fn material_columns<'a>(materials: impl Iterator<Item = &'a str>, regions: &[&str]) -> Vec<String> {
    describe(materials, regions).into_iter().map(|column| column.name).collect()
}

/// The columns with their units and meanings.
pub(super) fn describe<'a>(materials: impl Iterator<Item = &'a str>, regions: &[&str]) -> Vec<SeriesColumn> {
    let mut columns = Vec::new();
    for material in materials {
        let name = column_name(material);
        let text = format!("particles of material {material} that left through open faces of the domain so far");
        columns.push(SeriesColumn::new(format!("removed_{name}"), "-", text));
        columns.push(SeriesColumn::new(format!("removed_mass_{name}"), "kg", "their mass"));
        for region in regions {
            let text = format!(
                "share of material {material} of the mass of the particles with their centres in region {region}, NaN without any"
            );
            columns.push(SeriesColumn::new(format!("region_{}_share_{name}", column_name(region)), "-", text));
        }
    }
    columns
}

/// The columns of a world.
pub(super) fn of_world(world: &World) -> Vec<SeriesColumn> {
    let names = world.material_flows.iter().map(|flow| world.materials[usize::from(flow.material)].name.as_str());
    describe(names, &world.regions.iter().map(|region| region.name.as_str()).collect::<Vec<_>>())
}

/// Their values.
pub(super) fn values(world: &World) -> Vec<f64> {
    let mut values = Vec::new();
    for flow in &world.material_flows {
        values.extend([flow.particles as f64, flow.mass]);
        for measured in &world.regions {
            let [all, chosen] = world.sums_of_movers(|mover| {
                let centre: DVec3 = world.centre_of(mover);
                if !measured.region.contains(centre) {
                    return [0.0; 2];
                }
                let mass = world.mass_of(mover);
                [mass, if world.material_of(mover) == flow.material { mass } else { 0.0 }]
            });
            values.push(chosen / all);
        }
    }
    values
}
