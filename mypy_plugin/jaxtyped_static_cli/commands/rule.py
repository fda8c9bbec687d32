"""`rule`: explains a rule, offline."""

import argparse
import json
from typing import Final

from rich.console import Console
from rich.markdown import Markdown

from jaxtyped_static_mypy.rules import CODES

from ..findings.rules import known_code, page
from ..terminal.problems import Problem

HELP: Final = "explain a rule"
DESCRIPTION: Final = """\
Shows the page of a rule: what it reports, a program in which JAX goes wrong, and how to fix it.
"""
EXAMPLES: Final = """\
examples:
  jaxtyped-static rule static-hash
  jaxtyped-static rule --all | less -R
  jaxtyped-static rule --all --format json
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("code", nargs="?", metavar="CODE", help="the rule's code, as in [static-hash]")
    parser.add_argument("--all", action="store_true", help="all rules, in the order of the documentation")
    parser.add_argument(
        "--format",
        choices=["text", "markdown", "json"],
        default="text",
        help="text for a terminal, the Markdown itself, or JSON with code, summary and page (default: text)",
    )


def run(options: argparse.Namespace) -> int:
    if (options.code is None) == (not options.all):
        raise Problem(f"name one rule, or use --all; the rules are {', '.join(CODES)}")
    codes = list(CODES) if options.all else [known_code(options.code.strip("[]"))]
    if options.format == "json":
        rules = [{"code": code, "summary": CODES[code].description, "page": page(code)} for code in codes]
        print(json.dumps(rules if options.all else rules[0], indent=2))
        return 0
    for code in codes:
        if options.format == "markdown":
            print(page(code))
        else:
            Console().print(Markdown(page(code)))
    return 0
