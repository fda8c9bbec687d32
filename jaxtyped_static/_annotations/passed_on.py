"""Finds the marked functions that a function calls with traced values, as far as its code shows before it runs."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterable, Iterator
from functools import partial
from types import FunctionType, MethodType
from typing import Any, NamedTuple

from jaxtyped_static._annotations.functions import call_method, signature_of
from jaxtyped_static._annotations.scopes import BodyScope
from jaxtyped_static._annotations.surroundings import closure_of
from jaxtyped_static._annotations.syntax import FunctionNode, find_definition
from jaxtyped_static._annotations.values import (
    UNKNOWN,
    Bound,
    GivenArguments,
    Known,
    Named,
    Several,
    Traced,
    Value,
    join,
)
from jaxtyped_static._annotations.within_reach import MAX_DEPTH, StaticNames, is_compiled


class PassedOn(NamedTuple):
    """A traced value that reaches a static parameter."""

    function: Any
    parameter: str
    value: Traced


def passed_on(
    fun: Any, argnums: Iterable[int], argnames: Iterable[str], static_names: StaticNames
) -> Iterator[PassedOn]:
    """Yields the traced values that reach static parameters when `fun` is called.

    Args:
        fun: the function that will be compiled.
        argnums: the positions of its own static parameters.
        argnames: their names.
        static_names: returns the static parameters of any other function.
    """
    return _Search(static_names).body(fun, _all_traced_but(frozenset(argnums), argnames), 0)


def _all_traced_but(argnums: frozenset[int], argnames: Iterable[str]) -> GivenArguments:
    """Returns a call with any number of arguments, of which only these are static."""
    count = max(argnums, default=-1) + 1
    rest = UNKNOWN if any(number < 0 for number in argnums) else Traced()  # A negative number counts from the end.
    first = tuple(UNKNOWN if number in argnums else Traced() for number in range(count))
    return GivenArguments(Several(first, rest), Named(dict.fromkeys(argnames, UNKNOWN), Traced()))


class _Search:
    def __init__(self, static_names: StaticNames) -> None:
        self._static_names = static_names

    def call(self, fun: Any, arguments: GivenArguments, depth: int, *, looks_inside: bool) -> Iterator[PassedOn]:
        """Yields what reaches static parameters in a call of a known function."""
        if is_compiled(fun) or depth > MAX_DEPTH:
            return
        names = self._static_names(fun)
        if not names:
            yield from self.body(fun, arguments, depth, looks_inside=looks_inside)
            return
        signature = signature_of(fun)
        given = {} if signature is None else bind(signature, arguments)
        for name in names:
            if isinstance(value := given.get(name), Traced):
                yield PassedOn(fun, name, value)

    def body(self, fun: Any, arguments: GivenArguments, depth: int, *, looks_inside: bool = True) -> Iterator[PassedOn]:
        """Yields what reaches static parameters in the calls in a function's body."""
        if isinstance(fun, FunctionType):
            if looks_inside:
                yield from self._calls_in(fun, arguments, depth)
            return
        if isinstance(fun, partial):
            bound = GivenArguments(
                _known(fun.args), Named({name: Known((value,)) for name, value in fun.keywords.items()})
            )
            inner, arguments = fun.func, _combined(bound, arguments)
        elif isinstance(fun, MethodType):
            inner, arguments = fun.__func__, _after_self(fun.__self__, arguments)
        elif (method := call_method(fun)) is not None:
            inner, arguments = method, _after_self(fun, arguments)
        else:
            return
        yield from self.call(inner, arguments, depth, looks_inside=looks_inside)

    def _calls_in(self, fun: FunctionType, arguments: GivenArguments, depth: int) -> Iterator[PassedOn]:
        signature = signature_of(fun, follow_wrapped=False)
        if signature is None:
            return
        given = bind(signature, arguments, names_them=depth == 0)
        node = find_definition(fun.__code__)
        if node is None:
            guessed = _guessed_call(signature, given)
            for captured in closure_of(fun).values():
                yield from self.call(captured, guessed, depth + 1, looks_inside=callable(captured))
            return
        for call, scope in _calls(BodyScope(node, given, fun)):
            yield from self._callee(scope.expression(call.func), scope.arguments(call), depth + 1)

    def _callee(self, callee: Value, arguments: GivenArguments, depth: int) -> Iterator[PassedOn]:
        if isinstance(callee, Bound):
            yield from self._callee(callee.fun, _combined(callee.arguments, arguments), depth)
        elif isinstance(callee, Known):
            for fun in callee.objects:
                if callable(fun) and not isinstance(fun, type):
                    yield from self.call(fun, arguments, depth, looks_inside=not callee.is_global)


