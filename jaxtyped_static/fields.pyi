from jaxtyped_static import field as field

__all__ = ["field"]
