"""jaxtyping: checks the shapes in annotations when a function is called."""

from ..knowledge.function_rows import SAME_FUNCTION
from ._library import Library

LIBRARY = Library(functions=dict.fromkeys(("jaxtyping._decorator.jaxtyped", "jaxtyping.jaxtyped"), SAME_FUNCTION))
