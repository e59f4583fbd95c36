"""Orders to compare: the named ones with several parameters, random valid pipelines, and some to refuse."""

from formats import FP64
from grammar import parse
from orders import State, apply

TILED = ("", "(32)", "(128,1)", "(items=4,b=16)", "(64,2,3)", "(grid=200)", "(1,3)", "(2,1,grid=2)")

NAMED = (
    ["sequential", "pairwise", "numpy", "polars", "warp", "ao"]
    + ["nccl_ring", "ompi_ring(block=0)", "mpi_recursive_doubling", "mpi_rabenseifner"]
    + ["mpi_binomial", "ompi_binary(root=0)", "ompi_chain", "ompi_linear", "ompi_in_order"]
    + [f"simd{p}" for p in ("", "(1)", "(4)", "(w=2^4)", "(64)")]
    + [f"gcc_simd{p}" for p in ("", "(4,1)", "(16,epilogue=8)", "(w=64)")]
    + [f"clang_simd{p}" for p in ("", "(4,2)", "(16,4,8)", "(8,3,2)")]
    + [f"{name}{p}" for name in ("eigen", "numpy_einsum") for p in ("", "(2)", "(w=16)")]
    + ["std_reduce", "tbb_deterministic", "tbb_deterministic(7)"]
    + [f"cub_warp{p}" for p in ("", "(16)", "(w=3)")]
    + [f"{name}{p}" for name in ("cub_block", "cg") for p in ("", "(64)", "(b=2^9)", "(1024)")]
    + [f"openmp{p}" for p in ("", "(1)", "(3)", "(t=100)")]
    + [f"openmp_llvm{p}" for p in ("", "(5)", "(t=100)")]
    + [f"{name}{p}" for name in ("spa", "sptr", "sprg", "tprc_neumaier") for p in TILED]
    + [f"tprc{p}" for p in TILED[:3]]
)

# None of these is an order for `sum` of 5 terms that are numbers.
REFUSED = (
    "seq |", "seq | | seq", "seq(", "seq)", "Seq", "sequence", "seq(x=1)", "seq(1,2)", "seq(1.5)", "seq(2)",
    "reverse", "halving", "halving(0)", "halving(3)", "halving(4)", "sort(up) | seq",
    "halving(8,acc=plain)", "halving(8,from=zero)", "seq(acc=fast)", "seq(from=one)", "seq(acc=fma)",
    "seq(from=zero,acc=kahan)", "seq(from=first,acc=atomic)", "seq(from=zero,acc=neumaier)",
    "rotate(0)", "rotate(5) | seq", "rotate(1,middle) | seq", "nccl_ring(5)", "ompi_ring(block=6)", "power_of_two",
    "rank_tree(2)", "rank_tree(level)", "ompi_chain(5)",
    "seq(rest=keep)", "strided(2,rest=carry) | seq", "halving(8,to=3) | seq", "halving(8,to=16) | seq",
    "lanes(2) | seq", "lanes(4,2,rest=carry) | seq", "lanes(6,2,to=2) | seq",
    "lanes(4,2,rows=adjacent,acc=kahan) | seq",
    "pairwise(half=left)", "adjacent(2,rest=all) | seq", "chunks(2,rest=keep) | seq",
    "in(bf16) | seq", "round | seq", "round(fp8) | seq", "round(fp16) | in(bf16) | seq", "in(bf16,store=fp32) | seq",
    "in(fp64,store=bf16) | seq(acc=kahan)", "in(fp64,store=fp32) | ao", "round(fp32)",
    "shuffle | seq", "random", "random_tree", "arrive | seq", "warp", "arrive(uniform) | seq",
)  # fmt: skip


