"""Checks the evaluator by itself: small cases worked out by hand, and formats against struct and float.

Run as `python3 selftest.py`; exits nonzero at the first failure.
"""

import math
import random
import struct
from pathlib import Path

import arrivals
from formats import BF16, FORMATS, FP16, FP32, FP64, parse_formats
from grammar import OrderError, count_of, parse
from orders import evaluate, evaluate_bits, has_bare_arrive
from philox import known_answers, path_key, philox
from pipelines import REFUSED, random_pipeline

checks = 0


def expect(found, wanted, what):
    """Bit-identical numbers, or equal texts."""
    global checks
    checks += 1
    if isinstance(wanted, float):
        found, wanted = FP64.hex(found), FP64.hex(wanted)
    assert found == wanted, f"{what}: {found} instead of {wanted}"


def expect_sum(order, terms, wanted, formats="fp64", factors=None, arrival=None):
    expect(evaluate(order, terms, factors, formats, arrival)[0], wanted, f"{order} {formats} {terms[:8]}")


def expect_error(order, terms=(1.0,) * 5, **named):
    global checks
    checks += 1
    try:
        evaluate(order, list(terms), **named)
    except OrderError:
        return
    raise AssertionError(f"{order}: not refused")


def check_rounding():
    """Against struct's conversions, and for bf16 against the bits of fp32."""
    generator = random.Random(1)
    doubles = [struct.unpack("<d", generator.randbytes(8))[0] for _ in range(500)]
    for f in (FP32, FP16, BF16):
        for _ in range(2000):
            x = f.value(generator.getrandbits(f.width))
            doubles += [x, x + 0.5 * f.smallest, x * (1 + 2.0**-f.precision), x * 1.4]
    for x in doubles + [0.0, -0.0, math.inf, -math.inf, math.nan]:
        for f, code in ((FP32, "<f"), (FP16, "<e")):
            try:
                wanted = struct.unpack(code, struct.pack(code, x))[0]
            except OverflowError:
                wanted = math.copysign(math.inf, x)
            expect(f.round(x), wanted, f"{f} of {x!r}")
        narrow = FP32.round(x)
        if narrow == x and math.isfinite(x):  # no double rounding
            bits = FP32.bits(x)
            bits = bits + 0x7FFF + (bits >> 16 & 1) >> 16
            expect(BF16.round(x), BF16.value(bits), f"bf16 of {x!r}")
            expect(BF16.bits(BF16.round(x)), bits, f"bits of bf16 {x!r}")
        if x == x:
            expect(FP64.bits(x), struct.unpack("<Q", struct.pack("<d", x))[0], "bits of fp64")
        if math.isfinite(x) and x != 0:
            numerator, denominator = x.as_integer_ratio()
            for f in (FP64, FP32, FP16, BF16):
                expect(f.round_exact(numerator, denominator.bit_length() - 1), f.round(x), f"{f} of {x!r} exactly")
    for f in FORMATS.values():
        for bits in [0, 1] + [generator.getrandbits(f.width) for _ in range(500)]:
            if f.value(bits) == f.value(bits):
                expect(f.bits(f.value(bits)), bits, f"{f} there and back")
    for f, bits in ((FP64, "0x7ff8000000000000"), (FP32, "0x7fc00000"), (FP16, "0x7e00"), (BF16, "0x7fc0")):
        expect(f.hex(math.nan), bits, f"{f} NaN")
    expect(FP16.round(65519.999), 65504.0, "largest fp16")
    expect(FP16.round(-65520.0), -math.inf, "a tie at the overflow threshold of fp16")


