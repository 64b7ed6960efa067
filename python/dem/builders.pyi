# Generated from the schema of scenes by tools/stubs.py: change it there.

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Literal, TypeAlias, TypedDict

import numpy as np
from numpy.typing import NDArray

from dem.schema import Schema

__all__ = [
    "add_wall",
    "box",
    "circle",
    "cylinder",
    "disc",
    "drive_guide",
    "file",
    "free",
    "frustum",
    "lattice",
    "line",
    "lognormal",
    "mesh",
    "move_wall",
    "normal",
    "plane",
    "pour",
    "prescribed",
    "random",
    "rectangle",
    "remove_particles",
    "remove_wall",
    "set_contact",
    "set_fields",
    "single",
    "sphere",
    "start_pouring",
    "stop_pouring",
    "table",
    "uniform",
]

_Number: TypeAlias = float | np.floating[Any] | np.integer[Any]
_Integer: TypeAlias = int | np.integer[Any]
_Bool: TypeAlias = bool | np.bool_
_Quantity: TypeAlias = float | str | np.floating[Any] | np.integer[Any]
_Numbers: TypeAlias = Sequence[_Number] | NDArray[Any]
_Quantities: TypeAlias = Sequence[_Quantity] | NDArray[Any]
_FilePath: TypeAlias = str | os.PathLike[str]

class Tagged(Mapping[str, Any]):
    """A table with a key ``type``, made by a constructor such as ``dem.plane``. It does not change."""

    def __init__(self, table: Mapping[str, Any]) -> None: ...
    def __getitem__(self, key: str) -> Any: ...
    def __iter__(self) -> Iterator[str]: ...
    def __len__(self) -> int: ...
    def __eq__(self, other: object) -> bool: ...
    __hash__: None  # type: ignore[assignment]

class _Action(Tagged): ...
class _Fill(Tagged): ...
class _GuideMotion(Tagged): ...
class _Path(Tagged): ...
class _Region(Tagged): ...
class _Shape(Tagged): ...
class _Size(Tagged): ...
class _RegionOrShape(_Region, _Shape): ...

class _Archard(TypedDict, total=False):
    coefficient: _Quantity
    hardness: _Quantity

class _ClumpSphere(TypedDict, total=False):
    material: str
    position: _Quantities
    radius: _Quantity

class _Component(TypedDict, total=False):
    rate: _Quantity
    stress: _Quantity

class _Condition(TypedDict, total=False):
    at_rest: _Bool
    measure: _Measure | dict[str, Any]
    poured: _Bool
    steps: _Integer
    strain: _Strain | dict[str, Any]
    stress_reached: _StressReached | dict[str, Any]
    time: _Quantity

class _Cut(TypedDict, total=False):
    normal: _Numbers
    point: _Quantities

class _Deform(TypedDict, total=False):
    constant_volume: _Bool
    max_rate: _Quantity
    mean_stress: _Quantity
    xx: _Component | dict[str, Any]
    xy: _Component | dict[str, Any]
    xz: _Component | dict[str, Any]
    yx: _Component | dict[str, Any]
    yy: _Component | dict[str, Any]
    yz: _Component | dict[str, Any]
    zx: _Component | dict[str, Any]
    zy: _Component | dict[str, Any]
    zz: _Component | dict[str, Any]

class _Fields(TypedDict, total=False):
    drag: Literal["none", "linear", "stokes", "schiller-naumann", "wen-yu"]
    drag_coefficient: _Quantity
    fluid_density: _Quantity
    fluid_velocity: _Quantities
    fluid_viscosity: _Quantity
    gravity: _Quantities
    gravity_rotation: _Quantities
    local_damping: _Quantity
    magnus_coefficient: _Quantity
    mass_damping: _Quantity
    porosity_cell: _Quantity

class _Finnie(TypedDict, total=False):
    coefficient: _Quantity

class _Measure(TypedDict, total=False):
    above: _Number
    below: _Number
    quantity: str

class _MeasuredRegion(TypedDict, total=False):
    name: str
    region: _Region | dict[str, Any]

class _Mixing(TypedDict, total=False):
    cells: Sequence[_Integer]
    name: str
    reference: str
    region: _Region | dict[str, Any]

