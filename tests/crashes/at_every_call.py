#!/usr/bin/env python3
"""Kills commands at every call of the system that changes files, one after the other, and repeats them.

    python3 tests/crashes/at_every_call.py DEM [SUBJECT ..]        DEM is the program; needs gdb

A command is run once without a kill. Then it is killed (SIGKILL) in a new directory before the first such call of any of its threads, before the second,
and so on, and repeated. The repetition must come to the files of the first run, with the bytes of its checkpoints, frames and scenes, or say that they are
there already. A run that was killed before its first checkpoint must say how it begins anew.
"""

import argparse
import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
CALLS = "mkdir mkdirat rename renameat renameat2 fsync unlink unlinkat rmdir ftruncate"
SUBJECTS = {
    "run": "run tray.toml",
    "ensemble": "run tray.toml --seeds 1..2",
    "compare": "compare tray.toml --laws hertz-mindlin,mindlin",
    "probe": "probe sample --directions 4 --steps 2 --relax 2 --unload 2",
    "probe of a scene": "probe sample.toml --set stages.shear.until={strain={zz=0.0005}} --directions 4 --steps 2 --relax 2 --unload 2",
    "triaxial": "triaxial sample.toml --once --strain 0.0005 --fraction 0.5 --points 10",
    "pack": "pack compression --count 40 --seed 3",
}
# whose bytes do not depend on times of the clock
FIXED = {".ckpt", ".vtkhdf", ".toml"}


def make_scenes(folder):
    """A tray that is shaken for a moment and a small sample for a triaxial test."""
    tray = (ROOT / "tests/scenes/restart/tray.toml").read_text()
    (folder / "tray.toml").write_text(tray.replace('until = { time = "1 h" }', 'until = { time = "2 ms" }'))
    sample = (ROOT / "examples/triaxial_small.toml").read_text()
    (folder / "sample.toml").write_text(sample.replace('"25 mm"', '"9.8 mm"').replace("count = 1000", "count = 60"))


class Program:
    """The program in a folder of scenes."""

    def __init__(self, binary, folder):
        self.binary, self.folder = binary, folder

    def call(self, words):
        """Exit code and what was printed."""
        done = subprocess.run([self.binary, *words], capture_output=True, text=True, cwd=self.folder)
        return done.returncode, done.stdout + done.stderr

    def kill(self, words, number):
        """Calls it and kills it before a call of the system, of which `number` come first. Returns whether there are so many."""
        # it stops at both ends of a call
        commands = [f"catch syscall {CALLS}", f"ignore 1 {2 * number}", "run", "kill"]
        gdb = ["gdb", "-batch", "-nx", *(word for command in commands for word in ("-ex", command)), "--args"]
        done = subprocess.run([*gdb, self.binary, *words], capture_output=True, text=True, cwd=self.folder)
        if "killed]" not in done.stdout and "exited" not in done.stdout:
            sys.exit(f"gdb: {done.stdout}{done.stderr}")
        return "killed]" in done.stdout


def files(out):
    """Paths in a directory, with the bytes that must be the same."""
    found = (path for path in out.rglob("*") if path.is_file())
    return {str(path.relative_to(out)): path.read_bytes() if path.suffix in FIXED else None for path in found}


def campaign(program, name):
    """Kills one subject at all its calls; returns how often, and what went wrong."""
    out = program.folder / "out"
    words = [*SUBJECTS[name].split(), "--threads", "1", "--out", str(out)]
    shutil.rmtree(out, ignore_errors=True)
    code, said = program.call(words)
    if code not in (0, 3):
        sys.exit(f"{name}: {said}")
    expected = files(out)
    kills, wrong = 0, []
    while True:
        shutil.rmtree(out, ignore_errors=True)
        if not program.kill(words, kills):
            return kills, wrong
        kills += 1
        again, said = program.call(words)
        if name == "run" and "--restart latest" in said:
            again, said = program.call([*words, "--restart", "latest"])
            if "give --force to begin it anew" in said:
                again, said = program.call([*words, "--force"])
        found = files(out)
        is_there = "exists already" in said and all(found.get(path, b"") == content for path, content in expected.items())
        if not (is_there or again == code and found == expected):
            differing = sorted(path for path in expected.keys() | found.keys() if expected.get(path, b"") != found.get(path, b""))
            wrong.append(f"{name}, killed before call {kills}: exit code {again}, {differing[:8]} differ\n{said}")


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("binary", metavar="DEM", type=pathlib.Path)
    arguments.add_argument("subjects", metavar="SUBJECT", nargs="*", default=list(SUBJECTS))
    given = arguments.parse_args()
    failed = False
    with tempfile.TemporaryDirectory() as scratch:
        program = Program(given.binary.resolve(), pathlib.Path(scratch))
        make_scenes(program.folder)
        code, said = program.call("run sample.toml --threads 1 --out sample --set stages.shear.until={strain={zz=0.002}}".split())
        if code:
            sys.exit(said)
        for name in given.subjects:
            kills, wrong = campaign(program, name)
            print(f"{name}: killed at {kills} calls, {len(wrong)} went wrong", *wrong, sep="\n  ", flush=True)
            failed |= bool(wrong)
    sys.exit(failed)


if __name__ == "__main__":
    main()
