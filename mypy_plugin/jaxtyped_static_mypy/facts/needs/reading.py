"""What is kept of a function: the parameters whose values it needs, those that it passes on, or makes its result of."""

from collections.abc import Sequence

from mypy.nodes import Argument, FuncDef, NameExpr, Node

from ...syntax.assignments import TARGETING, targets_of
from ...syntax.trees import YIELDS, has_kind, kinds_below, names_declared_outside
from ..functions.scope import ModuleNames
from ..functions.steps import FunctionFacts, ModuleFacts, uses_of
from .recording import NOTHING, Walk
from .statements import walk_block


def read_needs(
    function: FuncDef, nodes: Sequence[Node], names: ModuleNames, *, is_bound: bool = False
) -> FunctionFacts:
    """By the position and the name of each parameter; nothing of a generator or coroutine, which runs later.

    `nodes`: those of its body. `is_bound`: the first parameter is the object of a method, of which nothing is said.
    """
    if function.is_coroutine or has_kind(nodes, YIELDS):
        return {}
    own = [argument for argument in function.arguments if not argument.kind.is_star()]
    places = {argument.variable.name: _place(index, argument) for index, argument in enumerate(own)}
    if is_bound and own:
        del places[own[0].variable.name]
    binding = (node for node in nodes if type(node) in TARGETING)
    bound = {target.name for node in binding for target in targets_of(node) if isinstance(target, NameExpr)}
    defined = {node.name for node in kinds_below(function.body).of(FuncDef)}
    hidden = frozenset({*(argument.variable.name for argument in function.arguments), *bound, *defined})
    walk = Walk(names, hidden)
    walk.reached = frozenset(places) - names_declared_outside(nodes)
    end = walk_block(function.body.body, {name: frozenset({name}) for name in walk.reached}, walk)
    facts: FunctionFacts = {}
    if needs := [[places[name], name, kind] for name, kind in sorted(walk.found.needs.items())]:
        facts["needs"] = needs
    if hands := [[places[one.parameter], *one] for one in sorted(walk.found.handed)]:
        facts["hands"] = hands
    returned = NOTHING if end.arrives or not walk.returned else frozenset.intersection(*walk.returned)
    if computes := [[places[name], name] for name in sorted(returned)]:
        facts["computes"] = computes
    return facts


def without_idle(found: ModuleFacts, module: str) -> ModuleFacts:
    """The facts of a module, without parameters that it hands to functions of its own that need nothing."""
    idle = True
    while idle:
        idle = False
        for read in found.values():
            hands = read.get("hands", [])
            kept = [hand for hand in hands if _may_need(hand[2], found, module)]
            if len(kept) < len(hands):
                read["hands"], idle = kept, True
    return {name: facts for name, read in found.items() if (facts := _without_empty(read))}


def _without_empty(facts: FunctionFacts) -> FunctionFacts:
    if facts.get("hands") == []:
        del facts["hands"]
    return facts


def _may_need(function: str, found: ModuleFacts, module: str) -> bool:
    owner, _, name = function.rpartition(".")
    facts = found.get(uses_of(name), {})
    return owner != module or bool(facts.get("needs") or facts.get("hands"))


def _place(index: int, argument: Argument) -> int | None:
    return index if argument.kind.is_positional() else None
