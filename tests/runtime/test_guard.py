"""Inside a guard a static value that was changed is an error, where JAX would give the number of what it was."""

from __future__ import annotations

import asyncio
import dataclasses
import functools
import gc
import pickle
import threading
import traceback
from collections import OrderedDict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from immutabledict import immutabledict

from jaxtyped_static import Static, StaticContractError, field, guard, jit, static_dataclass
from jaxtyped_static.calls import verification
from jaxtyped_static.calls.watching import Call
from jaxtyped_static.guard import Guard
from tests.runtime.static_values import label


class Solver:
    """Frozen by convention, until somebody assigns the private attribute."""

    def __init__(self, dt: Any) -> None:
        self._dt = dt

    def __eq__(self, other: object) -> bool:
        return type(other) is Solver and self._dt == other._dt

    def __hash__(self) -> int:
        return hash(self._dt)


class Registry:
    """Has a state, and is compared by identity."""

    def __init__(self) -> None:
        self.weight = 2.0
        self.table = np.array([1.0, 2.0])
        self.nested: Any = {"a": [1.0, Solver(2.0)]}
        self.scale: Callable[[Any], Any] = lambda x: x * 2.0
        self._lazy: Any = None
        self._cache: dict[str, Any] = {}


@static_dataclass
class Model:
    registry: Registry = field(hash_by_id=True)
    solver: Solver = Solver(2.0)
    order: int = 1


@dataclass(frozen=True)
class Config:
    power: Any
    options: tuple[Any, ...] = ()


def unseen(value: Any) -> Any:
    """The value itself; but mypy, which finds most of these faults, is not told its class."""
    return value


def refusal(call: Callable[[], object]) -> StaticContractError:
    with pytest.raises(StaticContractError) as caught:
        call()
    return caught.value


def set_anyway(value: object, name: str, item: object) -> None:
    object.__setattr__(value, name, item)


# What can be changed of a model, how it is used, and what the guard says.


def _set_weight(model: Model) -> None:
    model.registry.weight = 5.0


def _set_in_array(model: Model) -> None:
    model.registry.table[1] = 5.0


def _set_in_list(model: Model) -> None:
    model.registry.nested["a"][0] = 5.0


def _set_private(model: Model) -> None:
    model.registry.nested["a"][1]._dt = 5.0


def _set_function(model: Model) -> None:
    model.registry.scale = lambda x: x * 5.0


def _set_field(model: Model) -> None:
    set_anyway(model, "order", 5)


def _set_solver(model: Model) -> None:
    set_anyway(model, "solver", Solver(5.0))


CHANGES: list[tuple[Callable[[Model], None], Callable[[Model, Any], Any], str, str]] = [
    (_set_weight, lambda model, x: x * model.registry.weight, "Model.registry.weight", "2.0 → 5.0"),
    (
        _set_in_array,
        lambda model, x: x * model.registry.table[1],
        "Model.registry.table",
        "float64[2] → another float64[2]",
    ),
    (_set_in_list, lambda model, x: x * model.registry.nested["a"][0], "Model.registry.nested['a'][0]", "1.0 → 5.0"),
    (
        _set_private,
        lambda model, x: x * model.registry.nested["a"][1]._dt,
        "Model.registry.nested['a'][1]._dt",
        "2.0 → 5.0",
    ),
    (_set_function, lambda model, x: model.registry.scale(x), "Model.registry.scale", "<lambda> → another <lambda>"),
    (_set_field, lambda model, x: x * model.order, "Model.order", "1 → 5"),
    (_set_solver, lambda model, x: x * model.solver._dt, "Model.solver._dt", "2.0 → 5.0"),
]


@pytest.mark.parametrize(("change", "use", "path", "values"), CHANGES)
def test_a_changed_value_is_refused_where_jax_gives_the_old_number(
    change: Callable[[Model], None], use: Callable[[Model, Any], Any], path: str, values: str
) -> None:
    @jit
    def step(x: Any, model: Static[Model]) -> Any:
        return use(model, x)

    stale = Model(Registry())
    before = step(1.0, stale)
    change(stale)
    assert step(1.0, stale) == before != use(stale, 1.0)

    model = Model(Registry())
    with guard():
        step(1.0, model)
        step(1.0, model)
        change(model)
        for call in (lambda: step(1.0, model), lambda: step(jnp.ones(2), model), lambda: step(1.0, model=model)):
            error = refusal(call)
            assert (error.code, error.path) == ("static-mutable", path)
            assert error.reason == f"{values}: changed since step was compiled with it"
            assert str(error).startswith(f'step(): argument "model": {path}: {values}: changed since step ')
            assert str(pickle.loads(pickle.dumps(error))) == str(error)


