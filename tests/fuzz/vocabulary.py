"""The pieces in `pieces/`, and the imports that they need."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Final

_FOLDER: Final = Path(__file__).with_name("pieces")


def _lines(name: str) -> list[str]:
    return (_FOLDER / f"{name}.txt").read_text(encoding="utf-8").splitlines()


def _blocks(name: str) -> list[str]:
    return (_FOLDER / f"{name}.txt").read_text(encoding="utf-8").strip("\n").split("\n\n")


def _defined(path: Path) -> list[str]:
    """Returns the names that a module defines at its top level."""
    body = ast.parse(path.read_text(encoding="utf-8")).body
    defined = (node.name for node in body if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)))
    assigned = (node.targets[0] if isinstance(node, ast.Assign) else getattr(node, "target", None) for node in body)
    return sorted({*defined, *(target.id for target in assigned if isinstance(target, ast.Name))})


ODDITIES: Final = _defined(Path(__file__).with_name("oddities.py"))
_ODD_NAMES: Final = [f"oddities.{name}" for name in ODDITIES]
SPELLINGS: Final = _lines("spellings")
WRAPPINGS: Final = _lines("wrappings")
POSITIONS: Final = _blocks("positions")
USES: Final = _blocks("uses")
FLAGS: Final = _lines("flags")
EXPRESSIONS: Final = [*_lines("expressions"), *_ODD_NAMES]
STATEMENTS: Final = _blocks("statements")
GROWTHS: Final = _lines("growths")
AROUND: Final = _blocks("around")
DECORATORS: Final = [*_lines("decorators"), *_ODD_NAMES]
PARAMETERS: Final = ["", *_lines("parameters")]
ARGUMENTS: Final = ["", *_lines("arguments")]
BASES: Final = ["", *_lines("bases"), *_ODD_NAMES]

# On one line, because it is inserted into texts.
IMPORTS: Final = (
    "import abc, contextlib, dataclasses, enum, functools, typing, typing_extensions, jax, jax.numpy as jnp, oddities; "
    "from jaxtyped_static import *; import equinox as eqx, flax.struct; from flax import linen as nn, nnx\n"
)
# For pieces with types.
IMPORTS_AND_TYPES: Final = """\
from __future__ import annotations
import abc, dataclasses, enum, functools, typing, typing_extensions
from collections.abc import Awaitable, Callable, Generator, Iterator
from typing import *
from typing_extensions import ReadOnly, TypeAliasType, TypeIs, TypeVarTuple, Unpack, deprecated, override
import equinox as eqx, flax.struct, jax, jax_dataclasses as jdc, oddities
from jaxtyped_static import Dynamic, Static, dynamic_dataclass, jit, static_dataclass

class A: ...
T = TypeVar("T")
P = ParamSpec("P")
Ts = TypeVarTuple("Ts")
Mine = Static[T]
class G(Generic[T]): ...
class V(Generic[Unpack[Ts]]): ...
class H(Generic[P]): ...
def given() -> Any: ...
"""
# For pieces that call something.
IMPORTS_AND_OBJECTS: Final = """\
import dataclasses, functools
from collections.abc import Callable
from typing import Any
import flax.struct, jax, jax.numpy as jnp
from jaxtyped_static import Dynamic, Static, dynamic_dataclass, jit, static_dataclass

class A: ...
class P(flax.struct.PyTreeNode):
    u: jax.Array
    v: int = flax.struct.field(pytree_node=False)
    def m(self, x): return self.replace(u=x)
@static_dataclass
class S:
    q: Callable[..., Any]
x, y, z, w, k = jnp.ones(3), 1, ("", 2), A(), {"k": 1}
p, s, self = P(x, 1), S(lambda: 1), P(x, 2)
"""
