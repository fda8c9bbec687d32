"""jax_tqdm: its decorators show the progress of a loop. They pass on the tracers that the loop hands to the body."""

from ..knowledge.function_rows import SAME_FUNCTION
from ._library import Library

# As programs import them, and where releases define them.
_DECORATORS = (
    *("jax_tqdm.loop_tqdm", "jax_tqdm.loop_pbar.loop_tqdm", "jax_tqdm.pbar.loop_tqdm"),
    *("jax_tqdm.scan_tqdm", "jax_tqdm.scan_pbar.scan_tqdm", "jax_tqdm.pbar.scan_tqdm"),
)

LIBRARY = Library(functions=dict.fromkeys(_DECORATORS, SAME_FUNCTION))
