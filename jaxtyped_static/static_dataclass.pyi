from jaxtyped_static import static_dataclass as static_dataclass

__all__ = ["static_dataclass"]
