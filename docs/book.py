"""What `docs/build.sh` does beside mdbook. Python's standard library only.

    python3 docs/book.py stage      target/book-source: what mdbook reads
    python3 docs/book.py check      links, anchors and pictures of target/book
    python3 docs/book.py browse     every page of target/book in headless Chromium

Pages link to each other, to pictures in docs/images and to files elsewhere in the repository by relative paths, which a git host follows as they
are. So that the book can follow them too, `stage` lays out the pages as they lie in the repository and copies what they link to beside them.
"""

import functools
import http.server
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import urllib.parse
from html.parser import HTMLParser
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SUMMARY = ROOT / "docs/src/SUMMARY.md"
SOURCE = ROOT / "target/book-source"
BOOK = ROOT / "target/book"

LINK = re.compile(r"\]\(([^()\s]+)\)")
LARGEST_PICTURE = 200_000  # bytes
LONGEST_WAIT = 240  # s, for the browser


def fail(problems: list[str]) -> None:
    for problem in problems:
        print(f"error: {problem}", file=sys.stderr)
    if problems:
        sys.exit(1)


def stage() -> None:
    shutil.rmtree(SOURCE, ignore_errors=True)
    (SOURCE / "src").mkdir(parents=True)
    shutil.copy(ROOT / "docs/book.toml", SOURCE / "book.toml")

    def from_root(link: re.Match[str]) -> str:
        return f"]({os.path.relpath(SUMMARY.parent / link[1], ROOT)})"

    contents = LINK.sub(from_root, SUMMARY.read_text(encoding="utf-8"))
    (SOURCE / "src/SUMMARY.md").write_text(contents, encoding="utf-8")
    chapters = LINK.findall(contents)
    problems = [f"SUMMARY.md lists {name} twice" for name in sorted({n for n in chapters if chapters.count(n) > 1})]
    for name in dict.fromkeys(chapters):
        page = ROOT / name
        if not page.is_file():
            problems.append(f"SUMMARY.md lists {name}, which is not there")
            continue
        copy(page)
        for target in LINK.findall(without_code(page.read_text(encoding="utf-8"))):
            path, _, _ = target.partition("#")
            if not path or "://" in path or path.startswith("mailto:"):
                continue
            linked = Path(os.path.normpath(page.parent / urllib.parse.unquote(path)))
            if not linked.is_file() or not linked.is_relative_to(ROOT):
                problems.append(f"{name}: {target} is no file of the repository")
            elif linked.suffix != ".md":
                copy(linked)
            elif str(linked.relative_to(ROOT)) not in chapters:
                problems.append(f"{name}: {target} is no page of the book (SUMMARY.md)")
    fail(problems)


def copy(file: Path) -> None:
    to = SOURCE / "src" / file.relative_to(ROOT)
    to.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(file, to)


def without_code(text: str) -> str:
    text = re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL)
    return re.sub(r"`[^`\n]*`", "", text)


class Page(HTMLParser):
    """The ids of a page, what it links to and what it loads."""

    def __init__(self, file: Path) -> None:
        super().__init__(convert_charrefs=True)
        self.ids: set[str] = set()
        self.links: list[str] = []
        self.loads: list[str] = []
        self.unnamed: list[str] = []
        self.feed(file.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attributes}
        self.ids.update(given[name] for name in ("id", "name") if given.get(name))
        if tag == "a" and given.get("href"):
            self.links.append(given["href"])
        for name in ("src", "href", "data", "poster"):
            if tag not in ("a", "base") and given.get(name):
                self.loads.append(given[name])
        if tag == "img" and not given.get("alt"):
            self.unnamed.append(given.get("src", ""))


def check() -> None:
    files = sorted(BOOK.rglob("*.html"))
    pages = {file: Page(file) for file in files}
    problems, links, pictures = [], 0, set()
    for file, page in pages.items():
        name = file.relative_to(BOOK)
        problems += [f"{name}: picture {source} has no text for those who do not see it" for source in page.unnamed]
        for target in page.loads:
            if "://" in target or target.startswith("//"):
                problems.append(f"{name} loads {target} from the network")
        for target in dict.fromkeys(page.links + page.loads):
            parts = urllib.parse.urlsplit(target)
            if parts.scheme or parts.netloc:
                continue
            links += 1
            path = urllib.parse.unquote(parts.path)
            linked = Path(os.path.normpath(file.parent / path)) if path else file
            if linked.suffix == ".md":
                problems.append(f"{name} links to {target}, which is no page")
            elif not linked.is_file():
                problems.append(f"{name} links to {target}, which is not there")
            elif parts.fragment and linked in pages and urllib.parse.unquote(parts.fragment) not in pages[linked].ids:
                problems.append(f"{name} links to {target}, but that page has no such heading")
            elif linked.suffix in (".png", ".gif", ".svg") and "docs/images" in str(linked):
                pictures.add(linked)
    for picture in sorted(pictures):
        size = picture.stat().st_size
        if not 0 < size <= LARGEST_PICTURE and picture.suffix != ".gif":
            problems.append(f"{picture.relative_to(BOOK)} has {size} bytes, expected 1 to {LARGEST_PICTURE}")
    for style in BOOK.rglob("*.css"):
        problems += [f"{style.relative_to(BOOK)} loads {url} from the network" for url in re.findall(r"url\(['\"]?(https?:[^)]+)\)", style.read_text(encoding="utf-8"))]
    unused = {file for file in (ROOT / "docs/images").rglob("*") if file.is_file()} - {ROOT / p.relative_to(BOOK) for p in pictures}
    problems += [f"{file.relative_to(ROOT)} is on no page" for file in sorted(unused)]
    fail(problems)
    print(f"{len(pages)} pages, {links} links and {len(pictures)} pictures are sound")


