import jax
from jax.typing import ArrayLike

def dice_loss(
    predictions: ArrayLike,
    targets: ArrayLike,
    *,
    class_weights: ArrayLike | None = None,
    smooth: ArrayLike = 1.0,
    alpha: ArrayLike = 0.5,
    beta: ArrayLike = 0.5,
    apply_softmax: bool = True,
    reduction: str = "mean",
    ignore_background: bool = False,
    axis: ArrayLike | None = None,
) -> jax.Array: ...
def multiclass_generalized_dice_loss(
    predictions: ArrayLike,
    targets: ArrayLike,
    *,
    smooth: ArrayLike = 1.0,
    apply_softmax: bool = True,
    ignore_background: bool = False,
) -> jax.Array: ...
def binary_dice_loss(
    predictions: ArrayLike, targets: ArrayLike, *, smooth: ArrayLike = 1.0, apply_sigmoid: bool = True
) -> jax.Array: ...
