"""JAX's static arguments, declared in type annotations, checked by mypy and applied at run time.

Markers, on parameters of jitted functions and on fields of classes
    Static[T]           a compile-time constant: hashed and compared, never traced
    Dynamic[T]          traced, like every parameter without a marker

Compiled functions
    jit                 `jax.jit` that takes its static parameters from the annotations
    jitted              a jitted function, typed with `.lower`, `.trace`, `.eval_shape` and `.clear_cache`
    static_params       the static parameters that a function's annotations declare

Classes
    static_dataclass    a frozen class for static arguments: equal values are one object
    dynamic_dataclass   a frozen pytree class: its `Static[...]` fields are part of the structure
    field               `dataclasses.field` for both

Checks at run time
    check_static        raises unless a value can safely be a static argument
    guard               verifies each static argument of each call in a block
    explain             says why a function was traced, argument by argument
    record              says what a block compiles, what that costs, and why
    no_compilation      raises where a warm program compiles after all

Errors, all of them a `JaxtypedStaticError`
    MarkerError         a marker cannot take effect (a `TypeError`)
    JitArgumentsError   the lists given to `jit` contradict the annotations (a `MarkerError` and `ValueError`)
    StaticContractError a value cannot safely be a static argument (a `TypeError`)
    TooManyTracesError  a function was traced more often than a test allows (an `AssertionError`)
    UnexpectedCompilationError  a warm program was about to compile

Tests import from `jaxtyped_static.testing`; `jaxtyped_static.types` has the classes of the results, for annotations.
"""

from jaxtyped_static._contract import check_static as check_static
from jaxtyped_static._dynamic_dataclass import dynamic_dataclass as dynamic_dataclass
from jaxtyped_static._environment import switch_on as _switch_on
from jaxtyped_static._errors import JaxtypedStaticError as JaxtypedStaticError
from jaxtyped_static._errors import JitArgumentsError as JitArgumentsError
from jaxtyped_static._errors import MarkerError as MarkerError
from jaxtyped_static._errors import StaticContractError as StaticContractError
from jaxtyped_static._errors import TooManyTracesError as TooManyTracesError
from jaxtyped_static._errors import UnexpectedCompilationError as UnexpectedCompilationError
from jaxtyped_static._explain import explain as explain
from jaxtyped_static._fields import field as field
from jaxtyped_static._guard import guard as guard
from jaxtyped_static._jit import jit as jit
from jaxtyped_static._jit import jitted as jitted
from jaxtyped_static._markers import Dynamic as Dynamic
from jaxtyped_static._markers import Static as Static
from jaxtyped_static._no_compilation import no_compilation as no_compilation
from jaxtyped_static._record import record as record
from jaxtyped_static._signature import static_params as static_params
from jaxtyped_static._static_dataclass import static_dataclass as static_dataclass

__version__ = "0.1.0"

__all__ = [
    "Dynamic",
    "JaxtypedStaticError",
    "JitArgumentsError",
    "MarkerError",
    "Static",
    "StaticContractError",
    "TooManyTracesError",
    "UnexpectedCompilationError",
    "__version__",
    "check_static",
    "dynamic_dataclass",
    "explain",
    "field",
    "guard",
    "jit",
    "jitted",
    "no_compilation",
    "record",
    "static_dataclass",
    "static_params",
]

_switch_on()
