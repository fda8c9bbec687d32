"""`make site`: writes the pages, and lets Zensical build the site from them. A warning is an error."""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from website.pages import ROOT, write_pages


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m website", description=__doc__)
    parser.add_argument("--to", type=Path, default=ROOT / "build", help="the folder for `pages` and `site`")
    folder = parser.parse_args(arguments).to.resolve()
    shutil.rmtree(folder / "pages", ignore_errors=True)
    write_pages(folder / "pages")
    shutil.copy(ROOT / "website" / "mkdocs.yml", folder)  # Zensical builds only below the folder of its settings
    build = [sys.executable, "-m", "zensical", "build", "--clean", "--strict"]
    environment = {**os.environ, "REPOSITORY": str(ROOT)}
    done = subprocess.run(build, cwd=folder, env=environment, check=False)
    if not done.returncode:
        print(f"open {folder / 'site' / 'index.html'}")
    return done.returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
