"""That every call of a function passes what makes the call raise, or leaves that parameter out."""

import ast
from collections.abc import Callable, Mapping
from functools import lru_cache
from itertools import chain, pairwise
from typing import Final

from .code import PROJECTS_KEPT, Code, Parsed, Source, last_name
from .uses import Parameter, Use, uses, why_reached_otherwise

_CALLING: Final = frozenset({"lower", "trace", "eval_shape"})  # `f.lower(x)` takes what `f(x)` takes
_HARMLESS: Final = frozenset({"clear_cache"})
_CHECKS: Final = frozenset({"isinstance", "issubclass"})

Fits = Callable[[ast.expr, Source, Parsed], bool]


def why_not_every_call(parameter: Parameter, fits: Fits, code: Code) -> str:
    """Which use of the function may be one in which the parameter gets something that does not fit."""
    if unseen := code.unreadable or why_reached_otherwise(parameter, code):
        return unseen
    for source, parsed, node in uses(parameter, code):
        call = _call_of(node, parsed)
        if call is None:
            if not _is_harmless(node, parsed):
                return f'{source.place(node)} uses "{parameter.function}" in another way than calling it'
        elif doubt := _doubt_of(call, node, parameter, fits, source, parsed):
            return doubt
    return ""


def _call_of(node: Use, parsed: Parsed) -> ast.Call | None:
    above = parsed.parent(node)
    if isinstance(above, ast.Attribute) and above.attr in _CALLING:
        return parsed.call_of(above)
    return parsed.call_of(node)


def _is_harmless(node: Use, parsed: Parsed) -> bool:
    above = parsed.parent(node)
    return isinstance(above, ast.Attribute) and above.attr in _HARMLESS


def _doubt_of(call: ast.Call, node: Use, parameter: Parameter, fits: Fits, source: Source, parsed: Parsed) -> str:
    index = parameter.position
    if parameter.owner and isinstance(node, ast.Attribute):
        if last_name(node.value) == parameter.owner:
            return f'{source.place(call)} calls "{parameter.function}" through its class'
        index -= 1
    named = [keyword.value for keyword in call.keywords if keyword.arg == parameter.name]
    if any(isinstance(argument, ast.Starred) for argument in call.args[: index + 1]) or any(
        keyword.arg is None for keyword in call.keywords
    ):
        return f"{source.place(call)} unpacks its arguments"
    given = named[0] if named else call.args[index] if 0 <= index < len(call.args) else None
    if given is None or fits(given, source, parsed):
        return ""
    return f'the type of "{parameter.name}" at {source.place(call)} is not known'


def why_may_be_pytree(cls: str, code: Code) -> str:
    """How some code may make a pytree of a class, or of one that derives from it."""
    if code.unreadable:
        return code.unreadable
    for source, node in _derived(code).get(cls, ()):
        return f'{source.place(node)}: "{node.name}" derives from "{cls}", and may be a pytree'
    for source, node in code.classes.get(cls, ()):
        if any(last_name(decorator) != "dataclass" for decorator in node.decorator_list):
            return f"{source.place(node)}: its decorators may make it a pytree"
    for source, parsed in code.readable:
        for use in (*parsed.names.get(cls, ()), *parsed.attributes.get(cls, ())):
            if not _is_plain_use(use, parsed):
                return f'{source.place(use)} hands "{cls}" on, and may make it a pytree'
    return ""


@lru_cache(PROJECTS_KEPT)
def _derived(code: Code) -> Mapping[str, list[tuple[Source, ast.ClassDef]]]:
    """The classes that name each class as a base."""
    found: dict[str, list[tuple[Source, ast.ClassDef]]] = {}
    for source, node in chain.from_iterable(code.classes.values()):
        for base in node.bases:
            found.setdefault(last_name(base), []).append((source, node))
    return found


def _is_plain_use(use: Use, parsed: Parsed) -> bool:
    """Whether a class is called, named in an annotation, or looked into."""
    above = parsed.parent(use)
    if isinstance(above, ast.Attribute):
        return True
    if isinstance(above, ast.Call):
        return above.func is use or last_name(above) in _CHECKS
    around = [use, *parsed.around(use)]
    return any(_is_annotation(part, whole) for part, whole in pairwise(around))


def _is_annotation(part: ast.AST, whole: ast.AST) -> bool:
    return part is getattr(whole, "annotation", None) or part is getattr(whole, "returns", None)