def test_a_value_that_is_what_it_was_again_is_taken() -> None:
    @jit
    def step(x: Any, model: Static[Model]) -> Any:
        return x * model.registry.weight

    model = Model(Registry())
    with guard():
        step(1.0, model)
        model.registry.weight = 5.0
        refusal(lambda: step(1.0, model))
        model.registry.weight = 2.0
        assert step(1.0, model) == 2


def test_once_jax_has_forgotten_its_programs_a_changed_value_is_a_new_one() -> None:
    @jit
    def step(x: Any, model: Static[Model]) -> Any:
        return x * model.registry.weight

    model = Model(Registry())
    with guard():
        step(1.0, model)
        model.registry.weight = 5.0
        jax.clear_caches()  # type: ignore[no-untyped-call]
        assert step(1.0, model) == 5


def test_what_was_seen_in_one_guard_is_known_in_the_next() -> None:
    @jit
    def step(x: Any, model: Static[Model]) -> Any:
        return x * model.registry.weight

    model = Model(Registry())
    with guard():
        step(1.0, model)
    model.registry.weight = 5.0
    assert step(1.0, model) == 2
    with guard():
        refusal(lambda: step(1.0, model))


def captured(dt: Any) -> Any:
    """A function, and how to change what it captures."""

    def limiter(x: Any) -> Any:
        return x * dt

    def change(other: Any) -> None:
        nonlocal dt
        dt = other

    return limiter, change


limiter, set_limiter = captured(2.0)


def test_what_a_function_captures_is_part_of_it() -> None:
    @jit
    def step(x: Any, limiter: Static[Any]) -> Any:
        return limiter(x)

    with guard():
        assert step(1.0, limiter) == 2
        set_limiter(5.0)
        error = refusal(lambda: step(1.0, limiter))
        assert error.path == "limiter.<captured dt>"
        set_limiter(2.0)
        assert step(1.0, limiter) == 2


# What is no change.


class Lazy:
    """Fills all kinds of caches, and counts."""

    def __init__(self) -> None:
        self._none: Any = None
        self._table: dict[str, Any] = {}
        self._entries: Any = {"first": 1}
        self._value_cache = 1
        self._hash_value = -1
        self._dt = 2.0
        self._parts = (1.0, ("a", Solver(2.0)))

    def __eq__(self, other: object) -> bool:
        return type(other) is Lazy and self._dt == other._dt

    def __hash__(self) -> int:
        self._hash_value = hash(self._dt)
        return self._hash_value

    @functools.cached_property
    def cached(self) -> float:
        return self._dt * 2

    def fill(self, number: int) -> None:
        assert self.cached == 4
        set_anyway(self, "_later", 1)
        self._none = self._none or object()
        self._table[f"key {number}"] = number
        self._entries = {**self._entries, number: number}
        self._value_cache = number
        self._dt = float("2")
        self._parts = (float("1"), ("".join(["a"]), Solver(float("2"))))


def memoised() -> Any:
    """A function with a table, a counter and a cache."""
    calls, table = 0, {}

    @functools.cache
    def double(x: float) -> float:
        return 2 * x

    def function(x: Any) -> Any:
        nonlocal calls
        calls += 1
        table[calls] = calls
        return x * double(1.0)

    return function


scale = memoised()


def test_a_cache_that_is_filled_and_an_equal_value_are_no_change() -> None:
    @jit
    def step(x: Any, lazy: Static[Any], scale: Static[Any]) -> Any:
        return scale(x) * lazy._dt

    lazy = unseen(Lazy())
    with guard():
        for number in range(4):
            assert step(1.0, lazy, scale) == 4
            assert step(jnp.ones(1 + number), lazy, scale).sum() == 4 * (1 + number)
            lazy.fill(number)
            scale(1.0)


def counted(function: Any) -> Any:
    """Decorators keep what they count in objects and tables."""
    stats, table, weights = Registry(), {"calls": 0}, jnp.ones(3)

    @functools.wraps(function)
    def wrapper(*args: Any) -> Any:
        stats.weight += 1
        table["calls"] += 1
        return function(*args) + weights.sum()

    wrapper.weights = weights  # type: ignore[attr-defined]
    return wrapper


