//! Sources of particles: those that fill at the start are placed here, those that pour are made ready.

use std::ops::Range;
use std::path::Path;

use dem_core::DVec3;
use dem_core::figure::ShortestVector;
use dem_io::document::{KeyPath, SceneDocument, SceneError};
use dem_io::table::{ParticleRow, read_particle_table};
use dem_io::units::{LARGEST, Quantity};
use rand_pcg::Pcg64Mcg;

use super::frozen::frozen_bits;
use super::requests::{convert_region, key_of, size_distribution};
use crate::builder::checks::table_overlaps::{self, Overlap};
use crate::builder::loaded_scene::LoadedScene;
use crate::builder::values::{direction, entry_path, positive};
use crate::insertion::addition_settings::{AdditionTarget, SectionPlane, SequentialAddition};
use crate::insertion::error::InsertionError;
use crate::insertion::lattice::{Lattice, LatticeKind, fill_lattice};
use crate::insertion::obstacles::Occupied;
use crate::insertion::periodic_lengths::PeriodicLengths;
use crate::insertion::pouring::{Pouring, PouringLimit, PouringRate, PouringSettings};
use crate::insertion::pouring_source::{Kind, PouringSource};
use crate::insertion::region::Region;
use crate::insertion::sequential_addition::add_sequentially;
use crate::insertion::size_distribution::SizeDistribution;
use crate::insertion::sphere::NewSphere;
use crate::scene::source::{FillScene, LatticeName, RegionScene, SourceScene};
use crate::state::contact_parameters::ContactDefinition;
use crate::state::insertion::insert_sphere;
use crate::state::wall_overlaps::{ROUNDING_OVERLAP, deepest};
use crate::state::world::World;

/// Smallest mass \[kg\] and moment of inertia \[kg m²\] of a sphere, whose inverse is finite.
const SMALLEST: f64 = 1e-300;
/// Fresh starts of a random filling before it gives up.
const ATTEMPTS: u32 = 5;

/// Everything that sources share while a scene is built.
struct Site<'a> {
    loaded: &'a LoadedScene,
    contact: &'a ContactDefinition,
    periodic: PeriodicLengths,
}

/// Fills the world from the sources that act at the start; returns those that pour, and the ids of the particles of every source.
pub(crate) fn build(
    loaded: &LoadedScene,
    contact: &ContactDefinition,
    world: &mut World,
    with_particles: bool,
) -> Result<(Vec<PouringSource>, Vec<Range<u64>>), SceneError> {
    let scene = &loaded.scene;
    let document = &loaded.document;
    let (mut pouring, mut ids) = (Vec::new(), Vec::new());
    let site = Site { loaded, contact, periodic: PeriodicLengths::of(&world.cell) };
    for (index, source) in scene.particles.iter().enumerate() {
        if source.name.is_empty() || scene.particles[..index].iter().any(|other| other.name == source.name) {
            return Err(document
                .error_at(entry_path("particles", index, &["name"]), "expected a name that no other source has"));
        }
        let kind = site.kind(index, source)?;
        let first = world.particles.next_id;
        world.provenance.note(first, &source.name);
        // each source has its own stream, so that adding one does not change the others
        let rng = Pcg64Mcg::new(stream(scene.seed, &source.name));
        match &source.fill {
            FillScene::Pour { .. } => pouring.push(site.pouring(index, source, kind, world, rng)?),
            FillScene::File { path, max_overlap } => {
                for (key, given) in [("sizes", source.sizes.is_some()), ("region", source.region.is_some())] {
                    if given {
                        let path = entry_path("particles", index, &[key]);
                        return Err(document.error_at(path, "expected none together with a file, which gives it"));
                    }
                }
                let limit = max_overlap.map_or(ROUNDING_OVERLAP, |x| x.si());
                if with_particles {
                    site.read(index, &loaded.folder.join(path), kind, limit, world)?;
                }
            }
            FillScene::Lattice { .. } | FillScene::Random { .. } => {
                if with_particles {
                    let spheres = site.place(index, source, kind.density, world, rng)?;
                    for sphere in spheres {
                        insert_sphere(world, &kind, sphere, DVec3::ZERO);
                    }
                } else {
                    site.sizes(index, source)?;
                    site.region(index, source)?;
                }
            }
        }
        ids.push(first..world.particles.next_id);
    }
    Ok((pouring, ids))
}

/// A seed from the scene's seed and a name (FNV-1a, then SplitMix64 on each half).
fn stream(seed: u64, name: &str) -> u128 {
    let mut hash = 0xcbf2_9ce4_8422_2325u64;
    for byte in seed.to_le_bytes().into_iter().chain(name.bytes()) {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    }
    let mut state = hash;
    let mut next = || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        u128::from(z ^ (z >> 31))
    };
    next() << 64 | next()
}

