"""The word that a misspelt one probably means, by the rule of the engine."""

from __future__ import annotations

from collections.abc import Iterable

_LONGEST = 64
_MANY = 30


def nearest(word: str, candidates: Iterable[str]) -> str | None:
    """The candidate nearest to ``word``, or ``None`` when none is near enough to be a slip.

    Case is ignored. One edit for three letters is tolerated, at least one and at most three.
    """
    if not 0 < len(word) <= _LONGEST:
        return None
    tolerated = min(max(len(word) // 3, 1), 3)
    best: tuple[int, str] | None = None
    for candidate in candidates:
        if len(candidate) > _LONGEST:
            continue
        found = distance(word.lower(), candidate.lower())
        # a distance of the whole word means that no letter was kept
        if found <= tolerated and found < len(word) and (best is None or found < best[0]):
            best = (found, candidate)
    return best[1] if best else None


def distance(first: str, second: str) -> int:
    """Edits between two words: letters that are changed, put in, left out, or swapped with their neighbour."""
    before: list[int] = []
    row = list(range(len(second) + 1))
    for i, letter in enumerate(first, 1):
        following = [i]
        for j, other in enumerate(second, 1):
            least = min(row[j] + 1, following[j - 1] + 1, row[j - 1] + (letter != other))
            if i > 1 and j > 1 and letter == second[j - 2] and first[i - 2] == other:
                least = min(least, before[j - 2] + 1)
            following.append(least)
        before, row = row, following
    return row[-1]


def suggestion(word: str, known: Iterable[str], kind: str) -> str:
    """``did you mean `x`? known keys: x, y``. Of many words only the one that was meant is told, if there is one."""
    known = list(known)
    if not known:
        return f"no {kind} are known here"
    meant = nearest(word, known)
    if meant and len(known) > _MANY:
        return f"did you mean `{meant}`?"
    start = f"did you mean `{meant}`? " if meant else ""
    return f"{start}known {kind}: {', '.join(known)}"
