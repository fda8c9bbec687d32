from optax import assignment as assignment
from optax import contrib as contrib
from optax import experimental as experimental
from optax import losses as losses
from optax import microbatching as microbatching
from optax import perturbations as perturbations
from optax import projections as projections
from optax import schedules as schedules
from optax import second_order as second_order
from optax import transforms as transforms
from optax import tree as tree
from optax import tree_utils as tree_utils
from optax._src.alias import MaskOrFn as MaskOrFn
from optax._src.alias import adabelief as adabelief
from optax._src.alias import adadelta as adadelta
from optax._src.alias import adafactor as adafactor
from optax._src.alias import adagrad as adagrad
from optax._src.alias import adam as adam
from optax._src.alias import adamax as adamax
from optax._src.alias import adamaxw as adamaxw
from optax._src.alias import adamw as adamw
from optax._src.alias import adan as adan
from optax._src.alias import amsgrad as amsgrad
from optax._src.alias import fromage as fromage
from optax._src.alias import lamb as lamb
from optax._src.alias import lars as lars
from optax._src.alias import lbfgs as lbfgs
from optax._src.alias import lion as lion
from optax._src.alias import nadam as nadam
from optax._src.alias import nadamw as nadamw
from optax._src.alias import noisy_sgd as noisy_sgd
from optax._src.alias import novograd as novograd
from optax._src.alias import optimistic_adam as optimistic_adam
from optax._src.alias import optimistic_adam_v2 as optimistic_adam_v2
from optax._src.alias import optimistic_gradient_descent as optimistic_gradient_descent
from optax._src.alias import polyak_sgd as polyak_sgd
from optax._src.alias import radam as radam
from optax._src.alias import rmsprop as rmsprop
from optax._src.alias import rprop as rprop
from optax._src.alias import sgd as sgd
from optax._src.alias import sign_sgd as sign_sgd
from optax._src.alias import signum as signum
from optax._src.alias import sm3 as sm3
from optax._src.alias import yogi as yogi
from optax._src.base import EmptyState as EmptyState
from optax._src.base import GradientTransformation as GradientTransformation
from optax._src.base import GradientTransformationExtraArgs as GradientTransformationExtraArgs
from optax._src.base import OptState as OptState
from optax._src.base import Params as Params
from optax._src.base import ScalarOrSchedule as ScalarOrSchedule
from optax._src.base import Schedule as Schedule
from optax._src.base import TransformInitFn as TransformInitFn
from optax._src.base import TransformUpdateExtraArgsFn as TransformUpdateExtraArgsFn
from optax._src.base import TransformUpdateFn as TransformUpdateFn
from optax._src.base import Updates as Updates
from optax._src.base import identity as identity
from optax._src.base import init_empty_state as init_empty_state
from optax._src.base import set_to_zero as set_to_zero
from optax._src.base import stateless as stateless
from optax._src.base import stateless_with_tree_map as stateless_with_tree_map
from optax._src.base import with_extra_args_support as with_extra_args_support
from optax._src.factorized import FactoredState as FactoredState
from optax._src.factorized import scale_by_factored_rms as scale_by_factored_rms
from optax._src.linear_algebra import global_norm as global_norm
from optax._src.linear_algebra import matrix_inverse_pth_root as matrix_inverse_pth_root
from optax._src.linear_algebra import nnls as nnls
from optax._src.linear_algebra import power_iteration as power_iteration
from optax._src.linesearch import ScaleByBacktrackingLinesearchState as ScaleByBacktrackingLinesearchState
from optax._src.linesearch import ScaleByZoomLinesearchState as ScaleByZoomLinesearchState
from optax._src.linesearch import ZoomLinesearchInfo as ZoomLinesearchInfo
from optax._src.linesearch import scale_by_backtracking_linesearch as scale_by_backtracking_linesearch
from optax._src.linesearch import scale_by_zoom_linesearch as scale_by_zoom_linesearch
from optax._src.linesearch import value_and_grad_from_state as value_and_grad_from_state
from optax._src.lookahead import LookaheadParams as LookaheadParams
from optax._src.lookahead import LookaheadState as LookaheadState
from optax._src.lookahead import lookahead as lookahead
from optax._src.numerics import safe_increment as safe_increment
from optax._src.numerics import safe_int32_increment as safe_int32_increment
from optax._src.numerics import safe_norm as safe_norm
from optax._src.numerics import safe_root_mean_squares as safe_root_mean_squares
from optax._src.transform import ApplyEvery as ApplyEvery
from optax._src.transform import ScaleByAdaDeltaState as ScaleByAdaDeltaState
from optax._src.transform import ScaleByAdamState as ScaleByAdamState
from optax._src.transform import ScaleByAdanState as ScaleByAdanState
from optax._src.transform import ScaleByAmsgradState as ScaleByAmsgradState
from optax._src.transform import ScaleByBeliefState as ScaleByBeliefState
from optax._src.transform import ScaleByLBFGSState as ScaleByLBFGSState
from optax._src.transform import ScaleByLionState as ScaleByLionState
from optax._src.transform import ScaleByNovogradState as ScaleByNovogradState
from optax._src.transform import ScaleByRmsState as ScaleByRmsState
from optax._src.transform import ScaleByRpropState as ScaleByRpropState
from optax._src.transform import ScaleByRssState as ScaleByRssState
from optax._src.transform import ScaleByRStdDevState as ScaleByRStdDevState
from optax._src.transform import ScaleByScheduleState as ScaleByScheduleState
from optax._src.transform import ScaleBySM3State as ScaleBySM3State
from optax._src.transform import apply_every as apply_every
from optax._src.transform import centralize as centralize
from optax._src.transform import normalize_by_update_norm as normalize_by_update_norm
from optax._src.transform import scale as scale
from optax._src.transform import scale_by_adadelta as scale_by_adadelta
from optax._src.transform import scale_by_adam as scale_by_adam
from optax._src.transform import scale_by_adamax as scale_by_adamax
from optax._src.transform import scale_by_adan as scale_by_adan
from optax._src.transform import scale_by_amsgrad as scale_by_amsgrad
from optax._src.transform import scale_by_belief as scale_by_belief
from optax._src.transform import scale_by_distance_over_gradients as scale_by_distance_over_gradients
from optax._src.transform import scale_by_lbfgs as scale_by_lbfgs
from optax._src.transform import scale_by_learning_rate as scale_by_learning_rate
from optax._src.transform import scale_by_lion as scale_by_lion
from optax._src.transform import scale_by_novograd as scale_by_novograd
from optax._src.transform import scale_by_optimistic_gradient as scale_by_optimistic_gradient
from optax._src.transform import scale_by_param_block_norm as scale_by_param_block_norm
from optax._src.transform import scale_by_param_block_rms as scale_by_param_block_rms
from optax._src.transform import scale_by_polyak as scale_by_polyak
from optax._src.transform import scale_by_radam as scale_by_radam
from optax._src.transform import scale_by_rms as scale_by_rms
from optax._src.transform import scale_by_rprop as scale_by_rprop
from optax._src.transform import scale_by_rss as scale_by_rss
from optax._src.transform import scale_by_schedule as scale_by_schedule
from optax._src.transform import scale_by_sign as scale_by_sign
from optax._src.transform import scale_by_sm3 as scale_by_sm3
from optax._src.transform import scale_by_stddev as scale_by_stddev
from optax._src.transform import scale_by_trust_ratio as scale_by_trust_ratio
from optax._src.transform import scale_by_yogi as scale_by_yogi
from optax._src.update import apply_updates as apply_updates
from optax._src.update import incremental_update as incremental_update
from optax._src.update import periodic_update as periodic_update
from optax._src.utils import multi_normal as multi_normal
from optax._src.utils import scale_gradient as scale_gradient
from optax.contrib import DifferentiallyPrivateAggregateState as DifferentiallyPrivateAggregateState
from optax.contrib import differentially_private_aggregate as differentially_private_aggregate
from optax.contrib import dpsgd as dpsgd
from optax.losses import convex_kl_divergence as convex_kl_divergence
from optax.losses import cosine_distance as cosine_distance
from optax.losses import cosine_similarity as cosine_similarity
from optax.losses import ctc_loss as ctc_loss
from optax.losses import ctc_loss_with_forward_probs as ctc_loss_with_forward_probs
from optax.losses import generalized_kl_divergence as generalized_kl_divergence
from optax.losses import hinge_loss as hinge_loss
from optax.losses import huber_loss as huber_loss
from optax.losses import kl_divergence as kl_divergence
from optax.losses import l2_loss as l2_loss
from optax.losses import log_cosh as log_cosh
from optax.losses import ntxent as ntxent
from optax.losses import safe_softmax_cross_entropy as safe_softmax_cross_entropy
from optax.losses import sigmoid_binary_cross_entropy as sigmoid_binary_cross_entropy
from optax.losses import sigmoid_focal_loss as sigmoid_focal_loss
from optax.losses import smooth_labels as smooth_labels
from optax.losses import softmax_cross_entropy as softmax_cross_entropy
from optax.losses import softmax_cross_entropy_with_integer_labels as softmax_cross_entropy_with_integer_labels
from optax.losses import squared_error as squared_error
from optax.microbatching import microbatch as microbatch
from optax.schedules import InjectHyperparamsState as InjectHyperparamsState
from optax.schedules import InjectStatefulHyperparamsState as InjectStatefulHyperparamsState
from optax.schedules import WrappedSchedule as WrappedSchedule
from optax.schedules import constant_schedule as constant_schedule
from optax.schedules import cosine_decay_schedule as cosine_decay_schedule
from optax.schedules import cosine_onecycle_schedule as cosine_onecycle_schedule
from optax.schedules import exponential_decay as exponential_decay
from optax.schedules import inject_hyperparams as inject_hyperparams
from optax.schedules import inject_stateful_hyperparams as inject_stateful_hyperparams
from optax.schedules import join_schedules as join_schedules
from optax.schedules import linear_onecycle_schedule as linear_onecycle_schedule
from optax.schedules import linear_schedule as linear_schedule
from optax.schedules import piecewise_constant_schedule as piecewise_constant_schedule
from optax.schedules import piecewise_interpolate_schedule as piecewise_interpolate_schedule
from optax.schedules import polynomial_schedule as polynomial_schedule
from optax.schedules import sgdr_schedule as sgdr_schedule
from optax.schedules import warmup_constant_schedule as warmup_constant_schedule
from optax.schedules import warmup_cosine_decay_schedule as warmup_cosine_decay_schedule
from optax.schedules import warmup_exponential_decay_schedule as warmup_exponential_decay_schedule
from optax.transforms import AddNoiseState as AddNoiseState
from optax.transforms import ApplyIfFiniteState as ApplyIfFiniteState
from optax.transforms import ConditionallyMaskState as ConditionallyMaskState
from optax.transforms import ConditionallyTransformState as ConditionallyTransformState
from optax.transforms import EmaState as EmaState
from optax.transforms import MaskedNode as MaskedNode
from optax.transforms import MaskedState as MaskedState
from optax.transforms import MonitorState as MonitorState
from optax.transforms import MultiSteps as MultiSteps
from optax.transforms import MultiStepsState as MultiStepsState
from optax.transforms import NonNegativeParamsState as NonNegativeParamsState
from optax.transforms import PartitionState as PartitionState
from optax.transforms import ShouldSkipUpdateFunction as ShouldSkipUpdateFunction
from optax.transforms import SnapshotState as SnapshotState
from optax.transforms import TraceState as TraceState
from optax.transforms import ZeroNansState as ZeroNansState
from optax.transforms import adaptive_grad_clip as adaptive_grad_clip
from optax.transforms import add_decayed_weights as add_decayed_weights
from optax.transforms import add_noise as add_noise
from optax.transforms import apply_if_finite as apply_if_finite
from optax.transforms import chain as chain
from optax.transforms import clip as clip
from optax.transforms import clip_by_block_rms as clip_by_block_rms
from optax.transforms import clip_by_global_norm as clip_by_global_norm
from optax.transforms import conditionally_mask as conditionally_mask
from optax.transforms import conditionally_transform as conditionally_transform
from optax.transforms import ema as ema
from optax.transforms import flatten as flatten
from optax.transforms import freeze as freeze
from optax.transforms import keep_params_nonnegative as keep_params_nonnegative
from optax.transforms import masked as masked
from optax.transforms import measure_with_ema as measure_with_ema
from optax.transforms import monitor as monitor
from optax.transforms import named_chain as named_chain
from optax.transforms import partition as partition
from optax.transforms import per_example_global_norm_clip as per_example_global_norm_clip
from optax.transforms import per_example_layer_norm_clip as per_example_layer_norm_clip
from optax.transforms import selective_transform as selective_transform
from optax.transforms import skip_large_updates as skip_large_updates
from optax.transforms import skip_not_finite as skip_not_finite
from optax.transforms import snapshot as snapshot
from optax.transforms import trace as trace
from optax.transforms import zero_nans as zero_nans
from optax.tree_utils import (
    tree_bias_correction,
    tree_update_infinity_moment,
    tree_update_moment,
    tree_update_moment_per_elem_norm,
)
from optax.tree_utils import tree_map_params as tree_map_params

