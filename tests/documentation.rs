//! Keeps the documentation true: generated pages, scenes and links in the text, names of tests.
#![expect(clippy::unwrap_used, clippy::panic, reason = "functions that tests share fail as tests do")]

#[path = "../crates/dem-cli/examples/reference_pages/pages/mod.rs"]
mod pages;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use dem_sim::builder;

/// Files at the root that are written by hand; those under `docs/src` are found.
const ROOT_PAGES: [&str; 6] =
    ["README.md", "CHANGELOG.md", "ARCHITECTURE.md", "CONVENTIONS.md", "DESIGN.md", "VALIDATION.md"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// All Markdown pages.
fn all_pages() -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = ROOT_PAGES.iter().map(|name| root().join(name)).collect();
    found.extend(files_below(&root().join("docs/src"), "md"));
    found
}

/// Files with an extension in a folder and the folders in it.
fn files_below(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files_below(&path, extension));
        } else if path.extension().is_some_and(|e| e == extension) {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// Fenced blocks of a language.
fn blocks(text: &str, language: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        if let Some(given) = line.strip_prefix("```") {
            let block: Vec<&str> = lines.by_ref().take_while(|line| !line.starts_with("```")).collect();
            if given == language {
                found.push(block.join("\n"));
            }
        }
    }
    found
}

/// Pages that name all laws.
const PAGES_OF_LAWS: [&str; 2] = ["docs/scene.schema.json", "docs/src/law_reference.md"];

/// While a law is at work it need not be on the pages yet; continuous integration, which sets `CI`, wants it there.
#[test]
fn generated_pages_are_up_to_date() {
    let laws = read(&root().join("docs/src/law_reference.md"));
    let is_at_work = |law: &dem_contact::registry::Entry| !laws.contains(&format!("\n## `{}`\n", law.key));
    let may_wait = dem_contact::registry::LAWS.iter().any(is_at_work) && std::env::var_os("CI").is_none();
    for page in pages::all().unwrap() {
        if may_wait && PAGES_OF_LAWS.contains(&page.path) {
            continue;
        }
        let committed = read(&root().join(page.path));
        let line = committed.lines().zip(page.text.lines()).position(|(a, b)| a != b);
        assert!(
            committed == page.text,
            "{} differs from the code (first in line {}): run `cargo run -p dem-cli --example reference_pages`",
            page.path,
            line.unwrap_or_else(|| committed.lines().count().min(page.text.lines().count())) + 1
        );
    }
}

/// A block is a whole scene, or it replaces tables of the container example.
#[test]
fn scenes_in_the_pages_build() {
    let example: toml::Table = toml::from_str(&read(&root().join("examples/container_filling.toml"))).unwrap();
    let folder = tempfile::tempdir().unwrap();
    // the files that pages speak of
    std::fs::write(folder.path().join("packing.csv.gz"), "x,y,z,r\n0,0,0.01,0.002\n").unwrap();
    for mesh in ["stirrer.stl", "square_hopper.stl"] {
        std::fs::copy(root().join("examples").join(mesh), folder.path().join(mesh)).unwrap();
    }
    let mut count = 0;
    for path in all_pages() {
        for block in blocks(&read(&path), "toml") {
            let given: toml::Table =
                toml::from_str(&block).unwrap_or_else(|error| panic!("{}: {error}\n{block}", path.display()));
            let mut scene = example.clone();
            if given.contains_key("materials") && given.contains_key("particles") {
                scene.clear();
            }
            scene.extend(given);
            let file = folder.path().join("scene.toml");
            std::fs::write(&file, scene.to_string()).unwrap();
            let built = builder::load_scene(&file, &[]).and_then(|loaded| builder::build(&loaded));
            if let Err(error) = built {
                panic!("{}:\n{block}\n{error}", path.display());
            }
            count += 1;
        }
    }
    assert!(count >= 10, "{count} scenes found: have the pages moved?");
}

#[test]
fn links_lead_to_files() {
    for path in all_pages() {
        let text = read(&path);
        for target in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let file = target.split('#').next().unwrap_or_default();
            if !file.is_empty() && !file.contains("://") {
                let full = path.parent().unwrap().join(file);
                assert!(full.exists(), "{} links to {target}, which is not there", path.display());
            }
        }
    }
}

