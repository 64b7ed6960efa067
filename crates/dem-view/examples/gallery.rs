//! Draws one picture of each kind into `target/gallery`: `cargo run -p dem-view --example gallery`.
//!
//! The heap is only heaped up to look at, not simulated. With `time` as argument, measures large pictures instead.

#![allow(clippy::print_stdout, reason = "an example talks to its reader")]

use std::error::Error;
use std::f64::consts::TAU;
use std::path::{Path, PathBuf};
use std::time::Instant;

use dem_view::{
    AxisScale, ColourBar, ColourMap, CutPlane, DEFAULT_RESOLUTION, FigureSize, LinePlot, PictureOptions, PictureScene,
    Projection, Series, SeriesStyle, SphereCloud, ValueRange, View, WallSurface, draw_pdf, draw_png, draw_svg, render,
};
use glam::DVec3;

/// Inner radius and height of the container [m].
const CONTAINER: [f64; 2] = [0.25, 0.58];

/// Uniform numbers from the top bits of a 64-bit linear congruential generator.
struct Random(u64);

impl Random {
    fn uniform(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }
}

struct Heap {
    positions: Vec<DVec3>,
    radii: Vec<f64>,
    speeds: Vec<f64>,
}

/// Drops spheres straight down, each at the best of some random places.
fn heap_up(count: usize, mean_radius: f64) -> Heap {
    let mut random = Random(2026);
    let mut heap = Heap { positions: Vec::new(), radii: Vec::new(), speeds: Vec::new() };
    // Columns of a square grid, each with the spheres in it, so that a drop looks at few of them.
    let cell = 2.8 * mean_radius;
    let cells = (2.0 * CONTAINER[0] / cell).ceil() as usize + 1;
    let mut columns: Vec<Vec<usize>> = vec![Vec::new(); cells * cells];
    let place = |x: f64| (((x + CONTAINER[0]) / cell) as usize).min(cells - 1);
    for k in 0..count {
        let radius = mean_radius * (0.72 + 0.56 * random.uniform());
        let mut best: Option<(f64, DVec3)> = None;
        for _ in 0..60 {
            let (angle, reach) = (random.uniform() * TAU, random.uniform().sqrt() * (CONTAINER[0] - radius));
            let (x, y) = (reach * angle.cos(), reach * angle.sin());
            let mut height = radius;
            for i in place(x).saturating_sub(1)..=(place(x) + 1).min(cells - 1) {
                for j in place(y).saturating_sub(1)..=(place(y) + 1).min(cells - 1) {
                    for &other in columns[i * cells + j].iter().rev().take(60) {
                        let centre = heap.positions[other];
                        let touch = radius + heap.radii[other];
                        let apart = (centre.x - x).powi(2) + (centre.y - y).powi(2);
                        if apart < touch * touch {
                            height = height.max(centre.z + (touch * touch - apart).sqrt());
                        }
                    }
                }
            }
            // A place further out must be lower: the heap gets a slope.
            let rank = height + 0.5 * reach;
            if best.is_none_or(|(lowest, _)| rank < lowest) {
                best = Some((rank, DVec3::new(x, y, height)));
            }
        }
        let Some((_, position)) = best else { continue };
        columns[place(position.x) * cells + place(position.y)].push(k);
        heap.speeds.push(0.9 * (position.z / 0.4).powi(3) * (0.3 + 0.7 * random.uniform()) + 0.02 * random.uniform());
        heap.positions.push(position);
        heap.radii.push(radius);
    }
    heap
}

/// Side and floor of the container.
fn container() -> WallSurface {
    let [radius, height] = CONTAINER;
    let ring = |k: usize, z: f64| {
        let angle = (k % 96) as f64 / 96.0 * TAU;
        DVec3::new(radius * angle.cos(), radius * angle.sin(), z)
    };
    let triangles = (0..96).flat_map(|k| {
        let (a, b, c, d) = (ring(k, 0.0), ring(k + 1, 0.0), ring(k + 1, height), ring(k, height));
        [[a, b, c], [a, c, d], [DVec3::ZERO, b, a]]
    });
    WallSurface { triangles: triangles.collect(), ..WallSurface::default() }
}

fn bar(label: &str, unit: &str) -> Option<ColourBar> {
    Some(ColourBar { label: label.to_owned(), unit: unit.to_owned(), ..ColourBar::default() })
}

