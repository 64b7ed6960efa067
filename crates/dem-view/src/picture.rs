//! Pictures of spheres and walls.
//!
//! Every sample of the picture (2 x 2 a pixel) follows its ray to the nearest sphere exactly, so silhouettes and
//! intersections are right in perspective, near the edge of the picture and at a cut plane. Light comes from one lamp
//! and a sky; neighbours darken each other. All of it happens on the processor.

mod ambient_occlusion;
pub mod camera;
pub mod colour_map;
mod legend;
mod lens;
mod line;
mod outline;
mod rasteriser;
pub mod scene;
mod shading;
pub mod view;

use std::ops::Range;

use glam::{DVec3, Vec3};
use rayon::prelude::*;

use crate::error::ViewError;
use crate::image::Image;
use ambient_occlusion::{Occlusion, REACH};
use camera::Camera;
use colour_map::ColourMap;
use legend::{Layout, Window, draw_legend};
use lens::{Ball, HalfSpace, Lens, NEAREST};
use line::Stroke;
use rasteriser::{DepthBuffer, FIRST_SOLID, FIRST_VEIL, Facet, NOTHING, Stage, band_of, rasterise, sort_into_bands};
use scene::{PictureOptions, PictureScene, WallLook};
use shading::{Lighting, SurfacePoint, decode, encode};

/// Samples along each side of a pixel.
const SUBDIVISION: usize = 2;
/// Samples held at a time; larger pictures are drawn in slabs, so that memory does not grow with the height.
/// The widest picture needs 12 bytes for each of its samples in three [`REACH`]es of rows, 300 MB.
const MOST_SAMPLES: usize = 1 << 24;
/// Radius of mutual darkening in median sphere radii.
const OCCLUSION_RADII: f64 = 5.0;
/// Least projected radius of a sphere, so that none falls between the samples [sample].
const LEAST_RADIUS: f64 = 0.75;
/// sRGB colour of outlines.
const LINE_COLOUR: [u8; 3] = [0x30, 0x3a, 0x46];

impl PictureOptions {
    /// The camera that [`render`] would fit to this scene. Give it back as [`PictureOptions::camera`] to draw other
    /// scenes from the same place.
    ///
    /// # Errors
    /// As [`render`].
    pub fn fit_camera(&self, scene: &PictureScene<'_>) -> Result<Camera, ViewError> {
        scene.check()?;
        self.check()?;
        let layout = Layout::new(self, scene.spheres.values.is_some());
        Camera::fit(&scene.content(), &self.view, layout.aspect())
    }

    /// The balls and points of a scene that decide on the camera fitted to pictures of spheres with values, at most eleven. Those of many scenes
    /// together give the camera that [shows all of them](Self::camera_around).
    ///
    /// # Errors
    /// As [`render`].
    pub fn outermost(&self, scene: &PictureScene<'_>) -> Result<Vec<(DVec3, f64)>, ViewError> {
        scene.check()?;
        self.check()?;
        let layout = Layout::new(self, true);
        camera::outermost(scene.content(), &self.view, layout.aspect())
    }

    /// The camera that shows these balls in pictures of spheres with values.
    ///
    /// # Errors
    /// As [`Camera::fit`].
    pub fn camera_around(&self, balls: &[(DVec3, f64)]) -> Result<Camera, ViewError> {
        Camera::fit(balls, &self.view, Layout::new(self, true).aspect())
    }
}

/// Draws a scene. The bytes do not depend on the number of threads.
///
/// Without spheres the walls are drawn alone.
///
/// # Errors
/// [`ViewError`] naming the first position, radius, value, wall corner or option that cannot be drawn;
/// [`ViewError::NothingToFrame`] if there is neither sphere nor wall and no camera is given.
pub fn render(scene: &PictureScene<'_>, options: &PictureOptions) -> Result<Image, ViewError> {
    scene.check()?;
    options.check()?;
    let values = scene.spheres.values.unwrap_or_default();
    let layout = Layout::new(options, scene.spheres.values.is_some());
    let range = options.value_range.resolve(values);
    let mut image = Drawing::new(scene, options, &layout, range)?.draw(MOST_SAMPLES);
    draw_legend(&mut image, &layout, options, values, range)?;
    Ok(image)
}

