"""The command: ``python -m dem``, and ``dem`` where the package is installed."""

from __future__ import annotations

import sys


def main() -> int:
    """Runs the command with the arguments of the process; returns its exit code."""
    from . import _engine

    return _engine.command(["dem", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