@counted
def double(x: Any) -> Any:
    return x * 2


@functools.singledispatch
def dispatched(x: Any) -> Any:
    return x * 2


class Cached(Lazy):
    def __init__(self) -> None:
        super().__init__()
        self._cache = OrderedDict[str, int]()


def test_what_a_decorator_counts_and_a_cache_of_any_class_keeps_is_no_change() -> None:
    @jit
    def step(x: Any, f: Static[Any], other: Static[Any] = None) -> Any:
        return f(x)

    cached = unseen(Cached())
    with guard():
        for size in (1, 2, 1, 3, 2):
            step(jnp.ones(size), double, cached)
            step(jnp.ones(size), dispatched, (cached,))
            step(jnp.ones(size), dispatched, cached)
            double(1.0)
            dispatched(np.ones(size))
            dispatched(size)
            cached._cache[f"key {size}"] = cached._cache["last"] = size
        double.weights.delete()
        step(jnp.ones(1), double, cached)


def test_a_default_that_is_left_out_only_must_not_change() -> None:
    """JAX never asks it for its hash."""

    @jit
    def step(x: Any, act: Static[Any] = lambda v: v, sizes: Static[Any] = [1, 2]) -> Any:  # noqa: B006
        return act(x) * sizes[0]

    with guard():
        for size in (1, 2, 1):
            step(jnp.ones(size))


def test_a_long_tuple_of_numbers_is_one_atom() -> None:
    @jit
    def step(x: Any, config: Static[Config]) -> Any:
        return x * config.power[0]

    config = Config(tuple(map(float, range(100_000))))
    with guard():
        step(1.0, config)
        set_anyway(config, "power", (7.0, *config.power[1:]))
        error = refusal(lambda: step(1.0, config))
    assert error.path == "Config.power" and error.reason.startswith("(0.0, 1.0, ") and len(error.reason) < 300


Made: Any = dataclasses.make_dataclass("Made", [("power", Any)], frozen=True)


def test_a_class_that_was_made_by_a_call_is_looked_into() -> None:
    @jit
    def step(x: Any, config: Static[Any]) -> Any:
        return x * config.power

    config = Made(2)
    with guard():
        step(1.0, config)
        set_anyway(config, "power", 3)
        assert refusal(lambda: step(1.0, config)).path == "Made.power"


def test_what_the_function_does_while_it_is_traced_is_no_change() -> None:
    """It happens before there is a program."""

    class Counter:
        def __init__(self) -> None:
            self.traces = 0
            self.shapes: list[Any] = []

    @static_dataclass
    class Counted:
        counter: Counter = field(hash_by_id=True)

    @jit
    def step(x: Any, counted: Static[Counted]) -> Any:
        counted.counter.traces += 1
        counted.counter.shapes.append(jnp.shape(x))
        return x

    counted = Counted(Counter())
    with guard():
        for size in (1, 2, 1, 3, 2):
            step(jnp.ones(size), counted)
    assert counted.counter.traces == 3


def test_a_failed_call_leaves_nothing_behind() -> None:
    @jit
    def step(x: Any, model: Static[Model]) -> Any:
        return x * (1 / model.registry.weight)

    model = Model(Registry())
    model.registry.weight = 0.0
    with guard():
        with pytest.raises(ZeroDivisionError):
            step(1.0, model)
        model.registry.weight = 0.5
        assert step(1.0, model) == 2


# Equal values share programs.