/// Brings spheres and walls into camera axes.
fn set_stage(scene: &PictureScene<'_>, options: &PictureOptions, camera: &Camera, lens: &Lens) -> Stage {
    let kept = options.cut.map(|cut| {
        let normal = camera.turn(cut.normal.normalize());
        HalfSpace { normal, offset: normal.dot(camera.to_camera(cut.point)) }
    });
    let columns = scene.spheres.positions.iter().zip(scene.spheres.radii).enumerate();
    let mut balls: Vec<Ball> = columns
        .filter_map(|(index, (&position, &radius))| {
            let (centre, radius) = (camera.to_camera(position), radius / camera.unit());
            let is_removed = kept.is_some_and(|kept| kept.normal.dot(centre) - kept.offset >= radius);
            let is_behind = camera.is_perspective() && centre.z + radius <= NEAREST;
            let radius = radius.max(LEAST_RADIUS / lens.magnification(centre.z));
            (!is_removed && !is_behind).then_some(Ball { centre, radius, index })
        })
        .collect();
    let nearest = |ball: &Ball| ball.centre.z - ball.radius;
    balls.sort_unstable_by(|a, b| nearest(a).total_cmp(&nearest(b)).then(a.index.cmp(&b.index)));
    let facets = |is_solid: bool| {
        let walls = scene.walls.iter().filter(move |wall| (wall.look != WallLook::Translucent) == is_solid);
        let triangles = walls.flat_map(|wall| wall.triangles.iter().map(move |corners| (wall.look, corners)));
        triangles.filter_map(|(look, corners)| facet(corners.map(|corner| camera.to_camera(corner)), look, camera))
    };
    let (solids, veils) = (facets(true).collect(), facets(false).collect());
    let segments =
        scene.walls.iter().flat_map(|wall| outline::trace_outline(wall, |p| camera.to_camera(p), lens)).collect();
    Stage { balls, kept, solids, veils, segments }
}

/// A wall triangle with its normal towards the eye; `None` if it has no area.
fn facet(corners: [DVec3; 3], look: WallLook, camera: &Camera) -> Option<Facet> {
    let normal = (corners[1] - corners[0]).cross(corners[2] - corners[0]).try_normalize()?;
    let sight = if camera.is_perspective() { corners[0] } else { DVec3::Z };
    let normal = if normal.dot(sight) > 0.0 { -normal } else { normal };
    Some(Facet { corners, normal, is_cut: look == WallLook::OpaqueAndCut })
}

fn sphere_colour(values: Option<&[f64]>, index: usize, options: &PictureOptions, range: [f64; 2]) -> Vec3 {
    decode(match values {
        None => options.sphere_colour,
        Some(values) if options.colour_map == ColourMap::Categorical => ColourMap::category(values[index]),
        // Halves keep the difference of two huge numbers finite.
        Some(values) => {
            options.colour_map.colour((0.5 * values[index] - 0.5 * range[0]) / (0.5 * range[1] - 0.5 * range[0]))
        }
    })
}

fn median_radius(balls: &[Ball]) -> f64 {
    let mut radii: Vec<f64> = balls.iter().map(|ball| ball.radius).collect();
    if radii.is_empty() {
        return 0.0;
    }
    let middle = radii.len() / 2;
    *radii.select_nth_unstable_by(middle, f64::total_cmp).1
}

/// All that a row of pixels needs.
struct Drawing<'a> {
    stage: Stage,
    lens: Lens,
    options: &'a PictureOptions,
    view: Window,
    /// Linear colour of each ball of the stage.
    colours: Vec<Vec3>,
    /// Linear colour of opaque walls.
    wall_colour: Vec3,
    lighting: Lighting,
    occlusion: Occlusion,
    strokes: Vec<Stroke>,
    line_half_width: f64,
}

impl<'a> Drawing<'a> {
    fn new(
        scene: &PictureScene<'_>,
        options: &'a PictureOptions,
        layout: &Layout,
        range: [f64; 2],
    ) -> Result<Self, ViewError> {
        let camera = match options.camera {
            Some(camera) => camera,
            None => Camera::fit(&scene.content(), &options.view, layout.aspect())?,
        };
        let size = [layout.view.width, layout.view.height].map(|side| (side as usize * SUBDIVISION) as f64);
        let lens = Lens::new(&camera, [0.0; 2], size);
        let stage = set_stage(scene, options, &camera, &lens);
        let colour = |ball: &Ball| sphere_colour(scene.spheres.values, ball.index, options, range);
        Ok(Self {
            colours: stage.balls.iter().map(colour).collect(),
            wall_colour: decode(options.wall_colour),
            lighting: Lighting::new(camera.world_up(options.view.up)),
            occlusion: Occlusion::new(OCCLUSION_RADII * median_radius(&stage.balls)),
            strokes: stage.segments.iter().filter_map(|&segment| Stroke::new(segment, &lens)).collect(),
            line_half_width: (f64::from(options.height) / 850.0).max(0.6) * SUBDIVISION as f64 / 2.0,
            stage,
            lens,
            options,
            view: layout.view,
        })
    }

    /// Draws the picture in slabs of about `most_samples` samples.
    fn draw(&self, most_samples: usize) -> Image {
        let (width, height) = (self.options.width as usize, self.options.height as usize);
        let mut bytes = vec![0; width * height * 3];
        bytes.par_chunks_mut(width * 3).enumerate().for_each(|(row, pixels)| {
            let colour = encode(self.background(row));
            pixels.chunks_exact_mut(3).for_each(|pixel| pixel.copy_from_slice(&colour));
        });
        let columns = self.view.width as usize * SUBDIVISION;
        let view_rows = self.view.height as usize;
        let slab = (most_samples / (columns * SUBDIVISION)).max(REACH / SUBDIVISION);
        for start in (0..view_rows).step_by(slab) {
            let end = (start + slab).min(view_rows);
            let first = (start * SUBDIVISION).saturating_sub(REACH);
            let last = (end * SUBDIVISION + REACH).min(view_rows * SUBDIVISION);
            self.draw_slab(&mut bytes, start..end, &rasterise(&self.stage, &self.lens, columns, first..last));
        }
        Image::from_bytes(self.options.width, self.options.height, bytes)
    }

