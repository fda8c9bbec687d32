from jaxtyped_static import JitArgumentsError as JitArgumentsError
from jaxtyped_static import MarkerError as MarkerError
from jaxtyped_static import StaticContractError as StaticContractError
from jaxtyped_static import TooManyTracesError as TooManyTracesError

__all__ = ["JitArgumentsError", "MarkerError", "StaticContractError", "TooManyTracesError"]
