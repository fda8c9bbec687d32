"""What the checked code contains is shown as it is, and never acts on a terminal or on the log of a CI service."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import unicodedata
from io import StringIO
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.text import Text

from jaxtyped_static_cli.output import FORMATS
from jaxtyped_static_cli.terminal.consoles import console_for
from jaxtyped_static_cli.terminal.saying import to_read_or_apply, visible
from tests.cli.running import run, write

pytestmark = pytest.mark.xdist_group("light")

# A terminal reads \x9b like \x1b[, and OSC 52 writes to the clipboard. GitHub acts on lines that begin with `::`.
HOSTILE = "\x1b]52;c;ZXZpbA==\x07\x1b[2J\x9b31m\u202e\u2066\r\n::warning file=a::forged\n\x7f\b\0".replace("\0", "")
NAME = "x\x1b[31m\n::warning::forged,%0A:\u202e.py"
SOURCE = f"""\
from jaxtyped_static import Static, jit

# {HOSTILE.replace(chr(13), "").replace(chr(10), " ")}
@jit
def f(x: int, s: Static[list[int]], t: Static["dict[int, int]"] = {{}}) -> int: # \x1b[31m\u202e \x9b
    return x


@jit(static_argnames=["\\x1b[2J\\n::warning::forged"])
def g(x: int) -> int:
    return x
