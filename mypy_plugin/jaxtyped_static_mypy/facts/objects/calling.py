"""Reads where a module calls functions and classes, or hands them on."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final, NamedTuple

from mypy.nodes import (
    AssignmentStmt,
    CallExpr,
    ConditionalExpr,
    Expression,
    FuncDef,
    IndexExpr,
    LambdaExpr,
    MemberExpr,
    NameExpr,
    Node,
    OpExpr,
    StrExpr,
    SuperExpr,
)

from ...knowledge import naming
from ...source.compiled_in import CompiledIn
from ...source.debugging import Compiled, compiled_names, is_for_debugging
from ...source.handing import Handed, Handing, handing, is_in_traced_lambda
from ...source.made_for_others import is_made_for_others
from ...source.once import Code
from ...source.own_programs import Key, keys_varied, needs_own_programs
from ...source.parts_of_passes import ends_with_pass
from ...source.passes_apart import are_apart, are_experiments
from ...source.passes_that_differ import compiles_anyway
from ...source.returned_functions import is_only_used, place_returned, places_called_once
from ...source.starting import is_start
from ...source.surroundings import nodes_around, parents_below, surroundings_in
from ...syntax.arguments import arguments_of
from ...syntax.imports import imported_names
from ...syntax.literals import are_written_out
from ...syntax.names import is_named
from .bodies import Body
from .building import follows_making
from .conditions import Conditions, given_to
from .defining import read_functions
from .owners import Owners, holder_of, is_own
from .several import SeveralOwners
from .standing import Standing
from .uses import NO_METHOD, Function, Use

_MAX_NAMES: Final = 8  # that stand for one another
_OBJECTS: Final = (CallExpr, ConditionalExpr, IndexExpr, MemberExpr, NameExpr, OpExpr)  # what may stand for one


class Calls(NamedTuple):
    """The functions of a module, and what it does with any: these parts of its `ModuleUses`."""

    functions: Mapping[str, Function]
    uses: tuple[Use, ...]
    unknown: frozenset[str]


def read_calls(
    found: list[Body], owners: Owners, several: SeveralOwners, bases: Mapping[str, tuple[str, ...]]
) -> Calls:
    """`bases`: those of the module's classes."""
    reader = _Reader(found, owners, several, bases)
    uses = [use for body in found for use in reader.uses(body)]
    known = tuple(use for use in uses if use.what and is_own(use.what))
    unknown = frozenset(name for body in found for name in reader.unknown(body))
    return Calls(read_functions(found, owners, reader.compiled_in), known, unknown)


