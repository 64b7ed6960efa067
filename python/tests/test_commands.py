"""Commands as functions: their signatures, what they pass on, and what comes back."""

from __future__ import annotations

import csv
import gc
import inspect
import json
import os
import pickle
import re
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import EXAMPLES, command

from dem import _command_line, commands, results
from dem.errors import CommandError
from dem.reports import Report, Table

DESCRIPTION: dict[str, Any] = {
    "name": "weigh",
    "about": "Weigh some things",
    "arguments": [
        {"name": "dry", "long": "dry-run", "values": "none"},
        {"name": "from", "long": "from", "values": "one", "help": "Where to begin", "default": "zero"},
        {"name": "laws", "long": "law", "values": "many", "value_name": "A,B"},
        {"name": "table", "long": "table", "values": "one"},
        {"name": "pressure", "long": "pressure", "values": "one", "unit": "Pa"},
        {"name": "count", "short": "c", "values": "one"},
        {"name": "kind", "long": "kind", "values": "one", "choices": ["a", "b"], "required": True},
        {"name": "json", "long": "json", "values": "none"},
        {"name": "things", "values": "many", "positional": True, "required": True},
        {"name": "place", "values": "one", "positional": True},
    ],
    "commands": [],
}
BLANK: dict[str, Any] = {
    "long": None,
    "short": None,
    "positional": False,
    "help": None,
    "choices": [],
    "default": None,
    "required": False,
    "value_name": None,
}
DESCRIPTION["arguments"] = [{**BLANK, **argument} for argument in DESCRIPTION["arguments"]]


@pytest.fixture(autouse=True)
def _tested_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(commands, "_command", command)


@pytest.fixture
def own_temporary_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody else makes folders there meanwhile."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))


def temporary_folders() -> set[str]:
    return {name for name in os.listdir(tempfile.gettempdir()) if name.startswith("dem_")}


# from the description to functions


def test_signature_and_documentation() -> None:
    signature = _command_line.signature(DESCRIPTION, Report)
    things = "(things, place=None, *, dry_run=False, from_=None, law=None, table=None, pressure=None, count=None, kind)"
    assert str(signature) == f"{things} -> dem.reports.Report"
    text = _command_line.documentation(DESCRIPTION, "dem weigh")
    assert text.startswith("Weigh some things.\n") and "``dem weigh``" in text
    assert "    from_: Where to begin. Default: zero.\n" in text and "One of a, b." in text and "json" not in text


@pytest.mark.parametrize(
    ("values", "line"),
    [
        ({"dry_run": True}, ["--dry-run"]),
        ({"dry_run": False, "from_": None}, []),
        ({"from_": "2 s"}, ["--from=2 s"]),
        ({"from_": -0.5}, ["--from=-0.5"]),
        ({"from_": 1e-6}, ["--from=1e-06"]),
        ({"from_": np.float64(0.25)}, ["--from=0.25"]),
        ({"from_": np.int32(3)}, ["--from=3"]),
        ({"from_": Path("a/b")}, ["--from=a/b"]),
        ({"from_": [1, 2.5, "3 m"]}, ["--from=1,2.5,3 m"]),
        ({"law": ["a:k=1,l=2", "b"]}, ["--law=a:k=1,l=2", "--law=b"]),
        ({"law": np.array([0.25, 0.5])}, ["--law=0.25", "--law=0.5"]),
        ({"law": range(2)}, ["--law=0", "--law=1"]),
        ({"law": []}, []),
        (
            {"law": {"a.b": 1.5, "c": "2 s", "d": True, "e": [1, 2]}},
            ["--law=a.b=1.5", "--law=c=2 s", "--law=d=true", "--law=e=[1, 2]"],
        ),
        (
            {"table": {"type": "uniform", "min": "2 mm", "max": np.float64(0.003)}},
            ['--table={ type = "uniform", min = "2 mm", max = 0.003 }'],
        ),
        ({"pressure": 100}, ["--pressure=100 Pa"]),
        ({"pressure": "1 kPa"}, ["--pressure=1 kPa"]),
        ({"count": 3}, ["-c", "3"]),
        ({"things": "-x", "from_": 1}, ["--from=1", "--", "-x"]),
        ({"things": ["a", Path("b")], "place": "c"}, ["--", "a", "b", "c"]),
    ],
)
def test_values_become_arguments(values: dict[str, Any], line: list[str]) -> None:
    assert _command_line.command_line(DESCRIPTION, values) == line


