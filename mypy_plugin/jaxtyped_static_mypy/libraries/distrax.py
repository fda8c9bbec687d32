"""distrax: distributions and bijectors are pytrees, equal only to themselves. It has no types.

Of their attributes only arrays are data: JAX compares numbers and functions. So little can be said of the classes of
programs below them.
"""

from typing import Final

from ..knowledge.function_rows import Effect, KnownFunction
from ._library import Library

_CLASSES: Final = """
    Bernoulli Beta Block Categorical CategoricalUniform Chain Clipped ClippedLogistic ClippedNormal Deterministic
    DiagLinear DiagPlusLowRankLinear Dirichlet EpsilonGreedy Gamma Greedy Gumbel GumbelCDF HMM Independent Inverse Joint
    Lambda Laplace LogStddevNormal Logistic LowerUpperTriangularAffine MaskedCoupling MixtureOfTwo MixtureSameFamily
    Multinomial MultivariateNormalDiag MultivariateNormalDiagPlusLowRank MultivariateNormalFromBijector
    MultivariateNormalFullCovariance MultivariateNormalTri Normal OneHotCategorical Quantized RationalQuadraticSpline
    ScalarAffine Shift Sigmoid Softmax SplitCoupling Tanh Transformed TriangularLinear UnconstrainedAffine Uniform
    VonMises
"""

LIBRARY = Library(
    functions=dict.fromkeys((f"distrax.{name}" for name in _CLASSES.split()), KnownFunction(effects=Effect.NEW_OBJECT))
)
