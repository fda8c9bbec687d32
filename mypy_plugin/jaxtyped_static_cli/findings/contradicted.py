"""Findings about declared types that the program contradicts: no call passes such a value, or none gives the field."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Final, NamedTuple

from mypy.nodes import (
    AssignmentStmt,
    CallExpr,
    ClassDef,
    Expression,
    FloatExpr,
    FuncDef,
    ImportFrom,
    IntExpr,
    MemberExpr,
    MypyFile,
    NameExpr,
    Node,
    RefExpr,
    ReturnStmt,
    StrExpr,
)

from jaxtyped_static_mypy.libraries import CALLABLE_TREES
from jaxtyped_static_mypy.reporting.finding import Asked, Question
from jaxtyped_static_mypy.reporting.harm import Harm
from jaxtyped_static_mypy.syntax.arguments import unpacks
from jaxtyped_static_mypy.syntax.assignments import targets_of
from jaxtyped_static_mypy.syntax.literals import is_none
from jaxtyped_static_mypy.syntax.names import last_name
from jaxtyped_static_mypy.syntax.trees import nodes_below

from ..compat.parsing import parsed
from ..files import sources
from ..files.python_files import is_of_library
from .effects import Effect
from .effects import last_name as last_name_of
from .passed import OWNERS, Parameter, calls_of, given_hashed, is_own_attribute
from .program import ProgramUses
from .shown import Showing

_REPLACING: Final = frozenset({"replace", "_replace", "evolve"})
_SETTING: Final = frozenset({"setattr", "__setattr__"})
_CONSTANTS: Final = (FloatExpr, IntExpr, StrExpr)
_TESTING: Final = frozenset({"isinstance", "issubclass"})
_OWN: Final = "cls"
_OF_STATIC: Final = "static-"  # codes
_OF_CALLS: Final = frozenset({Asked.NEVER_PASSED})
# What names `jax.tree_util.Partial`, or imports a library whose objects are callable pytrees.
_TREES: Final = re.compile(
    rf"\bPartial\b|^\s*(?:import|from)\s.*\b(?:{'|'.join(map(re.escape, CALLABLE_TREES))})\b", re.MULTILINE
)


class _Passed(NamedTuple):
    """A call that passes another value than the one that a parameter is declared to take."""

    path: Path
    line: int
    function: str
    parameter: str


def without_contradicted(effects: Iterable[Effect], program: ProgramUses) -> Iterator[Effect]:
    """The effects, of which those are potential that the calls of the program contradict."""
    known = list(effects)
    records = [effect for effect in known if effect.diagnostic.is_record]
    calls = _Calls(program, frozenset(_passed(record, program) for record in records))
    for effect in known:
        if effect.diagnostic.is_record:
            continue
        questions = effect.reported.questions
        if calls.have_users(effect):
            questions = tuple(question for question in questions if question.asked not in _OF_CALLS)
        is_contradicted = any(calls.answers(question, effect.reported.code) for question in questions)
        yield effect._replace(reported=effect.reported._replace(harm=Harm.POTENTIAL)) if is_contradicted else effect


def _passed(record: Effect, program: ProgramUses) -> _Passed:
    called = record.reported.evidence[0]
    function, parameter = map(record.reported.value, ("function", "name"))
    return _Passed(program.root / called.file, called.line or 0, function, parameter)


@dataclass(frozen=True, eq=False)
class _Calls:
    """What the modules of the project that are no tests call."""

    program: ProgramUses
    passed: frozenset[_Passed]
    _parsed: dict[Path, MypyFile | None] = field(default_factory=dict, init=False)

    def have_users(self, effect: Effect) -> bool:
        """Whether others call the function that a finding is in: those read what a package offers, and believe it."""
        module = self.program.module_at(effect.diagnostic.span.path)
        return bool(effect.scope) and self.program.runs.is_for_users(f"{module}.{effect.scope}", of_package=True)

    def answers(self, question: Question, code: str) -> bool:
        if question.asked is Asked.NEVER_PASSED:
            return self._never_pass(question.cls, question.among[0], is_static=code.startswith(_OF_STATIC))
        if question.asked is Asked.NOT_SHOWN:
            return self._never_show(question.cls, question.among[0])
        if question.asked is Asked.LEFT_OUT:
            return self._leave_out(question.cls, *question.among)
        if question.asked is Asked.MAKES_TREES:
            return self._makes_callable_trees
        if question.asked is Asked.INHERITED:
            return self.program.runs.is_inherited(question.cls, question.among)
        return question.asked is Asked.NEVER_GIVEN and self._never_give(question.cls, question.among[0])

    @cached_property
    def _makes_callable_trees(self) -> bool:
        return any(_TREES.search(text) is not None for text in self._texts.values())

    def _never_pass(self, function: str, parameter: str, *, is_static: bool) -> bool:
        """Whether each use of a function, or of what `jit` makes of it, is a call that passes something else.

        If the program only hands it to functions of its own, nobody knows what they pass: they may never have passed
        what its author wrote down. `is_static`: what can be hashed is something else, and not what can be traced.
        """
        names, found = [function], False
        parameters = self._parameters(function, parameter) if is_static else []
        for name in names:
            lines = {(path, line) for path, line, *rest in self.passed if rest == [name, parameter]}
            for path, tree in self._trees(name):
                names += [alias for alias in _aliases(tree, name) if alias not in names]
                given = list(calls_of(tree, name, parameters))
                others = _handed_on(tree, name) | given_hashed(tree, given)
                unknown = {call.callee for call, value in given if is_own_attribute(value)}
                for node, statement in _uses(tree, name):
                    made = _name_made(statement, node) if statement is not None else ""
                    if (path, node.line) in lines or node in others:
                        found = True
                    elif made and made not in names:
                        names.append(made)
                    elif not (made or node in unknown):
                        return False  # nobody knows what calls it
        return found

    def _never_show(self, function: str, parameter: str) -> bool:
        """Whether the program calls a function, and no call shows that it passes a container: all are calls there."""
        if self.program.runs.is_for_users(function, of_package=True):
            return False
        names, found = [last_name_of(function)], False
        parameters = self._parameters(names[0], parameter)
        for name in names:
            for _, tree in self._trees(name):
                names += [alias for alias in _aliases(tree, name) if alias not in names]
                given = {call.callee: value for call, value in calls_of(tree, name, parameters)}
                showing = Showing(tree, self._functions)
                for node, _ in _uses(tree, name):
                    value = given.get(node)
                    if value is None or showing.is_container(value):
                        return False
                    found = True
        return found

    def _functions(self, name: str) -> list[FuncDef]:
        nodes = (node for _, tree in self._trees(name) for node in nodes_below(tree))
        return [node for node in nodes if isinstance(node, FuncDef) and node.name == name]

    def _parameters(self, function: str, parameter: str) -> list[Parameter]:
        """The parameter, of each function of that name."""
        return [Parameter(node, parameter) for node in self._functions(function)]

    def _leave_out(self, function: str, parameter: str, index: str) -> bool:
        """Whether no call passes a parameter by its name, by its position or by unpacking."""
        called = [function]
        for name in called:
            for _, tree in self._trees(name):
                called += [alias for alias in _aliases(tree, name) if alias not in called]
                if any(call is not None and _gives(call, parameter, int(index)) for call in _made(tree, name)):
                    return False
        return True

    def _never_give(self, cls: str, attribute: str) -> bool:
        """Whether a field has a constant as its default, and all objects of the class are made without it."""
        module, _, name = cls.rpartition(".")
        tree = next((tree for path, tree in self._trees(name) if path == self.program.modules.get(module)), None)
        index = _index_of_default(tree, name, attribute) if tree is not None else None
        setting = rf"""(?:{attribute}\s*=|["']{attribute}["'])"""  # what may set it, in the text
        if index is None or any(
            _sets(node, attribute) for _, tree in self._trees(setting) for node in nodes_below(tree)
        ):
            return False
        makes = [node for _, tree in self._trees(name) for node in _made(tree, name)]
        makes += [None for _, tree in self._trees(name) if any(alias != name for alias in _aliases(tree, name))]
        return bool(makes) and all(call is not None and not _gives(call, attribute, index) for call in makes)

    def _trees(self, word: str) -> Iterator[tuple[Path, MypyFile]]:
        """The modules in whose text a regular expression matches a whole word."""
        pattern = re.compile(rf"(?<!\w){word}")
        for path, text in self._texts.items():
            if pattern.search(text) is not None and (tree := self._tree(path)) is not None:
                yield path, tree

    def _tree(self, path: Path) -> MypyFile | None:
        if path not in self._parsed:
            self._parsed[path] = parsed(self._texts[path], path, path.stem)
        return self._parsed[path]

    @cached_property
    def _texts(self) -> Mapping[Path, str]:
        runs = self.program.runs
        paths = (path for module, path in self.program.modules.items() if not runs.is_test_module(module))
        own = (path for path in paths if path.suffix == ".py" and not is_of_library(str(path)))
        return {path: "\n".join(sources.lines(path)) for path in own}


def _uses(tree: MypyFile, name: str) -> Iterator[tuple[Expression, AssignmentStmt | None]]:
    """The places that have a name, but for those that bind it, each with the assignment whose value it is in."""
    nodes = nodes_below(tree)
    around = {below: node for node in nodes if isinstance(node, AssignmentStmt) for below in nodes_below(node.rvalue)}
    bound = {target for node in nodes for target in targets_of(node)}
    for node in nodes:
        if isinstance(node, (NameExpr, MemberExpr)) and node.name == name and node not in bound:
            yield node, around.get(node)


def _handed_on(tree: MypyFile, name: str) -> set[Expression]:
    """Where a function is returned, or given to a method of the object or class around: it is not called there."""
    found = set[Expression]()
    for node in nodes_below(tree):
        if isinstance(node, ReturnStmt) and node.expr is not None:
            found.add(node.expr)
        elif isinstance(node, CallExpr) and isinstance(node.callee, MemberExpr):
            is_own = isinstance(node.callee.expr, NameExpr) and node.callee.expr.name in OWNERS
            found.update(node.args if is_own else ())
    return {node for node in found if isinstance(node, NameExpr) and node.name == name}


def _name_made(statement: AssignmentStmt, given: Expression) -> str:
    """The name of what a call, such as `jit`, makes of what it is given; empty if it makes something else."""
    targets, value = list(targets_of(statement)), statement.rvalue
    is_given = isinstance(value, CallExpr) and any(argument is given for argument in value.args)
    return last_name(targets[0]) if len(targets) == 1 and is_given else ""


def _aliases(tree: MypyFile, name: str) -> list[str]:
    """Under which other names a module imports something."""
    imports = (node for node in nodes_below(tree) if isinstance(node, ImportFrom))
    return [alias for node in imports for imported, alias in node.names if imported == name and alias is not None]


def _index_of_default(tree: MypyFile, name: str, attribute: str) -> int | None:
    """Which field of a class it is, if it has a constant as its default."""
    classes = (node for node in nodes_below(tree) if isinstance(node, ClassDef) and node.name == name)
    body = next((node.defs.body for node in classes), [])
    fields = [node for node in body if isinstance(node, AssignmentStmt) and node.unanalyzed_type is not None]
    names = [last_name(node.lvalues[0]) for node in fields]
    if attribute not in names:
        return None
    default = fields[names.index(attribute)].rvalue
    return names.index(attribute) if is_none(default) or isinstance(default, _CONSTANTS) else None


def _made(tree: MypyFile, name: str) -> Iterator[CallExpr | None]:
    """The calls of a class; None for a place that may make objects of it in another way."""
    nodes = nodes_below(tree)
    calls = [node for node in nodes if isinstance(node, CallExpr)]
    tested = {below for call in calls if last_name(call.callee) in _TESTING for below in nodes_below(call)}
    called = {call.callee: call for call in calls}
    for node in nodes:
        if isinstance(node, RefExpr) and node not in tested and last_name(node) == name:
            yield called.get(node)
        elif isinstance(node, ClassDef) and node.name == name and _makes_itself(node):
            yield None


def _makes_itself(definition: ClassDef) -> bool:
    calls = (node for node in nodes_below(definition) if isinstance(node, CallExpr))
    return any(isinstance(call.callee, (CallExpr, NameExpr)) and _is_own(call.callee) for call in calls)


def _is_own(callee: Expression) -> bool:
    return isinstance(callee, CallExpr) or last_name(callee) == _OWN


def _gives(call: CallExpr, attribute: str, index: int) -> bool:
    return unpacks(call) or attribute in call.arg_names or call.arg_names.count(None) > index


def _sets(node: Node, attribute: str) -> bool:
    """Whether a node sets an attribute of this name, or makes a copy with another value for it."""
    if isinstance(node, CallExpr):
        called = last_name(node.callee)
        is_set = any(isinstance(argument, StrExpr) and argument.value == attribute for argument in node.args)
        return (called in _SETTING and is_set) or (
            called in _REPLACING and (attribute in node.arg_names or unpacks(node))
        )
    return any(isinstance(target, MemberExpr) and target.name == attribute for target in targets_of(node))
