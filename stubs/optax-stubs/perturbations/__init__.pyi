from optax.perturbations._make_pert import Gumbel as Gumbel
from optax.perturbations._make_pert import Normal as Normal
from optax.perturbations._make_pert import make_perturbed_fun as make_perturbed_fun
