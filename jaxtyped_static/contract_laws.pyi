from jaxtyped_static import check_static_type as check_static_type

__all__ = ["check_static_type"]
