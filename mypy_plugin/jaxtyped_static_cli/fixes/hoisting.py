"""Moves the making of a function to where it runs once: before a loop, or to module level."""

import ast
import builtins
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, count
from typing import Final, NamedTuple

import libcst as cst
from libcst.helpers import get_full_name_for_node

from jaxtyped_static_mypy.reporting.actions import Action

from ..editing.documents import EXPRESSION, Document, parts_of
from ..editing.edits import Edit, Statement
from ..editing.imports import imported, names
from ..findings.causes import Finding
from .proofs.bindings import Meaning, meaning_of
from .proofs.purity import Reading, why_other_static
from .proposals import Change, ProjectFiles, Spot, spot_of

_DEFINITIONS: Final = (cst.FunctionDef, cst.ClassDef)
_BINDING: Final[tuple[type[cst.CSTNode], ...]] = (
    cst.AssignTarget,
    cst.AnnAssign,
    cst.AugAssign,
    cst.For,
    cst.NamedExpr,
    cst.CompFor,
    cst.AsName,
    *_DEFINITIONS,
)
_JITTED: Final = "jitted"


def jit_before_loop(finding: Finding, files: ProjectFiles) -> Change | None:
    """jit-retrace. Safe if the lambda does the same whenever it is traced, and no class gets a name more."""
    spot = spot_of(finding, files) if finding.reported.offered(Action.JIT_BEFORE_LOOP) is not None else None
    if spot is None:
        return None
    call = _jit_call(spot.document.starting_at(spot.place, cst.Call))
    loop = _loop_around(call, spot.document) if call is not None else None
    if call is None or loop is None or not call.args or not isinstance(call.args[0].value, cst.Lambda):
        return None
    if set(_used(call)) & set(_bound(loop)):
        return None
    edit = _moved(call, loop, spot.document)
    return spot.change(edit, _doubt_of_class(edit, loop, spot.document) or _doubt(call, spot, files))


def make_at_module_level(finding: Finding, files: ProjectFiles) -> Change | None:
    """jit-retrace, static-callable: for what uses only its parameters and what the module defines above.

    Safe if the function does the same whenever it is traced, and so does the compiled function that takes it.
    """
    spot = spot_of(finding, files) if finding.reported.offered(Action.MAKE_AT_MODULE_LEVEL) is not None else None
    if spot is None:
        return None
    document = spot.document
    position = finding.reported.position
    found = document.starting_at(spot.place, EXPRESSION)
    made = found if position is not None else _jit_call(found)
    if not isinstance(made, cst.Lambda | cst.Call) or (position is None and finding.code != "jit-retrace"):
        return None
    *_, top, _ = (made, *document.ancestors(made))  # the statement of the module, and the module
    if not isinstance(top, cst.FunctionDef | cst.ClassDef):
        return None
    if not all(_is_constant(name, document, until=top) for name in _used(made)):
        return None
    name = _new_name(f"_{position.name}" if position is not None else f"_{_JITTED}", document)
    before = _definition(name, made)
    edit = Edit({made: cst.Name(name)}, before={top: [before]}, defined=frozenset({name}))
    receiver = position.name if position is not None else None
    doubt = _doubt(made, spot, files) or _doubt_of_import(made, spot, files)
    return spot.change(edit, doubt or _doubt_of_receiver(made, receiver, spot, files))


def _doubt_of_class(edit: Edit | None, loop: cst.CSTNode, document: Document) -> str:
    """A name that is added to the body of a class is one of its attributes: a member of an enum, for one."""
    around = next((outer for outer in document.ancestors(loop) if isinstance(outer, _DEFINITIONS)), None)
    if edit is None or not edit.defined or not isinstance(around, cst.ClassDef):
        return ""
    return f'"{around.name.value}" then has one more attribute'


