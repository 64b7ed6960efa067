//! Marks as a PDF of one page. The glyphs in use are embedded; text can be searched and copied.

use std::collections::BTreeMap;
use std::io::Write as _;

use ab_glyph::{Font, GlyphId};
use pdf_writer::types::{CidFontType, FontFlags, LineCapStyle, LineJoinStyle, SystemInfo, UnicodeCmap};
use pdf_writer::{Content, Filter, Finish, Name, Pdf, Rect, Ref, Str};
use subsetter::GlyphRemapper;

use crate::error::ViewError;
use crate::plot::figure_size::POINT;
use crate::plot::mark::{Colour, Mark, UNITS};
use crate::text_line::{SetGlyph, TextLine};
use crate::typeface::{Face, faces};

/// Control points of a quarter of a circle by cubic curves, in radii.
const QUARTER: f64 = 0.552_284_75;
const IDENTITY: SystemInfo<'static> = SystemInfo { registry: Str(b"Adobe"), ordering: Str(b"Identity"), supplement: 0 };

/// The glyphs of a face that a figure uses.
struct Used {
    remapper: GlyphRemapper,
    characters: BTreeMap<u16, char>,
}

/// Writes marks.
pub(crate) fn write(marks: &[Mark], [width, height]: [f64; 2]) -> Result<Vec<u8>, ViewError> {
    let used = Face::ALL.map(|face| Used::of(face, marks));
    let content = content(marks, [width, height], &used)?;
    let mut pdf = Pdf::new();
    let (catalog, tree, page, stream) = (Ref::new(1), Ref::new(2), Ref::new(3), Ref::new(4));
    pdf.catalog(catalog).pages(tree);
    pdf.pages(tree).kids([page]).count(1);
    {
        let [right, top] = [width, height].map(|side| (side / POINT) as f32);
        let mut page = pdf.page(page);
        page.parent(tree).media_box(Rect::new(0.0, 0.0, right, top)).contents(stream);
        let mut resources = page.resources();
        let mut fonts = resources.fonts();
        for (k, face) in Face::ALL.into_iter().enumerate().filter(|(k, _)| !used[*k].characters.is_empty()) {
            fonts.pair(resource(face), reference(k, 0));
        }
    }
    pdf.stream(stream, &deflated(&content)?).filter(Filter::FlateDecode);
    for (k, face) in Face::ALL.into_iter().enumerate().filter(|(k, _)| !used[*k].characters.is_empty()) {
        embed(&mut pdf, face, &used[k], |part| reference(k, part))?;
    }
    Ok(pdf.finish())
}

/// Reference of one of the five objects of a font.
fn reference(face: usize, part: i32) -> Ref {
    Ref::new(5 + 5 * face as i32 + part)
}

fn resource(face: Face) -> Name<'static> {
    Name(if face == Face::Text { b"F1" } else { b"F2" })
}

impl Used {
    fn of(face: Face, marks: &[Mark]) -> Self {
        let mut used = Self { remapper: GlyphRemapper::new(), characters: BTreeMap::new() };
        for mark in marks {
            let Mark::Text { line, .. } = mark else { continue };
            for glyph in line.glyphs.iter().filter(|glyph| glyph.face == face) {
                used.characters.insert(used.remapper.remap(glyph.id.0), glyph.character);
            }
        }
        used
    }
}

fn content(marks: &[Mark], [_, height]: [f64; 2], used: &[Used; 2]) -> Result<Vec<u8>, ViewError> {
    let mut content = Content::new();
    // millimetres downwards from the upper left corner
    let unit = (1.0 / POINT) as f32;
    content.transform([unit, 0.0, 0.0, -unit, 0.0, (height / POINT) as f32]);
    content.set_line_join(LineJoinStyle::RoundJoin).set_line_cap(LineCapStyle::ButtCap);
    let place = |(x, y): (i32, i32)| [x, y].map(|c| (f64::from(c) / UNITS) as f32);
    for mark in marks {
        match mark {
            Mark::Line { points, width, colour } => {
                let [red, green, blue] = shares(*colour);
                content.set_stroke_rgb(red, green, blue).set_line_width(*width as f32);
                for (k, point) in points.iter().enumerate() {
                    let [x, y] = place(*point);
                    if k == 0 {
                        content.move_to(x, y)
                    } else {
                        content.line_to(x, y)
                    };
                }
                content.stroke();
            }
            Mark::Disc { centre, radius, colour } => {
                let [red, green, blue] = shares(*colour);
                content.set_fill_rgb(red, green, blue);
                let ([x, y], r, c) = (place(*centre), *radius as f32, (radius * QUARTER) as f32);
                content.move_to(x + r, y);
                content.cubic_to(x + r, y + c, x + c, y + r, x, y + r);
                content.cubic_to(x - c, y + r, x - r, y + c, x - r, y);
                content.cubic_to(x - r, y - c, x - c, y - r, x, y - r);
                content.cubic_to(x + c, y - r, x + r, y - c, x + r, y);
                content.fill_nonzero();
            }
            Mark::Text { line, at, is_upright, colour } => {
                let [red, green, blue] = shares(*colour);
                content.set_fill_rgb(red, green, blue);
                push_text(&mut content, line, *at, *is_upright, used)?;
            }
        }
    }
    Ok(content.finish().to_vec())
}

