//! Claims about whole pictures, through the public interface only.

#![allow(clippy::unwrap_used, reason = "helpers of tests fail like tests")]

use dem_view::{
    Camera, ColourBar, ColourMap, CutPlane, Image, PictureOptions, PictureScene, Projection, SphereCloud, ValueRange,
    View, ViewError, WallSurface, render,
};
use glam::DVec3;

const PERSPECTIVE: Projection = Projection::Perspective { field_of_view_degrees: 30.0 };

fn options(projection: Projection) -> PictureOptions {
    let view = View { azimuth_degrees: 0.0, elevation_degrees: 0.0, projection, ..View::default() };
    PictureOptions { width: 200, height: 200, view, background: [[255; 3]; 2], ..PictureOptions::default() }
}

fn draw(positions: &[DVec3], radii: &[f64], values: Option<&[f64]>, options: &PictureOptions) -> Image {
    let spheres = SphereCloud { positions, radii, values };
    render(&PictureScene { spheres, walls: &[] }, options).unwrap()
}

/// Pixels that are not the white background.
fn inked(image: &Image) -> Vec<(u32, u32)> {
    let all = (0..image.height()).flat_map(|y| (0..image.width()).map(move |x| (x, y)));
    all.filter(|&(x, y)| image.pixel(x, y) != Some([255; 3])).collect()
}

/// A lattice of overlapping spheres, enough to fill several bands and to occlude each other.
fn block() -> (Vec<DVec3>, Vec<f64>, Vec<f64>) {
    let positions: Vec<DVec3> = (0..512)
        .map(|k| {
            let wobble = 0.3 * (f64::from(k) * 12.9898).sin();
            DVec3::new(f64::from(k % 8) + wobble, f64::from(k / 8 % 8), f64::from(k / 64))
        })
        .collect();
    let radii = (0..512).map(|k| 0.4 + 0.2 * (f64::from(k) * 0.7).cos()).collect();
    let values = positions.iter().map(|p| p.z).collect();
    (positions, radii, values)
}

fn floor() -> WallSurface {
    let [a, b, c, d] = [[-1.0, -1.0], [8.0, -1.0], [8.0, 8.0], [-1.0, 8.0]].map(|[x, y]| DVec3::new(x, y, -0.6));
    WallSurface {
        triangles: vec![[a, b, c], [a, c, d]],
        lines: vec![[a, a + 9.0 * DVec3::Z]],
        ..WallSurface::default()
    }
}

#[test]
fn sphere_covers_exactly_the_pixels_of_its_projection() {
    for projection in [Projection::Orthographic, PERSPECTIVE] {
        let options = options(projection);
        // The small sphere is framed together with a large distant point cloud of two tiny spheres.
        let positions = [DVec3::new(0.0, 0.3, 0.4), DVec3::new(0.0, -1.0, -1.0), DVec3::new(0.0, 1.0, 1.0)];
        let radii = [0.2, 1e-6, 1e-6];
        let image = draw(&positions, &radii, None, &options);
        let content: Vec<_> = positions.into_iter().zip(radii).collect();
        let camera = Camera::fit(&content, &options.view, 1.0).unwrap();
        let [x, y, _] = camera.project(positions[0], 200, 200).unwrap();
        let [edge, _, _] = camera.project(positions[0] + DVec3::new(0.0, 0.2, 0.0), 200, 200).unwrap();
        let radius = edge - x;
        for (column, row) in inked(&image) {
            let distance = (f64::from(column) + 0.5 - x).hypot(f64::from(row) + 0.5 - y);
            let is_other = positions[1..].iter().any(|&p| {
                let [px, py, _] = camera.project(p, 200, 200).unwrap();
                (f64::from(column) + 0.5 - px).hypot(f64::from(row) + 0.5 - py) < 2.0
            });
            // A pixel's half diagonal, and the two per cent by which perspective widens a silhouette.
            assert!(is_other || distance < 1.02 * radius + 0.8, "{column} {row}: {distance} of {radius}");
        }
        let covered = inked(&image).len() as f64;
        let expected = std::f64::consts::PI * radius * radius;
        assert!((covered / expected - 1.0).abs() < 0.15, "{covered} of {expected} pixels");
    }
}

