"""Facts of one class that come from several readers are merged."""

from __future__ import annotations

from typing import is_typeddict

from jaxtyped_static_mypy.facts import class_facts


def test_no_fact_has_the_name_of_another() -> None:
    parts = [part for part in vars(class_facts).values() if is_typeddict(part) and part is not class_facts.Facts]
    names = [name for part in parts for name in part.__annotations__]

    assert sorted(set(names)) == sorted(names)
    assert class_facts.Facts.__annotations__.keys() == set(names)