"""
FORBIDDEN = re.compile("[\0-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\u2028\u2029\ud800-\udfff]")


@pytest.fixture
def hostile(tmp_path: Path) -> Path:
    write(tmp_path, {NAME: SOURCE})
    return tmp_path


def harmless(text: str) -> bool:
    forged = [line for line in text.splitlines() if line.lstrip().startswith("::") and not line.startswith("::error ")]
    return not FORBIDDEN.search(text) and not forged


@pytest.mark.parametrize("name", FORMATS)
def test_no_format_passes_a_control_character_on(hostile: Path, cache: str, name: str) -> None:
    said = run(hostile, "check", cache, f"--format={name}", "--all", "--verbose")
    assert harmless(said.out) and harmless(said.errors), said
    assert "static-mutable" in said.out and said.code == 1


@pytest.mark.parametrize(
    "arguments",
    [("census",), ("census", "--only=*"), ("doctor",), ("migrate",), ("check", "--fix"), ("check", "--select=static")],
)
def test_no_command_passes_a_control_character_on(hostile: Path, cache: str, arguments: tuple[str, ...]) -> None:
    said = run(hostile, *arguments, cache)
    assert harmless(re.sub(r"(?m)^[-+ ].*", "", said.out)) and harmless(said.errors), said
    assert said.out


@pytest.mark.parametrize(
    "setting", [r'static_types = ["\u001b[31m\u000a::warning::forged"]', r'"\u001b[31m" = 1', r'strict = "\u001b[31m"']
)
def test_a_wrong_setting_is_one_harmless_line(hostile: Path, cache: str, setting: str) -> None:
    with (hostile / "pyproject.toml").open("a") as file:
        file.write(f"[tool.jaxtyped_static]\n{setting}\n")
    said = run(hostile, "check", cache)
    assert said.errors.startswith("error: ") and said.errors.count("\n") == 1 and harmless(said.errors), said


def test_the_source_is_shown_with_symbols_and_the_mark_below_its_place(hostile: Path, cache: str) -> None:
    lines = run(hostile, "check", cache, "--select=static-mutable").out.splitlines()
    shown = next(number for number, line in enumerate(lines) if line.startswith("5 | def f"))
    assert lines[shown].endswith("# ␛[31m� �")
    assert lines[shown + 1].index("^") == lines[shown].index("s: Static")


def test_json_has_the_name_as_it_is(hostile: Path, cache: str) -> None:
    data = json.loads(run(hostile, "check", cache, "--format=json").out)
    assert data["findings"][0]["path"] == NAME


def test_a_form_feed_is_no_line_break(tmp_path: Path, cache: str) -> None:
    """Python does not count it, so neither do the lines of an error."""
    write(tmp_path, {"main.py": SOURCE.replace("# ", "# \f\x0b\x1c\x85\u2028", 1)})
    assert "\n5 | def f(x: int, s:" in run(tmp_path, "check", cache, "--select=static-mutable").out


def test_a_very_long_line_is_cut_around_the_place(tmp_path: Path, cache: str) -> None:
    line = f"def f(x: int{', y: int = 0' * 0}, s: Static[list[int]]) -> int: return x  # {'long ' * 10_000}"
    write(tmp_path, {"main.py": f"from jaxtyped_static import Static, jit\n@jit\n{line}\n"})
    out = run(tmp_path, "check", cache).out
    assert max(map(len, out.splitlines())) < 400
    assert "3 | def f(x: int, s: Static" in out and "^^^^" in out


@given(st.text(st.characters(exclude_categories=[])))
def test_a_text_stays_as_long_as_it_is_and_on_one_line(text: str) -> None:
    shown = visible(text)
    assert len(shown) == len(text) and len(shown.splitlines()) <= 1 and not FORBIDDEN.search(shown)
    assert visible(shown) == shown
    plain = [character for character in text if unicodedata.category(character)[0] in "LNP"]
    assert all(character in shown for character in plain)


def test_styles_stay_in_their_places(capsys: pytest.CaptureFixture[str]) -> None:
    console_for("always").print(Text.assemble("a\x1b", ("b\n", "bold"), "c"))
    assert capsys.readouterr().out == "a␛\x1b[1mb␊\x1b[0mc\n"


def started(
    project: Path, *arguments: str, shell: str = "exec {}", **environment: str
) -> subprocess.CompletedProcess[str]:
    """Runs the command as a shell does. `shell`: the line, with a place for the command."""
    command = f"{sys.executable} -m jaxtyped_static_mypy {' '.join(arguments)}"
    outer = {name: value for name, value in os.environ.items() if name not in ("VIRTUAL_ENV", "PYTHONIOENCODING")}
    return subprocess.run(
        ["sh", "-c", shell.format(command)],
        cwd=project,
        env=outer | environment,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.thorough
@pytest.mark.parametrize("name", FORMATS)
def test_an_output_without_unicode_is_no_reason_to_fail(hostile: Path, cache: str, name: str) -> None:
    said = started(hostile, "check", cache, f"--format={name}", PYTHONIOENCODING="ascii")
    assert said.returncode == 1 and "Traceback" not in said.stderr and said.stdout.isascii(), said


@pytest.mark.thorough
@pytest.mark.parametrize("arguments", [("check",), ("doctor",), ("census",), ("migrate",)])
def test_a_deleted_folder_is_one_line(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    (tmp_path / "gone").mkdir()
    said = started(tmp_path, *arguments, shell="cd gone && rmdir ../gone && {}")
    assert said.stderr.startswith("error: the current folder cannot be used") and said.stderr.count("\n") == 1
    assert said.returncode == 2 and not said.stdout


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("shell", "code", "says"),
    [
        ("{} | head -c 1 >/dev/null", 0, ""),
        ("{} >&-", 1, ""),
        ("{} 2>&-", 1, ""),
        ("{} >/dev/full", 2, "error: [Errno 28] No space left on device\n"),
    ],
)
def test_an_output_that_takes_nothing_is_no_traceback(
    project: Path, cache: str, shell: str, code: int, says: str
) -> None:
    said = started(project, "check", cache, shell=shell)
    assert (said.stderr, said.returncode) == (says, code)


@pytest.mark.thorough
def test_a_user_without_a_home_has_no_shared_cache(project: Path) -> None:
    said = started(project, "check", HOME="~", XDG_CACHE_HOME="")
    assert "Found 2 problems" in said.stdout and said.stderr == ""
    assert not (project / "~").exists()


def test_statistics_are_in_the_json(project: Path, cache: str) -> None:
    data = json.loads(run(project, "check", cache, "--format=json", "--statistics").out)
    assert data["statistics"] == {"static-mutable": 2} and len(data["findings"]) == 2
    assert "statistics" not in json.loads(run(project, "check", cache, "--format=json").out)


@pytest.mark.parametrize("name", ["github", "gitlab", "sarif"])
def test_a_format_without_a_place_for_statistics_says_so(project: Path, cache: str, name: str) -> None:
    said = run(project, "check", cache, f"--format={name}", "--statistics")
    assert said.errors.startswith(f"error: --format {name} has no place for --statistics") and said.code == 2


def test_a_diff_is_readable_on_a_terminal() -> None:
    lines = ["-a\x1b[31m\r\n", "+b\n"]
    assert list(to_read_or_apply(lines, Terminal())) == ["-a␛[31m␍\n", "+b\n"]
    assert list(to_read_or_apply(lines, StringIO())) == lines


class Terminal(StringIO):
    def isatty(self) -> bool:
        return True


def test_the_diff_can_be_applied(hostile: Path, cache: str) -> None:
    diff = run(hostile, "check", cache, "--diff").out
    assert "+" in diff and "\x1b[31m" in diff
    (hostile / "plain.py").write_text(SOURCE)
    (hostile / NAME).unlink()
    diff = run(hostile, "check", cache, "--diff").out
    if shutil.which("patch") is None:
        pytest.skip("patch is not installed")
    applied = subprocess.run(["patch", "-p0"], cwd=hostile, input=diff, text=True, capture_output=True, check=False)
    assert applied.returncode == 0, applied


@pytest.mark.parametrize(
    "arguments",
    ["check", "check --format=concise", "check --format=json", "check --fix --unsafe-fixes", "census", "doctor"],
)
def test_no_name_begins_a_line_as_a_command_for_a_runner_does(tmp_path: Path, cache: str, arguments: str) -> None:
    """GitHub's acts on a line that begins with `::`, and on `##[` anywhere in it."""
    write(tmp_path, {"::error::app.py": SOURCE, "##[error]##vso[x]b.py": SOURCE, " ::notice::c.py": "x = (\n"})
    (tmp_path / "::warning::link.py").symlink_to("nothing")
    said = run(tmp_path, *arguments.split(), cache)
    lines = [*said.out.splitlines(), *said.errors.splitlines()]
    assert lines and not [line for line in lines if line.lstrip().startswith("::")]
    assert any("./::" in line for line in lines) or "json" in arguments
    if "json" not in arguments:  # where a name must be as it is
        assert "##[" not in said.out + said.errors and "##vso[" not in said.out + said.errors


def test_a_line_with_styles_begins_no_command(capsys: pytest.CaptureFixture[str]) -> None:
    console_for("never").print(Text.assemble("  ", ("::error::x", "bold"), ": y"))
    assert capsys.readouterr().out == "  ./::error::x: y\n"
