//! Series across restarts, crashes and other people's hands.

use std::fs;
use std::path::PathBuf;

use super::*;

struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn file(&self, content: &str) -> PathBuf {
        let path = self.0.path().join("energy.csv");
        fs::write(&path, content).unwrap();
        path
    }
}

fn columns(names: &[&str]) -> Vec<SeriesColumn> {
    names.iter().map(|&name| SeriesColumn::new(name, "-", "a test")).collect()
}

#[test]
fn header_is_plain_and_numbers_are_short() {
    let folder = Folder::new();
    let path = folder.file("old content");
    let mut writer = SeriesWriter::create(&path, &columns(&["step", "time", "energy"])).unwrap();
    writer.append(&[10.0, 0.1, -2.0]).unwrap();
    writer.append(&[20.0, 0.1 + 0.2, 1e-300]).unwrap();
    writer.append(&[9_007_199_254_740_992.0, 1e300, f64::NAN]).unwrap();
    // Not even dropped: each line is in the file at once.
    assert_eq!(
        fs::read_to_string(&path).unwrap(),
        "step,time,energy\n10,0.1,-2\n20,0.30000000000000004,1e-300\n9007199254740992,1e300,NaN\n"
    );
    assert!(writer.append(&[1.0]).is_err());
}

#[test]
fn no_row_is_longer_than_the_columns_allow() {
    let folder = Folder::new();
    let path = folder.file("");
    let longest = [-2.225_073_858_507_201_4e-308, -1.797_693_134_862_315_7e308, -1.234_567_890_123_456_7e-5, f64::MIN];
    for numbers in [1, 3, 200] {
        let named: Vec<String> = (0..numbers).map(|k| format!("column_{k}")).collect();
        let columns = columns(&named.iter().map(String::as_str).collect::<Vec<_>>());
        let mut writer = SeriesWriter::create(&path, &columns).unwrap();
        for number in longest {
            writer.append(&vec![number; numbers]).unwrap();
        }
        let text = fs::read_to_string(&path).unwrap();
        let bound = longest_line(&columns);
        assert!(text.lines().all(|line| line.len() < bound), "{numbers} columns in {bound} bytes");
        assert!(numbers == 1 || text.lines().any(|line| line.len() + 2 * numbers >= bound), "the bound is no guess");
    }
}

#[test]
fn series_that_nobody_could_read_is_not_begun() {
    let folder = Folder::new();
    let path = folder.file("mine");
    let named: Vec<String> = (0..42_000).map(|k| format!("c{k}")).collect();
    let columns = columns(&named.iter().map(String::as_str).collect::<Vec<_>>());
    let message = SeriesWriter::create(&path, &columns).unwrap_err().to_string();
    assert!(message.ends_with("42000 columns need lines of 1050000 bytes, expected at most 1048576"), "{message}");
    assert_eq!(fs::read_to_string(&path).unwrap(), "mine");
    SeriesWriter::create(&path, &columns[..41_900]).unwrap();
}

#[test]
fn same_bits_after_round_trip() {
    let folder = Folder::new();
    let path = folder.file("");
    let values = [0.0, -0.0, 1.5, -1.0, f64::MIN_POSITIVE, 5e-324, f64::MAX, f64::INFINITY, 1e16];
    let mut writer = SeriesWriter::create(&path, &columns(&["step", "value"])).unwrap();
    for (step, &value) in values.iter().enumerate() {
        writer.append(&[step as f64, value]).unwrap();
    }
    let series = Series::read(&path).unwrap();
    let bits = |values: &[f64]| values.iter().map(|v| v.to_bits()).collect::<Vec<_>>();
    assert_eq!(bits(series.column("value").unwrap()), bits(&values));
    assert_eq!(series.column("none"), None);
}

#[test]
fn restart_drops_later_rows_and_a_torn_line() {
    let folder = Folder::new();
    let before = "step,value\n0,1\n10,2\n10,2.5\n20,3\n30,4\n4";
    let kept = |step: u64| {
        let path = folder.file(before);
        truncate_after(&path, step).unwrap();
        fs::read_to_string(path).unwrap()
    };
    assert_eq!(kept(15), "step,value\n0,1\n10,2\n10,2.5\n");
    assert_eq!(kept(10), "step,value\n0,1\n10,2\n10,2.5\n");
    assert_eq!(kept(9), "step,value\n0,1\n");
    assert_eq!(kept(100), "step,value\n0,1\n10,2\n10,2.5\n20,3\n30,4\n");

    let path = folder.file(before);
    let mut writer = SeriesWriter::resume(&path, &columns(&["step", "value"]), 20).unwrap();
    writer.append(&[30.0, 5.0]).unwrap();
    assert!(fs::read_to_string(path).unwrap().ends_with("20,3\n30,5\n"));
}

#[test]
fn resume_creates_what_is_missing_and_refuses_other_columns() {
    let folder = Folder::new();
    let two = columns(&["step", "value"]);
    for torn in ["", "step,va"] {
        let path = folder.file(torn);
        SeriesWriter::resume(&path, &two, 5).unwrap();
        assert_eq!(fs::read_to_string(path).unwrap(), "step,value\n");
    }
    let path = folder.file("");
    fs::remove_file(&path).unwrap();
    SeriesWriter::resume(&path, &two, 5).unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap(), "step,value\n");
    let path = folder.file("step,other\n1,2\n");
    assert!(matches!(SeriesWriter::resume(&path, &two, 5), Err(SeriesError::OtherHeader { .. })));
    assert_eq!(fs::read_to_string(path).unwrap(), "step,other\n1,2\n");
}

#[test]
fn file_is_left_alone_when_it_cannot_be_cut_safely() {
    let folder = Folder::new();
    for content in
        ["step,value\n10,1\n5,2\n20,3\n", "step,value\nNaN,1\n", "step,value\nx,1\n20,3\n", "time,value\n1,2\n"]
    {
        let path = folder.file(content);
        assert!(truncate_after(&path, 12).is_err(), "{content}");
        assert_eq!(fs::read_to_string(path).unwrap(), content);
    }
}

#[test]
fn torn_last_line_is_left_out_and_garbage_is_refused_with_its_line() {
    let folder = Folder::new();
    // "2,34" might be the beginning of "2,345".
    let series = Series::read(folder.file("step,value\r\n1,2\r\n2,34")).unwrap();
    assert_eq!(series.column("value"), Some([2.0].as_slice()));
    assert_eq!((series.len(), series.is_torn()), (1, true));
    assert!(!Series::read(folder.file("step\n")).unwrap().is_torn());

    let message = |content: &str| {
        let path = folder.file(content);
        let text = Series::read(&path).unwrap_err().to_string();
        text.replace(&path.display().to_string(), "energy.csv")
    };
    assert_eq!(
        message("step,value\n1,2\n3,four\n5,6\n"),
        "energy.csv:3: column 2 (value) is \"four\", expected a number"
    );
    assert_eq!(message("step,value\n1\n"), "energy.csv:2: 1 fields, expected 2 as in the header");
    assert_eq!(message("step"), "energy.csv: no header line");
    assert_eq!(message(&format!("step\n{}", "1".repeat(2_000_000))), "energy.csv:2: line longer than 1048576 bytes");
}

#[test]
fn column_name_that_breaks_the_header_is_refused() {
    let folder = Folder::new();
    for names in [&["a,b"][..], &["a", "a"], &[""], &["a\nb"], &["#a"], &["\"a\""], &[]] {
        let path = folder.file("kept");
        assert!(SeriesWriter::create(&path, &columns(names)).is_err());
        assert_eq!(fs::read_to_string(path).unwrap(), "kept");
    }
}
