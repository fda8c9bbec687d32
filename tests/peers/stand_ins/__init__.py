"""What the rewritten tests import in place of a peer: our decorators, under the peer's names and with its options.

A test that uses an option we do not offer is skipped. If a class that a module defines for all its tests is refused,
each test that makes an object of it is skipped.
"""

from __future__ import annotations

import unittest
from collections.abc import Callable
from typing import Any, NoReturn

from jaxtyped_static import dynamic_dataclass, static_dataclass

_is_collecting = True


def collected() -> None:
    """Called at the end of each module of tests."""
    global _is_collecting
    _is_collecting = False


class _Refused(type):
    why: str

    def __call__(cls, *args: object, **kwargs: object) -> NoReturn:
        raise unittest.SkipTest(cls.why)


def standing_in(decorator: Callable[..., Any], offered: frozenset[str]) -> Callable[..., Any]:
    """Returns a decorator that accepts any options, and passes those we support to ours."""

    def decorate(cls: Any = None, /, **options: Any) -> Any:
        def apply(cls: Any) -> Any:
            try:
                return decorator(**_offered(options, offered))(cls)
            except (Exception, unittest.SkipTest) as error:
                if not _is_collecting:
                    raise
                return _Refused(cls.__name__, (), {"why": str(error)})

        return apply if cls is None else apply(cls)

    return decorate


def _offered(options: dict[str, Any], offered: frozenset[str]) -> dict[str, Any]:
    rest = dict(options)
    if rest.pop("frozen", True) is not True:
        raise unittest.SkipTest("frozen=False: objects never change")
    if others := sorted(rest.keys() - offered):
        raise unittest.SkipTest(f"no option {', '.join(others)}")
    return rest


static = standing_in(static_dataclass, frozenset({"repr", "match_args", "kw_only", "slots"}))
dynamic = standing_in(dynamic_dataclass, frozenset({"repr", "eq", "match_args", "kw_only"}))