class _Motion(TypedDict, total=False):
    amplitude: _Quantities
    angular_velocity: _Quantities
    axis: _Numbers
    frequency: _Quantity
    origin: _Quantities
    phase: _Quantity
    servo: _Servo | dict[str, Any]
    surface_velocity: _Quantities
    table: _FilePath
    table_ends: Literal["stay", "repeat"]
    velocity: _Quantities

class _ParticlesOrientation(TypedDict, total=False):
    fixed: _Numbers

class _Picture(TypedDict, total=False):
    azimuth: _Quantity
    colour: str
    cut: _Cut | dict[str, Any]
    elevation: _Quantity
    look_at: _Quantities
    orthographic: _Bool
    zoom: _Quantity

class _Plane(TypedDict, total=False):
    axis: Literal["x", "y", "z"]
    coordinate: _Quantity

class _Rotation(TypedDict, total=False):
    angle: _Quantity
    axis: _Numbers

class _Servo(TypedDict, total=False):
    area: _Quantity
    direction: _Numbers
    force: _Quantity
    max_speed: _Quantity
    max_travel: _Quantity
    pressure: _Quantity
    response: _Quantity

class _SetContactParameters(TypedDict, total=False):
    adhesion: Literal["none", "sjkr", "sjkr2", "constant"]
    bridge_form: Literal["willett", "willett-closed", "lambert", "rabinovich", "soulie"]
    bridge_liquid: Literal["fixed", "films"]
    bridge_rupture: Literal["willett", "lian"]
    bridge_volume: _Quantity
    cohesion_energy_density: _Quantity
    cohesive_stiffness: _Quantity
    constant_pull: _Quantity
    contact_angle: _Quantity
    contact_damping: _Quantity
    damping_rate: _Quantity
    damping_ratio: _Quantity
    decay_speed: _Quantity
    dissipation_time: _Quantity
    dynamic_friction: _Quantity
    elastic_displacement: Literal["incremental", "secant"]
    exponent: Literal["hertz", "linear"]
    fast_growth: Literal["exact", "fitted"]
    film_share: _Quantity
    fresh_contact_split: _Bool
    friction: _Quantity
    friction_law: Literal["coulomb", "exponential"]
    friction_limit: Literal["hertz", "hertz-plus-twice-pull"]
    hamaker_constant: _Quantity
    hysteresis_branch: Literal["incremental", "non-incremental"]
    hysteresis_length_factor: _Quantity
    hysteresis_power: _Quantity
    liquid_viscosity: _Quantity
    loading_stiffness: _Quantity
    memory: Literal["consistent", "literal"]
    mie_attraction: _Quantity
    mie_attraction_exponent: _Quantity
    mie_cutoff: _Quantity
    mie_repulsion: _Quantity
    mie_repulsion_exponent: _Quantity
    near_field: Literal["none", "mie", "van-der-waals", "liquid-bridge"]
    no_tension: _Bool
    normal: Literal["linear", "hertz", "jkr", "dmt", "thornton-ning", "walton-braun", "luding", "edinburgh"]
    normal_stiffness: _Quantity
    plasticity_depth: _Quantity
    plasticity_ratio: _Quantity
    pull: _Quantity
    restitution: _Quantity
    restitution_speed: _Quantity
    rolling: Literal["none", "constant-torque", "elastic-plastic"]
    rolling_damping_ratio: _Quantity
    rolling_friction: _Quantity
    rolling_stiffness: _Quantity
    separation: Literal["fold", "peak"]
    separation_minimum: _Quantity
    separation_split: _Bool
    sliding_dashpot: Literal["kelvin", "lammps", "dropped", "outside"]
    sliding_direction: Literal["force", "displacement", "velocity"]
    sliding_flag: _Bool
    sliding_work: Literal["exact", "trapezoid"]
    slip_rotation: _Bool
    springs: _Quantity
    stick_slip_split: _Bool
    stiffening: _Quantity
    stiffness_point: _Quantity
    stiffness_ratio: _Quantity
    stiffness_rule: Literal["mindlin", "kohring", "campello", "constant"]
    surface_energy: _Quantity
    surface_tension: _Quantity
    tangential: Literal[
        "none", "spring-slider", "mindlin-no-slip", "mindlin", "total-form", "kuhn", "conventional",
        "mindlin-deresiewicz", "mdr", "balevicius",
    ]
    tangential_damping_rate: _Quantity
    tangential_damping_ratio: _Quantity
    tangential_damping_share: _Quantity
    tangential_stiffness: _Quantity
    tangential_stiffness_factor: _Quantity
    travel: Literal["exact", "tangent"]
    turning_points: _Quantity
    twisting: Literal["none", "spring-dashpot", "marshall"]
    twisting_damping_ratio: _Quantity
    twisting_friction: _Quantity
    twisting_radius: _Quantity
    twisting_stiffness: _Quantity
    unloading: Literal["carried", "none", "area", "neutral", "total", "displacement", "hyperelastic"]
    unloading_stiffness: _Quantity
    unloading_stiffness_limit: _Quantity
    van_der_waals_cutoff: _Quantity
    work_bookkeeping: _Bool
    work_of_adhesion: _Quantity
    yield_pressure: _Quantity

