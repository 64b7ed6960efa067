//! Where text and the colour bar go, and their drawing.

use crate::error::ViewError;
use crate::image::Image;
use crate::picture::colour_map::ColourMap;
use crate::picture::scene::{ColourBar, PictureOptions, ValueRange};
use crate::tick::{TickSet, linear_ticks};
use crate::typeface::{draw_label, draw_text, fit_line, label_width, text_width};

/// Images smaller than this have no room for a colour bar `[pixel]`.
const SMALLEST_WITH_BAR: [u32; 2] = [240, 160];
/// Width of the column of the colour bar, in text sizes. It does not depend on the labels, so that the frames of a film
/// show the spheres at the same place.
const COLUMN: f32 = 6.4;
/// Most categories that are listed.
const MOST_CATEGORIES: usize = 16;
const INK: [u8; 3] = [0x2b, 0x30, 0x36];
const FAINT_INK: [u8; 3] = [0x58, 0x60, 0x68];

/// A rectangle of whole pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Window {
    pub x: u32,
    pub y: u32,
    pub width: u32,
    pub height: u32,
}

/// How the image is divided.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Layout {
    /// Part that shows the spheres.
    pub view: Window,
    /// Line height of the text `[pixel]`.
    text: f32,
    has_bar: bool,
}

impl Layout {
    pub fn new(options: &PictureOptions, has_values: bool) -> Self {
        let (width, height) = (options.width, options.height);
        let text = (width as f32 / 58.0).min(height as f32 / 42.0).max(9.0);
        let has_bar = has_values
            && options.colour_bar.is_some()
            && width >= SMALLEST_WITH_BAR[0]
            && height >= SMALLEST_WITH_BAR[1];
        let line = |used: bool| if used { (2.0 * text).round() as u32 } else { 0 };
        let (top, bottom) = (line(!options.title.is_empty()), line(!options.caption.is_empty()));
        let column = if has_bar { (COLUMN * text).round() as u32 } else { 0 };
        // Tiny images keep at least one row and column for the spheres.
        let view = Window {
            x: 0,
            y: top.min(height / 3),
            width: (width - column.min(width / 2)).max(1),
            height: (height - top.min(height / 3) - bottom.min(height / 3)).max(1),
        };
        Self { view, text, has_bar }
    }

    /// Width over height of the part that shows the spheres.
    pub fn aspect(&self) -> f64 {
        f64::from(self.view.width) / f64::from(self.view.height)
    }
}

/// Draws title, caption and colour bar.
pub(crate) fn draw_legend(
    image: &mut Image,
    layout: &Layout,
    options: &PictureOptions,
    values: &[f64],
    range: [f64; 2],
) -> Result<(), ViewError> {
    let (text, margin) = (layout.text, layout.text);
    let room = options.width as f32 - 2.0 * margin;
    if !options.title.is_empty() {
        let size = 1.15 * text;
        draw_text(image, &fit_line(&options.title, size, room)?, margin, 1.25 * text, size, INK)?;
    }
    if !options.caption.is_empty() {
        let y = options.height as f32 - 1.15 * text;
        draw_text(image, &fit_line(&options.caption, text, room)?, margin, y, text, FAINT_INK)?;
    }
    let is_known = |bar: &ColourBar| {
        !values.is_empty() || !bar.listed.is_empty() || matches!(options.value_range, ValueRange::Fixed { .. })
    };
    match options.colour_bar.as_ref().filter(|bar| is_known(bar)) {
        Some(bar) if layout.has_bar && options.colour_map == ColourMap::Categorical => {
            draw_categories(image, layout, bar, values)
        }
        Some(bar) if layout.has_bar => {
            let [low, high] = bar.beyond;
            let beyond = [low || values.iter().any(|v| *v < range[0]), high || values.iter().any(|v| *v > range[1])];
            draw_bar(image, layout, bar, options.colour_map, range, beyond)
        }
        _ => Ok(()),
    }
}

/// Draws name and unit; returns the row below them.
fn draw_heading(image: &mut Image, layout: &Layout, bar: &ColourBar, mut y: f32) -> Result<f32, ViewError> {
    let left = layout.view.width as f32;
    let room = image.width() as f32 - left - 0.4 * layout.text;
    let unit = if bar.unit.is_empty() { String::new() } else { format!("[{}]", bar.unit) };
    let together = format!("{} {unit}", bar.label);
    let lines = if text_width(together.trim(), layout.text)? <= room {
        vec![together.trim().to_owned()]
    } else {
        vec![bar.label.clone(), unit]
    };
    for line in lines.iter().filter(|line| !line.is_empty()) {
        // Long names shrink a little before they lose their end.
        let size = layout.text * (room / text_width(line, layout.text)?.max(1.0)).clamp(0.75, 1.0);
        draw_text(image, &fit_line(line, size, room)?, left, y, size, INK)?;
        y += 1.35 * layout.text;
    }
    Ok(y)
}

/// Rounded-off labels of a bar over `range`.
fn bar_ticks(range: [f64; 2]) -> TickSet {
    linear_ticks(range[0], range[1], 4)
}

