//! The generated pages, shared by the program that writes them and the test that compares them.

mod data_dictionary;
mod integrator_reference;
mod law_reference;
mod scene_reference;

use std::error::Error;

/// How to make the pages again; stands at the head of every generated Markdown page.
const NOTICE: &str =
    "<!-- Generated from the code: change it there, then `cargo run -p dem-cli --example reference_pages`. -->\n";

/// One generated file.
pub struct Page {
    /// Path from the root of the repository.
    pub path: &'static str,
    /// Contents.
    pub text: String,
}

/// All generated files.
///
/// # Errors
/// What building the small run behind the data dictionary returns.
pub fn all() -> Result<Vec<Page>, Box<dyn Error>> {
    let schema = serde_json::to_value(schemars::schema_for!(dem_sim::scene::Scene))?;
    Ok(vec![
        Page { path: "docs/scene.schema.json", text: format!("{:#}\n", dem_sim::scene::schema()) },
        Page { path: "docs/src/scene_reference.md", text: scene_reference::page(&schema)? },
        Page { path: "docs/src/law_reference.md", text: law_reference::page() },
        Page { path: "docs/src/integrator_reference.md", text: integrator_reference::page() },
        Page { path: "docs/src/data_dictionary.md", text: data_dictionary::page()? },
    ])
}

/// Text that may stand in a cell of a Markdown table.
fn cell(text: &str) -> String {
    text.replace('\n', " ").replace('|', "\\|")
}
