"""Names: a module-level name is one object, but in a loop of the module; a local name is whatever it is bound to."""

from typing import Final

from mypy.nodes import GDEF, LDEF, Decorator, Expression, FuncDef, NameExpr, OverloadedFuncDef, TypeInfo, Var

from ...reach.description import ParameterKind, reach_of
from ...source.checked_file import CheckedFile
from ...source.functions import functions_around
from ...source.local_bindings import reaching_bindings
from ...source.surroundings import surroundings
from .origins import Followed, FreshKind, Reader, answer, follow, unknown

_MAX_BINDINGS: Final = 50  # of one name: in a loop each of them leads to all


def step_name(node: NameExpr, reader: Reader) -> Followed:
    symbol = node.node
    if isinstance(symbol, (FuncDef, Decorator, OverloadedFuncDef)):
        if _is_nested(symbol, reader):
            return answer(FreshKind.NESTED_FUNCTION, node.name, symbol)
        return answer(FreshKind.LOOP_FUNCTION, node.name, symbol) if defined_in_loop(node, reader.file) else []
    if isinstance(symbol, TypeInfo):
        return answer(FreshKind.NESTED_CLASS, node.name, symbol) if is_local_class(symbol) else []
    if isinstance(symbol, Var) and node.kind == LDEF and "." not in symbol.fullname:
        return _step_local(node, symbol, reader)
    return []


def _is_nested(symbol: FuncDef | Decorator | OverloadedFuncDef, reader: Reader) -> bool:
    """Whether a function is nested. Inside a method, mypy names a nested function like a method."""
    if "." not in symbol.fullname:
        return True
    first = symbol.items[0] if isinstance(symbol, OverloadedFuncDef) and symbol.items else symbol
    function = first.func if isinstance(first, Decorator) else first
    around = functions_around(function.line, reader.file)
    return any(item.node is function for item in around[1:])


def defined_in_loop(name: Expression, file: CheckedFile) -> FuncDef | Decorator | None:
    """The function of a module that a loop of the module defines, where that loop uses it."""
    function = name.node if isinstance(name, NameExpr) and name.kind == GDEF else None
    if not isinstance(function, (FuncDef, Decorator)):
        return None
    loops = surroundings(function, file).repeating
    return function if loops and loops[0] in surroundings(name, file).loops else None


def is_local_class(info: TypeInfo) -> bool:
    """Whether a class is defined in a function: mypy adds the line to its name."""
    return "@" in info.fullname


def _step_local(node: NameExpr, var: Var, reader: Reader) -> Followed:
    if var in reader.given:
        part = reader.given[var]
        return follow(part.reader.taking(*reader.path), part.expression) if part is not None else []
    bindings = reaching_bindings(reader.file, node, var)
    step: Followed = []
    for binding in bindings[:_MAX_BINDINGS]:
        if binding.value is not None:
            step += follow(reader.taking(*binding.binding.path, *reader.path), binding.value)
    is_seen = 0 < len(bindings) <= _MAX_BINDINGS and all(binding.value is not None for binding in bindings)
    if is_seen or _is_static_parameter(var, node.line, reader):
        return step
    return [*step, *unknown(".".join((node.name, *reader.attributes)), node)]


def _is_static_parameter(var: Var, line: int, reader: Reader) -> bool:
    """Whether this is a static parameter of a function around a line: what callers pass for it is checked there."""
    around = (reach_of(reader.file, function.node) for function in functions_around(line, reader.file))
    return any(reach.parameters.get(var) is ParameterKind.STATIC for reach in around)
