"""What names and numbers mean where nothing better tells: each with the kind of program that asked for it."""

from typing import Final

# Training scripts: `main` makes the model, the optimiser and its schedules once, and calls `jit` on nested functions.
MAIN: Final = frozenset({"main", "_main"})

# Training scripts, again: what hands `main` on to one of these is the program's start, not a callback. mypy often does
# not see the packages, so these are names as programs import them.
# An agent of wandb runs a whole training for each set of parameters that it tries.
STARTERS: Final = frozenset({"absl.app.run", "atexit.register", "fire.Fire", "tyro.cli", "typer.run", "wandb.agent"})
# Command lines, where the decorator makes the function the program's start.
_STARTING_DECORATORS: Final = frozenset({"draccus.wrap", "hydra.main"})
# `@click.command()`, and `@app.command()` of an application of typer or a group of click.
_COMMANDS: Final = frozenset({"command", "group"})
# What ends the process, so that the code in front of it is not run again.
ENDING: Final = frozenset({"sys.exit", "os._exit", "os.abort", "builtins.exit", "builtins.quit", "builtins.SystemExit"})

# Simulations, environments and optimisers: what sets one up compiles once for each file, model or run.
_NAMES_OF_SET_UP: Final = """
    build compile create from_ init load make mock prepare restore setup set_up warm
"""
_SET_UP: Final = tuple(_NAMES_OF_SET_UP.split())

# Reinforcement learning (Brax, jax-aht): one call is the whole training, which compiles its own steps first.
_WHOLE_RUN: Final = "train"
_NAMES_OF_PARTS: Final = """
    batch batches epoch epochs iter iteration iterations loop loss minibatch one step steps update updates
"""
_PARTS_OF_RUNS: Final = frozenset(_NAMES_OF_PARTS.split())
# Equinox's examples: `for step, (x, y) in zip(range(steps), loader)`. A few passes would have a number in the source.
_COUNTERS_OF_RUNS: Final = frozenset({"epoch", "iteration", "step"})

# Scripts that train one model after the other (Bayesian neural fields: one for each series of a data set): what learns
# follows gradients, and what does so in a loop is a whole run.
_NAMES_OF_LEARNING: Final = """
    apply_gradients apply_updates filter_grad filter_value_and_grad grad value_and_grad
"""
_LEARNING: Final = frozenset(_NAMES_OF_LEARNING.split())
_LOOPING: Final = frozenset({"fori_loop", "scan", "while_loop"})
# TensorFlow Probability: `tfp.vi.fit_surrogate_posterior_stateless` is a whole run by itself.
_FITTING: Final = "fit"
# What is a part of a run in a loop over these, whatever the function is called.
_DATA: Final = frozenset({"dataloader", "loader"})

# Training scripts (policy-guided diffusion, shortcut models): what looks at a model every few steps of a run.
_NAMES_OF_LOOKS: Final = """
    eval evaluate evaluation rollout rollouts validate validation
"""
_LOOKS: Final = frozenset(_NAMES_OF_LOOKS.split())
# But not a whole run that ends with a look, or one for each fold: `train_and_evaluate`, `cross_validate`.
_NAMES_OF_RUNS: Final = """
    cross experiment fit optimize run train training
"""
_RUNS: Final = frozenset(_NAMES_OF_RUNS.split())
# Nor what evaluates a model that it reads from a file, once for each of its checkpoints (swirl-dynamics).
_RESTORING: Final = ("from_pretrained", "load", "restore")

# Test suites: a test compiles what it tests, once, and a loop in it tries out static arguments. A helper of tests that
# is nested in one, or a method of a `TestCase`, such as `setUp`, is a part of it, and so is all of a module of tests.
_TESTS: Final = "test"
_TEST_PACKAGES: Final = frozenset({"test", "tests"})
_TEST_MODULES: Final = ("conftest",)
EMPTYING_CACHES: Final = "clear_caches("  # of all that JAX has compiled
# Kernels and learned optimisers: benchmarks compile what they measure, and leave that out of the measurement.
_BENCHMARK: Final = "benchmark"
_BENCHMARKS: Final = frozenset({"bench", "timings"})
TEST_CASE: Final = "unittest.case.TestCase"
# `pytest.fixture` and `pytest_asyncio.fixture`, which make what tests use; mypy often does not see these packages.
_FIXTURES: Final = "fixture"

