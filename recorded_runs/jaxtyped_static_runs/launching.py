"""Runs a program as Python itself would, and records what JAX prepares in it.

`python .../launching.py OPTIONS (FILE.py | -m MODULE | -c CODE | -) [ARGUMENT...]`, with `Options` as JSON.

JAX reads its settings when it is imported, and the program may set them before that: so nothing here imports JAX, and
recording begins when the program has imported it. The program's Python need not have this package: where it does not,
the recorder, and nothing else beside it, is found where this file is.
"""

from __future__ import annotations

import atexit
import builtins
import importlib
import importlib.abc
import importlib.machinery
import importlib.util
import json
import os
import pkgutil
import runpy
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from types import ModuleType, TracebackType
from typing import Any, Final

_OURS: Final = frozenset({__file__, runpy.__file__, "<frozen runpy>"})


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
        main.__dict__.update(__builtins__=builtins, __annotations__={}, __loader__=importlib.machinery.BuiltinImporter)
        sys.modules["__main__"] = main
        if self.option == "-m":
            sys.argv = [self.what, *self.arguments]
            _begin_path(str(Path.cwd()))
            runpy._run_module_as_main(self.what)  # type: ignore[attr-defined]  # what `python -m` calls
        elif self.option == "-c":
            sys.argv = ["-c", *self.arguments]
            _begin_path("")
            _execute(self.what, "<string>", main)
        elif self.what == "-":
            sys.argv = ["-", *self.arguments]
            _begin_path("")
            _execute(sys.stdin.read(), "<stdin>", main)
        else:
            sys.argv = [self.what, *self.arguments]
            self._run_file(main)

    def _run_file(self, main: ModuleType) -> None:
        path = Path(self.what)
        if pkgutil.get_importer(self.what) is not None:  # a folder, or a zip file, with a `__main__.py`
            _begin_path(self.what)
            runpy._run_module_as_main("__main__", alter_argv=False)  # type: ignore[attr-defined]  # what `python` calls
            return
        _begin_path(str(path.resolve().parent))
        main.__file__ = str(path.absolute())
        loader = importlib.machinery.SourceFileLoader("__main__", main.__file__)
        main.__dict__.update(__cached__=None, __loader__=loader)
        _execute(path.read_bytes(), main.__file__, main)


def _begin_path(first: str) -> None:
    """Puts a folder where Python puts it, in place of the folder of this file."""
    if not sys.flags.safe_path:
        sys.path[0] = first


def _execute(code: str | bytes, file: str, main: ModuleType) -> None:
    exec(compile(code, file, "exec", dont_inherit=True), main.__dict__)


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
    """Calls a function with the name of a module, once, when that has been imported."""

    def __init__(self, name: str, then: Callable[[str], None]) -> None:
        self._name = name
        self._then = then

    def find_spec(self, fullname: str, path: Any = None, target: Any = None) -> importlib.machinery.ModuleSpec | None:
        """Finds the module by the other finders, and hooks into its execution; a mere search changes nothing."""
        if fullname != self._name:
            return None
        others = (finder for finder in sys.meta_path if finder is not self and hasattr(finder, "find_spec"))
        spec = next((spec for finder in others if (spec := finder.find_spec(fullname, path, target)) is not None), None)
        if spec is not None and spec.loader is not None:
            execute = spec.loader.exec_module

            def execute_then(module: ModuleType) -> None:
                execute(module)
                if self in sys.meta_path:
                    sys.meta_path.remove(self)
                self._then(self._name)

            spec.loader.exec_module = execute_then  # type: ignore[method-assign]
        return spec


class Launch:
    """A program that is run, and its recording, once it has imported JAX."""

    def __init__(self, options: Any, program: Program, passes: Any) -> None:
        self._options = options
        self._program = program
        self._passes = passes
        self._recording: Any = None

    def begin(self, imported: str) -> None:
        """Begins to record; later if the recorder's package is what imports JAX, and so is half done."""
        own = sys.modules.get("jaxtyped_static")
        is_half_done = imported == "jax" and own is not None and getattr(own.__spec__, "_initializing", False)
        if self._recording is not None or is_half_done or "jax" not in sys.modules:
            return
        self._recording = True
        process = importlib.import_module("jaxtyped_static._recording.process")
        options = self._options._replace(own=self._program.folder)
        self._recording = process.record_process(self._program.shown, options, self._passes)

    def end(self, how: str) -> None:
        """Notes how the program ended; threads and exit handlers may still run."""
        if self._recording is not None:
            self._recording.ended = how

    def say_if_nothing_was_recorded(self) -> None:
        """Called when the process ends."""
        if self._recording is not None or not self._options.says or os.getpid() != self._options.process:
            return
        others = importlib.import_module("jaxtyped_static_runs.files").beside(Path(self._options.file))
        found = (
            f"the processes that it made wrote {', '.join(map(str, others))}"
            if others
            else "there is nothing to report"
        )
        print(f"{self._program.shown}: JAX was not imported here; {found}", file=sys.stderr)


def main(arguments: Sequence[str]) -> None:
    """Runs the program that follows the options; the process ends as the program would have ended it."""
    began = time.time()
    # Installed, the packages are in one folder; in a checkout, in two.
    sys.meta_path.append(Beside(Path(__file__).resolve().parents[1:3]))
    runs = importlib.import_module("jaxtyped_static_runs.options")
    options, program = runs.Options(**json.loads(arguments[0]))._replace(began=began), Program(arguments[1:])
    launch = Launch(options, program, _watched(options))
    atexit.register(launch.say_if_nothing_was_recorded)
    for name in ("jax", "jaxtyped_static"):
        sys.meta_path.insert(0, WhenImported(name, launch.begin))
    try:
        program.run()
    except SystemExit as error:
        launch.end(f"exit {_exit_code(error)}")
        raise
    except BaseException as error:
        launch.end(type(error).__name__)
        _hide_this_file()
        raise


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


def _exit_code(error: SystemExit) -> int:
    if error.code is None:
        return 0
    return error.code if isinstance(error.code, int) else 1


def _hide_this_file() -> None:
    """Makes Python show the error without the frames of this file, by whatever hook the program has for that."""
    show = sys.excepthook

    def show_below(kind: type[BaseException], error: BaseException, at: TracebackType | None) -> None:
        while at is not None and at.tb_frame.f_code.co_filename in _OURS:
            at = at.tb_next
        show(kind, error.with_traceback(at), at)

    sys.excepthook = show_below


if __name__ == "__main__":
    main(sys.argv[1:])
