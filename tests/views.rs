//! `dem view`: pages hold the frames of the run, and the server answers nothing else.

#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used, reason = "a test fails by it")]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use dem_core::DVec3;
use dem_io::snapshot::{ColumnData, Frame, SnapshotReader};
use flate2::read::ZlibDecoder;
use serde_json::Value;

use crate::command::{dem, finish, run, run_command, scenes, wait_until};

fn tray() -> PathBuf {
    scenes().join("restart/tray.toml")
}

/// A run of the tray, of some frames.
fn run_of_the_tray(folder: &Path) -> PathBuf {
    let out = folder.join("out");
    run(&tray(), &out, "--until 60ms --set output.snapshots=0.01").expect_code(0);
    out
}

fn between<'a>(text: &'a str, begin: &str, end: &str) -> &'a str {
    let rest = &text[text.find(begin).unwrap_or_else(|| panic!("{begin} is there")) + begin.len()..];
    &rest[..rest.find(end).unwrap()]
}

/// Numbers of a block, read as its description says.
fn numbers(sent: &[u8]) -> Vec<f64> {
    let mut plain = Vec::new();
    ZlibDecoder::new(sent).read_to_end(&mut plain).unwrap();
    let count = u32::from_le_bytes(plain[4..8].try_into().unwrap()) as usize;
    let size = if plain[0] == 2 { 8 } else { 4 };
    assert_eq!(plain.len(), 8 + count * size);
    let mut sum = 0u32;
    let number = |k: usize| {
        let word: Vec<u8> = (0..size).map(|plane| plain[8 + plane * count + k]).collect();
        match plain[0] {
            0 => f64::from(f32::from_le_bytes(word.try_into().unwrap())),
            1 => {
                let number = u32::from_le_bytes(word.try_into().unwrap());
                sum = if plain[1] == 1 { sum.wrapping_add(number) } else { number };
                f64::from(sum)
            }
            _ => f64::from_le_bytes(word.try_into().unwrap()),
        }
    };
    (0..count).map(number).collect()
}

/// A frame of a page with its columns.
struct Shown {
    head: Value,
    columns: std::collections::BTreeMap<String, Vec<f64>>,
}

fn frames_of_page(page: &str) -> (Value, Vec<Shown>) {
    let document: Value =
        serde_json::from_str(between(page, "<script type=\"application/json\" id=\"document\">", "</script>")).unwrap();
    let block = |number: u64| {
        let text = between(page, &format!("<script type=\"text/plain\" id=\"block-{number}\">"), "</script>");
        numbers(&STANDARD.decode(text).unwrap())
    };
    let frames = document["frames"].as_array().unwrap().iter().map(|head| {
        let columns = head["columns"].as_object().unwrap().iter().map(|(name, place)| {
            let mut all = block(place[0].as_u64().unwrap());
            all.truncate(place[1].as_u64().unwrap() as usize);
            (name.clone(), all)
        });
        Shown { head: head.clone(), columns: columns.collect() }
    });
    let frames = frames.collect();
    (document["scene"].clone(), frames)
}

fn column<'a>(frame: &'a Frame, name: &str) -> &'a ColumnData {
    &frame.point_data.iter().find(|column| column.spec.name == name).expect(name).data
}

fn vectors(data: &ColumnData) -> Vec<DVec3> {
    let ColumnData::F64(values) = data else { panic!("numbers") };
    values.chunks(3).map(DVec3::from_slice).collect()
}

/// The reader of JSON may be off by the last bit.
#[track_caller]
fn assert_close(shown: &Value, number: f64) {
    assert!((shown.as_f64().unwrap() - number).abs() <= 1e-14 * number.abs(), "{shown} {number}");
}

