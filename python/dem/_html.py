"""Pieces of HTML for notebooks."""

from __future__ import annotations

import base64
from collections.abc import Iterable
from html import escape


def table(title: str, rows: Iterable[tuple[str, str]], picture: bytes | None = None) -> str:
    """A table of names and values under a title, with a picture in PNG beside it."""
    left = "style='text-align:left'"
    cells = "".join(f"<tr><th {left}>{escape(name)}</th><td {left}>{escape(value)}</td></tr>" for name, value in rows)
    beside = image(picture, 400) if picture is not None else ""
    return (
        f"<div><b>{escape(title)}</b><div style='display:flex;gap:1em;align-items:flex-start'>"
        f"<table><tbody>{cells}</tbody></table>{beside}</div></div>"
    )


def image(picture: bytes, widest: int) -> str:
    """A picture in PNG, no wider than so many pixels."""
    return f"<img style='max-width:{widest}px' src='data:image/png;base64,{base64.b64encode(picture).decode()}'>"


def items(title: str, texts: Iterable[str]) -> str:
    """A list under a heading, or nothing if it is empty."""
    entries = "".join(f"<li>{escape(text)}</li>" for text in texts)
    return f"{heading(title)}<ul>{entries}</ul>" if entries else ""


def heading(text: str) -> str:
    """A heading."""
    return f"<div><b>{escape(text)}</b></div>"


def note(text: str) -> str:
    """A line of text."""
    return f"<div>{escape(text)}</div>"


def shrunk(picture: bytes | None, longest: int = 480) -> bytes | None:
    """A picture in PNG, reduced to so many pixels so that a notebook stays small; as it is without a library for
    pictures."""
    if picture is None:
        return None
    import io

    try:
        from PIL import Image
    except ImportError:
        return picture
    with Image.open(io.BytesIO(picture)) as whole:
        whole.thumbnail((longest, longest))
        small = whole.convert("RGB").quantize(128)
    file = io.BytesIO()
    small.save(file, format="png", optimize=True)
    return file.getvalue()
