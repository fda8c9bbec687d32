"""jit-untraceable: what a call passes for a parameter whose declared type cannot be traced, if that can be.

It is no finding. The command collects what all calls of the program pass, and believes them more than the annotation.
"""

from collections.abc import Mapping

from mypy.errorcodes import ErrorCode
from mypy.nodes import CallExpr, Decorator, Expression, RefExpr
from mypy.plugin import FunctionContext
from mypy.types import AnyType, CallableType, Instance, Type, get_proper_type

from ..classes import class_model
from ..compat.dependencies import record_dependency
from ..judgement.traceability import Survey
from ..libraries import TRACE_TYPES
from ..markers.marker import Marker, marker_of, without_marker
from ..reporting.contradicted import record_passed
from ..reporting.errors import is_for_tools
from ..source.checked_file import CheckedFile
from ..syntax.type_parts import all_parts
from ._static_or_traced import survey_in


def record_traceable(ctx: FunctionContext, signature: CallableType, file: CheckedFile, code: ErrorCode) -> None:
    """`signature`: of the compiled function that is called."""
    call = ctx.context
    if not isinstance(call, CallExpr) or not is_for_tools(file):
        return
    declared, survey = _declared_types(call.callee), survey_in(file)
    formal = zip(signature.arg_names, signature.arg_types, ctx.args, ctx.arg_types, strict=False)
    for name, seen, expressions, types in formal:
        is_static = marker_of(seen, file.settings.static_markers) is Marker.STATIC
        if name is None or name not in declared or is_static or survey.obstacle(declared[name]) is None:
            continue
        for expression, typ in zip(expressions, types, strict=True):
            if _is_traceable(typ, survey):
                record_passed(name, call, expression, code, file)
    record_dependency(file.api, survey.consulted)


def _declared_types(callee: Expression) -> Mapping[str, Type]:
    """The types of the parameters of a decorated function. The compiled one takes `Any` for what is traced."""
    node = callee.node if isinstance(callee, RefExpr) else None
    written = get_proper_type(node.func.type) if isinstance(node, Decorator) else None
    if not isinstance(written, CallableType):
        return {}
    types = zip(written.arg_names, written.arg_types, strict=True)
    return {name: without_marker(typ) for name, typ in types if name is not None}


def _is_traceable(typ: Type, survey: Survey) -> bool:
    """Whether all objects of a type are arrays, numbers or pytrees of these; an unknown part may be anything."""
    proper = get_proper_type(typ)
    if not isinstance(proper, Instance) or any(isinstance(part, AnyType) for part in all_parts(typ)):
        return False
    is_known = class_model.is_pytree(proper.type) or proper.type.fullname in TRACE_TYPES
    return is_known and survey.obstacle(typ) is None
