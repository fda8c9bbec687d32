"""What sets and deletes attributes by their names: `setattr` and its relatives, patches of tests, parsers."""

import ast
from collections.abc import Collection, Iterator, Mapping
from functools import lru_cache
from typing import Final, NamedTuple

from .code import PROJECTS_KEPT, Code, Parsed, Source, last_name
from .owners import is_other
from .writing import ANY, owner_of

_SETTING: Final = ("setattr", "delattr")
_SPECIAL: Final = ("__setattr__", "__delattr__")
_RUNNING: Final = ("exec", "eval")
_MOCKING: Final = frozenset({"patch", "multiple"})  # `patch("main.solver.dt", 0.5)`
_OF_MOCK: Final = frozenset({"mock", "mocker", "patch", "unittest"})
_PARSING: Final = frozenset({"parse_args", "parse_known_args"})  # with `namespace=obj`
_FILLED: Final = frozenset({"namespace", "values"})
_COPYING: Final = "copyreg"
_MAX_TEXT: Final = 200


class Setter(NamedTuple):
    """Code that may change an attribute: of the target, or of anything if there is none."""

    node: ast.expr | ast.stmt
    does: str
    target: ast.expr | None = None


def setters(family: Collection[str], code: Code) -> Iterator[tuple[Source, Setter]]:
    """Those that may change an object of some classes."""
    by_owner = _by_owner(code)
    for source, setter in (both for name in (ANY, *sorted(family)) for both in by_owner.get(name, ())):
        if setter.target is None or not _is_elsewhere(setter.target, family, source, code):
            yield source, setter


@lru_cache(PROJECTS_KEPT)
def _by_owner(code: Code) -> Mapping[str, list[tuple[Source, Setter]]]:
    found: dict[str, list[tuple[Source, Setter]]] = {}
    for source, parsed in code.readable:
        for setter in _setters(parsed):
            owner = owner_of(setter.target, parsed, code) if setter.target is not None else ANY
            found.setdefault(owner, []).append((source, setter))
    return found


def _is_elsewhere(target: ast.expr, family: Collection[str], source: Source, code: Code) -> bool:
    if isinstance(target, ast.Constant) and isinstance(target.value, str):
        return _names_no_object(target.value[:_MAX_TEXT], code)
    return is_other(target, family, source, code)


def _names_no_object(text: str, code: Code) -> bool:
    """Whether a text names nothing, or an attribute of a module, of a class, or of another package."""
    *owner, _ = parts = text.split(".")
    if not owner or not all(map(str.isidentifier, parts)) or owner[0] not in code.packages:
        return True
    return ".".join(owner) in code.modules or owner[-1] in code.classes


def _setters(parsed: Parsed) -> list[Setter]:
    return [
        *_by_name(parsed),
        *_by_attribute(parsed),
        *(found for call in parsed.all(ast.Call) if (found := _by_call(call)) is not None),
        *(
            Setter(node, f"imports {alias.name} for")
            for node in parsed.all(ast.ImportFrom)
            for alias in _imported(node)
        ),
    ]


def _imported(node: ast.ImportFrom) -> list[ast.alias]:
    names = (*_SETTING, *_RUNNING) if node.module == "builtins" else ()
    return [alias for alias in node.names if alias.name in names or node.module == _COPYING]


def _by_name(parsed: Parsed) -> Iterator[Setter]:
    for word in _SETTING:
        for node in _loaded(parsed.names.get(word, [])):
            yield Setter(node, f"uses {word} on", _first(node, parsed))
    for word in _RUNNING:
        for node in _loaded(parsed.names.get(word, [])):
            yield Setter(node, f"calls {word}, which may change")
    for node in parsed.names.get(_COPYING, []):
        yield Setter(node, f"uses {_COPYING}, which may set attributes of")


def _by_attribute(parsed: Parsed) -> Iterator[Setter]:
    for word in (*_SETTING, *_SPECIAL):
        for node in parsed.attributes.get(word, ()):
            if last_name(node.value) != "object":  # `object.__setattr__` works on frozen objects
                yield Setter(node, f"uses {word} on", _first(node, parsed) if word in _SETTING else None)
    for word in _RUNNING:
        for node in parsed.attributes.get(word, ()):
            if last_name(node.value) == "builtins":
                yield Setter(node, f"calls {word}, which may change")


def _by_call(call: ast.Call) -> Setter | None:
    name, called = last_name(call.func), call.func
    first = call.args[0] if call.args else None
    of_mock = isinstance(called, ast.Attribute) and last_name(called.value) in _OF_MOCK
    if (name in _MOCKING and (of_mock or isinstance(called, ast.Name))) or (name == "object" and of_mock):
        return Setter(call, "patches", first)
    if name in _PARSING and (len(call.args) > 1 or any(keyword.arg in _FILLED for keyword in call.keywords)):
        return Setter(call, f"calls {name}, which fills")
    return None


def _loaded(nodes: list[ast.Name]) -> Iterator[ast.Name]:
    return (node for node in nodes if isinstance(node.ctx, ast.Load))


def _first(node: ast.expr, parsed: Parsed) -> ast.expr | None:
    """The first argument of a call; None if something is not called, but handed on."""
    call = parsed.call_of(node)
    return call.args[0] if call is not None and call.args else None
