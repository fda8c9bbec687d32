from jaxtyped_static import dynamic_dataclass as dynamic_dataclass

__all__ = ["dynamic_dataclass"]
