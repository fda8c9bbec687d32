"""The reasons that `explain` gives: the argument, the path to the difference, and the code of the rule about it."""

from __future__ import annotations

import collections
import dataclasses
import functools
import html
import re
from dataclasses import dataclass, field
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from jaxtyped_static import Static, dynamic_dataclass, explain, jit, static_dataclass


@dataclass(frozen=True)
class Solver:
    order: Any = 1
    limiter: Any = None


@static_dataclass
class Grid:
    n: Any
    inner: Any = None


class Plain:
    def __init__(self, n: int) -> None:
        self.n = n

    def method(self) -> None: ...


@dataclass(frozen=True, eq=False)
class NoEq:
    n: int


class Odd:
    """Never equal, although it has an `__eq__`, and its repr raises."""

    def __eq__(self, other: object) -> bool:
        return False

    def __hash__(self) -> int:
        return 1

    def __repr__(self) -> str:
        raise RuntimeError


@jax.tree_util.register_dataclass
@dataclass(frozen=True)
class State:
    u: Any
    n: Any = field(default=0, metadata={"static": True})


@dynamic_dataclass
class Exact:
    u: Any
    n: Static[Any] = 0


def nested(*args: Any) -> Any:
    def limiter(*args: Any) -> None: ...

    return limiter


@pytest.fixture(autouse=True)
def nothing_compiled() -> None:
    jax.clear_caches()  # type: ignore[no-untyped-call]


@jit
def step(x: Any, c: Static[Any] = None) -> Any:
    return x


X = jnp.ones(8)
NESTED = [nested(), nested()]
NAN = "nan is equal to no other nan"

# Two values of the static argument, and the reported difference.
STATIC = [
    (1, 1.0, "c: 1 → 1.0", None),
    (1, True, "c: 1 → True", None),
    (np.float32(1), 1.0, "c: np.float32(1.0) → 1.0", None),
    ("a", None, "c: 'a' → None", None),
    (float("nan"), float("nan"), f"c: {NAN}", "static-hash"),
    ((1, (2, "a")), (1, (2, "b")), "c[1][1]: 'a' → 'b'", None),
    ((1, 2), (1, 2, 3), "c: (1, 2) → (1, 2, 3)", None),
    (Solver(1), Solver(2), "c.order: 1 → 2", None),
    (Solver(1), Grid(1), "c: Solver(order=1, limiter=None) → Grid(n=1, inner=None)", None),
    (Solver((1, Solver(3))), Solver((1, Solver(4))), "c.order[1].order: 3 → 4", None),
    (Grid(1), Grid(1.0), "c.n: 1 → 1.0", None),
    (Grid(0.0), Grid(-0.0), "c.n: 0.0 → -0.0", None),
    (Grid(1, (1, Grid(2))), Grid(1, (1, Grid(2.0))), "c.inner[1].n: 2 → 2.0", None),
    (Solver(Grid(1)), Solver(Grid(True)), "c.order.n: 1 → True", None),
    (Solver(jnp.tanh), Solver(jnp.sin), "c.order: tanh", None),
    (Solver(nested), Solver(step), "c.order: nested", None),
    (lambda: 1, lambda: 2, "c: <lambda> (test_explain_reasons.py", None),
    (nested(), nested(), 'c: "limiter" (test_explain_reasons.py:', "static-callable"),
    (Solver(1, nested()), Solver(1, nested()), 'c.limiter: "limiter" (test_explain_reasons.py:', "static-callable"),
    (functools.partial(nested), functools.partial(nested), "c: functools.partial(...) is hashed", "static-callable"),
    (functools.partial(nested, 1), functools.partial(nested, 2), "c.args[0]: 1 → 2", None),
    (Plain(1).method, Plain(1).method, 'c: "Plain.method" (', "static-callable"),
    (Plain(1), Plain(1), "c: Plain is hashed by identity: it has neither __eq__ nor __hash__", "static-hash"),
    (Plain(1), Plain(2), "c.n: 1 → 2", None),
    (NoEq(1), NoEq(1), "c: NoEq is hashed by identity: it is declared eq=False", "static-hash"),
    (Solver(Plain(1)), Solver(Plain(1)), "c.order: Plain is hashed by identity", "static-hash"),
    (Odd(), Odd(), "no part of it differs; look at Odd.__eq__", "static-hash"),
]


@pytest.mark.parametrize(("old", "new", "says", "code"), STATIC, ids=lambda value: "")
def test_a_static_argument_that_differs(old: Any, new: Any, says: str, code: str | None) -> None:
    with explain(step) as why:
        step(X, old)
        step(X, new)
    (found,) = why.traces[1].differences
    assert says in str(found), str(why)
    assert found.code == code
    assert why.traces[1].compared_with == "trace 1"


