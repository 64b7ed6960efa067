"""A tour of the package: each call once, with what it promises.

    python python/examples/tour.py

Grains fall into a cylinder, air slows them, a lid presses on them. All files are written to a temporary folder. It takes less than a minute on two cores.
"""

from __future__ import annotations

import filecmp
import importlib.util
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import dem
import numpy as np
from numpy.typing import NDArray

#: Drag of a sphere in slow flow of air is 6 pi times this, times its radius [Pa s].
VISCOSITY = 1.8e-5


def make_scene() -> dem.Scene:
    """A scene from nothing. Each call compares its names with those of the engine at once."""
    scene = dem.Scene(title="column", seed=1)
    scene.material("glass", density="2500 kg/m^3", young_modulus="20 MPa", poisson_ratio=0.25)
    scene.contact(law="hertz-mindlin", friction=0.4, restitution=0.5)
    scene.wall("floor", dem.plane(normal=[0, 0, 1]), material="glass")
    scene.wall("side", dem.cylinder("3 cm"), material="glass")
    scene.wall("lid", dem.disc(centre=[0, 0, 0.13], radius="29 mm"), material="glass")
    scene.particles(
        "grains",
        material="glass",
        sizes=dem.uniform("2 mm", "3 mm"),
        region=dem.cylinder("3 cm", height="12 cm"),
        fill=dem.random(count=800),
    )
    scene.output(series="5 ms", snapshots="20 ms", contacts=True)
    # what is misspelt is told where it is written, and nothing is changed
    try:
        scene.contact(law="hertz-mindlin", frictoin=0.4)  # type: ignore[call-arg]
    except dem.SceneError as error:
        assert error.key == "contact.frictoin" and "friction" in str(error)
        print(f"  refused: {error}")
    else:
        raise AssertionError
    return scene


def look_at_scene(scene: dem.Scene, folder: Path) -> dem.Scene:
    """A scene is plain data: the text that the command ``dem run`` reads."""
    path = folder / "column.toml"
    scene.save(path)
    assert path.read_text(encoding="utf-8") == scene.to_toml()
    assert dem.Scene.from_toml(scene.to_toml()) == dem.Scene.from_dict(scene.to_dict()) == scene
    loaded = dem.Scene.load(path, set={"contact.friction": 0.3})
    assert loaded["contact"]["friction"] == 0.3 and loaded != scene
    check = loaded.check()
    assert check.sound and check.particles == 800
    print(check)
    # errors of files say where
    broken = folder / "broken.toml"
    broken.write_text(scene.to_toml().replace("poisson_ratio = 0.25", "poisson_ratio = 0.6"), encoding="utf-8")
    try:
        dem.Scene.load(broken).build()
    except dem.SceneError as error:
        assert error.file == str(broken) and error.line == 7 and error.key == "materials.glass.poisson_ratio"
        print(f"  refused: {error}")
    else:
        raise AssertionError
    return loaded


def run_it(scene: dem.Scene) -> dem.Simulation:
    """Runs with a force of our own."""
    sim = scene.build()

    # a drag in quiescent air, found again every 10 steps
    @sim.every(steps=10)
    def air(sim: dem.Simulation) -> None:
        p = sim.particles
        p.external_force = -6.0 * np.pi * VISCOSITY * p.radius[:, np.newaxis] * p.velocity

    fastest: list[float] = []

    @sim.every("1 ms")
    def record(sim: dem.Simulation) -> None:
        fastest.append(float(np.linalg.norm(sim.particles.velocity, axis=1).max()))

    sim.run(until="0.15 s")
    assert abs(sim.time - 0.15) <= sim.time_step and len(fastest) == 150
    # free fall at first
    assert abs(fastest[9] - 9.81 * 0.01) < 1e-3
    return sim


def look_at_state(sim: dem.Simulation, folder: Path) -> None:
    """Particles and contacts as arrays: read-only copies in order of ids, and of keys of contacts."""
    p, c = sim.particles, sim.contacts
    assert p.position.shape == p.velocity.shape == (len(sim), 3) and p.radius.shape == (len(sim),)
    assert np.all(np.diff(p.id.astype(np.int64)) > 0)
    # copied once for each step
    assert p.position is p.position
    # the forces of the contacts, weight and drag are the forces of the particles
    total = np.zeros((len(sim), 3))
    np.add.at(total, p.index(c.first), c.force)
    between = c.second >= 0
    np.add.at(total, p.index(c.second[between]), -c.force[between])
    total[:, 2] -= 9.81 * p.mass
    total += p.external_force
    assert np.allclose(total, p.force, atol=1e-9 * np.abs(p.force).max())
    remembered: NDArray[np.float64] = c.history["tangential_force"]
    assert remembered.shape == (len(c), 3)
    print(f"  {len(sim)} particles, {len(c)} contacts; contacts remember {', '.join(c.history)}")
    histogram(np.linalg.norm(c.force, axis=1), folder / "forces.png")
    # tables of pandas have units
    table = p.to_pandas()
    assert table.index.name == "id" and table.attrs["units"]["velocity_x"] == "m/s"
    # the terms of the energy balance, and all else that a row of series.csv has
    kinetic = 0.5 * (p.mass[:, np.newaxis] * p.velocity**2).sum() + 0.5 * (p.inertia[:, np.newaxis] * p.angular_velocity**2).sum()
    assert np.isclose(sim.energy["kinetic_energy"], kinetic)
    print(f"  coordination number {sim.measure('coordination'):.3f}")


