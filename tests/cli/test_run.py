"""`run` runs a program as Python does, records it however it ends, and `report` shows it."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from jaxtyped_static_runs.journal import read_run
from jaxtyped_static_runs.model import Run, What
from tests import processes
from tests.cli.running import Said, write
from tests.cli.running import run as run_command
from tests.cli.running import run_in_shell as run

PROGRAM = """\
import os, sys
assert "jax" not in sys.modules and "jaxtyped_static" not in sys.modules
os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=2"
import jax

@jax.jit
def step(x):
    return x * 2

def work():
    for dtype in ("float32", "int32"):
        step(jax.numpy.zeros(3, dtype))

print(__name__, __file__, sys.argv, jax.device_count())
work()
"""
DISTRIBUTED = """\
import sys, jax
jax.distributed.initialize(sys.argv[1], num_processes=4, process_id=int(sys.argv[2]))
import jax.numpy as jnp

@jax.jit
def step(x):
    return jnp.sin(x).sum()

for size in (3, 4):
    step(jnp.ones(size))
print(f"{jax.process_index()} of {jax.process_count()}")
"""
WORK = "import sys\nimport jax\njax.jit(lambda x: x + 1)(1.0)\n"


def recorded(project: Path) -> Run:
    """The one run of a project."""
    (file,) = (project / ".jaxtyped_static_runs").glob("*.jsonl")
    return read_run(file)


def compiled(run: Run) -> list[str]:
    """The functions of the program that were compiled, in order."""
    return [one.function.name for one in run.preparations if one.what in (What.FIRST, What.AGAIN)]


def test_a_program_runs_as_it_would_without(tmp_path: Path) -> None:
    """It may set what JAX reads before it imports JAX, and it is `__main__`, with its arguments."""
    write(tmp_path, {"train.py": PROGRAM})
    said = run(tmp_path, "run", "train.py", "--steps", "3")
    assert said.out == f"__main__ {tmp_path / 'train.py'} ['train.py', '--steps', '3'] 2\n"
    assert said.code == 0
    head, *lines, last = said.errors.splitlines()
    assert head.startswith("train.py --steps 3: ")
    assert any("x: float32[3] → int32[3]" in line for line in lines)
    assert last.startswith("jaxtyped-static report .jaxtyped_static_runs/train-")
    assert compiled(recorded(tmp_path)) == ["step", "step"]


@pytest.mark.parametrize(
    ("end", "code", "ended"),
    [
        ("sys.exit(3)", 3, "exit 3"),
        pytest.param("sys.exit('no')", 1, "exit 1", marks=pytest.mark.thorough),
        pytest.param("sys.exit()", 0, "exit 0", marks=pytest.mark.thorough),
        ("raise KeyError('x')", 1, "KeyError"),
        pytest.param("import os; os._exit(5)", 5, "killed", marks=pytest.mark.thorough),
        pytest.param("raise KeyboardInterrupt", 130, "KeyboardInterrupt", marks=pytest.mark.thorough),
        ("import os, signal; os.kill(os.getpid(), signal.SIGKILL)", 137, "killed"),
    ],
)
def test_however_a_program_ends_it_is_recorded_and_its_exit_code_kept(
    end: str, code: int, ended: str, tmp_path: Path
) -> None:
    write(tmp_path, {"train.py": WORK + end})
    said = run(tmp_path, "run", "train.py")
    assert (said.code, recorded(tmp_path).ended) == (code, ended)
    assert compiled(recorded(tmp_path)) == ["<lambda>"]
    assert ("1 function" in said.errors) is (ended != "killed")  # Of what was killed, `report` tells.
    assert "1 function" in run(tmp_path, "report").out


@pytest.mark.parametrize(
    ("program", "out"),
    [
        ("def f(x: int): ...\nprint(f.__annotations__)", "{'x': <class 'int'>}\n"),
        ("import jaxtyped_static, jax\nprint(jax.jit(lambda x: x + 1)(1))", "2\n"),
        *(
            pytest.param(f"{start}\nimport jax\nprint(jax.jit(lambda x: x + 1)(1))", "2\n", marks=pytest.mark.thorough)
            for start in (
                "import importlib.util\nimportlib.util.find_spec('jax')",
                "import jax\njax.config.update('jax_platforms', 'cpu')",
                "import os, jax\nos.chdir('/')",
            )
        ),
        ("x: int = 1\nprint(__annotations__)", "{'x': <class 'int'>}\n"),
    ],
)
def test_nothing_is_different_for_the_program(program: str, out: str, tmp_path: Path) -> None:
    write(tmp_path, {"train.py": program})
    said = run(tmp_path, "run", "train.py")
    assert (said.out, said.code) == (out, 0)
    assert ("compiled for the first time" in said.errors) is ("jit" in program)


def test_a_program_that_only_imports_jax_starts_no_devices(tmp_path: Path) -> None:
    write(tmp_path, {"train.py": "import os\nos.environ['JAX_PLATFORMS'] = 'none'\nimport jax\nprint(1)"})
    said = run(tmp_path, "run", "train.py")
    assert (said.out, said.code) == ("1\n", 0)
    assert "JAX prepared no program" in said.errors


@pytest.mark.parametrize(
    ("arguments", "passed"),
    [
        (("train.py", "a", "--", "-m", "b"), ["train.py", "a", "--", "-m", "b"]),
        (("-c", "import train", "a", "--", "b"), ["-c", "a", "--", "b"]),
        (("-m", "train", "--", "--python", "x"), ["train.py", "--", "--python", "x"]),
        (("-mtrain", "a"), ["train.py", "a"]),
    ],
)
def test_all_arguments_after_the_program_are_its_own(
    arguments: tuple[str, ...], passed: list[str], tmp_path: Path
) -> None:
    write(tmp_path, {"train.py": "import os, sys\nprint([os.path.basename(sys.argv[0]), *sys.argv[1:]])"})
    assert run(tmp_path, "run", *arguments).out == f"{passed}\n"


def test_folders_and_standard_input_are_programs_too(tmp_path: Path) -> None:
    pickled = "pickle.loads(pickle.dumps(C())).__module__"
    late = f"import atexit, pickle\nclass C: ...\natexit.register(lambda: print({pickled}))\n"
    write(tmp_path, {"folder/__main__.py": f"import part\n{late}", "folder/part.py": "print('part')"})
    assert run(tmp_path, "run", "folder").out == "part\n__main__\n"
    assert run(tmp_path, "run", "-").out == ""


def test_an_exception_is_shown_as_python_shows_it(tmp_path: Path) -> None:
    write(tmp_path, {"train.py": "def f():\n    raise KeyError('x')\n\nf()\n"})
    plain = processes.run([sys.executable, "train.py"], cwd=tmp_path)
    said = run(tmp_path, "run", "--quiet", "train.py")
    assert (said.errors, said.code) == (plain.stderr, plain.returncode)


def test_modules_and_code_run_as_with_python(tmp_path: Path) -> None:
    """The code of a package that is run is the program's, wherever the package is."""
    shown = "print(__name__, __package__, sys.argv[1:])\n"
    write(tmp_path, {"package/__init__.py": "", "package/__main__.py": WORK + shown, "work.py": WORK})
    said = run(tmp_path, "run", "-m", "package", "-x", "1")
    assert (said.out, said.code) == ("__main__ package ['-x', '1']\n", 0)
    (program,) = (one for one in recorded(tmp_path).preparations if one.what is What.FIRST)
    assert (str(program.line), len(program.stack)) == ("package/__main__.py:3", 1)
    said = run(tmp_path, "run", "-c", "import work, sys; print(sys.argv)", "a")
    assert (said.out, said.code) == ("['-c', 'a']\n", 0)


