from jaxtyped_static import Dynamic as Dynamic
from jaxtyped_static import Static as Static

__all__ = ["Dynamic", "Static"]