fn draw_bar(
    image: &mut Image,
    layout: &Layout,
    bar: &ColourBar,
    map: ColourMap,
    range: [f64; 2],
    beyond: [bool; 2],
) -> Result<(), ViewError> {
    let text = layout.text;
    let (left, width) = (i64::from(layout.view.width), (0.95 * text).round() as i64);
    let ticks = bar_ticks(range);
    let factor = ticks.factor();
    let y = draw_heading(image, layout, bar, 0.16 * image.height() as f32)?;
    let tip = (0.7 * text) as i64;
    let top = y as i64 + if factor.is_some() { (1.2 * text) as i64 } else { 0 } + if beyond[1] { tip } else { 0 };
    let bottom = (0.84 * image.height() as f32) as i64 - if beyond[0] { tip } else { 0 };
    let span = (bottom - top).max(1);
    if let Some(factor) = factor {
        let x = left as f32 + width as f32 + 0.45 * text;
        draw_label(
            image,
            &factor,
            x.min(image.width() as f32 - label_width(&factor, 0.9 * text)?),
            y,
            0.9 * text,
            INK,
        )?;
    }
    image.fill(left - 1..left + width + 1, top - 1..bottom + 1, INK);
    for row in top..bottom {
        let fraction = 1.0 - (row - top) as f64 / (span - 1).max(1) as f64;
        image.fill(left..left + width, row..row + 1, map.colour(fraction));
    }
    // A pointed end says that values beyond it share its colour.
    for end in (0..2usize).filter(|&end| beyond[end]) {
        for step in 0..tip {
            let half = (width * (tip - step) / (2 * tip)).max(1);
            let row = if end == 1 { top - 1 - step } else { bottom + step };
            let middle = left + width / 2;
            image.fill(middle - half - 1..middle + half + 1, row..row + 1, INK);
            image.fill(middle - half..middle + half, row..row + 1, map.colour(end as f64));
        }
    }
    for tick in &ticks.ticks {
        let fraction = (tick.value - range[0]) / (range[1] - range[0]);
        let row = (bottom as f64 - 0.5 - fraction * (span - 1) as f64).round() as i64;
        let end = left + width;
        image.fill(end..end + (0.25 * text) as i64 + 1, row..row + (text / 18.0).ceil() as i64, INK);
        draw_label(image, &tick.label, end as f32 + 0.5 * text, row as f32 + 0.5, 0.9 * text, INK)?;
    }
    Ok(())
}

fn draw_categories(image: &mut Image, layout: &Layout, bar: &ColourBar, values: &[f64]) -> Result<(), ViewError> {
    let text = layout.text;
    let mut categories: Vec<f64> = values.iter().chain(&bar.listed).map(|value| value.round() + 0.0).collect();
    categories.sort_unstable_by(f64::total_cmp);
    categories.dedup();
    let left = layout.view.width as f32;
    let mut y = draw_heading(image, layout, bar, 0.16 * image.height() as f32)? + 0.3 * text;
    for (ordinal, &category) in categories.iter().enumerate() {
        if ordinal == MOST_CATEGORIES {
            return draw_text(image, "…", left, y, text, INK);
        }
        let named = if category >= 0.0 { bar.categories.get(category as usize) } else { None };
        let name = named.cloned().unwrap_or_else(|| category.to_string());
        let half = (0.45 * text) as i64;
        let columns = left as i64..left as i64 + 2 * half;
        image.fill(columns.start - 1..columns.end + 1, y as i64 - half - 1..y as i64 + half + 1, INK);
        image.fill(columns, y as i64 - half..y as i64 + half, ColourMap::category(category));
        let room = image.width() as f32 - left - 1.8 * text;
        draw_text(image, &fit_line(&name, text, room)?, left + 1.4 * text, y, text, INK)?;
        y += 1.5 * text;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(width: u32, height: u32) -> PictureOptions {
        let colour_bar = Some(ColourBar { label: "speed".into(), unit: "m/s".into(), ..ColourBar::default() });
        PictureOptions {
            width,
            height,
            colour_bar,
            title: "t".into(),
            caption: "c".into(),
            ..PictureOptions::default()
        }
    }

    #[test]
    fn view_has_room_at_every_size() {
        for (width, height) in [(1, 1), (3, 900), (900, 3), (239, 500), (240, 160), (8192, 8192)] {
            let view = Layout::new(&options(width, height), true).view;
            assert!(view.width >= 1 && view.height >= 1);
            assert!(view.x + view.width <= width && view.y + view.height <= height, "{width} {height}");
        }
    }

    #[test]
    fn column_of_the_bar_does_not_depend_on_the_labels() {
        let plain = options(800, 600);
        let mut long = plain.clone();
        long.colour_bar = Some(ColourBar { label: "kinetic energy of rotation".into(), ..ColourBar::default() });
        assert_eq!(Layout::new(&plain, true).view, Layout::new(&long, true).view);
        assert_eq!(Layout::new(&plain, false).view.width, 800);
    }

    #[test]
    fn bar_runs_from_the_first_colour_at_the_bottom_to_the_last_at_the_top() {
        let options = options(800, 600);
        let layout = Layout::new(&options, true);
        let mut image = Image::from_bytes(800, 600, vec![255; 800 * 600 * 3]);
        draw_legend(&mut image, &layout, &options, &[0.0, 1.0], [0.0, 1.0]).unwrap();
        let column = layout.view.width + 4;
        let colours: Vec<[u8; 3]> = (0..600).filter_map(|row| image.pixel(column, row)).collect();
        let first = colours.iter().position(|&c| c == ColourMap::Viridis.colour(1.0)).unwrap();
        let last = colours.iter().rposition(|&c| c == ColourMap::Viridis.colour(0.0)).unwrap();
        assert!(last - first > 250, "{first} {last}");
    }

    #[test]
    fn ticks_of_a_bar_lie_on_it() {
        for range in [[0.0, 1.0], [-3e-7, 9e-7], [2.0, 2.00001], [1e12, 3e12]] {
            let ticks = bar_ticks(range).ticks;
            assert!(ticks.len() >= 3);
            let slack = 1e-6 * (range[1] - range[0]);
            assert!(ticks.iter().all(|t| (range[0] - slack..=range[1] + slack).contains(&t.value)), "{range:?}");
        }
    }
}
