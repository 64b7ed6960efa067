"""Constructors of tagged tables, and what is generated from the schema of the engine."""

from __future__ import annotations

import copy
import importlib.util
import inspect
import json
import pickle
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from dem import builders as typed_builders
from dem import calls
from dem import schema as engine_schema
from dem.errors import SceneError
from dem.scene import Scene
from dem.schema import Schema

builders: Any = typed_builders
"""Also for calls that a type checker refuses."""
PACKAGE = Path(__file__).resolve().parent.parent


def stubs_tool() -> ModuleType:
    path = PACKAGE / "tools" / "stubs.py"
    if not path.exists():
        pytest.skip("the generator of stubs is not here")
    spec = importlib.util.spec_from_file_location("stubs_tool", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def with_more(change: Any) -> Schema:
    """The schema of the engine with a change."""
    document = copy.deepcopy(json.loads(engine_schema.current().text))
    change(document["$defs"])
    return Schema.from_text(json.dumps(document))


def add_cone(definitions: dict[str, Any]) -> None:
    properties = {
        "type": {"const": "cone", "type": "string"},
        "radius": {"$ref": "#/$defs/Length", "description": "Radius of the base."},
        "open-end": {"type": "boolean"},
    }
    variant = {"type": "object", "description": "Cone.", "properties": properties, "required": ["type", "radius"]}
    definitions["ShapeScene"]["oneOf"].append({**variant, "additionalProperties": False})


def test_every_constant_of_a_union_is_a_constructor() -> None:
    names = builders.names()
    assert {"plane", "disc", "cylinder", "uniform", "random", "pour", "remove_wall", "set_contact", "line"} <= set(
        names
    )
    for union in engine_schema.current().unions.values():
        assert {calls.word_of(constant) for constant in union.variants} <= set(names)
    for name in names:
        assert getattr(builders, name) is builders.constructor(name)
        assert builders.constructor(name).__doc__
    assert set(names) <= set(dir(builders))
    namespace: dict[str, Any] = {}
    exec("from dem.builders import *", namespace)
    assert set(names) <= set(namespace)


def test_required_keys_come_first_in_their_order() -> None:
    assert builders.plane([0, 0, 1]) == {"type": "plane", "normal": [0, 0, 1]}
    assert builders.uniform("2 mm", "3 mm") == {"type": "uniform", "min": "2 mm", "max": "3 mm"}
    assert builders.mesh("a.stl", "1 mm")["unit"] == "1 mm"
    assert str(inspect.signature(builders.disc)) == "(radius, *, centre=None, inner_radius=None, normal=None)"
    assert str(inspect.signature(builders.cylinder)) == "(radius, height=None, *, axis=None, base=None)"


def test_values_become_plain() -> None:
    made = builders.disc(np.float64(0.05), centre=np.array([0, 0, 0.2]), normal=(0, 0, 1), inner_radius=None)
    assert dict(made) == {"type": "disc", "radius": 0.05, "centre": [0.0, 0.0, 0.2], "normal": [0, 0, 1]}
    assert type(made["radius"]) is float
    assert builders.file(path=Path("a") / "b.csv")["path"] == str(Path("a") / "b.csv")
    action = builders.remove_particles(builders.box([0, 0, 0], [1, 1, 1]))
    assert action["region"] == {"type": "box", "min": [0, 0, 0], "max": [1, 1, 1]}


def test_a_tagged_table_shows_compares_and_pickles() -> None:
    made = builders.cylinder("5 cm", height="20 cm")
    assert repr(made) == "cylinder(radius='5 cm', height='20 cm')"
    assert pickle.loads(pickle.dumps(made)) == made == copy.deepcopy(made)
    assert len(made) == 3 and list(made) == ["type", "radius", "height"]
    assert eval(repr(made), {"cylinder": builders.cylinder}) == made
    with pytest.raises(TypeError):
        made["radius"] = 1


@pytest.mark.parametrize(
    ("call", "key", "words"),
    [
        (lambda: builders.disc(radis=1), "disc.radis", "did you mean `radius`?"),
        (lambda: builders.uniform("2 mm"), "uniform", "missing key `max`"),
        (lambda: builders.disc("5 cmm"), "disc.radius", 'a length such as "2.5 mm"'),
        (lambda: builders.box([0, 0], [1, 1, 1]), "box.min", "has 2 elements, expected 3"),
        (lambda: builders.box([0, 0, 0], [1, 1, 1], open=["z_mix"]), "box.open.0", "did you mean `z_min`?"),
        (lambda: builders.random(count=2.5), "random.count", "expected a whole number"),
        (lambda: builders.random(count=-1), "random.count", "at least 0"),
        (lambda: builders.random(count=True), "random.count", "expected a whole number"),
        (lambda: builders.move_wall("a", motion={"velocty": [0, 0, 0]}), "move_wall.motion.velocty", "`velocity`"),
        (lambda: builders.plane([0, 0, object()]), "plane.normal.2", "of the type object"),
        (lambda: builders.plane([0, 0, None]), "plane.normal.2", "None"),
        (lambda: builders.plane(np.array([1j])), "plane.normal", "complex"),
        (lambda: builders.constructor("plan"), "plan", "did you mean `plane`?"),
    ],
)
def test_slips_are_told_at_once(call: Any, key: str, words: str) -> None:
    with pytest.raises(SceneError) as caught:
        call()
    assert caught.value.key == key
    assert words in str(caught.value)
    assert isinstance(caught.value, ValueError)


def test_wrong_calls_are_type_errors() -> None:
    with pytest.raises(TypeError, match="takes 2 without a name"):
        builders.uniform(1, 2, 3)
    with pytest.raises(TypeError, match="several values for `min`"):
        builders.uniform(1, min=2)
    with pytest.raises(AttributeError, match="did you mean `plane`"):
        builders.plan  # noqa: B018


def test_a_name_of_several_unions_takes_the_keys_of_either() -> None:
    builders.box([0, 0, 0], [1, 1, 1], open=["z_max"])
    builders.cylinder(1)
    scene: Any = Scene()
    with pytest.raises(SceneError, match="missing key `height`"):
        scene.particles("grains", builders.random(), region=builders.cylinder(1))
    with pytest.raises(SceneError, match="unknown key `open`"):
        scene.particles("grains", builders.random(), region=builders.box([0, 0, 0], [1, 1, 1], open=["z_max"]))
    with pytest.raises(SceneError, match=r"walls.floor.shape.type = \"uniform\" is not known here"):
        scene.wall("floor", builders.uniform(1, 2), material="glass")
    assert scene.to_dict() == {}


def test_a_shape_added_to_the_schema_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    schema = with_more(add_cone)
    cone = builders.constructor("cone", schema)
    assert str(inspect.signature(cone)) == "(radius, *, open_end=None)"
    assert "Radius of the base." in str(cone.__doc__)
    monkeypatch.setattr(engine_schema, "_current", schema)
    monkeypatch.setattr(engine_schema, "_text", lambda: schema.text)
    assert "cone" in builders.names()
    scene = Scene()
    scene.wall("tip", builders.constructor("cone")("5 mm"), material="glass")
    assert scene["walls"][0]["shape"] == {"type": "cone", "radius": "5 mm"}
    assert "def cone(" in stubs_tool().builders(schema)


def test_a_law_registered_later_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    def add_law(definitions: dict[str, Any]) -> None:
        contact = definitions["ContactScene"]
        contact["properties"]["law"]["enum"].append("magnetic")
        contact["properties"]["remanence"] = {"type": ["number", "string"]}
        names = {"propertyNames": {"enum": ["law", "remanence"]}}
        contact["allOf"].append(
            {"if": {"properties": {"law": {"const": "magnetic"}}, "required": ["law"]}, "then": names}
        )

    schema = with_more(add_law)
    before = engine_schema.current()
    monkeypatch.setattr(engine_schema, "_current", before)
    scene: Any = Scene()
    with pytest.raises(SceneError, match="magnetic"):
        scene.contact("magnetic", remanence=1)
    monkeypatch.setattr(engine_schema, "_text", lambda: schema.text)
    scene.contact("magnetic", remanence="1 m")
    with pytest.raises(SceneError, match="known keys: law, remanence"):
        scene.contact(friction=0.3)


def test_methods_come_from_the_schema() -> None:
    made = calls.methods(engine_schema.current())
    expected = {
        "material",
        "contact",
        "wall",
        "particles",
        "stage",
        "time",
        "output",
        "fields",
        "cell",
        "domain",
        "clump",
    }
    assert expected | {"group", "guide", "pair", "limits", "at_rest", "output_wall_probe"} <= set(made)
    own = {name for name in vars(Scene) if not name.startswith("_")}
    assert not own & set(made), "a method of the class hides one of the schema"
    for name, call in made.items():
        method = getattr(Scene, name)
        assert method.__doc__
        assert list(inspect.signature(method).parameters)[0] == "self"
        assert set(call.positional) <= set(call.keys)


def test_stubs_are_up_to_date() -> None:
    tool = stubs_tool()
    for name, content in tool.stubs(engine_schema.current()).items():
        path = PACKAGE / "dem" / name
        assert path.read_text(encoding="utf-8") == content, f"{name}: run tools/stubs.py"
