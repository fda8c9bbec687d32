"""`record` says of each kind of compilation what JAX compiled, for which line, and why."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.runtime.kinds_of_compilations.kind import Kind
from tests.runtime.kinds_of_compilations.running import failures_of
from tests.runtime.recorded_kinds import KINDS, is_possible

_SCRIPT = Path(__file__).with_name("recorded_kinds.py")


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind.devices == 1], ids=lambda kind: kind.name)
def test_a_kind_of_compilation_is_recorded(kind: Kind) -> None:
    if not is_possible(kind):
        pytest.skip(f"needs JAX {kind.releases or 'of any release'} {', '.join(kind.libraries)}")
    assert failures_of(kind) == []


def test_kinds_that_need_several_devices_are_recorded() -> None:
    # JAX has as many devices as its first use in a process gave it.
    names = [kind.name for kind in KINDS if kind.devices > 1]
    ran = subprocess.run([sys.executable, str(_SCRIPT), *names], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr


def test_no_two_kinds_have_one_name() -> None:
    names = [kind.name for kind in KINDS]
    assert len(names) == len(set(names)) >= 100
