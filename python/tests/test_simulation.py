"""Simulations from Python: bits, steps, callbacks, arrays, changes."""

from __future__ import annotations

import filecmp
import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import dem
import numpy as np
import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"
SCENE = EXAMPLES / "settling_box.toml"


def box(**values: object) -> dem.Scene:
    return dem.Scene.load(SCENE, set={key.replace("__", "."): value for key, value in values.items()})


def command(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "dem", *arguments], capture_output=True, text=True, check=True)


def bits(sim: dem.Simulation, path: Path) -> bytes:
    sim.save(path, force=True)
    return path.read_bytes()


# the command and the package


@pytest.mark.parametrize("callback", [False, True])
def test_checkpoint_is_that_of_the_command(tmp_path: Path, callback: bool) -> None:
    steps = 20_000
    command("run", str(SCENE), "--steps", str(steps), "--out", str(tmp_path / "run"), "--no-pictures")
    sim = box().build()
    calls = 0

    if callback:

        @sim.every(steps=1)
        def count(sim: dem.Simulation) -> None:
            nonlocal calls
            calls += 1

    sim.run(steps=steps)
    assert calls == (steps if callback else 0)
    own = bits(sim, tmp_path / "own.ckpt")
    saved = tmp_path / "run" / "checkpoints" / f"step_{steps:012d}.ckpt"
    assert own == saved.read_bytes()
    assert len(own) > 10_000


def test_run_directory_is_that_of_the_command(tmp_path: Path) -> None:
    command("run", str(SCENE), "--until", "0.03 s", "--out", str(tmp_path / "command"))
    run = box().run(tmp_path / "package", until="0.03 s", progress=False)
    sim = box().build(out=tmp_path / "called")
    times = []
    sim.every("7 ms", call=lambda sim: times.append(sim.time))
    sim.run(until="0.01 s")
    sim.run(until="0.03 s")
    sim.finish()
    assert len(times) == 4 and np.allclose(times, [0.007, 0.014, 0.021, 0.028], atol=1e-4)
    for name in ("package", "called"):
        for file in ("series.csv", "scene.resolved.toml", "beginning.json", "snapshots.vtkhdf", "picture.png"):
            assert filecmp.cmp(tmp_path / "command" / file, tmp_path / name / file, shallow=False), (name, file)
        saved = sorted(path.name for path in (tmp_path / "command" / "checkpoints").iterdir())
        assert saved == sorted(path.name for path in (tmp_path / name / "checkpoints").iterdir())
        for file in saved:
            place = Path("checkpoints") / file
            assert filecmp.cmp(tmp_path / "command" / place, tmp_path / name / place, shallow=False), (name, file)
        log = (tmp_path / name / "run.log").read_text(encoding="utf-8")
        assert log.count("  frame ") > 1 and log.count("  ends: ") == 1, log
    assert run.directory == tmp_path / "package"
    summary = json.loads((tmp_path / "package" / "summary.json").read_text())
    assert summary["steps"] == sim.steps


def test_run_directories_are_not_overwritten(tmp_path: Path) -> None:
    box().run(tmp_path / "run", steps=3, progress=False)
    before = (tmp_path / "run" / "summary.json").read_bytes()
    with pytest.raises(FileExistsError):
        box().build(out=tmp_path / "run")
    assert (tmp_path / "run" / "summary.json").read_bytes() == before
    box().run(tmp_path / "run", steps=5, force=True, progress=False)
    assert json.loads((tmp_path / "run" / "summary.json").read_text())["steps"] == 5


# steps


def test_steps_one_by_one_and_in_one_go(tmp_path: Path) -> None:
    one, all_at_once = box().build(), box().build()
    for _ in range(300):
        one.step()
    all_at_once.step(300)
    assert one.steps == 300 and one.time == all_at_once.time
    assert bits(one, tmp_path / "a.ckpt") == bits(all_at_once, tmp_path / "b.ckpt")
    with pytest.raises(ValueError):
        one.step(-1)


