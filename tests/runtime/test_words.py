"""The runtime and the checker use the same words for a broken contract, although neither imports the other."""

from __future__ import annotations

from typing import Any

import pytest

from jaxtyped_static._keys.known_values import BY_NAME, MADE_BY_JAX
from jaxtyped_static._refusals.refused import Refused
from jaxtyped_static._refusals.words import WORDS, Reason
from jaxtyped_static_mypy.judgement.immutable_forms import with_package
from jaxtyped_static_mypy.knowledge.type_rows import AsKey
from jaxtyped_static_mypy.libraries import KEY_TYPES
from jaxtyped_static_mypy.rules import pytree_cache, static_callable
from jaxtyped_static_mypy.rules.checks import CONTRACT_RULES

# Detected only at run time.
_OF_THE_RUNTIME = {
    Reason.TRACER,
    Reason.FUNCTION_OF_PACKAGE,
    Reason.UNHASHABLE,
    Reason.HASH_OF_OBJECT,
    Reason.BARE_OBJECT,
    Reason.DIFFERENT_BUT_EQUAL,
    Reason.COPY_NOT_EQUAL,
    Reason.COPY_NOT_HASHED_ALIKE,
    Reason.NEW_EACH_TIME,
    Reason.CHANGED,
    Reason.HELD_CHANGED,
    Reason.REWRITTEN,
    Reason.EQUAL_TO_CHANGED,
    Reason.EQUAL_TO_OTHER,
    Reason.UNSEEN_STATE,
    Reason.CONTAINS_ITSELF,
    Reason.TOO_DEEP,
}
_OF_CLASSES = {Reason.CACHED_PROPERTY}
_CHECKER: dict[str, tuple[str, Any]] = {
    **{kind.name: ("static-callable", message) for kind, message in static_callable._MESSAGES.items()},
    **{reason.name: (rule.code.code, message) for rule in CONTRACT_RULES for reason, message in rule.messages.items()},
}


def test_a_cached_property_is_refused_with_the_checkers_words() -> None:
    assert WORDS[Reason.CACHED_PROPERTY] == (
        "pytree-cache",
        pytree_cache._MESSAGE.problem.format(subject="{subject}", keeps=pytree_cache._KEEPS),
        pytree_cache._MESSAGE.advice_text,
    )


@pytest.mark.parametrize("reason", [reason for reason in Reason if reason not in _OF_THE_RUNTIME | _OF_CLASSES])
def test_the_words_equal_those_of_the_checkers_rule(reason: Reason) -> None:
    code, message = _CHECKER[reason.name]
    assert WORDS[reason] == (code, message.problem, message.advice_text)


def test_every_reason_has_words_and_every_message_says_what_to_do() -> None:
    assert set(WORDS) == set(Reason)
    for reason in Reason:
        error = Refused(reason, "subject", "detail").under(".field").as_error("Cls")
        assert error.advice and error.reason and "{" not in str(error)


def test_mutable_classes_are_replaced_by_what_the_checker_says() -> None:
    refused = (each for each in BY_NAME.items() if each[1].verify is not None and each[1].parts is None)
    ours = {name: each for name, each in refused if each is not MADE_BY_JAX}
    named_otherwise = {"types.MappingProxyType": "builtins.mappingproxy"}
    for name, known in KEY_TYPES.items():
        if known.key is AsKey.MUTABLE and not name.startswith("typing."):
            verify = ours.pop(named_otherwise.get(name, name)).verify
            assert verify is not None
            with pytest.raises(Refused) as caught:
                verify(None)
            assert caught.value.fill["detail"] == with_package(known.instead)
    assert not ours