/// Compares what is shown with what the run has written.
fn assert_shows(shown: &Shown, frame: &Frame) {
    let of = |name: &str| &shown.columns[name];
    assert_eq!(shown.head["step"].as_u64(), Some(frame.step));
    assert_close(&shown.head["time"], frame.time);
    let ColumnData::U64(ids) = column(frame, "id") else { panic!("ids") };
    assert_eq!(of("id"), &ids.iter().map(|&id| id as f64).collect::<Vec<_>>());
    let ColumnData::F64(radii) = column(frame, "radius") else { panic!("radii") };
    assert_eq!(of("radius"), &radii.iter().map(|&r| f64::from(r as f32)).collect::<Vec<_>>());
    let quantum = shown.head["quantum"].as_f64().unwrap();
    let smallest = radii.iter().copied().fold(f64::INFINITY, f64::min);
    assert!(radii.is_empty() || quantum <= smallest / 499.0);
    let place = |k: usize| {
        let along = |axis: usize, name: &str| shown.head["origin"][axis].as_f64().unwrap() + of(name)[k] * quantum;
        DVec3::new(along(0, "x"), along(1, "y"), along(2, "z"))
    };
    for (k, x) in frame.positions.iter().enumerate() {
        assert!((place(k) - *x).abs().max_element() <= 0.501 * quantum);
    }
    let speeds: Vec<f64> = vectors(column(frame, "velocity")).iter().map(|v| v.length()).collect();
    for (shown, speed) in of("field:speed").iter().zip(&speeds) {
        assert!((shown - speed).abs() <= 6.2e-5 * speed, "{shown} {speed}");
    }
    let range = &shown.head["ranges"]["speed"];
    let largest = speeds.iter().copied().fold(0.0, f64::max);
    if !radii.is_empty() {
        assert_close(&range[1], largest);
    }

    // contacts as lines, from the table alone
    let table = frame.tables.iter().find(|table| table.name == "contacts").unwrap();
    let of_contacts = |name: &str| &table.columns.iter().find(|column| column.spec.name == name).unwrap().data;
    let ColumnData::U64(first) = of_contacts("first") else { panic!("first") };
    let mut ends = of("branch").chunks(3).map(DVec3::from_slice);
    for (k, branch) in vectors(of_contacts("branch")).into_iter().enumerate() {
        let row = of("first")[k] as usize;
        assert_eq!(ids[row], first[k]);
        let above = of("second")[k] as u32;
        let way = if above == 0 {
            ends.next().unwrap()
        } else {
            place((row as u32).wrapping_add(above) as usize) - place(row)
        };
        assert!((way - branch).length() <= 2.0 * quantum + 1e-4 * branch.length(), "{way} {branch}");
    }
    assert!(ends.next().is_none());

    let walls = frame.tables.iter().find(|table| table.name == "walls").unwrap();
    let position = vectors(&walls.columns.iter().find(|column| column.spec.name == "position").unwrap().data);
    for (wall, x) in shown.head["walls"].as_array().unwrap().iter().zip(position) {
        let place: Vec<f64> = serde_json::from_value(wall["position"].clone()).unwrap();
        assert!((DVec3::from_slice(&place) - x).length() < 1e-15);
    }
}

#[test]
fn a_page_shows_what_the_run_has_written() {
    let folder = tempfile::tempdir().unwrap();
    let out = run_of_the_tray(folder.path());
    let outcome = finish(dem("view", &[&out])).expect_code(0);
    let path = out.join("view.html");
    assert_eq!(outcome.stdout.trim(), path.display().to_string());
    let page = std::fs::read_to_string(&path).unwrap();
    let (scene, shown) = frames_of_page(&page);
    let reader = SnapshotReader::open(&out.join("snapshots.vtkhdf")).unwrap();
    assert_eq!(shown.len(), reader.frames().len());
    assert!(shown.len() > 4);
    let mut contacts = 0;
    for (k, shown) in shown.iter().enumerate() {
        assert_shows(shown, &reader.read(k).unwrap());
        contacts += shown.columns["force"].len();
    }
    assert!(contacts > 10, "{contacts}");
    // what never changes of a sphere is stored once
    let block_of = |k: usize, name: &str| shown[k].head["columns"][name][0].clone();
    assert_eq!(block_of(shown.len() - 2, "radius"), block_of(shown.len() - 1, "radius"));
    assert_ne!(block_of(shown.len() - 2, "x"), block_of(shown.len() - 1, "x"));
    // the tray moves, and encloses
    assert_eq!(
        ["name", "is_moving", "is_opaque"].map(|key| scene["walls"][0][key].clone()),
        [serde_json::json!("tray"), serde_json::json!(true), serde_json::json!(false)]
    );
    let corners = numbers(&STANDARD.decode(scene["corners"].as_str().unwrap()).unwrap());
    assert_eq!(corners.len() as u64, 9 * scene["walls"][0]["triangles"].as_u64().unwrap());
    // nothing is fetched from anywhere: the addresses that there are belong to the notices of three.js
    assert!(page.contains("default-src 'none'") && !page.contains("src=\"http") && !page.contains("href=\"http"));

    // a page of its own is replaced, with fewer frames
    finish(dem("view --frames -3..:2 --color speed", &[&out])).expect_code(0);
    let (scene, shown) = frames_of_page(&std::fs::read_to_string(&path).unwrap());
    assert_eq!((shown.len(), scene["first_field"].as_str()), (2, Some("speed")));
}

