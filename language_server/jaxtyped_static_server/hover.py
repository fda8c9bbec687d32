"""What of a compiled function is static, and what role a class plays, from the last census, as Markdown."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

Json = Any
_HEADING: Final = "jaxtyped-static"
_USES: Final = 5  # of a class, that are shown


def function_text(function: Json) -> str:
    return "\n".join(_function(function))


def class_text(cls: Json, census: Json) -> str:
    return "\n".join(_class(cls, {known["id"]: known["name"] for known in [*census["functions"], *census["classes"]]}))


def without_markdown(text: str) -> str:
    """For an editor that shows none."""
    return text.replace("**", "").replace("`", "")


def _function(one: Json) -> Iterator[str]:
    yield f"**{_HEADING}**: compiled by `{one['compiler']}`"
    if one["unread"]:
        yield f"- its static parameters are unknown: {one['unread']}"
    for role in ("static", "dynamic"):
        parameters = [parameter for parameter in one["parameters"] if parameter["role"] == role]
        if parameters:
            yield f"- {role}: " + ", ".join(f"`{parameter['name']}: {parameter['type']}`" for parameter in parameters)
    donated = [parameter["name"] for parameter in one["parameters"] if parameter["donated"]]
    if donated:
        yield "- donated: " + ", ".join(f"`{name}`" for name in donated)
    for parameter in one["parameters"]:
        yield from _reasons(f"`{parameter['name']}`", parameter["reasons"])


def _class(one: Json, names: Mapping[str, str]) -> Iterator[str]:
    roles = " and ".join(one["roles"])
    yield f"**{_HEADING}**: {one['declared'] or 'a class'}, used as {roles}" if roles else f"**{_HEADING}**"
    for use in one["uses"][:_USES]:
        yield f"- {use['role']}: {_use(use, names)}"
    yield from _reasons(f"`{one['name']}`", one["reasons"])


def _use(use: Json, names: Mapping[str, str]) -> str:
    name = f" `{use['name']}`" if use["name"] else ""
    owner = f" of `{names.get(use['owner'], use['owner'])}`" if use["owner"] else ""
    return f"{use['kind']}{name}{owner}"


def _reasons(subject: str, reasons: Iterable[Json]) -> Iterator[str]:
    for reason in reasons:
        advice = f"; {reason['advice']}" if reason["advice"] else ""
        yield f"- {subject}{reason['path']}: {reason['problem']}{advice} ({reason['code']})"
