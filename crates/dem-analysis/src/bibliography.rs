//! References in the form of BibTeX.

/// The file that says how the engine is cited.
const CITATION: &str = include_str!("../../../CITATION.cff");

/// A value of the citation file.
fn cited(key: &str) -> String {
    let line = CITATION.lines().find_map(|line| line.trim_start_matches([' ', '-']).strip_prefix(key));
    line.unwrap_or_default().trim().trim_matches('"').to_owned()
}

/// How a version of the engine is cited.
pub fn citation(engine: &str) -> String {
    format!("{}, {} ({engine})", cited("name:"), cited("title:"))
}

/// The entry of the engine, as in `dem 0.1.0 (3f2a9c41d0aa)`.
pub fn engine_entry(engine: &str) -> String {
    let (name, built) = engine.split_once(' ').unwrap_or((engine, ""));
    let (version, commit) = built.split_once(" (").map_or((built, None), |(v, c)| (v, Some(c.trim_end_matches(')'))));
    let fields = [
        ("author", Some(format!("{{{}}}", cited("name:")))),
        ("title", Some(cited("title:"))),
        ("version", Some(version.to_owned())),
        ("note", commit.map(|commit| format!("commit {commit}"))),
    ];
    entry("software", name, fields)
}

/// Entries of a reference of a contact law: one for each of the works in it, which semicolons part.
pub fn entries(reference: &str) -> Vec<(String, String)> {
    reference
        .split("; ")
        .map(|work| {
            let key = key(work);
            let text = article(&key, work).unwrap_or_else(|| {
                entry("misc", &key, [("note", Some(work.to_owned())), ("year", year(work)), ("doi", doi(work))])
            });
            (key, text)
        })
        .collect()
}

/// The entry of a work in the form `Authors, perhaps a title, Journal 12 (1999) 345, perhaps more`; nothing for another form.
fn article(key: &str, work: &str) -> Option<String> {
    let year = year(work)?;
    let (before, after) = work.split_once(&format!(" ({year})"))?;
    let (before, volume) = before.rsplit_once(' ')?;
    let pages: String =
        after.trim_start().chars().take_while(|c| c.is_ascii_alphanumeric() || "-–".contains(*c)).collect();
    if pages.is_empty() || !volume.chars().all(|c| c.is_ascii_digit()) {
        return None;
    }
    let (people, journal) = before.rsplit_once(", ")?;
    let (authors, title) = authors_and_title(people);
    let fields = [
        ("author", Some(authors.replace(" & ", " and ").replace(", ", " and ").replace(" et al.", " and others"))),
        ("title", title),
        ("journal", Some(journal.to_owned())),
        ("volume", Some(volume.to_owned())),
        ("year", Some(year)),
        ("pages", Some(pages)),
        ("doi", doi(work)),
    ];
    Some(entry("article", key, fields))
}

/// Names end with the one after `&`, or with `et al.`; what follows is the title.
fn authors_and_title(text: &str) -> (&str, Option<String>) {
    let end = ["et al.", "& "].iter().find_map(|mark| {
        let after = text.find(mark)? + mark.len();
        Some(text[after..].find(", ").map_or(text.len(), |comma| after + comma))
    });
    let end = end.or_else(|| text.find(", ")).unwrap_or(text.len());
    let title = text[end..].trim_start_matches(", ");
    (&text[..end], (!title.is_empty()).then(|| title.to_owned()))
}

/// Four digits in brackets.
fn year(work: &str) -> Option<String> {
    let inside = work.split('(').skip(1).filter_map(|part| part.split_once(')'));
    let mut years = inside.map(|(inside, _)| inside).filter(|text| text.len() == 4);
    years.find(|text| text.chars().all(|c| c.is_ascii_digit())).map(str::to_owned)
}

fn doi(work: &str) -> Option<String> {
    let at = work.find("10.")?;
    let doi: String = work[at..].chars().take_while(|c| !c.is_whitespace() && *c != ',').collect();
    doi.contains('/').then(|| doi.trim_end_matches('.').to_owned())
}

/// First letters and year.
fn key(work: &str) -> String {
    let name: String = work.chars().take_while(|c| c.is_alphanumeric()).collect();
    format!("{}{}", name.to_lowercase(), year(work).unwrap_or_default())
}

fn entry<const N: usize>(kind: &str, key: &str, fields: [(&str, Option<String>); N]) -> String {
    let mut text = format!("@{kind}{{{key},\n");
    for (name, value) in fields {
        if let Some(value) = value {
            text.push_str(&format!("  {name} = {{{}}},\n", value.replace('&', "\\&").replace('%', "\\%")));
        }
    }
    text.push_str("}\n");
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_engine_is_cited_as_its_file_says() {
        assert_eq!(citation("dem 0.1.0"), "The dem developers, dem: a discrete element engine for spheres (dem 0.1.0)");
        let entry = engine_entry("dem 0.1.0 (3f2a9c41d0aa, modified)");
        assert_eq!(
            entry,
            "@software{dem,\n  author = {{The dem developers}},\n  title = {dem: a discrete element engine for spheres},\n  \
             version = {0.1.0},\n  note = {commit 3f2a9c41d0aa, modified},\n}\n"
        );
        assert!(!engine_entry("dem 0.1.0").contains("note"));
    }

    #[test]
    fn works_of_a_law_become_entries() {
        let found = entries(
            "Hertz (1882); Di Renzo & Di Maio, Chem. Eng. Sci. 59 (2004) 525, Eqs. 36-37; Tsuji et al., Powder Technol. 71 (1992) 239",
        );
        let keys: Vec<&str> = found.iter().map(|(key, _)| key.as_str()).collect();
        assert_eq!(keys, ["hertz1882", "di2004", "tsuji1992"]);
        assert_eq!(found[0].1, "@misc{hertz1882,\n  note = {Hertz (1882)},\n  year = {1882},\n}\n");
        assert_eq!(
            found[1].1,
            "@article{di2004,\n  author = {Di Renzo and Di Maio},\n  journal = {Chem. Eng. Sci.},\n  volume = {59},\n  year = {2004},\n  \
             pages = {525},\n}\n"
        );
        assert!(found[2].1.contains("author = {Tsuji and others},"));
    }

    #[test]
    fn titles_and_identifiers_are_told_from_names() {
        let found = entries(
            "Maw, Barber & Fawcett, The oblique impact of spheres, Wear 38 (1976) 101, doi 10.1016/0043-1648(76)90201-2",
        );
        let text = &found[0].1;
        for field in [
            "author = {Maw and Barber and Fawcett}",
            "title = {The oblique impact of spheres}",
            "doi = {10.1016/0043-1648(76)90201-2}",
        ] {
            assert!(text.contains(field), "{text}");
        }
    }
}
