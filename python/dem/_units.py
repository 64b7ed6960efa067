"""Units of columns whose files have no place for them.

Units are written as in snapshots: ``m/s``, ``kg m^2``, and ``1`` for a number without a unit.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

#: Columns of whole numbers.
COUNTS = frozenset(
    "step stage particles inserted removed removed_by_stages pair_contacts wall_contacts rattlers force_chains bodies "
    "first second partner feature mode first_body second_body probe wall bin sector".split()
)

_UNITLESS = COUNTS | frozenset(
    "coordination coordination_without_rattlers sliding_share mobilised_share mobilised_friction overlap_ratio "
    "overlap_ratio_peak unbalanced_force force_chain_share force_chain_length neighbours contacts q_over_p "
    "stress_error volumetric_strain porosity inertial_number stiffness_number compression_positive tension_positive "
    "affine_displacement boundary_displacement".split()
)

_TENSOR = "(?:xx|yy|zz|xy|xz|yz)"

#: Patterns of names of columns of ``series.csv``, ``profiles.csv`` and ``contacts.csv``; the first that fits the whole
#: name counts.
_PATTERNS: tuple[tuple[str, str], ...] = (
    ("|".join(sorted(_UNITLESS)), "1"),
    (r"wall_.+_force_[xyz]|wall_.+_pressing_force|guide_.+_force_[xyz]", "N"),
    (r"(?:wall|guide)_.+_torque_[xyz]", "N m"),
    (r"wall_.+_pressure", "Pa"),
    (r"wall_.+_way|guide_.+_coordinate", "m"),
    (r"wall_.+_servo_error", "1"),
    (r"guide_.+_velocity", "m/s"),
    (rf"region_.+_stress_{_TENSOR}", "Pa"),
    (r"region_.+_(?:particles|coordination|share_.+)", "1"),
    (r"mixing_.+_(?:lacey|variance|share|particles|cells)", "1"),
    ("time|time_step|window", "s"),
    (r"removed_mass(?:_.+)?", "kg"),
    (r"removed_.+", "1"),
    ("mass_flow_rate", "kg/s"),
    (r"wall_.+_work|[a-z]+_work|[a-z_]+_energy|energy_balance", "J"),
    ("kinetic_translation|kinetic_rotation|elastic_normal|elastic_tangential|elastic_rolling", "J"),
    (rf"virial_{_TENSOR}", "J"),
    (r"bed_height|cell_edge_[123]_[xyz]|position|overlap|slip_[xyz]", "m"),
    ("largest_speed", "m/s"),
    (r"liquid_[a-z_]+", "m^3"),
    (
        rf"(?:kinetic_|viscous_)?stress_{_TENSOR}|stress_skew|mean_stress|deviator|pressure|shear_along|shear_around",
        "Pa",
    ),
    (rf"(?:engineering_)?strain_{_TENSOR}|(?:contact_)?fabric_{_TENSOR}|body_axes_{_TENSOR}", "1"),
    ("angle", "rad"),
    ("area", "m^2"),
    (r"normal_force|tangential_force(?:_[xyz])?", "N"),
)
_COUNT_OF = re.compile(r"region_.+_particles|mixing_.+_(?:particles|cells)|removed_(?!mass(?:_|$)).+")
_COMPILED = tuple((re.compile(pattern), unit) for pattern, unit in _PATTERNS)


def of_column(name: str) -> str | None:
    """The unit of a column of ``series.csv``, ``profiles.csv`` or ``contacts.csv``, or None if it is not known."""
    for pattern, unit in _COMPILED:
        if pattern.fullmatch(name):
            return unit
    return None


def of_columns(names: Iterable[str]) -> dict[str, str]:
    """Units of the columns whose unit is known."""
    units = {name: of_column(name) for name in names}
    return {name: unit for name, unit in units.items() if unit is not None}


def is_count(name: str) -> bool:
    """Whether a column of these files holds whole numbers."""
    return name in COUNTS or _COUNT_OF.fullmatch(name) is not None


#: Units that end the names of columns of reports, as in ``pull_off_N``, the longest first.
_ENDINGS: dict[str, str] = {
    "N_m": "N/m",
    "m2_s2": "m^2/s^2",
    "m_s": "m/s",
    "m_s2": "m/s^2",
    "kg_m3": "kg/m^3",
    "kg_s": "kg/s",
    "rad_s": "rad/s",
    "ns_per_particle_step": "ns",
    "1_s": "1/s",
    "per_s": "1/s",
    "s": "s",
    "ms": "ms",
    "us": "us",
    "seconds": "s",
    "m": "m",
    "mm": "mm",
    "um": "um",
    "m2": "m^2",
    "m3": "m^3",
    "mm3": "mm^3",
    "N": "N",
    "n": "N",
    "mN": "mN",
    "J": "J",
    "j": "J",
    "W": "W",
    "Pa": "Pa",
    "kPa": "kPa",
    "MPa": "MPa",
    "GPa": "GPa",
    "kg": "kg",
    "Hz": "Hz",
    "deg": "deg",
    "rad": "rad",
    "%": "%",
    "diameters": "diameters",
}


def of_heading(name: str) -> str | None:
    """The unit that the heading of a column of a report ends with, as N in ``pull_off_N``, or None if it ends with
    none."""
    parts = name.split("_")
    for first in range(1, len(parts)):
        unit = _ENDINGS.get("_".join(parts[first:]))
        if unit is not None:
            return unit
    return None


def label(name: str, unit: str | None) -> str:
    """Text of an axis: the name with its unit in brackets, ``[-]`` if it has none."""
    if unit is not None and of_heading(name) == unit:
        # the unit is the end of the name
        parts = name.split("_")
        ends = (first for first in range(1, len(parts)) if _ENDINGS.get("_".join(parts[first:])) == unit)
        name = "_".join(parts[: next(ends)])
    text = name.replace("_", " ")
    if unit is None:
        return text
    return f"{text} [{'-' if unit == '1' else unit}]"
