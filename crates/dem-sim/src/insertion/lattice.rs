//! Regular arrays of spheres.

use std::f64::consts::SQRT_2;

use glam::DVec3;
use rand_pcg::Pcg64Mcg;

use super::error::{InsertionError, check};
use super::obstacles::Occupied;
use super::periodic_lengths::PeriodicLengths;
use super::region::Region;
use super::size_distribution::SizeDistribution;
use super::sphere::{MAXIMUM_SPHERES, NewSphere, ROUNDING};
use super::uniform;

/// The arrangement of the sites.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LatticeKind {
    /// Simple cubic, packing fraction 0.524 when touching.
    SimpleCubic,
    /// Face-centred cubic with the cube along the axes, 0.740 when touching.
    FaceCentredCubic,
    /// Hexagonal layers normal to z in the order ABAB, 0.740 when touching.
    HexagonalClosePacked,
}

/// How a region is filled with a lattice.
#[derive(Debug, Clone, PartialEq)]
pub struct Lattice {
    /// Arrangement of the sites.
    pub kind: LatticeKind,
    /// Distance of nearest sites `[m]`; `None` for 2 r_max (1 + `relative_gap`).
    pub spacing: Option<f64>,
    /// Gap between the largest spheres as a fraction of their diameter `[1]`; read where no spacing is given.
    pub relative_gap: f64,
    /// How far spheres are shifted at random, as a fraction of half the gap between the largest spheres, 0 to 1: they
    /// never overlap. 0 draws no random numbers.
    pub jitter: f64,
    /// Spheres at most; `None` for all that fit.
    pub limit: Option<usize>,
    /// The direction in which the region fills up: sites come in layers along it.
    pub upward: DVec3,
}

impl Lattice {
    /// A lattice of touching spheres that fills up along z.
    pub fn new(kind: LatticeKind) -> Self {
        Self { kind, spacing: None, relative_gap: 0.0, jitter: 0.0, limit: None, upward: DVec3::Z }
    }
}

/// Fills `region` with a lattice of spheres, adds them to `occupied` and returns them in
/// the order of filling: layer by layer along `upward`, within a layer by z, y, x.
///
/// A site is used when the largest sphere would lie inside the region there and the drawn
/// sphere is clear of what is occupied. Along axes on which the region spans a whole
/// period the lattice is stretched so that it continues across the face. Where a shifted
/// sphere does not fit, the site itself is tried.
///
/// # Errors
/// [`InsertionError::Value`] and the errors of the region and the sizes for what is out of range,
/// [`InsertionError::TooMany`] for more sites than [`MAXIMUM_SPHERES`], examined until a limit along z is reached,
/// [`InsertionError::NoRoom`] where not one sphere fits.
pub fn fill_lattice(
    lattice: &Lattice,
    region: &Region,
    sizes: &SizeDistribution,
    occupied: &mut Occupied<'_>,
    rng: &mut Pcg64Mcg,
) -> Result<Vec<NewSphere>, InsertionError> {
    sizes.validate()?;
    region.validate(occupied.periodic())?;
    let radius = sizes.max_radius();
    let spacing = checked_spacing(lattice, radius)?;
    let upward = lattice.upward.normalize_or_zero();
    check("length of the lattice's upward direction", lattice.upward.length(), upward != DVec3::ZERO, "above 0")?;
    let periodic = *occupied.periodic();
    let centres = region.centres(radius, &periodic).ok_or(InsertionError::NoRoom { radius })?;
    let lattice_sites = Sites::new(lattice.kind, spacing, region, &centres, &periodic);
    let sites: Box<dyn Iterator<Item = DVec3> + '_> = if lattice.limit.is_some() && upward == DVec3::Z {
        // in order as they come: the limit ends them, however many there are
        Box::new(lattice_sites.in_layers())
    } else {
        lattice_sites.check_count()?;
        let mut all: Vec<DVec3> = lattice_sites.in_cells().filter(|site| centres.contains(*site)).collect();
        // Heights of one layer differ by rounding; sites of a layer keep the order they have.
        let layer = |site: &DVec3| libm::round(site.dot(upward) / spacing * 1e6) as i64;
        all.sort_by_key(layer);
        Box::new(all.into_iter())
    };

    let reach = 0.5 * lattice.jitter * (spacing - 2.0 * radius).max(0.0);
    let mut spheres = Vec::new();
    let limit = lattice.limit.unwrap_or(usize::MAX);
    for (looked_at, site) in sites.enumerate() {
        if spheres.len() >= limit {
            break;
        }
        if looked_at >= MAXIMUM_SPHERES {
            lattice_sites.check_count()?;
        }
        if !centres.contains(site) {
            continue;
        }
        let radius = sizes.sample(rng);
        let mut place = site;
        if reach > 0.0 {
            place += uniform::in_ball(rng, reach);
        }
        // Neighbours on the lattice cannot meet, only what was there before.
        let free = |place: DVec3| centres.contains(place) && !occupied.overlaps(place, radius, 0.0);
        let centre = if free(place) {
            place
        } else if reach > 0.0 && free(site) {
            site
        } else {
            continue;
        };
        spheres.push(NewSphere { centre, radius });
    }
    for sphere in &spheres {
        occupied.insert(sphere.centre, sphere.radius)?;
    }
    if spheres.is_empty() && limit > 0 {
        return Err(InsertionError::NoRoom { radius });
    }
    Ok(spheres)
}

