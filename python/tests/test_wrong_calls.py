"""Wrong calls: an exception of a kind that is named in the guide, and a simulation that goes on. Nothing is known of the package but its names."""

from __future__ import annotations

import gc
import os
import random
import resource
from pathlib import Path
from typing import Any

import dem
import numpy as np
import pytest

SCENE = Path(__file__).parents[2] / "examples" / "settling_box.toml"
#: The whole campaign has 100,000: DEM_WRONG_CALLS=100000.
CALLS = int(os.environ.get("DEM_WRONG_CALLS", "10000"))
ALLOWED = (dem.Error, TypeError, ValueError, KeyError, IndexError, AttributeError, OverflowError, OSError)


def values(random: random.Random, sim: dem.Simulation) -> Any:
    """Something that somebody may pass by mistake, small numbers and right ones among it."""
    count = len(sim)
    pool = [
        lambda: None,
        lambda: random.choice([-1, 0, 1, 2, 7, 2**31, 2**63 - 1, 2**63, 2**64, 2**65, -(2**63)]),
        lambda: random.choice([0.0, -0.0, 1e-3, 0.5, -1.0, 1e300, float("nan"), float("inf"), -float("inf")]),
        lambda: random.choice(["", "x", "1 m", "1 mm", "1 s", "-1 s", "velocity", "position", "floor", "friction", "a\0b", "ü", "1" * 400]),
        lambda: random.choice([b"", [], {}, (), set(), object(), True, False, Exception, len, lambda sim: 1 / 0]),
        lambda: [random.choice([0, 1, -1, 1e-3, float("nan"), "1 mm", None]) for _ in range(random.randrange(5))],
        lambda: np.zeros(random.choice([(0,), (3,), (0, 3), (1, 3), (count, 3), (count, 2), (count + 1, 3), (3, count), (2, 2, 2), ()])),
        lambda: np.full((count, 3), random.choice([np.nan, np.inf, 1e200, 0.0])),
        lambda: np.zeros((count, 3), dtype=random.choice([np.float32, np.int8, np.complex128, object, np.bool_])),
        lambda: np.zeros((3, count)).T,
        lambda: np.zeros((2 * count, 3))[::2],
        lambda: np.array(["a"] * count),
        lambda: {"type": random.choice(["remove_wall", "fly", 3, "set_contact"]), "wall": random.choice(["floor", 1, None])},
        lambda: sim.particles.id,
        lambda: sim,
        lambda: Path("/nonexistent/file"),
    ]
    return random.choice(pool)()


def calls(sim: dem.Simulation) -> list[Any]:
    """Everything that can be called or assigned, but for what would run for ever, or end everything."""
    engine = sim._engine
    avoided = {"run", "step", "close", "every", "advance", "advance_singly", "next_stage", "stop"}
    objects = [sim, sim.particles, sim.contacts, sim.walls["floor"], sim.walls, sim.parameters, sim.bodies, engine]
    found: list[Any] = []
    for owner in objects:
        for name in dir(owner):
            if name in avoided or name.startswith("_") and name not in ("__getitem__", "__setitem__"):
                continue
            member = getattr(type(owner), name, None)
            if callable(member):
                found.append((owner, name))
            elif isinstance(member, property) and member.fset is not None:
                found.append((owner, "= " + name))
    steps = lambda value: sim.step(min(value, 3) if isinstance(value, int) else value)
    until = lambda value: sim.run(until=value, steps=2, progress=False)
    found += [(steps, ""), (until, ""), (lambda *v: sim.every(*v), ""), (dem.quantity, "")]
    found += [(dem.Scene.from_toml, ""), (dem.Scene.from_dict, ""), (dem.Scene.load, "")]
    return found


@pytest.mark.parametrize("seed", range(4))
def test_random_wrong_calls(tmp_path: Path, seed: int) -> None:
    draw = random.Random(seed)
    os.chdir(tmp_path)
    errors = 0
    sim, callable_ = None, []
    for number in range(CALLS // 4):
        if sim is None or sim.closed or not sim.can_go_on or number % 500 == 0:
            sim = dem.Scene.load(SCENE).build()
            sim.step(20)
            callable_ = calls(sim)
        owner, name = draw.choice(callable_)
        arguments = [values(draw, sim) for _ in range(draw.randrange(4))]
        try:
            if name.startswith("= "):
                setattr(owner, name[2:], values(draw, sim))
            elif name:
                getattr(owner, name)(*arguments)
            else:
                owner(*arguments)
        except ALLOWED as error:
            assert not isinstance(error, dem.InternalError), (name, arguments, error)
            errors += 1
        except RecursionError as error:
            raise AssertionError((name, arguments)) from error
        if sim._engine.is_lent():
            # lend() of the engine has been called by itself
            try:
                sim._engine.take_back()
            except ALLOWED as error:
                assert not isinstance(error, dem.InternalError), error
    assert errors > 0.3 * (CALLS // 4)
    # a new simulation does what it always does
    sim = dem.Scene.load(SCENE).build()
    sim.step(20)
    assert np.isfinite(sim.particles.position).all()


def test_memory_is_given_back() -> None:
    def resident() -> float:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
        return pages * resource.getpagesize() / 2**20

    sizes = []
    for _ in range(50):
        sim = dem.Scene.load(SCENE).build()
        sim.run(steps=50)
        sim.particles.position, sim.contacts.force, sim.frame()
        with sim.particles.raw() as raw:
            raw.velocity[:] *= 0.9
        del sim, raw
        gc.collect()
        sizes.append(resident())
    assert abs(sizes[49] - sizes[9]) < 5.0, sizes
