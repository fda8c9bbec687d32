"""That every call of a function passes what makes the call raise, or leaves that parameter out."""

import ast
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Final, NamedTuple

from .bindings import meaning_of
from .code import FUNCTIONS, Code, Parsed, Source, bound_by, dotted, last_name, parameters
from .owners import declaration_of

_CALLING: Final = frozenset({"lower", "trace", "eval_shape"})  # `f.lower(x)` takes what `f(x)` takes
_HARMLESS: Final = frozenset({"clear_cache"})
_ARRAYS: Final = ("jax.numpy.", "jax.random.")
_CHECKS: Final = frozenset({"isinstance", "issubclass"})

Use = ast.Name | ast.Attribute
Fits = Callable[[ast.expr, Source, Parsed], bool]


class Parameter(NamedTuple):
    """A parameter of a function of the project, which is a method if it has an owner."""

    function: str
    name: str
    position: int  # `self` included
    path: Source
    owner: str = ""


def why_not_every_call(parameter: Parameter, fits: Fits, code: Code) -> str:
    """Which use of the function may be one in which the parameter gets something that does not fit."""
    if code.unreadable:
        return code.unreadable
    for source, parsed, node in _uses(parameter, code):
        call = _call_of(node, parsed)
        if call is None:
            if not _is_harmless(node, parsed):
                return f'{source.place(node)} uses "{parameter.function}" in another way than calling it'
        elif doubt := _doubt_of(call, node, parameter, fits, source, parsed):
            return doubt
    return ""


def _uses(parameter: Parameter, code: Code) -> Iterator[tuple[Source, Parsed, Use]]:
    """Where a function may be used: by its name in its own file and in those that import it, else as an attribute."""
    name = parameter.function
    for source, parsed in code.readable:
        is_seen = source is parameter.path or _imports(name, parsed)
        if not parameter.owner and is_seen:
            found = (one for one in parsed.names.get(name, ()) if not _is_local(one, parsed))
            yield from ((source, parsed, one) for one in found)
        for one in parsed.attributes.get(name, ()):
            if parameter.owner or _is_module(one.value, parsed):
                yield source, parsed, one


def _imports(name: str, parsed: Parsed) -> bool:
    return any(one.name in (name, "*") for node in parsed.all(ast.ImportFrom) for one in node.names)


def _is_module(node: ast.expr, parsed: Parsed) -> bool:
    head = dotted(node).partition(".")[0]
    return any(isinstance(one, ast.Import | ast.ImportFrom) for one in parsed.binders.get(head, ()))


def _is_local(node: ast.Name, parsed: Parsed) -> bool:
    """Whether a name stands for a variable of a function around it."""
    for around in parsed.around(node):
        if isinstance(around, FUNCTIONS):
            bound = {name for part in ast.walk(around) if part is not around for name in bound_by(part)}
            if node.id in bound or any(one.arg == node.id for one in parameters(around)):
                return True
    return False


def _call_of(node: Use, parsed: Parsed) -> ast.Call | None:
    above = parsed.parent(node)
    if isinstance(above, ast.Attribute) and above.attr in _CALLING:
        node, above = above, parsed.parent(above)
    return above if isinstance(above, ast.Call) and above.func is node else None


def _is_harmless(node: Use, parsed: Parsed) -> bool:
    above = parsed.parent(node)
    return isinstance(above, ast.Attribute) and above.attr in _HARMLESS


def _doubt_of(call: ast.Call, node: Use, parameter: Parameter, fits: Fits, source: Source, parsed: Parsed) -> str:
    index = parameter.position
    if parameter.owner and isinstance(node, ast.Attribute):
        if last_name(node.value) == parameter.owner:
            return f'{source.place(call)} calls "{parameter.function}" through its class'
        index -= 1
    named = [one.value for one in call.keywords if one.arg == parameter.name]
    if any(isinstance(one, ast.Starred) for one in call.args[: index + 1]) or any(
        one.arg is None for one in call.keywords
    ):
        return f"{source.place(call)} unpacks its arguments"
    given = named[0] if named else call.args[index] if 0 <= index < len(call.args) else None
    if given is None or fits(given, source, parsed):
        return ""
    return f'the type of "{parameter.name}" at {source.place(call)} is not known'


def is_untraceable_as(annotation: str, code: Code) -> Fits:
    """Text, functions, and what is declared by the same annotation, which the checker knows that JAX cannot trace."""
    cls = annotation.partition("[")[0].rpartition(".")[2]

    def fits(node: ast.expr, source: Source, parsed: Parsed) -> bool:
        if isinstance(node, ast.Constant):
            return isinstance(node.value, str | bytes)
        if isinstance(node, ast.JoinedStr | ast.Lambda):
            return True
        if isinstance(node, ast.Call):
            return last_name(node) == cls and cls in code.classes
        if not isinstance(node, ast.Name):
            return False
        declared = declaration_of(node, parsed)
        if declared is not None:
            return ast.unparse(declared) == annotation
        value = _only_value(node, parsed)
        if value is not None:
            return fits(value, source, parsed)
        return not _is_local(node, parsed) and meaning_of(node.id, source, code).node is not None

    return fits


def is_array(annotation: str, code: Code) -> Fits:
    """What `jax.numpy` returns, and what is declared as an array; the annotation of the parameter does not matter."""

    def fits(node: ast.expr, source: Source, parsed: Parsed) -> bool:
        if isinstance(node, ast.Call):
            return meaning_of(dotted(node.func), source, code).full_name.startswith(_ARRAYS)
        declared = declaration_of(node, parsed) if isinstance(node, ast.Name) else None
        if declared is not None:
            return last_name(declared) == "Array"
        value = _only_value(node, parsed) if isinstance(node, ast.Name) else None
        return value is not None and fits(value, source, parsed)

    return fits


def is_array_or_none(annotation: str, code: Code) -> Fits:
    """What `is_array` accepts, and `None` as it is written."""
    is_one = is_array(annotation, code)

    def fits(node: ast.expr, source: Source, parsed: Parsed) -> bool:
        return (isinstance(node, ast.Constant) and node.value is None) or is_one(node, source, parsed)

    return fits


def _only_value(node: ast.Name, parsed: Parsed) -> ast.expr | None:
    """What is assigned to a variable, if the file assigns to that name once."""
    bound = parsed.binders.get(node.id, [])
    made = parsed.parent(bound[0]) if len(bound) == 1 and node.id not in parsed.parameters else None
    return made.value if isinstance(made, ast.Assign) and bound[0] in made.targets else None


def why_may_be_pytree(cls: str, code: Code) -> str:
    """How some code may make a pytree of a class, or of one that derives from it."""
    if code.unreadable:
        return code.unreadable
    for name, found in code.classes.items():
        for source, node in found:
            if any(last_name(base) == cls for base in node.bases):
                return f'{source.place(node)}: "{name}" derives from "{cls}", and may be a pytree'
            if name == cls and any(last_name(one) != "dataclass" for one in node.decorator_list):
                return f"{source.place(node)}: its decorators may make it a pytree"
    for source, parsed in code.readable:
        for use in (*parsed.names.get(cls, ()), *parsed.attributes.get(cls, ())):
            if not _is_plain_use(use, parsed):
                return f'{source.place(use)} hands "{cls}" on, and may make it a pytree'
    return ""


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