def test_a_program_without_jax_is_told_so(tmp_path: Path) -> None:
    write(tmp_path, {"train.py": "print(1)"})
    said = run(tmp_path, "run", "train.py")
    assert said == Said("1\n", "train.py: JAX was not imported here; there is nothing to report\n", 0)


def test_a_forked_process_has_a_file_of_its_own(tmp_path: Path) -> None:
    fork = "import os, jax\npid = os.fork()\njax.jit(lambda x: x - 1)(1.0)\nif pid:\n    os.waitpid(pid, 0)\n"
    write(tmp_path, {"train.py": fork})
    said = run(tmp_path, "run", "train.py")
    assert "1 other processes wrote files beside it" in said.errors
    files = list((tmp_path / ".jaxtyped_static_runs").glob("*.jsonl"))
    assert [compiled(read_run(file)) for file in files] == [["<lambda>"]] * 2
    assert said.errors.count("of which JAX spent") == 1
    both = run(tmp_path, "report", *files)
    assert "in 2 processes" in both.out


@pytest.mark.thorough
def test_the_processes_of_a_distributed_program_are_one_run(tmp_path: Path) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{free.getsockname()[1]}"
    write(tmp_path, {"train.py": DISTRIBUTED})
    with ThreadPoolExecutor(4) as pool:
        said = [*pool.map(lambda number: run(tmp_path, "run", "train.py", address, str(number)), range(4))]
    assert sorted(one.out for one in said) == [f"{number} of 4\n" for number in range(4)], said
    files = sorted((tmp_path / ".jaxtyped_static_runs").glob("*.jsonl"))
    assert len(files) == 4
    merged = run(tmp_path, "report", *files)
    assert merged.code == 0
    assert "compiled AGAIN" in merged.out
    assert re.search(r"step: 8 programs .*train\.py:10", merged.out), merged.out
    assert "x: float32[3] → float32[4]" in merged.out


def test_workers_that_import_jax_alone_have_files_of_their_own(tmp_path: Path) -> None:
    work = "def work(n):\n    import jax\n    return int(jax.jit(lambda x: x * 2)(n))\n"
    start = "import multiprocessing as m\nwith m.get_context('fork').Pool(2) as pool:\n"
    start += "    print(pool.map(work, [1, 2], 1))\n"
    write(tmp_path, {"train.py": work + start})
    said = run(tmp_path, "run", "train.py")
    assert (said.out, said.code) == ("[2, 4]\n", 0)
    assert said.errors.startswith("train.py: JAX was not imported here; the processes that it made wrote ")
    assert said.errors.count(".jsonl") in (1, 2)  # One worker may have done all the work.