def check_products():
    """fma and product, where the sign of zero, one rounding and overflow matter."""
    generator = random.Random(2)
    for _ in range(2000):
        x, y = (struct.unpack("<d", generator.randbytes(8))[0] for _ in range(2))
        if x * y == x * y:
            expect(FP64.product(x, y), x * y, f"{x!r} * {y!r}")
            expect(FP64.fma(x, y, -0.0), x * y, f"fma({x!r}, {y!r}, -0.0)")
    tiny = 5e-324
    for f in FORMATS.values():
        expect(f.fma(2.0, -3.0, 6.0), 0.0, "fma cancels to +0.0")
        expect(f.fma(0.0, -3.0, -0.0), -0.0, "fma of zeros with one sign")
        expect(f.fma(0.0, -3.0, 0.0), 0.0, "fma of zeros with two signs")
        expect(f.fma(tiny, -tiny, 0.0), -0.0, "fma underflows to the sign of the exact value")
        expect(f.product(tiny, -tiny), -0.0, "product underflows")
        expect(f.product(0.0, -2.0), -0.0, "product with zero")
        expect(f.fma(1e300, 1e300, -math.inf), -math.inf, "the exact product is finite")
        expect(f.fma(math.inf, 0.0, 1.0), math.nan, "inf * 0")
        expect(f.product(f.largest, 2.0), math.inf, "product overflows")
        expect(f.product(f.smallest, 0.5), 0.0, "half the smallest subnormal: ties to even")
        expect(f.product(f.smallest, 1.5), 2 * f.smallest, "1.5 smallest subnormals: ties to even")
        u = 2.0**-f.precision
        expect(f.fma(1 + 2 * u, 1 - 2 * u, -1.0), -4 * u * u, "one rounding")


# BIG + 1 is a tie that goes to BIG, BIG + 3 one that goes to BIG + 4; BIG - 1 is exact.
BIG, SMALL = 2.0**53, 1.0


def check_arranging():
    terms = [BIG, SMALL, SMALL]
    expect_sum("seq", terms, BIG)
    expect_sum("reverse | seq", terms, BIG + 2)
    expect_sum("rotate(1) | seq", terms, BIG + 2)
    expect_sum("rotate(0,last) | seq", terms, BIG + 2)
    expect_sum("rotate(2) | seq", terms, BIG)
    expect_sum("sort(asc) | seq", terms, BIG + 2)
    expect_sum("sort(desc) | seq", [SMALL, BIG, SMALL], BIG)
    expect_sum("sort(abs_asc) | seq", [-2 * BIG, SMALL, 2 * BIG], 0.0)
    expect_sum("sort(abs_desc) | seq", [-2 * BIG, SMALL, 2 * BIG], 1.0)
    expect_sum("sort(asc) | seq(2) | seq", [2 * BIG, SMALL, -2 * BIG], 0.0)
    # Stable both ways: BIG + 1 loses the one, BIG - 1 and 1 - BIG are exact.
    expect_sum("sort(abs_desc) | seq", [1.0, -1.0, BIG], BIG - 1)
    expect_sum("sort(abs_desc) | seq", [-1.0, 1.0, BIG], BIG)
    expect_sum("sort(abs_asc) | seq", [BIG, -BIG, 1.0], 0.0)
    expect_sum("sort(abs_asc) | seq", [-BIG, BIG, 1.0], 1.0)
    expect_sum("sort(desc) | seq", [math.nan, 1.0], math.nan)
    expect_sum("arrive(launch) | seq", terms, BIG)
    expect_sum("arrive | seq", terms, BIG, arrival="launch")


def check_left_to_right():
    expect_sum("seq", [-0.0, -0.0], -0.0)
    expect_sum("seq(from=zero)", [-0.0, -0.0], 0.0)
    expect_sum("seq", [-0.0], -0.0)
    expect_sum("seq(from=zero)", [-0.0], 0.0)
    one_lost = [BIG, 1.0, 1.0, 1.0, 1.0]
    expect_sum("seq", one_lost, BIG)
    expect_sum("seq(2) | seq", one_lost, BIG + 4)  # BIG, 2, 1: BIG + 3 is a tie
    expect_sum("seq(3) | seq", one_lost, BIG + 2)  # BIG, 2
    expect_sum("chunks(2) | seq", one_lost, BIG + 2)  # 3 and 2 terms
    expect_sum("chunks(3) | seq", [BIG, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0], BIG + 4)  # 3, 2, 2 terms: BIG, 2, 2
    expect_sum("chunks(9) | reverse | seq", one_lost, BIG + 4)
    expect_sum("strided(2) | seq", one_lost, BIG + 2)  # BIG + 1 + 1 stays BIG, 1 + 1
    expect_sum("strided(9) | reverse | seq", one_lost, BIG + 4)
    expect_sum("pairwise", [BIG, 1.0, 1.0, 1.0, 1.0], BIG + 2)  # (BIG + 1) + 1, 1 + 1: left half 3, its left half 2
    expect_sum("pairwise", [1.0, 1.0, BIG], BIG + 2)
    expect_sum("pairwise(3)", [1.0, 1.0, 1.0, 1.0, BIG, 1.0], BIG + 4)  # 3, (1 + BIG) + 1 = BIG: BIG + 3 is a tie
    expect_sum("pairwise(2)", [1.0, 1.0, 1.0, BIG, 1.0, 1.0], BIG + 4)  # (2 + 1), (BIG + 1 = BIG, 1): 3 + BIG


