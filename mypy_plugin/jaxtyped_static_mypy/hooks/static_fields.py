"""Checks class statements: `Static[...]` fields, every field of a static class, and the rules about classes."""

from collections.abc import Callable, Iterator, Mapping
from functools import partial

from mypy.nodes import AssignmentStmt, ClassDef, Expression, FuncDef, MemberExpr, NameExpr, TypeInfo, Var
from mypy.plugin import FunctionContext
from mypy.types import AnyType, Type, TypeOfAny
from mypy.typevars import fill_typevars

from ..classes import class_model, equality, identity
from ..classes.class_model import Field
from ..classes.constructors import parameter_names, parameters_of_fields
from ..classes.field_defaults import defaults_of, type_of_default
from ..classes.hashing import hashing
from ..classes.reasons import BY_IDENTITY, COARSE_EQUALITY, HOLDS_ARRAYS, Fault, Reason
from ..classes.registering import verifies_values
from ..classes.signing import is_signed_class, is_signed_field
from ..compat import mypy_api
from ..compat.dependencies import record_dependency
from ..config.settings import Settings
from ..facts.class_body import ClassBody
from ..facts.class_facts import facts_of
from ..facts.constructor_facts import call_of_super
from ..facts.field_facts import by_field
from ..facts.functions.keeping import record_helpers
from ..flow.made import type_made
from ..libraries import refuses_defaults_without_hash
from ..markers.marker import Marker, is_signed, marker_of
from ..reporting.contract import check_position, check_value
from ..reporting.positions import STATIC_CLASS, STATIC_FIELD, Position
from ..rules._linen_assignments import check_linen_assignments
from ..rules.checks import CLASS_CHECKS, CONTRACT_RULES
from ..rules.jit_self import method_traced_by_base
from ..rules.static_callable import check_default, check_initial
from ..rules.static_dynamic import MAKE_DATA_FIELD
from ..rules.static_marker import fields_marked_dynamic
from ..source.checked_file import CheckedFile
from ..syntax.arguments import named_arguments
from ..syntax.assignments import known_pairs
from ..syntax.trees import statements


def check_class(ctx: FunctionContext, file: CheckedFile, fullname: str) -> Type:
    """Called once for each class statement, as its private decorator is applied."""
    info = ctx.context.info if isinstance(ctx.context, ClassDef) else None
    if info is not None and (helpers := facts_of(info).get("helpers")):
        record_helpers(file.api, helpers)
    if info is not None and not mypy_api.errors_are_hidden(file.api):
        check_linen_assignments(info, file)
        if _may_have_faults(info, file.settings):
            _check(info, file)
    return ctx.default_return_type


def _check(info: TypeInfo, file: CheckedFile) -> None:
    static_bases = file.settings.static_bases
    declared_static = class_model.is_declared_static(info, static_bases)
    if declared_static and not class_model.is_abstract(info) and info.fullname not in static_bases:
        signed = is_signed_class(info, file.settings)
        is_hashed = class_model.hashes_static_fields(info, static_bases)
        whole = Position(info.defn, STATIC_CLASS, info.name, fill_typevars(info), is_hashed=is_hashed, is_signed=signed)
        keep = _is_reported_here(info, file.settings)
        check_position(whole, CONTRACT_RULES, file, at_declaration=True, keep=keep)
    if declared_static:
        _check_equality_of_fields(info, file)
    _check_static_fields(info, file, declared_static=declared_static)
    for check in CLASS_CHECKS:
        check(info, file)
    fields = _fields_of_key(info, file.settings)
    _check_defaults(info, fields, file)
    _check_initialised(info, fields, file)


def _check_static_fields(info: TypeInfo, file: CheckedFile, *, declared_static: bool) -> None:
    """Judges each static field. A static class may compare and hash its arrays itself."""
    converted = {field.name for field in class_model.fields(info) if declared_static and identity.converts(info, field)}
    for position in _static_fields(info, file.settings, declared_static=declared_static):
        may_hold_arrays = position.name in converted
        keep = (lambda fault: fault.reason not in HOLDS_ARRAYS) if may_hold_arrays else None
        check_position(position, CONTRACT_RULES, file, keep=keep)


