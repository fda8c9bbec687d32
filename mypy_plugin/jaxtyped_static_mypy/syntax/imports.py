"""What a file imports, by the names it uses for it."""

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from mypy.nodes import (
    Expression,
    Import,
    ImportAll,
    ImportBase,
    ImportFrom,
    MemberExpr,
    MypyFile,
    NameExpr,
    Statement,
    Var,
)
from mypy.util import correct_relative_import

from ..memory import keep_last
from .trees import names_assigned, statements


class Imports(NamedTuple):
    """The full names that a file imports, each by the name that its first import binds."""

    names: Mapping[str, str]
    # mypy 2.4.1 lists the imports of both branches in `MypyFile.imports`, with a mark for each.
    for_mypy: Mapping[str, str]  # under `if TYPE_CHECKING`
    at_run_time: Mapping[str, str]  # in a branch that mypy does not analyse


def imported_name(file: MypyFile, dotted: str) -> str | None:
    """The full name that a dotted name has in the imports of a file, even if it is a re-export."""
    return _full_name(_imports(file).names, dotted)


def imported_names(file: MypyFile) -> Mapping[str, str]:
    """The full name of each name that a file imports."""
    return _imports(file).names


def runtime_name(file: MypyFile, dotted: str) -> str | None:
    """The `c.b` in `if TYPE_CHECKING: from a import b`, `else: from c import b`, where mypy sees `a.b`."""
    imports = _imports(file)
    return _full_name(imports.at_run_time, dotted) if _full_name(imports.for_mypy, dotted) is not None else None


def _full_name(names: Mapping[str, str], dotted: str) -> str | None:
    head, dot, rest = dotted.partition(".")
    full = names.get(head)
    return f"{full}{dot}{rest}" if full is not None else None


def _imports(file: MypyFile) -> Imports:
    return _read_imports(file, tuple(file.imports))  # the daemon puts others into the same file


@keep_last
def _read_imports(file: MypyFile, written: tuple[ImportBase, ...]) -> Imports:
    for_mypy = [node for node in written if node.is_mypy_only]
    unread = [node for node in written if node.is_unreachable]
    return Imports(_names(file, written), _names(file, for_mypy), _names(file, unread))


def _names(file: MypyFile, imports: Iterable[ImportBase]) -> dict[str, str]:
    names: dict[str, str] = {}
    for name, full in names_bound(file, imports):
        names.setdefault(name, full)
    return names


def names_bound(file: MypyFile, imports: Iterable[ImportBase]) -> Iterator[tuple[str, str]]:
    """Each name that imports bind, with its full name."""
    for node in imports:
        if isinstance(node, Import):
            for name, alias in node.ids:
                head = name.partition(".")[0]
                yield alias or head, name if alias else head
        elif isinstance(node, ImportFrom):
            module = imported_module(file, node)
            for name, alias in node.names:
                yield alias or name, f"{module}.{name}"


def names_read(file: MypyFile) -> Iterator[str]:
    """The full names of the modules that a file imports, and of what it imports from them."""
    for node in file.imports:
        if isinstance(node, Import):
            yield from (name for name, _ in node.ids)
        elif isinstance(node, ImportFrom | ImportAll):
            module = imported_module(file, node)
            yield module
            yield from (f"{module}.{name}" for name, _ in (node.names if isinstance(node, ImportFrom) else ()))


def is_always_from(package: str, name: str, file: MypyFile) -> bool:
    """Whether a file binds a name by imports from one package only.

    Programs that run without JAX bind one name to `jax.numpy` or to NumPy, of which mypy sees whichever comes first.
    """
    packages = _packages(file, tuple(file.imports))
    return packages.get(name) == {package} and name not in _assigned(tuple(file.defs))


@keep_last
def _packages(file: MypyFile, written: tuple[ImportBase, ...]) -> Mapping[str, set[str]]:
    """All packages that each name may come from."""
    found: dict[str, set[str]] = {}
    for name, full in names_bound(file, written):
        found.setdefault(name, set()).add(full.partition(".")[0])
    return found


@keep_last
def _assigned(body: tuple[Statement, ...]) -> frozenset[str]:
    """The names that the top level of a file assigns to."""
    return frozenset(
        name for statement in statements(body, into_definitions=False) for name in names_assigned(statement)
    )


def imported_module(file: MypyFile, node: ImportFrom | ImportAll) -> str:
    """The full name of the module that an import reads from."""
    if not node.relative:
        return node.id
    return correct_relative_import(file.fullname, node.relative, node.id, file.is_package_init_file())[0]


def modules_of_stars(file: MypyFile) -> list[str]:
    """The modules of which a file imports all names."""
    return [imported_module(file, node) for node in file.imports if isinstance(node, ImportAll)]


def imports_package(file: MypyFile, package: str) -> bool:
    """Whether a file imports a package, or anything in it."""
    absolute = (node for node in file.imports if not getattr(node, "relative", 0))
    modules = (name for node in absolute for name in _modules_named(node))
    return any(module.partition(".")[0] == package for module in modules)


def _modules_named(node: ImportBase) -> list[str]:
    if isinstance(node, Import):
        return [name for name, _ in node.ids]
    return [node.id] if isinstance(node, (ImportFrom, ImportAll)) else []


def full_name(node: Expression, file: MypyFile) -> str:
    """The full name that an expression refers to; for a package without types, the imported name."""
    if not isinstance(node, (NameExpr, MemberExpr)):
        return ""
    if node.node is not None and not (isinstance(node.node, Var) and node.node.is_suppressed_import):
        return node.node.fullname or ""
    if isinstance(node, MemberExpr):
        owner = full_name(node.expr, file)
        return f"{owner}.{node.name}" if owner else ""
    return imported_name(file, node.name) or ""
