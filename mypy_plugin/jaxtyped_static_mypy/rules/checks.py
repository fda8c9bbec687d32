"""The checks of all listed rules, by what they look at.

A rule's file may have a `CONTRACT` (a code and a message for each way to break the static contract), a `check_body` (of
a compiled function) or a `check_class` (of a class statement): these are found here. A check that needs the answer of
another one, or looks at something else, such as the arguments of one call, is called by the hook that sees it.
"""

from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Any, Final

from mypy.nodes import TypeInfo

from ..reporting.contract_rule import ContractRule
from ..source.checked_file import CheckedFile
from . import CODES
from ._body import Body, BodyError

BodyCheck = Callable[[Body], Iterator[BodyError]]
ClassCheck = Callable[[TypeInfo, CheckedFile], None]


_MODULES: Final = [import_module(f"{__package__}.{code.replace('-', '_')}") for code in CODES]


def _all_named(name: str) -> tuple[Any, ...]:
    return tuple(vars(module)[name] for module in _MODULES if name in vars(module))


CONTRACT_RULES: Final[tuple[ContractRule, ...]] = _all_named("CONTRACT")
BODY_CHECKS: Final[tuple[BodyCheck, ...]] = _all_named("check_body")
CLASS_CHECKS: Final[tuple[ClassCheck, ...]] = _all_named("check_class")
