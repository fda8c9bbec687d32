"""The pytest plugin: a guard around each test, fixtures that count traces, and short tracebacks.

If the distribution is installed, every run of pytest imports this module. It imports neither JAX nor the runtime; only
tests that use them do.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any, Final

import pytest

from jaxtyped_static_pytest.tracebacks import shorten

if TYPE_CHECKING:
    from jaxtyped_static.testing import TraceLimit
    from jaxtyped_static.types import Explanation

_LEVELS: Final = ("off", "guard", "guard-ours", "guard-all")  # The last is an earlier name of the second.
_INI: Final = "jaxtyped_static"
_OPT_OUT: Final = "no_jaxtyped_static"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Adds the options and the setting that enable the guard."""
    group = parser.getgroup("jaxtyped-static")
    for flag, level, what in (
        ("--jaxtyped-static", "guard", "all compiled functions, of jaxtyped_static.jit and of jax.jit"),
        ("--jaxtyped-static-ours", "guard-ours", "functions compiled by jaxtyped_static.jit only"),
        ("--jaxtyped-static-all", "guard-all", "all compiled functions, as --jaxtyped-static does"),
    ):
        text = f"verify the static arguments of {what}, with every call"
        group.addoption(flag, dest=_INI, action="store_const", const=level, default=None, help=text)
    parser.addini(_INI, f"what is verified in each test: {', '.join(_LEVELS)}", default="off")


def pytest_configure(config: pytest.Config) -> None:
    """Registers the marker, and refuses an unknown level."""
    config.addinivalue_line("markers", f"{_OPT_OUT}: run the test without the guard of jaxtyped-static")
    if _level(config) not in _LEVELS:
        raise pytest.UsageError(f"{_INI} = {_level(config)!r} is not a level; write one of {', '.join(_LEVELS)}")


def pytest_report_header(config: pytest.Config) -> str | None:
    """Reports that the guard is on."""
    level = _level(config)
    return None if level == "off" else f"jaxtyped-static: {level}"


def _level(config: pytest.Config) -> str:
    return str(config.getoption(_INI) or config.getini(_INI))


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, Any, None]:
    """Runs a test, with its fixtures, in the guard."""
    level = _level(item.config)
    with ExitStack() as stack:
        if level != "off" and item.get_closest_marker(_OPT_OUT) is None:
            _enter_guard(stack, jax_jit=level != "guard-ours")
        yield


def _enter_guard(stack: ExitStack, *, jax_jit: bool) -> None:
    """Enters the guard; ends the run if it is not available."""
    try:
        from jaxtyped_static import guard

        stack.enter_context(guard(jax_jit=jax_jit))
    except (ImportError, RuntimeError, ValueError) as error:
        pytest.exit(f"jaxtyped-static: {error}", returncode=pytest.ExitCode.USAGE_ERROR)


@pytest.hookimpl(hookwrapper=True, tryfirst=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[Any]) -> Generator[None, Any, None]:
    """Ends the traceback of one of our errors where the program made the call."""
    if not item.config.getoption("fulltrace", False):
        # pytest stores exceptions of a `unittest.TestCase` with the test, and reports them from there.
        for excinfo in (call.excinfo, *(getattr(item, "_excinfo", None) or ())):
            if excinfo is not None:
                shorten(excinfo)
    yield


@pytest.fixture
def max_traces() -> Callable[[Callable[..., Any], int], TraceLimit]:
    """`with max_traces(step, 1): ...` fails if `step` is traced more often in the block."""
    from jaxtyped_static.testing import assert_max_traces

    return assert_max_traces


@pytest.fixture
def traces(request: pytest.FixtureRequest) -> Iterator[Callable[[Callable[..., Any]], Explanation]]:
    """`why = traces(step)` records until the end of the test: `assert len(why.traces) == 1`."""
    from jaxtyped_static import explain

    recorded: list[Explanation] = []
    with ExitStack() as stack:

        def record(fun: Callable[..., Any], /) -> Explanation:
            recorded.append(stack.enter_context(explain(fun)))
            return recorded[-1]

        yield record
    for explanation in recorded:
        request.node.add_report_section("teardown", "traces", str(explanation))
