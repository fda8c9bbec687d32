"""Constructors that get tracers: where JAX rebuilds a pytree for a trace, and where traced code makes an object.

JAX takes an argument apart before a trace, and puts it together again from tracers. Most libraries call the constructor
for that, or `__post_init__`; code there that validates values raises.
"""

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from mypy.nodes import (
    ARG_STAR,
    AssignmentStmt,
    CallExpr,
    Decorator,
    Expression,
    FuncDef,
    IndexExpr,
    IntExpr,
    ListExpr,
    NameExpr,
    RefExpr,
    SymbolNode,
    TupleExpr,
    TypeInfo,
    Var,
)
from mypy.types import Instance
from mypy.typevars import fill_typevars_with_any

from ...classes import class_model
from ...classes.roles import is_registered_by
from ...facts.class_facts import facts_of
from ...knowledge.full_names import UNFLATTEN_METHOD
from ...libraries import REBUILT_BY_CONSTRUCTOR
from ...source.parameters import Parameter, parameters
from ...syntax.arguments import named_arguments, unpacks
from ...syntax.literals import literal
from ...syntax.names import is_named
from ...syntax.trees import nodes_below, self_parameter
from .declared import declared_value, field_value
from .frame import Frame, FunctionWalk, PassedValues
from .values import Each, Entries, Items, OrNone, Source, Traced, Tree, Value, first_origin

_INIT: Final = "__init__"
_MAX_DEPTH: Final = 2  # of objects in objects
_CHECKS: Final = ("__post_init__", "__check_init__")  # of dataclasses, and of Equinox
_OF_UNFLATTEN: Final = 3  # parameters: the class, the auxiliary data and the children
_REBUILT: Final = ", when JAX rebuilds the object in a trace"


def record_rebuilt(use: PassedValues, walk: FunctionWalk) -> None:
    """Records the code that JAX runs before a trace begins, to rebuild the arguments from tracers."""
    seen: set[TypeInfo] = set()
    for tree in _trees(use.values.values()):
        _record_tree(tree, walk, seen, staged=use.staged)


def _record_tree(tree: Tree, walk: FunctionWalk, seen: set[TypeInfo], depth: int = 0, *, staged: bool) -> None:
    """Records the code for an object, and for the objects that it holds, once for each class."""
    info, rebuilt = tree.type.type, replace(tree, how=_REBUILT)
    if info in seen or depth > _MAX_DEPTH:
        return
    seen.add(info)
    walk.consulted.update(info.mro)
    if is_rebuilt_by_constructor(info) or _is_rebuilt_as_dataclass(info, walk):
        _record_checks(rebuilt, _CHECKS[:1], walk, staged=staged)
    elif (function := _constructor_of_unflatten(info, walk)) is not None:
        attributes = facts_of(function.info).get("parameters", {})
        passed = {attributes.get(name, ""): field_value(rebuilt, name, walk.file.settings) for name in attributes}
        children = _parameters_of_children(info, function, walk)
        passed |= {
            parameter.name: declared_value(parameter.type, _child(parameter, function), walk.file.settings)
            for parameter in parameters(function)
            if parameter.name in children and passed.get(parameter.name) is None
        }
        _record(function, passed, walk, staged=staged)
    held = (field_value(tree, field.name, walk.file.settings) for field in class_model.data_fields(info))
    for inner in _trees(held):
        _record_tree(replace(inner, source=tree.source), walk, seen, depth + 1, staged=staged)


def record_made(call: CallExpr, values: Sequence[Value], frame: Frame) -> None:
    """Records the code of a constructor that traced code calls with tracers."""
    info = call.callee.node if isinstance(call.callee, RefExpr) else None
    if (
        not isinstance(info, TypeInfo)
        or not frame.staged
        or frame.concrete
        or first_origin(values) is None
        or unpacks(call)
    ):
        return
    symbol = info.get(_INIT)
    if symbol is not None and isinstance(symbol.node, FuncDef) and not symbol.plugin_generated:
        if (function := _method(info, _INIT, frame.walk)) is not None:
            own = [parameter.name for parameter in parameters(function)][1:]
            _record(function, _given(call, values, own), frame.walk, staged=True)
    elif (source := first_origin(values)) is not None and isinstance(typ := fill_typevars_with_any(info), Instance):
        _record_checks(_made(typ, call, values, source), _CHECKS, frame.walk, staged=True)


def _made(typ: Instance, call: CallExpr, values: Sequence[Value], source: Source) -> Tree:
    """A new object of a dataclass: the fields that get tracers hold them."""
    own = class_model.fields(typ.type)
    fields = [field.name for field in own if field.in_init]
    traced = {name for name, value in _given(call, values, fields).items() if isinstance(value, Traced)}
    whole = replace(source, parameter=None, declared=None, field=None)
    others = frozenset(field.name for field in own if field.name not in traced)
    return Tree(typ, whole, others)


def _given(call: CallExpr, values: Sequence[Value], names: Iterable[str]) -> dict[str, Value]:
    value_of = dict(zip(call.args, values, strict=True))
    return {name: value_of[argument] for name, argument in named_arguments(call, names).items()}


