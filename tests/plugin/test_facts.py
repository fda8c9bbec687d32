"""Facts of one class that come from several readers are merged."""

from __future__ import annotations

from typing import get_args

from jaxtyped_static_mypy.facts.class_facts import Facts, FactsPart


def test_no_fact_has_the_name_of_another() -> None:
    names = [name for part in get_args(FactsPart) for name in part.__annotations__]

    assert sorted(set(names)) == sorted(names)
    assert Facts.__annotations__.keys() == set(names)
