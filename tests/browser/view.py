"""Tries `dem view` as a user does: python view.py DEM SCRATCH [FOLDER FOR SCREENSHOTS]"""

from __future__ import annotations

import math
import subprocess
import sys
import time
from pathlib import Path

import h5py
import numpy as np
from browser import TIME_OF_A_FRAME, Page, chromium, differing
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

SCENES = Path(__file__).resolve().parents[1] / "scenes" / "restart"
BACKGROUND = (0x14, 0x18, 0x1D)


class Snapshot:
    """A frame of a snapshot file, read without the engine."""

    def __init__(self, run: Path, number: int) -> None:
        with h5py.File(run / "snapshots.vtkhdf") as file:
            first = file["VTKHDF/Steps/PointOffsets"][number]
            rows = slice(first, first + file["VTKHDF/NumberOfPoints"][number])
            self.time = float(file["frames/time"][number])
            self.positions = file["VTKHDF/Points"][rows]
            self.columns = {name: column[rows] for name, column in file["VTKHDF/PointData"].items()}


def checked(name: str):
    """A check that says its name."""

    def of(function):
        def run(*arguments):
            begun = time.monotonic()
            function(*arguments)
            print(f"ok  {name} ({time.monotonic() - begun:.1f} s)", flush=True)

        return run

    return of


@checked("a drag turns the picture")
def drag(page: Page) -> None:
    before = page.pixels()
    canvas = page.driver.find_element("id", "canvas")
    ActionChains(page.driver).drag_and_drop_by_offset(canvas, 160, 30).perform()
    after = page.pixels()
    assert differing(before, after) > 0.02 * before.shape[0] * before.shape[1]
    page.driver.find_element("tag name", "body").send_keys("r")
    assert differing(before, page.pixels()) == 0, "R brings the whole picture back"


@checked("the slider shows the time of its frame")
def slide(page: Page, run: Path) -> None:
    for number in (0, 3):
        page.act("const s = document.getElementById('slider'); s.value = a[0]; s.dispatchEvent(new Event('input'));", number)
        page.wait("the frame", lambda: page.script("return window.demView.shown.number") == number)
        text = page.driver.find_element("id", "time").text
        value, unit = text.removeprefix("t = ").split()
        shown = float(value) * {"s": 1, "ms": 1e-3, "µs": 1e-6}[unit]
        assert abs(shown - Snapshot(run, number).time) <= 1e-3 * shown, text


@checked("a click reads id and radius of the sphere under it")
def pick(page: Page, run: Path) -> None:
    number = page.act("await v.timeline.go(4); return v.shown.number")
    snapshot = Snapshot(run, number)
    eye = np.array(page.script("return window.demView.stage.camera.active.position.toArray()"))
    for row in np.argsort(np.linalg.norm(snapshot.positions - eye, axis=1))[:3]:
        x, y = page.script("return window.demView.stage.screen(arguments[0])", snapshot.positions[row].tolist())
        # the sphere that the ray meets first, found here
        direction = (snapshot.positions[row] - eye) / np.linalg.norm(snapshot.positions[row] - eye)
        middle = (snapshot.positions - eye) @ direction
        off = np.linalg.norm(snapshot.positions - eye - middle[:, None] * direction, axis=1)
        radii = snapshot.columns["radius"]
        reach = np.where(off < radii, middle - np.sqrt(np.maximum(radii**2 - off**2, 0)), np.inf)
        expected = int(np.argmin(reach))
        # other elements lie over the canvas at its sides only
        for kind in ("mousePressed", "mouseReleased"):
            event = {"type": kind, "x": x, "y": y, "button": "left", "clickCount": 1}
            page.driver.execute_cdp_cmd("Input.dispatchMouseEvent", event)
        box = page.driver.find_element("id", "picked")
        page.wait("the values", lambda: box.is_displayed() and f"sphere {snapshot.columns['id'][expected]}" in box.text)
        values = dict(line.split(" ", 1) for line in box.text.splitlines()[2:] if " " in line)
        value, unit = values["radius"].split()
        assert abs(float(value) * {"mm": 1e-3, "m": 1}[unit] - radii[expected]) < 1e-6 * radii[expected], values
        assert values["material"] == "glass", values
    page.act("await v.chooseAt(2, 2)")
    assert not page.driver.find_element("id", "picked").is_displayed()


