"""Random commands of orderlab, each with the files that it reads: what compare_programs.py runs on both programs.

A table of generators, one for each kind of command. Sizes are small: most commands take a few hundredths of a second.
"""

import json
import math
import struct
from dataclasses import dataclass, field

FORMATS = ("fp64", "fp64", "fp32", "fp32", "fp16", "bf16")
MIXED = (
    "fp16:fp32", "fp16:fp32:fp16", "bf16:fp32:bf16", "fp32:fp64:fp32", "fp64:fp32", "fp64:bf16", "bf16:fp16",
    "fp32:fp16:fp64", "fp64:fp64:fp16", "half:float", "float64:float32:double",
)  # fmt: skip
DISTRIBUTIONS = (
    "uniform(0,10)", "uniform(-5,5)", "uniform(0,1)", "normal(0,1)", "normal(3,0.5)", "lognormal(0,1)",
    "lognormal(2,3)", "exponential(0.5)", "cauchy(0,1)", "cancel(1e8)", "cancel(1e16)", "logspread(-20,20)",
    "logspread(-140,120)", "constant(1)", "constant(0.1)", "constant(-0)", "integers(100)", "dyadic(4,0)",
    "dyadic(5,3,10)", "uniform(1e300,1.7e308)", "normal(0,1e-310)",
)  # fmt: skip
ARRIVALS = (
    "uniform", "launch", "jitter(3)", "jitter(0.5)", "drift(1,9)", "slots(8,0.2)", "slots(5,0.3,0.9)", "v100_b64",
    "trace('rows.txt')",
)  # fmt: skip
FIXED = (
    "sequential", "pairwise", "numpy", "polars", "simd", "simd(4)", "sptr", "sptr(32,1)", "sprg(16)", "tprc",
    "tprc_neumaier(8)",
    "cub", "cub(2)", "thrust", "cub_warp(16)", "cub_block(64)", "cub_block_raking(64)",
    "cub_block_raking_commutative(64)", "cg(64)", "nccl_ring", "nccl_tree(4)", "nccl_tree(2,second,split)",
    "mpi_recursive_doubling", "mpi_rabenseifner", "ompi_ring", "mpi_binomial", "ompi_binary", "ompi_chain(1)",
    "ompi_linear", "ompi_in_order", "openmp_llvm", "openmp_llvm(5)",
)  # fmt: skip
RANDOM = ("random", "random_tree", "warp", "ao", "spa", "spa(16,1)", "spa(b=8,items=4)", "openmp", "openmp(3)")
OPTIONS = ("acc=plain", "acc=kahan", "acc=neumaier", "acc=atomic", "from=zero", "from=first")
KEYS = ("asc", "desc", "abs_asc", "abs_desc")
NUMBERS = (
    "inf", "-inf", "nan", "0", "-0", "1e308", "-1.7e308", "5e-324", "-3e-310", "1e39", "6.1e-5", "65504", "0x1p-24",
    "0x1.8p+1", "1", "-1", "0.1", "1e16", "-1e16", "3.0000001",
)  # fmt: skip
GARBAGE = (
    "", "-", "nonsense", "1e400", "-1", "0", "NaN", "1e", "fp128", "fp64:fp32:fp16:bf16", "seq |", "seq(",
    "halving(3) | seq", "arrive(nowhere) | seq", "sort(up) | seq", "uniform(5,1)", "uniform(0)", "normal(0,-1)",
    "missing.file", "2^70", "3:1", "--bogus", "--n", "bits:0x", "1/0", "9999999999999999999999", "\u00e9",
)  # fmt: skip


KERNELS = (
    "warp_down", "warp_xor", "block_interleaved", "block_two_stage", "grid_stride", "ao", "spa", "warp",
    "shared_atomic", "sptr", "sprg", "sprg_neumaier", "tprc", "tprc_neumaier", "dot_fma", "dot_rounded", "cub_device",
    "cub_block",
)  # fmt: skip
OUTPUTS = (
    [], [], ["--json", "out.json"], ["--csv", "out.csv"], ["--json", "-", "--quiet"], ["--csv", "-", "--quiet"],
    ["--json", "out.json", "--csv", "out.csv", "--quiet"], ["--json", "a.json", "--csv", "-"],
)  # fmt: skip


