"""Compares the order `numpy` with numpy.sum itself, bit for bit, on contiguous fp64, fp32 and fp16 arrays.

Where numpy.longdouble is x87's, fp64 arrays are summed in it too, pairwise and in turn: `--format fp64:fp80:fp64`.

    compare_numpy.py [--lines PROGRAM] [--quick] [--seed S]

Without --lines the evaluator in orders.py takes the program's place. Ends with status 77 without NumPy.
The order was measured on NumPy 1.24; a mismatch with another version may be a change of NumPy.
"""

import argparse
import os
import sys
import tempfile

from formats import FORMATS
from orders import evaluate_bits
from program import Program, shown

try:
    import numpy
except ImportError:
    print("skipped: numpy is not installed")
    sys.exit(77)

DTYPES = {"fp64": "f8", "fp32": "f4", "fp16": "f2"}
EXTENDED = numpy.finfo(numpy.longdouble).nmant == 63
LONG = (*range(8191, 8201), 16385, 99991)
QUICK_LONG = (*range(301, 3000, 90), 3000, 8191, 8192, 8193, 8199, 8200, 16385, 99991)


def ordinary(random, n, f):
    return random.standard_normal(n)


def wide(random, n, f):
    return random.standard_normal(n) * 2.0 ** random.integers(-f.precision, min(f.precision, f.e_max - 4), n)


def any_bits(random, n, f):
    bits = numpy.frombuffer(random.bytes(n * f.width // 8), DTYPES[f.name])
    return numpy.where(numpy.isfinite(bits), bits, 1)


def subnormal(random, n, f):
    steps = random.integers(-(2**f.precision), 2**f.precision, n).astype("f8")
    return steps * f.smallest


def cancelling(random, n, f):
    half = wide(random, n // 2, f).astype(DTYPES[f.name])
    terms = numpy.concatenate([half, -half, ordinary(random, n - 2 * (n // 2), f)])
    random.shuffle(terms)
    return terms


def ties(random, n, f):
    terms = random.choice([1.0, 1.0, -1.0, 0.5, 3.0], n)
    terms[random.integers(0, n)] = 2.0 ** min(f.precision, f.e_max - 1)
    return terms


def huge(random, n, f):
    """Some sums overflow, and inf - inf may follow."""
    return random.choice([1.0, -1.0], n) * f.largest / random.choice([1.0, 2.0, 8.0], n)


def negative_zeros(random, n, f):
    return numpy.full(n, -0.0)


def zeros(random, n, f):
    return random.choice([-0.0, 0.0], n)


DRAWN = (ordinary, wide, wide, any_bits, subnormal, cancelling, ties, huge)
ALL = (*dict.fromkeys(DRAWN), negative_zeros, zeros)


def plan(quick):
    """Pairs of a length and the flavours for it: all at short and long ones, one in turn and zeros elsewhere."""
    lengths = [*range(1, 301), *QUICK_LONG] if quick else [*range(1, 3001), *LONG]
    for n in lengths:
        if n <= 40 or n > 3000:
            yield n, ALL
        else:
            yield n, (DRAWN[n % len(DRAWN)], *((negative_zeros, zeros) if n % 16 in (0, 1, 15) else ()))


class Comparison:
    """Either way of summing against numpy.sum, on files in `folder`."""

    def __init__(self, program, folder):
        self.program = program
        self.path = os.path.join(folder, "terms.npy")
        self.cases = 0

    def compare(self, terms, f, flavour):
        with numpy.errstate(all="ignore"):
            self.compare_sum(float(numpy.sum(terms)), "numpy", f.name, terms, f, flavour)
            if EXTENDED and f.name == "fp64":
                wide = terms.astype(numpy.longdouble)
                formats = "fp64:fp80:fp64"
                self.compare_sum(float(numpy.sum(wide)), "numpy", formats, terms, f, flavour)
                self.compare_sum(float(numpy.add.accumulate(wide)[-1]), "seq", formats, terms, f, flavour)

    def compare_sum(self, wanted, order, formats, terms, f, flavour):
        wanted = f.hex(wanted)
        arguments = ["--input", self.path, "--order", order, "--format", formats]
        if self.program:
            numpy.save(self.path, terms)
            found = self.program.sum_bits(arguments)
        else:
            found = evaluate_bits(order, terms.tolist(), formats=formats)
        self.cases += 1
        if found != wanted:
            numpy.save(self.path, terms)
            print(f"MISMATCH: {len(terms)} terms, {formats}, {flavour}, NumPy {numpy.__version__}, kept in {self.path}")
            print(f"  numpy {wanted}\n  order {found}\n  {shown(arguments)}")
            sys.exit(1)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--lines", metavar="PROGRAM", help="the C++ program; the evaluator without it")
    parser.add_argument("--quick", action="store_true", help="every length up to 300, then a spread")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    folder = tempfile.mkdtemp(prefix="orderlab_numpy_")
    comparison = Comparison(Program(options.lines) if options.lines else None, folder)
    random = numpy.random.default_rng(options.seed)
    for n, flavours in plan(options.quick):
        for name, dtype in DTYPES.items():
            for flavour in flavours:
                with numpy.errstate(all="ignore"):
                    terms = flavour(random, n, FORMATS[name]).astype(dtype)
                terms[~numpy.isfinite(terms)] = 1
                comparison.compare(terms, FORMATS[name], flavour.__name__)
    if comparison.program:
        comparison.program.close()
        os.remove(comparison.path)
    os.rmdir(folder)
    print(f"{comparison.cases} sums agree with NumPy {numpy.__version__} bit for bit, seed {options.seed}")


if __name__ == "__main__":
    main()
