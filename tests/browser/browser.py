"""Headless Chromium with software rendering, and a page of `dem view` in it."""

from __future__ import annotations

import base64
import io
import os
import shutil
import time
from typing import Any, Callable

import numpy as np
from PIL import Image
from selenium import webdriver

OPTIONS = [
    "--headless=new",
    "--no-sandbox",
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
    "--hide-scrollbars",
    "--disable-dev-shm-usage",
]
# Milliseconds until the software has drawn a picture, while something moves and at rest: reading a pixel waits for it.
TIME_OF_A_FRAME = """
const {stage} = window.demView, gl = stage.renderer.getContext(), pixel = new Uint8Array(4);
return ["hurry", "draw"].map((how) => {
  const times = [];
  for (let k = 0; k < arguments[0]; k++) {
    stage.camera.turn(3, 0);
    const begun = performance.now();
    stage[how]();
    gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
    times.push(performance.now() - begun);
  }
  times.sort((a, b) => a - b);
  return times[times.length >> 1];
});
"""


def chromium(width: int, height: int) -> webdriver.Chrome:
    """A browser with a window of some pixels."""
    options = webdriver.ChromeOptions()
    options.binary_location = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome") or ""
    for option in OPTIONS:
        options.add_argument(option)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    service = webdriver.ChromeService(os.environ.get("CHROMEDRIVER") or shutil.which("chromedriver"))
    driver = webdriver.Chrome(options=options, service=service)
    size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    dark = {"features": [{"name": "prefers-color-scheme", "value": "dark"}]}
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", dark)
    return driver


class Page:
    """A page of `dem view`."""

    def __init__(self, driver: webdriver.Chrome, address: str) -> None:
        self.driver = driver
        driver.get(address)
        self.wait("the picture", lambda: self.script("return window.demView !== undefined"))

    def script(self, text: str, *arguments: Any) -> Any:
        """What a script returns."""
        return self.driver.execute_script(text, *arguments)

    def act(self, text: str, *arguments: Any) -> Any:
        """What a script returns that may wait; `v` is the picture, `a` the arguments. A new picture is drawn."""
        run = (
            "const done = arguments[arguments.length - 1], a = arguments, v = window.demView;"
            f"(async () => {{ {text} }})().then((x) => {{ v.stage.draw(); done({{ value: x ?? null }}); }}, (e) => done({{ error: String(e.stack) }}));"
        )
        answer = self.driver.execute_async_script(run, *arguments)
        assert "error" not in answer, answer["error"]
        return answer["value"]

    def wait(self, what: str, holds: Callable[[], Any], seconds: float = 30) -> Any:
        """Waits until something holds."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            found = holds()
            if found:
                return found
            time.sleep(0.05)
        raise AssertionError(f"waited too long for {what}: {self.log()}")

    def set(self, **state: Any) -> None:
        """Changes what the controls change."""
        for name, value in state.items():
            self.act("v.state[a[0]] = a[1]; await v.changed(a[0]);", name, value)

    def pixels(self) -> np.ndarray:
        """The canvas as it is."""
        self.act("")
        text = self.script("window.demView.stage.draw(); return document.getElementById('canvas').toDataURL('image/png')")
        image = Image.open(io.BytesIO(base64.b64decode(text.split(",")[1])))
        return np.asarray(image.convert("RGB"), dtype=int)

    def log(self) -> list[str]:
        """What the browser complained about."""
        return [entry["message"] for entry in self.driver.get_log("browser") if entry["level"] in ("SEVERE", "WARNING")]


def differing(a: np.ndarray, b: np.ndarray) -> int:
    """Pixels of two pictures that are not alike."""
    return int((np.abs(a - b).max(axis=2) > 12).sum())
