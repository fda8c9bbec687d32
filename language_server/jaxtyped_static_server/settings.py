"""What a user can set in an editor, in the section `jaxtypedStatic`."""

from dataclasses import dataclass, fields
from typing import Any, Final, Self

SECTION: Final = "jaxtypedStatic"


@dataclass(frozen=True)
class Settings:
    """The names are those of the editor's settings, in the style of Python."""

    python: str = ""  # the project's interpreter or environment; empty: as `jaxtyped-static check` finds it
    potential: bool = False  # also show, as hints, what could go wrong
    workspace_diagnostics: bool = False  # also those of files that are not open
    hover: bool = True
    inlay_hints: bool = True
    code_lens: bool = True

    @classmethod
    def read(cls, given: Any) -> Self:
        """Reads what a client sends; takes the default of what it does not send, or sends as something else."""
        section = given.get(SECTION, given) if isinstance(given, dict) else {}
        known = {field.name: section.get(_camel_case(field.name)) for field in fields(cls)} if section else {}
        fitting: dict[str, Any] = {
            name: value for name, value in known.items() if type(value) is type(getattr(cls, name))
        }
        return cls(**fitting)


def _camel_case(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(map(str.capitalize, rest))