class _Strain(TypedDict, total=False):
    volume: _Quantity
    xx: _Quantity
    xy: _Quantity
    xz: _Quantity
    yy: _Quantity
    yz: _Quantity
    zz: _Quantity

class _StressReached(TypedDict, total=False):
    tolerance: _Quantity
    unbalanced_force: _Quantity

class _TimeIntegrator(TypedDict, total=False):
    coefficient: Literal["3/16", "3/20"]
    corrected: _Bool
    mode: Literal["pec", "pece"]
    most_iterations: _Quantity
    name: Literal["velocity-verlet", "semi-implicit-euler", "newmark", "gear", "generalized-trapezoidal"]
    phi: _Quantity
    sweep: Literal["jacobi", "gauss-seidel"]
    tolerance: _Quantity

class _WallFacets(TypedDict, total=False):
    archard: _Archard | dict[str, Any]
    finnie: _Finnie | dict[str, Any]
    wall: str

_WallProbe = TypedDict(
    "_WallProbe",
    {
        "bins": _Integer,
        "face": Literal["x_min", "x_max", "y_min", "y_max", "z_min", "z_max"],
        "from": _Quantity,
        "sectors": _Integer,
        "to": _Quantity,
        "wall": str,
    },
    total=False,
)

def add_wall(wall: str) -> _Action:
    """Puts a wall with `active = false` in place.

    For actions.

    Args:
        wall: Name of the wall. Takes a text.
    """

def box(
    min: _Quantities,
    max: _Quantities,
    *,
    open: Sequence[Literal["x_min", "x_max", "y_min", "y_max", "z_min", "z_max"]] | None = None,
) -> _RegionOrShape:
    """Box along the axes. Container with faces along the axes.

    For regions and shapes.

    Args:
        min: Lower corner. Takes a list of 3, each a length such as "2.5 mm" or a number in m.
        max: Upper corner. Takes a list of 3, each a length such as "2.5 mm" or a number in m.
        open: Faces that are missing. Default: none. Takes a list, each "x_min", "x_max", "y_min",
            "y_max", "z_min", "z_max".
    """

def circle(radius: _Quantity, *, centre: _Quantities | None = None, normal: _Numbers | None = None) -> _Path:
    """A circle.

    For paths.

    Args:
        radius: Radius. Takes a length such as "2.5 mm" or a number in m.
        centre: Centre. Default: the origin. Takes a list of 3, each a length such as "2.5 mm" or a
            number in m.
        normal: Normal of its plane, any length; the positive direction turns about it by the right
            hand. Default: z. Takes a list of 3, each a number.
    """

def cylinder(
    radius: _Quantity,
    height: _Quantity | None = None,
    *,
    axis: _Numbers | None = None,
    base: _Quantities | None = None,
) -> _RegionOrShape:
    """Cylinder. Lateral surface of a cylinder, inside and outside.

    For regions and shapes.

    Args:
        radius: Radius. Takes a length such as "2.5 mm" or a number in m.
        height: Length along the axis. Takes a length such as "2.5 mm" or a number in m. / Length along
            the axis. Default: unlimited. Takes a length such as "2.5 mm" or a number in m.
        axis: Direction of the axis. Default: z. Takes a list of 3, each a number. / Direction of the
            axis, any length. Default: z. Takes a list of 3, each a number.
        base: Centre of the lower end. Default: the origin. Takes a list of 3, each a length such as
            "2.5 mm" or a number in m.
    """