def test_run_ends_where_it_is_told() -> None:
    sim = box().build()
    sim.run(until="5 ms")
    assert sim.time - sim.time_step < 5e-3 <= sim.time + 1e-6 * sim.time_step
    before = sim.steps
    sim.run(until="5 ms")
    assert sim.steps == before
    sim.run(steps=7)
    assert sim.steps == before + 7
    sim.run(until=1.0, stop=lambda sim: sim.steps >= before + 300, check=10)
    assert before + 300 <= sim.steps <= before + 310
    with pytest.raises(ValueError):
        sim.run(until="5 kg")
    with pytest.raises(ValueError):
        sim.run(until=float("nan"))


def test_stages_and_the_end() -> None:
    sim = box().build()
    stage = sim.stage
    assert stage and sim.stopped is None
    sim.next_stage()
    assert sim.stopped is not None or sim.stage != stage
    while sim.stopped is None:
        sim.next_stage()
    steps = sim.steps
    sim.run(steps=10)
    assert sim.steps == steps


def test_failed_step_is_told_by_its_cause() -> None:
    sim = box().build()
    sim.step(10)
    fast = sim.particles.velocity.copy()
    fast[3] = [1e4, 0.0, 0.0]
    sim.particles.velocity = fast
    with pytest.raises(dem.StepError) as caught:
        sim.step(5)
    assert isinstance(caught.value, (dem.TooFastError, dem.OverlapLimitError)), caught.value
    assert caught.value.step >= 10  # type: ignore[attr-defined]
    # readable
    assert sim.particles.position.shape == (len(sim), 3)


# callbacks


def test_callbacks_come_at_multiples(tmp_path: Path) -> None:
    sim = box().build()
    sim.step(7)
    seen: list[int] = []
    times: list[float] = []
    callback = sim.every(steps=10, call=lambda sim: seen.append(sim.steps))
    sim.every("1 ms", call=lambda sim: times.append(sim.time))
    sim.run(steps=200)
    assert seen == list(range(10, 208, 10))
    expected = np.arange(1, len(times) + 1) * 1e-3
    assert len(times) >= 2 and np.all(np.array(times) >= expected - 1e-9)
    assert np.all(np.array(times) < expected + sim.time_step)
    callback.cancel()
    sim.run(steps=50)
    assert len(seen) == 20
    # from a saved state the same steps are met
    sim.save(tmp_path / "a.ckpt")
    other = box().build()
    other.load(tmp_path / "a.ckpt")
    again: list[int] = []
    other.every(steps=10, call=lambda sim: again.append(sim.steps))
    other.run(steps=20)
    assert again == [260, 270]
    for wrong in ({}, {"steps": 0}, {"steps": 1.5}, {"interval": -1.0}, {"interval": "1 m"}, {"interval": 1.0, "steps": 1}):
        with pytest.raises((TypeError, ValueError)):
            sim.every(**wrong)  # type: ignore[arg-type]


def test_exception_in_a_callback_leaves_the_state(tmp_path: Path) -> None:
    sim = box().build()

    class Enough(Exception):
        pass

    @sim.every(steps=50)
    def fail(sim: dem.Simulation) -> None:
        raise Enough

    with pytest.raises(Enough):
        sim.run(steps=500)
    assert sim.steps == 50
    other = box().build()
    other.step(50)
    assert bits(sim, tmp_path / "a.ckpt") == bits(other, tmp_path / "b.ckpt")


def test_callbacks_take_no_steps_but_may_stop() -> None:
    sim = box().build()

    @sim.every(steps=20)
    def again(sim: dem.Simulation) -> None:
        with pytest.raises(dem.StateError):
            sim.step()
        with pytest.raises(dem.StateError):
            sim.run(steps=1)
        sim.stop()

    sim.run(steps=500)
    assert sim.steps == 20


