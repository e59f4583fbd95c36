"""Order expressions: text to stages, named orders expanded, counts read. No arithmetic on terms.

    order    := stage { "|" stage }
    stage    := name [ "(" [ argument { "," argument } ] ")" ]
    argument := [ key "=" ] ( number | word | stage | "'" text "'" )
"""

import re
from fractions import Fraction


class OrderError(ValueError):
    """The expression is no order, or none for this many terms or for these terms."""


class Call:
    """A stage or a named order as written; arguments are (key or None, value), a value is text or a Call."""

    def __init__(self, name, arguments):
        self.name = name
        self.arguments = arguments


# Name: parameters in their order, each with its default (None: left out), and the expression.
# Orders with stages of CUB's or NCCL's own are missing: tests/order/cub_emulation.hpp and all_reduce_emulation.hpp hold
# them to its threads and its ranks.
NAMED_ORDERS = {
    "sequential": ({}, "seq"),
    "random": ({}, "shuffle | seq"),
    "random_tree": ({}, "shuffle | tree"),
    "simd": ({"w": "8"}, "strided(w) | halving(w)"),
    "gcc_simd": (
        {"w": "8", "epilogue": "4"},
        "strided(w,rest=keep) | halving(w,to=epilogue,rest=keep) | strided(epilogue,rest=keep)"
        " | halving(epilogue,rest=keep) | seq(from=zero)",
    ),
    "clang_simd": (
        {"w": "8", "u": "4", "epilogue": "1"},
        "strided(w,u=u,rest=keep) | lanes(w,u,rows=adjacent,to=1,rest=carry) | strided(epilogue,rest=keep)"
        " | halving(epilogue,rest=keep) | seq(from=zero)",
    ),
    "eigen": (
        {"w": "4"},
        "strided(w,u=2,rest=keep) | lanes(w,2,rest=keep) | strided(w,rest=keep) | halving(w,rest=keep) | seq",
    ),
    "numpy_einsum": ({"w": "4"}, "lanes(w,4,rows=adjacent,rest=keep) | strided(w,from=zero) | adjacent(w)"),
    "std_reduce": ({}, "adjacent(4,rest=keep) | seq(from=zero)"),
    "tbb_deterministic": ({"grain": "1"}, "pairwise(grain,from=zero,half=down)"),
    "warp": ({}, "halving(32) | arrive | seq(acc=atomic)"),
    "ao": ({}, "arrive | seq(acc=atomic)"),
    "spa": (
        {"b": "64", "items": "2", "grid": None},
        "tile(b,items,grid) | halving(b) | arrive | seq(acc=atomic)",
    ),
    "sptr": (
        {"b": "64", "items": "2", "grid": None},
        "tile(b,items,grid) | halving(b) | strided(b,from=zero) | halving(b)",
    ),
    "sprg": (
        {"b": "64", "items": "2", "grid": None},
        "tile(b,items,grid) | halving(b) | seq(from=zero)",
    ),
    "tprc": (
        {"b": "64", "items": "2", "grid": None},
        "tile(b,items,grid) | halving(b) | seq(from=zero)",
    ),
    "tprc_neumaier": (
        {"b": "64", "items": "2", "grid": None},
        "tile(b,items,grid) | halving(b) | seq(acc=neumaier)",
    ),
    "cub_warp": ({"w": "32"}, "strided(w) | adjacent(w)"),
    "cub_block": ({"b": "256"}, "strided(b) | adjacent(32) | seq"),
    "cg": ({"b": "32"}, "strided(b,from=zero) | halving(32) | halving(32)"),
    "nccl_ring": ({"chunk": "0"}, "rotate(chunk,last) | seq"),
    "mpi_recursive_doubling": ({}, "power_of_two | pairwise"),
    "mpi_rabenseifner": ({}, "power_of_two | pairwise"),
    "ompi_ring": ({"block": "0"}, "rotate(block) | seq"),
    "mpi_binomial": ({"root": "0"}, "rotate(root) | rank_tree(binomial)"),
    "ompi_binary": ({"root": "0"}, "rotate(root) | rank_tree(levels)"),
    "ompi_chain": ({"root": "0"}, "rotate(root) | reverse | seq"),
    "ompi_linear": ({}, "reverse | seq"),
    "ompi_in_order": ({}, "rank_tree(in_order)"),
    "openmp": ({"t": "8"}, "chunks(t) | arrive | seq(from=zero)"),
    "openmp_llvm": ({"t": "8"}, "chunks(t) | adjacent(t) | seq(from=zero)"),
}

