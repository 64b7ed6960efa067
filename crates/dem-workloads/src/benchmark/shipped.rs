//! Packings that come with the program.

/// A packing that comes with the program.
#[derive(Debug)]
pub struct Shipped {
    /// Table, gzip.
    pub table: &'static [u8],
    /// Lengths of its cell \[m\]; 0 where it is not periodic.
    pub period: [f64; 3],
    /// Overlap that its spheres may have, in proportion to the smaller radius.
    pub max_overlap: f64,
}

/// A bed of equal spheres on a floor.
pub static SETTLED: Shipped = Shipped {
    table: include_bytes!("../../../../data/settled_10k.csv.gz"),
    period: [0.048, 0.048, 0.0],
    max_overlap: 0.05,
};
/// Spheres of nearly one size in a cell.
pub static PERIODIC: Shipped = Shipped {
    table: include_bytes!("../../../../data/periodic_10k.csv.gz"),
    period: [0.042_111_469; 3],
    max_overlap: 0.05,
};
/// Spheres of very different sizes in a cell.
pub static POLYDISPERSE: Shipped = Shipped {
    table: include_bytes!("../../../../data/polydisperse_20k.csv.gz"),
    period: [0.025_144_305_3; 3],
    max_overlap: 0.1,
};

/// Spheres of three materials and many sizes that run out of a hopper.
pub static HOPPER: Shipped =
    Shipped { table: include_bytes!("../../../../data/hopper_7k.csv.gz"), period: [0.0; 3], max_overlap: 0.05 };
