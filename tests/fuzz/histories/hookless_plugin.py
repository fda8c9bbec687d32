"""Plain mypy that, like the checker, rechecks everything when the checker's settings change."""

from __future__ import annotations

from pathlib import Path

from mypy.options import Options
from mypy.plugin import Plugin, ReportConfigContext

__version__ = ""


class HooklessPlugin(Plugin):
    def __init__(self, options: Options) -> None:
        super().__init__(options)
        global __version__  # a change of it restarts the daemon
        __version__ = Path(options.config_file or "").read_text(encoding="utf-8")

    def report_config_data(self, ctx: ReportConfigContext) -> str:
        return __version__


def plugin(version: str) -> type[Plugin]:
    return HooklessPlugin
