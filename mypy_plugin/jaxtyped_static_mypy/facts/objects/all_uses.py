"""Reads what the code of one module does with objects and with functions: for the command, not for each run of mypy."""

from collections.abc import Iterable, Iterator

from mypy.nodes import MypyFile

from ...source.starting import looks_up_names, starts_itself
from ...syntax.changes import CHANGING
from ...syntax.imports import names_read
from .bodies import Body
from .calling import read_calls
from .module_uses import changed_by, inferred_attributes, own, read_module
from .owners import Owners, is_own
from .several import SeveralOwners, read_several
from .uses import UNKNOWN, Change, ModuleUses


def read_all_uses(file: MypyFile) -> ModuleUses:
    """What a module does with objects and with functions. The plugin asks its own index of the file for the latter."""
    uses, found, owners = read_module(file)
    is_script = starts_itself(file) and not looks_up_names(node for body in found for node in body.nodes)
    wide, several = _read_several(found, owners, uses)
    calls = read_calls(found, owners, wide, uses.bases)
    changes = tuple(_with_owners(uses.changes, found, wide))
    uses = uses._replace(**calls._asdict(), changes=changes, several=several)
    return uses._replace(is_script=is_script, imports=frozenset(names_read(file)))


def _with_owners(known: Iterable[Change], found: list[Body], wide: SeveralOwners) -> Iterator[Change]:
    """The changes, those of objects that the module does not show with what these may be: `def run(trainer)`."""
    bodies = {body.name: body for body in found}
    for change in known:
        may_be = _owner_of(change, bodies[change.where], wide) if change.owner == UNKNOWN else None
        yield change._replace(may_be=may_be) if may_be is not None and is_own(may_be) else change


def _owner_of(change: Change, body: Body, wide: SeveralOwners) -> str | None:
    nodes = (node for node in body.nodes if type(node) in CHANGING and node.line == change.line)
    changed = (one for node in nodes for one in changed_by(node))
    found = (target for target, attribute, _ in changed if target is not None and attribute == change.attribute)
    return wide.one_of(wide.of(target, body) for target in found)


def _read_several(found: list[Body], owners: Owners, uses: ModuleUses) -> tuple[SeveralOwners, dict[str, str]]:
    """What the expressions of a module may stand for, and its functions, variables, attributes and parameters."""
    none = SeveralOwners(owners.file, owners.names, owners.attributes)
    attributes = own(inferred_attributes(found, none, uses.declared))
    wide = SeveralOwners(owners.file, owners.names, owners.attributes | attributes)
    known = {**uses.names, **uses.declared, **uses.inferred, **uses.results}
    return wide, read_several(found, wide, known, attributes)