def disc(
    radius: _Quantity,
    *,
    centre: _Quantities | None = None,
    inner_radius: _Quantity | None = None,
    normal: _Numbers | None = None,
) -> _Shape:
    """Disc, or ring if it has a hole.

    For shapes.

    Args:
        radius: Radius. Takes a length such as "2.5 mm" or a number in m.
        centre: Centre. Default: the origin. Takes a list of 3, each a length such as "2.5 mm" or a
            number in m.
        inner_radius: Radius of the hole. Default: none. Takes a length such as "2.5 mm" or a number in
            m.
        normal: Normal, any length. Default: z. Takes a list of 3, each a number.
    """

def drive_guide(guide: str, velocity: _Quantity, *, angular_velocity: _Quantities | None = None) -> _Action:
    """Gives the particles of a guide a velocity along the path: the new prescribed one, or an impulse to
    free ones.

    For actions.

    Args:
        guide: Name of the guide. Takes a text.
        velocity: The velocity. Takes a velocity such as "0.5 m/s" or a number in m/s.
        angular_velocity: The new angular velocity, of a guide that has one. Default: it stays. Takes a
            list of 3, each an angular velocity such as "30 rpm" or a number in rad/s.
    """

def file(path: _FilePath, *, max_overlap: _Quantity | None = None, unit: _Quantity | None = None) -> _Fill:
    """From a table x,y,z,r (or radius, d, diameter) and optional vx,vy,vz,wx,wy,wz,qx,qy,qz,qw,material,id
    in SI; gzip is recognised. Of bodies x,y,z is the centre of mass, r the radius of the sphere of
    equal volume, and the quaternion qx,qy,qz,qw stands in place of `orientation`.

    For fills.

    Args:
        path: Path, relative to the scene. Takes a text.
        max_overlap: Largest overlap of its particles with each other and with walls in proportion to
            the smaller radius. Default: 1e-6; a settled packing needs more. Takes a ratio such as "3 %"
            or a plain number.
        unit: Length of one unit of the coordinates and radii or diameters of the table, for example "1
            mm"; all other numbers are in SI. Default: 1 m. Takes a length such as "2.5 mm" or a number
            in m.
    """

def free(*, velocity: _Quantity | None = None) -> _GuideMotion:
    """The forces along the path.

    For guide motions.

    Args:
        velocity: Velocity along the path at the start. Default: 0. Takes a velocity such as "0.5 m/s"
            or a number in m/s.
    """

def frustum(
    base_radius: _Quantity,
    top_radius: _Quantity,
    height: _Quantity,
    *,
    axis: _Numbers | None = None,
    base: _Quantities | None = None,
) -> _RegionOrShape:
    """Frustum. Lateral surface of a frustum: cone, hopper.

    For regions and shapes.

    Args:
        base_radius: Radius at the base. Takes a length such as "2.5 mm" or a number in m.
        top_radius: Radius at the other end. Takes a length such as "2.5 mm" or a number in m.
        height: Length along the axis. Takes a length such as "2.5 mm" or a number in m.
        axis: Direction of the axis. Default: z. Takes a list of 3, each a number. / Direction of the
            axis, any length. Default: z. Takes a list of 3, each a number.
        base: Centre of the lower end. Default: the origin. Takes a list of 3, each a length such as
            "2.5 mm" or a number in m.
    """

def lattice(
    *,
    count: _Integer | None = None,
    gap: _Quantity | None = None,
    jitter: _Quantity | None = None,
    lattice: Literal["simple_cubic", "fcc", "hcp"] | None = None,
    spacing: _Quantity | None = None,
) -> _Fill:
    """On the sites of a lattice, at the start.

    For fills.

    Args:
        count: Stop after so many. Default: as many as fit. Takes a whole number.
        gap: Gap between the largest spheres in proportion to their diameter, if no spacing is given.
            Default: 0.01. Takes a ratio such as "3 %" or a plain number.
        jitter: Random displacement as a share of the free gap, 0 to 1. Default: 0. Takes a ratio such
            as "3 %" or a plain number.
        lattice: Which lattice. Default: simple cubic. Takes "simple_cubic", "fcc", "hcp".
        spacing: Distance of nearest sites. Default: the largest diameter and the gap. Takes a length
            such as "2.5 mm" or a number in m.
    """