fn draw_pictures(folder: &Path) -> Result<(), Box<dyn Error>> {
    let heap = heap_up(5000, 0.0125);
    let heights: Vec<f64> = heap.positions.iter().map(|p| p.z).collect();
    let species: Vec<f64> = heap.radii.iter().map(|r| (r / 0.0125 - 0.72) / 0.56 * 4.0 - 0.5).collect();
    let walls = [container()];
    let (positions, radii) = (&heap.positions[..], &heap.radii[..]);
    let cloud = |values| SphereCloud { positions, radii, values };
    let base = PictureOptions { caption: "t = 1.25 s, 5,000 particles".to_owned(), ..PictureOptions::default() };
    let cut = Some(CutPlane { point: DVec3::ZERO, normal: DVec3::new(0.3, -1.0, 0.0) });
    let outliers = ValueRange::Percentiles { low: 1.0, high: 99.0 };
    let flat = View { projection: Projection::Orthographic, elevation_degrees: 8.0, ..View::default() };
    let close = View { zoom: 5.0, look_at: Some(DVec3::new(0.08, -0.12, 0.4)), ..View::default() };
    let white = [[255; 3]; 2];
    let pictures = [
        ("height", cloud(Some(&heights)), PictureOptions { colour_bar: bar("height", "m"), ..base.clone() }),
        (
            "speed",
            cloud(Some(&heap.speeds)),
            PictureOptions {
                colour_bar: bar("speed", "m/s"),
                value_range: outliers,
                title: "Filling of a cylinder".to_owned(),
                ..base.clone()
            },
        ),
        ("cut", cloud(Some(&heights)), PictureOptions { cut, colour_bar: bar("height", "m"), ..base.clone() }),
        (
            "orthographic",
            cloud(Some(&heap.speeds)),
            PictureOptions {
                view: flat,
                colour_map: ColourMap::Cividis,
                colour_bar: bar("speed", "m/s"),
                ..base.clone()
            },
        ),
        ("close", cloud(None), PictureOptions { view: close, background: white, ..PictureOptions::default() }),
        (
            "species",
            cloud(Some(&species)),
            PictureOptions { colour_map: ColourMap::Categorical, colour_bar: bar("species", ""), ..base.clone() },
        ),
        ("walls", SphereCloud::default(), PictureOptions { width: 800, height: 600, ..base.clone() }),
        (
            "small",
            cloud(Some(&heights)),
            PictureOptions { width: 320, height: 240, colour_bar: bar("height", "m"), ..base.clone() },
        ),
    ];
    for (name, spheres, options) in pictures {
        let image = render(&PictureScene { spheres, walls: &walls }, &options)?;
        std::fs::write(folder.join(format!("{name}.png")), image.encode_png()?)?;
    }
    Ok(())
}

fn draw_plots(folder: &Path) -> Result<(), Box<dyn Error>> {
    let mut random = Random(7);
    let times: Vec<f64> = (0..2000).map(|k| f64::from(k) * 1e-3).collect();
    let mut series = |label: &str, style, value: &mut dyn FnMut(f64, f64) -> f64| Series {
        label: label.to_owned(),
        points: times.iter().map(|&t| [t, value(t, random.uniform())]).collect(),
        style,
    };
    let energies = vec![
        series("kinetic", SeriesStyle::Line, &mut |t, noise| 0.4 * (-6.0 * t).exp() * (0.8 + 0.4 * noise)),
        series("rotational", SeriesStyle::Line, &mut |t, noise| 0.03 * (-5.0 * t).exp() * (0.9 + 0.2 * noise)),
        series("elastic", SeriesStyle::Line, &mut |t, _| 2e-4 * (1.1 - (-4.0 * t).exp())),
        series("limit at rest", SeriesStyle::Dashes, &mut |_, _| 1e-6),
    ];
    let mut coordination =
        vec![series("all", SeriesStyle::Line, &mut |t, noise| 5.6 * (1.0 - (-3.0 * t).exp()) + 0.1 * noise)];
    for point in &mut coordination[0].points[600..700] {
        point[1] = f64::NAN;
    }
    let overlap = vec![
        series("largest", SeriesStyle::Line, &mut |t, noise| 3e-6 * (1.0 - (-2.0 * t).exp()) + 2e-7 * noise),
        Series {
            label: "theory, δ ∝ F".to_owned(),
            points: (0..9).map(|k| [f64::from(k) * 0.25, 3e-6 * (1.0 - (-0.5 * f64::from(k)).exp())]).collect(),
            style: SeriesStyle::Markers,
        },
    ];
    let panel = |title: &str, y_label: &str, series| LinePlot {
        title: title.to_owned(),
        x_label: "time [s]".to_owned(),
        y_label: y_label.to_owned(),
        series,
        ..LinePlot::default()
    };
    let figure = [
        LinePlot { y_scale: AxisScale::Logarithmic, ..panel("Energies", "energy [J]", energies) },
        panel("Coordination", "contacts per particle", coordination),
        panel("Overlap", "overlap [m]", overlap),
    ];
    let size = FigureSize::for_panels(figure.len());
    std::fs::write(folder.join("plots.png"), draw_png(&figure, size, DEFAULT_RESOLUTION)?.encode_png()?)?;
    std::fs::write(folder.join("plots.svg"), draw_svg(&figure, size)?)?;
    std::fs::write(folder.join("plots.pdf"), draw_pdf(&figure, size)?)?;
    Ok(())
}

fn measure_pictures() -> Result<(), Box<dyn Error>> {
    for (count, radius) in [(5000, 0.0125), (100_000, 0.0046)] {
        let heap = heap_up(count, radius);
        let walls = [container()];
        let spheres = SphereCloud { positions: &heap.positions, radii: &heap.radii, values: Some(&heap.speeds) };
        let options = PictureOptions { colour_bar: bar("speed", "m/s"), ..PictureOptions::default() };
        for _ in 0..3 {
            let start = Instant::now();
            let image = render(&PictureScene { spheres, walls: &walls }, &options)?;
            let drawn = start.elapsed();
            let size = image.encode_png()?.len();
            println!("{count} spheres: drawn in {drawn:.2?}, encoded after {:.2?}, {size} bytes", start.elapsed());
        }
    }
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    if std::env::args().nth(1).as_deref() == Some("time") {
        return measure_pictures();
    }
    let folder = PathBuf::from("target/gallery");
    std::fs::create_dir_all(&folder)?;
    draw_pictures(&folder)?;
    draw_plots(&folder)?;
    println!("pictures are in {}", folder.display());
    Ok(())
}