    /// Shades rows of pixels of the view from the samples below and around them.
    fn draw_slab(&self, bytes: &mut [u8], rows: Range<usize>, buffer: &DepthBuffer) {
        let spans = self.strokes.iter().map(|stroke| stroke.rows(self.line_half_width));
        let strokes = sort_into_bands(spans, &buffer.rows);
        let width = self.options.width as usize * 3;
        let top = self.view.y as usize;
        let target = &mut bytes[(top + rows.start) * width..(top + rows.end) * width];
        target.par_chunks_mut(width).zip(rows).for_each(|(pixels, row)| {
            let mut sums = vec![Vec3::ZERO; self.view.width as usize];
            for sample_row in row * SUBDIVISION..(row + 1) * SUBDIVISION {
                let touching = &strokes[band_of(sample_row, &buffer.rows)];
                self.add_sample_row(&mut sums, sample_row, top + row, touching, buffer);
            }
            let start = self.view.x as usize * 3;
            for (pixel, sum) in pixels[start..].chunks_exact_mut(3).zip(sums) {
                pixel.copy_from_slice(&encode(sum / (SUBDIVISION * SUBDIVISION) as f32));
            }
        });
    }

    fn add_sample_row(&self, sums: &mut [Vec3], row: usize, image_row: usize, strokes: &[u32], buffer: &DepthBuffer) {
        let background = self.background(image_row);
        let line = decode(LINE_COLOUR);
        let mut cover = vec![0.0; buffer.width];
        for &stroke in strokes {
            self.strokes[stroke as usize].cover_row(&mut cover, row, self.line_half_width, &self.lens, buffer);
        }
        for (column, cover) in cover.into_iter().enumerate() {
            let colour = self.sample(column, row, background, buffer);
            sums[column / SUBDIVISION] += colour.lerp(line, cover);
        }
    }

    /// Linear colour of one sample without lines.
    fn sample(&self, column: usize, row: usize, background: Vec3, buffer: &DepthBuffer) -> Vec3 {
        let (depth, owner) = buffer.get(column, row);
        if owner == NOTHING {
            return background;
        }
        let ray = self.lens.ray(column, row);
        let (point, to_eye) = (ray.at(depth), ray.back());
        let light = |normal: DVec3| {
            let brightness = self.occlusion.brightness(column, row, owner, point, normal, &self.lens, buffer);
            SurfacePoint { normal, to_eye, brightness }
        };
        if owner >= FIRST_VEIL {
            let normal = self.stage.veils[(owner - FIRST_VEIL) as usize].normal;
            return self.lighting.shade_veil(background, &light(normal));
        }
        if owner >= FIRST_SOLID {
            let normal = self.stage.solids[(owner - FIRST_SOLID) as usize].normal;
            return self.lighting.shade_solid(self.wall_colour, &light(normal));
        }
        let ball = &self.stage.balls[owner as usize];
        let colour = self.colours[owner as usize];
        let hit = ball.hit(&ray, self.stage.kept.as_ref(), self.lens.nearest_depth());
        match (hit, self.stage.kept) {
            (Some(hit), Some(kept)) if hit.on_cut => self.lighting.shade_cut(colour, light(kept.normal).brightness),
            _ => self.lighting.shade_sphere(colour, &light((point - ball.centre) / ball.radius)),
        }
    }

    /// Linear colour behind everything in a row of the image.
    fn background(&self, row: usize) -> Vec3 {
        let [top, bottom] = self.options.background.map(decode);
        top.lerp(bottom, (row as f32 + 0.5) / self.options.height as f32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picture::scene::{SphereCloud, WallSurface};

    #[test]
    fn slabs_join_without_a_seam() {
        let positions: Vec<DVec3> =
            (0..300).map(|k| DVec3::new(f64::from(k % 7), f64::from(k / 7 % 6), f64::from(k / 42)) * 0.9).collect();
        let radii = vec![0.55; positions.len()];
        let spheres = SphereCloud { positions: &positions, radii: &radii, values: None };
        let corner = |x: f64, y: f64| DVec3::new(x, y, -0.5);
        let floor = [corner(-1.0, -1.0), corner(7.0, -1.0), corner(7.0, 6.0)];
        let walls = [WallSurface { triangles: vec![floor], ..WallSurface::default() }];
        let scene = PictureScene { spheres, walls: &walls };
        let options = PictureOptions { width: 300, height: 700, ..PictureOptions::default() };
        let drawing = Drawing::new(&scene, &options, &Layout::new(&options, false), [0.0, 1.0]).unwrap();
        // With room for one sample a slab has its least height, 256 rows of pixels.
        assert!(drawing.draw(1) == drawing.draw(MOST_SAMPLES));
    }
}
