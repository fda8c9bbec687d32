"""A fuzzer for the checker: odd programs and edit histories, made from a seed, that must not bring it down or leave it
with old answers.

`make fuzz`, or `python -m tests.fuzz --help`. `test_fuzz.py` runs a fixed number of cases of each kind.

A kind of case is a row of `KINDS` in `__main__.py`: a module with these three functions.

    cases(seed: int) -> Iterator[CaseT]
        Without end, and the same for the same seed. A case has a `name`, and nothing has been run on it.

    run(cases: Sequence[CaseT], folder: Path) -> Iterator[Failure]
        Runs several cases at once and yields what is wrong. `folder` is kept between calls, and between runs of the
        command: a cache for many cases belongs there, in a subfolder. Failures of one `cause` count as one.

    smallest(failure: Failure, folder: Path) -> Failure
        The same failure with as little text as possible, asked for once for each cause. `shrinking.py` helps.

`__main__.py` takes the kinds in turn and writes the files of each failure to a folder.
"""