#[test]
fn a_scene_is_shown_as_it_begins() {
    let folder = tempfile::tempdir().unwrap();
    let mut command = dem("view", &[&tray().canonicalize().unwrap()]);
    command.current_dir(folder.path());
    assert_eq!(finish(command).expect_code(0).stdout.trim(), "tray.html");
    let (scene, shown) = frames_of_page(&std::fs::read_to_string(folder.path().join("tray.html")).unwrap());
    assert_eq!((scene["title"].as_str(), shown.len()), (Some("tray"), 1));
    assert_eq!(shown[0].columns["radius"].len(), 40);
    finish(dem("view --serve 0", &[&tray()])).expect_code(2).expect_message(&["--serve", "is a scene"]);
    let nothing = folder.path().join("nothing.toml");
    finish(dem("view", &[&nothing])).expect_code(2).expect_message(&["nothing.toml"]);
}

#[test]
fn what_cannot_be_shown_is_refused_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let out = run_of_the_tray(folder.path());
    let empty = folder.path().join("empty");
    std::fs::create_dir(&empty).unwrap();
    finish(dem("view", &[&empty])).expect_code(2).expect_message(&["empty holds no snapshots.vtkhdf"]);
    finish(dem("view --colour sped", &[&out])).expect_code(2).expect_message(&[
        "sped",
        "did you mean speed?",
        "height",
    ]);
    finish(dem("view --frames 99", &[&out]))
        .expect_code(2)
        .expect_message(&["--frames 99", "has 7 frames, expected -7 to 6"]);
    finish(dem("view --frames 5..2", &[&out])).expect_code(2).expect_message(&["no frame from 5 to 2"]);
    finish(dem("view --out view.pdf", &[&out])).expect_code(2).expect_message(&["view.pdf", ".html"]);
    finish(dem("view --serve 99999", &[&out])).expect_code(2).expect_message(&["99999"]);
    finish(dem("view --serve 0 --colour sped", &[&out])).expect_code(2).expect_message(&["did you mean speed?"]);
    // what a user has written stays
    let own = folder.path().join("mine.html");
    std::fs::write(&own, "<p>mine</p>").unwrap();
    finish(dem("view --out", &[&own, &out])).expect_code(2).expect_message(&["mine.html", "--force"]);
    assert_eq!(std::fs::read_to_string(&own).unwrap(), "<p>mine</p>");
    finish(dem("view --force --out", &[&own, &out])).expect_code(0);
    // a file that is none of particles
    finish(dem("export", &[&out])).expect_code(0);
    finish(dem("view", &[&out.join("walls.vtkhdf")])).expect_code(2).expect_message(&["radius"]);
    let damaged = folder.path().join("damaged.vtkhdf");
    std::fs::write(&damaged, "no snapshots").unwrap();
    finish(dem("view", &[&damaged])).expect_code(2).expect_message(&["damaged.vtkhdf"]);
}

/// A server that ends with the test.
struct Server {
    child: Child,
    port: u16,
    key: String,
}

impl Server {
    fn start(out: &Path) -> Self {
        let mut command = dem("view --serve 0", &[&out]);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let (port, key) = between(&line, "http://127.0.0.1:", "/\n").split_once('/').unwrap();
        Self { port: port.parse().unwrap(), key: key.to_owned(), child }
    }

    /// Status, headers and body of the answer to a request as it is given.
    fn send(&self, request: &str) -> (u16, String, Vec<u8>) {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
        // who is refused need not have been heard out
        let _ = stream.write_all(request.as_bytes());
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        let end = answer.windows(4).position(|end| end == b"\r\n\r\n").expect("an answer with headers");
        let head = String::from_utf8(answer[..end].to_vec()).unwrap();
        (head[9..12].parse().unwrap(), head, answer[end + 4..].to_vec())
    }

    fn get(&self, path: &str) -> (u16, Vec<u8>) {
        let (status, _, body) =
            self.send(&format!("GET /{}/{path} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\n\r\n", self.key, self.port));
        (status, body)
    }

