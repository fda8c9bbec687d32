"""Calls that set attributes by their names: `setattr`, and the patches of tests, `mock.patch.object(cls, "name")`."""

import ast
from typing import Final

from .code import Parsed, last_name

PATCH: Final = "patch"
_OF_PATCH: Final = frozenset({"object", "multiple", "dict", "stopall", "TEST_PREFIX"})
_NO_ATTRIBUTES: Final = frozenset({"dict", "stopall", "TEST_PREFIX"})
_MOCK: Final = "mock"
_BY_NAME: Final = frozenset({"setattr", "delattr"})
_SPECIAL: Final = frozenset({"__setattr__", "__delattr__"})

Found = ast.Name | ast.Attribute | ast.ImportFrom


def is_patch(node: Found, parsed: Parsed) -> bool:
    """Whether a name or attribute `patch` is that of `unittest.mock`, or of the fixture `mocker`.

    Much else has an attribute of that name, such as the axes of a plot.
    """
    if isinstance(node, ast.Name) and node.id == PATCH:
        return _is_imported(node.id, parsed) or not (parsed.binders.get(PATCH) or PATCH in parsed.parameters)
    if not isinstance(node, ast.Attribute) or node.attr != PATCH:
        return False
    owner = last_name(node.value)
    return _MOCK in owner.lower() or owner == "unittest" or _is_of_mock(owner, parsed)


def patch_call(node: Found, parsed: Parsed) -> ast.Call | None:
    """The call of `patch`, `patch.object` or `patch.multiple`."""
    above = parsed.parent(node)
    if isinstance(above, ast.Attribute) and above.value is node and above.attr in _OF_PATCH:
        return parsed.call_of(above)
    return parsed.call_of(node)


def names_set(node: Found, call: ast.Call | None) -> frozenset[str] | None:
    """The names that a call sets; None if it does not write them out. `node`: what it calls, or is the head of that."""
    if call is None or any(isinstance(argument, ast.Starred) for argument in call.args[:2]):
        return None
    called = last_name(call.func)
    texts = [_text(argument) for argument in call.args[:2]]
    if not isinstance(node, ast.ImportFrom) and last_name(node) == PATCH:
        return _patched(called, texts, call)
    if called in _BY_NAME:  # also `monkeypatch.setattr("main.name", 1)`
        is_path = isinstance(call.func, ast.Attribute) and texts[:1] != [None]
        return _all_of(texts[:1] if is_path else texts[1:])
    if called in _SPECIAL:  # `x.__setattr__("name", 1)`, `object.__setattr__(x, "name", 1)`
        place = 1 if len(call.args) == (3 if called == "__setattr__" else 2) else 0
        return _all_of(texts[place : place + 1])
    return None


def _patched(called: str, texts: list[str | None], call: ast.Call) -> frozenset[str] | None:
    if called in _NO_ATTRIBUTES:
        return frozenset()
    if called == "multiple":
        names = [keyword.arg for keyword in call.keywords]
        return frozenset(name for name in names if name) if None not in names else None
    return _all_of(texts[1:2] if called == "object" else texts[:1])


def _all_of(texts: list[str | None]) -> frozenset[str] | None:
    names = {text.rpartition(".")[2] for text in texts if text}
    return frozenset(names) if names else None


def _text(node: ast.expr) -> str | None:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def _is_imported(name: str, parsed: Parsed) -> bool:
    return any(isinstance(binder, ast.Import | ast.ImportFrom) for binder in parsed.binders.get(name, ()))


def _is_of_mock(name: str, parsed: Parsed) -> bool:
    """Whether a file imports `unittest.mock` or the like by this name."""
    for binder in parsed.binders.get(name, ()):
        if isinstance(binder, ast.ImportFrom | ast.Import):
            for alias in binder.names:
                if (alias.asname or alias.name) == name and _MOCK in f"{getattr(binder, 'module', '')}.{alias.name}":
                    return True
    return False
