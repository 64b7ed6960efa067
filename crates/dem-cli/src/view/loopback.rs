//! Answers browsers of this machine over HTTP, and nobody else.
//!
//! A listener on the loopback address can be reached by every user of the machine, and by pages of any site through the browser. Therefore
//!
//! * the path begins with a random key, which only who sees the address knows: other users of a login node get nothing;
//! * the header `Host` must name the loopback: a site whose name was made to lead here (DNS rebinding) gets nothing;
//! * requests are GET or HEAD without a body, of at most 8 KiB, and must arrive within 10 s; so many are answered at a time;
//! * answers may not be embedded by other sites.
//!
//! Each connection is answered once, which on the loopback costs nothing.

use std::io::{self, Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// Longest request with its headers \[byte\].
const LONGEST: usize = 8 << 10;
/// Most headers of a request.
const HEADERS: usize = 64;
/// Time for a request to arrive.
const PATIENCE: Duration = Duration::from_secs(10);
/// Time without progress after which an answer is given up.
const STALLED: Duration = Duration::from_secs(30);
/// Most connections at a time.
const CONNECTIONS: usize = 32;

/// What is sent back.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    status: u16,
    kind: &'static str,
    body: Arc<Vec<u8>>,
}

impl Answer {
    /// A page.
    pub fn html(text: String) -> Self {
        Self { status: 200, kind: "text/html; charset=utf-8", body: Arc::new(text.into_bytes()) }
    }

    /// Data as JSON.
    pub fn json(value: &serde_json::Value) -> Self {
        Self { status: 200, kind: "application/json", body: Arc::new(value.to_string().into_bytes()) }
    }

    /// Bytes.
    pub fn bytes(body: Arc<Vec<u8>>) -> Self {
        Self { status: 200, kind: "application/octet-stream", body }
    }

    /// A refusal or failure in words.
    pub fn words(status: u16, text: impl std::fmt::Display) -> Self {
        Self { status, kind: "text/plain; charset=utf-8", body: Arc::new(format!("{text}\n").into_bytes()) }
    }
}

/// Listens on the loopback address.
///
/// # Errors
/// A port that cannot be had.
pub fn listen(port: u16) -> io::Result<TcpListener> {
    TcpListener::bind((Ipv4Addr::LOCALHOST, port))
}

/// A key that nobody guesses.
///
/// # Errors
/// A system without random numbers.
pub fn key() -> Result<String, String> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(|error| format!("no random numbers: {error}"))?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// Answers requests, each by what `answer` says of its path behind the key, until the process ends.
pub fn serve(listener: &TcpListener, key: &str, answer: impl Fn(&str) -> Answer + Send + Sync + 'static) {
    let answer = Arc::new(answer);
    let key: Arc<str> = Arc::from(key);
    let open = Arc::new(AtomicUsize::new(0));
    for stream in listener.incoming().flatten() {
        let place = Place::take(&open);
        if place.number > CONNECTIONS {
            let _ = send(&stream, &Answer::words(503, "too many connections"), true);
            continue;
        }
        let (answer, key) = (Arc::clone(&answer), Arc::clone(&key));
        let connection = move || {
            // a browser that has gone wants no answer
            let _ = converse(&stream, &key, &*answer);
            drop(place);
        };
        // without a thread the connection is closed, and the browser asks again
        let _ = std::thread::Builder::new().name("browser".to_owned()).spawn(connection);
    }
}

/// One of the open connections, until it is dropped.
struct Place {
    open: Arc<AtomicUsize>,
    number: usize,
}

impl Place {
    fn take(open: &Arc<AtomicUsize>) -> Self {
        Self { number: open.fetch_add(1, Ordering::Relaxed) + 1, open: Arc::clone(open) }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.open.fetch_sub(1, Ordering::Relaxed);
    }
}

fn converse(stream: &TcpStream, key: &str, answer: &dyn Fn(&str) -> Answer) -> io::Result<()> {
    let head = match read_head(stream) {
        Ok(head) => head,
        Err(error) if error.kind() == io::ErrorKind::InvalidData => {
            return send(stream, &Answer::words(431, error), true);
        }
        Err(error) => return Err(error),
    };
    match path_of(&head, key) {
        Ok((path, with_body)) => send(stream, &answer(&path), with_body),
        Err(refusal) => send(stream, &refusal, true),
    }
}

/// The request up to the empty line behind its headers.
fn read_head(mut stream: &TcpStream) -> io::Result<Vec<u8>> {
    let begun = Instant::now();
    let mut head = Vec::new();
    let mut part = [0; 1024];
    loop {
        let left = PATIENCE.checked_sub(begun.elapsed()).filter(|left| !left.is_zero());
        stream.set_read_timeout(Some(left.ok_or(io::ErrorKind::TimedOut)?))?;
        let count = stream.read(&mut part)?;
        if count == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        let behind = head.len().saturating_sub(3);
        head.extend_from_slice(&part[..count]);
        if head[behind..].windows(4).any(|end| end == b"\r\n\r\n") {
            return Ok(head);
        }
        if head.len() > LONGEST {
            return Err(io::Error::new(
                io::ErrorKind::InvalidData,
                format!("expected a request of at most {LONGEST} bytes"),
            ));
        }
    }
}