class Builder:
    """Random stages one after another, with the number of partial sums after each."""

    def __init__(self, random, m, products):
        self.random = random
        self.m = m
        self.fusable = products
        self.stored = False  # whether sums are stored narrower than they are added: no accumulator but plain ones
        self.stages = []

    def add(self, name, positional=(), options=()):
        """Appends a reducing stage or a named order; `positional` are (parameter, count or word)."""
        shaping = [option for option in options if option[0] in ("rest", "to", "u")]
        plain = spelled(None, name, [*positional, *shaping], ())
        state = State([0.0] * self.m, FP64)
        for call in parse(plain):
            state = apply(call, state, "launch")
        self.m = len(state)
        self.fusable = False
        self.stages.append(spelled(self.random, name, positional, options))

    def count(self):
        """Biased to the boundaries of m and of warps."""
        m = self.m
        near_m = (m // 2, (m + 1) // 2, m - 1, m, m + 1)
        return max(1, self.random.choice((1, 2, 3, 4, 5, 7, 8, 16, 31, 32, 33, 64, 100, 128, 1000, *near_m)))

    def power(self):
        return 2 ** self.random.choice((0, 1, 2, 3, 4, 5, 5, 6, 7, 10))

    def group_options(self, starts=True):
        """`from=` and `acc=` of left to right groups; fma only for products, in the first reducing stage."""
        random = self.random
        start = random.choice(((), (), (("from", "first"),), (("from", "zero"),))) if starts else ()
        fused = self.fusable and random.random() < 0.6
        if fused:
            return (*start, ("acc", "fma"))
        if self.stored:
            return start
        accumulator = random.choice(("", "", "plain", "kahan", "neumaier", "atomic"))
        if accumulator in ("", "plain"):
            return (*start, ("acc", accumulator)) if accumulator else start
        return (("acc", accumulator),)

    def arrange(self):
        kind = self.random.choice(("reverse", "rotate", "sort", "sort", "arrive", "arrive(launch)"))
        if kind == "rotate":
            k = self.random.choice((0, self.m // 2, self.m - 1))
            self.stages.append(f"rotate({k}{self.random.choice(('', ',first', ',last', ',to=last'))})")
        elif kind == "sort":
            by = self.random.choice(("asc", "desc", "abs_asc", "abs_desc"))
            self.stages.append(f"sort({by})")
        else:
            self.stages.append(kind)

    def change_format(self):
        """Rounds the partial sums to a format, and adds in one that has all its numbers."""
        random = self.random
        wider = {"fp64": ["fp64"], "fp32": ["fp32", "fp64"]}
        wider |= {f: [f, "fp32", "fp64"] for f in ("fp16", "bf16")}
        rounded = random.choice(list(wider))
        add = random.choice(wider[rounded])
        narrower = [f for f in wider if f != add and add in wider[f]]
        store = random.choice(narrower) if narrower and random.random() < 0.4 else None
        self.stages += [f"round({rounded})", f"in({add},store={store})" if store else f"in({add})"]
        self.stored = store is not None
        self.fusable = False

    def rest(self):
        return self.random.choice(((), (("rest", "keep"),), (("rest", "add"),)))

    def reduce(self):
        """A reducing stage that may leave any number of partial sums."""
        random = self.random
        kinds = ("seq", "chunks", "strided", "lanes", "tile", "tile", "halving", "adjacent", "power_of_two")
        kind = random.choice(kinds)
        parameter = {"seq": "k", "chunks": "t", "strided": "w"}.get(kind)
        if kind == "tile":
            shape = [("b", self.count()), ("items", random.choice((1, 2, 3, 4, 7)))]
            if random.random() < 0.5:
                shape.append(("grid", random.choice((1, 2, 3, 5, self.count()))))
            self.add("tile", shape, self.group_options(starts=False))
        elif kind == "halving":
            k = self.power()
            to = random.choice(((), (("to", 1),), (("to", k),), (("to", max(1, k // 4)),)))
            self.add("halving", [("k", k)], (*to, *self.rest()))
        elif kind == "adjacent":
            self.add("adjacent", [("k", self.count())], self.rest())
        elif kind == "power_of_two":
            self.add("power_of_two")
        elif kind == "lanes":
            self.lanes()
        elif kind == "chunks":
            self.add(kind, [(parameter, self.count())], self.group_options())
        else:
            unroll = (("u", random.choice((1, 2, 4))),) if kind == "strided" and random.random() < 0.3 else ()
            self.add(kind, [(parameter, self.count())], (*self.kept_groups(), *unroll))

    def kept_groups(self):
        """Options of groups and of their rest, which do not both ask for fused products from zero."""
        groups, rest = self.group_options(), self.rest()
        fused_start = {("acc", "fma"), ("from", "zero")} <= set(groups)
        return groups if fused_start else (*groups, *rest)

    def lanes(self):
        random = self.random
        w = random.choice((self.power(), self.power(), random.choice((3, 5, 6))))
        options = self.kept_groups()
        if not options and random.random() < 0.5:
            options = (("rows", "adjacent"),)
        if w & (w - 1) == 0:
            to = random.choice(((), (("to", 1),), (("to", w),), (("to", max(1, w // 2)),)))
            if to == (("to", 1),) and ("rest", "keep") in options and random.random() < 0.6:
                options = (*(o for o in options if o[0] != "rest"), ("rest", "carry"))
            options = (*options, *to)
        self.add("lanes", [("w", w), ("u", random.choice((1, 2, 3, 4)))], options)

    def finish(self):
        """A stage that leaves one partial sum whatever m is."""
        random = self.random
        kinds = ("seq", "seq(k)", "chunks", "strided", "tile", "halving", "adjacent", "pairwise", "pairwise(base)",
                 "rank_tree")
        kind = random.choice((*kinds, "seq", "seq", "pairwise", "pairwise(base)", "numpy", "polars", "named"))
        if kind in ("seq", "pairwise"):
            self.add(kind, (), self.group_options())
        elif kind == "seq(k)":
            self.add("seq", [("k", self.m + random.choice((0, 1, 100)))], self.group_options())
        elif kind == "pairwise(base)":
            half = random.choice(((), (("half", "down"),), (("half", "up"),)))
            self.add("pairwise", [("base", self.count())], (*self.group_options(), *half))
        elif kind in ("chunks", "strided"):
            self.add(kind, [("t" if kind == "chunks" else "w", 1)], self.group_options())
        elif kind == "tile":
            shape = [("b", 1), ("items", random.choice((1, 2, 5, self.m))), ("grid", 1)]
            self.add("tile", shape, self.group_options(starts=False))
        elif kind == "halving":
            self.add("halving", [("k", 2 ** (self.m - 1).bit_length() * random.choice((1, 1, 2)))])
        elif kind == "adjacent":
            self.add("adjacent", [("k", self.m + random.choice((0, 0, 1, 31)))])
        elif kind in ("numpy", "polars"):
            self.add(kind)
        elif kind == "rank_tree":
            tree = random.choice(((), (("tree", "levels"),), (("tree", "binomial"),), (("tree", "in_order"),)))
            self.add("rank_tree", (), tree)
        else:
            self.named()

    def named(self):
        random = self.random
        atomic = () if self.stored else ("warp", "ao", "spa", "tprc_neumaier")
        kind = random.choice(("sequential", "simd", "openmp", *atomic, "sptr", "sprg"))
        if kind == "simd":
            self.add(kind, [("w", self.power())])
        elif kind == "openmp":
            self.add(kind, [("t", self.count())])
        elif kind in ("sequential", "warp", "ao"):
            self.add(kind)
        else:
            self.add(kind, [("b", self.power()), ("items", random.choice((1, 2, 4)))])


def spelled(random, name, positional, options):
    """A stage as text; with a generator of randomness, in one of its spellings."""
    if random is None:
        return f"{name}({','.join(f'{k}={v}' for k, v in positional)})"
    first_key = random.choice((0, len(positional), len(positional)))
    arguments = [
        f"{key}={spelled_count(random, value)}" if i >= first_key else spelled_count(random, value)
        for i, (key, value) in enumerate(positional)
    ]
    arguments += [f"{key}={value}" for key, value in random.sample(options, len(options))]
    if not arguments:
        return random.choice((name, name, name + "()"))
    space = random.choice(("", "", " "))
    return f"{name}{space}({space}{(',' + space).join(arguments)}{space})".replace("=", f"{space}={space}")


def spelled_count(random, count):
    spellings = [str(count), str(count)]
    if count >= 1000:
        spellings.append(f"{count:_}")
    if count % 10 == 0:
        zeros = len(str(count)) - len(str(count).rstrip("0"))
        spellings.append(f"{count // 10**zeros}e{zeros}")
    if count & (count - 1) == 0:
        spellings.append(f"2^{count.bit_length() - 1}")
    return random.choice(spellings)


def random_pipeline(random, m, products, mixed=1 / 3):
    """A valid order for m terms; where they are products it often uses acc=fma; some (`mixed`) change formats."""
    builder = Builder(random, m, products)
    changes = random.random() < mixed
    for _ in range(random.choice((0, 1, 1, 2, 2, 3)) + changes):
        if changes and random.random() < 0.5:
            builder.change_format()
        elif random.random() < 0.35:
            builder.arrange()
        else:
            builder.reduce()
    builder.finish()
    if random.random() < 0.1:
        builder.finish()
    return random.choice(("|", " | ")).join(builder.stages)
