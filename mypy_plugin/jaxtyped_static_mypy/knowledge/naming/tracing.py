"""What names say of code that JAX may trace: what compiles, what stays on the host, and what asks for tracers."""

from typing import Final

from .programs import starts_program

EMPTYING_CACHES: Final = "clear_caches("  # of all that JAX has compiled
_CLOCKS: Final = ("monotonic(", "perf_counter", "process_time", "time.time(", "timeit")

# Caches that are filled outside of traces only: `if not isinstance(x, jax.core.Tracer): self._cache = x`.
_TRACER: Final = "Tracer"
_OF_TRACERS: Final = frozenset({"is_tracer"})
_OUTSIDE_OF_TRACES: Final = frozenset({"is_concrete", "trace_state_clean"})
_ABOUT_TRACERS: Final = {_TRACER} | _OF_TRACERS | _OUTSIDE_OF_TRACES

# Pallas kernels: `o_ref[...] = x_ref[...] + 1` writes to a mutable array, which JAX threads through the program.
# Those of tokamax and sglang-jax name its memory: `m_smem[wg] = m`.
_MEMORIES: Final = ("gmem", "gmems", "smem", "smems", "tmem", "vmem")
_REF_SUFFIXES: Final = frozenset({"ref", "refs", *_MEMORIES})
_REF_CLASSES: Final = "Ref"  # `MemRef`, `TransformedRef`: their packages declare many
_PACKAGE_OF_REFS: Final = "pallas"

# Annotations with shapes: `n: Int[Scalar, ""]` is an array without dimensions, for which people also pass a number.
_SCALARS: Final = frozenset({"Scalar"})

# Simulations whose setters compile anew: `self.dt = dt; self.step = jax.jit(self._step)`, or forget what was compiled.
_EMPTYING: Final = frozenset({"clear_cache", "clear_caches"})
_COMPILING: Final = _EMPTYING | {"filter_jit", "filter_pmap", "jit", "pmap"}

# Parameters of functions that rebuild a pytree (slimpletic: `lambda data, _: GGLBundle(*data)`).
_OF_CHILDREN: Final = ("child", "data", "leaves")
_OF_AUXILIARY: Final = ("aux", "meta", "static")


def takes_time(line: str) -> bool:
    """Whether a line of code reads a clock."""
    return any(clock in line for clock in _CLOCKS)


def holds_children(name: str) -> bool:
    """Whether a parameter of this name is meant to take the children of a pytree."""
    return any(word in name for word in _OF_CHILDREN) and not any(word in name for word in _OF_AUXILIARY)


def is_scalar_type(name: str) -> bool:
    """Whether a type of this name is an array without dimensions."""
    return name in _SCALARS


def compiles(function: str) -> bool:
    """Whether a function compiles, by its full name as a program imports it, or makes JAX do so again."""
    return function.rpartition(".")[2] in _COMPILING


def empties_cache(name: str) -> bool:
    """Whether a function or method of this name drops what JAX has compiled."""
    return name in _EMPTYING


# Transformations of libraries, which compile nothing: what they make runs, or is traced, in the code that calls it.
_TRANSFORMING: Final = frozenset(
    {"filter_checkpoint", "filter_grad", "filter_value_and_grad", "filter_vmap", "vectorize"}
)

# Reinforcement learning (groove): `debug_wrapper(args, train)` returns a function that calls one of its arguments.
_WRAPPING: Final = frozenset({"wrap", "wrapper"})

# Tests of packages (FoldJAX): what looks at a function and does not call it.
_LOOKING: Final = "inspect."

# Decorators below which code runs outside of jit if the function is called there: with `vmap` and `grad`, too.
_NAMES_KEEPING_EAGER: Final = """
    abstractmethod beartype classmethod filter_grad filter_value_and_grad filter_vmap grad jaxtyped no_type_check
    override partial property staticmethod typechecked value_and_grad vectorize vmap
"""
_KEEPING_EAGER: Final = frozenset(_NAMES_KEEPING_EAGER.split())


def keeps_eager(decorator: str) -> bool:
    """Whether a decorator leaves it to the caller whether code is traced, by its full name as a program imports it."""
    return decorator.rpartition(".")[2] in _KEEPING_EAGER or starts_program(decorator)


