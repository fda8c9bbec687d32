"""Which attributes of an argument the function reads that gets it, and what of them it keeps."""

from collections.abc import Collection, Sequence
from typing import Final, NamedTuple

from mypy.nodes import CallExpr, Decorator, Expression, FuncDef, MemberExpr, NameExpr, Node, TypeInfo, Var
from mypy.types import AnyType, Instance, NoneType, UnionType, get_proper_type

from ...classes import class_model
from ...classes.self_uses import reached_from, uses_by_method
from ...compat.dependencies import record_dependency
from ...compat.modules import is_installed
from ...compat.mypy_api import lookup_class
from ...facts.self_facts import TRUTH, SelfUses, head_of, joined_parts, parts_read
from ...knowledge import naming
from ...knowledge.full_names import MEMOISING, PARTIAL
from ...markers.marker import without_marker
from ...reach.objects import program_of
from ...source.checked_file import CheckedFile
from ...syntax.arguments import named_arguments, unpacks
from ...syntax.decorators import applying
from ...syntax.imports import full_name
from ...syntax.trees import nodes_below, self_parameter
from ..positions import Position

_PASSING_ON: Final = MEMOISING | {PARTIAL}
_ASKING_KIND: Final = frozenset({"builtins.id", "builtins.isinstance", "builtins.type"})  # not for an attribute


class Read(NamedTuple):
    """What a function reads of an object."""

    names: frozenset[str]  # of attributes
    parts: frozenset[str] = frozenset()  # `state.apply_fn`: of each attribute that is nowhere read as a whole
    methods: frozenset[str] = frozenset()

    def reaches(self, fields: Sequence[str]) -> bool:
        """Whether it reads a field, by those that lead to it."""
        parts = {part for part in self.parts if head_of(part) == fields[0]}
        return fields[0] in self.names and (not parts or len(fields) == 1 or ".".join(fields[:2]) in parts)


def attributes_read(position: Position, file: CheckedFile, passed: TypeInfo | None = None) -> Read | None:
    """None if it may read others, as far as the file shows. `passed`: the class of what a call passes to it."""
    function, proper = position.function or _called(position, file), get_proper_type(without_marker(position.type))
    if position.method and isinstance(proper, Instance):
        return _with_methods(frozenset({position.method}), frozenset(), proper.type)
    if function is None:
        return None
    parameter = next((arg.variable for arg in function.arguments if arg.variable.name == position.name), None)
    info = proper.type if isinstance(proper, Instance) else passed if isinstance(proper, AnyType) else None
    if parameter is None or info is None:
        return None
    if parameter is self_parameter(function):
        return _with_methods(frozenset({function.name}), frozenset(), info)
    return _read_of(parameter, function, info, file)


def _called(position: Position, file: CheckedFile) -> FuncDef | None:
    """The function of the file that a call names, for what it passes to a parameter without annotation."""
    module, _, name = position.called.rpartition(".")
    found = file.functions_named.get(name, ()) if module == file.tree.fullname and position.is_argument else ()
    return found[0] if len(found) == 1 and not found[0].info else None


def _read_of(parameter: Var, function: FuncDef, info: TypeInfo, file: CheckedFile) -> Read | None:
    """What a function reads of a parameter, and those that it hands it on to, by the source of the file."""
    members, nodes = list[MemberExpr](), list[Node]()
    pending, seen = [(function, parameter)], {parameter}
    while pending:
        function, parameter = pending.pop()
        own = nodes_below(function.body)
        mentions = {node for node in own if isinstance(node, NameExpr) and node.node is parameter}
        read = [node for node in own if isinstance(node, MemberExpr) and node.expr in mentions]
        handed = [found for call in own if isinstance(call, CallExpr) for found in _handed_on(call, mentions, file)]
        if len(mentions) > len(read) + len(handed):
            return None  # handed on to who knows whom
        new = {taken: taker for taker, taken in filter(None, handed) if taken not in seen}
        seen.update(new)
        pending += [(taker, taken) for taken, taker in new.items()]
        members += read
        nodes += own
    return _with_methods(frozenset(node.name for node in members), parts_read(members, nodes), info)