def test_the_words_are_those_of_the_rule() -> None:
    with explain(step) as why:
        for _ in range(2):
            step(X, Solver(2, lambda: 7))
    (found,) = why.traces[1].differences
    assert "a lambda (test_explain_reasons.py:" in found.says
    assert found.says.endswith("is a new function each time; define a function at module level")
    assert str(found).endswith("[static-callable]")


def test_every_difference_is_named_once() -> None:
    with explain(step) as why:
        step(X, Solver(11, "a"))
        step(jnp.ones(3), Solver(12, "b"))
    assert [each.path for each in why.traces[1].differences] == ["x", "c.order", "c.limiter"]


def test_a_call_is_compared_with_the_most_similar_earlier_one() -> None:
    with explain(step) as why:
        step(X, Solver("first", "a"))
        step(X, Solver("second", "b"))
        step(X, Solver("first", "c"))
    assert why.traces[2].compared_with == "trace 1"


@dataclass
class Mutable:
    n: int

    def __hash__(self) -> int:
        return hash(self.n)


def test_a_value_changed_after_it_was_hashed() -> None:
    value = Mutable(1)
    with explain(step) as why:
        step(X, value)  # type: ignore[static-mutable]
        value.n = 2
        step(jnp.ones(9), value)  # type: ignore[static-mutable]
    _, changed = why.traces[1].differences
    assert str(changed).startswith("c.n: 1 → 2, in the same object, which changed after it was hashed")
    assert str(changed).endswith("declare it @dataclass(frozen=True)  [static-mutable]")


# Two values of the dynamic argument.
DYNAMIC = [
    (jnp.ones(2), jnp.ones(3), "x: float32[2] → float32[3]"),
    (jnp.ones(2), jnp.ones(2, int), "x: float32[2] → int32[2]"),
    (1.0, 1, "x: a Python float → a Python int"),
    (1.0, jnp.float32(1), "x: a Python float → float32[], whose dtype is not weak; pass jnp.float32(...) each time"),
    (jnp.float32(1), jnp.asarray(1.0), "x: float32[] → weakly typed float32[], whose dtype is weak"),
    (X, (X,), "x: float32[8] → (float32[8],)"),
    ((X, X), (X, X, X), "x: 2 elements → 3 elements"),
    ((X, X), [X, X], "x: (float32[8], float32[8]) → [float32[8], float32[8]]"),
    ((X, None), (X, 1.0), "x[1]: None → a Python float"),
    ({"a": X}, {"a": X, "b": 1}, "x['b']: was not there, now a Python int"),
    ({"a": X, "b": 1}, {"a": X}, "x['b']: was a Python int, now not there"),
    (State(X), State(jnp.ones(16)), "x.u: float32[8] → float32[16]"),
    ({"s": [State(X)]}, {"s": [State(1.0)]}, "x['s'][0].u: float32[8] → a Python float"),
    (State(X, 1), State(X, 2), "x.n: 1 → 2"),
    (State(X, (1, "a")), State(X, (1, "b")), "x.n[1]: 'a' → 'b'"),
    (State(X, NESTED[0]), State(X, NESTED[1]), 'x.n: "limiter" (test_explain_reasons.py:'),
    (Exact(X, 1), Exact(X, 1.0), "x.n: 1 → 1.0"),
    ([Exact(X, Grid(1))], [Exact(X, Grid(1.0))], "x[0].n.n: 1 → 1.0"),
    (Exact(X, 1), Exact(1.0, 1), "x.u: float32[8] → a Python float"),
    (jax.random.key(0), jnp.zeros(2, "uint32"), "x: key<fry>[] → uint32[2]"),
]


@pytest.mark.parametrize(("old", "new", "says"), DYNAMIC, ids=lambda value: "")
def test_a_dynamic_argument_that_differs(old: Any, new: Any, says: str) -> None:
    with explain(step) as why:
        step(old)
        step(new)
    (found,) = why.traces[1].differences
    assert says in str(found), str(why)


def test_metadata_without_a_name() -> None:
    with explain(step) as why:
        for fun in (nested(), nested()):
            step(jax.tree_util.Partial(fun, X))  # type: ignore[no-untyped-call]
    (found,) = why.traces[1].differences
    assert (found.path, found.code) == ("x (metadata)", "static-callable")


