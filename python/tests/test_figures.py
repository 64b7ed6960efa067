"""Figures: curves compared with the columns that they show."""

from __future__ import annotations

import csv
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from conftest import command

from dem import _units, commands, figures, results
from dem.figures import plot


def curve(ax: Any, label: str) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    (line,) = [line for line in ax.lines if line.get_label() == label]
    return np.asarray(line.get_xdata(), dtype=float), np.asarray(line.get_ydata(), dtype=float)


def column(path: Path, name: str) -> np.ndarray[Any, Any]:
    with path.open(newline="", encoding="utf-8") as file:
        return np.array([float(row[name]) for row in csv.DictReader(file)])


def test_energy(settling: Path) -> None:
    figure, axes = plot.energy(settling)
    assert figure is axes[0].figure and len(axes) == 2
    time = column(settling / "series.csv", "time")
    pairs = {"kinetic": "kinetic_energy", "gravity": "gravity_energy", "friction": "friction_work"}
    for label, name in {**pairs, "damping": "viscous_work", "brought in": "exchanged_energy"}.items():
        x, y = curve(axes[0], label)
        assert np.array_equal(x, time) and np.array_equal(y, column(settling / "series.csv", name)), label
    # zero at the start has no place on a logarithmic axis
    _, translation = curve(axes[1], "translation")
    expected = column(settling / "series.csv", "kinetic_translation")
    assert expected[0] == 0 and np.isnan(translation[0]) and np.array_equal(translation[1:], expected[1:])
    assert [ax.get_yscale() for ax in axes] == ["linear", "log"]
    assert [ax.get_ylabel() for ax in axes] == ["energy [J]"] * 2 and axes[0].get_xlabel() == "time [s]"
    assert [ax.get_title(loc="left") for ax in axes] == ["Energy", "Kinetic energy"]


def test_coordination(settling: Path) -> None:
    _, axes = plot.coordination(results.open(settling))
    assert np.array_equal(curve(axes[0], "all")[1], column(settling / "series.csv", "coordination"))
    assert np.array_equal(curve(axes[1], "rattlers")[1], column(settling / "series.csv", "rattlers"))
    assert [ax.get_ylabel() for ax in axes] == ["coordination number [-]", "number [-]"]


def test_what_diverged_interrupts_a_curve_and_what_is_empty_is_left_out() -> None:
    table = pd.DataFrame(
        {"time": [0.0, 1.0, 2.0], "kinetic_energy": [1.0, 1e301, 2.0], "kinetic_translation": [0.0] * 3}
    )
    _, axes = figures._over_time(table, figures._ENERGY)
    assert len(axes) == 1 and np.isnan(curve(axes[0], "kinetic")[1][1])
    with pytest.raises(figures.NothingToShow):
        figures._over_time(table.drop(columns="kinetic_energy"), figures._ENERGY)


def test_all_plots_of_a_run(settling: Path, probed: Path) -> None:
    assert list(plot(settling)) == ["energy", "coordination"]
    assert list(plot(probed)) == ["energy", "coordination", "profiles"]
    assert len(plot(settling, "energy")[1]) == 2
    with pytest.raises(ValueError, match="expected one of energy, coordination, profiles"):
        plot(settling, "stress")
    with pytest.raises(ValueError, match="no averages of wall probes"):
        plot(settling, "profiles")


def test_profiles_are_those_of_the_last_row(probed: Path) -> None:
    _, axes = plot.profiles(probed)
    with (probed / "profiles.csv").open(newline="", encoding="utf-8") as file:
        rows = [{name: float(cell) for name, cell in row.items()} for row in csv.DictReader(file)]
    last = [row for row in rows if row["step"] == rows[-1]["step"]]
    assert any(row["pressure"] > 0 for row in last)
    for label, probe, bins in (("floor (0)", 0, 3), ("floor (1)", 1, 2)):
        x, y = curve(axes[0], label)
        for number in range(bins):
            own = [row for row in last if row["probe"] == probe and row["bin"] == number]
            assert x[number] == own[0]["position"]
            assert y[number] == pytest.approx(np.mean([row["pressure"] for row in own]), rel=1e-12)
    assert axes[0].get_ylabel() == "pressure [Pa]" and axes[-1].get_xlabel() == "angle [deg]"
    x, y = curve(axes[-1], "floor (0)")
    assert np.allclose(x, [45, 135, 225, 315])
    for sector in range(4):
        own = [row["pressure"] for row in last if row["probe"] == 0 and row["sector"] == sector]
        assert y[sector] == pytest.approx(np.mean(own), rel=1e-12)


