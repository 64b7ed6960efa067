"""Checks the front page that `docs/site/build.sh` makes. Python's standard library only.

    python3 docs/site/check.py target/site

Its links lead to files and headings, it loads nothing from elsewhere, its figures of speed are those of PERFORMANCE.md, and in headless
Chromium it shows its picture and fits into 400 and 1400 pixels.
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
from pathlib import Path

sys.dont_write_bytecode = True  # nothing into the source tree
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import book

LONGEST_WAIT = 120  # s, for the browser
LARGEST_PICTURE = 8_000_000  # bytes

# Opens the page in each width, waits for its picture and hands in what is wrong.
HARNESS = """<!doctype html><title>front page</title><iframe id="f" height="900"></iframe><script>
const frame = document.getElementById("f"), found = [];
const pause = time => new Promise(done => setTimeout(done, time));
const look = async width => {
  const say = text => found.push(`at ${width} pixels: ${text}`);
  frame.width = width;
  await new Promise(done => { frame.onload = done; frame.src = "PAGE"; });
  const page = frame.contentDocument, inner = page.querySelector("iframe").contentWindow;
  for (let k = 0; k < 400 && !inner.demView; k++) await pause(100);
  if (inner.demView) {
    const canvas = inner.document.getElementById("canvas");
    inner.demView.stage.draw();
    if (canvas.toDataURL().length < 20000) say("the picture is empty");
    if (inner.demView.source.list.length < 5) say("the picture has few frames");
  } else say("no picture: " + (inner.document.getElementById("message")?.textContent ?? ""));
  for (const { performance } of [frame.contentWindow, inner])
    for (const { name } of performance.getEntriesByType("resource"))
      if (!/^(data:|blob:)/.test(name) && !name.startsWith(location.origin)) say("it loads " + name);
  const box = page.scrollingElement;
  if (box.scrollWidth > box.clientWidth) say(`it is ${box.scrollWidth} pixels wide`);
  if (page.styleSheets.length !== 1 || getComputedStyle(page.body).marginLeft !== "0px") say("it has no style");
};
(async () => {
  try { for (const width of [400, 1400]) await look(width); } catch (error) { found.push(String(error)); }
  await fetch("/found", { method: "POST", body: JSON.stringify(found) });
})();
</script>"""


def wrong_figures(page: str) -> list[str]:
    """Figures of speed that PERFORMANCE.md does not have, and bars that are not drawn as they are labelled."""
    measured = (book.ROOT / "PERFORMANCE.md").read_text(encoding="utf-8")
    bars = re.findall(r'--low:([\d.]+);--mid:([\d.]+);--high:([\d.]+)"><span></span><b><i[^>]*>[^<]*</i>([\d.]+)</b> <small>([\d.]+)–([\d.]+)<', page)
    rates = re.findall(r"<td>([\d.]+)</td>", page)
    problems = [] if (len(bars), len(rates)) == (10, 15) else [f"{len(bars)} bars and {len(rates)} rates found: has the page changed?"]
    for low, mid, high, *label in bars:
        if [float(mid), float(low), float(high)] != [float(text) for text in label]:
            problems.append(f"the bar of {label[0]} is drawn from {low} over {mid} to {high}")
        if "{} ({}–{})".format(*label) not in measured:
            problems.append(f"PERFORMANCE.md has no ratio of {label[0]}, from {label[1]} to {label[2]}")
    return problems + [f"PERFORMANCE.md has no rate of {rate}" for rate in rates if f" {rate} |" not in measured]


def check(site: Path) -> None:
    """Links, figures, and what is loaded, without a browser."""
    problems = wrong_figures((site / "index.html").read_text(encoding="utf-8"))
    has_book = (site.parent / "book/index.html").is_file()
    links = 0
    pages: dict[Path, book.Page] = {}
    for file in (site / "index.html", site / "view.html"):
        page = pages.setdefault(file, book.Page(file))
        problems += [f"{file.name} loads {target}" for target in page.loads if re.match(r"(\w+:)?//", target)]
        for target in dict.fromkeys(page.links + page.loads):
            parts = urllib.parse.urlsplit(target)
            if parts.scheme or parts.netloc:
                continue
            linked = Path(os.path.normpath(file.parent / urllib.parse.unquote(parts.path))) if parts.path else file
            if linked.is_relative_to(site.parent / "book") and not has_book:
                continue
            links += 1
            if not linked.is_file():
                problems.append(f"{file.name} links to {target}, which is not there")
            elif parts.fragment and linked.suffix == ".html":
                if urllib.parse.unquote(parts.fragment) not in pages.setdefault(linked, book.Page(linked)).ids:
                    problems.append(f"{file.name} links to {target}, but that page has no such heading")
    for word in re.findall(r"url\([^)]*\)|@import[^;]*", (site / "style.css").read_text(encoding="utf-8")):
        problems.append(f"style.css loads {word}")
    if (site / "view.html").stat().st_size > LARGEST_PICTURE:
        problems.append(f"view.html is larger than {LARGEST_PICTURE} bytes")
    book.fail(problems)
    print(f"front page: {links} local links and 25 figures are sound" + ("" if has_book else "; the book is not beside it, so links to it were not followed"))


class Server(http.server.SimpleHTTPRequestHandler):
    """The page and what is beside it, on the loopback address."""

    found: list[str] = []
    done = threading.Event()

    def do_GET(self) -> None:
        if self.path != "/harness":
            super().do_GET()
            return
        self.answer(HARNESS.replace("PAGE", f"/{Path(sys.argv[1]).resolve().name}/index.html"))

    def do_POST(self) -> None:
        Server.found = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.answer("")
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


def browse(site: Path) -> None:
    """The page in headless Chromium, which draws by software."""
    wanted = os.environ.get("CHROMIUM")
    browser = next(filter(None, map(shutil.which, [wanted] if wanted else ["chromium", "chromium-browser", "google-chrome"])), None)
    if browser is None:
        print("front page: no Chromium, it was not opened")
        return
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Server, directory=str(site.parent)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    options = "--headless=new --no-sandbox --use-angle=swiftshader --enable-unsafe-swiftshader --disable-quic --no-first-run --disable-background-networking"
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        command = [browser, *options.split(), "--window-size=1500,1000", f"--user-data-dir={profile}", "--remote-debugging-port=0"]
        process = subprocess.Popen([*command, f"http://127.0.0.1:{server.server_port}/harness"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        ended = Server.done.wait(LONGEST_WAIT)
        process.terminate()
        process.wait()
    server.shutdown()
    book.fail([f"front page {text}" for text in Server.found] if ended else [f"the browser did not show the front page in {LONGEST_WAIT} s"])
    print(f"front page: shows its picture at 400 and 1400 pixels in {Path(browser).name}")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: check.py FOLDER")
    check(Path(sys.argv[1]).resolve())
    browse(Path(sys.argv[1]).resolve())