# Two forms of a call with the same values.
FORMS: list[Any] = [
    (((X, 5), {}), ((X,), {"c": 5}), '"c" by position before, by name now', "step(x, c=5)"),
    (((X,), {}), ((X, None), {}), '"c" left at its default before, by position now', "step(x, c=None)"),
    (((X, 6), {}), ((), {"x": X, "c": 6}), '"x" by position before, by name now, "c" by', "step(x, c=6)"),
]


@pytest.mark.parametrize(("old", "new", "says", "advice"), FORMS, ids=lambda value: "")
def test_the_form_of_a_call_splits_the_cache(old: Any, new: Any, says: str, advice: str) -> None:
    with explain(step) as why:
        for args, kwargs in (old, new):
            step(*args, **kwargs)
    (found,) = why.traces[1].differences
    assert says in str(found)
    assert str(found).endswith(f"write {advice} each time")
    assert why.traces[1].is_needless


def test_a_dynamic_default_is_a_constant_of_the_program() -> None:
    @jax.jit
    def scaled(x: Any, by: float = 2.0) -> Any:
        return x * by

    with explain(scaled) as why:
        scaled(X)
        scaled(X, 2.0)
    (found,) = why.traces[1].differences
    assert found.path == "by" and "an omitted argument is a constant of the program" in found.says
    assert not why.traces[1].is_needless


def test_incomplete_lists() -> None:
    @functools.partial(jax.jit, static_argnums=(), static_argnames="n")
    def scaled(x: Any, n: int) -> Any:  # type: ignore[jit-argnames]
        return x * n

    with explain(scaled) as why:
        scaled(X, 5)
        scaled(X, n=5)
    (found,) = why.traces[1].differences
    assert found.code == "jit-argnames"
    assert "static by name, traced by position" in found.says


def test_further_arguments_are_numbered_and_named() -> None:
    @functools.partial(jax.jit, static_argnums=2, static_argnames="mode")
    def loose(x: Any, *rest: Any, **options: Any) -> Any:
        return x

    with explain(loose) as why:
        loose(X, 1, 2, mode="a")
        loose(X, 1, 3, mode="a")
        loose(X, 1, 3, mode="b")
        loose(X, 1, 3, mode="b", more=1)
    assert [[str(each) for each in trace.differences] for trace in why.traces[1:]] == [
        ["rest[1]: 2 → 3"],
        ["mode: 'a' → 'b'"],
        ["more: is passed now, by name; it was not before"],
    ]


@pytest.mark.parametrize(
    ("context", "says"),
    [
        (lambda: jax.default_matmul_precision("float32"), "jax_default_matmul_precision: None → float32"),
        (lambda: jax.numpy_dtype_promotion("strict"), "jax_numpy_dtype_promotion: standard → strict"),
    ],
)
def test_the_configuration_of_jax(context: Any, says: str) -> None:
    with explain(step) as why:
        step(X)
        with context():
            step(X)
    assert says in [str(each) for each in why.traces[-1].differences]


def test_the_context_of_the_call() -> None:
    with explain(step) as why:
        jax.vmap(step)(X)
        jax.vmap(step, axis_name="i")(X)
    (found,) = why.traces[1].differences
    assert found.says.startswith("JAX's context differs: ")


def test_values_that_contain_themselves_and_large_values() -> None:
    loop = Plain(1)
    loop.n = loop  # type: ignore[assignment]
    wide = dataclasses.make_dataclass("wide", [f"f{i}" for i in range(5000)], frozen=True)
    with explain(step) as why:
        step(X, loop)  # type: ignore[static-mutable]
        step(X, wide(*range(5000)))
        step(X, wide(*range(4999), 1))
    assert len(str(why)) < 4000


def test_a_new_value_does_not_equal_a_changed_one() -> None:
    value = Solver(1)
    with explain(step) as why:
        step(X, value)
        object.__setattr__(value, "order", 5)
        step(X, Solver(1))
    (found,) = why.traces[1].differences
    assert (found.path, found.code) == ("c.order", "static-mutable")
    assert found.says.startswith("1 → 5, in the object of that call, which changed after it was hashed")
    assert "c = Solver(order=1, limiter=None)" in str(why)


def test_the_advice_uses_one_form_of_the_call_throughout() -> None:
    @jit
    def scaled(x: Any, n: Static[int] = 1, *, m: Static[int] = 2) -> Any:
        return x * n * m

    with explain(scaled) as why:
        scaled(X)
        scaled(X, 1)
        scaled(X, n=1)
        scaled(x=X, n=1)
        scaled(X, 1, m=2)
    advised = {str(each).partition("; write ")[2] for trace in why.traces for each in trace.differences}
    assert advised == {"scaled(x, n=1, m=2) each time"}, str(why)


