"""Which methods a program means where it calls one of an object that its module alone does not show."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Final, NamedTuple, TypeAlias

from jaxtyped_static_mypy.facts.objects.resolving import KnownModules
from jaxtyped_static_mypy.facts.objects.uses import OR, PARAMETER, Function, ModuleUses, Use

_ROUNDS: Final = 3  # what one shows, the next may need to follow a call
_MOST_STEPS: Final = 6  # from a parameter to what a caller further out gives
_INIT: Final = ".__init__"
_STATIC: Final = "staticmethod"

Used: TypeAlias = tuple[str, Use]  # and the module that it is in
Calls: TypeAlias = Mapping[str, Sequence[Used]]  # of functions and classes
Find: TypeAlias = Callable[[str], ModuleUses | None]


class Meant(NamedTuple):
    """A call of a method, and all that it may mean: one of these methods."""

    used: Used
    methods: frozenset[str]


def meant_by(unknown: Iterable[Used], calls: Calls, find: Find) -> list[Meant]:
    """What calls mean of which the whole program shows it. `calls`: those of which it is clear."""
    asked, found = list(unknown), list[Meant]()
    for _ in range(_ROUNDS):
        known = _Known(_with_those(calls, found), find)
        before, found = found, [meant for module, use in asked for meant in known.meant_by(module, use)]
        if len(found) == len(before):
            break
    return found


def classes_meant(calls: Calls, find: Find) -> Callable[[str], str | None]:
    """Of which class the object is that a text stands for, by all that the calls of a program give."""
    return _Known(calls, find).class_of


def _with_those(calls: Calls, found: Iterable[Meant]) -> Calls:
    more: dict[str, list[Used]] = {}
    for used, methods in found:
        for method in methods:
            more.setdefault(method, []).append(used)
    return {**calls, **{method: [*calls.get(method, ()), *used] for method, used in more.items()}}


class _Known:
    """What a program shows of its objects, by what the calls that are known give."""

    def __init__(self, calls: Calls, find: Find) -> None:
        self._calls, self._program = calls, KnownModules(find, self.given)

    def class_of(self, text: str) -> str | None:
        """The class of the object that a text stands for; None if the program does not show it."""
        return self._program.class_of(self._text(text, _MOST_STEPS))

    def meant_by(self, module: str, use: Use) -> Iterable[Meant]:
        text = self._text(use.may_be or use.what, _MOST_STEPS)
        if methods := self._program.definitions(text):
            yield Meant((module, use), methods)

    def given(self, function: str, name: str) -> Collection[str] | None:
        """What all calls of a function give for a parameter; None if one of them does not show it."""
        found = self._shown(function, name)
        texts = [text for text in found if text is not None]
        return texts if len(texts) == len(found) else None

    def _text(self, text: str, steps: int) -> str:
        """What the object may be that a function is given, by its calls that show it: one is enough.

        Not of what an object keeps: another one may be in use where its method runs.
        """
        function, sign, rest = text.partition(PARAMETER)
        if not sign or OR in text or function.endswith(_INIT) or not steps:
            return text
        name, dot, behind = rest.partition(".")
        given = dict.fromkeys(part for part in self._shown(function, name) if part is not None)
        further = (f"{part}{dot}{behind}" for one in given for part in self._text(one, steps - 1).split(OR))
        return OR.join(dict.fromkeys(further)) or text

    def _shown(self, function: str, name: str) -> list[str | None]:
        """What each call of a function gives for a parameter, or of a class for a field; None if that is not seen."""
        facts = self._facts(function)
        names = [str(given.key) for given in facts.parameters] if facts is not None else []
        if facts is not None and name not in names:
            return []
        is_bound = facts is not None and bool(facts.cls) and not any(map(_is_static, facts.decorators))
        found = list[str | None]()
        for use in self._calls_of(function):
            own = is_bound and not self._is_of_class(use)
            position = names.index(name) - own if facts is not None else None
            found += _given_by(use, name, position)
        return found

    def _calls_of(self, function: str) -> list[Use]:
        calls = [use for _, use in self._calls.get(function, ())]
        return [*calls, *(use for cls in self._made_by.get(function, ()) for _, use in self._calls[cls])]

    @cached_property
    def _made_by(self) -> Mapping[str, list[str]]:
        """The classes that each constructor makes objects of."""
        found: dict[str, list[str]] = {}
        for name in self._calls:
            uses, inner = self._program.split(name)
            if uses is not None and inner in uses.bases:
                init = self._program.definition(f"{name}(){_INIT}")
                found.setdefault(init or "", []).append(name)
        return found

    def _is_of_class(self, use: Use) -> bool:
        """Whether a call gives a method its object as an argument: `Base.step(self, x)`."""
        owner = use.what.rpartition(".")[0]
        return bool(owner) and self._program.definition(owner) is not None

    def _facts(self, function: str) -> Function | None:
        uses, inner = self._program.split(function)
        return uses.functions.get(inner) if uses is not None else None


def _is_static(decorator: str) -> bool:
    return decorator.rpartition(".")[2] == _STATIC


def _given_by(use: Use, name: str, position: int | None) -> list[str | None]:
    """What a call gives for a parameter: nothing if it leaves it out, or gives a constant."""
    gives = dict(use.gives)
    text = gives.get(name) or (gives.get(position) if position is not None else None)
    if text is not None or use.passed is None:
        return [text]
    wanted = [given for given in use.passed if given.key in (name, position)]
    is_hidden = position is None and any(isinstance(given.key, int) for given in use.passed)
    return [None] if is_hidden or any(not given.value for given in wanted) else []
