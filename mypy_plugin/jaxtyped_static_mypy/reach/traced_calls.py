"""Functions that call another one with tracers: which of their arguments they call, and what is traced in it."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Final, NamedTuple

from mypy.nodes import ARG_POS, ARG_STAR2, CallExpr, Expression, ListExpr, TupleExpr

from ..jit.sites import JitSite, read_site
from ..knowledge.function_rows import Calls, Effect, Receives
from ..knowledge.jax_functions import JAX_JIT
from ..libraries import jit_function, known_function
from ..source.checked_file import CheckedFile, once_per_file
from ..syntax.arguments import argument, unpacks
from ..syntax.imports import full_name
from ..syntax.literals import integers, is_none, literal
from ..syntax.names import callee_name, dotted_name
from ..syntax.partials import is_partial, names_bound, positions_bound
from .layers import PASSING, UNREADABLE, Layer, Names, layers_of, name_called, subject_of
from .schedules import schedules_given

Choice = Callable[[CallExpr, int, str], bool]  # whether the parameter with this index and name is traced


class TracedCall(NamedTuple):
    """How one call traces the function that it is given."""

    transformation: str | None  # the name of the function that calls it; None for `jit`
    stages: bool
    function: Expression  # at the bottom, below wrappers that pass calls on and partials
    traces: Callable[[int, str], bool]
    keeps_values: bool = False
    arrays_only: bool = False
    fills_defaults: bool = False  # also traces what the caller leaves out
    may_be_filled: bool = False  # a wrapper below it may pass concrete values for what the caller leaves out
    others_are_static: bool = False  # the parameters that it does not trace are static, as under `jit`
    gives_refs: bool = False  # the function gets mutable arrays, which it reads and writes by their items
    number: int | None = None  # the position that gets the number of the pass
    is_later: bool = False  # not this call, but compiled code which runs what it makes
    kept: frozenset[int] | None = None  # positions that get the caller's arguments, if a wrapper changes the others

    def keeping(self, positions: frozenset[int] | None) -> "TracedCall":
        """This trace, below a wrapper that passes only the arguments at these positions on as they are."""
        if positions is None:
            return self
        return self._replace(traces=lambda index, name: index in positions and self.traces(index, name), kept=positions)

    def inside(self, program: "TracedCall") -> "TracedCall":
        """This trace, where another one stages what the transformation makes: all that either traces is traced."""

        def traces(index: int, name: str) -> bool:
            return self.traces(index, name) or program.traces(index, name)

        transformation = program.transformation or "jit"
        return program._replace(transformation=transformation, function=self.function, traces=traces)

    def of_method(self) -> "TracedCall":
        """This trace, of a bound method: positions count from the parameter after `self`."""
        number = self.number + 1 if self.number is not None else None
        return self._replace(traces=lambda index, name: index > 0 and self.traces(index - 1, name), number=number)


def _all(call: CallExpr, index: int, name: str) -> bool:
    return True


def _first(count: int) -> Choice:
    return lambda call, index, name: index < count


def _scanned(call: CallExpr, index: int, name: str) -> bool:
    """`scan(f, init, xs=None)` passes None for an element."""
    xs = argument(call, 2, "xs")
    return index == 0 or (index == 1 and not (xs is None or is_none(xs)))


def _argnums(call: CallExpr, index: int, name: str) -> bool:
    given = argument(call, 1, "argnums")
    return index in integers(given) if given is not None else index == 0


def _in_axes(call: CallExpr, index: int, name: str) -> bool:
    """An axis of None passes the argument through untraced."""
    axes = argument(call, 1, "in_axes")
    if isinstance(axes, (TupleExpr, ListExpr)):
        return index < len(axes.items) and isinstance(literal(axes.items[index]), int)
    return axes is None or isinstance(literal(axes), int)


def _not_static(call: CallExpr, index: int, name: str) -> bool:
    """Not listed in `static_argnums` or `static_argnames`, as far as these can be read."""
    numbers, names = _option(call, "static_argnums"), _option(call, "static_argnames")
    readable = numbers is not None and names is not None and all(isinstance(n, int) and n >= 0 for n in numbers)
    return readable and index not in (numbers or ()) and name not in (names or ())


def _pmapped(call: CallExpr, index: int, name: str) -> bool:
    static = _option(call, "static_broadcasted_argnums")
    return static is not None and index not in static and _in_axes(call, index, name)


def _nothing(index: int, name: str) -> bool:
    return False


def _option(call: CallExpr, name: str) -> list[object] | None:
    given = argument(call, len(call.args), name)
    value = literal(given) if given is not None else []
    return value if isinstance(value, list) or value is None else [value]


_CHOICES: Final[dict[Receives, Choice]] = {
    Receives.ALL: _all,
    Receives.FIRST: _first(1),
    Receives.FIRST_TWO: _first(2),
    Receives.SCANNED: _scanned,
    Receives.ARGNUMS: _argnums,
    Receives.IN_AXES: _in_axes,
    Receives.NOT_STATIC: _not_static,
    Receives.NOT_BROADCAST: _pmapped,
}
_STATIC_LISTS: Final = {
    Receives.NOT_STATIC: ("static_argnums", "static_argnames"),
    Receives.NOT_BROADCAST: ("static_broadcasted_argnums",),
}


@once_per_file
def traced_calls(file: CheckedFile, call: CallExpr) -> tuple[TracedCall, ...]:
    """The functions that a call passes to such a function or to `jit`, and how each is traced.

    Unpacked options may make any parameter static, so then no parameter counts as traced.
    """
    found = _traced_calls(call, file)
    if ARG_STAR2 in call.arg_kinds:
        found = (traced._replace(traces=_nothing) for traced in found)
    program = _program_around(call, file)
    if program is not None:
        found = (traced.inside(program) for traced in found)
    return tuple(unwrapped(traced, file) for traced in found)


def _program_around(call: CallExpr, file: CheckedFile) -> TracedCall | None:
    """How a program stages what a transformation makes, where it is made: the `jit` of `jit(value_and_grad(f))`.

    What these make takes the arguments of the function, at the same positions.
    """
    row = known_function(name_called(call.callee, file.tree))
    if row.calls is None or not row.effects & (Effect.WRAPS | Effect.PASSES_ON):
        return None
    taking = file.calls_taking.get(call)
    while taking is not None and passes_on(taking, file):
        taking = file.calls_taking.get(taking)
    found = traced_calls(file, taking) if taking is not None else ()
    return next((traced for traced in found if traced.function is call and traced.stages), None)


def layers_in(call: CallExpr, file: CheckedFile) -> tuple[Layer, ...]:
    """What a call, or a decorator that is read as a call, applies to its first argument, innermost first."""
    found = layers_of(call, Names.of(file))
    file.helpers.update(found.helpers)
    return found.layers


def passes_on(call: CallExpr, file: CheckedFile) -> bool:
    """Whether a call wraps its first argument in a function that passes all calls on: `logged(f)`, `chexify(f)`."""
    if not _is_of_helper(call, file):
        return _passes_on_by_name(call, file)
    return {layer.kind for layer in layers_in(call, file)} <= PASSING


def _passes_on_by_name(call: CallExpr, file: CheckedFile) -> bool:
    """Whether a library is known to pass calls on; `scan_tqdm(n)(f)` calls the decorator that it has made."""
    made = call.callee if isinstance(call.callee, CallExpr) else call
    is_known = Effect.SAME_FUNCTION in known_function(full_name(made.callee, file.tree)).effects
    return is_known and len(call.args) > 0 and call.arg_kinds[0] is ARG_POS


def traced_again(call: CallExpr) -> TracedCall:
    """How `custom_jvp` and its like trace a function in a compiled program, whatever is static outside."""
    row = known_function(callee_name(call))
    own = [_option(call, option) for option in row.retraces or ()]
    items = [item for given in own for item in given or ()]
    readable = None not in own and all(isinstance(item, str) or (isinstance(item, int) and item >= 0) for item in items)
    name = callee_name(call).rpartition(".")[2]
    traces = (lambda index, name: index not in items and name not in items) if readable else _nothing
    return TracedCall(name, True, call.args[0], traces, fills_defaults=Effect.FILLS_DEFAULTS in row.effects)


def _is_of_helper(call: CallExpr, file: CheckedFile) -> bool:
    return Names.of(file).is_helper(callee_name(call))


def _through_helper(call: CallExpr, file: CheckedFile) -> Iterator[TracedCall]:
    """`my_jit(f)`, where a function of the program compiles, or transforms, what it is given."""
    subject = subject_of(call, Names.of(file))
    layers = layers_in(call, file) if subject is not None else ()
    if subject is None or any(layer.kind in UNREADABLE for layer in layers):
        return
    found = [traced for layer in layers for traced in _traced_calls(layer.call, file)]
    outermost = next((traced for traced in reversed(found) if traced.stages), found[0] if found else None)
    if outermost is not None:
        yield outermost._replace(function=subject)


def _traced_calls(call: CallExpr, file: CheckedFile) -> Iterator[TracedCall]:
    name = name_called(call.callee, file.tree)
    row = known_function(name)
    if row.calls is not None:
        yield from _through_callbacks(call, name, row.calls)
    elif schedules := list(schedules_given(call, file)):
        yield from _of_schedules(schedules, call, file)
    elif call.args and _is_of_helper(call, file):
        yield from _through_helper(call, file)
    elif call.args and call.arg_names[0] in (None, "fun"):
        yield from _through_jit(call, file)


def _through_callbacks(call: CallExpr, fullname: str, calls: Calls) -> Iterator[TracedCall]:
    """`lax.scan(f, ...)`, `lax.switch(i, [f, g])`, where JAX calls what it is given."""
    for index, parameter in calls.callbacks:
        given = argument(call, index, parameter)
        for function in given.items if isinstance(given, (ListExpr, TupleExpr)) else [given]:
            if function is not None:
                yield TracedCall(
                    fullname.rpartition(".")[2],
                    calls.stages,
                    function,
                    partial(_CHOICES[calls.receives], call),
                    calls.keeps_values,
                    calls.arrays_only,
                    fills_defaults=Effect.FILLS_DEFAULTS in known_function(fullname).effects,
                    others_are_static=_lists_static(call, calls.receives),
                    gives_refs=calls.gives_refs,
                    number=0 if calls.receives is Receives.FIRST_TWO else None,
                )


def _of_schedules(given: list[Expression], call: CallExpr, file: CheckedFile) -> Iterator[TracedCall]:
    """They get the count of the steps."""
    maker = dotted_name(call.callee.callee if isinstance(call.callee, CallExpr) else call.callee)
    for function in given:
        yield TracedCall(f"the update of {maker}", True, function, partial(_first(1), call), is_later=True)


def _lists_static(call: CallExpr, receives: Receives) -> bool:
    """Whether a call of `pmap` or `checkpoint` makes all parameters static that it does not trace."""
    options = _STATIC_LISTS.get(receives, ())
    may_leave_others = ARG_STAR2 in call.arg_kinds or "in_axes" in call.arg_names
    return bool(options) and not may_leave_others and all(_option(call, option) is not None for option in options)


def _through_jit(call: CallExpr, file: CheckedFile) -> Iterator[TracedCall]:
    fullname = callee_name(call)
    jit = jit_function(fullname, file.settings.jit_functions)
    if jit is None:
        return
    if jit.filters:
        name = fullname.rpartition(".")[2]
        yield TracedCall(name, True, call.args[0], partial(_all, call), arrays_only=True)
    elif jit.names_option == JAX_JIT.names_option:
        site = read_site(fullname, jit, list(zip(call.arg_names, call.args, strict=True)), file.tree)
        yield TracedCall(None, True, call.args[0], partial(_is_dynamic, site), others_are_static=True)


def calls_the_host(call: CallExpr) -> bool:
    """Whether a call hands functions to the host, as `jax.pure_callback` does."""
    return Effect.CALLS_HOST in known_function(callee_name(call)).effects


def _is_dynamic(site: JitSite, index: int, name: str) -> bool:
    readable = site.known and min(site.nums, default=0) >= 0
    return readable and name not in site.names and index not in site.nums


def unwrapped(traced: TracedCall, file: CheckedFile) -> TracedCall:
    """`jit(partial(f, a))` and `jit(logged(f))` trace `f`."""
    function, names = traced.function, Names.of(file)
    while isinstance(function, CallExpr) and passes_on(function, file):
        subject = subject_of(function, names)
        if subject is None:
            break
        function = subject
    return _without_bound(traced._replace(function=function))


def _without_bound(traced: TracedCall) -> TracedCall:
    """`partial(f, a, k=b)` takes the first parameters and those named away."""
    made = traced.function
    if not is_partial(made) or not made.args or unpacks(made):
        return traced
    bound, names = positions_bound(made), names_bound(made)

    def traces(index: int, name: str) -> bool:
        return index >= bound and name not in names and traced.traces(index - bound, name)

    number = traced.number + bound if traced.number is not None else None
    return traced._replace(function=made.args[0], traces=traces, number=number)
