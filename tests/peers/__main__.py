"""`make peers`: runs other libraries' tests of their classes on our classes.

Each failing test is listed with the reason why it is meant to fail. The command fails if a test fails without a reason,
or with another error than its reason has, or passes although it has one. Downloads are kept in `.cache/peers`.

python -m tests.peers                                        # every suite
python -m tests.peers cpython-static flax-struct             # some of them
python -m tests.peers torax --checkout torax=../torax        # tests that are not in the source distribution
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from tests.peers.intended import Reason, reasons
from tests.peers.running import Outcome, rewritten, run_tests
from tests.peers.sources import Unavailable, test_files
from tests.peers.suites import SUITES


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("suite", nargs="*", help=f"of {', '.join(SUITES)} (default: all)")
    parser.add_argument("--checkout", action="append", default=[], metavar="SUITE=FOLDER", help="where its tests are")
    given = parser.parse_args(arguments)
    checkouts = dict(each.partition("=")[::2] for each in given.checkout)
    if unknown := {*given.suite, *checkouts} - SUITES.keys():
        parser.error(f"no suite is called {', '.join(sorted(unknown))}; there are {', '.join(SUITES)}")
    for name, folder in checkouts.items():
        if not Path(folder).is_dir():
            parser.error(f"--checkout {name}={folder}: there is no such folder")
    results = [_run(name, checkouts) for name in given.suite or SUITES]
    return int(not all(results))


def _run(name: str, checkouts: Mapping[str, str]) -> bool:
    """Returns whether everything is as intended, which includes having no tests."""
    suite = SUITES[name]
    print(f"{name}: {suite.of}", flush=True)
    checkout = Path(checkouts[name]).resolve() if name in checkouts else None
    try:
        outcome = run_tests(name, rewritten(suite, test_files(suite, checkout)))
    except Unavailable as why:
        print(f"  left out: {why}\n", flush=True)
        return True
    return _report(outcome, reasons(name))


def _report(outcome: Outcome, known: Sequence[Reason]) -> bool:
    left_out = sum(outcome.left_out.values())
    print(f"  {len(outcome.passed)} passed, {len(outcome.failed)} failed, {left_out} left out")
    for why, count in outcome.left_out.items():
        print(f"  left out, {count}: {why}")
    explained: set[str] = set()
    for reason in known:
        found = [test for test in reason.tests if reason.error.search(outcome.failed.get(test, ""))]
        explained.update(found)
        if found:
            print(f"  intended, {len(found)}: {reason.why}\n    {', '.join(found)}")
    surprising = outcome.failed.keys() - explained
    for test in sorted(surprising):
        print(f"  NOT INTENDED: {test}: {outcome.failed[test]}")
    outdated = {test for reason in known for test in reason.tests} & outcome.passed
    for test in sorted(outdated):
        print(f"  passes, so remove it from the list of intended failures: {test}")
    print(flush=True)
    return not surprising and not outdated


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
