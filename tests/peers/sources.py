"""Finds the tests of a suite: in the interpreter, a source distribution or a checkout."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from tests.archives import unpack
from tests.peers.suites import Suite
from tests.processes import ROOT

CACHE: Final = ROOT / ".cache" / "peers"


class Unavailable(Exception):
    """The tests are not available here; the message says why, and what would help."""


def test_files(suite: Suite, checkout: Path | None) -> dict[Path, str]:
    """Returns the peer's tests, by their paths in its source.

    Raises:
        Unavailable: there are none.
    """
    if checkout is not None:
        folder, whence = checkout, str(checkout)
    elif not suite.distribution:
        folder, whence = _interpreter_tests(), f"the test package of Python {sys.version.split()[0]}"
    else:
        folder = _unpacked(suite)
        whence = f"the source distribution {folder.name}"
    found = sorted(path for pattern in suite.files for path in folder.glob(pattern))
    if found:
        return {path.relative_to(folder): path.read_text(encoding="utf-8") for path in found}
    looked_for = " or ".join(suite.files)
    advice = f"; clone {suite.repository} and name the folder with --checkout" if suite.repository else ""
    raise Unavailable(f"{whence} has no {looked_for}{advice}")


def _interpreter_tests() -> Path:
    spec = importlib.util.find_spec("test")
    if spec is None or not spec.submodule_search_locations:
        raise Unavailable("this Python was installed without its tests; Pythons of pyenv or python.org have them")
    return Path(next(iter(spec.submodule_search_locations)))


def _unpacked(suite: Suite) -> Path:
    """Returns the folder of the installed release, or of the newest one; it is downloaded once."""
    release = _release(suite.distribution)
    name, _, version = release.partition("==")
    downloads = CACHE / "sdists"
    pattern = f"{name.replace('-', '?').replace('_', '?')}-{version or '*'}"
    if not any(downloads.glob(f"{pattern}/")):
        downloads.mkdir(parents=True, exist_ok=True)
        print(f"  fetching the source distribution of {release}", flush=True)
        _download(release, downloads)
        for archive in downloads.glob("*.tar.gz"):
            with tarfile.open(archive) as opened:
                unpack(opened, downloads)
            archive.unlink()
    return sorted(path for path in downloads.glob(pattern) if path.is_dir())[-1]


def _release(distribution: str) -> str:
    try:
        return f"{distribution}=={importlib.metadata.version(distribution)}"
    except importlib.metadata.PackageNotFoundError:
        return distribution


def _download(release: str, folder: Path) -> None:
    download = ("download", "--quiet", "--no-deps", "--no-binary", ":all:", "--dest", str(folder), release)
    done = subprocess.run([*_pip(), *download], capture_output=True, text=True)
    if done.returncode:
        said = (done.stderr.strip() or done.stdout.strip()).rpartition("\n")[2]
        raise Unavailable(f"pip could not fetch {release}: {said}")


def _pip() -> Sequence[str]:
    if importlib.util.find_spec("pip") is not None:
        return (sys.executable, "-m", "pip")
    if shutil.which("uv") is not None:
        return ("uv", "tool", "run", "pip")
    raise Unavailable("neither pip nor uv is available to download a source distribution")
