"""The calls of `map(jax.jit, functions)`, for which mypy calls no hook of ours."""

from collections.abc import Iterator

from ..jit.application import JitCall
from ..jit.sites import read_site
from ..libraries import jit_function
from ..reach.items import compiler_mapped
from ..source.checked_file import CheckedFile, once_per_file
from ._new_functions import all_new


@once_per_file
def mapped_jits(file: CheckedFile) -> tuple[JitCall, ...]:
    """All of the file: they are judged by the syntax alone, so that any hook may report them."""
    return tuple(_read(file))


def _read(file: CheckedFile) -> Iterator[JitCall]:
    for call in file.calls_by_name.get("map", ()):
        compiler = compiler_mapped(call)
        row = jit_function(compiler, file.settings.jit_functions)
        items = all_new(call.args[1], file, is_compared=row.maps) if row is not None else []
        if row is not None and items:
            yield JitCall(call, items[0], read_site(compiler, row, [], file.tree), row, file)
