"""Runs a program as Python itself would, and records what JAX prepares in it.

`python .../launching.py OPTIONS (FILE.py | -m MODULE | -c CODE) [ARGUMENT...]`, with `Options` as JSON.

JAX reads its settings when it is imported, and the program may set them before that: so nothing here imports JAX, and
recording begins when the program has imported it. The program's Python need not have this package: where it does not,
the recorder, and nothing else beside it, is found where this file is.
"""

from __future__ import annotations

import atexit
import importlib
import importlib.abc
import importlib.machinery
import importlib.util
import json
import os
import runpy
import signal
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from types import ModuleType, TracebackType
from typing import Any, Final, NoReturn


class Program:
    """What is run, as on Python's command line."""

    def __init__(self, arguments: Sequence[str]) -> None:
        self.option = arguments[0] if arguments[0] in ("-m", "-c") else ""
        self.what, *self.arguments = arguments[bool(self.option) :]

    @property
    def shown(self) -> str:
        """The program in reports."""
        what = self.what if self.option != "-c" else "..."
        return " ".join(part for part in (self.option, what, *self.arguments) if part)

    @property
    def folder(self) -> str:
        """The folder of its own code, if it may be an installed package."""
        if self.option != "-m":
            return ""
        spec = importlib.util.find_spec(self.what.partition(".")[0])
        places = list(spec.submodule_search_locations or ()) if spec is not None else []
        return places[0] if places else ""

    def run(self) -> None:
        """Runs it, in a module `__main__` of its own that stays until the process ends."""
        main = ModuleType("__main__")
        main.__builtins__ = __builtins__  # type: ignore[attr-defined]
        sys.modules["__main__"] = main
        if self.option == "-m":
            sys.argv = [self.what, *self.arguments]
            sys.path[0] = str(Path.cwd())
            runpy._run_module_as_main(self.what)  # type: ignore[attr-defined]  # what `python -m` calls
        elif self.option == "-c":
            sys.argv = ["-c", *self.arguments]
            sys.path[0] = ""
            exec(compile(self.what, "<string>", "exec"), main.__dict__)
        else:
            sys.argv = [self.what, *self.arguments]
            self._run_file(main)

    def _run_file(self, main: ModuleType) -> None:
        path = Path(self.what)
        if path.is_dir() or path.suffix in (".zip", ".pyz"):
            sys.path.pop(0)
            runpy.run_path(str(path), run_name="__main__")
            return
        sys.path[0] = str(path.resolve().parent)
        main.__file__ = str(path.absolute())
        loader = importlib.machinery.SourceFileLoader("__main__", main.__file__)
        main.__dict__.update(__cached__=None, __loader__=loader)
        exec(compile(path.read_bytes(), main.__file__, "exec"), main.__dict__)


class Beside(importlib.abc.MetaPathFinder):
    """Finds the packages of this distribution, and no others, in folders that are not on the program's path."""

    def __init__(self, folders: Sequence[Path]) -> None:
        self._folders = [str(folder) for folder in folders]

    def find_spec(self, fullname: str, path: Any = None, target: Any = None) -> importlib.machinery.ModuleSpec | None:
        """See `importlib.abc.MetaPathFinder`."""
        if fullname not in ("jaxtyped_static", "jaxtyped_static_runs"):
            return None
        return importlib.machinery.PathFinder.find_spec(fullname, self._folders, target)


class WhenImported(importlib.abc.MetaPathFinder):
    """Calls a function once a module has been imported."""

    def __init__(self, name: str, then: Callable[[], None]) -> None:
        self._name = name
        self._then = then

    def find_spec(self, fullname: str, path: Any = None, target: Any = None) -> importlib.machinery.ModuleSpec | None:
        """Finds the module by the other finders, and hooks into its execution."""
        if fullname != self._name:
            return None
        sys.meta_path.remove(self)
        spec = importlib.util.find_spec(fullname)
        if spec is not None and spec.loader is not None:
            execute = spec.loader.exec_module

            def execute_then(module: ModuleType) -> None:
                execute(module)
                self._then()

            spec.loader.exec_module = execute_then  # type: ignore[method-assign]
        return spec


def main(arguments: Sequence[str]) -> NoReturn:
    """Runs the program that follows the options; the process ends as the program would have ended it."""
    # Installed, the packages are in one folder; in a checkout, in two.
    sys.meta_path.append(Beside(Path(__file__).resolve().parents[1:3]))
    runs = importlib.import_module("jaxtyped_static_runs.options")
    options, program = runs.Options(**json.loads(arguments[0])), Program(arguments[1:])
    recording: list[Any] = []

    def begin() -> None:
        process = importlib.import_module("jaxtyped_static._recording.process")
        recording.append(process.record_process(program.shown, options._replace(own=program.folder), passes))

    passes = _watched(options)
    sys.meta_path.insert(0, WhenImported("jax", begin))
    try:
        program.run()
    except SystemExit as error:
        _end(recording, f"exit {_exit_code(error)}")
        raise
    except BaseException as error:
        _end(recording, type(error).__name__)
        known = _below_this_file(error.__traceback__)
        sys.excepthook(type(error), error.with_traceback(known), known)
        if isinstance(error, KeyboardInterrupt):
            _interrupt()
        sys.exit(1)
    _end(recording, "exit 0")
    sys.exit(0)


def _watched(options: Any) -> Any:
    """Returns what counts the steps; None if no line begins one."""
    if not options.steps_from:
        return None
    counting = importlib.import_module("jaxtyped_static_runs.passes")
    passes = counting.Passes(counting.line_in(options.steps_from))
    try:
        passes.watch()
    except RuntimeError as error:
        print(f"error: {error}", file=sys.stderr)
        sys.exit(2)
    return passes


def _end(recording: Sequence[Any], how: str) -> None:
    """Notes how the program ended; threads and exit handlers may still run."""
    for process in recording:
        process.ended = how


def _exit_code(error: SystemExit) -> int:
    if error.code is None:
        return 0
    return error.code if isinstance(error.code, int) else 1


def _below_this_file(at: TracebackType | None) -> TracebackType | None:
    """Returns the part of a traceback that the program knows."""
    while at is not None and at.tb_frame.f_code.co_filename in _OURS:
        at = at.tb_next
    return at


_OURS: Final = frozenset({__file__, runpy.__file__, "<frozen runpy>"})


def _interrupt() -> None:
    """Ends the process by the signal, as Python does: a shell then stops its script, too."""
    atexit._run_exitfuncs()  # the signal would skip them
    sys.stdout.flush()
    sys.stderr.flush()
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    os.kill(os.getpid(), signal.SIGINT)


if __name__ == "__main__":
    main(sys.argv[1:])