def bind(signature: inspect.Signature, arguments: GivenArguments, *, names_them: bool = False) -> dict[str, Value]:
    """Binds the arguments of a call to parameters. With `names_them`, traced values get their parameters' names."""
    given: dict[str, Value] = {}
    left = dict(arguments.named.known)
    for index, parameter in enumerate(signature.parameters.values()):
        left.pop(parameter.name, None)
        if parameter.kind is parameter.VAR_POSITIONAL:
            given[parameter.name] = arguments.positional.behind(index)
        elif parameter.kind is parameter.VAR_KEYWORD:
            given[parameter.name] = Named(left, arguments.named.rest)
        else:
            value = _argument(parameter, index, arguments)
            is_named = names_them and isinstance(value, Traced)
            given[parameter.name] = Traced(parameter.name) if is_named else value
    return given


def _argument(parameter: inspect.Parameter, index: int, arguments: GivenArguments) -> Value:
    found: list[Value | None] = []
    if parameter.kind is not parameter.KEYWORD_ONLY:
        found.append(arguments.positional.at(index))
    if parameter.kind is not parameter.POSITIONAL_ONLY and index >= len(arguments.positional.first):
        found.append(arguments.named.get(parameter.name))
    values = [value for value in found if value is not None]
    if not values or (callable(parameter.default) and parameter.default is not parameter.empty):
        return UNKNOWN if parameter.default is parameter.empty else Known((parameter.default,))
    return join(values)


def _known(values: tuple[Any, ...]) -> Several:
    return Several(tuple(Known((value,)) for value in values))


def _after_self(instance: Any, arguments: GivenArguments) -> GivenArguments:
    return GivenArguments(_known((instance,)).followed_by(arguments.positional), arguments.named)


def _combined(first: GivenArguments, then: GivenArguments) -> GivenArguments:
    rest = then.named.rest if then.named.rest is not None else first.named.rest
    return GivenArguments(
        first.positional.followed_by(then.positional), Named({**first.named.known, **then.named.known}, rest)
    )


def _calls(scope: BodyScope) -> Iterator[tuple[ast.Call, BodyScope]]:
    """Yields the calls in a body and in its nested functions, whose own parameters are unknown."""
    for node in scope.nodes:
        if isinstance(node, ast.Call):
            yield node, scope
        elif isinstance(node, FunctionNode):
            yield from _calls(BodyScope(node, dict.fromkeys(_parameters(node), UNKNOWN), scope))


def _parameters(node: FunctionNode) -> Iterator[str]:
    arguments = node.args
    for argument in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, arguments.vararg, arguments.kwarg):
        if argument is not None:
            yield argument.arg


def _guessed_call(signature: inspect.Signature, given: dict[str, Value]) -> GivenArguments:
    """Guesses how a wrapper without source calls what it captures: with all its own arguments, under the same names."""
    positional, rest = Several(), None
    known: dict[str, Value] = {}
    for parameter in signature.parameters.values():
        value = given[parameter.name]
        if isinstance(value, Several):
            positional = value
        elif isinstance(value, Named):
            known |= value.known
            rest = value.rest
        else:
            known[parameter.name] = value
    return GivenArguments(positional, Named(known, rest))