def test_mobilised_friction_is_weighted_with_contacts() -> None:
    rows = pd.DataFrame(
        {
            "step": [1, 2, 2, 2],
            "probe": [0, 0, 0, 0],
            "wall": [1, 1, 1, 1],
            "bin": [0, 0, 0, 1],
            "sector": [0, 0, 1, 0],
            "position": [0.1, 0.1, 0.1, 0.2],
            "angle": [0.5, 0.5, 1.5, 0.5],
            "contacts": [9.0, 3.0, 1.0, 0.0],
            "pressure": [9.0, 10.0, 20.0, 0.0],
            "shear_along": [0.0, 1.0, 3.0, 0.0],
            "mobilised_friction": [0.9, 0.2, 0.4, np.nan],
        }
    )
    _, axes = figures._profiles(rows, ["floor", "wall of glass"])
    assert curve(axes[0], "wall of glass (0)")[1].tolist() == [15.0, 0.0]
    friction = curve(axes[2], "wall of glass (0)")[1]
    assert friction[0] == pytest.approx((3 * 0.2 + 0.4) / 4) and np.isnan(friction[1])
    assert curve(figures._profiles(rows, [])[1][0], "wall (0)")[0].tolist() == [0.1, 0.2]


def test_any_columns(cell: Path) -> None:
    _, axes = plot.series(cell, "time", "mean_stress", "porosity", "deviator", log=True)
    # columns of one unit share a panel
    assert [[line.get_label() for line in ax.lines] for ax in axes] == [["mean stress", "deviator"], ["porosity"]]
    assert [ax.get_ylabel() for ax in axes] == ["[Pa]", "porosity [-]"] and axes[0].get_yscale() == "log"
    assert np.array_equal(curve(axes[0], "deviator")[1], column(cell / "series.csv", "deviator"))
    table = pd.DataFrame({"x": [1.0, 2.0], "y": [3.0, 4.0]})
    table.attrs["units"] = {"x": "m"}
    _, axes = plot.series(table, "x", "y", labels=["mine"])
    assert (axes[0].get_xlabel(), axes[0].get_ylabel()) == ("x [m]", "y")
    assert axes[0].get_legend().get_texts()[0].get_text() == "mine"
    with pytest.raises(ValueError, match="no column 'z'; expected one of x, y"):
        plot.series(table, "x", "z")
    with pytest.raises(ValueError, match="at least one column"):
        plot.series(table, "x")
    with pytest.raises(ValueError, match="2 labels for 1 columns"):
        plot.series(table, "x", "y", labels=["a", "b"])


# figures of reports, drawn again


