"""`server`: the language server, for editors."""

import argparse
import logging
import os
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from ..terminal.problems import Problem

HELP: Final = "show findings in an editor, as you type"
DESCRIPTION: Final = """\
Runs the language server. Editors start it by themselves: docs/editors.md has the settings for each.

Needs no configuration and no mypy of the project's: as `check` does, it reads the packages of the project's own
environment, and shows only the rules of jaxtyped-static. It stands beside any other language server.
"""
EXAMPLES: Final = """\
examples:
  jaxtyped-static server                      over standard input and output, as editors start it
  jaxtyped-static server --tcp 8765           over TCP, on this machine only
  jaxtyped-static server --log-file /tmp/server.log
"""
_NEEDED: Final = ("pygls", "jaxtyped_static_server")
_HOST: Final = "127.0.0.1"
_LONGEST_PORT: Final = 65535


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--stdio", action="store_true", help="talk over standard input and output (the default)")
    parser.add_argument("--tcp", type=_port, metavar="PORT", help=f"wait for a client at {_HOST}")
    parser.add_argument("--log-file", type=Path, metavar="FILE", help="write what happens to a file")
    parser.add_argument("--verbose", action="store_true", help="also log what is sent and received")


def run(options: argparse.Namespace) -> int:
    if any(find_spec(name) is None for name in _NEEDED):
        raise Problem("pygls is not installed; run: pip install 'jaxtyped-static[editor]'")
    _log_to(options.log_file, verbose=options.verbose)
    from jaxtyped_static_server.features import new_server

    server = new_server()
    if options.tcp is not None:
        print(f"jaxtyped-static: waiting for a client at {_HOST}:{options.tcp}", file=sys.stderr)
        server.start_tcp(_HOST, options.tcp)
    else:
        server.start_io()
    return 0


def _port(text: str) -> int:
    if not text.isdecimal() or not 0 <= int(text) <= _LONGEST_PORT:
        raise argparse.ArgumentTypeError(f"{text} is no port; give a number up to {_LONGEST_PORT}")
    return int(text)


def _log_to(file: Path | None, *, verbose: bool) -> None:
    """To a file or, as editors keep it, to standard error."""
    handler = logging.StreamHandler() if file is None else logging.FileHandler(file, encoding="utf-8")
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    logging.basicConfig(level=logging.WARNING, handlers=[handler])
    logging.getLogger("jaxtyped_static_server").setLevel(logging.INFO)
    if verbose:
        logging.getLogger("pygls").setLevel(logging.DEBUG)
    logging.getLogger(__name__).debug("process %d", os.getpid())