TOKEN = re.compile(r"\s*(?:([,()|=])|'([^']*)'|([^,()|='\s]+))")


def tokens_of(text):
    """Pairs (kind, text) with kind `mark`, `quoted` or `word`, and an `end` behind them."""
    tokens, position = [], 0
    text = text.rstrip()
    while position < len(text):
        match = TOKEN.match(text, position)
        if not match:
            raise OrderError(f"{text!r}: cannot be read from character {position + 1} on")
        mark, quoted, word = match.groups()
        if mark is not None:
            tokens.append(("mark", mark))
        else:
            tokens.append(("word", word) if quoted is None else ("quoted", quoted))
        position = match.end()
    return tokens + [("end", "")]


class Parser:
    """Recursive descent over the tokens of one expression."""

    def __init__(self, text):
        self.tokens = tokens_of(text)
        self.position = 0

    def take(self, token):
        """Whether `token` is next; if so it is consumed."""
        found = self.tokens[self.position] == token
        self.position += found
        return found

    def next_of(self, *kinds):
        kind, text = self.tokens[self.position]
        if kind not in kinds:
            raise OrderError(f"found {text!r} where a {' or '.join(kinds)} belongs")
        self.position += 1
        return kind, text

    def order(self):
        stages = [self.stage()]
        while self.take(("mark", "|")):
            stages.append(self.stage())
        self.next_of("end")
        return stages

    def stage(self):
        return Call(self.next_of("word")[1], self.arguments())

    def arguments(self):
        arguments = []
        if self.take(("mark", "(")) and not self.take(("mark", ")")):
            arguments.append(self.argument())
            while self.take(("mark", ",")):
                arguments.append(self.argument())
            if not self.take(("mark", ")")):
                raise OrderError("a ')' is missing")
        return arguments

    def argument(self):
        kind, text = self.next_of("word", "quoted")
        if kind == "word" and self.take(("mark", "=")):
            return text, self.argument_value(*self.next_of("word", "quoted"))
        return None, self.argument_value(kind, text)

    def argument_value(self, kind, text):
        if kind == "word" and self.tokens[self.position] == ("mark", "("):
            return Call(text, self.arguments())
        return text


def bind(call, parameters, options=()):
    """The arguments of `call` by name: positions fill `parameters` in order, keys name any of them or an option."""
    bound, position = {}, 0
    for key, value in call.arguments:
        if key is None:
            if position == len(parameters):
                raise OrderError(f"{call.name} takes at most {len(parameters)} arguments")
            key = parameters[position]
            position += 1
        if key not in parameters and key not in options:
            raise OrderError(f"{call.name} has no argument {key}")
        if key in bound:
            raise OrderError(f"{call.name}: {key} is given twice")
        bound[key] = value
    return bound


def parse(text):
    """The stages of an expression, named orders replaced by theirs."""
    stages = []
    for call in Parser(text).order():
        if call.name not in NAMED_ORDERS:
            stages.append(call)
            continue
        defaults, expression = NAMED_ORDERS[call.name]
        values = {**defaults, **bind(call, list(defaults))}
        for stage in Parser(expression).order():
            filled = [(key, values.get(value, value)) for key, value in stage.arguments]
            stages.append(Call(stage.name, [(k, v) for k, v in filled if v is not None]))
    return stages


def count_of(text, least=1):
    """A count of at least `least`, written as 4096, 4_096, 4.096e3 or 2^12."""
    plain = text.replace("_", "") if isinstance(text, str) else ""
    if re.fullmatch(r"\d+\^\d+", plain):
        base, exponent = plain.split("^")
        value = Fraction(int(base) ** int(exponent))
    elif re.fullmatch(r"\d+(\.\d+)?(e\d+)?", plain):
        value = Fraction(plain)
    else:
        raise OrderError(f"{text!r} is not a count")
    if value.denominator != 1 or not least <= value < 2**64:
        raise OrderError(f"{text!r} is not a count from {least} up")
    return int(value)
