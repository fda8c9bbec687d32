from jaxtyped_static import StaticParams as StaticParams
from jaxtyped_static import static_params as static_params

__all__ = ["StaticParams", "static_params"]
