"""Run directories as Python sees them, compared with their files read by hand."""

from __future__ import annotations

import builtins
import csv
import math
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest
from conftest import EXAMPLES, REPOSITORY, command

from dem import results
from dem.errors import Error


def rows_of(path: Path) -> tuple[list[str], list[list[str]]]:
    with builtins.open(path, newline="", encoding="utf-8") as file:
        rows = list(csv.reader(file))
    return rows[0], rows[1:]


def dictionary(file: str) -> dict[str, str]:
    """Units of the columns of a file as the data dictionary of the guide has them; NAME stands for any name."""
    text = (REPOSITORY / "docs/src/data_dictionary.md").read_text(encoding="utf-8")
    part = text.split(f"## `{file}`")[1].split("\n## ")[0]
    rows = re.findall(r"^\| `([^`]+)` \| ([^|]+) \|", part, re.MULTILINE)
    return {name: {"-": "1", "m²": "m^2"}.get(unit.strip(), unit.strip()) for name, unit in rows}


def unit_in(dictionary: dict[str, str], column: str, name: str) -> str:
    found = {key.replace("NAME", name): unit for key, unit in dictionary.items()}
    return found[column]


# tables


def test_series_has_the_numbers_of_its_file(settling: Path) -> None:
    names, rows = rows_of(settling / "series.csv")
    series = results.open(settling).series
    assert list(series.columns) == names and len(series) == len(rows) >= 5
    for name, column in zip(names, zip(*rows, strict=True), strict=True):
        for cell, value in zip(column, series[name], strict=True):
            # to the last bit
            assert (math.isnan(float(cell)) and math.isnan(value)) or float(cell) == value, name


def test_types_of_columns_do_not_depend_on_their_numbers(settling: Path) -> None:
    series = results.open(settling).series
    # all zero in this run
    assert set(series["rolling_work"]) == {0} and series["rolling_work"].dtype == np.float64
    assert series["step"].dtype == np.int64 and series["rattlers"].dtype == np.int64


def test_units_of_series_are_those_of_the_data_dictionary(settling: Path, clumps: Path) -> None:
    known = dictionary("series.csv")
    assert len(known) > 80
    for path, wall in ((settling, "floor"), (clumps, "box")):
        run = results.open(path)
        units = run.series.attrs["units"]
        assert units == run.units and set(units) == set(run.series.columns)
        for column, unit in units.items():
            assert unit == unit_in(known, column, wall), column


@pytest.mark.parametrize("file", ["series.csv", "profiles.csv", "contacts.csv"])
def test_all_columns_of_the_data_dictionary_have_their_units(file: str) -> None:
    from dem import _units

    for name, unit in dictionary(file).items():
        for wall in ("floor", "a_force_b", "work"):
            assert _units.of_column(name.replace("NAME", wall)) == unit, (name, wall)


def test_columns_of_a_deforming_cell_have_units(cell: Path) -> None:
    run = results.open(cell)
    expected = {
        "mean_stress": "Pa",
        "deviator": "Pa",
        "stress_xz": "Pa",
        "viscous_stress_zz": "Pa",
        "kinetic_stress_yy": "Pa",
        "stress_skew": "Pa",
        "strain_xy": "1",
        "engineering_strain_xx": "1",
        "fabric_zz": "1",
        "stress_error": "1",
        "q_over_p": "1",
        "cell_work": "J",
        "cell_edge_2_y": "m",
        "inertial_number": "1",
    }
    units = run.units
    assert {name: units[name] for name in expected} == expected
    assert set(units) == set(run.series.columns)


def test_columns_of_pressing_walls_and_unknown_ones() -> None:
    from dem import _units

    names = ["wall_lid_pressing_force", "wall_lid_pressure", "wall_lid_way", "wall_lid_servo_error", "plastic_work"]
    assert [_units.of_column(name) for name in names] == ["N", "Pa", "m", "1", "J"]
    assert _units.of_column("something_new") is None


def test_a_row_that_is_being_written_is_left_out(settling: Path, tmp_path: Path) -> None:
    copied = tmp_path / "run"
    shutil.copytree(settling, copied)
    text = (settling / "series.csv").read_text(encoding="utf-8")
    (copied / "series.csv").write_text(text[:-40], encoding="utf-8")
    whole, part = results.open(settling).series, results.open(copied).series
    assert len(part) == len(whole) - 1
    assert part.equals(whole.iloc[:-1].reset_index(drop=True))