def check_accumulators():
    # Neumaier keeps what Kahan loses; plain loses both ones.
    expect_sum("seq", [1.0, 1e100, 1.0, -1e100], 0.0)
    expect_sum("seq(acc=kahan)", [1.0, 1e100, 1.0, -1e100], 0.0)
    expect_sum("seq(acc=neumaier)", [1.0, 1e100, 1.0, -1e100], 2.0)
    # Kahan keeps the ones that plain loses.
    expect_sum("seq", [BIG, 1.0, 1.0], BIG)
    expect_sum("seq(acc=kahan)", [BIG, 1.0, 1.0], BIG + 2)
    expect_sum("seq(acc=kahan)", [256.0, 1.0, 1.0, 1.0, 1.0], 260.0, "bf16")
    expect_sum("seq", [256.0, 1.0, 1.0, 1.0, 1.0], 256.0, "bf16")
    expect_sum("seq(acc=kahan)", [-0.0], 0.0)
    expect_sum("seq(acc=neumaier)", [-0.0], 0.0)
    expect_sum("seq(acc=kahan)", [math.inf, 1.0], math.nan)  # inf - inf in the compensation
    expect_sum("seq(acc=neumaier)", [math.inf], math.nan)
    tiny = FP32.smallest
    below = FP32.smallest_normal - tiny
    expect_sum("seq(acc=atomic)", [-0.0], 0.0)
    expect_sum("seq(acc=atomic)", [below, tiny], 0.0, "fp32")
    expect_sum("seq(acc=atomic)", [FP32.smallest_normal, tiny], FP32.smallest_normal, "fp32")
    expect_sum("seq(acc=atomic)", [1.5 * FP32.smallest_normal, -FP32.smallest_normal], 0.0, "fp32")
    expect_sum("seq(acc=atomic)", [-1.5 * FP32.smallest_normal, FP32.smallest_normal], -0.0, "fp32")
    expect_sum("seq(from=zero)", [below, tiny], FP32.smallest_normal, "fp32")
    for f in (FP64, FP16, BF16):
        expect_sum("seq(acc=atomic)", [f.smallest, f.smallest], 2 * f.smallest, f.name)


