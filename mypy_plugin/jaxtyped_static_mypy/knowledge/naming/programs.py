"""What names say of a program: where it starts, what sets it up, and what a class keeps for itself."""

import re
from typing import Final

from .training import is_part_of_run

# Training scripts: `main` makes the model, the optimiser and its schedules once, and calls `jit` on nested functions.
MAIN: Final = frozenset({"main", "_main"})

# Sweeps: `main_eval`, which is handed to what runs it for each of many settings, as `main` would be.
_MAINS: Final = "main_"

# Training scripts: what hands `main` on to one of these is the program's start, not a callback. mypy often does
# not see the packages, so these are names as programs import them.
# An agent of wandb runs a whole training for each set of parameters that it tries.
STARTERS: Final = frozenset({"absl.app.run", "atexit.register", "fire.Fire", "tyro.cli", "typer.run", "wandb.agent"})

# Methods that start one process for each of many values (submitit): each begins with nothing compiled.
STARTING_METHODS: Final = frozenset({"map_array"})

# Command lines, where the decorator makes the function the program's start.
_STARTING_DECORATORS: Final = frozenset({"draccus.wrap", "hydra.main"})

# `@click.command()`, and `@app.command()` of an application of typer or a group of click.
_COMMANDS: Final = frozenset({"command", "group"})

# What ends the process, so that the code in front of it is not run again.
ENDING: Final = frozenset({"sys.exit", "os._exit", "os.abort", "builtins.exit", "builtins.quit", "builtins.SystemExit"})

# Simulations, environments and optimisers: what sets one up compiles once for each file, model or run.
_NAMES_OF_SET_UP: Final = """
    build compile construct create from_ init load make mock prepare restore setup set_up warm
"""
_SET_UP: Final = tuple(_NAMES_OF_SET_UP.split())

# What evaluates a model that it reads from a file does so once for each of its checkpoints (swirl-dynamics).
_RESTORING: Final = ("from_pretrained", "load", "restore")

# Optimisers that keep their state in attributes while a trace runs: `self.set_state(s); ...; return self.pop_state()`,
# with methods of a base class that mypy does not see.
_CLEARING: Final = ("clear", "pop", "release", "reset", "restore", "set_state")

# Data frames, whose cells may be sets: `frame.at[i, "tags"].add("new")`.
_OF_FRAMES: Final = frozenset({"cudf", "dask", "modin", "pandas"})


def is_main(function: str) -> bool:
    """Whether a program starts with a function of this name, or one run of a sweep does."""
    return function in MAIN or (function.startswith(_MAINS) and not is_part_of_run(function))


def starts_program(decorator: str) -> bool:
    """Whether a decorator makes its function the start of a program, by its full name as a program imports it."""
    return decorator in _STARTING_DECORATORS or decorator.rpartition(".")[2] in _COMMANDS


# Solvers and simulations: packages keep what they have replaced in a folder of this name, where nobody mends it.
_ABANDONED: Final = frozenset({"attic", "backup", "deprecated", "legacy", "obsolete", "old"})
_ARCHIVES: Final = frozenset({"archive", "archived"})  # a module may be one of solutions, or of results
# Training scripts: `oldTests`, `old_model`, `vae_old`, `_deprecated_contrastive`.
_OLD: Final = re.compile(r"old(?:_.*|[A-Z].*)|.*_old|_*(?:deprecated|obsolete)_.*")


def is_abandoned(module: str) -> bool:
    """Whether a module is replaced code, or in a package of it, by its full name."""
    parts = module.split(".")
    if not _ABANDONED.isdisjoint(parts) or not _ARCHIVES.isdisjoint(parts[:-1]):
        return True
    return any(_OLD.fullmatch(part) for part in parts)


# Packages that bring the code of others along (pip, dask).
_VENDORED: Final = frozenset({"_vendor", "external", "third_party", "thirdparty", "vendor", "vendored"})


def is_vendored(module: str) -> bool:
    """Whether a module is a copy of another project's, by its full name."""
    return not _VENDORED.isdisjoint(module.split("."))


# Libraries of physics and optics: scripts that call each method once, to show what it does.
_NAMES_OF_EXAMPLES: Final = """
    demo demos doc docs example examples notebook notebooks quickstart tutorial tutorials
"""
_EXAMPLES: Final = frozenset(_NAMES_OF_EXAMPLES.split())


def is_example(module: str) -> bool:
    """Whether a module shows how a library is used: `examples.fit`, `example1`; with the folders around it."""
    *packages, name = module.lower().split(".")
    first = name.split("_")[0].rstrip("0123456789")
    return first in _EXAMPLES or not _EXAMPLES.isdisjoint(packages)


# Folders beside a library that setuptools never takes for a package of it, and some more of research code.
_NAMES_OF_NO_PACKAGES: Final = """
    benchmark benchmarks bin build ci docs_src documentation exercises experiment experiments figures paper papers
    plots playground sandbox script scripts tasks test tests tool tools util utils wip
"""
_NO_PACKAGES: Final = frozenset(_NAMES_OF_NO_PACKAGES.split()) | _EXAMPLES | _ABANDONED | _ARCHIVES


def is_no_package(folder: str) -> bool:
    """Whether a folder of this name, beside a library, is none of what its users import."""
    return folder.lower() in _NO_PACKAGES


# Plasma simulations and experiments: `for axis in SPECIES_AXES`, which another module writes out.
_SHORTEST_CONSTANT: Final = 4  # letters: `X`, `XS` and `PHI` are arrays of formulas


def is_constant(name: str) -> bool:
    """Whether a name says that the source has the value of a variable, by its capital letters."""
    return name.isupper() and len(name) >= _SHORTEST_CONSTANT


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


# Structural engineering (jax_cem): class methods without annotations that make an object of their class.
_MAKING_OWN: Final = "from_"


def makes_own(method: str) -> bool:
    """Whether a class method makes an object of its class, by its name."""
    return method.startswith(_MAKING_OWN)


def restores(function: str) -> bool:
    """Whether a function returns what is in a file, by its name."""
    return function.lstrip("_").startswith(_RESTORING)


def is_clearing(method: str) -> bool:
    """Whether the name of a method says that it takes the state of its object away, or replaces it."""
    return method.lstrip("_").startswith(_CLEARING)


def is_of_frames(imported: str) -> bool:
    """Whether what a file imports, by its full name, makes data frames."""
    return imported.partition(".")[0] in _OF_FRAMES
