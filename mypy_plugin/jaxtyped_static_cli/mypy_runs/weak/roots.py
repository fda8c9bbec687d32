"""Which code of a program to follow: what has a loop that passes back what a call returned, and what calls that."""

import ast
import contextlib
from collections.abc import Iterable, Iterator, Mapping
from itertools import product
from typing import Final, NamedTuple

from jaxtyped_static_mypy.knowledge import naming

from .calls import result_of, scope_of_call
from .carries import Code, called_in, carries_in, taken, tests_asked_again
from .machine import Machine
from .modules import Module, Modules
from .scopes import Given, OutOfSteps, Passed, Scope
from .values import ClassValue, Function, Leaf, Value

_LEVELS: Final = 2  # of callers
_STEPS: Final = 500_000  # of all of them: seconds


class Root(NamedTuple):
    """A function, or the code of a module."""

    module: str
    node: Code
    classes: tuple[ast.ClassDef, ...]  # around it
    carries: frozenset[ast.Call]

    @property
    def name(self) -> str:
        return self.node.name if isinstance(self.node, ast.FunctionDef) else ""


class Strengthened(NamedTuple):
    """A part of an argument that has a weak type on the first pass, and none on the second."""

    passed: Passed
    argument: int | str
    path: str
    leaf: Leaf


def strengthened(modules: Modules) -> Iterator[tuple[str, Strengthened]]:
    """All of a program, with their modules."""
    own = sorted(name for name in modules.own if not naming.is_test_module(name))  # nobody minds there
    read = (found for name in own if (found := modules.find(name)) is not None)
    roots = [root for module in read for root in _roots(module)]
    of_calls = {call: root.module for root in roots for call in root.carries}
    seen: set[tuple[object, ...]] = set()
    steps = 0
    for root in _followed(roots):
        found, needed = _of_root(root, modules)
        for one in found:
            key = one.passed.call, one.argument, one.path
            if key not in seen and one.passed.call in of_calls:
                seen.add(key)
                yield of_calls[one.passed.call], one
        steps += needed
        if steps > _STEPS:
            return


def _roots(module: Module) -> Iterator[Root]:
    yield Root(module.name, module.tree, (), frozenset(carries_in(module.tree)))
    yield from _roots_below(module.tree.body, module.name, ())


def _roots_below(body: Iterable[ast.stmt], module: str, classes: tuple[ast.ClassDef, ...]) -> Iterator[Root]:
    for node in body:
        if isinstance(node, ast.FunctionDef):
            yield Root(module, node, classes, frozenset(carries_in(node)))
        elif isinstance(node, ast.ClassDef):
            yield from _roots_below(node.body, module, (*classes, node))
        elif isinstance(node, ast.If | ast.Try | ast.With):
            yield from _roots_below(node.body, module, classes)


def _followed(roots: list[Root]) -> Iterator[Root]:
    """Those with such a call, and their callers, which may show where the first value comes from."""
    here = [root for root in roots if root.carries]
    yield from here
    known = {root.node for root in here}
    calls = {root.node: called_in(root.node) for root in roots}
    for _ in range(_LEVELS):
        names = {root.name for root in here} - {""}
        here = [root for root in roots if root.node not in known and not names.isdisjoint(calls[root.node])]
        known |= {root.node for root in here}
        yield from here


def _of_root(root: Root, modules: Modules) -> tuple[list[Strengthened], int]:
    """What begins weak there, and how many steps it took to see that."""
    tests, chosen = tests_asked_again(root.node, root.carries), frozenset(taken(root.node, root.carries))
    found, steps = [], 0
    for outcomes in product((True, False), repeat=len(tests)):
        machine = Machine(modules, dict(zip(tests, outcomes, strict=True)), chosen)
        with contextlib.suppress(OutOfSteps, RecursionError):
            _follow(root, machine)
        found += _compared(machine.passed)
        steps += machine.steps
    return found, steps


def _follow(root: Root, machine: Machine) -> None:
    scope = Scope(root.module)
    if isinstance(root.node, ast.Module):
        machine.execute(root.node.body, scope)
        return
    owner = machine.class_value(root.classes[-1], scope) if root.classes else None
    cls = owner.cls if isinstance(owner, ClassValue) else None
    function = Function(root.node, root.module, scope, cls)
    args = _own(owner, root.node, machine) if isinstance(owner, ClassValue) else ()
    result_of(function, scope_of_call(function, Given(args, is_open=True), machine), machine)


def _own(owner: ClassValue, method: ast.FunctionDef, machine: Machine) -> tuple[Value, ...]:
    kinds = {ast.unparse(decorator).rpartition(".")[2] for decorator in method.decorator_list}
    if "staticmethod" in kinds:
        return ()
    return (owner,) if "classmethod" in kinds else (machine.instance(owner.cls),)


def _compared(passed: list[Passed]) -> Iterator[Strengthened]:
    """The first pass of each run of a loop, with the second."""
    by_run: dict[tuple[ast.Call, int], list[Passed]] = {}
    for one in passed:
        by_run.setdefault((one.call, one.loop), []).append(one)
    for first, *later in by_run.values():
        is_same = bool(later) and later[0].function is first.function  # else each pass compiles what is new
        second: Mapping[tuple[int | str, str], Leaf] = later[0].leaves if is_same else {}
        for place, leaf in first.leaves.items():
            if leaf.is_weak and place in second and not second[place].is_weak:
                yield Strengthened(first, *place, leaf)
