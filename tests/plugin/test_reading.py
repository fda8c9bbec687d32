"""What rules write into a message can be read back from it, which fixes rely on."""

from string import Formatter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jaxtyped_static_mypy.reporting import mechanical
from jaxtyped_static_mypy.reporting.messages import ALTERNATIVE
from jaxtyped_static_mypy.reporting.reading import filled, offered

TEMPLATES = sorted({text for name, text in vars(mechanical).items() if name.isupper()})
# What stands in a message: names, types, lists of a jit call. No alternative contains the word between two.
VALUES = st.text("abc_x0123[]()=,.\"' ", min_size=1, max_size=12).map(str.strip).filter(bool)


def placeholders(template: str) -> list[str]:
    return [name for _, name, _, _ in Formatter().parse(template) if name is not None]


@pytest.mark.parametrize("template", TEMPLATES)
@given(st.data())
def test_a_template_is_found_among_the_alternatives_that_an_advice_offers(template: str, data: st.DataObject) -> None:
    values = {name: data.draw(VALUES, label=name) for name in placeholders(template)}
    text = template.format(**values)
    for advice in (text, ALTERNATIVE.join([text, "pass it"]), ALTERNATIVE.join(["pass it", text])):
        found = offered(template, advice)
        assert found is not None
        assert template.format(**found) == text


@pytest.mark.parametrize("template", TEMPLATES)
def test_a_template_is_not_found_in_other_advice(template: str) -> None:
    others = [other for other in TEMPLATES if not placeholders(template) and other != template]
    assert all(filled(template, other) is None for other in others)
    assert offered(template, f"{template} otherwise") is None or template.endswith("}")


def test_the_alternatives_of_an_advice_are_read_one_by_one() -> None:
    advice = 'make it a pytree, or freeze it and make self static (static_argnames="self"), or jit a function'
    assert offered(mechanical.MAKE_RECEIVER_STATIC, advice) is None
    alone = advice.replace("freeze it and ", "")
    assert offered(mechanical.MAKE_RECEIVER_STATIC, alone) == {"receiver": "self", "static": 'static_argnames="self"'}
