"""Passes over the body of a loop until what is known of its variables holds for every pass."""

from collections.abc import Callable
from typing import Final

from mypy.nodes import ForStmt, WhileStmt

from .frame import Env, Frame, Loop, Settled, join_envs

# Limits on the passes over one loop, in a row and in total: if it has not settled by then, nothing is known any more.
# An inner loop is walked again on each pass of an outer one; the total limits the time for loops of any depth.
_MAX_IN_A_ROW: Final = 4
_MAX_PASSES: Final = 12


def settled_loop(
    node: ForStmt | WhileStmt,
    env: Env,
    once: Callable[[Env], Env | None],
    frame: Frame,
    after_first: Callable[[Env], None] | None = None,
) -> Settled:
    """Passes over the body until one changes nothing. `after_first`: gets the variables after the very first pass.

    Each pass over an enclosing loop walks this loop again, and never knows more than the last time. So a later walk
    continues from the settled state, and needs no pass at all if that state still holds.
    """
    settled = frame.settled.get(node)
    entry = env if settled is None else join_envs(settled.entry, env) or {}
    if settled is None:
        settled = frame.settled[node] = _settle(entry, once, frame, 0, after_first)
    elif not settled.holds_for(entry, frame.walk):
        settled = frame.settled[node] = _settle(entry, once, frame, settled.passes)
    return settled


def _settle(
    entry: Env,
    once: Callable[[Env], Env | None],
    frame: Frame,
    passes: int,
    after_first: Callable[[Env], None] | None = None,
) -> Settled:
    for count in range(_MAX_IN_A_ROW + 1):
        loop = Loop()
        frame.loops.append(loop)
        end = once(dict(entry))
        frame.loops.pop()
        for jumped in loop.continues:
            end = join_envs(end, jumped)
        if count == 0 and end is not None and after_first is not None:
            after_first(end)
        again = join_envs(entry, end) or {}
        if again == entry:
            break
        entry = again if count < _MAX_IN_A_ROW - 1 and passes + count < _MAX_PASSES else {}
    return Settled(entry, loop.breaks, passes + count + 1, len(frame.walk.nested))
