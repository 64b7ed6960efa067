//! Random sequential addition: spheres are placed one after the other, each uniformly over
//! the places that are still free.
//!
//! The largest spheres go first, so that small ones do not take the room of large ones. Plain random trials place the
//! first spheres. When they fail too often, a list of voxels that together contain all free places replaces them;
//! sampling from it is the same distribution without the trials that were bound to fail. The list is refined until it
//! is empty, which proves that no sphere fits any more. Then, where requested, the spheres are moved at random without
//! overlapping until new holes open. A relaxed packing is no longer random sequential but closer to a fluid of hard
//! spheres.
//!
//! Equal spheres saturate at a packing fraction of 0.384 in space and at an area fraction
//! of 0.547 in a plane; with relaxation 0.45 and 0.65 are reached in useful time.
//!
//! The work is bounded: denser targets of equal spheres are refused at once, an attempt
//! ends after 200 relaxation cycles or 40 without a new sphere, and voxel lists are
//! limited in number and size.

use rand_pcg::Pcg64Mcg;

use super::addition_settings::{AdditionTarget, CLASS_WIDTH, SectionPlane, SequentialAddition};
use super::error::{InsertionError, check};
use super::obstacles::Occupied;
use super::region::Region;
use super::relaxation::Relaxation;
use super::sequence::Sequence;
use super::size_distribution::SizeDistribution;
use super::sphere::{MAXIMUM_SPHERES, NewSphere};

/// Spheres of a random sequential addition.
#[derive(Debug, Clone, PartialEq)]
pub struct AddedSpheres {
    /// The spheres, largest first.
    pub spheres: Vec<NewSphere>,
    /// Their fraction of the region's volume, or of the section's area in a plane `[1]`; `None` for a section without a
    /// simple area.
    pub packing_fraction: Option<f64>,
    /// Attempts needed, from 1.
    pub attempts: u32,
    /// Relaxation cycles of the last attempt, 0 for a pure random sequential addition.
    pub relaxation_cycles: u32,
    /// Spheres placed when the last attempt was full for the first time; `None` if it
    /// never was.
    pub saturated_at: Option<usize>,
}

/// Adds spheres to `region` by random sequential addition, and to `occupied`.
///
/// All radii are drawn first. On an error `occupied` is left as it was.
///
/// # Errors
/// [`InsertionError::AboveLimit`] at once for equal spheres denser than the limits of the
/// module allow in a region half a radius larger all round, or for more solid volume than
/// volume; [`InsertionError::TooMany`]; [`InsertionError::NoRoom`];
/// [`InsertionError::Saturated`] when all attempts ended full;
/// [`InsertionError::Value`], [`InsertionError::SectionArea`] and the errors of region and
/// sizes for what is out of range.
pub fn add_sequentially(
    settings: &SequentialAddition,
    region: &Region,
    sizes: &SizeDistribution,
    occupied: &mut Occupied<'_>,
    rng: &mut Pcg64Mcg,
) -> Result<AddedSpheres, InsertionError> {
    check_settings(settings)?;
    sizes.validate()?;
    region.validate(occupied.periodic())?;
    let measure = Measure::of(region, settings.plane);
    let radii = draw_radii(settings, &measure, sizes, rng)?;
    refuse_impossible(settings, region, &measure, &radii, occupied)?;

    let first = occupied.len();
    let (mut best, mut best_solid) = (0, 0.0);
    for attempt in 1..=settings.attempts {
        let mut sequence = Sequence::new(settings, region, &radii, &mut *occupied);
        let complete = complete(&mut sequence, rng)?;
        let solid = measure.solid(sequence.placed.iter().map(|sphere| sphere.radius));
        if complete {
            return Ok(AddedSpheres {
                packing_fraction: measure.whole.map(|whole| solid / whole),
                attempts: attempt,
                relaxation_cycles: sequence.relaxation_cycles,
                saturated_at: sequence.saturated_at,
                spheres: sequence.placed,
            });
        }
        if sequence.placed.len() > best {
            (best, best_solid) = (sequence.placed.len(), solid);
        }
        occupied.truncate(first);
    }
    Err(InsertionError::Saturated {
        reached: best,
        target: radii.len(),
        packing_fraction: measure.whole.map(|whole| best_solid / whole),
    })
}

/// Places all spheres of an attempt, or as many as fit, with relaxation where that is requested, and returns whether
/// all did.
fn complete(sequence: &mut Sequence<'_, '_>, rng: &mut Pcg64Mcg) -> Result<bool, InsertionError> {
    let mut relaxation = Relaxation::new();
    while !sequence.fill(rng)? {
        let placed = sequence.placed.len();
        sequence.saturated_at.get_or_insert(placed);
        if !sequence.settings.relax || !relaxation.goes_on(placed) {
            return Ok(false);
        }
        relaxation.cycle(sequence, rng);
        sequence.relaxation_cycles = relaxation.cycles();
    }
    Ok(true)
}

/// Volume in space, area in a plane.
pub(super) struct Measure {
    plane: bool,
    /// Of the region; `None` for a section without a simple area.
    whole: Option<f64>,
}

