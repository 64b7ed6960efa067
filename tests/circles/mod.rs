//! No circle of files in any crate, and no law that knows the machinery of the loop over contacts: whoever reads a file need not have read
//! those that ask it.
//!
//! A file asks another one if it imports something from it, or names it by a path. What a module hands on counts as of the file that it comes from.
//! `mod child;` and names of its children that a module only hands on ask nothing; a module whose own code uses its children does.
//!
//! `cargo test -p dem-cli --test all circles -- --ignored --nocapture` prints all circles.

#![allow(clippy::panic, clippy::unwrap_used, reason = "a test fails by it")]

mod graph;
mod source;

use std::path::{Path, PathBuf};

use graph::Files;

/// Folders of `dem-contact` that hold physics alone.
const PHYSICS: [&str; 6] = ["law", "laws", "normal", "tangential", "submodels", "resistance"];

/// What physics may not know: the machinery of the loop over contacts.
const LOOP: &str = "force_loop";

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// Sources of all crates, by name.
fn crates() -> Vec<(String, PathBuf)> {
    let entries = std::fs::read_dir(root().join("crates")).unwrap().map(|entry| entry.unwrap());
    let mut found: Vec<(String, PathBuf)> =
        entries.map(|entry| (entry.file_name().into_string().unwrap(), entry.path().join("src"))).collect();
    found.sort();
    found
}

#[test]
fn no_files_of_a_crate_ask_each_other_in_a_circle() {
    let all = crates();
    assert!(all.len() >= 9, "{} crates found: have they moved?", all.len());
    let mut found = String::new();
    for (name, sources) in &all {
        let files = Files::read(sources);
        assert!(!files.arrows.is_empty(), "no file of {name} asks another one: is it read?");
        for circle in files.circles() {
            found += &files.describe(&circle, &root());
        }
    }
    assert!(found.is_empty(), "{found}");
}

/// Not a check: a list for whoever removes circles.
#[test]
#[ignore = "prints the circles of all crates: cargo test -p dem-cli --test all circles_of_all_crates -- --ignored --nocapture"]
fn circles_of_all_crates() {
    for (name, sources) in crates() {
        let files = Files::read(&sources);
        let circles = files.circles();
        println!("{name}: {} circles", circles.len());
        circles.iter().for_each(|circle| print!("{}", files.describe(circle, &root())));
    }
}

/// Laws and their parts are physics: they see kinematics, parameters and histories, but not how contacts are passed over.
#[test]
fn laws_do_not_know_the_loop_over_contacts() {
    let sources = root().join("crates/dem-contact/src");
    let files = Files::read(&sources);
    let is_in = |file: &Path, folder: &str| {
        file.starts_with(sources.join(folder)) || file == sources.join(format!("{folder}.rs"))
    };
    let of_physics = files.arrows.keys().filter(|file| PHYSICS.iter().any(|folder| is_in(file, folder))).count();
    assert!(of_physics >= 20, "{of_physics} files of physics found: have they moved?");
    assert!(files.arrows.keys().any(|file| is_in(file, LOOP)), "there is no {LOOP} in dem-contact: has it moved?");
    let mut found = String::new();
    for (from, asked) in files.arrows.iter().filter(|(file, _)| PHYSICS.iter().any(|folder| is_in(file, folder))) {
        for (to, path) in asked.iter().filter(|(to, _)| is_in(to, LOOP)) {
            found += &format!("{} -> {} ({path})\n", from.display(), to.display());
        }
    }
    assert!(found.is_empty(), "{found}");
}

/// Writes a crate of some files and finds its circles, as names of files.
fn circles_of(files: &[(&str, &str)]) -> Vec<Vec<String>> {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    let name = |file: &PathBuf| file.strip_prefix(folder.path()).unwrap().display().to_string();
    Files::read(folder.path()).circles().iter().map(|circle| circle.iter().map(name).collect()).collect()
}

#[test]
fn circles_are_found_by_imports_and_by_paths() {
    let root = ("lib.rs", "pub mod a;\npub mod b;\npub mod c;\npub use a::A;");
    let circle = vec![vec!["a.rs".to_owned(), "b.rs".to_owned()]];
    let c = ("c.rs", "use crate::{a::A, b::B};\npub struct C(A, B);");
    // each of these asks b
    for a in [
        "use crate::b::B;\npub struct A(B);",
        "use super::b::B;\npub struct A(B);",
        "use super::{self as above, b::{self as other, B as Other}};\npub struct A(Other);",
        "pub struct A(crate::b::B);",
        "pub struct A;\nimpl A { fn of() { super::b::make() } }",
        "use crate::b;\npub struct A(b::B);",
        "pub struct A;\nmod inner { fn f() -> super::super::b::B { todo!() } }",
        "pub struct A;\nmacro_rules! make { () => { $crate::b::B } }",
        "pub struct A;\nfn f() { use crate::b::*; }",
        "pub struct A;\nfn f() { call!(x, crate::b::B) }",
    ] {
        // and each of these asks a, the last through what the root hands on
        for b in ["use crate::a::A;\npub struct B(A);", "use crate::A;\npub struct B(A);", "pub struct B(super::A);"] {
            let found = circles_of(&[root, ("a.rs", a), ("b.rs", b), c]);
            assert_eq!(found, circle, "{a}\n{b}");
        }
    }
}