def _trees(values: Iterable[Value]) -> Iterator[Tree]:
    for value in values:
        if isinstance(value, Tree):
            yield value
        elif isinstance(value, Items):
            yield from _trees(value.values)
        elif isinstance(value, (Each, OrNone)):
            yield from _trees([value.element if isinstance(value, Each) else value.value])
        elif isinstance(value, Entries):
            yield from _trees([*(part for _, part in value.values), value.other])


def is_rebuilt_by_constructor(info: TypeInfo) -> bool:
    by_base = any(base.fullname in REBUILT_BY_CONSTRUCTOR for base in info.mro)
    return by_base or is_registered_by([info], REBUILT_BY_CONSTRUCTOR)


def _is_rebuilt_as_dataclass(info: TypeInfo, walk: FunctionWalk) -> bool:
    """Whether a `tree_unflatten` calls the constructor that is made for a dataclass, which calls `__post_init__`."""
    symbol = info.get(_INIT)
    return symbol is not None and symbol.plugin_generated and _unflattens_by_call(info, walk)


def _constructor_of_unflatten(info: TypeInfo, walk: FunctionWalk) -> FuncDef | None:
    """The `__init__` that a `tree_unflatten` calls, as `cls(*children)` does."""
    init = _method(info, _INIT, walk)
    return init if init is not None and _unflattens_by_call(info, walk) else None


def _child(parameter: Parameter, init: FuncDef) -> Source:
    """What a constructor gets for a parameter, of which no attribute holds it as it is."""
    return Source(f'"{parameter.name}" of "{init.info.name}.__init__"{_REBUILT}', declared=parameter.type)


def _parameters_of_children(info: TypeInfo, init: FuncDef, walk: FunctionWalk) -> frozenset[str]:
    """The parameters of a constructor for which a `tree_unflatten` passes children: `cls(*children, aux)`."""
    unflatten = _method(info, UNFLATTEN_METHOD, walk)
    if unflatten is None or len(unflatten.arguments) != _OF_UNFLATTEN:
        return frozenset()
    own, _, children = (argument.variable for argument in unflatten.arguments)
    names = [parameter.name for parameter in parameters(init)][1:]
    nodes = nodes_below(unflatten.body)
    parts = {child for node in nodes if isinstance(node, AssignmentStmt) for child in _taken_apart(node, children)}
    count = len(class_model.data_fields(info))
    found = set[str]()
    for call in (node for node in nodes if isinstance(node, CallExpr)):
        if not any(is_named(call.callee, name) for name in (own.name, info.name)):
            continue
        if call.arg_kinds[:1] == [ARG_STAR] and is_named(call.args[0], children.name):
            found.update(names[:count])
        elif not unpacks(call):
            given = named_arguments(call, names)
            found.update(name for name, value in given.items() if _is_child(value, children, parts))
    return frozenset(found)


def _taken_apart(statement: AssignmentStmt, children: Var) -> Iterator[SymbolNode | None]:
    """The variables of `x, y = children`."""
    for target in statement.lvalues if is_named(statement.rvalue, children.name) else ():
        if isinstance(target, TupleExpr | ListExpr):
            yield from (item.node for item in target.items if isinstance(item, NameExpr))


def _is_child(value: Expression, children: Var, parts: Container[SymbolNode | None]) -> bool:
    if isinstance(value, IndexExpr):
        return is_named(value.base, children.name) and isinstance(value.index, IntExpr)
    return isinstance(value, NameExpr) and value.node in parts


def _unflattens_by_call(info: TypeInfo, walk: FunctionWalk) -> bool:
    unflatten = _method(info, UNFLATTEN_METHOD, walk)
    if unflatten is None or not unflatten.arguments:
        return False
    own = (unflatten.arguments[0].variable.name, info.name)
    calls = (node for node in nodes_below(unflatten.body) if isinstance(node, CallExpr))
    made = [call for call in calls if any(is_named(call.callee, name) for name in own)]
    return bool(made) and not any(map(_passes_flag, made))


def _passes_flag(call: CallExpr) -> bool:
    """Whether a call says what it calls how to behave, as `cls(*children, check=False)` does."""
    return any(isinstance(literal(argument), bool) for argument in call.args)


def _record_checks(tree: Tree, names: Iterable[str], walk: FunctionWalk, *, staged: bool) -> None:
    for name in names:
        function = _method(tree.type.type, name, walk)
        if function is not None and (own := self_parameter(function)) is not None:
            _record(function, {own.name: tree}, walk, staged=staged)


def _method(info: TypeInfo, name: str, walk: FunctionWalk) -> FuncDef | None:
    """A method that the file itself defines: one from mypy's cache has no body and no `arguments` (2.4.1)."""
    symbol = info.get(name)
    node = symbol.node if symbol is not None else None
    function = node.func if isinstance(node, Decorator) else node
    is_here = isinstance(function, FuncDef) and function.info.module_name == walk.file.tree.fullname
    return function if isinstance(function, FuncDef) and is_here else None


def _record(function: FuncDef, passed: Mapping[str, Value], walk: FunctionWalk, *, staged: bool) -> None:
    """Records a method that gets these values; of several calls, the first that passes any."""
    if any(value is not None for value in passed.values()):
        walk.methods.setdefault(function, [PassedValues(passed, staged)])