def line(direction: _Numbers, *, point: _Quantities | None = None) -> _Path:
    """A straight line.

    For paths.

    Args:
        direction: Positive direction, any length. Takes a list of 3, each a number.
        point: A point of it. Default: the origin. Takes a list of 3, each a length such as "2.5 mm" or
            a number in m.
    """

def lognormal(median: _Quantity, geometric_standard_deviation: _Number, min: _Quantity, max: _Quantity) -> _Size:
    """Lognormal distribution of the radius by number, truncated.

    For sizes.

    Args:
        median: Median radius before truncation. Takes a length such as "2.5 mm" or a number in m.
        geometric_standard_deviation: Geometric standard deviation, above 1. Takes a number.
        min: Smallest radius. Takes a length such as "2.5 mm" or a number in m.
        max: Largest radius. Takes a length such as "2.5 mm" or a number in m.
    """

def mesh(
    file: _FilePath,
    unit: _Quantity,
    *,
    position: _Quantities | None = None,
    rotation: _Rotation | dict[str, Any] | None = None,
    scale: _Quantity | None = None,
) -> _Shape:
    """Triangles of an STL, OBJ or PLY file, told by its ending. The orientation of facets and normals does
    not matter.

    For shapes.

    Args:
        file: Path, relative to the scene. Takes a text.
        unit: Length of one unit of the file, which the formats do not specify: often "1 mm". Takes a
            length such as "2.5 mm" or a number in m.
        position: Where the origin of the file is. Default: the origin. Takes a list of 3, each a length
            such as "2.5 mm" or a number in m.
        rotation: Turns the mesh about the origin of the file. Default: not turned. Takes a table of
            angle, axis.
        scale: Factor beside the unit. Default: 1. Takes a ratio such as "3 %" or a plain number.
    """

def move_wall(wall: str, *, motion: _Motion | dict[str, Any] | None = None) -> _Action:
    """Gives a wall a new motion from where it is; an empty motion stops it.

    For actions.

    Args:
        wall: Name of the wall. Takes a text.
        motion: The motion. Takes a table of amplitude, angular_velocity, axis, frequency, origin,
            phase, servo, surface_velocity, table, table_ends, velocity.
    """

def normal(mean: _Quantity, standard_deviation: _Quantity, min: _Quantity, max: _Quantity) -> _Size:
    """Normal distribution of the radius by number, truncated.

    For sizes.

    Args:
        mean: Mean radius before truncation. Takes a length such as "2.5 mm" or a number in m.
        standard_deviation: Standard deviation before truncation. Takes a length such as "2.5 mm" or a
            number in m.
        min: Smallest radius. Takes a length such as "2.5 mm" or a number in m.
        max: Largest radius. Takes a length such as "2.5 mm" or a number in m.
    """

def plane(normal: _Numbers, *, point: _Quantities | None = None) -> _Shape:
    """Half-space behind a plane.

    For shapes.

    Args:
        normal: Normal towards the particles, any length. Takes a list of 3, each a number.
        point: A point of the plane. Default: the origin. Takes a list of 3, each a length such as "2.5
            mm" or a number in m.
    """

def pour(
    *,
    active: _Bool | None = None,
    count: _Integer | None = None,
    mass: _Quantity | None = None,
    mass_rate: _Quantity | None = None,
    rate: _Quantity | None = None,
) -> _Fill:
    """Poured during the run at random free places of the region.

    For fills.

    Args:
        active: Whether it pours from the start; an action `start_pouring` of a stage starts it
            otherwise. Takes true or false.
        count: Stop after so many. Takes a whole number.
        mass: Stop after so much mass. Takes a mass such as "5 g" or a number in kg.
        mass_rate: Mass per time; alternative to rate. Takes a mass rate such as "20 t/h" or a number in
            kg/s.
        rate: Particles per time; alternative to mass_rate. Takes a number rate such as "1000 1/s" or a
            number in 1/s.
    """

def prescribed(velocity: _Quantity) -> _GuideMotion:
    """A given velocity along the path, whatever resists.

    For guide motions.

    Args:
        velocity: The velocity. Takes a velocity such as "0.5 m/s" or a number in m/s.
    """

