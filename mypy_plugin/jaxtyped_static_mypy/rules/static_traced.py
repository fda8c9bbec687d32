"""static-traced: a traced value is passed where a static one is needed: raises under a trace, or leaks."""

from collections.abc import Iterator
from typing import Final

from mypy.nodes import Expression, IndexExpr, NameExpr, TypeAlias, TypeInfo
from mypy.plugin import FunctionContext
from mypy.types import Instance, Type, get_proper_type

from ..compat import mypy_api
from ..compat.dependencies import record_dependency
from ..config.settings import Settings
from ..facts.needs import recording as needs
from ..facts.needs.recording import SHAPE
from ..flow.traced.analysis import traced_source
from ..flow.traced.elsewhere import ELSEWHERE
from ..flow.traced.frame import ConcreteUse
from ..flow.traced.shapes import BOUND, COUNTED, MASK, OPTION, UPDATED_MASK
from ..flow.traced.values import Source, without_value
from ..knowledge.function_rows import KnownFunction
from ..knowledge.type_rows import Trait
from ..libraries import types_with
from ..markers.marker import without_marker
from ..reach.kernels import is_given_to_kernel
from ..reporting.actions import MAKE_STATIC
from ..reporting.errors import report
from ..reporting.finding import Place
from ..reporting.jit_sites import site_around
from ..reporting.messages import Message, Statement
from ..reporting.positions import STATIC_ARGUMENT, Position
from ..source.checked_file import CheckedFile
from ..source.surroundings import surroundings
from ..syntax.names import base_of
from . import CODES
from ._body import Body, BodyError, harm_of_source, source_can_be_static

CODE: Final = CODES["static-traced"]

_NUMBERS: Final = types_with(Trait.NUMBER)

_PROBLEM: Final = "it is traced here, because it depends on {source}"
_KNOWN: Final = "compute it from values that are concrete in a trace (shapes, static fields, plain numbers)"
_MESSAGES: Final = {
    True: Message(_PROBLEM, (MAKE_STATIC, _KNOWN), kind="traced"),
    False: Message(_PROBLEM, _KNOWN, kind="traced"),
}

_WHERE: Final = "use jnp.where with three arguments"
_VALUES_COUNT: Final = (
    'The length of the result of "{function}" depends on values that are traced, because they depend on {source}'
)
# What would decide a shape.
_SHAPES: Final = {
    BOUND: Message(
        "This slice bound is traced, because it depends on {source}",
        "use jax.lax.dynamic_slice with a static size, or a mask and jnp.where",
        kind="bound",
    ),
    MASK: Message("This boolean index is traced, because it depends on {source}", _WHERE, kind="mask"),
    UPDATED_MASK: Message(
        "This boolean index is traced, because it depends on {source}",
        "write jnp.where(mask, new, x)",
        kind="updated-mask",
    ),
    COUNTED: Message(_VALUES_COUNT, "pass {option}=", kind="counted"),
}
_OF_REF: Final = "index with pl.ds(start, size) of jax.experimental.pallas, where the size is static"
# What a function of another module does with what it is given.
_ELSEWHERE: Final = {
    can_be_static: Message(
        '"{function}" needs a concrete value {use}, but what it is given here is traced, because it depends on '
        "{source}",
        message.advice,
        kind="traced-elsewhere",
    )
    for can_be_static, message in _MESSAGES.items()
}
_USED: Final = {
    SHAPE: "for a shape",
    needs.BOUND: "for the bound of a slice",
    needs.MASK: "for a boolean index",
    needs.COUNTED: "for the length of a result",
}
_SELECTING: Final = ("where", "nonzero", "compress", "extract")
_COUNTED_OR_SELECT: Final = Message(_VALUES_COUNT, f"pass {{option}}=, or {_WHERE}", kind="counted")


def check_argument(expression: Expression, position: Position, file: CheckedFile) -> bool:
    """Reports an argument in a static position if it is or holds a tracer; returns whether it does."""
    source = traced_source(expression, file.api, file.settings)
    if source is None or (source.may_be_tree and not _takes_no_tree(position.type)):
        return False
    template = _MESSAGES[_can_be_static(source, file)]
    statement = template.fill(source=source.text, parameter=source.parameter or "")
    site = site_around(expression.line, file)
    report(file, expression, statement, CODE, position=position.place, site=site, harm=harm_of_source(source))
    return True


