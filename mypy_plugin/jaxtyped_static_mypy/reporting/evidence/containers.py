"""Where code changes a container in place: that goes unnoticed, and raises once the container is immutable.

So each note says what to write instead.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Final

from ...classes import class_model
from ...classes.copying import changed_copy
from ...classes.reasons import Fault, Reason
from ...facts.objects.uses import UNKNOWN, Change, How
from ...flow.changes import (
    ContainerChange,
    Holder,
    PassedValue,
    container_changes,
    is_changed_after,
    passed_at,
    passed_to_field,
)
from ...source.checked_file import CheckedFile
from ..finding import Evidence
from ..positions import Position
from .changes import field_of
from .wording import CHANGED, elsewhere, places

_INSTEAD: Final = re.compile(r"tuple|frozenset|immutabledict")
_MUTABLE: Final = re.compile(r"\b(?:list|dict|set|deque|defaultdict|OrderedDict|Counter|bytearray)\b")
_VALUE: Final = "value"  # of a member of an enum
_ARTICLES: Final = {"tuple": "a tuple", "frozenset": "a frozenset", "immutabledict": "an immutabledict"}


def changes_in_place(position: Position, fault: Fault, file: CheckedFile) -> Iterator[Evidence]:
    """Where the file being checked changes, in place, the value that is to become immutable; nothing if it does not."""
    instead = _INSTEAD.match(fault.detail)
    if instead is None:
        return
    for line, text in _texts(position, fault, instead[0], file):
        yield Evidence(CHANGED, file.tree.path, line, text)


def changes_after_passing(position: Position, fault: Fault, file: CheckedFile) -> Iterator[Change]:
    """Where the file being checked changes, in place, what it has passed to a static position."""
    if fault.reason is Reason.MUTABLE_MEMBER and fault.declared is not None:
        for change in container_changes(Holder(None, fault.declared, _VALUE), 0, file):
            yield _change(change, f"{change.owner}.{_VALUE}")
    if any(step.startswith(".") for step in fault.path):
        return
    for passed in _passed(position, file):
        for change in container_changes(passed.holder, len(fault.path), file):
            if is_changed_after(passed, change, file):
                yield _change(change, passed.written)


def _passed(position: Position, file: CheckedFile) -> Iterable[PassedValue]:
    info, name = field_of(position)
    if info is not None:
        return passed_to_field(info, name, file)
    return passed_at(position.context, position.owner, file)


def _change(found: ContainerChange, name: str) -> Change:
    return Change(UNKNOWN, name, How.ITEM, "", False, (), False, False, False, found.line)


def _texts(position: Position, fault: Fault, kind: str, file: CheckedFile) -> Iterator[tuple[int, str]]:
    fields = [index for index, step in enumerate(fault.path) if step.startswith(".")]
    if fields:
        depth = len(fault.path) - fields[-1] - 1
        yield from _about_field(Holder(None, fault.holder, fault.path[fields[-1]][1:]), depth, kind, file)
    elif (of_field := field_of(position))[0] is not None:
        yield from _about_field(Holder(None, *of_field), len(fault.path), kind, file)
    else:
        for passed in passed_at(position.context, position.owner, file):
            yield from _about_passed(passed, fault, kind, file)


def _about_field(holder: Holder, depth: int, kind: str, file: CheckedFile) -> Iterator[tuple[int, str]]:
    info = holder.info
    if info is None:
        return
    found = container_changes(holder, depth, file)
    is_frozen = class_model.refuses_to_set(info, holder.name)
    for method in dict.fromkeys(change.making for change in found):
        lines = [change for change in found if change.making == method]
        if not is_frozen:
            use = f"assign a new {kind} there"
        elif method is None:
            use = f"use {changed_copy(lines[0].owner, info)} there, with a new {kind}"
        else:
            use = f'use object.__setattr__({lines[0].owner}, "{holder.name}", ...) there, with a new {kind}'
        inside = f" in {method}" if method is not None else ""
        changing = _changing(lines, holder.name, elsewhere(info.module_name, file))
        text = f"{changing}{inside}, which {_ARTICLES[kind]} refuses: {use}"
        yield lines[0].line, text


def _about_passed(passed: PassedValue, fault: Fault, kind: str, file: CheckedFile) -> Iterator[tuple[int, str]]:
    found = container_changes(passed.holder, len(fault.path), file)
    if found:
        receiver = f' to "{passed.function}"' if passed.function else ""  # a jitted function need not have a name
        use = f"keep it as it is, and pass {_converted(passed.written, fault.subject, kind)}{receiver}"
        yield found[0].line, f"{_changing(found, passed.written)}, which {_ARTICLES[kind]} refuses: {use}"


def _changing(found: list[ContainerChange], name: str, where: str = "") -> str:
    return places([change.line for change in found], "change", f'"{name}"', where)


def _converted(value: str, subject: str, kind: str) -> str:
    """`tuple(sizes)`; of containers in containers, only what is short enough for a note."""
    if len(_MUTABLE.findall(subject)) <= 1:
        return f"{kind}({value})"
    return f"tuple(map(tuple, {value}))" if subject.startswith("list[list[") else f'an immutable copy of "{value}"'
