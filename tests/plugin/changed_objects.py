"""Programs that change objects. A comment says what its line changes."""

from __future__ import annotations

from collections.abc import Mapping

CONFIG = """
    from dataclasses import dataclass

    @dataclass
    class Solver:
        order: int
        sizes: list[int]

    @dataclass
    class Config:
        dt: float
        solver: Solver
        layers: list[Solver]

        def copy_of_solver(self) -> Solver: ...
        @property
        def first(self) -> Solver: ...

    class Special(Config): ...

    DEFAULT = Config(0.1, Solver(2, []), [])
    def make() -> Config: ...
"""

# A comment says what its line changes: `Config.dt`, or `?.dt` for an object that the syntax does not show.
PROGRAMS: Mapping[str, str] = {
    "a parameter with an annotation": """
        from config import Config
        import config as settings
        from typing import Optional

        def f(a: Config, b: "settings.Config", c: Config | None, d: Optional[Config], e):
            a.dt = 1  # Config.dt
            b.dt += 1  # Config.dt
            del c.dt  # Config.dt
            d.dt: float = 2  # Config.dt
            e.dt = 3  # ?.dt
    """,
    "what a variable is bound to": """
        from config import Config, DEFAULT, make
        import config, copy, dataclasses

        def f(a: Config):
            b = a
            b.dt = 1  # Config.dt
            c = make()
            c.dt = 1  # Config.dt
            DEFAULT.dt = 1  # Config.dt
            config.DEFAULT.dt = 1  # Config.dt
            d = None
            if a:
                d = Config(1, a.solver, [])
            d.dt = 1  # Config.dt
            e = a if c else a.solver
            e.dt = 1  # ?.dt
    """,
    "a part of an object": """
        from config import Config

        def f(a: Config, many: list[Config], by_name: dict[str, Config]):
            a.solver.order = 1  # Solver.order
            a.layers[0].order = 1  # Solver.order
            a.copy_of_solver().order = 1  # Solver.order
            a.first.order = 1  # Solver.order
            a.solver.sizes.append(1)  # Solver.sizes
            a.solver.sizes[0] = 1  # Solver.sizes
            for layer in a.layers:
                layer.order = 1  # Solver.order
            for i, one in enumerate(many):
                one.dt = i  # Config.dt
            for name, one in by_name.items():
                one.dt = 1  # Config.dt
            many[0].dt = 1  # Config.dt
            [setattr(x, "dt", 1) for x in many]
    """,
    "an attribute set by its name": """
        from config import Config

        def f(a: Config, values):
            setattr(a, "dt", 1)  # Config.dt
            object.__setattr__(a, "dt", 1)  # Config.dt
            for name, value in values.items():
                setattr(a, name, value)  # Config.*
    """,
    "an object that the function builds": """
        from config import Config, Solver
        import dataclasses

        def f(a: Config):
            new = Config(0.1, Solver(1, []), [])
            new.dt = 1
            new.layers.append(Solver(1, []))
            use(new)
            new.dt = 2  # Config.dt
            copy = dataclasses.replace(a)
            copy.dt = 3
            holder = Config(0.1, a.solver, [])
            holder.solver.order = 2  # Solver.order

        def g():
            new = Config(0.1, Solver(1, []), [])
            for i in range(3):
                new.dt = i  # Config.dt
                use(new)
            return new
    """,
    "methods of the object itself": """
        from config import Config, Solver

        class Trainer:
            config: Config

            def __init__(self, solver: Solver, other):
                self.solver = solver
                self.n = 1
                self.solver.order = 2  # Solver.order
                other.n = 3  # ?.n
                self._reset()

            def _reset(self):
                self.k = 0

            def _later(self):
                self.k = 1  # Trainer.k

            def step(self):
                self.n += 1  # Trainer.n
                self._later()
                self.config.dt = 1  # Config.dt
                self.solver.order = 1  # Solver.order
                def inner():
                    self.n = 3  # Trainer.n

            @classmethod
            def make(cls):
                cls.count = 1  # ?.count
                new = cls(1, 2)
                new.n = 3
                keep(new)
                new.n = 4  # Trainer.n

            @staticmethod
            def static(self):
                self.n = 1  # ?.n
    """,
    "a class that inherits": """
        from config import Special

        class Own(Special):
            def f(self):
                self.first.order = 1  # Solver.order

        def f(a: Own):
            a.solver.order = 1  # Solver.order
            a.dt = 1  # Own.dt
    """,
    "locals that are no objects": """
        def f():
            xs = []
            xs.append(1)
            xs[0] = 1
            n = 0
            n += 1
    """,
    "names that a function gives another meaning": """
        from config import Config, DEFAULT, make
        import config

        def matched(x):
            match x:
                case [_, DEFAULT]:
                    DEFAULT.dt = 1  # ?.dt
                case {"a": 1, **make}:
                    make.dt = 1  # ?.dt
                case [1, *config]:
                    config.DEFAULT.dt = 1  # ?.dt

        def nested():
            def make(): ...
            class Config: ...
            make().dt = 1  # ?.dt
            a = Config()
            use(a)
            a.dt = 1  # ?.dt

        def imported():
            from other import Config, make
            from config import Config as Known, DEFAULT as known
            make().dt = 1  # ?.dt
            known.dt = 1  # Config.dt
            new = Known(1, 2, 3)
            new.dt = 1
            use(new)
            new.dt = 2  # Config.dt

        def passing(a: list[Config], b: list[config.Solver]):
            total = [c.dt for c in a]
            for c in b:
                c.order = 2  # Solver.order
    """,
    "several arguments": """
        from config import Config

        def f(*args: Config, **options: Config):
            args.dt = 1  # ?.dt
            args[0].dt = 1  # Config.dt
            for a in args:
                a.dt = 1  # Config.dt
            for name, b in options.items():
                b.dt = 1  # Config.dt
    """,
    "attributes whose names come from elsewhere, of an object being made": """
        from config import Config

        class Trainer:
            def __init__(self, **options):
                for name, value in options.items():
                    setattr(self, name, value)
                self._more(options)

            def _more(self, options):
                setattr(self, options[0], 1)
                self.count = 1
                self._again(options)

            def _again(self, options):
                self.more = 1
                self._more(options)

            def later(self, name):
                setattr(self, name, 1)  # Trainer.*

        def build(options):
            new = Config(1, 2, 3)
            for name, value in options.items():
                setattr(new, name, value)
            return new

        def nested_in_making():
            class Inner:
                def __init__(self):
                    class Innermost:
                        def go(self):
                            self.x = 1  # ?.x
    """,
    "an object whose methods run again, or are compiled, before it changes": """
        from config import Config
        import jax

        def f(xs):
            used = Config(1, 2, 3)
            for x in xs:
                used.copy_of_solver()
                used.dt = x  # Config.dt
            compiled = Config(1, 2, 3)
            step = jax.jit(compiled.copy_of_solver)
            compiled.dt = 1  # Config.dt
            built = Config(1, 2, 3)
            built.copy_of_solver()
            for x in xs:
                built.dt = x
            print(built.solver)
            built.order = 1
            return built
    """,
    "names bound again to a copy, or first to None": """
        from config import Config, Solver
        from dataclasses import replace
        import copy

        state = None

        def start():
            global state
            state = Config(1, 2, 3)

        class Trainer:
            solver = None
            config = Config(1, 2, 3)

            def __init__(self, given: Config | None = None):
                self.env = None
                self.given = given or Config(1, 2, 3)

            def reset(self):
                self.env = Config(1, 2, 3)  # Trainer.env
                self.solver = Solver(1, [])  # Trainer.solver
                self.env.dt = 1  # Config.dt
                self.solver.order = 1  # Solver.order
                self.given.dt = 1  # Config.dt
                self.config.dt = 1  # Config.dt
                state.dt = 1  # Config.dt
                self = self.replace(env=1)
                self.env.dt = 1  # Config.dt

        def f(a: Config):
            a = replace(a, dt=1)
            a = a.replace(dt=2)
            a.dt = 1  # Config.dt
            b = c
            c = b
            b.dt = 1  # ?.dt
            deep = copy.deepcopy(a)
            deep.solver.order = 2
            new = a.kept = Config(1, 2, 3)  # Config.kept
            new.dt = 1  # Config.dt
    """,
    "a variable that holds objects of several classes": """
        from config import Config, Solver
        from typing import overload

        state = Config(1, 2, 3)

        def other():
            global state
            state = Solver(1, [])

        @overload
        def load(a: int) -> Config: ...
        @overload
        def load(a: str) -> Solver: ...
        def load(a): ...

        def f(both: tuple[Config, Solver], many: tuple[Config, ...]):
            state.dt = 1  # ?.dt
            load(1).dt = 1  # ?.dt
            both[0].dt = 1  # ?.dt
            many[0].dt = 1  # Config.dt
    """,
    "expressions that hand on what is in them": """
        from config import Config, make
        from typing import Final, TypeAlias, cast

        FIXED: Final = Config(1, 2, 3)
        Alias: TypeAlias = Config
        BY_NAME = {"a": Config(1, 2, 3)}

        async def load() -> Config: ...

        async def f(a: Alias, many: list[Config], x):
            a.dt = 1  # Config.dt
            FIXED.dt = 1  # Config.dt
            BY_NAME["a"].dt = 1  # Config.dt
            b = await load()
            b.dt = 1  # Config.dt
            (c := make()).dt = 1  # Config.dt
            d = cast(Config, x)
            d.dt = 1  # Config.dt
            for e in reversed(many):
                e.dt = 1  # Config.dt
    """,
    "names of a star import": """
        from config import *

        def f(a: Config):
            a.dt = 1  # Config.dt
            DEFAULT.solver.order = 1  # Solver.order
            print.dt = 1  # ?.dt
    """,
}