def test_a_run_without_rows_says_so(settling: Path, tmp_path: Path) -> None:
    shutil.copy(settling / "scene.resolved.toml", tmp_path)
    run = results.open(tmp_path)
    with pytest.raises(Error, match="no row yet"):
        run.read_series()
    (tmp_path / "series.csv").write_text("step,ti", encoding="utf-8")
    with pytest.raises(Error, match="no row yet"):
        run.read_series()
    assert run.summary is None and run.units == {} and run.profiles is None and run.chosen_contacts is None
    assert len(run.frames) == 0 and run.checkpoints == [] and run.picture is None and run.beginning is None
    assert "not ended" in repr(run) and "not ended" in run._repr_html_()
    with pytest.raises(IndexError):
        run.frames[0]
    with pytest.raises(ValueError, match="no frames yet"):
        run.frames.at(time=0.0)


def test_series_with_polars(settling: Path) -> None:
    polars = pytest.importorskip("polars")
    run = results.open(settling)
    frame = run.read_series("polars")
    assert isinstance(frame, polars.DataFrame)
    for name in frame.columns:
        assert np.array_equal(frame[name].to_numpy(), run.series[name].to_numpy(), equal_nan=True), name
    assert frame["step"].dtype == polars.Int64 and frame["rolling_work"].dtype == polars.Float64


def test_libraries_that_are_unknown_or_missing(settling: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = results.open(settling)
    with pytest.raises(ValueError, match="expected 'pandas' or 'polars'"):
        run.read_series("excel")
    monkeypatch.setitem(sys.modules, "polars", None)
    with pytest.raises(ImportError, match=re.escape('pip install "granular-dem[polars]"')):
        run.read_series("polars")


def test_profiles_and_chosen_contacts(probed: Path, followed: Path) -> None:
    for table, path, file in (
        (results.open(probed).profiles, probed, "profiles.csv"),
        (results.open(followed).chosen_contacts, followed, "contacts.csv"),
    ):
        names, rows = rows_of(path / file)
        assert table is not None and list(table.columns) == names and len(table) == len(rows) > 3
        assert table.attrs["units"] == {name: dictionary(file)[name] for name in names}
        last = np.array([float(cell) for cell in rows[-1]])
        assert np.array_equal(table.iloc[-1].to_numpy(float), last, equal_nan=True)


# directories


def test_what_is_no_run_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="does not exist"):
        results.open(tmp_path / "nothing")
    with pytest.raises(Error, match="no run directory"):
        results.open(tmp_path)
    (tmp_path / "members").mkdir()
    with pytest.raises(Error, match="holds several runs"):
        results.open(str(tmp_path))


def test_summary_picture_and_checkpoints(settling: Path, tmp_path: Path) -> None:
    run = results.open(settling)
    assert run.directory == settling
    summary = run.summary
    assert summary is not None and summary["particles"] == 500 and summary["steps"] == run.series["step"].iloc[-1]
    assert run.beginning is not None and run.beginning["particles"] == 500
    assert run.picture == (settling / "picture.png").read_bytes()
    assert run.checkpoints and run.checkpoints[-1].name == f"step_{summary['steps']:012d}.ckpt"
    copied = tmp_path / "run"
    shutil.copytree(settling, copied)
    (copied / "summary.json").write_text("{", encoding="utf-8")
    with pytest.raises(Error, match=r"summary\.json is damaged"):
        _ = results.open(copied).summary


def test_checkpoints_are_in_order(settling: Path, tmp_path: Path) -> None:
    shutil.copy(settling / "scene.resolved.toml", tmp_path)
    (tmp_path / "checkpoints").mkdir()
    for step in (1000, 2, 30):
        (tmp_path / "checkpoints" / f"step_{step:012d}.ckpt").touch()
    (tmp_path / "checkpoints" / "step_000000000001.ckpt.tmp").touch()
    names = [path.name for path in results.open(tmp_path).checkpoints]
    assert names == ["step_000000000002.ckpt", "step_000000000030.ckpt", "step_000000001000.ckpt"]


def test_scene_of_a_run(settling: Path) -> None:
    scene = results.open(settling).scene
    assert scene["contact"]["friction"] == 0.4 and scene.get("output.snapshots") == "2 ms"


def test_display(settling: Path) -> None:
    run = results.open(settling)
    assert str(settling) in repr(run)
    html = run._repr_html_()
    assert "500 spheres settling on a floor" in html and "<th style='text-align:left'>particles</th>" in html
    picture = run._repr_png_()
    assert picture is not None and picture.startswith(b"\x89PNG") and len(picture) < len(run.picture or b"")


# frames


