"""Who calls a compiled function: threads, generators, other compiled functions, code that raises."""

from __future__ import annotations

from typing import Final

from tests.runtime.kinds_of_compilations.kind import Kind

_X: Final = "x, y = jnp.ones(3), jnp.ones(4)\n"

KINDS: Final[tuple[Kind, ...]] = (
    Kind(
        "calls in a property, a sort key and a class body",
        _X
        + """
@jax.jit
def step(x):
    return x + 1
class Model:
    @property
    def value(self):
        return step(x)  #: first step
# recorded:
Model().value
sorted([y], key=lambda y: step(y)[0])  #: again step <- x: float32[3] → float32[4] #: maybe operations
class Made:
    value = step(1.0)  #: again step <- → a Python float
""",
    ),
    Kind(
        "a call at the bottom of a deep recursion",
        _X
        + """
@jax.jit
def step(x):
    return x + 1
def deep(n, x):
    if n:
        return deep(n - 1, x)
    return step(x)  #: first step
# recorded:
deep(200, x)
""",
    ),
    Kind(
        "two recordings, one in the other",
        _X
        + """
from jaxtyped_static._record import record
@jax.jit
def step(x):
    return x + 1
# recorded:
step(x)  #: first step
with record() as inner:
    step(y)  #: again step <- x: float32[3] → float32[4]
assert [one.function.name for one in inner.run.preparations] == ["step"], inner.run.preparations
step(1.0)  #: again step <- → a Python float
""",
    ),
    Kind(
        "jit in jit",
        _X
        + """
@jax.jit
def inner(x):
    return x + 1
@jax.jit
def outer(x):
    return inner(x) * inner(x)
# recorded:
outer(x)  #: first outer
outer(y)  #: again outer <- x: float32[3] → float32[4]
inner(x)  #: first inner
""",
    ),
    Kind(
        "a jitted function that calls itself",
        _X
        + """
@functools.partial(jax.jit, static_argnums=1)
def power(x, n):
    return x if n == 0 else x * power(x, n - 1)
# recorded:
power(x, 3)  #: first power
power(x, 2)  #: again power <- n: 3 → 2
""",
    ),
    Kind(
        "a jitted function called by another function, and by a generator",
        _X
        + """
@jax.jit
def step(x):
    return x + 1
def train(x):
    return step(x)  #: first step
def run(x):
    while True:
        yield step(x)  #: again step <- x: float32[3] → float32[4]
# recorded:
train(x)
next(run(y))
next(run(x))
""",
    ),
    Kind(
        "a coroutine",
        _X
        + """
import asyncio
@jax.jit
def step(x):
    return x + 1
async def train(x):
    await asyncio.sleep(0)
    return step(x)  #: first step #: again step <- x: float32[3] → float32[4]
async def both():
    await asyncio.gather(train(x), train(y))
# recorded:
asyncio.run(both())
""",
    ),
    Kind(
        "a function that raises while it is traced, and then works",
        _X
        + """
fails = [True]
@jax.jit
def step(x):
    if fails:
        fails.clear()
        raise ValueError("mine")
    return x + 1
# recorded:
try:
    step(x)  #: maybe traced step
    raise AssertionError
except ValueError as error:
    assert str(error) == "mine"
step(x)  #: first step
step(y)  #: again step <- x: float32[3] → float32[4]
""",
    ),
    Kind(
        "a jitted function that raises inside of another one",
        _X
        + """
@jax.jit
def inner(x):
    raise KeyError("mine")
@jax.jit
def outer(x):
    try:
        return inner(x)
    except KeyError:
        return x + 1
# recorded:
outer(x)  #: first outer
""",
    ),
    Kind(
        "two threads that compile at once",
        _X
        + """
@jax.jit
def step(x):
    return jnp.sin(x @ x) + 1
@jax.jit
def loss(x):
    return jnp.cos(x @ x) + 1
def run(fun, x):
    barrier.wait()
    return fun(x)  #: first step #: first loss
barrier = threading.Barrier(2)
threads = [threading.Thread(target=run, args=(fun, x)) for fun in (step, loss)]
# recorded:
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
""",
    ),
    Kind(
        "two threads that compile one function at once",
        _X
        + """
@jax.jit
def step(x):
    return jnp.sin(x @ x) + 1
def run(x):
    barrier.wait()
    return step(x)  #: first step #: again step <- x: float32[
barrier = threading.Barrier(2)
threads = [threading.Thread(target=run, args=(each,)) for each in (x, y)]
# recorded:
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
""",
    ),
    Kind(
        "a pool of threads",
        _X
        + """
import concurrent.futures
xs = [np.ones(n, np.float32) for n in range(1, 9)]
@jax.jit
def step(x):
    return x + 1
def run(x):
    return step(x)  #: first step #: again step x7 <- x: float32[
# recorded:
with concurrent.futures.ThreadPoolExecutor(4) as pool:
    results = list(pool.map(run, xs))
assert [len(result) for result in results] == list(range(1, 9))
""",
    ),
)
