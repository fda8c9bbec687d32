"""What mypy reports at one place, and the cause of it: several effects may have one."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Final, NamedTuple

from jaxtyped_static_mypy.knowledge import naming
from jaxtyped_static_mypy.reporting import finding as data
from jaxtyped_static_mypy.reporting.actions import DYNAMIC_IN_CALL, NO_SUCH_POSITION, Action
from jaxtyped_static_mypy.reporting.harm import Harm

from ..files import sources
from ..mypy_runs.diagnostics import Diagnostic

# A class that holds arrays is right as it is: what is wrong is each place that makes it static.
_CAUSED_BY_POSITION: Final = frozenset({"static-dynamic"})
# What is wrong with a class as a static value is one cause: one advice mends all of it.
_OF_CLASS: Final = frozenset({"static-mutable", "static-hash"})
# What is wrong at the callers of one function, for one of its parameters.
_OF_CALLERS: Final = frozenset({"static-callable"})
# What one class caches on its static objects.
_OF_STATIC_CACHES: Final = frozenset({"static-cache"})
# What changes an object, of which several methods are compiled.
OF_CHANGE: Final = frozenset({"jit-bound-method"})
# What is wrong where an attribute is set, and not where its object is passed: the first evidence is that line, or else
# the second name in the message ends with that of the attribute.
_MADE_ELSEWHERE: Final = frozenset({("jit-retrace", "weak-field")})
# What a trace leaves in an object.
OF_LEAKS: Final = tuple(
    ("jit-mutation", kind) for kind in ("leaks", "leaks-uncompiled", "all-leak", "all-leak-uncompiled")
)
# What is wrong with the lists of a jit call, which one statement may write for several functions.
_OF_LISTS: Final = frozenset({("jit-argnames", "unknown-parameter"), ("jit-argnames", NO_SUCH_POSITION)})
_OF_CHOICES: Final = frozenset({"jit-branch"})
_OF_LOOPS: Final = frozenset({("jit-retrace", "new-each-pass"), ("jit-retrace", "eager-each-pass")})


class Class(NamedTuple):
    """The class that is the cause of an error."""

    name: str
    path: Path
    line: int | None


class Line(NamedTuple):
    """A line of the program."""

    path: Path
    number: int


class Effect(NamedTuple):
    """A diagnostic, and what it says."""

    diagnostic: Diagnostic
    reported: data.Finding
    culprit: Class | None
    scope: str  # the function or class around it
    loop: int | None  # of what a loop makes anew: the first line of the innermost loop around it
    choice: int | None = None  # the first line of the `if` statement that it is a condition of, or of an `elif` of that
    origin: Line | None = None  # that makes what is wrong, if that is what to change
    changes: tuple[data.Evidence, ...] = ()  # of an object, which the whole program shows
    lists: tuple[object, ...] = ()  # where the statement begins that has the lists of a jit call, and what they say

    @property
    def asked_by(self) -> str:
        """The full name of the function whose callers all have this to change; empty if there is none."""
        position = self.reported.position
        return position.function if position is not None and self.reported.code in _OF_CALLERS else ""

    @property
    def cause(self) -> tuple[object, ...]:
        """Equal for effects of one cause. The advice may depend on the position."""
        span, reported = self.diagnostic.span, self.reported
        if self.culprit is not None:
            what = () if reported.code in _OF_CLASS else (reported.code, reported.kind, reported.values)
            return self.culprit.path, self.culprit.name, *what
        if reported.position is not None and "." in self.asked_by:
            return reported.code, self.asked_by, reported.position.name
        if reported.code in _OF_STATIC_CACHES and reported.declared is not None:
            return reported.code, reported.declared.module, reported.declared.name
        if reported.holder:
            return reported.code, reported.holder, _in_holder(reported.path)
        if reported.path:
            return reported.code, span.path, reported.path
        shared = _SHARED.get((reported.code, reported.kind)) or _SHARED.get((reported.code, _ANY))
        found = shared(self) if shared is not None else ()
        return (reported.code, *found) if found else (reported.code, span, reported)

    @property
    def path(self) -> str:
        """Of the file that it is in."""
        return self.diagnostic.span.path

    @property
    def made(self) -> tuple[object, ...] | None:
        """Equal for effects of one callable, which is made on another line than that which passes it; else None."""
        at = dict(self.reported.values).get("at") if self.reported.code in _OF_CALLERS else None
        return (self.reported.code, self.diagnostic.span.path, self.reported.values) if at else None


def _of_loop(effect: Effect) -> tuple[object, ...]:
    return (effect.reported.kind, effect.path, effect.loop) if effect.loop is not None else ()


def _of_choice(effect: Effect) -> tuple[object, ...]:
    reported = effect.reported
    return (effect.path, effect.choice, reported.problem, reported.advice) if effect.choice is not None else ()


def _of_caching_class(effect: Effect) -> tuple[object, ...]:
    cached = dict(effect.reported.values).get("subject", "")
    return effect.path, cached.rpartition(".")[0], effect.reported.kind


def _of_compiling_class(effect: Effect) -> tuple[object, ...]:
    return effect.reported.kind, effect.path, effect.scope.rpartition(".")[0]


def _of_base(effect: Effect) -> tuple[object, ...]:
    base, method = effect.reported.declared, effect.reported.value("method")
    advice = len(effect.reported.advice)  # not every subclass can be static
    return (effect.reported.kind, base.module, base.name, method, advice) if base is not None else ()


def _of_origin(effect: Effect) -> tuple[object, ...]:
    origin = effect.origin
    return (effect.reported.kind, origin) if origin is not None else ()


def _of_function(effect: Effect) -> tuple[object, ...]:
    """The function that makes what is compiled, which may be nested in it, and decorated there."""
    *outer, last = effect.scope.split(".")
    maker = effect.reported.value("function")
    while outer and last != maker:
        last = outer.pop()
    return (effect.reported.kind, effect.path, *outer, maker) if last == maker else ()


def _of_lists(effect: Effect) -> tuple[object, ...]:
    return (effect.reported.kind, effect.path, *effect.lists) if effect.lists else ()


def _of_leaks(effect: Effect) -> tuple[object, ...]:
    """One object, of one function, whatever attributes each statement of it sets."""
    reported = effect.reported
    into, traced = reported.value("owner"), (reported.value("function"), reported.value("tracer"))
    return (effect.path, effect.scope, "leaks", into, *traced) if into else ()


def _of_outermost(effect: Effect) -> tuple[object, ...]:
    """The function or method around all that surrounds a place, of which the same advice mends each.

    To make one parameter static mends all that needs its value, whatever else would mend a place.
    """
    outer, _, inner = effect.scope.partition(".")
    around = f"{outer}.{inner.partition('.')[0]}" if naming.is_class(outer) else outer
    advised = effect.reported.offered(Action.MAKE_STATIC)
    what = advised.value("parameter") if advised is not None else effect.reported.advice
    return (effect.path, around, what) if around else ()


def _of_data_field(effect: Effect) -> tuple[object, ...]:
    """The field of a pytree that makes it none for a static parameter, of whichever function with that parameter."""
    cls, position = effect.reported.declared, effect.reported.position
    field = dict(effect.reported.values).get("detail")
    if cls is None or position is None or not field:
        return ()
    return effect.reported.kind, cls.module, cls.name, field, position.name, effect.reported.advice


def _of_called(effect: Effect) -> tuple[object, ...]:
    """The parameter of one function, to which several calls pass what the same advice mends."""
    reported = effect.reported
    return reported.kind, effect.path, reported.value("function"), reported.value("name"), reported.advice


_ANY: Final = ""  # kind
# What effects of one cause have in common, by code and kind; nothing if an effect stands for itself.
_SHARED: Final[Mapping[tuple[str, str], Callable[[Effect], tuple[object, ...]]]] = {
    # What the whole program uses of what JAX does not have.
    ("jax-removed", _ANY): lambda effect: effect.reported.names,
    ("jax-missing", _ANY): lambda effect: effect.reported.names,
    # What a method of a pytree assigns, and each that overrides it.
    ("jit-mutation", "lost"): lambda effect: ("lost", effect.path, effect.reported.values),
    # What one function leaks into one object, by several of its attributes.
    **dict.fromkeys(OF_LEAKS, _of_leaks),
    # What else one function does to one object, on several of its lines.
    ("jit-mutation", _ANY): lambda effect: (effect.path, effect.scope, effect.reported.problem),
    # What one statement asks of one tracer, by `if` and `elif`.
    ("jit-branch", _ANY): _of_choice,
    # What one class caches, in several of its properties.
    ("pytree-cache", _ANY): _of_caching_class,
    # What one class compiles, in several of its methods: to make it a pytree mends all of it.
    ("jit-self", "neither-pytree-nor-static"): _of_compiling_class,
    # What a base compiles, for each of its subclasses.
    ("jit-self", "compiled-by-base"): _of_base,
    # What one list names in vain, or the same lists in one statement: `fast = [jit(f, ...), jit(g, ...)]`.
    **dict.fromkeys(_OF_LISTS, _of_lists),
    # What both lists of one function leave out: to give only one of them mends all of it.
    ("jit-argnames", DYNAMIC_IN_CALL): lambda effect: (DYNAMIC_IN_CALL, effect.path, effect.scope),
    # What somebody has forgotten in one file, at each function.
    ("jit-argnames", "decorator-dropped"): lambda effect: ("decorator-dropped", effect.path),
    # What the calls of one function pass.
    ("jit-untraceable", "untraceable-argument"): _of_called,
    ("jit-bound-method", _ANY): lambda effect: effect.changes,
    # What one function, with those nested in it, needs for shapes.
    ("static-traced", _ANY): _of_outermost,
    # What one field makes of the objects that several functions take as their settings.
    ("static-dynamic", _ANY): _of_data_field,
    # What one loop makes anew: to jit before the loop, or what is in it, mends all of it.
    **dict.fromkeys(_OF_LOOPS, _of_loop),
    # What one line makes, for each loop that begins with it.
    **dict.fromkeys(_MADE_ELSEWHERE, _of_origin),
    # What one function makes anew: to jit it mends all of it.
    ("jit-retrace", "new-each-call"): _of_function,
    ("jit-retrace", "eager-each-call"): lambda effect: ("eager-each-call", effect.path, effect.scope),
}


def grouped(effects: Iterable[Effect]) -> list[list[Effect]]:
    """Those of one cause together: several calls of one function, or else one callable that several functions get."""
    found = list(effects)
    counts = Counter(effect.cause for effect in found)
    causes: dict[tuple[object, ...], list[Effect]] = {}
    for effect in found:
        made = effect.made if counts[effect.cause] == 1 else None
        causes.setdefault(made or effect.cause, []).append(effect)
    return list(causes.values())


def read_effect(diagnostic: Diagnostic, root: Path, modules: Mapping[str, Path]) -> Effect:
    """`modules`: those of the program, with their files."""
    reported = diagnostic.reported
    path, line = root / diagnostic.span.path, diagnostic.span.line
    culprit = _culprit(diagnostic, reported, root, modules)
    loop = sources.loop(path, line) if (reported.code, reported.kind) in _OF_LOOPS else None
    origin = _origin(reported, root, modules) if (reported.code, reported.kind) in _MADE_ELSEWHERE else None
    choice = sources.choice(path, line) if reported.code in _OF_CHOICES else None
    lists = _lists(reported, path) if (reported.code, reported.kind) in _OF_LISTS else ()
    return Effect(diagnostic, reported, culprit, sources.scope(path, line), loop, choice, origin, lists=lists)


def _lists(reported: data.Finding, path: Path) -> tuple[object, ...]:
    """The call, without the function that it compiles."""
    site = reported.site
    if site is None:
        return ()
    written = sources.text(path, site.line, site.column, site.end_line, site.end_column)
    return sources.statement(path, site.line), written.replace(reported.value("subject").strip('"'), "", 1)


def _culprit(diagnostic: Diagnostic, reported: data.Finding, root: Path, modules: Mapping[str, Path]) -> Class | None:
    """The class at fault, if its file is known: of a hierarchy, the base that has the fault."""
    if reported.declared is None or not reported.declared.is_at_fault or diagnostic.code in _CAUSED_BY_POSITION:
        return None
    of_class = reported.base if reported.base is not None and reported.code in _OF_CLASS else reported.declared
    path = root / diagnostic.span.path if of_class.line is not None else modules.get(of_class.module)
    return Class(of_class.name, path, of_class.line) if path is not None else None


def _origin(reported: data.Finding, root: Path, modules: Mapping[str, Path]) -> Line | None:
    first = next(iter(reported.evidence), None)
    if first is not None and first.line is not None:
        return Line(root / first.file, first.line)
    declared = reported.declared
    path = modules.get(declared.module) if declared is not None else None
    if declared is None or path is None:
        return None
    line = sources.attribute(path, last_name(declared.name), last_name(reported.names[1]))
    return Line(path, line) if line is not None else None


def last_name(name: str) -> str:
    return name.rpartition(".")[2]


def _in_holder(path: str) -> str:
    """The end of a path, from the last field on: `Outer.inner.sizes[...]` ends with `sizes[...]`."""
    return last_name(path)


def as_potential(effect: Effect, label: str) -> Effect:
    """The effect as one that does no harm, without the evidence of a kind, and what its notes say of that."""
    reported, diagnostic = effect.reported, effect.diagnostic
    told = {shown.text for shown in reported.evidence if shown.label == label}
    kept = tuple(shown for shown in reported.evidence if shown.label != label)
    return effect._replace(
        reported=reported._replace(evidence=kept, harm=Harm.POTENTIAL),
        diagnostic=diagnostic._replace(notes=tuple(note for note in diagnostic.notes if note not in told)),
    )
