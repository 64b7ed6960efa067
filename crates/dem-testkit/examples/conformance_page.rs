//! Writes the page on the conformance of the contact laws.

use std::path::Path;

use dem_testkit::conformance::{self, page};

fn main() -> std::io::Result<()> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(page::PATH);
    std::fs::write(path, page::text(&conformance::outcomes()))
}
