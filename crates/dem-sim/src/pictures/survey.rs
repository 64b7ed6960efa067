//! What the pictures of several frames have in common: camera, colours, looks of the walls.

use dem_core::wall::{Pose, Wall};
use dem_io::snapshot::Frame;
use dem_view::{PictureOptions, PictureScene, SphereCloud, ViewError, WallLook, WallSurface};
use glam::DVec3;

use super::colouring::Colouring;
use super::columns::{self, radii};
use super::hiding::Hidden;
use super::request::PictureRequest;
use super::scenery::Scenery;
use super::series::PictureSeries;
use super::time_label::TimeLabel;
use super::wall_looks;
use crate::frames::wall_surface::{reach, wall_triangles};

/// Looks at frames before any is drawn. Keeps nothing of a frame but the balls that decide on the camera.
pub struct Survey<'a> {
    request: &'a PictureRequest,
    scenery: &'a Scenery,
    options: PictureOptions,
    towards_eye: DVec3,
    given: Vec<Option<Option<WallLook>>>,
    /// Lower and upper corner of all centres.
    extent: (DVec3, DVec3),
    balls: Vec<(DVec3, f64)>,
    /// Where walls have been.
    places: Vec<(usize, Pose)>,
    /// Where each was last.
    last_places: Vec<Option<Pose>>,
    hidden: Vec<Hidden>,
    colouring: Colouring,
}

impl<'a> Survey<'a> {
    /// Looks at nothing yet.
    ///
    /// # Errors
    /// A wall that there is not, and numbers of the request that are out of range.
    pub fn new(request: &'a PictureRequest, scenery: &'a Scenery) -> Result<Self, ViewError> {
        let mut options = request.options(scenery.up);
        options.title.clone_from(&scenery.title);
        // the room that they take, whatever they will say
        "t".clone_into(&mut options.caption);
        Colouring::default().set(request, scenery, &mut options);
        Ok(Self {
            request,
            scenery,
            towards_eye: options.view.towards_eye()?,
            options,
            given: wall_looks::given(request, scenery)?,
            extent: (DVec3::INFINITY, DVec3::NEG_INFINITY),
            balls: Vec::new(),
            places: Vec::new(),
            last_places: vec![None; scenery.walls.len()],
            hidden: vec![Hidden::default(); scenery.walls.len()],
            colouring: Colouring::default(),
        })
    }

    /// Whether a column, of a table or of the particles, is needed to draw a frame.
    pub fn needs(&self, table: Option<&str>, column: &str) -> bool {
        columns::needs(self.request, table, column)
    }

    /// The same, to look at a frame that is not drawn.
    pub fn needs_to_fit(table: Option<&str>, column: &str) -> bool {
        columns::needs_to_fit(table, column)
    }

    /// Takes a frame into the view of the camera.
    ///
    /// # Errors
    /// Numbers that cannot be drawn.
    pub fn fit(&mut self, frame: &Frame) -> Result<(), ViewError> {
        let (low, high) = reach(frame);
        self.extent = (self.extent.0.min(low), self.extent.1.max(high));
        let radii = radii(frame);
        let spheres = SphereCloud { positions: &frame.positions, radii: &radii, values: None };
        self.balls.extend(self.options.outermost(&PictureScene { spheres, walls: &[] })?);
        for (index, wall) in self.scenery.walls_in(frame).iter().enumerate().filter(|(_, wall)| wall.active) {
            if self.last_places[index].replace(wall.pose) != Some(wall.pose) {
                self.places.push((index, wall.pose));
            }
            if self.given[index].is_none() && self.scenery.moves(wall) {
                let triangles = wall_triangles(wall, (low, high));
                self.hidden[index].add(&frame.positions, &triangles, self.towards_eye);
            }
        }
        Ok(())
    }

    /// Takes the values of a frame into the range of the colours.
    ///
    /// # Errors
    /// A field that the frame does not have.
    pub fn colour(&mut self, frame: &Frame) -> Result<(), ViewError> {
        self.colouring.add(frame, self.scenery.up, &self.request.colour)
    }

    /// What all pictures have in common. `times` are those of all frames of the run \[s\].
    ///
    /// # Errors
    /// Nothing to see.
    pub fn series(mut self, times: &[f64]) -> Result<PictureSeries<'a>, ViewError> {
        let looks = wall_looks::decided(&self.given, self.scenery, &self.hidden);
        for (index, pose) in std::mem::take(&mut self.places) {
            if looks[index].is_some() {
                let wall = Wall { pose, ..self.scenery.walls[index].clone() };
                let triangles = wall_triangles(&wall, self.extent);
                let walls = [WallSurface { triangles, ..WallSurface::default() }];
                let scene = PictureScene { spheres: SphereCloud::default(), walls: &walls };
                self.balls.extend(self.options.outermost(&scene)?);
            }
        }
        self.colouring.set(self.request, self.scenery, &mut self.options);
        self.options.camera = Some(self.options.camera_around(&self.balls)?);
        Ok(PictureSeries {
            request: self.request,
            scenery: self.scenery,
            options: self.options,
            looks,
            extent: self.extent,
            time: TimeLabel::for_times(times),
        })
    }
}
