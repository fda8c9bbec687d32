"""Follows a program: which values its loops pass to what JAX compiles, on the first pass and on the second."""

import ast
import builtins
import contextlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from jaxtyped_static_mypy.libraries import known_function

from . import members, statements
from .calls import changed_copy, instance, made, result_of, scope_of_call
from .classes import Class, class_of
from .conditions import constant_truth, runs_once
from .effort import EFFORT, OutOfSteps
from .expressions import ABOVE, VALUE_OF
from .functions import of_library
from .modules import Definition, Modules
from .passing import gradients, name_of, passed_to, rebuilt
from .scopes import Given, Passed, Scope
from .values import (
    NONE,
    UNKNOWN,
    ClassValue,
    Compiled,
    Function,
    Gradient,
    Library,
    ModuleValue,
    Object,
    Partial,
    Value,
    as_array,
    joined,
    mapped,
)

_STEPS: Final = 30_000  # expressions
_DEPTH: Final = 24  # of calls
_DEEP: Final = 12
_PASSES: Final = 2
_BUILTINS: Final = frozenset(dir(builtins))
_REGISTERING: Final = "register_dataclass"


@dataclass(eq=False)
class Machine:
    modules: Modules
    assumptions: Mapping[str, bool] = field(default_factory=dict)  # of conditions, by their text
    chosen: frozenset[ast.If] = frozenset()  # of which the body is followed
    passed: list[Passed] = field(default_factory=list)
    _known: dict[tuple[str, str], Value] = field(default_factory=dict)
    _classes: dict[ast.ClassDef, Class] = field(default_factory=dict)
    _active: list[ast.AST] = field(default_factory=list)
    _loops: list[int] = field(default_factory=list)
    _loops_run: int = 0
    steps: int = 0
    _traces: int = 0
    _doubts: int = 0
    _costs: int = 0

    def __post_init__(self) -> None:
        EFFORT.begin()

    # What is asked

    @property
    def is_traced(self) -> bool:
        return self._traces > 0

    @property
    def is_uncertain(self) -> bool:
        return self._doubts > 0

    @property
    def is_deep(self) -> bool:
        return len(self._active) > _DEEP

    @contextlib.contextmanager
    def tracing(self) -> Iterator[None]:
        self._traces += 1
        try:
            yield
        finally:
            self._traces -= 1

    @contextlib.contextmanager
    def uncertain(self) -> Iterator[None]:
        self._doubts += 1
        try:
            yield
        finally:
            self._doubts -= 1

    def value(self, node: ast.expr | None, scope: Scope) -> Value:
        self.steps += 1
        if self.steps > _STEPS:
            raise OutOfSteps
        find = VALUE_OF.get(type(node)) if node is not None else None
        return find(node, scope, self) if find is not None else NONE if node is None else UNKNOWN

    def execute(self, body: list[ast.stmt], scope: Scope) -> bool:
        for node in body:
            EFFORT.spend()
            run = statements.RUN.get(type(node))
            if run is not None and not run(node, scope, self):
                return False
        return True

    def bind(self, target: ast.expr, value: Value, scope: Scope) -> None:
        statements.bind(target, value, scope, self)

    def attribute(self, value: Value, name: str) -> Value:
        return members.attribute_of(value, name, self)

    def truth(self, test: ast.expr, scope: Scope) -> bool | None:
        return constant_truth(test, scope, self)

    def assumed(self, node: ast.If, scope: Scope) -> bool | None:
        if self.is_traced:
            return None
        known = self.assumptions.get(ast.unparse(node.test)) if self.assumptions else None
        return True if known is None and node in self.chosen else known

    # Loops

    def loop(self, node: ast.For | ast.While, begin: Callable[[], None], scope: Scope) -> bool:
        if self.is_traced:
            return self._traced_loop(node, begin, scope)
        self._loops_run += 1
        self._loops.append(self._loops_run)
        for _ in range(1 if runs_once(node) else _PASSES):
            begin()
            if not self.execute(node.body, scope):
                break
        self._loops.pop()
        return True

    def _traced_loop(self, node: ast.For | ast.While, begin: Callable[[], None], scope: Scope) -> bool:
        for _ in range(_PASSES):
            before = dict(scope.names)
            begin()
            if self.execute(node.body, scope):
                statements.join(scope, before)
            else:
                scope.names = before
        return True

    # Calls

    def call(self, function: Value, given: Given, node: ast.AST) -> Value:
        if isinstance(function, Partial):
            args, keywords = (*function.args, *given.args), {**function.keywords, **given.keywords}
            whole, inner = Given(args, keywords, given.is_open), function.function
            if isinstance(inner, Compiled):
                return self._call_compiled(inner, whole, node, len(function.args), is_method=function.is_method)
            return self.call(inner, whole, node)
        match function:
            case Compiled():
                return self._call_compiled(function, given, node, 0, is_method=False)
            case Library():
                return self._call_library(function.name, given, node)
            case Function():
                return self._call_function(function, given)
            case ClassValue():
                return made(function.cls, given, node, self)
            case Gradient():
                self._costs += 1
                return gradients(function, given, node, self)
            case Object() if function.cls.method("__call__") is not None:
                return self.call_method(function, "__call__", given, node)
        return UNKNOWN

    def call_method(self, owner: Object, name: str, given: Given, node: ast.AST) -> Value:
        return self.call(self.attribute(owner, name), given, node)

    def _call_library(self, name: str, given: Given, node: ast.AST) -> Value:
        if name == members.COPY:
            owner = given.args[0]
            rest = Given(given.args[1:], given.keywords, given.is_open)
            return changed_copy(owner, rest) if isinstance(owner, Object) else UNKNOWN
        if name == ABOVE:
            return UNKNOWN
        row = known_function(name)
        self._costs += (
            row.derives is not None or row.updates is not None or (row.calls is not None and row.calls.stages)
        )
        found = members.called(name, given)
        return found if found is not None else of_library(name, given, node, self)

    def _call_function(self, function: Function, given: Given) -> Value:
        if function.node in self._active or len(self._active) > _DEPTH:
            return UNKNOWN
        self._active.append(function.node)
        try:
            return result_of(function, scope_of_call(function, given, self), self)
        finally:
            self._active.pop()

    def _call_compiled(self, compiled: Compiled, given: Given, node: ast.AST, bound: int, *, is_method: bool) -> Value:
        before, is_outer = self._costs, not self.is_traced
        with self.tracing():
            found = self.call(compiled.function, rebuilt(given), node)
        if is_outer and self._loops and isinstance(node, ast.Call):
            leaves = passed_to(compiled, given)
            is_costly = self._costs > before
            name = name_of(compiled)
            self.passed.append(Passed(node, compiled, self._loops[-1], leaves, bound, is_method, name, is_costly))
        return found if compiled.filters else mapped([found], lambda leaves: as_array(leaves[0]))

    # Names

    def resolve(self, name: str, scope: Scope) -> Value:
        key = scope.module, name
        if key not in self._known:
            self._known[key] = UNKNOWN  # as long as it is being found
            self._known[key] = self._resolved(name, scope.module)
        return self._known[key]

    def _resolved(self, name: str, module: str) -> Value:
        found = self.modules.find(module)
        definitions = found.definitions.get(name, []) if found is not None else []
        if not definitions:
            return Library(f"builtins.{name}") if name in _BUILTINS else UNKNOWN
        values = [self._defined(one, module) for one in definitions]
        if isinstance(definitions[0], ast.alias):  # another one stands where the first cannot be imported
            return values[0]
        result = values[0]
        for value in values[1:]:
            result = joined(result, value)
        return values[-1] if all(isinstance(one, ast.FunctionDef) for one in definitions) else result

    def _defined(self, node: Definition, module: str) -> Value:
        scope = Scope(module)
        if isinstance(node, ast.alias):
            found = self.modules.find(module)
            return self.imported(found.imports[node]) if found is not None else UNKNOWN
        if isinstance(node, ast.FunctionDef):
            return self.decorated(Function(node, module, scope), scope)
        return self.class_value(node, scope) if isinstance(node, ast.ClassDef) else self.value(node, scope)

    def imported(self, name: str) -> Value:
        if self.modules.is_own(name):
            return ModuleValue(name)
        outer, _, last = name.rpartition(".")
        if outer and self.modules.find(outer) is not None:
            return self.resolve(last, Scope(outer))
        return UNKNOWN if outer and self.modules.is_own(outer) else Library(name)

    def is_package(self, module: str) -> bool:
        found = self.modules.find(module)
        return found is not None and found.is_package

    def decorated(self, function: Function, scope: Scope) -> Value:
        assert isinstance(function.node, ast.FunctionDef)
        found: Value = function
        for decorator in reversed(function.node.decorator_list):
            if not members.is_kind(decorator):
                found = self.call(self.value(decorator, scope), Given((found,)), decorator)
        return found

    def class_value(self, node: ast.ClassDef, scope: Scope) -> Value:
        if node not in self._classes:
            cls = class_of(node, scope, self)
            found = self.modules.find(scope.module)
            cls.registered = _registered(node.name, found.tree) if found is not None else None
            self._classes[node] = cls
        return ClassValue(self._classes[node])

    def class_named(self, annotation: ast.expr, scope: Scope) -> Class | None:
        found = self.value(annotation, scope)
        return found.cls if isinstance(found, ClassValue) else None

    def instance(self, cls: Class) -> Value:
        return instance(cls, self)


def _registered(name: str, tree: ast.Module) -> frozenset[str] | None:
    """The fields that are no leaves, of a class that a call registers; None if none does."""
    for node in tree.body:
        call = node.value if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) else None
        if call is None or _REGISTERING not in ast.unparse(call.func) or not call.args:
            continue
        if isinstance(call.args[0], ast.Name) and call.args[0].id == name:
            listed = next((word.value for word in call.keywords if word.arg == "meta_fields"), None)
            parts = ast.walk(listed) if listed is not None else ()
            return frozenset(str(part.value) for part in parts if isinstance(part, ast.Constant))
    return None