@checked("a cut hides what is in front of it and a click goes through")
def cut(page: Page, run: Path) -> None:
    page.set(walls=["hidden"])
    page.act("v.stage.camera.look(-90, 0)")
    page.set(isParallel=True, axis="y", field="height")
    whole = page.pixels()
    page.set(isCut=True, cutAt=1.0)
    empty = page.pixels()
    assert np.abs(empty - BACKGROUND).max(axis=2).max() < 3, "all is cut away but the background"
    page.set(cutAt=0.5)
    half = page.pixels()
    assert differing(half, whole) > 1000 and differing(half, empty) > 1000
    # a click meets a sphere that reaches behind the cut
    snapshot = Snapshot(run, page.script("return window.demView.shown.number"))
    plane = page.script("return -window.demView.stage.plane.constant * window.demView.stage.plane.normal.y")
    behind = snapshot.positions[:, 1] - plane > snapshot.columns["radius"]
    row = int(np.flatnonzero(behind)[0])
    page.act("await v.chooseAt(...v.stage.screen(a[0]))", snapshot.positions[row].tolist())
    chosen = int(page.driver.find_element("css selector", "#picked h2").text.split()[1])
    found = int(np.flatnonzero(snapshot.columns["id"] == chosen)[0])
    assert snapshot.positions[found, 1] + snapshot.columns["radius"][found] >= plane
    page.set(isCut=False, isParallel=False, walls=["opaque"])
    page.act("await v.chooseAt(2, 2); v.stage.camera.look(-60, 20)")


@checked("a wall is opaque, translucent or hidden, and moves")
def walls(page: Page) -> None:
    seen = {}
    for style in ("opaque", "translucent", "hidden"):
        page.act("const s = document.querySelector('#walls select[data-wall=tray]'); s.value = a[0]; s.dispatchEvent(new Event('change'));", style)
        page.set(spheres="hidden")
        seen[style] = (np.abs(page.pixels() - BACKGROUND).max(axis=2) > 8).sum()
    assert seen["hidden"] == 0, seen
    assert seen["opaque"] > 10_000 and seen["translucent"] > 10_000, seen
    page.set(walls=["opaque"])
    page.act("await v.timeline.go(2)")
    before = page.pixels()
    page.act("await v.timeline.go(3)")
    assert differing(before, page.pixels()) > 100
    page.set(spheres="solid")


@checked("force chains are drawn with their colour bar")
def chains(page: Page) -> None:
    page.act("await v.timeline.go(5)")
    page.set(walls=["hidden"])
    page.set(showsChains=True)
    assert (np.abs(page.pixels() - BACKGROUND).max(axis=2) > 40).sum() > 300
    assert "normal force" in page.driver.find_element("id", "legend").text
    page.set(showsChains=False, walls=["opaque"])


@checked("play goes on by itself, the keys work")
def play(page: Page) -> None:
    page.act("await v.timeline.go(0)")
    page.driver.find_element("id", "play").click()
    page.wait("a later frame", lambda: page.script("return window.demView.shown.number") >= 2)
    page.driver.find_element("id", "play").click()
    page.script("document.activeElement.blur()")
    body = page.driver.find_element("tag name", "body")
    body.send_keys(Keys.END)
    last = page.script("return window.demView.source.list.length - 1")
    page.wait("the last frame", lambda: page.script("return window.demView.shown.number") == last)
    body.send_keys("b")
    page.wait("a light background", lambda: page.pixels()[5, 700].min() > 250)
    body.send_keys("b")
    body.send_keys("?")
    assert page.driver.find_element("id", "help").is_displayed()
    page.driver.find_element("css selector", "#help button").click()


@checked("colours have a bar or names, a range of all frames or of one")
def colour(page: Page) -> None:
    legend = page.driver.find_element("id", "legend")
    page.set(field="material")
    assert legend.text.split() == ["material", "glass"], legend.text
    page.set(field="speed", range="all")
    of_all = legend.text
    page.set(range="frame")
    assert "speed" in of_all and legend.text != of_all
    page.set(field="height", range="all")


