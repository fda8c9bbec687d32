"""Handles settings that change while mypy's daemon is running.

Before each `dmypy run` the daemon (mypy 2.4.1, `dmypy_server.cmd_run`) constructs the plugin once more, then reads
`__version__` from its module, and restarts if that has changed; it compares only its own options. `dmypy check` and
`dmypy recheck` reread no configuration, not even mypy's own, so they print a warning.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from mypy.errors import CompileError
from mypy.options import Options

from ..digest import digest
from ..knowledge.full_names import PACKAGE
from .settings import Settings


@dataclass
class _Daemon:
    """What the daemon in this process was started with, if there is one."""

    is_running: bool = False
    settings: Settings | None = None  # None if there was a mistake in them
    written_at: int = 0  # modification time of the configuration file
    is_outdated: bool = False
    has_warned: bool = False


_DAEMON: Final = _Daemon()


def compare_settings(options: Options, settings: Settings | None) -> None:
    """Called with the settings that each new instance of the plugin reads; None if there is a mistake in them.

    The daemon checks with its first instance. Later ones only decide whether to restart.
    """
    if options.fine_grained_incremental:
        _DAEMON.is_running, _DAEMON.settings = True, settings
        _DAEMON.written_at, _DAEMON.has_warned = _written_at(options), False
    _DAEMON.is_outdated = _DAEMON.is_running and settings != _DAEMON.settings


def version() -> str:
    """What mypy compares: a digest of the plugin, marked if the daemon uses settings that are out of date."""
    return f"{digest()}-other-settings" if _DAEMON.is_outdated else digest()


def outdated_notice(options: Options) -> str | None:
    """A warning to print once if the daemon keeps using settings that are out of date."""
    if not options.fine_grained_incremental or _DAEMON.has_warned or _written_at(options) == _DAEMON.written_at:
        return None
    try:
        is_same = Settings.load(options.config_file) == _DAEMON.settings
    except CompileError:
        is_same = False
    _DAEMON.has_warned = not is_same
    if is_same:
        return None
    return (
        f"{options.config_file}: {PACKAGE}: warning: the settings changed, but the daemon still uses the old ones; "
        "use dmypy run, which rereads them, or dmypy restart"
    )


def _written_at(options: Options) -> int:
    try:
        return Path(options.config_file).stat().st_mtime_ns if options.config_file else 0
    except OSError:
        return 0
