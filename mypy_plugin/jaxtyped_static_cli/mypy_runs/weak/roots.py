"""Which code of a program to follow: what has a loop that passes back what a call returned, and what calls that."""

import ast
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import product
from typing import Final, NamedTuple

from jaxtyped_static_mypy.hooks.failures import describe_failure
from jaxtyped_static_mypy.knowledge import naming

from ...terminal.saying import say
from .calls import result_of, scope_of_call
from .carries import Code, called_in, called_in_loops, carries_in, kept_in, taken, tests_asked_again
from .effort import EFFORT, OutOfSteps
from .machine import Machine
from .modules import Modules
from .scopes import Given, Passed, Scope
from .values import ClassValue, Function, Leaf, Value

_LEVELS: Final = 2  # of callers
_FILES_KEPT: Final = 4096
_FUNCTIONS_KEPT: Final = 65536
_KEPT: Final = 2000  # roots
_STEPS: Final = 1_000_000  # of all of them: seconds
_PARTS_IN_A_STEP: Final = 10  # of trees, which are looked at in the time of a step


class Root(NamedTuple):
    """A function, or the code of a module."""

    module: str
    node: Code
    classes: tuple[ast.ClassDef, ...]  # around it
    carries: frozenset[ast.Call]
    kept: frozenset[ast.Call] = frozenset()  # calls that a loop elsewhere makes by calling the function

    @property
    def name(self) -> str:
        return self.node.name if isinstance(self.node, ast.FunctionDef) else ""


class Strengthened(NamedTuple):
    """A part of an argument that has a weak type on the first pass, and none on the second."""

    passed: Passed
    argument: int | str
    path: str
    leaf: Leaf


class _Followed(NamedTuple):
    """What begins weak in the code of a root, and what that depends on."""

    found: list[Strengthened]
    steps: int
    own: frozenset[str]
    read: Mapping[str, ast.Module | None]  # the trees of modules


_KNOWN: Final[dict[Code, _Followed]] = {}


def strengthened(modules: Modules) -> Iterator[tuple[str, Strengthened]]:
    """All of a program, with their modules."""
    own = sorted(name for name in modules.own if not naming.is_test_module(name))  # nobody minds there
    read = (found for name in own if (found := modules.find(name)) is not None)
    roots = [root for module in read for root in _roots(module.tree, module.name)]
    of_calls = {call: root.module for root in roots for call in root.carries | root.kept}
    seen: set[tuple[object, ...]] = set()
    steps = 0
    for root in _followed(roots):
        followed = _followed_now(root, modules)
        for one in followed.found:
            key = one.passed.call, one.argument, one.path
            if key not in seen and one.passed.call in of_calls:
                seen.add(key)
                yield of_calls[one.passed.call], one
        steps += followed.steps
        if steps > _STEPS:
            return


@lru_cache(_FILES_KEPT)
def _roots(tree: ast.Module, module: str) -> tuple[Root, ...]:
    """None of a module that nests too deeply to be looked at."""
    try:
        return Root(module, tree, (), frozenset(carries_in(tree))), *_roots_below(tree.body, module, ())
    except RecursionError:
        return ()


def _roots_below(body: Iterable[ast.stmt], module: str, classes: tuple[ast.ClassDef, ...]) -> Iterator[Root]:
    for node in body:
        if isinstance(node, ast.FunctionDef):
            yield Root(module, node, classes, frozenset(carries_in(node)), frozenset(kept_in(node)))
        elif isinstance(node, ast.ClassDef):
            yield from _roots_below(node.body, module, (*classes, node))
        elif isinstance(node, ast.If | ast.Try | ast.With):
            yield from _roots_below(node.body, module, classes)


def _followed(roots: list[Root]) -> Iterator[Root]:
    """Those with such a call, and their callers, which may show where the first value comes from."""
    kept = {root.name for root in roots if root.kept}
    looping = (root for root in roots if kept and not root.carries and not kept.isdisjoint(_called_in_loops(root.node)))
    here = [*(root for root in roots if root.carries), *looping]
    if not here:
        return
    yield from here
    known = {root.node for root in here}
    calls = {root.node: _called_in(root.node) for root in roots}
    for _ in range(_LEVELS):
        names = {root.name for root in here} - {""}
        here = [root for root in roots if root.node not in known and not names.isdisjoint(calls[root.node])]
        known |= {root.node for root in here}
        yield from here


_called_in: Final = lru_cache(_FUNCTIONS_KEPT)(called_in)
_called_in_loops: Final = lru_cache(_FUNCTIONS_KEPT)(called_in_loops)


def _followed_now(root: Root, modules: Modules) -> _Followed:
    """What was found before, if nothing has changed since that it depends on: in editors, one file does."""
    known = _KNOWN.get(root.node)
    is_same = known is not None and known.own == modules.own
    if known is not None and is_same and all(modules.tree(name) is tree for name, tree in known.read.items()):
        return known
    if len(_KNOWN) > _KEPT:
        _KNOWN.clear()
    _KNOWN[root.node] = found = _of_root(root, modules)
    return found


def _of_root(root: Root, modules: Modules) -> _Followed:
    found, steps = list[Strengthened](), 0
    modules.asked.clear()
    for machine in _machines(root, modules):
        _follow_or_say(root, machine)
        found += _compared(machine.passed)
        steps += machine.steps + EFFORT.spent // _PARTS_IN_A_STEP
    read = {name: modules.tree(name) for name in (root.module, *modules.asked)}
    return _Followed(found, steps, modules.own, read)


def _machines(root: Root, modules: Modules) -> Iterator[Machine]:
    """One for each way in which the conditions may go that the code asks again and again."""
    try:
        tests, chosen = tests_asked_again(root.node, root.carries), frozenset(taken(root.node, root.carries))
    except RecursionError:
        return
    for outcomes in product((True, False), repeat=len(tests)):
        yield Machine(modules, dict(zip(tests, outcomes, strict=True)), chosen)


def _follow_or_say(root: Root, machine: Machine) -> None:
    """A fault of ours here costs what is said of this code, and not the whole run.

    What takes too long to follow, or nests too deeply, is silent from there on.
    """
    try:
        _follow(root, machine)
    except (OutOfSteps, RecursionError):
        return
    except Exception as error:
        say(f"note: {describe_failure(error)}. Weak types in {root.module} are not followed")


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
            if place in second and _is_of_another_program(leaf, second[place], filters=first.function.filters):
                yield Strengthened(first, *place, leaf)


def _is_of_another_program(first: Leaf, second: Leaf, *, filters: bool) -> bool:
    """`filters`: a number of Python is static as it is, and an array is not."""
    if filters and not first.is_array:
        return second.is_array
    return first.is_weak and not second.is_weak
