"""What to change in a file so that its functions declare their static parameters themselves."""

from collections.abc import Collection
from pathlib import Path
from typing import NamedTuple

import libcst as cst

from ..editing.documents import Document
from ..editing.edits import Edit
from ..editing.names import Names
from .applications import Application, find_applications
from .calls import compiling_part, rewritten
from .classes import MigratedClass, Requested, plan_classes
from .marking import Style, marked_type, receiver_of, style_of
from .reasons import Left, Refused
from .spelling import Vocabulary, superseding, vocabulary_of
from .static_parameters import MARKS, Parameter, static_parameters
from .unneeded import without_imports


class Site(NamedTuple):
    """A place where a function is compiled: its line, and the name by which it is compiled there."""

    line: int
    name: str


class Migrated(NamedTuple):
    """A function whose annotations say what is static."""

    name: str
    number: int  # of the function in its file
    static: tuple[str, ...]
    read_as: tuple[str, ...]  # as the checker names them
    sites: tuple[Site, ...]
    edit: Edit
    below: str = ""  # a decorator between jit and the function


class Plan(NamedTuple):
    """The changes of one file, and what is left as it is."""

    functions: tuple[Migrated, ...] = ()
    classes: tuple[MigratedClass, ...] = ()
    shared: Edit = Edit()
    left: tuple[Left, ...] = ()

    @property
    def edits(self) -> list[Edit]:
        """All of them; none if there is nothing to change."""
        edits = [*(function.edit for function in self.functions), *(cls.edit for cls in self.classes)]
        return [self.shared, *edits] if edits else []


class Wanted(NamedTuple):
    """What is asked for."""

    classes: Requested = Requested()
    write_any: bool = False
    only: int | None = None  # the number of the one function that is wanted; None if all are


def plan(
    document: Document,
    names: Names,
    path: Path,
    wanted: Wanted,
    *,
    exported: Collection[str] | None = (),
    without: Collection[int] = (),
    without_classes: Collection[str] = (),
) -> Plan:
    """Plans the changes of a file.

    Args:
        document: the file.
        names: what its names stand for.
        path: where it is.
        wanted: what is asked for.
        exported: names that others import from this file; None if any may be.
        without: the numbers of functions to leave as they are.
        without_classes: the names of classes to leave as they are.
    """
    planner = _Planner(document, names, wanted, exported)
    planned = planner(without)
    if not wanted.classes.anything:
        return planned
    classes, left = plan_classes(document, path, names, wanted.classes, without_classes)
    return planned._replace(
        classes=tuple(classes),
        shared=planner.shared(planned.shared, [node for cls in classes for node in cls.edit.replaced]),
        left=tuple(sorted([*planned.left, *left])),
    )


class _Chosen(NamedTuple):
    """A function that can be migrated, its applications, and the types to mark its static parameters around."""

    function: cst.FunctionDef
    applications: list[Application]
    types: dict[Parameter, cst.BaseExpression | None]