def check_trees():
    # halving(4): (v0 + v2) + (v1 + v3); adjacent(4): (v0 + v1) + (v2 + v3).
    terms = [BIG, 1.0, -BIG, 1.0]
    expect_sum("halving(4)", terms, 2.0)
    expect_sum("adjacent(4)", terms, 1.0)  # BIG + (1 - BIG), and 1 - BIG is exact
    expect_sum("seq", terms, 1.0)
    # Partial runs: halving(8) of 5 pairs v0 with v4 first; the absent ones add nothing.
    expect_sum("halving(8)", [BIG, 1.0, 0.0, 0.0, -BIG], 1.0)
    expect_sum("halving(8)", [BIG, -0.0, 1.0, 1.0, 1.0], BIG)  # (v0 + v4) + v2 = BIG, v1 + v3 = 1
    expect_sum("halving(4) | seq", [-0.0] * 5, -0.0)
    expect_sum("halving(2) | halving(4)", [-0.0] * 5, -0.0)
    expect_sum("adjacent(3) | seq", [1.0, 1.0, BIG, 1.0], BIG + 4)  # (1 + 1) + BIG, 1: BIG + 3 is a tie
    expect_sum("adjacent(5)", [BIG, 1.0, 1.0, 1.0, 1.0], BIG + 4)  # ((BIG + 1) + (1 + 1)) + 1
    expect_sum("adjacent(8)", [BIG, 1.0, 1.0, 1.0, 1.0], BIG + 4)
    # power_of_two of 6: v0 + v1, v2 + v3, v4, v5.
    expect_sum("power_of_two | seq", [1.0, 1.0, BIG, 0.0, 0.0, 0.0], BIG + 2)
    expect_sum("power_of_two | seq", [1.0, 1.0, 1.0, 1.0, BIG, 1.0], BIG + 4)
    expect_sum("power_of_two | seq", [BIG, 0.0, 0.0, 0.0, 1.0, 1.0], BIG)
    # rank_tree of 4: (v0 + (v1 + v3)) + v2; (v0 + v1) + (v2 + v3); (v3 + v2) + (v1 + v0).
    expect_sum("rank_tree", [0.0, 1.0, BIG, 1.0], BIG + 2)
    expect_sum("rank_tree(binomial)", [0.0, 1.0, BIG, 1.0], BIG)
    expect_sum("rank_tree(in_order)", [0.0, 1.0, BIG, 1.0], BIG)
    expect_sum("rank_tree(levels)", [BIG, 0.0, 1.0, 1.0], BIG)
    expect_sum("rank_tree(tree=binomial)", [BIG, 0.0, 1.0, 1.0], BIG + 2)
    # of 5 in order: (v4 + (v3 + v2)) + (v1 + v0).
    expect_sum("rank_tree(in_order)", [1.0, 1.0, 0.0, BIG, 0.0], BIG + 2)
    expect_sum("rank_tree(in_order)", [0.0, 1.0, 0.0, BIG, 1.0], BIG)
    # polars: the first n mod 128 in turn, added last; lanes of 16, and (v0 + v2) + (v1 + v3) of the last four.
    ones = [1.0] + [0.0] * 127
    expect_sum("polars", [1.0, 1.0, BIG] + [0.0] * 128, BIG + 2)
    expect_sum("polars", [BIG, 0.0, 1.0] + ones, BIG)
    expect_sum("polars", [0.0] * 3 + [BIG, 1.0, 0.0, 1.0] + [0.0] * 124, BIG + 2)
    expect_sum("polars", [BIG, 0.0, 1.0] + [0.0] * 13 + [0.0, 0.0, 1.0] + [0.0] * 109, BIG + 2)
    expect_sum("polars", [BIG] + [0.0] * 127 + ones + ones, BIG + 2)
    expect_sum("polars", [-0.0] * 300, 0.0)
    expect_sum("polars", [-0.0] * 3, 0.0)
    # of 5 threads with one term each: ((v0 + v1) + (v2 + v3)) + v4.
    expect_sum("openmp_llvm(5)", [BIG, 0.0, 1.0, 1.0, 0.0], BIG + 2)
    expect_sum("openmp_llvm(5)", [0.0, BIG, 0.0, 1.0, 1.0], BIG)
    expect_sum("ompi_chain(1)", [BIG, 0.0, 0.0, 1.0, 1.0], BIG)
    expect_sum("ompi_chain(1)", [1.0, BIG, 0.0, 0.0, 1.0], BIG + 2)


def check_tiles():
    # Two threads, two items: thread 0 takes 0, 2; thread 1 takes 1, 3; the second thread block 4.
    terms = [BIG, 1.0, -BIG, 1.0, 1.0]
    expect_sum("tile(2,2) | seq", terms, 3.0)
    expect_sum("tile(2,2) | halving(2) | seq", terms, 3.0)
    # One thread block: 4 joins thread 0 behind 0 and 2.
    expect_sum("tile(2,2,1) | reverse | seq", [BIG, 0.0, 0.0, 1.0, 1.0], BIG)
    expect_sum("tile(2,2) | reverse | seq", [BIG, 0.0, 0.0, 1.0, 1.0], BIG + 2)
    expect_sum("tile(2,1,1) | seq", [1.0, BIG, 1.0, -BIG, BIG], BIG + 2)  # 1 + 1 + BIG, BIG - BIG
    # Grid 2 of tile(1,2): thread block 0 takes 0, 1, 4, 5; thread block 1 takes 2, 3, 6.
    expect_sum("tile(1,2,2) | seq", [1.0, 1.0, BIG, 1.0, BIG, 0.0, -BIG], BIG + 2)
    # Absent threads are no partial sums: 4 sums make chunks of 2 and 2.
    expect_sum("tile(2,1,9) | chunks(2) | seq", [BIG, 1.0, 1.0, 1.0], BIG + 2)
    expect_sum("tile(4,1) | reverse | seq(2) | seq", [BIG, 1.0, 1.0], BIG + 2)
    expect_sum("tile(1,1) | seq", [-0.0, -0.0], 0.0)
    expect_sum("tile(1,4,acc=neumaier)", [1.0, 1e100, 1.0, -1e100], 2.0)


