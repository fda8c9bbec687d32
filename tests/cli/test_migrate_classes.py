"""`jaxtyped-static migrate --classes` declares pytrees with the markers."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from jaxtyped_static_cli.migrating.classes import requested
from jaxtyped_static_cli.migrating.migration import propose
from jaxtyped_static_cli.migrating.planning import Wanted
from tests.cli.running import run, write

pytestmark = pytest.mark.xdist_group("light")

PYTREES = """\
import dataclasses
from dataclasses import field

import flax
import jax
import jax_dataclasses as jdc
from flax import struct


@struct.dataclass
class Flax:
    u: jax.Array
    n: int = struct.field(pytree_node=False)  # how many
    m: int = struct.field(pytree_node=False, default=3)


@jdc.pytree_dataclass(kw_only=True)
class Marked:
    u: jax.Array
    n: jdc.Static[int]


@jax.tree_util.register_dataclass
@dataclasses.dataclass(frozen=True)
class Registered:
    u: jax.Array
    n: tuple[int, ...] = field(metadata=dict(static=True), default_factory=tuple)


@jax.tree_util.register_dataclass
@dataclasses.dataclass
class Unfrozen:  # unfrozen
    n: int = field(metadata={"static": True})


@struct.dataclass
class Changed:  # replace
    changed: int = flax.struct.field(pytree_node=False)


class Node(struct.PyTreeNode):  # undeclared
    n: int = struct.field(pytree_node=False)


@dataclasses.dataclass(frozen=True, kw_only=True)
class Solver:
    order: int = 2


def change(x: Changed) -> Changed:
    return x.replace(changed=2)
"""


DYNAMIC = """\
import dataclasses
from dataclasses import field

import flax
import jax
from flax import struct
from jaxtyped_static import Static, dynamic_dataclass, static_dataclass


@dynamic_dataclass
class Flax:
    u: jax.Array
    n: Static[int]  # how many
    m: Static[int] = 3


@dynamic_dataclass(kw_only=True)
class Marked:
    u: jax.Array
    n: Static[int]


@dynamic_dataclass
class Registered:
    u: jax.Array
    n: Static[tuple[int, ...]] = field(default_factory=tuple)
"""


def test_classes_become_dynamic_and_static_on_request(tmp_path: Path) -> None:
    path = tmp_path / "main.py"
    path.write_text(PYTREES)
    assert not propose([path], Wanted()).changed
    wanted = Wanted(requested([path], fields=True, static=["Solver"]))
    (file,) = propose([path], wanted).files
    assert file.content.decode().startswith(DYNAMIC)
    assert b"@static_dataclass(kw_only=True)\nclass Solver:" in file.content
    left = {one.name: one.reason for one in file.left}
    assert left == dict(re.findall(r"^class (\w+).*:  # (\w+)$", PYTREES, re.MULTILINE))


FAULTY = """\
from dataclasses import dataclass, field

import jax
from jax.tree_util import register_dataclass


@register_dataclass
@dataclass(frozen=True)
class Mutable:  # errors
    u: jax.Array
    names: dict[str, int] = field(default_factory=dict, metadata=dict(static=True))


@register_dataclass
@dataclass(frozen=True)
class Traced:  # errors
    n: jax.Array = field(metadata=dict(static=True))


@register_dataclass
@dataclass(frozen=True)
class Right:
    n: int = field(metadata=dict(static=True))
"""


def test_only_the_classes_with_faulty_fields_are_left(tmp_path: Path, cache: str) -> None:
    write(tmp_path, {"main.py": FAULTY})
    report = json.loads(run(tmp_path, "migrate", cache, "--classes", "--format=json").out)
    assert [one["class"] for one in report["changed"]] == ["Right"]
    left = {one["function"]: one["reason"] for one in report["left"]}
    assert left == dict(re.findall(r"^class (\w+).*:  # (\w+)$", FAULTY, re.MULTILINE))
    assert "dict[str, int] is mutable" in report["left"][0]["why"]
