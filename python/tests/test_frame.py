"""Frames: tables compared with datasets read by hand, pictures with the numbers that they show."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest

from dem import results
from dem.frame import Frame, component_names


def rows_by_hand(path: Path, frame: int, table: str) -> dict[str, np.ndarray[Any, Any]]:
    """The columns of a frame as the guide says that they are to be read."""
    with h5py.File(path / "snapshots.vtkhdf") as file:
        if table == "particles":
            offset, rows = file["VTKHDF/Steps/PointOffsets"][frame], file["VTKHDF/NumberOfPoints"][frame]
            columns = {name: file["VTKHDF/PointData"][name] for name in file["VTKHDF/PointData"]}
            columns["position"] = file["VTKHDF/Points"]
        else:
            offset, rows = file[table]["frame_offsets"][frame], file[table]["frame_rows"][frame]
            columns = {name: file[table][name] for name in file[table] if not name.startswith("frame_")}
        return {name: column[offset : offset + rows] for name, column in columns.items()}


@pytest.mark.parametrize("table", ["particles", "contacts", "walls"])
@pytest.mark.parametrize("number", [0, 5, 11])
def test_arrays_are_those_of_the_file(settling: Path, table: str, number: int) -> None:
    frame = results.open(settling).frames[number]
    expected = rows_by_hand(settling, number, table)
    arrays = frame.arrays(table)
    assert set(arrays) == set(expected)
    for name, array in expected.items():
        assert arrays[name].dtype == array.dtype and np.array_equal(arrays[name], array), name


def test_frames_of_different_lengths_do_not_mix(clumps: Path) -> None:
    frames = results.open(clumps).frames
    counts = [frame.particle_count for frame in frames]
    assert len(set(counts)) > 2
    for number, frame in enumerate(frames):
        expected = rows_by_hand(clumps, number, "bodies")
        assert np.array_equal(frame.arrays("bodies")["id"], expected["id"])
        assert np.array_equal(frame.arrays("particles")["body"], rows_by_hand(clumps, number, "particles")["body"])


def test_particles_with_pandas(settling: Path) -> None:
    frame = results.open(settling).frames[-1]
    expected = rows_by_hand(settling, 11, "particles")
    particles = frame.particles
    assert particles.index.name == "id" and particles.index.tolist() == expected["id"].tolist()
    for k, axis in enumerate("xyz"):
        for name in ("position", "velocity", "angular_velocity", "force"):
            assert np.array_equal(particles[f"{name}_{axis}"], expected[name][:, k])
    for k, axis in enumerate("xyzw"):
        assert np.array_equal(particles[f"orientation_{axis}"], expected["orientation"][:, k])
    units = particles.attrs["units"]
    assert set(units) == set(particles.columns)
    assert (units["position_y"], units["force_z"], units["radius"], units["material"]) == ("m", "N", "m", "1")
    assert frame.units("particles")["angular_velocity"] == "rad/s"


def test_contacts_and_walls_with_pandas(settling: Path) -> None:
    frame = results.open(settling).frames[-1]
    expected = rows_by_hand(settling, 11, "contacts")
    contacts = frame.contacts
    assert len(contacts) == len(expected["first"]) > 3 and contacts.index.tolist() == list(range(len(contacts)))
    assert np.array_equal(contacts["first"], expected["first"])
    assert np.array_equal(contacts["tangential_force_y"], expected["tangential_force"][:, 1])
    assert contacts.attrs["units"]["branch_x"] == "m" and contacts.attrs["units"]["normal_force"] == "N"
    walls = frame.walls
    assert walls.index.tolist() == ["floor"] and walls.index.name == "name"
    assert walls.loc["floor", "force_z"] == rows_by_hand(settling, 11, "walls")["force"][0, 2] < 0
    assert (frame.wall_names, frame.materials, frame.sources) == (["floor"], ["glass"], ["grains"])
    assert frame.title == "500 spheres settling on a floor" and frame.bodies is None


def test_bodies_with_pandas(clumps: Path) -> None:
    frame = results.open(clumps).frames[-1]
    expected = rows_by_hand(clumps, len(results.open(clumps).frames) - 1, "bodies")
    bodies = frame.bodies
    assert bodies is not None and bodies.index.name == "id" and len(bodies) == 30
    for k in range(3):
        # principal moments belong to no axis of space
        assert np.array_equal(bodies[f"moments_{k + 1}"], expected["moments"][:, k])
        assert np.array_equal(bodies[f"position_{'xyz'[k]}"], expected["position"][:, k])
    assert frame.templates == ["dimer", "rod", "tetrapod"]
    # the spheres of a body hang together about its centre of mass
    particles = frame.particles
    for number, body in bodies.iterrows():
        own = particles[particles["body"] == number]
        assert len(own) == body["spheres"]
        centre = np.average(own[["position_x", "position_y", "position_z"]], axis=0, weights=own["mass"])
        assert np.allclose(centre, body[["position_x", "position_y", "position_z"]].to_numpy(float), atol=1e-6)


def test_numbers_and_cell(cell: Path, settling: Path) -> None:
    frames = results.open(cell).frames
    with h5py.File(cell / "snapshots.vtkhdf") as file:
        edges = [[file[f"frames/cell_edge_{k}_{axis}"][-1] for axis in "xyz"] for k in (1, 2, 3)]
        energy = file["frames/kinetic_energy"][-1]
    found = frames[-1].cell
    assert found is not None and found.shape == (3, 3) and np.array_equal(found, edges)
    assert frames[-1].numbers["kinetic_energy"] == energy
    assert results.open(settling).frames[0].cell is None


def test_tables_that_are_not_there(settling: Path, tmp_path: Path) -> None:
    frame = results.open(settling).frames[0]
    with pytest.raises(KeyError, match="no table 'bodies', only particles, contacts, walls"):
        frame.arrays("bodies")
    alone = Frame(0, 0.0, {"particles": dict(frame._tables["particles"])})
    assert len(alone.contacts) == 0 and alone.contacts.attrs["units"] == {}


def test_arrays_cannot_be_written_to_and_tables_are_new(settling: Path) -> None:
    frame = results.open(settling).frames[-1]
    arrays = frame.arrays("particles")
    with pytest.raises(ValueError, match="read-only"):
        arrays["radius"][0] = 1.0
    particles = frame.particles
    before = particles.loc[0, "radius"]
    particles.loc[0, "radius"] = 1.0
    assert frame.particles.loc[0, "radius"] == before != 1.0


def test_component_names() -> None:
    assert component_names("force", 3) == ["force_x", "force_y", "force_z"]
    assert component_names("orientation", 4)[3] == "orientation_w"
    assert component_names("moments", 3) == ["moments_1", "moments_2", "moments_3"]
    assert component_names("stress", 6)[5] == "stress_6"


def small(count: int = 4) -> Frame:
    """Spheres in a row along y, the first one farthest to the front."""
    position = np.array([[0.0, 0.1 * k, 0.06 * k] for k in range(count)])
    radius = 0.02 + 0.01 * np.arange(count)
    particles = {
        "id": (np.arange(count, dtype=np.uint64) + 7, "1"),
        "position": (position, "m"),
        "radius": (radius, "m"),
        "velocity": (np.column_stack([np.zeros(count), 3.0 * np.arange(count), 4.0 * np.arange(count)]), "m/s"),
    }
    contacts = {
        "first": (np.array([7, 9], dtype=np.uint64), "1"),
        "second": (np.array([8, 10], dtype=np.uint64), "1"),
        "branch": (np.array([[0.0, 0.1, 0.06], [0.0, -0.3, 0.01]]), "m"),
        "normal_force": (np.array([1.0, 2.0]), "N"),
    }
    walls = {"number": (np.array([1, 0]), "1"), "work": (np.array([0.5, 0.25]), "J")}
    metadata = {"walls": ["floor", "lid"], "materials": "glass\nsteel", "title": "a row"}
    numbers = {"kinetic_energy": (0.125, "J")}
    return Frame(12, 0.5, {"particles": particles, "contacts": contacts, "walls": walls}, numbers, metadata)


def test_frames_of_other_origin() -> None:
    frame = small()
    assert frame.particles.index.tolist() == [7, 8, 9, 10] and frame.materials == ["glass", "steel"]
    assert frame.walls["work"].to_dict() == {"lid": 0.5, "floor": 0.25}
    assert (frame.step, frame.time, frame.particle_count, frame.numbers) == (12, 0.5, 4, {"kinetic_energy": 0.125})
    assert repr(frame) == "<dem.Frame: step 12, t = 0.5 s, 4 particles>"
    html = frame._repr_html_()
    assert "a row" in html and "0.125 J" in html and ">contacts</th><td style='text-align:left'>2<" in html


# pictures


def test_spheres_are_drawn_with_their_radii_from_far_to_near() -> None:
    frame = small()
    figure, ax = frame.plot()
    (spheres,) = ax.collections
    # seen from the front, along y: the farthest is drawn first
    offsets = np.asarray(spheres.get_offsets())
    assert np.allclose(offsets, [[0, 0.18], [0, 0.12], [0, 0.06], [0, 0]])
    assert np.allclose(spheres._widths, [0.05, 0.04, 0.03, 0.02])
    assert spheres._units == "xy" and ax.get_aspect() == 1
    assert np.allclose(spheres.get_array(), [15, 10, 5, 0])
    assert figure.axes[1].get_ylabel() == "speed [m/s]"
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("x [m]", "z [m]")
    assert ax.get_ylim()[0] < -0.02 and ax.get_ylim()[1] > 0.23 and ax.get_xlim()[0] < -0.05


def test_views_and_colours() -> None:
    frame = small()
    _, ax = frame.plot("velocity_y", view="yx", cmap="magma", limits=(0.0, 30.0))
    (spheres,) = ax.collections
    # seen from below, against z: the highest is the farthest
    assert np.allclose(spheres.get_offsets()[0], [0.3, 0.0]) and spheres.get_clim() == (0.0, 30.0)
    assert spheres.get_cmap().name == "magma" and np.allclose(spheres.get_array(), [9, 6, 3, 0])
    _, ax = frame.plot(np.array([4.0, 3.0, 2.0, 1.0]), view="xy")
    assert np.allclose(ax.collections[0].get_array(), [4, 3, 2, 1])
    figure, ax = frame.plot(None)
    assert len(figure.axes) == 1
    given = figure.add_subplot(2, 1, 2)
    assert frame.plot("radius", ax=given)[1] is given
    for wrong in ("xx", "x", "ab", "xyz"):
        with pytest.raises(ValueError, match="two of the axes"):
            frame.plot(view=wrong)
    for wrong in ("speeed", "velocity_w", "radius_x"):
        with pytest.raises(ValueError, match=f"no column '{wrong}'"):
            frame.plot(wrong)
    with pytest.raises(ValueError, match=re.escape("shape (3,), expected (4,)")):
        frame.plot(np.zeros(3))


def test_particles_in_a_plane_are_seen_from_above() -> None:
    frame = small()
    flat = dict(frame._tables["particles"])
    flat["position"] = (flat["position"][0] * [1, 1, 0], "m")
    _, ax = Frame(0, 0.0, {"particles": flat}).plot()
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("x [m]", "y [m]")


def test_pictures_of_notebooks_leave_other_figures_alone(settling: Path) -> None:
    import matplotlib.pyplot as plt

    picture = results.open(settling).frames[-1]._repr_png_()
    assert picture is not None and picture.startswith(b"\x89PNG") and len(picture) < 200_000
    assert plt.get_fignums() == []
    empty = Frame(0, 0.0, {"particles": {k: (v[:0], u) for k, (v, u) in small()._tables["particles"].items()}})
    assert empty._repr_png_() is None
    empty.plot()


def test_pictures_need_matplotlib(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.partition(".")[0] == "matplotlib"]:
        monkeypatch.setitem(sys.modules, name, None)
    frame = small()
    assert frame._repr_png_() is None and "<img" not in frame._repr_html_()
    with pytest.raises(ImportError):
        frame.plot()


# pyvista


def test_blocks_of_pyvista(settling: Path) -> None:
    pytest.importorskip("pyvista")
    frame = results.open(settling).frames[-1]
    blocks = frame.to_pyvista()
    assert blocks.keys() == ["particles", "spheres", "contacts"]
    expected = rows_by_hand(settling, 11, "particles")
    points = blocks["particles"]
    assert np.allclose(points.points, expected["position"]) and points.n_points == 500
    assert set(points.point_data) == set(expected) - {"position"}
    assert np.array_equal(points.point_data["velocity"], expected["velocity"])
    contacts = rows_by_hand(settling, 11, "contacts")
    lines = blocks["contacts"]
    assert lines.n_cells == len(contacts["first"])
    assert np.array_equal(lines.cell_data["normal_force"], contacts["normal_force"])
    for k, (first, branch) in enumerate(zip(contacts["first"], contacts["branch"], strict=True)):
        ends = lines.get_cell(k).points
        assert np.allclose(ends[0], expected["position"][expected["id"] == first][0], atol=1e-7)
        assert np.allclose(ends[1] - ends[0], branch, atol=1e-7)


def test_surfaces_of_spheres_have_their_size() -> None:
    pytest.importorskip("pyvista")
    frame = small()
    blocks = frame.to_pyvista()
    x = blocks["spheres"].bounds
    assert np.allclose([x[4], x[5]], [-0.02, 0.23], atol=1e-4)
    assert np.allclose([x[2], x[3]], [-0.02, 0.35], atol=2e-3)
    assert frame.to_pyvista(spheres=False).keys() == ["particles", "contacts"]
    alone = Frame(0, 0.0, {"particles": dict(frame._tables["particles"])})
    assert alone.to_pyvista().keys() == ["particles", "spheres"]


def test_bodies_are_points_of_pyvista(clumps: Path) -> None:
    pytest.importorskip("pyvista")
    frame = results.open(clumps).frames[-1]
    blocks = frame.to_pyvista(spheres=False)
    assert blocks["bodies"].n_points == 30 and blocks["contacts"].n_cells == len(frame.contacts)


def test_pyvista_is_named_if_it_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyvista", None)
    with pytest.raises(ImportError, match=re.escape('pip install "granular-dem[view]"')):
        small().to_pyvista()
