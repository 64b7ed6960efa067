"""Figures of reports drawn again with matplotlib, from the drawings in SVG that commands write.

Such a drawing has panels in a column, each with its ticks in faint lines with labels, a legend above and curves in the
colours of a palette.
"""

from __future__ import annotations

import itertools
import xml.etree.ElementTree as ElementTree
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

_INK, _FAINT = "#14181c", "#e3e6ea"
#: Titles are larger than other texts, labels of ticks smaller, by more than this.
_LARGER = 1.05


@dataclass
class _Shape:
    """A line or disc of the drawing."""

    kind: str
    colour: str
    points: NDArray[np.float64]


@dataclass
class _Text:
    text: str
    place: tuple[float, float]
    size: float
    upright: bool


@dataclass
class _Axis:
    """Ticks along an axis: where they are and what they say."""

    ticks: list[tuple[float, str]] = field(default_factory=list)
    factor: float = 1.0

    def scale(self) -> tuple[bool, float, float]:
        """Whether it is logarithmic, and offset and slope from places to values, or to their logarithms."""
        places = np.array([place for place, _ in self.ticks])
        is_power = any("^" in text for _, text in self.ticks)
        values = np.array([_number(text) for _, text in self.ticks]) * self.factor
        slope, offset = np.polyfit(places, np.log10(values) if is_power else values, 1)
        if is_power or len(values) < 3 or np.any(values <= 0):
            return is_power, float(offset), float(slope)
        # less than a decade of a logarithmic axis has plain numbers
        bent = np.polyfit(places, np.log10(values), 1)
        if _misfit(np.log10(values), bent, places) < 0.1 * _misfit(values, (slope, offset), places):
            return True, float(bent[1]), float(bent[0])
        return False, float(offset), float(slope)


def _misfit(values: NDArray[np.float64], line: Any, places: NDArray[np.float64]) -> float:
    return float(np.ptp(values - np.polyval(line, places)) / np.ptp(values))


@dataclass
class _Panel:
    left: float
    right: float
    top: float
    bottom: float
    x: _Axis = field(default_factory=_Axis)
    y: _Axis = field(default_factory=_Axis)
    title: str = ""
    x_label: str = ""
    y_label: str = ""
    legend: list[tuple[str, str, str]] = field(default_factory=list)
    curves: list[_Shape] = field(default_factory=list)


def figure(path: Path) -> tuple[Any, NDArray[Any]]:
    """A figure and its axes, from the drawing beside a picture or the picture itself."""
    drawing = path.with_suffix(".svg")
    if drawing.is_file():
        try:
            panels = read(drawing)
        except (ValueError, KeyError, IndexError, ElementTree.ParseError):
            panels = []
        if panels:
            return _diagram(panels)
    return _image(path)


def read(path: Path) -> list[_Panel]:
    """The panels of a drawing; none if it is not a diagram."""
    root = ElementTree.parse(path).getroot()
    _, _, _, height = (float(number) for number in root.attrib["viewBox"].split())
    marks = [mark for mark in map(_mark, root) if mark is not None]
    panels = _frames(marks)
    if not panels:
        return []
    tall = height / len(panels)
    text = float(root.attrib["data-size"])
    pending: tuple[_Axis, float] | None = None
    sample: _Shape | None = None
    for mark in marks:
        place = mark.place[1] if isinstance(mark, _Text) else float(mark.points[0, 1])
        panel = panels[min(int(place / tall), len(panels) - 1)]
        if isinstance(mark, _Text):
            if pending is not None and mark.size * _LARGER < text:
                pending[0].ticks.append((pending[1], mark.text))
                pending = None
            elif sample is not None:
                style = "o" if sample.kind == "disc" else "-" if sample.kind == "line" else "--"
                panel.legend.append((sample.colour, style, mark.text))
                sample = None
            else:
                _words(panel, mark, text)
            continue
        if mark.colour == _FAINT:
            upright = mark.points[0, 0] == mark.points[1, 0]
            pending = (panel.x if upright else panel.y, float(mark.points[0, 0 if upright else 1]))
        elif mark.colour != _INK:
            pending = None
            if _inside(panel, mark.points):
                panel.curves.append(mark)
            elif sample is not None:
                sample = _Shape("dashes", mark.colour, mark.points)
            else:
                sample = mark
    return panels


def _mark(element: Any) -> _Shape | _Text | None:
    tag = element.tag.rpartition("}")[2]
    attributes = element.attrib
    if tag == "polyline":
        numbers = [float(number) for pair in attributes["points"].split() for number in pair.split(",")]
        return _Shape("line", attributes["stroke"].lower(), np.array(numbers).reshape(-1, 2))
    if tag == "circle":
        return _Shape(
            "disc", attributes["fill"].lower(), np.array([[float(attributes["cx"]), float(attributes["cy"])]])
        )
    if tag == "g":
        # letters are outlines; the label says what they spell
        place, _, turn = attributes["transform"].removeprefix("translate(").partition(")")
        x, y = (float(number) for number in place.split())
        return _Text(attributes["aria-label"], (x, y), float(attributes["data-size"]), "rotate" in turn)
    return None


