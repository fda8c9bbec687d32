"""The places that use a function through a variable: one that holds it, or one of several, or a table of them."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from mypy.nodes import AssignmentStmt, ClassDef, DictExpr, Expression, FuncItem, NameExpr, Node, RefExpr

from ...source.choices import is_choice, is_table, taken_from
from ...source.local_bindings import assignments_to, reaching
from ...source.surroundings import nodes_around
from .bodies import Body
from .owners import Owners, holder_of

_Places: TypeAlias = list[tuple[Expression, Body]]


@dataclass(frozen=True, eq=False)
class Standing:
    """What the variables of a module stand for. `text`: what an expression stands for, for `resolving`."""

    owners: Owners
    parents: Mapping[Node, Node]
    text: Callable[[Expression, Body], str | None]

    def places(self, holder: Node, body: Body) -> _Places:
        """What stands for the function that a statement assigns, or puts into a table; none if that is not known."""
        if isinstance(holder, DictExpr):
            parent = self.parents.get(holder)
            return self._taken(parent, body) if isinstance(parent, AssignmentStmt) else []
        if not isinstance(holder, AssignmentStmt):
            return []
        return self._taken(holder, body) if is_table(holder.rvalue) else list(self._named(holder, body))

    def _taken(self, table: AssignmentStmt, body: Body) -> _Places:
        """What code takes from a table; none if it does anything else with the table."""
        found = [(taken_from(self._around(name)), inner) for name, inner in self._named(table, body)]
        taken = [(place, inner) for place, inner in found if place is not None]
        return taken if len(taken) == len(found) else []

    def _named(self, holder: AssignmentStmt, body: Body) -> Iterator[tuple[NameExpr, Body]]:
        """The places that use a variable which holds what a statement assigns, or other functions."""
        target = holder.lvalues[0] if len(holder.lvalues) == 1 else None
        if not isinstance(target, NameExpr) or self._is_in_class(holder):
            return
        name, local = target.name, holder_of(target.name, body)
        owner = local if local is not None else _module_of(body)
        bound = owner.bound.get(name, [])
        if local is None and (body.name or (len(bound) == 1 and isinstance(holder.rvalue, RefExpr))):
            return  # the name of a module's function; what other functions make of a module is not known
        targets = self._targets(name, owner) if len(bound) > 1 else [(target, holder)]
        if len(targets) != len(bound):
            return
        places = [
            (node, inner) for node, inner in _uses(name, owner, local) if all(node is not one for one, _ in targets)
        ]
        for node, inner in places:
            if len(bound) == 1 or self._reaches(holder, node, inner, owner):
                yield node, inner

    def _targets(self, name: str, owner: Body) -> list[tuple[NameExpr, AssignmentStmt]]:
        """The places that assign functions to a name, if that is all which ever binds it."""
        found = [
            (target, statement)
            for statement in owner.makers.get(name, [])
            for target in statement.lvalues
            if isinstance(target, NameExpr) and target.name == name and not self._is_in_class(statement)
        ]
        are_choices = all(self._is_choice(statement.rvalue, owner) for _, statement in found)
        return found if are_choices else []

    def _is_choice(self, value: Expression, body: Body) -> bool:
        return is_choice(
            value, lambda node: self._is_function(node, body), lambda callee: self.owners.full_name(callee, body)
        )

    def _is_function(self, node: RefExpr, body: Body) -> bool:
        """Whether it names something; not a parameter, or what a call has returned or a table has."""
        text = self.text(node, body)
        return text is not None and not text.startswith("*") and not text.endswith("()") and "[]" not in text

    def _reaches(self, holder: AssignmentStmt, node: NameExpr, body: Body, owner: Body) -> bool:
        """Whether a use of a name may see an assignment; in another function it may see each."""
        if body is not owner:
            return True
        root = owner.function if owner.function is not None else self.owners.file
        found = reaching(assignments_to(node.name, root), node)
        return any(binding.statement is holder for binding in found)

    def _is_in_class(self, statement: Node) -> bool:
        around = (node for node in self._around(statement) if isinstance(node, FuncItem | ClassDef))
        return isinstance(next(around, None), ClassDef)

    def _around(self, node: Node) -> list[Node]:
        return nodes_around(node, self.parents)


def _module_of(body: Body) -> Body:
    while body.outer is not None:
        body = body.outer
    return body


def _uses(name: str, owner: Body, local: Body | None) -> Iterator[tuple[NameExpr, Body]]:
    """The places that use a name of a body, in it and in those nested in it."""
    pending = [owner]
    while pending:
        inner = pending.pop()
        pending += inner.nested
        if holder_of(name, inner) is local:
            yield from ((node, inner) for node in inner.nodes if isinstance(node, NameExpr) and node.name == name)
