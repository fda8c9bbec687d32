"""jit-retrace: a fresh function is jitted on every execution: the cache never hits."""

from typing import Final, NamedTuple

from mypy.nodes import CallExpr, Decorator, Expression, FuncDef, FuncItem, MemberExpr, NameExpr, Node, RefExpr, TypeInfo
from mypy.plugin import FunctionContext

from ..callables import Kind, Reader, origin_of, reader_at
from ..callables.scope import covers, enclosing_functions, is_evaluated_once
from ..codes import JIT_RETRACE
from ..config import Settings
from ..jit_sites import JIT_FUNCTIONS
from ..names import CACHES
from ..placement import File, Place, is_used_up_on_each_pass, made_by, place_of
from ..syntax import dotted_name
from ..tracing import is_staged
from .jit_bound_method import bound_method

_BY_OBJECT: Final = "equinox._jit.filter_jit"  # a bound method is the same to it as long as the object is
_NEW: Final = {
    Kind.LAMBDA: "a lambda",
    Kind.NESTED_FUNCTION: '"{subject}"',
    Kind.PARTIAL: "{subject}",
    Kind.TREE_PARTIAL: "{subject}",
    Kind.FACTORY: "the result of {subject}",
}
# Run once by their names, and functions of tests.
_RUN_ONCE: Final = frozenset({"main", "_main"})
_FIXTURE: Final = "fixture"
_TEST: Final = ("test", "setUp", "tearDown")


class _Fresh(NamedTuple):
    """A function that is new each time: how it is called, where it is made."""

    words: str
    made: Node
    is_method: bool = False


def check_retrace(ctx: FunctionContext, expression: Expression, function: str, settings: Settings) -> None:
    """Reports a jit call, or a decorator, that compiles anew on each pass of a loop or with each call of a function."""
    node = ctx.context
    if not isinstance(node, (CallExpr, Decorator)) or (isinstance(node, Decorator) and node.func.info):
        return
    reader = reader_at(ctx.api, settings)
    file = File(reader.file, reader.run)
    place = place_of(node, file)
    if not place.function and not place.repeating:
        return
    fresh = _fresh(node, expression, reader, ctx)
    if fresh is None or (fresh.is_method and function == _BY_OBJECT):
        return
    repeated = _repeated(place, fresh, file, reader)
    if repeated is None or is_evaluated_once(node.line, reader):
        return
    if isinstance(node, CallExpr) and is_staged(node, ctx.api, settings):
        return
    ctx.api.fail(_message(fresh, repeated), node, code=JIT_RETRACE)


def _fresh(node: Node, expression: Expression, reader: Reader, ctx: FunctionContext) -> _Fresh | None:
    if isinstance(node, Decorator):
        return _Fresh(f'"{node.func.name}"', node)
    file = File(reader.file, reader.run)
    made = made_by(expression, file)
    if isinstance(made, CallExpr) and getattr(made.callee, "fullname", "") in JIT_FUNCTIONS:
        return None  # checked as a jit call of its own
    if (method := bound_method(made, file, ctx.api)) is not None:
        return _Fresh(f'the bound method "{method.shown}"', method.expression, is_method=True)
    if isinstance(made, MemberExpr) and _is_class_method(made):
        return _Fresh(f'the class method "{dotted_name(made)}"', made)
    origin = origin_of(made, reader)
    if origin is None or origin.kind not in _NEW:
        return None
    defined = made.node if isinstance(made, NameExpr) and isinstance(made.node, (FuncDef, Decorator)) else made
    return _Fresh(_NEW[origin.kind].format(subject=origin.subject), defined)


def _is_class_method(node: MemberExpr) -> bool:
    """`Cls.method`, bound to the class; through an object it is the same."""
    info = node.expr.node if isinstance(node.expr, RefExpr) and isinstance(node.expr.node, TypeInfo) else None
    symbol = info.get(node.name) if info is not None else None
    function = symbol.node.func if symbol is not None and isinstance(symbol.node, Decorator) else None
    return function is not None and function.is_class


def _repeated(place: Place, fresh: _Fresh, file: File, reader: Reader) -> Node | None:
    """What makes and compiles the function again and again: a loop, or the function around."""
    if place.repeating and _is_made_in(place.repeating[0], fresh.made, file):
        is_used_up = place.is_called or is_used_up_on_each_pass(place, file)
        return place.repeating[0] if is_used_up else None
    function = place.function
    if function is None or not place.is_called or fresh.is_method or not covers(function, fresh.made.line):
        return None
    return None if _runs_once(function, file, reader) else function


def _is_made_in(loop: Node, made: Node, file: File) -> bool:
    return loop in place_of(made, file).loops


def _runs_once(function: FuncItem, file: File, reader: Reader) -> bool:
    """`main`, a test or a fixture, a memoised function."""
    around = enclosing_functions(reader, function.line)
    if any(item.node.name.startswith(_TEST) for item in around):
        return True
    own = next((item for item in around if item.node is function), None)
    if own is None:
        return False
    return own.node.name in _RUN_ONCE or any(map(_is_cache_or_fixture, own.decorators))


def _is_cache_or_fixture(decorator: Expression) -> bool:
    named = decorator.callee if isinstance(decorator, CallExpr) else decorator
    return isinstance(named, RefExpr) and (named.fullname in CACHES or _FIXTURE in named.fullname)


def _message(fresh: _Fresh, repeated: Node) -> str:
    if isinstance(repeated, FuncDef):
        return (
            f'{fresh.words} is new each time "{repeated.name}" runs, so it is compiled each time; jit a function '
            "defined at module level, or keep what jit returns: on self, or behind functools.cache"
        )
    if isinstance(repeated, FuncItem):
        return f"{fresh.words} is new each time the lambda around it runs, so it is compiled each time; jit it once"
    return (
        f"{fresh.words} is new on every pass of the loop, so it is compiled on every pass; "
        "jit one function before the loop, and pass what varies as an argument"
    )
