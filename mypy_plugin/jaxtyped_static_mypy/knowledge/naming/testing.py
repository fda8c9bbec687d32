"""What names say of tests, benchmarks, and of what catches exceptions."""

from typing import Final

# Test suites: a test compiles what it tests, once, and a loop in it tries out static arguments. A helper of tests that
# is nested in one, or a method of a `TestCase`, such as `setUp`, is a part of it, and so is all of a module of tests.
_TESTS: Final = "test"
_TEST_PACKAGES: Final = frozenset({"test", "tests"})
_TEST_MODULES: Final = ("conftest", "tests")

# Kernels and learned optimisers: benchmarks compile what they measure, and leave that out of the measurement.
_BENCHMARK: Final = "benchmark"
_BENCHMARKS: Final = frozenset({"bench", "timings"})
# Tomography: what reproduces a fault of a compiler has it compile again and again.
_REPRODUCING: Final = frozenset({"mwe", "repro", "reproducer"})
TEST_CASE: Final = "unittest.case.TestCase"

# `pytest.fixture` and `pytest_asyncio.fixture`, which make what tests use; mypy often does not see these packages.
_FIXTURES: Final = "fixture"

# Tests and scripts that show what JAX refuses: `pytest.raises`, `contextlib.suppress`, `self.assertRaises`, and context
# managers of their own, such as `expect_error()`.
_NAMES_OF_CATCHING: Final = "error except expect fail ignore raise suppress"
_RAISING: Final = "raises"
_CATCHING: Final = tuple(_NAMES_OF_CATCHING.split())


def catches(context: str) -> bool:
    """Whether a context manager may catch exceptions, by the name of what makes it."""
    return any(word in context.lower() for word in _CATCHING)


def is_raising(called: str) -> bool:
    """Whether a function calls what it is given and expects an exception: `assertRaises`, `pytest.raises`."""
    return _RAISING in called.lower()


# Scripts that read files and import what may be missing: no handler for these catches what JAX raises.
_NAMES_OF_SYSTEM: Final = """
    EOFError FileExistsError FileNotFoundError GeneratorExit ImportError IndexError IOError KeyboardInterrupt KeyError
    ModuleNotFoundError OSError PermissionError StopIteration SystemExit TimeoutError UnicodeDecodeError
"""
_OF_SYSTEM: Final = frozenset(_NAMES_OF_SYSTEM.split())


def is_of_system(exception: str) -> bool:
    """Whether an exception says that something is missing or stops, never that a program misuses JAX."""
    return exception in _OF_SYSTEM


def is_test(function: str) -> bool:
    return function.startswith(_TESTS)


def is_test_module(module: str) -> bool:
    """`module`: its full name. Benchmarks count as tests, and so does what reproduces a fault."""
    return is_benchmark_module(module) or _is_of_tests(module)


def is_benchmark_module(module: str) -> bool:
    """The same of benchmarks alone, which nothing but their name tells from other programs."""
    parts = module.split(".")
    is_named = any(_BENCHMARK in part or part in _BENCHMARKS for part in parts)
    return is_named or any(not _REPRODUCING.isdisjoint(part.split("_")) for part in parts)


def _is_of_tests(module: str) -> bool:
    *packages, name = module.split(".")
    is_named_test = name.startswith(f"{_TESTS}_") or name.endswith(f"_{_TESTS}") or name in _TEST_MODULES
    return is_named_test or not _TEST_PACKAGES.isdisjoint(packages)


# Benchmarks, and scripts that call what they are about to measure once before, by the names of functions.
_NAMES_OF_MEASURING: Final = "bench benchmark profile time timeit timing warm warmup"
_MEASURING: Final = frozenset(_NAMES_OF_MEASURING.split())


def measures(function: str) -> bool:
    """Whether a function measures how long something takes, or gets that ready, by its name."""
    return not _MEASURING.isdisjoint(function.lower().split("_"))


# What pytest and unittest call by their names in a module of tests, beside its tests.
_CALLED_BY_TESTS: Final = ("pytest", "setUp", "setup", "tearDown", "teardown")


def is_called_by_tests(function: str) -> bool:
    """Whether a runner of tests may call a function of a module of tests, by its name."""
    return is_test(function) or function.startswith(_CALLED_BY_TESTS)


def is_fixture(decorator: str) -> bool:
    """`decorator`: its full name."""
    return _FIXTURES in decorator
