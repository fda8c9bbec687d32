"""A fuzzer for the checker: odd programs and edit histories that must not crash it or leave it with stale answers.

`make fuzz`, or `python -m tests.fuzz --help`. `test_fuzz.py` runs a fixed number of cases of each kind. A seed
determines the cases.

A kind of case is a row of `KINDS` in `__main__.py`: a module with these three functions.

    cases(seed: int) -> Iterator[CaseT]
        Yields cases without end, always the same for the same seed. A case has a `name`, and has not run yet.

    run(cases: Sequence[CaseT], folder: Path) -> Iterator[Failure]
        Runs several cases at once and yields what is wrong. `folder` is kept between calls, and between runs of the
        command: put a cache for many cases there, in a subfolder. Failures of one `cause` count as one.

    smallest(failure: Failure, folder: Path) -> Failure
        Returns the same failure with as little text as possible; called once for each cause. `shrinking.py` helps.

`__main__.py` takes the kinds in turn and writes the files of each failure to a folder.
"""