    fn json(&self, path: &str) -> Value {
        let (status, body) = self.get(path);
        assert_eq!(status, 200, "{path}: {}", String::from_utf8_lossy(&body));
        serde_json::from_slice(&body).unwrap()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn a_server_sends_the_frames_of_its_run_and_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let out = run_of_the_tray(folder.path());
    let server = Server::start(&out);
    let (status, page) = server.get("");
    assert!(status == 200 && String::from_utf8(page).unwrap().contains("<title>tray</title>"));
    assert_eq!(server.json("scene")["walls"][0]["name"], "tray");
    let list = server.json("frames/2");
    assert_eq!((list["first"].as_u64(), list["frames"].as_array().unwrap().len()), (Some(2), 5));

    let reader = SnapshotReader::open(&out.join("snapshots.vtkhdf")).unwrap();
    for k in [3, 6, 3] {
        let (status, message) = server.get(&format!("frame/{k}"));
        assert_eq!(status, 200);
        let length = u32::from_le_bytes(message[..4].try_into().unwrap()) as usize;
        let head: Value = serde_json::from_slice(&message[4..4 + length]).unwrap();
        let columns = head["columns"].as_object().unwrap().iter().map(|(name, place)| {
            let [from, bytes] = [0, 1].map(|k| place[k].as_u64().unwrap() as usize);
            (name.clone(), numbers(&message[4 + length + from..4 + length + from + bytes]))
        });
        let shown = Shown { columns: columns.collect(), head };
        assert_shows(&shown, &reader.read(k).unwrap());
    }

    for path in [
        "frame/7",
        "frame/-1",
        "frame/",
        "frame/1/2",
        "frames/x",
        "scene/",
        "summary.json",
        "../out/summary.json",
        "..%2fsummary.json",
        "%2e%2e/series.csv",
        "frame/..",
        "snapshots.vtkhdf",
    ] {
        assert_eq!(server.get(path).0, 404, "{path}");
    }
    let ask = |line: &str, host: &str| server.send(&format!("{line} HTTP/1.1\r\nHost: {host}\r\n\r\n"));
    let (key, port) = (&server.key, server.port);
    for path in ["/", "/../../etc/passwd", "/frame/3", "//etc/passwd", "/0000/scene"] {
        assert_eq!(ask(&format!("GET {path}"), "localhost").0, 404, "{path}");
    }
    for host in ["example.org", &format!("example.org:{port}"), "127.0.0.1.example.org"] {
        assert_eq!(ask(&format!("GET /{key}/scene"), host).0, 403, "{host}");
    }
    assert_eq!(ask(&format!("GET /{key}/scene"), "localhost:1234").0, 200, "a tunnel may begin at another port");
    assert_eq!(server.send(&format!("GET /{key}/scene HTTP/1.1\r\n\r\n")).0, 403);
    for method in ["POST", "PUT", "DELETE", "OPTIONS", "TRACE"] {
        assert_eq!(ask(&format!("{method} /{key}/scene"), "localhost").0, 405, "{method}");
    }
    let (status, head, body) = ask(&format!("HEAD /{key}/scene"), "localhost");
    assert!(status == 200 && body.is_empty() && head.contains("Content-Length: "));
    let (status, _, _) = server.send(&format!("GET /{key}/{} HTTP/1.1\r\n", "x".repeat(20_000)));
    assert_eq!(status, 431);
    // one that says nothing keeps nobody waiting
    let silent: Vec<TcpStream> = (0..8).map(|_| TcpStream::connect(("127.0.0.1", port)).unwrap()).collect();
    assert_eq!(server.get("scene").0, 200);
    drop(silent);
    // only the loopback listens
    let taken = TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let busy = taken.local_addr().unwrap().port().to_string();
    finish(dem("view --serve", &[&busy, &out]))
        .expect_code(2)
        .expect_message(&[&busy, "another program uses this port"]);
}

#[test]
fn a_server_sends_new_frames_while_the_run_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let mut command = run_command(&tray(), &out, "");
    let mut running = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    wait_until("snapshots", || out.join("snapshots.vtkhdf").exists());
    let server = Server::start(&out);
    let count = || server.json("frames/0")["frames"].as_array().unwrap().len();
    let before = count();
    wait_until("new frames", || count() > before + 5);
    // the newest frame is complete, however often the run appends
    for _ in 0..20 {
        let (last, list) = (count() - 1, server.json("frames/0"));
        let (status, message) = server.get(&format!("frame/{last}"));
        assert_eq!(status, 200, "{}", String::from_utf8_lossy(&message));
        let length = u32::from_le_bytes(message[..4].try_into().unwrap()) as usize;
        let head: Value = serde_json::from_slice(&message[4..4 + length]).unwrap();
        assert_eq!(head["time"], list["frames"][last]["time"]);
    }
    let origin = server.json("frames/0")["origin"].clone();
    running.kill().unwrap();
    running.wait().unwrap();
    // a run that begins anew in the same place is another one
    std::fs::remove_dir_all(&out).unwrap();
    run(&tray(), &out, "--until 5ms --set seed=8").expect_code(0);
    assert_ne!(server.json("frames/0")["origin"], origin);
}