impl Measure {
    fn of(region: &Region, plane: Option<SectionPlane>) -> Self {
        Self {
            plane: plane.is_some(),
            whole: match plane {
                None => Some(region.volume()),
                Some(plane) => region.section_area(plane.axis, plane.coordinate),
            },
        }
    }

    fn of_sphere(&self, radius: f64) -> f64 {
        let area = std::f64::consts::PI * radius * radius;
        if self.plane { area } else { 4.0 / 3.0 * area * radius }
    }

    fn solid(&self, radii: impl Iterator<Item = f64>) -> f64 {
        radii.map(|radius| self.of_sphere(radius)).sum()
    }
}

/// Volume of a region in space.
pub(super) fn measure_of(region: &Region) -> Measure {
    Measure::of(region, None)
}

pub(super) fn check_settings(settings: &SequentialAddition) -> Result<(), InsertionError> {
    check("gap", settings.gap, settings.gap >= 0.0, "at least 0")?;
    check("number of attempts", f64::from(settings.attempts), (1..=1000).contains(&settings.attempts), "1 to 1000")?;
    if let AdditionTarget::PackingFraction(fraction) = settings.target {
        check("packing fraction", fraction, fraction > 0.0 && fraction < 1.0, "above 0, below 1")?;
    }
    if let Some(plane) = settings.plane {
        check("axis of the plane", plane.axis as f64, plane.axis < 3, "0, 1, 2")?;
        check("coordinate of the plane", plane.coordinate, true, "finite")?;
    }
    Ok(())
}

/// The radii of all spheres, largest first.
pub(super) fn draw_radii(
    settings: &SequentialAddition,
    measure: &Measure,
    sizes: &SizeDistribution,
    rng: &mut Pcg64Mcg,
) -> Result<Vec<f64>, InsertionError> {
    let refuse_many = |requested: f64| {
        if requested <= MAXIMUM_SPHERES as f64 {
            Ok(())
        } else {
            Err(InsertionError::TooMany { requested, allowed: MAXIMUM_SPHERES })
        }
    };
    let mut radii = Vec::new();
    match settings.target {
        AdditionTarget::Count(count) => {
            refuse_many(count as f64)?;
            radii.extend((0..count).map(|_| sizes.sample(rng)));
        }
        AdditionTarget::PackingFraction(fraction) => {
            let wanted = fraction * measure.whole.ok_or(InsertionError::SectionArea)?;
            // The mean square is at least the square of the mean.
            let each = if measure.plane { measure.of_sphere(sizes.mean_radius()) } else { sizes.mean_volume() };
            refuse_many(wanted / each)?;
            let mut solid = 0.0;
            while solid < wanted && radii.len() < MAXIMUM_SPHERES {
                let radius = sizes.sample(rng);
                let more = measure.of_sphere(radius);
                if solid + 0.5 * more > wanted {
                    break;
                }
                solid += more;
                radii.push(radius);
            }
        }
    }
    radii.sort_by(|a, b| b.total_cmp(a));
    Ok(radii)
}

/// Returns an error where the target is known to be out of reach.
fn refuse_impossible(
    settings: &SequentialAddition,
    region: &Region,
    measure: &Measure,
    radii: &[f64],
    occupied: &Occupied<'_>,
) -> Result<(), InsertionError> {
    let (Some(&largest), Some(&smallest)) = (radii.first(), radii.last()) else {
        return Ok(());
    };
    let periodic = occupied.periodic();
    let no_room = InsertionError::NoRoom { radius: largest };
    let fits = periodic.holds(largest, settings.gap)
        && region.centres(largest, periodic).is_some_and(|centres| {
            settings.plane.is_none_or(|plane| {
                let (lower, upper) = centres.bounds();
                let slack = crate::insertion::sphere::ROUNDING * largest;
                (lower[plane.axis] - slack..=upper[plane.axis] + slack).contains(&plane.coordinate)
            })
        });
    if !fits {
        return Err(no_room);
    }
    let Some(whole) = measure.whole else {
        return Ok(());
    };
    let equal = largest <= smallest * (1.0 + CLASS_WIDTH);
    let limit = match (equal, settings.plane.is_some(), settings.relax) {
        (false, ..) => 1.0,
        (true, false, false) => 0.40,
        (true, false, true) => 0.45,
        (true, true, false) => 0.57,
        (true, true, true) => 0.67,
    };
    // Half a radius more all round: spheres at a wall leave no room unused behind them.
    let reachable = if equal {
        let grown = region.centres(-0.5 * largest, periodic).map(|grown| {
            let plane = settings.plane;
            Measure::of(&grown, plane).whole.unwrap_or(f64::INFINITY)
        });
        limit * grown.unwrap_or(f64::INFINITY)
    } else {
        whole
    };
    let solid = measure.solid(radii.iter().copied());
    if solid > reachable {
        return Err(InsertionError::AboveLimit {
            requested: solid / whole,
            target: radii.len(),
            limit: reachable / whole,
        });
    }
    Ok(())
}