def _doubt(made: cst.Lambda | cst.Call, spot: Spot, files: ProjectFiles) -> str:
    """Why a function that is made once may not do what one does that is made, and traced, again and again."""
    document, source = spot.document, files.code.source(spot.path)
    if source is None:
        return f"{spot.path.name} is no file of the project"
    if local := sorted(set(_used(made)) & set(_local_names(made, document))):
        return f'"{local[0]}" may change'
    if isinstance(made, cst.Call) and any(
        argument.keyword is not None and argument.keyword.value.startswith("static") for argument in made.args
    ):
        return "its static arguments may change"
    node = ast.parse(f"({document.code(made)}\n)", mode="eval").body
    ast.increment_lineno(node, document.line(made) - 1)
    return files.code.unreadable or Reading(files.code).why_not_pure(node, source)


def _doubt_of_import(made: cst.CSTNode, spot: Spot, files: ProjectFiles) -> str:
    """What the module reads while it is imported, from another that may then still be incomplete, if they import it.

    The bodies of functions are not run then.
    """
    if isinstance(made, cst.Lambda):
        defaults = [parameter.default for parameter in _own(made.params) if parameter.default]
        return next(filter(None, (_doubt_of_import(default, spot, files) for default in defaults)), "")
    if isinstance(made, cst.Attribute):
        name = get_full_name_for_node(made) or ""
        source = files.code.source(spot.path)
        found = meaning_of(name, source, files.code) if source is not None else Meaning()
        return f'"{name}" may not be defined yet when the module is imported' if found.source is not None else ""
    return next(filter(None, (_doubt_of_import(part, spot, files) for part in made.children)), "")


def _doubt_of_receiver(made: cst.Lambda | cst.Call, parameter: str | None, spot: Spot, files: ProjectFiles) -> str:
    """Why the compiled function that it is passed to, which is then not traced again either, may do something else."""
    if parameter is None:
        return ""
    call = spot.document.parent(made, cst.Call)
    source = files.code.source(spot.path)
    is_direct = call is not None and any(argument.value is made for argument in call.args)
    if call is None or source is None or not is_direct:
        return "nothing shows what uses it"
    name = get_full_name_for_node(call.func) or ""
    found = meaning_of(name, source, files.code) if name else Meaning(doubt="nothing shows what uses it")
    if found.doubt or found.source is None or not isinstance(found.node, ast.FunctionDef):
        return found.doubt or f'nothing shows what "{name}" does with it'
    other = why_other_static(found.node, parameter)
    return other or Reading(files.code).why_body_not_pure(found.node, found.source, parameter)


def _local_names(node: cst.CSTNode, document: Document) -> Iterator[str]:
    """The parameters and variables of the functions around a node."""
    for function in document.ancestors(node):
        if isinstance(function, cst.FunctionDef | cst.Lambda):
            yield from (parameter.name.value for parameter in _own(function.params))
            yield from _bound(function.body)


def _definition(name: str, made: cst.Lambda | cst.Call) -> Statement:
    if isinstance(made, cst.Call):
        return cst.SimpleStatementLine([cst.Assign([cst.AssignTarget(cst.Name(name))], made)])
    returned = cst.SimpleStatementLine([cst.Return(made.body)])
    return cst.FunctionDef(cst.Name(name), made.params, cst.IndentedBlock([returned]))


def _jit_call(found: cst.BaseExpression | None) -> cst.Call | None:
    """`jax.jit(f)` in `jax.jit(f)(x)`."""
    while isinstance(found, cst.Call) and isinstance(found.func, cst.Call):
        found = found.func
    return found if isinstance(found, cst.Call) else None


def _moved(call: cst.Call, loop: Statement, document: Document) -> Edit | None:
    """Moves `step = jax.jit(...)` as it is; a call inside of an expression gets a name."""
    parent = next(document.ancestors(call), None)
    line = document.parent(call, cst.SimpleStatementLine)
    if isinstance(parent, cst.Assign) and line is not None and len(line.body) == 1 and len(parent.targets) == 1:
        target = parent.targets[0].target
        block = next(document.ancestors(line), None)
        is_only = isinstance(block, cst.IndentedBlock) and len(block.body) > 1
        if isinstance(target, cst.Name) and is_only and list(_bound(loop)).count(target.value) == 1:
            moved = line.with_changes(leading_lines=())
            return Edit({line: cst.RemovalSentinel.REMOVE}, before={loop: [moved]})
        return None
    name = _new_name(_JITTED, document)
    return Edit({call: cst.Name(name)}, before={loop: [_definition(name, call)]}, defined=frozenset({name}))