# The first script of every page: it tells the page around it what went wrong, and from where something was loaded.
WATCH = """<script>(() => {
  const wrong = [];
  addEventListener("error", e => wrong.push(e.message || "cannot load " + (e.target.src || e.target.href)), true);
  addEventListener("unhandledrejection", e => wrong.push(String(e.reason)));
  const log = console.error;
  console.error = (...a) => { wrong.push(a.join(" ")); log(...a); };
  addEventListener("load", () => setTimeout(() => {
    for (const i of document.images) if (!i.naturalWidth) wrong.push("cannot show " + i.src);
    for (const r of performance.getEntriesByType("resource"))
      if (!r.name.startsWith(location.origin) && !r.name.startsWith("data:")) wrong.push("loads " + r.name);
    const main = document.querySelector("main");
    if (!main || main.innerText.trim().length < 40) wrong.push("shows no text");
    parent.postMessage(wrong, "*");
  }, 50));
})()</script>"""

# Opens one page after the other and hands in what was wrong.
HARNESS = """<!doctype html><title>book</title><iframe id="f" width="1200" height="900"></iframe><script>
const pages = PAGES, found = {}, frame = document.getElementById("f");
const open = page => new Promise(done => {
  const late = setTimeout(() => done(["not loaded after 20 s"]), 20000);
  onmessage = e => { clearTimeout(late); done(e.data); };
  frame.src = "/" + page;
});
(async () => {
  for (const page of pages) {
    found[page] = await open(page);
    await fetch("/found", { method: "POST", body: JSON.stringify(found) });
  }
})();
</script>"""


class Server(http.server.SimpleHTTPRequestHandler):
    """The book on the loopback address, every page watched."""

    pages: list[str] = []
    found: dict[str, list[str]] = {}
    done = threading.Event()

    def do_GET(self) -> None:
        path = urllib.parse.unquote(urllib.parse.urlsplit(self.path).path)
        if path == "/harness":
            self.answer(HARNESS.replace("PAGES", json.dumps(self.pages)))
        elif path.endswith(".html") and (BOOK / path[1:]).is_file():
            text = (BOOK / path[1:]).read_text(encoding="utf-8")
            self.answer(re.sub(r"<head>", lambda m: m[0] + WATCH, text, count=1))
        elif path == "/favicon.ico":
            self.answer("")
        else:
            super().do_GET()

    def do_POST(self) -> None:
        Server.found = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.answer("")
        if len(Server.found) == len(self.pages):
            Server.done.set()

    def answer(self, text: str) -> None:
        body = text.encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


def browse() -> None:
    names = ["chromium", "chromium-browser", "google-chrome"]
    wanted = os.environ.get("CHROMIUM")
    browser = next(filter(None, map(shutil.which, [wanted] if wanted else names)), None)
    if browser is None:
        print("no Chromium: pages were not opened")
        return
    Server.pages = [str(file.relative_to(BOOK)) for file in sorted(BOOK.rglob("*.html")) if file.name not in ("toc.html", "print.html")]
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Server, directory=str(BOOK)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    options = "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync"
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        command = [browser, *options.split(), f"--user-data-dir={profile}", "--remote-debugging-port=0", f"http://127.0.0.1:{server.server_port}/harness"]
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        ended = Server.done.wait(LONGEST_WAIT)
        process.terminate()
        process.wait()
    server.shutdown()
    problems = [f"{page} in the browser: {text}" for page, texts in Server.found.items() for text in texts]
    if not ended:
        problems.append(f"the browser opened {len(Server.found)} of {len(Server.pages)} pages in {LONGEST_WAIT} s")
    fail(problems)
    print(f"{len(Server.found)} pages opened in {Path(browser).name} without an error")


if __name__ == "__main__":
    tasks = {"stage": stage, "check": check, "browse": browse}
    if len(sys.argv) != 2 or sys.argv[1] not in tasks:
        sys.exit(f"usage: book.py {'|'.join(tasks)}")
    tasks[sys.argv[1]]()
