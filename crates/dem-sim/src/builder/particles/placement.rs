//! Particles that are there at the start: on lattices and at random places.

use dem_core::DQuat;
use dem_io::document::SceneError;
use rand_pcg::Pcg64Mcg;

use super::site::Site;
use crate::builder::values::entry_path;
use crate::insertion::addition_settings::{AdditionTarget, SectionPlane, SequentialAddition};
use crate::insertion::body_addition::add_bodies;
use crate::insertion::body_source::NewGrain;
use crate::insertion::error::InsertionError;
use crate::insertion::lattice::{Lattice, LatticeKind, fill_lattice};
use crate::insertion::obstacles::Occupied;
use crate::insertion::pouring_source::Kind;
use crate::insertion::region::Region;
use crate::insertion::sequential_addition::add_sequentially;
use crate::insertion::size_distribution::SizeDistribution;
use crate::insertion::sphere::NewSphere;
use crate::scene::source::{FillScene, LatticeName, SourceScene};
use crate::state::world::World;

/// Fresh starts of a random filling before it gives up.
const ATTEMPTS: u32 = 5;

impl Site<'_> {
    /// Places the spheres or bodies of a source that acts at the start.
    pub fn place(
        &self,
        index: usize,
        source: &SourceScene,
        kind: &Kind,
        world: &World,
        mut rng: Pcg64Mcg,
    ) -> Result<Vec<NewGrain>, SceneError> {
        let (sizes, region) = (self.sizes(index, source, kind)?, self.region(index, source)?);
        self.check_masses(index, &sizes, kind.density)?;
        self.inside_domain(index, &region, world)?;
        let walls: Vec<_> = world.walls.iter().filter(|wall| wall.active).collect();
        let clearance = |point| walls.iter().map(|wall| wall.distance(point)).fold(f64::INFINITY, f64::min);
        let fail = |error: InsertionError| self.fail(index, "fill", &error);
        let largest = kind.bodies.as_ref().map_or(1.0, |bodies| bodies.member_radii()[1]) * sizes.max_radius();
        let mut occupied =
            Occupied::new(self.periodic, region.bounds(), 2.0 * largest).map_err(fail)?.with_walls(&clearance);
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
                on_lattice(&settings, kind, &region, &sizes, &mut occupied, &mut rng).map_err(fail)
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
                if let Some(bodies) = &kind.bodies {
                    return add_bodies(&settings, &region, &sizes, bodies, &mut occupied, &mut rng).map_err(fail);
                }
                let added = add_sequentially(&settings, &region, &sizes, &mut occupied, &mut rng).map_err(fail)?;
                if added.relaxation_cycles > 0 {
                    tracing::info!(
                        "{}: the region was full at {} spheres; {} relaxation cycles made room for all",
                        source.name,
                        added.saturated_at.unwrap_or(0),
                        added.relaxation_cycles
                    );
                }
                Ok(added.spheres.into_iter().map(sphere).collect())
            }
            FillScene::Pour { .. } | FillScene::File { .. } => Ok(Vec::new()),
        }
    }
}

fn sphere(sphere: NewSphere) -> NewGrain {
    NewGrain { centre: sphere.centre, radius: sphere.radius, orientation: DQuat::IDENTITY }
}

/// Fills a region with a lattice of spheres, or of bodies, each of which has the sphere about its centre in which it may turn.
fn on_lattice(
    settings: &Lattice,
    kind: &Kind,
    region: &Region,
    sizes: &SizeDistribution,
    occupied: &mut Occupied<'_>,
    rng: &mut Pcg64Mcg,
) -> Result<Vec<NewGrain>, InsertionError> {
    let Some(bodies) = &kind.bodies else {
        let spheres = fill_lattice(settings, region, sizes, occupied, rng)?;
        return Ok(spheres.into_iter().map(sphere).collect());
    };
    let ratio = bodies.bounding_radius(1.0);
    let spheres = fill_lattice(settings, region, &sizes.scaled(ratio), occupied, rng).map_err(|error| match error {
        InsertionError::NoRoom { radius } => InsertionError::NoRoomForBody { radius: radius / ratio },
        other => other,
    })?;
    let bounds = [sizes.min_radius(), sizes.max_radius()];
    let body = |(number, sphere): (usize, NewSphere)| NewGrain {
        centre: sphere.centre,
        // what all have in common keeps its bits
        radius: (sphere.radius / ratio).clamp(bounds[0], bounds[1]),
        orientation: bodies.orientations.of(number as u64),
    };
    Ok(spheres.into_iter().enumerate().map(body).collect())
}
