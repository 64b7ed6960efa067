//! The time step: given, or the largest that all criteria admit.

use dem_contact::time_step::Fractions;
use dem_io::document::{SceneDocument, SceneError};
use dem_io::units::UncheckedQuantity;

use super::values::positive;
use crate::insertion::pouring_source::PouringSource;
use crate::scene::document::Scene;
use crate::state::contact_parameters::ContactDefinition;
use crate::state::world::World;
use crate::time_step::a_priori::{bounds, expected_speed};
use crate::time_step::choice::{StepControl, StepRange, TimeStepChoice};

/// Range of an adaptive step in proportion to the automatic one, unless given.
const DEFAULT_RANGE: [f64; 2] = [1e-3, 10.0];

/// Chooses the time step of a scene.
pub(super) fn choose(
    document: &SceneDocument,
    scene: &Scene,
    contact: &ContactDefinition,
    world: &World,
    sources: &[PouringSource],
    fractions: &Fractions,
) -> Result<TimeStepChoice, SceneError> {
    let expected_speed = match scene.time.expected_speed {
        Some(speed) => positive(document, &["time", "expected_speed"], speed.si(), "m/s")?,
        None => expected_speed(world, sources),
    };
    let (bounds, deepest) = bounds(contact, world, sources, expected_speed, fractions);
    let control = control(scene);
    let given = match &scene.time.step {
        Some(quantity) if control == StepControl::Given => {
            let step = quantity.in_unit("s").map_err(|error| {
                document.error_at(
                    &["time", "step"],
                    format!("expected \"auto\", \"adaptive\" or a time such as \"1e-6 s\" ({error})"),
                )
            })?;
            Some(positive(document, &["time", "step"], step, "s")?)
        }
        _ => None,
    };
    // without particles there is none; a saved state that brings some brings its step, or requires a new choice
    let tightest = bounds.first();
    if let (Some(step), Some(tightest)) =
        (given, tightest.filter(|tightest| given.is_some_and(|x| x > tightest.time_step)))
    {
        tracing::warn!(
            "time step {step:.3e} s is above the {:.3e} s that {} admits ({})",
            tightest.time_step,
            tightest.criterion,
            tightest.detail
        );
    }
    let automatic = tightest.map_or(1.0, |bound| bound.time_step);
    let range = range(document, scene, control, automatic)?;
    let time_step = given.unwrap_or_else(|| range.map_or(automatic, |range| range.clamp(automatic)));
    let is_speed_given = scene.time.expected_speed.is_some();
    let fractions = *fractions;
    Ok(TimeStepChoice { time_step, control, range, bounds, fractions, expected_speed, is_speed_given, deepest })
}

/// Who the scene leaves the time step to.
pub(crate) fn control(scene: &Scene) -> StepControl {
    match &scene.time.step {
        None => StepControl::Automatic,
        Some(UncheckedQuantity::Text(word)) if word == "auto" => StepControl::Automatic,
        Some(UncheckedQuantity::Text(word)) if word == "adaptive" => StepControl::Adaptive,
        Some(_) => StepControl::Given,
    }
}

/// Range of an adaptive step.
pub(crate) fn range(
    document: &SceneDocument,
    scene: &Scene,
    control: StepControl,
    automatic: f64,
) -> Result<Option<StepRange>, SceneError> {
    let given = [("smallest_step", scene.time.smallest_step), ("largest_step", scene.time.largest_step)];
    let mut range = DEFAULT_RANGE.map(|share| share * automatic);
    for (end, (key, value)) in range.iter_mut().zip(given) {
        let Some(value) = value else { continue };
        if control != StepControl::Adaptive {
            return Err(document.error_at(&["time", key], "expected only together with step = \"adaptive\""));
        }
        *end = positive(document, &["time", key], value.si(), "s")?;
    }
    let [smallest, largest] = range;
    if smallest > largest {
        if given.iter().all(|(_, value)| value.is_some()) {
            let allowed = format!("0 < value <= largest_step = {largest:e} s");
            return Err(document.range_error(&["time", "smallest_step"], "s", &allowed));
        }
        // the default yields
        let end = given.iter().find_map(|(_, value)| *value).map_or(automatic, |value| value.si());
        range = [end; 2];
    }
    let [smallest, largest] = range;
    Ok((control == StepControl::Adaptive).then_some(StepRange { smallest, largest, while_pouring: automatic }))
}
