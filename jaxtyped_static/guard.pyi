from jaxtyped_static import guard as guard

__all__ = ["guard"]
