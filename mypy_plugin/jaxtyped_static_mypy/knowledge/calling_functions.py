"""Functions of Python and methods of any object that call a function which they get, on the host: by their names."""

from collections.abc import Collection, Mapping
from typing import Final

# For each item of an argument: the position of the function, or the name by which it is given, and that of the items.
_KEY: Final = ("key", 0)
_FIRST: Final = (0, 1)
_FUNCTIONS: Final[Mapping[str, tuple[int | str, int]]] = {
    "builtins.filter": _FIRST,
    "builtins.map": _FIRST,
    "builtins.max": _KEY,
    "builtins.min": _KEY,
    "builtins.sorted": _KEY,
    "functools.reduce": _FIRST,
    "itertools.starmap": _FIRST,
}

# Of pools and executors, of data frames and data sets: `executor.map(run, seeds)`. Each process of a pool handles many
# items, so what it compiles for one it compiles again for the next.
_NAMES_OF_METHODS: Final = """
    imap imap_unordered map map_async starmap starmap_async
"""
_METHODS: Final = frozenset(_NAMES_OF_METHODS.split())

# Once, in another thread or process of a pool: `executor.submit(run, seed)`.
_SUBMITTING: Final = frozenset({"apply_async", "submit"})

# In a process of its own, which compiles for itself whatever it runs.
_PROCESSES: Final = frozenset({"multiprocessing.Process", "multiprocessing.context.Process"})

# What searches for the best parameters calls a whole training again and again in one process, with other parameters:
# `study.optimize(train, n_trials=10)`. A method counts only with an option of this name, as `optimize` is a common one.
_SEARCHING: Final = frozenset(
    {"hyperopt.fmin", "skopt.forest_minimize", "skopt.gbrt_minimize", "skopt.gp_minimize", "wandb.agent"}
)
_SEARCHING_METHODS: Final[Mapping[str, str]] = {"optimize": "n_trials"}


def called_for_each(function: str, method: str) -> tuple[int | str, int] | None:
    """Which argument is called for each item of which other one; None if none is.

    `function`: the full name of what is called; `method`: its last part, if it belongs to something.
    """
    if (known := _FUNCTIONS.get(function)) is not None:
        return known
    return _FIRST if method in _METHODS else None


def submits(method: str) -> bool:
    """Whether a method calls its first argument with the others."""
    return method in _SUBMITTING


def starts_process(function: str) -> bool:
    """Whether a process of its own runs what a function gets."""
    return function in _PROCESSES


def searches(function: str, method: str, options: Collection[str | None]) -> bool:
    """Whether a function or method calls what it gets with one set of parameters after the other."""
    return function in _SEARCHING or (method in _SEARCHING_METHODS and _SEARCHING_METHODS[method] in options)