def _new_name(wanted: str, document: Document) -> str:
    taken = document.once(names)
    numbered = (f"{wanted}_{number}" for number in count(2))
    return next(name for name in chain([wanted], numbered) if name not in taken)


def _loop_around(call: cst.Call, document: Document) -> cst.For | cst.While | None:
    """The nearest loop of the same function whose body has the call."""
    inner: cst.CSTNode = call
    for node in document.ancestors(call):
        if isinstance(node, cst.FunctionDef | cst.Lambda | cst.ClassDef):
            return None
        if isinstance(node, cst.For | cst.While):
            return node if inner is node.body else None
        inner = node
    return None


def _used(node: cst.CSTNode) -> Iterator[str]:
    """The names that an expression reads from around it; of `a.b`, the `a`."""
    if isinstance(node, cst.Attribute | cst.Arg):
        yield from _used(node.value)
    elif isinstance(node, cst.Name):
        yield node.value
    elif isinstance(node, cst.Lambda):
        own = _own(node.params)
        yield from set(_used(node.body)) - {parameter.name.value for parameter in own}
        yield from (name for parameter in own if parameter.default is not None for name in _used(parameter.default))
    else:
        for child in node.children:
            yield from _used(child)


def _own(given: cst.Parameters) -> list[cst.Param]:
    stars = [star for star in (given.star_arg, given.star_kwarg) if isinstance(star, cst.Param)]
    return [*given.posonly_params, *given.params, *given.kwonly_params, *stars]


def _bound(node: cst.CSTNode) -> Iterator[str]:
    """The names that code binds."""
    yield from _bound_by(node)
    for child in parts_of(node):
        yield from _bound(child)


def _bound_by(node: cst.CSTNode) -> Iterator[str]:
    """The names that a node itself binds."""
    if isinstance(node, cst.AssignTarget | cst.AnnAssign | cst.AugAssign | cst.For | cst.NamedExpr | cst.CompFor):
        yield from _used(node.target)
    elif isinstance(node, cst.Import | cst.ImportFrom):
        yield from (import_.bound for import_ in imported(cst.Module([cst.SimpleStatementLine([node])])))
    elif isinstance(node, cst.MatchAs | cst.MatchStar) and node.name is not None:
        yield node.name.value
    elif isinstance(node, cst.MatchMapping) and node.rest is not None:
        yield node.rest.value
    elif isinstance(node, cst.AsName):
        yield from _used(node.name)
    elif isinstance(node, _DEFINITIONS):
        yield node.name.value


class _Scope(NamedTuple):
    """What a module binds: how often each name, and the number of the statement that defines or imports it first."""

    bound: Counter[str]
    defined: Mapping[str, int]
    imported: Mapping[str, int]
    numbers: Mapping[cst.CSTNode, int]


def _is_constant(name: str, document: Document, until: cst.CSTNode | None = None) -> bool:
    """Whether the module imports or defines a name, and never binds it otherwise. `until`: before this statement."""
    scope = document.once(_scope_of)
    end = scope.numbers[until] if until is not None else len(scope.numbers)
    if scope.defined.get(name, end) < end:
        return scope.bound[name] == 1
    return name not in scope.bound and (scope.imported.get(name, end) < end or name in vars(builtins))


def _scope_of(document: Document) -> _Scope:
    statements = list(enumerate(document.module.body))
    defined = ((part.name.value, number) for number, part in statements if isinstance(part, _DEFINITIONS))
    imports = ((import_.bound, number) for number, part in statements for import_ in imported(cst.Module([part])))
    bound = Counter(name for kind in _BINDING for node in document.all(kind) for name in _bound_by(node))
    numbers: dict[cst.CSTNode, int] = {part: number for number, part in statements}
    return _Scope(bound, _first(defined), _first(imports), numbers)


def _first(found: Iterable[tuple[str, int]]) -> Mapping[str, int]:
    first: dict[str, int] = {}
    for name, number in found:
        first.setdefault(name, number)
    return first