/// The glyphs of a line, those of one size and height together.
fn push_text(
    content: &mut Content,
    line: &TextLine,
    at: [f64; 2],
    upright: bool,
    used: &[Used; 2],
) -> Result<(), ViewError> {
    let same = |a: &SetGlyph, b: &SetGlyph| (a.face, a.em, a.rise) == (b.face, b.em, b.rise);
    content.begin_text();
    for group in line.glyphs.chunk_by(same) {
        let Some(first) = group.first() else { continue };
        let remapper = &used[usize::from(first.face == Face::Fallback)].remapper;
        content.set_font(resource(first.face), first.em as f32);
        let [x, y] =
            if upright { [at[0] - first.rise, at[1] - first.x] } else { [at[0] + first.x, at[1] - first.rise] };
        // letters stand upright although y points downwards
        let turn = if upright { [0.0, -1.0, -1.0, 0.0] } else { [1.0, 0.0, 0.0, -1.0] };
        content.set_text_matrix([turn[0], turn[1], turn[2], turn[3], x as f32, y as f32]);
        let mut shown = content.show_positioned();
        let mut items = shown.items();
        let mut pen = first.x;
        for glyph in group {
            let back = 1000.0 * (pen - glyph.x) / glyph.em;
            if back.abs() > 0.5 {
                items.adjust(back as f32);
            }
            items.show(Str(&remapper.get(glyph.id.0).unwrap_or(0).to_be_bytes()));
            pen = glyph.x + glyph.em * advance(glyph.face, glyph.id)?;
        }
    }
    content.end_text();
    Ok(())
}

/// Width of a glyph in ems.
fn advance(face: Face, id: GlyphId) -> Result<f64, ViewError> {
    let font = faces()?.font(face);
    Ok(f64::from(font.h_advance_unscaled(id) / font.units_per_em().unwrap_or(1000.0)))
}

/// Writes a font with the glyphs in use.
fn embed(pdf: &mut Pdf, face: Face, used: &Used, reference: impl Fn(i32) -> Ref) -> Result<(), ViewError> {
    let refused = |error: subsetter::Error| ViewError::Embedding(error.to_string());
    let file = subsetter::subset(face.file(), 0, &used.remapper).map_err(refused)?;
    // six letters tell the subset from the whole typeface
    let base = format!("DEMDEM+{}", face.name());
    let base = Name(base.as_bytes());
    pdf.type0_font(reference(0))
        .base_font(base)
        .encoding_predefined(Name(b"Identity-H"))
        .descendant_font(reference(1))
        .to_unicode(reference(3));
    let mut cid = pdf.cid_font(reference(1));
    cid.subtype(CidFontType::Type2).base_font(base).system_info(IDENTITY).font_descriptor(reference(2));
    cid.cid_to_gid_map_predefined(Name(b"Identity")).default_width(0.0);
    let mut widths = cid.widths();
    for (new, old) in used.remapper.remapped_gids().enumerate() {
        widths.consecutive(new as u16, [(1000.0 * advance(face, GlyphId(old))?) as f32]);
    }
    widths.finish();
    cid.finish();
    let font = faces()?.font(face);
    let per_em = 1000.0 / font.units_per_em().unwrap_or(1000.0);
    let [ascent, descent] = [font.ascent_unscaled(), font.descent_unscaled()].map(|height| height * per_em);
    pdf.font_descriptor(reference(2))
        .name(base)
        .flags(FontFlags::SYMBOLIC)
        .bbox(Rect::new(-200.0, descent, 1300.0, ascent))
        .italic_angle(0.0)
        .ascent(ascent)
        .descent(descent)
        .cap_height(0.62 * (ascent - descent))
        .stem_v(60.0)
        .font_file2(reference(4));
    let mut map = UnicodeCmap::new(Name(b"Glyphs"), IDENTITY);
    for (glyph, character) in &used.characters {
        map.pair(*glyph, *character);
    }
    pdf.cmap(reference(3), &map.finish());
    pdf.stream(reference(4), &deflated(&file)?).filter(Filter::FlateDecode).pair(Name(b"Length1"), file.len() as i32);
    Ok(())
}

fn shares(colour: Colour) -> [f32; 3] {
    colour.map(|channel| f32::from(channel) / 255.0)
}

fn deflated(bytes: &[u8]) -> Result<Vec<u8>, ViewError> {
    let refused = |error: std::io::Error| ViewError::Encoding(error.to_string());
    let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(bytes).map_err(refused)?;
    encoder.finish().map_err(refused)
}
