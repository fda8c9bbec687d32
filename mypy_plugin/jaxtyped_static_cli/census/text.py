"""The census for people: a summary, then what is odd, then the rest, a line each."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from typing import Final

from rich.console import Console
from rich.text import Text

from ..terminal.words import counted
from .details import actual_uses, class_details, function_details, parameter_text, shown_reasons, use_text
from .model import Census, Class, Function, Role, Verdict
from .styles import STYLES, indented, place_text, reason_text, role_of, role_text

_FIRST: Final = 4  # uses of an odd class that are shown
_KINDS: Final = {
    "parameter": ("parameter", "parameters"),
    "argument": ("argument", "arguments"),
    "field": ("field", "fields"),
    "subclass": ("base", "bases"),
}
_OF_FUNCTIONS: Final = {Verdict.UNPROVEN: "unproven or unread"}
_Section = tuple[str, Iterable[Text]]


def write(census: Census, console: Console, whole: Census | None = None) -> None:
    """`whole`: the census that this is a part of, of which everything is shown."""
    console.print(_summary(census))
    for heading, lines in _detailed(census, whole) if whole is not None else _sections(census):
        console.print()
        console.print(Text(heading, style="bold"))
        for line in indented(lines):
            console.print(line)
    if whole is None and (census.functions or census.classes):
        console.print()
        console.print(Text("--only NAME shows all that is known of one; --format html makes a page.", style="dim"))


def _summary(census: Census) -> Text:
    roles = Counter(role_of(cls) for cls in census.classes)
    verdicts = Counter(cls.verdict for cls in census.classes)
    unread = sum(bool(function.unread) for function in census.functions)
    parts = [f"{roles[role]} {role}" for role in STYLES if roles[role]]
    parts += [f"{verdicts[verdict]} {verdict}" for verdict in (Verdict.BROKEN, Verdict.UNPROVEN) if verdicts[verdict]]
    return Text.assemble(
        f"{counted(census.files, 'file')}: ",
        (counted(len(census.functions), "compiled function"), "bold"),
        f" ({unread} unread)" if unread else "",
        ", ",
        (counted(len(census.classes), "class", "classes"), "bold"),
        f": {', '.join(parts)}" if parts else "",
    )


def _detailed(census: Census, whole: Census) -> Iterator[_Section]:
    known, names = {cls.id: cls for cls in whole.classes}, whole.names
    for cls in census.classes:
        yield f"{cls.name}  {cls.place}", class_details(cls, known, names)
    for function in census.functions:
        yield f"{function.name}  {function.place}", function_details(function)


def _sections(census: Census) -> Iterator[_Section]:
    """Those with something in them, the odd ones first."""
    names, single = census.names, [cls for cls in census.classes if not cls.is_both]
    odd = {
        "both static and dynamic": [cls for cls in census.classes if cls.is_both],
        "broken": [cls for cls in single if cls.verdict is Verdict.BROKEN],
        "unproven": [cls for cls in single if cls.verdict is Verdict.UNPROVEN],
    }
    for what, classes in odd.items():
        if classes:
            yield f"Classes, {what} ({len(classes)})", _odd_classes(classes, names)
    if sound := [cls for cls in single if cls.verdict is Verdict.SOUND]:
        yield f"Classes, sound ({len(sound)})", _classes(sound)
    for verdict in Verdict:
        if functions := [function for function in census.functions if function.verdict is verdict]:
            yield f"Compiled functions, {_OF_FUNCTIONS.get(verdict, verdict)} ({len(functions)})", _functions(functions)


def _odd_classes(classes: list[Class], names: dict[str, str]) -> Iterator[Text]:
    """A class with the reasons of one above it is only named."""
    found = {cls.id: cls for cls in classes}
    below: dict[str, list[str]] = defaultdict(list)
    for cls in classes:
        if (top := _topmost(cls, found)) is not cls:
            below[top.id].append(cls.name)
    for cls in classes:
        if _topmost(cls, found) is cls:
            yield from _odd_class(cls, names)
            if heirs := below[cls.id]:
                yield Text(f"  and, below it, for the same reasons: {', '.join(heirs)}")


def _topmost(cls: Class, found: dict[str, Class]) -> Class:
    """The highest class above that has all of its rules broken."""
    codes = {reason.code for reason in shown_reasons(cls)}
    for base in cls.bases:
        above = found.get(base)
        if above is not None and codes <= {reason.code for reason in shown_reasons(above)}:
            return _topmost(above, found)
    return cls


def _odd_class(cls: Class, names: dict[str, str]) -> Iterator[Text]:
    yield Text.assemble((cls.name, "bold"), "  ", place_text(cls.place), "  ", role_text(role_of(cls)))
    yield from indented(reason_text(reason, cls.name) for reason in shown_reasons(cls))
    uses = actual_uses(cls)
    shown = uses[:_FIRST]
    yield from indented(use_text(use, names) for use in shown)
    if len(shown) < len(uses):
        yield Text(f"  and {len(uses) - len(shown)} more", style="dim")


def _classes(classes: list[Class]) -> Iterator[Text]:
    width = max(len(cls.name) for cls in classes)
    for cls in sorted(classes, key=role_of):
        used = Counter(use.kind for use in cls.uses if use.kind != "declaration")
        shown = ", ".join(counted(count, *_KINDS[kind]) for kind, count in used.items()) or "declared, not used"
        yield Text.assemble(role_text(role_of(cls), 8), cls.name.ljust(width), "  ", shown, "  ", place_text(cls.place))


def _functions(functions: list[Function]) -> Iterator[Text]:
    for function in functions:
        calls = sum(call.is_call for call in function.calls)
        called = f"called in {counted(calls, 'place')}" if calls else "not called by name"
        yield Text.assemble((function.name, "bold"), "  ", place_text(function.place), "  ", (called, "dim"))
        yield from indented(_parameters(function))


def _parameters(function: Function) -> Iterator[Text]:
    if function.unread:
        yield Text(f"not read: {function.unread}", style="yellow")
    for role in Role:
        if named := function.named(role):
            yield Text.assemble(
                role_text(role, 8), Text(", ").join(parameter_text(parameter, role, codes=True) for parameter in named)
            )