impl Site<'_> {
    fn document(&self) -> &SceneDocument {
        &self.loaded.document
    }

    fn fail(&self, index: usize, key: &'static str, error: &InsertionError) -> SceneError {
        let document = self.document();
        if let InsertionError::Value { name, allowed, .. } = error {
            let path = entry_path("particles", index, &[key, key_of(name)]);
            if document.value(path.clone()).is_some() {
                return document.error_at(path, format!("expected {allowed}"));
            }
        }
        document.error_at(entry_path("particles", index, &[key]), error)
    }

    fn kind(&self, index: usize, source: &SourceScene) -> Result<Kind, SceneError> {
        let document = self.document();
        let path = |key: &'static str| entry_path("particles", index, &[key]);
        let material = self.contact.require_material(document, path("material"), &source.material)?;
        let groups = &self.loaded.scene.groups;
        let (mut group, mut frozen) = (1, 0);
        if let Some(name) = &source.group {
            let number = groups.keys().position(|known| known == name).ok_or_else(|| {
                let known: Vec<&str> = groups.keys().map(String::as_str).collect();
                let known = if known.is_empty() { "the scene has none".to_owned() } else { known.join(", ") };
                document.error_at(path("group"), format!("expected the name of a group: {known}"))
            })?;
            if number >= 31 {
                return Err(document.error_at(&["groups"], "expected at most 31 groups"));
            }
            group = 2 << number;
            frozen = frozen_bits(&groups[name].frozen);
        }
        Ok(Kind {
            material,
            density: self.contact.materials[material as usize].density,
            group,
            frozen,
            velocity: source.velocity.map_or(DVec3::ZERO, Quantity::vector),
            angular_velocity: source.angular_velocity.map_or(DVec3::ZERO, Quantity::vector),
        })
    }

    fn sizes(&self, index: usize, source: &SourceScene) -> Result<SizeDistribution, SceneError> {
        let given = source
            .sizes
            .as_ref()
            .ok_or_else(|| self.document().error_at(entry_path("particles", index, &[]), "missing key `sizes`"))?;
        let sizes = size_distribution(given);
        sizes.validate().map_err(|error| self.fail(index, "sizes", &error))?;
        Ok(sizes)
    }

    fn check_masses(&self, index: usize, sizes: &SizeDistribution, density: f64) -> Result<(), SceneError> {
        let radii = [sizes.min_radius(), sizes.max_radius()];
        let path = || entry_path("particles", index, &["sizes"]);
        radii.into_iter().try_for_each(|radius| self.check_mass(path(), density, radius))
    }

    /// Refuses spheres whose mass or moment of inertia is beyond all numbers that can be computed with.
    fn check_mass(&self, path: KeyPath, density: f64, radius: f64) -> Result<(), SceneError> {
        let mass = density * (4.0 / 3.0 * std::f64::consts::PI) * radius.powi(3);
        let inertia = 0.4 * mass * radius * radius;
        if (SMALLEST..=LARGEST).contains(&mass) && (SMALLEST..=1.0 / SMALLEST).contains(&inertia) {
            return Ok(());
        }
        Err(self.document().error_at(
            path,
            format!(
                "a sphere of radius {radius:e} m has a mass of {mass:.3e} kg and a moment of inertia of {inertia:.3e} kg m², expected a mass up to \
                 {LARGEST:e} kg and neither below {SMALLEST:e}"
            ),
        ))
    }

    fn region(&self, index: usize, source: &SourceScene) -> Result<Region, SceneError> {
        let document = self.document();
        let given = source
            .region
            .as_ref()
            .ok_or_else(|| document.error_at(entry_path("particles", index, &[]), "missing key `region`"))?;
        if let RegionScene::Cylinder { axis, .. } | RegionScene::Frustum { axis, .. } = given {
            direction(document, entry_path("particles", index, &["region", "axis"]), *axis)?;
        }
        let region = convert_region(given);
        region.validate(&self.periodic).map_err(|error| self.fail(index, "region", &error))?;
        Ok(region)
    }

    /// Places the spheres of a source that acts at the start.
    fn place(
        &self,
        index: usize,
        source: &SourceScene,
        density: f64,
        world: &World,
        mut rng: Pcg64Mcg,
    ) -> Result<Vec<NewSphere>, SceneError> {
        let (sizes, region) = (self.sizes(index, source)?, self.region(index, source)?);
        self.check_masses(index, &sizes, density)?;
        self.inside_domain(index, &region, world)?;
        let walls: Vec<_> = world.walls.iter().filter(|wall| wall.active).collect();
        let clearance = |point: DVec3| walls.iter().map(|wall| wall.distance(point)).fold(f64::INFINITY, f64::min);
        let fail = |error: InsertionError| self.fail(index, "fill", &error);
        let mut occupied = Occupied::new(self.periodic, region.bounds(), 2.0 * sizes.max_radius())
            .map_err(fail)?
            .with_walls(&clearance);
        for slot in 0..world.particles.len() {
            occupied.insert(world.particles.position[slot], world.particles.radius[slot]).map_err(fail)?;
        }
        match &source.fill {
            FillScene::Lattice { lattice, spacing, gap, jitter, count } => {
                let mut settings = Lattice::new(match lattice.unwrap_or(LatticeName::SimpleCubic) {
                    LatticeName::SimpleCubic => LatticeKind::SimpleCubic,
                    LatticeName::Fcc => LatticeKind::FaceCentredCubic,
                    LatticeName::Hcp => LatticeKind::HexagonalClosePacked,
                });
                settings.spacing = spacing.map(|s| s.si());
                settings.relative_gap = gap.map_or(0.01, |g| g.si());
                settings.jitter = jitter.map_or(0.0, |j| j.si());
                settings.limit = count.map(|n| usize::try_from(n).unwrap_or(usize::MAX));
                fill_lattice(&settings, &region, &sizes, &mut occupied, &mut rng).map_err(fail)
            }
            FillScene::Random { count, packing_fraction, gap, plane } => {
                let target = match (count, packing_fraction) {
                    (Some(count), None) => AdditionTarget::Count(usize::try_from(*count).unwrap_or(usize::MAX)),
                    (None, Some(fraction)) => AdditionTarget::PackingFraction(fraction.si()),
                    _ => {
                        return Err(self.document().error_at(
                            entry_path("particles", index, &["fill"]),
                            "expected either count or packing_fraction",
                        ));
                    }
                };
                let mut settings = SequentialAddition::new(target);
                settings.gap = gap.map_or(0.0, |g| g.si());
                settings.plane =
                    plane.as_ref().map(|p| SectionPlane { axis: p.axis as usize, coordinate: p.coordinate.si() });
                settings.attempts = ATTEMPTS;
                let added = add_sequentially(&settings, &region, &sizes, &mut occupied, &mut rng).map_err(fail)?;
                if added.relaxation_cycles > 0 {
                    tracing::info!(
                        "{}: the region was full at {} spheres; {} relaxation cycles made room for all",
                        source.name,
                        added.saturated_at.unwrap_or(0),
                        added.relaxation_cycles
                    );
                }
                Ok(added.spheres)
            }
            FillScene::Pour { .. } | FillScene::File { .. } => Ok(Vec::new()),
        }
    }

    fn inside_domain(&self, index: usize, region: &Region, world: &World) -> Result<(), SceneError> {
        let (low, high) = region.bounds();
        let (cell_low, cell_high) = (world.cell.origin, world.cell.origin + world.cell.matrix() * DVec3::ONE);
        if low.cmplt(cell_low).any() || high.cmpgt(cell_high).any() {
            return Err(self.document().error_at(
                entry_path("particles", index, &["region"]),
                format!(
                    "reaches from {} to {} m, expected inside the domain from {} to {} m",
                    ShortestVector(low),
                    ShortestVector(high),
                    ShortestVector(cell_low),
                    ShortestVector(cell_high)
                ),
            ));
        }
        Ok(())
    }

    fn pouring(
        &self,
        index: usize,
        source: &SourceScene,
        kind: Kind,
        world: &World,
        rng: Pcg64Mcg,
    ) -> Result<PouringSource, SceneError> {
        let document = self.document();
        let FillScene::Pour { rate, mass_rate, count, mass, active } = &source.fill else {
            return Err(document.error_at(entry_path("particles", index, &["fill"]), "expected a source that pours"));
        };
        let fill = |key: &'static str| entry_path("particles", index, &["fill", key]);
        let rate = match (rate, mass_rate) {
            (Some(rate), None) => PouringRate::NumberPerSecond(positive(document, fill("rate"), rate.si(), "1/s")?),
            (None, Some(rate)) => PouringRate::MassPerSecond(positive(document, fill("mass_rate"), rate.si(), "kg/s")?),
            _ => {
                return Err(
                    document.error_at(entry_path("particles", index, &["fill"]), "expected either rate or mass_rate")
                );
            }
        };
        let limit = match (count, mass) {
            (Some(_), Some(_)) => {
                return Err(document.error_at(fill("mass"), "expected either count or mass, not both"));
            }
            (Some(count), None) => Some(PouringLimit::Count(*count)),
            (None, Some(mass)) => Some(PouringLimit::Mass(mass.si())),
            (None, None) => None,
        };
        let settings = PouringSettings {
            rate,
            region: self.region(index, source)?,
            sizes: self.sizes(index, source)?,
            density: kind.density,
            velocity: kind.velocity,
            limit,
            gap: 0.0,
            trials: 30,
            periodic: self.periodic,
        };
        self.check_masses(index, &settings.sizes, settings.density)?;
        self.inside_domain(index, &settings.region, world)?;
        let bounds = settings.region.bounds();
        let (smallest, largest) = (settings.sizes.min_radius(), settings.sizes.max_radius());
        let pouring = Pouring::new(settings, rng).map_err(|error| self.fail(index, "fill", &error))?;
        Ok(PouringSource { name: source.name.clone(), kind, pouring, active: *active, bounds, smallest, largest })
    }

    /// Reads a table of particles.
    fn read(&self, index: usize, path: &Path, kind: Kind, limit: f64, world: &mut World) -> Result<(), SceneError> {
        let key = || entry_path("particles", index, &["fill", "path"]);
        let rows = read_particle_table(path).map_err(|error| self.document().error_at(key(), error))?;
        let (low, high) = (world.cell.origin, world.cell.origin + world.cell.matrix() * DVec3::ONE);
        for (number, row) in rows.iter().enumerate() {
            let outside = (0..3).any(|k| !world.cell.periodic[k] && !(low[k]..=high[k]).contains(&row.position[k]));
            if outside {
                return Err(self.document().error_at(
                    key(),
                    format!(
                        "{}: particle {} at {} m, expected inside the domain from {} to {} m",
                        path.display(),
                        number + 1,
                        ShortestVector(row.position),
                        ShortestVector(low),
                        ShortestVector(high)
                    ),
                ));
            }
        }
        self.refuse_overlaps(index, path, &rows, limit, world)?;
        self.refuse_cuts(index, path, &rows, limit, world)?;
        for row in rows {
            let mut own = kind.clone();
            if let Some(name) = &row.material {
                let material = self.contact.material(name).ok_or_else(|| {
                    self.document()
                        .error_at(key(), format!("{}: material \"{name}\" is not in the scene", path.display()))
                })?;
                own.material = material;
                own.density = self.contact.materials[material as usize].density;
            }
            self.check_mass(key(), own.density, row.radius)?;
            own.angular_velocity += row.angular_velocity;
            insert_sphere(world, &own, NewSphere { centre: row.position, radius: row.radius }, row.velocity);
        }
        Ok(())
    }

    /// Compares the particles of a table with the walls that are there.
    fn refuse_cuts(
        &self,
        index: usize,
        path: &Path,
        rows: &[ParticleRow],
        limit: f64,
        world: &World,
    ) -> Result<(), SceneError> {
        for (number, wall) in world.walls.iter().enumerate().filter(|(_, wall)| wall.active) {
            let own = self.loaded.scene.walls[number].max_overlap.map_or(0.0, |x| x.si());
            let limit = limit.max(own);
            let spheres = rows.iter().enumerate().map(|(row, sphere)| (row as u64 + 1, sphere.position, sphere.radius));
            let Some(cut) = deepest(wall, spheres, |_, _| 0.0, limit) else { continue };
            let message = format!("{}: particle {} {}", path.display(), cut.particle, cut.describe(&wall.name, limit));
            let help = "max_overlap of the source or of the wall raises the limit, for example for a settled packing";
            let path = entry_path("particles", index, &["fill", "path"]);
            return Err(self.document().error_at(path, message).with_help(help));
        }
        Ok(())
    }

    /// Compares the particles of a table with each other and with those already there.
    fn refuse_overlaps(
        &self,
        index: usize,
        path: &Path,
        rows: &[ParticleRow],
        limit: f64,
        world: &World,
    ) -> Result<(), SceneError> {
        let there = &world.particles;
        let Some(overlap) = table_overlaps::worst(there, rows, &world.cell, limit) else { return Ok(()) };
        let name = |k: usize| {
            let first = there.len();
            if k >= first { format!("particle {}", k - first + 1) } else { "a particle already there".to_owned() }
        };
        let Overlap { ratio, first, second, among_many } = overlap;
        let many = among_many.map_or_else(String::new, |most| format!("more than {most} pairs overlap, "));
        Err(self
            .document()
            .error_at(
                entry_path("particles", index, &["fill", "path"]),
                format!(
                    "{}: {many}{} and {} overlap by {ratio:.3e} of the radius, expected at most {limit:e}",
                    path.display(),
                    name(first),
                    name(second)
                ),
            )
            .with_help("max_overlap of the source raises the limit, for example for a settled packing"))
    }
}