def test_force_of_a_program_is_what_it_says() -> None:
    """A sphere that a spring of the program holds in free space oscillates with its period: closed form of velocity Verlet."""
    scene = dem.Scene.from_toml(
        """
        [fields]
        gravity = [0, 0, 0]
        [time]
        step = "1 ms"
        end = "10 s"
        [domain]
        min = [-1, -1, -1]
        max = [1, 1, 1]
        [materials.m]
        density = 1000
        young_modulus = "1 MPa"
        poisson_ratio = 0.3
        [contact]
        law = "hertz-mindlin"
        friction = 0.0
        restitution = 1.0
        [[particles]]
        name = "one"
        material = "m"
        sizes = { type = "single", radius = "1 cm" }
        region = { type = "box", min = [-0.01, -0.01, -0.01], max = [0.011, 0.011, 0.011] }
        fill = { type = "lattice" }
        """
    )
    sim = scene.build()
    assert len(sim) == 1
    stiffness = 4.0
    mass = float(sim.particles.mass[0])
    sim.particles.velocity = [0.1, 0.0, 0.0]
    start = sim.particles.position.copy()
    seen = []

    @sim.every(steps=1)
    def spring(sim: dem.Simulation) -> None:
        away = sim.particles.position - start
        sim.particles.external_force = -stiffness * away
        seen.append((sim.time, float(away[0, 0])))

    sim.run(steps=2000)
    time, place = np.array(seen).T
    omega = np.sqrt(stiffness / mass)
    # the force is that of the start of the step at its end: a lag of a step, first order in omega dt = 0.03
    assert omega * sim.time_step < 0.04
    early = time < 3.0 / omega
    assert np.allclose(place[early], 0.1 / omega * np.sin(omega * time[early]), atol=0.03 * 0.1 / omega)


# arrays


def test_arrays_are_in_order_of_ids_and_read_only() -> None:
    sim = box().build()
    sim.run(steps=400)
    p = sim.particles
    frame = sim.frame()
    arrays = frame.arrays("particles")
    assert np.all(np.diff(p.id.astype(np.int64)) > 0)
    for name in ("position", "velocity", "angular_velocity", "radius", "mass", "force", "orientation", "contacts"):
        assert np.array_equal(p.column(name), arrays[name]), name
    assert p.position is p.position
    with pytest.raises(ValueError):
        p.position[0, 0] = 1.0
    before = p.position
    sim.step()
    assert p.position is not before
    assert np.allclose(p.inertia, 0.4 * p.mass * p.radius**2, rtol=1e-15)
    assert list(p.index(p.id[[3, 1]])) == [3, 1]
    with pytest.raises(dem.ParticleIdError):
        p.index([10**9])
    with pytest.raises(KeyError):
        p.index([-1])
    with pytest.raises(AttributeError):
        p.nonsense
    with pytest.raises(AttributeError):
        p.radius = 1.0  # type: ignore[misc]


def test_contacts_add_up_to_the_forces() -> None:
    sim = box().build()
    sim.run(until="0.06 s")
    c, p = sim.contacts, sim.particles
    assert len(c) > 80 and (c.wall >= 0).any() and (c.second >= 0).any()
    total = np.zeros((len(p), 3))
    np.add.at(total, p.index(c.first), c.force)
    pairs = c.second >= 0
    np.add.at(total, p.index(c.second[pairs]), -c.force[pairs])
    total[:, 2] -= 9.81 * p.mass
    assert np.allclose(total, p.force, atol=1e-12 * np.abs(p.force).max())
    assert np.allclose(np.linalg.norm(c.normal, axis=1), 1.0)
    assert np.allclose(np.einsum("ij,ij->i", c.tangential_force, c.normal), 0.0, atol=1e-12)
    assert np.array_equal(np.bincount(p.index(c.first), minlength=len(p)) + np.bincount(p.index(c.second[pairs]), minlength=len(p)), p.contacts)
    slip = c.history["tangential_force"]
    assert slip.shape == (len(c), 3) and c.history.units["tangential_force"] == "N"
    # what hertz-mindlin remembers is the elastic part of the tangential force
    still = np.linalg.norm(sim.contacts.tangential_force - slip, axis=1) < 0.5 * np.abs(c.normal_force).max()
    assert still.all()
    with pytest.raises(KeyError):
        c.history["nonsense"]
    load = -c.force[c.wall >= 0].sum(axis=0)
    assert np.allclose(load, sum(wall.load for wall in sim.walls.values()), rtol=1e-10, atol=1e-12)