AdaptiveGradClipState = EmptyState
ClipByGlobalNormState = EmptyState
ClipState = EmptyState
multi_transform = partition
MultiTransformState = PartitionState
AddDecayedWeightsState = EmptyState
ScaleByTrustRatioState = EmptyState
ScaleState = EmptyState
bias_correction = tree_bias_correction
update_infinity_moment = tree_update_infinity_moment
update_moment = tree_update_moment
update_moment_per_elem_norm = tree_update_moment_per_elem_norm

__version__: str

# In the order of the library, which its checked type includes.
__all__ = (  # noqa: RUF022
    "adabelief",
    "adadelta",
    "adafactor",
    "adagrad",
    "adam",
    "adamax",
    "adamaxw",
    "adamw",
    "adan",
    "adaptive_grad_clip",
    "AdaptiveGradClipState",
    "add_decayed_weights",
    "add_noise",
    "AddDecayedWeightsState",
    "AddNoiseState",
    "amsgrad",
    "apply_every",
    "apply_if_finite",
    "apply_updates",
    "ApplyEvery",
    "ApplyIfFiniteState",
    "assignment",
    "centralize",
    "chain",
    "clip_by_block_rms",
    "clip_by_global_norm",
    "clip",
    "ClipByGlobalNormState",
    "ClipState",
    "conditionally_mask",
    "ConditionallyMaskState",
    "conditionally_transform",
    "ConditionallyTransformState",
    "constant_schedule",
    "ctc_loss",
    "ctc_loss_with_forward_probs",
    "convex_kl_divergence",
    "cosine_decay_schedule",
    "cosine_distance",
    "cosine_onecycle_schedule",
    "cosine_similarity",
    "differentially_private_aggregate",
    "DifferentiallyPrivateAggregateState",
    "dpsgd",
    "ema",
    "EmaState",
    "EmptyState",
    "exponential_decay",
    "FactoredState",
    "flatten",
    "fromage",
    "generalized_kl_divergence",
    "global_norm",
    "GradientTransformation",
    "GradientTransformationExtraArgs",
    "hinge_loss",
    "huber_loss",
    "identity",
    "incremental_update",
    "init_empty_state",
    "inject_hyperparams",
    "InjectHyperparamsState",
    "join_schedules",
    "keep_params_nonnegative",
    "kl_divergence",
    "l2_loss",
    "lamb",
    "lars",
    "lbfgs",
    "lion",
    "linear_onecycle_schedule",
    "linear_schedule",
    "log_cosh",
    "lookahead",
    "LookaheadParams",
    "LookaheadState",
    "masked",
    "MaskOrFn",
    "MaskedState",
    "matrix_inverse_pth_root",
    "measure_with_ema",
    "microbatch",
    "monitor",
    "microbatch",  # noqa: RUF068
    "MonitorState",
    "multi_normal",
    "multi_transform",
    "MultiSteps",
    "MultiStepsState",
    "MultiTransformState",
    "nadam",
    "nadamw",
    "nnls",
    "noisy_sgd",
    "novograd",
    "NonNegativeParamsState",
    "ntxent",
    "OptState",
    "Params",
    "partition",
    "PartitionState",
    "periodic_update",
    "per_example_global_norm_clip",
    "per_example_layer_norm_clip",
    "piecewise_constant_schedule",
    "piecewise_interpolate_schedule",
    "polynomial_schedule",
    "power_iteration",
    "polyak_sgd",
    "radam",
    "rmsprop",
    "rprop",
    "safe_increment",
    "safe_int32_increment",
    "safe_norm",
    "safe_root_mean_squares",
    "ScalarOrSchedule",
    "scale_by_adadelta",
    "scale_by_adam",
    "scale_by_adamax",
    "scale_by_adan",
    "scale_by_amsgrad",
    "scale_by_backtracking_linesearch",
    "scale_by_belief",
    "scale_by_lbfgs",
    "scale_by_lion",
    "scale_by_factored_rms",
    "scale_by_novograd",
    "scale_by_param_block_norm",
    "scale_by_param_block_rms",
    "scale_by_polyak",
    "scale_by_radam",
    "scale_by_rms",
    "scale_by_rprop",
    "scale_by_rss",
    "scale_by_schedule",
    "scale_by_sign",
    "scale_by_sm3",
    "scale_by_stddev",
    "scale_by_trust_ratio",
    "scale_by_yogi",
    "scale_by_zoom_linesearch",
    "scale_gradient",
    "scale",
    "ScaleByAdaDeltaState",
    "ScaleByAdamState",
    "ScaleByAdanState",
    "ScaleByAmsgradState",
    "ScaleByBacktrackingLinesearchState",
    "ScaleByBeliefState",
    "ScaleByLBFGSState",
    "ScaleByLionState",
    "ScaleByNovogradState",
    "ScaleByRmsState",
    "ScaleByRpropState",
    "ScaleByRssState",
    "ScaleByRStdDevState",
    "ScaleByScheduleState",
    "ScaleBySM3State",
    "ScaleByTrustRatioState",
    "ScaleByZoomLinesearchState",
    "ScaleState",
    "Schedule",
    "set_to_zero",
    "sgd",
    "sgdr_schedule",
    "ShouldSkipUpdateFunction",
    "sigmoid_binary_cross_entropy",
    "sign_sgd",
    "signum",
    "skip_large_updates",
    "skip_not_finite",
    "sm3",
    "smooth_labels",
    "softmax_cross_entropy",
    "softmax_cross_entropy_with_integer_labels",
    "stateless",
    "stateless_with_tree_map",
    "trace",
    "TraceState",
    "TransformInitFn",
    "TransformUpdateFn",
    "TransformUpdateExtraArgsFn",
    "Updates",
    "value_and_grad_from_state",
    "warmup_cosine_decay_schedule",
    "warmup_exponential_decay_schedule",
    "yogi",
    "zero_nans",
    "ZeroNansState",
    "ZoomLinesearchInfo",
)
