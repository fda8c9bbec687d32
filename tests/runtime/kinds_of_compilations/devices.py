"""Devices, shardings and meshes."""

from __future__ import annotations

from typing import Final

from tests.runtime.kinds_of_compilations.kind import Kind

_F: Final = """
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P
@jax.jit
def f(x):
    return x + 1
devices = jax.devices()[:4]
mesh = Mesh(np.array(devices), ("i",))
other = Mesh(np.array(devices).reshape(2, 2), ("a", "b"))
split, whole = NamedSharding(mesh, P("i")), NamedSharding(mesh, P())
x = jnp.ones(8)
"""

KINDS: Final[tuple[Kind, ...]] = (
    Kind(
        "a trace that fails, and then another function on another device",
        _F
        + """
@jax.jit
def fails(x):
    raise ValueError("mine")
a, b = (jax.device_put(x, device) for device in devices[:2])
def attempt():
    try:
        fails(x)  #: maybe traced fails
    except ValueError:
        pass
# recorded:
f(a)  #: first f
attempt()
f(b)  #: again f <- committed to
""",
        devices=4,
    ),
    Kind(
        "a function that is only traced, and then another function on another device",
        _F
        + """
@jax.jit
def g(x):
    return x * 2
a, b = (jax.device_put(x, device) for device in devices[:2])
# recorded:
f(a)  #: first f
jax.eval_shape(g, a)  #: traced g
f(b)  #: again f <- committed to
""",
        devices=4,
    ),
    Kind(
        "another device",
        _F
        + """
a, b = (jax.device_put(x, device) for device in devices[:2])
# recorded:
f(a)  #: first f
f(b)  #: again f <- x: committed to
f(a)
""",
        devices=4,
    ),
    Kind(
        "a committed array",
        _F
        + """
a = jax.device_put(x, devices[1])
# recorded:
f(x)  #: first f
f(a)  #: again f <- committed to
""",
        devices=4,
    ),
    Kind(
        "a default device",
        _F
        + """
n = np.ones(8, np.float32)
# recorded:
f(n)  #: first f
with jax.default_device(devices[1]):
    f(n)  #: again f <- default_device
""",
        devices=4,
    ),
    Kind(
        "another sharding",
        _F
        + """
a, b = jax.device_put(x, split), jax.device_put(x, whole)
# recorded:
f(x)  #: first f
f(a)  #: again f <- x
f(b)  #: again f <- x
f(a)
""",
        devices=4,
    ),
    Kind(
        "a sharding of another mesh",
        _F
        + """
a, b = jax.device_put(x, split), jax.device_put(x, NamedSharding(other, P("b")))
# recorded:
f(a)  #: first f
f(b)  #: again f <- x
""",
        devices=4,
    ),
    Kind(
        "the sharding of a leaf",
        _F
        + """
@jax.jit
def total(params):
    return params["w"].sum() + params["b"].sum()
a, b = jax.device_put(x, split), jax.device_put(x, whole)
# recorded:
total({"w": a, "b": b})  #: first total
total({"w": a, "b": a})  #: again total <- params['b']
""",
        devices=4,
    ),
    Kind(
        "another out_shardings",
        _F
        + """
def g(x):
    return x * 2
one, two = jax.jit(g, out_shardings=split), jax.jit(g, out_shardings=whole)
# recorded:
one(x)  #: first g #: maybe operations
two(x)  #: again g <- out_shardings #: maybe operations
""",
        devices=4,
    ),
    Kind(
        "another in_shardings",
        _F
        + """
def g(x):
    return x * 2
one, two = jax.jit(g, in_shardings=split), jax.jit(g, in_shardings=whole)
# recorded:
one(x)  #: first g #: maybe operations
two(x)  #: again g <- in_shardings #: maybe operations
""",
        devices=4,
    ),
    Kind(
        "within a mesh",
        _F
        + """
# recorded:
f(x)  #: first f
with mesh:
    f(x)  #: again f <- mesh
""",
        devices=4,
    ),
    Kind(
        "within a mesh that is set",
        _F
        + """
set_mesh = getattr(jax, "set_mesh", None) or jax.sharding.use_mesh
n = np.ones(8, np.float32)
# recorded:
f(n)  #: first f
with set_mesh(mesh):
    f(n)  #: again f <- mesh
""",
        ">=0.6",
        devices=4,
    ),
    Kind(
        "pmap",
        _F
        + """
@jax.pmap
def g(x):
    return x * 2
a, b = np.ones((4, 2), np.float32), np.ones((4, 3), np.float32)
# recorded:
g(a)  #: first g
g(b)  #: again g <- x: float32[4,2] → float32[4,3]
g(a)
""",
        devices=4,
    ),
    Kind(
        "pmap with a collective, and a static argument",
        _F
        + """
@functools.partial(jax.pmap, axis_name="i", static_broadcasted_argnums=1)
def g(x, n):
    return lax.psum(x, "i") * n
a = np.ones((4, 2), np.float32)
# recorded:
g(a, 1)  #: first g
g(a, 2)  #: again g <- n: 1 → 2
""",
        devices=4,
    ),
    Kind(
        "shard_map inside of jit",
        _F
        + """
shard_map = getattr(jax, "shard_map", None) or __import__("jax.experimental.shard_map").experimental.shard_map.shard_map
def local(x):
    return x * 2
@jax.jit
def g(x):
    return shard_map(local, mesh=mesh, in_specs=P("i"), out_specs=P("i"))(x)
y = jnp.ones(16)
# recorded:
g(x)  #: first g #: maybe operations
g(y)  #: again g <- x: float32[8] → float32[16] #: maybe operations
""",
        devices=4,
    ),
    Kind(
        "shard_map outside of jit",
        _F
        + """
shard_map = getattr(jax, "shard_map", None) or __import__("jax.experimental.shard_map").experimental.shard_map.shard_map
def local(x):
    return x * 2  #: operations
g = shard_map(local, mesh=mesh, in_specs=P("i"), out_specs=P("i"))
# recorded:
g(x)  #: operations
""",
        devices=4,
    ),
    Kind(
        "a jitted shard_map that is made each time",
        _F
        + """
shard_map = getattr(jax, "shard_map", None) or __import__("jax.experimental.shard_map").experimental.shard_map.shard_map
def local(x):
    return x * 2
# recorded:
for _ in range(2):
    g = shard_map(local, mesh=mesh, in_specs=P("i"), out_specs=P("i"))
    jax.jit(g)(x)  #: first shard_map(local) #: again shard_map(local) <- jit was applied again #: maybe operations
""",
        devices=4,
    ),
    Kind(
        "operations on sharded arrays",
        _F
        + """
a = jax.device_put(x, split)
# recorded:
b = a + a  #: operation add
c = jax.device_put(a, whole)
d = x + x  #: operation add
""",
        devices=4,
    ),
    Kind(
        "a sharding constraint",
        _F
        + """
@jax.jit
def g(x):
    return lax.with_sharding_constraint(x * 2, split)
# recorded:
g(x)  #: first g #: maybe operations
lax.with_sharding_constraint(x, split)  #: operations
""",
        devices=4,
    ),
)
