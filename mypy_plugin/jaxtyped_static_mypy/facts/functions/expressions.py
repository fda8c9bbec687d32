"""What an expression in a helper stands for, as far as it is made of what the helper is given."""

from typing import Final

from mypy.nodes import ARG_STAR, ARG_STAR2, CallExpr, Expression, FuncItem, LambdaExpr, NameExpr

from ...knowledge.full_names import CASTS, PARTIAL
from ...syntax.arguments import positional
from ...syntax.literals import Arguments, is_none
from ...syntax.names import dotted_name
from ...syntax.trees import nodes_below
from .forwarding import forwarding_calls, kept_positions
from .scope import ANY, REST, Changed, Decorates, Entry, Made, Scope, Table, Value, Wrapped
from .steps import FORWARDS, REWRITES, Step
from .tables import UNKNOWN, entry_of, literal_in, literal_of, parameter_of, table_of

_WRAPS: Final = "functools.wraps"
_SUBJECTS: Final = ("f", "fun", "func", "fn", "cls")  # parameters of functions that take a function or class
UPDATES: Final = "functools.update_wrapper"


def value_of(node: Expression | None, scope: Scope) -> Value:
    """What an expression stands for; None if that is nothing the helper is given, and no call."""
    if not isinstance(node, NameExpr) and (table := table_of(node, scope)) is not None:
        return table
    if isinstance(node, CallExpr):
        return _value_of_call(node, scope)
    if isinstance(node, LambdaExpr):
        return forwarded(node, scope)
    name = dotted_name(node) if node is not None else None
    return scope.values.get(name) if name is not None else None


def forwarded(function: FuncItem, scope: Scope, *, is_method: bool = False) -> Value:
    """What a nested function stands for: the subject, if it passes all its calls on to it, perhaps compiled."""
    calls = forwarding_calls(function, skip_first=is_method)
    called = [value for call in calls if isinstance(value := value_of(call.callee, scope), Wrapped)]
    if not called:
        return Changed(function)
    longest = max(called, key=lambda value: len(value.steps))
    others = (node for node in nodes_below(function.body) if isinstance(node, CallExpr) and node not in calls)
    values = (value_of(node.callee, scope) for node in others)
    if any(isinstance(value, Wrapped) and value.takes == longest.takes for value in values):
        return Changed(function)  # it also calls the subject with other arguments
    return longest.then(step_of(FORWARDS, {"wraps": False}))


def with_wraps(value: Value) -> Value:
    """The nested function that a value is, under `functools.wraps`; any other value as it is."""
    if not isinstance(value, Wrapped) or not value.steps or value.steps[-1]["function"] != FORWARDS:
        return value
    return Wrapped(value.takes, (*value.steps[:-1], step_of(FORWARDS, {"wraps": True})))


def decorated(value: Value, decorator: Expression, scope: Scope) -> Value:
    """What a decorator makes of a value."""
    made = value_of(decorator, scope)
    if isinstance(value, Changed) and (wrapped := subject_wrapped(decorator, scope)) is not None:
        keeps = kept_positions(value.wrapper, wrapped.takes) if value.wrapper is not None else []
        return wrapped.then(step_of(REWRITES, {"keeps": keeps}))
    if isinstance(made, Made):
        return _applied(made, value)
    if isinstance(made, Decorates):
        return _after(made, value)
    name = scope.full_name(decorator)
    return _step_on(value, step_of(name, {})) if name is not None else None


def subject_wrapped(decorator: Expression, scope: Scope) -> Wrapped | None:
    """The subject in `functools.wraps(f)`."""
    if not isinstance(decorator, CallExpr) or not decorator.args or scope.full_name(decorator.callee) != _WRAPS:
        return None
    given = value_of(decorator.args[0], scope)
    return given if isinstance(given, Wrapped) and not given.steps else None


def step_of(function: str, keywords: Arguments) -> Step:
    """The call of a function with these keyword arguments alone."""
    return {
        "function": function,
        "keywords": keywords,
        "positional": [],
        "passed": {},
        "built": {},
        "yields": [],
        "spreads": False,
    }


