//! Columns of the series for the liquid of films and bridges.

use dem_io::series::SeriesColumn;

use crate::state::world::World;

const COLUMNS: [(&str, &str); 4] = [
    ("liquid_in_films", "volume of the liquid in the films of particles"),
    ("liquid_in_bridges", "volume of the liquid in bridges that share these films"),
    ("liquid_brought", "volume of the liquid that particles have brought in so far"),
    (
        "liquid_removed",
        "volume of the liquid that particles have taken out so far: what has been brought less that is in films and bridges",
    ),
];

/// Names of the columns.
pub(crate) fn columns() -> impl Iterator<Item = String> {
    COLUMNS.into_iter().map(|(name, _)| name.to_owned())
}

/// The columns.
pub(super) fn describe() -> impl Iterator<Item = SeriesColumn> {
    COLUMNS.into_iter().map(|(name, meaning)| SeriesColumn::new(name, "m^3", meaning))
}

/// Their values.
pub(super) fn values(world: &World) -> [f64; 4] {
    let (liquid, books) = (world.liquid(), world.liquid_books);
    [liquid.films, liquid.bridges, books.brought, books.removed]
}
