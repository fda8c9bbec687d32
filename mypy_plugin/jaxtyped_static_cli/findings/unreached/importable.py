"""Modules that cannot be imported: they, or what they import, import a module of the project that is not there.

Doubt counts for the module: another one may be made by a build, be written in C, or lie where only the program looks.
"""

import ast
import fnmatch
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Final

from ...files import sources
from ...files.ordinary import text_of
from ...files.parsing import parsed_by_python
from ...files.python_files import find_named, is_of_library
from ...mypy_runs.runs import Checked
from ...project.roots import is_of_project

_INIT: Final = "__init__.py"
# Files that say what a build makes, or what is left out of a repository.
_BUILDING: Final = (
    *(".gitignore", ".gitmodules", "BUILD", "BUILD.bazel", "CMakeLists.txt", "MANIFEST.in", "Makefile", "meson.build"),
    *("pyproject.toml", "setup.cfg", "setup.py"),
)
_MODULES: Final = frozenset({".pxd", ".py", ".pyd", ".pyi", ".pyx", ".so"})
_IGNORED: Final = ".gitignore"
_GENERATED: Final = re.compile(r"_pb2(?:_grpc)?$|version")
# What finds modules in other ways than by the folders of packages.
_OTHER_WAYS: Final = re.compile(r"\b(?:__path__|extend_path|meta_path|path_hooks)\b")
_OTHER_FOLDERS: Final = re.compile(r"\bsys\.path\b|\bsite\.addsitedir\b")


def unimportable(modules: Mapping[str, Path], left_out: Mapping[str, frozenset[str]], root: Path) -> Mapping[str, str]:
    """The modules that cannot be imported, each with the missing module at fault.

    `modules`: those of the program, libraries included. `left_out`: of each, what it imports and mypy does not find.
    """
    own = {name: path for name, path in modules.items() if path.suffix == ".py" and not is_of_library(str(path))}
    wanted = {name for names in left_out.values() for name in names}
    gone = {name: _gone(name, own) for name in wanted if _is_of_package(name, own)}
    absent = {part for part in set(gone.values()) if _is_missing(part, own, root)}  # which looks through the project
    missing = {name: part for name, part in gone.items() if part in absent}
    if not missing:
        return {}
    imports = {name: _imports(name, path) for name, path in own.items()}
    found = {
        name: missing[first]
        for name, names in imports.items()
        if (first := next((one for one in names if one in missing and one in left_out.get(name, ())), None)) is not None
    }
    return _spread(found, imports)


def unimportable_in(rounds: Iterable[Checked], root: Path) -> Mapping[str, str]:
    """The same of files that mypy checked in several rounds."""
    found = (unimportable(checked.modules, checked.left_out, root) for checked in rounds)
    return {module: name for modules in found for module, name in modules.items()}


def _is_of_package(name: str, own: Mapping[str, Path]) -> bool:
    package, _, inner = name.partition(".")
    return bool(inner) and any(other.partition(".")[0] == package for other in own)


def _gone(name: str, own: Mapping[str, Path]) -> str:
    """The outermost part of a name that is not there: `app.core`, of `app.core.missing`."""
    parts = name.split(".")
    outer = (".".join(parts[:end]) for end in range(1, len(parts) + 1))
    return next((part for part in outer if not any(f"{one}.".startswith(f"{part}.") for one in own)), name)


def _is_missing(name: str, own: Mapping[str, Path], root: Path) -> bool:
    """Whether nothing shows that a module of a package of the project may be somewhere."""
    package, _, last = name.rpartition(".")
    folders = {folder for module, path in own.items() if (folder := _folder(package, module, path)) is not None}
    if not package or not folders or not is_of_project(root) or _GENERATED.search(last) is not None:
        return False
    if any(_is_there(last, folder) for folder in folders) or _is_built(last, folders, root):
        return False
    if any(_ends_with(path, name) for path in find_named([root], _MODULES, root)):
        return False  # in another folder of the package's name
    texts = ["\n".join(sources.lines(path)) for path in own.values()]
    tells = [_OTHER_WAYS] if all((folder / _INIT).exists() for folder in folders) else [_OTHER_WAYS, _OTHER_FOLDERS]
    return not any(pattern.search(text) for pattern in tells for text in texts) and not any(
        f"'{name}'" in text or f'"{name}"' in text for text in texts
    )


def _ends_with(path: Path, name: str) -> bool:
    """Whether a file is a module of a name, or in a package of that name, wherever that is."""
    return f".{name}." in f".{'.'.join(path.with_suffix('').parts)}."


def _folder(package: str, module: str, path: Path) -> Path | None:
    """The folder of a package, by the path of a module in it."""
    if module != package and not module.startswith(f"{package}."):
        return None
    inner = path.parent if path.name == _INIT else path.with_suffix("")
    depth = module.count(".") - package.count(".")
    return inner.parents[depth - 1] if depth else path.parent if path.name == _INIT else None


def _is_there(name: str, folder: Path) -> bool:
    """Whether a folder has anything of a name, whatever it is: `fast.cpython-311.so`, `fast.pyx`, `fast/`."""
    try:
        return any(entry.name.partition(".")[0] == name for entry in folder.iterdir())
    except OSError:
        return True


def _is_built(name: str, folders: Iterable[Path], root: Path) -> bool:
    """Whether what builds the project, or what is no part of its repository, may have a module of a name."""
    word = re.compile(rf"\b{re.escape(name)}\b")
    around = {root, *(outer for folder in folders for outer in (folder, *folder.parents) if outer.is_relative_to(root))}
    for folder in around:
        for file in _BUILDING:
            text = text_of(folder / file)
            if word.search(text) or (file == _IGNORED and _is_ignored(name, text)):
                return True
    return False


def _is_ignored(name: str, text: str) -> bool:
    patterns = (line.strip().rstrip("/").rpartition("/")[2] for line in text.splitlines() if not line.startswith("#"))
    return any(fnmatch.fnmatch(one, pattern) for pattern in patterns if pattern for one in (name, f"{name}.py"))


# What modules import whenever they are imported


def _imports(module: str, path: Path) -> list[str]:
    """The modules that one imports first of all, at its outermost level, by their full names, or what may be one."""
    tree = parsed_by_python("\n".join(sources.lines(path)))
    package = module if path.name == _INIT else module.rpartition(".")[0]
    statements = tree.body if tree is not None else []
    return [name for statement in statements for name in _imported(statement, package)]


def _imported(statement: ast.stmt, package: str) -> Iterator[str]:
    if isinstance(statement, ast.Import):
        names = [alias.name for alias in statement.names]
    elif isinstance(statement, ast.ImportFrom):
        outer = package.split(".")[: len(package.split(".")) - statement.level + 1] if statement.level else []
        module = ".".join([*outer, *([statement.module] if statement.module else [])])
        names = [module, *(f"{module}.{alias.name}" for alias in statement.names)]
    else:
        names = []
    for name in names:
        parts = name.split(".")
        yield from (".".join(parts[:end]) for end in range(1, len(parts) + 1))


def _spread(found: dict[str, str], imports: Mapping[str, list[str]]) -> Mapping[str, str]:
    """With the modules that import one of these, and those in a package that cannot be imported."""
    while True:
        more = {
            name: found[first]
            for name, names in imports.items()
            if name not in found
            and (first := next((one for one in (*_packages(name), *names) if one in found), None)) is not None
        }
        if not more:
            return found
        found = found | more


def _packages(module: str) -> Iterator[str]:
    while module := module.rpartition(".")[0]:
        yield module
