"""How far sums move when partial sums are rounded to bf16 between stages, by NumPy alone, and what orderlab says of it.

    rounded_partials.py [--lines PROGRAM] [--outputs N]

Two settings of split-K, of products of uniform(-1,1) numbers. K = 14336 in 6 splits, each rounded to bf16 and added in
bf16: rms error 0.145, or 0.129 against the sum of the rounded partials. K = 32768 in 64 splits, which have an rms of
7.54: rms error 0.588. The sums of the splits are computed in fp64 here, so nothing but bf16 rounds. With a program, some
outputs of each are also summed by it, and have to have the bits. Ends with status 77 without NumPy.
"""

import argparse
import os
import sys
import tempfile

from program import Program

try:
    import numpy
except ImportError:
    print("skipped: numpy is not installed")
    sys.exit(77)

SETTINGS = ((14336, 6, 0.145, 0.129), (32768, 64, 0.588, None))  # K, splits, errors; the second where it is known


def bf16(x):
    """Doubles rounded to bf16, to nearest even; no subnormal or huge numbers come here."""
    fraction, exponent = numpy.frexp(x)
    return numpy.ldexp(numpy.rint(numpy.ldexp(fraction, 8)), exponent - 8)


def added_in_bf16(parts):
    total = parts[:, 0]
    for column in range(1, parts.shape[1]):
        total = bf16(total + parts[:, column])  # exact before it is rounded: both have 8 bits, and lie close together
    return total


def sums_of_products(random, outputs, k, splits):
    """The sums of the splits, to fp64."""
    bounds = numpy.linspace(0, k, splits + 1).astype(int)[:-1]
    sums = numpy.empty((outputs, splits))
    for row in range(outputs):
        products = random.uniform(-1, 1, k) * random.uniform(-1, 1, k)
        sums[row] = numpy.add.reduceat(products, bounds)
    return sums


def normal_sums(random, outputs, k, splits):
    """Normal numbers of the same rms, of which many are drawn sooner; sums of so many products are distributed so."""
    return random.standard_normal((outputs, splits)) * (k / splits / 9) ** 0.5


def root_mean_square(x):
    return float(numpy.sqrt(numpy.mean(x * x)))


def check(what, found, wanted, outputs):
    """The figure is the one wanted, to its three digits and four standard errors (1.1 / sqrt(outputs) or less each)."""
    print(f"{what}: {found:.4f}, to be {wanted}")
    if abs(found / wanted - 1) > 4.4 / outputs**0.5 + 0.004:
        sys.exit(f"{what}: {found} instead of {wanted}")


def check_errors(what, sums, wanted, beside):
    rounded = bf16(sums)
    totals = added_in_bf16(rounded)
    check(f"{what}: rms error", root_mean_square(totals - sums.sum(axis=1)), wanted, len(sums))
    if beside is not None:
        error = root_mean_square(totals - rounded.sum(axis=1))
        check(f"{what}: against the rounded partials", error, beside, len(sums))


def compare(program, sums, folder):
    """Sums of splits, as fp32 numbers: the program has the bits."""
    for row in range(20):
        numbers = sums[row].astype("f4").astype("f8")
        path = os.path.join(folder, "partials.txt")
        with open(path, "w", encoding="ascii") as file:
            file.writelines(f"{x!r}\n" for x in numbers.tolist())
        wanted = added_in_bf16(bf16(numbers)[None])[0]
        bits = f"0x{int(numpy.float32(wanted).view('u4')):08x}"
        found = program.sum_bits(
            ["--input", path, "--format", "fp32", "--order", "round(bf16) | in(bf16) | seq"])
        if found != bits:
            sys.exit(f"output {row}: the program says {found}, NumPy {bits}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--lines", metavar="PROGRAM")
    parser.add_argument("--outputs", type=int, default=1000, help="of products; 200 times as many of normal numbers")
    options = parser.parse_args()
    random = numpy.random.default_rng(1)
    program = Program(options.lines) if options.lines else None
    for k, splits, wanted, beside in SETTINGS:
        sums = sums_of_products(random, options.outputs, k, splits)
        check_errors(f"K = {k}, {splits} splits, {len(sums)} outputs", sums, wanted, beside)
        many = normal_sums(random, 200 * options.outputs, k, splits)
        check_errors(f"K = {k}, {splits} splits, {len(many)} outputs of normal partials", many, wanted, beside)
        if program is not None:
            with tempfile.TemporaryDirectory() as folder:
                compare(program, sums, folder)
    if program is not None:
        program.close()


if __name__ == "__main__":
    main()