@checked("what other spheres hide is left out, and the picture is the same")
def hidden(page: Page) -> None:
    assert page.script("return window.demView.stage.isSoftware")
    page.act("v.stage.camera.look(-60, 20)")
    fewest = math.inf
    for how in ({}, {"isCut": True, "cutAt": 0.4}, {"isParallel": True}, {"isCut": False}, {"size": 0.7}, {"isParallel": False}):
        page.set(**how)
        seen = page.pixels()
        count = page.script("return window.demView.spheres.quads.geometry.drawRange.count / 6")
        page.script("const s = window.demView.spheres; window.sight = s.sight; s.sight = undefined; s.quads.all(s.count);")
        assert np.array_equal(seen, page.pixels()), how
        page.script("window.demView.spheres.sight = window.sight")
        assert 0 < count <= page.script("return window.demView.spheres.count"), how
        fewest = min(fewest, count)
    assert fewest < page.script("return window.demView.spheres.count")
    page.set(size=1)


@checked("a picture that moves is drawn in a hurry, and well when it rests")
def rest(page: Page) -> None:
    width = "return document.getElementById('canvas').width"
    page.act("")
    assert page.script(width) == 2400
    page.script("window.demView.stage.hurry()")
    assert page.script(width) == 1200
    page.wait("the picture at rest", lambda: page.script(width) == 2400, 10)
    # nothing is drawn while nothing changes
    drawn = page.script("return window.demView.stage.drawn")
    time.sleep(0.5)
    assert page.script("return window.demView.stage.drawn") == drawn


@checked("at most five draw calls a frame")
def calls(page: Page) -> None:
    page.set(walls=["translucent"], showsChains=True, spheres="solid", showsCell=True)
    count = page.script("return window.demView.stage.renderer.info.render.calls")
    assert 3 <= count <= 5, count
    page.set(showsChains=False, walls=["opaque"])


@checked("a small window has all controls")
def small(page: Page) -> None:
    size = {"width": 400, "height": 700, "deviceScaleFactor": 1, "mobile": True}
    page.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    page.wait("the size", lambda: page.script("return document.getElementById('canvas').clientWidth") == 400)
    for name in ("open-panel", "play", "slider", "time"):
        box = page.driver.find_element("id", name).rect
        assert box["x"] >= 0 and box["x"] + box["width"] <= 400, (name, box)
    assert page.script("return document.documentElement.scrollWidth") <= 400


@checked("a page that is served follows the run")
def live(driver, dem: Path, scratch: Path) -> None:
    run = scratch / "live"
    running = subprocess.Popen([dem, "run", SCENES / "tray.toml", "--out", run], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    server = None
    try:
        while not (run / "snapshots.vtkhdf").exists():
            time.sleep(0.02)
        server = subprocess.Popen([dem, "view", run, "--serve", "0"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        page = Page(driver, server.stdout.readline().strip())
        first = page.script("return window.demView.shown.frame.time")
        page.wait("later frames", lambda: page.script("return window.demView.shown.frame.time") > first, 15)
        assert driver.find_element("id", "live").text == "live"
        assert page.log() == []
    finally:
        for process in (running, server):
            if process is not None:
                process.kill()
                process.wait()


def main() -> None:
    dem, scratch = Path(sys.argv[1]), Path(sys.argv[2])
    shots = Path(sys.argv[3]) if len(sys.argv) > 3 else None
    begun = time.monotonic()
    run = scratch / "run"
    make = [dem, "run", SCENES / "tray.toml", "--out", run, "--until", "60ms", "--set", "output.snapshots=0.01"]
    subprocess.run(make, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    subprocess.run([dem, "view", run], check=True, stdout=subprocess.DEVNULL)
    driver = chromium(1200, 800)
    try:
        page = Page(driver, (run / "view.html").as_uri())
        for check in (lambda: slide(page, run), lambda: drag(page), lambda: pick(page, run), lambda: cut(page, run)):
            check()
        for of_page in (walls, chains, play, colour, hidden, rest, calls):
            of_page(page)
        moving, resting = page.script(TIME_OF_A_FRAME, 15)
        print(f"    {moving:.0f} ms a frame of the tray at 1200 x 800 by software while it moves, {resting:.0f} ms at rest")
        if shots:
            shots.mkdir(parents=True, exist_ok=True)
            driver.save_screenshot(str(shots / "tray.png"))
        small(page)
        if shots:
            driver.save_screenshot(str(shots / "tray_small.png"))
        assert page.log() == [], page.log()
        live(driver, dem, scratch)
    finally:
        driver.quit()
    print(f"all checks of the picture passed, {time.monotonic() - begun:.0f} s")


if __name__ == "__main__":
    main()
