//! Which file of a crate asks which other one, and the circles among them.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use super::source::{self, Module};

/// Imports that lead to imports, at most: what goes on for longer leads nowhere.
const DEPTH: usize = 16;
/// Number of the module that a crate begins with.
const ROOT: usize = 0;

/// The files of a crate and what they ask of each other.
pub struct Files {
    modules: Vec<Module>,
    /// Numbers of the modules by their paths.
    by_path: BTreeMap<Vec<String>, usize>,
    /// Files by those that ask them, each with the path that does.
    pub arrows: BTreeMap<PathBuf, BTreeMap<PathBuf, String>>,
}

/// What a path leads to in its crate.
#[derive(Clone, Copy)]
struct Target {
    module: usize,
    /// Whether it is the module itself.
    is_module: bool,
}

impl Files {
    /// Reads a crate whose root is `lib.rs` or `main.rs` in a folder.
    pub fn read(folder: &Path) -> Self {
        let roots = ["lib.rs", "main.rs"].map(|name| folder.join(name));
        let root = roots.iter().find(|root| root.is_file());
        let modules = root.map(|root| source::read(root)).unwrap_or_default();
        let by_path = modules.iter().enumerate().map(|(number, module)| (module.path.clone(), number)).collect();
        let mut files = Self { modules, by_path, arrows: BTreeMap::new() };
        for number in 0..files.modules.len() {
            for (target, path) in files.asked_by(number) {
                let (from, to) = (&files.modules[number].file, &files.modules[target].file);
                if from != to {
                    files.arrows.entry(from.clone()).or_default().entry(to.clone()).or_insert(path);
                }
            }
        }
        files
    }

    /// Modules that a module asks, each with the path that does.
    fn asked_by(&self, number: usize) -> Vec<(usize, String)> {
        let module = &self.modules[number];
        let mut asked = Vec::new();
        for import in &module.imports {
            let Some(target) = self.resolve(number, &import.path, 0) else { continue };
            let found = &self.modules[target.module];
            let is_below = found.path.len() > module.path.len() && found.path.starts_with(&module.path);
            let is_used = if import.name == "*" {
                found.items.iter().any(|item| module.words.contains(item))
            } else {
                module.words.contains(&import.name)
            };
            // a name of a module below that is handed on is asked for where it is used
            if import.is_exported && is_below && !is_used {
                continue;
            }
            // so is a module, unless its name stands nowhere
            if target.is_module && import.name != "*" && module.paths.iter().any(|path| path[0] == import.name) {
                continue;
            }
            asked.push((target.module, import.path.join("::")));
        }
        for path in &module.paths {
            if let Some(target) = self.resolve(number, path, 0) {
                asked.push((target.module, path.join("::")));
            }
        }
        asked
    }

    /// What a path in a module leads to; nothing where that is in another crate or in the module's own code.
    fn resolve(&self, from: usize, path: &[String], depth: usize) -> Option<Target> {
        let module = &self.modules[from];
        let first = path.first().filter(|_| depth < DEPTH)?;
        match first.as_str() {
            "crate" => self.follow(ROOT, &path[1..], depth),
            "self" => self.follow(from, &path[1..], depth),
            "super" => {
                let ups = path.iter().take_while(|name| *name == "super").count();
                let length = module.path.len().checked_sub(ups)?;
                let above = *self.by_path.get(&module.path[..length])?;
                self.follow(above, &path[ups..], depth)
            }
            name if module.children.contains(name) => self.follow(from, path, depth),
            name => {
                // a name that this very path brings in leads to another crate
                let import = module.imports.iter().find(|import| import.name == *name && import.path[0] != *name)?;
                let whole: Vec<String> = import.path.iter().chain(&path[1..]).cloned().collect();
                self.resolve(from, &whole, depth + 1)
            }
        }
    }

    /// Follows names from a module on.
    fn follow(&self, mut at: usize, mut names: &[String], depth: usize) -> Option<Target> {
        while let Some((first, rest)) = names.split_first() {
            let module = &self.modules[at];
            let child: Vec<String> = module.path.iter().chain([first]).cloned().collect();
            if let Some(&child) = self.by_path.get(&child).filter(|_| module.children.contains(first)) {
                (at, names) = (child, rest);
                continue;
            }
            if let Some(import) = module.imports.iter().find(|import| import.name == *first) {
                let whole: Vec<String> = import.path.iter().chain(rest).cloned().collect();
                return self.resolve(at, &whole, depth + 1);
            }
            if !module.items.contains(first) {
                // one of the names that come all at once
                let through = module.imports.iter().filter(|import| import.name == "*").find_map(|import| {
                    let target = self.resolve(at, &import.path, depth + 1).filter(|target| target.is_module)?;
                    self.knows(target.module, first).then_some(target.module)
                });
                if let Some(through) = through.filter(|_| depth < DEPTH) {
                    return self.follow(through, names, depth + 1);
                }
            }
            return Some(Target { module: at, is_module: false });
        }
        Some(Target { module: at, is_module: true })
    }

    fn knows(&self, module: usize, name: &str) -> bool {
        let module = &self.modules[module];
        let imports = module.imports.iter().any(|import| import.name == name && import.is_exported);
        module.items.contains(name) || module.children.contains(name) || imports
    }

    /// Circles of files, each in order of names.
    pub fn circles(&self) -> Vec<Vec<PathBuf>> {
        let reached: BTreeMap<&PathBuf, BTreeSet<&PathBuf>> =
            self.arrows.keys().map(|file| (file, self.reached_from(file))).collect();
        let mut circles: Vec<Vec<PathBuf>> = Vec::new();
        for (file, far) in &reached {
            if far.contains(file) && !circles.iter().any(|circle| circle.contains(file)) {
                let is_mutual = |other: &&&PathBuf| reached.get(**other).is_some_and(|back| back.contains(file));
                circles.push(far.iter().filter(is_mutual).map(|other| (*other).clone()).collect());
            }
        }
        circles
    }

    fn reached_from(&self, file: &Path) -> BTreeSet<&PathBuf> {
        let mut reached = BTreeSet::new();
        let mut open = vec![file];
        while let Some(next) = open.pop() {
            for to in self.arrows.get(next).into_iter().flat_map(BTreeMap::keys) {
                if reached.insert(to) {
                    open.push(to);
                }
            }
        }
        reached
    }

    /// A circle as text: its files, and what leads from one to another.
    pub fn describe(&self, circle: &[PathBuf], root: &Path) -> String {
        let short = |file: &Path| file.strip_prefix(root).unwrap_or(file).display().to_string();
        let mut text = format!("circle of {} files\n", circle.len());
        for file in circle {
            let _ = writeln!(text, "  {}", short(file));
            for (to, path) in self.arrows.get(file).into_iter().flatten().filter(|(to, _)| circle.contains(to)) {
                let _ = writeln!(text, "    -> {}  ({path})", short(to));
            }
        }
        text
    }
}
