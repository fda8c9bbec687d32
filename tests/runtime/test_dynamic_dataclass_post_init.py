"""`__post_init__` of a dynamic class runs when, and as often as, that of the same dataclass would."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import InitVar, dataclass, fields
from typing import Any, NamedTuple

import jax
from hypothesis import given, settings
from hypothesis import strategies as st

from jaxtyped_static import Static, dynamic_dataclass

Decorate = Callable[[Any], Any]


class Spec(NamedTuple):
    """A class: whether it is decorated, its bases among earlier classes, its kind of `__post_init__`, an InitVar."""

    decorated: bool
    bases: tuple[int, ...]
    post_init: str
    init_var: bool


KINDS = ["none", "none", "plain", "cooperative", "static", "class"]
SPECS = st.lists(
    st.builds(
        Spec, st.booleans(), st.lists(st.integers(0, 5), max_size=2).map(tuple), st.sampled_from(KINDS), st.booleans()
    ),
    min_size=1,
    max_size=6,
)


def post_init(kind: str, name: str, log: list[Any], owner: list[Any]) -> Any:
    def plain(self: Any, *args: Any) -> None:
        log.append((name, args))

    def cooperative(self: Any, *args: Any) -> None:
        log.append((name, args))
        following = getattr(super(owner[0], self), "__post_init__", None)
        if following is not None:
            following(*args)

    functions = {
        "plain": plain,
        "cooperative": cooperative,
        "static": staticmethod(lambda *args: log.append((name, args))),
        "class": classmethod(lambda cls, *args: log.append((name, cls.__name__, args))),
    }
    return functions[kind]


def outcome(decorate: Decorate, specs: list[Spec]) -> Any:
    """Returns what runs when an object of the last class is made, and its field values; or that none can be made."""
    log: list[Any] = []
    made: list[Any] = []
    for number, spec in enumerate(specs):
        decorated = spec.decorated or number == len(specs) - 1
        name, owner = f"C{number}", list[Any]()
        body: dict[str, Any] = {"__annotations__": {f"x{number}": int} if decorated else {}}
        if decorated:
            body[f"x{number}"] = number
        if decorated and spec.init_var:
            body["__annotations__"][f"v{number}"] = InitVar[int]
            body[f"v{number}"] = 10 * number
        if spec.post_init != "none":
            body["__post_init__"] = post_init(spec.post_init, name, log, owner)
        bases = tuple(dict.fromkeys(made[base] for base in spec.bases if base < number))
        try:
            cls = type(name, bases, body)
        except TypeError:  # The bases have no consistent order.
            return None
        if not decorated and any(hasattr(base, "__dataclass_fields__") for base in bases):
            decorated = True
        cls = decorate(cls) if decorated else cls
        owner.append(cls)
        made.append(cls)
    value = made[-1]()
    again: Any = jax.tree.map(lambda x: x, value) if decorate is dynamic_dataclass else value
    return log, {each.name: getattr(again, each.name) for each in fields(value)}


@settings(max_examples=150, deadline=None)
@given(SPECS)
def test_as_in_dataclasses(specs: list[Spec]) -> None:
    assert outcome(dynamic_dataclass, specs) == outcome(dataclass(frozen=True), specs)


def test_fields_set_by_a_mixin_are_verified() -> None:
    class Doubles:
        def __post_init__(self) -> None:
            object.__setattr__(self, "doubled", 2 * self.n)  # type: ignore[attr-defined]

    @dynamic_dataclass
    class Base:
        n: Static[int]
        doubled: Static[int] = 0

    @dynamic_dataclass
    class Made(Base, Doubles):
        x: Any = 1.0

    program = jax.jit(lambda made: made.x * made.doubled)
    assert program(Made(3)) == 6 and program(Made(4)) == 8
    assert vars(Made(3)) == {"n": 3, "doubled": 6, "x": 1.0}
