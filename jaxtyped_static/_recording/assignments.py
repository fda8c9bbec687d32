"""Follows a value back through the source of the program, from a call to the expression that made it."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple, TypeAlias

from jaxtyped_static._annotations.syntax import own_nodes, parse

_MAX_STEPS_BACK: Final = 20
_LOOPS: Final = (ast.For, ast.AsyncFor, ast.While)
_BRANCHES: Final = (ast.If, ast.Try, ast.Match)

Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef
Scope: TypeAlias = Function | ast.Module


class SourceLine(NamedTuple):
    """A line that was running: the path of its file, and its number."""

    path: str
    number: int


class PartStep(NamedTuple):
    """A step into a value.

    Attributes:
        text: as JAX writes it: `.scale`, `[0]`, `['key']`.
        parameter: the constructor's parameter that sets it; empty if that is not known.
        place: the place of that parameter.
    """

    text: str
    parameter: str = ""
    place: int = 0


class Passed(NamedTuple):
    """An argument of a call: its name and place in the signature, and the way to the part of it that is looked for."""

    function: str
    name: str
    place: int
    steps: tuple[PartStep, ...] = ()


class Origin(NamedTuple):
    """A line that makes a value: its file, its number, and the value in the source."""

    path: str
    line: int
    value: str


class _At(NamedTuple):
    """Where an expression stands: in a function or module, which was called from `callers`, the innermost first."""

    path: str
    scope: Scope
    line: int
    callers: tuple[SourceLine, ...]
    depth: int = 0

    def origin(self, value: ast.expr) -> Origin:
        return Origin(self.path, value.lineno, ast.unparse(value))


def origin_in_source(passed: Passed, lines: Sequence[SourceLine]) -> Origin | None:
    """Returns the expression that made a part of an argument, if straight assignments lead there.

    Args:
        passed: the argument.
        lines: the line of the call, then those of the calls around it.
    """
    return _of_argument(passed, tuple(lines), 0)


def _of_argument(passed: Passed, lines: tuple[SourceLine, ...], depth: int) -> Origin | None:
    """What made an argument of the innermost call."""
    module = parse(lines[0].path) if lines else None
    if module is None:
        return None
    line, callers = lines[0], lines[1:]
    at = _At(line.path, _scope_at(module, line.number), line.number, callers, depth)
    value = _argument(at.scope, at.line, passed)
    return None if value is None else _followed(value, passed.steps, at)


def _scope_at(module: ast.Module, line: int) -> Scope:
    """Returns the innermost function around a line, or the module."""
    around = (node for node in ast.walk(module) if isinstance(node, Function) and _has(node, line))
    return max(around, key=lambda node: node.lineno, default=module)


def _has(node: ast.stmt | ast.expr, line: int) -> bool:
    return node.lineno <= line <= (node.end_lineno or node.lineno)


def _argument(scope: Scope, line: int, passed: Passed) -> ast.expr | None:
    """Returns what a call on a line passes; None if it is not plain which call that is, or what it passes."""
    calls = [node for node in own_nodes(scope.body) if isinstance(node, ast.Call) and _has(node, line)]
    calls = [call for call in calls if _last_name(call.func) == passed.function] or calls
    innermost = [call for call in calls if not any(part in calls for part in ast.walk(call) if part is not call)]
    return _argument_of(innermost[0], passed.name, passed.place) if len(innermost) == 1 else None


def _argument_of(call: ast.Call, name: str, index: int) -> ast.expr | None:
    given = _keyword(call, name)
    if given is not None:
        return given
    is_plain = not any(isinstance(value, ast.Starred) for value in call.args[: index + 1])
    return call.args[index] if is_plain and index < len(call.args) else None


def _keyword(call: ast.Call, name: str) -> ast.expr | None:
    return next((keyword.value for keyword in call.keywords if keyword.arg == name), None)


def _last_name(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def _followed(value: ast.expr, steps: tuple[PartStep, ...], at: _At) -> Origin | None:
    """Returns what made the part of a value that steps lead to."""
    if at.depth > _MAX_STEPS_BACK:
        return None
    at = at._replace(depth=at.depth + 1)
    if isinstance(value, ast.Name):
        return _of_name(value.id, steps, at)
    if not steps:
        return at.origin(value)
    if isinstance(value, ast.Call):
        return _of_call(value, steps, at)
    part = _in_dict(value, steps[0]) if isinstance(value, ast.Dict) else _in_display(value, steps[0])
    return None if part is None else _followed(part, steps[1:], at)


def _in_display(value: ast.expr, step: PartStep) -> ast.expr | None:
    """`(a, b)` and `[a, b]`."""
    if not isinstance(value, ast.Tuple | ast.List) or any(isinstance(part, ast.Starred) for part in value.elts):
        return None
    return next((part for index, part in enumerate(value.elts) if step.text == f"[{index}]"), None)


def _in_dict(value: ast.Dict, step: PartStep) -> ast.expr | None:
    """`{"a": b}`."""
    pairs = zip(value.keys, value.values, strict=True)
    fitting = [item for key, item in pairs if isinstance(key, ast.Constant) and step.text == f"[{key.value!r}]"]
    return fitting[-1] if fitting and None not in value.keys else None


def _of_call(call: ast.Call, steps: tuple[PartStep, ...], at: _At) -> Origin | None:
    """`State(b)`, `dict(a=b)`, `state.replace(a=b)`, and `make()` if that returns in one place."""
    step, name = steps[0], _last_name(call.func)
    if isinstance(call.func, ast.Attribute) and name in ("replace", "_replace"):
        given = _keyword(call, step.text.removeprefix("."))
        return _followed(call.func.value, steps, at) if given is None else _followed(given, steps[1:], at)
    given = _keyword(call, step.text[2:-2]) if name == "dict" else None
    if step.parameter:
        given = _argument_of(call, step.parameter, step.place)
    return _of_function(call, steps, at) if given is None else _followed(given, steps[1:], at)


def _of_function(call: ast.Call, steps: tuple[PartStep, ...], at: _At) -> Origin | None:
    """What a function of the same module returns, if it returns in one place."""
    module = parse(at.path)
    body = [] if module is None else module.body
    defined = [node for node in body if isinstance(node, Function) and node.name == ast.unparse(call.func)]
    if len(defined) != 1:
        return None
    returned = [node for node in own_nodes(defined[0].body) if isinstance(node, ast.Return)]
    if len(returned) != 1 or returned[0].value is None:
        return None
    callers = (SourceLine(at.path, call.lineno), *at.callers)
    return _followed(returned[0].value, steps, _At(at.path, defined[0], returned[0].lineno, callers, at.depth))


class _Assignment(NamedTuple):
    """What binds a name, or a part of it; without a value where nothing is known of that."""

    statement: ast.stmt | ast.Name
    value: ast.expr | None
    steps: tuple[PartStep, ...]


def _of_name(name: str, steps: tuple[PartStep, ...], at: _At) -> Origin | None:
    """What was last assigned to a name before a line; or what a caller passed."""
    assignments = [one for one in _assignments(at.scope, name, steps) if not _has(one.statement, at.line)]
    before = [one for one in assignments if one.statement.lineno < at.line]
    if before:
        last = max(before, key=lambda one: one.statement.lineno)
        others = [one for one in assignments if one is not last]
        if last.value is None or any(_is_around(at, one.statement) for one in others):
            return None
        if others and _is_skipped(at, last.statement):
            return None
        return _followed(last.value, last.steps, at._replace(line=last.statement.lineno))
    if isinstance(at.scope, ast.Module):
        return None
    parameters = [*at.scope.args.posonlyargs, *at.scope.args.args]
    index = next((index for index, parameter in enumerate(parameters) if parameter.arg == name), None)
    if index is not None:
        return _of_argument(Passed(at.scope.name, name, index, steps), at.callers, at.depth)
    return None if assignments else _of_name(name, steps, _around(at))


def _is_around(at: _At, statement: ast.stmt | ast.Name) -> bool:
    """Whether a loop has both the line and another statement that binds the name: it may come from there."""
    loops = (node for node in own_nodes(at.scope.body) if isinstance(node, _LOOPS))
    return any(_has(loop, at.line) and _has(loop, statement.lineno) for loop in loops)


def _is_skipped(at: _At, statement: ast.stmt | ast.Name) -> bool:
    """Whether a statement may not have run before the line: a branch, or a loop, has it and not the line."""
    branches = (node for node in own_nodes(at.scope.body) if isinstance(node, (*_LOOPS, *_BRANCHES)))
    return any(_has(branch, statement.lineno) and not _has(branch, at.line) for branch in branches)


def _around(at: _At) -> _At:
    """The function or module around: there, everything has been assigned."""
    module = parse(at.path)
    assert module is not None  # It was parsed to come here.
    outer = _scope_at(module, at.scope.lineno - 1) if isinstance(at.scope, Function) else module
    return at._replace(scope=outer, line=(module.body[-1].end_lineno or 0) + 1, callers=())


def _assignments(scope: Scope, name: str, steps: tuple[PartStep, ...]) -> Iterator[_Assignment]:
    """What a function or module binds to a name, or to the first step into it."""
    for node in own_nodes(scope.body):
        if isinstance(node, ast.Assign):
            for target in node.targets:
                yield from _bound(target, node.value, name, steps, node)
        elif isinstance(node, ast.AnnAssign) and node.value is not None:
            yield from _bound(node.target, node.value, name, steps, node)
        elif isinstance(node, ast.AugAssign | ast.For | ast.AsyncFor | ast.With | ast.AsyncWith | ast.Expr):
            yield from _unknown(node, name)


def _unknown(node: ast.stmt, name: str) -> Iterator[_Assignment]:
    """Other ways to bind a name: a loop, `with`, `+=`, `:=`."""
    heads = [part for part in ast.iter_child_nodes(node) if not isinstance(part, ast.stmt)]
    for part in (part for head in heads for part in ast.walk(head)):
        if isinstance(part, ast.Name) and part.id == name and isinstance(part.ctx, ast.Store):
            yield _Assignment(part, None, ())


def _bound(
    target: ast.expr, value: ast.expr, name: str, steps: tuple[PartStep, ...], statement: ast.stmt
) -> Iterator[_Assignment]:
    """`name = value`, `name[0] = value`, `name.field = value`, `name, other = value`."""
    if isinstance(target, ast.Name) and target.id == name:
        yield _Assignment(statement, value, steps)
    elif isinstance(target, ast.Attribute | ast.Subscript) and steps and ast.unparse(target) == name + steps[0].text:
        yield _Assignment(statement, value, steps[1:])
    elif isinstance(target, ast.Tuple | ast.List):
        for index, part in enumerate(target.elts):
            yield from _bound(part, value, name, (PartStep(f"[{index}]"), *steps), statement)
