"""Copies of a package's modules that are kept beside it: `experiments/old bug/solver.py`, which nothing imports."""

from collections.abc import Collection, Mapping
from pathlib import Path

from .code import Code, code_of
from .mentions import other_modules


def is_copy(path: Path, code: Code, modules: Mapping[str, Path], packaged: Collection[str]) -> bool:
    """Whether a module that is no script defines what a packaged one of its name does, and no file beside it names it.

    `modules`: all of the project. A program of another folder would import the one of the package.
    """
    own = _definitions(code)
    if code.is_script or not own:
        return False
    same = (modules[name] for name in packaged if name.rpartition(".")[2] == path.stem and name in modules)
    known = (code_of(other) for other in same if other != path)
    if not any(other is not None and own <= _definitions(other) for other in known):
        return False
    beside = map(code_of, other_modules(path.parent, [path]))
    return not any(unit.words.have(path.stem) for other in beside if other is not None for unit in other.units)


def _definitions(code: Code) -> set[str]:
    return {unit.name for unit in code.units if unit.name and not unit.cls}
