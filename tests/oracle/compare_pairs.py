"""Two orders of the same fp32 terms: differences by NumPy, and those of `orderlab tolerance --against`.

    compare_pairs.py --program PROGRAM

Terms are drawn by NumPy and by the program, so root mean squares and means of largest differences agree within their
standard errors: limits are five of them. Ends with status 77 without NumPy.
"""

import argparse
import json
import math
import subprocess
import sys

try:
    import numpy
except ImportError:
    print("skipped: numpy is not installed")
    sys.exit(77)

N, OUTPUTS, COMPARISONS = 1024, 64, 3000


def in_turn(x):
    """Sums of the last axis, one term after the other."""
    total = x[..., 0].copy()
    for k in range(1, x.shape[-1]):
        total += x[..., k]
    return total


def halving(x):
    """A tree in which place i takes place i + half."""
    while x.shape[-1] > 1:
        half = x.shape[-1] // 2
        x = x[..., :half] + x[..., half:]
    return x[..., 0]


def differences(random, outputs):
    """'strided(128) | seq(4) | halving(32)' minus 'seq(4) | halving(256)' on new terms for each output."""
    x = random.standard_normal((outputs, N)).astype("f4")
    strided = in_turn(x.reshape(outputs, N // 128, 128).swapaxes(1, 2))
    one = halving(in_turn(strided.reshape(outputs, 32, 4)))
    other = halving(in_turn(x.reshape(outputs, N // 4, 4)))
    return one.astype("f8") - other.astype("f8")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True)
    program = parser.parse_args().program
    random = numpy.random.default_rng(1)
    d = numpy.array([differences(random, OUTPUTS) for _ in range(COMPARISONS)])
    squares, largest = d * d, abs(d).max(axis=1)
    rms = math.sqrt(squares.mean())
    rms_error = squares.std() / math.sqrt(d.size) / (2 * rms)
    mean, mean_error = largest.mean(), largest.std() / math.sqrt(COMPARISONS)
    output = subprocess.run(
        [program, "tolerance", "--n", str(N), "--dist", "normal(0,1)", "--format", "fp32", "--outputs", str(OUTPUTS),
         "--order", "strided(128) | seq(4) | halving(32)", "--against", "seq(4) | halving(256)", "--coverage", "0.99",
         "--quiet", "--json", "-"],
        capture_output=True, text=True, check=True).stdout
    document = json.loads(output)
    observed, comparisons = document["observed"], document["samples"] // OUTPUTS
    for name, found, wanted, error in (("rms", observed["rms"], rms, rms_error),
                                       ("mean_largest", observed["mean_largest"], mean, mean_error)):
        both = error * math.sqrt(1 + COMPARISONS / comparisons)
        print(f"{name}: {found:.4g}, by NumPy {wanted:.4g}, standard error {both:.1g}")
        assert abs(found - wanted) <= 5 * both, name


main()
