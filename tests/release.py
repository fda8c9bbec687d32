"""`make release-check`: builds the distributions, installs the wheel with each Python, and checks what PyPI will show.

It publishes nothing. What only a maintainer can do is listed at the end.
"""

from __future__ import annotations

import re
import shutil
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from email.message import Message
from email.parser import Parser
from html.parser import HTMLParser
from pathlib import Path
from typing import Final

from tests.e2e.environments import ROOT, build, install, run

PYTHONS: Final = ("3.11", "3.12", "3.13")
WANTED: Final = (
    *("Author", "Classifier", "Description-Content-Type", "Keywords", "License-Expression", "License-File"),
    *("Name", "Requires-Dist", "Requires-Python", "Summary", "Version"),
)
# Uses the runtime, and mypy with the plugin, from the installed wheel.
_PROGRAM: Final = """
import jax, jaxtyped_static, jaxtyped_static_mypy
from jaxtyped_static import Static, jit, static_dataclass
@static_dataclass
class Solver:
    order: int
def power(x: jax.Array, solver: Static[Solver]) -> jax.Array:
    return x ** solver.order
assert jit(power)(jax.numpy.float32(3), Solver(2)) == 9
"""


class Unready(Exception):
    """The distributions must not be published like this."""


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        try:
            check(Path(folder))
        except (AssertionError, Unready) as why:
            print(f"error: {why}", file=sys.stderr)
            return 1
    return 0


def check(folder: Path) -> None:
    """Prints a line for each thing that is right. Raises `Unready` or AssertionError at the first that is not."""
    wheel, sdist = (build(ROOT, _empty(folder / kind), kind) for kind in ("wheel", "sdist"))
    print(f"built      {wheel.name}, {sdist.name}")
    run(sys.executable, "-m", "twine", "check", "--strict", wheel, sdist, cwd=folder)
    print("twine      accepts both")
    metadata = metadata_of(wheel)
    if missing := [key for key in WANTED if key not in metadata]:
        raise Unready(f"the metadata lack {', '.join(missing)}")
    print(f"metadata   {len(metadata.keys())} lines")
    check_readme(str(metadata.get_payload()))
    print("README     rendered as on PyPI; every link is absolute")
    for version in PYTHONS:
        print(f"{f'Python {version}':10} {installed(version, wheel, folder)}")
    for todo in left_to_do(metadata):
        print(f"to do      {todo}")


def metadata_of(wheel: Path) -> Message:
    with zipfile.ZipFile(wheel) as archive:
        (name,) = (name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
        return Parser().parsestr(archive.read(name).decode())


def check_readme(text: str) -> None:
    """Raises `Unready` if PyPI would not show the README, or would show a link that leads nowhere."""
    from readme_renderer import markdown  # only the extra `release` has it

    shown = markdown.render(text)
    if shown is None:
        raise Unready("PyPI cannot render the README")
    page = _Page()
    page.feed(shown)
    anchors = {f"#{anchor}" for anchor in page.anchors}
    if dead := [link for link in page.links if not link.startswith(("https://", "http://")) and link not in anchors]:
        raise Unready(f"the README has links that PyPI cannot follow: {', '.join(dead)}")


def installed(version: str, wheel: Path, folder: Path) -> str:
    """Installs the wheel into a new environment and uses it; returns what was done."""
    python = interpreter(version)
    if python is None:
        return "skipped: not on this machine"
    environment = folder / f"python{version}"
    run(python, "-m", "venv", environment, cwd=folder)
    own = environment / "bin" / "python"
    install(own, f"jaxtyped-static[cli] @ {wheel.as_uri()}")
    run(own, "-c", _PROGRAM, cwd=folder)
    said = run(environment / "bin" / "jaxtyped-static", "rule", "static-mutable", cwd=folder)
    assert "static-mutable" in said.stdout
    jax = run(own, "-c", "import jax; print(jax.__version__)", cwd=folder).stdout.strip()
    return f"installed beside JAX {jax}; the runtime and the command work"


def interpreter(version: str) -> str | None:
    """Returns a Python of this release, found by its name, by uv or by pyenv."""
    candidates = [shutil.which(f"python{version}")]
    if uv := shutil.which("uv"):
        found = run(uv, "python", "find", "--no-project", "--no-python-downloads", version, cwd=ROOT, check=False)
        candidates.append(found.stdout.strip())
    candidates += map(str, (Path.home() / ".pyenv" / "versions").glob(f"{version}.*/bin/python"))
    return next((python for python in candidates if python and _is(python, version)), None)


def left_to_do(metadata: Message) -> Iterator[str]:
    """Yields what only a maintainer can do."""
    if "Project-URL" not in metadata:
        yield "[project.urls] in pyproject.toml, and the README's links, when the site has an address"
    version = metadata["Version"]
    if not re.search(rf"^## \[?{re.escape(version)}\b", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE):
        yield f'CHANGELOG.md: rename "Unreleased" to {version}, with the date'


def _empty(folder: Path) -> Path:
    folder.mkdir()
    return folder


def _is(python: str, version: str) -> bool:
    program = "import sys; print('%d.%d' % sys.version_info[:2])"
    return run(python, "-c", program, cwd=ROOT, check=False).stdout.strip() == version


class _Page(HTMLParser):
    """The links and anchors of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.links: list[str] = []
        self.anchors: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        self.links += [link for name in ("href", "src") if (link := values.get(name)) is not None]
        self.anchors |= {anchor for anchor in (values.get("id"), values.get("name")) if anchor}


if __name__ == "__main__":
    sys.exit(main())
