"""Reads what the code of one module does with objects and with functions: for the command, not for each run of mypy."""

from mypy.nodes import MypyFile

from ...source.starting import looks_up_names, starts_itself
from ...syntax.imports import names_read
from .bodies import Body
from .calling import read_calls
from .module_uses import inferred_attributes, own, read_module
from .owners import Owners
from .several import SeveralOwners, read_several
from .uses import ModuleUses


def read_all_uses(file: MypyFile) -> ModuleUses:
    """What a module does with objects and with functions. The plugin asks its own index of the file for the latter."""
    uses, found, owners = read_module(file)
    is_script = starts_itself(file) and not looks_up_names(node for body in found for node in body.nodes)
    wide, several = _read_several(found, owners, uses)
    calls = read_calls(found, owners, wide, uses.bases)
    return uses._replace(**calls._asdict(), is_script=is_script, imports=frozenset(names_read(file)), several=several)


def _read_several(found: list[Body], owners: Owners, uses: ModuleUses) -> tuple[SeveralOwners, dict[str, str]]:
    """What the expressions of a module may stand for, and its functions, variables, attributes and parameters."""
    none = SeveralOwners(owners.file, owners.names, owners.attributes)
    attributes = own(inferred_attributes(found, none, uses.declared))
    wide = SeveralOwners(owners.file, owners.names, owners.attributes | attributes)
    known = {**uses.names, **uses.declared, **uses.inferred, **uses.results}
    return wide, read_several(found, wide, known, attributes)
