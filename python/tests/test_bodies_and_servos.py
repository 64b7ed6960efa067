"""Rigid bodies, walls that press, and cells that deform, from Python."""

from __future__ import annotations

from pathlib import Path

import dem
import numpy as np
import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"
ALONE = 2**32 - 1


@pytest.fixture(scope="module")
def clumps() -> dem.Simulation:
    sim = dem.Scene.load(EXAMPLES / "clump_pouring.toml").build()
    sim.run(until="20 ms", progress=False)
    return sim


def test_bodies_are_arrays_and_members_belong_to_them(clumps: dem.Simulation) -> None:
    b, p = clumps.bodies, clumps.particles
    assert len(b) > 10 and {"id", "position", "velocity", "mass"} <= set(b.names)
    assert np.array_equal(np.unique(p.body[p.body != ALONE]), b.id)
    # the mass of the members of a body that do not overlap is more than its own, that of all bodies that of the assembly
    assert b.mass.shape == (len(b),) and b.position.shape == (len(b), 3)
    centre = np.array([p.position[p.body == number].mean(axis=0) for number in b.id])
    assert np.abs(centre - b.position).max() < 4 * p.radius.max()
    table = b.to_pandas()
    assert table.index.name == "id" and table.attrs["units"]["mass"] == "kg"
    with pytest.raises(AttributeError):
        b.nonsense


def test_members_keep_what_they_take_from_their_body(clumps: dem.Simulation) -> None:
    sim = clumps.copy()
    velocity = sim.particles.velocity
    with pytest.raises(ValueError, match="belongs to body"):
        sim.particles.velocity = 2.0 * velocity
    # what stays as it was is no change
    sim.particles.velocity = velocity
    with sim.particles.raw() as raw:
        raw.velocity[:] = 1.0
    assert np.allclose(sim.particles.velocity, velocity, rtol=0, atol=1e-12)
    with pytest.raises(ValueError, match="belongs to body"):
        sim.remove(int(sim.particles.id[0]))
    # a force on a member acts on the body
    before, mass = sim.bodies.velocity.copy(), sim.bodies.mass
    push = np.zeros((len(sim), 3))
    first = np.array([np.flatnonzero(sim.particles.body == number)[0] for number in sim.bodies.id])
    push[first, 0] = 50.0 * mass
    sim.particles.external_force = push
    free = np.array([sim.particles.contacts[sim.particles.body == number].sum() == 0 for number in sim.bodies.id])
    sim.step(10)
    gained = sim.bodies.velocity[: len(before), 0] - before[:, 0]
    assert free.sum() > 3 and np.allclose(gained[free], 50.0 * 9.5 * sim.time_step, rtol=1e-6)


def test_bodies_are_taken_out_whole(clumps: dem.Simulation, tmp_path: Path) -> None:
    sim = clumps.copy()
    balance, scale = sim.energy["energy_balance"], sim.energy["kinetic_energy"] + abs(sim.energy["gravity_energy"])
    number = int(sim.bodies.id[2])
    members, count = (sim.particles.body == number).sum(), len(sim)
    sim.remove(bodies=number)
    assert len(sim) == count - members and number not in sim.bodies.id
    assert abs(sim.energy["energy_balance"] - balance) < 1e-9 * scale
    with pytest.raises(dem.ParticleIdError):
        sim.remove(bodies=[number])
    other = sim.copy()
    for one in (sim, other):
        one.run(steps=100, progress=False)
    sim.save(tmp_path / "a.ckpt")
    other.save(tmp_path / "b.ckpt")
    assert (tmp_path / "a.ckpt").read_bytes() == (tmp_path / "b.ckpt").read_bytes()


def test_walls_press_with_what_a_program_says() -> None:
    """A lid on four spheres: at rest the contacts carry the force that it is told to press with."""
    scene = dem.Scene(title="press")
    scene.material("m", density=2500, young_modulus="10 MPa", poisson_ratio=0.3)
    scene.contact(law="hertz-mindlin", friction=0.0, restitution=0.2)
    scene.domain(min=[-0.02, -0.02, -0.001], max=[0.02, 0.02, 0.05])
    scene.fields(gravity=[0, 0, 0])
    scene.wall("floor", dem.plane(normal=[0, 0, 1]), material="m")
    scene.wall(
        "lid",
        dem.disc(centre=[0, 0, 0.0062], radius=0.02, normal=[0, 0, -1]),
        material="m",
        motion={"servo": {"force": "2 N", "direction": [0, 0, -1]}},
    )
    scene.particles(
        "four",
        material="m",
        sizes=dem.single(radius="3 mm"),
        region=dem.box(min=[-0.0062, -0.0062, 0], max=[0.0062, 0.0062, 0.0062]),
        fill=dem.lattice(gap=0.001),
    )
    scene.time(end="2 s")
    scene.stage("press", until={"time": "2 s"})
    sim = scene.build()
    lid = sim.walls["lid"]
    assert lid.target == 2.0
    for target in (2.0, 5.0, "1 N"):
        lid.target = target
        sim.run(until=sim.time + 0.3, progress=False)
        force = dem.quantity(target, "N")
        assert lid.target == force and np.isclose(lid.load[2], force, rtol=0.02), (target, lid.load)
    for wrong in (float("nan"), "1 kg", "much"):
        with pytest.raises(ValueError):
            lid.target = wrong
    lid.velocity = [0, 0, 0]
    assert lid.target is None


def test_stress_of_a_periodic_cell_is_that_of_the_engine() -> None:
    sim = dem.Scene.load(EXAMPLES / "stress_probe_small.toml").build()
    sim.run(steps=2000, progress=False)
    stress, found = sim.stress(), sim.measures
    # its columns are positive in compression, and have the stress of dashpots beside that of springs and friction
    assert found["compression_positive"] == 1.0
    for component, (i, j) in {"xx": (0, 0), "yy": (1, 1), "xz": (0, 2)}.items():
        expected = -(found[f"stress_{component}"] + found[f"viscous_stress_{component}"])
        assert np.isclose(stress[i, j], expected, rtol=1e-9, atol=1e-9 * abs(stress).max()), component
    assert np.isclose(sim.cell["volume"], abs(np.linalg.det(sim.cell["edges"])))
