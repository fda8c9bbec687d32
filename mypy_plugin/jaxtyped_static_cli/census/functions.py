"""The compiled functions of a program, and what their parameters are."""

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from mypy.nodes import CallExpr, Decorator, FuncDef, MypyFile, RefExpr
from mypy.types import AnyType, CallableType, Type, get_proper_type
from mypy.typevars import fill_typevars

from jaxtyped_static_mypy.judgement.traceability import Survey
from jaxtyped_static_mypy.markers.marker import without_marker
from jaxtyped_static_mypy.syntax.describing import describe

from ..inspection.sites import Compiled, compiled_in
from .holding import classes_in
from .model import Function, Parameter, Reason, Role
from .program import Program
from .verdicts import reason_untraceable, reasons_of_parameter, survey_of


class Found(NamedTuple):
    """A compiled function, in mypy's trees and in the census."""

    compiled: Compiled
    file: MypyFile
    function: Function
    types: tuple[Type, ...]  # of its parameters

    @property
    def definition(self) -> FuncDef | None:
        """The function that is compiled."""
        if isinstance(self.compiled.node, Decorator):
            return self.compiled.node.func
        signature = self.compiled.signature
        node = signature.definition if signature is not None else None
        node = node.func if isinstance(node, Decorator) else node
        return node if isinstance(node, FuncDef) else None


def find_functions(program: Program, names: dict[CallExpr, str]) -> list[Found]:
    """`names`: of the variables that keep what a call compiles."""
    classes = frozenset(program.classes)
    found = []
    for file in program.trees:
        survey = survey_of(file, classes, program.settings)
        compiled = sorted(compiled_in(file, program.checked, program.settings), key=lambda site: (site.line, site.name))
        found += [_found(site, file, program, survey, names) for site in compiled]
    return list(_with_unique_ids(found))


def _found(compiled: Compiled, file: MypyFile, program: Program, survey: Survey, names: dict[CallExpr, str]) -> Found:
    name = names.get(compiled.node, compiled.name) if isinstance(compiled.node, CallExpr) else compiled.name
    place = program.place(file.fullname, compiled.line)
    identifier = program.identifier(file.fullname, compiled.line, name)
    types = tuple(_types(compiled))
    function = Function(
        identifier,
        identifier.partition("::")[2],
        place,
        _public(compiled.site.function),
        tuple(_parameters(compiled, types, program, survey)),
        compiled.unread,
    )
    return Found(compiled, file, function, types)


def _public(name: str) -> str:
    """`jax.jit` for `jax._src.api.jit`: a library offers what its private modules define at its top."""
    parts = name.split(".")
    private = next((index for index, part in enumerate(parts) if part.startswith("_")), None)
    return name if private is None else ".".join([*parts[:private], parts[-1]])


def _types(compiled: Compiled) -> Iterator[Type]:
    signature = compiled.signature
    for index, typ in enumerate(signature.arg_types if signature is not None else ()):
        owner = _owner(compiled) if index == 0 and isinstance(get_proper_type(typ), AnyType) else None
        yield owner if owner is not None else typ


def _owner(compiled: Compiled) -> Type | None:
    """The type of a `self` without an annotation."""
    function = compiled.node.func if isinstance(compiled.node, Decorator) else None
    if function is None or not function.info or function.is_static or function.is_class:
        return None
    return fill_typevars(function.info)


def _parameters(compiled: Compiled, types: tuple[Type, ...], program: Program, survey: Survey) -> Iterator[Parameter]:
    for index, (name, typ) in enumerate(zip(compiled.names, types, strict=True)):
        is_static = index in compiled.static
        role = Role.UNKNOWN if compiled.unread else Role.STATIC if is_static else Role.DYNAMIC
        held = classes_in(typ, program.is_own)
        yield Parameter(
            name,
            role,
            describe(without_marker(typ)),
            is_donated=index in compiled.donated,
            reasons=tuple(_reasons(compiled, index, role, typ, program, survey)),
            classes=tuple(map(program.id_of, held)),
        )


def _reasons(
    compiled: Compiled, index: int, role: Role, typ: Type, program: Program, survey: Survey
) -> Iterator[Reason]:
    if role is Role.STATIC:
        yield from reasons_of_parameter(typ, program.settings, is_key=compiled.row.is_key)
    elif role is Role.DYNAMIC and _must_be_traced(compiled, index):
        is_self = index == 0 and _owner(compiled) is not None
        if (reason := reason_untraceable(typ, survey, is_self=is_self)) is not None:
            yield reason


def _must_be_traced(compiled: Compiled, index: int) -> bool:
    """Whether JAX raises for what it cannot trace, as `check` reports it."""
    if not compiled.row.traces_all:
        return False
    if isinstance(compiled.node, Decorator):
        return True
    is_named = bool(compiled.node.args) and isinstance(compiled.node.args[0], RefExpr)
    signature = compiled.signature
    return is_named and isinstance(signature, CallableType) and signature.arg_kinds[index].is_required()


def _with_unique_ids(found: list[Found]) -> Iterator[Found]:
    """Adds the line to names that several functions have."""
    counts = Counter(compiled.function.id for compiled in found)
    for compiled in found:
        function = compiled.function
        if counts[function.id] > 1:
            function = function._replace(id=f"{function.id}@{function.place.line}")
        yield compiled._replace(function=function)
