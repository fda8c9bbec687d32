"""The cold runs of `make test`, kept for `make rest`, which compares the other modes with them.

One is taken only for the same programs under the same sources and packages, and only by a session that does not test
it. The Makefile says where they are kept; otherwise none is.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import shutil
import sys
from collections.abc import Iterator
from importlib.metadata import distributions
from pathlib import Path

from tests.rules.cases import ROOT
from tests.rules.modes import COLD, Group, Outcome
from tests.rules.store import alone

_VARIABLE = "JAXTYPED_STATIC_COLD_RUNS"
_SOURCES = ("jaxtyped_static", "mypy_plugin", "stubs", "tests")
_CACHE, _OUTCOME = "cache", "outcome.pickle"
_MOST = 4  # one for each configuration


def keep(group: Group, outcome: Outcome) -> None:
    """Keeps the outcome of a cold run, and mypy's cache after it, in place of those of other sources."""
    if not (kept := os.environ.get(_VARIABLE)):
        return
    with alone(Path(kept) / "all"):
        folder = Path(kept) / _key(group)
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(group.cache_of(COLD), folder / _CACHE)
        (folder / _OUTCOME).write_bytes(pickle.dumps(outcome))
        every = sorted(Path(kept).glob(f"*/{_OUTCOME}"), key=lambda path: path.stat().st_mtime, reverse=True)
        for old in every[_MOST:]:
            shutil.rmtree(old.parent)


def take(group: Group) -> Outcome | None:
    """Returns the outcome that was kept, with mypy's cache in its place; None if there is none."""
    if not (kept := os.environ.get(_VARIABLE)):
        return None
    with alone(Path(kept) / "all"):
        folder = Path(kept) / _key(group)
        if not (folder / _OUTCOME).exists():
            return None
        shutil.copytree(folder / _CACHE, group.cache_of(COLD), dirs_exist_ok=True)
        outcome: Outcome = pickle.loads((folder / _OUTCOME).read_bytes())
        return outcome


def _key(group: Group) -> str:
    """A digest of all that a cold run depends on."""
    found = hashlib.sha256(repr((sys.version, group.plugin, group.members)).encode())
    found.update(repr(sorted(f"{one.name} {one.version}" for one in distributions())).encode())
    for path in _sources():
        found.update(f"{path.relative_to(ROOT)}\0".encode() + path.read_bytes() + b"\0")
    return found.hexdigest()[:16]


def _sources() -> Iterator[Path]:
    """The plugin, the runtime that programs import, and what runs mypy here."""
    for name in _SOURCES:
        yield from sorted(path for path in (ROOT / name).rglob("*.py*") if path.suffix in (".py", ".pyi"))