def test_measures_are_those_of_the_series() -> None:
    sim = box().build()
    sim.run(until="0.05 s")
    p = sim.particles
    kinetic = 0.5 * (p.mass[:, None] * p.velocity**2).sum() + 0.5 * (p.inertia[:, None] * p.angular_velocity**2).sum()
    assert np.isclose(sim.measure("kinetic_energy"), kinetic, rtol=1e-12)
    assert sim.energy["kinetic_energy"] == sim.measure("kinetic_energy") and sim.units["kinetic_energy"] == "J"
    assert np.isclose(sim.measure("coordination"), 2 * (sim.contacts.second >= 0).sum() / len(p))
    with pytest.raises(KeyError, match="coordination"):
        sim.measure("cordination")
    c = sim.contacts
    virial = np.einsum("ij,ik->jk", c.force, c.branch)
    virial = 0.5 * (virial + virial.T)
    assert np.allclose(sim.stress(volume=2.0), virial / 2.0, atol=1e-9 * np.abs(virial).max())


# changes


def test_changes_are_booked(tmp_path: Path) -> None:
    sim = box().build()
    sim.run(until="0.05 s")
    balance = sim.energy["energy_balance"]
    scale = sim.energy["kinetic_energy"] + abs(sim.energy["gravity_energy"])
    sim.particles.velocity = 0.5 * sim.particles.velocity
    ids = sim.insert([[0.01, 0.01, 0.09], [0.02, 0.02, 0.09]], 1e-3)
    assert len(ids) == 2 and np.array_equal(sim.particles.id[-2:], ids)
    assert np.allclose(sim.particles.position[-1], [0.02, 0.02, 0.09])
    sim.remove(sim.particles.id[:5])
    sim.remove(int(ids[0]))
    with sim.particles.raw() as raw:
        raw.velocity[:] *= 0.5
        raw.angular_velocity *= 0.0
        raw.position[:, 2] += 1e-6
    assert abs(sim.energy["energy_balance"] - balance) < 1e-9 * scale
    assert np.all(sim.particles.angular_velocity == 0.0)
    with pytest.raises(dem.ParticleIdError):
        sim.remove(int(ids[0]))
    sim.run(steps=100)
    sim.save(tmp_path / "a.ckpt")
    with pytest.raises(FileExistsError):
        sim.save(tmp_path / "a.ckpt")
    other = box().build()
    other.load(tmp_path / "a.ckpt")
    copy = sim.copy()
    for one in (sim, other, copy):
        one.run(steps=200)
    first = bits(sim, tmp_path / "1.ckpt")
    assert first == bits(other, tmp_path / "2.ckpt") == bits(copy, tmp_path / "3.ckpt")


def test_new_particles_find_room_or_are_refused() -> None:
    sim = box().build()
    count = len(sim)
    there = sim.particles.position[7]
    with pytest.raises(dem.OverlapError) as caught:
        sim.insert([[0.01, 0.01, 0.09], there], 1e-3)
    assert caught.value.first == 1 and caught.value.second == sim.particles.id[7] and caught.value.ratio > 0.5
    assert len(sim) == count
    with pytest.raises(dem.OverlapError, match="%") as caught:
        sim.insert([[0.01, 0.01, 0.09], [0.0098, 0.01, 0.09]], 1e-3)
    assert (caught.value.first, caught.value.second, caught.value.second_row) == (1, None, 0)
    for arguments in (
        {"position": [0.01, 0.01], "radius": 1e-3},
        {"position": [0.01, 0.01, 0.09], "radius": -1e-3},
        {"position": [0.01, 0.01, 0.09], "radius": float("nan")},
        {"position": [0.01, 0.01, float("inf")], "radius": 1e-3},
        {"position": [0.01, 0.01, 0.09], "radius": [1e-3, 1e-3]},
        {"position": [0.01, 0.01, 0.09], "radius": 1e-3, "material": "gold"},
        {"position": [0.01, 0.01, 0.09], "radius": 1e-3, "density": 0.0},
        {"position": [0.01, 0.01, 0.09], "radius": 1e-3, "max_overlap": 2.0},
        {"position": [0.01, 0.01, 0.09], "radius": 1e-3, "velocity": [0, 0]},
    ):
        with pytest.raises(ValueError):
            sim.insert(**arguments)  # type: ignore[arg-type]
    assert len(sim) == count


