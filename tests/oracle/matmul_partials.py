"""matmul with partial sums rounded to bf16, and with a residual, against NumPy: bits, errors, and outputs that change.

    matmul_partials.py PROGRAM [--quick]

Matrices of bf16 numbers, whose products are exact in fp32: so a fused multiply-add is an addition in fp32, which NumPy
has. Every output of `matmul(...,split_k=S,partials=bf16)` has to have the bits computed here, and its rms error has to be
0.145 for K = 14336 in 6 splits (0.129 against the sum of the rounded partials) and 0.588 for K = 32768 in 64. Outputs
with a residual that is added before and after the sum is rounded have to have theirs, too, and as many have to
change. Last, the share that changes by the standard deviations of sum and residual, from normal numbers: the table of
the page. Ends with status 77 without NumPy.
"""

import argparse
import os
import subprocess
import sys
import tempfile

try:
    import numpy
except ImportError:
    print("skipped: numpy is not installed")
    sys.exit(77)

SETTINGS = ((14336, 6, 0.145, 0.129), (32768, 64, 0.588, None))  # K, splits, errors; the second where it is known
TILE = 32  # splits are whole tiles of K
# Standard deviations of sum and residual, and the share of outputs that change: the table of the page. It depends on
# their ratio alone: a common power of two changes no bit, and 1.5 little.
DEVIATIONS = ((1, 1 / 64), (1, 1 / 8), (1, 1 / 4), (1, 1 / 2), (1, 1), (1.5, 1.5), (1, 2), (1, 4), (3, 12), (1, 8),
              (1, 16), (1, 64))
SHARES = (0.256, 0.280, 0.296, 0.307, 0.290, 0.290, 0.236, 0.169, 0.169, 0.113, 0.070, 0.025)


def bf16(x):
    """fp32 or fp64 numbers rounded to bf16, to nearest even, in fp64; finite normal numbers only."""
    fraction, exponent = numpy.frexp(numpy.asarray(x, "f8"))
    return numpy.ldexp(numpy.rint(numpy.ldexp(fraction, 8)), exponent - 8)


def sums_in_fp32(a, b):
    """a b, each product added to an fp32 accumulator in turn."""
    total = numpy.zeros((a.shape[0], b.shape[1]), "f4")
    for k in range(a.shape[1]):
        total += numpy.outer(a[:, k], b[k])
    return total


def splits_of(k, splits):
    """Where splits of whole tiles begin and end."""
    step = -(-(-(-k // TILE)) // splits) * TILE
    return [(begin, min(begin + step, k)) for begin in range(0, k, step)]


def outputs_of(program, arguments, folder):
    """The outputs in launch order."""
    path = os.path.join(folder, "outputs.npy")
    command = [program, "sample", *arguments, "--order", "seq", "--samples", "1", "--npy", path, "--quiet"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=folder, check=False)
    if done.returncode != 0:
        sys.exit(f"{command}: {done.stderr}")
    return numpy.load(path)[0]


def require_equal(what, found, wanted):
    wrong = int((found.astype("f4").view("u4") != wanted.astype("f4").view("u4")).sum())
    if wrong:
        sys.exit(f"{what}: {wrong} of {wanted.size} outputs have other bits than NumPy's")
    print(f"{what}: {wanted.size} outputs, equal bits")


def require_near(what, found, wanted, outputs):
    """To three digits, and four standard errors of an rms."""
    print(f"{what}: {found:.4f}, to be {wanted}")
    if abs(found / wanted - 1) > 4.4 / outputs**0.5 + 0.004:
        sys.exit(f"{what}: {found} instead of {wanted}")


def root_mean_square(x):
    return float(numpy.sqrt(numpy.mean(x * x)))


def check_partials(program, random, setting, rows, folder):
    k, splits, wanted, beside = setting
    a = bf16(random.uniform(-1, 1, (rows, k))).astype("f4")
    b = bf16(random.uniform(-1, 1, (k, 64))).astype("f4")
    numpy.save(os.path.join(folder, "a.npy"), a)
    numpy.save(os.path.join(folder, "b.npy"), b)
    parts = [sums_in_fp32(a[:, begin:end], b[begin:end]) for begin, end in splits_of(k, splits)]
    rounded = [bf16(part) for part in parts]
    total = rounded[0]
    for part in rounded[1:]:
        total = bf16(total + part)
    found = outputs_of(program, ["--op", f"matmul({rows},64,{k},split_k={splits},partials=bf16)", "--input", "a.npy",
                                 "--with", "b.npy", "--format", "bf16:fp32"], folder)
    what = f"K = {k}, {len(parts)} splits"
    require_equal(what, found, total)
    require_near(f"{what}: rms error", root_mean_square(found - a.astype("f8") @ b.astype("f8")), wanted, found.size)
    if beside is not None:
        error = root_mean_square(found - numpy.sum(rounded, axis=0))
        require_near(f"{what}: against the rounded partials", error, beside, found.size)


def check_residual(program, random, deviation, folder):
    """The residual's standard deviation is `deviation` times that of the sums."""
    k = 1024
    a = bf16(random.standard_normal((32, k))).astype("f4")
    b = bf16(random.standard_normal((k, 64))).astype("f4")
    r = bf16(random.standard_normal((32, 64)) * deviation * k**0.5).astype("f4")
    for name, array in (("a", a), ("b", b), ("r", r)):
        numpy.save(os.path.join(folder, f"{name}.npy"), array)
    total = sums_in_fp32(a, b)
    wanted = {"before": bf16(r + total), "after": bf16(r + bf16(total))}
    found = {}
    for place, outputs in wanted.items():
        found[place] = outputs_of(program, ["--op", f"matmul(32,64,{k},split_k=1,residual={place})", "--input", "a.npy",
                                            "--with", "b.npy", "--self", "r.npy", "--format", "bf16:fp32:bf16"], folder)
        require_equal(f"residual {place} rounding, {deviation} times the sum", found[place], outputs)
    share = numpy.mean(found["before"] != found["after"])
    return float(share), found["before"].size


def share_that_changes(random, of_sum, of_residual, count):
    total = (random.standard_normal(count) * of_sum).astype("f4")
    residual = bf16(random.standard_normal(count) * of_residual).astype("f4")
    return float(numpy.mean(bf16(residual + total) != bf16(residual + bf16(total))))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("--quick", action="store_true", help="16 rows of outputs in place of 64, fewer normal numbers")
    options = parser.parse_args()
    program = os.path.abspath(options.program)
    random = numpy.random.default_rng(1)
    with tempfile.TemporaryDirectory() as folder:
        for setting in SETTINGS:
            check_partials(program, random, setting, 16 if options.quick else 64, folder)
        shares = {d: check_residual(program, random, d, folder) for d in (0.25, 1, 4)}
    print("standard deviations of sum and residual: share of outputs that change")
    count = 200_000 if options.quick else 2_000_000
    for (of_sum, of_residual), wanted in zip(DEVIATIONS, SHARES):
        share = share_that_changes(random, of_sum, of_residual, count)
        print(f"{of_sum} {of_residual}: {share:.4f}, to be {wanted}")
        if abs(share - wanted) > 4 * (share / count)**0.5 + 0.0007:
            sys.exit(f"share {share} instead of {wanted}")
        if of_sum == 1 and of_residual in shares:
            of_program, outputs = shares[of_residual]
            print(f"  of {outputs} outputs of the program: {of_program:.4f}")
            if abs(of_program - share) > 4 * (share / outputs)**0.5:
                sys.exit(f"{of_residual}: {of_program} of the program's outputs change, {share} of NumPy's")


if __name__ == "__main__":
    main()
