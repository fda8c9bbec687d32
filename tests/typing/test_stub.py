"""The stubs, which are all that type checkers and editors read of the package, agree with the code."""

import ast
import importlib
import inspect
import operator
import os
import re
import shutil
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

import jaxtyped_static
from tests import processes
from tests.processes import ROOT

PACKAGE = ROOT / "jaxtyped_static"
STUBS = {path.stem: ast.parse(path.read_text()) for path in sorted(PACKAGE.glob("*.pyi"))}

# A stub's overloads omit the default of a decorator that is given no class or function; and a marker is an `Annotated`
# alias at run time, which stubtest does not recognise as an alias.
ALLOWED = (
    *("Dynamic", "Static"),
    *("dynamic_dataclass", "jit", "static_dataclass"),
)
# Nothing of jax is compared, and reading it takes half a minute.
CONFIGURATION = "[mypy]\n[mypy-jax.*]\nfollow_imports = skip\n"

Function = ast.FunctionDef


def test_mypy_reads_only_the_stubs_of_the_package(tmp_path: Path) -> None:
    """The code behind them has about seventy modules."""
    program = tmp_path / "program.py"
    program.write_text(f"from jaxtyped_static import {', '.join(jaxtyped_static.__all__)}\n")
    (tmp_path / "mypy.ini").write_text(CONFIGURATION)
    options = ("--config-file=mypy.ini", "--cache-dir=cache", "--verbose")
    done = processes.run([sys.executable, "-m", "mypy", *options, str(program)], cwd=tmp_path)
    read = re.findall(r"Parsing (\S*jaxtyped_static/\S+)", done.stderr)
    assert str(PACKAGE / "__init__.pyi") in read
    assert {Path(file).suffix for file in read} == {".pyi"}, done.stderr


def test_stubtest_finds_no_difference(tmp_path: Path) -> None:
    """Compares the stubs alone, without the code beside them, with the package as it is imported."""
    stubs = tmp_path / "stubs" / PACKAGE.name
    stubs.mkdir(parents=True)
    for stub in PACKAGE.glob("*.pyi"):
        shutil.copy(stub, stubs)
    (tmp_path / "mypy.ini").write_text(CONFIGURATION)
    (tmp_path / "allowed.txt").write_text("".join(f"jaxtyped_static.{name}\n" for name in ALLOWED))
    options = ("--ignore-missing-stub", "--mypy-config-file", "mypy.ini", "--allowlist", "allowed.txt", "--concise")
    command = [sys.executable, "-m", "mypy.stubtest", PACKAGE.name, *options]
    paths = {"MYPYPATH": str(stubs.parent), "PYTHONPATH": str(ROOT)}
    done = processes.run(command, cwd=tmp_path, env=os.environ | paths)
    assert done.returncode == 0, done.stdout + done.stderr


def test_each_name_is_exported_once() -> None:
    exported = Counter(name for module in map(module_of, STUBS) for name in module.__all__)
    assert not [name for name, count in exported.items() if count > 1]


def module_of(stub: str) -> ModuleType:
    return importlib.import_module("jaxtyped_static" if stub == "__init__" else f"jaxtyped_static.{stub}")


def definitions(tree: ast.Module) -> Iterator[tuple[str, Function]]:
    """Returns the functions and methods of a module, each overload separately."""
    for node in tree.body:
        if isinstance(node, Function):
            yield node.name, node
        elif isinstance(node, ast.ClassDef):
            yield from ((f"{node.name}.{inner.name}", inner) for inner in node.body if isinstance(inner, Function))


def written(node: Function) -> str:
    """Returns a signature with its types and decorators, without the underscores of a stub's names."""
    decorators = [ast.unparse(decorator) for decorator in node.decorator_list]
    text = f"{decorators} {ast.unparse(node.args)} -> {ast.unparse(node.returns) if node.returns else None}"
    return re.sub(r"\b_(?=[A-Z])", "", text)


DEFINED = {
    (stub, name): [written(node) for found, node in definitions(tree) if found == name]
    for stub, tree in STUBS.items()
    for name, _ in definitions(tree)
    if not name.startswith("_")
}


@pytest.mark.parametrize(("stub", "name"), sorted(DEFINED))
def test_each_signature_is_that_of_the_code(stub: str, name: str) -> None:
    """Compares types, too, which stubtest does not."""
    defined = operator.attrgetter(name)(module_of(stub))
    module = inspect.getmodule(inspect.unwrap(getattr(defined, "fget", defined)))
    assert module is not None
    in_code = [node for found, node in definitions(ast.parse(inspect.getsource(module))) if found == name]
    overloads = [node for node in in_code if any(ast.unparse(one) == "overload" for one in node.decorator_list)]
    assert DEFINED[stub, name] == [written(node) for node in overloads or in_code]