#[test]
fn tests_comments_texts_and_reach_ask_nothing() {
    let root = ("lib.rs", "mod a;\nmod b;");
    let b = ("b.rs", "use crate::a::A;\npub struct B(A);");
    for a in [
        "pub struct A;\n#[cfg(test)]\nmod tests { use crate::b::B; }",
        "pub struct A;\n#[cfg(test)]\nmod tests;",
        "pub struct A;\n#[cfg(all(test, unix))]\nuse crate::b::B;",
        "pub struct A;\n#[test]\nfn f() { crate::b::B; }",
        "pub struct A { #[cfg(test)] b: crate::b::B, c: u8 }",
        "// use crate::b::B;\n/* crate::b::B */\n/// crate::b::B\npub struct A;\nconst T: &str = \"crate::b::B\";\nconst R: &str = r#\"use crate::b::B;\"#;",
        "pub(crate) struct A { pub(in crate::b) x: u8, pub(super) y: char }\nconst C: char = '\"';",
        "use core::b::B;\nuse ::b::B as Other;\npub struct A(B);",
    ] {
        assert_eq!(circles_of(&[root, ("a.rs", a), b]), Vec::<Vec<String>>::new(), "{a}");
    }
}

#[test]
fn a_module_that_hands_on_its_children_asks_them_only_where_it_uses_them() {
    let root = ("lib.rs", "mod m;");
    let child = ("m/child.rs", "use super::Shared;\npub struct Child(Shared);");
    let shared = ("m/shared.rs", "pub struct Shared;");
    let facade = "mod child;\nmod shared;\npub use child::Child;\npub(crate) use shared::*;\n/// Child\nconst NAME: &str = \"Child\";";
    assert_eq!(circles_of(&[root, ("m/mod.rs", facade), child, shared]), Vec::<Vec<String>>::new());
    // the same beside the folder, and with the type in it
    for (file, own) in [
        ("m.rs", "pub struct Shared;\nmod child;\npub use child::Child;\npub struct Both(Child);"),
        ("m/mod.rs", "pub struct Shared;\nmod child;\nuse child::Child;"),
        ("m/mod.rs", "pub struct Shared;\nmod child;\nfn f() { child::f() }"),
    ] {
        let found = circles_of(&[root, (file, own), child]);
        assert_eq!(found.len(), 1, "{own}");
        assert!(found[0].contains(&"m/child.rs".to_owned()) && found[0].contains(&file.to_owned()), "{found:?}");
    }
    let harmless = "pub struct Shared;\nmod child;\npub use child::Child;";
    assert_eq!(circles_of(&[root, ("m.rs", harmless), child]), Vec::<Vec<String>>::new());
}

/// A table of modules from which macros make them: its files are read, and it asks those that its lines name.
#[test]
fn modules_of_a_table_are_files() {
    let root = ("lib.rs", "pub mod m;\nmod registry;");
    let table = "macro_rules! table { ($then:ident) => { $then! { pub mod child: child::Child => Word; } }; }\nmacro_rules! modules { ($(pub mod $m:ident: $t:ty => $w:ident;)*) => { $(pub mod $m;)* }; }\ntable!(modules);";
    let registry = "use crate::m::table;\npub struct Entry;\ntable!(entries);";
    let found = |child| circles_of(&[root, ("m/mod.rs", table), ("m/child.rs", child), ("registry.rs", registry)]);
    assert_eq!(found("pub struct Child;"), Vec::<Vec<String>>::new());
    assert_eq!(found("pub struct Child(crate::registry::Entry);").len(), 1);
}

#[test]
fn circles_may_be_long_and_several() {
    let files = [
        ("main.rs", "mod a;\nmod b;\nmod c;\nmod d;\nmod e;\nmod f;\nfn main() { a::run() }"),
        ("a.rs", "use crate::b::B;"),
        ("b.rs", "use crate::c::C;"),
        ("c.rs", "use crate::a::A;\nuse crate::d::D;"),
        ("d.rs", "use crate::e::E;"),
        ("e.rs", "use crate::f::F;"),
        ("f.rs", "use crate::e::E;"),
    ];
    assert_eq!(circles_of(&files), [vec!["a.rs", "b.rs", "c.rs"], vec!["e.rs", "f.rs"]]);
}
