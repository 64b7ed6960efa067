//! A picture of one frame.

use dem_io::snapshot::Frame;
use dem_view::ViewError;

use super::request::PictureRequest;
use super::scenery::Scenery;
use super::survey::Survey;

/// PNG of a frame, fitted to it alone.
///
/// # Errors
/// A field that the frame does not have, or values that cannot be drawn.
pub fn render_frame(frame: &Frame, scenery: &Scenery, request: &PictureRequest) -> Result<Vec<u8>, ViewError> {
    let mut survey = Survey::new(request, scenery)?;
    survey.fit(frame)?;
    survey.colour(frame)?;
    survey.series(&[frame.time])?.draw(frame)?.encode_png()
}
