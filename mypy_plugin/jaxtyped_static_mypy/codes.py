"""The error codes: public names, seen in output, in `# type: ignore[...]` and in `enable_error_code`."""

from typing import Final

from mypy.errorcodes import ErrorCode

_CATEGORY: Final = "JAX static arguments"

STATIC_MUTABLE: Final = ErrorCode("static-mutable", "A static value can change after it was hashed", _CATEGORY)
STATIC_HASH: Final = ErrorCode("static-hash", "A static value has no hash and equality by value", _CATEGORY)
STATIC_EQ: Final = ErrorCode("static-eq", "Different static values are equal", _CATEGORY)
STATIC_DYNAMIC: Final = ErrorCode("static-dynamic", "Something traced sits inside something static", _CATEGORY)
STATIC_TRACED: Final = ErrorCode("static-traced", "A traced value is passed where a static one is needed", _CATEGORY)
STATIC_CACHE: Final = ErrorCode("static-cache", "A cache on a static object captures tracers", _CATEGORY)
STATIC_CALLABLE: Final = ErrorCode("static-callable", "A static callable is a new object each time", _CATEGORY)
STATIC_UNVERIFIED: Final = ErrorCode("static-unverified", "Nothing proves a static value's contract", _CATEGORY)
STATIC_MARKER: Final = ErrorCode("static-marker", "A marker does nothing or contradicts itself", _CATEGORY)
JIT_ARGNAMES: Final = ErrorCode("jit-argnames", "Lists of a jit call do not fit the function", _CATEGORY)
JIT_SELF: Final = ErrorCode("jit-self", "A jitted method's self is neither a pytree nor static", _CATEGORY)
JIT_BRANCH: Final = ErrorCode("jit-branch", "Python control flow on a traced value", _CATEGORY)
JIT_MUTATION: Final = ErrorCode("jit-mutation", "An assignment inside a trace is lost, or keeps a tracer", _CATEGORY)
PYTREE_CACHE: Final = ErrorCode("pytree-cache", "A cached property on a pytree forgets", _CATEGORY)
PYTREE_STATIC: Final = ErrorCode("pytree-static", "Every field of a pytree is static", _CATEGORY)
JIT_UNTRACEABLE: Final = ErrorCode("jit-untraceable", "A dynamic parameter's type cannot be traced", _CATEGORY)
JIT_BOUND_METHOD: Final = ErrorCode("jit-bound-method", "A jitted bound method keeps its object's state", _CATEGORY)
JIT_RETRACE: Final = ErrorCode("jit-retrace", "A new function is jitted on every execution", _CATEGORY)