# Training loops call what nobody traces: these packages and modules, and functions of these names in any.
_HOST_PACKAGES: Final = frozenset({"matplotlib", "mlflow", "pickle", "time", "wandb"})
_HOST_FUNCTIONS: Final = frozenset({"input", "open", "tqdm", "trange"})
_METHODS_ASKING_ARRAYS: Final = frozenset({"add_scalar", "block_until_ready", "item", "savefig"})


def is_of_host(function: str) -> bool:
    """`function`: its full name as a program imports it."""
    return function.partition(".")[0] in _HOST_PACKAGES or function.rpartition(".")[2] in _HOST_FUNCTIONS


def asks_arrays(method: str) -> bool:
    """Whether a method asks an array for its value, or writes it down: a tracer has none."""
    return method in _METHODS_ASKING_ARRAYS


# Equinox: what traces a function as a whole where the result is called.
_STAGING: Final = frozenset({"filter_checkpoint"})


def stages(function: str) -> bool:
    """`function`: its full name as a program imports it."""
    return function.rpartition(".")[2] in _STAGING


def transforms(function: str) -> bool:
    """`function`: its full name as a program imports it."""
    return function.rpartition(".")[2] in _TRANSFORMING


# What they call gets one item of a batch, as JAX or a library of it offers them: below these `lax.cond` selects.
_BATCHING: Final = frozenset({"apply_along_axis", "filter_vmap", "vectorize", "vmap"})


def batches(function: str) -> bool:
    """`function`: its full name as a program imports it."""
    return function.rpartition(".")[2] in _BATCHING


def wraps(function: str) -> bool:
    """Whether a function returns one that calls a function which it gets, by its name."""
    return not _WRAPPING.isdisjoint(function.split("_"))


def looks_at(function: str) -> bool:
    """`function`: its full name as a program imports it."""
    return function.startswith(_LOOKING)


# Below `with jax.disable_jit():`, and with this setting, nothing is compiled.
_NOT_COMPILING: Final = "disable_jit"
_COMPILING_OFF: Final = "jax_disable_jit"


def compiles_nothing(context: str) -> bool:
    """`context`: the full name of what makes a context manager."""
    return context.rpartition(".")[2] == _NOT_COMPILING


def is_setting_without_jit(name: str) -> bool:
    return name == _COMPILING_OFF


# What JAX calls to take a pytree apart, and to make it again: a copy of one, and no new object of the program.
_FLATTEN: Final = "flatten"
_UNFLATTEN: Final = "unflatten"


def flattens(function: str) -> bool:
    return _FLATTEN in function and not unflattens(function)


def unflattens(function: str) -> bool:
    """`function`: its name, with those around it."""
    return _UNFLATTEN in function


def tells_tracers(name: str) -> bool:
    """Whether a name in a function shows that it asks whether JAX is tracing."""
    return name in _ABOUT_TRACERS


def is_class_of_tracers(name: str) -> bool:
    return name == _TRACER


def asks_for_tracer(function: str) -> bool | None:
    """Whether a function holds of tracers, by its name; False if it holds outside of traces, None of any other."""
    return True if function in _OF_TRACERS else False if function in _OUTSIDE_OF_TRACES else None


def is_ref(variable: str) -> bool:
    """Whether the name of a variable says that it holds a mutable array of JAX."""
    return variable.rpartition("_")[2] in _REF_SUFFIXES


def is_ref_class(name: str) -> bool:
    return name.endswith(_REF_CLASSES)


def is_of_refs(imported: str) -> bool:
    """Whether what a file imports, by its full name, calls functions with mutable arrays of JAX."""
    return _PACKAGE_OF_REFS in imported.split(".")


# Samplers and agents that keep a generator of NumPy, and pass it as a static argument: `draw(loc, self.rng)`.
_GENERATORS: Final = frozenset({"generator", "np_rng", "random_state", "rng"})


def is_generator(parameter: str) -> bool:
    """Whether a parameter that JAX does not trace is a generator of random numbers, by its name."""
    return parameter in _GENERATORS
