"""Whether what a function makes never leaves it: its code only calls that, and drops it."""

from collections.abc import Container, Iterator
from typing import Final

from mypy.nodes import (
    AssignmentStmt,
    CallExpr,
    ClassDef,
    DictionaryComprehension,
    Expression,
    ForStmt,
    FuncDef,
    GeneratorExpr,
    IfStmt,
    MemberExpr,
    NameExpr,
    Node,
    Statement,
    SymbolNode,
    TypeInfo,
    Var,
    WhileStmt,
)
from mypy.types import Instance, get_proper_type

from ..facts.set_facts import CONSTRUCTORS
from ..source.bindings import bindings_of, made_by
from ..source.checked_file import CheckedFile
from ..source.surroundings import Surroundings, surroundings
from ..syntax.arguments import named_arguments
from ..syntax.decorators import last_names
from ..syntax.names import is_self
from ..syntax.trees import nodes_below
from .callers import constructions
from .lives import VALUE, life_of
from .parts import ANY_ITEM, Path
from .passing import symbols_of
from .uses import CERTAIN, Use, uses_of

_LOOPS: Final = (ForStmt, WhileStmt, GeneratorExpr, DictionaryComprehension)
_LEAVES_AS_IS: Final = frozenset({"classmethod", "property", "staticmethod"})


def is_used_up_on_each_pass(site: Surroundings, file: CheckedFile, paths: tuple[Path, ...] = VALUE) -> bool:
    """Whether the value is only called, on the same pass of the same loop, and not kept.

    `paths`: from what is made at the site to the value, if that only holds it.
    """
    return not life_of(file, site.around[0], paths).is_looped and _is_used_up_on_pass(site, file, paths)


def serves_pass(site: Surroundings, file: CheckedFile, paths: tuple[Path, ...] = VALUE) -> bool:
    """The same where a loop in that pass may call it many times."""
    return _is_used_up_on_pass(site, file, paths, may_loop=True)


def _is_used_up_on_pass(
    site: Surroundings, file: CheckedFile, paths: tuple[Path, ...], *, may_loop: bool = False
) -> bool:
    life = life_of(file, site.around[0], paths)
    renewed = _renewed_at(site)
    places = (_without(life.over, surroundings(node, file)) for node in life.places)
    on_pass = [_is_on_pass(place, site, renewed, may_loop=may_loop) for place in places]
    return life.is_used_up and True in on_pass and False not in on_pass


def _is_on_pass(place: Surroundings, site: Surroundings, renewed: Statement | None, *, may_loop: bool) -> bool | None:
    """Whether the value is used on the pass that made it; None if that is not known, or the loop is over.

    `renewed`: the statement of the loop behind which the variable has a value of this pass. `may_loop`: also by a loop
    in it.
    """
    if place.function is not site.function:
        return False if place.loops and not may_loop else None
    if len(place.loops) < len(site.loops):
        return None
    if (place.loops[-len(site.loops) :] if may_loop else place.loops) != site.loops:
        return False
    is_behind = renewed is not None and (renewed.end_line or renewed.line) < place.around[0].line
    return site.block in place.around or is_behind


def _renewed_at(site: Surroundings) -> Statement | None:
    """The statement of the loop's body that binds the variable for the value, if each pass binds it there or before."""
    assignment, loop = site.parent, site.loops[0] if site.loops else None
    if not isinstance(assignment, AssignmentStmt) or not isinstance(loop, (ForStmt, WhileStmt)):
        return None
    variable = assignment.lvalues[0].node if isinstance(assignment.lvalues[0], NameExpr) else None
    index = next((index for index, statement in enumerate(loop.body.body) if statement in site.around), None)
    if variable is None or index is None:
        return None
    before = loop.body.body[: index + 1]
    return before[-1] if any(_always_binds(statement, variable) for statement in before) else None


def _always_binds(statement: Statement, variable: SymbolNode) -> bool:
    if isinstance(statement, AssignmentStmt):
        return any(isinstance(target, NameExpr) and target.node is variable for target in statement.lvalues)
    if not isinstance(statement, IfStmt) or statement.else_body is None:
        return False
    blocks = (*statement.body, statement.else_body)
    return all(any(_always_binds(part, variable) for part in block.body) for block in blocks)


