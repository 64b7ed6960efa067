"""Processes of commands: exit codes, messages and Ctrl-C."""

from __future__ import annotations

import logging
import os
import signal
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest
from conftest import command
from test_commands import temporary_folders

from dem import commands
from dem.errors import CommandError


@pytest.fixture(autouse=True)
def _tested_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(commands, "_command", command)


def stand_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, body: str) -> None:
    """Replaces the command by a script; ``out`` is the directory that it is to write into."""
    path = tmp_path / "command.py"
    start = "import os, signal, sys, time\nout = [a[6:] for a in sys.argv if a.startswith('--out=')][0]\n"
    path.write_text(start + body, encoding="utf-8")
    monkeypatch.setattr(commands, "_command", lambda: [sys.executable, str(path)])


def test_exit_codes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stand_in(tmp_path, monkeypatch, "print('error: step 7: no way\\nmore', file=sys.stderr); sys.exit(3)")
    with pytest.raises(CommandError, match=r"^step 7: no way\nmore$") as caught:
        commands.pack("growth")
    assert caught.value.code == 3
    stand_in(tmp_path, monkeypatch, "sys.exit(4)")
    with pytest.raises(CommandError, match="exit code 4"):
        commands.pack("growth")
    stand_in(tmp_path, monkeypatch, "os.kill(os.getpid(), signal.SIGKILL)")
    with pytest.raises(CommandError, match="signal 9"):
        commands.pack("growth")
    # results are there, but the command does not say what they lack
    body = """
os.mkdir(out)
open(out + "/written_by.json", "w").write('{"files": []}')
print("two failed", file=sys.stderr)
sys.exit(3)
"""
    stand_in(tmp_path, monkeypatch, body)
    with pytest.warns(commands.ShortfallWarning, match="two failed"):
        assert commands.pack("growth").shortfalls == ["two failed"]


def test_messages_go_to_the_log(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, capfd: Any
) -> None:
    stand_in(
        tmp_path,
        monkeypatch,
        "print(' INFO begins', file=sys.stderr); print(' WARN slow', file=sys.stderr); print('done')",
    )
    with caplog.at_level(logging.INFO, logger="dem.commands"):
        assert commands.pack("growth").text == "done\n"
    assert [(record.levelname, record.message) for record in caplog.records] == [
        ("INFO", " INFO begins"),
        ("WARNING", " WARN slow"),
    ]
    assert capfd.readouterr() == ("", "")


def test_much_output_blocks_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    body = "for k in range(20000):\n    print('x' * 50)\n    print('y' * 50, file=sys.stderr)\n"
    stand_in(tmp_path, monkeypatch, body)
    assert len(commands.pack("growth").text) == 20000 * 51


@pytest.mark.usefixtures("ctrl_c")
def test_ctrl_c_reaches_the_command_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log = tmp_path / "log"
    body = f"""
seen = []
def stop(*_):
    seen.append(1)
    open({str(log)!r}, "w").write(str(len(seen)))
signal.signal(signal.SIGINT, stop)
open({str(tmp_path / "ready")!r}, "w").close()
while not seen:
    time.sleep(0.01)
time.sleep(0.3)                  # saves its state
open({str(log)!r}, "a").write(" saved")
sys.exit(130)
"""
    stand_in(tmp_path, monkeypatch, body)
    before = temporary_folders()

    def interrupt() -> None:
        while not (tmp_path / "ready").exists():
            time.sleep(0.01)
        os.kill(os.getpid(), signal.SIGINT)

    thread = threading.Thread(target=interrupt)
    thread.start()
    with pytest.raises(KeyboardInterrupt):
        commands.pack("growth")
    thread.join()
    assert log.read_text() == "1 saved"
    assert temporary_folders() == before


@pytest.mark.usefixtures("ctrl_c")
def test_a_real_command_is_interrupted(tmp_path: Path) -> None:
    threading.Timer(1.0, os.kill, (os.getpid(), signal.SIGINT)).start()
    began = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        commands.pack("growth", count=20000, out=tmp_path / "packing")
    assert time.monotonic() - began < 20