def test_texts_with_a_unit_are_numbers() -> None:
    sim = box().build()
    sim.run(until="0.05 s")
    (id_,) = sim.insert(["1 cm", "10 mm", "9 cm"], "1 mm", velocity=[0, 0, "-2 cm/s"], density="3 g/cm^3")
    row = sim.particles.index([id_])[0]
    assert np.allclose(sim.particles.position[row], [0.01, 0.01, 0.09]) and sim.particles.radius[row] == 1e-3
    assert np.allclose(sim.particles.velocity[row], [0, 0, -0.02])
    assert np.isclose(sim.particles.mass[row], 3000 * 4 / 3 * np.pi * 1e-9)
    sim.particles.velocity = ["1 cm/s", 0, 0]
    assert np.all(sim.particles.velocity == [0.01, 0.0, 0.0])
    sim.particles.external_force = [["1 mN", 0, 0]] * len(sim)
    assert np.all(sim.particles.external_force == [1e-3, 0.0, 0.0])
    for wrong in ({"radius": "1 kg"}, {"radius": "x"}, {"radius": ["1 mm", "2 s"]}):
        with pytest.raises(ValueError):
            sim.insert([0.02, 0.02, 0.09], **wrong)  # type: ignore[arg-type]


def test_raw_columns_are_the_memory_of_the_engine() -> None:
    sim = box().build()
    sim.run(steps=100)
    by_id = sim.particles.position
    with sim.particles.raw(write=False) as raw:
        order = np.argsort(raw.id)
        assert np.array_equal(raw.position[order], by_id)
        assert not raw.position.flags.owndata and not raw.position.flags.writeable
        with pytest.raises(dem.StateError):
            sim.step()
        with pytest.raises(dem.StateError):
            sim.particles.position
        with pytest.raises(dem.StateError):
            sim.close()
        with pytest.raises(dem.StateError):
            with sim.particles.raw():
                pass
        kept = raw.position
        address = raw.velocity.__array_interface__["data"][0]
    assert np.array_equal(sim.particles.position, by_id)
    with sim.particles.raw(write=False) as raw:
        # given back without a copy; what was kept stays where it was
        assert raw.velocity.__array_interface__["data"][0] == address
        assert raw.position.__array_interface__["data"][0] != kept.__array_interface__["data"][0]
    sim.run(steps=50)
    assert np.array_equal(np.sort(kept, axis=0), np.sort(by_id, axis=0))
    with pytest.raises(ValueError, match="not finite"):
        with sim.particles.raw() as raw:
            raw.velocity[0] = np.nan
    with pytest.raises(dem.StateError):
        raw.velocity  # noqa: B018
    sim = box().build()
    with sim.particles.raw() as raw:
        raw.external_force[3] = np.nan
        wrong = raw.id[3]
    with pytest.raises(dem.NonFiniteError) as caught:
        sim.step(2)
    assert caught.value.particle == wrong