def test_a_new_value_does_not_get_the_program_of_one_that_was_changed() -> None:
    def make() -> Any:
        @jit
        def step(x: Any, solver: Static[Solver]) -> Any:
            return x * solver._dt

        return step

    step, solver = make(), Solver(2.0)
    step(1.0, solver)
    solver._dt = 5.0
    is_stale = step(1.0, Solver(5.0)) != 5  # In JAX 0.9 and later.

    step, solver = make(), Solver(2.0)
    with guard():
        step(1.0, solver)
        solver._dt = 5.0
        if is_stale:
            error = refusal(lambda: step(1.0, Solver(5.0)))
            assert error.code == "static-mutable"
            assert error.reason.startswith("2.0 → 5.0 in a value that is equal to this one: changed since step was")
        else:
            assert step(1.0, Solver(5.0)) == 5
        assert step(1.0, Solver(7.0)) == 7
        assert step(1.0, Solver(2.0)) == 2


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (Config(2), Config(2.0)),
        (Config((1, 2)), Config((1, 2.0))),
        (Config(0.0), Config(-0.0)),
        (Config(np.float32(2)), Config(2.0)),
        (0.0, -0.0),
        ((2,), (2.0,)),
        (immutabledict(a=1), immutabledict(a=True)),
    ],
    ids=label,
)
def test_equal_values_that_differ_do_not_share_a_program(first: Any, second: Any) -> None:
    seen: list[Any] = []

    @jit
    def step(x: Any, config: Static[Any]) -> Any:
        seen.append(config)
        return x

    with guard():
        step(1.0, first)
        error = refusal(lambda: step(1.0, second))
        assert (error.code, error.function, error.parameter) == ("static-eq", "step", "config")
        assert "is run with the program of step for" in error.reason
        step(1.0, first)
        step(jnp.ones(2), second)  # JAX traces, so it is right.
        step(jnp.ones(2), second)
    assert [repr(value) for value in seen] == [repr(first), repr(second)]


# The contract.


@pytest.fixture
def new() -> Any:
    return lambda x: x


def test_every_call_is_held_to_the_contract(new: Any) -> None:
    @jit
    def step(x: Any, config: Static[Any], *, other: Static[Any] = None) -> Any:
        return x

    @jit
    def outer(x: Any) -> Any:
        return step(x, Config(new))

    calls: list[tuple[Callable[[], Any], str, str]] = [
        (lambda: step(1.0, Config(new)), "static-callable", "config"),
        (lambda: step(1.0, config=Config(new)), "static-callable", "config"),
        (lambda: step(1.0, 1, other=Config(new)), "static-callable", "other"),
        (lambda: step(1.0, unseen(Registry())), "static-mutable", "config"),
        (lambda: step(1.0, 1, other=(1, new)), "static-callable", "other"),
        (lambda: jax.vmap(lambda x: step(x, Config(new)))(jnp.ones(2)), "static-callable", "config"),
        (lambda: outer(1.0), "static-callable", "config"),
        (lambda: jax.grad(lambda x: step(x, unseen(Registry())))(1.0), "static-mutable", "config"),
    ]
    for call, code, parameter in calls:
        with guard():
            for _ in range(2):
                error = refusal(call)
                assert (error.code, error.parameter) == (code, parameter)
                assert error.function == "step"
        call()


def test_methods_and_variadic_arguments_are_named() -> None:
    class Machine:
        def __init__(self) -> None:
            self.speed = 1.0

        @jit
        def run(self: Static[Any], x: Any) -> Any:
            return x

    @functools.partial(jit, static_argnums=(1, 2))
    def variadic(*args: Any) -> Any:
        return args[0]

    with guard():
        error = refusal(lambda: unseen(Machine()).run(1.0))
        assert str(error).startswith('Machine.run(): argument "self": Machine is mutable: "speed" can be assigned')
        assert refusal(lambda: variadic(1.0, 2, unseen(Registry()))).parameter == "args[2]"
        program = functools.partial(jax.jit, static_argnums=-1)(functools.partial(weigh.__wrapped__, 2.0))
        with guard(jax_jit=True):
            error = refusal(lambda: program(unseen(Registry())))
        assert (error.function, error.parameter) == ("weigh", "model")


def test_a_miss_is_refused_before_the_function_runs() -> None:
    ran = []

    @jit
    def step(x: Any, config: Static[Any]) -> Any:
        ran.append(config)
        return x

    with guard():
        refusal(lambda: step(1.0, unseen(Registry())))
    assert not ran


def test_functions_of_jax_jit_are_guarded_on_request() -> None:
    @functools.partial(jax.jit, static_argnames="config")
    def step(x: Any, config: Any) -> Any:
        return x

    registry = unseen(Registry())
    with guard():
        step(1.0, registry)
    with guard(jax_jit=True):
        assert refusal(lambda: step(1.0, registry)).parameter == "config"
        jnp.sum(jnp.ones(3), axis=(0,))
        jnp.einsum("i,i->", jnp.ones(3), jnp.ones(3))
        jax.random.normal(jax.random.key(0), (3,))


# Where it holds.

MAKERS: list[Callable[[int], Any]] = [
    Solver,
    lambda number: Config(number, (Solver(number),)),
    lambda number: Model(Registry(), order=number),
    lambda number: (number, number),
]