@pytest.mark.parametrize(
    "values", [{"dry_run": 1}, {"dry_run": "yes"}, {"from_": True}, {"from_": object()}, {"law": [None]}]
)
def test_values_of_a_wrong_kind(values: dict[str, Any]) -> None:
    with pytest.raises(TypeError, match=next(iter(values))):
        _command_line.command_line(DESCRIPTION, values)


def test_all_commands_are_there() -> None:
    assert {"sliding", "adhesion", "rotation_objectivity", "yield_"} <= set(dir(commands.study))
    for name in dir(commands.study):
        function = getattr(commands.study, name)
        parameters = inspect.signature(function).parameters
        assert {"out", "force", "threads"} <= set(parameters) and function.__doc__.startswith(
            function.__doc__[:1].upper()
        )
        assert not {"json", "verbose", "quiet", "help"} & set(parameters)
    assert set(commands.NAMES) <= set(dir(commands))
    for name in commands.NAMES:
        assert f"``dem {name}``" in getattr(commands, name).__doc__
    parameters = inspect.signature(commands.pack).parameters
    assert next(iter(parameters)) == "method" and parameters["method"].default is inspect.Parameter.empty
    assert parameters["friction_bounds"].kind is inspect.Parameter.KEYWORD_ONLY
    assert "temporary folder" in commands.pack.__doc__


def test_wrong_names(settling: Path) -> None:
    with pytest.raises(TypeError, match=r"pack\(\) has no keyword 'frictoin': did you mean `friction`\?"):
        commands.pack("deposition", frictoin=0.3)
    with pytest.raises(TypeError, match=r"profile\(\) missing a required (keyword-only )?argument: 'axis'"):
        commands.profile(settling)
    with pytest.raises(TypeError, match=r"pack\(\) too many positional arguments"):
        commands.pack("deposition", 3)
    with pytest.raises(AttributeError, match="did you mean `sliding`"):
        _ = commands.study.slidin
    with pytest.raises(AttributeError):
        _ = commands.packing


# reports


@pytest.mark.usefixtures("own_temporary_folder")
def test_packing_in_a_temporary_folder() -> None:
    before = temporary_folders()
    report = commands.pack(
        "random-sequential", count=50, sizes={"type": "uniform", "min": "1 mm", "max": "2 mm"}, seed=3
    )
    assert report.directory.is_dir() and len(temporary_folders() - before) == 1
    assert (
        report.command[:2] == ["dem", "pack"] and report.shortfalls == [] and "random-sequential, seed 3" in report.text
    )
    table = report.tables[0]
    assert (table.name, table.columns) == ("packing", ["x", "y", "z", "r"]) and "prepared" not in " ".join(
        report.tables
    )
    packing = table.to_pandas()
    assert len(packing) == 50 and packing["r"].between(0.001, 0.002).all() and packing["r"].nunique() == 50
    assert report.record is not None and report.record["particles"] == 50
    run = report.run
    assert run is not None and run.frames[-1].particle_count == 50
    assert os.fspath(report) == str(report.directory)
    report.close()
    assert not report.directory.exists() and temporary_folders() == before
    with commands.pack("random-sequential", count=30) as second:
        directory = second.directory
        assert directory.exists()
    assert not directory.exists()
    third = commands.pack("random-sequential", count=30)
    directory = third.directory
    del third
    gc.collect()
    assert not directory.exists() and temporary_folders() == before


def test_a_directory_of_the_user_stays_and_is_not_replaced(tmp_path: Path) -> None:
    out = tmp_path / "packing"
    report = commands.pack("random-sequential", count=30, out=out)
    report.close()
    written = (out / "packing.csv").read_bytes()
    with pytest.raises(CommandError, match="packing") as caught:
        commands.pack("random-sequential", count=40, out=out)
    assert caught.value.code == 2 and f"--out={out}" in caught.value.command
    assert (out / "packing.csv").read_bytes() == written
    assert len(commands.pack("random-sequential", count=40, out=out, force=True).tables["packing"].to_pandas()) == 40


