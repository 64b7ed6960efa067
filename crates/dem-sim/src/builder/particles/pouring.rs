//! Sources that pour during the run.

use dem_io::document::SceneError;
use rand_pcg::Pcg64Mcg;

use super::site::Site;
use crate::builder::values::{entry_path, positive};
use crate::insertion::error::InsertionError;
use crate::insertion::pouring::{Pouring, PouringLimit, PouringRate, PouringSettings};
use crate::insertion::pouring_source::{Kind, PouringSource};
use crate::scene::source::{FillScene, SourceScene};
use crate::state::world::World;

impl Site<'_> {
    /// Makes a source that pours ready.
    pub fn pouring(
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
            sizes: self.sizes(index, source, &kind)?,
            bodies: kind.bodies.clone(),
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
        let (mut smallest, mut largest) = (settings.sizes.min_radius(), settings.sizes.max_radius());
        let mut in_bounds = 1.0;
        if let Some(bodies) = &kind.bodies {
            let [low, high] = bodies.member_radii();
            (smallest, largest) = (low * smallest, high * largest);
            in_bounds = bodies.bounding_radius(1.0);
        }
        let pouring = Pouring::new(settings, rng).map_err(|error| match error {
            InsertionError::NoRoom { radius } if kind.bodies.is_some() => {
                self.fail(index, "fill", &InsertionError::NoRoomForBody { radius: radius / in_bounds })
            }
            other => self.fail(index, "fill", &other),
        })?;
        Ok(PouringSource { name: source.name.clone(), kind, pouring, active: *active, bounds, smallest, largest })
    }
}
