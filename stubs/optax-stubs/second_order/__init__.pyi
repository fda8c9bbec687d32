from optax.second_order._deprecated import fisher_diag as fisher_diag
from optax.second_order._deprecated import hessian_diag as hessian_diag
from optax.second_order._deprecated import hvp as hvp