fn checked_spacing(lattice: &Lattice, radius: f64) -> Result<f64, InsertionError> {
    check("jitter of the lattice", lattice.jitter, (0.0..=1.0).contains(&lattice.jitter), "0 to 1")?;
    check(
        "relative gap of the lattice",
        lattice.relative_gap,
        (0.0..=1e6).contains(&lattice.relative_gap),
        "0 to 1e6",
    )?;
    let spacing = lattice.spacing.unwrap_or(2.0 * radius * (1.0 + lattice.relative_gap));
    check(
        "spacing of the lattice",
        spacing,
        spacing >= 2.0 * radius * (1.0 - ROUNDING),
        "at least the largest diameter",
    )?;
    Ok(spacing)
}

/// Edges of the rectangular unit cell and its sites as shares of the edges.
fn unit_cell(kind: LatticeKind, spacing: f64) -> (DVec3, Vec<DVec3>) {
    match kind {
        LatticeKind::SimpleCubic => (DVec3::splat(spacing), vec![DVec3::ZERO]),
        LatticeKind::FaceCentredCubic => (
            DVec3::splat(SQRT_2 * spacing),
            vec![DVec3::ZERO, DVec3::new(0.5, 0.5, 0.0), DVec3::new(0.5, 0.0, 0.5), DVec3::new(0.0, 0.5, 0.5)],
        ),
        LatticeKind::HexagonalClosePacked => (
            spacing * DVec3::new(1.0, 3.0_f64.sqrt(), (8.0_f64 / 3.0).sqrt()),
            vec![
                DVec3::ZERO,
                DVec3::new(0.5, 0.5, 0.0),
                DVec3::new(0.5, 1.0 / 6.0, 0.5),
                DVec3::new(0.0, 2.0 / 3.0, 0.5),
            ],
        ),
    }
}

/// The sites of the cells in which the centre may lie.
struct Sites {
    lower: DVec3,
    edges: DVec3,
    /// Numbers of cells along the axes; far beyond what can be examined where the region is large.
    cells: [f64; 3],
    /// Sites of a cell as shares of the edges.
    of_cell: Vec<DVec3>,
}

impl Sites {
    fn new(kind: LatticeKind, spacing: f64, region: &Region, centres: &Region, periodic: &PeriodicLengths) -> Self {
        let (mut edges, of_cell) = unit_cell(kind, spacing);
        let (region_lower, region_upper) = region.bounds();
        let (lower, upper) = centres.bounds();
        let mut cells = [0.0; 3];
        for axis in 0..3 {
            let length = upper[axis] - lower[axis];
            if periodic.spans(axis, region_upper[axis] - region_lower[axis]) {
                // Whole cells only, stretched to end where they begin: distances only grow.
                cells[axis] = (length / edges[axis] + ROUNDING).floor();
                edges[axis] = length / cells[axis].max(1.0);
            } else {
                cells[axis] = (length / edges[axis] + ROUNDING).floor() + 1.0;
            }
        }
        Self { lower, edges, cells, of_cell }
    }

    /// Refuses more sites than may be examined.
    fn check_count(&self) -> Result<(), InsertionError> {
        let requested = self.of_cell.len() as f64 * self.cells[0] * self.cells[1] * self.cells[2];
        if requested > MAXIMUM_SPHERES as f64 {
            return Err(InsertionError::TooMany { requested, allowed: MAXIMUM_SPHERES });
        }
        Ok(())
    }

    fn numbers(&self, axis: usize) -> std::ops::Range<usize> {
        0..self.cells[axis] as usize
    }

    fn place(&self, x: usize, y: usize, z: usize, site: DVec3) -> DVec3 {
        self.lower + (DVec3::new(x as f64, y as f64, z as f64) + site) * self.edges
    }

    /// All of them, ordered by z, y, x of their cells.
    fn in_cells(&self) -> impl Iterator<Item = DVec3> + '_ {
        self.numbers(2).flat_map(move |z| {
            self.numbers(1).flat_map(move |y| {
                self.numbers(0).flat_map(move |x| self.of_cell.iter().map(move |&site| self.place(x, y, z, site)))
            })
        })
    }

    /// All of them, ordered by height, at one height by y, x of their cells.
    fn in_layers(&self) -> impl Iterator<Item = DVec3> + '_ {
        let mut heights: Vec<f64> = self.of_cell.iter().map(|site| site.z).collect();
        heights.sort_by(f64::total_cmp);
        heights.dedup();
        self.numbers(2).flat_map(move |z| {
            heights.clone().into_iter().flat_map(move |height| {
                self.numbers(1).flat_map(move |y| {
                    self.numbers(0).flat_map(move |x| {
                        let at_height = move |site: &&DVec3| site.z == height;
                        self.of_cell.iter().filter(at_height).map(move |&site| self.place(x, y, z, site))
                    })
                })
            })
        })
    }
}