def _may_have_faults(info: TypeInfo, settings: Settings) -> bool:
    """Rules out most classes quickly: those without a role in JAX, or a field that is declared static."""
    if any(any(by_field(facts_of(base))) for base in info.mro):
        return True
    if class_model.is_pytree(info) or class_model.is_declared_static(info, settings.static_bases):
        return True
    if method_traced_by_base(info) is not None:
        return True
    if refuses_defaults_without_hash(info) and any(default.is_field for default in defaults_of(info)):
        return True
    variables = (symbol.node for symbol in info.names.values() if isinstance(symbol.node, Var))
    return any(marker_of(node.type, settings.static_markers) is Marker.STATIC for node in variables)


def _fields_of_key(info: TypeInfo, settings: Settings) -> dict[str, Field]:
    """The fields whose values JAX compares, by name."""
    declared_static = class_model.is_declared_static(info, settings.static_bases)
    return {
        field.name: field
        for field in class_model.fields(info)
        if not field.is_hashed_by_id
        and (class_model.is_static(field, settings.static_markers) or (declared_static and field.is_compared))
    }


def _check_defaults(info: TypeInfo, fields: Mapping[str, Field], file: CheckedFile) -> None:
    """Checks defaults as arguments: `field(default_factory=list)` passes a list for a `Sequence`."""
    for default in defaults_of(info) if fields else ():
        if (field := fields.get(default.field)) is not None:
            declared = field.type or AnyType(TypeOfAny.unannotated)
            is_hashed = class_model.hashes_static_fields(info, file.settings.static_bases)
            signed = is_signed_field(info, field, file.settings)
            position = Position(
                default.statement,
                STATIC_FIELD,
                default.field,
                declared,
                is_hashed=is_hashed,
                is_signed=signed,
                holder=info,
            )
            check_default(default, position, info, file)
            typ = type_of_default(default, mypy_api.type_of_expression(file.api, default.value))
            if typ is not None and field.type is not None:
                check_value(position, typ, CONTRACT_RULES, file)


def _is_reported_here(info: TypeInfo, settings: Settings) -> Callable[[Fault], bool]:
    """Whether to report a fault at the class: not if it is a field's, declared here or in a static base class.

    What `==` leaves out is reported at the class that declares the field or the `__eq__`.
    """
    own = {name for name, symbol in info.names.items() if isinstance(symbol.node, Var) and symbol.node.line >= 0}
    bases = [base for base in info.mro[1:] if class_model.is_declared_static(base, settings.static_bases)]
    inherited = {member.name for base in bases for member in class_model.fields(base)}
    left_out = {found.member.name for base in bases for found in equality.left_out(base)}
    added = {found.name for base in bases for found in equality.varying_attributes(base)}

    def is_reported_here(fault: Fault) -> bool:
        if fault.reason is Reason.NOT_A_FIELD and not fault.path:
            return fault.subject.rpartition(".")[2] not in added
        of_equality = fault.reason in COARSE_EQUALITY and len(fault.path) == 1
        elsewhere = own.union(left_out if of_equality else inherited)
        return not fault.path or fault.path[0].removeprefix(".") not in elsewhere

    return is_reported_here


def _check_equality_of_fields(info: TypeInfo, file: CheckedFile) -> None:
    """Reports each field that `==` leaves out on its own line, if the class statement declares it."""
    record_dependency(file.api, class_model.user_bases(info))
    for member in (found.member for found in equality.left_out(info)):
        node = info.names[member.name].node if member.owner is info else None
        if node is not None and node.line >= 0:
            signed = is_signed_class(info, file.settings)
            position = Position(node, STATIC_FIELD, member.name, fill_typevars(info), is_signed=signed)
            keep = _is_left_out(f".{member.name}")
            check_position(position, CONTRACT_RULES, file, at_declaration=True, keep=keep)


def _is_left_out(*path: str) -> Callable[[Fault], bool]:
    return lambda fault: fault.reason in COARSE_EQUALITY and fault.path == path


