//! One page of HTML that needs no other file: tables, figures as SVG, pictures within the text.

use dem_view::{FigureSize, POINT, draw_svg, typeset_html};

use crate::error::ReportError;
use crate::report::{Figure, Report};
use crate::table::Table;
use crate::words::{describe, first_capital, label};

const STYLE: &str = "body{font:15px/1.45 system-ui,sans-serif;margin:2rem auto;max-width:1160px;padding:0 1rem;color:#14181c}\
h1{font-size:1.6rem;line-height:1.2}h2{font-size:1.2rem;margin:2rem 0 .5rem;border-bottom:2px solid #dfe3e8;padding-bottom:.2rem}\
h3{font-size:1rem;margin:1.2rem 0 .3rem}\
table{border-collapse:collapse;font-size:13px;margin:.5rem 0;font-variant-numeric:tabular-nums}\
th,td{border-bottom:1px solid #dfe3e8;padding:.25rem .6rem;text-align:left;vertical-align:top}\
td{overflow-wrap:anywhere}td.number,th.number{text-align:right}td.number{white-space:nowrap}\
sub,sup{font-size:.75em;line-height:0}\
.pass{color:#00693e}.fail{color:#b00020;font-weight:700}\
pre{background:#f5f6f8;padding:.8rem;overflow-x:auto;font-size:12.5px}img{max-width:100%;height:auto}\
iframe{width:100%;height:680px;border:1px solid #dfe3e8}.scroll{overflow-x:auto;max-width:100%}\
svg,img.figure{width:100%;max-width:820px;height:auto;border:1px solid #dfe3e8;margin:.5rem 0;background:#fff}\
.columns{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,460px),1fr));gap:0 1rem;align-items:start}\
@media(max-width:600px){body{margin:1rem auto;padding:0 .7rem}h1{font-size:1.3rem}th,td{padding:.2rem .4rem}}\
@media print{body{max-width:none;margin:0}.columns{grid-template-columns:1fr 1fr}}";

/// A page that is being written from top to bottom.
#[derive(Clone, Debug)]
pub struct Page {
    text: String,
}

impl Page {
    /// A page with a title.
    pub fn new(title: &str) -> Self {
        let title = escaped(title);
        Self {
            text: format!(
                "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width,initial-scale=1\"><title>{title}</title>\n\
                 <style>{STYLE}</style></head><body>\n<h1>{title}</h1>\n"
            ),
        }
    }

    /// Heading of a section, which links can lead to by its words.
    pub fn section(&mut self, heading: &str) {
        self.text.push_str(&format!("<h2 id=\"{0}\">{0}</h2>\n", escaped(heading)));
    }

    /// Heading of a table or figure, from its name.
    pub fn heading(&mut self, name: &str) {
        self.text.push_str(&format!("<h3>{}</h3>\n", typeset_html(&first_capital(&name.replace('_', " ")))));
    }

    /// A paragraph.
    pub fn paragraph(&mut self, text: &str) {
        self.text.push_str(&format!("<p>{}</p>\n", escaped(text)));
    }

    /// A paragraph that says whether all is well.
    pub fn verdict(&mut self, is_well: bool, text: &str) {
        let class = if is_well { "pass" } else { "fail" };
        self.text.push_str(&format!("<p class=\"{class}\">{}</p>\n", escaped(text)));
    }

    /// A list of sentences.
    pub fn list(&mut self, items: &[String]) {
        let items: String = items.iter().map(|item| format!("<li>{}</li>\n", escaped(item))).collect();
        self.text.push_str(&format!("<ul>\n{items}</ul>\n"));
    }

    /// A list of links to sections: heading and what stands behind it.
    pub fn contents(&mut self, entries: &[(&str, String)]) {
        let entry = |(heading, rest): &(&str, String)| {
            format!("<li><a href=\"#{0}\">{0}</a>{1}</li>\n", escaped(heading), escaped(rest))
        };
        self.text.push_str(&format!("<ul>\n{}</ul>\n", entries.iter().map(entry).collect::<String>()));
    }

    /// A table from its column number `first` on.
    pub fn table(&mut self, table: &Table, first: usize) {
        let numeric = |column: usize| table.rows().iter().all(|row| row[column].is_number());
        let class = |column: usize| if numeric(column) { " class=\"number\"" } else { "" };
        self.text.push_str("<div class=\"scroll\"><table><tr>");
        for (k, column) in table.columns().iter().enumerate().skip(first) {
            let (words, unit) = describe(column, None);
            self.text.push_str(&format!("<th{}>{}</th>", class(k), typeset_html(&label(&words, &unit))));
        }
        self.text.push_str("</tr>\n");
        for row in table.rows() {
            self.text.push_str("<tr>");
            for (k, cell) in row.iter().enumerate().skip(first) {
                let text = cell.readable();
                let class = match text.as_str() {
                    "pass" => " class=\"pass\"",
                    "fail" => " class=\"fail\"",
                    _ => class(k),
                };
                // of texts only units have exponents
                let set = if text.contains('^') { typeset_html(&text) } else { escaped(&text) };
                self.text.push_str(&format!("<td{class}>{set}</td>"));
            }
            self.text.push_str("</tr>\n");
        }
        self.text.push_str("</table></div>\n");
    }