@dataclass(frozen=True)
class _Reader:
    """One module."""

    found: list[Body]
    owners: Owners
    several: SeveralOwners
    bases: Mapping[str, tuple[str, ...]]
    _conditions: Conditions = field(default_factory=Conditions, init=False)

    @cached_property
    def _parents(self) -> Mapping[Node, Node]:
        return parents_below(self.owners.file)

    @cached_property
    def _code(self) -> Code:
        return Code(self.owners.file)

    @cached_property
    def _standing(self) -> Standing:
        return Standing(self.owners, self._parents, self._text)

    @cached_property
    def compiled_in(self) -> CompiledIn:
        return CompiledIn(self.owners.file)

    @cached_property
    def _compiled(self) -> Compiled:
        return compiled_names(self.owners.file)

    def uses(self, body: Body) -> Iterator[Use]:
        """What a function calls, and what it hands on."""
        calls = {call.callee: call for call in body.calls}
        passed = _passed(body)
        for node in body.nodes:
            if node in calls:
                yield from self._used(node, calls[node], body)
            elif node not in passed and isinstance(node, (NameExpr, MemberExpr)):
                what = self._text(node, body)
                if what is not None and is_own(what):
                    yield from self._named(what, node, body)
                elif what is None and isinstance(node, MemberExpr) and self._is_compiled(node, body):
                    may_be = self._may_be(node, body)
                    yield Use(f".{node.name}", body.name, node.line, is_call=False, is_compiled=True, may_be=may_be)
            elif isinstance(node, CallExpr) and self._is_compiled(node, body):
                made = self._text(node, body)  # an object: `jax.jit(Model())`
                if made is not None and is_own(made):
                    yield Use(made, body.name, node.line, is_call=False, is_compiled=True)

    def _named(self, what: str, node: Expression, body: Body, names: int = 0) -> Iterator[Use]:
        """A use that does not call what it names, or not itself. `names`: of those that already stand for it."""
        around = self._around(node)
        is_start_here = is_start(node, around[1:], self.owners.file)
        handed = self._handing(node, body)
        is_batched = self._is_batched(node, body)
        last, outer = self._in_place(node, body)[-1]
        if handed.how is Handed.NAMED:
            return
        kept = self._standing.places(handed.holder, body) if names < _MAX_NAMES and handed.holder is not None else []
        if kept:
            found = (use for place, inner in kept for use in self._kept(what, place, inner, names + 1))
            needs = self._conditions.of(around, body)
            yield from (
                use._replace(
                    is_staged=use.is_staged or handed.is_staged,
                    is_batched=use.is_batched or is_batched,
                    needs=tuple(dict.fromkeys((*use.needs, *needs))) if use.where == body.name else use.needs,
                )
                for use in found
            )
            return
        yield Use(
            what,
            outer.name,
            node.line,
            is_call=is_start_here or handed.is_call,
            is_repeated=handed.how is Handed.HOST or (handed.is_call and self._is_repeated(node, body)),
            is_once=handed.how is Handed.PROCESS,
            is_compiled=handed.how is Handed.COMPILED,
            is_traced=self._is_traced(around, body),
            to=handed.to,
            is_staged=handed.is_staged,
            is_batched=is_batched,
            is_apart=handed.items is not None,
            is_listed=handed.is_listed,
            is_alias=isinstance(around[1], AssignmentStmt),
            returned=place_returned(around),
            needs=self._conditions.of(self._around(last), outer),
        )

    def _kept(self, what: str, node: Expression, body: Body, names: int) -> Iterator[Use]:
        """A use of a variable that holds a function, or what JAX makes of it."""
        around = self._around(node)
        call = around[1] if len(around) > 1 else None
        if isinstance(call, CallExpr) and call.callee is node:
            yield self._call(what, call, around[1:], body)._replace(passed=None)
        else:
            yield from self._named(what, node, body, names)

    def _is_traced(self, around: list[Node], body: Body) -> bool:
        is_lambda = isinstance(body.function, LambdaExpr)
        return is_lambda and is_in_traced_lambda(around, lambda callee: self.owners.full_name(callee, body))

    def _used(self, callee: Expression, call: CallExpr, body: Body) -> Iterator[Use]:
        texts = [self._text(callee, body)]
        if isinstance(callee, MemberExpr) and texts == [None]:
            texts = [f".{callee.name}"]
        if isinstance(callee, SuperExpr):
            texts = [f"{base}().{callee.name}" for base in self.bases.get(body.cls, ())]
        own = [text for text in texts if text is not None and is_own(text)]
        if own:
            around = self._around(call)
            may_be = self._may_be(callee, body) if isinstance(callee, MemberExpr) else ""
            may_be = may_be if may_be not in own else ""
            yield from (self._call(text, call, around, body)._replace(may_be=may_be) for text in own)

    def _may_be(self, node: MemberExpr, body: Body) -> str:
        text = self.several.of(node, body)
        return text if text is not None and is_own(text) else ""

    def _given(self, call: CallExpr, body: Body) -> Iterator[tuple[int | str, str]]:
        """The objects that a call passes, as far as the module shows what they may be."""
        for key, value in arguments_of(call, lambda name: self._followed(name, body)):
            text = self.several.of(value, body) if isinstance(value, _OBJECTS) else None
            if text is not None and is_own(text):
                yield key, text

    def _call(self, what: str, call: CallExpr, around: list[Node], body: Body) -> Use:
        is_repeated = self._is_repeated(call, body)
        last, outer = self._in_place(call, body)[-1]
        is_once = bool(body.name) and self._code.is_once(around, body.foreign)
        return Use(
            what,
            outer.name,
            call.line,
            True,
            is_repeated,
            is_once,
            is_traced=self._is_traced(around, body) or is_for_debugging(around, self._compiled),
            takes_constants=are_written_out(call.args),
            is_batched=self._is_batched(call, body),
            gives=tuple(self._given(call, body)),
            is_apart=is_repeated and are_apart(around, imported_names(self.owners.file)),
            are_experiments=is_repeated and are_experiments(around),
            compiles_anyway=is_repeated and compiles_anyway(around),
            varies=self._varied(around) if is_repeated else (),
            needs=self._conditions.of(self._around(last), outer),
            passed=given_to(call, body) if last is call else None,
            called_once=places_called_once(around),
            ends_with_pass=is_repeated and naming.is_class(what) and ends_with_pass(around),
            makes_other_code=is_repeated and naming.is_class(what) and needs_own_programs(around, self.compiled_in),
            is_made_for_others=is_made_for_others(around),
            is_building=follows_making(around, body, self.owners),
            is_dropped=naming.is_class(what) and is_only_used(around),
        )

    def _varied(self, around: list[Node]) -> tuple[tuple[Key, ...], ...]:
        return tuple(tuple(sorted(keys, key=str)) for keys in keys_varied(around, self.compiled_in))

    def unknown(self, body: Body) -> Iterator[str]:
        """The attributes of objects of which the syntax does not show what they are, where they are not called.

        As `train.` where an attribute of it is read, `config.train.steps`: then it is no method.
        """
        elsewhere = {call.callee for call in body.calls} | body.assigned
        read = {node.expr for node in body.by_kind.of(MemberExpr)}
        for node in body.nodes:
            if isinstance(node, MemberExpr):
                if node not in elsewhere and self.owners.of(node, body) is None and not self._is_compiled(node, body):
                    yield f"{node.name}{NO_METHOD}" if node in read else node.name
            elif isinstance(node, CallExpr) and is_named(node.callee, "getattr") and len(node.args) > 1:
                yield from (node.value for node in node.args[1:2] if isinstance(node, StrExpr))

    def _is_compiled(self, node: Expression, body: Body) -> bool:
        return self._handing(node, body).how is Handed.COMPILED

    def _text(self, node: Expression, body: Body) -> str | None:
        """What an expression stands for: it may name a function that is nested in this one, or in one around it."""
        nested = self._nested(node.name, body) if isinstance(node, NameExpr) else None
        return nested if nested is not None else self.owners.of(node, body)

    def _nested(self, name: str, body: Body) -> str | None:
        holder = holder_of(name, body)
        if holder is None or len(holder.bound[name]) != 1:
            return None
        names = (inner.name for inner in holder.nested if not inner.cls and isinstance(inner.function, FuncDef))
        whole = f"{holder.name}.{name}"
        return f"{self.owners.file.fullname}.{whole}" if whole in names else None

    def _around(self, node: Node) -> list[Node]:
        return nodes_around(node, self._parents)

    def _is_repeated(self, node: Node, body: Body) -> bool:
        return any(self._repeats(part, inner) for part, inner in self._in_place(node, body))

    def _repeats(self, node: Node, body: Body) -> bool:
        is_function = not isinstance(node, CallExpr)  # and not what makes one
        if is_function and self._handing(node, body).is_for_each(lambda value: self._followed(value, body)):
            return True
        if node not in body.repeated and not isinstance(node, LambdaExpr):
            return False
        return bool(surroundings_in(node, self._parents, lambda value: self._followed(value, body)).repeating)

    def _in_place(self, node: Node, body: Body) -> list[tuple[Node, Body]]:
        """A node, and the lambdas around it that are called where they stand, each with the body that it is in."""
        found = [(node, body)]
        while isinstance(body.function, LambdaExpr) and body.outer is not None:
            if not self._handing(body.function, body.outer).is_in_place:
                break
            found.append((body.function, body.outer))
            body = body.outer
        return found

    def _is_batched(self, node: Node, body: Body) -> bool:
        return any(self._handing(part, inner).is_batched for part, inner in self._in_place(node, body))

    def _handing(self, node: Node, body: Body) -> Handing:
        return handing(self._around(node), lambda callee: self.owners.full_name(callee, body))

    def _followed(self, node: Expression, body: Body) -> Expression:
        """What makes the value of a name that is bound once."""
        for _ in range(_MAX_NAMES):
            if not isinstance(node, NameExpr):
                break
            holder = holder_of(node.name, body)
            made = holder.makers.get(node.name, []) if holder is not None else []
            is_made = holder is not None and len(made) == len(holder.bound[node.name]) == 1
            value = made[0].rvalue if is_made else self.owners.names.constants.get(node.name)
            if value is None or (holder is not None and not is_made):
                break
            node = value
        return node


def _passed(body: Body) -> set[Node]:
    """The names that are not used as a whole, and those that a statement binds."""
    return {node.expr for node in body.by_kind.of(MemberExpr)} | body.assigned
