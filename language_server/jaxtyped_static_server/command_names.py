"""The names of the commands, which lenses and actions mention."""

from typing import Final

SHOW_CALLERS: Final = "jaxtypedStatic.showCallers"
SHOW_REASONS: Final = "jaxtypedStatic.showReasons"
MAKE_STATIC: Final = "jaxtypedStatic.makeStatic"
