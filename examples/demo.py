"""Shows that the checker finds the errors in `bad/`, that each one really happens, and that `good/` is correct.

Run it with `make demo`, or `python examples/demo.py` where `jaxtyped-static[cli]` is installed. The exit status is 1
if a predicted error is missing, an unpredicted one appears, or a program's output differs from the prediction.
"""

import json
import os
import re
import subprocess
import sys
import textwrap
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
CACHE = HERE.parent / ".mypy_cache" / "examples"
MARK = re.compile(r"# E: \[([a-z-]+)\]")
EXCEPTION = re.compile(r"^[\w.]*(?:Error|Exception): .*", re.MULTILINE)
BOLD, RED, GREEN, PLAIN = ("\033[1m", "\033[31m", "\033[32m", "\033[0m") if sys.stdout.isatty() else ("", "", "", "")


@dataclass(frozen=True)
class Example:
    """A program in both forms, with words that the output of each must contain."""

    name: str
    consequence: str
    bad_shows: tuple[str, ...]
    good_shows: tuple[str, ...]


@dataclass(frozen=True)
class Finding:
    """An error at a line."""

    file: str
    line: int
    code: str
    message: str


EXAMPLES = (
    Example("vehicle", "a stale number", ("4 wheels carry 600 each",), ("4 wheels carry 300 each",)),
    Example("time_stepper", "a stale number, further off at each refinement", ("= 0.0148",), ("= 0.3585", "= 0.3632")),
    Example("training_loop", "a compilation per call", ("compiled 5 times",), ("compiled 1 time",)),
    Example("network", "an exception at the first call", ("ValueError: Non-hashable",), ("shape (8, 1)",)),
    Example("stencil", "an exception at the second call", ("call 1: ", "ValueError: static arg"), ("call 2: ",)),
    Example(
        "custom_class",
        "an exception, a stale number, an exception",
        ("PlainClass   2 * 3 = TypeError", "StaticClass  2 + 3 = 6", "HashedClass  2 * 3 = ValueError"),
        ("2 * 3 = 6", "2 + 3 = 5"),
    ),
)


def main() -> int:
    print("jaxtyped-static check reads examples/ (the first time also JAX, which takes a while) ...", flush=True)
    faults: list[str] = []
    with ThreadPoolExecutor(max_workers=2) as pool:
        outputs = {name: pool.submit(run, name) for example in EXAMPLES for name in programs(example)}
        findings = check()
        for example in EXAMPLES:
            print(f"\n{BOLD}{example.name}: {example.consequence}{PLAIN}")
            for program, expected in programs(example).items():
                faults += show(program, findings, outputs[program].result(), expected)
    print()
    for fault in faults:
        print(f"{RED}unexpected:{PLAIN} {fault}", file=sys.stderr)
    if not faults:
        print(f"{GREEN}Every failure was predicted, and every corrected program is silent and right.{PLAIN}")
    return 1 if faults else 0


def programs(example: Example) -> dict[str, tuple[str, ...]]:
    """Yields both forms of an example, with the words that each must print."""
    return {f"bad/{example.name}.py": example.bad_shows, f"good/{example.name}.py": example.good_shows}


def check() -> list[Finding]:
    """Checks both folders; returns an error for each position of a finding. Exits if the command fails."""
    arguments = ["check", "--all", "--format=json", f"--python={sys.executable}", f"--cache-dir={CACHE}", "bad", "good"]
    done = execute([sys.executable, "-m", "jaxtyped_static_mypy", *arguments])
    if done.returncode not in (0, 1) or done.stderr.strip():
        sys.exit(f"jaxtyped-static check failed:\n{done.stdout}{done.stderr}")
    report = json.loads(done.stdout)
    found = [Finding(other["path"], other["line"], other["code"], other["message"]) for other in report["others"]]
    for cause in report["findings"]:
        for place in cause["positions"] or [{**cause, "description": ""}]:
            message = "; ".join(filter(None, [cause["problem"], cause["advice"]]))
            text = ": ".join(filter(None, [place["description"], message]))
            found.append(Finding(place["path"], place["line"], cause["code"], text))
    return sorted(found, key=lambda finding: (finding.file, finding.line, finding.code))


def show(program: str, findings: list[Finding], output: list[str], expected: tuple[str, ...]) -> list[str]:
    """Prints what is reported of a program and what the program did; returns what differs from the prediction."""
    source = (HERE / program).read_text(encoding="utf-8")
    errors = [f for f in findings if f.file == program]
    print(f"  examples/{program}")
    for error in errors:
        print_row("check", RED, f"line {error.line}: {error.message}  [{error.code}]")
    if not errors:
        print_row("check", GREEN, "nothing found")
    for line in output:
        print_row("run", "", line)
    missing = [f"{program} does not show {text!r}" for text in expected if not any(text in line for line in output)]
    return missing + differences(program, marks(source), Counter((f.line, f.code) for f in errors))


def run(program: str) -> list[str]:
    """Returns the lines a program prints, and the exception it ends with, if any."""
    env = {"JAX_PLATFORMS": "cpu", **os.environ}
    done = execute([sys.executable, program], env)
    if done.returncode == 0:
        return done.stdout.splitlines()
    raised = EXCEPTION.search(done.stderr)
    ending = textwrap.shorten(raised[0] if raised else done.stderr, 160, placeholder=" ...")
    return [*done.stdout.splitlines(), ending]


def execute(command: list[str], env: dict[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    """Runs a command in this folder, with empty input."""
    return subprocess.run(
        command, cwd=HERE, env=env, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
    )


def marks(source: str) -> Counter[tuple[int, str]]:
    """Returns the errors that a source announces: `# E: [code]` at the end of a line."""
    lines = enumerate(source.splitlines(), start=1)
    return Counter((number, code) for number, line in lines for code in MARK.findall(line))


def differences(program: str, marked: Counter[tuple[int, str]], found: Counter[tuple[int, str]]) -> list[str]:
    missing = [f"{program}:{line}: no [{code}] is reported" for line, code in sorted((marked - found).elements())]
    surplus = [f"{program}:{line}: [{code}] is not marked" for line, code in sorted((found - marked).elements())]
    return missing + surplus


def print_row(label: str, colour: str, text: str) -> None:
    indent = " " * 11
    wrapped = textwrap.fill(
        text, width=118, initial_indent=indent, subsequent_indent=indent, break_on_hyphens=False
    ).lstrip()
    print(f"    {label:<5}  {colour}{wrapped}{PLAIN if colour else ''}")


if __name__ == "__main__":
    sys.exit(main())