# Optimisers that keep their state in attributes while a trace runs: `self.set_state(s); ...; return self.pop_state()`,
# with methods of a base class that mypy does not see.
_CLEARING: Final = ("clear", "pop", "release", "reset", "restore", "set_state")

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

# Data frames, whose cells may be sets: `frame.at[i, "tags"].add("new")`.
_OF_FRAMES: Final = frozenset({"cudf", "dask", "modin", "pandas"})

# Benchmarks and models that try a few sizes, orders or layers in a loop: so many compilations may be intended.
FEW_PASSES: Final = 16


# Simulations whose setters compile anew: `self.dt = dt; self.step = jax.jit(self._step)`, or forget what was compiled.
_EMPTYING: Final = frozenset({"clear_cache", "clear_caches"})
_COMPILING: Final = _EMPTYING | {"filter_jit", "filter_pmap", "jit", "pmap"}


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


# Training with Flax and Optax: a state has these functions from the start, and each later state has them, too. Solvers
# of differential equations keep it on a static `self`: they assign `self.state`, and read `self.state.apply_fn`.
_LASTING_PARTS: Final = frozenset({"apply_fn", "init_fn", "tx"})


def lasts(part: str) -> bool:
    """Whether a part of a state is the same in each state that comes after, by its name."""
    return part in _LASTING_PARTS


# Training with Flax, again: `state.apply_fn({"params": params}, x)` computes with a model.
_APPLYING: Final = "apply_fn"


def applies_model(part: str) -> bool:
    """Whether a function that is a part of a state returns what a model computes, by its name."""
    return part == _APPLYING


# Below `with jax.disable_jit():`, and with this setting, nothing is compiled.
_NOT_COMPILING: Final = "disable_jit"
_COMPILING_OFF: Final = "jax_disable_jit"


def starts_program(decorator: str) -> bool:
    """Whether a decorator makes its function the start of a program, by its full name as a program imports it."""
    return decorator in _STARTING_DECORATORS or decorator.rpartition(".")[2] in _COMMANDS


def compiles_nothing(context: str) -> bool:
    """`context`: the full name of what makes a context manager."""
    return context.rpartition(".")[2] == _NOT_COMPILING


def is_setting_without_jit(name: str) -> bool:
    return name == _COMPILING_OFF


# Tests and scripts that show what JAX refuses: `pytest.raises`, `contextlib.suppress`, `self.assertRaises`, and context
# managers of their own, such as `expect_error()`.
_NAMES_OF_CATCHING: Final = "error except expect fail ignore raise suppress"
_CATCHING: Final = tuple(_NAMES_OF_CATCHING.split())


def catches(context: str) -> bool:
    """Whether a context manager may catch exceptions, by the name of what makes it."""
    return any(word in context.lower() for word in _CATCHING)


# Scripts that read files and import what may be missing: no handler for these catches what JAX raises.
_NAMES_OF_SYSTEM: Final = """
    EOFError FileExistsError FileNotFoundError GeneratorExit ImportError IndexError IOError KeyboardInterrupt KeyError
    ModuleNotFoundError OSError PermissionError StopIteration SystemExit TimeoutError UnicodeDecodeError
"""
_OF_SYSTEM: Final = frozenset(_NAMES_OF_SYSTEM.split())


def is_of_system(exception: str) -> bool:
    """Whether an exception says that something is missing or stops, never that a program misuses JAX."""
    return exception in _OF_SYSTEM


# What JAX calls to take a pytree apart, and to make it again: a copy of one, and no new object of the program.
_FLATTEN: Final = "flatten"
_UNFLATTEN: Final = "unflatten"


def flattens(function: str) -> bool:
    return _FLATTEN in function and not unflattens(function)


def unflattens(function: str) -> bool:
    """`function`: its name, with those around it."""
    return _UNFLATTEN in function


def is_test(function: str) -> bool:
    return function.startswith(_TESTS)


def is_test_module(module: str) -> bool:
    """`module`: its full name. Benchmarks count as tests."""
    *packages, name = module.split(".")
    if any(_BENCHMARK in part or part in _BENCHMARKS for part in (*packages, name)):
        return True
    is_named_test = name.startswith(f"{_TESTS}_") or name.endswith(f"_{_TESTS}") or name in _TEST_MODULES
    return is_named_test or not _TEST_PACKAGES.isdisjoint(packages)


# Solvers and simulations: packages keep what they have replaced in a folder of this name, where nobody mends it.
_ABANDONED: Final = frozenset({"deprecated", "legacy"})


