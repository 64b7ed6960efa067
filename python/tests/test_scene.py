"""Scenes as plain data: built by calls, read, written, changed and checked."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dem import builders, toml_text
from dem.errors import SceneError
from dem.nearest import distance, nearest
from dem.scene import Scene

EXAMPLES = sorted((Path(__file__).resolve().parents[2] / "examples").glob("*.toml"))
SMALL = """
title = "small"   # a comment

[materials.glass]
density = "2500 kg/m^3"
young_modulus = "20 MPa"
poisson_ratio = 0.25

[contact]
law = "hertz-mindlin"
friction = 0.4
restitution = 0.5

[[walls]]
name = "the floor"
material = "glass"
shape = { type = "plane", normal = [0, 0, 1] }

[[particles]]
name = "rain"
material = "glass"
sizes = { type = "single", radius = "5 mm" }
region = { type = "box", min = [0, 0, 0], max = ["5 cm", "5 cm", "5 cm"] }
fill = { type = "lattice", count = 10 }

[time]
end = "1 ms"
"""


def column() -> Scene:
    scene = Scene(title="column", seed=1)
    scene.material("glass", density="2500 kg/m^3", young_modulus="20 MPa", poisson_ratio=0.25)
    scene.contact(law="hertz-mindlin", friction=0.4, restitution=0.5)
    scene.wall("floor", builders.plane(normal=[0, 0, 1]), material="glass")
    scene.wall("lid", builders.disc(centre=[0, 0, 0.2], radius=0.05), material="glass")
    scene.particles(
        "grains",
        material="glass",
        sizes=builders.uniform("2 mm", "3 mm"),
        region=builders.cylinder("5 cm", height="20 cm"),
        fill=builders.random(count=2000),
    )
    return scene


def test_calls_give_the_scene_that_people_write() -> None:
    scene = column()
    assert scene.to_toml() == (
        'title = "column"\nseed = 1\n\n'
        '[materials.glass]\ndensity = "2500 kg/m^3"\nyoung_modulus = "20 MPa"\npoisson_ratio = 0.25\n\n'
        '[contact]\nlaw = "hertz-mindlin"\nfriction = 0.4\nrestitution = 0.5\n\n'
        '[[walls]]\nname = "floor"\nshape = { type = "plane", normal = [0, 0, 1] }\nmaterial = "glass"\n\n'
        '[[walls]]\nname = "lid"\nshape = { type = "disc", centre = [0, 0, 0.2], radius = 0.05 }\n'
        'material = "glass"\n\n'
        '[[particles]]\nname = "grains"\nmaterial = "glass"\nsizes = { type = "uniform", min = "2 mm", max = "3 mm" }\n'
        'region = { type = "cylinder", radius = "5 cm", height = "20 cm" }\nfill = { type = "random", count = 2000 }\n'
    )
    assert "column" in repr(scene) and "walls: 2, sources: 1" in repr(scene)
    assert "<table" in scene._repr_html_() and "hertz-mindlin" in scene._repr_html_()


def test_a_scene_by_calls_is_sound() -> None:
    found = column().check()
    assert found.sound and found.particles == 2000 and 1e-7 < found.time_step < 1e-3
    assert found["materials"][0]["name"] == "glass" and "materials" in list(found)
    assert f"{found.time_step:.4g} s" in str(found)
    assert "<table" in found._repr_html_()
    assert isinstance(found.warnings, list)


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_examples_survive_reading_and_writing(path: Path) -> None:
    table = toml_text.read(path.read_text(encoding="utf-8"))
    scene = Scene.from_dict(table, folder=path.parent)
    again = toml_text.read(scene.to_toml())
    assert again == table
    assert repr(again) == repr(toml_text.read(toml_text.write(again)))
    # the engine reads what is written, and finds the files
    assert Scene.from_toml(scene.to_toml(), folder=path.parent) == scene


def test_load_keeps_the_text(tmp_path: Path) -> None:
    path = tmp_path / "small.toml"
    path.write_text(SMALL)
    scene = Scene.load(path)
    assert scene.to_toml() == SMALL and scene.folder == str(tmp_path)
    scene["contact"]["friction"] = 0.1
    assert scene.to_toml() != SMALL and "friction = 0.1" in scene.to_toml()
    scene["contact"]["friction"] = 0.4
    assert scene.to_toml() == SMALL
    assert (
        Scene.load(str(path), set={"contact.friction": 0.3, "particles.rain.fill.count": 5})["contact"]["friction"]
        == 0.3
    )


def test_errors_of_files_have_file_line_and_key(tmp_path: Path) -> None:
    path = tmp_path / "small.toml"
    path.write_text(SMALL.replace("20 MPa", "20 MPb"))
    with pytest.raises(SceneError) as caught:
        Scene.load(path)
    error = caught.value
    assert error.file == str(path) and error.line == 6 and error.key == "materials.glass.young_modulus"
    assert error.errors and error.errors[0]["line"] == 6
    again = pickle.loads(pickle.dumps(error))
    assert (str(again), again.line, again.key) == (str(error), 6, error.key)


def test_text_that_is_no_toml_or_no_text(tmp_path: Path) -> None:
    with pytest.raises(SceneError) as caught:
        Scene.from_toml("[contact]\nlaw = \n")
    assert caught.value.line == 2
    path = tmp_path / "bytes.toml"
    path.write_bytes(b"title = 'a'\n# \xff\n")
    with pytest.raises(SceneError) as caught:
        Scene.load(path)
    assert caught.value.line == 2 and caught.value.file == str(path)
    with pytest.raises(FileNotFoundError):
        Scene.load(tmp_path / "none.toml")


def test_lines_stay_when_a_value_is_set(tmp_path: Path) -> None:
    path = tmp_path / "small.toml"
    path.write_text(SMALL)
    scene = Scene.load(path, set={"contact.friction": 0.3})
    scene.set("walls.'the floor'.material", "glas")
    with pytest.raises(SceneError) as caught:
        scene.check()
    assert caught.value.key == "walls.0.material" and "--set" in str(caught.value)
    scene = Scene.load(path)
    scene["walls"][0]["material"] = "glas"
    with pytest.raises(SceneError) as caught:
        scene.check()
    assert caught.value.file == "<scene>"


def test_set_and_get() -> None:
    scene = column()
    scene.set("contact.friction", np.float32(0.5))
    assert scene["contact"]["friction"] == 0.5 and scene.get("contact.friction") == 0.5
    scene.set("walls.lid.shape.radius", "6 cm")
    scene.set("walls.1.active", False)
    assert scene.get("walls.lid") == scene["walls"][1]
    assert scene["walls"][1]["active"] is False and scene["walls"][1]["shape"]["radius"] == "6 cm"
    scene.set("time.end", "1 s")
    scene.set("time.end", None)
    assert scene["time"] == {} and scene.get("time.end", 3) == 3
    with pytest.raises(KeyError, match="did you mean `contact`"):
        scene["contct"]
    assert "contact" in scene and "contct" not in scene and list(scene)[:2] == ["title", "seed"]


@pytest.mark.parametrize(
    ("path", "value", "words"),
    [
        ("contact.frction", 0.3, "did you mean `friction`?"),
        ("contact.friction", "much", "expected a number"),
        ("walls.flor.material", "glass", "did you mean `floor`?"),
        ("walls.7.material", "glass", "there is no element 7"),
        ("contact.friction.more", 1, "no table"),
        ("contact..friction", 1, "a key is empty"),
        ("walls.'floor", 1, "quote"),
        ("time.nothing", None, "no key"),
        (3, 1, "text"),
    ],
)
def test_set_refuses_what_cannot_stand_there(path: Any, value: Any, words: str) -> None:
    scene = column()
    with pytest.raises(SceneError, match=words):
        scene.set(path, value)
    assert scene == column()


@pytest.mark.parametrize(
    ("call", "key", "words"),
    [
        (lambda s: s.material("sand", densty=1), "materials.sand.densty", "did you mean `density`?"),
        (lambda s: s.material("sand"), "materials.sand", "missing key `density`"),
        (lambda s: s.material(3), "materials", "expected a name"),
        (lambda s: s.contact(law="hertz-midlin"), "contact.law", "did you mean `hertz-mindlin`?"),
        (lambda s: s.contact(frictoin=1), "contact.frictoin", "did you mean `friction`?"),
        (lambda s: s.wall("a", builders.plane([0, 0, 1])), "walls.2", "missing key `material`"),
        (lambda s: s.stage("a", builders.plane([0, 0, 1]), until={}), "stages.0.actions.0.type", "remove_wall"),
        (lambda s: s.stage("a", until={"tme": 1}), "stages.0.until.tme", "did you mean `time`?"),
        (lambda s: s.time(step="atuo"), "time.step", "did you mean `auto`?"),
        (lambda s: s.time(end="1 sec"), "time.end", 'a time such as "10 us"'),
        (lambda s: s.time(integrator={"name": "newmark", "mde": "pec"}), "time.integrator.mde", "`mode`"),
        (lambda s: s.group("g", frozen=["x", "w"]), "groups.g.frozen.1", "rotation_x"),
        (lambda s: s.domain([0, 0, 0], [1, 1, 1], x="perodic"), "domain.x", "did you mean `periodic`?"),
        (lambda s: s.output(contacts="all"), "output.contacts", "true or false, a list"),
        (lambda s: type(s)(**{"titel": "x"}), "titel", "did you mean `title`?"),
        (lambda s: Scene.from_dict({"wals": []}), "wals", "did you mean `walls`?"),
        (lambda s: Scene.from_dict({"walls": [{"name": "a"}]}), "walls.0", "missing key"),
    ],
)
def test_slips_are_told_at_once_and_change_nothing(call: Any, key: str, words: str) -> None:
    scene = column()
    with pytest.raises(SceneError) as caught:
        call(scene)
    assert caught.value.key == key
    assert words in str(caught.value)
    assert caught.value.errors[0]["key"] == key
    assert scene == column()


def test_tables_are_changed_maps_replaced_and_lists_extended() -> None:
    scene = Scene()
    scene.contact("linear", normal_stiffness=1e5)
    scene.contact(friction=0.2)
    scene.contact(normal_stiffness=None)
    assert scene["contact"] == {"law": "linear", "friction": 0.2}
    scene.clump("rod", spheres=[{"position": [0, 0, 0], "radius": "1 mm"}])
    scene.clump("rod", file="rod.csv", unit="1 mm")
    assert scene["clumps"] == {"rod": {"file": "rod.csv", "unit": "1 mm"}}
    scene.stage("a", builders.remove_wall("lid"), builders.stop_pouring("rain"), until={"time": "1 s"})
    scene.stage("b", until={"at_rest": True}, deform=None)
    assert scene["stages"][0]["actions"][1] == {"type": "stop_pouring", "source": "rain"}
    assert scene["stages"][1] == {"name": "b", "until": {"at_rest": True}}
    scene.output_wall_probe("floor", 10, from_="1 mm")
    assert scene["output"] == {"wall_probes": [{"wall": "floor", "bins": 10, "from": "1 mm"}]}
    scene.pair(["a", "b"], friction=0.1)
    scene.guide("rail", builders.line([1, 0, 0]), particles="beads", motion=builders.prescribed("1 m/s"))
    assert scene["guides"][0]["path"] == {"type": "line", "direction": [1, 0, 0]}


def test_copies_pickles_and_equality() -> None:
    scene = column()
    other = scene.copy()
    assert other == scene and pickle.loads(pickle.dumps(scene)) == scene
    other.set("contact.friction", 0.9)
    assert other != scene and scene["contact"]["friction"] == 0.4
    assert scene != scene.to_dict()
    read = Scene.from_toml(SMALL, set={"contact.friction": 0.3})
    again = pickle.loads(pickle.dumps(read))
    assert again == read and again._overrides == ["contact.friction=0.3"]
    with pytest.raises(TypeError):
        hash(scene)


def test_save_does_not_overwrite_unasked(tmp_path: Path) -> None:
    path = tmp_path / "column.toml"
    column().save(path)
    assert Scene.load(path) == column()
    with pytest.raises(FileExistsError):
        column().save(path)
    column().save(path, force=True)


def test_writer_of_toml() -> None:
    table = {
        "x": {"a": {"b": 1}, "c": {"d e": [True, 1.5, -0.0, 1e22, '"\\\n\u00b5\x7f']}},
        "empty": {},
        "none": [],
        "mixed": [{"a": 1}, 2],
        "list": [{"deep": [{"a": []}] * 40, "t": {}}],
        "top": 3,
    }
    text = toml_text.write(table)
    assert toml_text.read(text) == table
    assert text.startswith("none = []\n") and "[x.a]" in text and "[[list]]" in text and "[empty]" in text
    with pytest.raises(TypeError):
        toml_text.write({"a": object()})


def test_nearest_word() -> None:
    assert nearest("young_modulos", ["density", "young_modulus"]) == "young_modulus"
    assert nearest("dnesity", ["density"]) == "density" and distance("dnesity", "density") == 1
    assert nearest("Density", ["density"]) == "density"
    assert nearest("colour", ["density"]) is None and nearest("", ["a"]) is None and nearest("x", ["y"]) is None
