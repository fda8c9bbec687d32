"""What the plugin keeps between two calls of its hooks, and when it forgets it."""

from __future__ import annotations

import pytest

from jaxtyped_static_mypy.memory import begin_file, clear, depend_on, forget, keep_last, once_per_run, until_next_file


@pytest.fixture(autouse=True)
def _forgotten() -> None:
    clear()


COMPUTED: list[str] = []


@once_per_run
def each(name: str) -> list[str]:
    depend_on([name])
    COMPUTED.append(name)
    return [name]


@keep_last
def last(name: str) -> list[str]:
    COMPUTED.append(name)
    return [name]


@until_next_file
def of_file(name: str) -> list[str]:
    COMPUTED.append(name)
    return [name]


def test_each_answer_is_computed_once() -> None:
    COMPUTED.clear()
    assert each("a") is each("a") and each("b") is each("b") and each("a") == ["a"]
    assert COMPUTED == ["a", "b"]


def test_only_the_last_answer_is_kept() -> None:
    COMPUTED.clear()
    assert last("a") is last("a") and last("b") == ["b"] and last("a") == ["a"]
    assert COMPUTED == ["a", "b", "a"]


def test_all_is_forgotten_when_a_class_changes_that_one_answer_depends_on() -> None:
    kept, other = each("a"), last("a")
    forget("b")
    assert each("a") is kept and last("a") is other
    forget("a")
    assert each("a") is not kept and last("a") is not other


def test_what_is_forgotten_has_no_dependencies_left() -> None:
    each("a")
    clear()
    kept = last("b")
    forget("a")
    assert last("b") is kept


def test_answers_about_a_file_are_forgotten_with_it() -> None:
    COMPUTED.clear()
    assert of_file("a") is of_file("a") and each("b") == ["b"]
    begin_file()
    assert of_file("a") == ["a"] and each("b") == ["b"]
    clear()
    assert of_file("a") == ["a"]
    assert COMPUTED == ["a", "b", "a", "a"]
