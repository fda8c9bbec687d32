"""The two ways to pass an object to a compiled function: traced, as a pytree, or static."""

from functools import partial

from mypy.nodes import FuncDef, TypeInfo
from mypy.types import AnyType, CallableType, Type, get_proper_type

from ..classes import class_model
from ..classes.reasons import HOLDS_ARRAYS, MUTABLE, UNPROVEN, Fault
from ..classes.registering import registration
from ..classes.untraced import classes_of, is_untraceable
from ..compat import mypy_api
from ..compat.dependencies import record_dependency
from ..flow.function_fields import function_field, leaf_fields
from ..jit.application import JitCall
from ..jit.listing import Listing
from ..judgement.judge import judge
from ..judgement.traceability import Survey
from ..libraries import CALLABLE_TREES
from ..markers.marker import without_marker
from ..reach.array_parameters import array_uses_of
from ..source.checked_file import CheckedFile
from ..syntax.imports import imported_name


def survey_of(call: JitCall) -> Survey:
    """Looks for what cannot be traced, as seen from where a function is compiled."""
    return survey_in(call.file, call.function)


def survey_in(file: CheckedFile, function: FuncDef | None = None) -> Survey:
    """Looks for what cannot be traced, as seen from a file."""
    return Survey(
        partial(seems_untraceable, file=file),
        lambda: may_call_trees(file, function),
        partial(function_field, file),
        partial(leaf_fields, file),
    )


def seems_untraceable(info: TypeInfo, file: CheckedFile) -> bool:
    """Whether values of a class cannot be traced, as far as the file and the module of the class show."""
    known = file.settings.static_types | file.settings.static_bases
    if any(base.fullname in known for base in info.mro):
        return False
    seen = {*classes_of(file.tree), *mypy_api.classes_of_module(file.api, info.module_name)}
    return is_untraceable(info, seen, file.tree)


def objects_without_arrays(call: JitCall, signature: CallableType) -> set[int]:
    """The parameters that take objects of plain classes: what traces only arrays makes these static."""
    survey = survey_of(call)
    found = ((index, survey.obstacle(typ)) for index, typ in enumerate(signature.arg_types))
    indices = {index for index, obstacle in found if obstacle is not None and obstacle.declared and not obstacle.path}
    record_dependency(call.file.api, survey.consulted)
    return indices


def may_call_trees(file: CheckedFile, function: FuncDef | None) -> bool:
    """Whether the file uses callable pytrees, or a base class declares the method for its callers."""
    if function is not None and function.info and any(function.name in base.names for base in function.info.mro[1:]):
        return True
    if any(imported_name(file.tree, package) is not None for package in CALLABLE_TREES):
        return True
    return "Partial" in file.uses_by_name


def as_pytree(info: TypeInfo, survey: Survey, file: CheckedFile) -> str:
    """How to make a class a pytree, with the fields that cannot be traced as static ones."""
    fields = [(field.name, field.type) for field in class_model.fields(info)]
    static = [name for name, typ in fields if typ is not None and survey.obstacle(typ) is not None]
    record_dependency(file.api, survey.consulted)
    return registration(info, file.tree, static)


def faults_as_static(typ: Type, file: CheckedFile) -> tuple[Fault, ...]:
    """The faults that prevent values of a type from being static; leaves out what is merely unproven."""
    verdict = judge(typ, file.settings, is_argument=True)
    record_dependency(file.api, verdict.consulted.everything())
    return tuple(fault for fault in verdict.faults if fault.reason not in UNPROVEN)


def seems_static(listing: Listing, index: int) -> bool | None:
    """Whether a parameter can be static, by its type or by what the function does with it; None if they do not say."""
    typ = listing.signature.arg_types[index]
    if isinstance(get_proper_type(typ), AnyType):
        uses = array_uses_of(listing.call, listing.signature, listing.name(index))
        return False if listing.name(index) in uses.handed | uses.operated else None
    before = before_static(faults_as_static(without_marker(typ), listing.call.file))
    return before == "" if listing.call.row.is_key else before is not None


def before_static(faults: tuple[Fault, ...]) -> str | None:
    """What has to be done before an object can be static; None if it holds arrays."""
    if any(fault.reason in HOLDS_ARRAYS for fault in faults):
        return None
    if any(fault.path for fault in faults):
        return "freeze everything that it holds and "
    if any(fault.reason in MUTABLE for fault in faults):
        return "freeze it and "
    return "compare and hash it by value and " if faults else ""
