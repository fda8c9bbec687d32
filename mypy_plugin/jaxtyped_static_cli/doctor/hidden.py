"""What hides types from the checker: packages without types, and decorators that are not annotated."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from mypy.modulefinder import ModuleNotFoundReason
from mypy.nodes import CallExpr, Decorator, Expression, MemberExpr, MypyFile, NameExpr
from mypy.options import Options
from mypy.stubinfo import stub_distribution_name
from mypy.types import AnyType, CallableType, Type, get_proper_type

from jaxtyped_static_mypy.compat.mypy_api import find_module
from jaxtyped_static_mypy.syntax.trees import nodes_below

_OUR_STUBS: Final = frozenset({"chex", "optax"})


class Package(NamedTuple):
    """A package, or a module of one, of which mypy knows no types."""

    name: str
    files: int  # that import it
    reason: str
    advice: str


class Hiding(NamedTuple):
    """A decorator after which the type of a function is unknown."""

    name: str
    functions: int
    path: Path  # of the first of them
    line: int


def untyped_packages(not_found: Sequence[Iterable[str]], options: Options) -> list[Package]:
    """The most used come first. `not_found`: the modules that each file imports and mypy does not find.

    Such a module is named by its package, unless it is the module alone that is missing.
    """
    packages = {module.partition(".")[0] for modules in not_found for module in modules}
    typed = {package for package in packages if isinstance(find_module(package, options), str)}
    imported = Counter(name for modules in not_found for name in {_missing(module, typed) for module in modules})
    return [Package(name, count, *_why_untyped(name, options)) for name, count in imported.most_common()]


def _missing(module: str, typed: set[str]) -> str:
    package = module.partition(".")[0]
    return module if package in typed else package


def _why_untyped(name: str, options: Options) -> tuple[str, str]:
    package = name.partition(".")[0]
    if find_module(name, options) is ModuleNotFoundReason.NOT_FOUND:
        if package != name:
            return "does not exist", f"correct the import, or install a release of {package} that has it"
        return "is not installed", f"install {name} in the project's environment"
    if name in _OUR_STUBS:
        return "has no types", "install jaxtyped-static-stubs (stubs/ in the repository of jaxtyped-static)"
    if (stubs := stub_distribution_name(name)) is not None:
        return "has no types", f"install {stubs}, which has them"
    return "has no types", f"let mypy read its source: follow_untyped_imports = true for {name}.* in mypy's settings"


def hiding_decorators(file: MypyFile, path: Path, types: Mapping[Expression, Type]) -> Iterator[Hiding]:
    """One for each function that is hidden."""
    for node in nodes_below(file):
        if isinstance(node, Decorator) and isinstance(get_proper_type(node.var.type), AnyType):
            for decorator in reversed(node.decorators):  # the innermost is applied first
                if _gives_any(types.get(decorator)):
                    yield Hiding(_name(decorator), 1, path, decorator.line)
                    break


def counted_by_name(found: Iterable[Hiding]) -> list[Hiding]:
    """One for each decorator, the one that hides most first."""
    by_name: dict[str, Hiding] = {}
    for hiding in sorted(found, key=lambda hiding: (hiding.path, hiding.line)):
        first = by_name.get(hiding.name, hiding._replace(functions=0))
        by_name[hiding.name] = first._replace(functions=first.functions + 1)
    return sorted(by_name.values(), key=lambda hiding: -hiding.functions)


def _gives_any(decorator: Type | None) -> bool:
    proper = get_proper_type(decorator)
    if isinstance(proper, CallableType):
        proper = get_proper_type(proper.ret_type)
    return isinstance(proper, AnyType)


def _name(decorator: Expression) -> str:
    if isinstance(decorator, CallExpr):
        return _name(decorator.callee)
    if isinstance(decorator, MemberExpr):
        return f"{_name(decorator.expr)}.{decorator.name}"
    return decorator.name if isinstance(decorator, NameExpr) else "(an expression)"