def histogram(values: NDArray[np.float64], path: Path) -> None:
    """A histogram of the forces of contacts."""
    plt = pyplot()
    figure, ax = plt.subplots(layout="constrained")
    ax.hist(values, bins=50)
    ax.set_xlabel("contact force [N]")
    ax.set_ylabel("number")
    figure.savefig(path)
    plt.close(figure)
    assert path.stat().st_size > 1000


def change_it(sim: dem.Simulation) -> None:
    """Walls, particles, parameters. What a change brings is booked as exchanged energy: the balance stays what it is."""
    lid = sim.walls["lid"]
    lid.velocity = [0, 0, "-0.5 m/s"]
    sim.run(until="1 s", stop=lambda sim: bool(lid.load[2] > 0.0), check=20)
    assert lid.load[2] > 0.0 and abs(lid.position[2] - (0.13 - 0.5 * (sim.time - 0.15))) < 1e-5
    lid.velocity = [0, 0, -0.01]
    sim.run(steps=200)
    print(f"  the lid at z = {lid.position[2]:.4f} m bears {lid.load[2]:.3g} N and has done {lid.work:.3g} J")
    assert np.isclose(sim.energy["wall_work"], lid.work)
    lid.remove()

    balance, exchanged = sim.energy["energy_balance"], sim.energy["exchanged_energy"]
    scale = abs(exchanged)
    ids = sim.insert(position=[[0, 0, 0.09], [0.01, 0, 0.09]], radius="2 mm", material="glass")
    assert sim.particles.id[-2:].tolist() == ids.tolist()
    # all or none
    try:
        sim.insert(position=[[0, 0.01, 0.09], [0, 0.001, 0.09]], radius=2e-3, material="glass")
    except dem.OverlapError as error:
        assert error.first == 1 and error.second == ids[0] and len(sim) == 802
        print(f"  refused: {error}")
    else:
        raise AssertionError
    sim.remove(ids[:1])
    assert len(sim) == 801

    # without a copy, in order of memory; no step can be taken meanwhile
    before = sim.energy["kinetic_energy"]
    booked = sim.energy["exchanged_energy"]
    with sim.particles.raw() as raw:
        raw.velocity[:] *= 0.9
        raw.angular_velocity[:] *= 0.9
        try:
            sim.step()
        except dem.StateError as error:
            print(f"  refused: {error}")
        else:
            raise AssertionError
    assert np.isclose(sim.energy["kinetic_energy"], 0.81 * before)
    assert np.isclose(sim.energy["exchanged_energy"] - booked, -0.19 * before, atol=1e-9 * scale)

    # as the action of a stage; what it changes of the springs is booked, too
    sim.parameters["friction"] = 0.2
    assert sim.parameters["friction"] == 0.2 and sim.events[-1]["what"] == "contact parameters changed"
    assert abs(sim.energy["energy_balance"] - balance) < 1e-9 * scale


def save_and_branch(scene: dem.Scene, sim: dem.Simulation, folder: Path) -> None:
    """States go on bit for bit: copies, and what is read from a file."""
    path = folder / "a.ckpt"
    sim.save(path)
    branch = sim.copy()
    other = scene.build()
    other.load(path)
    states = []
    for each in (sim, branch, other):
        # callbacks are no part of a state
        for callback in each.callbacks:
            callback.cancel()
        each.step(200)
        each.save(path, force=True)
        states.append(path.read_bytes())
    assert states[0] == states[1] == states[2] and len(states[0]) > 100_000
    # a new simulation with the particles of a saved state
    anew = scene.build(start=path)
    assert anew.steps == 0 and len(anew) == len(sim)
    assert np.array_equal(anew.particles.position, sim.particles.position)

    # a step that fails says why, and the state can be read
    velocity = branch.particles.velocity.copy()
    velocity[0] = [0, 0, 1e4]
    branch.particles.velocity = velocity
    try:
        branch.step(10)
    except dem.TooFastError as error:
        print(f"  refused: {error}")
        assert error.particle == branch.particles.id[0] and not branch.can_go_on
    else:
        raise AssertionError
    with sim:
        assert not sim.closed
    assert sim.closed