def test_walls_move_press_and_go(tmp_path: Path) -> None:
    scene = box()
    scene.wall("lid", dem.disc(centre=[0.02, 0.02, 0.095], radius=0.05, normal=[0, 0, -1]), material=list(scene["materials"])[0])
    sim = scene.build()
    lid = sim.walls["lid"]
    lid.velocity = [0, 0, "-1 cm/s"]
    sim.run(until="10 ms")
    assert np.allclose(lid.position[2], 0.095 - 0.01 * sim.time, atol=1e-7)
    assert np.allclose(lid.velocity, [0, 0, -0.01])
    lid.move(amplitude=[0, 0, "1 mm"], frequency="20 Hz")
    lid.remove()
    assert not lid.active and [event["what"] for event in sim.events][-1].startswith("wall")
    with pytest.raises(ValueError):
        lid.target = 2.0
    with pytest.raises(ValueError):
        lid.velocity = [0, 0]
    with pytest.raises(KeyError):
        sim.walls["roof"]
    with pytest.raises(dem.SceneError):
        sim.act({"type": "remove_wall", "wall": "roof"})


def test_parameters_are_those_of_the_law(tmp_path: Path) -> None:
    sim = box().build()
    sim.step(5)
    sim.parameters["friction"] = 0.123
    assert sim.parameters["friction"] == 0.123
    sim.save(tmp_path / "a.ckpt")
    other = box().build()
    assert other.parameters["friction"] != 0.123
    other.load(tmp_path / "a.ckpt")
    assert other.parameters["friction"] == 0.123
    with pytest.raises(dem.SceneError) as caught:
        sim.parameters["friktion"] = 0.1
    assert "friction" in str(caught.value)
    with pytest.raises(KeyError):
        sim.parameters["nonsense"]


# the process


def test_interrupt_is_quick_and_the_simulation_goes_on(tmp_path: Path) -> None:
    sim = box().build()
    timer = threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT))
    sim.step(10)
    timer.start()
    begin = time.perf_counter()
    with pytest.raises(KeyboardInterrupt):
        sim.run(until=1e6)
    assert time.perf_counter() - begin < 0.3 + 0.2
    steps = sim.steps
    sim.run(steps=100)
    other = box().build()
    other.run(steps=steps + 100)
    assert bits(sim, tmp_path / "a.ckpt") == bits(other, tmp_path / "b.ckpt")


def test_interrupted_run_directory_can_be_continued(tmp_path: Path) -> None:
    timer = threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        box().run(tmp_path / "run", until=1e6, progress=False)
    assert list((tmp_path / "run" / "checkpoints").iterdir())
    more = command("run", str(SCENE), "--out", str(tmp_path / "run"), "--restart", "latest", "--steps", "1000000", "--until", "0.05 s")
    assert more.returncode == 0


def test_other_threads_run_meanwhile_and_may_not_step() -> None:
    sim = box().build()
    woken = []
    refused = []

    def other() -> None:
        for _ in range(20):
            time.sleep(0.005)
            woken.append(time.perf_counter())
            try:
                sim.step()
            except dem.StateError:
                refused.append(True)

    thread = threading.Thread(target=other)
    thread.start()
    sim.run(until="0.12 s")
    end = time.perf_counter()
    thread.join()
    assert sum(t < end for t in woken) >= 3 and refused


