//! Which commit the command is built from, and whether its sources differ from it. Only the last crate knows, so that a commit lets no other be built
//! again.
//!
//! Asked in this order: the variable `DEM_COMMIT` of whoever builds for others; git, if the sources are the top of a working tree; the file
//! `commit.txt`, in which `git archive` puts the commit of an archive. Without any of them the version stands alone.

use std::path::{Path, PathBuf};
use std::process::Command;

/// Digits of a commit.
const DIGITS: usize = 12;
/// What is compiled, beside the folders and manifests of the crates.
const COMPILED: [&str; 5] = ["Cargo.toml", "Cargo.lock", "CITATION.cff", "data", "examples"];

fn main() {
    let crates_folder = PathBuf::from(env("CARGO_MANIFEST_DIR"));
    let root = crates_folder.join("../..");
    println!("cargo:rerun-if-env-changed=DEM_COMMIT");
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed=commit.txt");
    let given = std::env::var("DEM_COMMIT").ok().filter(|commit| !commit.trim().is_empty());
    let commit = given.or_else(|| of_git(&root)).or_else(|| of_archive(&crates_folder));
    let version = env("CARGO_PKG_VERSION");
    match commit {
        Some(commit) => {
            let commit = commit.trim();
            println!("cargo:rustc-env=DEM_COMMIT={commit}");
            println!("cargo:rustc-env=DEM_VERSION={version} ({commit})");
        }
        None => println!("cargo:rustc-env=DEM_VERSION={version}"),
    }
}

/// A variable that cargo sets.
fn env(name: &str) -> String {
    std::env::var(name).unwrap_or_default()
}

/// What git says of a working tree; nothing without git, or if the sources lie somewhere in the tree of another project.
fn of_git(root: &Path) -> Option<String> {
    let git = |arguments: &[&str]| {
        let output = Command::new("git").arg("-C").arg(root).args(arguments).output().ok()?;
        let text = String::from_utf8(output.stdout).ok()?;
        output.status.success().then(|| text.trim_end().to_owned())
    };
    let top = PathBuf::from(git(&["rev-parse", "--show-toplevel"])?);
    if top.canonicalize().ok()? != root.canonicalize().ok()? {
        return None;
    }
    let commit = git(&["rev-parse", "HEAD"])?;
    let sources = sources(root);
    let mut status = vec!["status", "--porcelain", "--untracked-files=all", "--"];
    status.extend(sources.iter().map(String::as_str));
    // where git cannot tell, the sources count as they were committed
    let is_modified = git(&status).is_some_and(|changes| !changes.is_empty());
    // asked again when a source changes, and when the commit does
    for source in &sources {
        println!("cargo:rerun-if-changed={}", root.join(source).display());
    }
    let branch = git(&["symbolic-ref", "--quiet", "HEAD"]);
    for name in ["HEAD", "logs/HEAD", "packed-refs"].into_iter().map(str::to_owned).chain(branch) {
        let path = git(&["rev-parse", "--git-path", &name]).map(|path| root.join(path));
        // a file that does not exist would count as changed at every build
        if let Some(path) = path.filter(|path| path.is_file()) {
            println!("cargo:rerun-if-changed={}", path.display());
        }
    }
    let commit = commit.get(..DIGITS)?;
    Some(if is_modified { format!("{commit}, modified") } else { commit.to_owned() })
}

/// Files and folders that are compiled, as paths below the root. Tests and pages do not make another program.
fn sources(root: &Path) -> Vec<String> {
    let mut found: Vec<String> = COMPILED.iter().map(|&name| name.to_owned()).collect();
    let members = std::fs::read_dir(root.join("crates")).into_iter().flatten().flatten();
    for member in members.filter_map(|entry| entry.file_name().into_string().ok()) {
        found.extend(["src", "build.rs", "Cargo.toml"].map(|name| format!("crates/{member}/{name}")));
    }
    found.retain(|path| root.join(path).exists());
    found.sort();
    found
}

/// What `git archive` has put in place of the format in `commit.txt`.
fn of_archive(folder: &Path) -> Option<String> {
    let text = std::fs::read_to_string(folder.join("commit.txt")).ok()?;
    let commit = text.trim().get(..DIGITS)?;
    commit.chars().all(|c| c.is_ascii_hexdigit()).then(|| commit.to_owned())
}
