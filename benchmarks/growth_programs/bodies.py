"""Functions with large bodies."""

from benchmarks.growth_programs.family import family, indented, jitted, joined, lines


@family
def many_statements(n: int) -> str:
    return jitted("y = x\n" + lines("y = y + {i}\n", n) + "return y")


@family
def many_variables(n: int) -> str:
    return jitted("y0 = x\n" + "".join(f"y{i} = y{i - 1} + n\n" for i in range(1, n)) + "return x")


@family
def many_variables_and_conditions(n: int) -> str:
    return jitted(
        "y0 = x\n" + "".join(f"y{i} = y{i - 1} + n\nif n > {i}:\n    y{i} = x\n" for i in range(1, n)) + "return x"
    )


@family
def many_conditions(n: int) -> str:
    return jitted("y = x\n" + lines("if n > {i}:\n    y = y + x\n", n) + "return y")


@family
def many_narrowings(n: int) -> str:
    return jitted(
        lines("if y{i} is not None:\n    x = x + y{i}\n", n) + "return x",
        "x: jax.Array, " + joined("y{i}: jax.Array | None", n),
    )


@family
def many_loops(n: int) -> str:
    return jitted("y = x\n" + lines("for _ in range(n):\n    y = y + x\n", n) + "return y")


@family
def many_loops_over_many_variables(n: int) -> str:
    return jitted(lines("y{i} = x\n", n) + lines("for _ in range(n):\n    y{i} = y{j} + x\n", n) + "return x")


@family
def loop_that_rotates_variables(n: int) -> str:
    names, rotated = joined("y{i}", n), joined("y{j}", n)
    return jitted(f"{joined('y{i}', n, ' = ')} = x\nfor _ in range(n):\n    {names}, = {rotated},\nreturn y0")


@family
def many_breaks(n: int) -> str:
    return jitted(
        "y = x\nfor k in range(n):\n" + lines("    if k > {i}:\n        y = y + {i}\n        break\n", n) + "return y"
    )


@family
def many_returns(n: int) -> str:
    return jitted("y = x\n" + lines("if n == {i}:\n    return y\n", n) + "return y")


@family
def many_tries(n: int) -> str:
    return jitted("y = x\n" + lines("try:\n    y = y + {i}\nexcept ValueError:\n    y = x\n", n) + "return y")


@family
def many_handlers(n: int) -> str:
    return jitted("y = x\ntry:\n    y = x + 1\n" + lines("except ValueError:\n    y = x\n", n) + "return y")


@family
def many_with_statements(n: int) -> str:
    return jitted("y = x\n" + lines("with jax.named_scope('s{i}'):\n    y = y + {i}\n", n) + "return y")


@family
def many_cases(n: int) -> str:
    return jitted("y = x\nmatch n:\n" + lines("    case {i}:\n        y = y + {i}\n", n) + "return y")


@family
def many_cases_that_capture(n: int) -> str:
    return jitted(
        "y = x\nmatch t:\n" + lines("    case ({i}, a{i}):\n        y = y + a{i}\n", n) + "return y",
        "x: jax.Array, t: Static[tuple[int, int]]",
    )


@family
def many_alternatives_in_a_case(n: int) -> str:
    return jitted(f"match n:\n    case {joined('{i}', n, ' | ')}:\n        return x\nreturn x")


@family
def many_asserts(n: int) -> str:
    return jitted(lines("assert n > {i}\n", n) + "return x")


@family
def many_deletions(n: int) -> str:
    return jitted(lines("y{i} = x\n", n) + lines("del y{i}\n", n) + "return x")


@family
def many_nested_functions(n: int) -> str:
    body = lines("def g{i}(y: jax.Array) -> jax.Array:\n    return y\nx = g{i}(x)\n", n)
    return jitted(f"{body}return x")


@family
def many_nested_functions_that_call_the_next(n: int) -> str:
    body = lines("def g{i}(y: jax.Array) -> jax.Array:\n    return g{j}(y)\n", n)
    return jitted(f"{body}return g0(x)")


@family
def many_nested_functions_that_call_two(n: int) -> str:
    body = "".join(
        f"def g{i}(y: jax.Array) -> jax.Array:\n    return g{(i - 1) % n}(y) + g{(i * 7 + 3) % n}(y)\n"
        for i in range(n)
    )
    return jitted(f"{body}return g0(x)")