/// What a request asks for, behind the key, and whether it wants more than the headers; or why it is refused.
fn path_of(head: &[u8], key: &str) -> Result<(String, bool), Answer> {
    let mut headers = [httparse::EMPTY_HEADER; HEADERS];
    let mut request = httparse::Request::new(&mut headers);
    let is_complete = request.parse(head).is_ok_and(|status| status.is_complete());
    let (Some(method), Some(target), true) = (request.method, request.path, is_complete) else {
        return Err(Answer::words(400, "not a request that can be read"));
    };
    let hosts: Vec<&[u8]> = (request.headers.iter())
        .filter(|header| header.name.eq_ignore_ascii_case("host"))
        .map(|header| header.value)
        .collect();
    match hosts[..] {
        [host] if is_loopback(host) => {}
        _ => return Err(Answer::words(403, "only requests to 127.0.0.1 or localhost are answered")),
    }
    let with_body = match method {
        "GET" => true,
        "HEAD" => false,
        _ => return Err(Answer::words(405, "only GET and HEAD are answered")),
    };
    let sends = |name: &str| request.headers.iter().any(|header| header.name.eq_ignore_ascii_case(name));
    if sends("transfer-encoding") || sends("content-length") {
        return Err(Answer::words(413, "expected a request without a body"));
    }
    let path = target.strip_prefix('/').and_then(|path| path.strip_prefix(key)).and_then(|path| path.strip_prefix('/'));
    path.map(|path| (path.to_owned(), with_body))
        .ok_or_else(|| Answer::words(404, "open the address that dem view has printed"))
}

/// Whether a header `Host` names the loopback, with any port: a tunnel may begin at another one.
fn is_loopback(host: &[u8]) -> bool {
    let Ok(host) = std::str::from_utf8(host) else { return false };
    let is_port = |port: &str| port.len() <= 5 && port.bytes().all(|digit| digit.is_ascii_digit());
    let name = match host.rsplit_once(':') {
        Some((name, port)) if is_port(port) => name,
        _ => host,
    };
    name == "127.0.0.1" || name.eq_ignore_ascii_case("localhost") || name == "[::1]"
}

fn send(mut stream: &TcpStream, answer: &Answer, with_body: bool) -> io::Result<()> {
    stream.set_write_timeout(Some(STALLED))?;
    let reason = match answer.status {
        200 => "OK",
        400 => "Bad Request",
        403 => "Forbidden",
        404 => "Not Found",
        405 => "Method Not Allowed",
        413 => "Content Too Large",
        431 => "Request Header Fields Too Large",
        _ => "Service Unavailable",
    };
    let allow = if answer.status == 405 { "Allow: GET, HEAD\r\n" } else { "" };
    let head = format!(
        "HTTP/1.1 {} {reason}\r\nContent-Type: {}\r\nContent-Length: {}\r\n{allow}Connection: close\r\nCache-Control: no-store\r\n\
         X-Content-Type-Options: nosniff\r\nX-Frame-Options: DENY\r\nCross-Origin-Resource-Policy: same-origin\r\nReferrer-Policy: no-referrer\r\n\r\n",
        answer.status,
        answer.kind,
        answer.body.len()
    );
    stream.write_all(head.as_bytes())?;
    if with_body {
        stream.write_all(&answer.body)?;
    }
    stream.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(request: &str) -> Result<(String, bool), u16> {
        path_of(request.as_bytes(), "secret").map_err(|answer| answer.status)
    }

    #[test]
    fn requests_with_the_key_to_the_loopback_are_answered() {
        let asks = |line: &str, host: &str| asked(&format!("{line} HTTP/1.1\r\nHost: {host}\r\n\r\n"));
        assert_eq!(asks("GET /secret/frame/3", "127.0.0.1:8642"), Ok(("frame/3".to_owned(), true)));
        assert_eq!(asks("HEAD /secret/", "localhost"), Ok((String::new(), false)));
        assert_eq!(asks("GET /secret/", "[::1]:80"), Ok((String::new(), true)));
        assert_eq!(asks("GET /", "127.0.0.1"), Err(404));
        assert_eq!(asks("GET /secret", "127.0.0.1"), Err(404));
        assert_eq!(asks("GET /Secret/", "127.0.0.1"), Err(404));
        assert_eq!(asks("POST /secret/", "127.0.0.1"), Err(405));
        for foreign in [
            "example.org",
            "127.0.0.1.example.org",
            "example.org:80",
            "127.0.0.1:x",
            "",
            "127.0.0.1@example.org",
            "localhost.",
        ] {
            assert_eq!(asks("GET /secret/", foreign), Err(403), "{foreign}");
        }
    }

    #[test]
    fn requests_without_a_host_or_with_a_body_are_refused() {
        assert_eq!(asked("GET /secret/ HTTP/1.1\r\n\r\n"), Err(403));
        assert_eq!(asked("GET /secret/ HTTP/1.1\r\nHost: localhost\r\nHost: example.org\r\n\r\n"), Err(403));
        assert_eq!(asked("GET /secret/ HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\n\r\nabc"), Err(413));
        assert_eq!(asked("nonsense\r\n\r\n"), Err(400));
        let many = "X: y\r\n".repeat(HEADERS + 1);
        assert_eq!(asked(&format!("GET /secret/ HTTP/1.1\r\nHost: localhost\r\n{many}\r\n")), Err(400));
    }
}