def _frames(marks: list[_Shape | _Text]) -> list[_Panel]:
    """The panels by their axes: a line to the right and one upwards that begin at the same point."""
    panels = []
    lines = [mark for mark in marks if isinstance(mark, _Shape) and mark.colour == _INK and len(mark.points) == 2]
    for across, up in itertools.pairwise(lines):
        (left, bottom), (right, same) = across.points
        if (
            bottom == same
            and right > left
            and up.points[0, 0] == left
            and tuple(up.points[1]) == (left, bottom)
            and up.points[0, 1] < bottom
        ):
            panels.append(_Panel(left, right, float(up.points[0, 1]), bottom))
    return panels


def _inside(panel: _Panel, points: NDArray[np.float64]) -> bool:
    x, y = points[:, 0], points[:, 1]
    return bool(np.all((x >= panel.left - 1) & (x <= panel.right + 1) & (y >= panel.top - 1) & (y <= panel.bottom + 1)))


def _words(panel: _Panel, mark: _Text, text: float) -> None:
    """A text that is neither at a tick nor in the legend."""
    below = mark.place[1] > panel.bottom
    if mark.upright:
        panel.y_label = mark.text
    elif mark.text.startswith("×10^"):
        (panel.x if below else panel.y).factor = _number(mark.text.removeprefix("×"))
    elif below:
        panel.x_label = mark.text
    elif mark.size > _LARGER * text:
        panel.title = mark.text


def _number(text: str) -> float:
    """The number of a label, as in ``0.5`` or ``10^−3``."""
    base, _, power = text.replace("−", "-").partition("^")
    return float(base) ** float(power) if power else float(base)


def _runs(panel: _Panel) -> list[tuple[str, str, NDArray[np.float64]]]:
    """The curves as they were before they were drawn: colour, style, and points with gaps where a curve is
    interrupted."""
    curves = []
    for (colour, kind), run in itertools.groupby(panel.curves, lambda shape: (shape.colour, shape.kind)):
        shapes = [shape.points for shape in run]
        if kind == "disc":
            curves.append((colour, "o", np.concatenate(shapes)))
        elif _are_dashes(shapes):
            curves.append((colour, "--", np.concatenate(shapes)))
        else:
            gap = np.full((1, 2), np.nan)
            curves.append((colour, "-", np.concatenate([part for points in shapes for part in (points, gap)][:-1])))
    return curves


def _are_dashes(shapes: list[NDArray[np.float64]]) -> bool:
    """Whether these are many lines of one length."""
    lengths = [float(np.hypot(*np.diff(points, axis=0).T).sum()) for points in shapes[:-1]]
    return len(lengths) > 2 and max(lengths) < 1.1 * min(lengths) + 4


def _diagram(panels: list[_Panel]) -> tuple[Any, NDArray[Any]]:
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(
        len(panels), 1, figsize=(8, 0.6 + 2.7 * len(panels)), layout="constrained", squeeze=False
    )
    for ax, panel in zip(axes[:, 0], panels, strict=True):
        scales = [panel.x.scale(), panel.y.scale()]
        legend = list(panel.legend)
        for colour, style, points in _runs(panel):
            label = next((entry for entry in legend if entry[:2] == (colour, style)), None)
            if label is None and style == "o":
                # a curve with a single point is drawn as a disc
                label = next((entry for entry in legend if entry[0] == colour), None)
            if label is not None:
                legend.remove(label)
            x, y = (_values(points[:, k], scale) for k, scale in enumerate(scales))
            line, marker = ("", "o") if style == "o" else (style, "")
            ax.plot(x, y, color=colour, ls=line, marker=marker, ms=4, label=label[2] if label is not None else "_")
        for name, scale, ends in (
            ("x", scales[0], (panel.left, panel.right)),
            ("y", scales[1], (panel.bottom, panel.top)),
        ):
            if scale[0]:
                getattr(ax, f"set_{name}scale")("log")
            getattr(ax, f"set_{name}lim")(*_values(np.array(ends), scale))
        ax.set_title(panel.title, loc="left")
        ax.set_xlabel(panel.x_label)
        ax.set_ylabel(panel.y_label)
        ax.grid(True, color=_FAINT)
        ax.set_axisbelow(True)
        ax.spines[["top", "right"]].set_visible(False)
        # of one curve the legend would say what the title says
        if len(panel.legend) > 1:
            ax.legend(frameon=False)
    return figure, axes[:, 0]


def _values(places: NDArray[np.float64], scale: tuple[bool, float, float]) -> NDArray[np.float64]:
    is_power, offset, slope = scale
    values = offset + slope * places
    return np.power(10.0, values) if is_power else values


def _image(path: Path) -> tuple[Any, NDArray[Any]]:
    import matplotlib.pyplot as plt

    picture = plt.imread(path)
    height, width = picture.shape[:2]
    figure, ax = plt.subplots(figsize=(8, 8 * height / width), layout="constrained")
    ax.imshow(picture)
    ax.axis("off")
    return figure, np.array([ax])