def is_used_up_on_each_call(site: Surroundings, file: CheckedFile, paths: tuple[Path, ...] = VALUE) -> bool:
    """Whether the value never leaves the function around it, which calls it outside of loops.

    In a loop, one compilation may serve many calls.
    """
    if site.is_called and paths == VALUE:
        return True
    life = life_of(file, site.around[0], paths)
    is_looped = life.is_looped or any(set(surroundings(node, file).loops) - life.over for node in life.places)
    return life.is_used_up and not life.is_global and not is_looped


def place_of(made: Node, file: CheckedFile) -> Surroundings:
    """What is around a value, without the loop that collects it with others: `[jax.jit(f) for f in functions]`."""
    place = surroundings(made, file)
    if not place.loops or place.is_called:
        return place
    return _without(life_of(file, made, VALUE).collected, place)


def _without(loops: Container[Node], place: Surroundings) -> Surroundings:
    left = (tuple(loop for loop in found if loop not in loops) for found in (place.loops, place.repeating))
    return Surroundings(place.around, place.function, *left)


def never_leaves(site: Surroundings, file: CheckedFile, paths: tuple[Path, ...] = VALUE) -> bool:
    """Whether the value is only called in the function around it, or by what that hands it to."""
    life = life_of(file, site.around[0], paths)
    return life.is_used_up and not life.is_global


def places_in_call(site: Surroundings, file: CheckedFile) -> list[Surroundings] | None:
    """Where the function around a value calls it, or what calls it; None if the value may outlive the call of that.

    Unlike `never_leaves`, other compiled functions may call it, if they end with the same call.
    """
    life = life_of(file, site.around[0], VALUE)
    if not life.ends_with_call or life.is_global or site.function is None:
        return None
    places = (surroundings(node, file) for node in life.places)
    return [place for place in places if place.function is site.function]


def results_used_up(value: Node, maker: FuncDef, file: CheckedFile) -> Iterator[Node]:
    """The calls of the function that makes a value, and returns it, where the caller calls that, and drops it.

    The function may return it in a tuple or a dict, or make an object that has it.
    """
    paths = _returned(value, maker, file)
    for result in _results(maker, file) if paths else ():
        site = surroundings(result, file)
        used_up = is_used_up_on_each_pass if site.repeating else is_used_up_on_each_call
        if used_up(site, file, paths) and not _serves_loop(site, file, paths):
            yield result


def results_serving_loops(value: Node, maker: FuncDef, file: CheckedFile) -> Iterator[Node]:
    """The same where the caller calls it in a loop, too, and drops it after that."""
    paths = _returned(value, maker, file)
    for result in _results(maker, file) if paths else ():
        site = surroundings(result, file)
        serves = serves_pass if site.repeating else never_leaves
        is_looped = life_of(file, result, paths).is_looped or _is_called_in_loop(site, file, paths)
        if is_looped and serves(site, file, paths):
            yield result


def _is_called_in_loop(site: Surroundings, file: CheckedFile, paths: tuple[Path, ...]) -> bool:
    """Whether a loop that is not around the site calls the value."""
    life = life_of(file, site.around[0], paths)
    places = (surroundings(node, file) for node in life.places)
    return any(len(set(place.loops) - life.over) > len(site.loops) for place in places)


def _returned(value: Node, maker: FuncDef, file: CheckedFile) -> tuple[Path, ...]:
    """What leads from the result of the function to the value; empty if it may go elsewhere, too."""
    decorator, life = file.decorators.get(maker), life_of(file, value, VALUE)
    is_kept = decorator is not None and not _LEAVES_AS_IS.issuperset(last_names(decorator))
    return () if life.leaves or life.is_compiled_in or is_kept else life.returned