@family
def many_nested_functions_backwards(n: int) -> str:
    body = "".join(
        f"def g{i}(y: jax.Array) -> jax.Array:\n    return {f'g{i - 1}(y)' if i else 'y'}\n" for i in range(n)
    )
    return jitted(f"{body}return g{n - 1}(x)")


@family
def many_captured_names(n: int) -> str:
    sums = joined("y{i}", n, " + ")
    return jitted(lines("y{i} = x\n", n) + f"def g(z: jax.Array) -> jax.Array:\n    return {sums}\nreturn g(x)")


@family
def many_functions_that_capture_all(n: int) -> str:
    body = lines("def g{i}(z: jax.Array) -> jax.Array:\n    return z + y{i}\n", n)
    return jitted(lines("y{i} = x\n", n) + body + "return g0(x)")


@family
def many_lambdas(n: int) -> str:
    return jitted(lines("x = jax.vmap(lambda y: y + {i})(x)\n", n) + "return x")


@family
def many_nonlocals(n: int) -> str:
    names = joined("y{i}", n)
    return jitted(
        lines("y{i} = 0\n", n)
        + f"def g() -> None:\n    nonlocal {names}\n"
        + lines("    y{i} = {i}\n", n)
        + "g()\nreturn x"
    )


@family
def many_assignments_to_one_object(n: int) -> str:
    return jitted("d: dict[str, jax.Array] = {}\n" + lines("d['a{i}'] = x\n", n) + "return d")


@family
def many_changes_of_argument(n: int) -> str:
    return jitted(lines("d['a{i}'] = x\n", n) + "return d", "x: jax.Array, d: dict[str, jax.Array]")


@family
def many_changes_of_static(n: int) -> str:
    return "@dataclass(frozen=True)\nclass C:\n    d: tuple[int, ...]\n" + jitted(
        lines("object.__setattr__(c, 'd', ({i},))\n", n) + "return x", "x: jax.Array, c: Static[C]"
    )


@family
def many_appends_outside(n: int) -> str:
    return "seen: list[int] = []\n" + jitted(lines("y{i} = n\nseen.append(y{i})\n", n) + "return x")


@family
def many_names_bound_to_each_other(n: int) -> str:
    body = "".join(f"y{i} = y{i - 1}\n" for i in range(1, n))
    return jitted(f"y0 = d\n{body}y{n - 1}['a'] = x\nreturn y0", "x: jax.Array, d: dict[str, jax.Array]")


@family
def many_appends_of_names_bound_to_each_other(n: int) -> str:
    body = "".join(f"y{i} = (y{i + 1}, {i})\n" for i in range(n))
    return "seen: list[Any] = []\n" + jitted(
        f"y{n} = n\nfor _ in range(n):\n{indented(body)}\n    seen.append(y0)\nreturn x"
    )


@family
def large_list(n: int) -> str:
    return jitted(f"return [{joined('x', n)}]")


@family
def large_list_of_numbers(n: int) -> str:
    return f"NUMBERS = [{joined('{i}', n)}]\n" + jitted("return x")


@family
def large_list_of_tuples(n: int) -> str:
    return jitted(f"return [{joined('({i}, x, (n, x))', n)}]")


@family
def large_dict(n: int) -> str:
    return jitted("d = {" + joined("'a{i}': x", n) + "}\nreturn d['a0']")


@family
def large_dict_that_is_read(n: int) -> str:
    return jitted("d = {" + joined("'a{i}': x", n) + "}\n" + lines("x = x + d['a{i}']\n", n) + "return x")


@family
def large_unpacking(n: int) -> str:
    return jitted(f"{joined('y{i}', n)} = {joined('x', n)}\nreturn y0")


@family
def growing_tuple(n: int) -> str:
    return jitted("t: tuple[Any, ...] = ()\n" + lines("t = (*t, x)\n", n) + "return t")


@family
def doubling_tuple_value(n: int) -> str:
    return jitted("t: Any = x\n" + lines("t = (t, t)\n", n) + "return t")


@family
def large_f_string(n: int) -> str:
    return jitted("s = f'" + joined("{{n}}", n, "") + "'\nreturn x")


@family
def large_module_of_assignments(n: int) -> str:
    return lines("A{i} = {i}\nB{i} = A{i} + 1\n", n) + jitted("return x")


@family
def large_module_of_calls(n: int) -> str:
    return "def h(n: int) -> int:\n    return n\n" + lines("A{i} = h({i})\n", n) + jitted("return x")
