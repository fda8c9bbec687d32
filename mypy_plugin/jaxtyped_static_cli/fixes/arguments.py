"""The options of `check` that fix. Does not load LibCST, which takes longer than many a check."""

import argparse


def add_arguments(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("fixes")
    group.add_argument("--fix", action="store_true", help="change the files, where that cannot do harm")
    group.add_argument("--unsafe-fixes", action="store_true", help="also make changes that may change what code does")
    group.add_argument("--diff", action="store_true", help="show what --fix would change, and write nothing")