def calls_through(use: Node, file: CheckedFile) -> list[CallExpr]:
    """The calls of a function where a name hands it on: to a parameter that is called, or as a result of its maker.

    Empty if it may go elsewhere, too, as into an object, or if something else is made of it.
    """
    own, maker = life_of(file, use, VALUE), surroundings(use, file).function
    is_plain = isinstance(maker, FuncDef) and maker not in file.decorators
    results = list(_results(maker, file)) if own.returned and is_plain and isinstance(maker, FuncDef) else []
    later = [life_of(file, result, own.returned) for result in results]
    lives = [own, *later]
    if any(life.leaves or life.is_compiled_in or life.is_looped for life in lives):
        return []
    if any(life.returned for life in later) or (own.returned and not later):
        return []
    calls = [call for life in lives for call in life.calls]
    plain = [call for call in calls if isinstance(call, CallExpr) and isinstance(call.callee, NameExpr)]
    return plain if len(plain) == len(calls) else []


def serves_each_call(value: Node, maker: FuncDef, file: CheckedFile) -> bool:
    """Whether an object keeps what its constructor makes to itself, for as many calls as it gets of its methods.

    A method with a loop may use it many times, and so may a base or a class of another module.
    """
    info = maker.info
    bases = [base for base in info.mro[1:-1] if base.module_name != file.tree.fullname]
    methods = [node for node in nodes_below(info.defn.defs) if isinstance(node, FuncDef) and node is not maker]
    if bases or info.fallback_to_any or not _returned(value, maker, file):
        return False
    return not any(isinstance(node, _LOOPS) for method in methods for node in nodes_below(method.body))


def drops_results(value: Node, maker: FuncDef, file: CheckedFile) -> bool:
    """Whether all callers that the file shows do so."""
    found = list(_results(maker, file))
    return bool(found) and len(list(results_used_up(value, maker, file))) == len(found)


def _results(maker: FuncDef, file: CheckedFile) -> Iterator[Expression]:
    if maker.info and maker.name in CONSTRUCTORS:
        yield from constructions(maker.info, file)
        return
    for use in uses_of(file, maker).all:
        result = use.expression if maker.is_property else use.call
        if result is not None and _means(use, maker, file):
            yield result


def _serves_loop(site: Surroundings, file: CheckedFile, paths: tuple[Path, ...]) -> bool:
    """Whether a loop calls another function of the same result.

    Then the caller does more than to call the value once, and minds the compilation less.
    """
    others = tuple((ANY_ITEM, *path[1:]) for path in paths if path and path[0].owner is None)
    return bool(others) and _is_called_in_loop(site, file, others)


def _means(use: Use, maker: FuncDef, file: CheckedFile) -> bool:
    """Whether a name means this function: that of a method on `self`, or on an object of its class."""
    holder = use.expression.expr if isinstance(use.expression, MemberExpr) else None
    if use.naming in CERTAIN or not maker.info or not isinstance(holder, NameExpr):
        return use.naming in CERTAIN
    if is_self(holder):
        around = surroundings(holder, file).around
        info = next((node.info for node in around if isinstance(node, ClassDef)), None)
    else:
        typ = get_proper_type(holder.node.type) if isinstance(holder.node, Var) else None
        info = typ.type if isinstance(typ, Instance) else _class_passed(holder, file)
    symbol = info.get(maker.name) if info is not None else None
    return symbol is not None and symbol.node in symbols_of(file.decorators.get(maker) or maker)


def _class_passed(name: NameExpr, file: CheckedFile) -> TypeInfo | None:
    """The class of which each call of the file makes an object for a parameter without annotation."""
    function = surroundings(name, file).function
    if not isinstance(function, FuncDef) or function.info:
        return None
    names = [one.variable.name for one in function.arguments if not one.kind.is_star()]
    own = [one for one in function.arguments if one.variable is name.node and one.type_annotation is None]
    if not own or any(not binding.is_parameter for binding in bindings_of(name.node, file)):
        return None
    passed = [named_arguments(call, names).get(name.name) for call in uses_of(file, function).calls(CERTAIN)]
    made = [made_by(value, file) if value is not None else None for value in passed]
    callees = [getattr(value.callee, "node", None) if isinstance(value, CallExpr) else None for value in made]
    first = callees[0] if callees else None
    return first if isinstance(first, TypeInfo) and all(callee is first for callee in callees) else None
