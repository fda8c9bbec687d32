"""The command line. Exit codes are those of ruff: 0 nothing found, 1 something found, 2 it could not do its work."""

import argparse
import contextlib
import importlib
import os
import sys
import traceback
from collections.abc import Sequence
from importlib.util import find_spec
from io import StringIO
from pathlib import Path
from types import ModuleType
from typing import Final, NoReturn

from .project.versions import mypy_version, own_version
from .terminal.problems import Problem
from .terminal.saying import never_fail, say

NAME: Final = "jaxtyped-static"
_COMMANDS: Final = ("check", "census", "rule", "doctor", "migrate", "run", "report", "server")
_NEEDED: Final = ("mypy", "libcst", "platformdirs", "rich")
_OLDEST_MYPY: Final = 2
_EXAMPLES: Final = f"""\
examples:
  {NAME} check                 check the project around the current folder
  {NAME} check src/ tests/     check these folders
  {NAME} census                list compiled functions and classes, with the roles they play
  {NAME} rule static-hash      explain what an error means, and how to fix it
  {NAME} doctor                say what the checker sees in a project, and what it does not
  {NAME} migrate               move static_argnames and static_argnums into the annotations
  {NAME} run train.py          run a program, and say what JAX compiled in it, and why
  {NAME} report                show the last recorded run again, or compare it with another
  {NAME} server                show findings in an editor, as you type

Each command has its own help: {NAME} check --help
"""


def run() -> NoReturn:
    """The console script. Ends without freeing mypy's trees, which takes seconds."""
    sys.stdout, sys.stderr = sys.stdout or StringIO(), sys.stderr or StringIO()  # None if the shell has closed it
    code = main()
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except BrokenPipeError:  # `| head`
        code = code or 1
    except OSError as error:
        with contextlib.suppress(OSError):
            say(f"error: the output cannot be written: {error.strerror}")
            sys.stderr.flush()
        code = 2
    os._exit(code)


def main(arguments: Sequence[str] | None = None) -> int:
    """Returns the exit code."""
    never_fail(sys.stdout)
    never_fail(sys.stderr)
    try:
        _require_folder()
        _require_packages()
        given = list(sys.argv[1:] if arguments is None else arguments)
        commands = _load(given)
        own, program = _split(commands, given)
        options = _parser(commands).parse_args(own, argparse.Namespace(program=program))
        return int(commands[options.command].run(options))
    except Problem as problem:
        say(f"error: {problem}")
        return 2
    except BrokenPipeError:
        return 1
    except OSError as error:  # no permission, a full disk
        say(f"error: {error}")
        return 2
    except Exception:
        traceback.print_exc()
        say("error: this is a fault of jaxtyped-static; please report the lines above")
        return 2
    except SystemExit as ended:  # argparse
        return int(ended.code or 0)
    except KeyboardInterrupt:
        say("error: interrupted")
        return 2


def _require_folder() -> None:
    try:
        Path.cwd()
    except OSError as error:
        raise Problem(f"the current folder cannot be used ({error.strerror}); change to another one") from None


def _require_packages() -> None:
    missing = [name for name in _NEEDED if find_spec(name) is None]
    if missing:
        raise Problem(f"{' and '.join(missing)} not installed; run: pip install '{NAME}[cli]'")
    installed = mypy_version()
    if int(installed.partition(".")[0]) < _OLDEST_MYPY:
        raise Problem(f"mypy {installed} is too old; run: pip install 'mypy>={_OLDEST_MYPY}.0'")


def _load(arguments: Sequence[str]) -> dict[str, ModuleType]:
    """The command that is chosen; all of them, for `--help` and errors. Their imports take longer than a warm check."""
    chosen = [name for name in _COMMANDS if list(arguments[:1]) == [name]]
    return {name: importlib.import_module(f".commands.{name}", __package__) for name in chosen or _COMMANDS}


def _split(commands: dict[str, ModuleType], arguments: list[str]) -> tuple[list[str], list[str]]:
    """What is the command's, and what belongs to a program that it runs."""
    chosen = commands.get(arguments[0]) if arguments else None
    if chosen is None or not hasattr(chosen, "split"):
        return arguments, []
    own, program = chosen.split(arguments[1:])
    return [arguments[0], *own], program


class _Version(argparse.Action):
    """Looks the versions up only when they are asked for, which takes 20 ms."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> NoReturn:
        print(f"{NAME} {own_version()} (mypy {mypy_version()})")
        parser.exit()


def _parser(commands: dict[str, ModuleType]) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog=NAME,
        description="Checks that JAX's static arguments are safe, and says what a program compiles, and why.",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action=_Version, nargs=0, help="show the versions of the command and of mypy")
    chosen = parser.add_subparsers(dest="command", required=True, metavar="{" + ",".join(_COMMANDS) + "}")
    for name, module in commands.items():
        module.add_arguments(
            chosen.add_parser(
                name,
                help=module.HELP,
                description=module.DESCRIPTION,
                epilog=module.EXAMPLES,
                formatter_class=argparse.RawDescriptionHelpFormatter,
            )
        )
    return parser
