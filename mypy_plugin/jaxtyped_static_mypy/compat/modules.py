"""Private mypy API for the module being checked, and those that it imports."""

from collections.abc import Iterator, Mapping
from itertools import accumulate
from typing import cast

from mypy.checker import TypeChecker
from mypy.nodes import ARG_POS, GDEF, Import, ImportAll, ImportFrom, MypyFile, SymbolTableNode, Var
from mypy.plugin import CheckerPluginInterface
from mypy.types import NoneType, Parameters

from ..knowledge.full_names import INSTALLED, PACKAGE
from ..syntax.imports import imported_module


def is_installed(file: MypyFile) -> bool:
    """Whether a file belongs to an installed package, or to this one: users do not change it."""
    return any(folder in file.path for folder in INSTALLED) or file.fullname.partition(".")[0] == PACKAGE


def imported_modules(api: CheckerPluginInterface) -> list[MypyFile]:
    """The modules that the module being checked imports anywhere: mypy checks them first."""
    chk = cast(TypeChecker, api)
    return modules_imported_by(chk.tree, chk.modules)


def modules_imported_by(file: MypyFile, modules: Mapping[str, MypyFile]) -> list[MypyFile]:
    """Those of these modules that a file imports anywhere, without itself."""
    names = dict.fromkeys(_imported_names(file))
    return [modules[name] for name in names if name in modules and name != file.fullname]


def _imported_names(file: MypyFile) -> Iterator[str]:
    """The imported modules as mypy counts them: `import a.b` imports `a`, too, but `from a.b import c` does not."""
    for node in file.imports:
        if isinstance(node, Import):
            yield from (package for name, _ in node.ids for package in accumulate(name.split("."), "{}.{}".format))
        elif isinstance(node, (ImportFrom, ImportAll)):
            module = imported_module(file, node)
            yield module
            if isinstance(node, ImportFrom):
                yield from (f"{module}.{name}" for name, _ in node.names)


def text_symbol(file: MypyFile, name: str) -> str | None:
    """The text that `keep_text` stored in a module."""
    symbol = file.names.get(name)
    typ = symbol.node.type if symbol is not None and isinstance(symbol.node, Var) else None
    return typ.arg_names[0] if isinstance(typ, Parameters) else None


def keep_text(file: MypyFile, name: str, text: str) -> None:
    """Stores a text in a module, as a private symbol: mypy caches it, and the daemon compares it.

    The text is the name of a parameter, the one place for a text in a type that needs no class: so it can be stored as
    soon as a file is parsed. (A `LiteralType` needs `builtins.str`, which mypy may not have read yet. A variable has no
    metadata, and `astdiff` compares the names of parameters: mypy 2.4.1.)
    """
    var = Var(name, Parameters([NoneType()], [ARG_POS], [text]))
    var._fullname, var.is_ready = f"{file.fullname}.{name}", True
    file.names[name] = SymbolTableNode(GDEF, var, module_public=False, plugin_generated=True)
