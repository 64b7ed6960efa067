//! How the bodies of a source are turned.

use dem_core::bodies::template::Template;
use dem_core::{DQuat, DVec3};
use dem_io::document::{KeyPath, SceneDocument, SceneError};

use crate::builder::values::{direction, in_range};
use crate::insertion::orientations::{OrientationLaw, Orientations};
use crate::insertion::random_stream::stream;
use crate::scene::clump::{BodyAxis, OrientationScene, OrientationWord};
use crate::scene::source::SourceScene;

/// Lengths of a quaternion that is meant to be one: written with few digits.
const LENGTHS: std::ops::RangeInclusive<f64> = 0.9..=1.1;

/// The orientations that a source gives its bodies.
pub(super) fn build(
    document: &SceneDocument,
    path: &KeyPath,
    source: &SourceScene,
    template: &Template,
    seed: u64,
) -> Result<Orientations, SceneError> {
    let law = match &source.orientation {
        None | Some(OrientationScene::Word(OrientationWord::Random)) => OrientationLaw::Random,
        Some(OrientationScene::Word(OrientationWord::Fixed)) => OrientationLaw::Fixed(DQuat::IDENTITY),
        Some(OrientationScene::Fixed { fixed }) => {
            let length = DQuat::from_array(*fixed).length();
            if !LENGTHS.contains(&length) {
                let message = "expected a quaternion x, y, z, w of length 1";
                return Err(document.error_at(path.child("fixed"), message));
            }
            OrientationLaw::Fixed(DQuat::from_array(*fixed) * (1.0 / length))
        }
        Some(OrientationScene::Axis { axis, spread, of }) => {
            let axis = direction(document, path.child("axis"), Some(*axis))?;
            let spread = spread.map_or(0.0, |spread| spread.si());
            let half_turn = std::f64::consts::PI;
            let allowed = "0 <= value <= pi, half a turn";
            let spread =
                in_range(document, path.child("spread"), spread, "rad", allowed, |x| (0.0..=half_turn).contains(&x))?;
            let own = match of {
                BodyAxis::Long => DVec3::X,
                BodyAxis::Short => DVec3::Z,
            };
            let cosine = if spread == 0.0 { 1.0 } else { dem_core::lanes::functions::alone::cos(spread) };
            OrientationLaw::Cone { own: template.principal * own, axis, cosine }
        }
    };
    // a stream of its own, so that places do not depend on orientations: a clump of one sphere has the places of spheres
    Ok(Orientations { law, stream: stream(seed, &format!("orientations of {}", source.name)) })
}