def test_two_simulations_in_two_threads(tmp_path: Path) -> None:
    alone = box().build()
    alone.run(steps=500)
    expected = bits(alone, tmp_path / "0.ckpt")
    found: dict[int, bytes] = {}

    def run(number: int) -> None:
        sim = box().build()
        sim.run(steps=500)
        found[number] = bits(sim, tmp_path / f"{number}.ckpt")

    threads = [threading.Thread(target=run, args=(number,)) for number in (1, 2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == {1: expected, 2: expected}


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_threads_change_no_bit(tmp_path: Path, threads: int) -> None:
    program = f"""
import dem
dem.set_threads({threads})
sim = dem.Scene.load({str(SCENE)!r}).build()
sim.run(steps=300)
assert dem.threads() == {threads}
sim.save({str(tmp_path / "a.ckpt")!r})
"""
    subprocess.run([sys.executable, "-c", program], check=True)
    sim = box().build()
    sim.run(steps=300)
    assert bits(sim, tmp_path / "b.ckpt") == (tmp_path / "a.ckpt").read_bytes()


def test_fork_after_the_first_step_is_refused() -> None:
    program = f"""
import os, sys, warnings
warnings.simplefilter("ignore")
import dem
sim = dem.Scene.load({str(SCENE)!r}).build()
sim.step()
child = os.fork()
if child == 0:
    try:
        sim.step()
    except dem.ForkError:
        os._exit(7)
    os._exit(1)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""
    assert subprocess.run([sys.executable, "-c", program], timeout=60).returncode == 7


def test_mpi_launchers_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OMPI_COMM_WORLD_SIZE", "4")
    with pytest.raises(dem.StateError, match="MPI"):
        box().build()
    monkeypatch.setenv("OMPI_COMM_WORLD_SIZE", "1")
    box().build()


def test_closed_simulations_are_refused() -> None:
    with box().build() as sim:
        sim.step()
        assert not sim.closed
    assert sim.closed and "closed" in repr(sim)
    for use in (lambda: sim.step(), lambda: sim.time, lambda: sim.particles.position, lambda: sim.contacts.force, lambda: sim.frame()):
        with pytest.raises(dem.StateError):
            use()


def test_pictures_and_pages_of_notebooks() -> None:
    sim = box().build()
    picture = sim._repr_png_()
    assert picture is not None and picture.startswith(b"\x89PNG")
    assert "particles" in sim._repr_html_()
    with pytest.raises(ValueError):
        sim.render("nonsense")


def test_versions_name_what_a_report_needs() -> None:
    found = dem.show_versions()
    assert found["granular-dem"] == dem.__version__ and found["numpy"] == np.__version__


def test_import_is_fast() -> None:
    program = "import numpy, time; t = time.perf_counter(); import dem; print(time.perf_counter() - t)"
    times = [float(subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout) for _ in range(3)]
    assert min(times) < 0.3


def test_texts_without_a_unit_are_no_quantities() -> None:
    assert dem.quantity("2 mm", "m") == 2e-3 and dem.quantity("0", "m") == 0.0 and dem.quantity(3, "s") == 3.0
    for wrong in ("2", "2 s", "", "m"):
        with pytest.raises(ValueError):
            dem.quantity(wrong, "m")
    with pytest.raises(TypeError):
        dem.quantity(True, "m")
    with pytest.raises(AttributeError, match="Simulation"):
        dem.Simulatoin  # noqa: B018


def test_callbacks_are_planned_anew_for_a_state_that_is_loaded(tmp_path: Path) -> None:
    sim = box().build()
    sim.step(25)
    sim.save(tmp_path / "a.ckpt")
    seen: list[int] = []
    sim.every(steps=10, call=lambda sim: seen.append(sim.steps))
    sim.run(steps=100)
    assert seen[-1] == 120
    sim.load(tmp_path / "a.ckpt")
    seen.clear()
    sim.run(steps=20)
    assert seen == [30, 40]


def test_callback_that_another_one_has_ended_is_not_called() -> None:
    sim = box().build()
    later: list[dem.Callback] = []
    called: list[int] = []
    sim.every(steps=5, call=lambda sim: later[0].cancel())
    later.append(sim.every(steps=5, call=lambda sim: called.append(sim.steps)))
    sim.run(steps=20)
    assert called == []


def test_end_of_a_block_writes_the_end_of_a_run(tmp_path: Path) -> None:
    with box().build(out=tmp_path / "run") as sim:
        sim.step(30)
    assert json.loads((tmp_path / "run" / "summary.json").read_text())["steps"] == 30
    with pytest.raises(ZeroDivisionError):
        with box().build(out=tmp_path / "broken") as sim:
            sim.step(30)
            1 / 0  # noqa: B018
    assert (tmp_path / "broken" / "checkpoints" / "step_000000000030.ckpt").exists()