def check_numpy():
    expect_sum("numpy", [-0.0] * 3, 0.0)
    ones = [1.0] * 16
    expect_sum("numpy", [BIG] + ones, BIG + 16)  # r0 = BIG, 14 in the others; BIG + 15 is a tie
    expect_sum("numpy", [2048.0] + [1.0] * 8191 + [1.0], 10240.0, "fp16")  # 8192 ones and 2048, one rounding a run
    expect_sum("numpy", [BIG] + [0.0] * 8191 + [1.0, 1.0], BIG + 2)  # the ones are a run of their own


def check_formats_of_a_sum():
    third = 2049.0  # a tie between fp16 neighbours 2048 and 2050
    expect_sum("seq", [2048.0, 1.0], 2048.0, "fp16")
    expect_sum("seq", [2048.0, 1.0], third, "fp16:fp32")
    expect_sum("seq", [2048.0, 1.0, 2.0**-10], 2050.0, "fp16:fp32:fp16")
    expect_sum("seq", [FP32.largest, FP32.largest], math.inf, "fp32")
    expect_sum("seq", [FP32.largest, FP32.largest, -FP32.largest], FP32.largest, "fp32:fp64:fp32")
    expect_sum("seq", [1 + 2.0**-24, 2.0**-24], 1.0, "fp64:fp32")  # two ties, the first in the conversion
    expect("/".join(map(repr, parse_formats("fp16:fp32"))), "fp16/fp32/fp32", "two formats")
    expect(evaluate_bits("seq", [math.inf, -math.inf], formats="fp64:bf16"), "0x7fc0", "NaN")


def check_formats_along():
    ones = [1.0] * 1000
    expect_sum("round(bf16) | in(bf16) | seq", ones, 256.0, "bf16:fp32:bf16")
    expect_sum("chunks(10) | round(bf16) | in(bf16) | seq", ones, 1000.0, "fp32")
    expect_sum("round(fp16) | seq", [2.0**-25 + 2.0**-40, 2049.0], 2048.0 + 2.0**-24, "fp64")
    tie_in_fp32 = [1 + 2.0**-7, 2.0**-8 - 2.0**-25]  # what fp32 makes of the sum is a tie of bf16
    expect_sum("in(fp32,store=bf16) | seq", tie_in_fp32, 1 + 2.0**-6, "fp32")
    expect_sum("in(fp64,store=bf16) | seq", tie_in_fp32, 1 + 2.0**-7, "fp32")
    expect_sum("in(fp32,store=bf16) | seq(from=zero)", [1 + 2.0**-9], 1.0, "fp32")
    expect_sum("in(fp32,store=bf16) | seq", [1 + 2.0**-9], 1 + 2.0**-9, "fp32")
    expect_sum("round(fp16) | in(fp16) | seq", [65504.0, 15.0], 65504.0, "fp32")
    expect_sum("round(fp16) | in(fp16) | seq", [65504.0, 16.0], math.inf, "fp32")
    for order in ("in(bf16) | seq", "round(fp16) | in(bf16) | seq", "in(fp64) | seq(2) | in(fp32) | seq"):
        expect_error(order, formats="fp32")
    expect_error("round(fp16) | seq", formats="bf16")
    expect_error("round(bf16) | seq(acc=fma)", factors=[1.0] * 5)


def check_dot_products():
    x, y = [1 + 2.0**-52, 1.0], [1 - 2.0**-52, -1.0]
    expect_sum("seq", x, 0.0, factors=y)  # 1 - 2^-104 rounds to 1
    expect_sum("reverse | seq(acc=fma)", x, -(2.0**-104), factors=y)
    expect_sum("seq(acc=fma)", x, 0.0, factors=y)  # the first product is rounded
    expect_sum("seq(acc=fma)", [0.0], -0.0, factors=[-1.0])
    expect_sum("seq(acc=fma,from=zero)", [0.0], 0.0, factors=[-1.0])
    expect_sum("tile(1,1,acc=fma)", [0.0], 0.0, factors=[-1.0])
    expect_sum("seq", [3.0], 9.0, "fp16:fp32", factors=[3.0])
    # The product of two fp16 numbers is not rounded to fp16 where the partial sums are fp32.
    expect_sum("seq", [1 + 2.0**-10], (1 + 2.0**-10) ** 2, "fp16:fp32", factors=[1 + 2.0**-10])


