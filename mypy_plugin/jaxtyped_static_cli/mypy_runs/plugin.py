"""The mypy plugin as the command loads it: with the command's own switches, and a report of each file that is read."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from mypy.nodes import MypyFile
from mypy.plugin import Plugin

from jaxtyped_static_mypy.config.daemon import compare_settings
from jaxtyped_static_mypy.config.settings import Settings
from jaxtyped_static_mypy.digest import digest
from jaxtyped_static_mypy.plugin import JaxtypedStaticPlugin

from ..compat.fine_grained import is_told, keep_what_updates_need

NAME: Final = __name__
__version__: Final = digest()  # mypy's cache is valid only for the same plugin


@dataclass
class Switches:
    """What the command tells the plugin. mypy makes the plugin itself, and passes nothing to it but its own options."""

    strict: bool = False
    shows_potential: bool = False  # what the plugin read in the settings, for the command
    on_file: Callable[[str], None] | None = None  # called with the name of each module that is parsed
    is_followed: bool = False  # whether the next build will be updated


SWITCHES: Final = Switches()


class CommandPlugin(JaxtypedStaticPlugin):
    def _load_settings(self) -> Settings:
        settings = replace(super()._load_settings(), shows_mypy_errors=False)
        settings = replace(settings, strict=True) if SWITCHES.strict else settings
        SWITCHES.shows_potential = settings.shows_potential
        return replace(settings, potential=False)  # the command gets all, and chooses: mypy's cache stays valid

    def get_additional_deps(self, file: MypyFile) -> list[tuple[int, str, int]]:
        if SWITCHES.on_file is not None:
            SWITCHES.on_file(file.fullname)
        if SWITCHES.is_followed and not is_told(self.options):
            keep_what_updates_need(self.options)
            compare_settings(self.options, self._settings)
        return super().get_additional_deps(file)


def plugin(version: str) -> type[Plugin]:
    """mypy's entry point."""
    return CommandPlugin
