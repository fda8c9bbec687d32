import enum
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, overload

from absl import flags
from absl.testing import parameterized
from jax.tree_util import tree_map as tree_map

FLAGS: flags.FlagValues

class TestCase(parameterized.TestCase):
    # While a test of several variants runs, the decorator that applies the current one.
    def variant(self, *args: Any, **kwargs: Any) -> Any: ...

class ChexVariantType(enum.Enum):
    WITH_JIT = 1
    WITHOUT_JIT = 2
    WITH_DEVICE = 3
    WITHOUT_DEVICE = 4
    WITH_PMAP = 5

def params_product(*params_lists: Sequence[Sequence[Any]], named: bool = False) -> Sequence[Sequence[Any]]: ...
def count_num_calls(fn: Callable[..., Any]) -> tuple[Callable[..., Any], Callable[[], int]]: ...
def check_variant_arguments(variant_fn: Callable[..., Any]) -> Callable[..., Any]: ...

class VariantsTestCaseGenerator:
    def __init__(self, test_object: Any, which_variants: Mapping[ChexVariantType, bool]) -> None: ...
    def add_variants(self, which_variants: Mapping[ChexVariantType, bool]) -> None: ...
    @property
    def __name__(self) -> str: ...
    def __call__(self) -> None: ...
    def __iter__(self) -> Iterator[Any]: ...

@overload
def variants(
    test_method: Any,
    with_jit: bool = False,
    without_jit: bool = False,
    with_device: bool = False,
    without_device: bool = False,
    with_pmap: bool = False,
) -> VariantsTestCaseGenerator: ...
@overload
def variants(
    *,
    with_jit: bool = False,
    without_jit: bool = False,
    with_device: bool = False,
    without_device: bool = False,
    with_pmap: bool = False,
) -> Callable[[Any], VariantsTestCaseGenerator]: ...
@overload
def all_variants(
    test_method: Any,
    with_jit: bool = True,
    without_jit: bool = True,
    with_device: bool = True,
    without_device: bool = True,
    with_pmap: bool = True,
) -> VariantsTestCaseGenerator: ...
@overload
def all_variants(
    *,
    with_jit: bool = True,
    without_jit: bool = True,
    with_device: bool = True,
    without_device: bool = True,
    with_pmap: bool = True,
) -> Callable[[Any], VariantsTestCaseGenerator]: ...

class Variant:
    def __init__(self, name: str, fn: Callable[..., Any]) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

without_device: Variant
without_jit: Variant
with_device: Variant
with_jit: Variant
with_pmap: Variant
ALL_VARIANTS: tuple[Variant, ...]
