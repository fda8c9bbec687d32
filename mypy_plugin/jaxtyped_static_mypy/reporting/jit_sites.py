"""Where what compiles a function is written, for fixes that edit its lists."""

from mypy.nodes import CallExpr, Context, RefExpr

from ..jit.application import JitCall
from ..jit.written_lists import written_lists
from ..reach.description import compiling_decorator
from ..source.checked_file import CheckedFile
from .finding import Site


def site_of_call(call: JitCall) -> Site | None:
    """Where a jit call has its lists, or can have them; None for a wrapper of jit that may take none."""
    written = written_lists(call)
    node = written.context
    callee = node.callee if isinstance(node, CallExpr) else node
    is_jit = written.wrapper is None or (isinstance(callee, RefExpr) and callee.fullname == call.site.function)
    takes_lists = is_jit or any(option in written.values for option in call.row.options)
    return _at(node, call.site.function) if takes_lists else None


def site_around(line: int, file: CheckedFile) -> Site | None:
    """The decorator that compiles the innermost function around a line; None if there is none."""
    found = compiling_decorator(line, file)
    return _at(*found) if found is not None else None


def _at(node: Context, function: str) -> Site | None:
    if node.end_line is None or node.end_column is None:
        return None
    return Site(function, node.line, node.column, node.end_line, node.end_column)
