from jaxtyped_static import Explanation as Explanation
from jaxtyped_static import Trace as Trace
from jaxtyped_static import explain as explain

__all__ = ["Explanation", "Trace", "explain"]