def _value_of_call(call: CallExpr, scope: Scope) -> Value:
    made = value_of(call.callee, scope)
    first = call.args[0] if call.args else None
    if isinstance(made, Made):
        return _applied(made, value_of(first, scope))
    if isinstance(made, Decorates):
        return _after(made, value_of(first, scope))
    name = scope.full_name(call.callee)
    if name is None or (first is None and name == PARTIAL):
        return None
    if name in CASTS:
        return value_of(call.args[-1], scope)
    if name == UPDATES:
        return with_wraps(value_of(first, scope))
    if name == PARTIAL:
        if any(isinstance(value_of(argument, scope), (Wrapped, Changed)) for argument in positional(call)):
            return Changed()
        function = scope.full_name(call.args[0])
        return Made(_read_step(function, call, 1, scope), is_partial=True) if function is not None else None
    values = [value_of(argument, scope) for argument in call.args]
    given = next((index for index, value in enumerate(values) if _is_subject(index, value, call)), None)
    if given is None or name == _WRAPS:
        return Made(_read_step(name, call, 0, scope))
    return _step_on(values[given], _read_step(name, call, 0, scope, without=given))


def _is_subject(index: int, value: Value, call: CallExpr) -> bool:
    name = call.arg_names[index]
    return isinstance(value, (Wrapped, Changed)) and (name in _SUBJECTS or (index == 0 and name is None))


def _applied(made: Made, value: Value) -> Value:
    if made.step["function"] == _WRAPS:
        return with_wraps(value)
    return _step_on(value, made.step)


def _step_on(value: Value, step: Step) -> Value:
    return value.then(step) if isinstance(value, Wrapped) else value if isinstance(value, Changed) else None


def _after(decorator: Decorates, value: Value) -> Value:
    if decorator.facts.get("opaque") or not isinstance(value, Wrapped):
        return Changed()
    return Wrapped(value.takes, (*value.steps, *decorator.facts["steps"]))


def _read_step(function: str, call: CallExpr, start: int, scope: Scope, without: int | None = None) -> Step:
    """The call of a function with the arguments from `start` on, without the subject."""
    step = step_of(function, {})
    for index, (name, kind, value) in enumerate(zip(call.arg_names, call.arg_kinds, call.args, strict=True)):
        if index < start or index == without:
            continue
        if kind is ARG_STAR2:
            for entry in (table_of(value, scope) or UNKNOWN).entries:
                _add(entry, step, is_option=True)
        elif kind is ARG_STAR:
            step["positional"].append(None)
        elif name is None:
            step["positional"].append(literal_in(value, scope))
        elif parameter_of(value, scope) is None and (table := table_of(value, scope)) is not None:
            _add(Entry(name, table), step)
        elif not is_none(value):
            _add(entry_of(name, value, scope), step)
    return step


def _flat(entry: Entry) -> Entry:
    """The entry as JSON can hold it: nothing is known of a dict in the dict."""
    return entry._replace(value=None) if isinstance(entry.value, Table) else entry


def _add(entry: Entry, step: Step, *, is_option: bool = False) -> None:
    """Gives a step one of its keyword arguments, or all that the helper's `**options` hold.

    `is_option`: it stands in a dict, in which what the options hold may replace what comes before them.
    """
    if is_option:
        step["yields"] = [name for name in step["yields"] if name != entry.key] + [entry.key] * (not step["spreads"])
    if entry.key == ANY:
        step["spreads"] = True
        if entry.parameter != REST or entry.when:
            step["keywords"][ANY] = None  # it may give any option
    elif entry.when:
        step["keywords"][entry.key] = None
    elif isinstance(entry.value, Table) and (known := literal_of(entry.value)) is not None:
        step["keywords"][entry.key] = known
    elif isinstance(entry.value, Table):
        step["built"][entry.key] = [list(_flat(item)) for item in entry.value.entries]
    elif entry.parameter:
        step["passed"][entry.key] = entry.parameter
    else:
        step["keywords"][entry.key] = entry.value
