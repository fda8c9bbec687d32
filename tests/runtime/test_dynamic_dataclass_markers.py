"""Markers on fields that cannot take effect are refused: the fields would silently be data."""

from __future__ import annotations

import dataclasses
import pickle
from pathlib import Path
from typing import Any

import pytest

from jaxtyped_static import Dynamic, MarkerError, Static, dynamic_dataclass
from tests.runtime.test_dynamic_dataclass_fields import FUTURE, HEADER
from tests.runtime.tracing import load

REFUSED = {
    "Static[int] | None": ("found `Static[int] | None`, whose inner marker", "write `Static[int | None]`"),
    "list[Static[int]]": ("whose inner marker has no effect", "write `Static[list[int]]`"),
    "Static[Dynamic[int]]": ("which is both static and dynamic", "keep one of the two markers"),
    "Static[list[Dynamic[int]]]": ("whose inner marker has no effect", "split it into one field"),
    "Static": ("with a marker that has no type", "write it around the type"),
    "Annotated[int, Static]": ("with a marker that has no type", "write it around the type"),
    "ClassVar[Static[int]]": ("which is not a field", "remove the marker"),
    "InitVar[Static[int]]": ("found `InitVar[Static[int]]`, which is not a field", "remove the marker"),
    "Static[InitVar[int]]": ("which is not a field", "remove the marker"),
}


@pytest.mark.parametrize("future", ["", FUTURE], ids=["objects", "text"])
@pytest.mark.parametrize("annotation", REFUSED)
def test_a_marker_without_effect_is_refused(annotation: str, future: str, tmp_path: Path) -> None:
    body = f"\n@dynamic_dataclass\nclass C:\n    a: int\n    x: {annotation} = 1\n"
    with pytest.raises(MarkerError) as caught:
        load(tmp_path, future + HEADER + body, f"refused_{abs(hash(annotation))}_{bool(future)}")
    error = caught.value
    assert str(error).startswith("C.x: ") and all(part in str(error) for part in REFUSED[annotation])
    assert (error.function, error.field, error.parameter) == ("C", "x", None)
    assert error.code in ("static-marker", "static-dynamic") and str(error).endswith(f"[{error.code}]")
    assert str(pickle.loads(pickle.dumps(error))) == str(error)


def test_an_annotation_that_may_hide_a_marker(tmp_path: Path) -> None:
    with pytest.raises(
        MarkerError, match=r"C\.x: found `Unknown\[int\]`, which uses the name `Unknown`, undefined here"
    ):
        load(tmp_path, FUTURE + HEADER + "@dynamic_dataclass\nclass C:\n    x: Unknown[int]\n")
    load(tmp_path, FUTURE + HEADER + "@dynamic_dataclass\nclass C:\n    x: ClassVar[Unknown] = 1\n", "fine")


def test_the_marker_and_the_metadata_disagree() -> None:
    for annotation, said in ((Static[int], False), (Dynamic[int], True)):
        with pytest.raises(MarkerError, match=r"C\.x: found it marked \w+, and static=\w+ in its metadata; remove"):
            cls: Any = type("C", (), {"__annotations__": {"x": annotation}})
            cls.x = dataclasses.field(metadata={"static": said})
            dynamic_dataclass(cls)