def random(
    *,
    count: _Integer | None = None,
    gap: _Quantity | None = None,
    packing_fraction: _Quantity | None = None,
    plane: _Plane | dict[str, Any] | None = None,
) -> _Fill:
    """At random places (random sequential addition), at the start.

    For fills.

    Args:
        count: How many; alternative to packing_fraction. Takes a whole number.
        gap: Smallest distance between surfaces. Default: 0. Takes a length such as "2.5 mm" or a number
            in m.
        packing_fraction: Share of the region's volume to fill; alternative to count. Takes a ratio such
            as "3 %" or a plain number.
        plane: Fix one coordinate of all centres: a monolayer. Takes a table of axis, coordinate.
    """

def rectangle(centre: _Quantities, edge_u: _Quantities, edge_v: _Quantities) -> _Shape:
    """Finite rectangle.

    For shapes.

    Args:
        centre: Centre. Takes a list of 3, each a length such as "2.5 mm" or a number in m.
        edge_u: First edge, full length. Takes a list of 3, each a length such as "2.5 mm" or a number
            in m.
        edge_v: Second edge, full length, perpendicular to the first. Takes a list of 3, each a length
            such as "2.5 mm" or a number in m.
    """

def remove_particles(region: _Region | dict[str, Any]) -> _Action:
    """Takes out all particles with their centres in a region.

    For actions.

    Args:
        region: The region. Along periodic axes it lies in the domain. Takes one of box, cylinder,
            sphere, frustum.
    """

def remove_wall(wall: str) -> _Action:
    """Takes a wall away.

    For actions.

    Args:
        wall: Name of the wall. Takes a text.
    """

def set_contact(
    parameters: _SetContactParameters | dict[str, Any],
    *,
    materials: Sequence[str] | None = None,
) -> _Action:
    """Changes parameters of the contact law, for example friction; contact histories are kept.

    For actions.

    Args:
        parameters: New values by name. Takes a table.
        materials: Only for this pair of materials. Default: all pairs. Takes a list of 2, each a text.
    """

def set_fields(fields: _Fields | dict[str, Any]) -> _Action:
    """Changes gravity and other fields: keys that are given replace those of the scene and of earlier
    stages, `drag` with all that belongs to it.

    For actions.

    Args:
        fields: The new values, as in the table `fields`. Takes a table of drag, drag_coefficient,
            fluid_density, fluid_velocity, fluid_viscosity, gravity, gravity_rotation, local_damping,
            magnus_coefficient, mass_damping, porosity_cell.
    """

def single(radius: _Quantity) -> _Size:
    """All equal.

    For sizes.

    Args:
        radius: Radius. Takes a length such as "2.5 mm" or a number in m.
    """

def sphere(radius: _Quantity, *, centre: _Quantities | None = None) -> _RegionOrShape:
    """Sphere. Spherical shell, inside and outside.

    For regions and shapes.

    Args:
        radius: Radius. Takes a length such as "2.5 mm" or a number in m.
        centre: Centre. Default: the origin. Takes a list of 3, each a length such as "2.5 mm" or a
            number in m.
    """

def start_pouring(source: str) -> _Action:
    """Lets a source pour.

    For actions.

    Args:
        source: Name of the source. Takes a text.
    """

def stop_pouring(source: str) -> _Action:
    """Stops a source.

    For actions.

    Args:
        source: Name of the source. Takes a text.
    """

def table(
    radii: _Quantities,
    weights: _Numbers,
    *,
    by: Literal["number", "mass"] | None = None,
    interpolate: _Bool | None = None,
) -> _Size:
    """Table of radii and shares.

    For sizes.

    Args:
        radii: Radii. Takes a list, each a length such as "2.5 mm" or a number in m.
        weights: Share of each radius; with `interpolate` the share passing, from 0 at the first radius
            up to all at the last. Takes a list, each a number.
        by: Whether the shares are of the number or of the mass. Default: number. Takes "number",
            "mass".
        interpolate: Whether the table is a sieve curve, straight between its points, rather than a list
            of sizes. Takes true or false.
    """

def uniform(min: _Quantity, max: _Quantity) -> _Size:
    """Uniform distribution of the radius by number.

    For sizes.

    Args:
        min: Smallest radius. Takes a length such as "2.5 mm" or a number in m.
        max: Largest radius. Takes a length such as "2.5 mm" or a number in m.
    """

def names(schema: Schema | None = None) -> list[str]:
    """The names of all constructors."""

def constructor(name: str, schema: Schema | None = None) -> Callable[..., Any]:
    """The constructor of a name, or of a constant of ``type``. Raises :class:`dem.SceneError` if there is none."""
