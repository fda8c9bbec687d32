"""What the checks need from PyPI, downloaded once into a folder that git ignores: libraries and programs."""

from __future__ import annotations

import hashlib
import shutil
import sys
import tarfile
import tempfile
from pathlib import Path
from typing import NamedTuple

from tests.archives import unpack
from tests.e2e.environments import ROOT, create, install, run
from tests.real.packages import LIBRARIES, Package
from tests.rules.store import made_once

FOLDER = (ROOT / ".cache" / "real").resolve()  # no symbolic links: mypy names files relative to its working directory


class Program(NamedTuple):
    """What one run of mypy checks: a folder, and mypy's arguments for its contents."""

    tree: Path
    targets: tuple[str, ...]
    prefix: str = ""  # of the paths in its findings


def interpreter() -> Path:
    """Returns the interpreter of an environment with the libraries that the programs import."""
    folder = FOLDER / f"libraries-{digest(sys.version, *LIBRARIES)}"

    def build() -> Path:
        shutil.rmtree(folder, ignore_errors=True)
        python = create(folder)
        install(python, *LIBRARIES)
        return python

    return made_once(folder.with_suffix(".ready"), build)


def own_package() -> Path:
    """Returns a folder with a copy of the runtime package alone, which users have installed beside jax.

    Not a link: hatchling would follow it, and then take the linked folder for one that it has visited.
    """
    package = ROOT / "jaxtyped_static"
    sources = sorted(path for path in package.rglob("*") if path.suffix in (".py", ".pyi"))
    folder = FOLDER / f"own-{digest(*(path.read_text() for path in sources))}"

    def build() -> Path:
        shutil.copytree(
            package, folder / package.name, dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__")
        )
        return folder

    return made_once(folder.with_suffix(".ready"), build)


def programs(package: Package) -> list[Program]:
    """Returns the package itself or, for a folder of its sources, one program per subfolder."""
    if not package.folder:
        return [Program(_installed_tree(package.requirement), ("-p", package.module))]
    trees = sorted(path for path in _source_tree(package.requirement, package.folder).iterdir() if path.is_dir())
    files = {tree: sorted(str(file.relative_to(tree)) for file in tree.rglob("*.py")) for tree in trees}
    # Their modules import each other by bare names, so each folder is a separate root.
    return [
        Program(tree, ("--explicit-package-bases", *names), f"{tree.name}/") for tree, names in files.items() if names
    ]


def digest(*parts: str) -> str:
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:12]


def _installed_tree(requirement: str) -> Path:
    """Returns a folder with nothing but the distribution's own files, as they came from PyPI."""
    folder = FOLDER / requirement
    python = interpreter()

    def unpack() -> Path:
        shutil.rmtree(folder, ignore_errors=True)
        install(python, "--no-deps", "--target", folder, requirement)
        return folder

    return made_once(FOLDER / f"{requirement}.ready", unpack)


def _source_tree(requirement: str, inner: str) -> Path:
    """Returns one folder of the source distribution, extracted: beside the package, mypy would read both."""
    folder = FOLDER / f"{requirement}-{inner}"

    def download() -> Path:
        shutil.rmtree(folder, ignore_errors=True)
        with tempfile.TemporaryDirectory(prefix="real-") as scratch:
            archive = _download(requirement, Path(scratch))
            with tarfile.open(archive) as tar:
                unpack(tar, Path(scratch))
            (top,) = (path for path in Path(scratch).iterdir() if path.is_dir())
            shutil.copytree(top / inner, folder)
        return folder

    return made_once(FOLDER / f"{folder.name}.ready", download)


def _download(requirement: str, target: Path) -> Path:
    """Downloads the source distribution. pip runs its build backend for the metadata, and no other code of it."""
    python = made_once(FOLDER / "pip.ready", _make_pip)
    run(
        python,
        "-m",
        "pip",
        "download",
        "-q",
        "--no-deps",
        "--no-binary",
        ":all:",
        "-d",
        target,
        requirement,
        cwd=target,
    )
    (archive,) = target.glob("*.tar.gz")
    return archive


def _make_pip() -> Path:
    folder = FOLDER / "pip"
    shutil.rmtree(folder, ignore_errors=True)
    python = create(folder)
    install(python, "pip")
    return python
