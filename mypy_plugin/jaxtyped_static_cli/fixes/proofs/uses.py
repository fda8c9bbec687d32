"""Where a function of the project may be used: by its names, as an attribute, or through what hands its module on."""

import ast
from collections.abc import Collection, Iterator
from functools import lru_cache
from typing import Final, NamedTuple

from ...files.python_names import bound_by
from .code import FILES_KEPT, FUNCTIONS, Code, Parsed, Source, dotted, parameters

# What reaches functions of a module without writing their names.
_LOADING: Final = ("import_module", "__import__", "run_module", "run_path", "modules", "__globals__", "f_globals")
_OWN_NAMES: Final = ("globals", "vars", "locals")
_ATTRIBUTES_BY_NAME: Final = ("getattr", "attrgetter", "methodcaller")

Use = ast.Name | ast.Attribute


class Parameter(NamedTuple):
    """A parameter of a function of the project, which is a method if it has an owner."""

    function: str
    name: str
    position: int  # `self` included
    path: Source
    owner: str = ""


def uses(parameter: Parameter, code: Code) -> Iterator[tuple[Source, Parsed, Use]]:
    """Where a function may be used: by its name in its own file and in those that import it, else as an attribute."""
    every = [parameter.function] if parameter.owner else _all_names(parameter.function, code)
    for source, parsed in code.readable:
        if not parameter.owner:
            own = [parameter.function] if source is parameter.path else []
            for word in {*own, *_imported(every, parsed)}:
                found = (use for use in parsed.names.get(word, ()) if isinstance(use.ctx, ast.Load))
                yield from ((source, parsed, use) for use in found if not is_local(use, parsed))
        for use in (use for word in every for use in parsed.attributes.get(word, ())):
            if parameter.owner or _is_module(use.value, parsed):
                yield source, parsed, use


def why_reached_otherwise(parameter: Parameter, code: Code) -> str:
    """What may use a function without writing its name."""
    for source, parsed in code.readable:
        for word in _ATTRIBUTES_BY_NAME if parameter.owner else _LOADING:
            for use in (*parsed.names.get(word, ()), *parsed.attributes.get(word, ())):
                if not (parameter.owner and _names_another(use, parameter.function, parsed)):
                    return f'{source.place(use)} uses {word}, which may reach "{parameter.function}"'
        if parameter.owner:
            continue
        for use in _handed_on(_module_name(parameter.path), parsed):
            return f'{source.place(use)} hands on the module of "{parameter.function}"'
    own = parameter.path.parsed
    for word in _OWN_NAMES if own is not None and not parameter.owner else ():
        for use in own.names.get(word, ()) if own is not None else ():
            return f'{parameter.path.place(use)} uses {word}, which may reach "{parameter.function}"'
    return ""


def _names_another(use: Use, function: str, parsed: Parsed) -> bool:
    """Whether `getattr(obj, "other")` reads another attribute."""
    above = parsed.parent(use)
    given = above.args if isinstance(above, ast.Call) else []
    named = [argument.value for argument in given if isinstance(argument, ast.Constant)]
    return isinstance(above, ast.Call) and above.func is use and bool(named) and function not in named


def _module_name(source: Source) -> str:
    return source.path.parent.name if source.path.stem == "__init__" else source.path.stem


@lru_cache(FILES_KEPT)
def _handed_on(module: str, parsed: Parsed) -> list[Use]:
    """Where a module is used in another way than reading an attribute that is written out."""
    bound = {
        alias.asname or alias.name.partition(".")[0]
        for node in parsed.imports
        for alias in node.names
        if module in alias.name.split(".")
    }
    named: list[Use] = [use for name in bound for use in parsed.names.get(name, ())]
    named += [use for use in parsed.attributes.get(module, ()) if _is_module(use.value, parsed)]
    return [use for use in named if isinstance(use.ctx, ast.Load) and not isinstance(parsed.parent(use), ast.Attribute)]


def _all_names(name: str, code: Code) -> list[str]:
    """A name, and those under which modules import it from one another."""
    found = [name]
    for known in found:
        found += sorted(code.imported_as.get(known, set()) - set(found))
    return found


def _imported(names: Collection[str], parsed: Parsed) -> Iterator[str]:
    """The names under which a file imports one of several."""
    for alias in (alias for node in parsed.all(ast.ImportFrom) for alias in node.names):
        if alias.name == "*":
            yield from names
        elif alias.name in names:
            yield alias.asname or alias.name


def _is_module(node: ast.expr, parsed: Parsed) -> bool:
    head = dotted(node).partition(".")[0]
    return any(isinstance(binder, ast.Import | ast.ImportFrom) for binder in parsed.binders.get(head, ()))


def is_local(node: ast.Name, parsed: Parsed) -> bool:
    """Whether a name stands for a variable of a function around it; one that is imported there is none."""
    for around in parsed.around(node):
        if isinstance(around, FUNCTIONS):
            parts = (part for part in ast.walk(around) if part is not around and not isinstance(part, ast.ImportFrom))
            if any(node.id in bound_by(part) for part in parts):
                return True
            if any(parameter.arg == node.id for parameter in parameters(around)):
                return True
    return False
