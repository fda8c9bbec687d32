"""Reads what the functions and classes of a module do as decorators, or as helpers of one."""

from collections.abc import Iterator

from mypy.nodes import CallExpr, ClassDef, Decorator, FuncDef, MypyFile, OverloadedFuncDef, Statement

from ...compat.modules import is_installed
from ...knowledge.full_names import COMPUTING
from ...syntax.names import dotted_name
from ...syntax.trees import nodes_below
from ..class_body import ClassBody
from ..needs.reading import read_needs, without_idle
from .array_uses import read_array_uses
from .asking import asked_of_tracers
from .definitions import defined_function, is_static_method, whole
from .drawing import drawn_by
from .expressions import UPDATES, forwarded, value_of, with_wraps
from .factories import read_factory
from .helper_functions import bind_parameters, may_return_its_argument, read_function, run, signature_of
from .loop_bodies import read_loop_alias, read_loop_bodies
from .scope import Changed, Made, ModuleNames, Scope, Wrapped
from .steps import FunctionFacts, ModuleFacts, Step, result_of, uses_of
from .storing import stored_by_function


def read_functions(file: MypyFile) -> ModuleFacts:
    """The facts of all functions and classes of a module that may be decorators, or helpers of one."""
    names = ModuleNames.of(file)
    found: ModuleFacts = {}
    for node in whole(file.defs):
        function = defined_function(node)
        facts = _read_class(node, names) if isinstance(node, ClassDef) else None
        if function is not None and may_return_its_argument(function):
            facts = read_function(function, Scope(names))
        if facts is not None and isinstance(node, (FuncDef, Decorator, OverloadedFuncDef, ClassDef)):
            found[node.name] = facts
        if function is not None and (factory := read_factory(function, names)) is not None:
            found[result_of(function.name)] = factory
        if function is not None and (uses := _read_uses(function, node, names)):
            found[uses_of(function.name)] = uses
        if isinstance(node, ClassDef):
            found |= _read_static_methods(node, names)
            found |= _read_uses_of_methods(node, names)
    for name, value in names.constants.items():
        if isinstance(value, CallExpr) and isinstance(made := value_of(value, Scope(names)), Made) and made.is_partial:
            steps: list[Step] = [{**made.step, "spreads": True}]  # it passes on whatever it is given
            found[name] = {"takes": "", "steps": steps, "options": False, "direct": True}
        if (alias := read_loop_alias(value, names)) is not None:
            found[uses_of(name)] = alias
    found = without_idle(found, file.fullname)
    return {name: facts for name, facts in found.items() if _is_telling(facts, found, file)}


def _read_uses(function: FuncDef, node: Statement, names: ModuleNames) -> FunctionFacts:
    """What a function does with its parameters. A decorated one may be compiled as a whole."""
    arrays = read_array_uses(function, names) or {}
    bodies = read_loop_bodies(function, names) if isinstance(node, FuncDef) else None
    return {**arrays, **(bodies or {}), **_read_body(function, names)}


def _read_body(function: FuncDef, names: ModuleNames, *, is_bound: bool = False) -> FunctionFacts:
    """What a function needs of its arguments, what it draws, and what it stores."""
    if is_installed(names.file):
        return {}
    nodes = nodes_below(function.body)
    facts, drawn = read_needs(function, nodes, names, is_bound=is_bound), drawn_by(function, nodes, names)
    if drawn:
        facts["draws"] = drawn
    if (stores := stored_by_function(function, names, is_bound=is_bound)) is not None:
        facts["stores"] = stores
    if not is_bound and (asks := asked_of_tracers(function, names)) is not None:
        facts["asks"] = asks
    return facts


def _is_telling(facts: FunctionFacts, found: ModuleFacts, file: MypyFile) -> bool:
    """Whether facts may matter. Those of a helper that only computes do not, and would change with each edit."""
    if "makes" in facts:
        return any(_may_make(name, found, file) for name in facts["makes"])
    for step in facts.get("steps", ()):
        owner, _, name = step["function"].rpartition(".")
        if owner.startswith(COMPUTING) or (owner == file.fullname and name not in found):
            return False
    return True


def _may_make(function: str, found: ModuleFacts, file: MypyFile) -> bool:
    owner, _, name = function.rpartition(".")
    return owner != file.fullname or result_of(name) in found


def _read_static_methods(node: ClassDef, names: ModuleNames) -> Iterator[tuple[str, FunctionFacts]]:
    """A class as a namespace: `@Tree.dataclass`, `Tree.static()`."""
    for statement in whole(node.defs.body):
        function = defined_function(statement)
        if function is not None and is_static_method(statement) and may_return_its_argument(function):
            facts = read_function(function, Scope(names))
            if facts is not None:
                yield f"{node.name}.{function.name}", facts


def _read_uses_of_methods(node: ClassDef, names: ModuleNames) -> Iterator[tuple[str, FunctionFacts]]:
    """What methods do with their arguments, and what they draw: those without decorators, and static ones."""
    for statement in whole(node.defs.body) if not is_installed(names.file) else ():
        is_static = is_static_method(statement)
        function = defined_function(statement)
        if function is None or not (is_static or isinstance(statement, FuncDef)):
            continue
        bodies = read_loop_bodies(function, names, is_bound=not is_static) or FunctionFacts()
        facts: FunctionFacts = {**bodies, **_read_body(function, names, is_bound=not is_static)}
        if facts:
            yield uses_of(f"{node.name}.{function.name}"), facts


def _called(function: FuncDef) -> Iterator[str]:
    """The names of what a function calls."""
    calls = (node for node in nodes_below(function.body) if isinstance(node, CallExpr))
    return (name for call in calls if (name := dotted_name(call.callee)) is not None)


def _read_class(node: ClassDef, names: ModuleNames) -> FunctionFacts | None:
    """A class whose objects are wrappers: `__init__` keeps the function, and `__call__` passes its calls on to it."""
    methods = ClassBody.of(node).methods
    init, call = methods.get("__init__"), methods.get("__call__")
    if init is None or call is None or len(init.arguments) < 2 or not call.arguments:
        return None
    scope = Scope(names)
    receiver = init.arguments[0].variable.name
    bind_parameters(init.arguments[1:], scope)
    list(run(init.body.body, scope))
    if isinstance(scope.values.get(receiver), Changed):
        return {"opaque": True}  # it has a signature of its own
    kept = {
        f"{call.arguments[0].variable.name}.{name.partition('.')[2]}": value
        for name, value in scope.values.items()
        if name.startswith(f"{receiver}.")
    }
    value = forwarded(call, Scope(names, kept), is_method=True)
    if UPDATES in (names.full_name(name) for name in _called(init)):
        value = with_wraps(value)
    first = init.arguments[1].variable.name
    if not isinstance(value, Wrapped) or value.takes != first:
        return None
    signature = signature_of(init, scope)
    signature["parameters"] = signature["parameters"][1:]
    return signature | {"takes": first, "steps": list(value.steps), "options": False, "direct": True}
