"""The name of a decorator says all of the jit call that returned it."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from jaxtyped_static_mypy.jit.site_names import name_of_site, site_named
from jaxtyped_static_mypy.jit.sites import GivenList, JitSite

_WORDS = st.from_regex(r"[a-z_]{1,8}", fullmatch=True)
_TEXTS = st.text(st.characters(exclude_categories=["Cs"]))
_LISTS = st.builds(GivenList, _WORDS, st.lists(_TEXTS | st.integers()).map(tuple), st.booleans())
_SITES = st.builds(JitSite, st.lists(_WORDS, min_size=1).map(".".join), st.lists(_LISTS).map(tuple))


@given(_SITES)
def test_a_name_says_all_of_a_site(site: JitSite) -> None:
    assert site_named(name_of_site(site)) == site


@given(_SITES)
def test_the_name_of_a_site_is_never_that_of_a_function(site: JitSite) -> None:
    assert not all(part.isidentifier() for part in name_of_site(site).split("."))


@given(st.text() | st.text().map("jax.jit([{})".format))
def test_any_other_name_is_no_site(text: str) -> None:
    """The key of a `TypedDict` is a name, too, and may be any text."""
    site = site_named(text)
    assert site is None or site_named(name_of_site(site)) == site
