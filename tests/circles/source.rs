//! What the files of a crate say: modules, their items and imports, and the paths in their code. Tests are left out.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};

/// A module.
#[derive(Debug, Default)]
pub struct Module {
    /// Names from the root of the crate, which has none.
    pub path: Vec<String>,
    /// File that it stands in.
    pub file: PathBuf,
    /// Names of the modules in it.
    pub children: BTreeSet<String>,
    /// Names of what else it defines, as far as it is not written by macros.
    pub items: BTreeSet<String>,
    /// What it imports.
    pub imports: Vec<Import>,
    /// Paths of two names or more in its code.
    pub paths: BTreeSet<Vec<String>>,
    /// Single names in its code that an import may stand behind: types, constants, what is called.
    pub words: BTreeSet<String>,
}

/// One name of a `use`.
#[derive(Debug)]
pub struct Import {
    /// Its path; for `*` that of the module.
    pub path: Vec<String>,
    /// Name in the module, `*` for all.
    pub name: String,
    /// Whether others may take it from here.
    pub is_exported: bool,
}

/// All modules of a crate, from its root file on.
pub fn read(root: &Path) -> Vec<Module> {
    let mut found = Vec::new();
    let folder = root.parent().unwrap().to_path_buf();
    read_file(root, &folder, Vec::new(), &mut found);
    found
}

/// Reads the module of a file, and those of other files in it, which lie in `folder`.
fn read_file(file: &Path, folder: &Path, path: Vec<String>, found: &mut Vec<Module>) {
    let text = std::fs::read_to_string(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    let tokens: TokenStream = text.parse().unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    let reader = Reader { file, folder: folder.to_path_buf() };
    reader.module(tokens, path, found);
}

struct Reader<'a> {
    file: &'a Path,
    /// Where files of modules in the present one lie.
    folder: PathBuf,
}

/// Words before the name of an item.
const KINDS: [&str; 8] = ["struct", "enum", "union", "trait", "type", "const", "static", "fn"];

impl Reader<'_> {
    fn module(&self, tokens: TokenStream, path: Vec<String>, found: &mut Vec<Module>) {
        let number = found.len();
        found.push(Module { path, file: self.file.to_path_buf(), ..Module::default() });
        self.walk(tokens, true, number, found);
    }

    /// Reads tokens of module `number`: those of the module itself, or of code in it.
    fn walk(&self, tokens: TokenStream, is_top: bool, number: usize, found: &mut Vec<Module>) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let mut at = 0;
        while at < tokens.len() {
            let next = &tokens[at + 1..];
            match &tokens[at] {
                TokenTree::Punct(sign) if sign.as_char() == '#' => {
                    let inner = usize::from(is_sign(next.first(), '!'));
                    if let Some(attribute) = group(next.get(inner), Delimiter::Bracket) {
                        at += 2 + inner;
                        if is_of_tests(attribute) {
                            // of the whole module, or of what follows
                            at = if inner == 1 { tokens.len() } else { end_of_item(&tokens, at, is_top) };
                        }
                        continue;
                    }
                }
                TokenTree::Group(inside) => self.walk(inside.stream(), false, number, found),
                TokenTree::Ident(word) => {
                    let word = word.to_string();
                    match word.as_str() {
                        "pub" => {
                            let reach = group(next.first(), Delimiter::Parenthesis);
                            let words = ["crate", "super", "self", "in"];
                            let is_reach = |reach: &Group| {
                                reach
                                    .stream()
                                    .into_iter()
                                    .next()
                                    .and_then(|t| name(Some(&t)))
                                    .is_some_and(|first| words.contains(&first.as_str()))
                            };
                            if reach.is_some_and(is_reach) {
                                at += 1;
                            }
                        }
                        // not the list of what a type captures
                        "use" if !is_sign(next.first(), '<') => {
                            let end = next.iter().position(|token| is_sign(Some(token), ';')).unwrap_or(next.len());
                            let is_exported = is_exported(&tokens[..at]);
                            let imports = &mut found[number].imports;
                            tree(&next[..end], &[], &mut |path, name| {
                                imports.push(Import { path, name, is_exported });
                            });
                            at += 1 + end;
                            continue;
                        }
                        "mod" => {
                            // elsewhere it is a line of a table from which a macro makes modules that are files
                            let is_inline = group(next.get(1), Delimiter::Brace).is_some();
                            if let Some(child) = name(next.first()).filter(|_| is_top || !is_inline) {
                                self.child(child, next.get(1), number, found);
                                at += 3;
                                continue;
                            }
                        }
                        "macro_rules" if is_top && is_sign(next.first(), '!') => {
                            found[number].items.extend(name(next.get(1)));
                            at += 3;
                            continue;
                        }
                        kind if is_top && KINDS.contains(&kind) => {
                            let skip = usize::from(name(next.first()).is_some_and(|word| word == "mut"));
                            if let Some(item) = name(next.get(skip)).filter(|item| !KINDS.contains(&item.as_str())) {
                                found[number].items.insert(item);
                                at += 2 + skip;
                                continue;
                            }
                        }
                        _ => at = names(&word, &tokens, at, &mut found[number]),
                    }
                }
                _ => {}
            }
            at += 1;
        }
    }

    /// Reads a module within the present one, whose body or `;` is `what`.
    fn child(&self, child: String, what: Option<&TokenTree>, number: usize, found: &mut Vec<Module>) {
        found[number].children.insert(child.clone());
        let path: Vec<String> = found[number].path.iter().chain([&child]).cloned().collect();
        let folder = self.folder.join(&child);
        if let Some(body) = group(what, Delimiter::Brace) {
            Reader { file: self.file, folder }.module(body.stream(), path, found);
            return;
        }
        let beside = self.folder.join(format!("{child}.rs"));
        let file = if beside.is_file() { beside } else { folder.join("mod.rs") };
        read_file(&file, &folder, path, found);
    }
}