@jit
def weigh(x: Any, model: Static[Model]) -> Any:
    return x * model.registry.weight


@pytest.fixture
def changed() -> Iterator[Model]:
    model = Model(Registry())
    with guard():
        weigh(1.0, model)
    model.registry.weight = 5.0
    yield model


def test_it_may_decorate_a_function_and_be_nested(changed: Model) -> None:
    @guard()
    def program() -> None:
        weigh(1.0, changed)

    for _ in range(2):
        refusal(program)
    weigh(1.0, changed)
    with guard():
        with guard(jax_jit=True):
            refusal(lambda: weigh(1.0, changed))
        refusal(lambda: weigh(1.0, changed))
    weigh(1.0, changed)


def test_it_holds_for_all_threads_and_tasks(changed: Model) -> None:
    errors: list[StaticContractError] = []

    async def task() -> None:
        await asyncio.sleep(0)
        errors.append(refusal(lambda: weigh(1.0, changed)))

    async def tasks() -> None:
        await asyncio.gather(task(), task())

    with guard():
        threads = [threading.Thread(target=lambda: errors.append(refusal(lambda: weigh(1.0, changed))))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        asyncio.run(tasks())
    assert len(errors) == 3


def test_an_equality_that_calls_compiled_functions_is_not_guarded_itself() -> None:
    class Odd(Solver):
        def __eq__(self, other: object) -> bool:
            return type(other) is Odd and bool(weigh(self._dt, stale) == weigh(other._dt, stale))

        __hash__ = Solver.__hash__

    @jit
    def step(x: Any, odd: Static[Odd]) -> Any:
        return x * odd._dt

    stale = Model(Registry())
    with guard():
        assert [step(1.0, Odd(number)) for number in (1.0, 1.0, 2.0)] == [1, 1, 2]


def test_what_is_gone_is_forgotten() -> None:
    """JAX takes long for thousands of values, so the guard is told of calls that it does not get."""

    function: list[Any] = [lambda x, config: x]

    def call(value: Any) -> None:
        shown = Call(function[0], None, (1.0, value), {}, (1,), ("config",), True)
        watching.before(shown)
        watching.after(shown, traced=True, failed=False)

    watching = Guard(jax_jit=False)
    values = [*map(Solver, range(10_000)), *(make(number) for number in range(100) for make in MAKERS)]
    for value in values:
        call(value)
    (seen,) = (known.seen for alive, known in verification._functions.values() if alive() is function[0])
    assert len(seen) >= 10_000
    del values, value
    gc.collect()
    assert len(seen) <= 101  # The tuples, which cannot be referred to weakly: it keeps the latest few thousand.
    jax.clear_caches()  # type: ignore[no-untyped-call]
    call(1)
    (known,) = (known for alive, known in verification._functions.values() if alive() is function[0])
    assert len(known.seen) == 0
    count = len(verification._functions)
    function.clear()
    gc.collect()
    assert len(verification._functions) == count - 1


def test_outside_of_a_guard_nothing_is_left() -> None:
    from jax._src import api, pjit, util

    names = [(pjit, "_infer_params"), (util, "test_event_listener"), (api, "_post_hook_state")]
    before = [getattr(module, name, None) for module, name in names]
    compiled = weigh
    with guard(), guard():
        assert weigh is compiled
    assert [getattr(module, name, None) for module, name in names] == before


def test_tracebacks_show_the_call_and_not_what_stands_between(changed: Model) -> None:
    @jit
    def failing(x: Any, n: Static[int]) -> Any:
        raise ZeroDivisionError

    with guard():
        with pytest.raises(ZeroDivisionError) as caught:
            failing(1.0, 1)
        errors: list[BaseException] = [caught.value, refusal(lambda: weigh(jnp.ones(7), changed))]
    for error in errors:
        files = [Path(frame.filename).name for frame in traceback.extract_tb(error.__traceback__)]
        assert set(files) == {Path(__file__).name}


def test_replacing_a_value_is_what_the_message_says_and_works() -> None:
    @jit
    def step(x: Any, config: Static[Config]) -> Any:
        return x**config.power

    config = Config(1)
    with guard():
        assert step(3.0, config) == 3
        assert step(3.0, dataclasses.replace(config, power=2)) == 9
        set_anyway(config, "power", 2)
        assert "dataclasses.replace" in refusal(lambda: step(3.0, config)).advice
