//! Writes the generated pages of the documentation:
//!
//!     cargo run -p dem-cli --example reference_pages
//!
//! The test `documentation` compares the committed pages with what this program would write.
#![expect(clippy::print_stdout, reason = "a command talks to its terminal")]

mod pages;

use std::error::Error;
use std::path::Path;

fn main() -> Result<(), Box<dyn Error>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    for page in pages::all()? {
        std::fs::write(root.join(page.path), page.text)?;
        println!("{}", page.path);
    }
    Ok(())
}