@dataclass
class Command:
    """Steps are run one after another in one folder; `first` by the old program only, before the folder is copied."""

    kind: str
    steps: list
    files: dict = field(default_factory=dict)
    first: list = field(default_factory=list)
    standard_input: bytes = b""
    columns: int = 80


class Generator:
    """Makes one command. `ask` runs the old program and returns its standard output."""

    def __init__(self, random, ask, pages):
        self.random = random
        self.ask = ask
        self.pages = pages
        self.files = {}
        self.standard_input = b""
        self.n = 8  # terms

    def command(self, kind):
        made = KINDS[kind][1](self)
        steps, first = made if isinstance(made, tuple) else (made, [])
        columns = self.random.choice((80, 80, 80, 40, 61, 100, 200))
        return Command(kind, steps, self.files, first, self.standard_input, columns)

    # Choices

    def maybe(self, probability, *values):
        return list(values) if self.random.random() < probability else []

    def optional(self, probability, flag, *choices):
        """The flag with one of the choices, or nothing."""
        return self.maybe(probability, flag, str(self.random.choice(choices)))

    def count(self, most):
        return max(1, round(math.exp(self.random.uniform(0, math.log(most)))))

    def threads(self):
        return ["--threads", self.random.choice(("1", "1", "1", "1", "1", "3"))]

    def format(self):
        return self.maybe(0.6, "--format", self.random.choice(MIXED if self.random.random() < 0.3 else FORMATS))

    def arrival(self):
        name = self.random.choice(ARRIVALS)
        if name.startswith("trace"):
            self.files["rows.txt"] = self.recording(min(self.n, 2000), 4)
        return name

    def recording(self, size, rows):
        spread = self.random.choice((0.5, 3, 10))
        noise = lambda i: i + self.random.gauss(0, spread)  # noqa: E731
        lines = (",".join(map(str, sorted(range(size), key=noise))) for _ in range(rows))
        return ("\n".join(lines) + "\n").encode()

    # Orders

    def order(self, fixed=False):
        chance = self.random.random()
        if chance < 0.35:
            return self.random.choice(FIXED if fixed else RANDOM)
        if chance < 0.5:
            return self.random.choice(FIXED)
        return self.pipeline(fixed)

    def pipeline(self, fixed):
        stages = [self.stage(fixed) for _ in range(self.random.choice((0, 1, 1, 2, 3)))]
        finish = ["seq", "seq", "seq(from=zero)", f"seq({self.options()})", f"pairwise({self.options()})", "pairwise"]
        finish += ["numpy", "halving(2^14)", "adjacent(5000)", f"strided(1,{self.options()})"]
        finish += [] if fixed else ["tree", "shuffle | tree", "shuffle | seq", "arrive | seq(acc=atomic)"]
        return " | ".join([*stages, self.random.choice(finish)])

    def stage(self, fixed):
        random, k = self.random, self.random.choice((1, 2, 3, 4, 7, 8, 16, 32, 33, 64))
        power = random.choice((1, 2, 4, 8, 16, 32, 64))
        stages = [
            "reverse", f"rotate({k % 3})", f"rotate({k % 3},last)", f"sort({random.choice(KEYS)})",
            f"seq({k},{self.options()})", f"chunks({k},{self.options()})", f"strided({k},{self.options()})",
            f"tile({k},{random.choice((1, 2, 3))})", f"tile({k},2,3,acc=kahan)", f"halving({power})", f"adjacent({k})",
            f"cub_tile({k})", f"cub_rake({power},commutative_only)", f"cub_rake({k})", "power_of_two",
            f"double_tree({k})",
        ]  # fmt: skip
        if not fixed:
            stages += 3 * ["shuffle", "arrive", f"arrive({self.arrival()})"]
        return random.choice(stages)

    def options(self):
        return self.random.choice((*OPTIONS, *OPTIONS, "acc=fma"))

    # Terms

    def numbers(self, n):
        """Numbers as text, biased to what troubles sums."""
        random = self.random
        flavours = ("ordinary", "wide", "special", "subnormal", "huge", "cancelling", "ties", "zeros", "few")
        flavour = random.choice(flavours)
        if flavour == "ordinary":
            return [repr(random.gauss(0, 1)) for _ in range(n)]
        if flavour == "wide":
            reach = random.choice((10, 30, 120, 1000))
            return [(random.uniform(-2, 2) * 2.0 ** random.randint(-reach, reach)).hex() for _ in range(n)]
        if flavour == "special":
            return [random.choice(NUMBERS) if random.random() < 0.1 else repr(random.uniform(-3, 3)) for _ in range(n)]
        if flavour == "subnormal":
            least = random.choice((-1074, -149, -133, -24))
            return [math.ldexp(random.randint(-300, 300), least).hex() for _ in range(n)]
        if flavour == "huge":
            top = random.choice((1024, 128, 16))
            return [math.ldexp(random.uniform(-0.9, 0.9), top).hex() for _ in range(n)]
        if flavour == "cancelling":
            half = [random.gauss(0, 1e6) for _ in range(n // 2)]
            values = half + [-x for x in half] + [1.0] * (n - 2 * (n // 2))
            random.shuffle(values)
            return [repr(x) for x in values]
        if flavour == "ties":
            big = random.choice((2.0**53, 2.0**24, 2.0**11, 2.0**8))
            return [repr(random.choice((1.0, -1.0, 0.5, 3.0, big))) for _ in range(n)]
        if flavour == "zeros":
            return [random.choice(("0", "-0")) for _ in range(n)]
        return [random.choice(NUMBERS) for _ in range(n)]

    def file_of(self, name, numbers):
        """A file of terms in a format of the program's choice; its name."""
        kind = self.random.choice(("txt", "csv", "f64", "f32", "npy"))
        values = [float.fromhex(x) if "0x" in x else float(x) for x in numbers]
        path = f"{name}.{kind}"
        if kind in ("txt", "csv"):
            self.files[path] = ("\n".join(numbers) + "\n").encode()
        elif kind == "f32":
            values = [x if abs(x) <= 3.4e38 else math.copysign(math.inf, x) if x == x else x for x in values]
            self.files[path] = struct.pack(f"<{len(values)}f", *values)
        else:
            header = f"{{'descr': '<f8', 'fortran_order': False, 'shape': ({len(values)},), }}".ljust(117) + "\n"
            npy = b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() if kind == "npy" else b""
            self.files[path] = npy + struct.pack(f"<{len(values)}d", *values)
        return path

    def terms(self, most, values_flag=True):
        random = self.random
        n = self.count(most)
        chance = random.random()
        if chance < 0.55:
            flags = ["--n", str(n), "--dist", random.choice(DISTRIBUTIONS)]
        elif chance < 0.7 and values_flag:
            n = min(n, 30)
            flags = ["--values=" + ",".join(self.numbers(n))]
        elif chance < 0.75:
            self.standard_input = ("\n".join(self.numbers(n)) + "\n").encode()
            flags = ["--input", "-"]
        else:
            flags = ["--input", self.file_of("terms", self.numbers(n))]
            flags += self.maybe(0.4, "--with", self.file_of("factors", self.numbers(n)))
        self.n = n
        flags += self.maybe(0.2, "--input-seed", "7") if "--n" in flags else []
        return flags + self.format() + self.maybe(0.2, "--seed", str(self.count(2**64 - 1)))

    # Outputs

    def outputs(self, html=False):
        flags = list(self.random.choice(OUTPUTS)) + self.maybe(0.1, "--color", "always")
        return flags + (self.maybe(0.2, "--html", "page.html") if html and self.pages else [])

    def sum_flags(self, most, fixed=False, values_flag=True, random_order=False):
        terms = self.terms(most, values_flag)
        order = self.random.choice(RANDOM) if random_order else self.order(fixed)
        return [*terms, "--order", order, *self.arrivals(order), *self.threads()]

    def arrivals(self, order):
        """`--arrival`, where the order has an `arrive` for it."""
        takes = order.startswith(("warp", "ao", "spa", "openmp")) or "arrive |" in order
        return self.maybe(0.5, "--arrival", self.arrival()) if takes else []

    # Kinds

    def sample(self):
        n = self.random.choice((40, 300, 3000, 30000))
        flags = self.sum_flags(n)
        samples = min(self.count(20000) + 1, 30_000_000 // n)
        flags += ["--samples", str(samples), *self.optional(0.35, "--max-distinct", 2, 2, 3, 8, 64)]
        flags += self.maybe(0.15, "--range", f"{samples // 3}:{samples // 3 + 1 + samples // 2}")
        flags += self.maybe(0.2, "--baseline", self.order(fixed=True))
        return [["sample", *flags, *self.outputs(html=True)]]

    def compare_orders(self):
        flags = self.terms(500)
        orders = [self.order() for _ in range(self.random.choice((2, 2, 3, 5)))]
        for order in orders:
            flags += ["--order", order]
        flags += [*self.arrivals(orders[0]), *self.maybe(0.3, "--max-distinct", str(1 + self.count(20)))]
        return [["sample", *flags, "--samples", str(self.count(800)), *self.threads(), *self.outputs(html=True)]]

    def enumerate(self):
        flags = self.sum_flags(11, random_order=self.random.random() < 0.6)
        flags += ["--memory", "64MB", *self.optional(0.3, "--max-distinct", 2, 3, 5, 20)]
        return [["enumerate", *flags, *self.maybe(0.2, "--baseline", self.order(fixed=True)), *self.outputs()]]

    def sum(self):
        return [["sum", *self.sum_flags(self.random.choice((50, 3000, 30000)), fixed=True), *self.outputs()]]

    def check(self):
        """Results that occur, some of them shifted, with inf, NaN, and numbers in decimal."""
        random = self.random
        flags = self.sum_flags(random.choice((9, 300)), values_flag=False)
        sample = ["sample", *flags, "--samples", "20", "--json", "-", "--quiet"]
        output = self.ask(sample, self.files, self.standard_input)
        try:
            results = [result["bits"] for result in json.loads(output)["results"]]
        except (ValueError, KeyError):
            results = []
        given = []
        for _ in range(random.choice((1, 1, 2, 3, 12))):
            if results and random.random() < 0.85:
                bits = random.choice(results)
                shift = random.choice((0, 0, 0, 0, 1, -1, 5, -40, 1000))
                given.append(f"bits:0x{max(0, int(bits, 16) + shift):0{len(bits) - 2}x}")
            else:
                given.append(random.choice((*NUMBERS, "4.98e3", "bits:0x7f80", "bits:0x7ff8000000000000")))
        if random.random() < 0.2:
            self.files["results.txt"] = ("\n".join(given) + "\n").encode()
            flags += ["--values", "results.txt"]
        else:
            flags += [flag for value in given for flag in ("--value", value)]
        flags += self.optional(0.5, "--samples", 100, 3000, 9000) + self.optional(0.5, "--confidence", 0.9, 0.99)
        return [["check", *flags, *self.outputs()]]

    def tolerance(self):
        random = self.random
        flags = self.sum_flags(random.choice((9, 100, 600)))
        flags += self.optional(0.3, "--samples", 50, 400, 4000)
        flags += self.optional(0.2, "--inputs", 1, 40, 400) if "--n" in flags else []
        flags += self.optional(0.3, "--against", "run", "exact") + self.optional(0.2, "--outputs", 3, 20)
        flags += self.optional(1, "--coverage", 0.5, 0.9, 0.9, 0.99) + self.optional(1, "--confidence", 0.9, 0.95)
        return [["tolerance", *flags, *self.outputs()]]

    def worst(self):
        flags = self.sum_flags(self.random.choice((9, 100, 1000)), random_order=self.random.random() < 0.6)
        flags += ["--evaluations", str(self.count(2000))]
        flags += self.optional(0.3, "--which", "least", "greatest", "farthest")
        flags += self.maybe(0.3, "--order-file", "order.txt")
        return [["worst", *flags, *self.outputs()]]

    def tree(self):
        flags = self.sum_flags(40) + self.maybe(0.3, "--sample", str(self.count(1000)))
        forms = ([], ["--dot"], ["--newick"], ["--json", "out.json"], ["--csv", "-"])
        return [["tree", *flags, *self.random.choice(forms)]]

    def crosscheck(self):
        random = self.random
        flags = ["--kernel", random.choice(KERNELS), "--seed", str(self.count(99))]
        flags += self.optional(1, "--n", 1, 2, 31, 33, 100, 257) + self.optional(1, "--device", "model", "host")
        flags += self.optional(1, "--format", "fp32", "fp64", "fp16")
        return [["crosscheck", *flags, *self.threads(), *self.outputs()]]

    def verify(self):
        self.files["one.capture"] = self.damaged(self.files.pop("synthetic.capture"), 0.4)
        flags = ["one.capture"] + self.maybe(0.3, "--seed", "5") + self.maybe(0.3, "--confidence", "0.9")
        return [["verify", *flags, *self.threads(), *self.outputs()]]

    def fit(self):
        random = self.random
        self.files["rows.csv"] = self.recording(random.choice((24, 40)), random.choice((7, 8, 12, 13)))
        flags = ["rows.csv"] + self.maybe(0.4, "--predict", "--inputs", "2", "--samples", "30")
        flags += self.optional(0.3, "--holdout", "even", "odd") + self.maybe(0.3, "--seed", "9")
        return [["fit", *flags, *self.threads(), *self.outputs()]]

    def solve(self):
        random = self.random
        solver = random.choice(("cg", "bicgstab", "gmres"))
        matrix = random.choice(("poisson2d(1)", "poisson2d(5)", "poisson3d(3)", "convection2d(6,10)", "given.mtx"))
        if matrix == "given.mtx":
            self.files[matrix] = b"%%MatrixMarket matrix coordinate real general\n2 2 3\n1 1 4\n2 2 0.3\n1 2 1e-3\n"
        flags = [solver, "--matrix", matrix, *self.optional(0.4, "--scale", 0.5, 3, 30)]
        flags += self.maybe(0.3, "--spmv", "coo") or self.optional(0.3, "--row-order", "tree", "seq(from=zero)")
        flags += self.optional(0.3, "--order", "spa", "warp", "pairwise", "shuffle | tree")
        flags += self.optional(0.3, "--preconditioner", "jacobi") + self.optional(0.4, "--format", "fp32", "fp64")
        flags += self.optional(0.2, "--tolerance", 1e-3, 1e-14) + self.optional(0.3, "--max-iterations", 1, 7, 300)
        flags += self.optional(0.5, "--restart", 2, 30) if solver == "gmres" else []
        return self.recorded(["solve", *flags], "--samples", (1, 2, 5))

    def train(self):
        random = self.random
        flags = ["--nodes", "80", "--classes", str(random.choice((2, 3))), "--hidden", str(random.choice((1, 9)))]
        flags += ["--epochs", str(random.choice((1, 2, 3)))] + self.optional(0.7, "--orders", 1, 2, 3)
        flags += self.optional(0.5, "--evaluations", 0, 3) + self.optional(0.4, "--arrival", "launch", "drift(3,12)")
        flags += self.optional(0.2, "--dropout", 0, 0.9) + self.optional(0.2, "--learning-rate", 0, 0.1)
        flags += self.optional(0.2, "--weight-decay", 0, 0.1) + self.optional(0.2, "--input-seed", 7)
        return self.recorded(["train", *flags], "--seeds", (1, 2, 4))

    def recorded(self, command, runs, counts):
        """A command that keeps its runs, alone, in a store, or in one that the old program began."""
        random = self.random
        ask = [*command, *self.optional(0.3, "--seed", 5, 10**18), *self.threads()]
        more = [*ask, runs, str(random.choice(counts)), *self.outputs(html=True)]
        plan = random.choice(("alone", "alone", "new", "old", "damaged"))
        if plan == "alone":
            return [more]
        store = ["--db", "runs.sqlite"]
        first = [[*ask, runs, str(random.choice(counts)), *store]] if plan != "new" else []
        return [more + store, more + store], first + ["damage"] * (plan == "damaged")

    def sweep(self):
        """A sweep and what is read from its store: one store, merged shards, or one that the old program wrote."""
        random = self.random
        self.files["sweep.toml"] = self.config().encode()
        run = ["sweep", "sweep.toml", *self.threads(), *self.maybe(0.3, "--quiet")]
        forms = (["--csv", "-"], ["--json", "-"], ["--csv", "out.csv", "--quiet"])
        reads = [["export", "all.sqlite", *form] for form in forms]
        if self.pages:
            reads.append(["report", "all.sqlite", "-o", "page.html", "--spec", "charts"])
        plan = random.choice(("whole", "whole", "old", "old", "shards", "again", "dry", "damaged"))
        if plan == "dry":
            return [["sweep", "sweep.toml", "--dry-run"]]
        if plan == "old":
            return reads, [[*run, "--db", "all.sqlite"]]
        if plan == "damaged":
            return reads + [[*run, "--db", "all.sqlite"]], [[*run, "--db", "all.sqlite"], "damage"]
        if plan == "again":
            return [[*run, "--db", "all.sqlite"], *reads], [[*run, "--db", "all.sqlite", "--shard", "1/2"]]
        if plan == "shards":
            shards = [[*run, "--db", f"{i}.sqlite", "--shard", f"{i}/2"] for i in (1, 2)]
            return [*shards, ["merge", "--db", "all.sqlite", "1.sqlite", "2.sqlite"], *reads]
        return [[*run, "--db", "all.sqlite"], *reads]

    def config(self):
        random = self.random
        some = lambda choices, most=2: random.sample(choices, random.randint(1, most))  # noqa: E731
        few = random.random() < 0.3
        axes = {"title": "A sweep"} if random.random() < 0.5 else {}
        axes["n"] = some((3, 5, 6, 7, 8) if few else (1, 2, 31, 32, 33, 100, 1000))
        axes["order"] = list({self.order() if random.random() < 0.6 else random.choice(RANDOM) for _ in range(2)})
        optional = {
            "dist": some(DISTRIBUTIONS), "format": some((*FORMATS[1:], *MIXED[:5])), "arrival": some(ARRIVALS[:8]),
            "baseline": [random.choice(FIXED)], "max_distinct": [random.choice((2, 4, 1000))],
            "seed": some((1, 2, 2**62)), "input_seed": some((1, 3)), "input": some((0, 1, 5)),
            "question": "What differs?",
        }  # fmt: skip
        axes.update({key: value for key, value in optional.items() if random.random() < 0.35})
        axes["samples"] = "all" if few else some((1, 2, 30, 400))
        text = "".join(f"{key} = {json.dumps(value)}\n" for key, value in axes.items())
        if random.random() < 0.2:
            text = text.replace(f"n = {json.dumps(axes['n'])}", "n = { from = 2, to = 32, factor = 4 }")
        if random.random() < 0.4:
            text += f"exclude = [{{ n = {axes['n'][0]}, order = {json.dumps(axes['order'][0])} }}]\n"
        return text

    def lists(self):
        lists = ("orders", "stages", "arrivals", "distributions", "metrics", "kernels", "formats")
        pages = [["list", name] for name in lists] + [["list", "orders", name] for name in (*FIXED, *RANDOM)]
        pages += [["help"], ["help", "--man"], ["help", "--completion", "zsh"], ["--help"], ["list"], ["help", "no"]]
        pages += [["help", name] for name in COMMANDS] + [[name, "--help"] for name in COMMANDS]
        return [self.random.choice(pages)]

    def nonsense(self):
        """A command with one thing wrong, often."""
        random = self.random
        kind = random.choice(("sample", "enumerate", "sum", "check", "tolerance", "worst", "tree", "crosscheck", "fit"))
        step = getattr(self, kind)()[0]
        for _ in range(random.choice((1, 1, 2))):
            at = random.randrange(1, len(step) + 1)
            change = random.choice(("replace", "drop", "insert", "file", "cut"))
            if change == "insert" or at == len(step):
                step.insert(at, random.choice(GARBAGE))
            elif change == "drop":
                del step[at]
            elif change == "replace":
                step[at] = random.choice(GARBAGE)
            elif change == "cut":
                step[at] = step[at][: len(step[at]) // 2]
            elif self.files:
                name = random.choice(sorted(self.files))
                self.files[name] = self.damaged(self.files[name], 1)
        return [step]

    def damaged(self, data, probability):
        """With a byte changed, or cut off."""
        if not data or self.random.random() >= probability:
            return data
        at = self.random.randrange(len(data))
        if self.random.random() < 0.3:
            return data[:at]
        return data[:at] + bytes([self.random.randrange(256)]) + data[at + 1 :]


COMMANDS = (
    "sample", "enumerate", "sum", "tree", "check", "tolerance", "worst", "verify", "fit", "arrivals", "crosscheck", "sweep",
    "merge", "report", "export", "list", "help",
)  # fmt: skip

# How often, and what makes it.
KINDS = {
    "sample": (24, Generator.sample),
    "compare_orders": (7, Generator.compare_orders),
    "enumerate": (12, Generator.enumerate),
    "sum": (10, Generator.sum),
    "check": (14, Generator.check),
    "tolerance": (9, Generator.tolerance),
    "worst": (7, Generator.worst),
    "tree": (4, Generator.tree),
    "crosscheck": (4, Generator.crosscheck),
    "verify": (2, Generator.verify),
    "fit": (2, Generator.fit),
    "solve": (6, Generator.solve),
    "train": (4, Generator.train),
    "sweep": (12, Generator.sweep),
    "lists": (3, Generator.lists),
    "nonsense": (8, Generator.nonsense),
}
