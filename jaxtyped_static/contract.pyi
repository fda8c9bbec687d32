from jaxtyped_static import check_static as check_static

__all__ = ["check_static"]