def _handed_on(call: CallExpr, mentions: Collection[Node], file: CheckedFile) -> list[tuple[FuncDef, Var] | None]:
    """The functions of the file, with their parameters, that a call hands an object to; None for what reads nothing."""
    if call.args and getattr(call.callee, "fullname", "") in _ASKING_KIND:
        return [None for given in call.args if given in mentions]
    taker = _taking(call.callee, file)
    if taker is None or unpacks(call):
        return []
    parameters = {one.variable.name: one.variable for one in taker.arguments if not one.kind.is_star()}
    passed = named_arguments(call, parameters)
    return [(taker, parameters[name]) for name, given in passed.items() if given in mentions and name in parameters]


def _taking(callee: Expression, file: CheckedFile) -> FuncDef | None:
    """The function of the file that a call runs, also below what compiles it or keeps its results."""
    node = callee.node if isinstance(callee, NameExpr) else None
    function = node.func if isinstance(node, Decorator) else node
    if not file.defines(function):
        return None
    decorators = node.original_decorators if isinstance(node, Decorator) else []
    applied = (full_name(part, file.tree) for one in decorators for part in applying(one))
    return function if all(name in _PASSING_ON or naming.compiles(name) for name in applied) else None


def _with_methods(names: frozenset[str], parts: frozenset[str], info: TypeInfo) -> Read | None:
    """What a function reads that reads these attributes and methods: what the methods read by themselves, too."""
    uses = uses_by_method(info)
    found = [reached_from(name, uses, info) for name in names]
    if not all(reached.is_known for reached in found):
        return None
    own = SelfUses(names, parts)
    by_methods = [SelfUses(reached.attributes, reached.parts) for reached in found if reached.methods]
    return Read(
        frozenset[str]().union(*(reached.attributes for reached in found)),
        joined_parts(own, *by_methods),
        frozenset[str]().union(*(reached.methods for reached in found)),
    )


def kept_of(names: frozenset[str], parts: frozenset[str], info: TypeInfo, file: CheckedFile) -> frozenset[str]:
    """The attributes of which an old value would do harm; `config.dt` where only another value of that part would.

    A static field of a pytree stays as it is from one value of the attribute to the next one that JAX computes.
    """
    kept = set[str]()
    for name in names:
        own = [part for part in parts if head_of(part) == name]
        tests = {f"{name}.{TRUTH}"}.intersection(own)
        read = [part for part in own if part not in tests]
        lasting = _lasting_parts(name, read, info, file) if read else None if not tests else set[str]()
        kept |= {name} if lasting is None else lasting | tests
    return frozenset(kept)


def _lasting_parts(name: str, parts: list[str], info: TypeInfo, file: CheckedFile) -> set[str] | None:
    """Those parts of an attribute that another value has otherwise only if that is given; None if any may change."""
    held = _class_held(name, info, file)
    if held is not None:
        record_dependency(file.api, held.mro)
    lasting = {part for part in parts if naming.lasts(part.rpartition(".")[2])}
    if held is None or not class_model.is_readable(held):
        return set() if lasting.issuperset(parts) else None
    markers = file.settings.static_markers
    fields = class_model.fields(held) if class_model.is_pytree(held) else ()
    static = {f"{name}.{field.name}" for field in fields if class_model.is_static(field, markers)}
    return set(parts) - lasting if static.issuperset(parts) else None


def _class_held(name: str, info: TypeInfo, file: CheckedFile) -> TypeInfo | None:
    """The class of what an attribute holds: by its type, or by all values that the program's own code sets."""
    symbol = info.get(name)
    declared = symbol.node if symbol is not None else None
    proper = get_proper_type(without_marker(declared.type)) if isinstance(declared, Var) and declared.type else None
    arms = list(map(get_proper_type, proper.items)) if isinstance(proper, UnionType) else [proper]
    held = [arm for arm in arms if not isinstance(arm, NoneType)]
    if len(held) == 1 and isinstance(held[0], Instance):
        return held[0].type
    cls = program_of(file).class_of(f"{info.fullname}().{name}")
    found = lookup_class(file.api, cls) if cls is not None else None
    module = file.modules.get(found.module_name) if found is not None else None
    return found if module is not None and not is_installed(module) else None
