"""The name of a decorator that `jit(**options)` returns, in which its site is written.

mypy (2.4.1) asks for the hook of an application by the name of the callable alone, and of all that a plugin may put
into a type it keeps the names of a callable and of its parameters in every mode, and the daemon compares them.
docs/working-around-mypy.md has a program that shows it.
"""

import json

from mypy.types import CallableType, Type, get_proper_type

from .sites import GivenList, JitSite


def named(typ: Type, site: JitSite) -> Type:
    """The type of a decorator, named after its site; any other type as it is.

    mypy drops the name of a callable from the type of a variable, so the parameter has the same name. The daemon
    compares parameter names, so it notices a change.
    """
    proper = get_proper_type(typ)
    if not isinstance(proper, CallableType) or len(proper.arg_names) != 1:
        return typ
    name = name_of_site(site)
    return proper.copy_modified(name=name, arg_names=[name])


def site_of(typ: Type | None) -> JitSite | None:
    """The jit call behind a variable that holds what `jax.jit(static_argnames=...)` returned; None for any other."""
    proper = get_proper_type(typ)
    name = proper.arg_names[0] if isinstance(proper, CallableType) and len(proper.arg_names) == 1 else None
    return site_named(name) if name is not None else None


def name_of_site(site: JitSite) -> str:
    return f"{site.function}({json.dumps(site.lists)})"


def site_named(name: str) -> JitSite | None:
    """The site in a name; None if it is not one of ours: the key of a `TypedDict` may be any text."""
    function, bracket, lists = name.partition("([")
    if not bracket or name[-1] != ")":
        return None
    try:
        given = [GivenList(option, tuple(items), known) for option, items, known in json.loads(f"[{lists[:-1]}")]
    except (TypeError, ValueError):
        return None
    return JitSite(function, tuple(given))