#[test]
fn nearest_sphere_wins() {
    let mut options = options(PERSPECTIVE);
    options.colour_map = ColourMap::CoolWarm;
    // The eye is on +x: the second sphere stands before the first.
    for order in [[-2.0, 2.0], [2.0, -2.0]] {
        let positions = order.map(|x| DVec3::new(x, 0.0, 0.0));
        let image = draw(&positions, &[0.5; 2], Some(&order), &options);
        let [red, _, blue] = image.pixel(100, 100).unwrap();
        assert!(red > blue, "the sphere at x = 2 is red");
    }
}

#[test]
fn bytes_do_not_depend_on_the_number_of_threads() {
    let (positions, radii, values) = block();
    let walls = [floor()];
    let spheres = SphereCloud { positions: &positions, radii: &radii, values: Some(&values) };
    let scene = PictureScene { spheres, walls: &walls };
    let options = PictureOptions {
        width: 320,
        height: 240,
        cut: Some(CutPlane { point: DVec3::splat(4.0), normal: DVec3::new(1.0, -1.0, 0.5) }),
        colour_bar: Some(ColourBar { label: "height".into(), unit: "m".into(), ..ColourBar::default() }),
        ..PictureOptions::default()
    };
    let with_threads = |count: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(count).build().unwrap();
        pool.install(|| render(&scene, &options)).unwrap()
    };
    assert!(with_threads(1) == with_threads(3));
}

#[test]
fn cut_plane_removes_one_half_and_shows_a_flat_face() {
    let whole = options(Projection::Orthographic);
    let cut = |normal| PictureOptions { cut: Some(CutPlane { point: DVec3::ZERO, normal }), ..whole.clone() };
    let draw = |options: &PictureOptions| draw(&[DVec3::ZERO], &[1.0], None, options);
    let all = inked(&draw(&whole)).len();
    let lower = inked(&draw(&cut(DVec3::Z)));
    assert!(lower.iter().all(|&(_, row)| row >= 99), "nothing above the plane");
    assert!(lower.len().abs_diff(all / 2) < 200, "{} of {all}", lower.len());
    // Cut across the line of sight: the same silhouette, one flat colour.
    let face = draw(&cut(DVec3::X));
    assert!(inked(&face).len().abs_diff(all) <= 8);
    assert_eq!(face.pixel(100, 100), face.pixel(60, 130));
    assert_ne!(draw(&whole).pixel(100, 100), draw(&whole).pixel(60, 130));
    // The whole content on the removed side.
    let away = CutPlane { point: DVec3::new(0.0, 0.0, -2.0), normal: DVec3::Z };
    assert!(inked(&draw(&PictureOptions { cut: Some(away), ..whole.clone() })).is_empty());
}

#[test]
fn tiny_huge_and_distant_scenes_give_the_same_picture() {
    let (positions, radii, _) = block();
    let reference = draw(&positions, &radii, None, &options(PERSPECTIVE));
    for (scale, shift) in [(1e-9, 0.0), (1e-80, 0.0), (1e80, 0.0), (1.0, 1e7)] {
        let moved: Vec<DVec3> = positions.iter().map(|&p| p * scale + DVec3::splat(shift)).collect();
        let scaled: Vec<f64> = radii.iter().map(|r| r * scale).collect();
        let image = draw(&moved, &scaled, None, &options(PERSPECTIVE));
        let differing = image.bytes().iter().zip(reference.bytes()).filter(|(a, b)| a.abs_diff(**b) > 8).count();
        // Rounding may flip single samples on silhouettes.
        assert!(differing < image.bytes().len() / 200, "{scale} {shift}: {differing}");
    }
}

#[test]
fn sphere_far_smaller_than_a_pixel_is_visible() {
    let positions = [DVec3::ZERO, DVec3::new(0.0, 1.0, 1.0), DVec3::new(0.0, -1.0, -1.0)];
    let image = draw(&positions, &[1e-12; 3], None, &options(PERSPECTIVE));
    let inked = inked(&image);
    assert!(inked.iter().any(|&(x, y)| (99..=100).contains(&x) && (99..=100).contains(&y)), "{inked:?}");
}

