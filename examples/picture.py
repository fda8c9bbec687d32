"""Makes docs/picture.svg: what `jaxtyped-static check` shows of the README's first program.

Run it with `make picture`, or `python examples/picture.py [FILE]`.
"""

import io
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from rich.console import Console
from rich.text import Text

ROOT = Path(__file__).resolve().parents[1]
PICTURE = ROOT / "docs" / "picture.svg"
COMMAND = ("jaxtyped-static", "check", "main.py")
WIDTH = 108


def main(target: Path = PICTURE) -> None:
    console = Console(record=True, width=WIDTH, file=io.StringIO(), force_terminal=True)
    console.print(Text.assemble(("$ ", "bold green"), " ".join(COMMAND)))
    console.print(Text.from_ansi(checked(first_program())))
    console.save_svg(str(target), title="jaxtyped-static", unique_id="check")


def first_program() -> str:
    """The first program of the README."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    found = re.search(r"^```python\n(.*?)^```", readme, re.MULTILINE | re.DOTALL)
    assert found is not None, "the README begins with a program"
    return found[1]


def checked(program: str) -> str:
    """What the command prints, without its last line, which tells of this machine."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "main.py").write_text(program, encoding="utf-8")
        done = subprocess.run(
            [sys.executable, "-m", "jaxtyped_static_mypy", *COMMAND[1:], "--python", sys.executable, "--color=always"],
            cwd=folder,
            env={**os.environ, "COLUMNS": str(WIDTH)},
            capture_output=True,
            text=True,
        )
    if done.returncode != 1:
        sys.exit(f"the command found nothing, or failed:\n{done.stdout}{done.stderr}")
    return "\n".join(done.stdout.splitlines()[:-1])


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
