"""Loops and branches outside of jit: each is compiled by itself."""

from __future__ import annotations

from typing import Final

from tests.runtime.kinds_of_compilations.kind import Kind

_X: Final = "x, y = jnp.ones(3), jnp.ones((2, 2))\n"

KINDS: Final[tuple[Kind, ...]] = (
    Kind(
        "a scan with a new lambda each time",
        _X
        + """
# recorded:
for _ in range(3):
    lax.scan(lambda carry, x: (carry + x, x), 0.0, x)  #: operation scan of <lambda> x3
""",
    ),
    Kind(
        "a scan with one body",
        _X
        + """
def body(carry, x):
    return carry + x, x
# recorded:
for _ in range(3):
    lax.scan(body, 0.0, x)  #: operation scan of body
""",
    ),
    Kind(
        "a scan whose body is jitted",
        _X
        + """
@jax.jit
def body(carry, x):
    return carry + x, x
# recorded:
for _ in range(2):
    lax.scan(body, 0.0, x)  #: operation scan of body
""",
    ),
    Kind(
        "a while_loop with new lambdas each time",
        _X
        + """
# recorded:
for _ in range(2):
    lax.while_loop(lambda n: n < 3, lambda n: n + 1, 0)  #: operation while(_loop)? of <lambda> x2
""",
    ),
    Kind(
        "a while_loop with one body",
        _X
        + """
def goes_on(n):
    return n < 3
def body(n):
    return n + 1
# recorded:
for _ in range(2):
    lax.while_loop(goes_on, body, 0)  #: operation while(_loop)? of (body|goes_on)
""",
    ),
    Kind(
        "a fori_loop with a new lambda each time",
        _X
        + """
# recorded:
for _ in range(2):
    lax.fori_loop(0, 3, lambda i, x: x + i, x)  #: operation .* of <lambda> x2
""",
    ),
    Kind(
        "a fori_loop with one body",
        _X
        + """
def body(i, x):
    return x + i
# recorded:
for _ in range(2):
    lax.fori_loop(0, 3, body, x)  #: operation .* of body
""",
    ),
    Kind(
        "a cond with new lambdas each time",
        _X
        + """
yes = jnp.asarray(True)
# recorded:
for _ in range(2):
    lax.cond(yes, lambda x: x + 1, lambda x: x - 1, x)  #: operation cond of <lambda> x2 #: maybe operations
""",
    ),
    Kind(
        "a cond with one pair of branches",
        _X
        + """
yes = jnp.asarray(True)
def more(x):
    return x + 1
def less(x):
    return x - 1
# recorded:
for _ in range(2):
    lax.cond(yes, more, less, x)  #: operation cond of (more|less) #: maybe operations
""",
    ),
    Kind(
        "a switch",
        _X
        + """
index = jnp.asarray(1)
def one(x):
    return x + 1
def two(x):
    return x + 2
# recorded:
for _ in range(2):
    lax.switch(index, [one, two, one], x)  #: operations
""",
    ),
    Kind(
        "a map",
        _X
        + """
def double(x):
    return x * 2
# recorded:
lax.map(double, x)  #: operation scan of double
lax.map(lambda x: x * 3, x)  #: operation scan of <lambda>
""",
    ),
    Kind(
        "an associative scan",
        _X
        + """
# recorded:
lax.associative_scan(jnp.add, x)  #: operations
lax.associative_scan(jnp.add, x)
""",
    ),
)