def _can_be_static(source: Source, file: CheckedFile) -> bool:
    """Whether the value comes from a parameter that could be static."""
    answer, consulted = _judged_as_static(source, file.settings)
    record_dependency(file.api, consulted)
    return answer


def _judged_as_static(source: Source, settings: Settings) -> tuple[bool, frozenset[TypeInfo | TypeAlias]]:
    if source.parameter is None or source.field is not None:
        return False, frozenset()
    return source_can_be_static(source, settings)


def check_body(body: Body) -> Iterator[BodyError]:
    """Yields the errors of what would decide a shape, in the order of the source."""
    for (node, kind), use in body.analysis.concrete_uses.items():
        is_elsewhere = kind == ELSEWHERE and use.option in _USED
        source = without_value(use.value) if kind in _SHAPES or kind == OPTION or is_elsewhere else None
        if source is not None:
            answer, consulted = _judged_as_static(source, body.file.settings)
            body.consulted.update(consulted)
            place = Place(STATIC_ARGUMENT, use.option, use.function) if use.kind == OPTION else None
            is_of_ref = use.kind == BOUND and _is_of_ref(node, body)
            statement = _shape_statement(use, source, can_be_static=answer, is_of_ref=is_of_ref)
            yield BodyError(node, statement, CODE, place, harm_of_source(source))


def _is_of_ref(bound: Expression, body: Body) -> bool:
    """Whether a bound is in `x_ref[i : i + 2]` of a kernel: functions of JAX take no Ref in place of an array."""
    around = surroundings(bound, body.file).around
    index = next((node for node in around if isinstance(node, IndexExpr)), None)
    base = base_of(index.base) if index is not None else None
    return isinstance(base, NameExpr) and base.node is not None and is_given_to_kernel(base.node, body.functions())


def _shape_statement(use: ConcreteUse, source: Source, *, can_be_static: bool, is_of_ref: bool) -> Statement:
    parameter = source.parameter or ""
    if use.kind == ELSEWHERE:
        used = _USED[use.option]
        by_place = _ELSEWHERE[can_be_static]
        return by_place.fill(source=source.text, parameter=parameter, function=use.function, use=used)
    if use.kind == OPTION:
        return _MESSAGES[can_be_static].fill(source=source.text, parameter=parameter)
    message = _COUNTED_OR_SELECT if use.function in _SELECTING else _SHAPES[use.kind]
    if is_of_ref:
        message = message._replace(advice=_OF_REF)
    elif use.kind == BOUND and can_be_static:
        message = message._replace(advice=(MAKE_STATIC, *message.alternatives))
    return message.fill(source=source.text, parameter=parameter, function=use.function, option=use.option)


def _takes_no_tree(declared: Type) -> bool:
    """Whether a position takes numbers, not objects that a trace may pass through unchanged, as static ones are."""
    typ = get_proper_type(without_marker(declared))
    return isinstance(typ, Instance) and typ.type.fullname in _NUMBERS


def _is_int(typ: Type) -> bool:
    proper = get_proper_type(typ)
    return isinstance(proper, Instance) and proper.type.fullname == "builtins.int"


def check_shape(ctx: FunctionContext, function: str, row: KnownFunction, file: CheckedFile) -> None:
    """Checks the call of a function that takes a shape, which has to be static, or a number in place of an array."""
    if mypy_api.errors_are_hidden(file.api):
        return
    number = ctx.api.named_generic_type("builtins.int", [])
    for name, expressions, types in zip(ctx.callee_arg_names, ctx.args, ctx.arg_types, strict=True):
        shown = "shape" if name in ("args", None) else name
        for expression, typ in zip(expressions, types, strict=True):
            if name in row.shapes or (name in row.numbers and _is_int(typ)):
                position = Position(expression, STATIC_ARGUMENT, shown, number, function)
                check_argument(expression, position, file)