/// Notes a path or a single name that begins at a place, and returns where its last name is.
fn names(first: &str, tokens: &[TokenTree], at: usize, module: &mut Module) -> usize {
    let before = at.checked_sub(1).map(|before| &tokens[before]);
    let mut path = vec![first.to_owned()];
    let mut last = at;
    while is_sign(tokens.get(last + 1), ':') && is_sign(tokens.get(last + 2), ':') {
        let Some(next) = name(tokens.get(last + 3)) else { break };
        path.push(next);
        last += 3;
    }
    let is_field = is_sign(before, '.') && !is_sign(at.checked_sub(2).map(|before| &tokens[before]), '.');
    // `<T as Trait>::Name`, `::name`
    let is_continued = is_sign(before, ':') && is_sign(at.checked_sub(2).map(|before| &tokens[before]), ':');
    let is_declared = name(before).is_some_and(|word| word == "fn");
    if is_field || is_continued || is_declared {
        return last;
    }
    let is_called = group(tokens.get(last + 1), Delimiter::Parenthesis).is_some() || is_sign(tokens.get(last + 1), '!');
    if path[0].starts_with(char::is_uppercase) || path.len() == 1 && is_called {
        module.words.insert(path[0].clone());
    }
    if path.len() > 1 {
        module.paths.insert(path);
    }
    last
}

/// Whether an attribute says that what follows is there for tests only.
fn is_of_tests(attribute: &Group) -> bool {
    let mut tokens = attribute.stream().into_iter();
    let word = name(tokens.next().as_ref());
    let asks = tokens.next();
    match (word.as_deref(), group(asks.as_ref(), Delimiter::Parenthesis)) {
        (Some("test"), None) => true,
        (Some("cfg"), Some(condition)) => needs_tests(&condition.stream().into_iter().collect::<Vec<_>>()),
        _ => false,
    }
}

/// Whether a condition holds in tests only.
fn needs_tests(condition: &[TokenTree]) -> bool {
    match (name(condition.first()).as_deref(), group(condition.get(1), Delimiter::Parenthesis)) {
        (Some("test"), _) => true,
        (Some("all"), Some(parts)) => {
            let parts: Vec<TokenTree> = parts.stream().into_iter().collect();
            parts.split(|token| is_sign(Some(token), ',')).any(needs_tests)
        }
        _ => false,
    }
}

/// Behind the item, field or statement that begins at a place.
fn end_of_item(tokens: &[TokenTree], begin: usize, is_top: bool) -> usize {
    let is_end = |token: &TokenTree| {
        is_sign(Some(token), ';')
            || group(Some(token), Delimiter::Brace).is_some()
            || !is_top && is_sign(Some(token), ',')
    };
    tokens[begin..].iter().position(is_end).map_or(tokens.len(), |end| begin + end + 1)
}

/// Whether the tokens before a `use` make it one for others.
fn is_exported(before: &[TokenTree]) -> bool {
    let is_pub = |at: usize| {
        before.len().checked_sub(at).is_some_and(|at| name(before.get(at)).is_some_and(|word| word == "pub"))
    };
    is_pub(1) || is_pub(2) && group(before.last(), Delimiter::Parenthesis).is_some()
}

/// Tells all names of a `use`, with their paths.
fn tree(tokens: &[TokenTree], prefix: &[String], tell: &mut impl FnMut(Vec<String>, String)) {
    let mut path = prefix.to_vec();
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        match token {
            TokenTree::Ident(word) if *word == "as" => {
                if let Some(new) = name(tokens.get(at + 1)) {
                    return tell(path, new);
                }
            }
            TokenTree::Ident(word) if *word == "self" && !path.is_empty() => {}
            TokenTree::Ident(word) => path.push(word.to_string()),
            TokenTree::Group(group) => {
                let inside: Vec<TokenTree> = group.stream().into_iter().collect();
                for part in inside.split(|token| is_sign(Some(token), ',')).filter(|part| !part.is_empty()) {
                    tree(part, &path, tell);
                }
                return;
            }
            TokenTree::Punct(sign) if sign.as_char() == '*' => return tell(path, "*".to_owned()),
            // `::name` is another crate
            TokenTree::Punct(_) if path.is_empty() => return,
            _ => {}
        }
        at += 1;
    }
    if let Some(last) = path.last().cloned() {
        tell(path, last);
    }
}

fn name(token: Option<&TokenTree>) -> Option<String> {
    match token {
        Some(TokenTree::Ident(word)) => Some(word.to_string()),
        _ => None,
    }
}

fn is_sign(token: Option<&TokenTree>, sign: char) -> bool {
    matches!(token, Some(TokenTree::Punct(found)) if found.as_char() == sign)
}

fn group(token: Option<&TokenTree>, delimiter: Delimiter) -> Option<&Group> {
    match token {
        Some(TokenTree::Group(group)) if group.delimiter() == delimiter => Some(group),
        _ => None,
    }
}