def picture(sim: dem.Simulation) -> None:
    """What a notebook shows of a simulation, and pyvista."""
    assert "particles" in sim._repr_html_()
    assert sim.render("speed").startswith(b"\x89PNG")
    frame = sim.frame()
    assert frame.particles.loc[0, "position_z"] == sim.particles.position[0, 2]
    if importlib.util.find_spec("pyvista") is None:
        print('  sim.frame().to_pyvista() needs pip install "granular-dem[view]"')
        return
    blocks: Any = frame.to_pyvista()
    assert blocks["particles"].n_points == len(sim)
    if has_display():
        blocks.plot(off_screen=True)


def results(scene: dem.Scene, folder: Path) -> None:
    """A run directory is that of the command, byte for byte."""
    run = scene.run(folder / "column", until="0.06 s")
    line = [sys.executable, "-m", "dem", "run", str(folder / "column.toml"), "--set", "contact.friction=0.3", "--until", "0.06 s"]
    subprocess.run([*line, "--out", str(folder / "command")], check=True, capture_output=True)
    names = ["series.csv", "snapshots.vtkhdf", "scene.resolved.toml", "beginning.json", "picture.png"]
    names += [str(path.relative_to(run)) for path in run.checkpoints]
    for name in names:
        assert filecmp.cmp(folder / "column" / name, folder / "command" / name, shallow=False), name
    print(f"  {', '.join(names)}: as `dem run` writes them")

    run = dem.open(folder / "column")
    energy = run.series["kinetic_energy"]
    assert len(energy) == 13 and run.series.attrs["units"]["kinetic_energy"] == "J"
    last = run.frames[-1]
    assert len(run.frames) == 4 and np.isclose(run.frames.at(time="20 ms").time, 0.02, atol=1e-4)
    assert len(last.particles) == 800 and list(last.walls.index) == ["floor", "side", "lid"]
    assert run.summary is not None and run.summary["particles"] == 800
    plt = pyplot()
    figure, axes = dem.plot.energy(run)
    axes[0].set_title("a figure of yours")
    figure.savefig(folder / "energy.pdf")
    plt.close(figure)
    assert (folder / "energy.pdf").stat().st_size > 1000


def studies() -> None:
    """Every study of the command is a function."""
    assert "sliding" in dir(dem.study)
    with dem.study.impact(law="hertz-mindlin", speed="1 m/s", angle=["30 deg", "50 deg"]) as report:
        table = report.tables[0].to_pandas()
        assert table["angle_deg"].tolist() == [30.0, 50.0]
        assert "impact" in report.tables and len(report.figures) > 0
        for sentence in report.findings:
            print(f"  {sentence}")


def ensemble(scene: dem.Scene, folder: Path) -> None:
    """Several scenes at once, each in a process of its own."""
    scenes = []
    for friction in (0.1, 0.5):
        scenes.append(scene.copy())
        scenes[-1].set("contact.friction", friction)
    runs = dem.map(scenes, folder / "ensemble", processes=2, until="0.02 s")
    assert [run.scene["contact"]["friction"] for run in runs] == [0.1, 0.5]


def pyplot() -> Any:
    """The module for figures, without windows where there is no display."""
    import matplotlib

    if not has_display():
        matplotlib.use("agg")
    import matplotlib.pyplot as plt

    return plt


def has_display() -> bool:
    """Whether windows can be shown."""
    return sys.platform == "darwin" or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def main() -> None:
    """The tour."""
    began = time.monotonic()
    for name, value in dem.show_versions().items():
        print(f"{name}: {value}")
    with tempfile.TemporaryDirectory(prefix="dem_tour_") as name:
        folder = Path(name)
        print("a scene")
        scene = look_at_scene(make_scene(), folder)
        print("a simulation")
        sim = run_it(scene)
        print(f"  {sim}")
        look_at_state(sim, folder)
        print("changes")
        change_it(sim)
        print("pictures")
        picture(sim)
        print("states")
        save_and_branch(scene, sim, folder)
        print("results")
        results(scene, folder)
        print("studies")
        studies()
        print("ensembles")
        ensemble(scene, folder)
    print(f"all as promised, {time.monotonic() - began:.0f} s")


# processes of dem.map read this file, too
if __name__ == "__main__":
    main()
