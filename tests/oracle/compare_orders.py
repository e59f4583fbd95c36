"""Compares the C++ program with the evaluator in orders.py, bit for bit: named orders and random pipelines.

    compare_orders.py --lines PROGRAM [--seed S] [--pipelines N] [--quick]

Not here: random orders, NumPy itself (compare_numpy.py), and the stages of CUB's own (order/cub_test.cpp).
"""

import argparse
import os
import random
import sys
import tempfile
import time

from formats import parse_formats
from grammar import parse
from orders import evaluate_bits, has_bare_arrive
from pipelines import NAMED, REFUSED, random_pipeline
from program import Program, shown
from terms import (
    FLAVOURS,
    draw_terms,
    factor_terms,
    signs,
    subnormal,
    ties,
    underflowing,
    write_text,
    zeros,
)

FORMATS = (
    "fp64", "fp32", "fp16", "bf16", "fp16:fp32", "fp16:fp32:fp16", "bf16:fp32:bf16", "fp32:fp64:fp32", "fp64:fp32",
    "fp64:bf16", "bf16:fp16", "fp32:fp16:fp64", "fp16:bf16:fp32", "fp64:fp64:fp16",
)  # fmt: skip
QUICK_FORMATS = ("fp32", "fp16:fp32:fp16")
SMALL_SIZES = (1, 2, 3, 8, 31, 32, 33, 63, 64, 65, 127, 128, 129, 130, 257)
LARGE_SIZES = (1000, 4097)
BUFFER_SIZES = (8192, 8193, 16387)  # around the runs of `numpy`
ATOMIC = ("ao", "warp", "spa(2)", "strided(2,acc=atomic) | seq(acc=atomic)")
FUSED = ("seq(acc=fma)", "seq(acc=fma,from=zero)", "tile(1,1,1,acc=fma)", "reverse | pairwise(2,acc=fma)")
MOST_MISMATCHES = 10


class Comparison:
    """Counts cases, and reports mismatches, whose files of terms it keeps."""

    def __init__(self, program, folder):
        self.program = program
        self.folder = folder
        self.cases = 0
        self.mismatches = 0
        self.orders = set()
        self.files = 0

    def compare(self, orders, formats, terms, factors=None):
        """All `orders` on the same terms."""
        paths = self.write(terms, factors)
        mismatches = self.mismatches
        for order in orders:
            self.compare_one(order, formats, terms, factors, paths)
        if self.mismatches == mismatches:
            for path in paths:
                os.remove(path)

    def write(self, terms, factors):
        self.files += 1
        paths = []
        for suffix, numbers in (("x", terms), ("y", factors)):
            if numbers is not None:
                paths.append(os.path.join(self.folder, f"{self.files}{suffix}.txt"))
                write_text(paths[-1], numbers)
        return paths

    def compare_one(self, order, formats, terms, factors, paths):
        arrival = "launch" if has_bare_arrive(order) else None
        arguments = ["--input", paths[0], "--format", formats, "--order", order]
        arguments += ["--with", paths[1]] if factors else []
        arguments += ["--arrival", arrival] if arrival else []
        wanted = evaluate_bits(order, terms, factors, formats, arrival)
        found = self.program.sum_bits(arguments)
        self.cases += 1
        self.orders.add(order)
        if found != wanted:
            files = " and ".join(paths)
            self.report(f"order {order}\n  format {formats}, {len(terms)} terms in {files}", arguments, wanted, found)

    def refuse(self, order, arrival=None):
        """The program must say that it cannot."""
        arguments = ["--values", "1,2,3,4,5", "--order", order] + (["--arrival", arrival] if arrival else [])
        status, output = self.program.run(["sum", *arguments])
        self.cases += 1
        if status != 2:
            self.report(f"order {order}, to be refused", arguments, "status 2", f"status {status}: {output}")

    def report(self, what, arguments, wanted, found):
        self.mismatches += 1
        print(f"MISMATCH: {what}\n  evaluator {wanted}\n  program   {found}\n  {shown(arguments)}")
        if self.mismatches == MOST_MISMATCHES:
            sys.exit(1)


def compare_named(comparison, generator, several_formats):
    """Every named order on every size and on every flavour."""
    for formats in several_formats:
        sizes = [(n, None) for n in SMALL_SIZES + LARGE_SIZES]
        sizes += [(generator.choice(SMALL_SIZES), flavour) for flavour in FLAVOURS]
        for n, flavour in sizes:
            compare_drawn(comparison, generator, NAMED, formats, n, flavour, products=generator.random() < 0.2)
        for n in BUFFER_SIZES:
            compare_drawn(comparison, generator, ["numpy"], formats, n)


