"""Whether mypy saw the JAX that a program uses. If it did not, nothing is found, and that must not look like success.

The answer is taken from the modules of the build, so it is the same whether they were read or come from the cache.
"""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from mypy.options import Options

from jaxtyped_static_mypy.knowledge.full_names import PACKAGE

from ..compat.building import Built
from ..files.python_files import is_of_library

_JAX: Final = "jax"


def why_blind(built: Built, options: Options) -> str | None:
    """What keeps mypy from seeing JAX or the markers, and what to do about it; None if nothing does."""
    return next((why for package in _SIGNS for why in _why_unseen(package, built, options)), None)


def hides_package(module: str) -> bool:
    """Whether a module of the program has the name of a package that the rules are about."""
    return _package(module) in _SIGNS


def unseen_packages(built: Built) -> set[str]:
    """The packages that a program imports, and of which mypy knows nothing: it has no types of what comes from them."""
    found = {_package(module) for module in built.paths}
    own = (module for module, path in built.paths.items() if not (is_of_library(path) or _is_of(module, PACKAGE)))
    return {_package(name) for module in own for name in built.left_out[module]} - found


def left_out_by(built: Built) -> dict[str, frozenset[str]]:
    """What the modules of a program import that mypy does not find, without those of libraries."""
    own = (module for module, path in built.paths.items() if not is_of_library(path))
    return {module: frozenset(names) for module in own if (names := built.left_out[module])}


def _why_unseen(package: str, built: Built, options: Options) -> Iterator[str]:
    own = [module for module, path in built.paths.items() if not is_of_library(path) and not _is_of(module, package)]
    users = [module for module in own if any(_is_of(name, package) for name in built.named_in(module))]
    if not users:
        return
    inside = {name for name in built.left_out.get(package, ()) if name.startswith(f"{package}._")}
    for names in (*(built.left_out[user] for user in users), inside):
        for name in sorted(names):
            if _is_of(name, package) and (setting := _hiding(name, options)) is not None:
                yield (
                    f"{setting} hides {name} from mypy, so nothing can be found in {built.paths[users[0]]}; "
                    f'set follow_imports = "normal" for the modules "{package}.*" in {options.config_file}'
                )
    found = built.paths.get(package)
    if found is not None and not _SIGNS[package](Path(found)):
        yield (
            f"{Path(found).absolute()} hides {package} from mypy, so nothing can be found in {built.paths[users[0]]}; "
            "rename or remove it"
        )


def _hiding(module: str, options: Options) -> str | None:
    value = options.clone_for_module(module).follow_imports
    return f'follow_imports = "{value}"' if value in ("skip", "error") else None


def _is_of(module: str, package: str) -> bool:
    return _package(module) == package


def _package(module: str) -> str:
    return module.partition(".")[0]


def _is_jax(path: Path) -> bool:
    """Whether what a module calls `jit` is JAX's own, by which the rules know it.

    A script named `jax.py`, and a stub that somebody wrote, may well have a function of that name. Outside of an
    environment, only the sources of JAX count, for those who work on these.
    """
    source = path.parent / "_src"
    if path.suffix == ".py" and is_of_library(str(path)):
        return source.is_dir()
    return _names(path, "_src") and (path.suffix == ".pyi" or _mentions(source / "api.py", "jit"))


def _has_markers(path: Path) -> bool:
    return _names(path, "Static")


def _names(path: Path, name: str) -> bool:
    """Whether a file is that of a package, and contains a name."""
    return path.stem == "__init__" and _mentions(path, name)


def _mentions(path: Path, name: str) -> bool:
    if not path.is_file():
        return False
    return re.search(rf"\b{name}\b", path.read_text(encoding="utf-8", errors="replace")) is not None


# What tells a package from another module of its name.
_SIGNS: Final[dict[str, Callable[[Path], bool]]] = {_JAX: _is_jax, PACKAGE: _has_markers}