#[test]
fn walls_alone_are_drawn_and_never_hide_spheres() {
    let options = PictureOptions { view: View::default(), ..options(PERSPECTIVE) };
    let walls = [floor()];
    let alone = render(&PictureScene { spheres: SphereCloud::default(), walls: &walls }, &options).unwrap();
    assert!(inked(&alone).len() > 2000);
    // A screen without outline inside the picture, between the eye and a sphere.
    let mut front = self::options(PERSPECTIVE);
    let spheres = SphereCloud { positions: &[DVec3::ZERO], radii: &[0.5], values: None };
    front.camera = Some(front.fit_camera(&PictureScene { spheres, walls: &[] }).unwrap());
    let corners = [[-9.0, -9.0], [9.0, -9.0], [0.0, 9.0]].map(|[y, z]| DVec3::new(1.0, y, z));
    let screen = [WallSurface { triangles: vec![corners], ..WallSurface::default() }];
    let bare = render(&PictureScene { spheres, walls: &[] }, &front).unwrap();
    let screened = render(&PictureScene { spheres, walls: &screen }, &front).unwrap();
    // The screen may darken the sphere a little, as any neighbour does.
    let channels = bare.pixel(100, 100).into_iter().zip(screened.pixel(100, 100));
    assert!(channels.flat_map(|(a, b)| a.into_iter().zip(b)).all(|(a, b)| a.abs_diff(b) < 10));
}

#[test]
fn degenerate_walls_and_sizes_are_drawn() {
    let point = DVec3::splat(0.5);
    let walls = [WallSurface { triangles: vec![[point; 3]], lines: vec![[point; 2]], ..WallSurface::default() }];
    let spheres = SphereCloud { positions: &[DVec3::ZERO], radii: &[1.0], values: Some(&[3.0]) };
    for (width, height) in [(1, 1), (1, 50), (50, 1), (240, 160), (500, 170)] {
        let colour_bar = Some(ColourBar { label: "mean squared displacement".into(), ..ColourBar::default() });
        let text = "t = 1 s".to_owned();
        let sized =
            PictureOptions { width, height, colour_bar, title: text.clone(), caption: text, ..options(PERSPECTIVE) };
        for map in ColourMap::ALL {
            let options = PictureOptions { colour_map: map, ..sized.clone() };
            let image = render(&PictureScene { spheres, walls: &walls }, &options).unwrap();
            assert_eq!((image.width(), image.height()), (width, height));
        }
    }
}

#[test]
fn camera_inside_the_spheres_is_harmless() {
    let (positions, radii, _) = block();
    let view = View { zoom: 1e6, look_at: Some(positions[200]), ..View::default() };
    let image = draw(&positions, &radii, None, &PictureOptions { view, ..options(PERSPECTIVE) });
    assert!(!inked(&image).is_empty());
    let near = [(DVec3::new(3.0, 3.0, 3.0), 1.0)];
    let camera = Some(Camera::fit(&near, &View::default(), 1.0).unwrap());
    assert!(!inked(&draw(&positions, &radii, None, &PictureOptions { camera, ..options(PERSPECTIVE) })).is_empty());
}

#[test]
fn bad_input_is_refused_with_its_place() {
    let good = options(PERSPECTIVE);
    let draw = |positions: &[DVec3], values: Option<&[f64]>, options: &PictureOptions| {
        let radii = vec![1.0; positions.len()];
        let spheres = SphereCloud { positions, radii: &radii, values };
        render(&PictureScene { spheres, walls: &[] }, options).map(|_| ()).unwrap_err().to_string()
    };
    let two = [DVec3::ZERO, DVec3::ONE];
    assert!(draw(&[DVec3::ZERO, DVec3::NAN], None, &good).starts_with("position 1 is (NaN, NaN, NaN)"));
    assert!(draw(&two, Some(&[0.0, f64::NAN]), &good).starts_with("value 1 is NaN"));
    assert!(draw(&two, Some(&[0.0]), &good).starts_with("value column has 1 entries, expected 2"));
    assert!(draw(&two, None, &PictureOptions { width: 0, ..good.clone() }).starts_with("image size 0 x 200"));
    assert!(draw(&two, None, &PictureOptions { height: 8193, ..good.clone() }).contains("outside 1 to 8192"));
    let cut = Some(CutPlane { point: DVec3::ZERO, normal: DVec3::ZERO });
    assert!(draw(&two, None, &PictureOptions { cut, ..good.clone() }).starts_with("cut plane"));
    let value_range = ValueRange::Fixed { min: 1.0, max: 1.0 };
    assert!(draw(&two, None, &PictureOptions { value_range, ..good.clone() }).starts_with("value range is 1 to 1"));
    let empty = render(&PictureScene::default(), &good).unwrap_err();
    assert_eq!(empty, ViewError::NothingToFrame);
}