def test_threads_that_outlive_the_program_are_recorded(tmp_path: Path) -> None:
    late = "import threading, time\ndef late():\n    time.sleep(0.3)\n    jax.jit(lambda x: x + 2)(1.0)\n"
    write(tmp_path, {"train.py": f"{WORK}{late}threading.Thread(target=late).start()\n"})
    run(tmp_path, "run", "train.py")
    assert len(compiled(recorded(tmp_path))) == 2


def test_a_request_to_terminate_reaches_the_program(tmp_path: Path) -> None:
    handle = "import signal\nsignal.signal(signal.SIGTERM, lambda *_: sys.exit(7))\n"
    wait = f"{handle}print('ready', flush=True)\nsignal.pause()\n"
    write(tmp_path, {"train.py": WORK + wait})
    code = "import sys; from jaxtyped_static_cli.main import run; run()"
    command = [sys.executable, "-c", code, "run", "train.py"]
    with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"ready\n"
        os.kill(process.pid, signal.SIGTERM)
        assert process.wait() == 7
    assert compiled(recorded(tmp_path)) == ["<lambda>"]


def test_another_python_needs_only_jax(tmp_path: Path) -> None:
    """The recorder is found where the command is, and nothing else of the command's environment."""
    assert not run(tmp_path, "run", "--python", sys.executable, "-c", "import jax").code
    said = run(tmp_path, "run", "--python", str(tmp_path / "none"), "-c", "pass")
    assert (said.code, said.errors.splitlines()[0][:25]) == (2, f"error: --python: {tmp_path}"[:25])


def test_a_program_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    write(tmp_path, {})
    assert run_command(tmp_path, "run").errors == (
        "error: no program is given; write: jaxtyped-static run train.py, or run -m package\n"
    )
    said = run_command(tmp_path, "run", "missing.py")
    assert said == Said("", "error: missing.py does not exist; give the program's file, or -m and a module\n", 2)


def test_the_last_run_is_shown_again_and_compared(tmp_path: Path) -> None:
    write(tmp_path, {"train.py": WORK})
    assert run_command(tmp_path, "report").errors == (
        "error: no run was recorded in this folder; write: jaxtyped-static run train.py\n"
    )
    run(tmp_path, "run", "--file", "old.jsonl", "--quiet", "train.py")
    write(tmp_path, {"train.py": f"{WORK}jax.jit(lambda x: x * 9)(2.0)\n"})
    shown = run(tmp_path, "run", "train.py")
    again = run_command(tmp_path, "report")
    assert again.out.splitlines() == shown.errors.splitlines()[:-1]
    (file,) = (tmp_path / ".jaxtyped_static_runs").glob("*.jsonl")
    worse = run_command(tmp_path, "report", str(file), "--against", "old.jsonl")
    assert (worse.code, worse.out.splitlines()[-1]) == (1, "     1 → 2    <lambda> in train.py")
    assert run_command(tmp_path, "report", "old.jsonl", "--against", str(file)).code == 0
    assert run_command(tmp_path, "report", "--all", "old.jsonl").out.startswith("train.py: ")
    page = run_command(tmp_path, "report", "--format", "html", "-o", "run.html")
    assert page.code == 0
    assert "jax.jit(lambda x: x * 9)(2.0)" in (tmp_path / "run.html").read_text()
    assert run_command(tmp_path, "report", "train.py").errors == (
        "error: train.py is not the file of a run; give a file from .jaxtyped_static_runs\n"
    )


COSTLY = """\
import jax

@jax.jit
def step(x):
    return x * 2

def first(xs):
    return [
        jax.jit(
            lambda v: v + 1
        )(x) for x in xs
    ]

def never(xs):
    for x in xs:
        jax.jit(lambda v: v - 1)(x)

first([1.0, 2.0, 3.0])
never([])
for size in (1, 2):
    step(jax.numpy.zeros(size))
"""


def test_check_orders_findings_by_what_they_cost_in_a_run(tmp_path: Path, cache: str) -> None:
    write(tmp_path, {"train.py": COSTLY})
    run(tmp_path, "run", "--file", "run.jsonl", "--quiet", "train.py")
    said = run_command(tmp_path, "check", "--run", "run.jsonl", "--format", "concise", cache, "train.py")
    first, second, *rest = said.out.splitlines()
    assert first.startswith("train.py:9:")
    assert "its lines cost" in first
    assert "2 programs in the run)" in first
    assert second.startswith("train.py:16:")
    assert second.endswith("(it cost nothing in the run)")
    title, *shown = rest
    assert title == "The run shows, and no finding explains:"
    assert any("step was compiled again: x: float32[1] → float32[2]" in line for line in shown)
    missing = run_command(tmp_path, "check", "--run", "none.jsonl", cache, "train.py")
    assert (missing.errors, missing.code) == ("error: none.jsonl cannot be read: No such file or directory\n", 2)
