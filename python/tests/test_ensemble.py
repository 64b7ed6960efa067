"""Ensembles: members in processes of their own."""

from __future__ import annotations

import itertools
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from dem import ensemble, results
from dem.errors import Error, StepError
from dem.results import Run


class Pretended:
    """A scene that only writes down how it was run, or does something else."""

    def __init__(self, number: int, deed: str = "") -> None:
        self.number, self.deed = number, deed

    def run(self, directory: str, *, until: Any = None, threads: Any = None) -> Run:
        path = Path(directory)
        path.mkdir()
        (path / "scene.resolved.toml").write_text(f"seed = {self.number}\n", encoding="utf-8")
        (path / "notes").write_text(f"{os.getpid()} {until} {threads} {time.monotonic()}", encoding="utf-8")
        if self.deed == "fail":
            raise StepError(f"number {self.number} fails", step=self.number)
        if self.deed == "local":

            class LocalError(Exception):
                pass

            raise LocalError("of a class that nobody else knows")
        if self.deed == "die":
            os.kill(os.getpid(), signal.SIGKILL)
        if self.deed == "exit":
            os._exit(7)
        if self.deed == "sleep":
            time.sleep(60)
        if self.deed == "wait":
            time.sleep(0.4)
        return results.open(path)


def notes_of(run: Run) -> list[str]:
    return (run.directory / "notes").read_text(encoding="utf-8").split(" ")


def seed_of(run: Run) -> int:
    return int((run.directory / "scene.resolved.toml").read_text(encoding="utf-8").split("=")[1])


def pretended(*deeds: str) -> Any:
    return [Pretended(number, deed) for number, deed in enumerate(deeds)]


def test_runs_come_back_in_order(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "ensemble"
    runs = ensemble.map(pretended("wait", "", "wait", ""), folder, processes=2, until="0.5 s")
    assert [run.directory for run in runs] == [folder / f"000{number}" for number in range(4)]
    assert [seed_of(run) for run in runs] == [0, 1, 2, 3]
    notes = [notes_of(run) for run in runs]
    assert len({note[0] for note in notes} | {str(os.getpid())}) == 5, "a process for each"
    assert {tuple(note[1:3]) for note in notes} == {("0.5", "s")}
    cores = len(os.sched_getaffinity(0))
    assert {note[3] for note in notes} == {str(max(1, cores // 2))}


def test_so_many_at_a_time(tmp_path: Path) -> None:
    runs = ensemble.map(pretended("wait", "wait", "wait"), tmp_path / "one", processes=1)
    begun = [float(notes_of(run)[3]) for run in runs]
    assert all(later - earlier > 0.4 for earlier, later in itertools.pairwise(begun))


def test_a_function_is_applied_in_the_process(tmp_path: Path) -> None:
    assert ensemble.map(pretended("", "", ""), tmp_path / "a", function=seed_of) == [0, 1, 2]
    pids = ensemble.map(pretended("", ""), tmp_path / "b", function=notes_of)
    assert str(os.getpid()) not in {note[0] for note in pids}
    assert ensemble.map([], tmp_path / "c") == [] and not (tmp_path / "c").exists()


def test_a_member_that_fails_ends_no_other(tmp_path: Path) -> None:
    deeds = ("", "fail", "wait", "die", "exit", "local", "")
    with pytest.raises(ensemble.EnsembleError, match="4 of 7 members failed") as caught:
        ensemble.map(pretended(*deeds), tmp_path / "e", processes=3)
    error = caught.value
    assert list(error.failures) == [1, 3, 4, 5]
    failed = error.failures[1]
    assert isinstance(failed, StepError) and failed.step == 1 and error.__cause__ is failed  # type: ignore[attr-defined]
    assert "0001: StepError: number 1 fails" in str(error)
    assert "signal 9" in str(error.failures[3]) and "exit code 7" in str(error.failures[4])
    assert isinstance(error.failures[5], Error) and "LocalError: of a class" in str(error.failures[5])
    if sys.version_info >= (3, 11):
        assert "in run" in failed.__notes__[0]
    assert [None if run is None else seed_of(run) for run in error.results] == [0, None, 2, None, None, None, 6]


def test_nothing_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "0002").mkdir()
    with pytest.raises(FileExistsError, match="0002 exists already"):
        ensemble.map(pretended("", "", ""), tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["0002"]


def test_what_cannot_be_sent(tmp_path: Path) -> None:
    with pytest.raises(TypeError, match="cannot be sent to another process"):
        ensemble.map(pretended(""), tmp_path / "a", function=lambda run: run)
    with pytest.raises(ValueError, match="processes = 0"):
        ensemble.map(pretended(""), tmp_path / "a", processes=0)
    assert not (tmp_path / "a").exists()


def is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.mark.usefixtures("ctrl_c")
def test_ctrl_c_ends_all(tmp_path: Path) -> None:
    folder = tmp_path / "e"

    def interrupt() -> None:
        while sum(path.stat().st_size > 0 for path in folder.glob("*/notes")) < 2:
            time.sleep(0.02)
        os.kill(os.getpid(), signal.SIGINT)

    threading.Thread(target=interrupt).start()
    began = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        ensemble.map(pretended(*["sleep"] * 5), folder, processes=2)
    assert time.monotonic() - began < 20
    pids = [int(path.read_text(encoding="utf-8").split(" ")[0]) for path in folder.glob("*/notes")]
    assert len(pids) == 2 and not any(is_alive(pid) for pid in pids)


def test_scenes_of_the_engine_from_a_script(tmp_path: Path) -> None:
    from conftest import EXAMPLES

    script = tmp_path / "script.py"
    script.write_text(
        f"""
import dem

def steps(run):
    return int(run.series["step"].iloc[-1]), run.scene["seed"]

if __name__ == "__main__":
    scenes = [dem.Scene.load({str(EXAMPLES / "settling_box.toml")!r}, set={{"seed": seed}}) for seed in (3, 4)]
    print(dem.map(scenes, "members", until="1 ms", function=steps))
""",
        encoding="utf-8",
    )
    path = [str(Path(ensemble.__file__).parents[1]), *filter(None, [os.environ.get("PYTHONPATH")])]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path)}
    line, options = [sys.executable, str(script)], dict[str, Any](cwd=tmp_path, env=environment, timeout=120)
    done = subprocess.run(line, capture_output=True, text=True, check=False, **options)
    assert done.returncode == 0, done.stderr
    (first, three), (second, four) = eval(done.stdout)
    assert (three, four) == (3, 4) and first > 10 and second > 10 and done.stderr == ""
    assert sorted(path.name for path in (tmp_path / "members").iterdir()) == ["0000", "0001"]
    # without the guard every process would start others
    script.write_text(
        script.read_text(encoding="utf-8").replace('if __name__ == "__main__":', "if True:"), encoding="utf-8"
    )
    done = subprocess.run(line, capture_output=True, text=True, check=False, **options)
    assert done.returncode != 0
