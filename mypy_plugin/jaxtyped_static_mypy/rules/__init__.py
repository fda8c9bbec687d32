"""Every rule, listed once: its error code, which also names its file here and its page in docs/rules/.

To add a rule, add a line here and write the file and the page. The file has the rule's messages and one or more checks
(`checks.py`). mypy needs to know the codes when it loads the plugin, whether or not a program uses JAX, so this list
imports no rule.
"""

from collections.abc import Mapping
from typing import Final

from mypy.errorcodes import ErrorCode

_CATEGORY: Final = "JAX static arguments"
_RULES: Final = {
    "static-mutable": "A static value can change after it was hashed",
    "static-hash": "A static value is not hashed and compared by value",
    "static-eq": "Different static values are equal",
    "static-dynamic": "Something traced sits inside something static",
    "static-traced": "A traced value is passed where a static one is needed",
    "static-cache": "A cache on a static object captures tracers",
    "static-callable": "A static callable is a new object each time",
    "static-unverified": "Nothing proves that a static value keeps the contract",
    "static-marker": "A marker does nothing or contradicts itself",
    "pytree-cache": "A cached property on a pytree loses its cache",
    "pytree-static": "Every field of a pytree is static",
    "pytree-unflatten": "A pytree is not rebuilt as it was taken apart",
    "jit-argnames": "A jit call's static or donated lists do not fit the function",
    "jit-self": "A jitted method's self is neither a pytree nor static",
    "jit-untraceable": "A dynamic parameter's type cannot be traced",
    "jit-bound-method": "A jitted bound method keeps its object's state",
    "jit-retrace": "A new function is jitted on every execution",
    "jit-branch": "Python control flow on a traced value",
    "jit-mutation": "A change is lost, or an assignment inside a trace keeps a tracer",
    "jax-call": "A call of JAX that raises, because of what it is given",
    "jax-removed": "A name or argument that the installed JAX no longer has",
    "jax-missing": "A name, argument or attribute that JAX or one of its libraries does not have",
}
# mypy reports these under a code of its own, and the command tells them from its other errors.
OF_COMMAND: Final = frozenset({"jax-removed", "jax-missing"})

# The codes are public: users write them in `# type: ignore[...]` and in mypy's `enable_error_code`.
CODES: Final[Mapping[str, ErrorCode]] = {
    code: ErrorCode(code, description, _CATEGORY) for code, description in _RULES.items()
}