def test_frames_are_those_of_the_file(settling: Path) -> None:
    frames = results.open(settling).frames
    with h5py.File(settling / "snapshots.vtkhdf") as file:
        times, steps = file["frames/time"][:], file["frames/step"][:]
    assert len(frames) == len(times) == 12
    assert np.array_equal(frames.times, times) and np.array_equal(frames.steps, steps)
    assert [frame.step for frame in frames] == steps.tolist()
    assert (frames[-1].time, frames[0].step, frames[-12].step) == (times[-1], 0, 0)
    part = frames[2:9:3]
    assert len(part) == 3 and part.steps.tolist() == steps[2:9:3].tolist() and part[-1].step == steps[8]
    assert frames[::-1][0].step == steps[-1] and np.array_equal(frames[::-1].times, times[::-1])
    for wrong in (12, -13):
        with pytest.raises(IndexError, match="of 12"):
            frames[wrong]
    assert repr(frames) == f"<dem.Frames: 12, t = 0 to {times[-1]:g} s>"


def test_frames_by_time_and_step(settling: Path) -> None:
    frames = results.open(settling).frames
    times, steps = frames.times, frames.steps
    assert frames.at("4 ms").time == times[2] and abs(times[2] - 0.004) < 1e-5
    assert frames.at(time=0.0049).step == steps[2] and frames.at(time=0.0051).step == steps[3]
    assert frames.at(step=int(steps[5])).time == times[5]
    # half the time between frames beyond the ends, and no farther
    assert frames.at(time=-0.0009).step == 0
    for wrong in (-0.0011, times[-1] + 0.51 * (times[-1] - times[-2]), "1 s"):
        with pytest.raises(ValueError, match="no frame is near"):
            frames.at(time=wrong)
    with pytest.raises(ValueError, match=f"nearest is of step {steps[5]}"):
        frames.at(step=int(steps[5]) + 1)
    for wrong_call in ({}, {"time": 0.0, "step": 0}):
        with pytest.raises(TypeError, match="either time or step"):
            frames.at(**wrong_call)
    with pytest.raises(ValueError, match="kg"):
        frames.at("4 kg")
    single = frames[3:4]
    assert single.at(time=float(times[3])).step == steps[3]
    with pytest.raises(ValueError, match="no frame is near"):
        single.at(time=float(times[3]) + 1e-6)


def test_a_frame_on_its_way_is_not_there_yet(settling: Path, tmp_path: Path) -> None:
    copied = tmp_path / "run"
    shutil.copytree(settling, copied)
    run = results.open(copied)
    assert len(run.frames) == 12
    with h5py.File(copied / "snapshots.vtkhdf", "r+") as file:
        for name in ("frames/step", "frames/kinetic_energy"):
            file[name].resize((13,))
    assert len(run.frames) == 12 and run.frames[-1].step == results.open(settling).frames[-1].step


def test_a_damaged_file_says_so(settling: Path, tmp_path: Path) -> None:
    shutil.copy(settling / "scene.resolved.toml", tmp_path)
    (tmp_path / "snapshots.vtkhdf").write_bytes((settling / "snapshots.vtkhdf").read_bytes()[:5000])
    with pytest.raises(Error, match="if a run writes to it, wait a moment"):
        _ = results.open(tmp_path).frames


def test_frames_of_a_run_that_goes_on(tmp_path: Path) -> None:
    out = tmp_path / "run"
    options = [
        "--until",
        "0.08 s",
        "--no-pictures",
        "--set",
        "output.snapshots=0.5 ms",
        "--set",
        "output.series=0.5 ms",
    ]
    line = [*command(), "run", str(EXAMPLES / "settling_box.toml"), "--out", str(out), *options]
    seen: list[int] = []
    with subprocess.Popen(line, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        while process.poll() is None:
            if not (out / "scene.resolved.toml").is_file():
                continue
            run = results.open(out)
            try:
                frames = run.frames
                if len(frames):
                    assert len(frames[-1].particles) == 500
                    assert len(run.series)
            except Error as error:
                assert re.search("wait a moment|no row yet", str(error))
            else:
                seen.append(len(frames))
    assert process.returncode == 0
    assert seen == sorted(seen) and len(set(seen)) > 2, "the run was over too soon to be looked at"
    frames = results.open(out).frames
    assert len(frames) == 162 and len(frames[-1].particles) == 500


def test_numbers_of_frames_are_cached_until_the_file_changes(settling: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = results.open(settling)
    first = run.frames
    opened: list[Any] = []
    real = h5py.File
    monkeypatch.setattr(h5py, "File", lambda *a, **k: opened.append(a) or real(*a, **k))
    assert run.frames is first and not opened
    frame = run.frames[4]
    assert not opened, "a frame is read when it is asked for"
    frame.arrays("particles")
    frame.arrays("particles")
    assert len(opened) == 1, "all columns are read at once, and once"
