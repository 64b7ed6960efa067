//! What the build script finds out about the commit: in a working tree, in an archive, and in neither. It is compiled by itself and run on small trees.
#![expect(clippy::unwrap_used, reason = "functions that tests share fail as tests do")]

use std::path::{Path, PathBuf};
use std::process::Command;

/// The build script as a program.
fn script(folder: &Path) -> PathBuf {
    let program = folder.join("script");
    let compiler = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".to_owned());
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("build.rs");
    let status = Command::new(compiler).args(["--edition", "2024", "-o"]).arg(&program).arg(source).status();
    assert!(status.unwrap().success());
    program
}

/// Sources with `commit.txt` as it is in the repository or as an archive has it.
fn sources(root: &Path, commit: &str) {
    std::fs::create_dir_all(root.join("crates/dem-cli/src")).unwrap();
    std::fs::write(root.join("crates/dem-cli/src/main.rs"), "fn main() {}\n").unwrap();
    std::fs::write(root.join("crates/dem-cli/commit.txt"), commit).unwrap();
    std::fs::write(root.join("Cargo.toml"), "[workspace]\n").unwrap();
}

/// What the script says of sources: the version and the commit, if it knows one.
fn found(program: &Path, root: &Path, given: Option<&str>) -> (String, Option<String>) {
    let mut command = Command::new(program);
    let folder = root.join("crates/dem-cli");
    command.current_dir(&folder).env_remove("DEM_COMMIT").env("CARGO_MANIFEST_DIR", &folder);
    command.env("CARGO_PKG_VERSION", "1.2.3").envs(given.map(|commit| ("DEM_COMMIT", commit)));
    let text = String::from_utf8(command.output().unwrap().stdout).unwrap();
    let value = |name: &str| {
        text.lines().find_map(|line| line.strip_prefix(&format!("cargo:rustc-env={name}="))).map(str::to_owned)
    };
    (value("DEM_VERSION").unwrap(), value("DEM_COMMIT"))
}

const AS_COMMITTED: &str = include_str!("../crates/dem-cli/commit.txt");

#[test]
fn sources_without_git_build_with_the_commit_of_their_archive_or_none() {
    let folder = tempfile::tempdir().unwrap();
    let program = script(folder.path());
    let root = folder.path().join("archive");
    sources(&root, AS_COMMITTED);
    assert_eq!(found(&program, &root, None), ("1.2.3".to_owned(), None));
    assert_eq!(found(&program, &root, Some("by hand")), ("1.2.3 (by hand)".to_owned(), Some("by hand".to_owned())));
    sources(&root, "0123456789abcdef0123456789abcdef01234567\n");
    let commit = Some("0123456789ab".to_owned());
    assert_eq!(found(&program, &root, None), ("1.2.3 (0123456789ab)".to_owned(), commit));
}

#[test]
fn a_working_tree_tells_its_commit_and_whether_what_is_compiled_was_modified() {
    let folder = tempfile::tempdir().unwrap();
    let git = |root: &Path, words: &str| {
        let settings = ["-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgsign=false"];
        Command::new("git").arg("-C").arg(root).args(settings).args(words.split(' ')).output()
    };
    if git(folder.path(), "--version").is_err() {
        return;
    }
    let program = script(folder.path());
    let root = folder.path().join("tree");
    sources(&root, AS_COMMITTED);
    for words in ["init -q", "add -A", "commit -qm first"] {
        assert!(git(&root, words).unwrap().status.success());
    }
    let head = String::from_utf8(git(&root, "rev-parse HEAD").unwrap().stdout).unwrap()[..12].to_owned();
    assert_eq!(found(&program, &root, None), (format!("1.2.3 ({head})"), Some(head.clone())));
    // pages and tests make no other program, a new source does
    std::fs::write(root.join("README.md"), "text\n").unwrap();
    assert_eq!(found(&program, &root, None).1, Some(head.clone()));
    std::fs::write(root.join("crates/dem-cli/src/more.rs"), "\n").unwrap();
    assert_eq!(found(&program, &root, None).1, Some(format!("{head}, modified")));
    // sources that lie in the tree of another project are not of its commit
    let inner = root.join("vendored");
    sources(&inner, AS_COMMITTED);
    assert_eq!(found(&program, &inner, None).1, None);
}