def check_grammar():
    for text, count in (("1e3", 1000), ("2^5", 32), ("1_000", 1000), ("64", 64)):
        expect(str(count_of(text)), str(count), text)
    terms = [random.Random(3).gauss(0, 1) for _ in range(1000)]

    def alike(one, other, arrival=None):
        expect(evaluate_bits(one, terms, arrival=arrival), evaluate_bits(other, terms), f"{one} = {other}")

    alike("warp", "halving(32) | seq(acc=atomic)", "launch")
    alike("  simd ( w = 2^4 )  ", "strided(16)|halving(16)")
    alike("simd()", "strided(8) | halving(8)")
    alike("spa(items=4)", "tile(64,4) | halving(64) | seq(acc=atomic)", "launch")
    alike("sptr(32,grid=5)", "tile(32,2,grid=5) | halving(32) | strided(32,from=zero) | halving(32)")
    alike("sprg(32,1,5)", "tprc(32,1,5)")
    alike("openmp(3)", "chunks(3) | seq(from=zero)", "launch")
    alike("halving(32) | sequential", "halving(k=32) | seq()")
    expect(parse("arrive(slots(1280,0.2)) | seq")[0].arguments[0][1].name, "slots", "a stage as an argument")
    expect(parse("perm('a (1).txt') | seq")[0].arguments[0][1], "a (1).txt", "quoted text")


def check_refusals():
    more = ("", "sort | seq", "seq(2,k=2) | seq", "numpy(from=zero)", "tile(2,2,from=zero) | seq")
    for order in REFUSED + more:
        expect_error(order)
    expect_error("seq", arrival="launch")
    expect_error("seq(2) | seq(acc=fma)", factors=[1.0] * 5)


def check_pipelines():
    """Random ones are valid, and sums of small integers are exact in any order."""
    generator = random.Random(4)
    for _ in range(500):
        n = generator.choice((1, 2, 5, 31, 32, 33, 100, 257))
        terms = [float(generator.randint(-9, 9)) for _ in range(n)]
        factors = [float(generator.randint(-9, 9)) for _ in range(n)] if generator.random() < 0.5 else None
        order = random_pipeline(generator, n, factors is not None, mixed=0)
        arrival = "launch" if has_bare_arrive(order) else None
        wanted = sum(x * y for x, y in zip(terms, factors or [1.0] * n))
        expect_sum(f"{order}|seq(from=zero)", terms, float(wanted), "fp32", factors, arrival)


def check_philox():
    """Against the known answers of Random123, and the stored keys of draw paths."""
    ones = (1 << 32) - 1
    for counter, key, words in (
        ([0] * 4, [0] * 2, [0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8]),
        ([ones] * 4, [ones] * 2, [0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD]),
        (
            [0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344],
            [0xA4093822, 0x299F31D0],
            [0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1],
        ),
    ):
        numbers = [sum(word << 32 * i for i, word in enumerate(words)) for words in (counter, key)]
        expect(str(philox(*numbers)), str(words), "philox")
    expect(str(path_key(7)), "7", "the empty path")
    stored = Path(__file__).parent.parent.joinpath("golden", "draw_paths.txt").read_text(encoding="utf-8")
    lines = [line for line in stored.splitlines() if not line.startswith("#")]
    for line, wanted in zip(lines, known_answers(), strict=True):
        expect(line, wanted, "key of a draw path")


def check_arrivals():
    """Against the stored orders of models that sort by a key."""
    stored = Path(__file__).parent.parent.joinpath("golden", "arrivals.txt").read_text(encoding="utf-8")
    lines = [line for line in stored.splitlines() if not line.startswith("#")]
    for line, wanted in zip(lines, arrivals.known_answers(), strict=True):
        expect(line, wanted, "an arrival order")


def main():
    check_philox()
    check_arrivals()
    check_rounding()
    check_products()
    check_arranging()
    check_left_to_right()
    check_accumulators()
    check_trees()
    check_tiles()
    check_numpy()
    check_formats_of_a_sum()
    check_formats_along()
    check_dot_products()
    check_grammar()
    check_refusals()
    check_pipelines()
    print(f"oracle selftest: {checks} checks passed")


if __name__ == "__main__":
    main()
