"""The calls that pass on what the same call returned, in a loop or by an attribute, and the conditions around these."""

import ast
from collections.abc import Iterable, Iterator
from typing import Final

_TESTS: Final = 2  # conditions that are followed both ways

Code = ast.FunctionDef | ast.Module


def carries_in(code: Code) -> Iterator[ast.Call]:
    for loop in _loops(code, into_functions=isinstance(code, ast.FunctionDef)):
        for node in nodes_below(loop.body, into_functions=False):
            if isinstance(node, ast.Assign | ast.AnnAssign) and isinstance(node.value, ast.Call):
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                if not _written(targets).isdisjoint(_passed_by(node.value)):
                    yield node.value


def kept_in(code: Code) -> Iterator[ast.Call]:
    """The calls that a function makes once, and that pass on what its object has kept: `self.state = step(self.state)`.

    The loop calls the function. What the call returns may have a name first: `state = step(self.state)`.
    """
    if not isinstance(code, ast.FunctionDef):
        return
    assigned = [node for node in nodes_below(code.body, into_functions=False) if isinstance(node, ast.Assign)]
    for node in assigned:
        if isinstance(node.value, ast.Call):
            passed = {text for text in _passed_by(node.value) if "." in text}
            written = _written(node.targets) if passed else set()
            aliases = (one for one in assigned if isinstance(one.value, ast.Name) and one.value.id in written)
            kept = written | {text for one in aliases for text in _written(one.targets)}
            if not passed.isdisjoint(kept):
                yield node.value


def called_in_loops(code: Code) -> set[str]:
    """The last names of what code calls in its loops."""
    loops = _loops(code, into_functions=isinstance(code, ast.FunctionDef))
    return {name for loop in loops for name in _names_called(nodes_below(loop.body, into_functions=False))}


def called_in(code: Code) -> set[str]:
    """The last names of what code calls."""
    return _names_called(nodes_below(code.body, into_functions=isinstance(code, ast.FunctionDef)))


def _names_called(nodes: Iterable[ast.AST]) -> set[str]:
    functions = [node.func for node in nodes if isinstance(node, ast.Call)]
    named = {one.id for one in functions if isinstance(one, ast.Name)}
    return named | {one.attr for one in functions if isinstance(one, ast.Attribute)}


def tests_asked_again(code: Code, carries: frozenset[ast.Call]) -> list[str]:
    """Conditions that code asks more than once, once around such a call: all of them go the same way."""
    nodes = [node for node in nodes_below(code.body, into_functions=False) if isinstance(node, ast.If)]
    written = [ast.unparse(node.test) for node in nodes]
    around = [ast.unparse(node.test) for node in nodes if _is_around(node, carries)]
    return [test for test in dict.fromkeys(around) if written.count(test) > 1][:_TESTS]


def taken(code: Code, carries: frozenset[ast.Call]) -> Iterator[ast.If]:
    """Conditions around such a call that are followed as if they held on each pass: not those that may hold on one.

    What a loop computes, such as whether something converges, may do so once.
    """
    for loop in _loops(code, into_functions=False):
        parts = ast.walk(loop.target) if isinstance(loop, ast.For) else ()
        counters = {part.id for part in parts if isinstance(part, ast.Name)}
        inside = list(nodes_below(loop.body, into_functions=False))
        computed = {part.id for part in inside if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)}
        around = (node for node in inside if isinstance(node, ast.If) and _is_around(node, carries))
        for node in around:
            if not _is_of_one_pass(node.test, counters) and computed.isdisjoint(_names_in(node.test)):
                yield node


def _names_in(node: ast.AST) -> set[str]:
    return {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}


def nodes_below(body: Iterable[ast.AST], *, into_functions: bool) -> Iterator[ast.AST]:
    """The nodes of some code, without those of classes."""
    pending = list(body)
    while pending:
        node = pending.pop()
        yield node
        is_function = isinstance(node, ast.FunctionDef | ast.Lambda)
        if not isinstance(node, ast.ClassDef) and (into_functions or not is_function):
            pending += ast.iter_child_nodes(node)


def _loops(code: Code, *, into_functions: bool) -> Iterator[ast.For | ast.While]:
    nodes = nodes_below(code.body, into_functions=into_functions)
    return (node for node in nodes if isinstance(node, ast.For | ast.While))


def _is_around(node: ast.If, carries: frozenset[ast.Call]) -> bool:
    return any(part in carries for part in nodes_below(node.body, into_functions=False))


def _written(targets: Iterable[ast.expr]) -> set[str]:
    parts = (part for target in targets for part in ast.walk(target))
    return {ast.unparse(part) for part in parts if isinstance(part, ast.Name | ast.Attribute)}


def _passed_by(call: ast.Call) -> set[str]:
    arguments = [*call.args, *(word.value for word in call.keywords)]
    if isinstance(call.func, ast.Attribute):
        arguments.append(call.func.value)
    return {ast.unparse(one) for one in arguments if isinstance(one, ast.Name | ast.Attribute)}


def _is_of_one_pass(test: ast.expr, counters: set[str]) -> bool:
    """`i == 0`, and not `i % 2 == 0`."""
    compared = [part for part in ast.walk(test) if isinstance(part, ast.Compare) and isinstance(part.ops[0], ast.Eq)]
    names = {part.id for node in compared for part in ast.walk(node.left) if isinstance(part, ast.Name)}
    is_modulo = any(isinstance(part, ast.Mod) for node in compared for part in ast.walk(node))
    return not names.isdisjoint(counters) and not is_modulo
