"""Takes the census of a checked program, and joins those of the programs that the files of a project form."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import TypeVar

from mypy.nodes import CallExpr, Decorator, TypeInfo

from jaxtyped_static_mypy.facts.foreign_registrations import see_all_registrations
from jaxtyped_static_mypy.syntax.trees import self_parameter

from .callees import Callees, variables_of
from .calls import FoundCall, find_calls
from .describing import Describing
from .functions import Found, find_functions
from .holding import classes_in
from .model import Call, Census, Class, Function, Parameter, Role, Use
from .program import Program
from .roles import Roles

_T = TypeVar("_T")


def take(program: Program) -> tuple[list[Function], list[Class]]:
    """The compiled functions of a program, and the classes that play a role."""
    see_all_registrations(program.trees, program.settings.pytree_types)
    variables = variables_of(program.trees)
    names: dict[CallExpr, str] = {call: target.name for call, target in variables.items()}
    found = find_functions(program, names)
    calls = list(find_calls(program, found, Callees.of(program, found, variables)))
    roles = _roles(program, found, calls)
    called: dict[str, list[Call]] = defaultdict(list)
    for made in calls:
        called[made.of.function.id].append(made.call)
    functions = [entry.function._replace(calls=tuple(called[entry.function.id])) for entry in found]
    describing = Describing(program, roles.uses, functions)
    return functions, [describing.whole(info) for info in roles.uses]


def together(files: int, parts: Iterable[tuple[Iterable[Function], Iterable[Class]]]) -> Census:
    """Joins what `take` found in each program: a file may be used differently in several."""
    functions: dict[str, Function] = {}
    classes: dict[str, Class] = {}
    for found, described in parts:
        for function in found:
            known = functions.setdefault(function.id, function)
            functions[function.id] = known._replace(calls=_union(known.calls, function.calls))
        for cls in described:
            other = classes.setdefault(cls.id, cls)
            reasons = _union(other.reasons, cls.reasons)
            classes[cls.id] = other._replace(uses=_union(other.uses, cls.uses), reasons=reasons)
    return Census(
        files,
        tuple(sorted(functions.values(), key=lambda compiled: (compiled.place, compiled.name))),
        tuple(sorted(classes.values(), key=lambda cls: (cls.place, cls.name))),
    )


def _roles(program: Program, found: Sequence[Found], calls: Iterable[FoundCall]) -> Roles:
    roles = Roles(program.settings, program.is_own, program.id_of, _heirs(program.classes))
    for entry in found:
        for parameter, typ in zip(entry.function.parameters, entry.types, strict=True):
            if parameter.role is not Role.UNKNOWN:
                use = Use(parameter.role, "parameter", entry.function.id, parameter.name)
                roles.add(classes_in(typ, program.is_own), use)
                roles.add(_inheriting(entry, parameter, roles), use)
    for call in calls:
        for passed in call.passed:
            parameter = call.of.function.parameters[passed.parameter]
            if parameter.role is not Role.UNKNOWN:
                known = classes_in(call.of.types[passed.parameter], program.is_own)
                new = [info for info in classes_in(passed.type, program.is_own) if info not in known]
                use = Use(parameter.role, "argument", call.of.function.id, parameter.name, call.call.place)
                roles.add(new, use)
    for info in program.classes:
        roles.declare(info)
    roles.spread()
    return roles


def _inheriting(entry: Found, parameter: Parameter, roles: Roles) -> Iterable[TypeInfo]:
    """The classes that inherit a compiled method, whose `self` this is."""
    method = entry.compiled.node
    if not isinstance(method, Decorator) or (receiver := self_parameter(method.func)) is None:
        return ()
    heirs = roles.heirs.get(method.func.info, ()) if receiver.name == parameter.name else ()
    return [info for info in heirs if (symbol := info.get(method.func.name)) is not None and symbol.node is method]


def _heirs(classes: Iterable[TypeInfo]) -> dict[TypeInfo, list[TypeInfo]]:
    heirs: dict[TypeInfo, list[TypeInfo]] = defaultdict(list)
    for info in classes:
        for base in info.mro[1:]:
            heirs[base].append(info)
    return heirs


def _union(first: Iterable[_T], second: Iterable[_T]) -> tuple[_T, ...]:
    return tuple(dict.fromkeys((*first, *second)))
