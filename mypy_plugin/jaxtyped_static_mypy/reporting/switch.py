"""The error code that switches findings on as data. mypy needs to know it when it loads the plugin."""

from typing import Final

from mypy.errorcodes import ErrorCode

# A finding's note has the code of its error: what silences the error silences the note.
FINDINGS: Final = ErrorCode(
    "jaxtyped-static-findings", "Findings as JSON, for tools", "JAX static arguments", default_enabled=False
)
