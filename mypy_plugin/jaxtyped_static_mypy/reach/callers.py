"""The places of a file that call a function, have it compiled, or hand it on."""

from collections.abc import Sequence

from mypy.nodes import CallExpr, FuncDef, MemberExpr, NameExpr, Node, TypeInfo, Var

from ..facts.method_facts import MAKING
from ..knowledge import naming
from ..source.checked_file import CheckedFile, once_per_file
from ..source.handing import Handed, Handing, handing
from ..source.starting import is_start
from ..source.surroundings import surroundings
from ..syntax.imports import full_name
from .kept_calls import calls_of_holder
from .program import Uses
from .receiving import has_method, is_of_another_class
from .uses import CERTAIN, Naming, Use, uses_of


@once_per_file
def places_using(file: CheckedFile, function: FuncDef) -> Uses[Node]:
    """The calls of a function, and its other uses. Methods are found by name."""
    if function.info and function.name in MAKING:
        return Uses(constructions(function.info, file))
    if function.info and naming.is_special(function.name):
        return Uses(_calls_of_objects(function, file), is_open=True)
    calls: list[Node] = []
    handed: dict[Handed, list[Node]] = {how: [] for how in Handed}
    likely = uses_of(file, function).likely
    for use in (use for use in likely if not _is_of_another(use, function, file)):
        call = use.call or _starting_call(use, file)
        if call is not None:
            calls.append(call)
        elif function.is_property:
            calls.append(use.expression)
        elif use.naming is not Naming.ATTRIBUTE or _may_hand_on(use, file):
            found = _handing(use, file)
            kept = kept_calls(use, file)
            calls += kept
            if not kept:
                handed[Handed.CALLED if found.is_call else found.how].append(use.expression)
    called = calls + handed[Handed.CALLED]
    on = [*handed[Handed.ON], *handed[Handed.LEAVES], *handed[Handed.HOST]]
    return Uses(called, on, handed[Handed.COMPILED])


def kept_calls(use: Use, file: CheckedFile) -> Sequence[CallExpr]:
    """The calls of a function through a variable that is given it at a use which means it for sure."""
    return calls_of_holder(_handing(use, file).holder, file) if use.naming in CERTAIN else ()


def _handing(use: Use, file: CheckedFile) -> Handing:
    return handing(surroundings(use.expression, file).around, lambda callee: full_name(callee, file.tree))


def callers_of(file: CheckedFile, function: FuncDef) -> list[Node] | None:
    """The calls of a function; None if there are none, or if it is used in another way."""
    if function.info and naming.is_special(function.name):
        return None
    calls, *others = places_using(file, function)[:3]
    return list(calls) if calls and not any(others) else None


def constructions(info: TypeInfo, file: CheckedFile) -> list[CallExpr]:
    """The calls of a class in the file."""
    uses = (node for node in file.uses_by_name.get(info.name, ()) if node.node is info)
    return file.calls_at(uses)


def _calls_of_objects(function: FuncDef, file: CheckedFile) -> list[Node]:
    """The calls of objects whose `__call__` a method is: `net(x)`."""
    if function.name != "__call__":
        return []
    return [call for callee, call in file.calls_by_callee.items() if has_method(callee, function, file)]


def _is_of_another(use: Use, function: FuncDef, file: CheckedFile) -> bool:
    return use.naming is Naming.ATTRIBUTE and is_of_another_class(use.expression, function, file)


def _may_hand_on(use: Use, file: CheckedFile) -> bool:
    """Whether an attribute with the name of a method may be that: not in `config.train.steps`.

    Nor is it that of an object of another module, which hardly holds one of the class.
    """
    holder = use.expression.expr if isinstance(use.expression, MemberExpr) else None
    variable = holder.node if isinstance(holder, NameExpr) else None
    is_foreign = isinstance(variable, Var) and variable.fullname.rpartition(".")[0] not in ("", file.tree.fullname)
    return not is_foreign and not isinstance(surroundings(use.expression, file).parent, MemberExpr)


def _starting_call(use: Use, file: CheckedFile) -> CallExpr | None:
    """The call by which the program starts with a function: `app.run(train)`, below `if __name__ == "__main__"`."""
    _, *outer = surroundings(use.expression, file).around
    call = outer[0] if outer else None
    return call if isinstance(call, CallExpr) and is_start(use.expression, outer, file.tree) else None