@pytest.mark.usefixtures("own_temporary_folder")
def test_errors_of_commands() -> None:
    before = temporary_folders()
    with pytest.raises(CommandError, match=r"^--friction = 3") as caught:
        commands.study.sliding(friction=3)
    assert caught.value.code == 2 and caught.value.command[:3] == ["dem", "study", "sliding"]
    assert temporary_folders() == before
    again = pickle.loads(pickle.dumps(caught.value))
    assert (again.code, str(again)) == (2, str(caught.value))


def test_a_study_with_tables_figures_and_findings() -> None:
    report = commands.study.adhesion()
    assert list(report.tables)[:2] == ["adhesion", "adhesion_laws"] and report.tables[0].name == "adhesion"
    with (report.directory / "adhesion.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    table = report.tables[0].to_pandas()
    assert table["law"].tolist() == [row["law"] for row in rows]
    assert table["pull_off_N"].tolist() == [float(row["pull_off_N"]) for row in rows]
    units = table.attrs["units"]
    assert (units["pull_off_N"], units["end_distance_m"], units["loop_work_J"]) == (
        "N",
        "m",
        "J",
    ) and "law" not in units
    assert report.tables["adhesion_impacts"].units["speed_m_s"] == "m/s"
    # a comma within a cell
    assert (
        "jkr:surface_energy=0.05,separation=peak" in report.tables["adhesion_laws"].to_pandas()["as_written"].tolist()
    )
    assert list(report.figures) == ["adhesion_pull_off", "adhesion_impacts", "adhesion_bridges"]
    assert all(path.suffix == ".png" and path.is_file() for path in report.figures.values())
    assert report.figures["adhesion_pull_off"].with_suffix(".svg").is_file()
    assert report.findings[0].startswith("Pull-off forces") and report.findings[-1].startswith("Bridges break")
    with pytest.raises(KeyError, match="no table 'adhesio'; expected one of adhesion,"):
        report.tables["adhesio"]
    with pytest.raises(IndexError):
        report.tables[6]
    html = report._repr_html_()
    assert "Pull-off forces" in html and "pull_off_N" in html and "<img" in html and "also: adhesion_laws" in html
    assert "6 tables, 3 figures" in repr(report)


def test_tables_with_polars(tmp_path: Path) -> None:
    polars = pytest.importorskip("polars")
    path = tmp_path / "some.csv"
    path.write_text('name,speed_m_s,agrees,remark\n"a,b",1e-3,true,\nc,NaN,false,NA\n', encoding="utf-8")
    table = Table(path)
    assert table.columns == ["name", "speed_m_s", "agrees", "remark"] and table.units == {"speed_m_s": "m/s"}
    assert isinstance(table.to_polars(), polars.DataFrame) and table.to_polars()["name"].to_list() == ["a,b", "c"]
    frame = table.to_pandas()
    # NA is a text as any other
    assert frame["agrees"].tolist() == [True, False] and frame["remark"].tolist()[1] == "NA"
    assert frame["remark"].isna().tolist() == [True, False] and frame["speed_m_s"].isna().tolist() == [False, True]


def test_units_of_headings() -> None:
    from dem import _units

    expected = {
        "secant_N_m": "N/m",
        "granular_temperature_m2_s2": "m^2/s^2",
        "E50_Pa": "Pa",
        "friction_angle_at_peak_deg": "deg",
        "difference_%": "%",
        "plastic_modulus_low_MPa": "MPa",
        "z_m": "m",
        "contact_time_s": "s",
        "cost_ns_per_particle_step": "ns",
        "region_volume_m3": "m^3",
        "steps": None,
        "law": None,
        "half_width_95": None,
        "m": None,
    }
    assert {name: _units.of_heading(name) for name in expected} == expected


# runs and scenes as arguments


def test_a_run_is_an_argument(settling: Path, tmp_path: Path) -> None:
    run = results.open(settling)
    before = {path.name for path in settling.iterdir()}
    with commands.profile(run, axis="z", bins=7) as report:
        assert len(report.tables["profile"].to_pandas()) == 7 and len(report.tables) == 4
    with commands.report(run) as page:
        assert page.page is not None and "<html" in page.page.read_text(encoding="utf-8")[:200]
        assert page.files == [page.page]
    assert {path.name for path in settling.iterdir()} == before, "nothing was written into the run"
    mine = commands.report(run, out=tmp_path / "mine.html")
    assert mine.page == tmp_path / "mine.html" and mine.tables._tables == {}


def test_a_scene_is_an_argument_and_shortfalls_are_told() -> None:
    from dem.scene import Scene

    scene = Scene.load(EXAMPLES / "settling_box.toml", set={"time.end": "4 ms"})
    before = temporary_folders()
    with pytest.warns(commands.ShortfallWarning, match="dem compare: request not met: .*not at rest") as caught:
        report = commands.compare(scene, laws=["hertz-mindlin", "linear"], seeds=[1, 2])
    assert caught[0].filename == __file__
    assert (
        len(report.shortfalls) == 4
        and report.shortfalls[0] == "law=hertz-mindlin,seed=1: end of time reached, not at rest"
    )
    runs = report.tables["runs"].to_pandas()
    assert runs["seed"].tolist() == [1, 2, 1, 2] and (runs["time_s"] < 0.0041).all()
    assert "Request not met" in report._repr_html_()
    # the folder of the scene has gone
    assert len(temporary_folders() - before) == 1
    report.close()


def test_files_that_a_scene_names_are_found(tmp_path: Path) -> None:
    from dem.scene import Scene

    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "grains.csv").write_text(
        "x,y,z,r\n0.01,0.01,0.004,0.002\n0.02,0.01,0.004,0.002\n", encoding="utf-8"
    )
    text = """
title = "a table"
[time]
end = "1 ms"
[materials.glass]
density = 2500
young_modulus = 1e7
poisson_ratio = 0.25
[contact]
law = "hertz-mindlin"
friction = 0.4
restitution = 0.5
[[walls]]
name = "floor"
material = "glass"
shape = { type = "plane", normal = [0, 0, 1] }
[[particles]]
name = "grains"
material = "glass"
fill = { type = "file", path = "parts/grains.csv" }
"""
    scene = Scene.from_toml(text, folder=tmp_path)
    before = scene.to_dict()
    with commands.compare(scene, laws="hertz-mindlin,linear", seeds="1") as report:
        assert len(report.tables["runs"].to_pandas()) == 2
    assert scene.to_dict() == before and [path.name for path in tmp_path.iterdir()] == ["parts"]