# The same, and scripts that call what they are about to measure once before, by the names of functions.
_NAMES_OF_MEASURING: Final = "bench benchmark profile time timeit timing warm warmup"
_MEASURING: Final = frozenset(_NAMES_OF_MEASURING.split())


def measures(function: str) -> bool:
    """Whether a function measures how long something takes, or gets that ready, by its name."""
    return not _MEASURING.isdisjoint(function.lower().split("_"))


def is_abandoned(module: str) -> bool:
    """Whether a module is in a package of replaced code, by its full name."""
    return not _ABANDONED.isdisjoint(module.split("."))


def is_private(name: str) -> bool:
    """Whether a name is for the class or module alone that has it: `_step`, but not `__call__`."""
    return name.startswith("_") and not is_special(name)


def is_special(name: str) -> bool:
    """Whether Python itself calls a method, by its name: `__call__`, but not the private `__step`."""
    return name.startswith("__") and name.endswith("__")


def is_class(name: str) -> bool:
    """Whether a name, or the last of a full one, is that of a class, by its capital letter."""
    return name.rpartition(".")[2].lstrip("_")[:1].isupper()


def is_set_up(function: str) -> bool:
    return function.lstrip("_").startswith(_SET_UP)


def is_named_set_up(function: str) -> bool:
    """The same of what is not just a constructor."""
    return is_set_up(function) and not is_special(function)


def is_whole_run(function: str) -> bool:
    """`function`: the name of one that is no method."""
    first, *others = function.split("_")
    return first == _WHOLE_RUN and _PARTS_OF_RUNS.isdisjoint(others)


def is_part_of_run(name: str) -> bool:
    """Whether the name of a function, or of what a loop counts, says that a run consists of such: `train_step`."""
    words = name.lower().split("_")
    return not (_PARTS_OF_RUNS | _DATA).isdisjoint(words)


def counts_parts_of_run(counter: str) -> bool:
    """Whether the name of a loop's counter says that it counts the steps of a run, which are many."""
    return not _COUNTERS_OF_RUNS.isdisjoint(counter.lower().split("_"))


def may_be_run(method: str) -> bool:
    """Whether the name of a method says that it may be a whole run."""
    return not _RUNS.isdisjoint(method.split("_")) and not is_part_of_run(method)


def learns(function: str) -> bool:
    """Whether what calls a function of this name learns."""
    return function in _LEARNING


def loops(function: str) -> bool:
    """Whether a function of this name calls another in a loop."""
    return function in _LOOPING


def fits(function: str) -> bool:
    """Whether a function of a library fits a model, by its full name."""
    *packages, name = function.split(".")
    return bool(packages) and _FITTING in name.split("_")


def looks_at_run(function: str) -> bool:
    """Whether the name of a function says that it looks at what a run has trained so far."""
    words = function.split("_")
    return not _LOOKS.isdisjoint(words) and _RUNS.isdisjoint(words)


def restores(function: str) -> bool:
    """Whether a function returns what is in a file, by its name."""
    return function.lstrip("_").startswith(_RESTORING)


def is_clearing(method: str) -> bool:
    """Whether the name of a method says that it takes the state of its object away, or replaces it."""
    return method.lstrip("_").startswith(_CLEARING)


def tells_tracers(name: str) -> bool:
    """Whether a name in a function shows that it asks whether JAX is tracing."""
    return name in _ABOUT_TRACERS


def is_class_of_tracers(name: str) -> bool:
    return name == _TRACER


def asks_for_tracer(function: str) -> bool | None:
    """Whether a function holds of tracers, by its name; False if it holds outside of traces, None of any other."""
    return True if function in _OF_TRACERS else False if function in _OUTSIDE_OF_TRACES else None


def is_fixture(decorator: str) -> bool:
    """`decorator`: its full name."""
    return _FIXTURES in decorator


def is_ref(variable: str) -> bool:
    """Whether the name of a variable says that it holds a mutable array of JAX."""
    return variable.rpartition("_")[2] in _REF_SUFFIXES


def is_ref_class(name: str) -> bool:
    return name.endswith(_REF_CLASSES)


def is_of_refs(imported: str) -> bool:
    """Whether what a file imports, by its full name, calls functions with mutable arrays of JAX."""
    return _PACKAGE_OF_REFS in imported.split(".")


def is_of_frames(imported: str) -> bool:
    """Whether what a file imports, by its full name, makes data frames."""
    return imported.partition(".")[0] in _OF_FRAMES