class _Planner:
    def __init__(self, document: Document, names: Names, wanted: Wanted, exported: Collection[str] | None) -> None:
        self._document, self.names, self._exported = document, names, exported
        self._numbers: dict[cst.FunctionDef, int] = {}
        self._only = wanted.only
        self._style: Style = style_of(document, write_any=wanted.write_any)

    def __call__(self, without: Collection[int]) -> Plan:
        if not any(mark in self._document.text for mark in MARKS):
            return Plan()
        self._numbers = {function: number for number, function in enumerate(self._document.all(cst.FunctionDef))}
        found, left = find_applications(self._document, self.names)
        by_function: dict[cst.FunctionDef, list[Application]] = {}
        for application in found:
            by_function.setdefault(application.function, []).append(application)
        chosen: list[_Chosen] = []
        for function, applications in by_function.items():
            number = self._numbers[function]
            if number in without or self._only not in (None, number):
                continue
            if not any(applied.lists.given for applied in applications):
                continue
            try:
                chosen.append(_Chosen(function, applications, self._types(function, applications)))
            except Refused as refused:
                left.append(self._left(applications, refused))
        while True:
            migrated, shared, refusals = self._migrated(chosen)
            if not refusals:
                return Plan(tuple(migrated), (), shared, tuple(sorted(left)))
            gone = [choice for choice, _ in refusals]
            chosen = [choice for choice in chosen if choice not in gone]  # other names may be needed without them
            left += [self._left(choice.applications, refused) for choice, refused in refusals]

    def _types(
        self, function: cst.FunctionDef, applications: list[Application]
    ) -> dict[Parameter, cst.BaseExpression | None]:
        """The types to mark, of the parameters that every application makes static."""
        first = next(application for application in applications if application.lists.given)
        receiver = receiver_of(function, self.names)
        static = static_parameters(first.lists, function, receiver)
        for other in applications:
            if not other.lists.given or static_parameters(other.lists, function, receiver) != static:
                raise Refused("disagree", str(other.line))
        return {parameter: marked_type(parameter, function, self.names, self._style) for parameter in static}

    def _migrated(self, chosen: list[_Chosen]) -> tuple[list[Migrated], Edit, list[tuple[_Chosen, Refused]]]:
        """The functions with their edits, the edit that they share, and those that cannot be written."""
        migrated: list[Migrated] = []
        refusals: list[tuple[_Chosen, Refused]] = []
        if not chosen:
            return migrated, Edit(), refusals
        replaced = [compiling_part(application) for choice in chosen for application in choice.applications]
        try:
            words = vocabulary_of(self._document, self.names, replaced)
        except Refused as refused:
            return migrated, Edit(), [(choice, refused) for choice in chosen]
        for choice in chosen:
            try:
                edit = self._edit(choice, words)
                if any(edit.overlaps(other.edit, self._document) for other in migrated):
                    raise Refused("expression")
            except Refused as refused:
                refusals.append((choice, refused))
                continue
            name, number = self.names.qualified(choice.function), self._numbers[choice.function]
            sites = tuple(Site(applied.line, choice.function.name.value) for applied in choice.applications)
            static = tuple(parameter.name for parameter in choice.types)
            read_as = tuple(parameter.read_as for parameter in choice.types)
            below = next((applied.below for applied in choice.applications if applied.below), "")
            migrated.append(Migrated(name, number, static, read_as, sites, edit, below))
        return migrated, self._shared(words, replaced), refusals

    def _edit(self, chosen: _Chosen, words: Vocabulary) -> Edit:
        changed: dict[cst.CSTNode, cst.CSTNode] = {
            application.node: rewritten(application, words.jit.text, self._document)
            for application in chosen.applications
        }
        imports = [words.jit.needed]
        receiver = receiver_of(chosen.function, self.names)
        for parameter, typ in chosen.types.items():
            if typ is None:
                continue
            imports.append(words.static.needed)
            if parameter.node.annotation is None and parameter.node is not receiver:
                typ = cst.parse_expression(words.any.text)
                imports.append(words.any.needed)
            changed[parameter.node] = _marked(parameter.node, typ, words)
        return Edit(changed, imports=tuple(dict.fromkeys(imports)))

    def _shared(self, words: Vocabulary, replaced: Collection[cst.CSTNode]) -> Edit:
        """The import of jax.jit, if ours takes its place, and the imports that are needed no more."""
        changed: dict[cst.CSTNode, cst.CSTNode] = {}
        if words.superseded is not None:
            changed[words.superseded] = superseding(words.superseded)
        return self.shared(Edit(changed), replaced)

    def shared(self, edit: Edit, replaced: Collection[cst.CSTNode]) -> Edit:
        """An edit of the whole file, with the imports that only what is replaced may have needed."""
        if self._exported is None:
            return edit
        return without_imports(edit, self._document, self.names, replaced, self._exported)

    def _left(self, applications: list[Application], refused: Refused) -> Left:
        first = next(application for application in applications if application.lists.given)
        return Left(first.line, self.names.qualified(first.function), refused.reason, refused.about)


def _marked(parameter: cst.Param, typ: cst.BaseExpression, words: Vocabulary) -> cst.Param:
    """The parameter with its type in `Static[...]`."""
    static = cst.parse_expression(words.static.text)
    marked = cst.Subscript(static, [cst.SubscriptElement(cst.Index(typ))])
    written = parameter.annotation
    if written is not None:
        return parameter.with_changes(annotation=written.with_changes(annotation=marked))
    equal = cst.AssignEqual() if parameter.default is not None else parameter.equal
    return parameter.with_changes(annotation=cst.Annotation(marked), equal=equal)