#[test]
fn every_page_is_in_the_table_of_contents() {
    let folder = root().join("docs/src");
    let contents = read(&folder.join("SUMMARY.md"));
    for path in files_below(&folder, "md") {
        let name = path.file_name().unwrap().to_str().unwrap();
        assert!(name == "SUMMARY.md" || contents.contains(&format!("({name})")), "{name} is not in SUMMARY.md");
    }
}

/// A file that is no module of its program would be compiled by nobody, and its tests would be missed by nobody.
#[test]
fn every_file_of_tests_is_part_of_a_program() {
    let mut count = 0;
    let crates = std::fs::read_dir(root().join("crates")).unwrap().map(|entry| entry.unwrap().path().join("tests"));
    for folder in crates.chain([root().join("tests")]).filter(|folder| folder.join("all.rs").exists()) {
        let program = read(&folder.join("all.rs"));
        let manifest = folder.parent().map(|parent| parent.join("Cargo.toml")).filter(|path| path.exists());
        let programs = manifest.map_or(String::new(), |path| read(&path));
        for path in std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()) {
            let name = path.file_stem().unwrap().to_str().unwrap();
            if name != "all" && (path.extension().is_some_and(|e| e == "rs") || path.join("mod.rs").exists()) {
                let is_module = program.contains(&format!("\nmod {name};"));
                let is_program = programs.contains(&format!("tests/{name}.rs"));
                assert!(is_module || is_program, "{} is neither in all.rs nor in Cargo.toml", path.display());
                count += 1;
            }
        }
    }
    assert!(count >= 70, "{count} files found: have the tests moved?");
}

#[test]
fn tests_named_in_the_validation_page_exist() {
    let mut functions = BTreeSet::new();
    for path in ["crates", "tests"].iter().flat_map(|folder| files_below(&root().join(folder), "rs")) {
        let text = read(&path);
        for (at, _) in text.match_indices("#[test]") {
            let name = text[at..].split_once("fn ").and_then(|(_, rest)| rest.split_once('('));
            functions.extend(name.map(|(name, _)| name.to_owned()));
        }
    }
    let page = read(&root().join("VALIDATION.md"));
    let mut count = 0;
    for line in page.lines().filter(|line| line.starts_with("| ")) {
        for name in line.split('`').skip(1).step_by(2) {
            // names of tests are long; keys, laws and files are not
            if name.matches('_').count() >= 3 && !name.contains(['.', '/', ' ']) && name != "kill_during_output" {
                assert!(functions.contains(name), "VALIDATION.md names the test {name}, which is not there");
                count += 1;
            }
        }
    }
    assert!(count >= 40, "{count} tests found: has the page changed its form?");
}

/// Without a run: what is measured only has to be there and to have passed.
#[test]
fn cases_in_the_validation_page_are_those_of_the_registry() {
    use dem_validation::{CASES, markdown};
    let page = read(&root().join("VALIDATION.md"));
    let committed = markdown::claims_in(&page).expect("the page has the marks of the cases");
    assert!(
        committed == markdown::claims(),
        "VALIDATION.md differs from the registry: run `cargo run --release -- validate --markdown VALIDATION.md`"
    );
    assert!(!page.contains("**fail**"), "VALIDATION.md was written by a run that failed");
    for case in CASES {
        let section = page.split(&format!("### {}\n", case.name)).nth(1).unwrap();
        let measured = section.split("\n### ").next().unwrap().matches("| pass |").count();
        assert!(measured > 0, "VALIDATION.md has no measured check of {}", case.name);
    }
}

#[test]
fn outputs_page_knows_every_file_and_summary_key() {
    use dem_sim::run::{Ended, Origin, Run};
    let page = read(&root().join("docs/src/outputs.md"));
    let folder = tempfile::tempdir().unwrap();
    let directory = folder.path().join("run");
    let scene = builder::load_scene(&root().join("examples/container_filling.toml"), &[]).unwrap();
    let mut run = Run::begin(&scene, &directory, &Origin::Scene, false).unwrap();
    let summary: serde_json::Value = serde_json::from_str(&run.finish(Ended::Bound).unwrap().to_json()).unwrap();
    for key in summary.as_object().unwrap().keys() {
        assert!(page.contains(&format!("`{key}`")), "outputs.md does not explain {key} of summary.json");
    }
    for entry in std::fs::read_dir(&directory).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        assert!(page.contains(&format!("`{name}")), "outputs.md does not explain the file {name}");
    }
}
