"""A census of any size, with modules, roles and edges as in real programs."""

from __future__ import annotations

import random
from collections.abc import Iterator

from jaxtyped_static_cli.census.model import (
    Argument,
    Call,
    Census,
    Class,
    Field,
    Function,
    Parameter,
    Place,
    Reason,
    Role,
    Use,
)

_AREAS = ("core", "solvers", "geometry", "transport", "io", "config", "training", "models", "sources", "plotting")
_NAMES = ("Solver", "Grid", "State", "Config", "Mesh", "Params", "Profile", "Limiter", "Model", "Policy", "Schedule")
_BROKEN = Reason("static-mutable", "", "it is not frozen", "declare it @dataclass(frozen=True)")
_UNPROVEN = Reason(
    "static-unverified", ".extra", "its type is Any, so it is not checked", "name a concrete type", False
)


def made(nodes: int, seed: int = 0) -> Census:
    """A fifth are functions; modules have about twelve members; classes hold classes of their own and other modules."""
    chance = random.Random(seed)
    paths = [f"app/{_AREAS[number % 10]}/part_{number // 10}.py" for number in range(max(2, nodes // 12))]
    classes = list(_classes(nodes - nodes // 5, paths, chance))
    functions = list(_functions(nodes // 5, paths, classes, chance))
    return Census(len(paths), tuple(functions), tuple(classes))


def _classes(count: int, paths: list[str], chance: random.Random) -> Iterator[Class]:
    done: list[Class] = []
    for number in range(count):
        path, name = chance.choice(paths), f"{chance.choice(_NAMES)}{number}"
        role = chance.choices([Role.STATIC, Role.DYNAMIC], [5, 4])[0]
        near = [one for one in done if one.place.path == path]
        held = chance.sample(near, min(len(near), chance.randint(0, 2)))
        if done and chance.random() < 0.15:
            held.append(chance.choice(done))
        uses = [Use(role, "declaration")]
        uses += [Use(other, "field", "", "part") for other in Role if other != role][: int(chance.random() < 0.05)]
        fields = tuple(Field(f"part_{i}", one.name, role, (), (one.id,)) for i, one in enumerate(held))
        reasons = (_BROKEN,) if chance.random() < 0.06 else (_UNPROVEN,) if chance.random() < 0.06 else ()
        made_one = Class(f"{path}::{name}", name, Place(path, number), "", tuple(uses), reasons, fields)
        done.append(made_one)
        yield made_one


def _functions(count: int, paths: list[str], classes: list[Class], chance: random.Random) -> Iterator[Function]:
    before: list[Function] = []
    for number in range(count):
        path, name = chance.choice(paths), f"step_{number}"
        near = [one for one in classes if one.place.path == path] or classes
        taken = chance.sample(near, min(len(near), chance.randint(1, 3)))
        parameters = tuple(
            Parameter(f"p{i}", one.roles[0], one.name, False, (), (one.id,)) for i, one in enumerate(taken)
        )
        caller = chance.choice(before).id if before and chance.random() < 0.3 else ""
        call = Call(Place(path, number), "main", True, (Argument("p0", "value", taken[0].name),), caller)
        before.append(Function(f"{path}::{name}", name, Place(path, number), "jax.jit", parameters, "", (call,)))
        yield before[-1]
