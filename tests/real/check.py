"""Compares what the plugin finds in real programs with what was reviewed, or records its findings for review.

python -m tests.real.check torax            # the difference from golden/torax.txt
python -m tests.real.check torax --update   # record new findings and new words; a new finding's reason is `?`
"""

from __future__ import annotations

import argparse
import sys
import time

from tests.real import golden
from tests.real.findings import CheckerFault, find
from tests.real.packages import PACKAGES, Package


def check(package: Package, workers: int, *, cold: bool, update: bool) -> list[str]:
    """Returns what is wrong with one package's findings, as lines to print."""
    start = time.perf_counter()
    try:
        findings = find(package, workers, cold=cold)
    except CheckerFault as fault:
        return [str(fault)]
    seconds = time.perf_counter() - start
    print(f"{package.name} {package.version}: {len(findings)} findings in {seconds:.0f} s", flush=True)
    if update:
        golden.write(package, findings)
    return [
        *golden.differences(package, findings),
        *(f"reworded: {text}" for text in golden.reworded(package, findings)),
        *(f"no reason given: {text}" for text in golden.unexplained(package)),
    ]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    names = [package.name for package in PACKAGES]
    parser.add_argument("names", nargs="*", metavar="PACKAGE", help=f"of {', '.join(names)} (default: all)")
    parser.add_argument("--update", action="store_true", help="record the findings and their words")
    parser.add_argument("--workers", type=int, default=0, help="mypy's worker processes (default: none)")
    parser.add_argument("--cold", action="store_true", help="analyse the libraries again, too")
    arguments = parser.parse_args()
    if unknown := set(arguments.names) - set(names):
        parser.error(f"no such package: {', '.join(sorted(unknown))}; there are {', '.join(names)}")
    wrong = False
    for package in PACKAGES:
        if package.name in (arguments.names or names):
            for line in check(package, arguments.workers, cold=arguments.cold, update=arguments.update):
                wrong = True
                print(f"  {line}")
    return int(wrong)


if __name__ == "__main__":
    sys.exit(main())
