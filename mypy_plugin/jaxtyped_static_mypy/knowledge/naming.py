"""What names and numbers mean where nothing better tells: each with the kind of program that asked for it."""

from typing import Final

# Training scripts: `main` makes the model, the optimiser and its schedules once, and calls `jit` on nested functions.
MAIN: Final = frozenset({"main", "_main"})

# Test suites: a test compiles what it tests, once, and a loop in it tries out static arguments. A helper of tests that
# is nested in one, or a method of a `TestCase`, such as `setUp`, is a part of it.
_TESTS: Final = "test"
TEST_CASE: Final = "unittest.case.TestCase"
# `pytest.fixture` and `pytest_asyncio.fixture`, which make what tests use; mypy often does not see these packages.
_FIXTURES: Final = "fixture"

# Pallas kernels: `o_ref[...] = x_ref[...] + 1` writes to a mutable array, which JAX threads through the program.
_REF_SUFFIXES: Final = frozenset({"ref", "refs"})
_REF_CLASSES: Final = "Ref"  # `MemRef`, `TransformedRef`: their packages declare many

# Benchmarks and models that try a few sizes, orders or layers in a loop: so many compilations may be intended.
FEW_PASSES: Final = 16


def is_test(function: str) -> bool:
    return function.startswith(_TESTS)


def is_fixture(decorator: str) -> bool:
    """`decorator`: its full name."""
    return _FIXTURES in decorator


def is_ref(variable: str) -> bool:
    """Whether the name of a variable says that it holds a mutable array of JAX."""
    return variable.rpartition("_")[2] in _REF_SUFFIXES


def is_ref_class(name: str) -> bool:
    return name.endswith(_REF_CLASSES)
