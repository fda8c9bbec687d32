"""What functions that are given rules, by `custom_jvp` and its like, and their rules get in a compiled program.

The function is traced as a whole, numbers included. A rule gets a number of Python's as it is, as an argument and among
what the first rule of `defvjp` keeps for the second (JAX 0.10.2).
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from mypy.nodes import CallExpr, FuncDef, FuncItem

from ...knowledge.function_rows import Effect
from ...libraries import known_function
from ...reach.custom_rules import Custom, Rule, custom_function, rules_in
from ...reach.description import reach_of
from ...reach.traced_calls import traced_again, traced_calls
from ...source.bindings import made_by
from ...source.checked_file import CheckedFile
from ...source.parameters import described, parameters
from ...syntax.names import callee_name
from .frame import Frame, FunctionWalk, PassedValues
from .items import item
from .parameters import passed_values, traced_values
from .results import result_of_body
from .values import Items, Source, Traced, Value, first_origin

_FORWARD: Final = 0
_Values = Mapping[str, Value]


def record_custom(call: CallExpr, values: Sequence[Value], frame: Frame) -> None:
    """Records what a call in a program runs: the function itself, and the rules by which JAX replaces it."""
    if first_origin(values) is None:
        return
    file = frame.walk.file
    if (custom := custom_function(call.callee, file)) is not None:
        passed = _accepted(custom, passed_values(custom.function, call, values))
        if custom.function not in frame.walk.nested:
            as_whole = traced_values(custom.function, traced_again(custom.made), file, staged=True)
            frame.walk.record_helper(custom.function, PassedValues(as_whole | _known(passed), staged=True))
        _record_rules(custom, passed, frame)
    for custom, by_jax in _transformed(call, file):
        of_call = _accepted(custom, passed_values(custom.function, call, values))
        _record_rules(custom, {**by_jax, **_known(of_call)}, frame)


def _accepted(custom: Custom, passed: _Values) -> _Values:
    """What the function takes: what `custom_vjp` is not to differentiate by is refused as a tracer at the call."""
    names = zip(custom.function.arg_names, custom.differentiated, strict=True)
    refused = {name for name, counts in names if not counts} if custom.refuses_tracers else set()
    return {name: value for name, value in passed.items() if name not in refused}


def _known(passed: _Values) -> dict[str, Value]:
    return {name: value for name, value in passed.items() if value is not None}


def _transformed(call: CallExpr, file: CheckedFile) -> Iterator[tuple[Custom, _Values]]:
    """The functions that a call differentiates or maps: `jax.grad(f)(x)`."""
    made = made_by(call.callee, file)
    if not isinstance(made, CallExpr) or not known_function(callee_name(made)).effects & (
        Effect.WRAPS | Effect.PASSES_ON
    ):
        return
    for traced in traced_calls(file, made):
        custom = custom_function(traced.function, file) if traced.function is made.args[0] else None
        if custom is not None:
            yield custom, traced_values(custom.function, traced, file, staged=True)


def record_handed(function: FuncItem, walk: FunctionWalk) -> None:
    """Records what the rules of a function get that is handed to a program: `jax.jit(jax.grad(f))`."""
    for custom, passed in _handed_to_programs(function, walk.file):
        _record_rules(custom, passed, Frame(walk, described(function), staged=True))


def _handed_to_programs(function: FuncItem, file: CheckedFile) -> Iterator[tuple[Custom, _Values]]:
    """What compiled programs pass to a function with rules, as far as they get it by its name."""
    for _, traced in reach_of(file, function).uses.handed_over if function in rules_in(file) else ():
        custom = custom_function(traced.function, file)
        if custom is not None and traced.stages:
            yield custom, traced_values(function, traced, file, staged=True)


def _record_rules(custom: Custom, passed: _Values, frame: Frame) -> None:
    walk = frame.walk
    rules = rules_in(walk.file).get(custom.function, [])
    for rule in rules:
        given = _arguments(rule, custom, passed, rules, frame)
        names = [parameter.name for parameter in parameters(rule.function) if not parameter.is_star]
        use = PassedValues(dict(zip(names, given, strict=False)), staged=True)
        if rule.function in walk.nested and rule.named is not None:
            walk.record_use(rule.function, rule.named, use)
        elif isinstance(rule.function, FuncDef) and rule.function.name in walk.file.tree.names:
            walk.record_helper(rule.function, use)


def _arguments(rule: Rule, custom: Custom, passed: _Values, rules: Sequence[Rule], frame: Frame) -> list[Value]:
    """What a rule gets, by position."""
    every = [passed.get(name or "") for name in custom.function.arg_names]
    is_value = custom.differentiated
    primals = [value for value, counts in zip(every, is_value, strict=True) if counts]
    others = [value for value, counts in zip(every, is_value, strict=True) if not counts]
    change = Traced(Source(f"what {described(rule.function)} gets to multiply by"))
    match rule.method, rule.number:
        case "defjvp", _:
            return [*others, Items(tuple(primals)), Items((change,) * len(primals))]
        case "defjvps", _:
            return [*others, change, None, *primals]
        case "defvjp", 0:
            return every
        case "defvjp", _:
            return [*others, _residuals(custom, passed, rules, frame), change]
    return [None, None, *every]


def _residuals(custom: Custom, passed: _Values, rules: Sequence[Rule], frame: Frame) -> Value:
    """What the first rule of `defvjp` keeps for the second."""
    forward = next((rule for rule in rules if (rule.method, rule.number) == ("defvjp", _FORWARD)), None)
    if forward is None:
        return None
    names = zip(forward.function.arg_names, custom.function.arg_names, strict=False)
    given = {own: passed.get(name or "") for own, name in names if own is not None}
    return item(result_of_body(forward.function, given, frame), 1)
