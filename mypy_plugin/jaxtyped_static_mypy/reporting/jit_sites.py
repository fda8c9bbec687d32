"""Where what compiles a function is written, for fixes that edit its lists."""

from mypy.nodes import CallExpr, Context, RefExpr
from mypy.plugin import FunctionContext

from ..jit.application import Application
from ..jit.sites import JitSite
from ..jit.written_lists import WrittenLists, written_lists
from ..knowledge.function_rows import JitFunction
from ..reach.decorators import compiling_decorator
from ..source.checked_file import CheckedFile
from .finding import Site


def site_of(ctx: FunctionContext, application: Application) -> Site | None:
    """Where an application of jit has its lists, or can have them."""
    return site_of_lists(written_lists(ctx, application.site), application.site, application.row)


def site_of_lists(written: WrittenLists, site: JitSite, row: JitFunction) -> Site | None:
    """Where lists are written, or can be; None for a wrapper of jit that may take none."""
    node = written.context
    callee = node.callee if isinstance(node, CallExpr) else node
    is_jit = written.wrapper is None or (isinstance(callee, RefExpr) and callee.fullname == site.function)
    takes_lists = is_jit or any(option in written.values for option in row.options)
    return _at(node, site.function) if takes_lists else None


def site_around(line: int, file: CheckedFile) -> Site | None:
    """The decorator that compiles the innermost function around a line; None if there is none."""
    found = compiling_decorator(line, file)
    return _at(*found) if found is not None else None


def _at(node: Context, function: str) -> Site | None:
    if node.end_line is None or node.end_column is None:
        return None
    return Site(function, node.line, node.column, node.end_line, node.end_column)
