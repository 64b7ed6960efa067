"""Drawing of frames."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numpy.typing import NDArray

from .frame import Frame, column_of

if TYPE_CHECKING:
    import matplotlib.axes
    import matplotlib.figure

_GREY = "#8fa3b3"
#: The largest size of a picture in a notebook [pixels].
_PIXELS = 400


def _plane(frame: Frame, view: str | None) -> tuple[int, int, int, int]:
    """Axes to the right, up and towards the eye, and the sign of the last."""
    if view is None:
        particles = frame._table("particles")
        position, radius = particles["position"][0], particles["radius"][0]
        flat = len(radius) > 1 and np.ptp(position[:, 2]) < radius.max() and np.ptp(position[:, 1]) > radius.max()
        view = "xy" if flat else "xz"
    if len(view) != 2 or view[0] == view[1] or not set(view) <= set("xyz"):
        raise ValueError(f"view = {view!r}, expected two of the axes x, y, z, as in 'xz'")
    right, up = "xyz".index(view[0]), "xyz".index(view[1])
    depth = 3 - right - up
    # the eye looks along the axis that makes right, up and depth right-handed
    return right, up, depth, 1 if (right + 1) % 3 == up else -1


def draw(
    frame: Frame,
    colour: str | NDArray[Any] | None,
    *,
    view: str | None,
    ax: matplotlib.axes.Axes | None,
    cmap: str,
    limits: tuple[float, float] | None,
    figure: matplotlib.figure.Figure | None = None,
) -> tuple[matplotlib.figure.Figure, matplotlib.axes.Axes]:
    """Draws the spheres into axes, into a new part of a figure, or into a figure of its own."""
    from matplotlib.collections import EllipseCollection

    right, up, depth, sign = _plane(frame, view)
    particles = frame._table("particles")
    position, radius = particles["position"][0], particles["radius"][0]
    values, text = None, ""
    if isinstance(colour, str):
        values, _, text = column_of(frame, colour)
    elif colour is not None:
        values = np.asarray(colour)
        if values.shape != radius.shape:
            raise ValueError(
                f"colour has the shape {values.shape}, expected {radius.shape}, one number for each particle"
            )
    order = np.argsort(sign * position[:, depth], kind="stable")
    centres = position[order][:, [right, up]]
    size = 2 * radius[order]
    if ax is None:
        if figure is None:
            import matplotlib.pyplot as plt

            figure = plt.figure(figsize=_figure_size(centres, size), layout="constrained")
        ax = figure.add_subplot()
    owner = cast("matplotlib.figure.Figure", ax.figure)
    spheres = EllipseCollection(
        size,
        size,
        np.zeros(len(order)),
        units="xy",
        offsets=centres,
        offset_transform=ax.transData,
        edgecolors="#14181c",
        linewidths=0.2,
    )
    if values is None:
        spheres.set_facecolor(_GREY)
    else:
        spheres.set_array(np.asarray(values, dtype=float)[order])
        spheres.set_cmap(cmap)
        if limits is not None:
            spheres.set_clim(*limits)
    ax.add_collection(spheres, autolim=False)
    if values is not None and len(order):
        owner.colorbar(spheres, ax=ax, label=text)
    _set_limits(ax, centres, size)
    ax.set_xlabel(f"{'xyz'[right]} [m]")
    ax.set_ylabel(f"{'xyz'[up]} [m]")
    return owner, ax


def _ends(centres: NDArray[Any], size: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    """Ends of the spheres along both axes, with a margin."""
    low = (centres - 0.5 * size[:, None]).min(axis=0)
    high = (centres + 0.5 * size[:, None]).max(axis=0)
    margin = 0.02 * float((high - low).max())
    return low - margin, high + margin


def _figure_size(centres: NDArray[Any], size: NDArray[Any], longest: float = 5.0) -> tuple[float, float]:
    """Width and height of a figure that fits the spheres [inch], with room for labels and the colour bar."""
    if len(size) == 0:
        return longest, longest
    low, high = _ends(centres, size)
    width, height = np.maximum((high - low) * longest / float((high - low).max()), 0.3 * longest)
    return float(width) + 1.6, float(height) + 0.7


def _set_limits(ax: matplotlib.axes.Axes, centres: NDArray[Any], size: NDArray[Any]) -> None:
    """Equal scales, limits that show all spheres, and no more numbers than there is room for."""
    from matplotlib.ticker import MaxNLocator

    ax.set_aspect("equal", adjustable="box")
    if len(size) == 0:
        return
    low, high = _ends(centres, size)
    ax.set_xlim(float(low[0]), float(high[0]))
    ax.set_ylim(float(low[1]), float(high[1]))
    share = (high - low) / float((high - low).max())
    ax.xaxis.set_major_locator(MaxNLocator(max(2, round(4 * float(share[0])))))
    ax.yaxis.set_major_locator(MaxNLocator(max(2, round(7 * float(share[1])))))


def small_picture(frame: Frame) -> bytes | None:
    """A small side view in PNG, None without particles. Leaves figures of the user alone."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    if frame.particle_count == 0:
        return None
    figure = Figure(figsize=(4, 4), dpi=_PIXELS / 4, layout="constrained")
    FigureCanvasAgg(figure)
    draw(
        frame,
        "velocity" if "velocity" in frame._table("particles") else None,
        view=None,
        ax=None,
        cmap="viridis",
        limits=None,
        figure=figure,
    )
    file = io.BytesIO()
    figure.savefig(file, format="png", bbox_inches="tight", pad_inches=0.05)
    return file.getvalue()


def blocks(frame: Frame, pyvista: Any, spheres: bool) -> Any:
    """The blocks of :meth:`Frame.to_pyvista`."""
    particles = frame.arrays("particles")
    points = _points(pyvista, particles)
    made = {"particles": points}
    if spheres and len(particles["radius"]):
        ball = pyvista.Sphere(radius=1.0, theta_resolution=16, phi_resolution=12)
        made["spheres"] = points.glyph(geom=ball, scale="radius", orient=False)
    if "contacts" in frame._tables:
        made["contacts"] = _lines(pyvista, particles, frame.arrays("contacts"))
    if "bodies" in frame._tables:
        made["bodies"] = _points(pyvista, frame.arrays("bodies"))
    return pyvista.MultiBlock(made)


def _points(pyvista: Any, columns: dict[str, NDArray[Any]]) -> Any:
    points = pyvista.PolyData(np.array(columns["position"], dtype=float).reshape(-1, 3))
    for name, array in columns.items():
        if name != "position":
            points.point_data[name] = array.copy()
    return points


def _lines(pyvista: Any, particles: dict[str, NDArray[Any]], contacts: dict[str, NDArray[Any]]) -> Any:
    """Lines from the first centre along the branch, which goes to the nearest image across periodic faces."""
    count = len(contacts["first"])
    first = np.searchsorted(particles["id"], contacts["first"])
    start = particles["position"][first] if count else np.empty((0, 3))
    ends = np.stack([start, start + contacts["branch"]], axis=1).reshape(-1, 3)
    lines = np.column_stack([np.full(count, 2), 2 * np.arange(count), 2 * np.arange(count) + 1])
    mesh = pyvista.PolyData(ends, lines=lines.ravel()) if count else pyvista.PolyData()
    for name, array in contacts.items():
        if count:
            mesh.cell_data[name] = array.copy()
    return mesh
