from jax._src.lax.control_flow import cond as cond