def test_validate() -> None:
    report = commands.validate(quick=True, case=["rotations"])
    checks = report.tables["checks"].to_pandas()
    assert set(checks["verdict"]) == {"pass"} and report.findings == [f"{len(checks)} of {len(checks)} checks pass."]
    assert report.page is not None and report.page.name == "validation.html"


def test_merge_takes_a_list(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="neither a run directory nor an ensemble") as caught:
        commands.merge([tmp_path, tmp_path / "other"])
    assert caught.value.command[-3:] == ["--", str(tmp_path), str(tmp_path / "other")]


# what commands write


def test_description_is_that_of_the_command_line() -> None:
    from dem import _engine

    described = json.loads(_engine.commands())
    assert described["name"] == "dem"
    for argument in described["commands"][0]["arguments"]:
        assert set(argument) >= {
            "name",
            "long",
            "short",
            "positional",
            "help",
            "values",
            "choices",
            "default",
            "required",
        }


def test_texts_that_are_long_are_no_paths(tmp_path: Path) -> None:
    lines = f"{tmp_path}{'x' * 10000}\n{tmp_path}/a.csv\n- {tmp_path}/b.csv\n"
    for name in ("a.csv", "b.csv", "c.csv"):
        (tmp_path / name).touch()
    (tmp_path / "tables").mkdir()
    (tmp_path / "written_by.json").write_text('{"files": ["c.csv", "a.csv", "tables/d.csv"]}', encoding="utf-8")
    assert [path.name for path in commands._files(tmp_path, lines)] == ["a.csv", "c.csv"]
    assert re.fullmatch(r"<dem.Tables: a, c>", repr(Report(tmp_path, commands._files(tmp_path, lines)).tables))
