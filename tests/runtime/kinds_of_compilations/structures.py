"""Pytrees: their keys, lengths, classes and static data."""

from __future__ import annotations

from typing import Final

from tests.runtime.kinds_of_compilations.kind import Kind

_TOTAL: Final = """
@jax.jit
def total(tree):
    return sum(x.sum() for x in jax.tree_util.tree_leaves(tree))
x, y = jnp.ones(3), jnp.ones(4)
"""

KINDS: Final[tuple[Kind, ...]] = (
    Kind(
        "another key of a dict",
        _TOTAL
        + """
# recorded:
total({"w": x})  #: first total
total({"w": x, "b": x})  #: again total <- tree['b']
total({"b": x, "w": x})
""",
    ),
    Kind(
        "an ordered dict instead of a dict",
        _TOTAL
        + """
# recorded:
total({"w": x})  #: first total
total(OrderedDict(w=x))  #: again total <- OrderedDict
""",
    ),
    Kind(
        "a longer list",
        _TOTAL
        + """
# recorded:
total([x])  #: first total
total([x, x])  #: again total <- tree
""",
    ),
    Kind(
        "a list that grows in a loop",
        _TOTAL
        + """
# recorded:
history = []
for _ in range(4):
    history.append(x)
    total(history)  #: first total #: again total x3 <- tree
""",
    ),
    Kind(
        "a tuple instead of a list",
        _TOTAL
        + """
# recorded:
total([x])  #: first total
total((x,))  #: again total <- tree: [float32[3]] → (float32[3],)
""",
    ),
    Kind(
        "None instead of an array",
        """
@jax.jit
def apply(x, mask):
    return x if mask is None else x * mask
x = jnp.ones(3)
# recorded:
apply(x, x)  #: first apply
apply(x, None)  #: again apply <- mask: float32[3] → None
""",
    ),
    Kind(
        "another class of the same name",
        _TOTAL
        + """
def state(x):
    # JAX 0.10 takes two registered dataclasses with the same fields for equal, so that it may run the same program.
    @jax.tree_util.register_pytree_node_class
    class State:
        def __init__(self, u):
            self.u = u
        def tree_flatten(self):
            return (self.u,), None
        @classmethod
        def tree_unflatten(cls, _, children):
            return cls(*children)
    return State(x)
# recorded:
total(state(x))  #: first total
total(state(x))  #: again total <- another class of the same name
""",
    ),
    Kind(
        "static data of a registered dataclass",
        _TOTAL
        + """
@functools.partial(jax.tree_util.register_dataclass, data_fields=["u"], meta_fields=["order"])
@dataclasses.dataclass
class State:
    u: jax.Array
    order: int
# recorded:
total(State(x, 1))  #: first total
total(State(x, 2))  #: again total <- tree.order: 1 → 2
total(State(y, 2))  #: again total <- tree.u: float32[3] → float32[4]
""",
    ),
    Kind(
        "static data of a node registered by functions",
        _TOTAL
        + """
class Boxed:
    def __init__(self, u, name):
        self.u, self.name = u, name
jax.tree_util.register_pytree_node(Boxed, lambda box: ((box.u,), box.name), lambda name, us: Boxed(*us, name))
# recorded:
total(Boxed(x, "a"))  #: first total
total(Boxed(x, "b"))  #: again total <- tree.name: 'a' → 'b'
""",
    ),
    Kind(
        "another namedtuple with the same fields",
        _TOTAL
        + """
Point, Pair = namedtuple("Point", "a b"), namedtuple("Pair", "a b")
# recorded:
total(Point(x, x))  #: first total
total(Pair(x, x))  #: again total <- Pair
""",
    ),
    Kind(
        "deep in a tree",
        """
@jax.tree_util.register_dataclass
@dataclasses.dataclass
class Model:
    layers: list
@jax.jit
def loss(params, batch):
    return sum(layer["w"].sum() for layer in params["model"].layers) + batch.sum()
def params(n):
    return {"model": Model([{"w": np.ones(2)}, {"w": np.ones(n)}]), "t": np.ones(())}
x = jnp.ones(3)
# recorded:
loss(params(3), x)  #: first loss
loss(params(4), x)  #: again loss <- params['model'].layers[1]['w']: float32[3] → float32[4]
""",
    ),
    Kind(
        "an empty tree",
        """
@jax.jit
def step(x, extra):
    return x + 1
x = jnp.ones(3)
# recorded:
step(x, {})  #: first step
step(x, ())  #: again step <- extra
step(x, [])  #: again step <- extra
step(x, None)  #: again step <- extra
""",
    ),
    Kind(
        "static data whose repr and attributes raise",
        _TOTAL
        + """
class Hostile:
    def __init__(self, n):
        self.n = n
    def __eq__(self, other):
        return type(other) is Hostile and self.n == other.n
    def __hash__(self):
        return hash(self.n)
    def __repr__(self):
        raise RuntimeError("no repr")
    def __getattr__(self, name):
        raise RuntimeError("no attribute " + name)
@functools.partial(jax.tree_util.register_dataclass, data_fields=["u"], meta_fields=["how"])
@dataclasses.dataclass
class State:
    u: jax.Array
    how: Hostile
# recorded:
total(State(x, Hostile(1)))  #: first total
total(State(x, Hostile(1)))
total(State(x, Hostile(2)))  #: again total <- tree.how
""",
    ),
)
