"""Keeps the facts of a module's functions with the module, and finds them again.

mypy's cache has no function bodies, so the facts of a file are stored in it as a private symbol: when it is parsed, or,
by the processes of `mypy -n`, which call no hook for that (2.4.1), when it is written to the cache.
"""

import json
from collections.abc import Iterable, Mapping
from typing import Final

from mypy.nodes import MypyFile
from mypy.plugin import CheckerPluginInterface

from ...compat import mypy_api
from ...compat.dependencies import record_symbol_use
from ...compat.library_files import is_of_library
from ...compat.modules import is_installed, keep_text, text_symbol
from ...memory import once_per_run
from .reading import read_functions
from .steps import FunctionFacts, ModuleFacts

SYMBOL: Final = "__jaxtyped_static_functions"


def keep_functions(file: MypyFile, *, always: bool = False) -> None:
    """Stores the facts of a file that was parsed in this process, also if there are none: so it is read once.

    `always`: even of a file without statements, so that the daemon notices an edit that removes the last.
    """
    if file.is_stub or file.is_cache_skeleton or SYMBOL in file.names or not (file.defs or always):
        return
    keep_text(file, SYMBOL, json.dumps(read_functions(file), sort_keys=True))


def facts_of_function(fullname: str, modules: Mapping[str, MypyFile]) -> FunctionFacts | None:
    """The facts of a function, a static method, a class, or a variable of a module, by its full name."""
    module, name = split_name(fullname, modules)
    file = modules.get(module)
    return _facts_of_module(file).get(name) if file is not None else None


def split_name(fullname: str, modules: Mapping[str, MypyFile]) -> tuple[str, str]:
    """The module of a full name, and the name in it: of a static method with that of its class."""
    owner, _, name = fullname.rpartition(".")
    module, _, class_name = owner.rpartition(".")
    return (module, f"{class_name}.{name}") if owner not in modules and module in modules else (owner, name)


def record_helpers(api: CheckerPluginInterface, modules: Iterable[str]) -> None:
    """Makes mypy check the current target again when the helpers of one of these modules change."""
    known = mypy_api.modules_of_build(api)
    files = [known[name] for name in modules if name in known and name != mypy_api.checked_module(api)]
    if files:
        record_symbol_use(api, files, SYMBOL)


def is_of_program(fullname: str, modules: Mapping[str, MypyFile]) -> bool:
    """Whether a name belongs to a module that users may edit."""
    file = modules.get(split_name(fullname, modules)[0])
    return file is not None and not file.is_stub and not is_installed(file)


@once_per_run
def _facts_of_module(file: MypyFile) -> ModuleFacts:
    """None are kept of the libraries whose functions are known by name.

    Those of another file are read here in the processes of `mypy -n`, and where the daemon has lost the symbol.
    """
    text = text_symbol(file, SYMBOL)
    if text is not None:
        found: ModuleFacts = json.loads(text)
        return found
    is_unread = file.is_stub or file.is_cache_skeleton or is_of_library(file.fullname, file.path)
    return {} if is_unread else read_functions(file)
