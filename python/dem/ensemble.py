"""Many scenes at once, each in a process of its own."""

from __future__ import annotations

import multiprocessing
import os
import pickle
import signal
import sys
import traceback
from collections.abc import Callable, Iterable
from multiprocessing import connection
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, overload

from .errors import Error, _again

if TYPE_CHECKING:
    from .results import Run
    from .scene import Scene

_T = TypeVar("_T")


class EnsembleError(Error):
    """Members of an ensemble that failed, raised when all others have ended.

    ``failures`` maps the numbers of these members to their exceptions, of which the first is the cause of this one.
    ``results`` has what the others returned, None for those that failed.
    """

    def __init__(self, message: str, *, failures: dict[int, BaseException], results: list[Any]) -> None:
        super().__init__(message)
        self.failures = failures
        self.results = results

    def __reduce__(self) -> tuple[Any, ...]:
        return _again, (type(self), self.args, self.__dict__)


@overload
def map(
    scenes: Iterable[Scene],
    directory: str | os.PathLike[str],
    processes: int | None = None,
    until: str | float | None = None,
    function: None = None,
) -> list[Run]: ...
@overload
def map(
    scenes: Iterable[Scene],
    directory: str | os.PathLike[str],
    processes: int | None = None,
    until: str | float | None = None,
    *,
    function: Callable[[Run], _T],
) -> list[_T]: ...


def map(
    scenes: Iterable[Scene],
    directory: str | os.PathLike[str],
    processes: int | None = None,
    until: str | float | None = None,
    function: Callable[[Run], Any] | None = None,
) -> list[Any]:
    """Runs scenes in processes of their own and returns their runs in order.

    Scene number k writes into ``directory/k`` with four digits, as in ``directory/0007``. ``processes`` run at a time,
    by default one for each core, and share the cores evenly. ``until`` ends each run at a time, in seconds or with a
    unit. With ``function`` each process applies it to its run, and a list of what it returns comes back; it must be a
    function of a module, as processes are started anew (``spawn``). A script that calls ``map`` needs ``if __name__ ==
    "__main__":`` for the same reason.

    Nothing is replaced: a folder of a member that exists already is refused with ``FileExistsError`` before the first
    run. A member that fails ends no other; :class:`EnsembleError` names all that failed at the end and has the results
    of the rest. Ctrl-C ends all.
    """
    members = list(scenes)
    folder = Path(directory)
    folders = [folder / f"{number:04d}" for number in range(len(members))]
    for path in folders:
        if path.exists():
            raise FileExistsError(f"{path} exists already; an ensemble needs a folder without earlier members")
    if processes is not None and processes < 1:
        raise ValueError(f"processes = {processes}, expected at least 1")
    if not members:
        return []
    sent = [_pickled(scene, function) for scene in members]
    cores = _cores()
    at_once = min(processes or cores, len(members))
    folder.mkdir(parents=True, exist_ok=True)
    outcomes = _run_all(sent, [str(path) for path in folders], until, max(1, cores // at_once), at_once)
    return _collect(outcomes, folders, function)


def _run_all(
    sent: list[bytes], folders: list[str], until: str | float | None, threads: int, at_once: int
) -> list[tuple[bool, Any]]:
    """Starts a process for each member, so many at once; whether each has ended well, with what it returned or
    raised."""
    context = multiprocessing.get_context("spawn")
    outcomes: dict[int, tuple[bool, Any]] = {}
    running: dict[Any, tuple[int, Any]] = {}
    waiting = list(range(len(sent)))
    try:
        while waiting or running:
            while waiting and len(running) < at_once:
                number = waiting.pop(0)
                ours, theirs = context.Pipe(duplex=False)
                arguments = (theirs, sent[number], folders[number], until, threads)
                process = context.Process(target=_member, args=arguments, daemon=True)
                process.start()
                # of the end of the process the pipe tells only if nobody else holds its other side
                theirs.close()
                running[ours] = (number, process)
            for ready in connection.wait(list(running), timeout=0.5):
                number, process = running.pop(ready)
                outcomes[number] = _outcome(ready, process)
    finally:
        _end([process for _, process in running.values()])
    return [outcomes[number] for number in range(len(sent))]


def _member(answer: Any, sent: bytes, directory: str, until: str | float | None, threads: int) -> None:
    """One member, in its process. Of a run nothing goes back: the other side opens its directory."""
    # Ctrl-C goes to all processes of a terminal; the one that started this one ends it
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        scene, function = pickle.loads(sent)
        run = scene.run(directory, until=until, threads=threads)
        text = pickle.dumps((True, None if function is None else function(run)))
    except BaseException as error:
        text = _pickled_error(error)
    answer.send_bytes(text)
    answer.close()


def _pickled_error(error: BaseException) -> bytes:
    """An exception on its way to another process, with the lines where it was raised."""
    where = "".join(traceback.format_exception(type(error), error, error.__traceback__))
    if hasattr(error, "add_note"):
        error.add_note(f"in the process of the member:\n{where}")
    try:
        text = pickle.dumps((False, error))
        pickle.loads(text)
    except Exception:
        text = pickle.dumps((False, Error(f"{type(error).__name__}: {error}")))
    return text


def _outcome(answer: Any, process: Any) -> tuple[bool, Any]:
    try:
        outcome: tuple[bool, Any] = pickle.loads(answer.recv_bytes())
    except EOFError:
        process.join()
        code = process.exitcode
        how = f"signal {-code}" if code < 0 else f"exit code {code}"
        hint = "" if code < 0 else '; a script that calls dem.map needs `if __name__ == "__main__":`'
        return False, Error(f"its process ended with {how}{hint}")
    finally:
        answer.close()
    process.join()
    return outcome


def _end(processes: list[Any]) -> None:
    """Ends processes without waiting for their members."""
    for process in processes:
        process.terminate()
    for process in processes:
        process.join(10)
        if process.is_alive():
            process.kill()
            process.join()


def _pickled(scene: Any, function: Any) -> bytes:
    """A scene and a function on their way to another process. Raises ``TypeError`` for what cannot go there."""
    is_of_notebook = getattr(function, "__module__", "") == "__main__" and not hasattr(
        sys.modules["__main__"], "__file__"
    )
    try:
        if is_of_notebook:
            raise TypeError("it is defined in a notebook or console")
        return pickle.dumps((scene, function))
    except Exception as error:
        raise TypeError(
            f"a scene or function cannot be sent to another process: {error}; "
            "a function must be one of a module or script"
        ) from error


def _collect(outcomes: list[tuple[bool, Any]], folders: list[Path], function: Any) -> list[Any]:
    from . import results

    found: list[Any] = []
    failures: dict[int, BaseException] = {}
    for number, ((ended_well, content), path) in enumerate(zip(outcomes, folders, strict=True)):
        if not ended_well:
            failures[number] = content
            found.append(None)
        else:
            found.append(results.open(path) if function is None else content)
    if failures:
        first = next(iter(failures.values()))
        lines = "".join(f"\n  {folders[number]}: {type(error).__name__}: {error}" for number, error in failures.items())
        message = f"{len(failures)} of {len(outcomes)} members failed:{lines}"
        raise EnsembleError(message, failures=failures, results=found) from first
    return found


def _cores() -> int:
    """Cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