    /// A figure.
    ///
    /// # Errors
    /// One that cannot be drawn.
    pub fn figure(&mut self, figure: &Figure) -> Result<(), ReportError> {
        // two of them stand beside each other on a page
        let panels = figure.panels.len();
        let size = FigureSize { width: 120.0, height: 13.0 + 45.0 * panels as f64, text: 7.0 * POINT };
        let refused = |source| ReportError::Figure { figure: figure.name.to_owned(), source };
        let svg = draw_svg(&figure.panels, size).map_err(refused)?;
        // inside HTML the elements need no name space
        self.text.push_str(&svg.replacen(" xmlns=\"http://www.w3.org/2000/svg\"", "", 1));
        Ok(())
    }

    /// Figures and what else follows stand beside each other where there is room, until [`Self::end_columns`].
    pub fn begin_columns(&mut self) {
        self.text.push_str("<div class=\"columns\">\n");
    }

    /// Ends the columns.
    pub fn end_columns(&mut self) {
        self.text.push_str("</div>\n");
    }

    /// A figure that is drawn already, as the text of an SVG file or as PNG.
    pub fn drawn_figure(&mut self, file: &[u8], is_svg: bool, description: &str) {
        let kind = if is_svg { "svg+xml" } else { "png" };
        let (data, description) = (base64(file), escaped(description));
        self.text.push_str(&format!(
            "<img class=\"figure\" alt=\"{description}\" src=\"data:image/{kind};base64,{data}\">\n"
        ));
    }

    /// A picture; `description` stands for it where it cannot be seen.
    pub fn picture(&mut self, png: &[u8], description: &str) {
        let data = base64(png);
        self.text.push_str(&format!("<img alt=\"{}\" src=\"data:image/png;base64,{data}\">\n", escaped(description)));
    }

    /// Another page within this one, which a browser begins to draw when it is scrolled to.
    pub fn embedded(&mut self, page: &str, description: &str) {
        let (page, description) = (escaped(page), escaped(description));
        self.text.push_str(&format!("<iframe title=\"{description}\" loading=\"lazy\" srcdoc=\"{page}\"></iframe>\n"));
    }

    /// A text in lines that is folded away under a heading.
    pub fn folded(&mut self, heading: &str, text: &str) {
        let (heading, text) = (escaped(heading), escaped(text));
        self.text.push_str(&format!("<details><summary>{heading}</summary><pre>{text}</pre></details>\n"));
    }

    /// Everything of a report: findings, tables, figures, pictures.
    ///
    /// # Errors
    /// A figure that cannot be drawn.
    pub fn report(&mut self, report: &Report) -> Result<(), ReportError> {
        for shortfall in &report.shortfalls {
            self.verdict(false, &format!("Request not met: {shortfall}"));
        }
        self.list(&report.findings);
        for picture in &report.pictures {
            self.heading(&picture.name);
            self.picture(&picture.png, &picture.name);
        }
        for table in &report.tables {
            self.heading(table.name);
            self.table(table, 0);
        }
        for figure in &report.figures {
            self.heading(figure.name);
            self.figure(figure)?;
        }
        Ok(())
    }

    /// The page.
    pub fn finish(mut self) -> String {
        self.text.push_str("</body></html>\n");
        self.text
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// Bytes as text after RFC 4648, section 4.
fn base64(bytes: &[u8]) -> String {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for group in bytes.chunks(3) {
        let byte = |k: usize| u32::from(group.get(k).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for k in 0..4 {
            let sign = ALPHABET[(bits >> (18 - 6 * k) & 63) as usize];
            text.push(if k <= group.len() { char::from(sign) } else { '=' });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    /// RFC 4648, section 10.
    #[test]
    fn base64_is_that_of_the_standard() {
        for (bytes, text) in
            [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("foobar", "Zm9vYmFy")]
        {
            assert_eq!(base64(bytes.as_bytes()), text);
        }
        assert_eq!(base64(&[0xfb, 0xff]), "+/8=");
    }

    #[test]
    fn page_fetches_nothing_and_escapes_what_it_is_given() {
        let mut page = Page::new("a < b");
        page.section("x & y");
        page.list(&["\"quoted\"".to_owned()]);
        page.folded("scene", "[materials]\n<none>");
        page.picture(b"png", "bed");
        page.embedded("<p title=\"x\">y</p>", "within");
        let text = page.finish();
        assert!(text.contains("<h1>a &lt; b</h1>") && text.contains("x &amp; y") && text.contains("&lt;none&gt;"));
        assert!(text.contains("src=\"data:image/png;base64,cG5n\""));
        assert!(text.contains("srcdoc=\"&lt;p title=&quot;x&quot;&gt;y&lt;/p&gt;\""));
        assert!(!text.contains("http") && text.ends_with("</body></html>\n"));
    }
}
