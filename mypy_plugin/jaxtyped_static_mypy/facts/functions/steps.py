"""The facts of a function, as JSON can hold them."""

from typing import Any, Final, TypedDict

from ...syntax.literals import Arguments

# The step of a nested function that passes all calls on. Its only keyword is `wraps`: whether `functools.wraps` names
# the function for it, so that `inspect.signature` finds the parameters.
FORWARDS: Final = "<forwards>"


# The step of a nested function that calls the subject with other arguments, and is named after it by `functools.wraps`.
# Its only keyword is `keeps`: the positions of the arguments that it passes on as they are.
REWRITES: Final = "<rewrites>"
# What a nested function or a lambda is made by.
NESTED: Final = "<nested>"


class Step(TypedDict):
    """One function that is applied: `function(subject, *positional, **keywords)`."""

    function: str  # full name, as the module imports it
    keywords: Arguments  # literals; None for any other value. Leaves out arguments that are `None`
    positional: list[Any]  # the same for the positional arguments after the subject
    passed: dict[str, str]  # arguments that are parameters of the helper
    built: dict[str, list[list[Any]]]  # arguments that are dicts which the helper builds: the entries of each
    yields: list[str]  # arguments that it gets only if the helper's own `**options` do not hold them
    spreads: bool  # also gets the helper's own `**options`


class StoredByFunction(TypedDict):
    """What a function stores, as `storing` reads it."""

    parameters: list[str]  # those that get arguments, by position
    # The parameter or variable, the attributes below it, the kind, how it is written, and what the value is made of.
    stored: list[list[Any]]


class FunctionFacts(TypedDict, total=False):
    """What a function does with the function or class that it is given, its subject."""

    takes: str  # the parameter of the subject; empty if it takes none, as `def static(): return field(...)`
    parameters: list[str]  # of the helper, those that may be positional, in order
    named_only: list[str]  # its other parameters
    packed: str  # the parameter that takes all further positional arguments: `*names`
    defaults: Arguments  # their literal defaults
    steps: list[Step]  # what is applied to the subject, innermost first
    options: bool  # is called with options, and returns the decorator
    direct: bool  # is called with the subject; if `options` is also true, the subject may be left out
    opaque: bool  # returns another function, which does not just pass calls on
    makes: list[str]  # the functions whose results it returns, or `NESTED`; kept under `result_of` its name
    items: dict[str, list[str]]  # the same of each item, by its number, if it returns a tuple of so many

    arrays: list[str]  # parameters that it hands to JAX as arrays; kept under `uses_of` its name
    operands: list[str]  # parameters that it calculates with, or takes items of; kept there as well
    bodies: list[list[Any]]  # parameters that it hands to JAX's control flow, as `loop_bodies` reads them; kept there
    needs: list[list[Any]]  # parameters whose values it needs: position, name, and kind of use; kept there
    computes: list[list[Any]]  # those that make its result a tracer, if they are: position and name; kept there
    stores: StoredByFunction  # what it stores in objects that outlive the call; kept there
    asks: bool  # whether its result holds of tracers; False if of none of them; kept there as well
    draws: str  # what draws the random numbers that it returns; kept there
    hands: list[list[Any]]  # those that it passes on: position, name, the function, and where it gets them; kept there


# By the name of a function, a class, or a variable, or its `result_of` or `uses_of`.
ModuleFacts = dict[str, FunctionFacts]


def result_of(function: str) -> str:
    """The name under which it is kept what calls of a function make."""
    return f"{function}()"


def uses_of(function: str) -> str:
    """The name under which it is kept what a function does with its own parameters."""
    return f"{function}[]"
