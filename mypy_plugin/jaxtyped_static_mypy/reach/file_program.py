"""A file as a program: how often its code runs, as far as the file shows."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from mypy.nodes import (
    CallExpr,
    Expression,
    FuncDef,
    FuncItem,
    LambdaExpr,
    Node,
)

from ..knowledge import naming
from ..source.bindings import made_by
from ..source.checked_file import CheckedFile, once_per_file
from ..source.compiled_in import code_of
from ..source.debugging import Compiled, compiled_names, is_for_debugging
from ..source.functions import functions_around
from ..source.handing import Handed, Handing, handing, is_in_traced_lambda
from ..source.made_for_others import is_made_for_others
from ..source.making_functions import makes_functions
from ..source.once import is_once_here
from ..source.own_programs import are_varied, keys_varied, needs_own_programs
from ..source.parts_of_passes import ends_with_pass
from ..source.passes_apart import are_apart, are_experiments
from ..source.passes_that_differ import compiles_anyway
from ..source.request_handlers import handles_requests
from ..source.returned_functions import place_returned, places_called_once
from ..source.starting import has_guard, looks_up_names
from ..source.surroundings import surroundings
from ..syntax.decorators import applying
from ..syntax.imports import full_name, imported_names
from ..syntax.trees import nodes_below
from .callers import places_using
from .layers import compilers_in
from .program import Defined, Runs, Uses
from .training import trains


class FileProgram(NamedTuple):
    """A file as a program."""

    file: CheckedFile

    def runs_itself(self, place: Node) -> Runs | None:
        if is_in_test(place.line, self.file):
            return Runs.IN_TESTS
        around = surroundings(place, self.file).around
        how = handing(around, self._name).how
        if how is Handed.HOST:
            return Runs.AGAIN
        if how is Handed.PROCESS and not isinstance(place, CallExpr):
            return Runs.ONCE
        if is_in_traced_lambda(around, self._name) or is_for_debugging(around, _compiled_names(self.file)):
            return Runs.TRACED
        if is_once_here(place, self.file):
            return Runs.ONCE
        return Runs.AGAIN if any(map(self._is_repeated, self._in_place(place))) else None

    def _is_repeated(self, node: Node) -> bool:
        found = surroundings(node, self.file)
        is_function = not isinstance(node, CallExpr)  # and not what makes one
        handed = handing(found.around, self._name) if is_function else None
        return bool(found.repeating) or (
            handed is not None and handed.is_for_each(lambda value: made_by(value, self.file))
        )

    def is_handed_to_host(self, place: Node) -> bool:
        return handing(surroundings(place, self.file).around, self._name).how is Handed.HOST

    def function_around(self, place: Node) -> FuncItem | None:
        *_, last = self._in_place(place)
        return surroundings(last, self.file).function

    def _in_place(self, place: Node) -> Iterator[Node]:
        """A place, and the lambdas around it that are called where they stand."""
        yield place
        while isinstance(function := surroundings(place, self.file).function, LambdaExpr):
            if not self._runs_in_place(handing(surroundings(function, self.file).around, self._name)):
                break
            place = function
            yield place

    def _runs_in_place(self, handed: Handing) -> bool:
        return handed.is_in_place

    def is_in_set_up(self, place: Node) -> bool:
        return is_in_set_up(place, self.file)

    def is_in_named_set_up(self, place: Node) -> bool:
        return is_in_named_set_up(place, self.file)

    def ends_with_pass(self, place: Node) -> bool:
        return ends_with_pass(surroundings(place, self.file).around)

    def makes_other_code(self, place: Node) -> bool:
        return needs_own_programs(surroundings(place, self.file).around, code_of(self.file))

    def is_made_for_others(self, place: Node) -> bool:
        return is_made_for_others(surroundings(place, self.file).around)

    def is_apart(self, place: Node) -> bool:
        around = surroundings(place, self.file).around
        is_item = not isinstance(place, CallExpr) and handing(around, self._name).items is not None
        return is_item or are_apart(around, imported_names(self.file.tree))

    def needs_own_programs(self, place: Node, callee: FuncItem) -> bool:
        if not self.file.defines(callee):  # mypy may not have the body, nor the parameters; `check` knows them
            return False
        around, code = surroundings(place, self.file).around, code_of(self.file)
        given = [argument.variable.name for argument in callee.arguments]
        is_bound = bool(callee.info) and not callee.is_static
        receiver = given[0] if is_bound and given else ""
        return are_varied(keys_varied(around, code), given[is_bound:], code.parameters(callee), receiver)

    def compiles_anyway(self, place: Node) -> bool:
        return compiles_anyway(surroundings(place, self.file).around)

    def place_returned(self, place: Node) -> int | None:
        return place_returned(surroundings(place, self.file).around)

    def places_called_once(self, place: Node) -> Sequence[int]:
        return places_called_once(surroundings(place, self.file).around)

    def is_listed(self, place: Node) -> bool:
        return handing(surroundings(place, self.file).around, self._name).is_listed

    def are_experiments(self, place: Node) -> bool:
        return are_experiments(surroundings(place, self.file).around)

    def trains(self, function: FuncItem) -> bool:
        return trains(self.file, function)

    def defined(self, function: FuncItem) -> Defined | None:
        around = functions_around(function.line, self.file)
        own = next((item for item in around if item.node is function), None)
        if own is None:
            return None
        named = [self._name(node) for decorator in own.decorators for node in applying(decorator)]
        compilers = [name for decorator in own.decorators for name in compilers_in(decorator, self.file)]
        decorators = frozenset((*named, *compilers))
        is_handler = handles_requests(own.decorators, self._name)
        return Defined(
            own.node.name, bool(function.info), decorators, _overrides(function), makes_functions(own.node), is_handler
        )

    def runs_elsewhere(self, function: FuncItem) -> Runs:
        is_plain = isinstance(function, FuncDef) and not function.info and function not in self.file.decorators
        return Runs.NEVER if is_plain and _is_script(self.file) else Runs.AGAIN

    def has_users(self, function: FuncItem) -> bool:
        return True

    def is_offered(self, function: FuncItem) -> bool:
        return False

    def is_example(self, place: Node, function: FuncItem) -> bool:
        return False

    def program_of(self, place: Node) -> None:
        return None

    def outer(self, function: FuncItem) -> FuncItem | None:
        around = surroundings(function, self.file)
        return around.function if handing(around.around, self._name).how is not Handed.HOST else None

    def uses(self, function: FuncItem) -> Uses[Node]:
        return places_using(self.file, function) if isinstance(function, FuncDef) else Uses()

    def _name(self, node: Expression) -> str:
        return full_name(node, self.file.tree)


def _overrides(function: FuncItem) -> bool:
    classes = function.info.mro if function.info else []
    return any(function.name in base.names for base in classes[1:]) or any(cls.fallback_to_any for cls in classes)


@once_per_file
def _is_script(file: CheckedFile) -> bool:
    return has_guard(file.tree) and not looks_up_names(nodes_below(file.tree))


@once_per_file
def _compiled_names(file: CheckedFile) -> Compiled:
    return compiled_names(file.tree)


def is_in_set_up(node: Node, file: CheckedFile) -> bool:
    """Whether code stands in a function that sets something up, by its name."""
    return any(naming.is_set_up(function.node.name) for function in functions_around(node.line, file))


def is_in_named_set_up(node: Node, file: CheckedFile) -> bool:
    """The same without constructors."""
    return any(naming.is_named_set_up(function.node.name) for function in functions_around(node.line, file))


def is_in_test(line: int, file: CheckedFile) -> bool:
    """Whether code at this line stands in a test, or in a module of tests."""
    if naming.is_test_module(file.tree.fullname):
        return True
    return any(_is_of_test(function.node) for function in functions_around(line, file))


def _is_of_test(function: FuncDef) -> bool:
    bases = function.info.mro if function.info else []
    return naming.is_test(function.name) or any(base.fullname == naming.TEST_CASE for base in bases)
