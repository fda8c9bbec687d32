"""What names say of training: what is a whole run, a part of one, or a look at what it has trained so far."""

from typing import Final

# Reinforcement learning (Brax, jax-aht): one call is the whole training, which compiles its own steps first.
_WHOLE_RUN: Final = "train"
_NAMES_OF_PARTS: Final = """
    batch batches epoch epochs iter iteration iterations loop loss minibatch one step steps update updates
"""
_PARTS_OF_RUNS: Final = frozenset(_NAMES_OF_PARTS.split())

# Equinox's examples: `for step, (x, y) in zip(range(steps), loader)`. A few passes would have a number in the source.
_COUNTERS_OF_RUNS: Final = frozenset({"epoch", "iteration", "step"})

# Functions that make as many passes as they are asked for: `for i in range(num_iters)`.
_NAMES_OF_NUMBERS: Final = """
    episodes epochs iter iterations iters steps updates
"""
_NUMBERS_OF_PASSES: Final = frozenset(_NAMES_OF_NUMBERS.split())

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

# Optimisers and simulations: the loop of a whole solve is what they take the time for.
_NAMES_OF_LONG: Final = """
    integrate minimize sample sampling simulate simulation solve
"""
_LONG: Final = frozenset(_NAMES_OF_LONG.split())

# Scripts that make one experiment after the other, each with a set-up of its own: `for seed in range(20)`.
_NAMES_OF_EXPERIMENTS: Final = """
    cfg cfgs config configs dataset datasets experiment experiments fold folds run runs seed seeds setting settings
"""
_EXPERIMENTS: Final = frozenset(_NAMES_OF_EXPERIMENTS.split())

# Command lines of reinforcement learning, which evaluate once in each configured environment after training.
_SETTINGS: Final = frozenset({"cfg", "config", "setting"})

# Scripts that repeat a run with other seeds, or go over data: the values of arrays are new, but not the code.
_SEEDS: Final = frozenset({"rng", "seed"})
_DATA_OF_PASSES: Final = frozenset({"batch", "epoch", "iteration", "minibatch", "step"})

# Graph networks on meshes and molecules: each graph has as many nodes and edges as it has, unless it is filled up.
_GRAPHS: Final = frozenset({"graph", "mesh"})
_PARTS_OF_GRAPHS: Final = frozenset({"edge_index", "n_edge", "n_node", "receivers", "senders"})
_FILLING_UP: Final = frozenset({"pad", "padded", "padding"})

# Benchmarks and models that try a few sizes, orders or layers in a loop: so many compilations may be intended.
FEW_PASSES: Final = 16

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


def is_whole_run(function: str) -> bool:
    """`function`: the name of one that is no method."""
    first, *others = function.split("_")
    return first == _WHOLE_RUN and _PARTS_OF_RUNS.isdisjoint(others)


def is_part_of_run(name: str) -> bool:
    """Whether the name of a function, or of what a loop counts, says that a run consists of such: `train_step`."""
    words = name.lower().split("_")
    return not (_PARTS_OF_RUNS | _DATA).isdisjoint(words)


def counts_experiments(name: str) -> bool:
    """Whether the name of what a loop goes over, or of its variable, says that each pass is an experiment."""
    return not _EXPERIMENTS.isdisjoint(name.lower().split("_"))


def is_setting(variable: str) -> bool:
    """Whether a variable of a loop holds the settings of one run, by its name."""
    return variable.lower().rpartition("_")[2] in _SETTINGS


def is_seed(variable: str) -> bool:
    return variable.lower().rpartition("_")[2] in _SEEDS


def is_data_of_pass(variable: str) -> bool:
    """Whether a variable of a loop holds a count or data, by its name, and nothing that makes other code."""
    return variable.lower().rpartition("_")[2] in _DATA_OF_PASSES


def is_graph(variable: str) -> bool:
    """Whether a variable of a loop holds a graph, by its name."""
    return variable.lower().rpartition("_")[2] in _GRAPHS


def is_part_of_graph(part: str) -> bool:
    """Whether a graph has a part of this name, of which it depends on the graph how long it is."""
    return part in _PARTS_OF_GRAPHS


def fills_up(name: str) -> bool:
    """Whether a name says that something fills arrays up to one size."""
    return not _FILLING_UP.isdisjoint(name.lower().split("_"))


def counts_parts_of_run(counter: str) -> bool:
    """Whether the name of a loop's counter says that it counts the steps of a run, which are many."""
    return not _COUNTERS_OF_RUNS.isdisjoint(counter.lower().split("_"))


def numbers_parts_of_run(bound: str) -> bool:
    """Whether the name of a number says that it is how many steps a run has, which are many."""
    return not _NUMBERS_OF_PASSES.isdisjoint(bound.lower().split("_"))


def may_be_run(method: str) -> bool:
    """Whether the name of a method says that it may be a whole run."""
    return not _RUNS.isdisjoint(method.split("_")) and not is_part_of_run(method)


def takes_long(function: str) -> bool:
    """Whether the name of a function says that one call takes far longer than to compile it."""
    words = function.split("_")
    return not (_RUNS | _LONG).isdisjoint(words) and not is_part_of_run(function)


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