def _static_fields(info: TypeInfo, settings: Settings, *, declared_static: bool) -> Iterator[Position]:
    """The static fields that the class statement declares, or makes static."""
    members = class_model.fields(info)
    undo = () if declared_static else (MAKE_DATA_FIELD,)
    is_hashed = class_model.hashes_static_fields(info, settings.static_bases)
    in_identity = declared_static and hashing(info) in BY_IDENTITY
    at = partial(Position, label=STATIC_FIELD, undo=undo, is_hashed=is_hashed, is_in_identity=in_identity, holder=info)
    marked, by_id = set(), {member.name for member in members if member.is_hashed_by_id}
    contradicted = {node.name for node in fields_marked_dynamic(info)} if declared_static else set()
    for name, symbol in info.names.items():
        node = symbol.node
        if not isinstance(node, Var) or node.type is None or node.is_classvar or not _is_own(info, name):
            continue
        if name in by_id:
            continue
        if marker_of(node.type, settings.static_markers) is Marker.STATIC:
            marked.add(name)
            signed = is_signed(node.type, settings.static_markers) or is_signed_class(info, settings)
            yield at(node, name=name, type=node.type, is_signed=signed)
    all_static = declared_static and not equality.compares_nothing(info)  # else no field is part of the key
    for member in members:
        is_static = member.is_static_by(settings.static_markers) or (all_static and member.is_compared)
        typ = member.type or (None if declared_static else class_model.type_of_dict(member))
        if not is_static or member.is_hashed_by_id or member.name in marked | contradicted or typ is None:
            continue
        signed = is_signed_field(info, member, settings)
        if not (signed or declared_static or _may_reach_jax(info)):
            continue
        if _is_own(info, member.name):
            place = info.names[member.name].node or info.defn
            yield at(place, name=member.name, type=typ, is_signed=signed)
        elif not declared_static and not _is_static_in(member.owner, member.name, settings):
            # The class that declares it does not make it static.
            yield at(info.defn, name=member.name, type=typ, is_signed=signed)


def _may_reach_jax(info: TypeInfo) -> bool:
    """Whether JAX may get objects of a class with static fields: nobody knows what an unread base does to it."""
    return class_model.is_pytree(info) or class_model.is_readable(info)


def _is_own(info: TypeInfo, name: str) -> bool:
    """Whether the class statement declares a field; the copy of an inherited one, which mypy adds, has line -1."""
    node = info.names[name].node if name in info.names else None
    return node is not None and node.line >= 0


def _is_static_in(owner: TypeInfo, name: str, settings: Settings) -> bool:
    return any(
        member.is_static_by(settings.static_markers) for member in class_model.fields(owner) if member.name == name
    )


def _check_initialised(info: TypeInfo, fields: Mapping[str, Field], file: CheckedFile) -> None:
    """Checks what `__init__` gives to fields: `self.op = lambda ...`, `super().__init__(op=...)`.

    `fields`: those whose values JAX compares, by name.
    """
    init = ClassBody.of(info.defn).methods.get("__init__") if fields else None
    if init is None or not init.arguments:
        return
    static_bases = file.settings.static_bases
    is_hashed = class_model.hashes_static_fields(info, static_bases)
    is_seen = _may_reach_jax(info) or class_model.is_declared_static(info, static_bases)
    for name, expression in (*_assigned(init), *_passed_up(init, info)):
        if (field := fields.get(name)) is None or not (is_seen or is_signed_field(info, field, file.settings)):
            continue
        declared = field.type or AnyType(TypeOfAny.unannotated)
        position = Position(
            expression,
            STATIC_FIELD,
            name,
            declared,
            info.name,
            is_hashed=is_hashed,
            is_verified=verifies_values(info),
            is_signed=is_signed_field(info, field, file.settings),
            holder=info,
        )
        check_initial(position, expression, info, file)
        made = type_made(expression, file.api)
        if made is not None and field.type is not None:
            check_value(position, made, CONTRACT_RULES, file)


def _assigned(init: FuncDef) -> Iterator[tuple[str, Expression]]:
    """The attributes that the constructor sets, and their values."""
    receiver = init.arguments[0].variable.name
    for node in statements(init.body.body, into_definitions=False):
        if isinstance(node, AssignmentStmt):
            for target, value in known_pairs(node):
                owner = target.expr if isinstance(target, MemberExpr) else None
                if isinstance(target, MemberExpr) and isinstance(owner, NameExpr) and owner.name == receiver:
                    yield target.name, value


def _passed_up(init: FuncDef, info: TypeInfo) -> Iterator[tuple[str, Expression]]:
    """The fields that the constructor of the base class is given, and their values."""
    call, base = call_of_super(init), info.mro[1]
    if call is not None:
        fields = parameters_of_fields(base)
        for name, argument in named_arguments(call, parameter_names(base)).items():
            if name in fields:
                yield fields[name].name, argument