def test_trees_that_differ_in_metadata_look_different() -> None:
    with explain(step) as why:
        step(State(X, 1))
        step(Exact(X, 2))
    assert [trace.dynamic["x"] for trace in why.traces] == ["State(u=float32[8], n=1)", "Exact(u=float32[8], n=2)"]


Same = [collections.namedtuple(name, "x") for name in ("One", "Other", "Other")]

# Two arguments of classes that print alike, and the reported difference.
ALIKE = [
    (Same[0](X), Same[1](X), "x: One(x=float32[8]) → Other(x=float32[8])"),
    (Same[1](X), Same[2](X), "x: Other(x=float32[8]) → another class of the same name: it was defined again; define"),
    ((X,), Same[0](X), "x: (float32[8],) → One(x=float32[8])"),
    ({"a": X}, collections.OrderedDict(a=X), "x: {'a': float32[8]} → OrderedDict({'a': float32[8]})"),
    (collections.defaultdict(X.copy, a=X), {"a": X}, "x: defaultdict({'a': float32[8]}) → {'a': float32[8]}"),
]


@pytest.mark.parametrize(("old", "new", "says"), ALIKE, ids=lambda value: "")
def test_classes_that_print_alike_are_named(old: Any, new: Any, says: str) -> None:
    with explain(step) as why:
        step(old)
        step(new)
    (found,) = why.traces[1].differences
    assert str(found).startswith(says), str(why)


@pytest.mark.parametrize("wrap", [lambda value: value, lambda value: (1, value), Solver])
def test_a_static_class_that_was_defined_again_is_named(wrap: Any) -> None:
    one, other = (dataclasses.make_dataclass("Made", ["n"], frozen=True)(1) for _ in range(2))
    with explain(step) as why:
        step(X, wrap(one))
        step(X, wrap(other))
    (found,) = why.traces[1].differences
    assert found.says.startswith("Made(n=1) → another class of the same name: it was defined again; "), str(why)


def test_a_long_call_ends_in_an_ellipsis() -> None:
    many = jax.jit(lambda *args: args)
    with explain(many) as why:
        many(*range(300))
    assert str(why).splitlines()[1].startswith("  1. <lambda>(args[0], ") and str(why).splitlines()[1].endswith(" …")
    assert why.traces[0].call.endswith("args[299])")


def test_long_arguments_end_in_an_ellipsis() -> None:
    with explain(step) as why:
        step({f"name {number}": X for number in range(30)}, "a" * 100)
        step({f"name {number}": X for number in range(30)}, "b" * 100)
        step([X], None)
        step((X,) * 30, None)
    lines = str(why).splitlines()
    assert lines[2].strip().startswith("x: {'name 0': float32[8], ") and lines[2].endswith(" …")
    assert lines[3].strip() == f"c = '{'a' * 57} …"
    assert lines[5].strip() == f"c: '{'a' * 57} … → '{'b' * 57} …"
    assert " ..." not in str(why)


def compile_again(fun: Any) -> Any:
    return jax.jit(fun)


@pytest.mark.parametrize(
    ("context", "says"),
    [
        (lambda: jax.enable_x64(True), "jax_enable_x64: False → True"),
        (lambda: jax.default_matmul_precision("float32"), "jax_default_matmul_precision: None → float32"),
        (lambda: jax.default_device(jax.devices()[0]), "jax_default_device: None → "),
    ],
)
def test_a_retrace_after_another_jit_of_the_same_function_has_a_reason(context: Any, says: str) -> None:
    def doubled(x: Any) -> Any:
        return x * 2

    jax.jit(doubled, keep_unused=True)(X)
    again = compile_again(doubled)
    with explain(again) as why:
        again(X)  # Runs the program of the other one.
        with context():
            again(X)
    (trace,) = why.traces
    assert trace.compared_with == "earlier 1"
    assert any(str(each).startswith(says) for each in trace.differences), str(why)


def test_a_notebook_shows_the_reasons() -> None:
    with explain(step) as why:
        step(X, "<b>&")
        step(X, 2)
    assert repr(why) == str(why)
    shown = why._repr_html_()
    assert "c: &#x27;&lt;b&gt;&amp;&#x27; → 2" in shown
    assert (
        re.sub("<[^>]*>", "", html.unescape(shown.replace("&lt;b&gt;", "B"))).split()
        == str(why).replace("<b>", "B").split()
    )
    assert "color" not in shown  # The notebook's own, dark or light.
