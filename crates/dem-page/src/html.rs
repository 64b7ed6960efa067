//! The page as text.

use serde_json::Value;

/// What a page names as its generator, by which it can be told from pages of users.
pub const GENERATOR: &str = "<meta name=\"generator\" content=\"dem view\">";

/// What the page may fetch: its own frames from the server it came from, and nothing from anywhere else.
const POLICY: &str = "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src 'unsafe-inline' blob:; \
     style-src 'unsafe-inline'; img-src data: blob:; connect-src 'self'\">";

/// Modules of the script in the order of their names, which they import one another by as in `dem/data`.
const MODULES: [(&str, &str); 17] = [
    ("three", include_str!("three/three.module.js")),
    ("dem/camera", include_str!("page/camera.js")),
    ("dem/chains", include_str!("page/chains.js")),
    ("dem/colours", include_str!("page/colours.js")),
    ("dem/data", include_str!("page/data.js")),
    ("dem/frames", include_str!("page/frames.js")),
    ("dem/legend", include_str!("page/legend.js")),
    ("dem/lines", include_str!("page/lines.js")),
    ("dem/outset", include_str!("page/outset.js")),
    ("dem/panel", include_str!("page/panel.js")),
    ("dem/picking", include_str!("page/picking.js")),
    ("dem/quads", include_str!("page/quads.js")),
    ("dem/sight", include_str!("page/sight.js")),
    ("dem/spheres", include_str!("page/spheres.js")),
    ("dem/stage", include_str!("page/stage.js")),
    ("dem/timeline", include_str!("page/timeline.js")),
    ("dem/walls", include_str!("page/walls.js")),
];
const MAIN: &str = include_str!("page/main.js");
const LOADER: &str = include_str!("page/loader.js");
const STYLE: &str = include_str!("page/style.css");
const BODY: &str = include_str!("page/body.html");
/// Notice of three.js, which must go with it.
const LICENCE: &str = include_str!("three/LICENSE");

/// Data that stand in the page.
pub(crate) struct Inline<'a> {
    pub(crate) document: &'a Value,
    pub(crate) blocks: &'a [String],
}

/// The page without frames, for a server.
pub fn served_page(title: &str) -> String {
    page(title, &Inline { document: &Value::Null, blocks: &[] })
}

pub(crate) fn page(title: &str, inline: &Inline<'_>) -> String {
    let title = escaped(title);
    let room: usize = inline.blocks.iter().map(|block| block.len() + 64).sum();
    let mut text = String::with_capacity(room + (1 << 20));
    let mut add = |parts: &[&str]| parts.iter().for_each(|part| text.push_str(part));
    add(&["<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n", GENERATOR, "\n"]);
    add(&[
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<link rel=\"icon\" href=\"data:,\">\n",
        POLICY,
        "\n",
    ]);
    add(&["<title>", &title, "</title>\n<style>\n", STYLE, "</style></head>\n<body>\n", BODY]);
    add(&["<!-- The page contains three.js:\n", LICENCE, "-->\n"]);
    for (number, block) in inline.blocks.iter().enumerate() {
        add(&["<script type=\"text/plain\" id=\"block-", &number.to_string(), "\">", block, "</script>\n"]);
    }
    // no text of a scene may end the element that it stands in
    let document = inline.document.to_string().replace('<', "\\u003c");
    add(&["<script type=\"application/json\" id=\"document\">", &document, "</script>\n"]);
    for (name, script) in MODULES.into_iter().chain([("dem/main", MAIN)]) {
        add(&["<script type=\"text/plain\" data-module=\"", name, "\">", script, "</script>\n"]);
    }
    add(&["<script>\n", LOADER, "</script>\n</body></html>\n"]);
    text
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