def compare_few_terms(comparison, generator, several_formats):
    """Few terms, so that the last addition decides: underflow to zeros of either sign, exact cancellation."""
    for n in range(1, 9):
        for formats in ("fp32", "fp64:fp32", "bf16:fp32", "fp32:fp32:fp64") * 4:
            compare_drawn(comparison, generator, ATOMIC, formats, n, underflowing)
        for formats in several_formats:
            for flavour in (zeros, signs, ties, subnormal):
                compare_drawn(comparison, generator, FUSED, formats, n, flavour, products=True)


def compare_pipelines(comparison, generator, count):
    """Each pipeline in fp64, fp32 and two other formats, and on signed zeros and where fp32 underflows."""
    for _ in range(count):
        n = generator.choices(SMALL_SIZES + LARGE_SIZES, [6] * len(SMALL_SIZES) + [2, 1])[0]
        n = max(1, n + generator.choice((-1, 0, 0, 0, 1)))
        products = generator.random() < 0.4
        orders = [random_pipeline(generator, n, products)]
        for formats in ("fp64", "fp32", *generator.sample(FORMATS[2:], 2)):
            compare_drawn(comparison, generator, orders, formats, n, None, products)
        compare_drawn(comparison, generator, orders, generator.choice(FORMATS), n, zeros, products)
        formats = generator.choice(("fp32", "fp64:fp32", "bf16:fp32"))
        compare_drawn(comparison, generator, orders, formats, n, underflowing, products)


def compare_extended(comparison, generator, count):
    """fp80 accumulators: named orders, and pipelines that neither fuse nor round nor change the format."""
    several = ("fp64:fp80:fp64", "fp64:fp80", "fp32:fp80:fp32", "fp64:fp80:fp32", "fp16:fp80:fp64", "fp64:fp80:bf16")
    for formats in several:
        for n in SMALL_SIZES:
            products = generator.random() < 0.3
            orders = [order for order in NAMED if adds_in_one_format(order)]
            compare_drawn(comparison, generator, orders, formats, n, generator.choice((None, *FLAVOURS)), products)
    for _ in range(count):
        n = generator.choice(SMALL_SIZES)
        products = generator.random() < 0.4
        order = random_pipeline(generator, n, products)
        if adds_in_one_format(order):
            for formats in generator.sample(several, 3):
                compare_drawn(comparison, generator, [order], formats, n, generator.choice((None, ties)), products)


def adds_in_one_format(order):
    """Without fused products, and without stages that round or change the format."""
    return not any(
        call.name in ("round", "in") or any(value == "fma" for _, value in call.arguments) for call in parse(order)
    )


def compare_drawn(comparison, generator, orders, formats, n, flavour=None, products=False):
    three = parse_formats(formats)
    factors = factor_terms(generator, n, three) if products else None
    comparison.compare(orders, formats, draw_terms(generator, n, three, flavour), factors)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--lines", required=True, metavar="PROGRAM")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--pipelines", type=int, default=300)
    parser.add_argument("--quick", action="store_true", help="named orders in two formats")
    options = parser.parse_args()
    print(f"compare_orders: seed {options.seed}")
    started = time.monotonic()
    folder = tempfile.mkdtemp(prefix="orderlab_oracle_")
    comparison = Comparison(Program(options.lines), folder)
    for order in REFUSED:
        comparison.refuse(order)
    comparison.refuse("seq", arrival="launch")
    several_formats = QUICK_FORMATS if options.quick else FORMATS
    compare_named(comparison, random.Random(options.seed), several_formats)
    compare_few_terms(comparison, random.Random(options.seed + 2**33), several_formats)
    compare_pipelines(comparison, random.Random(options.seed + 2**32), options.pipelines)
    compare_extended(comparison, random.Random(options.seed + 2**34), options.pipelines // 2)
    comparison.program.close()
    if comparison.mismatches:
        sys.exit(1)
    os.rmdir(folder)
    elapsed_s = time.monotonic() - started
    print(f"{comparison.cases} cases of {len(comparison.orders)} orders agree bit for bit ({elapsed_s:.0f} s)")


if __name__ == "__main__":
    main()
