"""The parts of static-marker that mypy's analysis does not show: a marker that an alias brings into an annotation, a
name that nothing defines, which might be such an alias, and a marker beside the type, as in `Annotated[int, Static]`.

Reported where `jaxtyped_static` refuses it: elsewhere nothing reads markers, so moving one would not help.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from mypy.nodes import Context, FuncDef, MypyFile, RefExpr, SymbolTable, TypeInfo
from mypy.types import (
    AnyType,
    CallableType,
    Instance,
    TupleType,
    Type,
    TypeAliasType,
    TypeOfAny,
    UnboundType,
    UnionType,
)

from ..compat.mypy_api import expand_alias_once
from ..facts.class_body import ClassBody
from ..facts.class_facts import facts_of
from ..jit.application import Application, JitCall
from ..libraries.jaxtyped_static import DYNAMIC_DATACLASS
from ..markers.annotations import marker_beside, parts_below, render_annotation
from ..markers.lifting import put_around
from ..markers.marker import MARKERS, marker_of
from ..reporting.errors import report
from ..reporting.finding import Written
from ..reporting.messages import Message, Statement
from ..source.checked_file import CheckedFile
from . import CODES

_Known = dict[tuple[TypeAliasType, bool], str | None]

_CODE: Final = CODES["static-marker"]
_NOT_READ: Final = (TypeOfAny.from_error, TypeOfAny.special_form)  # the second for a name that is not defined
_IN_ALIAS: Final = Message(
    'the marker of "{alias}" does nothing inside the annotation of "{name}": a marker must be around the whole type',
    "put it there",
    kind="marker-in-alias",
)
_RETURNED: Final = Message(
    'the marker of "{alias}" does nothing in a return annotation', "write the type without it", kind="alias-returned"
)
_UNDEFINED: Final = Message(
    'nothing defines "{missing}" in the annotation of "{name}", so jit cannot tell whether it is Static',
    "define or import it",
    kind="undefined-name",
)
_BESIDE: Final = Message(
    '{kind} does nothing as metadata of "{name}", {written}: a marker must be around the whole type',
    "move it there",
    kind="marker-beside",
)


def check_aliases(application: Application) -> bool:
    """Reports markers that aliases bring to where they have no effect; returns whether there is none."""
    call, signature, arguments = application.call, application.signature, application.arguments
    found = False
    for index, (name, typ) in enumerate(zip(signature.arg_names, signature.arg_types, strict=True)):
        alias = _alias_with_marker(typ, is_whole=True, known={})
        if alias is not None and name is not None:
            place: Context = arguments[index] if arguments else call.context
            found |= report(call.file, place, _IN_ALIAS.fill(alias=alias, name=name), _CODE)
    alias = _alias_with_marker(signature.ret_type, is_whole=False, known={})
    if alias is not None:
        place = call.function or call.context  # a decorator begins above its function
        found |= report(call.file, place, _RETURNED.fill(alias=alias), _CODE)
    return not found


def check_names(application: Application) -> bool:
    """Reports names in annotations that nothing defines; returns whether there is none."""
    function, file = application.call.function, application.call.file
    written = function.unanalyzed_type if function is not None else None
    if function is None or not isinstance(function.type, CallableType) or not isinstance(written, CallableType):
        return True
    found = False
    pairs = zip(function.arguments, written.arg_types, function.type.arg_types, strict=True)
    for argument, annotation, analysed in pairs:
        missing = next(_undefined(annotation, function, file.tree), None) if _has_error(analysed) else None
        if missing is not None:
            message = _UNDEFINED.fill(missing=missing, name=argument.variable.name)
            found |= report(file, argument, message, _CODE)
    return not found


def _alias_with_marker(typ: Type, *, is_whole: bool, known: _Known) -> str | None:
    """The alias, other than the markers themselves, through which a marker stands where it has no effect.

    `known`: the answers for aliases. One that names another twice would double the work with each level.
    """
    if not isinstance(typ, TypeAliasType):
        return _first_alias(_parts(typ), known)
    if typ.alias is None or typ.is_recursive:
        return None
    if typ.alias.fullname in MARKERS:
        return _first_alias(typ.args, known)
    key = typ, is_whole
    if key not in known:
        known[key] = typ.alias.name if _brings_marker(typ, is_whole=is_whole, known=known) else None
    return known[key]


def _brings_marker(alias: TypeAliasType, *, is_whole: bool, known: _Known) -> bool:
    if not is_whole and marker_of(alias) is not None:
        return True
    inner = expand_alias_once(alias)
    if _holds_marker(inner, is_whole=is_whole):
        return True
    return _alias_with_marker(inner, is_whole=is_whole, known=known) is not None


def _first_alias(parts: Sequence[Type], known: _Known) -> str | None:
    found = (_alias_with_marker(part, is_whole=False, known=known) for part in parts)
    return next((alias for alias in found if alias is not None), None)


def _holds_marker(typ: Type, *, is_whole: bool) -> bool:
    """Whether a type has a marker by its own name, below the top if that is the whole annotation."""
    if isinstance(typ, TypeAliasType):
        is_marker = typ.alias is not None and typ.alias.fullname in MARKERS
        return is_marker and (not is_whole or any(_holds_marker(part, is_whole=False) for part in typ.args))
    return any(_holds_marker(part, is_whole=False) for part in _parts(typ))


def _parts(typ: Type) -> list[Type]:
    if isinstance(typ, TupleType) and typ.partial_fallback.type.fullname != "builtins.tuple":
        return []  # the fields of a named tuple are no part of the annotation
    if isinstance(typ, UnionType | TupleType):
        return list(typ.items)
    if isinstance(typ, Instance):
        return list(typ.args)
    return [*typ.arg_types, typ.ret_type] if isinstance(typ, CallableType) else []


def _has_error(typ: Type) -> bool:
    """Whether mypy could not read a part of a type that no marker is around."""
    if isinstance(typ, AnyType):
        return typ.type_of_any in _NOT_READ
    return marker_of(typ) is None and any(map(_has_error, _parts(typ)))


def _undefined(annotation: Type, function: FuncDef, file: MypyFile) -> Iterator[str]:
    """The names in an annotation that nothing defines; in a function inside another one, none is known."""
    if "." in function.fullname.removeprefix(f"{file.fullname}.") and not function.info:
        return
    if isinstance(annotation, UnboundType) and not _is_defined(annotation.name.split("."), function.info, file):
        yield render_annotation(annotation).partition("[")[0].strip("\"'")
    for part in parts_below(annotation):
        yield from _undefined(part, function, file)


def _is_defined(path: list[str], info: TypeInfo, file: MypyFile) -> bool:
    """Whether a dotted name is defined, as far as it leads through modules that are no stubs."""
    tables = [info.names, file.names] if info else [file.names]
    first, *rest = path
    symbol = next((table[first] for table in tables if first in table), None)
    if symbol is None:
        return _is_built_in(first, file.names)
    for name in rest:
        module = symbol.node
        if not isinstance(module, MypyFile) or module.is_stub:
            return True
        if name not in module.names:
            return False
        symbol = module.names[name]
    return True


def _is_built_in(name: str, names: SymbolTable) -> bool:
    builtins = names["__builtins__"].node if "__builtins__" in names else None
    return not isinstance(builtins, MypyFile) or name in builtins.names


# Beside the type


def check_beside(application: Application) -> bool:
    """Reports parameters with a marker beside the type; returns whether there is none.

    For a function that is not compiled where it is defined, reports at the call that compiles it.
    """
    call, file = application.call, application.call.file
    function = call.function if application.arguments else _function_of_file(call)
    written = function.unanalyzed_type if function is not None else None
    if function is None or not isinstance(written, CallableType):
        return True
    found = False
    for argument, annotation in zip(function.arguments, written.arg_types, strict=True):
        marker = marker_beside(annotation, file.tree)
        if marker is not None:
            found = True
            # A replacement has to be for the line of its note; and JAX cannot make `**kwargs` static.
            is_here = bool(application.arguments) and not argument.kind.is_star()
            instead = put_around(annotation, marker) if is_here else None
            place = argument if application.arguments else call.context
            statement = _message(marker, annotation, argument.variable.name)
            report(file, place, statement, _CODE, written=Written.instead(instead))
    return not found


def check_fields_beside(info: TypeInfo, file: CheckedFile) -> None:
    """Checks the fields of a class whose decorator reads markers."""
    if not any(name in DYNAMIC_DATACLASS for name, _ in facts_of(info).get("decorators", ())):
        return
    for name, statement in ClassBody.of(info.defn).assignments:
        annotation = statement.unanalyzed_type
        marker = marker_beside(annotation, file.tree) if annotation is not None else None
        if annotation is not None and marker is not None:
            instead = Written.instead(put_around(annotation, marker))
            report(file, statement, _message(marker, annotation, name), _CODE, written=instead)


def _function_of_file(call: JitCall) -> FuncDef | None:
    """The function that is compiled by name, if this file defines it: the cache does not keep annotations."""
    node = call.expression.node if isinstance(call.expression, RefExpr) else None
    if not isinstance(node, FuncDef) or node.info:
        return None
    return node if node.fullname in (node.name, f"{call.file.tree.fullname}.{node.name}") else None


def _message(marker: UnboundType, whole: Type, name: str) -> Statement:
    return _BESIDE.fill(kind=marker.name.rpartition(".")[2], name=name, written=render_annotation(whole))
