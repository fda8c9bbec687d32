"""`migrate`: moves lists of static parameters into the annotations."""

import argparse
import json
import os
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Final

from ..editing.permission import permission
from ..editing.writing import difference, write
from ..migrating.classes import requested
from ..migrating.migration import Migration, propose, verified
from ..migrating.planning import Wanted
from ..migrating.reading import Reader
from ..mypy_runs.configuration import settings_of
from ..mypy_runs.plugin import SWITCHES
from ..mypy_runs.preparation import prepare
from ..project.interpreter import Interpreter, find_interpreter
from ..project.roots import Project, find_project
from ..terminal.progress import progress
from ..terminal.saying import harmless, say, to_read_or_apply
from ..terminal.words import counted
from .arguments import add_project_arguments, names

HELP: Final = "move static_argnames and static_argnums into the annotations"
DESCRIPTION: Final = """\
Rewrites jax.jit with static_argnames or static_argnums as jaxtyped_static.jit with Static[...] annotations. Shows a
diff and what it leaves as it is, with the reason; --write writes the files.

The program must behave as before. So mypy reads each function before and after, without running the program, and a
function whose static or donated parameters would differ, or about which the rules would report more, is left as it is.

Exit code: 0 if nothing is left to do, 1 if there are changes to write or functions that are left as they are, 2 if
something could not be read.
"""
EXAMPLES: Final = """\
examples:
  jaxtyped-static migrate                    show what would change in the project around the current folder
  jaxtyped-static migrate src/app/train.py   or in these files and folders
  jaxtyped-static migrate --write            change it
  jaxtyped-static migrate --any --write      write Static[Any] for parameters without an annotation
  jaxtyped-static migrate --format json      for programs: what is changed and what is left
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_project_arguments(parser)
    group = parser.add_argument_group("migration")
    group.add_argument("--write", action="store_true", help="write the files, instead of showing a diff")
    group.add_argument("--any", action="store_true", help="write Static[Any] for a parameter without an annotation")
    group.add_argument(
        "--classes", action="store_true", help="make dynamic classes of pytree dataclasses with static fields"
    )
    group.add_argument(
        "--static-classes",
        type=names,
        default=[],
        metavar="NAMES",
        help="make static classes of these frozen dataclasses, and of those below these bases in static_bases",
    )
    group.add_argument("--format", choices=["text", "json"], default="text", help="(default: text)")


def run(options: argparse.Namespace) -> int:
    project = find_project(options.paths or [Path.cwd()])
    python = find_interpreter(options.python, project.root)
    read_at = time.time()
    migration, is_complete = _migration(project, python, options)
    failed = write({file.path: file.content for file in migration.changed}, read_at) if options.write else {}
    for path, reason in failed.items():
        say(f"error: {os.path.relpath(path)}: not written: {reason}")
    migration = migration._replace(files=tuple(file for file in migration.files if file.path not in failed))
    show = _show_json if options.format == "json" else _show_text
    show(migration, written=options.write)
    if migration.unread or failed or not is_complete:
        return 2
    is_left = any(file.left for file in migration.files)
    return 1 if is_left or (migration.changed and not options.write) else 0


def _migration(project: Project, python: Interpreter, options: argparse.Namespace) -> tuple[Migration, bool]:
    """What can be migrated, and whether that is about all the code that there is."""
    prepared = prepare(project, python, options)
    _, found = prepared.files(options.paths)
    files, unread = _opened(found.files)
    bases = settings_of(project).static_bases
    allowed = permission(project.root, options.paths)
    left_alone = frozenset(file for file in files if allowed.refusal(file) is not None)
    classes = requested(files, fields=options.classes, static=options.static_classes, static_bases=bases)
    wanted = Wanted(classes, write_any=options.any)
    proposed = propose(files, wanted, left_alone)
    proposed = proposed._replace(unread=(*unread, *proposed.unread))
    if not proposed.changed:
        return proposed, found.is_complete
    prepared.fill_cache()
    with progress() as shown:
        SWITCHES.strict, SWITCHES.on_file = False, shown.read
        migration = verified(proposed, Reader(files, project.root, prepared.options, settings_of(project)))
    return migration, found.is_complete


def _opened(files: list[Path]) -> tuple[list[Path], list[tuple[Path, str]]]:
    """The files that can be read; and the others, with the reason."""
    readable, unread = [], []
    for path in files:
        try:
            path.open("rb").close()
            readable.append(path)
        except OSError as error:
            unread.append((path, error.strerror or str(error)))
    return readable, unread


def _show_text(migration: Migration, *, written: bool) -> None:
    if not written:
        for file in migration.changed:
            lines = difference({file.path: file.content}, file.document.module.encoding)
            sys.stdout.writelines(to_read_or_apply(lines, sys.stdout))
    for file in migration.changed if written else ():
        print(harmless(f"{os.path.relpath(file.path)}: changed"))
    for file in migration.files:
        for left in file.left:
            print(harmless(f"{os.path.relpath(file.path)}:{left.line}: {left.name}: left as it is: {left.why}"))
    for path, why in migration.unread:
        say(f"error: {os.path.relpath(path)} cannot be read: {why}")
    functions = counted(sum(len(file.plan.functions) for file in migration.changed), "function")
    classes = sum(len(file.plan.classes) for file in migration.changed)
    both = f"{functions} and {classes} class{'es' if classes != 1 else ''}" if classes else functions
    changed = f"{both} in {counted(len(migration.changed), 'file')}"
    if migration.changed:
        print(f"{'Changed' if written else 'Would change'} {changed}" + ("" if written else "; --write does it"))
    else:
        print("Nothing to change")
    reasons = Counter(left.reason for file in migration.files for left in file.left)
    for reason, count in reasons.most_common():
        print(harmless(f"  {count} left: {reason}"))


def _show_json(migration: Migration, *, written: bool) -> None:
    changed = [
        {
            "path": os.path.relpath(file.path),
            "function": function.name,
            "line": function.sites[0].line,
            "static": function.static,
        }
        for file in migration.changed
        for function in file.plan.functions
    ]
    changed += [
        {"path": os.path.relpath(file.path), "class": cls.name, "line": cls.line, "static": cls.static}
        for file in migration.changed
        for cls in file.plan.classes
    ]
    left = [
        {
            "path": os.path.relpath(file.path),
            "function": kept.name,
            "line": kept.line,
            "reason": kept.reason,
            "why": kept.why,
        }
        for file in migration.files
        for kept in file.left
    ]
    unread = [{"path": os.path.relpath(path), "why": why} for path, why in migration.unread]
    print(json.dumps({"version": 1, "written": written, "changed": changed, "left": left, "unread": unread}, indent=2))
