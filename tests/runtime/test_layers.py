"""The packages of the runtime are layers: each imports from those below it only, and no modules import each other."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path
from typing import Final

import jaxtyped_static
from tests.rules.parsing import parse

RUNTIME: Final = Path(jaxtyped_static.__file__).parent
MODULES: Final = {
    ".".join(path.relative_to(RUNTIME.parent).with_suffix("").parts).removesuffix(".__init__"): path
    for path in RUNTIME.rglob("*.py")
}
# From the top down; docs/architecture.md lists the packages from the bottom up.
# A module with public names is a layer, too.
LAYERS: Final = (
    *("__init__", "testing", "types"),
    *("_environment", "_explain", "_trace_limits", "_contract_laws", "_guard", "_jit", "_options", "_signature"),
    *("_no_compilation", "_record", "_recording", "_static_dataclass", "_dynamic_dataclass"),
    *("_traces", "_calls", "_classes", "_fields", "_contract"),
    *("_static_objects", "_keys", "_parts", "_singletons", "_class_contract", "_attributes", "_refusals"),
    *("_annotations", "_markers", "_errors", "_kinds"),
)


def layer_of(module: str) -> str:
    return module.split(".")[1] if "." in module else "__init__"


def imports_in(node: ast.AST) -> Iterator[str]:
    """The modules of the runtime that code imports, also for type checkers only."""
    for found in ast.walk(node):
        if isinstance(found, ast.ImportFrom) and found.module in MODULES:
            members = [f"{found.module}.{alias.name}" for alias in found.names]
            yield from [member for member in members if member in MODULES] or [found.module]


def test_no_layer_imports_from_one_above_it() -> None:
    imports = [(module, name) for module, path in MODULES.items() for name in imports_in(parse(path.read_text()))]
    assert not [(module, name) for module, name in imports if not _is_below(layer_of(name), layer_of(module))]


def _is_below(name: str, layer: str) -> bool:
    return LAYERS.index(name) >= LAYERS.index(layer)


def test_no_modules_import_each_other() -> None:
    graph = {module: set(imports_in(parse(path.read_text()))) for module, path in MODULES.items()}
    TopologicalSorter(graph).prepare()  # Names the modules of a circle.


def test_every_module_is_in_a_layer() -> None:
    assert {layer_of(module) for module in MODULES} == set(LAYERS)


def test_an_import_inside_a_function_says_why() -> None:
    silent = []
    for module, path in MODULES.items():
        source = path.read_text()
        for function in (node for node in ast.walk(parse(source)) if isinstance(node, ast.FunctionDef)):
            imports = [node for node in ast.walk(function) if isinstance(node, ast.Import | ast.ImportFrom)]
            if imports and "#" not in "".join(source.splitlines()[imports[0].lineno - 2 : imports[0].lineno]):
                silent.append(f"{module}.{function.name}")
    assert silent == []


def test_no_two_classes_have_the_same_name() -> None:
    trees = [parse(path.read_text()) for path in MODULES.values()]
    names = Counter(node.name for tree in trees for node in tree.body if isinstance(node, ast.ClassDef))
    assert [name for name, count in names.items() if count > 1] == []