def test_curves_of_a_report_are_those_of_its_table(settling: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(commands, "_command", command)
    with commands.profile(settling, axis="z") as report:
        table = report.tables["profile"].to_pandas()
        _, axes = report.figure("profile")
        assert axes[0].get_ylabel() == "solid fraction" and axes[0].get_xlabel() == "z [m]"
        (line,) = axes[0].lines
        x, y = np.asarray(line.get_xdata()), np.asarray(line.get_ydata())
        assert len(x) == len(table)
        for drawn, given in ((x, table["z_m"]), (y, table["solid_fraction"])):
            assert np.max(np.abs(drawn - given.to_numpy())) < 1e-3 * np.ptp(given)
        # numbers of a thousandth are drawn with a common factor
        velocity = next(ax for ax in axes if ax.get_ylabel().startswith("granular temperature"))
        given = table["granular_temperature_m2_s2"].to_numpy()
        assert np.max(np.abs(np.asarray(velocity.lines[0].get_ydata()) - given)) < 2e-3 * np.ptp(given)
        with pytest.raises(KeyError, match="no figure 'profil'"):
            report.figure("profil")
        with pytest.raises(KeyError, match="name a figure: profile, radial_distribution"):
            report.figure()


def test_logarithmic_axes_legends_dashes_and_points(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(commands, "_command", command)
    with commands.study.adhesion() as report:
        impacts = report.tables["adhesion_impacts"].to_pandas()
        _, axes = report.figure("adhesion_impacts")
        (ax,) = axes
        assert ax.get_xscale() == "log" and ax.get_ylabel() == "restitution"
        points = [line for line in ax.lines if line.get_marker() == "o"]
        assert [line.get_label() for line in points] == ["impacts"]
        x, y = np.asarray(points[0].get_xdata()), np.asarray(points[0].get_ydata())
        given = impacts[impacts["law"] != "sjkr"]
        # every point of the drawing is one of the table
        distance = np.hypot(
            np.log10(x)[:, None] - np.log10(given["speed_over_sticking_speed"].to_numpy()),
            y[:, None] - given["restitution"].to_numpy(),
        )
        assert len(x) > 20 and distance.min(axis=1).max() < 2e-3
        _, axes = report.figure("adhesion_pull_off")
        assert [ax.get_title(loc="left") for ax in axes] == [
            "pressed and pulled apart, elastic laws",
            "the same, laws that yield",
        ]
        assert [line.get_label() for line in axes[1].lines] == ["jkr", "thornton-ning", "luding", "edinburgh"]
        assert axes[1].get_ylabel() == "normal force over πγr*"


def test_dashes_are_one_curve(tmp_path: Path) -> None:
    from dem import _redraw

    dashes = "".join(
        f'<polyline fill="none" stroke="#D55E00" points="{1000 + 100 * k},2000 {1050 + 100 * k},2000 "/>\n'
        for k in range(20)
    )
    ticks = "".join(
        f'<polyline stroke="#E3E6EA" points="{1000 + 1000 * k},500 {1000 + 1000 * k},4000 "/>'
        f'<polyline stroke="#14181C" points="{1000 + 1000 * k},4000 {1000 + 1000 * k},4060 "/>'
        f'<g aria-label="{k}" data-size="145" transform="translate({1000 + 1000 * k} 4200)"/>'
        f'<polyline stroke="#E3E6EA" points="1000,{4000 - 1000 * k} 5000,{4000 - 1000 * k} "/>'
        f'<polyline stroke="#14181C" points="940,{4000 - 1000 * k} 1000,{4000 - 1000 * k} "/>'
        f'<g aria-label="{"−" if k else ""}{k}" data-size="145" transform="translate(900 {4000 - 1000 * k})"/>'
        for k in range(4)
    )
    axes = "".join(
        f'<polyline stroke="#14181C" points="{ends} "/>' for ends in ("1000,4000 5000,4000", "1000,500 1000,4000")
    )
    path = tmp_path / "drawn.svg"
    begin = '<svg viewBox="0 0 12000 5200" data-size="161" xmlns="http://www.w3.org/2000/svg">'
    path.write_text(f"{begin}{ticks}{axes}{dashes}</svg>", encoding="utf-8")
    _, drawn = _redraw.figure(path)
    (line,) = drawn[0].lines
    assert line.get_linestyle() == "--" and line.get_color() == "#d55e00"
    assert np.asarray(line.get_xdata())[[0, -1]] == pytest.approx([0.0, 1.95])
    # two ticks up, and numbers that fall upwards
    assert np.allclose(np.asarray(line.get_ydata()), -2.0)


def test_what_is_no_diagram_is_shown_as_an_image(settling: Path, tmp_path: Path) -> None:
    from dem import _redraw

    picture = tmp_path / "picture.png"
    picture.write_bytes((settling / "picture.png").read_bytes())
    for text in (None, "<svg", '<svg viewBox="0 0 10 10" xmlns="http://www.w3.org/2000/svg"><rect/></svg>'):
        if text is not None:
            picture.with_suffix(".svg").write_text(text, encoding="utf-8")
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            _, axes = _redraw.figure(picture)
        assert len(axes) == 1 and len(axes[0].images) == 1 and not axes[0].lines


def test_labels_name_a_unit_once() -> None:
    assert _units.label("mean_compression_Pa", "Pa") == "mean compression [Pa]"
    assert _units.label("kinetic_energy", "J") == "kinetic energy [J]"
    assert _units.label("coordination", "1") == "coordination [-]"
